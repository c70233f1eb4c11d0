"""Terms as C expressions, for invariants and conditions that users read.

Bit-vectors have no sign but C's types do. Every printed expression therefore carries how C reads it (*kind*),
and an operator that needs the other reading gets a cast, or a constant with the suffix ``u``, and nothing
where C converts by itself. Arithmetic narrower than ``int`` is cast back, because C computes it in ``int``.
"""

import math
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from sley.logic.arrays import ArrayValue
from sley.logic.floats import decode_float
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import BitVecSort, BoolSort, FloatSort, width_of
from sley.logic.terms import Term, Terms

LONGEST = 10_000
"""Longer texts of shared subterms are cut to ``...``: written out, a term can be exponentially long."""

_LARGEST_DECIMAL = 1 << 24


class _Precedence(Enum):
    """How C reads the text."""

    SIGNED = auto()
    UNSIGNED = auto()
    EITHER = auto()
    """An integer whose signed and unsigned readings agree."""
    OTHER = auto()
    """No integer."""


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    level: int
    kind: _Precedence


_CHOICE, _OR, _AND, _BITOR, _BITXOR, _BITAND, _EQUALITY, _ORDER, _SHIFT, _SUM, _PRODUCT, _UNARY, _PRIMARY = (
    range(13)
)

_TYPE_NAMES = {8: "char", 16: "short", 32: "int", 64: "long long"}
_LIMITS = {
    (32, -(1 << 31)): "INT_MIN",
    (32, (1 << 31) - 1): "INT_MAX",
    (32, (1 << 32) - 1): "UINT_MAX",
    (64, -(1 << 63)): "LLONG_MIN",
    (64, (1 << 63) - 1): "LLONG_MAX",
    (64, (1 << 64) - 1): "ULLONG_MAX",
}
_PRIMARY_NAME = re.compile(r"[A-Za-z_][\w#]*((\.|->)\w+|\[[\w.#]+\])*('|@\w+)?")
_UNARY_NAME = re.compile(r"[&*]+[A-Za-z_][\w#]*((\.|->)\w+|\[[\w.#]+\])*")


def to_c(
    terms: Terms,
    term: Term,
    names: Mapping[Term, str] | None = None,
    *,
    unsigned: Collection[Term] = (),
) -> str:
    """The term in C syntax, with as few parentheses and casts as C allows.

    ``names`` replaces subterms (usually variables) by a text of the caller's; ``unsigned`` are the
    variables that have an unsigned type in C.
    """
    return _Printer(terms, names or {}, unsigned).print(term)


def _type_name(width: int, *, signed: bool) -> str:
    name = _TYPE_NAMES.get(width, f"_BitInt({width})")
    if signed:
        return "signed char" if width == 8 else name
    return "unsigned" if width == 32 else f"unsigned {name}"


def _constant(value: int, width: int, *, signed: bool, suffix: str = "") -> _Piece:
    number = to_signed(value, width) if signed else value
    limit = _LIMITS.get((width, number)) if signed or value >> (width - 1) else None
    if limit is not None:
        return _Piece(limit, _PRIMARY, _Precedence.EITHER)
    # negative numbers are never in hexadecimal: -0x80000000 is positive in C
    text = (hex(number) if number >= _LARGEST_DECIMAL else str(number)) + suffix
    return _Piece(text, _UNARY if number < 0 else _PRIMARY, _Precedence.EITHER)


def _float_constant(bits: int, sort: FloatSort) -> _Piece:
    value = decode_float(bits, sort)
    sign = "-" if math.copysign(1.0, value) < 0 and not math.isnan(value) else ""
    if math.isnan(value):
        digits = "NAN"
    elif math.isinf(value):
        digits = "INFINITY"
    else:
        digits = f"{abs(value):.9g}" if sort.width == 32 else repr(abs(value))
        digits += "" if any(c in digits for c in ".en") else ".0"
        digits += {32: "f", 64: ""}.get(sort.width, "L")
    return _Piece(sign + digits, _UNARY if sign else _PRIMARY, _Precedence.OTHER)


