"""The engines for symmetric programs on the programs of the published table, beside what was published.

    python -m bench.symmetry.tables [--time-limit 60] [--only ticket] [--table published|any|unsafe|growth]

Four tables. *published*: the paper's numbers of threads, in steps of statements, with the three settings of
the paper and with our defaults. *any*: all that is started in a loop, for any number of threads, access by
access, with both engines. *unsafe*: one lock or comparison removed, for the smallest number of threads with
which that shows. *growth*: time against the number of threads, with interchangeable threads and without; also
as a plot. Ends with 1 if an answer is wrong.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bench.families import Curve, arguments
from bench.measure import Measurement, measure
from bench.symmetry.published import SETTINGS, TABLE, Row
from bench.table import Table, number

from sley.benchmarking.plot import Panel, Point, figure

SYMMETRY = ("--engine", "symmetry", "--property", "reach")
OURS = "default"
MODES: Mapping[str, tuple[str, ...]] = {
    **{name: ("--refinement", "traces", "--cubes", str(n)) for n, name in enumerate(SETTINGS)},
    OURS: (),
}
"""The paper refines statements where they occur in spurious traces; by default we do so during the search."""
ANY: Mapping[str, tuple[str, ...]] = {
    "symmetry": SYMMETRY,
    "modular": ("--engine", "modular", "--property", "reach"),
}
GROWING = ("inc-cas", "tas")
MOST = 10


@dataclass
class Bench:
    """Measures, and remembers what went wrong."""

    seconds: float
    rows: Sequence[Row]
    wrong: list[str] = field(default_factory=list)

    def run(
        self, row: Row, flags: Sequence[str], threads: int | None, *, is_unsafe: bool = False
    ) -> Measurement:
        """One program with so many threads, of those that its main might start; None: with any number."""
        macros = row.defines(None, is_unsafe=is_unsafe)
        defines = [part for name, value in macros.items() for part in ("-D", f"{name}={value}")]
        limit = () if threads is None else ("--threads-each", str(threads))
        found = measure(row.path, [*flags, *limit, *defines], self.seconds)
        if threads is not None and (found.reason or "").startswith(f"bounded: {threads} thread"):
            found = replace(found, answer="safe")  # up to this number, which was asked for
        if found.is_decided and found.answer != ("bug" if is_unsafe else "safe"):
            self.wrong.append(row.name)
        return found


def seconds(found: Measurement | None) -> str:
    """Or what happened instead."""
    if found is None:
        return "-"
    return f"{found.seconds:.1f}" if found.is_decided else f"{found.answer} {found.seconds:.0f}"


def work(found: Measurement) -> str:
    """Iterations, refined transitions, seconds."""
    if not found.is_decided:
        return seconds(found)
    counts = [found.count(name) for name in ("iterations", "transitions refined")]
    return ", ".join([*(number(count) for count in counts), seconds(found)])


def predicates(found: Measurement) -> str:
    """Local, mixed, shared."""
    if not found.is_decided:
        return ""
    return "/".join(number(found.count(f"{kind} predicates")) for kind in ("local", "mixed", "shared"))


def theirs(row: Row, position: int) -> str:
    outcome = row.outcomes[position]
    if outcome is None:
        return "T.O."
    return f"{outcome.iterations}, {outcome.refinements}, {outcome.seconds or '<1'}"


def published(bench: Bench) -> None:
    """The table of the paper."""
    print("Iterations, transitions refined, CPU seconds at the published numbers of threads\n")
    head = ["program", "n", "L/M/S", "paper"]
    for name in SETTINGS:
        head += [name, "paper"]
    table = Table([*head, OURS], (20, 2, 8, 8, *((16, 12) * len(SETTINGS)), 14), names=1)
    best: list[float] = []
    for row in bench.rows:
        flags = (*SYMMETRY, "--granularity", "statement")
        results = {name: bench.run(row, [*flags, *more], row.threads) for name, more in MODES.items()}
        p = row.predicates
        cells = [row.name, str(row.threads), predicates(results[OURS]), f"{p.local}/{p.mixed}/{p.shared}"]
        for position, name in enumerate(SETTINGS):
            cells += [work(results[name]), theirs(row, position)]
        table.row([*cells, work(results[OURS])])
        best += (
            [min(found.seconds for found in results.values() if found.is_decided)]
            if any(found.is_decided for found in results.values())
            else []
        )
    print(f"\n{len(best)} of {len(bench.rows)} with some setting, {sum(best):.1f} s in sum\n")


def any_number(bench: Bench) -> None:
    """Proofs for every number of threads."""
    print("CPU seconds for any number of threads, access by access\n")
    rows = [row for row in bench.rows if row.is_parametric]
    table = Table(["program", *ANY, "best"], (20, 14, 14, 8), names=1)
    best: list[float] = []
    for row in rows:
        results = [bench.run(row, flags, None) for flags in ANY.values()]
        times = [found.seconds for found in results if found.is_decided]
        best += [min(times)] if times else []
        table.row([row.name, *(seconds(found) for found in results), number(min(times, default=None), 1)])
    print(f"\n{len(best)} of {len(rows)} for any number of threads, {sum(best):.1f} s in sum\n")


def unsafe(bench: Bench) -> None:
    """One lock or comparison removed."""
    print("CPU seconds for a replayed bug, with the smallest number of threads that has one\n")
    table = Table(["program", "n", "any number", "so many"], (20, 2, 14, 14), names=1)
    found_count = 0
    for row in bench.rows:
        threads = row.smallest if row.is_parametric else row.threads
        free = bench.run(row, SYMMETRY, None, is_unsafe=True) if row.is_parametric else None
        fixed = bench.run(row, SYMMETRY, threads, is_unsafe=True)
        found_count += fixed.is_decided or (free is not None and free.is_decided)
        table.row([row.name, str(threads), seconds(free), seconds(fixed)])
    print(f"\n{found_count} of {len(bench.rows)} found\n")


def growth(bench: Bench) -> list[Panel]:
    """Time against the number of threads."""
    print("CPU seconds against the number of threads, which are interchangeable or not\n")
    table = Table(["program", "n", "symmetric", "naive"], (20, 2, 14, 14), names=1)
    panels, notes = [], []
    for row in bench.rows:
        if row.name not in GROWING:
            continue
        series: dict[str, list[Point]] = {"symmetric": [], "naive": []}
        for threads in range(1, MOST + 1):
            cells = []
            for name, points in series.items():
                if points and not points[-1].is_complete:
                    cells.append("-")
                    continue
                flags = SYMMETRY if name == "symmetric" else (*SYMMETRY, "--no-symmetry")
                found = bench.run(row, flags, threads)
                points.append(Point(threads, found.seconds, found.is_decided))
                cells.append(seconds(found))
            table.row([row.name, str(threads), *cells])
        curves = {name: Curve(points) for name, points in series.items()}
        notes += [f"{row.name}, {name}: {curve.note()}" for name, curve in curves.items()]
        panels.append(
            Panel(row.name, "threads", "CPU seconds", series, {n: c.note() for n, c in curves.items()})
        )
    print("", *notes, sep="\n")
    return panels


TABLES: Mapping[str, Callable[[Bench], None]] = {
    "published": published,
    "any": any_number,
    "unsafe": unsafe,
}


def main() -> int:
    parser = arguments("Engines symmetry and modular.", "docs/pictures/symmetry-growth.svg")
    parser.add_argument("--table", action="append", choices=[*TABLES, "growth"], help="only this table")
    chosen = parser.parse_args()
    rows = [row for row in TABLE if not chosen.only or any(part in row.name for part in chosen.only)]
    bench = Bench(chosen.time_limit, rows)
    wanted = chosen.table or [*TABLES, "growth"]
    for name, printed in TABLES.items():
        if name in wanted:
            printed(bench)
    if "growth" in wanted and (panels := growth(bench)):
        text = figure("Engine symmetry: interchangeable threads, or not", panels, columns=2)
        chosen.output.write_text(text, encoding="utf-8")
        print(f"written: {chosen.output}")
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
