"""Which public repositories are tried, drawn before anything runs.

    python -m bench.repositories.draw --seed 2026 --count 20

The list was written before the draw. Where one of the drawn cannot be had, or has fewer than 500 or more than
50,000 lines of C, the next of the same draw takes its place: a larger count begins with the smaller one.
"""

import argparse
import random
import sys
from pathlib import Path
from typing import NamedTuple

LIST = Path(__file__).parent / "list.txt"


class Repository(NamedTuple):
    """A public repository, of the form ``owner/name``."""

    name: str
    build: str
    text: str


def repositories() -> list[Repository]:
    """All of the list, in its order."""
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [Repository(*(part.strip() for part in line.split("|"))) for line in lines]


def drawn(seed: int, count: int) -> list[Repository]:
    """The first of the list in an order by lot."""
    found = repositories()
    random.Random(seed).shuffle(found)
    return found[:count]


def main() -> int:
    """Print what is drawn."""
    parser = argparse.ArgumentParser(prog="python -m bench.repositories.draw")
    parser.add_argument("--seed", type=int, default=2026)
    parser.add_argument("--count", type=int, default=20)
    asked = parser.parse_args()
    for one in drawn(asked.seed, asked.count):
        sys.stdout.write(f"{one.name:35} {one.build:10} {one.text}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
