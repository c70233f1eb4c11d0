"""Happens-before of RC11: release sequences, what synchronises with what, and what mutexes and joins add."""

from collections.abc import Iterator

from sley.engines.bmc.events.atomics import Atomic, Role
from sley.engines.bmc.formula.formula import Ordering
from sley.engines.bmc.formula.model import Model
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Order
from sley.semantics.roles import CellRole, StatusRole


class Messages:
    """rs: what who reads from a write, and acquires, gets to know."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.terms = model.terms
        self.heads = {
            (event.node, event.variable): list(self._heads(event))
            for event in model.events
            if event.order is not Order.PLAIN and event.writes != self.terms.false
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
            if read.order is not Order.PLAIN:
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
    """Who takes a lock knows what the one before it knew; so do joins, and sections by variable."""
    f, roles = model.formula, model.atomics.roles
    for choice in f.choices:
        node = f.graph.nodes[choice.read.node]
        variable, role = choice.read.variable, roles[choice.read.node]
        if variable in model.atomics.variables:
            continue
        for copy, write in choice.copied:
            pair = (roles[write.node], role)
            if role is Role.JOIN and isinstance(f.terms.symbol(variable), StatusRole):
                joins = node.writes.get(variable)
                if pair[0] is Role.EXIT and joins is not None:
                    model.hb.passes((copy, f.named(joins.condition)), write.node, node.number)
            elif pair in ((Role.UNLOCK, Role.LOCK), (Role.SECTION, Role.SECTION)):
                accessed = f.named(model.atomics.accessed(node, variable))
                model.hb.passes((copy, accessed), write.node, node.number)
    for variable in f.graph.variables:
        if isinstance(f.terms.symbol(variable), CellRole):
            _sections_overwrite(model, variable)


def _sections_overwrite(model: Model, variable: Term) -> None:
    """A section that only writes a variable knows of the sections that wrote it before."""
    f, nodes = model.formula, model.formula.graph.nodes
    writers = [w for w in f.graph.variables[variable][1] if model.atomics.roles[w.node] is Role.SECTION]
    for blind in (w for w in writers if (w.node, variable) not in model.choices):
        for other in writers:
            if nodes[blind.node].thread != nodes[other.node].thread:
                both = (f.named(blind.condition), f.named(other.condition))
                is_before = f.order.before(other.node, blind.node)
                f.orderings.append(Ordering((*both, is_before), other.node, blind.node))
                f.orderings.append(Ordering((*both, f.terms.not_(is_before)), blind.node, other.node))
                model.hb.passes((*both, is_before), other.node, blind.node)
