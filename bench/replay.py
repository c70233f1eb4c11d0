"""Every bug of the corpus on the real program: does the failure happen under its schedule, each time?

    python -m bench.replay [--times 20] [--only deadlock] [--limit 10] [--cc clang]

The corpus is all programs under ``tests/programs`` and ``examples`` that are marked as wrong, one question
for each property. Listed are those that were not reproduced, with the reason.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.marked_programs import PROGRAMS, marks_of

from sley.base.errors import GaveUpError, InputError
from sley.evidence.trace import Trace
from sley.frontend.data_model import DataModel
from sley.native.build import BuildError, find_compiler
from sley.native.replay import native_replay
from sley.native.schedule import NotPossibleError
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Answer
from sley.verification.task import Limits, Task
from sley.verification.verify import verify

ROOT = Path(__file__).parents[1]
SECONDS = 5
"""Real time of a run of the program."""


class Question(NamedTuple):
    """A property that a program violates."""

    path: Path
    group: str
    properties: frozenset[Property]


class Row(NamedTuple):
    """What came of a question."""

    question: Question
    kind: str
    """reproduced, sometimes, not, not possible, not compiled, not found."""
    times: int
    reason: str


def questions(only: str) -> Iterator[Question]:
    """All that is wrong with the programs of the corpus."""
    for path in PROGRAMS:
        if only in str(path.relative_to(ROOT)) and not marks_of(path).is_unmodelled:
            for group in marks_of(path).violated:
                yield Question(path, group, PROPERTY_GROUPS[group])
    for path in sorted((ROOT / "examples").glob("*.c")):
        if only in str(path.relative_to(ROOT)):
            yield Question(path, "all", ALL_PROPERTIES)


def asked(question: Question, times: int, limit: float, compiler: tuple[str, ...]) -> Row | None:
    """A question, looked for and replayed; None for a program that is right after all."""
    is_example = question.group == "all"
    task = Task(
        paths=(question.path,),
        selection=Selection(question.properties),
        data_model=DataModel.LP64 if is_example else marks_of(question.path).data_model,
        harness=None if is_example else marks_of(question.path).harness,
        limits=Limits(seconds=limit),
        jobs=0,
    )
    result = verify(task)
    if result.answer is not Answer.BUG:
        return None if is_example else Row(question, "not found", 0, result.answer.value)
    trace = result.traces[0]
    try:
        return _replayed(question, task, trace, times, compiler)
    except NotPossibleError as error:
        return Row(question, "not possible", 0, str(error))
    except (BuildError, InputError, GaveUpError) as error:
        return Row(question, "not compiled", 0, " ".join(str(error).split())[:160])


def _replayed(question: Question, task: Task, trace: Trace, times: int, compiler: tuple[str, ...]) -> Row:
    with native_replay(task, program_of(task), trace, compiler, SECONDS) as native:
        judged = [native.run() for _ in range(times)]
    count = sum(one.is_reproduced for one in judged)
    kind = "reproduced" if count == times else "sometimes" if count else "not"
    failed = next((one for one in judged if not one.is_reproduced), None)
    reason = "" if failed is None else "; ".join((failed.text, *failed.details))
    return Row(question, "not possible" if failed and failed.details else kind, count, reason)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("--only", default="", help="programs whose path has this in it")
    parser.add_argument("--limit", type=float, default=10.0, help="seconds to look for a bug")
    parser.add_argument("--cc")
    chosen = parser.parse_args()
    compiler = find_compiler(chosen.cc)
    counts: Counter[str] = Counter()
    for question in questions(chosen.only):
        row = asked(question, chosen.times, chosen.limit, compiler)
        if row is None:
            continue
        counts[row.kind] += 1
        if row.kind != "reproduced":
            name = question.path.relative_to(ROOT)
            print(f"{name} {question.group}: {row.kind} {row.times}/{chosen.times}: {row.reason}", flush=True)
    print(", ".join(f"{kind} {count}" for kind, count in counts.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
