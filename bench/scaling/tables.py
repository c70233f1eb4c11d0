"""How engine `bmc` grows with rounds, threads and elements: a table and a plot with fitted exponents.

    python -m bench.scaling.tables [--time-limit 60] [--only stack] [--largest 16]

Ends with 1 if an answer is wrong.
"""

from collections.abc import Mapping, Sequence

from bench.catalogue import CONTAINERS, FIBONACCI, INCREMENTS, TWO_LOCKED
from bench.families import Curve, Family, Rows, Runner, arguments, cell, chosen_sizes, curves, sley
from bench.running.plot import Panel, figure
from bench.table import Table, number

KINDS = ("safe", "unsafe")
GROUPS: Mapping[str, tuple[str, Mapping[str, Family]]] = {
    "Fibonacci": ("rounds", dict(zip(KINDS, FIBONACCI, strict=True))),
    "One increment each": ("threads", {family.name: family for family in INCREMENTS}),
    "Two threads, one lock": ("increments", {"locked": TWO_LOCKED}),
    "Stack": ("elements", dict(zip(KINDS, CONTAINERS[:2], strict=True))),
    "Queue": ("elements", dict(zip(KINDS, CONTAINERS[2:], strict=True))),
}
"""Title, what grows, families by the name of their curve."""
VARIANT = "bmc"


def print_rows(table: Table, family: Family, sizes: Sequence[int], runner: Runner) -> Rows:
    rows: Rows = []
    for size in sizes:
        rows.append((size, runner.results(family, size)))
        for found in rows[-1][1].values():
            counts = [number(found.count(name)) for name in ("nodes", "candidates", "rounds")]
            cells = [found.answer, cell(family, found), number(found.megabytes), *counts]
            table.row([family.name, str(size), *cells])
    return rows


def panel(title: str, label: str, group: Mapping[str, Curve]) -> Panel:
    notes = {n: f"{n}: {curve.note()}" for n, curve in group.items() if curve.exponent() is not None}
    series = {name: curve.points for name, curve in group.items()}
    return Panel(title, label, "CPU seconds", series, notes, is_logarithmic=True)


def main() -> int:
    chosen = arguments("Growth of engine bmc.", "docs/pictures/bmc-scaling.svg").parse_args()
    runner = sley({VARIANT: ()}, chosen.time_limit)
    head = ("family", "size", "answer", "CPU s", "MB", "events", "rf pairs", "rounds")
    table = Table(head, (18, 4, 8, 8, 5, 6, 8, 6), names=1)
    panels, notes = [], []
    for title, (label, families) in GROUPS.items():
        group: dict[str, Curve] = {}
        for name, family in families.items():
            for _, sizes in chosen_sizes([family], chosen):
                group[name] = curves(print_rows(table, family, sizes, runner)).get(VARIANT, Curve([]))
        if group:
            panels.append(panel(title, label, group))
        notes += [f"{title}, {name}: {curve.note()}" for name, curve in group.items()]
    print("\nGrowth with the size n", *notes, sep="\n")
    chosen.output.write_text(figure("Engine bmc: growth", panels, columns=3), encoding="utf-8")
    print(f"written: {chosen.output}")
    return 1 if runner.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
