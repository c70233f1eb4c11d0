"""Where a thread is while it is unrolled, and what its nodes read and write."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.base.errors import GaveUpError
from sley.engines.bmc.events.conditions import Conditions
from sley.engines.bmc.events.dependencies import NOTHING, Flows, ThreadDependencies
from sley.engines.bmc.events.graph import EventGraph, EventNode, NodeRead, NodeWrite
from sley.engines.bmc.events.loops import Iterations
from sley.engines.bmc.events.spinning import Round
from sley.engines.bmc.events.variables import Variables
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.semantics.code import Code


@dataclass(frozen=True, slots=True)
class Entry:
    """What a node, or a program with one thread, wrote to a variable so far."""

    condition: Term
    value: Term
    location: int


class Locks(NamedTuple):
    """The locks of a thread, and which of them make its present node a section (see ``sections``)."""

    held: frozenset[int] = frozenset()
    """Addresses of locks that the thread certainly holds."""
    inside: frozenset[int] = frozenset()
    """Those of them that were taken in the present node: it ends when all are given back."""
    taken: frozenset[Term] = frozenset()
    """The cells of all locks that were taken in the present node."""
    has_released: bool = False
    """The present node has given back a lock: from now on it must not wait for another."""


_NO_LOCKS = Locks()


@dataclass(slots=True)
class ThreadState:
    """Where a thread is, and what holds there."""

    location: int
    iterations: Iterations
    guard: tuple[Term, ...]
    values: dict[Term, Term]
    """Registers and private memory."""
    view: dict[Term, Entry] = field(default_factory=dict)
    """Shared variables that were written in the present node."""
    node: EventNode | None = None
    """The atomic section that the thread is in."""
    is_alone: bool = False
    """No other thread was ever created: node 0 goes on."""
    locks: Locks = _NO_LOCKS
    is_atomic: bool = False
    """In an atomic section."""
    flow: ThreadDependencies = NOTHING
    """Where a machine is meant: what the thread depends on."""
    rounds: Mapping[int, Round] = field(default_factory=dict)
    """Heads of loops since which the thread has only read, unless an update has succeeded."""
    successes: tuple[Term, ...] = ()
    """When the updates so far have."""

    def copy(self) -> "ThreadState":
        """A state that can go another way."""
        return replace(self, values=dict(self.values), view=dict(self.view))


class NodeBuilder:
    """Makes the nodes of a graph, and fills them as states go along."""

    def __init__(self, code: Code, graph: EventGraph, conditions: Conditions, variables: Variables) -> None:
        self.code = code
        self.terms = code.program.terms
        self.graph = graph
        self.conditions = conditions
        self.variables = variables
        self.last: int | None = None
        """The last node of the thread that is unrolled."""
        self.flows: Flows | None = None
        """Where a machine is meant: how edges change what threads depend on."""
        self.completed: dict[int, Term] = {}
        """Section -> when it can be completed without a spurious wake-up."""

    def new_node(self, location: int, guard: tuple[Term, ...] | None = None) -> EventNode:
        """A node after the last one of the thread, which happens where the guard holds; None: not yet."""
        occurs = self.terms.false if guard is None else self.terms.and_(*guard)
        node = EventNode(len(self.graph.nodes), self.variables.thread, location, occurs)
        self.graph.nodes.append(node)
        if self.last is not None:
            self.graph.edges.append((self.last, node.number))
        self.last = node.number
        return node

    def read(self, state: ThreadState, node: EventNode | None, variable: Term, location: int) -> Term:
        """What the present node finds in a shared variable."""
        entry = state.view.get(variable)
        if entry is not None and entry.condition == self.terms.true:
            return entry.value
        before = self.variables.first(variable) if node is None else self.symbol(node, variable, location)
        return before if entry is None else self.terms.ite(entry.condition, entry.value, before)

    def symbol(self, node: EventNode, variable: Term, location: int) -> Term:
        """What stands for the value of a variable when the node happens."""
        if node.number == 0:
            return self.variables.first(variable)
        if variable not in node.reads:
            symbol = self.variables.new_symbol(
                self.terms.sort(variable), f":{node.number}:{self.terms.name(variable)}"
            )
            node.reads[variable] = NodeRead(node.number, variable, symbol, self.terms.false, location)
        return node.reads[variable].symbol

    def enter(self, state: ThreadState, variable: Term, entry: Entry) -> None:
        """Note a write in the present node."""
        t, old = self.terms, state.view.get(variable)
        if old is None or entry.condition == t.true:
            state.view[variable] = entry
        else:
            value = t.ite(entry.condition, entry.value, old.value)
            state.view[variable] = Entry(t.or_(entry.condition, old.condition), value, entry.location)

    def need(self, state: ThreadState, node: EventNode, variable: Term, condition: Term) -> None:
        """What the node reads matters under this condition."""
        read = node.reads.get(variable)
        if read is not None:
            read.needed = self.terms.or_(read.needed, self.terms.and_(*state.guard, condition))

    def note_needs(
        self,
        state: ThreadState,
        node: EventNode,
        raw: tuple[Term, ...],
        read: list[Term],
        mapping: dict[Term, Term],
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
            self.need(state, node, variable, t.substitute(needed, mapping))

    def complete(self, state: ThreadState) -> None:
        """The section of a state is over."""
        assert state.node is not None
        steadily = self.terms.and_(*state.guard, self.variables.local(state.values, self.variables.steady))
        before = self.completed.get(state.node.number, self.terms.false)
        self.completed[state.node.number] = self.terms.or_(before, steadily)
        for cell in state.locks.taken:  # the locks are free again, as they were before
            del state.view[cell]
        self.write_out(state, state.node)
        self.leave(state)

    def leave(self, state: ThreadState) -> None:
        """The thread is between two nodes."""
        state.node, state.view = None, {}
        state.locks, state.is_atomic = Locks(state.locks.held), False

    def write_out(self, state: ThreadState, node: EventNode) -> None:
        """The node happens on this path, with the writes of the view."""
        t, guard = self.terms, self.terms.and_(*state.guard)
        node.occurs = t.or_(node.occurs, guard)
        for variable, entry in state.view.items():
            condition = t.and_(guard, entry.condition)
            old = node.writes.get(variable)
            if old is not None:
                value = t.ite(condition, entry.value, old.value)
                condition = t.or_(condition, old.condition)
                node.writes[variable] = NodeWrite(node.number, variable, condition, value, entry.location)
            elif condition != t.false:
                node.writes[variable] = NodeWrite(
                    node.number, variable, condition, entry.value, entry.location
                )
        state.view = {}

    def flush_alone(self, state: ThreadState) -> None:
        """Other threads are about to exist: what was written so far becomes visible."""
        if not state.is_alone:
            return
        if state.location in self.code.inside:
            raise GaveUpError("a thread is created in an atomic section")
        t, root, guard = self.terms, self.graph.nodes[0], self.terms.and_(*state.guard)
        for variable, entry in state.view.items():
            condition = t.and_(guard, entry.condition)
            old = root.writes.get(variable)
            before = self.variables.first(variable) if old is None else old.value
            value = t.ite(condition, entry.value, before)
            root.writes[variable] = NodeWrite(0, variable, t.true, value)
        state.view = {}
        state.is_alone = False

    def stop_inside(self, node: EventNode | None, guard: tuple[Term, ...]) -> None:
        """A thread stops in the middle of a section: what it has read was there, nothing is written."""
        if node is not None:
            node.occurs = self.terms.or_(node.occurs, self.terms.and_(*guard))

    def stop(self, state: ThreadState) -> None:
        """The run ends in the middle of a node, if there is one: what it wrote is never read."""
        if state.node is not None:
            self.stop_inside(state.node, state.guard)
            self.leave(state)
