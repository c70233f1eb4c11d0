"""Unrolling: from a program and a bound for every loop to events.

Every thread is run once, on terms, along all its paths at once: paths that meet are merged. What other
threads may change is read as a fresh symbol, so each thread is run by itself. A step does what
``semantics.symbolic`` says; this module decides only which of the variables that it mentions are shared.

A thread that fails an assumption, is blocked or reaches the bound of a loop stops there. It is as if it were
not scheduled any more, so nothing that the other threads do is lost.
"""

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import find_sharing
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.bounded_events import (
    Allocation,
    Arbitrary,
    Cut,
    EventGraph,
    Filling,
    Node,
    Read,
    ThreadEvents,
    Touch,
    Trouble,
    Violation,
    Wait,
    Write,
)
from sley.evidence.bounded_loops import Iterations, LoopNest
from sley.logic.clauses import conjuncts
from sley.logic.operators import Op
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
from sley.semantics.symbolic import Effect, Hints, effect_of
from sley.semantics.symbolic_memory import SymbolicAccess, matching_targets
from sley.semantics.symbolic_sections import may_block
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.semantics.vocabulary import HeapShape, Vocabulary

MOST_NODES = 20_000
"""More events than this are beyond us."""

MOST_EDGES = 200_000
"""More executed edges than this are beyond us."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What a node, or a program with one thread, wrote to a variable so far."""

    condition: Term
    value: Term


@dataclass(slots=True)
class _State:
    """Where a thread is, and what holds there."""

    location: int
    iterations: Iterations
    guard: tuple[Term, ...]
    values: dict[Term, Term]
    """Registers and private memory."""
    view: dict[Term, Entry] = field(default_factory=dict)
    """Shared variables that were written in the present node."""
    node: Node | None = None
    """The atomic section that the thread is in."""
    is_alone: bool = False
    """No other thread was ever created: node 0 goes on."""

    def copy(self) -> "_State":
        """A state that can go another way."""
        return replace(self, values=dict(self.values), view=dict(self.view))


