"""Terms to Bitwuzla's terms, and its values back.

Bitwuzla has no operator for the bits of a float. ``FP_TO_BITS(x)`` is therefore a constant of its own, and
every formula that mentions it is conjoined with its definition (``formula``).
"""

from typing import Any

import bitwuzla
from bitwuzla import Kind

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.logic.arrays import ArrayValue
from sley.logic.floats import canonical_nan, truncation_bounds
from sley.logic.operators import AnyValue, Op
from sley.logic.sorts import ArraySort, BitVecSort, BoolSort, FloatSort, Sort, bitvec
from sley.logic.terms import Term, Terms
from sley.solvers.translation import Translation

DIRECT: dict[Op, Any] = {
    Op.NOT: Kind.NOT,
    Op.AND: Kind.AND,
    Op.OR: Kind.OR,
    Op.EQ: Kind.EQUAL,
    Op.ITE: Kind.ITE,
    Op.BVNOT: Kind.BV_NOT,
    Op.BVNEG: Kind.BV_NEG,
    Op.BVAND: Kind.BV_AND,
    Op.BVOR: Kind.BV_OR,
    Op.BVXOR: Kind.BV_XOR,
    Op.BVADD: Kind.BV_ADD,
    Op.BVSUB: Kind.BV_SUB,
    Op.BVMUL: Kind.BV_MUL,
    Op.BVUDIV: Kind.BV_UDIV,
    Op.BVSDIV: Kind.BV_SDIV,
    Op.BVUREM: Kind.BV_UREM,
    Op.BVSREM: Kind.BV_SREM,
    Op.BVSHL: Kind.BV_SHL,
    Op.BVLSHR: Kind.BV_SHR,
    Op.BVASHR: Kind.BV_ASHR,
    Op.BVULT: Kind.BV_ULT,
    Op.BVULE: Kind.BV_ULE,
    Op.BVSLT: Kind.BV_SLT,
    Op.BVSLE: Kind.BV_SLE,
    Op.CONCAT: Kind.BV_CONCAT,
    Op.SADDO: Kind.BV_SADD_OVERFLOW,
    Op.SSUBO: Kind.BV_SSUB_OVERFLOW,
    Op.SMULO: Kind.BV_SMUL_OVERFLOW,
    Op.FP_NEG: Kind.FP_NEG,
    Op.FP_EQ: Kind.FP_EQUAL,
    Op.FP_LT: Kind.FP_LT,
    Op.FP_LE: Kind.FP_LEQ,
    Op.SELECT: Kind.ARRAY_SELECT,
    Op.STORE: Kind.ARRAY_STORE,
}

_ROUNDED: dict[Op, Any] = {
    Op.FP_ADD: Kind.FP_ADD,
    Op.FP_SUB: Kind.FP_SUB,
    Op.FP_MUL: Kind.FP_MUL,
    Op.FP_DIV: Kind.FP_DIV,
}

_TO_FLOAT: dict[Op, Any] = {
    Op.FP_TO_FP: Kind.FP_TO_FP_FROM_FP,
    Op.SBV_TO_FP: Kind.FP_TO_FP_FROM_SBV,
    Op.UBV_TO_FP: Kind.FP_TO_FP_FROM_UBV,
}


