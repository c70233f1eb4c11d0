"""Shared variables that are only ever added to: what a read sees needs no chain of who read from whom.

If every write to a variable adds a constant to what the same node reads (``x++`` in one step, a compare and
exchange that counts, a counter under a lock), then whoever reads the variable sees the initial value and all
that was added before: the order of the additions does not matter.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from sley.engines.bmc.events.graph import EventGraph, Read, StaticOrder, Write
from sley.logic.linear import constant_sums
from sley.logic.operators import Op, to_signed, to_unsigned
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms

MOST_VALUES = 300
"""Sums with more possible values than this are left to the solver."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A variable that is only added to."""

    variable: Term
    initial: Term
    steps: Mapping[int, int]
    """Node -> what it adds, if it writes."""
    reads: tuple[Read, ...]
    writes: tuple[Write, ...]

    def total(self, terms: Terms, conditions: Iterable[tuple[int, Term]]) -> Term:
        """The initial value and what these nodes add where their conditions hold."""
        total, nothing = self.initial, terms.const(0, terms.sort(self.variable))
        for node, condition in conditions:
            added = terms.const(self.steps[node], terms.sort(self.variable))
            total = terms.add(total, terms.ite(condition, added, nothing))
        return total

    def parts(self, read: Read) -> Iterator[Term]:
        """The terms on which the value of a read depends."""
        yield self.initial
        yield from (write.condition for write in self.writes if write.node != read.node)


def find_sums(terms: Terms, graph: EventGraph) -> tuple[Sum, ...]:
    """All variables that are only added to, by more than one node."""
    found: list[Sum] = []
    for variable, (reads, writes) in graph.variables().items():
        if not isinstance(terms.sort(variable), BitVecSort):
            continue
        first = graph.nodes[0].writes.get(variable)
        initial = graph.initial[variable] if first is None else first.value
        later = [write for write in writes if write.node]
        steps = {write.node: _added(terms, graph, write) for write in later}
        known = {node: step for node, step in steps.items() if step is not None}
        if len(later) > 1 and len(known) == len(steps):
            found.append(Sum(variable, initial, known, tuple(reads), tuple(later)))
    return tuple(found)


def settle_sums(terms: Terms, graph: EventGraph, static: StaticOrder, sums: Iterable[Sum]) -> None:
    """Replace reads of sums that are after or before each addition in every run by what they see."""
    known: dict[Term, Term] = {}
    for found in sums:
        for read in found.reads:
            if all(w.node == read.node or static.is_ordered(w.node, read.node) for w in found.writes):
                before = [w for w in found.writes if static.is_before(w.node, read.node)]
                known[read.symbol] = found.total(terms, ((w.node, w.condition) for w in before))

    def finished(term: Term) -> Term:
        return terms.substitute(term, constant_sums(terms, term))

    while any(not known.keys().isdisjoint(terms.variables(value)) for value in known.values()):
        known = {symbol: terms.substitute(value, known) for symbol, value in known.items()}
    if known:
        graph.rewrite(terms, known, finished)
    decided = _decided(terms, graph, [found for found in sums if terms.is_const(found.initial)])
    if decided:
        graph.rewrite(terms, decided, lambda term: term)


def _decided(terms: Terms, graph: EventGraph, sums: Iterable[Sum]) -> dict[Term, Term]:
    """Conditions on what is read of a sum that have one answer for all that it can be."""
    values: dict[Term, range] = {}
    for found in sums:
        width, steps = terms.width(found.variable), found.steps.values()
        start = to_signed(terms.number(found.initial) or 0, width)
        signed = [to_signed(step, width) for step in steps]
        low = start + sum(step for step in signed if step < 0)
        high = start + sum(step for step in signed if step > 0)
        if high - low < MOST_VALUES and -(1 << (width - 1)) <= low and high < 1 << (width - 1):
            values |= dict.fromkeys((read.symbol for read in found.reads), range(low, high + 1))
    decided: dict[Term, Term] = {}
    for term in terms.walk(tuple(graph.conditions())):
        if terms.op(term) in (Op.NOT, Op.AND, Op.OR, Op.ITE) or not terms.is_boolean(term):
            continue
        symbols = terms.variables(term)
        if len(symbols) == 1 and symbols[0] in values:
            width = terms.width(symbols[0])
            answers = {terms.evaluate(term, {symbols[0]: to_unsigned(v, width)}) for v in values[symbols[0]]}
            if len(answers) == 1:
                decided[term] = terms.true if answers.pop() else terms.false
    return decided


def _added(terms: Terms, graph: EventGraph, write: Write) -> int | None:
    """What a write adds to what its node reads, if that is a constant."""
    read = graph.nodes[write.node].reads.get(write.variable)
    if read is None:
        return None
    value = write.value
    for condition in _conjuncts(terms, write.condition):
        value = _with_equality(terms, value, condition, read.symbol)
    return terms.number(terms.sub(value, read.symbol))


def _conjuncts(terms: Terms, condition: Term) -> tuple[Term, ...]:
    return terms.args(condition) if terms.op(condition) is Op.AND else (condition,)


def _with_equality(terms: Terms, value: Term, condition: Term, symbol: Term) -> Term:
    """The value where the condition says that the symbol equals another one."""
    if terms.op(condition) is Op.EQ:
        a, b = terms.args(condition)
        for one, other in ((a, b), (b, a)):
            if one == symbol and terms.is_var(other):
                return terms.substitute(value, {other: symbol})
    return value
