"""A plain unrolling: every thread is run once, step by step, along all its paths; paths that meet are merged.

A step does what ``semantics.symbolic_step`` says. Registers, and memory that one thread alone accesses, are
kept in the state of the thread; every other variable that a step mentions is read as a fresh symbol by the
event of that step. Locks, joins and atomic sections are nothing special: a step whose guard is false does not
happen, and its thread stands there for good, as if it were not scheduled any more.

The end of the process is a stop without an exit: what is asked for has to happen before it.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.analyses.graphs import nodes_on_cycles
from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import Sharing, find_sharing
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.evidence.bounded.dependencies import NOTHING, StopDependencies
from sley.evidence.bounded.events import BadEvent, BoundedEvent, Events, EventWrite, Stand
from sley.evidence.bounded.positions import Iterations, LoopPositions, Repetition
from sley.evidence.bounded.proof import BoundedProof, Loop
from sley.logic.clauses import conjuncts
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms
from sley.program.instructions import (
    Allocate,
    AtomicBegin,
    Await,
    Create,
    Fence,
    Free,
    Load,
    Lock,
    Unlock,
    Update,
)
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.places import ShapePlaces
from sley.semantics.roles import CellRole, FirstRole, InputRole, ObjectRole, RegisterRole, SizeRole
from sley.semantics.state import EXITED
from sley.semantics.symbolic_memory import AccessTarget, from_bits
from sley.semantics.symbolic_step import Branch, Resolver, Shape, SymbolicStep, SymbolicSteps
from sley.semantics.vocabulary import HeapShape, Vocabulary

MOST_STEPS = 60_000
"""More steps than this are beyond us."""

FEW_BRANCHES = 4
"""The conditions of more branches than this get names."""

MOST_CASES = 40
"""A write in more cases than this, one inside another, counts as one in all cases."""


class WrongClaimError(Exception):
    """What the unrolling took for granted is not so: once more, with less."""


@dataclass(slots=True)
class CheckedClaims:
    """What an unrolling takes for granted, and tests on the way."""

    shape: Shape
    """What comes to exist."""
    settled: frozenset[Term]
    """Variables that are not written once there are several threads."""
    exposed: frozenset[int] = frozenset()
    """Objects that several threads access, though an analysis says that they do not."""


class UnrolledSteps(SymbolicSteps):
    """Steps in a program where all that comes to exist is known: what is made has a number by where it is."""

    def __init__(self, code: Code, shape: Shape) -> None:
        super().__init__(code)
        self.shape = shape
        self.found = self.initial_shape()
        """What exists, as far as it was unrolled."""
        self.at: tuple[object, ...] = ()
        """The position of the step that is computed."""
        self._numbers: dict[tuple[object, ...], int] = {}
        self._repeating: dict[int, bool] = {}

    def creation(self, shape: Shape, edge: Edge) -> tuple[Shape, int]:
        """The thread that is created at this position."""
        assert isinstance(edge.instruction, Create)
        key = self._key(edge)
        if key not in self._numbers:
            self._numbers[key] = thread = len(self.found.threads)
            self.found = Shape((*self.found.threads, edge.instruction.function), self.found.heap)
            if thread == len(self.shape.threads):
                self.shape = Shape(self.found.threads, self.shape.heap)
            elif self.found.threads != self.shape.threads[: thread + 1]:
                raise WrongClaimError
        return self.shape, self._numbers[key]

    def blocks(self, shape: Shape, edge: Edge, made: HeapShape) -> Iterator[tuple[int, Shape]]:
        """The block that is made at this position."""
        key = self._key(edge)
        if key not in self._numbers:
            count = len(self.found.heap)
            self._numbers[key] = number = self.code.memory_map.heap_base + count
            self.found = Shape(self.found.threads, (*self.found.heap, (number, made)))
            if count == len(self.shape.heap):
                self.shape = Shape(self.shape.threads, self.found.heap)
            elif self.found.heap != self.shape.heap[: count + 1]:
                raise WrongClaimError
        yield self._numbers[key], self.shape

    def _key(self, edge: Edge) -> tuple[object, ...]:
        if edge.source not in self._repeating:
            out = {at: [e.target for e in self.code.out.get(at, ())] for at in self.code.inside}
            inside = {at: tuple(to for to in targets if to in out) for at, targets in out.items()}
            cyclic = nodes_on_cycles(inside, inside)
            self._repeating[edge.source] = edge.source in cyclic
        if self._repeating[edge.source]:
            raise GaveUpError("a loop inside an atomic section makes threads or blocks")
        return (*self.at, edge.source)


@dataclass(slots=True)
class UnrolledState:
    """A thread at a position, on all paths that lead there."""

    location: int
    iterations: Iterations
    guard: tuple[Term, ...]
    values: dict[Term, Term]
    """Registers and private memory; all memory while there is one thread."""
    last: frozenset[int] = frozenset()
    """The last events on the paths."""
    dominators: int = 0
    is_alone: bool = False
    section: int | None = None
    """The event that took the first of the locks that are held."""
    held: frozenset[Term] = frozenset()
    has_released: bool = False
    flow: StopDependencies = NOTHING
    """Where a machine is meant: what the thread depends on."""
    rounds: Mapping[int, Mapping[Term, Term]] = field(default_factory=dict)
    """Heads of loops since which the thread has only read, and what it knew there."""


class GuardedBranch(NamedTuple):
    """A branch of a step in a state: its guard and updates are over what the event of the step reads."""

    branch: Branch
    guard: Term
    updates: dict[Term, Term]


@dataclass(slots=True)
class UnrolledStep:
    """What a step is in a state."""

    branches: list[GuardedBranch]
    troubles: list[tuple[Term, str]]
    reads: dict[Term, Term] = field(default_factory=dict)
    is_merged: bool = False
    """Of the edges of a branch only those of one path are told."""


class Unrolling:
    """One unrolling."""

    watched: tuple[type, ...] = (AtomicBegin, Free)
    """Steps that begin with these are events even if they neither read nor write."""
    kind_of_steps: type[UnrolledSteps] = UnrolledSteps
    forgets_rounds = False
    """Whether a round that only reads, and ends as it began, is left out: under weak memory models that is no
    loss, since they only say what must not be, of events that are there (a lemma of engine ``bmc``)."""

    def __init__(self, code: Code, proof: BoundedProof, claims: CheckedClaims, budget: Budget) -> None:
        self.code = code
        self.terms: Terms = code.program.terms
        self.repeats = dict(proof.repeats)
        self.claims = claims
        self.budget = budget
        self.steps = self.kind_of_steps(code, claims.shape)
        self.points_to = PointsTo(code.program)
        self.places = ShapePlaces(self.steps, self.points_to)
        self.sharing: Sharing = find_sharing(code.program, self.points_to)
        self.result = Events()
        self.thread = 0
        self._positions: dict[str, LoopPositions] = {}
        self._waiting: dict[tuple[int, ...], list[UnrolledState]] = {}
        self._queue: list[tuple[int, ...]] = []
        self._starts: dict[int, list[UnrolledState]] = {}
        self._begun: set[int] = set()
        self._known: dict[Term, Term] = {}
        """Settled variables and what they hold."""
        self._written: set[Term] = set()
        """Variables that are written once there are several threads."""
        self._owners: dict[int, int] = {}
        self._exposed: set[int] = set()
        self._names: dict[Term, Term] = {}
        self._count = 0
        self._steps_taken = 0
        self._lives: list[tuple[int, int, bool, Term, bool]] = []

    @property
    def vocabulary(self) -> Vocabulary:
        """The variables for all that exists."""
        return self.steps.vocabulary(self.steps.shape)

    # --- threads ----------------------------------------------------------------------------------

    def run(self) -> Events:
        """Unroll all threads; raises ``WrongClaimError`` after it has put right the claims."""
        t, shape = self.terms, self.steps.shape
        self.result.creations.append(None)
        self.result.created[0] = t.true
        main = self.code.program.functions[self.code.program.entry]
        first = UnrolledState(main.entry, (), (), self.steps.initial_values(shape), is_alone=True)
        self._starts[0] = [first]
        try:
            while (thread := len(self._begun)) in self._starts:
                self._run_thread(thread)
        except WrongClaimError:
            self.claims.shape = self.steps.found
            raise
        self._find_reuse()
        written = self.claims.settled & self._written
        if self._exposed or written or self.steps.shape != shape:
            self.claims.exposed |= self._exposed
            self.claims.settled -= written
            self.claims.shape = self.steps.found
            raise WrongClaimError
        return self.result

    def _run_thread(self, thread: int) -> None:
        self.thread = thread
        self._begun.add(thread)
        positions = self._positions_of(thread)
        for state in self._starts[thread]:
            state.iterations = positions.start()
            self._arrive(state)
        while self._queue:
            key = heapq.heappop(self._queue)
            self._advance(self._merged(self._waiting.pop(key)))

    def _positions_of(self, thread: int) -> LoopPositions:
        name = self.steps.found.threads[thread]
        if name not in self._positions:
            self._positions[name] = LoopPositions(self.code.program.functions[name])
        return self._positions[name]

    def _arrive(self, state: UnrolledState) -> None:
        key = self._positions_of(self.thread).key(state.location, state.iterations)
        if key not in self._waiting:
            self._waiting[key] = []
            heapq.heappush(self._queue, key)
        self._waiting[key].append(state)

    # --- paths that meet --------------------------------------------------------------------------

    def _merged(self, states: list[UnrolledState]) -> UnrolledState:
        if len({state.is_alone for state in states}) > 1:
            states = [self._not_alone(state) for state in states]
        merged = states[0]
        for other in states[1:]:
            merged = self._merge(merged, other)
        return merged

    def _merge(self, one: UnrolledState, other: UnrolledState) -> UnrolledState:
        """Both at once; their guards exclude each other."""
        t = self.terms
        common = tuple(part for part in one.guard if part in other.guard)
        first = self.named(t.and_(*(part for part in one.guard if part not in common)))
        second = self.named(t.and_(*(part for part in other.guard if part not in common)))
        guard = (*common, *conjuncts(t, (self.named(t.or_(first, second)),)))
        values: dict[Term, Term] = {}
        for v in dict.fromkeys((*one.values, *other.values)):
            here, there = self._value(one, v), self._value(other, v)
            values[v] = here if here == there else t.ite(first, here, there)
        return UnrolledState(
            one.location,
            one.iterations,
            tuple(dict.fromkeys(guard)),
            values,
            one.last | other.last,
            one.dominators & other.dominators,
            one.is_alone,
            *self._held_on_both(one, other),
            rounds={h: known for h, known in one.rounds.items() if other.rounds.get(h) is known},
        )

    def _held_on_both(
        self, one: UnrolledState, other: UnrolledState
    ) -> tuple[int | None, frozenset[Term], bool]:
        """The section in which both are; what was one on a single path is no section."""
        if one.section == other.section and one.held == other.held:
            return one.section, one.held, one.has_released or other.has_released
        self.result.open_sections |= {one.section, other.section}
        return None, frozenset(), False

    def _value(self, state: UnrolledState, variable: Term) -> Term:
        found = state.values.get(variable)
        return self.initial(variable) if found is None else found

    def named(self, condition: Term) -> Term:
        """A literal for a condition."""
        t = self.terms
        inner = t.args(condition)[0] if t.op(condition) is Op.NOT else condition
        if t.is_const(inner) or t.is_var(inner) or t.op(inner) not in (Op.AND, Op.OR, Op.ITE):
            return condition
        if condition not in self._names:
            self._names[condition] = name = self._symbol("on", BOOL)
            self.result.definitions.append((name, condition))
        return self._names[condition]

    def _symbol(self, text: str, sort: object) -> Term:
        self._count += 1
        return self.terms.var(f"!{text}{self._count}", sort)  # type: ignore[arg-type]

    # --- steps ------------------------------------------------------------------------------------

    def _advance(self, state: UnrolledState) -> None:
        self.budget.spend()
        self._steps_taken += 1
        if self._steps_taken > MOST_STEPS:
            raise GaveUpError(Reason("the unrolled program is too large", Why.UNROLLED))
        if state.location in self.code.errors:
            self.result.errors.append(BadEvent(self._all(state), self.code.errors[state.location].message))
            return
        if not state.is_alone and self._may_be_forgotten(state.location):
            state.rounds = {**state.rounds, state.location: dict(state.values)}
        known = len(self.steps.found.threads)
        step = self._step(state)
        if state.is_alone and len(self.steps.found.threads) > known:
            state = self._not_alone(state)
            step = self._step(state)
        event = self._event(state, step)
        self._note_lives(state, step)
        self._stand(state, step, event)
        for condition, reason in step.troubles:
            self.result.troubles.append(BadEvent(self.terms.and_(self._all(state), condition), reason))
        for way in step.branches:
            self._go(state, step, event, way)

    def _all(self, state: UnrolledState) -> Term:
        return self.terms.and_(*state.guard)

    def _stand(self, state: UnrolledState, step: UnrolledStep, event: BoundedEvent | None) -> None:
        """The thread may stay here, or be about to make an access."""
        t, reached = self.terms, self._all(state)
        if event is None:
            stays = t.and_(reached, t.not_(t.or_(*(guard for _, guard, _ in step.branches))))
        else:
            stays = t.and_(reached, t.not_(event.occurs))
        self.result.stands.append(
            Stand(
                self.thread,
                state.location,
                reached,
                stays,
                None if event is None else event.number,
                tuple(state.last),
                {**self._known, **state.values},
                state.is_alone,
            )
        )

    def seen(self, stand: Stand, term: Term, reader: Callable[[Term], Term]) -> Term:
        """A term about a state in which a thread stands here; ``reader``: what is shared holds that."""
        t = self.terms
        mapping: dict[Term, Term] = {}
        for variable in t.variables(term):
            role = t.symbol(variable)
            if variable in stand.values:
                mapping[variable] = stand.values[variable]
            elif isinstance(role, str | FirstRole):
                continue
            elif isinstance(role, InputRole):
                mapping[variable] = self._symbol("in", t.sort(variable))
            elif not stand.is_alone and self.is_shared(variable):
                mapping[variable] = reader(variable)
            else:
                mapping[variable] = self.initial(variable)
        return t.substitute(term, mapping)

    def _step(self, state: UnrolledState) -> UnrolledStep:
        """The step with what is known put in, and symbols for what is read."""
        t = self.terms
        key = self._positions_of(self.thread).key(state.location, state.iterations)
        self.steps.at = (self.thread, key)
        known = {**self._known, **state.values}
        found = self.steps.step(self.steps.shape, self.thread, state.location, _UnrolledResolver(self), known)
        self._must_tell(found)
        updates = [
            {v: term for v, term in branch.updates.items() if known.get(v) != term}
            for branch in found.branches
        ]
        wakes = self._symbol("wakes", BOOL) if self._is_spurious(found) else t.true
        raw = (
            *(t.and_(*branch.guard, wakes) for branch in found.branches),
            *(t.and_(*trouble.guard) for trouble in found.troubles),
            *(term for new in updates for term in new.values()),
        )
        reads, mapping = self._readings(raw)
        new = iter(t.substitute_all(raw, mapping))
        guards = [next(new) for _ in found.branches]
        if len(guards) > FEW_BRANCHES:
            guards = [self.named(guard) for guard in guards]
        troubles = [(next(new), trouble.reason) for trouble in found.troubles]
        branches = [
            GuardedBranch(branch, guard, {v: next(new) for v in changed})
            for branch, guard, changed in zip(found.branches, guards, updates, strict=True)
        ]
        return UnrolledStep(
            [way for way in branches if way.guard != t.false],
            [one for one in troubles if one[0] != t.false],
            reads,
            found.is_merged,
        )

    def _is_spurious(self, found: SymbolicStep) -> bool:
        """Whether it may go on for no reason: then it need not go on."""
        return any(
            isinstance(edge.instruction, Await) and edge.instruction.is_spurious
            for branch in found.branches
            for edge in branch.edges
        )

    def _must_tell(self, found: SymbolicStep) -> None:
        """Which threads a branch creates is known from its edges."""
        if found.is_merged and any(
            isinstance(e.instruction, Create) for b in found.branches for e in b.edges
        ):
            raise GaveUpError("threads are created in a step of many paths")

    def _readings(self, raw: tuple[Term, ...]) -> tuple[dict[Term, Term], dict[Term, Term]]:
        """What an event reads, and what to put in for all variables that are not known."""
        t = self.terms
        reads: dict[Term, Term] = {}
        mapping: dict[Term, Term] = {}
        for variable in dict.fromkeys(v for term in raw for v in t.variables(term)):
            role = t.symbol(variable)
            if isinstance(role, str | FirstRole):
                continue
            if isinstance(role, InputRole):
                mapping[variable] = self._symbol("in", t.sort(variable))
            elif self.is_shared(variable):
                self.initial(variable)
                mapping[variable] = reads[variable] = self._symbol("read", t.sort(variable))
            else:
                self._own(variable)
                mapping[variable] = self.initial(variable)
        return reads, mapping

    def _event(self, state: UnrolledState, step: UnrolledStep) -> BoundedEvent | None:
        """The event of a step; none if it cannot be observed."""
        t = self.terms
        writes: dict[Term, list[tuple[Term, Term]]] = {}
        for branch, guard, updates in step.branches:
            for variable, term in updates.items() if branch.target >= EXITED else ():
                if self._is_visible(state, variable):
                    when, value = _written(t, step.reads.get(variable), term)
                    writes.setdefault(variable, []).append((t.and_(guard, when), value))
        is_exit = any(branch.target == EXITED for branch, _, _ in step.branches)
        is_watched = is_exit or any(
            isinstance(edge.instruction, self.watched) for edge in self.code.out.get(state.location, ())
        )
        if state.is_alone or not (step.reads or writes or is_watched):
            return None
        reached = self._all(state)
        possible = t.or_(*(guard for branch, guard, _ in step.branches if branch.target >= EXITED))
        looks = t.or_(*(guard for _, guard, _ in step.branches), *(cond for cond, _ in step.troubles))
        passes = t.or_(
            *(guard for branch, guard, _ in step.branches if branch.target not in self.code.errors)
        )
        event = self._new_event(state, t.and_(reached, possible), t.and_(reached, looks), looks, passes)
        event.reads = dict(step.reads)
        event.makes_thread = any(self._made(branch) for branch, _, _ in step.branches)
        for variable, found in writes.items():
            event.writes[variable] = self._write(event, found)
            self._written.add(variable)
        self._note_lock(state, event)
        return event

    def _note_lock(self, state: UnrolledState, event: BoundedEvent) -> None:
        """A step that does nothing but take or give back a lock at a known place."""
        action, cells = self.code.action(state.location), tuple(event.writes)
        if isinstance(action, Lock | Unlock) and len(cells) == 1 and set(event.reads) == set(cells):
            event.lock = cells[0]
        event.section = event.number if state.section is None else state.section
        event.held = state.held
        if event.lock is not None and isinstance(action, Lock):
            event.held |= {event.lock}
            if state.has_released:
                self.result.open_sections.add(event.section)

    def _is_visible(self, state: UnrolledState, variable: Term) -> bool:
        return not state.is_alone and self.is_shared(variable)

    def _write(self, event: BoundedEvent, found: Sequence[tuple[Term, Term]]) -> EventWrite:
        t = self.terms
        condition, value = found[-1]
        for when, other in found[:-1]:
            condition, value = t.or_(when, condition), t.ite(when, other, value)
        return EventWrite(event.number, self.named(t.and_(event.occurs, condition)), value)

    def _new_event(
        self, state: UnrolledState, occurs: Term, looks: Term, possible: Term, passes: Term
    ) -> BoundedEvent:
        events = self.result.events
        event = BoundedEvent(
            len(events),
            self.thread,
            state.location,
            state.dominators,
            self.named(occurs),
            self.named(looks),
            possible,
            passes,
            len(events),
        )
        events.append(event)
        self.result.order.extend((before, event.number) for before in state.last)
        return event

    def _not_alone(self, state: UnrolledState) -> UnrolledState:
        """Others may come: what was written so far becomes an event, as all threads can read it."""
        if not state.is_alone:
            return state
        t, reached = self.terms, self._all(state)
        event = self._new_event(state, reached, reached, t.true, t.true)
        event.is_first = True
        shared = {v: term for v, term in state.values.items() if self.is_shared(v)}
        for variable, term in shared.items():
            if term != self.initial(variable):
                event.writes[variable] = EventWrite(event.number, event.occurs, term)
        self._settle(shared)
        return replace(
            state,
            values={v: term for v, term in state.values.items() if v not in shared},
            last=frozenset({event.number}),
            dominators=state.dominators | 1 << event.number,
            is_alone=False,
        )

    def _settle(self, values: Mapping[Term, Term]) -> None:
        """Remember what settled variables hold; those for which that depends on the way are not settled."""
        for variable in self.claims.settled:
            value = values.get(variable, self.initial(variable))
            if self._known.setdefault(variable, value) != value:
                self._written.add(variable)

    # --- branches ---------------------------------------------------------------------------------

    def _go(
        self, state: UnrolledState, step: UnrolledStep, event: BoundedEvent | None, way: GuardedBranch
    ) -> None:
        """Where a branch leads."""
        branch = way.branch
        if branch.target < EXITED:
            return  # the process ends
        after = self._after(state, step, event, way)
        self._create(after, event, way)
        if branch.target == EXITED:
            self.result.exited.setdefault(self.thread, []).append(self._all(after))
            return
        positions = self._positions_of(self.thread)
        for iterations, repetition in positions.follow(branch.edges, state.iterations):
            after.iterations = iterations
            if repetition is not None and self._is_back(after, repetition.head):
                return
        # a loop that the step has left again needs no bound: it has taken all its rounds
        if any(map(self._is_beyond, positions.repetitions(after.location, after.iterations))):
            self.result.cuts.append(BadEvent(self._all(after), "a loop goes on beyond its bound"))
            return
        self._arrive(after)

    def _is_beyond(self, repetition: Repetition) -> bool:
        """Whether the proof says that a loop is not begun anew so often."""
        loop = Loop(self.thread, repetition.around, repetition.head)
        return repetition.times > self.repeats.get(loop, 0)

    def _may_be_forgotten(self, head: int) -> bool:
        """Whether rounds of a loop with this head may be left out; no loop has it: there are none."""
        return self.forgets_rounds and self._positions_of(self.thread).is_head(head)

    def _is_back(self, state: UnrolledState, head: int) -> bool:
        """Whether a thread is at the head of a loop as it was before, and has only read meanwhile."""
        before = state.rounds.get(head)
        if before is None or state.location != head:
            return False
        known = dict.fromkeys((*before, *state.values))
        return all(before.get(v, self.initial(v)) == self._value(state, v) for v in known)

    def _still_reading(
        self, state: UnrolledState, step: UnrolledStep, way: GuardedBranch
    ) -> Mapping[int, Mapping[Term, Term]]:
        """The rounds that go on after an event: it has read, or is an update that fails this way."""
        action = self.code.action(state.location)
        is_read = isinstance(action, Load | Fence)
        if isinstance(action, Update):
            is_read = self._fails(state, action, step, way)
        return state.rounds if is_read else {}

    def _fails(self, state: UnrolledState, update: Update, step: UnrolledStep, way: GuardedBranch) -> bool:
        """Whether the guard of a way says, in so many words, that an update does not succeed."""
        t, cells = self.terms, [v for v in step.reads if isinstance(self.terms.symbol(v), CellRole)]
        if update.success is None or len(cells) != 1:
            return False
        found = from_bits(t, step.reads[cells[0]], update.access.sort)
        known = {**self._known, **state.values, self.vocabulary.register(self.thread, update.target): found}
        success = t.substitute(self.vocabulary.instantiated(self.thread, update.success), known)
        excluded = {t.not_(part) for part in conjuncts(t, (way.guard,))}
        return not excluded.isdisjoint(conjuncts(t, (success,)))

    def _after(
        self, state: UnrolledState, step: UnrolledStep, event: BoundedEvent | None, way: GuardedBranch
    ) -> UnrolledState:
        branch, guard, updates = way
        made = self._made(branch)
        own = {
            v: term
            for v, term in updates.items()
            if not self._is_visible(state, v) and not any(self._belongs(v, thread) for thread in made)
        }
        for variable in own:
            self._own(variable)
        live = {self.vocabulary.register(self.thread, r) for r in self.code.live.get(branch.target, ())}
        values = {
            v: term for v, term in {**state.values, **own}.items() if v in live or self.kind(v) is not None
        }
        if event is None:
            parts = tuple(self.named(part) for part in conjuncts(self.terms, (guard,)))
            together = tuple(dict.fromkeys((*state.guard, *parts)))
            return replace(state, location=branch.target, guard=together, values=values)
        parts = () if len(step.branches) == 1 else tuple(conjuncts(self.terms, (guard,)))
        return UnrolledState(
            branch.target,
            state.iterations,
            (event.occurs, *(self.named(part) for part in parts)),
            values,
            frozenset({event.number}),
            event.dominators | 1 << event.number,
            state.is_alone,
            *self._held_after(state, event),
            rounds=self._still_reading(state, step, way),
        )

    def _held_after(
        self, state: UnrolledState, event: BoundedEvent
    ) -> tuple[int | None, frozenset[Term], bool]:
        """A section ends when the last lock is given back."""
        held, is_given = event.held, isinstance(self.code.action(event.location), Unlock)
        if event.lock is not None and is_given:
            held -= {event.lock}
        if not held:
            return None, held, False
        return event.section, held, state.has_released or is_given

    def _create(self, after: UnrolledState, event: BoundedEvent | None, way: GuardedBranch) -> None:
        """The threads that a branch creates begin after its event."""
        for thread in self._made(way.branch):
            assert event is not None, "a thread that creates is not alone"
            given = {v: term for v, term in way.updates.items() if self._belongs(v, thread)}
            entry = self.code.program.functions[self.steps.found.threads[thread]].entry
            start = UnrolledState(entry, (), after.guard, given, after.last, after.dominators)
            self._starts.setdefault(thread, []).append(start)
            created = self.result.created
            created[thread] = self.terms.or_(created.get(thread, self.terms.false), self._all(after))
            if thread == len(self.result.creations):
                self.result.creations.append(event.number)
            elif self.result.creations[thread] != event.number:
                raise GaveUpError("one thread is created at several places")

    def _made(self, branch: Branch) -> list[int]:
        """The threads that a branch creates."""
        found = [edge for edge in branch.edges if isinstance(edge.instruction, Create)]
        return [self.steps.creation(self.steps.shape, edge)[1] for edge in found]

    # --- variables --------------------------------------------------------------------------------

    def kind(self, variable: Term) -> int | None:
        """The object whose contents or life a variable is; -1 for the state of a thread; None: a register."""
        role = self.terms.symbol(variable)
        if isinstance(role, ObjectRole):
            return role.number
        return None if isinstance(role, RegisterRole) else -1

    def is_shared(self, variable: Term) -> bool:
        """Whether several threads may use a variable, as far as claims go."""
        number = self.kind(variable)
        if number is None or isinstance(self.terms.symbol(variable), SizeRole):
            return False
        if number == -1 or number in self.claims.exposed:
            return True
        obj = self.places.abstract(self.steps.shape, number)
        return obj is None or self.sharing.is_shared(obj)

    def _own(self, variable: Term) -> None:
        """A thread uses a variable that no other one may."""
        number = self.kind(variable)
        is_size = isinstance(self.terms.symbol(variable), SizeRole)
        if number is None or is_size or self.is_shared(variable):
            return
        if self._owners.setdefault(number, self.thread) != self.thread:
            self._exposed.add(number)

    def _belongs(self, variable: Term, thread: int) -> bool:
        """Whether a variable is a register of a thread, or private memory that it is born with."""
        number, program = self.kind(variable), self.code.program
        role = self.terms.symbol(variable)
        if isinstance(role, RegisterRole):
            return role.thread == thread
        if number is None:
            return False
        first = program.local_number(thread, 0)
        return not self.is_shared(variable) and first <= number < first + program.local_slots

    def initial(self, variable: Term) -> Term:
        """What a variable holds when the program starts, or a register that was never set."""
        t, initial = self.terms, self.result.initial
        if variable not in initial:
            role, sort = t.symbol(variable), t.sort(variable)
            if isinstance(role, SizeRole):
                initial[variable] = t.const(self.vocabulary.instances[role.number].capacity, sort)
            elif self.kind(variable) is None:
                initial[variable] = t.const(False if sort == BOOL else 0, sort)
            else:
                given = self.steps.initial_values(self.steps.shape)
                initial.update({v: term for v, term in given.items() if v not in initial})
                initial.setdefault(variable, t.var(FirstRole(role), sort))
        return initial[variable]

    # --- heap blocks ------------------------------------------------------------------------------

    def _note_lives(self, state: UnrolledState, step: UnrolledStep) -> None:
        """Blocks that begin or end: where paths through a section were merged, on any of them."""
        edges = {id(edge): edge for branch, _, _ in step.branches for edge in branch.edges}
        if any(edge.source in self.code.inside for edge in edges.values()):
            edges = {id(edge): edge for edge in self.code.section(state.location)}
        for edge in edges.values():
            if isinstance(edge.instruction, Allocate | Free):
                is_free = isinstance(edge.instruction, Free)
                self._lives.append(
                    (self.thread, self._steps_taken, state.is_alone, self._all(state), is_free)
                )

    def _find_reuse(self) -> None:
        """Every block has a number of its own; where it could have that of a dead one, we do not know."""
        if not self.points_to.is_reusing:
            return
        for thread, at, is_alone, made, is_free in self._lives:
            for other, since, was_alone, freed, frees in self._lives:
                is_later = (other == thread and since > at) or (is_alone and not was_alone)
                if frees and not is_free and not is_later:
                    reason = "a heap block may get the number of a dead one"
                    self.result.troubles.append(BadEvent(self.terms.and_(made, freed), reason))


class _UnrolledResolver(Resolver):
    """Where accesses go: as known, else as the points-to analysis says; the rest is a trouble."""

    def __init__(self, unrolling: Unrolling) -> None:
        self.unrolling = unrolling

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[AccessTarget]:
        """Places that exist."""
        terms, pointers = self.unrolling.terms, self.unrolling.code.program.pointers
        pointer = terms.number(address)
        if pointer is None:
            return self.unrolling.places.listed(shape, edge)
        place = AccessTarget(pointers.number(pointer), pointers.offset(pointer))
        return [place] if place.number in self.unrolling.steps.vocabulary(shape).instances else []


def _written(t: Terms, old: Term | None, term: Term, depth: int = 0) -> tuple[Term, Term]:
    """When a variable gets a new value, and which, where it was ``old``: elsewhere it keeps that."""
    if term == old:
        return t.false, term
    if old is None or t.op(term) is not Op.ITE or depth > MOST_CASES:
        return t.true, term
    condition, then, otherwise = t.args(term)
    one, value = _written(t, old, then, depth + 1)
    other, second = _written(t, old, otherwise, depth + 1)
    if other == t.false:
        return t.and_(condition, one), value
    if one == t.false:
        return t.and_(t.not_(condition), other), second
    return t.ite(condition, one, other), t.ite(condition, value, second)
