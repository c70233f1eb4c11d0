"""The ways in which engine `bmc` turns the order of events into a formula, on the same programs in one run.

    python -m bench.order.tables [--time-limit 60] [--only fibonacci] [--largest 8]

Ends with 1 if an answer is wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from bench.catalogue import CONTAINERS, FIBONACCI, INCREMENTS, STORE_BUFFERING, TWO_LOCKED
from bench.families import Results, arguments, cell, chosen_sizes, sley
from bench.table import Table, number, ratio

BASE = "eager"
VARIANTS: Mapping[str, tuple[str, ...]] = {
    BASE: ("--order", "cycles"),
    "lazy": ("--order", "cycles", "--conflicts", "lazy"),
    "clocks": ("--order", "clocks"),
}
"""Small conflicts up front are the default."""
OTHERS = [name for name in VARIANTS if name != BASE]
FAMILIES = (
    *(replace(family, sizes=(3, *family.sizes)) for family in FIBONACCI),
    *INCREMENTS,
    TWO_LOCKED,
    *CONTAINERS,
    STORE_BUFFERING,
)


def print_sums(found: Sequence[Results]) -> None:
    """Over what both decided."""
    for name in OTHERS:
        both = [r for r in found if all(n in r and r[n].is_decided for n in (BASE, name))]
        ours, theirs = (sum(r[n].seconds for r in both) for n in (BASE, name))
        line = f"{BASE} {ours:.1f} s, {name} {theirs:.1f} s"
        print(f"{len(both)} runs that both decided: {line}, {name} / {BASE} {ratio(ours, theirs, 2)}")


def main() -> int:
    chosen = arguments("Orders and conflicts of engine bmc.").parse_args()
    runner = sley(VARIANTS, chosen.time_limit)
    print("CPU seconds: cycles with small conflicts up front (eager), cycles purely lazy, clocks\n")
    head = ["program", "size", *VARIANTS, *(f"{name}/{BASE}" for name in OTHERS)]
    head += [f"rounds {name}" for name in (BASE, "lazy")]
    table = Table(head, [18, 4, 12, 12, 12, 0, 0, 0, 0], names=1)
    everything: list[Results] = []
    for family, sizes in chosen_sizes(FAMILIES, chosen):
        for size in sizes:
            results = runner.results(family, size)
            if not results:
                break
            everything.append(results)
            decided = {name: found.seconds for name, found in results.items() if found.is_decided}
            ratios = [ratio(decided.get(BASE), decided.get(name), 2) for name in OTHERS]
            rounds = [number(results[n].count("rounds")) if n in decided else "" for n in (BASE, "lazy")]
            cells = [cell(family, results.get(name)) for name in VARIANTS]
            table.row([family.name, str(size), *cells, *ratios, *rounds])
    print()
    print_sums(everything)
    return 1 if runner.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
