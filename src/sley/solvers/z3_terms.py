"""Terms to z3's terms, and its values back. z3 has no types: all of it stays here and in the adapter."""

from collections.abc import Callable
from typing import Any

import z3

from sley.base.errors import GaveUpError
from sley.logic.arrays import ArrayValue
from sley.logic.floats import canonical_nan, from_ieee, to_ieee, truncation_bounds
from sley.logic.operators import AnyValue, Op
from sley.logic.sorts import ArraySort, BitVecSort, BoolSort, FloatSort, Sort
from sley.logic.terms import Term
from sley.solvers.translation import Translation


def conjunction(*parts: Any) -> Any:
    """``z3.And`` of formulas; that looks for a sort that all have, which takes longer than to make it."""
    return _joined(z3.Z3_mk_and, parts)


def disjunction(*parts: Any) -> Any:
    """``z3.Or`` of formulas, in the same way."""
    return _joined(z3.Z3_mk_or, parts)


def _joined(make: Callable[..., Any], parts: tuple[Any, ...]) -> Any:
    context = z3.main_ctx()
    return z3.BoolRef(make(context.ref(), len(parts), (z3.Ast * len(parts))(*map(_ast, parts))), context)


def _ast(part: Any) -> Any:
    return part.as_ast()


def _overflow(no_overflow: Callable[..., Any], no_underflow: Callable[..., Any]) -> Callable[..., Any]:
    return lambda a, b: z3.Not(z3.And(no_overflow(a, b), no_underflow(a, b)))


_DIRECT: dict[Op, Callable[..., Any]] = {
    Op.NOT: z3.Not,
    Op.AND: conjunction,
    Op.OR: disjunction,
    Op.EQ: lambda a, b: a == b,
    Op.ITE: z3.If,
    Op.BVNOT: lambda a: ~a,
    Op.BVNEG: lambda a: -a,
    Op.BVAND: lambda a, b: a & b,
    Op.BVOR: lambda a, b: a | b,
    Op.BVXOR: lambda a, b: a ^ b,
    Op.BVADD: lambda a, b: a + b,
    Op.BVSUB: lambda a, b: a - b,
    Op.BVMUL: lambda a, b: a * b,
    Op.BVUDIV: z3.UDiv,
    Op.BVSDIV: lambda a, b: a / b,
    Op.BVUREM: z3.URem,
    Op.BVSREM: z3.SRem,
    Op.BVSHL: lambda a, b: a << b,
    Op.BVLSHR: z3.LShR,
    Op.BVASHR: lambda a, b: a >> b,
    Op.BVULT: z3.ULT,
    Op.BVULE: z3.ULE,
    Op.BVSLT: lambda a, b: a < b,
    Op.BVSLE: lambda a, b: a <= b,
    Op.CONCAT: z3.Concat,
    Op.SADDO: _overflow(lambda a, b: z3.BVAddNoOverflow(a, b, signed=True), z3.BVAddNoUnderflow),
    Op.SSUBO: _overflow(z3.BVSubNoOverflow, lambda a, b: z3.BVSubNoUnderflow(a, b, signed=True)),
    Op.SMULO: _overflow(lambda a, b: z3.BVMulNoOverflow(a, b, signed=True), z3.BVMulNoUnderflow),
    Op.FP_NEG: z3.fpNeg,
    Op.FP_ADD: lambda a, b: z3.fpAdd(z3.RNE(), a, b),
    Op.FP_SUB: lambda a, b: z3.fpSub(z3.RNE(), a, b),
    Op.FP_MUL: lambda a, b: z3.fpMul(z3.RNE(), a, b),
    Op.FP_DIV: lambda a, b: z3.fpDiv(z3.RNE(), a, b),
    Op.FP_EQ: z3.fpEQ,
    Op.FP_LT: z3.fpLT,
    Op.FP_LE: z3.fpLEQ,
    Op.SELECT: z3.Select,
    Op.STORE: z3.Store,
}


def sort_of(sort: Sort) -> Any:
    """Z3's sort."""
    match sort:
        case BoolSort():
            return z3.BoolSort()
        case BitVecSort(width=width):
            return z3.BitVecSort(width)
        case FloatSort(exponent=exponent, significand=significand):
            return z3.FPSort(exponent, significand)
        case ArraySort(index=index, element=element):
            return z3.ArraySort(z3.BitVecSort(index), z3.BitVecSort(element))


