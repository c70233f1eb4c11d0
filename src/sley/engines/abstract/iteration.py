"""The least fixpoint that widening finds: states are joined where ways meet until nothing is new."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from heapq import heappop, heappush

from sley.base.budget import Budget
from sley.evidence.fixpoint.proof import Fixpoint, known
from sley.laws.deadlocks import Deadlocks, given_by
from sley.laws.once import Once
from sley.laws.races import Threads, settle_races
from sley.laws.settled import Settled, is_flat
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import PROCESS_END, THREAD_END, Edge, Function, Program
from sley.program.properties import Property
from sley.program.rewriting import read_terms
from sley.semantics.abstract.calls import ENDING, Call, Start, entered, first, left, returned, started
from sley.semantics.abstract.facts import Facts, Mentions, made_in, offspring_of, starts_threads
from sley.semantics.abstract.objects import MANY_MAKERS, Cell, Kind, Objects
from sley.semantics.abstract.state import State, covers, joined, without_token
from sley.semantics.abstract.step import Stepper
from sley.semantics.abstract.values import (
    NOTHING,
    Value,
    Widening,
    is_within,
    object_of,
    union,
    widened,
    widening,
)
from sley.semantics.abstract.walk import Graph, walk
from sley.semantics.abstract.world import Context

MOST_CONTEXTS = 5
"""Of a function and a kind of threads ..."""

MANY_CONTEXTS = 300
"""Of all functions of the program's own; from then on one ..."""

MOST_LIBRARY_CONTEXTS = 2_000
"""... and of one of the library: who cannot tell mutexes apart where they are locked proves little."""

MOST_LOCKED = 10
"""So many times as many if they differ in the locks that are held: who forgets these proves little."""

MOST_MAKERS = 8
"""Of a function, contexts in which what it makes is told from what it makes in others ..."""

FEWER_MAKERS, MANY = 2, 100
"""... and once there are so many contexts: each kind of threads has contexts for itself."""

MOST_PARTITIONS = 6
"""Of states at one place."""

PATIENCE = 3
"""So often a state or a cell may grow before its bounds are widened."""

CALM_AT_ENTRIES, CALM = 3, 8
"""So many times as often where functions begin, and where no loop does: those of loops come to rest first."""

HASTE = 2
"""So often where a loop of the library begins, whose bounds are in its conditions."""

ALL_SITES, ONE_SITE = "all sites", "one site"
"""In the key of a context of the library: for all calls, or for one."""

LIFE, WRITES = -2, -3
"""Offsets that no cell has."""

EXIT = -1
"""In place of an anchor: where a function returns."""

Task = tuple[int, int]
"""A context and an anchor."""


@dataclass
class _Known:
    """What is known of a context."""

    context: Context
    states: dict[int, dict[object, State]] = field(default_factory=dict)
    exits: dict[object, State] = field(default_factory=dict)
    growth: dict[tuple[int, object], int] = field(default_factory=dict)
    waiting: set[Task] = field(default_factory=set)
    """Who wants to know of new exits."""
    is_for_all: bool = False
    """Whether it is that of a function of the library that repeats something, for all who call it ..."""
    is_for_one: bool = False
    """... or that of one call of a function of the library."""
    stepper: Stepper | None = None


class _BegunAnewError(Exception):
    """What is known of the context at hand is to be found again."""


