"""Shared variables that are only ever added to: what a read sees needs no chain of reads-from.

LEMMA. Let every write to a variable, but that of node 0, add a constant to what its own node reads (``x++``
in one step, a compare and exchange that counts, a counter under a lock). In a run, a read of the variable
sees the initial value and the constants of all writes that happen before it: by induction on the order, since
a node that writes reads the sum of those before it. The order of the additions among each other does not
matter, so no read of the variable needs to copy from a certain write.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sley.engines.bmc.events.graph import AddedVariable, EventGraph, NodeWrite
from sley.engines.bmc.thresholds import MOST_SUM_VALUES
from sley.logic.clauses import conjuncts
from sley.logic.linear import constant_sums
from sley.logic.operators import Op, to_signed, to_unsigned
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms


def use_sums(graph: EventGraph) -> EventGraph:
    """Find the sums, and replace reads that are after or before each addition in every run."""
    graph = replace(graph, sums=dict(_sums(graph)))
    if not graph.sums:
        return graph
    t, known = graph.terms, dict(_known_reads(graph))
    while any(not known.keys().isdisjoint(t.variables(value)) for value in known.values()):
        known = {symbol: t.substitute(value, known) for symbol, value in known.items()}
    if known:
        graph = _rewritten(graph, known)
    return _rewritten(graph, dict(_decided(graph)))


def _sums(graph: EventGraph) -> Iterator[tuple[Term, AddedVariable]]:
    """All variables that are only added to, by more than one node."""
    for variable, (_, writes) in graph.variables.items():
        if not isinstance(graph.terms.sort(variable), BitVecSort):
            continue
        first = graph.nodes[0].writes.get(variable)
        later = [write for write in writes if write.node]
        steps = {write.node: _added(graph, write) for write in later}
        known = {node: step for node, step in steps.items() if step is not None}
        if len(later) > 1 and len(known) == len(steps):
            yield variable, AddedVariable(graph.initial[variable] if first is None else first.value, known)


def _known_reads(graph: EventGraph) -> Iterator[tuple[Term, Term]]:
    """Reads of sums for which every run has the same additions before, and what they see."""
    variables, order = graph.variables, graph.order
    for variable, found in graph.sums.items():
        reads, writes = variables[variable]
        writes = [write for write in writes if write.node]
        for read in reads:
            if all(order.is_ordered(write.node, read.node) for write in writes):
                before = [write for write in writes if order.is_before(write.node, read.node)]
                yield read.symbol, found.total(graph.terms, ((w.node, w.condition) for w in before))


def _rewritten(graph: EventGraph, mapping: Mapping[Term, Term]) -> EventGraph:
    """The graph with terms replaced, and what has become constant folded."""
    t, done = graph.terms, dict[Term, Term]()

    def new(term: Term) -> Term:
        if term not in done:
            changed = t.substitute(term, mapping)
            done[term] = term if changed == term else t.substitute(changed, constant_sums(t, changed))
        return done[term]

    return graph.mapped(new) if mapping else graph


def _decided(graph: EventGraph) -> Iterator[tuple[Term, Term]]:
    """Conditions on what is read of a sum that have one answer for all that it can be."""
    t, values = graph.terms, dict[Term, range]()
    variables = graph.variables
    for variable, found in graph.sums.items():
        possible = _possible_values(t, found)
        if possible is not None:
            values |= dict.fromkeys((read.symbol for read in variables[variable][0]), possible)
    for term in t.walk(tuple(graph.all_terms())):
        if t.op(term) in (Op.NOT, Op.AND, Op.OR, Op.ITE) or not t.is_boolean(term):
            continue
        symbols = t.variables(term)
        if len(symbols) == 1 and symbols[0] in values:
            width = t.width(symbols[0])
            answers = {t.evaluate(term, {symbols[0]: to_unsigned(v, width)}) for v in values[symbols[0]]}
            if len(answers) == 1:
                yield term, t.true if answers.pop() else t.false


def _possible_values(t: Terms, found: AddedVariable) -> range | None:
    """All signed values of a sum, if these are few and none overflows."""
    start, width = t.number(found.initial), t.width(found.initial)
    if start is None:
        return None
    steps = [to_signed(step, width) for step in found.steps.values()]
    low = to_signed(start, width) + sum(step for step in steps if step < 0)
    high = to_signed(start, width) + sum(step for step in steps if step > 0)
    fits = -(1 << (width - 1)) <= low and high < 1 << (width - 1)
    return range(low, high + 1) if fits and high - low < MOST_SUM_VALUES else None


def _added(graph: EventGraph, write: NodeWrite) -> int | None:
    """What a write adds to what its node reads, if that is a constant."""
    t, read = graph.terms, graph.nodes[write.node].reads.get(write.variable)
    if read is None:
        return None
    value = write.value
    for condition in conjuncts(t, (write.condition,)):
        value = _with_equality(t, value, condition, read.symbol)
    return t.number(t.sub(value, read.symbol))


def _with_equality(terms: Terms, value: Term, condition: Term, symbol: Term) -> Term:
    """The value where the condition says that the symbol equals another one."""
    if terms.op(condition) is Op.EQ:
        a, b = terms.args(condition)
        for one, other in ((a, b), (b, a)):
            if one == symbol and terms.is_var(other):
                return terms.substitute(value, {other: symbol})
    return value
