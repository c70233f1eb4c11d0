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


TOO_SLOW = frozenset(
    {
        "conditions/producer_consumer_shared_condition",
        "deadlock/dining_philosophers",
        "deadlock/dining_philosophers_ordered",
        "deadlock/mutex_in_heap",
        "impact/endless_bakery",
        "impact/endless_buffer",
        "impact/endless_buffer_counts",
        "impact/endless_counter_two_locks",
        "impact/endless_filter_three",
        "language/stack_blocks",
        "language/variable_length_arrays",
        "language/variable_length_rows",
        "library/heap/realloc_grows",
        "library/heap/realloc_structs",
        "library/pthread/key_with_destructor",
        "library/pthread/robust",
        "library/standard/numbers_in_strings",
        "lock_free/cas_loop",
        "threads/heap_argument",
    }
)
"""Programs that engine impact takes more than a few seconds for: they are not run with it."""

UNDECIDED = frozenset(
    {
        "constants/modulo_in_section",
        "ends/abort_in_loop_of_section",
        "ends/assumption_by_abort",
        "ends/assumption_by_abort_excludes",
        "ends/deadlock_behind_section",
        "ends/division_ends_in_section",
        "ends/exit_in_branch_of_section",
        "ends/one_path_aborts",
        "ends/one_path_aborts_guards",
        "ends/race_behind_section",
        "ends/race_in_ending_section",  # a leak where the process ends inside an atomic section
        "found/input_of_the_last_round",  # a failing assertion ends the process inside an atomic section
        "found/nan_payload",  # terms have one NaN
        "library/windows/begin_thread",
        "library/windows/event_for_one",
        "library/windows/more_functions",
        "library/windows/mutex",
        "library/windows/semaphore",
        "library/windows/wait_for_all",
        "library/windows/wait_for_any",  # a race with, or a deadlock in, an atomic section of many paths
    }
)
"""Programs for which engine impact says UNKNOWN about some property; a wrong answer is wrong here, too."""

OPEN = frozenset(
    {
        "addresses/align_up",
        "addresses/align_up_too_little",
        "addresses/distance",
        "addresses/guessed_number",
        "addresses/hash_collision",
        "addresses/id_hashed_race",
        "addresses/id_is_opaque",
        "addresses/id_of_joined",
        "addresses/number_is_no_object",
        "addresses/order_after_reuse",
        "addresses/past_the_end",
        "addresses/rebuilt_from_bytes",
        "addresses/tag_of_char",
        "addresses/xor_list",  # depends on where objects lie in memory
        "freeing/by_guess",
        "freeing/by_guess_last",
        "freeing/by_halves",
        "freeing/by_halves_read",
        "freeing/by_inverse",
        "freeing/local_by_halves",
        "freeing/lock_by_halves",  # a pointer is computed from numbers
        "synchronisation/failed_semaphore_orders_nothing",
        "synchronisation/failed_trylock_orders_nothing",  # a race that no run shows in one state
    }
)
"""Programs for which every engine may say UNKNOWN; a wrong answer is wrong here, too."""


@cache
def result_of(
    path: Path, properties: frozenset[Property], *, reduction: bool = True, engine: str = "explore"
) -> Result:
    task = Task(
        paths=(path,),
        selection=Selection(properties),
        data_model=marks_of(path).data_model,
        limits=Limits(seconds=SECONDS),
        engine=engine,
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
    elif marks.holds and not _is_open(path, result):
        assert (result.answer, result.reason) == (Answer.SAFE, None)


@programs
def test_what_is_marked_false_is_found(path: Path) -> None:
    for group in marks_of(path).violated:
        result = result_of(path, PROPERTY_GROUPS[group])
        if _is_open(path, result):
            continue
        assert (result.answer, result.reason) == (Answer.BUG, None), group
        assert {trace.failure.property for trace in result.traces} <= PROPERTY_GROUPS[group]


@programs
def test_reduction_changes_no_answer(path: Path) -> None:
    reduced = result_of(path, ALL_PROPERTIES)
    if int(reduced.statistics.get("states", 0)) > SMALL:
        return
    full = result_of(path, ALL_PROPERTIES, reduction=False)
    if _is_open(path, reduced) or _is_open(path, full):
        return
    assert full.answer is reduced.answer
    assert name_of(path) in OPEN or _violated(full) == _violated(reduced)


@programs
def test_impact_gives_no_other_answer(path: Path) -> None:
    if name_of(path) in TOO_SLOW:
        return
    marks = marks_of(path)
    if marks.holds or marks.is_unmodelled:
        expected = Answer.UNKNOWN if marks.is_unmodelled else Answer.SAFE
        _check_impact(path, marks.holds or ALL_PROPERTIES, expected)
    for group in marks.violated:
        _check_impact(path, PROPERTY_GROUPS[group], Answer.BUG)


def _check_impact(path: Path, properties: frozenset[Property], expected: Answer) -> None:
    result = result_of(path, properties, engine="impact")
    if result.answer is not Answer.UNKNOWN or name_of(path) not in UNDECIDED | OPEN:
        assert result.answer is expected, result.reason


def _is_open(path: Path, result: Result) -> bool:
    """Whether the answer is UNKNOWN where that is a good one."""
    return result.answer is Answer.UNKNOWN and name_of(path) in OPEN


def test_the_lists_name_programs() -> None:
    assert {name_of(path) for path in PROGRAMS} >= TOO_SLOW | UNDECIDED | OPEN


def _violated(result: Result) -> set[Property]:
    return {trace.failure.property for trace in result.traces}
