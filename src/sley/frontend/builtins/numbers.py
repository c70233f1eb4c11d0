"""Operations on numbers that compilers know, as terms: bits, floating-point numbers, overflow."""

from collections.abc import Callable
from fractions import Fraction

from sley.frontend.c_types import INT, BoolType, IntegerType, PointerType, unatomic
from sley.frontend.calls import Calls, Handler
from sley.frontend.places import memory_place
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.floats import encode_float
from sley.logic.operators import Op
from sley.logic.sorts import FloatSort, width_of
from sley.logic.terms import Term, Terms
from sley.program.instructions import Cause

Computation = Callable[[Terms, Term], Term]


# --- counting, finding and turning bits, without a loop -------------------------------------------------


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
    return _zeros(terms, value, Op.BVSHL, lambda size, width: (width - 1, width - size))


def trailing_zeros(terms: Terms, value: Term) -> Term:
    """How many bits below the lowest one are zero; all but one of them if none is set."""
    return _zeros(terms, value, Op.BVLSHR, lambda size, _: (size - 1, 0))


def _zeros(terms: Terms, value: Term, shift: Op, end: Callable[[int, int], tuple[int, int]]) -> Term:
    """How many bits at an end are zero: by halves, which are shifted out where they are."""
    width = terms.width(value)
    count = terms.bv(0, width)
    for size in _halves(width):
        is_zero = terms.eq(terms.extract(value, *end(size, width)), terms.bv(0, size))
        count = terms.ite(is_zero, terms.add(count, terms.bv(size, width)), count)
        value = terms.ite(is_zero, terms.apply(shift, value, terms.bv(size, width)), value)
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


def _computed(compute: Computation, *, needs_one: bool = False) -> Handler:
    """A handler; where a set bit is needed and there is none, the result is arbitrary."""

    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
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


_COUNTS: dict[str, Handler] = {
    "popcount": _computed(ones),
    "parity": _computed(_parity),
    "ffs": _computed(_first_set),
    "clz": _computed(leading_zeros, needs_one=True),
    "ctz": _computed(trailing_zeros, needs_one=True),
    "clrsb": _computed(_redundant_sign_bits),
}


# --- floating-point numbers -------------------------------------------------------------------------


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


def _is_normal(terms: Terms, x: Term) -> Term:
    least = absolute(terms, x)
    return terms.and_(_is_finite(terms, x), terms.make(Op.FP_LE, (_least_normal(terms, x), least)))


def _least_normal(terms: Terms, x: Term) -> Term:
    """The smallest number above zero with all digits."""
    sort = terms.sort(x)
    assert isinstance(sort, FloatSort)
    return terms.const(encode_float(Fraction(2) ** (2 - (1 << (sort.exponent - 1))), sort), sort)


def absolute(terms: Terms, x: Term) -> Term:
    """The number without its sign, which zeros have as well."""
    sort = terms.sort(x)
    width = width_of(sort)
    bits = terms.make(Op.FP_TO_BITS, (x,))
    positive = terms.concat(terms.bv(0, 1), terms.extract(bits, width - 2, 0))
    return terms.make(Op.FP_FROM_BITS, (positive,), sort)


def _answered(question: Callable[[Terms, Term], Term]) -> Handler:
    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        value = _float(calls, arguments[0])
        return _answer(calls, node, question(calls.terms, value))

    return handler


