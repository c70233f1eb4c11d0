"""``snprintf`` and ``sprintf`` with a format that is a literal: a call of the models for each conversion.

What they write is exact for integers, characters, strings, and floating-point numbers that are known; of
other numbers the length is. Any other format is left to the model in C, which interprets it.
"""

from sley.frontend.builtins.formats import Conversion, Piece, Use, uses
from sley.frontend.builtins.output import (
    BASES,
    FLOATING,
    argument_values,
    count_size,
    format_pieces,
    misfits,
    misuse,
    spellings,
)
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import INT, FloatType
from sley.frontend.calls import Calls, Handler
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Access

_AT_ONCE = 8
"""So many characters of a format are put by one call."""
_NARROW = {"h": 16, "hh": 8}
_IS_LEFT, _HAS_ZEROS, _IS_ALTERNATE = 1, 2, 4
"""Flags of the model of floating-point numbers."""
_DOUBLE = 8


class _Writing:
    """One call."""

    def __init__(self, calls: Calls, target: Term, size: Term, given: list[tuple[SyntaxNode, Term]]) -> None:
        self._calls = calls
        self._terms = calls.terms
        self._width = calls.objects.pointers.width
        self._target = target
        self._size = size
        self._given = given
        self._at = calls.emitter.temporary(calls.terms.sort(size))
        calls.emitter.assign(self._at, calls.terms.bv(0, self._width))
        self._nearest = calls.terms.bv(-1, self._width)
        """How far behind the target the first text begins that is in the same object."""

    def run(self, pieces: list[Piece]) -> Term:
        """Write all; how long the text is, whether or not it fits."""
        following = iter(uses(pieces))
        for piece in pieces:
            if isinstance(piece, str):
                self._put_literal(piece.encode("latin-1"))
            else:
                self._convert(next(following))
        end = [self._target, self._size, self._at.term, self._nearest]
        return self._calls.model("sley_end_text", end)

    def _put(self, what: str, values: list[Term]) -> None:
        given = [self._target, self._size, self._at.term, *values]
        self._calls.emitter.assign(self._at, self._calls.model(f"sley_put_{what}", given))

    def _put_literal(self, text: bytes) -> None:
        for start in range(0, len(text), _AT_ONCE):
            part = text[start : start + _AT_ONCE]
            number = self._terms.bv(int.from_bytes(part, "little"), 8 * _AT_ONCE)
            self._put("literal", [number, self._terms.bv(len(part), self._width)])

    def _convert(self, use: Use) -> None:
        letter = use.conversion.letter
        if letter == "%":
            self._put_literal(b"%")
            return
        assert use.value is not None
        argument, value = self._given[use.value]
        if letter == "n":
            self._store_count(use.conversion, argument, value)
            return
        width, is_left = self._width_of(use)
        if letter == "s":
            self._note_text(value)
            self._put("text", [value, self._precision_of(use, -1), width, is_left])
        elif letter == "c":
            self._put("character", [self._terms.extract(value, 7, 0), width, is_left])
        elif letter == "p":
            self._put("address", [value, width, self._flags(use.conversion, is_left)])
        elif letter in FLOATING:
            self._put_floating(use, argument, value)
        else:
            self._put_integer(use, value)

    # --- width and precision ----------------------------------------------------------------------

    def _width_of(self, use: Use) -> tuple[Term, Term]:
        """The width, and whether the text is at its left: also if an argument for it is negative."""
        terms, is_left = self._terms, self._terms.boolean("-" in use.conversion.flags)
        if use.width is None:
            return terms.bv(int(use.conversion.width or 0), self._width), is_left
        asked = terms.resize(self._given[use.width][1], self._width, signed=True)
        is_negative = terms.slt(asked, terms.bv(0, self._width))
        return terms.ite(is_negative, terms.neg(asked), asked), terms.or_(is_left, is_negative)

    def _precision_of(self, use: Use, otherwise: int) -> Term:
        """The precision; a negative one is none."""
        terms = self._terms
        if use.precision is not None:
            asked = terms.resize(self._given[use.precision][1], self._width, signed=True)
            is_none = terms.slt(asked, terms.bv(0, self._width))
            return terms.ite(is_none, terms.bv(otherwise, self._width), asked)
        precision = use.conversion.precision
        return terms.bv(otherwise if precision is None else int(precision or 0), self._width)

    def _flags(self, conversion: Conversion, is_left: Term) -> Term:
        terms = self._terms
        flags = (_HAS_ZEROS if "0" in conversion.flags else 0) | (
            _IS_ALTERNATE if "#" in conversion.flags else 0
        )
        return terms.ite(is_left, terms.bv(flags | _IS_LEFT, 32), terms.bv(flags, 32))

    # --- conversions ------------------------------------------------------------------------------

    def _note_text(self, text: Term) -> None:
        terms = self._terms
        if self._calls.objects.share_object(self._target, text) != terms.false:
            distance = self._calls.model("sley_distance", [self._target, text])
            is_nearer = terms.ult(distance, self._nearest)
            self._nearest = self._calls.emitter.saved(terms.ite(is_nearer, distance, self._nearest))

    def _store_count(self, conversion: Conversion, argument: SyntaxNode, target: Term) -> None:
        sort = bitvec(8 * count_size(self._calls, conversion))
        access = Access(target, sort, text=f"*{c_text(argument)}")
        count = self._terms.resize(self._at.term, sort.width, signed=False)
        self._calls.emitter.store(access, count)

    def _put_floating(self, use: Use, argument: SyntaxNode, value: Term) -> None:
        terms, conversion = self._terms, use.conversion
        width, is_left = self._width_of(use)
        ctype = self._calls.expressions.value_type(argument)
        assert isinstance(ctype, FloatType)
        plus = terms.bv(ord(_plus(conversion) or "\0"), 8)
        letter = terms.bv(ord(conversion.letter), 8)
        precision = terms.resize(self._precision_of(use, -1), 32, signed=True)
        given = [value, letter, plus, self._flags(conversion, is_left), precision, width]
        self._put("double" if ctype.size == _DOUBLE else "long_double", given)

    def _put_integer(self, use: Use, value: Term) -> None:
        terms, conversion, letter = self._terms, use.conversion, use.conversion.letter
        width, is_left = self._width_of(use)
        is_signed = letter in "di"
        if conversion.length in _NARROW:
            value = terms.extract(value, _NARROW[conversion.length] - 1, 0)
        number = terms.resize(value, 64, signed=is_signed)
        zero = terms.bv(0, 64)
        is_negative = terms.slt(number, zero) if is_signed else terms.false
        magnitude = terms.ite(is_negative, terms.neg(number), number)
        plus = (_plus(conversion) if is_signed else "") or "\0"
        prefix = terms.ite(is_negative, terms.bv(ord("-"), 32), terms.bv(ord(plus), 32))
        least = self._precision_of(use, 1)
        if "#" in conversion.flags and letter in "xX":
            shown = terms.bv(ord("0") | ord(letter) << 8, 32)
            prefix = terms.ite(terms.eq(magnitude, zero), terms.bv(0, 32), shown)
        if "#" in conversion.flags and letter == "o":
            least = self._calls.model("sley_octal_places", [magnitude, least])
        base = terms.bv(BASES[letter], 32)
        ten = terms.bv(ord("A" if letter == "X" else "a"), 8)
        has_zeros = terms.and_(terms.boolean("0" in conversion.flags), self._has_no_precision(use))
        self._put("number", [magnitude, prefix, base, ten, width, is_left, has_zeros, least])

    def _has_no_precision(self, use: Use) -> Term:
        """Whether `0` counts."""
        if use.precision is None:
            return self._terms.boolean(use.conversion.precision is None)
        asked = self._given[use.precision][1]
        return self._terms.slt(asked, self._terms.bv(0, self._terms.width(asked)))


