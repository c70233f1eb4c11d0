"""What C11 allows, as axioms of which each is a function.

This is RC11: O. Lahav, V. Vafeiadis, J. Kang, C.-K. Hur, D. Dreyer, *Repairing Sequential Consistency in
C/C++11*, PLDI 2017. The paper's symbols:

===============  =========================================  =============================================
paper            here                                       note
===============  =========================================  =============================================
sb               nodes of a thread, in order
rf               ``Choice.copied``                          reads copy as ever, but not the last write
mo               ``Model.mo``                               a total order of the writes of a variable
rb               ``Model.rb``                               a literal for a read and a write
hb               ``Knowledge``                              with mutexes, creations and joins
rs, sw           ``Messages``, ``synchronises``             what who reads from a write gets to know
NO-THIN-AIR      ``copied_is_before``, ``strict_order``     rf and sb are in the one order of all nodes
COHERENCE        ``coherence``
ATOMICITY        ``atomicity``
psc_base, psc_F  ``sequential``                             they are in a total order of all that is seq_cst
===============  =========================================  =============================================

An update that succeeds is one event, which reads and writes. Memory that is not accessed atomically is seen
along the one order of all nodes, as under sequential consistency: a plain access that does not race sees what
happened before it, and that is the last in every such order.

Critical sections as nodes, sums, and the order of threads that do the same rest on interleaving: they are not
used here. That a variable is not written any more is, if it is not accessed atomically.
"""

from collections.abc import Callable, Sequence
from itertools import product

from sley.base.reasons import MIXED_RACE
from sley.engines.bmc.events.atomics import Atomic
from sley.engines.bmc.events.graph import RaceTouch, UnclearNode
from sley.engines.bmc.events.races import conflicts, overlap
from sley.engines.bmc.formula.errors import before_the_end
from sley.engines.bmc.formula.model import Model
from sley.engines.bmc.formula.sequential import sequential_consistency
from sley.engines.bmc.formula.synchronisation import happens_before
from sley.logic.terms import Term
from sley.program.properties import Property
from sley.semantics.roles import AliveRole
from sley.semantics.vocabulary import Lifetime

RACE_NOT_ASKED = MIXED_RACE
MAY_BE_GONE = "a thread uses a local variable of another one that may be gone by then"


def modification_order(model: Model) -> None:
    """The relation mo is a total order of the writes of each variable."""
    for order in model.orders.values():
        for clause in order.clauses():
            model.clause(*clause)


def reads_before(model: Model) -> None:
    """The relation rb = rf⁻¹; mo."""
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
            f.troubles.append(UnclearNode(f.named(holds), RACE_NOT_ASKED, 0))
            continue
        literal = f.implying(f"!race{len(f.is_race)}", holds)
        f.is_race[literal] = (one, other)
        before_the_end(f, literal, one.node, other.node)
        f.errors.append(literal)


def _unordered(model: Model, one: RaceTouch, other: RaceTouch) -> Sequence[Term]:
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
                f.troubles.append(UnclearNode(f.named(unordered), MAY_BE_GONE, 0))


AXIOMS: tuple[Callable[[Model], None], ...] = (
    happens_before,
    modification_order,
    reads_before,
    coherence,
    atomicity,
    sequential_consistency,
    races,
    ends_of_lives,
)