def _infinite_sign(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    terms, value = calls.terms, _float(calls, arguments[0])
    ctype = calls.expressions.value_type(node)
    assert isinstance(ctype, IntegerType)
    zero, one, minus_one = (terms.bv(number, ctype.width) for number in (0, 1, -1))
    negative = terms.ite(_equals(terms, value, float("-inf")), minus_one, zero)
    return terms.ite(_equals(terms, value, float("inf")), one, negative)


def _classified(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """One of five numbers: for no number, infinite, normal, subnormal, zero."""
    terms, ctype = calls.terms, calls.expressions.value_type(node)
    nan, infinite, normal, subnormal, zero = calls.values(arguments[:5])
    assert isinstance(ctype, IntegerType)
    x = _float(calls, arguments[5])
    tiny = terms.ite(_equals(terms, x, 0.0), zero, terms.ite(_is_normal(terms, x), normal, subnormal))
    return terms.ite(_is_nan(terms, x), nan, terms.ite(_is_infinite(terms, x), infinite, tiny))


def _bits(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    return calls.terms.make(Op.FP_TO_BITS, (_float(calls, arguments[0]),))


def _of_bits(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    sort = calls.expressions.sort(calls.expressions.value_type(node))
    return calls.terms.make(Op.FP_FROM_BITS, (calls.expressions.value(arguments[0]),), sort)


def _compared(compare: Callable[[Terms, Term, Term], Term]) -> Handler:
    """Comparisons that raise no exception; we have no exceptions."""

    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        first = calls.expressions.stable(_float(calls, arguments[0]), arguments[1])
        return _answer(calls, node, compare(calls.terms, first, _float(calls, arguments[1])))

    return handler


def _absolute(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    return absolute(calls.terms, _float(calls, arguments[0]))


def _float(calls: Calls, argument: SyntaxNode) -> Term:
    value = calls.expressions.value(argument)
    if not isinstance(calls.terms.sort(value), FloatSort):
        raise argument.unsupported(f"an operand of this type: `{argument.text}`")
    return value


def _answer(calls: Calls, node: SyntaxNode, holds: Term) -> Term:
    ctype = calls.expressions.value_type(node)
    return calls.terms.bool_to_bv(holds, ctype.width) if isinstance(ctype, IntegerType) else holds


_QUESTIONS = {
    "isnan": _is_nan,
    "isinf": _is_infinite,
    "isfinite": _is_finite,
    "finite": _is_finite,
    "isnormal": _is_normal,
}
_COMPARISONS: dict[str, Callable[[Terms, Term, Term], Term]] = {
    "isless": lambda t, a, b: t.make(Op.FP_LT, (a, b)),
    "islessequal": lambda t, a, b: t.make(Op.FP_LE, (a, b)),
    "isgreater": lambda t, a, b: t.make(Op.FP_LT, (b, a)),
    "isgreaterequal": lambda t, a, b: t.make(Op.FP_LE, (b, a)),
    "islessgreater": lambda t, a, b: t.or_(t.make(Op.FP_LT, (a, b)), t.make(Op.FP_LT, (b, a))),
    "isunordered": lambda t, a, b: t.or_(_is_nan(t, a), _is_nan(t, b)),
}


# --- arithmetic that says whether it overflows --------------------------------------------------------
#
# The operands are taken as they are and the exact result is compared with what the target can hold, whatever
# types the three have.

Operation = Callable[[Terms, Term, Term], Term]


def _exact(
    calls: Calls,
    operation: Operation,
    arguments: list[SyntaxNode],
    types: list[IntegerType],
    target: IntegerType,
) -> Term:
    """The mathematical result, as a signed number that has room for it and for the target."""
    terms, expressions = calls.terms, calls.expressions
    width = max(types[0].width + types[1].width, target.width) + 2
    values = []
    for number, (argument, ctype) in enumerate(zip(arguments, types, strict=False)):
        value = expressions.stable(expressions.value_as(argument, ctype), *arguments[number + 1 :])
        values.append(terms.resize(value, width, signed=ctype.is_signed))
    return operation(terms, values[0], values[1])


def _integer_type(calls: Calls, argument: SyntaxNode) -> IntegerType:
    ctype = calls.expressions.value_type(argument)
    if isinstance(ctype, BoolType):
        return IntegerType(8, is_signed=False)
    if not isinstance(ctype, IntegerType):
        raise argument.unsupported(f"an operand of this type: `{argument.text}`")
    return ctype


def _fits(terms: Terms, exact: Term, target: IntegerType) -> tuple[Term, Term]:
    """What the target gets, and whether that is the exact result."""
    value = terms.extract(exact, target.width - 1, 0)
    return value, terms.eq(terms.resize(value, terms.width(exact), signed=target.is_signed), exact)


def _stored(operation: Operation) -> Handler:
    def handler(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        types = [_integer_type(calls, argument) for argument in arguments[:2]]
        pointer = calls.expressions.value_type(arguments[2])
        assert isinstance(pointer, PointerType)
        target = unatomic(pointer.pointee)
        if not isinstance(target, IntegerType):
            raise arguments[2].unsupported(f"a target of this type: `{arguments[2].text}`")
        exact = calls.expressions.stable(_exact(calls, operation, arguments, types, target), arguments[2])
        address = calls.expressions.value(arguments[2])
        value, fits = _fits(calls.terms, exact, target)
        text = c_text(arguments[2]).removeprefix("&")
        calls.expressions.memory.write(memory_place(address, target, text), value)
        return calls.terms.not_(fits)

    return handler


def _asked(operation: Operation) -> Handler:
    """The third operand only has the type that the result is meant for, before clang promotes it."""

    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        types = [_integer_type(calls, argument) for argument in (*arguments[:2], arguments[2].inner())]
        exact = _exact(calls, operation, arguments, types, types[2])
        return _answer(calls, node, calls.terms.not_(_fits(calls.terms, exact, types[2])[1]))

    return handler


_OPERATIONS: dict[str, Operation] = {
    "add": lambda terms, a, b: terms.add(a, b),
    "sub": lambda terms, a, b: terms.sub(a, b),
    "mul": lambda terms, a, b: terms.mul(a, b),
}

HANDLERS: dict[str, Handler] = {
    **{f"__builtin_{name}{size}": handler for name, handler in _COUNTS.items() for size in ("", "l", "ll")},
    **{f"ffs{size}": _COUNTS["ffs"] for size in ("", "l", "ll")},
    **{f"__builtin_bswap{width}": _computed(_turned) for width in (16, 32, 64)},
    **{
        f"__builtin_{name}{size}": _answered(question)
        for name, question in _QUESTIONS.items()
        for size in ("", "f", "l")
    },
    **{f"__builtin_{name}": _compared(compare) for name, compare in _COMPARISONS.items()},
    **{f"{prefix}fabs{size}": _absolute for prefix in ("", "__builtin_") for size in ("", "f", "l")},
    "__builtin_isinf_sign": _infinite_sign,
    "__builtin_fpclassify": _classified,
    "__sley_bits": _bits,
    "__sley_float_bits": _bits,
    "__sley_double": _of_bits,
    "__sley_float": _of_bits,
    **{f"__builtin_{name}_overflow": _stored(operation) for name, operation in _OPERATIONS.items()},
    **{f"__builtin_{name}_overflow_p": _asked(operation) for name, operation in _OPERATIONS.items()},
    **{
        f"__builtin_{sign}{name}{size}_overflow": _stored(operation)
        for name, operation in _OPERATIONS.items()
        for sign in "su"
        for size in ("", "l", "ll")
    },
}
