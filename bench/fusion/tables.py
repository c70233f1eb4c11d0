"""Engine `bmc` in the three modes of the staged analysis, beside what was published; a table and a plot.

    python -m bench.fusion.tables [--time-limit 60] [--only indexer] [--largest 32]

The programs are written anew from their descriptions. Ends with 1 if an answer is wrong.
"""

from collections.abc import Mapping, Sequence

from bench.catalogue import ACCOUNTS, INDEXER, SYNCHRONISATION
from bench.families import Curve, Family, Rows, Runner, arguments, cell, chosen_sizes, curves, sley, some
from bench.fusion.published import LIMIT, TABLE, Row
from bench.table import Table, number

from sley.benchmarking.plot import Panel, Point, figure

FAMILIES = (*INDEXER, *ACCOUNTS, *SYNCHRONISATION)
MODES: Mapping[str, tuple[str, ...]] = {
    "pruning only": ("--no-summaries",),
    "summaries only": ("--no-pruning",),
    "both": (),
}
"""Both are the default. Without summaries, every access has a node of its own (concurrent SSA)."""
COUNTS = ("nodes", "reads", "writes", "candidates before pruning", "candidates")
HEAD = ("program", "threads", "events", "reads", "paper", "writes", "paper", "rf", "pruned")
WIDTHS = (22, 7, 6, 6, 5, 6, 5, 7, 7, 12, 14, 12, 5, 5, 5)


def print_rows(table: Table, family: Family, sizes: Sequence[int], runner: Runner) -> Rows:
    rows: Rows = []
    for size in sizes:
        results, theirs = runner.results(family, size), TABLE.get(family.name, {}).get(size)
        if not results and theirs is None:
            continue
        rows.append((size, results))
        found = some(results)
        counts = [number(found.count(name)) if found else "" for name in COUNTS]
        reads, writes = (str(theirs.reads), str(theirs.writes)) if theirs else ("", "")
        table.row([
            family.name, str(size), *counts[:2], reads, counts[2], writes, *counts[3:],
            *(cell(family, results.get(mode)) for mode in MODES), *published_cells(theirs),
        ])  # fmt: skip
    return rows


def published_cells(row: Row | None) -> list[str]:
    if row is None:
        return [""] * len(MODES)
    return [f">{LIMIT}" if seconds is None else f"{seconds:g}" for seconds in row.seconds]


def published_panel(name: str) -> Panel:
    """Their curves; the first run beyond the limit is hollow."""
    series: dict[str, list[Point]] = {}
    for position, mode in enumerate(MODES):
        points = series.setdefault(mode, [])
        for threads, row in TABLE[name].items():
            seconds = row.seconds[position]
            points.append(Point(threads, LIMIT if seconds is None else seconds, seconds is not None))
            if seconds is None:
                break
    return Panel(f"{name} (published)", "threads", "seconds", series)


def panel(family: Family, found: Mapping[str, Curve]) -> Panel:
    notes = {mode: curve.note() for mode, curve in found.items() if curve.exponent() is not None}
    series = {mode: curve.points for mode, curve in found.items()}
    return Panel(family.name, "threads", "CPU seconds", series, notes)


def main() -> int:
    chosen = arguments("Engine bmc in three modes.", "docs/pictures/bmc-fusion.svg").parse_args()
    runner = sley(MODES, chosen.time_limit)
    print("CPU seconds with pruning only, with summaries only, with both; then the paper's\n")
    table = Table([*HEAD, *MODES, *(["paper"] * len(MODES))], WIDTHS, names=1)
    panels, notes = [], []
    for family, sizes in chosen_sizes(FAMILIES, chosen):
        found = curves(print_rows(table, family, sizes, runner))
        panels.append(panel(family, found))
        if len(TABLE.get(family.name, {})) > 2:
            panels.append(published_panel(family.name))
        notes += [f"{family.name}, {mode}: {curve.note()}" for mode, curve in found.items()]
    print("\nGrowth with the number of threads n", *notes, sep="\n")
    chosen.output.write_text(figure("Engine bmc, staged analysis", panels, columns=4), encoding="utf-8")
    print(f"written: {chosen.output}")
    return 1 if runner.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
