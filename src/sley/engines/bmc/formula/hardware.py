"""What machines allow, as axioms of which each is a function.

The models are those of ``semantics.hardware``, after J. Alglave, L. Maranget, M. Tautschnig, *Herding Cats*,
TOPLAS 36(2), 2014. The paper's symbols:

==================  ===========================================  ============================================
paper               here                                         note
==================  ===========================================  ============================================
rf, co, fr          ``Machine.sources``, ``.co``, ``.fr``        literals
SC PER LOCATION     ``sc_per_location``                          spelled out by the kinds of two events
(rmw)               ``atomicity``
ppo                 ``power.Preserved``, ``dependencies``        the fixpoint of Power by rules
the three others    ``global_order`` on TSO, PSO and RMO         one acyclic relation says the same there
NO THIN AIR         ``power.no_thin_air``
OBSERVATION         ``power.observation``
PROPAGATION         ``power.propagation``
==================  ===========================================  ============================================

A rule says what follows, nothing says what does not: relations other than rf and co are used only to exclude
executions, so the smallest that the rules allow excludes the fewest.

Events that do not happen are in no relation: every literal of a pair implies that both do, but for those of
static orders, which are closed under going on.
"""

from collections.abc import Callable, Iterator
from itertools import product

from sley.engines.bmc.events.machine import MachineEvent
from sley.engines.bmc.formula.machine import Machine
from sley.engines.bmc.formula.power import power
from sley.engines.bmc.formula.total import TotalOrder
from sley.logic.terms import Term
from sley.program.instructions import Barrier
from sley.program.memory_model import MemoryModel

Axiom = Callable[[Machine], None]


def coherence_orders(m: Machine) -> None:
    """The relation co is a total order of the writes of each variable."""
    for order in m.orders:
        for clause in order.clauses():
            m.clause(*clause)


def from_reads(m: Machine) -> None:
    """The relation fr = rf⁻¹; co."""
    for variable, reads in m.readers.items():
        for read, write in ((r, w) for r in reads for w in m.overwriters(r, variable)):
            for copy, source in m.sources(read, variable):
                if source.number != write.number:
                    m.rule(copy, m.co(source, write, variable), then=m.fr(read, write, variable))


def sc_per_location(m: Machine) -> None:
    """SC PER LOCATION: acyclic(po-loc | com), as CoWW, CoRW, CoWR and CoRR; RMO allows CoRR."""
    for variable, reads in m.readers.items():
        for read, write in ((r, w) for r in reads for w in m.overwriters(r, variable)):
            _read_and_write(m, read, write, variable)
        for one, other in product(reads, reads) if m.model is not MemoryModel.RMO else ():
            if m.made.is_first(one, other):
                for copy, source in m.sources(one, variable):
                    if source.node and source.number != other.number:
                        m.never(copy, m.occurs(other), m.fr(other, source, variable))
        for update in (read for read in reads if variable in read.writes):
            _update(m, update, variable)


def _read_and_write(m: Machine, read: MachineEvent, write: MachineEvent, variable: Term) -> None:
    if m.made.is_first(write, read):
        m.never(m.does_write(write, variable), m.fr(read, write, variable))
    elif m.made.is_first(read, write):
        for copy, source in m.sources(read, variable):
            if source.number != write.number:
                m.rule(copy, m.does_write(write, variable), then=m.co(source, write, variable))


def _update(m: Machine, update: MachineEvent, variable: Term) -> None:
    """One event that reads and writes comes just after what it reads."""
    for copy, source in m.sources(update, variable):
        m.rule(copy, m.does_write(update, variable), then=m.co(source, update, variable))
    for write in m.overwriters(update, variable):
        between = (m.fr(update, write, variable), m.co(write, update, variable))
        m.never(m.does_write(write, variable), m.does_write(update, variable), *between)


