"""Every program under ``tests/programs`` against the marks in its first line, with and without reduction.

The marks are facts about C, not about us: they are never edited to make a test pass. ``race=false`` means
that the program has a data race, ``race=true`` that it has none; ``tests/programs/README.md`` says more.
"""

import shlex
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from sley.engines.explore.options import ExploreOptions
from sley.frontend.data_model import DataModel
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import EngineOptions, Limits, Task
from sley.verification.verify import verify

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".c", ".i"))
SECONDS = 30.0
SMALL = 2_000
"""Programs with at most this many states in the reduced search are also searched without reduction."""


@dataclass(frozen=True)
class Marks:
    """What the first line of a program says."""

    holds: frozenset[Property]
    violated: tuple[str, ...]
    is_unmodelled: bool
    data_model: DataModel


def marks_of(path: Path) -> Marks:
    first = path.read_text().splitlines()[0]
    assert first.startswith("// sley: "), f"{path} has no marks"
    marks = dict(word.split("=", 1) for word in shlex.split(first.removeprefix("// sley: ")))
    arguments = marks.pop("args", "--data-model LP64").split()
    assert arguments[0] == "--data-model", f"{path}: no other argument is supported"
    is_unmodelled = marks.pop("unmodelled", "false") == "true"
    assert set(marks) <= set(PROPERTY_GROUPS), f"{path} marks something unknown"
    assert set(marks.values()) <= {"true", "false"}, f"{path} has a mark that is neither true nor false"
    holds = frozenset(
        prop for group, mark in marks.items() if mark == "true" for prop in PROPERTY_GROUPS[group]
    )
    violated = tuple(group for group, mark in marks.items() if mark == "false")
    return Marks(holds, violated, is_unmodelled, DataModel[arguments[1]])


@cache
def result_of(path: Path, properties: frozenset[Property], *, reduction: bool = True) -> Result:
    task = Task(
        paths=(path,),
        selection=Selection(properties),
        data_model=marks_of(path).data_model,
        limits=Limits(seconds=SECONDS),
        engine="explore",
        options=EngineOptions(explore=ExploreOptions(reduction=reduction)),
    )
    return verify(task)


def name_of(path: Path) -> str:
    return str(path.relative_to(FOLDER).with_suffix(""))


programs = pytest.mark.parametrize("path", PROGRAMS, ids=name_of)


@programs
def test_what_is_marked_true_is_proved(path: Path) -> None:
    marks = marks_of(path)
    result = result_of(path, marks.holds or ALL_PROPERTIES)
    if marks.is_unmodelled:
        assert result.answer is Answer.UNKNOWN
    elif marks.holds:
        assert (result.answer, result.reason) == (Answer.SAFE, None)


@programs
def test_what_is_marked_false_is_found(path: Path) -> None:
    for group in marks_of(path).violated:
        result = result_of(path, PROPERTY_GROUPS[group])
        assert (result.answer, result.reason) == (Answer.BUG, None), group
        assert {trace.failure.property for trace in result.traces} <= PROPERTY_GROUPS[group]


@programs
def test_reduction_changes_no_answer(path: Path) -> None:
    reduced = result_of(path, ALL_PROPERTIES)
    if int(reduced.statistics.get("states", 0)) > SMALL:
        return
    full = result_of(path, ALL_PROPERTIES, reduction=False)
    assert full.answer is reduced.answer
    assert _violated(full) == _violated(reduced)


def _violated(result: Result) -> set[Property]:
    return {trace.failure.property for trace in result.traces}
