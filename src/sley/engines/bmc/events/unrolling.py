"""Unrolling: from a program and a bound for every loop to events.

Every thread is run once, on terms, along all its paths at once: paths that meet are merged. What other
threads may change is read as a fresh symbol, so each thread is run by itself. A step does what
``semantics.symbolic`` says; this module decides only which of the variables that it mentions are shared.

A thread that fails an assumption, is blocked or reaches the bound of a loop stops there. It is as if it were
not scheduled any more, so nothing that the other threads do is lost.
"""

import heapq
from collections.abc import Mapping
from dataclasses import dataclass, replace

from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import find_sharing
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc.events.claims import Claims, forget_spoiled_locks
from sley.engines.bmc.events.conditions import Conditions, constants_of, written_when
from sley.engines.bmc.events.graph import (
    Allocation,
    Arbitrary,
    Creation,
    Cut,
    EventGraph,
    Filling,
    Joining,
    Life,
    Node,
    Stop,
    ThreadEvents,
    Touch,
    Trouble,
    Violation,
)
from sley.engines.bmc.events.joins import order_joins
from sley.engines.bmc.events.loops import Bounds, Iterations, Loop, LoopNest, bound_of
from sley.engines.bmc.events.numbers import note_block_numbers, note_thread_numbers
from sley.engines.bmc.events.states import Entry, ExposedSectionError, Merging, Nodes, State
from sley.engines.bmc.events.summaries import Summaries, Summary
from sley.engines.bmc.events.variables import Variables
from sley.engines.bmc.events.waiting import Waiting
from sley.logic.sorts import BOOL, Sort, bitvec
from sley.logic.terms import Term
from sley.program.instructions import (
    Access,
    Allocate,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Await,
    CallUnmodelled,
    Create,
    End,
    Exit,
    Fault,
    Free,
    GiveUp,
    Havoc,
    Join,
    Load,
    Lock,
    Store,
    Unlock,
    Update,
)
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.memory import LARGEST_BLOCK
from sley.semantics.places import Places
from sley.semantics.roles import RegisterRole
from sley.semantics.symbolic import Effect, Hints, effect_of
from sley.semantics.symbolic_memory import SymbolicAccess, matching_targets
from sley.semantics.symbolic_sections import may_block
from sley.semantics.symbolic_step import NOT_KNOWN, Shape, SymbolicSteps
from sley.semantics.vocabulary import HeapShape, Kind

MOST_NODES = 20_000
"""More events than this are beyond us."""

MOST_EDGES = 200_000
"""More executed edges than this are beyond us."""


