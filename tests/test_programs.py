"""Every engine on the programs under ``tests/programs``, against the marks in their first lines.

The marks are facts about C, not about us: they are never edited to make a test pass. ``race=false`` means
that the program has a data race, ``race=true`` that it has none; ``tests/programs/README.md`` says more.

A wrong answer is always a failure. To give up is one where an engine must decide: ``explore``, and so the row
of engines, everything that is not open, the others what ``tests/programs/decided.txt`` lists.
"""

import tracemalloc  # noqa: F401 - the test framework would import it where a timer may fire
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NoReturn
from zlib import crc32

import pytest
from _pytest.mark.structures import ParameterSet

from sley.base.errors import GaveUpError
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.proof import Checked, RefusedProofError
from sley.evidence.runs import Follower
from sley.evidence.verdict import Claimed
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.engine import AnyEngine
from sley.verification.engines import ENGINES
from sley.verification.result import Answer, Result
from sley.verification.task import EngineOptions
from tests import decided
from tests.marked_programs import (
    HOLDS,
    PROGRAMS,
    SCOPES,
    Question,
    answered,
    marks_of,
    name_of,
    questions,
)

# The timer of a time limit may fire inside a callback of the test framework, which swallows the exception.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

SECONDS, LONG_SECONDS = 0.4, 1.0
"""What an engine gets that need not decide, enough to be wrong: in ``make test``, and if the test is long."""
SMALL = 2_000
"""Programs with at most this many states in the reduced search are also searched without reduction."""
ROW = "row"
"""Not an engine, but all of them in a row, as without ``--engine``."""
ONE_IN = {"decided": 12, "undecided": 48, "abstract": 24, ROW: 24, "reduction": 16, "library": 8}
"""``make test`` takes one program in so many, chosen by its name and the engine's: where an engine other than
``explore`` must decide something, where it need not, for ``abstract``, which decides most, for the row,
without reduction, and for ``explore`` where it is about functions of the library, which the contract asks
about, too; ``make test-long`` takes them all."""

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
        "any_size/halves",
        "any_size/halves_one_too_far",
        "any_size/halves_overlap",
        "any_size/not_zeroed",
        "any_size/size_wraps",
        "any_size/three_gigabytes",
        "any_size/two_megabytes",
        "any_size/with_arguments",
        "any_size/written_anywhere",
        "any_size/written_behind",
        "any_size/zeroed",  # as many sizes as numbers
        "counting/at_most_created",
        "counting/first_comer",
        "counting/first_comer_again",
        "counting/permuted",
        "counting/readers_inside",
        "counting/readers_writers",
        "counting/semaphore",
        "counting/ticket_lock",
        "counting/ticket_lock_of_bytes",  # any number of threads: `explore` does not end
        "found/large_local_never_written",  # as many indices as elements
        "freeing/by_guess",
        "freeing/by_guess_last",
        "freeing/by_halves",
        "freeing/by_halves_read",
        "freeing/by_inverse",
        "freeing/local_by_halves",
        "freeing/lock_by_halves",  # a pointer is computed from numbers
        "inputs/integer_as_double",  # as many values as numbers
        "inputs/small_blocks",  # as many sizes as numbers
        "inputs/waits_for_some",  # which ones is not computed
        "language/argument_list_used_up",  # what comes behind the use is given up at
        "language/union_small_initialised",
        "language/union_small_member",  # bytes that a write to another member has left open
        "language/wide_bit_field_sum",  # whose type depends on the compiler
        "library/process/argument_number",  # as many numbers as there are
        "library/pthread/robust_useless_orders_nothing",
        "library/pthread/timed_write_lock_orders_nothing",  # a race that no run shows in one state
        "library/standard/decimals_long",
        "library/standard/math_bounds",
        "library/standard/numbers_more",  # results of which only bounds are known
        "many_threads/any_number",
        "many_threads/any_number_race",
        "many_threads/counter_lock",
        "many_threads/counter_race",
        "many_threads/joined",
        "many_threads/neighbour_race",
        "many_threads/not_joined_race",
        "many_threads/own_element",
        "many_threads/published_race",
        "many_threads/table",  # more threads than `explore` can interleave
        "orders/record_relaxed",
        "orders/record_release_acquire",  # an atomic object of several words
        "private/many_threads",
        "private/many_threads_done_at_first",
        "private/many_threads_pointer_chain",
        "private/many_threads_pointer_chain_bits",
        "private/many_threads_structure",
        "private/many_threads_structure_halved",  # any number of threads: most engines have no end
        "synchronisation/failed_semaphore_orders_nothing",
        "synchronisation/failed_trylock_orders_nothing",  # a race that no run shows in one state
        "threads/fails_behind_assembly",  # which is not modelled
    }
)
"""Programs for which every engine may say UNKNOWN; a wrong answer is wrong here, too."""

ENDLESS = ("counting/", "input_loops/", "many_threads/")
"""Folders of programs with any number of threads, or of rounds: ``explore`` mostly has no end there."""


def is_open(name: str) -> bool:
    return name in OPEN or name.startswith(ENDLESS)


@cache
def listed() -> decided.Decided:
    return decided.read(decided.FILE.read_text())


def must_decide(name: str, engine: str, question: str) -> bool:
    if engine in ("explore", ROW):
        return not is_open(name)
    return (engine, question) in listed().get(name, ())


