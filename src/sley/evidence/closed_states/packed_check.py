"""Checks a proof whose states are vectors of numbers, in compiled code that walks through them once.

What is checked is what ``checker`` says, by the same reference interpreter and the same reasons. ``walk.c``
knows what vectors are, and nothing of programs: it asks here what a step leads to, and keeps the answer for
all states in which the step looks at the same (``semantics.watched``: the interpreter sees nothing else). So
each step is computed as often as it sees something new; and every step of every state is looked up, applied,
and what it leads to found in the proof.

With many states, the processes that may compute at once share them: each walks through a part of the same
proof, and asks what it does not know. What they find of threads left out is put together at the end.

It has nothing in common with the engine's search but what vectors mean (``packed``) and watched states.
Some hundred states are looked at once more as ``checker`` does it, on states that are not watched.
"""

import ctypes
from collections.abc import Sequence
from ctypes import POINTER, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sley.base.budget import Budget
from sley.base.compiled import library
from sley.base.errors import GaveUpError
from sley.base.processes import side_by_side
from sley.evidence.closed_states.checker import LOCK_SIZE, Checker, require
from sley.evidence.closed_states.packed import (
    MOST_THREADS,
    Looks,
    Masks,
    Numbering,
    PackedStates,
    Vectors,
)
from sley.evidence.closed_states.proof import ClosedStates, Parts
from sley.evidence.proof import RefusedProofError
from sley.program.instructions import Join
from sley.program.program import Program
from sley.program.properties import ON_REQUEST, Property
from sley.semantics.consistency import Consistency
from sley.semantics.machine import Successor
from sley.semantics.state import ENDED, Block, State, ThreadState, is_ended, location_of
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import NextAccess
from sley.semantics.watched import DETACHED, LooksAtAllError, WatchedItem, watched

SLICE = 10_000
"""So many states are looked at between two looks at the budget."""

FIRST = 10_000
"""So many are looked at before others share the rest: most steps are known then."""

MANY = 20_000
"""A rest with more states than this is shared."""

SAMPLE = 200
"""So many states are looked at once more, one by one and by the other checker's code."""

NONE = 0xFFFFFFFF
WORD = 4
ACCEPTED, QUESTION, NO_MEMORY, _ = range(4)
ALL = 0xFF
GOES_ON, OVER, HAS_ENDED = range(3)
NO_VALUE, OF_CELL, OF_BLOCK = range(3)

NO_STEP = "some thread of a reduced state can step"
DISTURBED = "no thread taken waits for one left out", "threads left out cannot disturb those taken"
EXPECTED = (
    "vectors are those of states",
    "only running threads are taken",
    "no error location is reached",
    "every successor is in the proof",
    NO_STEP,
    "no step of a reduced state ends the run",
    *DISTURBED,
    "no deadlock",
    "no wait cycle",
    "no data race",
    "no memory is lost",
    "no cycle of states with threads left out",
)
"""What is refused otherwise, by its number."""


class CheckQuestion(IntEnum):
    """What is asked."""

    STEP = 0
    """What a step of a thread leads to."""
    STANDING = 1
    """What a thread is about to access, and for whom it waits."""
    HOLDER = 2
    """The holder of a lock."""
    OVERWRITES = 3
    """Which locks a thread may release that others hold."""
    CONFLICT = 4
    """Whether a thread may do what conflicts with the next action of another."""
    LEAK = 5
    """Whether memory is lost when a thread ends the process."""
    PARTS = 6
    """Whether the state is split."""


class NotInPackedCheckError(Exception):
    """Something that only the other checker can look at."""


class PackedView(NamedTuple):
    """Where a thread stands, with the addresses that it knows: enough to say whom it may disturb."""

    place: int
    settled: tuple[tuple[int, int], ...]
    now: tuple[int, ...]


class _PackedVectors(ctypes.Structure):
    _fields_ = (
        ("words", c_void_p),
        ("starts", c_void_p),
        ("count", c_uint64),
        ("table", c_void_p),
        ("size", c_uint64),
    )

    def point_to(self, vectors: Vectors) -> None:
        """Speak of these, which have to stay where they are."""
        self.words = vectors.words.buffer_info()[0]
        self.starts = vectors.starts.buffer_info()[0]
        self.count = len(vectors)


class _Walk(ctypes.Structure):
    """The beginning of ``struct walk``."""

    _fields_ = (
        ("question", c_uint32),
        ("thread", c_uint32),
        ("first", c_uint32),
        ("second", c_uint32),
        ("refusal", c_uint32),
        ("state", c_uint32),
        ("held", c_uint64),
        ("states", _PackedVectors),
        ("memories", _PackedVectors),
        ("taken", c_void_p),
        ("cells", c_uint32),
        ("asks_races", c_uint32),
        ("asks_deadlocks", c_uint32),
        ("asks_leaks", c_uint32),
        ("edges", c_void_p),
        ("edge_words", c_uint64),
    )


