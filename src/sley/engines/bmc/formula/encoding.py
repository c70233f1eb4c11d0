"""Events as a formula: reads-from, and one order in which it all happens.

Stage two of N. Sinha, C. Wang, *Staged Concurrent Program Analysis*, FSE 2010, sections 5 and 6. ``AXIOMS``
is the formula Φ = Φ_IS ∧ Φ_C ∧ ψ; each of them is one function. The paper's symbols:

==============  =====================================  ====================================================
paper           here                                   note
==============  =====================================  ====================================================
IS = (S, ≺)     ``EventGraph``, ``graph.order``        a node is an access, or a section as a whole
occ(e)          ``occurs``; ``matters`` of a read      a section may read on some of its paths only
val(r)          ``read.symbol``                        a fresh symbol
val(w)          ``write.value``                        a term over symbols and inputs
loc(e)          ``variable``                           an access by a pointer reads, or writes, each of the
                                                       variables that it may mean, under a condition
copy(r, w)      ``Choice.copied``                      a literal for each pair (paper: equality of numbers)
HB(e, e')       ``order.before(e, e')``                a literal for each pair (paper: clocks)
HBet(w, w', r)  ¬HB(w', w) ∧ ¬HB(r, w')
Π(r), C(r)      ``Candidates.visible``, ``.copied``    kill sets respect occ, which the paper forgets
Φ¹, Φ², Φ³      ``copies_some``, ``copied_occurs``
                and ``copied_is_before``,
                ``none_between``
ψ               ``Formula.wrong``
==============  =====================================  ====================================================
"""

from collections.abc import Callable

from sley.base.budget import Budget
from sley.engines.bmc.events.atomics import Atomics
from sley.engines.bmc.events.graph import EventGraph, NodeRead, NodeWrite
from sley.engines.bmc.events.machine import MachineEvents, MachineUnrolling
from sley.engines.bmc.formula import hardware, rc11
from sley.engines.bmc.formula.copying import (
    choose_candidates,
    copied_is_before,
    copied_occurs,
    copies_some,
    none_between,
    sees_sum,
    values_in_range,
)
from sley.engines.bmc.formula.deadlocks import deadlocks
from sley.engines.bmc.formula.errors import races, violations
from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.formula.machine import Machine, is_known
from sley.engines.bmc.formula.model import Model
from sley.engines.bmc.formula.pruning import Pruning
from sley.engines.bmc.options import BmcOptions, Conflicts, OrderEncoding
from sley.program.properties import Property

Axiom = Callable[[Formula], None]


def named_conditions(f: Formula) -> None:
    """Φ_IS: the names of conditions are what they stand for, and every node has its literal occ."""
    for name, meaning in f.graph.definitions:
        f.needs[name] = [meaning]
        f.add(f.terms.eq(name, meaning))
    f.occurs = [f.named(node.occurs) for node in f.graph.nodes]


def strict_order(f: Formula) -> None:
    """HB is a strict order, and contains ≺ (SC.1); with cycles: what is left is excluded when it comes up."""
    if f.options.order is OrderEncoding.CLOCKS:
        f.add(*f.order.by_clocks())
    else:
        f.order.exclude_cycles(is_eager=f.options.conflicts is Conflicts.EAGER)


AXIOMS: tuple[Axiom, ...] = (
    named_conditions,
    violations,
    races,
    deadlocks,
    choose_candidates,
    copied_occurs,
    copies_some,
    sees_sum,
    values_in_range,
    copied_is_before,
    none_between,
    strict_order,
)
"""Errors come before the choice of candidates, since only reads that they depend on matter; the order comes
last, since it is about the pairs of nodes that were asked for."""


def encode(
    graph: EventGraph,
    options: BmcOptions,
    properties: frozenset[Property],
    budget: Budget,
    *,
    may_copy: Callable[[NodeRead, NodeWrite], bool] | None = None,
) -> Formula:
    """The formula of an event graph."""
    formula = Formula(graph, options, properties, budget, may_copy)
    for axiom in AXIOMS:
        axiom(formula)
    return _counted(formula)


def encode_weak(
    atomics: Atomics, options: BmcOptions, properties: frozenset[Property], budget: Budget
) -> Model:
    """The formula of an event graph in which orders matter."""
    options = options.with_cells()  # the axioms of RC11 are about one cell each
    formula = Formula(atomics.exact_writes(), options, properties, budget, atomics=atomics)
    for axiom in (named_conditions, violations, deadlocks, choose_candidates, copied_occurs, copies_some):
        axiom(formula)
    model = Model(formula, atomics)
    for law in rc11.AXIOMS:
        budget.check()
        law(model)
    for axiom in (copied_is_before, none_between, strict_order):
        axiom(formula)
    _counted(formula)
    return model


def encode_machine(
    unrolled: MachineUnrolling, options: BmcOptions, properties: frozenset[Property], budget: Budget
) -> Machine:
    """The formula of an event graph on a machine."""
    unrolled, options = unrolled.exact(), options.with_cells()
    formula = Formula(unrolled.graph, options, properties, budget)
    for axiom in (named_conditions, violations, deadlocks):
        axiom(formula)
    pruning = Pruning(formula)
    machine = Machine(formula, MachineEvents(unrolled, lambda read: is_known(pruning, read)))
    for axiom in (copied_occurs, copies_some):
        axiom(formula)
    for law in hardware.AXIOMS:
        budget.check()
        law(machine)
    strict_order(formula)
    _counted(formula)
    return machine


def _counted(formula: Formula) -> Formula:
    sizes = [len(choice.copied) for choice in formula.choices]
    formula.counts |= {
        "candidates": sum(sizes),
        "candidates per read": round(sum(sizes) / max(1, len(sizes)), 2),
        "most candidates": max(sizes, default=0),
        "formulas": len(formula.formulas),
        "order literals": len(formula.order.literals),
        "clauses about order": len(formula.clauses),
    }
    return formula
