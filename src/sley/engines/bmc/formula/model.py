"""The events of RC11 in a formula, and literals for the relations between them."""

from collections.abc import Iterator
from functools import cached_property

from sley.engines.bmc.events.atomics import Atomic, Atomics, Role
from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.formula.knowledge import HappensBefore
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import MemoryOrder


class Model:
    """The events, and the relations rf, mo, rb and hb of the paper."""

    def __init__(self, formula: Formula, atomics: Atomics) -> None:
        self.formula = formula
        self.terms = formula.terms
        self.atomics = atomics
        self.events = atomics.events
        self.choices = {(c.read.node, c.read.variable): c for c in formula.choices}
        self.writes: dict[Term, list[Atomic]] = {variable: [] for variable in atomics.variables}
        self.reads: dict[Term, list[Atomic]] = {variable: [] for variable in atomics.variables}
        for event in self.events:
            if event.variable is not None:
                if event.writes != self.terms.false:
                    self.writes[event.variable].append(event)
                if (event.node, event.variable) in self.choices:
                    self.reads[event.variable].append(event)
        self.orders = {variable: self._order(variable) for variable in atomics.variables}
        self.hb = HappensBefore(formula, self._releases(), self._acquires())

    def clause(self, *literals: Term) -> None:
        """One of the literals holds."""
        self.formula.budget.spend()
        self.formula.order.clause(*literals)

    def rule(self, *literals: Term, then: Term) -> None:
        """If the literals hold, so does another one."""
        self.clause(*(self.terms.not_(literal) for literal in literals), then)

    # --- events -----------------------------------------------------------------------------------

    def occurs(self, event: Atomic) -> Term:
        """A literal: it happens."""
        return self.formula.named(event.occurs)

    def does_write(self, event: Atomic) -> Term:
        """A literal: it happens, and writes."""
        return self.formula.named(event.writes)

    def acquires(self, event: Atomic) -> Term:
        """A literal: what it reads from synchronises with it."""
        return self._by_order(event, is_success=event.order.acquires, is_failure=event.failure.acquires)

    def is_sequential(self, event: Atomic) -> Term:
        """A literal: it happens, and is seq_cst."""
        sequential = MemoryOrder.SEQUENTIAL
        return self._by_order(
            event, is_success=event.order is sequential, is_failure=event.failure is sequential
        )

    def _by_order(self, event: Atomic, *, is_success: bool, is_failure: bool) -> Term:
        t = self.terms
        if is_success == is_failure:
            return self.occurs(event) if is_success else t.false
        written = event.writes if is_success else t.not_(event.writes)
        return self.formula.named(t.and_(event.occurs, written))

    def sources(self, event: Atomic) -> list[tuple[Term, Atomic]]:
        """rf: the writes that a read may read from, each with its literal."""
        assert event.variable is not None
        choice = self.choices[event.node, event.variable]
        return [(copy, self.atomics.of_node[write.node, event.variable]) for copy, write in choice.copied]

    # --- mo, rb -----------------------------------------------------------------------------------

    def _order(self, variable: Term) -> TotalOrder:
        nodes = [event.node for event in self.writes[variable]]
        name = f"!mo{variable}"
        return TotalOrder(self.terms, name, nodes, self.formula.graph.order.is_before)

    def mo(self, a: Atomic, b: Atomic) -> Term:
        """Of two writes that happen, one is before another in modification order."""
        assert a.variable is not None
        return self.orders[a.variable].before(a.node, b.node)

    def rb(self, read: Atomic, write: Atomic) -> Term:
        """A read comes before a write that overwrites what it reads; see ``reads_before``."""
        return self.terms.var(f"!rb{read.variable}:{read.node}:{write.node}", BOOL)

    def overwriters(self, read: Atomic) -> Iterator[Atomic]:
        """The writes that a read may come before."""
        assert read.variable is not None
        yield from (write for write in self.writes[read.variable] if write.node != read.node)

    # --- release and acquire points -----------------------------------------------------------------

    def _releases(self) -> set[int]:
        """Where a thread lets others know what happened."""
        roles = enumerate(self.atomics.roles)
        found = {n for n, role in roles if role in (Role.UNLOCK, Role.SECTION, Role.LIBRARY, Role.EXIT)}
        found |= {creation.node for creation in self.formula.graph.creations}
        return found | {event.node for event in self.events if self.releases(event)}

    def releases(self, event: Atomic) -> bool:
        """Whether it may be synchronised with."""
        return event.order.releases and (event.is_fence or event.writes != self.terms.false)

    def _acquires(self) -> set[int]:
        """Where a thread gets to know what happened."""
        roles = enumerate(self.atomics.roles)
        found = {n for n, role in roles if role in (Role.LOCK, Role.SECTION, Role.JOIN)}
        return found | {event.node for event in self.events if self._may_acquire(event)}

    def _may_acquire(self, event: Atomic) -> bool:
        if event.is_fence:
            return event.order.acquires
        has_order = event.order.acquires or event.failure.acquires
        return has_order and (event.node, event.variable) in self.choices

    def fences(self, node: int, *, is_before: bool) -> Iterator[Atomic]:
        """The fences before a node in its thread that release, or those after it that acquire."""
        thread = self.formula.graph.nodes[node].thread
        for event in self.events:
            if event.is_fence and self.formula.graph.nodes[event.node].thread == thread:
                is_release = is_before and event.order.releases and event.node < node
                if is_release or (not is_before and event.order.acquires and event.node > node):
                    yield event

    @cached_property
    def threads(self) -> list[list[Atomic]]:
        """The events of each thread, in order."""
        found: list[list[Atomic]] = [[] for _ in self.formula.graph.threads]
        for event in self.events:
            if event.node:
                found[self.thread(event)].append(event)
        return found

    def thread(self, event: Atomic) -> int:
        """The thread of an event."""
        return self.formula.graph.nodes[event.node].thread