class Iteration(Facts):
    """All contexts, and what is known of memory, while they grow."""

    def __init__(
        self,
        program: Program,
        properties: frozenset[Property],
        budget: Budget,
        not_once: Collection[tuple[str, int]] = (),
    ) -> None:
        super().__init__(Objects(program))
        self.program = program
        self.properties = properties
        self.budget = budget
        self.contexts: list[_Known] = []
        self.calls: dict[Call, int] = {}
        self.starts: dict[Start, int] = {}
        self.threads = Threads()
        self.steps = 0
        self.shared: set[int] = set()
        self.outlived: set[int] = set()
        self.outlived_later: set[int] = set()
        self._not_once = not_once
        """Where more than one object is made, as is known from before."""
        self._once_asked: set[int] = set()
        self._listed: list[Context] = []
        self._once = Once(self._listed, {}, {}, lambda name, at: at in self.graph(name).on_cycle)
        """What happens at most once, as far as is known by now: ever less."""
        self._keys: dict[object, int] = {}
        self._roots = {0}
        """The contexts in which threads start."""
        self._count: dict[object, int] = {}
        self._own_contexts = 0
        """Those of functions that are not of the library."""
        self._makers: dict[str, int] = {}
        """Function -> in how many contexts it is looked at."""
        self._made: dict[int, set[int]] = {}
        self._asked: dict[int, set[int]] = {}
        self._loops: dict[str, bool] = {}
        self._handled: dict[int, set[int]] = {}
        self._begun_anew: set[int] = set()
        """Contexts without states again since the visit began."""
        self._withheld: dict[int, set[int]] = {}
        """Context -> what its callers owned and did not tell it of."""
        self._mentions = Mentions(self.objects)
        self._starting: set[int] = set()
        """Contexts that start threads."""
        self._callers: dict[int, set[int]] = {}
        self._graphs: dict[str, Graph] = {}
        self._readers: dict[int, dict[Cell, set[Task]]] = {}
        """Object -> its cells, and who has read them; that at ``LIFE`` stands for the object itself, that at
        ``WRITES`` for what is overwritten in it."""
        self._some_lock = Cell(self.objects.outside, WRITES, 1)
        self._cell_growth: dict[Cell, int] = {}
        self._children: dict[int | None, set[int]] = {}
        self._functions: dict[int | None, set[str]] = {}
        self._queue: list[tuple[int, int, int]] = []
        self._queued: set[Task] = set()
        self._stale: set[Task] = set()
        self._current: Task = (0, 0)
        self._widen = Widening(*[widening(thresholds(program))] * 2)

    # --- the loop -----------------------------------------------------------------------------

    def run(self) -> None:
        """From the beginning, until nothing is new."""
        main = self.program.functions[self.program.entry]
        index = self._context("main", main.name, None)
        self._enter(index, first(main))
        self.run_on()

    def run_on(self) -> None:
        """Until nothing is new."""
        while self._queue or self._stale:
            if not self._queue:
                self._look_again()
            _, at, location = heappop(self._queue)
            task = (-at, location)
            self._queued.discard(task)
            self._stale.discard(task)
            self._visit(task)

    def _look_again(self) -> None:
        """Whoever has read memory that has changed does so when nothing else is new: it changes often."""
        stale, self._stale = self._stale, set()
        for task in sorted(stale):
            self._queue_task(task)

    def _visit(self, task: Task) -> None:
        self.budget.spend()
        index, location = task
        known = self.contexts[index]
        states = known.states.get(location, {})
        self._current = task
        self._begun_anew.clear()
        graph, stepper = self.graph(known.context.function), self._stepper(known)
        with suppress(_BegunAnewError):
            for state in list(states.values()):
                self.steps += 1
                walk(
                    graph,
                    stepper,
                    location,
                    state,
                    lambda at, following: self._arrive(index, at, following),
                    lambda edge, back, last: self._leave(known, edge, back, last),
                )

    def _stepper(self, known: _Known) -> Stepper:
        if known.stepper is None:
            known.stepper = Stepper(self.program, known.context, self, self.properties)
        return known.stepper

    def graph(self, function: str) -> Graph:
        """What walking a function needs."""
        if function not in self._graphs:
            self._graphs[function] = Graph(self.program.terms, self.program.functions[function])
        return self._graphs[function]

    def _queue_task(self, task: Task) -> None:
        if task not in self._queued:
            self._queued.add(task)
            index, location = task
            rank = self.graph(self.contexts[index].context.function).ranks.get(location, 0)
            heappush(self._queue, (self._priority(index, rank), -index, location))

    def _priority(self, index: int, rank: int) -> int:
        """Functions that are called before those that call them, unless they have returned and are long."""
        known = self.contexts[index]
        is_later = bool(known.exits) and self._is_long(known.context.function)
        return (0 if is_later else -(1 << 50)) - index * 1_000_000 + rank

    def _enter(self, index: int, state: State) -> None:
        graph = self.graph(self.contexts[index].context.function)
        entry = graph.function.entry
        self._arrive(index, entry, graph.relevant(entry, state))

    def _arrive(self, index: int, location: int, state: State) -> None:
        known = self.contexts[index]
        states = known.states.setdefault(location, {})
        graph = self.graph(known.context.function)
        changing = graph.changing.get(location)
        is_entry = location == graph.function.entry
        calm = CALM_AT_ENTRIES if is_entry else CALM if changing is None else 1
        in_haste = known.is_for_all
        if changing is not None and graph.function.is_library:
            in_haste |= known.growth.get((location, state.partition), 0) >= HASTE
        growth = known.growth
        if self._merge(states, state, growth, location, calm=calm, in_haste=in_haste, changing=changing):
            self._queue_task((index, location))

    def _merge(
        self,
        states: dict[object, State],
        state: State,
        growth: dict[tuple[int, object], int],
        location: int,
        *,
        calm: int = 1,
        in_haste: bool = False,
        changing: Collection[Term] | None = None,
    ) -> bool:
        """Add a state; whether that was news."""
        key = state.partition
        found = states.get(key)
        if found is None and len(states) >= MOST_PARTITIONS:
            return self._merge_all(states, state)
        if found is None:
            states[key] = state
            return True
        if covers(found, state, self):
            return False
        count = growth[location, key] = growth.get((location, key), 0) + 1
        widen = FAR if in_haste else self._widening(count // calm)
        made = joined(found, state, self, widen, changing)
        if made.partition != key:
            del states[key]
            self._merge(states, made, growth, location, calm=calm, in_haste=in_haste, changing=changing)
            return True
        states[key] = made
        return True

    def _widening(self, count: int) -> Widening | None:
        """First none, then to what the program mentions, then far."""
        if count <= PATIENCE:
            return None
        return self._widen if count <= 2 * PATIENCE else FAR

    def _merge_all(self, states: dict[object, State], state: State) -> bool:
        """Too many: those that can be one become one."""
        alike = [
            one for one in states.values() if one.depth == state.depth and one.is_early == state.is_early
        ]
        if any(covers(one, state, self) for one in alike):
            return False
        made = state
        for one in alike:
            del states[one.partition]
            made = joined(made, one, self, FAR)
        states[made.partition] = made
        return True

    def _leave(self, known: _Known, edge: Edge, back: ir.Return, state: State) -> None:
        stepper, context = self._stepper(known), known.context
        if context.index in self._roots:
            self._finish(stepper, edge, back, state)
            return
        value = None if back.value is None else stepper.value(back.value, state)
        gone = left(self.program.functions[context.function], value, state)
        if self._merge(known.exits, gone, known.growth, EXIT):
            for task in known.waiting:
                self._queue_task(task)

    def _finish(self, stepper: Stepper, edge: Edge, back: ir.Return, state: State) -> None:
        """A thread returns from the function that it started with."""
        context = stepper.context
        value = None if back.value is None else stepper.value(back.value, state)
        last = PROCESS_END if context.thread is None else THREAD_END
        ends = [state]
        if last in self.program.functions:
            ends = self.call(context, edge, last, (), state, is_ending=True)
        for end in ends:
            stepper.finished(edge, value, end)

    # --- contexts -----------------------------------------------------------------------------

    def _context(self, key: object, function: str, thread: int | None) -> int:
        found = self._keys.get(key)
        if found is None:
            found = self._keys[key] = len(self.contexts)
            context = Context(found, function, thread, self._has_many_makers(function))
            self._makers[function] = self._makers.get(function, 0) + 1
            self.contexts.append(_Known(context))
            self._listed.append(context)
            self._own_contexts += not self.program.functions[function].is_library
            self._made[found] = {~found, *made_in(context, self.objects)}
            self._note_starting(found, self._made[found])
            self._asked[found] = self._mentions.of(function)  # who asks late has to begin anew
            self._handled[found] = set()
            self._note_kind(found, key)
            functions = self._functions.setdefault(thread, set())
            if function not in functions:
                functions.add(function)
                self._changed(self._life_of(thread))
        return found

    def _note_kind(self, index: int, key: object) -> None:
        last = key[-1] if isinstance(key, tuple) else None
        if last == ALL_SITES:
            self.contexts[index].is_for_all = True
        if last == ONE_SITE:
            self.contexts[index].is_for_one = True

    def _note_starting(self, index: int, made: Iterable[int]) -> None:
        if starts_threads(made, self.objects):
            self._starting.add(index)

    def _key(self, context: Context, edge: Edge, function: str, state: State) -> object:
        called = self.program.functions[function]
        general = (function, context.thread, state.depth, state.is_early)
        is_told_apart = function in self._makes and not self._has_many_makers(function)
        site = (context.index, edge.source) if is_told_apart else None
        arguments = tuple(
            tuple(
                (reference, offset.residue if offset.modulus == 0 and called.is_library else None)
                for reference, offset in value.places
            )
            for value in state.registers.values()
        )
        if called.is_library and self._is_by_site(context, function, state):
            key: object = (*general, context.index, edge.source, state.held, ONE_SITE)
            if key in self._keys:
                return key
            if self._count.get(general, 0) < MOST_LIBRARY_CONTEXTS:
                self._count[general] = self._count.get(general, 0) + 1
                return key
        if self._is_long(function):
            return (*general, state.held, ALL_SITES)
        most = MOST_LIBRARY_CONTEXTS if called.is_library else self._most_contexts
        exact, locked = (*general, site, state.held, arguments), (*general, state.held)
        for key, limit in ((exact, most), (locked, MOST_LOCKED * most)):
            if key in self._keys:
                return key
            if self._count.get(general, 0) < limit:
                self._count[general] = self._count.get(general, 0) + 1
                return key
        return general

    @cached_property
    def _makes(self) -> set[str]:
        return set(_makers(self.program))

    @property
    def _most_contexts(self) -> int:
        """In large programs the first functions that are met have had their share."""
        return MOST_CONTEXTS if self._own_contexts < MANY_CONTEXTS else 1

    def _has_many_makers(self, function: str) -> bool:
        """Whether further contexts of a function share the objects that are made in them."""
        most = MOST_MAKERS if self._own_contexts < MANY else FEWER_MAKERS
        return function in self._makes and self._makers.get(function, 0) >= most

    def _is_long(self, function: str) -> bool:
        """Whether the library repeats something there: what it is called with matters little to users."""
        return self.program.functions[function].is_library and bool(self.graph(function).on_cycle)

    def _is_by_site(self, context: Context, function: str, state: State) -> bool:
        """Whether each call has a context of its own: how far a loop goes, or where something is put."""
        values = state.registers.values()
        is_given_address = any(value.places for value in values)
        is_given_number = any(
            not value.places and value.number is not None and value.number.modulus for value in values
        )
        if is_given_address and (is_given_number or self._reaches_loop(function)):
            return True
        return self.contexts[context.index].is_for_one

    def _reaches_loop(self, function: str) -> bool:
        """Whether something is repeated there, or in what is called there."""
        found = self._loops.get(function)
        if found is None:
            self._loops[function] = False  # for those that call themselves
            edges = self.program.functions[function].edges
            called = {edge.instruction.function for edge in edges if isinstance(edge.instruction, ir.Call)}
            found = bool(self.graph(function).on_cycle) or any(map(self._reaches_loop, sorted(called)))
            self._loops[function] = found
        return found

    def call(
        self,
        context: Context,
        edge: Edge,
        function: str,
        arguments: Sequence[Value],
        state: State,
        *,
        is_ending: bool = False,
    ) -> list[State]:
        """What is known so far of the states after a call."""
        called = self.program.functions[function]
        location = ENDING if is_ending else edge.source
        target = None if is_ending else edge.instruction.target  # type: ignore[union-attr]
        token = ("load", context.index, edge.source)
        state = without_token(state, token)
        place = (context.index, location, function, state.partition)
        index = self.calls.get(place)
        if index is None:
            draft = entered(state, called, -1, arguments, self)
            index = self._context(self._key(context, edge, function, draft), function, context.thread)
            if not self.contexts[index].states:
                self._asked[index].update(object_of(r) for value in arguments for r, _ in value.places)
            self.calls[place] = index
            self._once.enter(index, context.index, location)
            self._callers.setdefault(index, set()).add(context.index)
            self._tell_callers(self._made, context.index, self._made[index])
            self._tell_callers(self._asked, context.index, self._asked[index])
            self._tell_callers(self._handled, context.index, self._handled[index])
            self._go_on()
        entry = entered(state, called, index, arguments, self)
        if state.is_early:
            self._withheld.setdefault(index, set()).update(state.memory.keys() - entry.memory.keys())
        self._enter(index, entry)
        known = self.contexts[index]
        known.waiting.add(self._current)
        result = None if target is None else (target.term, token)
        contexts = (context.index, index)
        return [
            returned(state, called, last, contexts, arguments, result, self)
            for last in list(known.exits.values())
        ]

    def start(
        self,
        context: Context,
        edge: Edge,
        thread: int,
        function: str,
        arguments: Sequence[Value],
        state: State,
    ) -> None:
        """A thread starts in a context of its own."""
        called = self.program.functions[function]
        index = self._context(("start", function, thread), function, thread)
        self._roots.add(index)
        if (context.index, edge.source, function) not in self.starts:
            self.starts[context.index, edge.source, function] = index
            self._once.enter(index, context.index, edge.source)
        self.threads.start(thread, context.thread, state.running)
        children = self._children.setdefault(context.thread, set())
        if thread not in children:
            children.add(thread)
            for obj in list(self._readers):
                if self.objects.kind(obj) is Kind.THREAD:
                    self._all_look_again(obj)
        self._enter(index, started(called, index, arguments))

    def _tell_callers(self, known: dict[int, set[int]], context: int, objs: Collection[int]) -> None:
        """What a call in a context may make, or asks: who calls it looks again.

        Whoever has to be given more static objects than it was begins anew.
        """
        waiting = [context]
        while waiting:
            index = waiting.pop()
            news = set(objs) - known[index]
            if news:
                was_given_all = self.asked(index) is None
                known[index] |= news
                if known is self._made:
                    self._note_starting(index, news)
                is_given_all = self.asked(index) is None
                withheld = self._withheld.get(index, set()) if known is not self._handled else set()
                if not was_given_all and (is_given_all or not withheld.isdisjoint(news)):
                    self._begin_anew(index)
                for task in self.contexts[index].waiting:
                    self._queue_task(task)
                waiting += self._callers.get(index, ())

    def _begin_anew(self, index: int) -> None:
        known = self.contexts[index]
        if index not in self._roots:
            known.states.clear()
            known.exits.clear()
            known.growth.clear()
            self._withheld.pop(index, None)
            self._begun_anew.add(index)

    def _go_on(self) -> None:
        """Not with a state that was given too little."""
        if self._current[0] in self._begun_anew:
            raise _BegunAnewError

    def made(self, context: int) -> Collection[int]:
        """As far as is known by now."""
        return self._made.get(context, ())

    def asks(self, context: Context, obj: int) -> None:
        """Those who call it have to tell it."""
        if obj not in self._asked[context.index]:
            self._tell_callers(self._asked, context.index, {obj})
            self._go_on()

    def asked(self, context: int) -> Collection[int] | None:
        """As far as is known by now."""
        return None if context in self._starting else self._asked.get(context, ())

    def handles(self, context: Context, objs: Collection[int]) -> None:
        """Those who call it have to know."""
        if not self._handled[context.index].issuperset(objs):
            self._tell_callers(self._handled, context.index, objs)

    def handled(self, context: int) -> Collection[int]:
        """As far as is known by now."""
        return self._handled[context]

    def _life_of(self, thread: int | None) -> Cell:
        return Cell(self.objects.outside if thread is None else thread, LIFE, 1)

    def functions_of(self, thread: int | None) -> Collection[str]:
        """The functions that a thread may be in, as far as is known."""
        self._note_reader(self._life_of(thread))
        return self._functions.get(thread, ())

    def offspring(self, thread: int) -> Iterable[int]:
        """All threads that come of a thread."""
        self._note_reader(Cell(thread, LIFE, 1))
        return offspring_of(self._children, thread)

    # --- memory -------------------------------------------------------------------------------

    def _note_reader(self, cell: Cell) -> None:
        self._readers.setdefault(cell.object, {}).setdefault(cell, set()).add(self._current)

    def _changed(self, cell: Cell) -> None:
        """Who has read a cell, or one that overlaps it, has to look again."""
        readers = self._readers.get(cell.object, {})
        self._stale |= readers.get(cell, frozenset())
        if cell.offset not in (LIFE, WRITES):
            for other, tasks in readers.items():
                if other.offset not in (LIFE, WRITES) and self.objects.meet(cell, other):
                    self._stale |= tasks

    def _all_look_again(self, obj: int) -> None:
        for tasks in self._readers.get(obj, {}).values():
            self._stale |= tasks

    def read(self, cell: Cell) -> Value:
        """Who reads it now looks again when it changes."""
        self._note_reader(cell)
        return super().read(cell)

    def write(self, cell: Cell, value: Value) -> None:
        """Add a value; who has read the cell looks again."""
        cells = self.memory.setdefault(cell.object, {})
        found = cells.get(cell, NOTHING)
        if is_within(value, found) and cell in cells:
            return
        count = self._cell_growth[cell] = self._cell_growth.get(cell, 0) + 1
        widen = self._widening(count)
        made = union(found, value) if widen is None else widened(found, value, widen)
        cells[cell] = made
        self._wholes.pop(cell.object, None)
        for reference, _ in value.places:
            if object_of(reference) not in self.escaped:
                self.escaped.add(object_of(reference))
                self._changed(Cell(object_of(reference), LIFE, 1))
        if self.is_shared(cell.object):
            for reference, _ in value.places:
                self.share(object_of(reference))
        self._changed(cell)

    def share(self, obj: int) -> None:
        """An object, and all that it leads to, may be known to several threads."""
        if self.is_shared(obj) or (self.objects.kind(obj) is Kind.THREAD_LOCAL and obj in self.shared):
            return
        self.shared.add(obj)
        for value in list(self.memory.get(obj, {}).values()):
            for reference, _ in value.places:
                self.share(object_of(reference))
        self._changed(Cell(obj, LIFE, 1))

    def keep_initial(self, cells: frozenset[Cell]) -> None:
        """A thread is created; what else static cells hold is their initial value."""
        was = self.replaced
        now = cells if was is None else frozenset(was) & cells
        if now == was:
            return
        self.replaced = now
        for obj in list(self._readers):
            if self.objects.kind(obj) is Kind.STATIC:
                self._all_look_again(obj)
        # what static objects hold leads to what others reach
        for obj in range(len(self.objects)):
            if self.objects.kind(obj) is Kind.STATIC:
                declared = self.objects.declaration(obj)
                for _, value in declared.initial if declared is not None else ():
                    place = self.objects.static_place(value)
                    if place is not None:
                        self.share(object_of(place[0]))

    def is_escaped(self, obj: int) -> bool:
        """As far as is known by now."""
        self._note_reader(Cell(obj, LIFE, 1))
        return super().is_escaped(obj)

    def is_shared(self, obj: int) -> bool:
        """As far as is known by now."""
        self._note_reader(Cell(obj, LIFE, 1))
        return super().is_shared(obj)

    def is_outlived(self, obj: int, *, not_by_first: bool = False) -> bool:
        """As far as is known by now."""
        self._note_reader(Cell(obj, LIFE, 1))
        return super().is_outlived(obj, not_by_first=not_by_first)

    def outlive(self, obj: int, thread: int | None) -> None:
        """Who has asked looks again."""
        for objs in (self.outlived,) if thread is None else (self.outlived, self.outlived_later):
            if obj not in objs:
                objs.add(obj)
                self._changed(Cell(obj, LIFE, 1))

    def locks(self, cells: Iterable[Cell]) -> None:
        """Who has read these cells looks again."""
        for cell in cells:
            if cell not in self.locked:
                self.locked.add(cell)
                self._changed(cell)
                if self.overwritten.meets(cell):
                    self._changed(self._some_lock)

    def is_locked(self, cell: Cell) -> bool:
        """As far as is known by now."""
        self._note_reader(cell)
        return super().is_locked(cell)

    def is_lock(self, cell: Cell) -> bool:
        """As far as is known by now."""
        self._note_reader(cell)
        return super().is_lock(cell)

    def overwrites(self, cells: Iterable[Cell]) -> None:
        """Who has asked looks again."""
        for cell in cells:
            if cell not in self.overwritten:
                self.overwritten.add(cell)
                self._changed(Cell(cell.object, WRITES, 1))
                if self.locked.meets(cell):
                    self._changed(self._some_lock)

    def is_overwritten(self, cell: Cell) -> bool:
        """As far as is known by now."""
        self._note_reader(Cell(cell.object, WRITES, 1))
        return super().is_overwritten(cell)

    def is_some_lock_overwritten(self) -> bool:
        """As far as is known by now."""
        self._note_reader(self._some_lock)
        return super().is_some_lock_overwritten()

    def is_once(self, obj: int) -> bool:
        """As far as is known by now; ``made_again`` looks in the end."""
        if self.objects.kind(obj) is Kind.STATIC:
            return True
        origin = self.objects.origins[obj]
        if origin.kind is not Kind.HEAP or origin.context == MANY_MAKERS:
            return False
        if (origin.name, origin.number) in self._not_once:
            return False
        if not self._once.is_made_once(origin):
            return False  # nor will it be when more calls are known, so that nobody need begin again for it
        self._once_asked.add(obj)
        return True

    def made_again(self) -> set[tuple[str, int]]:
        """Where more than one object may be made although only one was counted on."""
        asked = [self.objects.origins[obj] for obj in self._once_asked]
        return {(origin.name, origin.number) for origin in asked if not self._once.is_made_once(origin)}

    def is_root(self, index: int) -> bool:
        """Whether threads start in a context."""
        return index in self._roots

    # --- narrowing ----------------------------------------------------------------------------

    def take(self, found: Mapping[Task, dict[object, State]], memory: dict[int, dict[Cell, Value]]) -> None:
        """Go on from other states and other memory, until nothing is new."""
        for one in self.contexts:
            one.states.clear()
            one.exits.clear()
        for (index, location), states in found.items():
            if location == EXIT:
                self.contexts[index].exits.update(states)
            else:
                self.contexts[index].states[location] = dict(states)
                self._queue_task((index, location))
        self.memory = memory
        self._wholes.clear()
        held = (value for cells in memory.values() for value in cells.values())
        self.escaped = {object_of(reference) for value in held for reference, _ in value.places}
        self.run_on()

    # --- the result ---------------------------------------------------------------------------

    def settled(self) -> Settled:
        """What is proved, once nothing is new."""
        found = Settled(is_flat=is_flat(self.program))
        for one in self.contexts:
            stepper = Stepper(self.program, one.context, self, self.properties, found)
            graph = self.graph(one.context.function)
            is_root = one.context.index in self._roots
            leave = partial(self._finish, stepper) if is_root else lambda *_: None
            for location, states in one.states.items():
                for state in states.values():
                    walk(graph, stepper, location, state, lambda *_: None, leave)

        def is_once(obj: int) -> bool:
            return self._once.is_made_once(self.objects.origins[obj])

        self.threads.started_once(self.objects, is_once)
        settle_races(found, self, self.threads, is_once)
        contexts = [known.context for known in self.contexts]
        given = given_by(self.program, contexts, self._states_at)
        Deadlocks(found, self, self.threads, is_once, given).settle()
        return found

    def _states_at(self, index: int, location: int) -> Iterable[State]:
        return self.contexts[index].states.get(location, {}).values()

    def proof(self) -> Fixpoint:
        """All that was found."""

        def function_of(one: _Known) -> Function:
            return self.program.functions[one.context.function]

        return Fixpoint(
            tuple(self.objects.origins),
            tuple(known.context for known in self.contexts),
            {
                (one.context.index, location): tuple(known(function_of(one), s) for s in states.values())
                for one in self.contexts
                for location, states in one.states.items()
            },
            {
                one.context.index: tuple(known(function_of(one), state) for state in one.exits.values())
                for one in self.contexts
            },
            dict(self.calls),
            dict(self.starts),
            {cell: value for cells in self.memory.values() for cell, value in cells.items()},
            frozenset(self.shared),
            frozenset(self.outlived),
            frozenset(self.outlived_later),
            frozenset(self.locked),
            frozenset(self.overwritten),
            None if self.replaced is None else frozenset(self.replaced),
            {index: frozenset(objs) for index, objs in self._asked.items()},
            {index: frozenset(objs) for index, objs in self._handled.items()},
            frozenset(self._once_asked),
        )


BOUNDS = tuple(
    sorted({-1, 0}.union(*({-(1 << (w - 1)), (1 << (w - 1)) - 1, (1 << w) - 1} for w in (8, 16, 32, 64))))
)
"""Where bounds of numbers stop at last: what types can hold."""

FARTHEST = 1 << 63
"""Where bounds of offsets stop at last."""

FAR = Widening(widening(BOUNDS), widening((-FARTHEST, 0, FARTHEST)))


def _makers(program: Program) -> Iterator[str]:
    """The functions that make blocks or threads."""
    for function in program.functions.values():
        makes = ir.Allocate | ir.Create | ir.CreatePointer
        if any(isinstance(edge.instruction, makes) for edge in function.edges):
            yield function.name


def thresholds(program: Program) -> tuple[int, ...]:
    """Where bounds stop for a while: constants of the program, last elements, what types can hold."""
    terms = program.terms
    found = {0, 1, -1, *BOUNDS}
    for objects in (program.objects, *(function.objects for function in program.functions.values())):
        found |= {one.size - one.layout.stride for one in objects}
    conditions = {
        term
        for edge in program.edges
        if isinstance(edge.instruction, ir.Assume | ir.Check)
        for term in read_terms(edge.instruction)
    }
    for term in terms.walk(conditions):
        if terms.op(term) is Op.CONST and isinstance(terms.sort(term), BitVecSort):
            signed = to_signed(int(terms.value(term)), terms.width(term))
            found |= {signed, signed - 1}
    return tuple(sorted(found))
