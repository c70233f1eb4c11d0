"""The axiom SC of RC11: psc_base and psc_F have no cycle together."""

from collections.abc import Iterator
from itertools import product

from sley.engines.bmc.events.atomics import Atomic
from sley.engines.bmc.formula.model import Model
from sley.engines.bmc.formula.order import Clause
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term


class Sequential:
    """The events that are seq_cst, in one order S that contains psc: so psc has no cycles."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.terms = model.terms
        self.events = [event for event in model.events if model.is_sequential(event) != self.terms.false]
        self.accesses = [event for event in self.events if not event.is_fence]
        self.fences = [event for event in self.events if event.is_fence]
        nodes = list(dict.fromkeys(event.node for event in self.events))
        threads = model.formula.graph.nodes
        self.order = TotalOrder(
            self.terms, "!psc", nodes, lambda a, b: a < b and threads[a].thread == threads[b].thread
        )

    def before(self, a: Atomic, b: Atomic, *literals: Term) -> None:
        """psc(a, b) if the literals hold."""
        both = (self.model.is_sequential(a), self.model.is_sequential(b))
        if a.node != b.node:
            self.model.rule(*both, *literals, then=self.order.before(a.node, b.node))

    def coherent(self, a: Atomic, b: Atomic) -> Iterator[Clause]:
        """hb|loc | mo | rb, of which one holds if all literals do."""
        model = self.model
        if a.variable is None or a.variable != b.variable or a.node == b.node:
            return
        happens = model.hb.happens_before(a.node, b.node)
        if happens != self.terms.false:
            yield happens, model.occurs(a), model.occurs(b)
        if b.writes != self.terms.false:
            if a.writes != self.terms.false:
                yield model.mo(a, b), model.does_write(a), model.does_write(b)
            if (a.node, a.variable) in model.choices and b in list(model.overwriters(a)):
                yield model.rb(a, b), model.does_write(b)

    def hb(self, a: Atomic, b: Atomic) -> Clause | None:
        """Literals: both happen, one before the other; None if that is impossible."""
        happens = self.model.hb.happens_before(a.node, b.node)
        if a.node == b.node or happens == self.terms.false:
            return None
        return happens, self.model.occurs(a), self.model.occurs(b)


def sequential_consistency(model: Model) -> None:
    """psc_base | psc_F is acyclic."""
    found = Sequential(model)
    if len(found.events) > 1:
        sequential_accesses(found)
        from_fences(found)
        to_fences(found)
        between_fences(found)
        for clause in found.order.clauses():
            model.clause(*clause)


def sequential_accesses(s: Sequential) -> None:
    """psc_base of two accesses: scb = sb | sb|≠loc; hb; sb|≠loc | hb|loc | mo | rb (sb is in S anyway)."""
    for a, b in product(s.accesses, s.accesses):
        for literals in s.coherent(a, b):
            s.before(a, b, *literals)
    for a in s.accesses:
        _by_other_locations(s, a)


def _by_other_locations(s: Sequential, a: Atomic) -> None:
    """sb|≠loc; hb; sb|≠loc."""
    model, own = s.model, s.model.thread(a)
    later = [z for z in model.threads[own] if z.node > a.node and z.variable != a.variable]
    for thread, events in enumerate(model.threads):
        goals = [b for b in s.accesses if model.thread(b) == thread]
        if thread == own or not goals or not later:
            continue
        for z in events:
            after = [b for b in goals if b.node > z.node and b.variable != z.variable]
            if not after:
                continue
            arrived = s.terms.var(f"!scb{a.node}:{z.node}:{a.variable}", BOOL)
            for first in later:
                literals = s.hb(first, z)
                if literals is not None:
                    model.rule(*literals, then=arrived)
            for b in after:
                s.before(a, b, arrived)


def from_fences(s: Sequential) -> None:
    """psc_base from a fence to an access: [F]; hb?; scb."""
    model = s.model
    for fence, b in product(s.fences, s.accesses):
        for x in model.events:
            literals = s.hb(fence, x)
            if literals is None:
                continue
            if model.thread(x) == model.thread(b) and x.node < b.node:
                s.before(fence, b, *literals)
            for more in s.coherent(x, b):
                s.before(fence, b, *literals, *more)


def to_fences(s: Sequential) -> None:
    """psc_base from an access to a fence: scb; hb?; [F]."""
    model = s.model
    for a, fence in product(s.accesses, s.fences):
        for y in model.events:
            literals = s.hb(y, fence)
            if literals is None:
                continue
            if model.thread(y) == model.thread(a) and a.node < y.node:
                s.before(a, fence, *literals)
            for more in s.coherent(a, y):
                s.before(a, fence, *literals, *more)


def between_fences(s: Sequential) -> None:
    """psc_F = [F]; (hb | hb; eco; hb); [F]."""
    for fence in s.fences:
        for other in s.fences:
            literals = s.hb(fence, other)
            if literals is not None:
                s.before(fence, other, *literals)
        _by_coherence(s, fence)


def _by_coherence(s: Sequential, fence: Atomic) -> None:
    """hb; eco; hb: a literal for each event that eco reaches from what comes after the fence."""
    model, others = s.model, [f for f in s.fences if f.node != fence.node]
    accesses = [event for event in model.events if not event.is_fence]

    def reached(event: Atomic) -> Term:
        return s.terms.var(f"!eco{fence.node}:{event.node}:{event.variable}", BOOL)

    for x, y in product(accesses, accesses):
        for eco in _eco(model, x, y):
            model.rule(reached(x), *eco, then=reached(y))
            literals = s.hb(fence, x)
            if literals is not None:
                model.rule(*literals, *eco, then=reached(y))
    for y, other in product(accesses, others):
        literals = s.hb(y, other)
        if literals is not None:
            s.before(fence, other, reached(y), *literals)


def _eco(model: Model, x: Atomic, y: Atomic) -> Iterator[Clause]:
    """The relation rf | mo | rb."""
    if x.variable != y.variable or x.node == y.node:
        return
    is_read = (y.node, y.variable) in model.choices
    if is_read:
        yield from ((copy,) for copy, source in model.sources(y) if source.node == x.node)
    if y.writes != model.terms.false:
        if x.writes != model.terms.false:
            yield model.mo(x, y), model.does_write(x), model.does_write(y)
        if (x.node, x.variable) in model.choices and y in list(model.overwriters(x)):
            yield model.rb(x, y), model.does_write(y)
