"""Engine `impact` on the programs of the paper, beside what was published, and on programs with tables.

    python -m bench.impact.tables [--time-limit 60] [--only NAME] [--table NAME]

The programs are written anew from their descriptions, so counts compare in their order of magnitude. Tables
I and II interleave at statements, as the paper does. Each table is a function from a time limit to its rows.
A star marks what takes more than in the paper. Ends with 1 if an answer is wrong.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from bench.impact.published import OTHERS, PROGRAMS, TABLE, TOOLS
from bench.measure import Measurement, measure
from bench.running import processes
from bench.running.runs import checked
from bench.running.tasks import BenchTask
from bench.running.verifiers import known_verifiers
from bench.table import Table, beside, number

from sley.program.properties import PROPERTY_GROUPS

FOLDER = Path(__file__).parent / "programs"
FIG1 = Path(__file__).parents[2] / "tests" / "programs" / "impact" / "fig1_paper.c"
REACH = ("--property", "reach")
STATEMENTS = ("--granularity", "statement")
LABELS = ("--engine", "impact", "--interpolants", "values")
"""One attempt: counts of several would not compare."""
CONFIGURATIONS: Mapping[str, tuple[str, ...]] = {
    "sPOR": ("--interleaving", "spor", "--no-force-cover"),
    "sPOR+FC": ("--interleaving", "spor", "--force-cover"),
    "dPOR": ("--interleaving", "dpor", "--no-force-cover"),
    "dPOR+FC": ("--interleaving", "dpor", "--force-cover"),
}
BEST = "dPOR+FC"
NODES, CHECKS, EXPANSIONS = "nodes", "implications by solver", "nodes from cover expansions"
PEERS = ("cbmc", "esbmc", "deagle")
BOUND = 6
"""To which the paper unrolls loops for tools that need a bound."""

Row = list[str]
Rows = Iterator[Row]


class Wrong(Exception):  # noqa: N818 - not an error of ours, but of an answer
    """An answer is wrong."""


def ours(path: Path, flags: Sequence[str], seconds: float, expected: str) -> Measurement:
    """One run; raises if it says what is not so."""
    if sys.stderr.isatty():
        print(f"\r{path.stem:<40}", end="\r", file=sys.stderr, flush=True)
    found = measure(path, (*REACH, *flags), seconds)
    if found.is_decided and found.answer != expected:
        raise Wrong(f"{path.stem}: {found.answer}, but it is {expected}")
    return found


def nodes(found: Measurement, theirs: int | None = None) -> str:
    """How many, marked beside the paper's; T.O. where it was not decided."""
    count = found.count(NODES) if found.is_decided else None
    return beside("T.O." if count is None else str(count), count, theirs)


def seconds_of(found: Measurement, theirs: float | None = None) -> str:
    """The same of its seconds."""
    seconds = found.seconds if found.is_decided else None
    return beside("T.O." if seconds is None else f"{seconds:.2f}", seconds, theirs)


# --- Table I ---------------------------------------------------------------------------------------


def table_one(names: Sequence[str], seconds: float) -> tuple[Row, Rows]:
    """Beside other tools: the published times, ours, and those of tools that are on this machine."""
    known = known_verifiers([])
    peers = [name for name in PEERS if shutil.which(known[name].command.split()[0])]
    head = ["program", "answer", *TOOLS, "impact", "all engines", *(f"{name} here" for name in peers)]

    def rows() -> Rows:
        for name in names:
            path, expected = FOLDER / f"{name}.c", PROGRAMS[name]
            alone = ours(path, (*STATEMENTS, "--engine", "impact"), seconds, expected)
            team = ours(path, STATEMENTS, seconds, expected)
            others = [peer(one, path, seconds) for one in peers]
            theirs = TABLE[BEST][name].seconds
            cells = [seconds_of(found, theirs) for found in (alone, team)]
            yield [name, expected, *OTHERS[name], *cells, *others]

    return head, rows()


def peer(name: str, path: Path, seconds: float) -> str:
    """Another tool on the same program, with the bound of the paper."""
    told = replace(known_verifiers([])[name], bounds=(BOUND,))
    task = BenchTask(path.stem, (path,), "reach", PROPERTY_GROUPS["reach"])
    limits = processes.Limits(cpu_seconds=seconds, megabytes=8000)
    with tempfile.TemporaryDirectory() as folder:
        done = checked(told, task, limits, processes.Runner(), Path(folder) / "log")
    return f"{done.cpu_seconds:.1f} {done.answer}"


# --- Table II --------------------------------------------------------------------------------------


