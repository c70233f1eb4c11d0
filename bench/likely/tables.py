"""Engine `bmc` with likely data-flow invariants, as the published Table 1: what the SAT solver needs.

    python -m bench.likely.tables [--time-limit 40] [--only buffer] [--largest 4] [--table hard]

Plain; refined as published; with excluded writes left out (NoR); as hints. The published table is
there for its ratios only, because its programs are others. The engine runs alone, without a look at its
proof; seconds are those of the SAT solver, limits are for the whole run. Ends with 1 if an answer is wrong.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from bench.catalogue import CONTAINERS, FIBONACCI
from bench.families import Family, Results, arguments
from bench.likely.published import PLAIN, SWITCHED
from bench.measure import Measurement
from bench.solving import solving
from bench.table import Table, beside

FOLDER = Path(__file__).parent / "programs"
PLAIN_MODE, REFINED = "plain", "refine"
MODES: Mapping[str, tuple[str, ...]] = {
    PLAIN_MODE: (),
    REFINED: ("--likely-invariants", "refine"),
    "direct": ("--likely-invariants", "direct"),
    "hints": ("--likely-invariants", "hints"),
}
OTHERS = [mode for mode in MODES if mode != PLAIN_MODE]
HARD = {
    "buffer_producers": 20,
    "elevator": 13,
    "fibonacci": 13,
    "fibonacci-unsafe": 14,
    "handover": 9,
    "priority_queue": 5,
    "queue": 11,
    "rendezvous": 17,
    "stack": 10,
    "token_ring": 6,
}
"""Sizes at which plain runs take 5 to 100 s of solver time, as in the published table."""
EASY = {
    "buffer": 3,
    "buffer_consumers": 8,
    "double_buffer": 20,
    "handover_early": 12,
    "logger": 12,
    "motivating": 55,
    "pipeline": 26,
    "priority_flags": 14,
    "readers_writers": 9,
    "work_queue": 8,
}
"""Programs of the same kinds that are decided sooner."""
TABLES = {"hard": HARD, "easy": EASY}
SIZES = {**HARD, **EASY}
SMALLEST = 3
"""From here on, every program has the bug that it is there for."""


def family_of(name: str, size: int) -> Family:
    first = (FOLDER / f"{name}.c").read_text(encoding="utf-8").splitlines()[0]
    expected = first.removeprefix("// expect: ")
    return Family(name, f"{name}.c", (size,), lambda n: {"N": n}, expected, folder=FOLDER)


def families(names: Collection[str]) -> list[tuple[Family, int]]:
    """The programs of these names, each with its size."""
    others = {family.name: family for family in (*FIBONACCI, *CONTAINERS)}
    return [(others.get(n) or family_of(n, SIZES[n]), SIZES[n]) for n in names]


def measured(family: Family, size: int, seconds: float) -> Results:
    """A run in every mode."""
    flags = ["-p", family.properties, *family.macros(size)]
    return {mode: solving(family.path, [*flags, *words], seconds) for mode, words in MODES.items()}


def solver_seconds(found: Measurement) -> float:
    return float(found.statistics.get("seconds in solver", 0.0))


def ratios(results: Results) -> list[float | None]:
    """Seconds of each mode in those of a plain run, where both decided."""
    plain = results[PLAIN_MODE]
    return [
        solver_seconds(found) / max(0.001, solver_seconds(plain))
        if plain.is_decided and found.is_decided
        else None
        for found in (results[mode] for mode in OTHERS)
    ]


def likely_cells(found: Measurement) -> list[str]:
    """Invariants from start to end, rounds, writes saved."""
    start, end = found.count("likely invariants at start"), found.count("likely invariants at end")
    rounds = found.count("likely rounds")
    saved, before = found.count("writes saved"), found.count("writes before saving")
    return [
        "" if start is None or end is None else f"{start} to {end}",
        "" if rounds is None else str(rounds),
        "" if saved is None or before is None else f"{saved}/{before}",
    ]


def summary(everything: Mapping[str, Results]) -> list[str]:
    """Over the programs that both modes decided."""
    lines = []
    for position, mode in enumerate(OTHERS):
        found = {name: ratio for name, r in everything.items() if (ratio := ratios(r)[position]) is not None}
        if not found:
            lines.append(f"{mode}: no program decided both ways")
            continue
        plain, other = (
            sum(solver_seconds(everything[name][m]) for name in found) for m in (PLAIN_MODE, mode)
        )
        worst = max(found, key=lambda name: found[name])
        slower = sum(1 for ratio in found.values() if ratio > 1)
        lines.append(
            f"{mode}: {other:.1f} s, plain {plain:.1f} s on {len(found)} programs; slower on {slower}, "
            f"worst {found[worst]:.2f} ({worst})"
        )
    published = [theirs / plain for plain, theirs in zip(PLAIN, SWITCHED, strict=True)]
    lines.append(
        f"published: {sum(SWITCHED):.1f} s, plain {sum(PLAIN):.1f} s on {len(PLAIN)} programs; "
        f"slower on {sum(1 for ratio in published if ratio > 1)}, worst {max(published):.2f}"
    )
    return lines


def cell(family: Family, found: Measurement, plain: Measurement) -> str:
    """Seconds of the solver, or what happened instead, marked beside a plain run.

    Direct restriction proves nothing: seconds without an answer are in brackets.
    """
    seconds = solver_seconds(found)
    if found.answer == "unknown":
        return f"({seconds:.2f})"
    limit = solver_seconds(plain) if plain.is_decided else None
    if not found.is_decided:
        return beside(found.answer, None, limit)
    wrong = "" if found.answer == family.expected else f" WRONG: {found.answer}"
    return beside(f"{seconds:.2f}{wrong}", seconds, limit)


def row(family: Family, size: int, results: Results) -> Sequence[str]:
    cells = [cell(family, results[mode], results[PLAIN_MODE]) for mode in MODES]
    return [family.name, family.expected, str(size), *cells, *likely_cells(results[REFINED])]


def main() -> int:
    parser = arguments("Likely invariants in engine bmc.")
    parser.add_argument("--table", action="append", choices=list(TABLES), help="only these programs")
    chosen = parser.parse_args()
    print("Seconds of the SAT solver (*: more than plain; in brackets: no answer), what refinement counts\n")
    head = ["program", "", "N", *MODES, "invariants", "in", "writes saved"]
    table = Table(head, (16, 4, 2, 8, 8, 8, 8, 10, 4, 12))
    names = [name for which in chosen.table or TABLES for name in TABLES[which]]
    everything: dict[str, Results] = {}
    is_wrong = False
    for family, usual in families(names):
        if chosen.only and not any(part in family.name for part in chosen.only):
            continue
        size = usual if chosen.largest is None else min(usual, max(SMALLEST, chosen.largest))
        everything[family.name] = results = measured(family, size, chosen.time_limit)
        is_wrong |= any(r.is_decided and r.answer != family.expected for r in results.values())
        table.row(row(family, size, results))
    print("", *summary(everything), sep="\n")
    return 1 if is_wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
