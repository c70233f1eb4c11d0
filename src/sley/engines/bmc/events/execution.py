"""What an edge does in a state of a thread: new values, reads and writes of nodes, notes for the graph.

A step does what ``semantics.symbolic`` says; this module decides only which of the variables that it mentions
are shared: these are read and written by a node, others are kept in the state.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sley.base.reasons import BLOCK_SIZE, unmodelled_call
from sley.engines.bmc.events.atomics import is_atomic
from sley.engines.bmc.events.claims import UnrollingClaims
from sley.engines.bmc.events.conditions import constants_of, written_when
from sley.engines.bmc.events.graph import (
    AllocationNode,
    ArbitraryNode,
    Creation,
    EventNode,
    FillingNode,
    JoinNode,
    Life,
    RaceTouch,
    Stop,
    ThreadEvents,
    UnclearNode,
)
from sley.engines.bmc.events.sections import SectionNodes, may_stop, must_be_open
from sley.engines.bmc.events.spinning import may_only_read
from sley.engines.bmc.events.states import Entry, NodeBuilder, ThreadState
from sley.engines.bmc.events.waiting import Waiting
from sley.logic.sorts import BOOL, Sort, bitvec
from sley.logic.terms import Term
from sley.program.instructions import (
    Allocate,
    AtomicBegin,
    AtomicEnd,
    Await,
    CallUnmodelled,
    Create,
    End,
    Exit,
    Fence,
    Free,
    GiveUp,
    Havoc,
    Instruction,
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
from sley.semantics.places import ShapePlaces
from sley.semantics.roles import RegisterRole
from sley.semantics.symbolic import Hints, SymbolicEffect, effect_of
from sley.semantics.symbolic_memory import AccessTarget, SymbolicAccess, matching_targets
from sley.semantics.symbolic_sections import may_block
from sley.semantics.symbolic_step import NOT_KNOWN, Shape
from sley.semantics.vocabulary import HeapShape, Lifetime


@dataclass(slots=True)
class Start:
    """A thread that is still to be unrolled."""

    thread: int
    guard: tuple[Term, ...] = ()
    values: dict[Term, Term] = field(default_factory=dict)
    created_by: int | None = None


@dataclass(frozen=True, slots=True)
class _ThreadStep:
    """An edge as a thread takes it."""

    edge: Edge
    known: Edge
    """The same with its address, or the thread it means, as a constant, where it is one by now."""
    hints: Hints
    fault: Edge | None = None
    start: Start | None = None
    """The thread that it creates."""

    @property
    def instruction(self) -> Instruction:
        """What the edge does."""
        return self.edge.instruction


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What an edge does in a state."""

    node: EventNode | None
    guard: Term
    waits: Term
    wrong: Term
    local: dict[Term, Term]
    """New values of registers and private memory."""
    given: dict[Term, Term]
    """As ``local``, for a new thread."""
    written: dict[Term, Entry]
    """Writes to shared variables."""