def _plus(conversion: Conversion) -> str:
    """What stands before a number that is not negative."""
    return "+" if "+" in conversion.flags else " " if " " in conversion.flags else ""


def _is_modelled(conversion: Conversion) -> bool:
    is_known = conversion.letter in (*BASES, *FLOATING, "c", "s", "p", "n", "%")
    is_wide = conversion.letter in "cs" and bool(conversion.length)
    return is_known and not is_wide and "'" not in conversion.flags


def _write(name: str, *, has_size: bool) -> Handler:
    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        position = 2 if has_size else 1
        pieces = format_pieces(arguments[position])
        if pieces is None:
            return calls.of_model(node, arguments)
        given = arguments[position + 1 :]
        found = list(misfits(calls, pieces, given))
        for misfit in found:
            misuse(calls, misfit)
        if found or not all(_is_modelled(use.conversion) for use in uses(pieces)):
            return calls.unmodelled(node, name, arguments)
        calls.objects.assumptions.setdefault(HAS_MEMORY)
        values = argument_values(calls, arguments)
        width = calls.objects.pointers.width
        size = calls.terms.resize(values[1], width, signed=False) if has_size else calls.terms.bv(-1, width)
        pairs = list(zip(given, values[position + 1 :], strict=True))
        with calls.emitter.writing_out():
            length = _Writing(calls, values[0], size, pairs).run(pieces)
        return calls.expressions.convert(length, INT, calls.expressions.value_type(node))

    return handler


HAS_MEMORY = "the library has memory for formats"
"""Else they fail with ENOMEM (POSIX fprintf)."""

HANDLERS: dict[str, Handler] = {
    **{s: shaped(s, "pip", _write("snprintf", has_size=True)) for s in spellings("snprintf")},
    **{s: shaped(s, "pp", _write("sprintf", has_size=False)) for s in spellings("sprintf")},
}