def is_accepted(
    program: Program,
    properties: frozenset[Property],
    proof: ClosedStates,
    budget: Budget,
    consistency: Consistency | None = None,
) -> bool:
    """Whether the proof is accepted; false if it is not for this checker. Raises RefusedProofError."""
    functions = library(Path(__file__).parent / "walk.c")
    if functions is None or properties & ON_REQUEST:
        return False
    packed = proof if isinstance(proof.states, PackedStates) else proof.packed()
    if packed is None:
        return False
    checker = PackedChecker(program, properties, packed, budget, functions, consistency)
    try:
        checker.check()
    except NotInPackedCheckError:
        return False
    finally:
        checker.close()
    return True


class PackedChecker(Checker):
    """Answers what it is asked about states of the proof."""

    def __init__(
        self,
        program: Program,
        properties: frozenset[Property],
        proof: ClosedStates,
        budget: Budget,
        functions: ctypes.CDLL,
        consistency: Consistency | None,
    ) -> None:
        super().__init__(program, properties, proof, budget, consistency=consistency)
        assert isinstance(proof.states, PackedStates)
        assert isinstance(proof.expansions, Masks)
        self.states = proof.states
        self.taken = proof.expansions
        of = self.states.numbering
        self.numbering = Numbering(of.cells, list(of.values), list(of.threads), list(of.blocks))
        self.locks = sorted(self.footprints.mutexes)
        self.views: dict[PackedView, int] = {}
        self.conflicts = cache(self._conflicts)
        self.made = {"outcome": 0, "standing": 0}
        self._told = 0, 0
        self.functions = functions
        functions.new_walk.restype = POINTER(_Walk)
        functions.find_state.restype = c_uint32
        self.walk = functions.new_walk()

    def close(self) -> None:
        """Give the memory back."""
        self.functions.free_walk(self.walk)

    def check(self) -> None:
        """Refuse the proof unless all is as it should be."""
        states, memories = self.states.vectors, self.states.memories
        require(len(states) == len(self.taken), "one expansion for each state")
        require(self.numbering.cells == len(self.machine.code.memory_map.initial_cells), EXPECTED[0])
        it = self.walk.contents
        it.states.point_to(states)
        it.memories.point_to(memories)
        it.taken = self.taken.masks.buffer_info()[0]
        it.cells = self.numbering.cells
        it.asks_races = Property.RACE in self.properties
        it.asks_deadlocks = Property.DEADLOCK in self.properties
        it.asks_leaks = Property.LEAK in self.properties
        self._begin(states, memories)
        require(self.states[0] == self.machine.initial(), "the first state is initial")
        first = min(FIRST, len(states)) if self.budget.cores > 1 else len(states)
        self._walk(range(first), self.budget)
        self._walk_together(range(first, len(states)))
        self._judge(self.functions.check_acyclic(self.walk))
        self._check_some(range(0, len(states), 1 + len(states) // SAMPLE), self.budget)

    def _walk_together(self, states: range) -> None:
        """Walk through these, in several processes if they are many."""
        if len(states) <= MANY:
            self._walk(states, self.budget)
            return
        cores, slices = self.budget.cores, [states[at : at + SLICE] for at in range(0, len(states), SLICE)]
        found = side_by_side(self._walk_some, [slices[first::cores] for first in range(cores)], self.budget)
        for at in range(len(slices)):
            edges = found[at % cores][at // cores]
            self._call("add_edges", edges, c_uint64(len(edges) // WORD))

    def _walk_some(self, slices: Sequence[range], budget: Budget) -> list[bytes]:
        """Walk through these; what was found in each of states with threads left out."""
        it, found = self.walk.contents, list[bytes]()
        for states in slices:
            before = it.edge_words
            self._walk(states, budget)
            edges = (it.edges or 0) + before * WORD
            found.append(ctypes.string_at(edges, (it.edge_words - before) * WORD))
        return found

    def _walk(self, states: range, budget: Budget) -> None:
        it = self.walk.contents
        it.state = states.start
        while it.state < states.stop:
            budget.spend()
            self._judge(self.functions.walk(self.walk, c_uint32(min(it.state + SLICE, states.stop))))

    def _number_of(self, state: State) -> int | None:
        """The number of a state, as the other checker asks for it."""
        memory = self.numbering.memory(state)
        threads = [self.numbering.thread(thread, at) for thread, at in enumerate(state.threads)]
        words = c_uint64(len(memory)), _words([0, *threads]), c_uint64(1 + len(threads))
        found = self.functions.find_state(self.walk, _words(memory), *words)
        return None if found == NONE else int(found)

    def _begin(self, states: Vectors, memories: Vectors) -> None:
        if len(self.locks) > MOST_THREADS:
            raise NotInPackedCheckError
        for _ in self.locks:
            self._call("add_lock")
        self._tell()
        words = c_uint64(len(states.words)), c_uint64(len(memories.words))
        self._judge(self.functions.begin(self.walk, *words))
        detached = {memories.words[start] for start in memories.starts[:-1]}
        require(all(isinstance(self.numbering.values[n], int) for n in detached), EXPECTED[0])

    def _judge(self, result: int) -> None:
        if result == NO_MEMORY:
            raise NotInPackedCheckError
        if result == QUESTION:
            self._answer()
        elif result != ACCEPTED:
            expected = EXPECTED[self.walk.contents.refusal]
            if expected in DISTURBED and self.retries.failures:
                raise NotInPackedCheckError  # a retry, perhaps, of which nothing is known here
            require(False, expected)  # noqa: FBT003 - it is refused

    def _call(self, name: str, *arguments: Any) -> None:
        given = (c_uint32(one) if isinstance(one, int) else one for one in arguments)
        result = getattr(self.functions, name)(self.walk, *given)
        if result == NO_MEMORY:
            raise NotInPackedCheckError
        assert result == ACCEPTED, f"{name}: something was not looked at in the same order"

    def _tell(self) -> None:
        """Say what numbers are, as far as that is new."""
        threads, values = self._told
        for thread, at in self.numbering.threads[threads:]:
            if thread >= MOST_THREADS:
                raise NotInPackedCheckError
            view = None if thread < 0 or is_ended(at) else self._view(thread, at)
            number = 0 if view is None else self.views.setdefault(view, len(self.views))
            # the number of none is that of no thread
            self._call("add_thread", thread & 0xFF, 0 if view is None else view.place, number, view is None)
        for value in self.numbering.values[values:]:
            kind = NO_VALUE if value is None else OF_BLOCK if isinstance(value, Block) else OF_CELL
            self._call("add_value", kind)
        self._told = len(self.numbering.threads), len(self.numbering.values)

    def _view(self, thread: int, at: ThreadState) -> PackedView:
        place, state = location_of(at), watched(thread, at, _look_at_nothing)
        address = self.footprints.address_at(place)
        now = () if address is None else self._known(state, thread, ((place, address),))
        settled = self._known(state, thread, self.footprints.settled(place))
        return PackedView(place, settled, tuple(found for _, found in now))

    # --- questions -----------------------------------------------------------------------------------

    def _answer(self) -> None:
        it = self.walk.contents
        match CheckQuestion(it.question):
            case CheckQuestion.STEP | CheckQuestion.STANDING:
                self._answer_about(CheckQuestion(it.question), it.thread)
            case CheckQuestion.HOLDER:
                self._answer_holder(it.thread)
            case CheckQuestion.OVERWRITES:
                held = self._mutexes(it.held)
                released = held - self.footprints.staying_locked((it.first,), held)
                mask = sum(1 << i for i, mutex in enumerate(self.locks) if mutex in released)
                self._call("say_overwrites", it.first, c_uint64(it.held), c_uint64(mask))
            case CheckQuestion.CONFLICT:
                conflict = self.conflicts(it.first, it.second, it.held)
                views = c_uint64(it.first), c_uint64(it.second)
                self._call("say_conflict", *views, c_uint64(it.held), conflict)
            case CheckQuestion.LEAK:
                ending = None if it.thread == ALL else it.thread
                is_lost = bool(self.predicates.leaked(self._state(), ending))
                self._call("say_once", it.question, it.thread, is_lost, 0)
            case CheckQuestion.PARTS:
                self._answer_parts()

    def _answer_parts(self) -> None:
        """What the parts of the state are, each of which is in the proof."""
        number = self._number
        parts = self.taken[number]
        if not isinstance(parts, Parts):
            raise RefusedProofError(f"expected that {NO_STEP}")
        self._check_parts(number, self._state(), parts)
        for part in self.reduced.pop(number):
            self._call("add_part", part)
        self._call("say_once", CheckQuestion.PARTS, ALL, 0, 0)

    def _mutexes(self, mask: int) -> frozenset[int]:
        return frozenset(mutex for i, mutex in enumerate(self.locks) if mask >> i & 1)

    def _conflicts(self, other: int, taken: int, held: int) -> bool:
        """Whether a thread may do what conflicts with the next action of another, while locks are held."""
        views, locked = list(self.views), self._mutexes(held)
        future, action = views[other], views[taken]
        by_places = (
            self._noticed(self.footprints.action(action.place)),
            self._noticed(self.footprints.future(future.place, locked)),
        )
        by_addresses = (
            self._noticed(self.footprints.action(action.place, *action.now)),
            self._noticed(self.footprints.future(future.place, locked, future.settled)),
        )
        return all(one.conflicts_with(all_ahead) for one, all_ahead in (by_places, by_addresses))

    def _answer_holder(self, lock: int) -> None:
        """The holder of a lock."""
        looks = self._looks()
        memory = self.machine.interpreter.memory(watched(-1, (), looks.look), 0)
        address, holder = self.locks[lock], 0
        try:
            if memory.is_valid(address, LOCK_SIZE, writes=False):
                value = memory.load(address, LOCK_SIZE)
                holder = value if isinstance(value, int) and 0 < value <= MOST_THREADS else 0
        except (LooksAtAllError, NeedsSplitError, GaveUpError) as problem:
            raise NotInPackedCheckError from problem
        self._say(CheckQuestion.HOLDER, lock, looks, holder, 1)

    def _answer_about(self, question: CheckQuestion, thread: int) -> None:
        """Answer for all states that look like this one to the thread."""
        number = self._vector[1 + thread]
        looks = self._looks()
        try:
            seen = watched(thread, self.numbering.threads[number][1], looks.look)
            self._say(question, number, looks, *self._made(question, thread, seen))
        except LooksAtAllError:
            self._call("say_once", question, thread, *self._made(question, thread, self._state()))

    def _say(self, question: CheckQuestion, of: int, looks: Looks, first: int, count: int) -> None:
        slots, numbers = _words(looks.slots), _words(looks.numbers)
        self._call("say", question, of, slots, numbers, len(looks.slots), first, count)

    def _made(self, question: CheckQuestion, thread: int, state: State) -> tuple[int, int]:
        """The answer: which outcomes there are, or how the thread stands."""
        if question is CheckQuestion.STANDING:
            return self._made_standing(thread, state)
        outcomes = self._steps(state, thread)
        written = [self._written(state, outcome) for outcome in outcomes]
        self._tell()
        for arguments in written:
            self._call("add_outcome", *arguments)
        self.made["outcome"] += len(outcomes)
        return self.made["outcome"] - len(outcomes), len(outcomes)

    def _written(self, state: State, outcome: Successor) -> tuple[Any, ...]:
        is_error = location_of(outcome.thread) in self.machine.code.errors
        if outcome.state is None:
            ending = HAS_ENDED if outcome.thread == ENDED else OVER
            return ending, is_error, outcome.is_spurious, _words(()), 0, 0
        writes, threads = self.numbering.changes(state, outcome.state)
        pairs = [number for pair in (*writes, *threads) for number in pair]
        return GOES_ON, is_error, outcome.is_spurious, _words(pairs), len(writes), len(threads)

    def _made_standing(self, thread: int, state: State) -> tuple[int, int]:
        try:
            accesses = self.predicates.next_accesses(state, thread) if self.walk.contents.asks_races else []
            wait = self.predicates.waits_for(state, thread)
        except NeedsSplitError as question:
            raise RefusedProofError("a state is not split") from question
        for access in accesses:
            self._call("add_span", *_span(access))
        edges = self.machine.code.out.get(location_of(state.threads[thread]), ())
        joins = bool(edges) and isinstance(edges[0].instruction, Join)
        self._call("add_standing", 0 if wait is None else wait.holder + 1, joins, len(accesses))
        self.made["standing"] += 1
        return self.made["standing"] - 1, 1

    # --- the state that is looked at ------------------------------------------------------------------

    @property
    def _number(self) -> int:
        return int(self.walk.contents.state)

    @property
    def _vector(self) -> Sequence[int]:
        return self.states.vectors[self._number]

    def _looks(self) -> Looks:
        memory, *threads = self._vector
        return Looks(self.numbering, self.states.memories[memory], threads)

    def _state(self) -> State:
        return self.states[self._number]


def _look_at_nothing(place: WatchedItem) -> Any:
    if place == DETACHED:
        return 0
    raise AssertionError("addresses that threads know do not depend on memory")


def _words(numbers: Sequence[int]) -> Any:
    return (c_uint32 * len(numbers))(*numbers)


def _span(access: NextAccess) -> tuple[Any, ...]:
    end = access.address + access.size
    if end >> 64:
        raise NotInPackedCheckError
    return c_uint64(access.address), c_uint64(end), access.is_write, access.is_atomic
