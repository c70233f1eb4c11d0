"""``python -m tests.fuzz --engine bmc --seed 1 --count 50``: a campaign over random programs.

An engine, or all, on one family of programs, or all that are made for it. The same seed is the same case.
Cases run in processes of their own, some dozens in each: a solver may abort the process it runs in. The case
at which that happened is lost, which is told and counted, and the campaign goes on behind it. Exit code 1 if
any law fails, 2 if a case was lost.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from pathlib import Path

from sley.engines.bmc import search
from tests.fuzz.campaign import Comparison, Limits
from tests.fuzz.kinds import KINDS, Kind

CHUNK = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("--engine", choices=sorted({kind.engine for kind in KINDS}))
    parser.add_argument("--family", choices=sorted({kind.family for kind in KINDS}))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--max-states", type=int, default=Limits().max_states)
    parser.add_argument("--seconds", type=float, default=Limits().seconds)
    parser.add_argument("--chunk", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    kinds = [k for k in KINDS if asked.engine in (None, k.engine) and asked.family in (None, k.family)]
    if not kinds:
        parser.error(f"no programs of family {asked.family} are made for engine {asked.engine}")
    limits, seeds = Limits(asked.max_states, asked.seconds), range(asked.seed, asked.seed + asked.count)
    if asked.chunk:
        return run_chunk(kinds[0], seeds, limits)
    return max(run_campaign(kind, seeds, limits) for kind in kinds)


def run_chunk(kind: Kind, seeds: range, limits: Limits) -> int:
    """In a process of its own: a line for each seed. No formula is too easy for likely invariants."""
    search.EASY = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            found = kind.compare(seed, Path(folder) / "random.c", limits)
            sys.stdout.write(json.dumps(astuple(found)) + "\n")
            sys.stdout.flush()
    return 0


def run_campaign(kind: Kind, seeds: range, limits: Limits) -> int:
    """Compare the cases of many seeds."""
    started, outcomes = time.monotonic(), Counter[str]()
    for done, (seed, found) in enumerate(comparisons(kind, seeds, limits), start=1):
        outcomes[found.outcome] += 1
        if found.problem or found.note:
            _say(f"seed {seed}: {found.problem or found.note}")
        if done % 100 == 0:
            _say(f"{kind}: {done} cases, {dict(outcomes)}, {time.monotonic() - started:.0f} s")
    _say(f"{kind}: {len(seeds)} cases: {dict(sorted(outcomes.items()))}")
    return 1 if outcomes["wrong"] else 2 if outcomes["lost"] else 0


def comparisons(kind: Kind, seeds: range, limits: Limits) -> Iterator[tuple[int, Comparison]]:
    """What became of each seed; a process that ends too early has lost the seed it was at."""
    while seeds:
        chunk, done = seeds[:CHUNK], 0
        with subprocess.Popen(command(kind, chunk, limits), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield chunk[done], Comparison(*json.loads(line))
                done += 1
        if done < len(chunk):
            code = f"lost: the process ended with exit code {process.returncode}"
            yield chunk[done], Comparison("lost", note=code)
            done += 1
        seeds = seeds[done:]


def command(kind: Kind, seeds: range, limits: Limits) -> list[str]:
    """How to run a chunk."""
    words = [sys.executable, "-m", "tests.fuzz", "--chunk", "--engine", kind.engine, "--family", kind.family]
    words += ["--seed", str(seeds.start), "--count", str(len(seeds))]
    return [*words, "--max-states", str(limits.max_states), "--seconds", str(limits.seconds)]


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