class UnrolledExecution:
    """Executes edges of the thread that is unrolled."""

    def __init__(
        self,
        nodes: NodeBuilder,
        places: ShapePlaces,
        claims: UnrollingClaims,
        *,
        finds_waits: bool,
        names_values: bool,
        is_weak: bool = False,
    ) -> None:
        self.nodes = nodes
        self.code, self.graph, self.variables = nodes.code, nodes.graph, nodes.variables
        self.terms, self.conditions = nodes.terms, nodes.conditions
        self.places = places
        self.settled = claims.settled
        self.finds_waits = finds_waits
        self.names_values = names_values
        """Every assignment of a thread gets a variable of its own."""
        self.is_weak = is_weak
        """Orders matter: fences are nodes, and updates say when they write."""
        self.sections = SectionNodes(self.graph, claims.exposed, finds_waits=finds_waits)
        self.waiting = Waiting(self.graph, self.conditions, nodes)
        self.starts: list[Start] = []
        self._creating = _locations_before_creations(self.code)

    def take(self, state: ThreadState, edge: Edge, fault: Edge | None) -> Iterator[tuple[ThreadState, Edge]]:
        """The ways on: where the edge is wrong, to its fault; where it can be taken, to its target."""
        self.sections.before(state, edge.instruction)
        if not may_only_read(edge.instruction):
            state.rounds = {}
        match edge.instruction:
            case GiveUp(reason=reason):
                self.trouble(state, self.terms.true, reason)
            case CallUnmodelled(function=name):
                self.trouble(state, self.terms.true, unmodelled_call(name))
            case AtomicBegin():
                self._begin_section(state, edge)
                yield state, edge
            case AtomicEnd():
                state.is_atomic = False
                if state.node is not None and not state.locks.inside:
                    self.nodes.complete(state)
                yield state, edge
            case Create(function=function):
                yield from self._create(state, edge, function)
            case Allocate():
                yield from self._allocate(state, edge, edge.instruction)
            case _:
                if isinstance(edge.instruction, End) and state.locks.inside:
                    self.nodes.stop(state)
                known, targets = self._resolved(state, edge)
                yield from self._take(state, _ThreadStep(edge, known, Hints(targets=targets), fault))

    def assign(self, state: ThreadState, values: dict[Term, Term]) -> None:
        """Registers and private memory have new values."""
        if self.names_values:
            for register, value in values.items():
                if not (self.terms.is_const(value) or self.terms.is_var(value)):
                    values[register] = self.variables.new_symbol(self.terms.sort(value), ":=")
                    self.graph.definitions.append((values[register], value))
        state.values |= values

    def trouble(self, state: ThreadState, condition: Term, reason: str) -> None:
        """Where the condition holds, the events do not say what happens."""
        found = self.conditions.extended(state.guard, condition)
        if found is not None:
            self.nodes.stop_inside(state.node, found)
            self.graph.troubles.append(UnclearNode(self.terms.and_(*found), reason, self.variables.thread))

    # --- threads, blocks, addresses ---------------------------------------------------------------

    def _create(self, state: ThreadState, edge: Edge, function: str) -> Iterator[tuple[ThreadState, Edge]]:
        threads, heap = self.variables.found
        self.variables.find(Shape((*threads, function), heap))
        self.nodes.flush_alone(state)
        start = Start(len(threads), state.guard)
        occurs = self.terms.and_(*state.guard)
        self.graph.threads.append(ThreadEvents(function, occurs, self.variables.thread))
        self.starts.append(start)
        yield from self._take(state, _ThreadStep(edge, edge, Hints(thread=start.thread), start=start))

    def _allocate(
        self, state: ThreadState, edge: Edge, allocate: Allocate
    ) -> Iterator[tuple[ThreadState, Edge]]:
        """Every allocation has its own block; one that gets the number of a dead one is a trouble."""
        size = self.terms.number(self.variables.value(state.values, allocate.size))
        if size is None or allocate.layout.count(size) > LARGEST_BLOCK:
            self.trouble(state, self.terms.true, BLOCK_SIZE)
            return
        threads, heap = self.variables.found
        number = self.code.memory_map.heap_base + len(heap)
        self.variables.find(Shape(threads, (*heap, (number, HeapShape(allocate.layout, size, edge.source)))))
        self.graph.allocations.append(self._life(state))
        made = AllocationNode(self.terms.and_(*state.guard), number)
        self.graph.threads[self.variables.thread].makings.append(made)
        yield from self._take(state, _ThreadStep(edge, edge, Hints(block=number)))

    def _life(self, state: ThreadState) -> Life:
        at = len(self.graph.allocations) + len(self.graph.frees)
        return Life(self.variables.thread, at, state.is_alone, self.terms.and_(*state.guard))

    def _resolved(self, state: ThreadState, edge: Edge) -> tuple[Edge, Sequence[AccessTarget] | None]:
        """The edge with a constant address, or thread, where it is one by now; and what it may access."""
        instruction = edge.instruction
        match instruction:
            case Join():
                handle = self.variables.value(state.values, instruction.handle)
                if self.terms.is_const(handle):
                    edge = replace(edge, instruction=replace(instruction, handle=handle))
                return edge, None
            case Load() | Store() | Update() | Lock() | Unlock():
                address = self.variables.value(state.values, instruction.access.address)
                if self.terms.is_const(address):
                    access = replace(instruction.access, address=address)
                    targets = matching_targets(self.variables.vocabulary, address, access.size)
                    return replace(edge, instruction=replace(instruction, access=access)), targets
            case Free():
                self.graph.frees.append(self._life(state))
                address = self.variables.value(state.values, instruction.address)
            case _:
                return edge, None
        listed, possible = self.places.listed(self.variables.shape, edge), constants_of(self.terms, address)
        if possible is None:
            return edge, listed
        pointers = self.variables.vocabulary.pointers
        return edge, tuple(t for t in listed if pointers.address(t.number, t.offset) in possible)

    # --- effects ----------------------------------------------------------------------------------

    def _take(self, state: ThreadState, step: _ThreadStep) -> Iterator[tuple[ThreadState, Edge]]:
        made: list[Term] = []

        def fresh(sort: Sort, text: str) -> Term:
            made.append(self.variables.new_symbol(sort, "?"))
            return made[-1]

        effect = effect_of(self.variables.vocabulary, self.variables.thread, step.known, fresh, step.hints)
        if made:
            self._note_inputs(state, step.instruction, effect, made)
        outcome = self._outcome(state, step, effect)
        if step.fault is not None:
            failing = self.conditions.extended(state.guard, outcome.wrong)
            if failing is not None:
                failed = state.copy()
                failed.guard = failing
                self._finish_node(failed, outcome.node)
                yield failed, step.fault
        passing = self.conditions.extended(state.guard, outcome.guard)
        if passing != state.guard:
            may_stop(state)
        if passing is None:
            return
        state.guard = passing
        self._note_join(state, step.instruction, outcome.node)
        self._note_flow(state, step.instruction, outcome.node)
        if isinstance(step.instruction, Update):
            succeeds = None if outcome.node is None else outcome.node.success
            state.successes = (*state.successes, self.terms.true if succeeds is None else succeeds)
        self._apply(state, step, outcome)
        self._finish_node(state, outcome.node)
        if step.start is not None:
            assert outcome.node is not None
            step.start.created_by, step.start.guard = outcome.node.number, state.guard
            self.graph.creations.append(Creation(outcome.node.number, self.terms.and_(*state.guard)))
        if isinstance(step.instruction, Exit | End):
            self._end(state, step.instruction, outcome.node)
        else:
            yield state, step.edge

    def _outcome(self, state: ThreadState, step: _ThreadStep, effect: SymbolicEffect) -> _Outcome:
        """What the effect means here: shared variables are read by a node, others are known."""
        t, is_checked = self.terms, step.fault is not None
        own = {v: term for v, term in effect.updates.items() if not self._is_given(step.start, v)}
        written = {v: written_when(t, v, term) for v, term in own.items() if self.variables.is_visible(v)}
        success = t.true
        is_event = self.is_weak and not state.is_atomic and is_atomic(step.edge)
        if is_event and isinstance(step.known.instruction, Update):
            written = {v: (t.true, own[v]) for v in written}
            success = self._success(step.known.instruction, effect)
        local = {v: term for v, term in own.items() if v not in written}
        given = {v: term for v, term in effect.updates.items() if v not in own}
        raw = (
            effect.guard,
            effect.waits if self.finds_waits else t.false,
            t.not_(t.or_(effect.guard, effect.waits)) if is_checked else t.false,
            t.false if is_checked else self.variables.vocabulary.if_all_lived(effect.unknown),
            *local.values(),
            *given.values(),
            *(part for pair in written.values() for part in pair),
            success,
        )
        node, raw, mapping = self._read_all(state, step.edge, raw, needs_node=bool(written))
        guard, waits, wrong, unknown, *values = t.substitute_all(raw, mapping)
        if self.finds_waits and isinstance(step.instruction, Await) and step.instruction.is_spurious:
            guard = t.or_(t.not_(waits), self.variables.new_symbol(BOOL, "wakes"))
        self.trouble(state, unknown, NOT_KNOWN)
        if waits != t.false and state.node is None:  # a section as a whole is blocked, or not
            waiting, holder = self.nodes.new_node(step.edge.source), self._holder(state, step, mapping)
            self.waiting.add(waiting, node, t.and_(*state.guard), waits, holder)
        if node is not None:
            node.touches.extend(self._touches(state, node, step.instruction, mapping))
            node.success = values[-1]
            if self.is_weak and isinstance(step.instruction, Allocate) and step.instruction.is_zeroed:
                node.touches.append(self._cleared(state, node, step))
        rest = iter(values)
        return _Outcome(
            node,
            guard,
            waits,
            wrong,
            {v: next(rest) for v in local},
            {v: next(rest) for v in given},
            {v: Entry(next(rest), next(rest), step.edge.source) for v in written},
        )

    def _success(self, update: Update, effect: SymbolicEffect) -> Term:
        """When an update writes, over the variables before it."""
        if update.success is None:
            return self.terms.true
        vocabulary, thread = self.variables.vocabulary, self.variables.thread
        target = vocabulary.register(thread, update.target)
        condition = vocabulary.instantiated(thread, update.success)
        return self.terms.substitute(condition, {target: effect.updates[target]})

    def _is_given(self, start: Start | None, variable: Term) -> bool:
        """Whether a variable belongs to the state of a new thread alone."""
        if start is None:
            return False
        match self.terms.symbol(variable):
            case RegisterRole(thread=thread):
                return thread == start.thread
            case _:
                return not self.variables.is_visible(variable)

    def _read_all(
        self, state: ThreadState, edge: Edge, raw: tuple[Term, ...], *, needs_node: bool
    ) -> tuple[EventNode | None, tuple[Term, ...], dict[Term, Term]]:
        """The node of an edge, its terms with all that the thread knows, and what it reads for the rest."""
        mentioned = dict.fromkeys(v for term in raw for v in self.terms.variables(term))
        visible = {v for v in mentioned if self.variables.is_visible(v) and not self._is_settled(state, v)}
        mapping = {v: self._known(state, v) for v in mentioned if v not in visible}
        raw = self.terms.substitute_all(raw, mapping)
        read = [
            v for v in dict.fromkeys(v for term in raw for v in self.terms.variables(term)) if v in visible
        ]
        is_visible = bool(read) or needs_node or isinstance(edge.instruction, Exit | End | Create)
        is_visible = is_visible or self._is_barrier(edge.instruction)
        node = self._node_for(state, edge) if is_visible else state.node
        mapping |= {v: self.nodes.read(state, node, v, edge.source) for v in read}
        if node is not None and not isinstance(edge.instruction, Lock | Unlock):
            for variable in read:
                node.note_access(variable, is_write=False, locks=state.locks.held)
        if node is not None and len(read) > 1:
            self.nodes.note_needs(state, node, raw, read, mapping)
        elif node is not None and read:
            self.nodes.need(state, node, read[0], self.terms.true)
        return node, raw, mapping

    def _is_barrier(self, instruction: Instruction) -> bool:
        """Whether an instruction orders others, also if no other thread sees what it accesses."""
        flows = self.nodes.flows
        return (self.is_weak and isinstance(instruction, Fence)) or (
            flows is not None and flows.is_barrier(instruction)
        )

    def _is_settled(self, state: ThreadState, variable: Term) -> bool:
        """Whether the variable is never written any more; a lock that is taken for a node does not count."""
        return variable in self.settled and not (state.is_alone or variable in state.view)

    def _known(self, state: ThreadState, variable: Term) -> Term:
        """What a variable holds that no other thread changes."""
        if not self._is_settled(state, variable):
            return self.variables.local(state.values, variable)
        written = self.graph.nodes[0].writes.get(variable)
        return self.variables.first(variable) if written is None else written.value

    def _apply(self, state: ThreadState, step: _ThreadStep, outcome: _Outcome) -> None:
        """Change what the edge changes."""
        instruction = step.known.instruction
        if step.start is not None:
            step.start.values = outcome.given
            self.variables.owners |= dict.fromkeys(outcome.given, step.start.thread)
        for variable in outcome.local:
            self.variables.claim(variable)
        self.assign(state, outcome.local)
        if isinstance(instruction, Await) and instruction.is_spurious and state.node is not None:
            steady = self.variables.steady
            so_far = self.variables.local(state.values, steady)
            state.values[steady] = self.terms.and_(so_far, self.terms.not_(outcome.waits))
        for variable, entry in outcome.written.items():
            if entry.condition != self.terms.false:
                self.nodes.enter(state, variable, entry)
                if not isinstance(instruction, Lock | Unlock):
                    self._note_write(state, outcome.node, variable)
        if isinstance(instruction, Lock | Unlock):
            address = self.terms.number(instruction.access.address)
            if isinstance(instruction, Unlock):
                self.sections.unlock(state, address)
            else:
                self.sections.lock(state, outcome.node, step.edge.source, address, tuple(outcome.written))

    def _note_write(self, state: ThreadState, node: EventNode | None, variable: Term) -> None:
        """A shared variable is written other than by taking or giving back a lock."""
        if state.is_alone:
            self.sections.overwrite(state, variable)
            return
        self.graph.stored.add(variable)
        if node is not None:
            node.note_access(variable, is_write=True, locks=state.locks.held)

    def _end(self, state: ThreadState, instruction: Instruction, node: EventNode | None) -> None:
        """The thread, or the process, ends."""
        if state.node is not None:
            self.nodes.complete(state)
        assert node is not None
        stop = Stop(node.number, self.terms.and_(*state.guard))
        (self.graph.exits if isinstance(instruction, Exit) else self.graph.ends).append(stop)

    # --- nodes ------------------------------------------------------------------------------------

    def _node_for(self, state: ThreadState, edge: Edge) -> EventNode | None:
        """The node that an edge is part of; none while there is one thread, until it ends."""
        if state.node is not None:
            return state.node
        if isinstance(edge.instruction, Exit | End):
            self.nodes.flush_alone(state)
        if state.is_alone:
            return None
        state.view = {}
        return self.nodes.new_node(edge.source)

    def _finish_node(self, state: ThreadState, node: EventNode | None) -> None:
        """After an edge: a node of one edge is complete; a section waits for its end."""
        if node is not None and node is not state.node:
            self.nodes.write_out(state, node)
        elif node is not None and node.is_locked and not (state.locks.inside or state.is_atomic):
            self.nodes.complete(state)

    def _begin_section(self, state: ThreadState, edge: Edge) -> None:
        """An atomic section is one node; where it may be blocked, another one waits for it."""
        may_wait = self.finds_waits and may_block(self.code, edge.source)
        if may_wait:
            must_be_open(state)
        if state.locks.inside:
            state.is_atomic = True
            return
        if may_wait or edge.target in self._creating:
            self.nodes.flush_alone(state)
        if state.is_alone:
            return
        waiting = self.nodes.new_node(edge.source) if may_wait else None
        state.node = self.nodes.new_node(edge.source)
        state.view, state.is_atomic = {}, True
        state.values.pop(self.variables.steady, None)
        if waiting is not None:
            self.waiting.add_section(waiting, state.node, self.terms.and_(*state.guard))

    def _holder(self, state: ThreadState, step: _ThreadStep, mapping: Mapping[Term, Term]) -> Term | None:
        """The handle of the thread that has what this one waits for."""
        match step.instruction:
            case Join(handle=handle):
                return self.variables.value(state.values, handle)
            case Lock(access=access):
                vocabulary, targets = self.variables.vocabulary, step.hints.targets or ()
                address = vocabulary.instantiated(self.variables.thread, access.address)
                memory = SymbolicAccess(vocabulary, address, access.size, targets, writes=True)
                return self.terms.substitute(memory.read(bitvec(8 * access.size)), mapping)
            case _:
                return None

    # --- notes for the graph ----------------------------------------------------------------------

    def _note_join(self, state: ThreadState, instruction: Instruction, node: EventNode | None) -> None:
        if isinstance(instruction, Join) and node is not None and node is not state.node:
            handle = self.terms.number(self.variables.value(state.values, instruction.handle))
            if handle is not None:
                self.graph.joins.append(JoinNode(handle - 1, node.number, state.guard))

    def _note_flow(self, state: ThreadState, instruction: Instruction, node: EventNode | None) -> None:
        if self.nodes.flows is not None:
            number = None if node is None else node.number
            state.flow, found = self.nodes.flows.accessed(state.flow, instruction, number)
            if node is not None:
                node.dependencies = found

    def _note_inputs(
        self, state: ThreadState, instruction: Instruction, effect: SymbolicEffect, made: list[Term]
    ) -> None:
        """What a replay has to know about arbitrary values."""
        condition = self.terms.and_(*state.guard)
        makings = self.graph.threads[self.variables.thread].makings
        self.waiting.note_inputs(state.node, made)
        if isinstance(instruction, Havoc):
            makings.append(ArbitraryNode(condition, made[0]))
            return
        for instance in self.variables.vocabulary.instances.values():
            cells = self.variables.vocabulary.cells(instance)
            if cells and effect.updates.get(cells[0]) in made:
                contents = tuple(effect.updates[cell] for cell in cells)
                makings.append(FillingNode(condition, instance.number, contents))

    def _touches(
        self, state: ThreadState, node: EventNode, instruction: Instruction, mapping: Mapping[Term, Term]
    ) -> Iterator[RaceTouch]:
        """Accesses that might be part of a data race; ``mapping`` says what lives."""
        is_lock, is_inside = isinstance(instruction, Lock | Unlock), state.node is not None
        if isinstance(instruction, Free):
            yield from self._freed(state, node, instruction, mapping)
        elif isinstance(instruction, Load | Store | Update | Lock | Unlock) and not (is_lock and is_inside):
            access = instruction.access
            if access.is_unnoticed:
                return
            start, end = (0, access.size) if is_inside or access.location is None else access.location
            address = self.variables.value(state.values, access.address)
            if start:
                address = self.terms.add(address, self.terms.bv(start, self.terms.width(address)))
            yield RaceTouch(
                node.number,
                self.terms.and_(*state.guard),
                address,
                end - start,
                is_write=not isinstance(instruction, Load),
                is_atomic=access.is_atomic or state.is_atomic or is_lock,
                is_inside=is_inside,
                locks=state.locks.held,
                is_wide=access.location is not None,
            )

    def _cleared(self, state: ThreadState, node: EventNode, step: _ThreadStep) -> RaceTouch:
        """To clear a new block is to write all of its bytes."""
        assert step.hints.block is not None
        block = self.variables.vocabulary.instances[step.hints.block]
        guard, address = self.terms.and_(*state.guard), self.variables.vocabulary.address(block.number)
        return RaceTouch(
            node.number,
            guard,
            address,
            block.capacity,
            is_write=True,
            is_atomic=state.is_atomic,
            is_inside=state.node is not None,
        )

    def _freed(
        self, state: ThreadState, node: EventNode, free: Free, mapping: Mapping[Term, Term]
    ) -> Iterator[RaceTouch]:
        """To free a block is an access to all of its bytes."""
        vocabulary = self.variables.vocabulary
        address = self.variables.value(state.values, free.address)
        for block in vocabulary.instances.values():
            start, alive = vocabulary.address(block.number), vocabulary.alive(block)
            if block.kind is not Lifetime.HEAP or not block.capacity or alive not in mapping:
                continue
            condition = self.conditions.extended(state.guard, self.terms.eq(address, start))
            if condition is not None:
                yield RaceTouch(
                    node.number,
                    self.terms.and_(*condition),
                    start,
                    block.capacity,
                    is_write=True,
                    is_atomic=state.is_atomic,
                    is_inside=state.node is not None,
                    locks=state.locks.held,
                    freed=mapping[alive],
                )


def _locations_before_creations(code: Code) -> frozenset[int]:
    """The locations in atomic sections from which a thread may be created, or end, inside the section."""
    edges = [edge for out in code.out.values() for edge in out if edge.source in code.inside]
    found = {edge.source for edge in edges if isinstance(edge.instruction, Create | Exit | End)}
    while new := {edge.source for edge in edges if edge.target in found} - found:
        found |= new
    return frozenset(found)
