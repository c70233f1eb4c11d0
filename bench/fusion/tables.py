"""Engine `bmc` on programs in growing sizes: processor time of the whole run, from the C file to the answer.

python -m bench.fusion.tables [--time-limit 60] [--only indexer]
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.fusion.programs import fibonacci, indexer, locked
from bench.measure import measure


class Row(NamedTuple):
    """One program of a family."""

    family: str
    size: str
    text: str
    order: str = "cycles"


def rows() -> Iterator[Row]:
    """All programs, in growing sizes."""
    for threads in (4, 8, 12, 16, 20, 24, 28, 32):
        messages = 4 if threads < 32 else 3
        yield Row("indexer", f"{threads} threads, {messages} each", indexer(threads, messages))
    for order in ("cycles", "clocks"):
        for rounds in range(3, 11):
            for is_safe in (True, False):
                name = f"{rounds} rounds, {'safe' if is_safe else 'unsafe'}"
                yield Row("fibonacci", name, fibonacci(rounds, is_safe=is_safe), order)
        for threads in (2, 3, 4, 5, 6):
            yield Row("locked", f"{threads} threads, once", locked(threads, 1), order)
        for rounds in (2, 4, 8, 16):
            yield Row("locked", f"2 threads, {rounds} times", locked(2, rounds), order)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(prog="bench.fusion.tables")
    parser.add_argument("--time-limit", type=float, default=60.0)
    parser.add_argument("--only", default="")
    chosen = parser.parse_args()
    is_over: set[tuple[str, str, bool]] = set()
    print(f"{'program':32} {'order':7} {'answer':8} {'CPU s':>7} {'nodes':>6} {'rf':>7} {'rounds':>6}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        for row in rows():
            key = (row.family, row.order, "unsafe" in row.size)
            if chosen.only not in row.family or key in is_over:
                continue
            path.write_text(row.text)
            flags = ("--engine", "bmc", "--property", "reach", "--order", row.order)
            found = measure(path, flags, chosen.time_limit)
            if not found.is_decided:
                is_over.add(key)
            counts = [found.count(name) or 0 for name in ("nodes", "candidates", "rounds")]
            print(
                f"{row.family + ' ' + row.size:32} {row.order:7} {found.answer:8} {found.seconds:7.1f} "
                f"{counts[0]:6} {counts[1]:7} {counts[2]:6}"
            )
            sys.stdout.flush()


if __name__ == "__main__":
    main()
