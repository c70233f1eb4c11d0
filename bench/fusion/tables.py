"""Engine `bmc` in the three modes of the staged analysis as published, and as it is.

    python -m bench.fusion.tables [--time-limit 60] [--only indexer] [--largest 32]

The programs are written anew from their descriptions. Every mode has the same events to begin with; the
columns of events, accesses and pairs are those of summaries and pruning, as published. The engine runs alone,
without a look at its proof. Ends with 1 if an answer is wrong.
"""

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from bench.catalogue import ACCOUNT_RACES, ACCOUNTS, INDEXER, SYNCHRONISATION
from bench.families import Family, Results, Rows, arguments, cell, chosen_sizes, curves, some
from bench.fusion.published import LIMIT, TABLE, Row
from bench.measure import Measurement
from bench.solving import runner
from bench.table import Table, beside, number

FAMILIES = (*INDEXER, *ACCOUNT_RACES, *ACCOUNTS, *SYNCHRONISATION)
BOTH = "both"
MODES: Mapping[str, tuple[str, ...]] = {
    "pruning only": ("--published", "--without", "summaries"),
    "summaries only": ("--published", "--without", "pruning"),
    BOTH: ("--published",),
    "sley": (),
}
"""The paper's three columns, in its own encoding; `sley` has all that was added since."""
PUBLISHED_MODES = tuple(MODES)[:3]
COUNTS = ("nodes", "shared reads", "shared writes", "candidates before pruning", "candidates")
HEAD = ("program", "threads", "events", "reads", "paper", "writes", "paper", "pairs", "pruned")
WIDTHS = (22, 7, 6, 6, 5, 6, 5, 7, 7, 12, 14, 12, 5, 5, 5, 5)


def row(family: Family, size: int, results: Results) -> list[str]:
    """One row: what there is to do, our seconds, and the paper's."""
    theirs = TABLE.get(family.name, {}).get(size)
    both = results.get(BOTH)
    found = both if both is not None and both.is_decided else some(results)
    counts = [number(found.count(name)) if found else "" for name in COUNTS]
    reads, writes = (str(theirs.reads), str(theirs.writes)) if theirs else ("", "")
    published = theirs.seconds if theirs else ()
    cells = [
        seconds_cell(family, results.get(mode), other)
        for mode, other in zip_longest(MODES, (*published, *published[-1:]))
    ]
    return [
        family.name, str(size), *counts[:2], reads, counts[2], writes, *counts[3:],
        *cells, *published_cells(theirs),
    ]  # fmt: skip


def seconds_cell(family: Family, found: Measurement | None, theirs: float | None) -> str:
    """Our seconds, marked if they are more than the paper's."""
    is_decided = found is not None and found.is_decided
    return beside(cell(family, found), found.seconds if found and is_decided else None, theirs)


def published_cells(row: Row | None) -> list[str]:
    if row is None:
        return [""] * len(PUBLISHED_MODES)
    return [f">{LIMIT}" if seconds is None else f"{seconds:g}" for seconds in row.seconds]


def rows(family: Family, sizes: Sequence[int], seconds: float, table: Table) -> tuple[Rows, bool]:
    """The rows of a family, each printed as soon as it is known; whether an answer was wrong."""
    tools, found = runner(MODES, seconds), Rows()
    for size in sizes:
        results = tools.results(family, size)
        if results or size in TABLE.get(family.name, {}):
            found.append((size, results))
            table.row(row(family, size, results))
    return found, bool(tools.wrong)


def main() -> int:
    chosen = arguments("Engine bmc in three modes.").parse_args()
    print(
        "CPU seconds with pruning only, with summaries only, with both, as it is (*: more than the paper's)\n"
    )
    table = Table([*HEAD, *MODES, *(["paper"] * len(PUBLISHED_MODES))], WIDTHS, names=1)
    notes, is_wrong = [], False
    for family, sizes in chosen_sizes(FAMILIES, chosen):
        measured, was_wrong = rows(family, sizes, chosen.time_limit, table)
        is_wrong |= was_wrong
        grown = {m: c for m, c in curves(measured).items() if c.exponent() is not None}
        notes += [f"{family.name}, {mode}: {curve.note()}" for mode, curve in grown.items()]
    print("\nGrowth with the number of threads n", *notes, sep="\n")
    return 1 if is_wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
