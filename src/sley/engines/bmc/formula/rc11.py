"""What C11 allows, as axioms: RC11 of O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur, D. Dreyer, *Repairing
Sequential Consistency in C/C++11*, PLDI 2017. One function each; the paper's symbols:

===================  ==========================================  ==============================================
paper                here                                        note
===================  ==========================================  ==============================================
sb                   nodes of a thread in order
rf                   ``Choice.copied``                           reads copy as ever, but not the last write
mo                   ``Model.mo``                                a total order of the writes of a variable
rb                   ``Model.rb``                                a literal for a read and a write
hb                   ``Knowledge``                               with mutexes, creations and joins
rs, sw               ``Messages``, ``synchronises``              what who reads from a write gets to know
NO-THIN-AIR          ``copied_is_before``, ``strict_order``      rf and sb are in the one order of all nodes
COHERENCE            ``coherence``
ATOMICITY            ``atomicity``
psc_base, psc_F      ``sequential_accesses``, ``to_fences``,     they are in one total order of all that is
                     ``from_fences``, ``between_fences``         seq_cst
===================  ==========================================  ==============================================

All other memory is seen along the one order of all nodes, as under sequential consistency: plain accesses
that do not race see what happened before, and that is the last in every such order.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product

from sley.engines.bmc.events.atomics import Atomic, Atomics, Role
from sley.engines.bmc.events.graph import Touch, Trouble
from sley.engines.bmc.events.races import conflicts, overlap
from sley.engines.bmc.formula.errors import before_the_end
from sley.engines.bmc.formula.formula import Formula, Ordering
from sley.engines.bmc.formula.knowledge import Knowledge
from sley.engines.bmc.formula.order import Clause
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program.instructions import Order
from sley.program.properties import Property
from sley.semantics.roles import AliveRole, CellRole, StatusRole
from sley.semantics.vocabulary import Lifetime

RACE_NOT_ASKED = "an atomic access and a plain one race, but races were not asked about"
MAY_BE_GONE = "a thread uses a local variable of another one that may be gone by then"


class Model:
    """The events of RC11 in a formula, and literals for the relations of the paper."""

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
        self.hb = Knowledge(formula, self._releases(), self._acquires())

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
        sequential = Order.SEQUENTIAL
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
        found = {n for n, role in roles if role in (Role.UNLOCK, Role.SECTION, Role.EXIT)}
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
                if is_before and event.order.releases and event.node < node:
                    yield event
                elif not is_before and event.order.acquires and event.node > node:
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


# --- happens-before ---------------------------------------------------------------------------------


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
        """[E⊒rel]; ([F]; sb)?; [W]; sb|loc?: where the release sequences begin that the write is in by itself."""
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
        """rs = [W]; sb|loc?; [W⊒rlx]; (rf; rmw)*."""
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
    """hb = (sb | sw)+, with what mutexes, sections and joins add."""
    messages = Messages(model)
    messages.follow()
    for reads in model.reads.values():
        for read in reads:
            if read.order is not Order.PLAIN:
                synchronises(model, messages, read)
    _others_synchronise(model)
    model.hb.is_kept()


def synchronises(model: Model, messages: Messages, read: Atomic) -> None:
    """sw = [E⊒rel]; ([F]; sb)?; rs; rf; [R⊒rlx]; (sb; [F])?; [E⊒acq]."""
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


# --- mo, rb, coherence, atomicity -------------------------------------------------------------------


def modification_order(model: Model) -> None:
    """mo is a total order of the writes of each variable."""
    for order in model.orders.values():
        for clause in order.clauses():
            model.clause(*clause)


def reads_before(model: Model) -> None:
    """rb = rf⁻¹; mo."""
    for reads in model.reads.values():
        for read in reads:
            for write in model.overwriters(read):
                for copy, source in model.sources(read):
                    if source.node != write.node:
                        model.rule(copy, model.mo(source, write), then=model.rb(read, write))


def coherence(model: Model) -> None:
    """hb; eco? is irreflexive: spelled out by the kinds of the two events."""
    for variable, reads in model.reads.items():
        writes = model.writes[variable]
        for one, other in product(writes, writes):
            if one.node != other.node:
                happens = model.hb.happens_before(one.node, other.node)
                both = (model.does_write(one), model.does_write(other))
                model.rule(*both, happens, then=model.mo(one, other))
        for read in reads:
            for write in model.overwriters(read):
                _read_and_write(model, read, write)
        for one, other in product(reads, reads):
            if one.node != other.node:
                _two_reads(model, one, other)


def _read_and_write(model: Model, read: Atomic, write: Atomic) -> None:
    t, hb = model.terms, model.hb
    earlier = hb.happens_before(write.node, read.node)
    model.clause(*map(t.not_, (model.does_write(write), earlier, model.rb(read, write))))
    later = hb.happens_before(read.node, write.node)
    for copy, source in model.sources(read) if later != t.false else ():
        if source.node != write.node:
            model.rule(copy, later, model.does_write(write), then=model.mo(source, write))


def _two_reads(model: Model, one: Atomic, other: Atomic) -> None:
    """Who reads later does not read what is older."""
    t, happens = model.terms, model.hb.happens_before(one.node, other.node)
    if happens == t.false:
        return
    overwriting = {write.node for write in model.overwriters(other)}
    for copy, source in model.sources(one):
        if source.node in overwriting:
            model.clause(t.not_(copy), t.not_(happens), t.not_(model.rb(other, source)))


def atomicity(model: Model) -> None:
    """An update comes after what it reads in modification order, and nothing between: rmw ∩ (rb; mo) = ∅."""
    t = model.terms
    for reads in model.reads.values():
        for update in (read for read in reads if read.is_update):
            succeeds = model.does_write(update)
            for copy, source in model.sources(update):
                model.rule(copy, succeeds, then=model.mo(source, update))
            for write in model.overwriters(update):
                between = (model.does_write(write), model.rb(update, write), model.mo(write, update))
                model.clause(t.not_(succeeds), *map(t.not_, between))


# --- seq_cst ----------------------------------------------------------------------------------------


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
    """rf | mo | rb."""
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


# --- races ------------------------------------------------------------------------------------------


def races(model: Model) -> None:
    """Two conflicting accesses, one of them not atomic, of which neither happens before the other."""
    f, t = model.formula, model.terms
    is_asked = Property.RACE in f.properties
    for one, other in conflicts(f.graph):
        f.budget.spend()
        if not is_asked and not (one.is_atomic or other.is_atomic):
            continue
        holds = t.and_(*_unordered(model, one, other), overlap(t, one, other))
        if holds == t.false:
            continue
        if not is_asked:
            f.troubles.append(Trouble(f.named(holds), RACE_NOT_ASKED, 0))
            continue
        literal = f.implying(f"!race{len(f.is_race)}", holds)
        f.is_race[literal] = (one, other)
        before_the_end(f, literal, one.node, other.node)
        f.errors.append(literal)


def _unordered(model: Model, one: Touch, other: Touch) -> Sequence[Term]:
    f, t, hb = model.formula, model.terms, model.hb.happens_before
    happen = [part for touch in (one, other) for part in (touch.condition, f.occurs[touch.node])]
    freed = [touch.freed for touch in (one, other) if touch.freed is not None]
    if freed:  # of two that free the block only the first one finds it
        happen.append(t.or_(*freed))
    return [*happen, t.not_(hb(one.node, other.node)), t.not_(hb(other.node, one.node))]


def ends_of_lives(model: Model) -> None:
    """Who uses a local variable of another thread does so before it is gone, or we cannot tell."""
    f, t = model.formula, model.terms
    for variable, (reads, writes) in f.graph.variables.items():
        role = t.symbol(variable)
        instances = model.atomics.vocabulary.instances
        if not isinstance(role, AliveRole) or instances[role.number].kind is not Lifetime.LOCAL:
            continue
        ends = [w for w in writes if w.node and w.value == t.false]
        for read, end in product(reads, ends):
            if f.graph.nodes[read.node].thread == f.graph.nodes[end.node].thread:
                continue
            hb = model.hb.happens_before
            unordered = t.and_(
                f.matters(read),
                end.condition,
                t.not_(hb(read.node, end.node)),
                t.not_(hb(end.node, read.node)),
            )
            if unordered != t.false:
                f.troubles.append(Trouble(f.named(unordered), MAY_BE_GONE, 0))


AXIOMS = (
    happens_before,
    modification_order,
    reads_before,
    coherence,
    atomicity,
    sequential_consistency,
    races,
    ends_of_lives,
)
