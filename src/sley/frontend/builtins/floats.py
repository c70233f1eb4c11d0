"""Questions about floating-point numbers: ``__builtin_isnan`` and its family, and ``__builtin_fabs``."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sley.frontend.c_types import IntegerType
from sley.frontend.syntax import Node
from sley.logic.floats import encode_float
from sley.logic.operators import Op
from sley.logic.sorts import FloatSort, width_of
from sley.logic.terms import Term, Terms

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls


def _is_nan(terms: Terms, x: Term) -> Term:
    return terms.not_(terms.make(Op.FP_EQ, (x, x)))


def _equals(terms: Terms, x: Term, number: float) -> Term:
    sort = terms.sort(x)
    assert isinstance(sort, FloatSort)
    return terms.make(Op.FP_EQ, (x, terms.const(encode_float(number, sort), sort)))


def _is_infinite(terms: Terms, x: Term) -> Term:
    return terms.or_(_equals(terms, x, float("inf")), _equals(terms, x, float("-inf")))


def _is_finite(terms: Terms, x: Term) -> Term:
    return terms.not_(terms.or_(_is_nan(terms, x), _is_infinite(terms, x)))


def absolute(terms: Terms, x: Term) -> Term:
    """The number without its sign, which zeros have as well."""
    sort = terms.sort(x)
    width = width_of(sort)
    bits = terms.make(Op.FP_TO_BITS, (x,))
    positive = terms.concat(terms.bv(0, 1), terms.extract(bits, width - 2, 0))
    return terms.make(Op.FP_FROM_BITS, (positive,), sort)


def _asked(question: Callable[[Terms, Term], Term]) -> "Handler":
    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        value = _float(calls, arguments[0])
        return _answer(calls, node, question(calls.terms, value))

    return handler


def _infinite_sign(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    terms, value = calls.terms, _float(calls, arguments[0])
    ctype = calls.expressions.value_type(node)
    assert isinstance(ctype, IntegerType)
    zero, one, minus_one = (terms.bv(number, ctype.width) for number in (0, 1, -1))
    negative = terms.ite(_equals(terms, value, float("-inf")), minus_one, zero)
    return terms.ite(_equals(terms, value, float("inf")), one, negative)


def _compared(compare: Callable[[Terms, Term, Term], Term]) -> "Handler":
    """Comparisons that raise no exception; we have no exceptions."""

    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        first = calls.expressions.stable(_float(calls, arguments[0]), arguments[1])
        return _answer(calls, node, compare(calls.terms, first, _float(calls, arguments[1])))

    return handler


def _absolute(calls: "Calls", _node: Node, arguments: list[Node]) -> Term:
    return absolute(calls.terms, _float(calls, arguments[0]))


def _float(calls: "Calls", argument: Node) -> Term:
    value = calls.expressions.value(argument)
    if not isinstance(calls.terms.sort(value), FloatSort):
        raise argument.unsupported(f"an operand of this type: `{argument.text}`")
    return value


def _answer(calls: "Calls", node: Node, holds: Term) -> Term:
    ctype = calls.expressions.value_type(node)
    return calls.terms.bool_to_bv(holds, ctype.width) if isinstance(ctype, IntegerType) else holds


_QUESTIONS = {"isnan": _is_nan, "isinf": _is_infinite, "isfinite": _is_finite, "finite": _is_finite}
_COMPARISONS: dict[str, Callable[[Terms, Term, Term], Term]] = {
    "isless": lambda t, a, b: t.make(Op.FP_LT, (a, b)),
    "islessequal": lambda t, a, b: t.make(Op.FP_LE, (a, b)),
    "isgreater": lambda t, a, b: t.make(Op.FP_LT, (b, a)),
    "isgreaterequal": lambda t, a, b: t.make(Op.FP_LE, (b, a)),
    "islessgreater": lambda t, a, b: t.or_(t.make(Op.FP_LT, (a, b)), t.make(Op.FP_LT, (b, a))),
    "isunordered": lambda t, a, b: t.or_(_is_nan(t, a), _is_nan(t, b)),
}

HANDLERS: "dict[str, Handler]" = {
    **{
        f"__builtin_{name}{size}": _asked(question)
        for name, question in _QUESTIONS.items()
        for size in ("", "f", "l")
    },
    **{f"__builtin_{name}": _compared(compare) for name, compare in _COMPARISONS.items()},
    **{f"{prefix}fabs{size}": _absolute for prefix in ("", "__builtin_") for size in ("", "f", "l")},
    "__builtin_isinf_sign": _infinite_sign,
}
