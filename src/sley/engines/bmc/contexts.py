"""A bound on how often threads take turns: every node is in a context, and a context belongs to one thread.

Of two nodes of different threads that both happen, the earlier one is in an earlier context; nodes of one
thread may share one. (The published formula compares the other way round, and counts too few.)
"""

from collections.abc import Iterator

from sley.engines.bmc.formula.formula import Formula
from sley.logic.sorts import bitvec
from sley.logic.terms import Term


def context_formulas(formula: Formula, switches: int) -> Iterator[Term]:
    """All that happens is in contexts 0 to ``switches``."""
    t, nodes = formula.terms, formula.graph.nodes
    sort = bitvec((switches + 1).bit_length() + 1)
    last = t.const(switches, sort)

    def context(node: int) -> Term:
        return t.var(f"!context{node}", sort)

    def apart(a: int, b: int, condition: Term) -> Term:
        return t.implies(
            t.and_(formula.occurs[a], formula.occurs[b], condition), t.ult(context(a), context(b))
        )

    for node in nodes:
        yield t.implies(formula.occurs[node.number], t.ule(context(node.number), last))
    for a, b in formula.graph.order.edges:
        if nodes[a].thread == nodes[b].thread:
            yield t.ule(context(a), context(b))
        else:
            yield apart(a, b, t.true)
    for (a, b), literal in formula.order.literals.items():
        yield apart(a, b, literal)
        yield apart(b, a, t.not_(literal))
