"""What the campaigns that compare an engine with ``explore`` have in common: outcomes, progress, the end."""

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from sley.program.properties import Property


@dataclass(frozen=True)
class Comparison:
    """What became of one triple."""

    outcome: str
    """In a few words, for statistics; ``wrong`` is a failure of the campaign."""
    problem: str | None = None
    """What is wrong."""
    note: str | None = None
    """What is worth a look, though not wrong."""


class Limits(NamedTuple):
    """How far a comparison may go."""

    max_states: int
    seconds: float


def names(properties: Iterable[Property]) -> list[str]:
    """For messages."""
    return sorted(prop.value for prop in properties)


def run_campaign(name: str, compare: Callable[[int, Path, Limits], Comparison]) -> int:
    """Compare the triples of many seeds; 1 if any law fails."""
    parser = argparse.ArgumentParser(prog=name)
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--max-states", type=int, default=10_000)
    arguments = parser.parse_args()
    limits = Limits(arguments.max_states, arguments.seconds)
    started, outcomes = time.monotonic(), Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "random.c"
        for seed in range(arguments.seed, arguments.seed + arguments.count):
            found = compare(seed, path, limits)
            outcomes[found.outcome] += 1
            said = found.problem or found.note
            if said is not None:
                sys.stdout.write(f"seed {seed}: {said}\n")
            if sum(outcomes.values()) % 100 == 0:
                seconds = time.monotonic() - started
                sys.stdout.write(f"{sum(outcomes.values())} triples, {dict(outcomes)}, {seconds:.0f} s\n")
            sys.stdout.flush()
    sys.stdout.write(f"{sum(outcomes.values())} triples: {dict(sorted(outcomes.items()))}\n")
    return 1 if outcomes["wrong"] else 0
