"""Counting, finding and turning bits: ``__builtin_popcount`` and its family, as terms without a loop."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sley.frontend.c_types import INT, IntegerType
from sley.frontend.syntax import Node
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.program.instructions import Cause

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls

Computation = Callable[[Terms, Term], Term]


def _halves(width: int) -> list[int]:
    """The powers of two below the width, the largest first."""
    sizes = []
    while width > 1:
        width //= 2
        sizes.append(width)
    return sizes


def ones(terms: Terms, value: Term) -> Term:
    """How many bits are set: neighbours are added, then neighbouring sums."""
    width = terms.width(value)
    for size in reversed(_halves(width)):
        mask = terms.bv(sum(((1 << size) - 1) << at for at in range(0, width, 2 * size)), width)
        upper = terms.apply(Op.BVLSHR, value, terms.bv(size, width))
        value = terms.add(terms.apply(Op.BVAND, value, mask), terms.apply(Op.BVAND, upper, mask))
    return value


def leading_zeros(terms: Terms, value: Term) -> Term:
    """How many bits above the highest one are zero; all but one of them if none is set."""
    width = terms.width(value)
    count = terms.bv(0, width)
    for size in _halves(width):
        is_zero = terms.eq(terms.extract(value, width - 1, width - size), terms.bv(0, size))
        count = terms.ite(is_zero, terms.add(count, terms.bv(size, width)), count)
        value = terms.ite(is_zero, terms.apply(Op.BVSHL, value, terms.bv(size, width)), value)
    return count


def trailing_zeros(terms: Terms, value: Term) -> Term:
    """How many bits below the lowest one are zero; all but one of them if none is set."""
    width = terms.width(value)
    count = terms.bv(0, width)
    for size in _halves(width):
        is_zero = terms.eq(terms.extract(value, size - 1, 0), terms.bv(0, size))
        count = terms.ite(is_zero, terms.add(count, terms.bv(size, width)), count)
        value = terms.ite(is_zero, terms.apply(Op.BVLSHR, value, terms.bv(size, width)), value)
    return count


def _parity(terms: Terms, value: Term) -> Term:
    return terms.apply(Op.BVAND, ones(terms, value), terms.bv(1, terms.width(value)))


def _first_set(terms: Terms, value: Term) -> Term:
    width = terms.width(value)
    found = terms.add(trailing_zeros(terms, value), terms.bv(1, width))
    return terms.ite(terms.eq(value, terms.bv(0, width)), terms.bv(0, width), found)


def _redundant_sign_bits(terms: Terms, value: Term) -> Term:
    width = terms.width(value)
    sign = terms.apply(Op.BVASHR, value, terms.bv(width - 1, width))
    changed = terms.apply(Op.BVXOR, value, sign)
    zeros = leading_zeros(terms, changed)
    all_equal = terms.bv(width - 1, width)
    counted = terms.sub(zeros, terms.bv(1, width))
    return terms.ite(terms.eq(changed, terms.bv(0, width)), all_equal, counted)


def _turned(terms: Terms, value: Term) -> Term:
    result = terms.extract(value, 7, 0)
    for low in range(8, terms.width(value), 8):
        result = terms.concat(result, terms.extract(value, low + 7, low))
    return result


def _computed(compute: Computation, *, needs_one: bool = False) -> "Handler":
    """A handler; where a set bit is needed and there is none, the result is arbitrary."""

    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        terms, expressions = calls.terms, calls.expressions
        value = calls.emitter.saved(expressions.value(arguments[0]))
        ctype = expressions.value_type(node)
        assert isinstance(ctype, IntegerType)
        result = terms.resize(compute(terms, value), ctype.width, signed=False)
        has_one = terms.ne(value, terms.bv(0, terms.width(value)))
        if not needs_one or has_one == terms.true:
            return result
        return terms.ite(has_one, result, calls.emitter.havoc(INT.sort, Cause.UNINITIALISED, node.text))

    return handler


_COUNTS: dict[str, "Handler"] = {
    "popcount": _computed(ones),
    "parity": _computed(_parity),
    "ffs": _computed(_first_set),
    "clz": _computed(leading_zeros, needs_one=True),
    "ctz": _computed(trailing_zeros, needs_one=True),
    "clrsb": _computed(_redundant_sign_bits),
}

HANDLERS: "dict[str, Handler]" = {
    **{f"__builtin_{name}{size}": handler for name, handler in _COUNTS.items() for size in ("", "l", "ll")},
    **{f"ffs{size}": _COUNTS["ffs"] for size in ("", "l", "ll")},
    **{f"__builtin_bswap{width}": _computed(_turned) for width in (16, 32, 64)},
}
