"""The search in compiled C: after some thousand states, the rest of the search is all the same.

``search.c`` does what ``algorithm`` does, over vectors of numbers, and knows nothing of programs. What a step
of a thread leads to, what it accesses and whom it waits for, it asks here; and it keeps the answers by what
was looked at (``semantics.watched``), so that it asks as often as threads see something new, not as often as
they step. Which threads disturb which, it asks once for each pair of places.

It covers states with up to ``MOST_THREADS`` threads that are all told apart, and whose splits close no loop.
Whatever else turns up, the search in Python goes on where it was.
"""

import ctypes
from array import array
from collections.abc import Iterable
from ctypes import POINTER, c_int, c_ubyte, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from sley.base.compiled import library
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.explore.algorithm import DEADLOCK, LEAK, Explorer
from sley.engines.explore.graph import Split, StateMove
from sley.engines.explore.reduction import PersistentSets, Spot
from sley.engines.explore.schedules import schedule_of
from sley.engines.explore.thresholds import (
    NATIVE_ALONE,
    NATIVE_ROUND,
    NATIVE_SELDOM,
    NATIVE_SLICE,
    NATIVE_SMALL_ROUND,
)
from sley.evidence.closed_states.packed import (
    MOST_THREADS,
    Looks,
    Masks,
    Numbering,
    PackedStates,
    Pairs,
    Vectors,
)
from sley.evidence.closed_states.proof import ClosedStates, Parts
from sley.evidence.trace import Schedule
from sley.program import instructions as ir
from sley.program.properties import ON_REQUEST, Failure, Property
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.memory import Choice
from sley.semantics.state import ENDED, State, ThreadState, is_ended
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import NextAccess
from sley.semantics.watched import DETACHED, LooksAtAllError, WatchedItem, watched

USED_UP = "the memory of this machine is used up"

NONE, FIRST_SPLIT = 0xFFFFFFFF, 0x80000000
ALL = 0xFF
DONE, PAUSED, ASKS, FULL, LOOPS = range(5)
GOES_ON, OVER, HAS_ENDED = range(3)


class SearchQuestion(IntEnum):
    """What is asked."""

    STEP = 0
    """What a step of a thread leads to."""
    ACCESS = 1
    """What it accesses."""
    WAITS = 2
    """For whom a thread waits."""
    DISTURBS = 3
    """Whether a thread may do what conflicts with the next step of another."""
    OVERWRITES = 4
    """Which locks a thread may release that others hold."""
    RACE = 5
    """Which race there is in the state."""
    LEAK = 6
    """Whether memory is lost when a thread ends the process."""


class NotInCompiledSearchError(Exception):
    """Something that only the search in Python knows."""


class _List(ctypes.Structure):
    _fields_ = (("items", c_void_p), ("count", c_uint64), ("room", c_uint64))

    def words(self, code: str) -> "array[int]":
        """A copy of the items."""
        found = array(code)
        if self.count:
            found.frombytes(ctypes.string_at(self.items, self.count * found.itemsize))
        return found


class _SearchVectors(ctypes.Structure):
    _fields_ = (("words", _List), ("starts", _List), ("table", c_void_p), ("mask", c_uint64))

    def copied(self) -> Vectors:
        """All of them."""
        return Vectors(self.words.words("I"), self.starts.words("I"))


class _SearchHeader(ctypes.Structure):
    """The beginning of ``struct search``."""

    _fields_ = (
        ("question", c_uint32),
        ("thread", c_uint32),
        ("first", c_uint32),
        ("second", c_uint32),
        ("state", c_uint32),
        ("is_broad", c_uint32),
        ("held", c_uint64),
        ("steps", c_uint64),
        ("states", _SearchVectors),
        ("memories", _SearchVectors),
        ("parents", _List),
        ("arrivals", _List),
        ("taken", _List),
        ("found", _List),
        ("asks_races", c_uint32),
        ("asks_cycles", c_uint32),
        ("asks_deadlocks", c_uint32),
        ("asks_leaks", c_uint32),
        ("is_reduced", c_uint32),
        ("deadlock", c_uint32),
        ("notes_edges", c_uint32),
    )


