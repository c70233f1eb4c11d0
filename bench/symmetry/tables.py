"""The engines for symmetric programs on the programs of the published table, beside what was published.

    python -m bench.symmetry.tables [--time-limit 60] [--only ticket] [--table NAME]

Tables: *published*: the paper's numbers of threads, in steps of statements, with the three
settings of the paper and with our defaults. *threads*: the parametric programs with two, three and four
threads, as in the paper's Fig. 5. *active*: two threads, and refinement of what the active thread knows only.
*any*: all that is started in a loop, for any number of threads, access by access, with both engines.
*unsafe*: one lock or comparison removed, for the smallest number of threads with which that shows. *growth*:
time against the number of threads, with interchangeable threads and without; also as a plot. Ends with 1 if
an answer is wrong.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bench.families import Curve, arguments
from bench.measure import Measurement, measure
from bench.running.plot import Panel, Point, figure
from bench.symmetry.published import SETTINGS, TABLE, Row
from bench.table import aligned, number

SYMMETRY = ("--engine", "symmetry", "--property", "reach")
OURS = "default"
AS_PUBLISHED = ("--refinement", "traces", "--first", "transitions", "--passives", "1")
MODES: Mapping[str, tuple[str, ...]] = {
    **{name: (*AS_PUBLISHED, "--cubes", str(n)) for n, name in enumerate(SETTINGS)},
    OURS: (),
}
"""The paper refines statements where they occur in spurious traces; by default we do so during the search."""
STATEMENTS = (*SYMMETRY, "--granularity", "statement")
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


@dataclass(frozen=True)
class Made:
    """A table."""

    title: str
    head: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    note: str

    def __str__(self) -> str:
        return "\n".join([self.title, "", *aligned(self.head, self.rows, names=1), "", self.note, ""])


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


def beside(row: Row, position: int, found: Measurement) -> str:
    """Ours, and the paper's in brackets; a star where ours takes more seconds, and more than one."""
    outcome, ours = row.outcomes[position], work(found)
    if outcome is None:
        return f"{ours} (T.O.)"
    is_worse = not found.is_decided or found.seconds > max(1, outcome.seconds)
    theirs = f"{outcome.iterations}, {outcome.refinements}, {outcome.seconds or '<1'}"
    return f"{ours}{'*' * is_worse} ({theirs})"


def _sum(name: str, found: Sequence[Measurement]) -> str:
    times = [one.seconds for one in found if one.is_decided]
    return f"{name}: {len(times)} of {len(found)}, {sum(times):.1f} s"


def published(bench: Bench) -> Made:
    """The table of the paper."""
    rows: list[tuple[str, ...]] = []
    results: dict[str, list[Measurement]] = {name: [] for name in MODES}
    for row in bench.rows:
        for name, more in MODES.items():
            results[name].append(bench.run(row, [*STATEMENTS, *more], row.threads))
        p, last = row.predicates, results[OURS][-1]
        first = f"{predicates(last)} ({p.local}/{p.mixed}/{p.shared})"
        cells = [beside(row, position, results[name][-1]) for position, name in enumerate(SETTINGS)]
        rows.append((row.name, str(row.threads), first, *cells, work(last)))
    head = ("program", "n", "L/M/S (paper)", *(f"{name} (paper)" for name in SETTINGS), OURS)
    note = "; ".join(_sum(name, found) for name, found in results.items())
    title = "Iterations, transitions refined, CPU seconds (paper); *: takes longer than in the paper"
    return Made(title, head, rows, f"{note}.")


THREADS = (2, 3, 4)


def threads(bench: Bench) -> Made:
    """Two, three and four threads, as in Fig. 5, which is a plot without numbers."""
    modes = (SETTINGS[0], OURS)
    rows: list[tuple[str, ...]] = []
    results: dict[tuple[str, int], list[Measurement]] = {(mode, n): [] for mode in modes for n in THREADS}
    for row in (row for row in bench.rows if row.is_parametric):
        for (mode, n), found in results.items():
            found.append(bench.run(row, [*STATEMENTS, *MODES[mode]], n))
        rows.append((row.name, *(seconds(found[-1]) for found in results.values())))
    head = ("program", *(f"{mode}, n = {n}" for mode, n in results))
    note = "; ".join(_sum(f"{mode}, n = {n}", found) for (mode, n), found in results.items())
    return Made("CPU seconds for two, three and four threads", head, rows, f"{note}.")