def _named(text: str, kind: _Precedence) -> _Piece:
    if _PRIMARY_NAME.fullmatch(text):
        return _Piece(text, _PRIMARY, kind)
    return _Piece(text, _UNARY if _UNARY_NAME.fullmatch(text) else _CHOICE - 1, kind)


def _at(piece: _Piece, level: int) -> str:
    """The text, in parentheses where it binds weaker than ``level``."""
    return piece.text if piece.level >= level else f"({piece.text})"


class _Printer:
    def __init__(self, terms: Terms, names: Mapping[Term, str], unsigned: Collection[Term]) -> None:
        self.terms = terms
        self.names = names
        self.unsigned = unsigned
        self.pieces: dict[Term, _Piece] = {}

    def print(self, root: Term) -> str:
        for term in self.terms.walk((root,)):
            piece = self._piece(term)
            if len(piece.text) > LONGEST:
                piece = _Piece("...", _PRIMARY, piece.kind)
            self.pieces[term] = piece
        return self.pieces[root].text

    def _piece(self, term: Term) -> _Piece:
        op = self.terms.op(term)
        if term in self.names or op is Op.VAR:
            return _named(self.names.get(term) or self.terms.name(term), self._variable_kind(term))
        if op is Op.CONST:
            return self._constant(term)
        return _PRINT[op](self, term, *self.terms.args(term))

    def _variable_kind(self, term: Term) -> _Precedence:
        if not isinstance(self.terms.sort(term), BitVecSort):
            return _Precedence.OTHER
        return _Precedence.UNSIGNED if term in self.unsigned else _Precedence.SIGNED

    def _constant(self, term: Term) -> _Piece:
        array = self.terms.array_value(term)
        if array is not None:
            return self._array(array)
        value, sort = self.terms.value(term), self.terms.sort(term)
        match sort:
            case BoolSort():
                return _Piece("true" if value else "false", _PRIMARY, _Precedence.OTHER)
            case FloatSort():
                return _float_constant(value, sort)
            case _:
                return _constant(value, self.terms.width(term), signed=True)

    # --- readings ------------------------------------------------------------------------------------

    def _as(self, term: Term, *, signed: bool, suffix: str = "") -> _Piece:
        """The operand as C must read it, with a cast if it would not."""
        number, piece, width = self.terms.number(term), self.pieces[term], self.terms.width(term)
        if number is not None and term not in self.names:
            return _constant(number, width, signed=signed, suffix=suffix)
        if piece.kind in (_Precedence.EITHER, _Precedence.SIGNED if signed else _Precedence.UNSIGNED):
            return piece
        return self._cast(piece, width, signed=signed)

    def _cast(self, piece: _Piece, width: int, *, signed: bool) -> _Piece:
        kind = _Precedence.SIGNED if signed else _Precedence.UNSIGNED
        return _Piece(f"({_type_name(width, signed=signed)}){_at(piece, _UNARY)}", _UNARY, kind)

    def _is_unsigned(self, *terms: Term) -> bool:
        return any(self.pieces[t].kind is _Precedence.UNSIGNED for t in terms)

    def _unsigned_pair(self, a: Term, b: Term) -> tuple[_Piece, _Piece]:
        """Two operands that C compares or divides without sign: it suffices that one is unsigned."""
        width = self.terms.width(a)
        if width < 32:
            return self._as(a, signed=False), self._as(b, signed=False)
        suffix = "u" if width <= 32 else "ull"
        is_settled = self._is_unsigned(a, b)
        kinds = {self.pieces[t].kind for t in (a, b) if self.terms.number(t) is None}
        if is_settled or kinds == {_Precedence.EITHER}:
            suffix = ""
        if is_settled or _Precedence.SIGNED not in kinds:
            return self._plain(a, suffix), self._plain(b, suffix)
        if self.terms.number(a) is not None or self.terms.number(b) is not None:
            return self._plain(a, suffix), self._plain(b, suffix)
        return self._as(a, signed=False), self.pieces[b]

    def _plain(self, term: Term, suffix: str) -> _Piece:
        return self._as(term, signed=False, suffix=suffix) if self.terms.is_const(term) else self.pieces[term]

    def _same_reading(self, a: Term, b: Term) -> tuple[_Piece, _Piece]:
        """Two operands of which C takes the same view."""
        if not isinstance(self.terms.sort(a), BitVecSort):
            return self.pieces[a], self.pieces[b]
        if self.terms.width(a) < 32 or self.terms.is_const(b):
            signed = not self._is_unsigned(a)
            return self._as(a, signed=signed), self._as(b, signed=signed)
        return self.pieces[a], self.pieces[b]

    # --- Booleans ------------------------------------------------------------------------------------

    def _not(self, _: Term, a: Term) -> _Piece:
        op = self.terms.op(a)
        if a not in self.names and op in (Op.EQ, Op.BVULT, Op.BVSLT):
            x, y = self.terms.args(a)
            return self._relation(a, x, y, negated=True)
        return _Piece("!" + _at(self.pieces[a], _UNARY), _UNARY, _Precedence.OTHER)

    def _relation(self, term: Term, a: Term, b: Term, *, negated: bool = False) -> _Piece:
        match self.terms.op(term):
            case Op.EQ | Op.FP_EQ:
                return self._equality(term, a, b, negated=negated)
            case Op.BVULT | Op.BVULE:
                left, right = self._unsigned_pair(a, b)
            case Op.BVSLT | Op.BVSLE:
                left, right = self._as(a, signed=True), self._as(b, signed=True)
            case _:
                left, right = self.pieces[a], self.pieces[b]
        is_strict = self.terms.op(term) in (Op.BVULT, Op.BVSLT, Op.FP_LT)
        sign = (">=" if is_strict else ">") if negated else ("<" if is_strict else "<=")
        if negated and self.terms.is_const(a):  # 3 >= x reads worse than x <= 3
            left, right, sign = right, left, "<=" if is_strict else "<"
        return _Piece(f"{_at(left, _SHIFT)} {sign} {_at(right, _SHIFT)}", _ORDER, _Precedence.OTHER)

    def _equality(self, term: Term, a: Term, b: Term, *, negated: bool) -> _Piece:
        left, right = self._same_reading(a, b)
        if isinstance(self.terms.sort(a), FloatSort) and self.terms.op(term) is Op.EQ:
            call = f"{'!' if negated else ''}same_bits({left.text}, {right.text})"
            return _Piece(call, _UNARY if negated else _PRIMARY, _Precedence.OTHER)
        sign = "!=" if negated else "=="
        return _Piece(f"{_at(left, _ORDER)} {sign} {_at(right, _ORDER)}", _EQUALITY, _Precedence.OTHER)

    def _connective(self, term: Term, *args: Term) -> _Piece:
        sign, level = (" && ", _AND) if self.terms.op(term) is Op.AND else (" || ", _OR)
        return _Piece(sign.join(_at(self.pieces[a], level + 1) for a in args), level, _Precedence.OTHER)

    def _choice(self, term: Term, condition: Term, a: Term, b: Term) -> _Piece:
        test = self.pieces[condition]
        if not self._is_bit_vector(term):
            return self._conditional(test, self.pieces[a], self.pieces[b], _Precedence.OTHER)
        if self.terms.number(a) == 1 and self.terms.number(b) == 0:
            piece = _Piece(test.text, test.level, _Precedence.EITHER)
        else:
            signed = not self._is_unsigned(a, b)
            kind = _Precedence.SIGNED if signed else _Precedence.UNSIGNED
            piece = self._conditional(test, self._as(a, signed=signed), self._as(b, signed=signed), kind)
        is_only_int = self.terms.width(term) > 32 and self.terms.is_const(a) and self.terms.is_const(b)
        return self._cast(piece, self.terms.width(term), signed=True) if is_only_int else piece

    def _conditional(self, test: _Piece, a: _Piece, b: _Piece, kind: _Precedence) -> _Piece:
        return _Piece(f"{_at(test, _OR)} ? {a.text} : {_at(b, _CHOICE)}", _CHOICE, kind)

    def _is_bit_vector(self, term: Term) -> bool:
        return isinstance(self.terms.sort(term), BitVecSort)

    # --- bit-vectors ---------------------------------------------------------------------------------

    def _wrapped(self, piece: _Piece, width: int) -> _Piece:
        """Arithmetic narrower than ``int``: back to its width."""
        if width not in (8, 16):
            return piece
        return self._cast(piece, width, signed=piece.kind is not _Precedence.UNSIGNED)

    def _infix(self, op: Op, left: _Piece, right: _Piece, kind: _Precedence) -> _Piece:
        sign, level = _INFIX[op]
        return _Piece(f"{_at(left, level)} {sign} {_at(right, level + 1)}", level, kind)

    def _arithmetic(self, term: Term, a: Term, b: Term) -> _Piece:
        op, kind = (
            self.terms.op(term),
            _Precedence.UNSIGNED if self._is_unsigned(a, b) else _Precedence.SIGNED,
        )
        left, right = self.pieces[a], self.pieces[b]
        if op is Op.BVADD and right.text.startswith("-") and self.terms.is_const(b):
            op, right = Op.BVSUB, _Piece(right.text[1:], _PRIMARY, right.kind)
        return self._wrapped(self._infix(op, left, right, kind), self.terms.width(term))

    def _bitwise(self, term: Term, a: Term, b: Term) -> _Piece:
        signed = not self._is_unsigned(a, b)
        left, right = self.pieces[a], self.pieces[b]
        if self.terms.width(term) < 32 or self.terms.is_const(b):
            left, right = self._as(a, signed=signed), self._as(b, signed=signed)
        return self._infix(
            self.terms.op(term), left, right, _Precedence.SIGNED if signed else _Precedence.UNSIGNED
        )

    def _division(self, term: Term, a: Term, b: Term) -> _Piece:
        op = self.terms.op(term)
        if op in (Op.BVUDIV, Op.BVUREM):
            return self._infix(op, *self._unsigned_pair(a, b), _Precedence.UNSIGNED)
        piece = self._infix(op, self._as(a, signed=True), self._as(b, signed=True), _Precedence.SIGNED)
        return self._wrapped(piece, self.terms.width(term)) if op is Op.BVSDIV else piece

    def _shift(self, term: Term, a: Term, b: Term) -> _Piece:
        op = self.terms.op(term)
        suffix = "ll" if self.terms.width(a) > 32 else ""
        left = self._as(a, signed=op is Op.BVASHR or not self._is_unsigned(a), suffix=suffix)
        if op is Op.BVLSHR:
            left = self._as(a, signed=False, suffix="u" + suffix)
        kind = (
            left.kind if op is Op.BVSHL else _Precedence.SIGNED if op is Op.BVASHR else _Precedence.UNSIGNED
        )
        piece = self._infix(
            op, left, self.pieces[b], _Precedence.SIGNED if kind is _Precedence.EITHER else kind
        )
        return self._wrapped(piece, self.terms.width(term)) if op is Op.BVSHL else piece

    def _prefix(self, term: Term, a: Term) -> _Piece:
        sign, operand = "~" if self.terms.op(term) is Op.BVNOT else "-", self.pieces[a]
        text = _at(operand, _UNARY)
        kind = _Precedence.SIGNED if operand.kind is _Precedence.EITHER else operand.kind
        piece = _Piece(f"{sign}({text})" if text.startswith("-") else sign + text, _UNARY, kind)
        return (
            self._wrapped(piece, width_of(self.terms.sort(term))) if kind is not _Precedence.OTHER else piece
        )

    def _concat(self, term: Term, a: Term, b: Term) -> _Piece:
        width = self.terms.width(term)
        high = self._cast(self._as(a, signed=False), width, signed=False)
        low = self._as(b, signed=False)
        text = f"{high.text} << {self.terms.width(b)} | {_at(low, _BITOR + 1)}"
        return _Piece(text, _BITOR, _Precedence.UNSIGNED)

    def _extract(self, term: Term, a: Term) -> _Piece:
        bits = self.terms.payload(term)
        assert isinstance(bits, tuple)
        high, low = bits
        shifted = self.pieces[a]
        if low:
            shifted = _Piece(f"({_at(shifted, _SHIFT)} >> {low})", _PRIMARY, shifted.kind)
        if high - low + 1 == 32:
            return self._cast(shifted, 32, signed=False)
        return _Piece(
            f"{_at(shifted, _BITAND)} & {(1 << (high - low + 1)) - 1:#x}", _BITAND, _Precedence.UNSIGNED
        )

    def _extend(self, term: Term, a: Term) -> _Piece:
        signed = self.terms.op(term) is Op.SIGN_EXTEND
        piece, width = self._as(a, signed=signed), self.terms.width(term)
        kind = _Precedence.SIGNED if signed else _Precedence.EITHER
        if width <= 32 and width in _TYPE_NAMES and self.terms.width(a) in _TYPE_NAMES:
            return _Piece(piece.text, piece.level, kind)  # C promotes by itself
        cast = self._cast(piece, width, signed=True)
        return _Piece(cast.text, cast.level, kind)

    def _overflow(self, term: Term, a: Term, b: Term) -> _Piece:
        sign, level = {Op.SADDO: ("+", _SUM), Op.SSUBO: ("-", _SUM)}.get(self.terms.op(term), ("*", _PRODUCT))
        left, right = self._as(a, signed=True), self._as(b, signed=True)
        text = f"overflows({_at(left, level)} {sign} {_at(right, level + 1)})"
        return _Piece(text, _PRIMARY, _Precedence.OTHER)

    # --- arrays ---------------------------------------------------------------------------------------

    def _select(self, term: Term, array: Term, index: Term) -> _Piece:
        text = f"{_at(self.pieces[array], _PRIMARY)}[{self.pieces[index].text}]"
        return _Piece(text, _PRIMARY, _Precedence.UNSIGNED if array in self.unsigned else _Precedence.SIGNED)

    def _store(self, term: Term, array: Term, index: Term, element: Term) -> _Piece:
        """No expression of C: the array with one element changed."""
        change = f"[{self.pieces[index].text}] = {self.pieces[element].text}"
        return _Piece(f"{{{self.pieces[array].text}, {change}}}", _PRIMARY, _Precedence.OTHER)

    def _array(self, value: ArrayValue) -> _Piece:
        parts = [str(value.default), *(f"[{index}] = {element}" for index, element in value.others)]
        return _Piece("{" + ", ".join(parts) + "}", _PRIMARY, _Precedence.OTHER)

    # --- floats ----------------------------------------------------------------------------------------

    def _float_infix(self, term: Term, a: Term, b: Term) -> _Piece:
        return self._infix(self.terms.op(term), self.pieces[a], self.pieces[b], _Precedence.OTHER)

    def _to_float(self, term: Term, a: Term) -> _Piece:
        op = self.terms.op(term)
        source = self.pieces[a] if op is Op.FP_TO_FP else self._as(a, signed=op is Op.SBV_TO_FP)
        return _Piece(f"({self._float_name(term)}){_at(source, _UNARY)}", _UNARY, _Precedence.OTHER)

    def _float_name(self, term: Term) -> str:
        sort = self.terms.sort(term)
        assert isinstance(sort, FloatSort)
        return {32: "float", 64: "double"}.get(sort.width, "long double")

    def _from_float(self, term: Term, a: Term) -> _Piece:
        signed = self.terms.op(term) is Op.FP_TO_SBV
        return self._cast(self.pieces[a], self.terms.width(term), signed=signed)

    def _float_bits(self, term: Term, a: Term) -> _Piece:
        if self.terms.op(term) is Op.FP_TO_BITS:
            return _Piece(f"bits_of({self.pieces[a].text})", _PRIMARY, _Precedence.UNSIGNED)
        return _Piece(f"{self._float_name(term)}_of_bits({self.pieces[a].text})", _PRIMARY, _Precedence.OTHER)