def table_two(names: Sequence[str], seconds: float) -> tuple[Row, Rows]:
    """Nodes in the four configurations; the ratio is ours to theirs."""
    head = ["program", *(cell for c in CONFIGURATIONS for cell in (c, "paper", "ratio"))]

    def rows() -> Rows:
        for name in names:
            row = [name]
            for configuration, flags in CONFIGURATIONS.items():
                path = FOLDER / f"{name}.c"
                found = ours(path, (*LABELS, *STATEMENTS, *flags), seconds, PROGRAMS[name])
                theirs, count = TABLE[configuration].get(name), found.count(NODES)
                if theirs is None:
                    row += [nodes(found), "T.O.", ""]
                else:
                    share = number(count / theirs.nodes, 2) if count and found.is_decided else ""
                    row += [nodes(found, theirs.nodes), str(theirs.nodes), share]
            yield row

    return head, rows()


def table_two_best(names: Sequence[str], seconds: float) -> tuple[Row, Rows]:
    """All columns of the last configuration, and single accesses, as C has it, beside statements."""
    head = [
        "program", "answer", "CPU s", "paper", "nodes", "paper", "implications by solver", "paper",
        "from cover expansions", "paper", "nodes by accesses", "CPU s",
    ]  # fmt: skip

    def rows() -> Rows:
        for name in names:
            path, theirs = FOLDER / f"{name}.c", TABLE[BEST][name]
            flags = (*LABELS, *CONFIGURATIONS[BEST])
            found = ours(path, (*flags, *STATEMENTS), seconds, PROGRAMS[name])
            fine = ours(path, flags, seconds, PROGRAMS[name])
            made, count, checks = found.count(EXPANSIONS), found.count(NODES), found.count(CHECKS)
            yield [
                name, found.answer, seconds_of(found, theirs.seconds), f"{theirs.seconds:.1f}",
                nodes(found, theirs.nodes), str(theirs.nodes),
                beside(number(checks), checks, theirs.checks), str(theirs.checks),
                f"{100 * made / count:.0f} %" if count and made is not None else "", f"{theirs.share} %",
                nodes(fine), seconds_of(fine),
            ]  # fmt: skip

    return head, rows()


# --- conditional dependence -------------------------------------------------------------------------


def dependence(names: Sequence[str], seconds: float) -> tuple[Row, Rows]:
    """Programs where addresses decide what commutes: nodes with conditional dependence and without."""
    granularities = {"statements": STATEMENTS, "accesses": ()}
    covers = {"FC": "--force-cover", "no FC": "--no-force-cover"}
    settings = [(g, c) for g in granularities for c in covers]
    head = ["program", *(cell for g, c in settings for cell in (f"{g}, {c}", "without"))]

    def rows() -> Rows:
        for path in (FIG1, *sorted((FOLDER / "tables").glob("*.c"))):
            row = [path.stem]
            row += [
                nodes(ours(path, (*LABELS, *granularities[g], covers[c], flag), seconds, "safe"))
                for g, c in settings
                for flag in ("--conditional-dependence", "--no-conditional-dependence")
            ]
            yield row

    return head, rows()


# --- programs without end ---------------------------------------------------------------------------


def unbounded(names: Sequence[str], seconds: float) -> tuple[Row, Rows]:
    """Programs whose states do not repeat, or hardly: single accesses, all attempts of the engine."""

    def rows() -> Rows:
        for path in sorted((FOLDER / "unbounded").glob("*.c")):
            found = ours(path, ("--engine", "impact"), seconds, "safe")
            yield [path.stem, found.answer, seconds_of(found), nodes(found), found.reason or ""]

    return ["program", "answer", "CPU s", "nodes", "reason"], rows()


# --- all of it --------------------------------------------------------------------------------------

TABLES: Mapping[str, Callable[[Sequence[str], float], tuple[Row, Rows]]] = {
    "tools": table_one,
    "nodes": table_two,
    "best": table_two_best,
    "dependence": dependence,
    "endless": unbounded,
}
"""Tables I and II, the last configuration of II in full, and programs that the paper does not have."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Engine impact beside the published tables.")
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS", help="of each run")
    parser.add_argument("--only", choices=list(PROGRAMS), action="append", help="these programs only")
    parser.add_argument("--table", choices=list(TABLES), action="append", help="these tables only")
    chosen = parser.parse_args()
    try:
        for name in chosen.table or TABLES:
            head, rows = TABLES[name](chosen.only or list(PROGRAMS), chosen.time_limit)
            table = Table(head, [18, *(6 for _ in head[1:])], names=1)
            for row in rows:
                table.row(row)
            print()
    except Wrong as wrong:
        print(wrong)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