class Unroller:
    """What is known of a program before anything is unrolled."""

    def __init__(self, code: Code, claims: Claims | None = None) -> None:
        self.code = code
        self.steps = SymbolicSteps(code)
        self.points_to = PointsTo(code.program)
        self.places = Places(self.steps, self.points_to)
        self.sharing = find_sharing(code.program, self.points_to)
        self.nests: dict[str, LoopNest] = {}
        self._summaries: dict[str, Summaries] = {}
        self.creating = _locations_before_creations(code)
        self.claims = claims or Claims(self.steps.initial_shape())
        """What the last unrolling took for granted, and found to be true."""
        self.looks_for_settled = claims is None
        """Whether the next unrolling looks for variables that nobody writes."""
        self.taken: frozenset[tuple[int, int]] | None = None
        """The branches, as source and target, that are followed; None: all. Those to failures always are."""

    def nest(self, function: str) -> LoopNest:
        """The loops of a thread template."""
        if function not in self.nests:
            self.nests[function] = LoopNest(self.code.program.functions[function])
        return self.nests[function]

    def summaries(self, function: str) -> Summaries:
        """The summaries of the local code of a thread template."""
        if function not in self._summaries:
            self._summaries[function] = Summaries(self.code, self.nest(function), self.may_take)
        return self._summaries[function]

    def may_take(self, edge: Edge) -> bool:
        """Whether a branch is part of what is looked at."""
        is_error = edge.target in self.code.errors
        return self.taken is None or is_error or (edge.source, edge.target) in self.taken

    def unroll(
        self, bounds: Bounds, budget: Budget, *, finds_waits: bool, summarises: bool = True
    ) -> EventGraph:
        """The events with each loop unrolled as often as its bound says (once if it has none).

        Unless it ``summarises``, every assignment of a thread gets a variable of its own.

        Whether the claims are true is known only afterwards; so once more with others if they are not.
        """
        while True:
            run = _Unrolling(self, bounds, budget, finds_waits=finds_waits, summarises=summarises)
            try:
                graph = self._completed(run.run())
            except ExposedSectionError as section:
                self.claims = self.claims.without_section(section.location)
                continue
            revised = self.claims.revised(graph, run.found)
            if revised == self.claims and self.looks_for_settled:
                revised, self.looks_for_settled = self.claims.with_settled(graph), False
            if revised == self.claims:
                return graph
            self.claims = revised

    def _completed(self, graph: EventGraph) -> EventGraph:
        """The events with what concerns several threads, and is known only when all of them are unrolled."""
        graph = note_thread_numbers(forget_spoiled_locks(order_joins(graph)))
        return note_block_numbers(graph) if self.points_to.is_reusing else graph


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an edge does in a state."""

    node: Node | None
    guard: Term
    waits: Term
    wrong: Term
    local: dict[Term, Term]
    """New values of registers and private memory."""
    given: dict[Term, Term]
    """As ``local``, for a new thread."""
    written: dict[Term, Entry]
    """Writes to shared variables."""


@dataclass(slots=True)
class _Start:
    """A thread that is still to be unrolled."""

    thread: int
    guard: tuple[Term, ...]
    values: dict[Term, Term]
    created_by: int | None
    is_alone: bool = False


class _Unrolling:
    """One unrolling."""

    def __init__(
        self,
        unroller: Unroller,
        bounds: Bounds,
        budget: Budget,
        *,
        finds_waits: bool,
        summarises: bool,
    ) -> None:
        self.unroller = unroller
        self.code = unroller.code
        self.terms = self.code.program.terms
        self.bounds = bounds
        self.budget = budget
        self.finds_waits = finds_waits
        self.summarises = summarises
        self.found = unroller.steps.initial_shape()
        self.graph = EventGraph(self.terms)
        self.conditions = Conditions(self.terms, self.graph.definitions)
        self.variables = Variables(unroller.places, unroller.sharing, unroller.claims.shape)
        self.nodes = Nodes(self.code, self.graph, self.conditions, self.variables)
        self.merging = Merging(self.code, self.conditions, self.variables, self.nodes)
        self.thread = 0
        self._queue: list[tuple[tuple[int, ...], int]] = []
        self._arriving: dict[tuple[int, ...], list[State]] = {}
        self._starts: list[_Start] = []
        self._executed = 0
        self._edges_out: set[tuple[int, Iterations]] = set()
        self.waiting = Waiting(self.graph, self.conditions, self.nodes)

    # --- threads ----------------------------------------------------------------------------------

    def run(self) -> EventGraph:
        """The events of all threads."""
        main = self.code.program.functions[self.code.program.entry]
        root = self.nodes.new_node(0, main.entry, self.terms.true)
        values = {
            self.variables.vocabulary.register(0, register): self.terms.const(0, register.sort)
            for register in self.code.live[main.entry]
        }
        self.graph.threads.append(ThreadEvents(main.name, self.terms.true))
        self._starts.append(_Start(0, (), values, root.number, is_alone=True))
        while self._starts:
            self._run_thread(self._starts.pop(0))
        initial = {v: self.variables.first(v) for v in self.graph.variables}
        return replace(self.graph, initial=initial)

    def _run_thread(self, start: _Start) -> None:
        self.thread = self.variables.thread = start.thread
        self.nodes.last = start.created_by
        name = self.graph.threads[start.thread].function
        entry = self.code.program.functions[name].entry
        iterations = (0,) * len(self._nest.heads(entry))
        first = State(entry, iterations, start.guard, start.values, is_alone=start.is_alone)
        self._arrive(first, self._nest.key(entry, iterations))
        while self._queue:
            key, _ = heapq.heappop(self._queue)
            states = self._arriving.pop(key, None)
            if states is not None:
                self._advance(self.merging.merged(states))
        self.waiting.finish_sections()

    @property
    def _summaries(self) -> Summaries:
        return self.unroller.summaries(self.graph.threads[self.thread].function)

    @property
    def _nest(self) -> LoopNest:
        return self.unroller.nest(self.graph.threads[self.thread].function)

    def _arrive(self, state: State, position: tuple[int, ...]) -> None:
        """Wait until all have come that go on together: at one position, in one section."""
        key = (*position, -1 if state.node is None else state.node.number)
        if key not in self._arriving:
            self._arriving[key] = []
            heapq.heappush(self._queue, (key, state.location))
        self._arriving[key].append(state)

    def _go(self, state: State, edge: Edge) -> None:
        """Move a state along an edge that it can take, unless a loop has reached its bound."""
        nest = self._nest
        iterations = nest.after(edge, state.iterations)
        for head, left in nest.left(edge, state.iterations):
            self._edges_out.add((self.thread, (*left, head)))
        if nest.is_back(edge):
            *around, count = nest.iterations_of(edge.target, state.iterations)
            loop = Loop(self.thread, tuple(around), edge.target)
            if not self._may_repeat(loop, count):
                self._must_not_stop(state)
                self.nodes.stop_inside(state.node, self.conditions.all(state.guard))
                self.graph.cuts.append(Cut(self.conditions.all(state.guard), loop))
                return
        state.location, state.iterations = edge.target, iterations
        if edge.target in self.code.errors:
            self._fail(state)  # by itself: where paths to one failure met, it would come after all of them
        else:
            self._arrive(state, nest.key(edge.target, iterations))

    def _may_repeat(self, loop: Loop, count: int) -> bool:
        """Whether the bound allows one more iteration; those that nobody can leave are free."""
        is_endless = loop.head not in self._nest.heads_with_exit
        cost = sum(
            is_endless or (self.thread, (*loop.around, number, loop.head)) in self._edges_out
            for number in range(count + 1)
        )
        return cost < bound_of(self.bounds, loop)

    # --- edges ------------------------------------------------------------------------------------

    def _advance(self, state: State) -> None:
        """One edge, or all edges of a branch."""
        self.budget.spend()
        self._executed += 1
        if self._executed > MOST_EDGES or len(self.graph.nodes) > MOST_NODES:
            raise GaveUpError("the unrolled program is too large")
        location = state.location
        if self.summarises and (summary := self._summaries.of(location)) is not None:
            self._follow(state, summary)
            return
        edges, fault = self.code.out.get(location, ()), self.code.faults.get(location)
        if len(edges) > 1 and fault is None:
            self._branch(state, edges)
            return
        main = next((edge for edge in edges if not isinstance(edge.instruction, Fault)), None)
        if main is None:
            self._must_not_stop(state)
        else:
            self._execute(state, main, fault)

    def _fail(self, state: State) -> None:
        self._stop(state)
        node = self.nodes.new_node(self.thread, state.location, self.conditions.all(state.guard))
        self.graph.violations.append(Violation(node.number, self.code.errors[state.location]))

    def _stop(self, state: State) -> None:
        """The run ends in the middle of a node, if there is one: nobody sees any more what it wrote."""
        if state.node is not None:
            self.nodes.stop_inside(state.node, self.conditions.all(state.guard))
            self.nodes.leave(state)

    def _follow(self, state: State, summary: Summary) -> None:
        """All ways through local code."""
        if state.has_released:
            for stop in self.variables.all_values(state.values, tuple(summary.stops)):
                if self.conditions.extended(state.guard, stop) is not None:
                    self._must_not_stop(state)
        for way in summary.ways:
            guard: tuple[Term, ...] | None = state.guard
            if way.guard:
                condition = self.terms.and_(*self.variables.all_values(state.values, way.guard))
                guard = self.conditions.extended(state.guard, condition)
            if guard is None:
                continue
            taken = state if way is summary.ways[-1] else state.copy()
            taken.guard = guard
            if way.updates:
                new = self.variables.all_values(state.values, tuple(way.updates.values()))
                register = self.variables.vocabulary.register
                taken.values |= {register(self.thread, r): v for r, v in zip(way.updates, new, strict=True)}
            self._go(taken, way.edge)

    def _branch(self, state: State, edges: tuple[Edge, ...]) -> None:
        """Siblings are tried in order: each is taken where those before it do not hold."""
        t = self.terms
        before: list[Term] = []
        for edge in edges:
            assert isinstance(edge.instruction, Assume)
            holds = self.variables.value(state.values, edge.instruction.condition)
            condition = t.and_(*(t.not_(b) for b in before), holds)
            before.append(holds)
            guard = self.conditions.extended(state.guard, condition)
            if guard is not None and self.unroller.may_take(edge):
                taken = state.copy()
                taken.guard = guard
                self._go(taken, edge)
        if state.has_released and self.conditions.extended(state.guard, t.not_(t.or_(*before))) is not None:
            self._must_not_stop(state)

    def _execute(self, state: State, edge: Edge, fault: Edge | None) -> None:
        match edge.instruction:
            case GiveUp(reason=reason):
                self._trouble(state.guard, self.terms.true, reason, state.node)
            case CallUnmodelled(function=name):
                self._trouble(state.guard, self.terms.true, f"unmodelled: call of `{name}`", state.node)
            case AtomicBegin():
                self._begin_section(state, edge)
                self._go(state, edge)
            case AtomicEnd():
                state.is_atomic = False
                if state.node is not None and not state.inside:
                    self.nodes.complete(state)
                self._go(state, edge)
            case Create():
                self._must_be_open(state)
                self._create(state, edge, edge.instruction)
            case Allocate():
                self._allocate(state, edge, edge.instruction)
            case _:
                self._before(state, edge)
                self._take(
                    state, self._with_known_address(state, edge), edge, fault, self._hints(state, edge)
                )

    def _before(self, state: State, edge: Edge) -> None:
        """What a critical section must not do; and the end of the process ends it."""
        match edge.instruction:
            case End():
                self._must_not_stop(state)
                if state.inside:
                    self._stop(state)
            case Lock():
                if self.finds_waits or state.has_released:
                    self._must_be_open(state)
            case Await():
                if self.finds_waits:
                    self._must_be_open(state)
            case Join() | Exit():
                self._must_be_open(state)
            case _:
                pass

    def _must_be_open(self, state: State) -> None:
        """What comes next cannot be in the middle of a node."""
        if state.inside:
            assert state.node is not None
            raise ExposedSectionError(state.node.location)

    def _must_not_stop(self, state: State) -> None:
        """Whoever stops inside a node has written nothing: wrong if others can get what it has given back."""
        if state.has_released:
            assert state.node is not None
            raise ExposedSectionError(state.node.location)

    def _create(self, state: State, edge: Edge, instruction: Create) -> None:
        thread = len(self.found.threads)
        self.found = Shape((*self.found.threads, instruction.function), self.found.heap)
        if (
            thread >= len(self.variables.shape.threads)
            or self.variables.shape.threads[thread] != instruction.function
        ):
            self.variables.expect(
                Shape(
                    (*self.variables.shape.threads[:thread], instruction.function), self.variables.shape.heap
                )
            )
        self.nodes.flush_alone(state)
        start = _Start(thread, state.guard, {}, None)
        self.graph.threads.append(ThreadEvents(instruction.function, self.conditions.all(state.guard)))
        self._take(state, edge, edge, None, Hints(thread=thread), start)
        self._starts.append(start)

    def _allocate(self, state: State, edge: Edge, instruction: Allocate) -> None:
        """Every allocation has its own block; who gets the number of a dead one is a trouble."""
        size = self.terms.number(self.variables.value(state.values, instruction.size))
        if size is None or instruction.layout.count(size) > LARGEST_BLOCK:
            reason = "the size of a heap block is not known, or too large"
            self._trouble(state.guard, self.terms.true, reason, state.node)
            return
        number = self.code.memory_map.heap_base + len(self.found.heap)
        block = (number, HeapShape(instruction.layout, size, edge.source))
        at = len(self.found.heap)
        self.found = Shape(self.found.threads, (*self.found.heap, block))
        if at >= len(self.variables.shape.heap) or self.variables.shape.heap[at] != block:
            self.variables.expect(
                Shape(self.variables.shape.threads, (*self.variables.shape.heap[:at], block))
            )
        self.graph.allocations.append(self._life(state))
        self.graph.threads[self.thread].makings.append(Allocation(self.conditions.all(state.guard), number))
        self._take(state, edge, edge, None, Hints(block=number))

    def _with_known_address(self, state: State, edge: Edge) -> Edge:
        """The edge with its address, or the thread it means, as a constant, where it is one by now."""
        instruction = edge.instruction
        if isinstance(instruction, Join):
            handle = self.variables.value(state.values, instruction.handle)
            if self.terms.is_const(handle):
                return replace(edge, instruction=replace(instruction, handle=handle))
        if isinstance(instruction, Load | Store | Update | Lock | Unlock):
            address = self.variables.value(state.values, instruction.access.address)
            if self.terms.is_const(address):
                access = replace(instruction.access, address=address)
                return replace(edge, instruction=replace(instruction, access=access))
        return edge

    def _hints(self, state: State, edge: Edge) -> Hints:
        instruction = edge.instruction
        if isinstance(instruction, Load | Store | Update | Lock | Unlock):
            address, size = (
                self.variables.value(state.values, instruction.access.address),
                instruction.access.size,
            )
            if self.terms.is_const(address):
                return Hints(targets=matching_targets(self.variables.vocabulary, address, size))
        elif isinstance(instruction, Free):
            self.graph.frees.append(self._life(state))
            address = self.variables.value(state.values, instruction.address)
        else:
            return Hints()
        listed = self.unroller.places.listed(self.variables.shape, edge)
        possible = constants_of(self.terms, address)
        if possible is not None:
            pointers = self.variables.vocabulary.pointers
            listed = tuple(
                target for target in listed if pointers.address(target.number, target.offset) in possible
            )
        return Hints(targets=listed)

    # --- effects ----------------------------------------------------------------------------------

    def _take(
        self,
        state: State,
        known: Edge,
        edge: Edge,
        fault: Edge | None,
        hints: Hints,
        start: _Start | None = None,
    ) -> None:
        """The edge where it can be taken, its fault where it is wrong; ``known`` has a simpler address."""
        made: list[Term] = []
        effect = effect_of(self.variables.vocabulary, self.thread, known, _Fresh(self.variables, made), hints)
        self._note_inputs(state, edge, effect, made)
        outcome = self._outcome(state, edge, effect, start, is_checked=fault is not None)
        failing = None if fault is None else self.conditions.extended(state.guard, outcome.wrong)
        if failing is not None and fault is not None:
            failed = state.copy()
            failed.guard = failing
            self._finish_node(failed, outcome.node)
            self._go(failed, fault)
        passing = self.conditions.extended(state.guard, outcome.guard)
        if passing != state.guard:
            self._must_not_stop(state)
        if passing is None:
            return
        state.guard = passing
        self._note_join(state, edge, outcome.node)
        self._apply(state, edge, outcome, start)
        if isinstance(known.instruction, Lock):
            self._note_lock(state, known.instruction, known.source, outcome)
        elif isinstance(known.instruction, Unlock):
            self._note_unlock(state, known.instruction)
        self._finish_node(state, outcome.node)
        self._after(state, edge, outcome.node, start)

    # --- locks ------------------------------------------------------------------------------------

    def _note_lock(self, state: State, instruction: Lock, location: int, outcome: "_Outcome") -> None:
        """The thread holds a lock: a critical section begins, or takes one more lock."""
        address, node = self.terms.number(instruction.access.address), outcome.node
        cells = tuple(outcome.written)
        is_known = address is not None and len(cells) == 1
        if address is not None and is_known:
            state.held |= {address}
            self.graph.lock_cells[address] = cells[0]
        if node is None or (state.node is not None and not state.inside):
            return  # nobody can notice, or an atomic section
        if state.node is None and (not is_known or location in self.unroller.claims.exposed):
            return
        if not is_known:
            self._must_be_open(state)
        assert address is not None
        state.node, node.is_locked = node, True
        state.inside |= {address}
        state.taken |= set(cells)
        node.note_access(cells[0], is_write=True, locks=state.held)

    def _note_unlock(self, state: State, instruction: Unlock) -> None:
        address = self.terms.number(instruction.access.address)
        state.held = frozenset() if address is None else state.held - {address}
        if state.inside:
            if address is None:
                self._must_be_open(state)
            else:
                state.inside -= {address}
                state.has_released = True

    def _outcome(
        self, state: State, edge: Edge, effect: Effect, start: _Start | None, *, is_checked: bool
    ) -> "_Outcome":
        """What the effect means here: shared variables are read by a node, others are known."""
        t = self.terms
        own = {v: term for v, term in effect.updates.items() if start is None or not self._is_of(start, v)}
        written = {v: written_when(t, v, term) for v, term in own.items() if self.variables.is_visible(v)}
        local = {v: term for v, term in own.items() if v not in written}
        given = {v: term for v, term in effect.updates.items() if v not in own}
        raw = (
            effect.guard,
            effect.waits if self.finds_waits else t.false,
            t.not_(t.or_(effect.guard, effect.waits)) if is_checked else t.false,
            t.false if is_checked else self.variables.vocabulary.if_all_lived(effect.elsewhere),
            *local.values(),
            *given.values(),
            *(part for pair in written.values() for part in pair),
        )
        node, raw, mapping = self._read_all(state, edge, raw, needs_node=bool(written))
        guard, waits, wrong, elsewhere, *values = t.substitute_all(raw, mapping)
        if self.finds_waits and isinstance(edge.instruction, Await) and edge.instruction.is_spurious:
            guard = t.or_(t.not_(waits), self.variables.new_symbol(BOOL, "wakes"))
        self._trouble(state.guard, elsewhere, NOT_KNOWN, state.node)
        if waits != t.false:
            self._wait(state, edge, node, waits, mapping)
        if node is not None and isinstance(edge.instruction, Free):
            self._touch_freed(state, node, edge.instruction, mapping)
        elif node is not None:
            self._touch(state, node, edge)
        rest = iter(values)
        return _Outcome(
            node,
            guard,
            waits,
            wrong,
            {v: next(rest) for v in local},
            {v: next(rest) for v in given},
            {v: Entry(next(rest), next(rest), edge.source) for v in written},
        )

    def _read_all(
        self, state: State, edge: Edge, raw: tuple[Term, ...], *, needs_node: bool
    ) -> tuple[Node | None, tuple[Term, ...], dict[Term, Term]]:
        """The node of an edge, its terms with all that the thread knows, and what it reads for the rest."""
        mentioned = dict.fromkeys(v for term in raw for v in self.terms.variables(term))
        visible = {v for v in mentioned if self.variables.is_visible(v) and not self._is_settled(state, v)}
        mapping = {v: self._known(state, v) for v in mentioned if v not in visible}
        raw = self.terms.substitute_all(raw, mapping)
        read = [
            v for v in dict.fromkeys(v for term in raw for v in self.terms.variables(term)) if v in visible
        ]
        node = self._node_for(state, edge, needs_one=needs_node or bool(read) or _is_always_visible(edge))
        mapping |= {v: self.nodes.read(state, node, v, edge.source) for v in read}
        if node is not None and not isinstance(edge.instruction, Lock | Unlock):
            for variable in read:
                node.note_access(variable, is_write=False, locks=state.held)
        if node is not None and len(read) > 1:
            self.nodes.note_needs(state, node, raw, read, mapping)
        elif node is not None and read:
            self.nodes.need(state, node, read[0], self.terms.true)
        return node, raw, mapping

    def _is_settled(self, state: State, variable: Term) -> bool:
        """Whether nobody writes the variable any more; a lock that is taken for a node does not count."""
        return variable in self.unroller.claims.settled and not (state.is_alone or variable in state.view)

    def _known(self, state: State, variable: Term) -> Term:
        """What a variable holds that no other thread changes."""
        if not self._is_settled(state, variable):
            return self.variables.local(state.values, variable)
        written = self.graph.nodes[0].writes.get(variable)
        return self.variables.first(variable) if written is None else written.value

    def _apply(self, state: State, edge: Edge, outcome: "_Outcome", start: _Start | None) -> None:
        """Change what the edge changes."""
        if start is not None:
            start.values = outcome.given
            self.variables.owners |= dict.fromkeys(outcome.given, start.thread)
        for variable in outcome.local:
            self.variables.claim(variable)
        state.values |= outcome.local if self.summarises else self._assigned(outcome.local)
        if isinstance(edge.instruction, Await) and edge.instruction.is_spurious and state.node is not None:
            steady = self.variables.steady
            so_far = self.variables.local(state.values, steady)
            state.values[steady] = self.terms.and_(so_far, self.terms.not_(outcome.waits))
        for variable, entry in outcome.written.items():
            if entry.condition == self.terms.false:
                continue
            self.nodes.enter(state, variable, entry)
            if isinstance(edge.instruction, Lock | Unlock):
                continue
            if state.is_alone:
                state.held = frozenset(lock for lock in state.held if self.graph.lock_cells[lock] != variable)
                continue
            self.graph.stored.add(variable)
            if outcome.node is not None:
                outcome.node.note_access(variable, is_write=True, locks=state.held)

    def _assigned(self, values: dict[Term, Term]) -> dict[Term, Term]:
        """A variable for every value that is computed."""
        named: dict[Term, Term] = {}
        for register, value in values.items():
            named[register] = value
            if not (self.terms.is_const(value) or self.terms.is_var(value)):
                named[register] = self.variables.new_symbol(self.terms.sort(value), ":=")
                self.graph.definitions.append((named[register], value))
        return named

    def _after(self, state: State, edge: Edge, node: Node | None, start: _Start | None) -> None:
        """Where the thread goes, unless it has ended."""
        instruction = edge.instruction
        if start is not None:
            assert node is not None
            start.created_by = node.number
            start.guard = state.guard
            self.graph.creations.append(Creation(node.number, self.conditions.all(state.guard)))
        if isinstance(instruction, Exit | End):
            if state.node is not None:
                self.nodes.complete(state)
            assert node is not None
            stop = Stop(node.number, self.conditions.all(state.guard))
            (self.graph.exits if isinstance(instruction, Exit) else self.graph.ends).append(stop)
            return
        self._go(state, edge)

    def _note_join(self, state: State, edge: Edge, node: Node | None) -> None:
        if isinstance(edge.instruction, Join) and node is not None and node is not state.node:
            handle = self.terms.number(self.variables.value(state.values, edge.instruction.handle))
            if handle is not None:
                self.graph.joins.append(Joining(handle - 1, node.number, state.guard))

    def _note_inputs(self, state: State, edge: Edge, effect: Effect, made: list[Term]) -> None:
        """What a replay has to know about arbitrary values."""
        if not made:
            return
        condition, makings = self.conditions.all(state.guard), self.graph.threads[self.thread].makings
        self.waiting.note_inputs(state.node, made)
        if isinstance(edge.instruction, Havoc):
            makings.append(Arbitrary(condition, made[0]))
            return
        for instance in self.variables.vocabulary.instances.values():
            cells = self.variables.vocabulary.cells(instance)
            if cells and effect.updates.get(cells[0]) in made:
                contents = tuple(effect.updates[cell] for cell in cells)
                makings.append(Filling(condition, instance.number, contents))

    # --- variables --------------------------------------------------------------------------------

    def _is_of(self, start: _Start, variable: Term) -> bool:
        """Whether a variable belongs to the state of a new thread alone."""
        match self.terms.symbol(variable):
            case RegisterRole(thread=thread):
                return thread == start.thread
            case _:
                return not self.variables.is_visible(variable)

    # --- nodes ------------------------------------------------------------------------------------

    def _node_for(self, state: State, edge: Edge, *, needs_one: bool) -> Node | None:
        """The node that an edge is part of; none where nobody can notice it."""
        if state.node is not None:
            return state.node
        ends = isinstance(edge.instruction, Exit | End)
        if not needs_one or (state.is_alone and not ends):
            return None
        if ends:
            self.nodes.flush_alone(state)
        state.view = {}
        return self.nodes.new_node(self.thread, edge.source, self.terms.false)

    def _finish_node(self, state: State, node: Node | None) -> None:
        """After an edge: a node of one edge is complete; a section waits for its end."""
        if node is not None and node is not state.node:
            self.nodes.write_out(state, node)
        elif node is not None and node.is_locked and not (state.inside or state.is_atomic):
            self.nodes.complete(state)

    # --- what is asked of events ------------------------------------------------------------------

    def _trouble(
        self, guard: tuple[Term, ...], condition: Term, reason: str, node: Node | None = None
    ) -> None:
        found = self.conditions.extended(guard, condition)
        if found is not None:
            self.nodes.stop_inside(node, self.conditions.all(found))
            self.graph.troubles.append(Trouble(self.conditions.all(found), reason, self.thread))

    def _touch(self, state: State, node: Node, edge: Edge) -> None:
        """Note an access that might be part of a data race."""
        instruction, is_inside = edge.instruction, state.node is not None
        is_lock = isinstance(instruction, Lock | Unlock)
        if not isinstance(instruction, Load | Store | Update | Lock | Unlock) or (is_lock and is_inside):
            return
        access: Access = instruction.access
        start, size = 0, access.size
        if access.location is not None and not is_inside:
            start, end = access.location
            size = end - start
        address = self.variables.value(state.values, access.address)
        if start:
            address = self.terms.add(address, self.terms.bv(start, self.terms.width(address)))
        is_write = not isinstance(instruction, Load)
        is_atomic = access.is_atomic or state.is_atomic or is_lock
        guard = self.conditions.all(state.guard)
        node.touches.append(
            Touch(
                node.number,
                guard,
                address,
                size,
                is_write,
                is_atomic,
                is_inside,
                state.held,
                is_wide=access.location is not None,
            )
        )

    def _touch_freed(self, state: State, node: Node, free: Free, mapping: Mapping[Term, Term]) -> None:
        """To free a block is an access to all of its bytes; ``mapping`` says what lives."""
        t, vocabulary, is_inside = self.terms, self.variables.vocabulary, state.node is not None
        address = self.variables.value(state.values, free.address)
        for block in vocabulary.instances.values():
            start, alive = vocabulary.address(block.number), vocabulary.alive(block)
            if block.kind is not Kind.HEAP or not block.capacity or alive not in mapping:
                continue
            condition = self.conditions.extended(state.guard, t.eq(address, start))
            if condition is None:
                continue
            node.touches.append(
                Touch(
                    node.number,
                    self.conditions.all(condition),
                    start,
                    block.capacity,
                    is_write=True,
                    is_atomic=state.is_atomic,
                    is_inside=is_inside,
                    locks=state.held,
                    freed=mapping[alive],
                )
            )

    def _wait(
        self, state: State, edge: Edge, node: Node | None, waits: Term, mapping: Mapping[Term, Term]
    ) -> None:
        """The thread may be blocked here for good: a node of its own reads what it waits for."""
        if state.node is not None:
            return  # the whole section is blocked, or not
        found = self.nodes.new_node(self.thread, edge.source, self.terms.false)
        holder = self._holder(state, edge, mapping)
        self.waiting.add(found, node, self.conditions.all(state.guard), waits, holder)

    def _holder(self, state: State, edge: Edge, mapping: Mapping[Term, Term]) -> Term | None:
        """The handle of the thread that has what this one waits for."""
        instruction = edge.instruction
        if isinstance(instruction, Join):
            return self.variables.value(state.values, instruction.handle)
        if not isinstance(instruction, Lock):
            return None
        access, targets = instruction.access, self._hints(state, edge).targets
        address = self.variables.vocabulary.instantiated(self.thread, access.address)
        memory = SymbolicAccess(self.variables.vocabulary, address, access.size, targets or (), writes=True)
        return self.terms.substitute(memory.read(bitvec(8 * access.size)), mapping)

    def _begin_section(self, state: State, edge: Edge) -> None:
        """A section is one node; where it may be blocked, another one waits for it."""
        may_wait = self.finds_waits and may_block(self.code, edge.source)
        if may_wait:
            self._must_be_open(state)
        if state.inside:
            state.is_atomic = True
            return
        if may_wait or edge.target in self.unroller.creating:
            self.nodes.flush_alone(state)
        if state.is_alone:
            return
        waiting = self.nodes.new_node(self.thread, edge.source, self.terms.false) if may_wait else None
        state.node = self.nodes.new_node(self.thread, edge.source, self.terms.false)
        state.view, state.is_atomic = {}, True
        state.values.pop(self.variables.steady, None)
        if waiting is not None:
            self.waiting.add_section(waiting, state.node, self.conditions.all(state.guard))

    def _life(self, state: State) -> Life:
        return Life(self.thread, self._executed, state.is_alone, self.conditions.all(state.guard))


class _Fresh:
    """Makes variables for arbitrary values, and remembers them."""

    def __init__(self, variables: Variables, made: list[Term]) -> None:
        self.variables = variables
        self.made = made

    def __call__(self, sort: Sort, text: str) -> Term:
        """A new one."""
        self.made.append(self.variables.new_symbol(sort, "?"))
        return self.made[-1]


def _locations_before_creations(code: Code) -> frozenset[int]:
    """The locations in atomic sections from which a thread may be created, or end, inside the section."""
    edges = [edge for out in code.out.values() for edge in out if edge.source in code.inside]
    found = {edge.source for edge in edges if isinstance(edge.instruction, Create | Exit | End)}
    while True:
        new = {edge.source for edge in edges if edge.target in found} - found
        if not new:
            return frozenset(found)
        found |= new


def _is_always_visible(edge: Edge) -> bool:
    return isinstance(edge.instruction, Exit | End | Create)