_INFIX: dict[Op, tuple[str, int]] = {
    Op.BVADD: ("+", _SUM),
    Op.BVSUB: ("-", _SUM),
    Op.BVMUL: ("*", _PRODUCT),
    Op.BVUDIV: ("/", _PRODUCT),
    Op.BVSDIV: ("/", _PRODUCT),
    Op.BVUREM: ("%", _PRODUCT),
    Op.BVSREM: ("%", _PRODUCT),
    Op.BVAND: ("&", _BITAND),
    Op.BVOR: ("|", _BITOR),
    Op.BVXOR: ("^", _BITXOR),
    Op.BVSHL: ("<<", _SHIFT),
    Op.BVLSHR: (">>", _SHIFT),
    Op.BVASHR: (">>", _SHIFT),
    Op.FP_ADD: ("+", _SUM),
    Op.FP_SUB: ("-", _SUM),
    Op.FP_MUL: ("*", _PRODUCT),
    Op.FP_DIV: ("/", _PRODUCT),
}

_RELATIONS = (Op.EQ, Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.FP_EQ, Op.FP_LT, Op.FP_LE)

_PRINT: dict[Op, Callable[..., _Piece]] = {
    Op.NOT: _Printer._not,
    Op.AND: _Printer._connective,
    Op.OR: _Printer._connective,
    Op.ITE: _Printer._choice,
    **dict.fromkeys(_RELATIONS, _Printer._relation),
    **dict.fromkeys((Op.BVADD, Op.BVSUB, Op.BVMUL), _Printer._arithmetic),
    **dict.fromkeys((Op.BVAND, Op.BVOR, Op.BVXOR), _Printer._bitwise),
    **dict.fromkeys((Op.BVUDIV, Op.BVSDIV, Op.BVUREM, Op.BVSREM), _Printer._division),
    **dict.fromkeys((Op.BVSHL, Op.BVLSHR, Op.BVASHR), _Printer._shift),
    **dict.fromkeys((Op.BVNOT, Op.BVNEG, Op.FP_NEG), _Printer._prefix),
    **dict.fromkeys((Op.SADDO, Op.SSUBO, Op.SMULO), _Printer._overflow),
    **dict.fromkeys((Op.ZERO_EXTEND, Op.SIGN_EXTEND), _Printer._extend),
    Op.CONCAT: _Printer._concat,
    Op.EXTRACT: _Printer._extract,
    Op.SELECT: _Printer._select,
    Op.STORE: _Printer._store,
    **dict.fromkeys((Op.FP_ADD, Op.FP_SUB, Op.FP_MUL, Op.FP_DIV), _Printer._float_infix),
    **dict.fromkeys((Op.FP_TO_FP, Op.SBV_TO_FP, Op.UBV_TO_FP), _Printer._to_float),
    **dict.fromkeys((Op.FP_TO_SBV, Op.FP_TO_UBV), _Printer._from_float),
    **dict.fromkeys((Op.FP_FROM_BITS, Op.FP_TO_BITS), _Printer._float_bits),
}