def go_on_natively(explorer: Explorer) -> bool:
    """Search in compiled code, from the beginning; whether it is covered.

    Raises when the budget is exhausted.
    """
    search = NativeSearch.of(explorer)
    if search is None:
        return False
    try:
        search.run()
    except BudgetExhaustedError:
        raise
    except (NotInCompiledSearchError, GaveUpError):
        return False
    finally:
        search.close()
    return True


class NativeSearch:
    """One search, which asks."""

    def __init__(self, explorer: Explorer, functions: ctypes.CDLL) -> None:
        self.explorer = explorer
        self.budget = explorer.budget
        self.predicates = explorer.predicates
        self.code = explorer.machine.code
        self.machine = StateMachine(
            self.code.program, is_remembering=False, consistency=explorer.machine.consistency
        )
        self.functions = functions
        functions.new_search.restype = POINTER(_SearchHeader)
        functions.vector_at.restype = POINTER(c_uint32)
        self.search = functions.new_search()
        self.numbering = Numbering(len(self.code.memory_map.initial_cells))
        self.failures: dict[Failure, int] = {}
        self.choices: list[tuple[int, tuple[Choice, ...]]] = []
        """Of outcomes: whose, and which."""
        self.splits: list[Split] = []
        """By which states were arrived at otherwise."""
        self.parts: dict[int, Parts] = {}
        """How states were split."""
        self.answers = [0, 0]
        self.spots: dict[Spot, int] = {}
        self.places: dict[int, int] = {}
        self._told = 1, 1
        """How many threads and values are known there."""
        self._reported = self._asked = 0
        self.workers = 1 if self.budget.is_shared else self.budget.cores

    @staticmethod
    def of(explorer: Explorer) -> "NativeSearch | None":
        """None if there is no compiler, or if more is asked than it can say."""
        is_plain = type(explorer) is Explorer and explorer.machine.history is None
        if not is_plain or explorer.properties & ON_REQUEST or explorer.is_up_to_symmetry:
            return None
        if not (explorer.reduction is None or isinstance(explorer.reduction, PersistentSets)):
            return None
        functions = library(Path(__file__).parent / "search.c")
        return None if functions is None else NativeSearch(explorer, functions)

    def close(self) -> None:
        """Give the memory back."""
        self.functions.free_search(self.search)

    # --- the search -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Search everything; what is found is the explorer's then."""
        self._begin()
        self.budget.shows(lambda: f"{self._count} states")
        try:
            while (event := self._go_on()) != DONE:
                self._react(event)
        except BudgetExhaustedError:
            self._hand_over()
            raise
        self._hand_over()

    def _go_on(self) -> int:
        most = self.explorer.max_states
        self.budget.spend()
        self._note_found()
        if self.explorer.violations and self.explorer.is_enough():
            raise BudgetExhaustedError("enough violations")
        limit = self._count + NATIVE_SLICE if most is None else min(self._count + NATIVE_SLICE, most)
        return int(self.functions.run(self.search, c_uint32(limit)))

    def _react(self, event: int) -> None:
        most = self.explorer.max_states
        if event == ASKS:
            self._asked += 1
            try:
                self._answer()
            except NeedsSplitError as question:
                self._split(question)
        elif event == FULL:
            raise BudgetExhaustedError(USED_UP)
        elif event == LOOPS:
            raise NotInCompiledSearchError
        elif most is not None and self._count >= most:
            raise BudgetExhaustedError(Reason(f"limit of {most} states reached", Why.STATES, str(most)))
        elif self._has_work_for_more():
            self._call("broaden", *map(c_uint32, (self.workers, NATIVE_ROUND, NATIVE_SMALL_ROUND)))

    def _has_work_for_more(self) -> bool:
        """Whether workers would not have to wait for answers most of the time."""
        is_large = self._count >= max(NATIVE_ALONE, NATIVE_SELDOM * self._asked)
        return is_large and self.workers > 1 and not self.search.contents.is_broad

    def _begin(self) -> None:
        explorer, it = self.explorer, self.search.contents
        asked = explorer.properties
        made = (e.instruction for e in self.code.program.edges if isinstance(e.instruction, ir.Allocate))
        has_heap = any(not instruction.is_kept for instruction in made)
        it.asks_races = Property.RACE in asked
        it.asks_deadlocks = it.asks_cycles = Property.DEADLOCK in asked
        it.asks_leaks = Property.LEAK in asked and has_heap
        it.is_reduced = explorer.reduction is not None
        it.deadlock = self._failure(DEADLOCK)
        it.notes_edges = self.workers > 1
        self._call("add_value", c_ubyte(0))
        self._call("add_thread", *map(c_uint32, (NONE, 0)), *[c_int(0)] * 4)
        if len(self._locks) > MOST_THREADS:
            raise NotInCompiledSearchError
        for _, slot in self._locks:
            self._call("add_lock", c_uint32(slot))
        first = self.machine.initial()
        memory, thread = self.numbering.memory(first), self.numbering.thread(0, first.threads[0])
        self._tell()
        self._call("begin", _words(memory), c_uint32(len(memory)), c_uint32(thread))

    @cached_property
    def _locks(self) -> list[tuple[int, int]]:
        """The addresses of locks, with their slots."""
        return [(address, 1 + cell) for cell, address in self.explorer.standing.locks]

    def _call(self, name: str, *arguments: Any) -> None:
        result = getattr(self.functions, name)(self.search, *arguments)
        if result == FULL:
            raise BudgetExhaustedError(USED_UP)
        assert result == DONE, f"{name}: something was not looked at in the same order"

    def _failure(self, failure: Failure) -> int:
        return self.failures.setdefault(failure, len(self.failures))

    def _tell(self) -> None:
        """Say what new threads and values are like."""
        threads, values = self._told
        for thread, at in self.numbering.threads[threads:]:
            self._tell_thread(thread, at)
        for value in self.numbering.values[values:]:
            is_handle = isinstance(value, int) and 0 < value <= MOST_THREADS
            self._call("add_value", c_ubyte(value if is_handle else 0))
        self._told = len(self.numbering.threads), len(self.numbering.values)

    def _tell_thread(self, thread: int, at: ThreadState) -> None:
        if thread >= MOST_THREADS:
            raise NotInCompiledSearchError
        if is_ended(at):
            self._call("add_thread", c_uint32(NONE), c_uint32(0), c_int(1), *[c_int(0)] * 3)
            return
        standing, spot = self.explorer.standing, self._spot(thread, at)
        self._call(
            "add_thread",
            c_uint32(self.spots.setdefault(spot, len(self.spots))),
            c_uint32(self.places.setdefault(at[0], len(self.places))),
            *map(
                c_int,
                (False, standing.is_access(at[0]), at[0] in self.predicates.waiting, at[0] in standing.joins),
            ),
        )

    def _spot(self, thread: int, at: ThreadState) -> Spot:
        reduction = self.explorer.reduction
        if not isinstance(reduction, PersistentSets):
            return Spot(at[0])
        return reduction.spot(watched(thread, at, self._nothing), thread, at[0])

    def _nothing(self, place: WatchedItem) -> Any:
        if place == DETACHED:
            return 0
        raise AssertionError("addresses that threads know do not depend on memory")

    # --- questions -------------------------------------------------------------------------------------

    def _answer(self) -> None:
        it = self.search.contents
        match SearchQuestion(it.question):
            case SearchQuestion.STEP | SearchQuestion.ACCESS | SearchQuestion.WAITS:
                self._answer_about(SearchQuestion(it.question), it.thread)
            case SearchQuestion.DISTURBS:
                self._answer_disturbs(it.first, it.second, it.held)
            case SearchQuestion.OVERWRITES:
                self._answer_overwrites(it.first, it.held)
            case SearchQuestion.RACE:
                race = self.predicates.race(self._state())
                self._answer_once(it.question, ALL, 0 if race is None else 1 + self._failure(race.failure))
            case SearchQuestion.LEAK:
                self._answer_once(it.question, it.thread, self._leak(it.thread))

    def _split(self, question: NeedsSplitError) -> None:
        """Go on with the parts of the state that is looked at."""
        self.parts[self._number] = Parts(question.value, question.parts)
        for ranges, part in self.machine.split(self._state(), question):
            memory = self.numbering.memory(part)
            threads = [self.numbering.thread(thread, at) for thread, at in enumerate(part.threads)]
            self._tell()
            vector = _words([0, *threads]), c_uint32(1 + len(threads))
            arrival = c_uint32(FIRST_SPLIT + len(self.splits))
            self._call("add_part", _words(memory), c_uint32(len(memory)), *vector, arrival)
            self.splits.append(Split(question.value, ranges))

    def _answer_once(self, question: int, thread: int, answer: int) -> None:
        self._call("answer_once", *map(c_uint32, (question, thread, answer)))

    def _leak(self, thread: int) -> int:
        ending = None if thread == ALL else thread
        state = self._state()
        if not self.predicates.leaked(state, ending):
            return 0
        if ending is not None and not self.predicates.knows_frames(state, ending):
            raise NotInCompiledSearchError
        return 1 + self._failure(LEAK)

    def _answer_disturbs(self, other: int, spot: int, held: int) -> None:
        reduction, spots = self._reduction, list(self.spots)
        found = reduction.disturbs(spots[other], spots[spot], self._mutexes(held))
        self._call("answer_disturbs", c_uint32(other), c_uint32(spot), c_uint64(held), c_int(found))

    def _answer_overwrites(self, place: int, held: int) -> None:
        mutexes = self._mutexes(held)
        kept = self._reduction.accesses.not_overwritten(list(self.places)[place], mutexes)
        overwritten = sum(1 << i for i, (address, _) in enumerate(self._locks) if address in mutexes - kept)
        self._call("answer_overwrites", c_uint32(place), c_uint64(held), c_uint64(overwritten))

    @property
    def _reduction(self) -> PersistentSets:
        assert isinstance(self.explorer.reduction, PersistentSets)
        return self.explorer.reduction

    def _mutexes(self, held: int) -> frozenset[int]:
        return frozenset(address for i, (address, _) in enumerate(self._locks) if held >> i & 1)

    def _answer_about(self, question: SearchQuestion, thread: int) -> None:
        """Answer a question about a thread, for all states that look like this one to it."""
        threads = self._thread_numbers()
        number = threads[thread]
        looks = Looks(self.numbering, self._memory(), threads)
        try:
            answer = self._add_answer(
                question, thread, watched(thread, self.numbering.threads[number][1], looks.look)
            )
        except LooksAtAllError:
            self._answer_once(question, thread, self._add_answer(question, thread, self._state()))
            return
        seen = _words(looks.slots), _words(looks.numbers), c_uint32(len(looks.slots))
        self._call("answer_where", c_uint32(question), c_uint32(number), *seen, c_uint32(answer))

    def _add_answer(self, question: SearchQuestion, thread: int, state: State) -> int:
        """The answer, in the form that it is asked for."""
        if question is SearchQuestion.WAITS:
            wait = self.predicates.waits_for(state, thread)
            return 0 if wait is None else wait.holder + 1
        made = (
            self._outcomes(thread, state)
            if question is SearchQuestion.STEP
            else self._accesses(thread, state)
        )
        count = 0
        for name, arguments in made:
            self._call(name, *arguments)
            count += 1
        self._call("add_answer", c_uint32(question), c_uint32(count))
        self.answers[question] += 1
        return self.answers[question] - 1

    def _accesses(self, thread: int, state: State) -> Iterable[tuple[str, tuple[Any, ...]]]:
        return [("add_span", _span(access)) for access in self.predicates.next_accesses(state, thread)]

    def _outcomes(self, thread: int, state: State) -> list[tuple[str, tuple[Any, ...]]]:
        return [
            ("add_outcome", self._outcome(thread, state, successor))
            for successor in self.machine.successors(state, thread)
        ]

    def _outcome(self, thread: int, state: State, successor: Successor) -> tuple[Any, ...]:
        self.choices.append((thread, successor.choices))
        ending, failure = GOES_ON, NONE
        writes: Pairs = []
        threads: Pairs = []
        if successor.state is None:
            ending = HAS_ENDED if successor.thread == ENDED else OVER
        elif (error := self.code.errors.get(successor.thread[0])) is not None:
            failure = self._failure(error)
        else:
            writes, threads = self.numbering.changes(state, successor.state)
            self._tell()
        pairs = [number for pair in (*writes, *threads) for number in pair]
        numbers = map(c_uint32, (thread, ending, failure, successor.is_spurious))
        return *numbers, _words(pairs), c_uint32(len(writes)), c_uint32(len(threads))

    # --- states -----------------------------------------------------------------------------------------

    def _vector(self, vectors: _SearchVectors, number: int) -> list[int]:
        length = c_uint32()
        words = self.functions.vector_at(ctypes.byref(vectors), c_uint32(number), ctypes.byref(length))
        return list(words[: length.value])

    @property
    def _number(self) -> int:
        """Of the state that is looked at."""
        return int(self.search.contents.state)

    @property
    def _count(self) -> int:
        """How many states were found."""
        return max(0, int(self.search.contents.states.starts.count) - 1)

    def _thread_numbers(self) -> list[int]:
        return self._vector(self.search.contents.states, self._number)[1:]

    def _memory(self) -> list[int]:
        it = self.search.contents
        return self._vector(it.memories, self._vector(it.states, self._number)[0])

    def _state(self) -> State:
        cells, blocks, detached = self.numbering.meaning(self._memory())
        threads = tuple(self.numbering.threads[number][1] for number in self._thread_numbers())
        return State(cells, blocks, threads, detached)

    def _note_found(self) -> None:
        """Take over the violations that are new."""
        it = self.search.contents
        if it.found.count == self._reported:
            return
        found, failures = it.found.words("I"), list(self.failures)
        for at in range(self._reported, len(found), 3):
            failure, number, outcome = found[at : at + 3]
            schedule = self._schedule(number, outcome)
            self.explorer.violations.setdefault(failures[failure], schedule)
        self._reported = it.found.count

    def _schedule(self, number: int, outcome: int) -> Schedule:
        it = self.search.contents
        parents, arrivals = it.parents.words("I"), it.arrivals.words("I")
        backwards = [] if outcome == NONE else [outcome]
        while arrivals[number] != NONE:
            backwards.append(arrivals[number])
            number = parents[number]
        return schedule_of([self._arrival(one) for one in backwards], self.machine)

    def _arrival(self, number: int) -> StateMove | Split:
        return StateMove(*self.choices[number]) if number < FIRST_SPLIT else self.splits[number - FIRST_SPLIT]

    def _states(self) -> PackedStates:
        it = self.search.contents
        return PackedStates(self.numbering, it.states.copied(), it.memories.copied())

    def _hand_over(self) -> None:
        """What was found is the explorer's."""
        self._note_found()
        it, explorer = self.search.contents, self.explorer
        explorer.steps = it.steps
        explorer.natively = ClosedStates(self._states(), Masks(it.taken.words("Q"), self.parts))


def _words(numbers: list[int]) -> Any:
    return (c_uint32 * len(numbers))(*numbers)


def _span(access: NextAccess) -> tuple[Any, ...]:
    end = access.address + access.size
    if end >> 64:
        raise NotInCompiledSearchError
    return c_uint64(access.address), c_uint64(end), c_uint32(access.is_write), c_uint32(access.is_atomic)