class Unroller:
    """What is known of a program before anything is unrolled."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.steps = SymbolicSteps(code)
        self.points_to = PointsTo(code.program)
        self.places = Places(self.steps, self.points_to)
        self.sharing = find_sharing(code.program, self.points_to)
        self.nests: dict[str, LoopNest] = {}
        self.creating = _locations_before_creations(code)
        self.shape = self.steps.initial_shape()
        """All that the last unrolling found to exist."""

    def nest(self, function: str) -> LoopNest:
        """The loops of a thread template."""
        if function not in self.nests:
            self.nests[function] = LoopNest(self.code.program.functions[function])
        return self.nests[function]

    def unroll(self, bounds: Mapping[int, int], budget: Budget, *, finds_waits: bool) -> EventGraph:
        """The events with each loop unrolled as often as its bound says (once if it has none).

        What exists is known only afterwards; so once more if it is not what was expected.
        """
        while True:
            run = _Unrolling(self, bounds, budget, finds_waits=finds_waits)
            run.run()
            if run.found == self.shape:
                return run.graph
            self.shape = run.found


@dataclass(slots=True)
class _Section:
    """An atomic section that may be blocked."""

    node: Node
    waiting: Node
    guard: Term
    inputs: list[Term] = field(default_factory=list)
    """Arbitrary values that are made in it."""


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
        self, unroller: Unroller, bounds: Mapping[int, int], budget: Budget, *, finds_waits: bool
    ) -> None:
        self.unroller = unroller
        self.code = unroller.code
        self.terms = self.code.program.terms
        self.bounds = bounds
        self.budget = budget
        self.finds_waits = finds_waits
        self.expected = unroller.shape
        self.found = unroller.steps.initial_shape()
        self.graph = EventGraph()
        self.vocabulary: Vocabulary = unroller.steps.vocabulary(self.expected)
        self.thread = 0
        self._queue: list[tuple[tuple[int, ...], int]] = []
        self._arriving: dict[tuple[int, ...], list[_State]] = {}
        self._starts: list[_Start] = []
        self._last_node: int | None = None
        self._owners: dict[Term, int] = {}
        self._is_shared: dict[Term, bool] = {}
        self._initial = unroller.steps.initial_values(self.expected)
        self._fresh_count = 0
        self._names: dict[Term, Term] = {}
        self._meanings: dict[Term, Term] = {}
        self._steady = self.terms.var("!steady", BOOL)
        """Kept like private memory: the thread has not used a spurious wake-up in its section."""
        self._sections: list[_Section] = []
        self._completed: dict[int, Term] = {}
        """Section -> when it can be completed without a spurious wake-up."""
        self._executed = 0
        self._edges_out: set[tuple[int, Iterations]] = set()
        self._creations: list[tuple[int, Term, int]] = []
        """Who creates (with which node), when, and the order in which we met it."""
        self._joins: list[tuple[int, int]] = []
        """Thread that is joined, node."""
        self._allocations: list[_Life] = []
        self._frees: list[_Life] = []

    # --- threads ----------------------------------------------------------------------------------

    def run(self) -> None:
        """Unroll all threads."""
        main = self.code.program.functions[self.code.program.entry]
        root = self._new_node(0, main.entry, self.terms.true)
        values = {
            self.vocabulary.register(0, register): self.terms.const(0, register.sort)
            for register in self.code.live[main.entry]
        }
        self.graph.threads.append(ThreadEvents(main.name, self.terms.true))
        self._starts.append(_Start(0, (), values, root.number, is_alone=True))
        while self._starts:
            self._run_thread(self._starts.pop(0))
        self._order_joins()
        self._find_order_troubles()
        self.graph.initial = {v: self._first(v) for v in self.graph.variables()}

    def _run_thread(self, start: _Start) -> None:
        self.thread = start.thread
        self._last_node = start.created_by
        name = self.graph.threads[start.thread].function
        entry = self.code.program.functions[name].entry
        iterations = (0,) * len(self._nest.heads(entry))
        first = _State(entry, iterations, start.guard, start.values, is_alone=start.is_alone)
        self._arrive(first, self._nest.key(entry, iterations))
        while self._queue:
            key, _ = heapq.heappop(self._queue)
            states = self._arriving.pop(key, None)
            if states is not None:
                self._advance(self._merged(states))
        self._finish_sections()

    @property
    def _nest(self) -> LoopNest:
        return self.unroller.nest(self.graph.threads[self.thread].function)

    def _arrive(self, state: _State, position: tuple[int, ...]) -> None:
        """Wait until all have come that go on together: at one position, in one section."""
        key = (*position, -1 if state.node is None else state.node.number)
        if key not in self._arriving:
            self._arriving[key] = []
            heapq.heappush(self._queue, (key, state.location))
        self._arriving[key].append(state)

    def _go(self, state: _State, edge: Edge) -> None:
        """Move a state along an edge that it can take, unless a loop has reached its bound."""
        nest = self._nest
        iterations = nest.after(edge, state.iterations)
        for head, left in nest.left(edge, state.iterations):
            self._edges_out.add((self.thread, (*left, head)))
        if nest.is_back(edge) and not self._may_repeat(edge.target, state.iterations):
            self._stop_inside(state.node, self._all(state.guard))
            self.graph.cuts.append(Cut(self._all(state.guard), edge.target))
            return
        state.location, state.iterations = edge.target, iterations
        self._arrive(state, nest.key(edge.target, iterations))

    def _may_repeat(self, head: int, iterations: Iterations) -> bool:
        """Whether the bound allows one more iteration; those that nobody can leave are free."""
        before = self._nest.iterations_of(head, iterations)
        count, context = before[-1], before[:-1]
        is_endless = head not in self._nest.heads_with_exit
        cost = sum(
            is_endless or (self.thread, (*context, number, head)) in self._edges_out
            for number in range(count + 1)
        )
        return cost < self.bounds.get(head, 1)

    # --- states -----------------------------------------------------------------------------------

    def _all(self, guard: Sequence[Term]) -> Term:
        return self.terms.and_(*guard)

    def _with(self, guard: tuple[Term, ...], condition: Term) -> tuple[Term, ...] | None:
        """The guard with one more conjunct; None if that is surely false."""
        new = [self._named(c) for c in conjuncts(self.terms, (condition,)) if c not in guard]
        known = set(guard) | set(new)
        if any(c == self.terms.false or self.terms.not_(c) in known for c in new):
            return None
        return (*guard, *new)

    def _named(self, condition: Term) -> Term:
        """A literal for a condition, so that conditions of long paths stay small."""
        t = self.terms
        inner = t.args(condition)[0] if t.op(condition) is Op.NOT else condition
        if t.op(inner) not in (Op.AND, Op.OR, Op.ITE):
            return condition
        if condition not in self._names:
            name = t.var(f"!on{len(self._names)}", BOOL)
            self._names[condition] = name
            self._meanings[name] = condition
            self.graph.definitions.append(t.eq(name, condition))
        return self._names[condition]

    def _merged(self, states: list[_State]) -> _State:
        if len(states) == 1:
            return states[0]
        first = states[0]
        if not all(state.is_alone for state in states):
            for state in states:
                self._flush_alone(state)
        shared = [c for c in first.guard if all(c in state.guard for state in states[1:])]
        own = [self._named(self._all([c for c in state.guard if c not in shared])) for state in states]
        guard = self._with(tuple(shared), self._one_of(states, set(shared), own))
        assert guard is not None, "one of the paths is taken"
        first.values = self._merged_values(states, own)
        first.view = self._merged_views(states, own)
        first.guard = guard
        return first

    def _one_of(self, states: list[_State], shared: set[Term], own: list[Term]) -> Term:
        """One of several paths is taken: true where they split by one condition, and again by others."""
        rests = [[c for c in state.guard if c not in shared] for state in states]
        while len(rests) > 1:
            joined = self._joined_pair(rests)
            if joined is None:
                return self.terms.or_(*own)
            first, second, rest = joined
            rests = [r for at, r in enumerate(rests) if at not in (first, second)]
            rests.append(rest)
        return self._all(rests[0])

    def _joined_pair(self, rests: list[list[Term]]) -> tuple[int, int, list[Term]] | None:
        """Two conjunctions that differ in the truth of one condition, and what they have in common."""
        for first, one in enumerate(rests):
            for second in range(first + 1, len(rests)):
                a, b = set(one) - set(rests[second]), set(rests[second]) - set(one)
                if len(a) == len(b) == 1 and self.terms.not_(next(iter(a))) in b:
                    return first, second, [c for c in one if c not in a]
        return None

    def _merged_values(self, states: list[_State], own: list[Term]) -> dict[Term, Term]:
        t, values = self.terms, dict[Term, Term]()
        live = {
            self.vocabulary.register(self.thread, register)
            for register in self.code.live.get(states[0].location, ())
        }
        for variable in dict.fromkeys(v for state in states for v in state.values):
            if t.name(variable).startswith("#") and variable not in live:
                continue
            result = self._local(states[-1], variable)
            for state, condition in zip(states[-2::-1], own[-2::-1], strict=True):
                result = t.ite(condition, self._local(state, variable), result)
            values[variable] = result
        return values

    def _merged_views(self, states: list[_State], own: list[Term]) -> dict[Term, Entry]:
        t, view = self.terms, dict[Term, Entry]()
        for variable in dict.fromkeys(v for state in states for v in state.view):
            condition, value = t.false, None
            for state, mine in zip(reversed(states), reversed(own), strict=True):
                entry = state.view.get(variable)
                condition = t.ite(mine, t.false if entry is None else entry.condition, condition)
                if entry is not None:
                    value = entry.value if value is None else t.ite(mine, entry.value, value)
            assert value is not None
            view[variable] = Entry(condition, value)
        return view

    # --- edges ------------------------------------------------------------------------------------

    def _advance(self, state: _State) -> None:
        """One edge, or all edges of a branch."""
        self.budget.spend()
        self._executed += 1
        if self._executed > MOST_EDGES or len(self.graph.nodes) > MOST_NODES:
            raise GaveUpError("the unrolled program is too large")
        location = state.location
        if location in self.code.errors:
            self._fail(state)
            return
        edges, fault = self.code.out.get(location, ()), self.code.faults.get(location)
        if len(edges) > 1 and fault is None:
            self._branch(state, edges)
            return
        main = next((edge for edge in edges if not isinstance(edge.instruction, Fault)), None)
        if main is not None:
            self._execute(state, main, fault)

    def _fail(self, state: _State) -> None:
        if state.node is not None:
            self._complete(state)
        node = self._new_node(self.thread, state.location, self._all(state.guard))
        self.graph.violations.append(Violation(node.number, self.code.errors[state.location]))

    def _branch(self, state: _State, edges: tuple[Edge, ...]) -> None:
        """Siblings are tried in order: each is taken where those before it do not hold."""
        t = self.terms
        before: list[Term] = []
        for edge in edges:
            assert isinstance(edge.instruction, Assume)
            holds = self._value(state, edge.instruction.condition)
            condition = t.and_(*(t.not_(b) for b in before), holds)
            before.append(holds)
            guard = self._with(state.guard, condition)
            if guard is not None:
                taken = state.copy()
                taken.guard = guard
                self._go(taken, edge)

    def _execute(self, state: _State, edge: Edge, fault: Edge | None) -> None:
        match edge.instruction:
            case GiveUp(reason=reason):
                self._trouble(state.guard, self.terms.true, reason, state.node)
            case CallUnmodelled(function=name):
                self._trouble(state.guard, self.terms.true, f"unmodelled: call of `{name}`", state.node)
            case AtomicBegin():
                self._begin_section(state, edge)
                self._go(state, edge)
            case AtomicEnd():
                if state.node is not None:
                    self._complete(state)
                self._go(state, edge)
            case Create():
                self._create(state, edge, edge.instruction)
            case Allocate():
                self._allocate(state, edge, edge.instruction)
            case _:
                self._take(
                    state, self._with_known_address(state, edge), edge, fault, self._hints(state, edge)
                )

    def _create(self, state: _State, edge: Edge, instruction: Create) -> None:
        thread = len(self.found.threads)
        self.found = Shape((*self.found.threads, instruction.function), self.found.heap)
        if thread >= len(self.expected.threads) or self.expected.threads[thread] != instruction.function:
            self._expect(Shape((*self.expected.threads[:thread], instruction.function), self.expected.heap))
        self._flush_alone(state)
        start = _Start(thread, state.guard, {}, None)
        self.graph.threads.append(ThreadEvents(instruction.function, self._all(state.guard)))
        self._take(state, edge, edge, None, Hints(thread=thread), start)
        self._starts.append(start)

    def _expect(self, shape: Shape) -> None:
        self.expected = shape
        self.vocabulary = self.unroller.steps.vocabulary(shape)
        self._initial = self.unroller.steps.initial_values(shape)

    def _allocate(self, state: _State, edge: Edge, instruction: Allocate) -> None:
        """Every allocation has its own block; who gets the number of a dead one is a trouble."""
        size = self.terms.number(self._value(state, instruction.size))
        if size is None or instruction.layout.count(size) > LARGEST_BLOCK:
            reason = "the size of a heap block is not known, or too large"
            self._trouble(state.guard, self.terms.true, reason, state.node)
            return
        number = self.code.memory_map.heap_base + len(self.found.heap)
        block = (number, HeapShape(instruction.layout, size, edge.source))
        at = len(self.found.heap)
        self.found = Shape(self.found.threads, (*self.found.heap, block))
        if at >= len(self.expected.heap) or self.expected.heap[at] != block:
            self._expect(Shape(self.expected.threads, (*self.expected.heap[:at], block)))
        self._allocations.append(self._life(state))
        self.graph.threads[self.thread].makings.append(Allocation(self._all(state.guard), number))
        self._take(state, edge, edge, None, Hints(block=number))

    def _with_known_address(self, state: _State, edge: Edge) -> Edge:
        """The edge with its address as a constant, where it is one by now."""
        instruction = edge.instruction
        if isinstance(instruction, Load | Store | Update | Lock | Unlock):
            address = self._value(state, instruction.access.address)
            if self.terms.is_const(address):
                access = replace(instruction.access, address=address)
                return Edge(edge.source, edge.target, replace(instruction, access=access), edge.origin)
        return edge

    def _hints(self, state: _State, edge: Edge) -> Hints:
        instruction = edge.instruction
        if isinstance(instruction, Load | Store | Update | Lock | Unlock):
            address, size = self._value(state, instruction.access.address), instruction.access.size
            if self.terms.is_const(address):
                return Hints(targets=matching_targets(self.vocabulary, address, size))
        elif isinstance(instruction, Free):
            self._frees.append(self._life(state))
            address = self._value(state, instruction.address)
        else:
            return Hints()
        listed = self.unroller.places.listed(self.expected, edge)
        possible = self._constants(address)
        if possible is not None:
            pointers = self.vocabulary.pointers
            listed = tuple(
                target for target in listed if pointers.address(target.number, target.offset) in possible
            )
        return Hints(targets=listed)

    def _constants(self, address: Term) -> frozenset[int] | None:
        """All values of a term that chooses between constants."""
        found: set[int] = set()
        waiting = [address]
        while waiting:
            term = waiting.pop()
            number = self.terms.number(term)
            if number is not None:
                found.add(number)
            elif self.terms.op(term) is Op.ITE:
                waiting.extend(self.terms.args(term)[1:])
            else:
                return None
        return frozenset(found)

    # --- effects ----------------------------------------------------------------------------------

    def _take(
        self,
        state: _State,
        known: Edge,
        edge: Edge,
        fault: Edge | None,
        hints: Hints,
        start: _Start | None = None,
    ) -> None:
        """The edge where it can be taken, its fault where it is wrong; ``known`` has a simpler address."""
        t = self.terms
        made: list[Term] = []
        effect = effect_of(self.vocabulary, self.thread, known, self._fresh(made), hints)
        self._note_inputs(state, edge, effect, made)
        own = {v: term for v, term in effect.updates.items() if start is None or not self._is_of(start, v)}
        written = {v: self._peeled(v, term) for v, term in own.items() if self._is_visible(v)}
        local = {v: term for v, term in own.items() if v not in written}
        given = {v: term for v, term in effect.updates.items() if v not in own}
        wrong = t.not_(t.or_(effect.guard, effect.waits)) if fault is not None else t.false
        raw = (
            effect.guard,
            effect.waits if self.finds_waits else t.false,
            self._everything_alive(effect.elsewhere) if fault is None else t.false,
            wrong,
            *local.values(),
            *given.values(),
            *(part for pair in written.values() for part in pair),
        )
        mentioned = dict.fromkeys(v for term in raw for v in t.variables(term))
        read = [v for v in mentioned if self._is_visible(v)]
        node = self._node_for(state, edge, needs_one=bool(read or written) or _is_always_visible(edge))
        mapping = {v: self._local(state, v) for v in mentioned if v not in read}
        mapping |= {v: self._read(state, node, v) for v in read}
        guard, waits, elsewhere, wrong, *values = t.substitute_all(raw, mapping)
        if self.finds_waits and isinstance(edge.instruction, Await) and edge.instruction.is_spurious:
            guard = t.or_(t.not_(waits), self.new_symbol(BOOL, "wakes"))
        if node is not None and len(read) > 1:
            self._note_needs(state, node, raw, read, mapping)
        elif node is not None and read:
            self._need(state, node, read[0], t.true)
        self._trouble(state.guard, elsewhere, "an access whose place is not known", state.node)
        if self.finds_waits and waits != t.false:
            self._wait(state, edge, node, waits, mapping)
        if node is not None:
            self._touch(state, node, edge)
        new_values = dict(zip(local, values, strict=False))
        rest = values[len(local) :]
        if start is not None:
            start.values = dict(zip(given, rest, strict=False))
            self._owners |= dict.fromkeys(given, start.thread)
        rest = rest[len(given) :]
        entries = {v: Entry(rest[2 * i], rest[2 * i + 1]) for i, v in enumerate(written)}
        failing = None if fault is None else self._with(state.guard, wrong)
        if failing is not None and fault is not None:
            failed = state.copy()
            failed.guard = failing
            self._finish_node(failed, node)
            self._go(failed, fault)
        passing = self._with(state.guard, guard)
        if passing is None:
            return
        self._note_join(state, edge, node)
        state.guard = passing
        for variable in new_values:
            self._claim(variable)
        state.values |= new_values
        if isinstance(edge.instruction, Await) and edge.instruction.is_spurious and state.node is not None:
            state.values[self._steady] = t.and_(self._local(state, self._steady), t.not_(waits))
        for variable, entry in entries.items():
            self._enter(state, variable, entry)
        self._finish_node(state, node)
        self._after(state, edge, node, start)

    def _after(self, state: _State, edge: Edge, node: Node | None, start: _Start | None) -> None:
        """Where the thread goes, unless it has ended."""
        instruction = edge.instruction
        if start is not None:
            assert node is not None
            start.created_by = node.number
            start.guard = state.guard
            self._creations.append((node.number, self._all(state.guard), self.thread))
        if isinstance(instruction, Exit | End):
            if state.node is not None:
                self._complete(state)
            assert node is not None
            (self.graph.exits if isinstance(instruction, Exit) else self.graph.ends).append(node.number)
            return
        self._go(state, edge)

    def _note_join(self, state: _State, edge: Edge, node: Node | None) -> None:
        if isinstance(edge.instruction, Join) and node is not None and node is not state.node:
            handle = self.terms.number(self._value(state, edge.instruction.handle))
            if handle is not None:
                self._joins.append((handle - 1, node.number))

    def _note_inputs(self, state: _State, edge: Edge, effect: Effect, made: list[Term]) -> None:
        """What a replay has to know about arbitrary values."""
        if not made:
            return
        condition, makings = self._all(state.guard), self.graph.threads[self.thread].makings
        for section in self._sections:
            if section.node is state.node:
                section.inputs.extend(made)
        if isinstance(edge.instruction, Havoc):
            makings.append(Arbitrary(condition, made[0]))
            return
        for instance in self.vocabulary.instances.values():
            cells = self.vocabulary.cells(instance)
            if cells and effect.updates.get(cells[0]) in made:
                contents = tuple(effect.updates[cell] for cell in cells)
                makings.append(Filling(condition, instance.number, contents))

    def _peeled(self, variable: Term, term: Term) -> tuple[Term, Term]:
        """When a variable is written, and with what; elsewhere it keeps its value."""
        t = self.terms
        cases: list[tuple[Term, Term]] = []
        while t.op(term) is Op.ITE:
            condition, then, otherwise = t.args(term)
            if then == variable:
                cases.append((t.not_(condition), otherwise))
                term = then
            else:
                cases.append((condition, then))
                term = otherwise
        if term != variable or not cases:
            return t.true, self._chosen(cases, term)
        return t.or_(*(condition for condition, _ in cases)), self._chosen(cases[:-1], cases[-1][1])

    def _chosen(self, cases: list[tuple[Term, Term]], otherwise: Term) -> Term:
        for condition, value in reversed(cases):
            otherwise = self.terms.ite(condition, value, otherwise)
        return otherwise

    def _everything_alive(self, condition: Term) -> Term:
        """A weaker condition that does not ask what lives, or how large a block was made."""
        t = self.terms
        mapping: dict[Term, Term] = {}
        for variable in t.variables(condition):
            name = t.name(variable)
            if name.startswith("alive@"):
                mapping[variable] = t.true
            elif name.startswith("size@"):
                capacity = self.vocabulary.instances[int(name.removeprefix("size@"))].capacity
                mapping[variable] = t.const(capacity, t.sort(variable))
        return t.substitute(condition, mapping)

    # --- variables --------------------------------------------------------------------------------

    def _fresh(self, made: list[Term]) -> "_Fresh":
        return _Fresh(self, made)

    def new_symbol(self, sort: Sort, text: str) -> Term:
        """A variable that occurs nowhere else in the events."""
        self._fresh_count += 1
        return self.terms.var(f"!{self._fresh_count}{text}", sort)

    def _is_of(self, start: _Start, variable: Term) -> bool:
        """Whether a variable belongs to the state of a new thread alone."""
        name = self.terms.name(variable)
        if name.startswith("#"):
            return name.startswith(f"#{start.thread}.") and not name.startswith(f"#{start.thread}.!")
        return not self._is_visible(variable)

    def _is_visible(self, variable: Term) -> bool:
        """Whether two threads may access the variable."""
        found = self._is_shared.get(variable)
        if found is None:
            found = self._is_shared[variable] = self._compute_visible(self.terms.name(variable))
        return found

    def _compute_visible(self, name: str) -> bool:
        if name.startswith("#"):
            return name.partition(".")[2].startswith("!")
        kind, _, rest = name.partition("@")
        if kind not in ("", "alive"):
            return False  # sizes, inputs and symbols of earlier reads never change
        number = int(rest.partition(".")[0])
        obj = self.unroller.places.abstract(self.expected, number)
        return obj is None or self.unroller.sharing.is_shared(obj)

    def _value(self, state: _State, term: Term) -> Term:
        """A term of the thread's function, where it mentions no memory."""
        instantiated = self.vocabulary.instantiated(self.thread, term)
        mapping = {v: self._local(state, v) for v in self.terms.variables(instantiated)}
        return self.terms.substitute(instantiated, mapping)

    def _local(self, state: _State, variable: Term) -> Term:
        """The value of a register, of private memory, of a size, or an input."""
        found = state.values.get(variable)
        if found is not None:
            return found
        name = self.terms.name(variable)
        if name.startswith("#"):
            sort = self.terms.sort(variable)
            return self.terms.const(False if sort == BOOL else 0, sort)
        if name.startswith("size@"):
            capacity = self.vocabulary.instances[int(name.removeprefix("size@"))].capacity
            return self.terms.const(capacity, self.terms.sort(variable))
        if name.startswith(("@", "alive@")):
            self._claim(variable)
            return self._first(variable)
        return self.terms.true if variable == self._steady else variable

    def _claim(self, variable: Term) -> None:
        """Nobody else may access memory that a thread keeps to itself."""
        if self.terms.name(variable).startswith(("@", "alive@")):
            owner = self._owners.setdefault(variable, self.thread)
            if owner != self.thread:
                raise GaveUpError("two threads access memory that was thought to be private")

    def _first(self, variable: Term) -> Term:
        """What a variable holds when the program starts."""
        found = self._initial.get(variable)
        if found is None:
            name = f"!first{self.terms.name(variable)}"
            found = self._initial[variable] = self.terms.var(name, self.terms.sort(variable))
        return found

    def _read(self, state: _State, node: Node | None, variable: Term) -> Term:
        """What the present node finds in a shared variable."""
        entry = state.view.get(variable)
        if entry is not None and entry.condition == self.terms.true:
            return entry.value
        before = self._first(variable) if node is None else self._symbol(node, variable)
        return before if entry is None else self.terms.ite(entry.condition, entry.value, before)

    def _symbol(self, node: Node, variable: Term) -> Term:
        if node.number == 0:
            return self._first(variable)
        if variable not in node.reads:
            symbol = self.new_symbol(self.terms.sort(variable), f":{node.number}:{self.terms.name(variable)}")
            node.reads[variable] = Read(node.number, variable, symbol, self.terms.false)
        return node.reads[variable].symbol

    def _enter(self, state: _State, variable: Term, entry: Entry) -> None:
        """Note a write in the present node."""
        t, old = self.terms, state.view.get(variable)
        if entry.condition == t.false:
            return
        if old is None or entry.condition == t.true:
            state.view[variable] = entry
        else:
            value = t.ite(entry.condition, entry.value, old.value)
            state.view[variable] = Entry(t.or_(entry.condition, old.condition), value)

    # --- nodes ------------------------------------------------------------------------------------

    def _new_node(self, thread: int, location: int, occurs: Term) -> Node:
        node = Node(len(self.graph.nodes), thread, location, occurs)
        self.graph.nodes.append(node)
        if self._last_node is not None:
            self.graph.edges.append((self._last_node, node.number))
        self._last_node = node.number
        return node

    def _node_for(self, state: _State, edge: Edge, *, needs_one: bool) -> Node | None:
        """The node that an edge is part of; none where nobody can notice it."""
        if state.node is not None:
            return state.node
        ends = isinstance(edge.instruction, Exit | End)
        if not needs_one or (state.is_alone and not ends):
            return None
        if ends:
            self._flush_alone(state)
        state.view = {}
        return self._new_node(self.thread, edge.source, self.terms.false)

    def _need(self, state: _State, node: Node, variable: Term, condition: Term) -> None:
        read = node.reads.get(variable)
        if read is not None:
            read.needed = self.terms.or_(read.needed, self.terms.and_(*state.guard, condition))

    def _note_needs(
        self, state: _State, node: Node, raw: tuple[Term, ...], read: list[Term], mapping: dict[Term, Term]
    ) -> None:
        """Say of each read when it matters: in one case of a choice by address, or always."""
        t = self.terms
        visible = set(read)
        conditions: dict[Term, dict[Term, None]] = {v: {} for v in read}
        waiting, seen = [(term, t.true) for term in raw], set[tuple[Term, Term]]()
        while waiting:
            term, condition = waiting.pop()
            if (term, condition) in seen:
                continue
            seen.add((term, condition))
            if term in visible:
                conditions[term][condition] = None
            elif t.op(term) is Op.ITE:
                choice, then, otherwise = t.args(term)
                waiting.extend(((choice, condition), (then, choice), (otherwise, condition)))
            elif not visible.isdisjoint(t.variables(term)):
                waiting.extend((arg, condition) for arg in t.args(term))
        for variable, found in conditions.items():
            needed = t.or_(*found)
            self._need(state, node, variable, t.substitute(needed, mapping))

    def _finish_node(self, state: _State, node: Node | None) -> None:
        """After an edge: a node of one edge is complete; a section waits for its end."""
        if node is not None and node is not state.node:
            self._write_out(state, node)

    def _complete(self, state: _State) -> None:
        """The section of a state is over."""
        assert state.node is not None
        steadily = self.terms.and_(*state.guard, self._local(state, self._steady))
        before = self._completed.get(state.node.number, self.terms.false)
        self._completed[state.node.number] = self.terms.or_(before, steadily)
        self._write_out(state, state.node)
        state.node = None

    def _write_out(self, state: _State, node: Node) -> None:
        """The node happens on this path, with the writes of the view."""
        t, guard = self.terms, self._all(state.guard)
        node.occurs = t.or_(node.occurs, guard)
        for variable, entry in state.view.items():
            condition = t.and_(guard, entry.condition)
            old = node.writes.get(variable)
            if old is not None:
                value = t.ite(condition, entry.value, old.value)
                node.writes[variable] = Write(node.number, variable, t.or_(condition, old.condition), value)
            elif condition != t.false:
                node.writes[variable] = Write(node.number, variable, condition, entry.value)
        state.view = {}

    def _flush_alone(self, state: _State) -> None:
        """Other threads are about to exist: what was written so far becomes visible."""
        if not state.is_alone:
            return
        if state.location in self.code.inside:
            raise GaveUpError("a thread is created in an atomic section")
        t, root, guard = self.terms, self.graph.nodes[0], self._all(state.guard)
        for variable, entry in state.view.items():
            condition = t.and_(guard, entry.condition)
            old = root.writes.get(variable)
            before = self._first(variable) if old is None else old.value
            value = t.ite(condition, entry.value, before)
            root.writes[variable] = Write(0, variable, t.true, value)
        state.view = {}
        state.is_alone = False

    # --- what is asked of events ------------------------------------------------------------------

    def _stop_inside(self, node: Node | None, condition: Term) -> None:
        """A thread stops in the middle of a section: what it has read was there, nothing is written."""
        if node is not None:
            node.occurs = self.terms.or_(node.occurs, condition)

    def _trouble(
        self, guard: tuple[Term, ...], condition: Term, reason: str, node: Node | None = None
    ) -> None:
        found = self._with(guard, condition)
        if found is not None:
            self._stop_inside(node, self._all(found))
            self.graph.troubles.append(Trouble(self._all(found), reason))

    def _touch(self, state: _State, node: Node, edge: Edge) -> None:
        """Note an access that might be part of a data race."""
        instruction = edge.instruction
        if not isinstance(instruction, Load | Store | Update) or node.number == 0:
            return
        access: Access = instruction.access
        start, size = 0, access.size
        if access.location is not None and state.node is None:
            start, end = access.location
            size = end - start
        address = self._value(state, access.address)
        if start:
            address = self.terms.add(address, self.terms.bv(start, self.terms.width(address)))
        node.touches.append(
            Touch(
                node.number,
                self._all(state.guard),
                address,
                size,
                not isinstance(instruction, Load),
                access.is_atomic or state.node is not None,
            )
        )

    def _wait(
        self, state: _State, edge: Edge, node: Node | None, waits: Term, mapping: Mapping[Term, Term]
    ) -> None:
        """The thread may be blocked here for good: a node of its own reads what it waits for."""
        if state.node is not None:
            return  # the whole section is blocked, or not
        found = self._new_node(self.thread, edge.source, self.terms.false)
        renamed = self._read_again(node, found, self._all(state.guard))
        found.occurs = self.terms.and_(*state.guard, self.terms.substitute(waits, renamed))
        holder = self._holder(state, edge, mapping)
        self.graph.waits.append(
            Wait(
                found.number,
                None if node is None else node.number,
                None if holder is None else self.terms.substitute(holder, renamed),
            )
        )

    def _read_again(self, node: Node | None, waiting: Node, guard: Term) -> dict[Term, Term]:
        """The node that waits reads what the other one does; which symbols stand for which."""
        renamed: dict[Term, Term] = {}
        for variable, read in ({} if node is None else node.reads).items():
            renamed[read.symbol] = self._symbol(waiting, variable)
            waiting.reads[variable].needed = guard
        return renamed

    def _holder(self, state: _State, edge: Edge, mapping: Mapping[Term, Term]) -> Term | None:
        """The handle of the thread that has what this one waits for."""
        instruction = edge.instruction
        if isinstance(instruction, Join):
            return self._value(state, instruction.handle)
        if not isinstance(instruction, Lock):
            return None
        access, targets = instruction.access, self._hints(state, edge).targets
        address = self.vocabulary.instantiated(self.thread, access.address)
        memory = SymbolicAccess(self.vocabulary, address, access.size, targets or (), writes=True)
        return self.terms.substitute(memory.read(bitvec(8 * access.size)), mapping)

    def _begin_section(self, state: _State, edge: Edge) -> None:
        """A section is one node; where it may be blocked, another one waits for it."""
        may_wait = self.finds_waits and may_block(self.code, edge.source)
        if may_wait or edge.target in self.unroller.creating:
            self._flush_alone(state)
        if state.is_alone:
            return
        waiting = self._new_node(self.thread, edge.source, self.terms.false) if may_wait else None
        state.node = self._new_node(self.thread, edge.source, self.terms.false)
        state.view = {}
        state.values.pop(self._steady, None)
        if waiting is not None:
            self._sections.append(_Section(state.node, waiting, self._all(state.guard)))

    def _finish_sections(self) -> None:
        """All sections of a thread are known: say when they are blocked."""
        t = self.terms
        for section in self._sections:
            renamed = self._read_again(section.node, section.waiting, section.guard)
            can_step = self._completed.get(section.node.number, t.false)
            blocked = t.and_(
                *(t.not_(self._renamed(can_step, renamed | inputs, {})) for inputs in self._tried(section))
            )
            section.waiting.occurs = t.and_(section.guard, blocked)
            self.graph.waits.append(Wait(section.waiting.number, section.node.number, None))
        self._sections = []

    def _tried(self, section: "_Section") -> list[dict[Term, Term]]:
        """Two values for each input: a section that neither lets pass may be blocked, any other is not."""
        if not section.inputs:
            return [{}]
        t = self.terms
        booleans = {v: (t.false, t.true) for v in section.inputs if t.is_boolean(v)}
        numbers = {v: t.sort(v) for v in section.inputs if v not in booleans}
        return [
            {v: pair[value] for v, pair in booleans.items()}
            | {v: t.const(value, sort) for v, sort in numbers.items()}
            for value in (0, 1)
        ]

    def _renamed(self, term: Term, renamed: Mapping[Term, Term], done: dict[Term, Term]) -> Term:
        """The term with other symbols, also in what its names stand for."""
        mapping = dict(renamed)
        for variable in self.terms.variables(term):
            meaning = self._meanings.get(variable)
            if meaning is None:
                continue
            if variable not in done:
                other = self._renamed(meaning, renamed, done)
                done[variable] = variable if other == meaning else self._named(other)
            mapping[variable] = done[variable]
        return self.terms.substitute(term, mapping)

    def _order_joins(self) -> None:
        """Who joins a thread comes after its end."""
        ends: dict[int, list[int]] = {}
        for exit_ in self.graph.exits:
            ends.setdefault(self.graph.nodes[exit_].thread, []).append(exit_)
        for thread, join in self._joins:
            if self.graph.nodes[join].thread != thread:
                self.graph.join_edges.extend((end, join) for end in ends.get(thread, ()))

    def _find_order_troubles(self) -> None:
        """Numbers of threads and blocks are those of our order: where others are possible, we do not know."""
        t = self.terms
        reason = "the numbers of threads depend on the schedule"
        for (_, before, first), (_, after, second) in zip(self._creations, self._creations[1:], strict=False):
            missing = t.not_(before) if first == second else t.true
            self._trouble((), t.and_(after, missing), reason)
        if not self.unroller.points_to.is_reusing:
            return
        for made in self._allocations:
            for freed in self._frees:
                is_later = freed.thread == made.thread and freed.at > made.at
                if not is_later and not (made.is_alone and not freed.is_alone):
                    both = t.and_(made.condition, freed.condition)
                    self._trouble((), both, "a heap block may get the number of a dead one")

    def _life(self, state: _State) -> "_Life":
        return _Life(self.thread, self._executed, state.is_alone, self._all(state.guard))


class _Life(NamedTuple):
    """A heap block begins or ends."""

    thread: int
    at: int
    """Later in a thread is larger."""
    is_alone: bool
    condition: Term


class _Fresh:
    """Makes variables for arbitrary values, and remembers them."""

    def __init__(self, unrolling: _Unrolling, made: list[Term]) -> None:
        self.unrolling = unrolling
        self.made = made

    def __call__(self, sort: Sort, text: str) -> Term:
        """A new one."""
        self.made.append(self.unrolling.new_symbol(sort, "?"))
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