def atomicity(m: Machine) -> None:
    """Nothing comes between the read and the write of an update: empty(rmw & (fre; coe))."""
    for update in (event for event in m.events if event.is_write_part):
        read = m.events[update.number - 1]
        for variable in update.writes:
            for write in m.overwriters(read, variable) if variable in read.reads else ():
                if write.thread != update.thread:
                    between = (m.fr(read, write, variable), m.co(write, update, variable))
                    m.never(m.does_write(write, variable), m.does_write(update, variable), *between)


# --- TSO, PSO, RMO --------------------------------------------------------------------------------------


def global_order(m: Machine) -> None:
    """Acyclic(ppo | fences | rfe | co | fr)."""
    order = _total_order(m)
    for clause in order.clauses():
        m.clause(*clause)
    for literals, first, second in _global_happens_before(m):
        m.rule(*literals, then=order.before(first.number, second.number))


def _total_order(m: Machine) -> TotalOrder:
    """Of all events; what the model keeps in order whatever happens is known."""

    def is_before(a: int, b: int) -> bool:
        one, other = m.events[a], m.events[b]
        is_started = not one.node or one.thread != other.thread
        return m.made.is_first(one, other) and (is_started or _is_kept(m.model, one, other))

    return TotalOrder(m.terms, "!ghb", range(len(m.events)), is_before)


def _is_kept(model: MemoryModel, a: MachineEvent, b: MachineEvent) -> bool:
    """Preserved program order that depends on nothing.

    Closed under going on, also over events that do not happen: before one that reads and writes, only the
    barriers around it keep a write in order.
    """
    if model is MemoryModel.RMO:
        return False
    return bool(a.reads) or (model is MemoryModel.TSO and not b.reads)


def _global_happens_before(m: Machine) -> Iterator[tuple[tuple[Term, ...], MachineEvent, MachineEvent]]:
    for first, second in m.po_pairs():
        yield (m.separated(first, second, *Barrier),), first, second
    if m.model is MemoryModel.RMO:
        for literal, first, second in dependencies(m):
            yield (literal,), first, second
    for copy, source, read in m.rfe:
        yield (copy,), source, read
    for variable, writes in m.writers.items():
        for one, other in product(writes, writes):
            if one.number != other.number:
                both = (m.does_write(one, variable), m.does_write(other, variable))
                yield (*both, m.co(one, other, variable)), one, other
        for read in m.readers.get(variable, ()):
            for write in m.overwriters(read, variable):
                yield (m.does_write(write, variable), m.fr(read, write, variable)), read, write


def dependencies(m: Machine) -> Iterator[tuple[Term, MachineEvent, MachineEvent]]:
    """The ppo of RMO: addr | data | ctrl & RW."""
    for event in m.events:
        found = m.formula.graph.nodes[event.node].dependencies
        for literal, read in m.depends(event, found.address):
            yield literal, read, event
        if event.writes:
            for sources in (found.data, found.control):
                for literal, read in m.depends(event, sources):
                    yield literal, read, event


def waits_see_last(m: Machine) -> None:
    """Who waits for good sees what memory holds in the end: the last write of each coherence order."""
    f = m.formula
    waits = [*f.is_stuck.items(), *f.is_in_circle.items()]
    for literal, node in waits:
        for variable in f.graph.nodes[node].reads:
            choice = m.choices.get((node, variable))
            for copy, write in () if choice is None else choice.copied:
                source = m.made.of_write[write.node, variable]
                for later in m.writers[variable]:
                    if later.number != source.number:
                        happens = m.does_write(later, variable)
                        m.never(literal, copy, happens, m.co(source, later, variable))


COMMON: tuple[Axiom, ...] = (coherence_orders, from_reads, sc_per_location, atomicity, waits_see_last)

AXIOMS: dict[MemoryModel, tuple[Axiom, ...]] = {
    MemoryModel.TSO: (*COMMON, global_order),
    MemoryModel.PSO: (*COMMON, global_order),
    MemoryModel.RMO: (*COMMON, global_order),
    MemoryModel.POWER: (*COMMON, power),
}