class Z3Translation(Translation[Any]):
    """Terms in z3's main context."""

    def constant(self, value: AnyValue, sort: Sort) -> Any:
        """A constant."""
        match sort:
            case BoolSort():
                return z3.BoolVal(value)
            case BitVecSort(width=width):
                return z3.BitVecVal(value, width)
            case FloatSort():
                assert isinstance(value, int)
                bits = z3.BitVecVal(to_ieee(value, sort), sort.exponent + sort.significand)
                return z3.fpBVToFP(bits, sort_of(sort))
            case ArraySort():
                assert isinstance(value, ArrayValue)
                made = z3.K(z3.BitVecSort(sort.index), z3.BitVecVal(value.default, sort.element))
                for index, element in value.others:
                    place = z3.BitVecVal(index, sort.index)
                    made = z3.Store(made, place, z3.BitVecVal(element, sort.element))
                return made

    def variable(self, term: Term) -> Any:
        """A constant in z3's words."""
        return z3.Const(self.terms.name(term), sort_of(self.terms.sort(term)))

    def application(self, term: Term, args: list[Any]) -> Any:
        """An application."""
        op, payload = self.terms.op(term), self.terms.payload(term)
        direct = _DIRECT.get(op)
        if direct is not None:
            return direct(*args)
        match op:
            case Op.EXTRACT:
                assert isinstance(payload, tuple)
                return z3.Extract(payload[0], payload[1], args[0])
            case Op.ZERO_EXTEND:
                return z3.ZeroExt(payload, args[0])
            case Op.SIGN_EXTEND:
                return z3.SignExt(payload, args[0])
            case Op.FP_TO_FP:
                return z3.fpFPToFP(z3.RNE(), args[0], sort_of(self.format_of(term)))
            case Op.SBV_TO_FP:
                return z3.fpSignedToFP(z3.RNE(), args[0], sort_of(self.format_of(term)))
            case Op.UBV_TO_FP:
                return z3.fpUnsignedToFP(z3.RNE(), args[0], sort_of(self.format_of(term)))
            case Op.FP_FROM_BITS:
                return self._from_bits(self.format_of(term), args[0])
            case Op.FP_TO_BITS:
                return self._bits(term, args[0])
            case _:
                return self._truncate(term, args[0], signed=op is Op.FP_TO_SBV)

    def _from_bits(self, sort: FloatSort, bits: Any) -> Any:
        if not sort.has_leading_bit:
            return z3.fpBVToFP(bits, sort_of(sort))
        stored, top = sort.significand - 1, sort.width - 1
        exponent, leading = z3.Extract(top - 1, stored + 1, bits), z3.Extract(stored, stored, bits)
        zero, one = z3.BitVecVal(0, sort.exponent), z3.BitVecVal(1, 1)
        fixed = z3.If(exponent == zero, z3.ZeroExt(sort.exponent - 1, leading), exponent)
        ieee = z3.Concat(z3.Extract(top, top, bits), fixed, z3.Extract(stored - 1, 0, bits))
        is_number = z3.Or(exponent == zero, leading == one)
        return z3.If(is_number, z3.fpBVToFP(ieee, sort_of(sort)), z3.fpNaN(sort_of(sort)))

    def _bits(self, term: Term, operand: Any) -> Any:
        sort = self.format_of(self.terms.args(term)[0])
        nan = z3.BitVecVal(canonical_nan(sort), sort.width)
        bits = z3.fpToIEEEBV(operand)
        if sort.has_leading_bit:
            stored, top = sort.significand - 1, sort.exponent + sort.significand - 1
            exponent = z3.Extract(top - 1, stored, bits)
            leading = z3.If(exponent == 0, z3.BitVecVal(0, 1), z3.BitVecVal(1, 1))
            bits = z3.Concat(z3.Extract(top, stored, bits), leading, z3.Extract(stored - 1, 0, bits))
        return z3.If(z3.fpIsNaN(operand), nan, bits)

    def _truncate(self, term: Term, operand: Any, *, signed: bool) -> Any:
        """Towards zero; out of range SMT-LIB leaves open what C does not define: zero here."""
        width, sort = self.terms.width(term), self.format_of(self.terms.args(term)[0])
        lower, is_excluded, upper = truncation_bounds(sort, width, signed=signed)
        low = self.constant(lower, sort)
        above = z3.fpGT(operand, low) if is_excluded else z3.fpGEQ(operand, low)
        below = z3.fpLT(operand, self.constant(upper, sort))
        convert = z3.fpToSBV if signed else z3.fpToUBV
        converted = convert(z3.RTZ(), operand, z3.BitVecSort(width))
        return z3.If(z3.And(above, below), converted, z3.BitVecVal(0, width))


def value_in(model: Any, native: Any, sort: Sort) -> AnyValue:
    """The value of a z3 constant in a model."""
    match sort:
        case BoolSort():
            return bool(z3.is_true(model.eval(native, model_completion=True)))
        case BitVecSort():
            return int(model.eval(native, model_completion=True).as_long())
        case FloatSort():
            if z3.is_true(model.eval(z3.fpIsNaN(native), model_completion=True)):
                return canonical_nan(sort)
            bits = int(model.eval(z3.fpToIEEEBV(native), model_completion=True).as_long())
            return from_ieee(bits, sort)
        case ArraySort():
            return _array_value(model.eval(native, model_completion=True))


def _array_value(native: Any) -> ArrayValue:
    """The value of an array that z3 writes as stores over a constant array."""
    writes: list[tuple[int, int]] = []
    while z3.is_store(native):
        native, index, element = native.children()
        writes.append((index.as_long(), element.as_long()))
    if not z3.is_const_array(native):
        raise GaveUpError("the solver's value of an array has an unknown form")
    return ArrayValue.of(native.children()[0].as_long(), reversed(writes))
