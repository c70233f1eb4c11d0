"""Happens-before of RC11: release sequences, what synchronises with what, and what mutexes and joins add."""

from collections.abc import Iterator

from sley.engines.bmc.events.atomics import Atomic, Role
from sley.engines.bmc.events.graph import NodeRead, NodeWrite
from sley.engines.bmc.formula.model import Model
from sley.engines.bmc.formula.order import Clause
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Lock, MemoryOrder, Unlock
from sley.semantics.roles import StatusRole


class Messages:
    """rs: what who reads from a write, and acquires, gets to know."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.terms = model.terms
        self.heads = {
            (event.node, event.variable): list(self._heads(event))
            for event in model.events
            if event.order is not MemoryOrder.PLAIN and event.writes != self.terms.false
        }

    def _heads(self, write: Atomic) -> Iterator[tuple[Term, int]]:
        """[E⊒rel]; ([F]; sb)?; [W]; sb|loc?: where the release sequences of the write begin."""
        model = self.model
        if model.releases(write):
            yield self.terms.true, write.node
        for fence in model.fences(write.node, is_before=True):
            yield model.occurs(fence), fence.node
        assert write.variable is not None
        for other in model.writes[write.variable]:
            is_earlier = model.thread(other) == model.thread(write) and other.node < write.node
            if is_earlier and other.order.releases:
                yield model.does_write(other), other.node

    def has_any(self, write: Atomic) -> bool:
        """Whether anybody may get to know something."""
        key = (write.node, write.variable)
        return key in self.heads and (bool(self.heads[key]) or write.is_update)

    def tells(self, write: Atomic, release: int) -> Term:
        """A literal: who acquires what the write says knows of a release point."""
        return self.terms.var(f"!tells{write.variable}:{write.node}:{release}", BOOL)

    def follow(self) -> None:
        """The relation rs = [W]; sb|loc?; [W⊒rlx]; (rf; rmw)*."""
        model = self.model
        releases = [point for points in model.hb.releases for point in points]
        for write in model.events:
            if not self.has_any(write):
                continue
            for happens, head in self.heads[write.node, write.variable]:
                for release in releases:
                    is_known = model.hb.known(release, head)
                    model.rule(happens, is_known, then=self.tells(write, release))
            for copy, source in model.sources(write) if write.is_update else ():
                if self.has_any(source):
                    for release in releases:
                        told = self.tells(source, release)
                        model.rule(copy, model.does_write(write), told, then=self.tells(write, release))


def happens_before(model: Model) -> None:
    """The relation hb = (sb | sw)+, with what mutexes, sections and joins add."""
    messages = Messages(model)
    messages.follow()
    for reads in model.reads.values():
        for read in reads:
            if read.order is not MemoryOrder.PLAIN:
                synchronises(model, messages, read)
    _others_synchronise(model)
    model.hb.is_kept()


def synchronises(model: Model, messages: Messages, read: Atomic) -> None:
    """The relation sw = [E⊒rel]; ([F]; sb)?; rs; rf; [R⊒rlx]; (sb; [F])?; [E⊒acq]."""
    points = [(model.acquires(read), read.node)]
    points += [(model.occurs(fence), fence.node) for fence in model.fences(read.node, is_before=False)]
    for copy, source in model.sources(read):
        if not messages.has_any(source):
            continue
        for acquires, point in points:
            if acquires != model.terms.false:
                for release in model.hb.others(point):
                    told = messages.tells(source, release)
                    model.rule(copy, acquires, told, then=model.hb.known(release, point))


def _others_synchronise(model: Model) -> None:
    """What locks, joins and sections add, each along what it reads."""
    for choice in model.formula.choices:
        if choice.read.variable not in model.atomics.variables:
            for copy, write in choice.copied:
                for literals in _passing(model, choice.read, write):
                    model.hb.passes((copy, *literals), write.node, choice.read.node)


def _passing(model: Model, read: NodeRead, write: NodeWrite) -> Iterator[Clause]:
    """When a read of what is not atomic gets to know what the writer knew."""
    f, atomics, variable = model.formula, model.atomics, read.variable
    node = f.graph.nodes[read.node]
    own = node.writes.get(variable)
    if isinstance(f.terms.symbol(variable), StatusRole):
        pair = (atomics.roles[write.node], atomics.roles[read.node])
        if pair == (Role.EXIT, Role.JOIN) and own is not None:
            yield (f.named(own.condition),)
        return
    is_given_back = bool(write.node) and atomics.does(write.location, Unlock)
    if own is not None and is_given_back and atomics.does(own.location, Lock):
        yield (f.named(own.condition),)
    is_left_by_section = atomics.orders(write.node) and not atomics.does(write.location, Lock)
    if atomics.roles[read.node] is not Role.SECTION or not atomics.orders(read.node):
        return
    if not (is_given_back or is_left_by_section):
        return
    accessed = f.named(atomics.accessed(node, variable))
    if not atomics.is_of_library(read.node):
        yield (accessed,)
    elif not atomics.is_own(variable):
        yield accessed, f.named(atomics.effect(node))
