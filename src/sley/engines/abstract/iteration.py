"""The least fixpoint that widening finds: states are joined at anchors until nothing changes.

A *task* is an anchor in a context: from its states, the function is walked to the next anchors.
Functions that are called come before their callers, and inner loops before what follows them. What
reads facts of memory that have changed waits until nothing else is left, since they change often.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush

from sley.base.budget import Budget
from sley.engines.abstract.collected import Collected, Task
from sley.engines.abstract.contexts import Contexts
from sley.engines.abstract.merging import Pace, Partitions
from sley.engines.abstract.summaries import GrowingSummaries
from sley.engines.abstract.thresholds import ENTRY_DELAY_FACTOR, JOIN_DELAY_FACTOR, LIBRARY_LOOP_DELAY
from sley.evidence.fixpoint.proof import Fixpoint, KnownState, known
from sley.laws.deadlocks import given_by, settle_threads
from sley.laws.once import Once
from sley.laws.races import Threads
from sley.laws.settled import Settled, is_flat
from sley.program.program import Edge, Program
from sley.program.properties import Property
from sley.semantics.abstract.calls import Call, Start, entered
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.objects import MANY_MAKERS, ObjectCell, ObjectKind
from sley.semantics.abstract.state import AbstractState
from sley.semantics.abstract.step import Stepper
from sley.semantics.abstract.values import Value, object_of
from sley.semantics.abstract.walk import FunctionGraph, walk

EXIT = -1
"""In place of an anchor: where a function returns."""


@dataclass
class Looked:
    """A context, and the states that are known of it."""

    context: Context
    at: dict[int, Partitions] = field(default_factory=dict)
    """Anchor, or ``EXIT`` -> the states there."""
    waiting: set[Task] = field(default_factory=set)
    """The tasks that continue from its exits."""
    is_entered: bool = False
    stepper: Stepper | None = None

    def states(self, location: int) -> Collection[AbstractState]:
        """Those at an anchor, or at ``EXIT``."""
        found = self.at.get(location)
        return () if found is None else found.states.values()

    @property
    def anchors(self) -> Iterator[tuple[int, list[AbstractState]]]:
        """Where a thread may be, and in which states."""
        return ((at, list(kept.states.values())) for at, kept in self.at.items() if at != EXIT)


class _BegunAnewError(Exception):
    """The states of the context at hand are to be found again."""


class Iteration(Collected):
    """All contexts, and what is known of memory, while they grow."""

    summaries: GrowingSummaries

    def __init__(
        self,
        program: Program,
        properties: frozenset[Property],
        budget: Budget,
        not_once: Collection[tuple[str, int]] = (),
    ) -> None:
        super().__init__(program)
        self.properties = properties
        self.budget = budget
        self.known: list[Looked] = []
        """By the indices of contexts."""
        self.summaries = GrowingSummaries(self.objects, self._continue, self._begin_anew)
        self.calls: dict[Call, int] = {}
        self.starts: dict[Start, int] = {}
        self.threads = Threads()
        self.steps = 0
        self._contexts = Contexts(program, self.graph)
        self._not_once = not_once
        """Where more than one object is made, as is known from before."""
        self._once_asked: set[int] = set()
        self._once = Once(self._contexts.listed, {}, {}, lambda name, at: at in self.graph(name).on_cycle)
        """What happens at most once, as far as is known by now: ever less."""
        self._roots = {0}
        """The contexts in which threads start."""
        self._begun_anew: set[int] = set()
        """Contexts that have lost their states since the visit began."""
        self._graphs: dict[str, FunctionGraph] = {}
        self._queue: list[tuple[int, int, int]] = []
        self._queued: set[Task] = set()

    def run(self) -> None:
        """From the beginning, until nothing changes."""
        self.begin(self._context("main", self.program.entry, None))
        self.run_on()

    def run_on(self) -> None:
        """Until nothing changes."""
        while self._queue or self.stale:
            if not self._queue:
                stale, self.stale = self.stale, set()
                for task in sorted(stale):
                    self._queue_task(task)
            _, at, location = heappop(self._queue)
            task = (-at, location)
            self._queued.discard(task)
            self.stale.discard(task)
            self._walk(task)

    def _walk(self, task: Task) -> None:
        self.budget.spend()
        index, location = self.current = task
        self._begun_anew.clear()
        looked = self.known[index]
        with suppress(_BegunAnewError):
            for state in list(looked.states(location)):
                self.steps += 1
                self.visit(self._stepper(looked), location, state)

    def _stepper(self, looked: Looked) -> Stepper:
        if looked.stepper is None:
            looked.stepper = Stepper(self.program, looked.context, self, self.properties)
        return looked.stepper

    def _queue_task(self, task: Task) -> None:
        if task not in self._queued:
            self._queued.add(task)
            index, location = task
            rank = self.graph(self.known[index].context.function).ranks.get(location, 0)
            heappush(self._queue, (self._priority(index, rank), -index, location))

    def _priority(self, index: int, rank: int) -> int:
        """Functions that are called before those that call them, unless they have returned and are long."""
        looked = self.known[index]
        is_later = bool(looked.states(EXIT)) and self._contexts.is_long(looked.context.function)
        return (0 if is_later else -(1 << 50)) - index * 1_000_000 + rank

    def _continue(self, index: int) -> None:
        for task in self.known[index].waiting:
            self._queue_task(task)

    def _begin_anew(self, index: int) -> None:
        if index not in self._roots:
            looked = self.known[index]
            looked.is_entered = False
            looked.at.clear()
            self.summaries.forget(index)
            self._begun_anew.add(index)

    def _go_on(self) -> None:
        """Not with a state that was given too little."""
        if self.current[0] in self._begun_anew:
            raise _BegunAnewError

    def graph(self, function: str) -> FunctionGraph:
        """What walking a function needs."""
        if function not in self._graphs:
            self._graphs[function] = FunctionGraph(self.program.terms, self.program.functions[function])
        return self._graphs[function]

    def _partitions(self, context: Context, location: int) -> Partitions:
        at = self.known[context.index].at
        if location not in at:
            at[location] = Partitions(self, self.delayed, self._pace(context, location))
        return at[location]

    def _pace(self, context: Context, location: int) -> Pace:
        if location == EXIT:
            return Pace()
        graph = self.graph(context.function)
        changing = graph.changing.get(location)
        delay = JOIN_DELAY_FACTOR if changing is None else 1
        if location == graph.function.entry:
            delay = ENTRY_DELAY_FACTOR
        if context.index in self._contexts.for_all:
            return Pace(delay, 0, changing)
        is_library_loop = changing is not None and graph.function.is_library
        return Pace(delay, LIBRARY_LOOP_DELAY if is_library_loop else None, changing)

    def arrive(self, context: Context, location: int, state: AbstractState) -> None:
        """The state is added to those at the anchor."""
        self.known[context.index].is_entered = True
        if self._partitions(context, location).add(state):
            self._queue_task((context.index, location))

    def exit(self, context: Context, state: AbstractState) -> None:
        """The state is added; the calls in it continue."""
        if self._partitions(context, EXIT).add(state):
            self._continue(context.index)

    def exits(self, context: Context) -> Iterable[AbstractState]:
        """As far as is known by now; with further ones, the task is taken again."""
        looked = self.known[context.index]
        looked.waiting.add(self.current)
        return list(looked.states(EXIT))

    def _context(self, key: object, function: str, thread: int | None) -> Context:
        return self._added(self._contexts.get(key, function, thread))

    def _added(self, context: Context) -> Context:
        if context.index == len(self.known):
            self.known.append(Looked(context))
            if self.summaries.add(context):
                self.changed_life(context.thread)
        return context

    def enter(self, context: Context, state: AbstractState, caller: AbstractState | None = None) -> None:
        """What the caller owns and does not pass is noted: if it is asked for, the call begins anew."""
        if caller is not None and caller.is_early:
            self.summaries.withhold(context.index, caller.memory.keys() - state.memory.keys())
        super().enter(context, state, caller)

    def callee(self, place: Call, edge: Edge, arguments: Sequence[Value], state: AbstractState) -> Context:
        """The context of a call, which is chosen when the call is met first."""
        caller, location, function, _ = place
        index = self.calls.get(place)
        if index is None:
            draft = entered(state, self.program.functions[function], -1, arguments, self)
            context = self.known[caller].context
            inside = self._added(self._contexts.of_call(context, edge, function, draft))
            index = inside.index
            if not self.known[index].is_entered:
                self.summaries.ask_for(index, arguments)
            self.calls[place] = index
            self._once.enter(index, caller, location)
            self.summaries.enter(index, caller)
            self._go_on()
        return self.known[index].context

    def starter(self, place: Start, thread: int, creator: Context, state: AbstractState) -> Context:
        """A context for each function and kind of threads."""
        context = self._context(("start", place[2], thread), place[2], thread)
        self._roots.add(context.index)
        if place not in self.starts:
            self.starts[place] = context.index
            self._once.enter(context.index, *place[:2])
        self.threads.start(thread, creator.thread, state.running)
        children = self.summaries.children.setdefault(creator.thread, set())
        if thread not in children:
            children.add(thread)
            self.changed_all(ObjectKind.THREAD)
        return context

    def is_root(self, context: Context) -> bool:
        """Whether threads start in a context."""
        return context.index in self._roots

    def asks(self, context: Context, obj: int) -> None:
        """Callers have to tell the context of an object."""
        asked = self.summaries.asked
        if obj not in asked[context.index]:
            self.summaries.tell(asked, context.index, {obj})
            self._go_on()

    def handles(self, context: Context, objs: Collection[int]) -> None:
        """Locks in these objects may be taken or given back."""
        handled = self.summaries.handled
        if not handled[context.index].issuperset(objs):
            self.summaries.tell(handled, context.index, objs)

    def is_once(self, obj: int) -> bool:
        """As far as is known by now; ``made_again`` looks in the end."""
        if self.objects.kind(obj) is ObjectKind.STATIC:
            return True
        origin = self.objects.origins[obj]
        if origin.kind is not ObjectKind.HEAP or origin.context == MANY_MAKERS:
            return False
        if (origin.name, origin.number) in self._not_once:
            return False
        if not self._once.is_made_once(origin):
            return False  # nor will it be when more calls are known, so that nothing begins again for it
        self._once_asked.add(obj)
        return True

    def made_again(self) -> set[tuple[str, int]]:
        """Where more than one object may be made although only one was counted on."""
        asked = [self.objects.origins[obj] for obj in self._once_asked]
        return {(origin.name, origin.number) for origin in asked if not self._once.is_made_once(origin)}

    def take(
        self, found: Mapping[Task, Iterable[AbstractState]], memory: dict[int, dict[ObjectCell, Value]]
    ) -> None:
        """Go on from other states and other memory, until nothing changes."""
        before = [looked.at for looked in self.known]
        for looked in self.known:
            looked.at = {}
        for (index, location), states in found.items():
            kept = before[index].get(location) or self._partitions(self.known[index].context, location)
            kept.states = {state.partition: state for state in states}
            self.known[index].at[location] = kept
            if location != EXIT:
                self._queue_task((index, location))
        self.memory = memory
        self._wholes.clear()
        held = (value for cells in memory.values() for value in cells.values())
        self.escaped = {object_of(reference) for value in held for reference, _ in value.places}
        self.run_on()

    def settled(self) -> Settled:
        """What is proved, once nothing changes."""
        found = Settled(is_flat=is_flat(self.program))
        for looked in self.known:
            stepper = Stepper(self.program, looked.context, self, self.properties, found)
            graph = self.graph(looked.context.function)
            leave = partial(self.leave, stepper) if self.is_root(looked.context) else _ignore
            for location, states in looked.anchors:
                for state in states:
                    walk(graph, stepper, location, state, _ignore, leave)

        def is_once(obj: int) -> bool:
            return self._once.is_made_once(self.objects.origins[obj])

        given = given_by(self.program, self._contexts.listed, lambda at, to: self.known[at].states(to))
        settle_threads(found, self, self.threads, is_once, given)
        return found

    def proof(self) -> Fixpoint:
        """All that was found."""

        def kept(looked: Looked, states: Iterable[AbstractState]) -> tuple[KnownState, ...]:
            return tuple(known(self.program.functions[looked.context.function], one) for one in states)

        return Fixpoint(
            tuple(self.objects.origins),
            tuple(self._contexts.listed),
            {
                (looked.context.index, location): kept(looked, states)
                for looked in self.known
                for location, states in looked.anchors
            },
            {looked.context.index: kept(looked, looked.states(EXIT)) for looked in self.known},
            dict(self.calls),
            dict(self.starts),
            {cell: value for cells in self.memory.values() for cell, value in cells.items()},
            frozenset(self.shared),
            frozenset(self.outlived),
            frozenset(self.outlived_later),
            frozenset(self.locked),
            frozenset(self.overwritten),
            None if self.replaced is None else frozenset(self.replaced),
            {index: frozenset(objs) for index, objs in self.summaries.asked.items()},
            {index: frozenset(objs) for index, objs in self.summaries.handled.items()},
            frozenset(self._once_asked),
        )


def _ignore(*_: object) -> None:
    """Nothing changes any more."""