def check(
    path: Path,
    engine: str,
    question: Question,
    seconds: float = SECONDS,
    engines: Mapping[str, AnyEngine] = ENGINES,
) -> None:
    """The answer is right, and there is one where there must be, whatever time it takes."""
    is_due = must_decide(name_of(path), engine, question.name)
    asked = None if engine == ROW else engine
    limit = decided.LIMIT if is_due else seconds
    result = answered(path, asked, question.properties, limit, engines=engines)
    told = f"{engine}, {question.name}: {result.reason}"
    assert result.crashes == (), told
    if is_due:
        assert result.answer is question.expected, told
    assert result.answer in (question.expected, Answer.UNKNOWN, Answer.BOUNDED), told
    assert result.answer is not Answer.BUG or _violated(result) <= question.properties, told


# --- the sweep -------------------------------------------------------------------------------------


def is_swept(name: str) -> bool:
    """Whether ``make test`` asks the engines one by one: not about programs with a test of their own."""
    return not name.startswith("explained/")


def is_chosen(name: str, what: str, engine: str = "") -> bool:
    """Whether ``make test`` takes a program: always if there was a wrong answer to it once."""
    is_one_in = crc32(f"{engine or what} {name}".encode()) % ONE_IN[what] == 0
    return name.startswith("found/") or (is_swept(name) and is_one_in)


def _is_asked(name: str) -> bool:
    """Whether ``explore`` is asked in ``make test``."""
    return not name.startswith("library/") or is_chosen(name, "library")


def _parameters(path: Path, *others: str, is_long: bool) -> ParameterSet:
    name = "-".join((name_of(path), *others))
    return pytest.param(path, *others, marks=(pytest.mark.long,) if is_long else (), id=name)


def sweep() -> Iterator[ParameterSet]:
    """Programs and engines; the engines of a program side by side, for they share what is read."""
    for path in PROGRAMS:
        name = name_of(path)
        for engine in SCOPES:
            asked = list(questions(path, engine))
            is_due = any(must_decide(name, engine, q.name) for q in asked)
            is_always = engine == "explore" and is_due and is_swept(name) and _is_asked(name)
            kind = "abstract" if engine == "abstract" else "decided" if is_due else "undecided"
            is_now = is_chosen(name, kind, engine if is_due else "")
            if asked:
                yield _parameters(path, engine, is_long=not (is_always or is_now))
        yield _parameters(path, ROW, is_long=not is_chosen(name, ROW))


@pytest.mark.parametrize(("path", "engine"), list(sweep()))
def test_answers_are_right(path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    seconds = SECONDS if request.node.get_closest_marker("long") is None else LONG_SECONDS
    for question in questions(path, None if engine == ROW else engine):
        check(path, engine, question, seconds)


@pytest.mark.parametrize(
    "path", [_parameters(path, is_long=not is_chosen(name_of(path), "reduction")) for path in PROGRAMS]
)
def test_reduction_changes_no_answer(path: Path) -> None:
    limit = LONG_SECONDS if is_open(name_of(path)) else decided.LIMIT
    reduced = answered(path, "explore", ALL_PROPERTIES, limit)
    if int(reduced.statistics.get("states", 0)) > SMALL:
        return
    options = EngineOptions(explore=ExploreOptions(reduction=False))
    full = answered(path, "explore", ALL_PROPERTIES, limit, options=options)
    if is_open(name_of(path)) and Answer.UNKNOWN in (reduced.answer, full.answer):
        return
    assert full.answer is reduced.answer
    assert is_open(name_of(path)) or _violated(full) == _violated(reduced)


def _violated(result: Result) -> set[Property]:
    return {trace.failure.property for trace in result.traces}


# --- the sweep itself ------------------------------------------------------------------------------


def test_the_lists_name_programs() -> None:
    assert {name_of(path) for path in PROGRAMS} >= OPEN | set(listed())


def test_the_list_reads_as_it_is_written() -> None:
    assert decided.written(listed()) == decided.FILE.read_text()


@pytest.mark.parametrize("engine", decided.ENGINES)
def test_every_engine_must_decide_many_programs_of_every_kind(engine: str) -> None:
    found = Counter(question for due in listed().values() for name, question in due if name == engine)
    assert found[HOLDS] >= 100
    assert set(found) == {q.name for path in PROGRAMS for q in decided.askable(path, engine)}


def _due(engine: str, expected: Answer) -> Iterator[tuple[Path, Question]]:
    for path in PROGRAMS:
        for question in questions(path, engine):
            is_expected = question.expected is expected and not marks_of(path).is_unmodelled
            if is_expected and must_decide(name_of(path), engine, question.name):
                yield path, question


def _gives_up(*_: object) -> NoReturn:
    raise GaveUpError("no idea")


def _accepts(*_: object) -> Checked:
    return Checked("nobody looked")


def _says_nothing(*_: object) -> Follower:
    return Follower()


GIVES_UP = AnyEngine(_gives_up, _accepts, _says_nothing)
SAYS_SAFE = AnyEngine(lambda *_: (Claimed(ClosedStates((), ())), {}), _accepts, _says_nothing)


@pytest.mark.parametrize("engine", SCOPES)
def test_an_engine_that_gives_up_fails(engine: str) -> None:
    path, question = next(_due(engine, Answer.SAFE))
    check(path, engine, question)
    with pytest.raises(AssertionError, match="no idea"):
        check(path, engine, question, engines={**ENGINES, engine: GIVES_UP})


@pytest.mark.parametrize("engine", SCOPES)
def test_an_engine_that_calls_everything_safe_fails(engine: str) -> None:
    path, question = next(_due("explore", Answer.BUG))
    with pytest.raises((AssertionError, RefusedProofError)):
        check(path, engine, question, engines={**ENGINES, engine: SAYS_SAFE})
