"""What each stage of engine `bmc` leaves out: events, pairs, clauses, and the seconds of the SAT solver.

    python -m bench.fusion.stages [--time-limit 60] [--only account]

From all pairs of reads and writes, as published, to what the engine does by default: each row has one stage
more than the row above. The engine runs alone, without a look at its proof.
"""

from collections.abc import Iterator, Mapping

from bench.catalogue import ACCOUNT_RACES, ACCOUNTS, FIBONACCI, INDEXER, SYNCHRONISATION
from bench.families import Family, arguments
from bench.measure import Measurement
from bench.solving import solving
from bench.table import Table, number

STAGES: Mapping[str, tuple[str, ...]] = {
    "nothing": (),
    "summaries": (
        "--without",
        "summaries",
    ),
    "cells": (
        "--without",
        "cells",
    ),
    "pruning": (
        "--without",
        "pruning",
    ),
    "literals for copies": ("--copies", "numbers"),
    "cycles for clocks": ("--order", "clocks"),
    "settled variables": (
        "--without",
        "settled",
    ),
    "locksets": (
        "--without",
        "locksets",
    ),
    "sections": (
        "--without",
        "sections",
    ),
    "sums": (
        "--without",
        "sums",
    ),
    "relevance": (
        "--without",
        "relevance",
    ),
    "symmetry": (
        "--without",
        "symmetry",
    ),
}
"""The name of each stage, and the flags that leave it out; the last row is the default."""
COUNTS = ("nodes", "candidates", "order literals", "clauses", "conflicts")
SIZES = {
    "account1-races": 5,
    "account1": 5,
    "account2-races": 7,
    "synchronisation": 8,
    "indexer-slice": 12,
    "fibonacci": 5,
}


def flags_of(stage: str) -> list[str]:
    """All stages behind this one are left out."""
    names = list(STAGES)
    return [word for name in names[names.index(stage) + 1 :] for word in STAGES[name]]


def cells(stage: str, found: Measurement) -> list[str]:
    """One row: what there is to do with the stages so far, and what it costs."""
    solver = found.statistics.get("seconds in solver", 0.0)
    counts = [number(found.count(name)) for name in COUNTS]
    return [stage, *counts, number(solver, 2), f"{found.seconds:.1f}", found.answer]


def families() -> Iterator[tuple[Family, int]]:
    """The programs, each in one size."""
    for family in (*ACCOUNT_RACES, *ACCOUNTS, *SYNCHRONISATION, *INDEXER, *FIBONACCI):
        if family.name in SIZES:
            yield family, SIZES[family.name]


def main() -> int:
    chosen = arguments("What each stage of engine bmc leaves out.").parse_args()
    head = ("with", "events", "pairs", "orders", "clauses", "conflicts", "solver s", "CPU s", "")
    for family, size in families():
        if chosen.only and not any(part in family.name for part in chosen.only):
            continue
        print(f"\n{family.name}, {size}\n")
        table = Table(head, (20, 6, 8, 7, 9, 9, 8, 6, 8), names=1)
        for stage in STAGES:
            flags = [*family.flags(size)[2:], *flags_of(stage)]
            table.row(cells(stage, solving(family.path, flags, chosen.time_limit)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
