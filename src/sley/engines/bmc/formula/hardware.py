"""What machines allow: the texts in ``memory_models``, and what texts take as given.

That coherence is an order of the writes of each variable, and ``fr`` what it is, are rules here; the axioms
come from the text, by ``literals``. *Pruning*, beside the texts: ``acyclic po-loc | com`` holds just if
coherence forbids its four patterns (*Herding Cats*, section 4), which takes no order of the events.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from sley.engines.bmc.events.machine import MachineEvent
from sley.engines.bmc.formula.literals import Carrier
from sley.engines.bmc.formula.machine import Machine
from sley.logic.terms import Term
from sley.memory_models.evaluation import Evaluation
from sley.memory_models.model import MemoryModelText, of_text, reachable
from sley.memory_models.syntax import Axiom, Requirement
from sley.semantics.hardware import text_of


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


def sc_per_location(m: Machine, *, has_read_read: bool) -> None:
    """Acyclic(po-loc | com), as CoWW, CoRW, CoWR and CoRR; the last one only if po-loc has pairs of reads."""
    for variable, reads in m.readers.items():
        for read, write in ((r, w) for r in reads for w in m.overwriters(r, variable)):
            _read_and_write(m, read, write, variable)
        for one, other in product(reads, reads) if has_read_read else ():
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


def axioms(m: Machine) -> None:
    """What the text of the model asks for."""
    model, carrier = text_of(m.model), Carrier(m)
    for axiom, relation in Evaluation(_without_patterns(m, model), carrier).axioms():
        m.formula.budget.check()
        match axiom.requirement:
            case Requirement.ACYCLIC:
                carrier.acyclic(axiom.name, relation)
            case Requirement.IRREFLEXIVE:
                carrier.irreflexive(relation)
            case Requirement.EMPTY:
                carrier.empty(relation)


_PATTERNS = {
    "acyclic po-loc | com": True,
    "let po-loc-llh = [W]; po-loc | po-loc; [W] acyclic po-loc-llh | com": False,
}
"""Texts whose axiom forbids the patterns of coherence; whether of two reads, too."""

_AT_ONCE = of_text("acyclic com as sections").axioms
"""With fences around what accesses several locations, what coherence of each says of all together."""


def _without_patterns(m: Machine, model: MemoryModelText) -> MemoryModelText:
    """The rest of a model, once the patterns that an axiom of it forbids are excluded."""
    for text, has_read_read in _PATTERNS.items():
        known = of_text(text)
        for axiom in model.axioms:
            if _is_same(model, axiom, known):
                sc_per_location(m, has_read_read=has_read_read)
                others = tuple(one for one in model.axioms if one is not axiom)
                has_sections = any(len({*e.reads, *e.writes}) > 1 for e in m.events if e.node)
                return replace(model, axioms=(*others, *_AT_ONCE) if has_sections else others)
    return model


def _is_same(model: MemoryModelText, axiom: Axiom, known: MemoryModelText) -> bool:
    """Whether an axiom says the same in the same words, in which the model means the same."""
    (wanted,) = known.axioms
    is_equal = (axiom.requirement, axiom.relation) == (wanted.requirement, wanted.relation)
    used = reachable(known, wanted.relation)
    return is_equal and all(model.lets.get(name) == known.lets.get(name) for name in used)


def waits_see_last(m: Machine) -> None:
    """An endless wait sees what memory holds in the end: the last write of each coherence order."""
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


AXIOMS: tuple[Callable[[Machine], None], ...] = (coherence_orders, from_reads, axioms, waits_see_last)
