"""Is the default as good as the best single engine?

    python -m bench.portfolio.compare [--sample N] [--seed S] [--limit 60] [-o .bench/portfolio]

asks the default about the marked programs and those of the benchmarks, all properties, one after the other on
an otherwise idle machine; then the single engines, one per core, each only as long as matters: to decide what
the default leaves open (half the limit of CPU time), or to be so much faster that the default is too slow.
Ends with 1 if an answer is wrong or answers contradict each other. After an interruption, the same command
goes on.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from bench.families import Family
from bench.likely import tables as likely
from bench.running.processes import Limits, Runner
from bench.running.records import Records
from bench.running.runs import Category, Outcome, checked
from bench.running.tasks import BenchTask, drawn, read_tasks
from bench.running.verifiers import DECIDED, Verifier, configuration, known_verifiers
from tests.marked_programs import FOLDER, marks_of

from bench import catalogue
from sley.verification.task import ENGINE_NAMES

FACTOR, SLACK = 2.5, 0.3
"""So many times the wall time of the best engine, and so many seconds more, are as good."""
SHORTEST = 0.35
"""No engine answers in less, from the C file, with a cold cache."""
MEGABYTES = 8000
BENCH = Path(__file__).parents[1]
KNOWN = known_verifiers()
FAMILIES = [
    *(catalogue.FIBONACCI + catalogue.INCREMENTS + catalogue.CONTAINERS + catalogue.ACCOUNTS),
    *(catalogue.TWO_LOCKED, catalogue.STORE_BUFFERING, catalogue.INDEXER[1], *catalogue.SYNCHRONISATION),
    *(likely.family_of(name, size) for name, size in likely.SIZES.items()),
    Family("qrcu", "qrcu.c", (1, 2), lambda n: {"READERS": n}, folder=BENCH / "symmetry/programs"),
]
DEFAULT = configuration("default", KNOWN)
SINGLE = tuple(configuration(f"{name}=--engine {name}", KNOWN) for name in ENGINE_NAMES)


def tasks(folder: Path) -> list[BenchTask]:
    """The marked programs and those of the benchmarks; what grows, in its first and a middle size."""
    for family in FAMILIES:
        for size in (family.sizes[0], family.sizes[len(family.sizes) // 2]):
            _write(family, size, folder)
    grown = {family.path for family in FAMILIES}
    alone = [path for path in sorted(BENCH.glob("*/programs/**/*.c")) if path not in grown]
    found = read_tasks([FOLDER, folder, *alone])
    return [_marked(task) for task in found if not _is_library(task)]


def _is_library(task: BenchTask) -> bool:
    """Whether it has no ``main``: benchmarks are programs."""
    (path,) = task.files
    return path.is_relative_to(FOLDER) and marks_of(path).harness is not None


def _write(family: Family, size: int, folder: Path) -> None:
    """The program of one size, as a file of its own."""
    macros = [f"#define {name} {value}\n" for name, value in family.defines(size).items()]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{family.name}-{size}.c").write_text("".join(macros) + family.path.read_text())


def _marked(task: BenchTask) -> BenchTask:
    (path,) = task.files
    return replace(task, data_model=marks_of(path).data_model) if path.is_relative_to(FOLDER) else task


def is_wrong(task: BenchTask, outcome: Outcome) -> bool:
    """Whether an answer is not what marks say; what is not marked is not judged."""
    (path,) = task.files
    if not path.is_relative_to(FOLDER):
        return False
    marks = marks_of(path)
    if outcome.answer == "true":
        return bool(marks.violated) or marks.is_unmodelled
    return outcome.answer.removeprefix("false(").rstrip(")") in {one.verdict_name for one in marks.holds}


@dataclass(frozen=True)
class Comparison:
    """The default and the engines on one task after the other."""

    limit: float
    records: Records
    folder: Path

    def run(self, found: Sequence[BenchTask]) -> None:
        for task in found:
            self._asked(DEFAULT, task, Limits(self.limit, megabytes=MEGABYTES))
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            for task in found:
                if (limits := self.limits_for_engines(task)) is not None:
                    for engine in SINGLE:
                        pool.submit(self._asked, engine, task, limits)

    def limits_for_engines(self, task: BenchTask) -> Limits | None:
        """An engine that takes longer shows nothing."""
        default = self.records.outcomes[DEFAULT.name, task.key()]
        if default.category is Category.UNDECIDED:
            return Limits(self.limit, self.limit / 2, MEGABYTES)
        seconds = (default.wall_seconds - SLACK) / FACTOR
        return Limits(seconds, megabytes=MEGABYTES) if seconds > SHORTEST else None

    def _asked(self, verifier: Verifier, task: BenchTask, limits: Limits) -> None:
        if (verifier.name, task.key()) not in self.records.outcomes:
            log = self.folder / "logs" / verifier.name / f"{task.files[0].stem}.log"
            self.records.add(checked(verifier, task, limits, Runner(), log))


def report(found: Sequence[BenchTask], records: Records) -> int:
    wrong: list[str] = []
    missed: list[str] = []
    slow: list[str] = []
    decided = 0
    for task in found:
        outcomes = records.outcomes
        default = outcomes[DEFAULT.name, task.key()]
        asked = [outcomes[one.name, task.key()] for one in SINGLE if (one.name, task.key()) in outcomes]
        answers = {one.verifier: one.answer for one in (default, *asked) if one.answer.startswith(DECIDED)}
        verdicts = {answer.split("(")[0] for answer in answers.values()}
        if len(verdicts) > 1 or any(is_wrong(task, one) for one in (default, *asked)):
            wrong.append(f"{task.name}: {answers}")
        decided += DEFAULT.name in answers
        faster = sorted((one.wall_seconds, one.verifier) for one in asked if one.verifier in answers)
        if faster:
            seconds, name = faster[0]
            says = f"{default.wall_seconds:.1f} s" if DEFAULT.name in answers else default.reason
            line = f"{task.name}: {name} takes {seconds:.1f} s, the default: {says}"
            (slow if DEFAULT.name in answers else missed).append(line)
    seconds = sum(records.outcomes[DEFAULT.name, task.key()].wall_seconds for task in found)
    print(f"the default decides {decided} of {len(found)} programs, {seconds:.0f} s in sum")
    for title, lines in (
        ("wrong answers or contradictions", wrong),
        ("decided by an engine in half the time limit, not by default", missed),
        (f"over {FACTOR} x the best engine + {SLACK} s, of {decided}", slow),
    ):
        print(f"\n{title}: {len(lines)}", *lines, sep="\n  ")
    return int(bool(wrong))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("-o", "--output", type=Path, default=Path(".bench/portfolio"))
    given = parser.parse_args()
    found = drawn(tasks(given.output / "programs"), given.sample, given.seed)
    given.output.mkdir(parents=True, exist_ok=True)
    with Records(given.output) as records:
        records.settle("limit", {"seconds": given.limit})
        Comparison(given.limit, records, given.output).run(found)
        return report(found, records)


if __name__ == "__main__":
    sys.exit(main())