class BitwuzlaTranslation(Translation[Any]):
    """Terms in one Bitwuzla term manager."""

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self.manager: Any = bitwuzla.TermManager()
        self.back: dict[Any, Term] = {}
        """Bitwuzla's constants to the terms they stand for."""
        self._sorts: dict[Sort, Any] = {}
        self._nearest = self.manager.mk_rm_value(bitwuzla.RoundingMode.RNE)
        self._to_zero = self.manager.mk_rm_value(bitwuzla.RoundingMode.RTZ)
        self._definitions: dict[Term, Any] = {}
        self._needs: dict[Term, dict[Term, None]] = {}

    def formula(self, term: Term) -> Any:
        """A truth value to assert or assume, with the definitions it needs."""
        native = self.native(term)
        needs = self._needs.get(term)
        if needs is None:
            return native
        definitions = [self._definitions[t] for t in needs]
        return self.manager.mk_term(Kind.AND, [native, *definitions])

    def sort(self, sort: Sort) -> Any:
        """Bitwuzla's sort."""
        found = self._sorts.get(sort)
        if found is None:
            found = self._sorts[sort] = self._make_sort(sort)
        return found

    def _make_sort(self, sort: Sort) -> Any:
        match sort:
            case BoolSort():
                return self.manager.mk_bool_sort()
            case BitVecSort(width=width):
                return self.manager.mk_bv_sort(width)
            case FloatSort(exponent=exponent, significand=significand):
                if sort.has_leading_bit:
                    text = "a `long double` that is not constant is beyond the solver"
                    raise GaveUpError(Reason(text, Why.LONG_DOUBLE))
                return self.manager.mk_fp_sort(exponent, significand)
            case ArraySort(index=index, element=element):
                return self.manager.mk_array_sort(self.sort(bitvec(index)), self.sort(bitvec(element)))

    def format_of(self, term: Term) -> FloatSort:
        """The format of a float term; gives up where the solver lacks it."""
        sort = super().format_of(term)
        self.sort(sort)
        return sort

    def constant(self, value: AnyValue, sort: Sort) -> Any:
        """A constant."""
        match sort:
            case BoolSort():
                return self.manager.mk_true() if value else self.manager.mk_false()
            case BitVecSort():
                return self.manager.mk_bv_value(self.sort(sort), value)
            case FloatSort(exponent=exponent, significand=significand):
                self.sort(sort)
                bits = self.manager.mk_bv_value(self.sort(bitvec(sort.width)), value)
                return self.manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], [exponent, significand])
            case ArraySort():
                assert isinstance(value, ArrayValue)
                return self._array(value, sort)

    def _array(self, value: ArrayValue, sort: ArraySort) -> Any:
        index, element = self.sort(bitvec(sort.index)), self.sort(bitvec(sort.element))
        default = self.manager.mk_bv_value(element, value.default)
        made = self.manager.mk_const_array(self.sort(sort), default)
        for place, other in value.others:
            parts = [made, self.manager.mk_bv_value(index, place), self.manager.mk_bv_value(element, other)]
            made = self.manager.mk_term(Kind.ARRAY_STORE, parts)
        return made

    def variable(self, term: Term) -> Any:
        """A constant in Bitwuzla's words; ``back`` remembers what it stands for."""
        native = self.manager.mk_const(self.sort(self.terms.sort(term)), self.terms.name(term))
        self.back[native] = term
        return native

    def application(self, term: Term, args: list[Any]) -> Any:
        """An application; remembers the definitions that it needs."""
        op = self.terms.op(term)
        native = self._bits(term, args[0]) if op is Op.FP_TO_BITS else self._apply(term, op, args)
        if self._definitions:
            self._gather_needs(term)
        return native

    def _gather_needs(self, term: Term) -> None:
        needs = {t: None for a in self.terms.args(term) for t in self._needs.get(a, ())}
        if term in self._definitions:
            needs[term] = None
        if needs:
            self._needs[term] = needs

    def _bits(self, term: Term, operand: Any) -> Any:
        sort = self.format_of(self.terms.args(term)[0])
        manager = self.manager
        bits = manager.mk_const(self.sort(bitvec(sort.width)))
        same = manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], [sort.exponent, sort.significand])
        nan = manager.mk_bv_value(self.sort(bitvec(sort.width)), canonical_nan(sort))
        is_nan = manager.mk_term(Kind.FP_IS_NAN, [operand])
        canonical = manager.mk_term(Kind.EQUAL, [bits, nan])
        exact = manager.mk_term(Kind.EQUAL, [same, operand])
        self._definitions[term] = manager.mk_term(Kind.ITE, [is_nan, canonical, exact])
        self.back[bits] = term
        return bits

    def _apply(self, term: Term, op: Op, args: list[Any]) -> Any:
        make, payload = self.manager.mk_term, self.terms.payload(term)
        kind = DIRECT.get(op)
        if kind is not None:
            return make(kind, args)
        if op in _ROUNDED:
            return make(_ROUNDED[op], [self._nearest, *args])
        match op:
            case Op.EXTRACT:
                assert isinstance(payload, tuple)
                return make(Kind.BV_EXTRACT, args, list(payload))
            case Op.ZERO_EXTEND | Op.SIGN_EXTEND:
                kind = Kind.BV_ZERO_EXTEND if op is Op.ZERO_EXTEND else Kind.BV_SIGN_EXTEND
                return make(kind, args, [payload])
            case Op.FP_TO_FP | Op.SBV_TO_FP | Op.UBV_TO_FP:
                sort = self.format_of(term)
                return make(_TO_FLOAT[op], [self._nearest, *args], [sort.exponent, sort.significand])
            case Op.FP_FROM_BITS:
                sort = self.format_of(term)
                return make(Kind.FP_TO_FP_FROM_BV, args, [sort.exponent, sort.significand])
            case _:
                return self._truncate(term, args[0], signed=op is Op.FP_TO_SBV)

    def _truncate(self, term: Term, operand: Any, *, signed: bool) -> Any:
        """Towards zero; out of range SMT-LIB leaves open what C does not define: zero here."""
        make, width = self.manager.mk_term, self.terms.width(term)
        sort = self.format_of(self.terms.args(term)[0])
        lower, is_excluded, upper = truncation_bounds(sort, width, signed=signed)
        low = self.constant(lower, sort)
        above = make(Kind.FP_GT if is_excluded else Kind.FP_GEQ, [operand, low])
        below = make(Kind.FP_LT, [operand, self.constant(upper, sort)])
        kind = Kind.FP_TO_SBV if signed else Kind.FP_TO_UBV
        converted = make(kind, [self._to_zero, operand], [width])
        fits = make(Kind.AND, [above, below])
        return make(Kind.ITE, [fits, converted, self.constant(0, bitvec(width))])


def value_of(native: Any, sort: Sort) -> AnyValue:
    """Our value for one of Bitwuzla's."""
    match sort:
        case BoolSort():
            return bool(native.value())
        case BitVecSort():
            return int(native.value(), 2)
        case FloatSort():
            bits = int(native.value(fp_as_tuple=False), 2)
            return canonical_nan(sort) if native.is_fp_value_nan() else bits
        case ArraySort():
            return _array_value(native)


def _array_value(native: Any) -> ArrayValue:
    """The value of an array that Bitwuzla writes as stores over a constant array."""
    writes: list[tuple[int, int]] = []
    while native.kind() == Kind.ARRAY_STORE:
        native, index, element = native.children()
        writes.append((int(index.value(), 2), int(element.value(), 2)))
    if native.kind() != Kind.CONST_ARRAY:
        raise GaveUpError("the solver's value of an array has an unknown form")
    return ArrayValue.of(int(native.children()[0].value(), 2), reversed(writes))
