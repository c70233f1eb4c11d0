"""``python -m tests.fuzz --engine bmc --seed 1 --count 50``: a campaign over random programs.

An engine on one family of programs, or on all that are made for it; without an engine all of them, one after
another. ``--engine all`` asks every engine about the same programs, each of which is prepared and explored
once. The same seed is the same case.
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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple
from pathlib import Path
from unittest.mock import patch

from sley.engines.bmc import search
from tests.fuzz.campaign import Comparison, Limits
from tests.fuzz.kinds import KINDS, Kind

CHUNK = 50
DECIDED = ("safe", "bug", "same")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the campaign that the arguments ask for."""
    parser = argparse.ArgumentParser(prog="tests.fuzz", description=__doc__)
    parser.add_argument("--engine", choices=sorted({kind.engine for kind in KINDS}))
    parser.add_argument("--family", choices=sorted({kind.family for kind in KINDS}))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--max-states", type=int, default=Limits().max_states)
    parser.add_argument("--seconds", type=float, help="for an engine and a program")
    parser.add_argument("--chunk", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    kinds = [
        kind
        for kind in KINDS
        if (kind.engine != "all" if asked.engine is None else kind.engine == asked.engine)
        and asked.family in (None, kind.family)
    ]
    if not kinds:
        parser.error(f"no programs of family {asked.family} are made for engine {asked.engine}")
    seeds = range(asked.seed, asked.seed + asked.count)
    run = run_chunk if asked.chunk else run_campaign
    return max(run(kind, seeds, Limits(asked.max_states, asked.seconds or kind.seconds)) for kind in kinds)


def run_chunk(kind: Kind, seeds: range, limits: Limits) -> int:
    """In a process of its own: a line for each seed. No formula is too easy for likely invariants."""
    with patch.object(search, "EASY", 0), tempfile.TemporaryDirectory() as folder:
        for seed in seeds:
            found = kind.compare(seed, Path(folder) / "random.c", limits)
            _say(json.dumps({engine: astuple(comparison) for engine, comparison in found.items()}))
    return 0


def run_campaign(kind: Kind, seeds: range, limits: Limits) -> int:
    """Compare the cases of many seeds."""
    started, outcomes = time.monotonic(), dict[str, Counter[str]]()
    for done, (seed, comparisons) in enumerate(all_comparisons(kind, seeds, limits), start=1):
        for engine, found in comparisons.items():
            outcomes.setdefault(engine, Counter())[found.outcome] += 1
            if found.problem or found.note:
                _say(f"seed {seed}: {found.problem or found.note}")
        if done % 100 == 0:
            _say(f"{kind}: {done} cases, {time.monotonic() - started:.0f} s")
    for engine, counts in outcomes.items():
        _say(f"{engine} on {kind.family} programs: {summary(counts)}")
    together = sum(outcomes.values(), Counter[str]())
    return 1 if together["wrong"] else 2 if together["lost"] else 0


def summary(counts: Counter[str]) -> str:
    """How many cases are decided, undecided and wrong, and why."""
    decided = sum(counts[outcome] for outcome in DECIDED)
    undecided = counts.total() - decided - counts["wrong"]
    each = ", ".join(f"{outcome} {count}" for outcome, count in sorted(counts.items()))
    return (
        f"{counts.total()} cases: {decided} decided, {undecided} undecided, {counts['wrong']} wrong: {each}"
    )


def all_comparisons(
    kind: Kind, seeds: range, limits: Limits
) -> Iterator[tuple[int, Mapping[str, Comparison]]]:
    """What became of each seed; a process that ends too early has lost the seed it was at."""
    while seeds:
        chunk, done = seeds[:CHUNK], 0
        with subprocess.Popen(command(kind, chunk, limits), stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                found = json.loads(line).items()
                yield chunk[done], {engine: Comparison(*comparison) for engine, comparison in found}
                done += 1
        if done < len(chunk):
            code = f"lost: the process ended with exit code {process.returncode}"
            yield chunk[done], {kind.engine: Comparison("lost", note=code)}
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