def active(bench: Bench) -> Made:
    """Without clauses about passive threads."""
    rows: list[tuple[str, ...]] = []
    results: tuple[list[Measurement], list[Measurement]] = ([], [])
    for row in (row for row in bench.rows if row.is_parametric):
        for found, width in zip(results, ("1", "0"), strict=True):
            flags = (*STATEMENTS, *MODES[SETTINGS[0]], "--passives", width)
            found.append(bench.run(row, flags, 2))
        cells = (work(found[-1]) for found in results)
        rows.append((row.name, *cells, results[1][-1].reason or ""))
    head = ("program", "one passive thread", "none", "reason")
    note = f"{_sum('one passive thread', results[0])}; {_sum('none', results[1])}."
    return Made("c0 with two threads: iterations, transitions refined, CPU seconds", head, rows, note)


def any_number(bench: Bench) -> Made:
    """Proofs for every number of threads."""
    rows: list[tuple[str, ...]] = []
    results: dict[str, list[Measurement]] = {name: [] for name in ANY}
    for row in (row for row in bench.rows if row.is_parametric):
        for name, flags in ANY.items():
            results[name].append(bench.run(row, flags, None))
        rows.append((row.name, *(seconds(found[-1]) for found in results.values())))
    note = "; ".join(_sum(name, found) for name, found in results.items())
    return Made(
        "CPU seconds for any number of threads, access by access", ("program", *ANY), rows, f"{note}."
    )


def unsafe(bench: Bench) -> Made:
    """One lock or comparison removed."""
    rows: list[tuple[str, ...]] = []
    results: list[Measurement] = []
    for row in bench.rows:
        count = row.smallest if row.is_parametric else row.threads
        free = bench.run(row, SYMMETRY, None, is_unsafe=True) if row.is_parametric else None
        results.append(bench.run(row, SYMMETRY, count, is_unsafe=True))
        rows.append((row.name, str(count), seconds(free), seconds(results[-1])))
    title = "CPU seconds for a replayed bug, with the smallest number of threads that has one"
    return Made(title, ("program", "n", "any number", "so many"), rows, f"{_sum('so many', results)}.")


def growth(bench: Bench) -> tuple[Made, list[Panel]]:
    """Time against the number of threads."""
    rows: list[tuple[str, ...]] = []
    panels, notes = [], []
    for row in (row for row in bench.rows if row.name in GROWING):
        series: dict[str, list[Point]] = {"symmetric": [], "naive": []}
        for count in range(1, MOST + 1):
            cells = (_measured(bench, row, name, points, count) for name, points in series.items())
            rows.append((row.name, str(count), *cells))
        curves = {name: Curve(points).note() for name, points in series.items()}
        notes += [f"{row.name}, {name}: {curve}" for name, curve in curves.items()]
        panels.append(Panel(row.name, "threads", "CPU seconds", series, curves))
    head = ("program", "n", "symmetric", "naive")
    title = "CPU seconds against the number of threads, which are interchangeable or not"
    return Made(title, head, rows, "; ".join(notes) + "."), panels


def _measured(bench: Bench, row: Row, name: str, points: list[Point], count: int) -> str:
    """One more point of a curve, unless it has ended."""
    if points and not points[-1].is_complete:
        return "-"
    flags = SYMMETRY if name == "symmetric" else (*SYMMETRY, "--no-symmetry")
    found = bench.run(row, flags, count)
    points.append(Point(count, found.seconds, found.is_decided))
    return seconds(found)


TABLES: Mapping[str, Callable[[Bench], Made]] = {
    "published": published,
    "threads": threads,
    "active": active,
    "any": any_number,
    "unsafe": unsafe,
}


def made(bench: Bench, wanted: Sequence[str]) -> Iterator[Made]:
    """The tables, one after another."""
    for name, function in TABLES.items():
        if name in wanted:
            yield function(bench)


def main() -> int:
    parser = arguments("Engines symmetry and modular.", "docs/pictures/symmetry-growth.svg")
    parser.add_argument("--table", action="append", choices=[*TABLES, "growth"], help="only this table")
    chosen = parser.parse_args()
    rows = [row for row in TABLE if not chosen.only or any(part in row.name for part in chosen.only)]
    bench = Bench(chosen.time_limit, rows)
    wanted = chosen.table or [*TABLES, "growth"]
    for table in made(bench, wanted):
        print(table, flush=True)
    if "growth" in wanted:
        table, panels = growth(bench)
        print(table, flush=True)
        text = figure("Engine symmetry: interchangeable threads, or not", panels, columns=2)
        chosen.output.write_text(text, encoding="utf-8")
        print(f"written: {chosen.output}")
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
