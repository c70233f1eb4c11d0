"""Engine `bmc` with likely data-flow invariants: plain, switched, direct, and as hints to the solver.

    python -m bench.likely.tables [--time-limit 200] [--only buffer] [--largest 4]

Thirteen programs with producers and consumers, or with priorities; the published table is beside it for its
ratios only, because its programs are others. Ends with 1 if an answer is wrong.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

from bench.families import Family, Results, arguments, cell, sley
from bench.likely.published import PLAIN, SWITCHED
from bench.measure import Measurement
from bench.table import Table

FOLDER = Path(__file__).parent / "programs"
PLAIN_MODE = "plain"
MODES: Mapping[str, tuple[str, ...]] = {
    PLAIN_MODE: (),
    "switched": ("--likely-invariants", "switched"),
    "direct": ("--likely-invariants", "direct"),
    "hints": ("--likely-invariants", "hints"),
}
OTHERS = [mode for mode in MODES if mode != PLAIN_MODE]
SIZES = {
    "buffer": 3,
    "buffer_consumers": 8,
    "buffer_producers": 8,
    "double_buffer": 20,
    "elevator": 8,
    "logger": 12,
    "pipeline": 20,
    "priority_flags": 14,
    "priority_queue": 3,
    "readers_writers": 9,
    "rendezvous": 12,
    "token_ring": 5,
    "work_queue": 8,
}
"""Large enough for a plain run of a second or more."""
SMALLEST = 3
"""From here on, every program has the bug that it is there for."""


def family_of(name: str, size: int) -> Family:
    first = (FOLDER / f"{name}.c").read_text(encoding="utf-8").splitlines()[0]
    expected = first.removeprefix("// expect: ")
    return Family(name, f"{name}.c", (size,), lambda n: {"N": n}, expected, folder=FOLDER)


def ratios(results: Results) -> list[float | None]:
    """Seconds of each mode in those of a plain run, where both decided."""
    plain = results[PLAIN_MODE]
    return [
        found.seconds / plain.seconds if plain.is_decided and found.is_decided else None
        for found in (results[mode] for mode in OTHERS)
    ]


def likely_cells(found: Measurement) -> list[str]:
    """Invariants from start to end, rounds, writes saved."""
    start, end = found.count("likely invariants at start"), found.count("likely invariants at end")
    rounds = found.count("likely rounds")
    saved, before = found.count("writes saved"), found.count("writes before saving")
    return [
        "" if start is None or end is None else f"{start} → {end}",
        "" if rounds is None else str(rounds),
        "" if saved is None or before is None else f"{saved}/{before}",
    ]


def print_sums(everything: Mapping[str, Results]) -> None:
    """Over the programs that both decided, and the one that lost most."""
    for position, mode in enumerate(OTHERS):
        found = {name: ratio for name, r in everything.items() if (ratio := ratios(r)[position]) is not None}
        if not found:
            print(f"{mode}: no program decided both ways")
            continue
        plain, other = (sum(everything[name][m].seconds for name in found) for m in (PLAIN_MODE, mode))
        worst = max(found, key=lambda name: found[name])
        slower = sum(1 for ratio in found.values() if ratio > 1)
        print(
            f"{mode}: {other:.1f} s, plain {plain:.1f} s on {len(found)} programs, {plain / other:.2f} times "
            f"as fast; slower on {slower}, worst {found[worst]:.2f} ({worst})"
        )
    published = [theirs / plain for plain, theirs in zip(PLAIN, SWITCHED, strict=True)]
    print(
        f"published, switched: {sum(SWITCHED):.1f} s, plain {sum(PLAIN):.1f} s on {len(PLAIN)} programs; "
        f"slower on {sum(1 for ratio in published if ratio > 1)}, worst {max(published):.2f}"
    )


def row(family: Family, size: int, results: Results) -> Sequence[str]:
    cells = [cell(family, results[mode]) for mode in MODES]
    factors = ["" if ratio is None else f"{ratio:.2f}" for ratio in ratios(results)]
    return [family.name, family.expected, str(size), *cells, *factors, *likely_cells(results["switched"])]


def main() -> int:
    chosen = arguments("Likely invariants in engine bmc.").parse_args()
    runner = sley(MODES, chosen.time_limit)
    print("CPU seconds of each mode, ratios to plain, and what the switched mode counts\n")
    head = ["program", "", "N", *MODES, *OTHERS, "invariants", "rounds", "writes saved"]
    table = Table(head, (16, 4, 2, 12, 12, 12, 12, 8, 6, 5, 10, 6, 12))
    everything: dict[str, Results] = {}
    for name, usual in SIZES.items():
        if chosen.only and not any(part in name for part in chosen.only):
            continue
        size = usual if chosen.largest is None else min(usual, max(SMALLEST, chosen.largest))
        family = family_of(name, size)
        everything[name] = runner.results(family, size)
        table.row(row(family, size, everything[name]))
    print()
    print_sums(everything)
    return 1 if runner.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
