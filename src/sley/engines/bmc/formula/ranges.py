"""Between which bounds the values of reads lie, so that solvers need not consider all their bits.

Values come from writes, whose values come from reads, and so on: in a run such a chain visits no node twice.
So bounds that hold for chains of as many steps as there are nodes hold always.
"""

from collections.abc import Mapping, Sequence

from sley.analyses.ranges import Fact, Ranges
from sley.engines.bmc.events.graph import NodeRead, NodeWrite
from sley.engines.bmc.thresholds import MOST_EVALUATIONS
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms


def bounds_of_reads(
    terms: Terms, choices: Sequence[tuple[NodeRead, Sequence[NodeWrite]]], chain: int
) -> Mapping[Term, tuple[int, int]]:
    """Symbol -> bounds of its signed value, where any are known; ``chain``: nodes that write."""
    known: dict[Term, tuple[int, int]] = {}
    is_read = {read.symbol for read, _ in choices}
    cost = sum(len(writes) for _, writes in choices)
    for round_ in range(chain + 1):
        if round_ * cost > MOST_EVALUATIONS:
            return {}
        before = dict(known)
        ranges = _ranges(terms, before)
        for read, writes in choices:
            if not isinstance(terms.sort(read.symbol), BitVecSort):
                continue
            for write in writes:
                if _is_possible(terms, write.value, is_read, before):
                    fact = ranges.fact(write.value)
                    low, high = known.get(read.symbol, (fact.low, fact.high))
                    known[read.symbol] = (min(low, fact.low), max(high, fact.high))
        if known == before:
            break
    return known


def _ranges(terms: Terms, known: Mapping[Term, tuple[int, int]]) -> Ranges:
    return Ranges(terms, {symbol: Fact(low, high) for symbol, (low, high) in known.items()})


def _is_possible(terms: Terms, value: Term, is_read: set[Term], known: Mapping[Term, object]) -> bool:
    """Whether the value can come up at all with chains that are as long as those so far."""
    if not isinstance(terms.sort(value), BitVecSort):
        return False
    return all(v in known or v not in is_read or _is_boolean(terms, v) for v in terms.variables(value))


def _is_boolean(terms: Terms, variable: Term) -> bool:
    return not isinstance(terms.sort(variable), BitVecSort)


def high_bits_are_zero(terms: Terms, symbol: Term, bounds: tuple[int, int]) -> Term:
    """What the bounds say about single bits."""
    low, high = bounds
    width, needed = terms.width(symbol), max(high, 1).bit_length()
    if low < 0 or needed >= width:
        return terms.true
    return terms.eq(terms.make(Op.EXTRACT, (symbol,), (width - 1, needed)), terms.bv(0, width - needed))
