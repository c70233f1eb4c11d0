"""``scanf``, ``fscanf`` and ``sscanf`` with a format that is a literal.

Some of the conversions succeed, then one fails or none is left. What each stores is anything that it
could have read: no white space for ``%s``, characters of the set for ``%[``, at most 999 for ``%3d``.
What is too large for its object is undefined (C11 7.21.6.2p10), but every program that reads a number
risks it: it counts as any number. ``sscanf`` of a text that is known is left to the model in C, which
reads it; of another text the results are unknown. Arguments that do not fit are a misuse once something
is stored there.
"""

from collections.abc import Iterator

from sley.frontend.builtins import streams
from sley.frontend.builtins.formats import Conversion, Piece, Use, scanned, uses
from sley.frontend.builtins.output import misuse
from sley.frontend.builtins.scanned_texts import BASES, FLOAT_SIZES, FLOATING, INT_WIDTH, SIZES, KnownText
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import FloatType, IntegerType, PointerType
from sley.frontend.calls import Calls, Handler
from sley.frontend.clang_library import CursorKind
from sley.frontend.strings import format_text
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term
from sley.program import instructions as ir

_SIGNED = "di"


def _scan(name: str, position: int) -> Handler:
    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        literal = arguments[position].uncast()
        if literal.kind != CursorKind.STRING:
            return calls.of_model(node, arguments)
        pieces = scanned(format_text(literal))
        found = None if pieces is None else uses(pieces)
        given = arguments[position + 1 :]
        wrong = next(_wrong(calls, found or [], given), None)
        if wrong is not None:
            calls.values(arguments)
            misuse(calls, wrong)
            return calls.emitter.havoc(bitvec(INT_WIDTH), ir.Cause.INPUT, name)
        if found is None or not all(map(_is_modelled, found)):
            return calls.unmodelled(node, name, arguments)
        assert pieces is not None
        values = calls.values(arguments)
        scan = _Scan(calls, name, values[position], list(zip(given, values[position + 1 :], strict=True)))
        with calls.emitter.writing_out():
            count = scan.text(node, pieces, values[0]) if name == "sscanf" else None
            if count is None:
                stream = values[0] if position else calls.terms.bv(-1, calls.objects.pointers.width)
                count = scan.stream(found, stream)
        result = IntegerType(INT_WIDTH, is_signed=True)
        return calls.expressions.convert(count, result, calls.expressions.value_type(node))

    return handler


def _wrong(calls: Calls, found: list[Use], given: list[SyntaxNode]) -> Iterator[str]:
    """What is wrong with the arguments whatever is read."""
    for use in found:
        if use.value is None:
            continue
        if use.value >= len(given):
            yield "a format asks for more arguments than there are"
        elif not isinstance(calls.expressions.value_type(given[use.value]), PointerType):
            letters = use.conversion.length + use.conversion.letter
            yield f"`%{letters}` in a format does not fit `{c_text(given[use.value])}`"


def _is_modelled(use: Use) -> bool:
    """Whether we know what a conversion does."""
    conversion = use.conversion
    if conversion.letter in FLOATING:
        return conversion.length in FLOAT_SIZES
    if conversion.letter == "n" and conversion.flags:
        return False
    if conversion.letter in (*BASES, "n"):
        return conversion.length in SIZES
    return conversion.letter in "sc[%" and not conversion.length and not conversion.position


class _Scan(KnownText):
    """One call: what it stores, and where."""

    def stream(self, found: list[Use], stream: Term) -> Term:
        """The count of what is read from a stream; if nothing is, its end or an error is why."""
        emitter, terms = self._emitter, self._terms
        self._cause = streams.cause_of_input(self._calls)
        is_open = self._calls.model("sley_read_from", [stream])
        begins = emitter.saved(terms.and_(is_open, self._havoc(BOOL)))
        count = emitter.temporary(bitvec(INT_WIDTH))
        found_some, ended, done = emitter.location(), emitter.location(), emitter.location()
        emitter.branch(begins, found_some, ended)
        emitter.move(ended)
        self._calls.model("sley_end_of_stream", [stream])
        emitter.assign(count, terms.bv(-1, INT_WIDTH))
        emitter.jump(done)
        emitter.move(found_some)
        emitter.assign(count, terms.bv(0, INT_WIDTH))
        self._store_all(found, count, done)
        emitter.move(done)
        return count.term

    def text(self, node: SyntaxNode, pieces: list[Piece], text: Term) -> Term:
        """The count of what is read from a text, exactly if that is known."""
        emitter, terms = self._emitter, self._terms
        self._most = self._calls.model("strlen", [text])
        self._cause = ir.Cause.UNMODELLED
        result, is_known = emitter.temporary(bitvec(INT_WIDTH)), emitter.temporary(BOOL)
        emitter.emit(ir.Havoc(is_known, ir.Cause.KNOWN_TEXT, about=text))
        exactly, otherwise, done = emitter.location(), emitter.location(), emitter.location()
        emitter.branch(terms.and_(is_known.term, terms.not_(self._is_outside(text))), exactly, otherwise)
        emitter.move(exactly)
        self.read(node, pieces, text, result, done)
        emitter.move(otherwise)
        emitter.assign(result, terms.ite(self._havoc(BOOL), terms.bv(0, INT_WIDTH), terms.bv(-1, INT_WIDTH)))
        self._store_all(uses(pieces), result, done)
        emitter.move(done)
        return result.term

    def _is_outside(self, text: Term) -> Term:
        objects = self._calls.objects
        found = [i for start in objects.strings for i in objects.inside(text, start)]
        return self._terms.or_(objects.in_modelled_argument(text), *found)

    def _store_all(self, found: list[Use], count: ir.Register, done: int) -> None:
        """Store what the conversions read until one fails, count them, and go on at ``done``."""
        emitter, number = self._emitter, 0
        for use in found:
            if use.conversion.letter != "n":
                succeeded = emitter.location()
                emitter.branch(self._havoc(BOOL), succeeded, done)
                emitter.move(succeeded)
            if use.value is None:
                continue
            self._store(use.conversion, *self._given[use.value])
            if use.conversion.letter != "n":
                number += 1
                emitter.assign(count, self._terms.bv(number, INT_WIDTH))
        emitter.jump(done)

    # --- anything ---------------------------------------------------------------------------------

    def _store(self, conversion: Conversion, argument: SyntaxNode, target: Term) -> None:
        """What the conversion stores; then the type of the object matters, too."""
        terms, letter = self._terms, conversion.letter
        if letter in "s[":
            most = terms.bv(int(conversion.width), self._width) if conversion.width else self._most
            members = self._members(conversion)
            is_input = terms.boolean(self._cause is ir.Cause.INPUT)
            self._calls.model("sley_scan_word", [target, most, members, is_input])
        elif letter == "c":
            for number in range(int(conversion.width or 1)):
                address = terms.add(target, terms.bv(number, self._width))
                self._put(self._havoc(bitvec(8)), address, argument)
        else:
            self._put(self._number(conversion), target, argument)
        self._require_type(conversion, argument)

    def _number(self, conversion: Conversion) -> Term:
        if conversion.letter in FLOATING:
            return self._havoc(FloatType(FLOAT_SIZES[conversion.length]).sort)
        value = self._havoc(bitvec(8 * self._size(conversion)))
        if conversion.letter == "n":
            self._assume(self._terms.sle(self._terms.bv(0, self._terms.width(value)), value))
        elif conversion.width:
            self._assume(self._is_readable(conversion, value))
        return value

    def _assume(self, condition: Term) -> None:
        self._emitter.emit(ir.Assume(condition))

    def _is_readable(self, conversion: Conversion, value: Term) -> Term:
        """Whether so few characters can be this number."""
        terms, width = self._terms, self._terms.width(value)
        most, least = _largest(conversion, 0), -_largest(conversion, 1)
        if conversion.letter in _SIGNED:
            half = 1 << (width - 1)
            return terms.and_(
                terms.sle(terms.bv(max(least, -half), width), value),
                terms.sle(value, terms.bv(min(most, half - 1), width)),
            )
        if most >= 1 << width:
            return terms.true
        is_small = terms.ule(value, terms.bv(most, width))
        return terms.or_(
            is_small, terms.and_(terms.boolean(least < 0), terms.ule(terms.bv(least, width), value))
        )


def _largest(conversion: Conversion, signs: int) -> int:
    """The largest number with so many characters, of which some are signs."""
    places = max(int(conversion.width) - signs, 0)
    base = BASES[conversion.letter]
    if base:
        return int(base**places) - 1
    return max(int(10**places), int(16 ** max(places - 2, 0))) - 1


HANDLERS: dict[str, Handler] = {
    f"{prefix}{name}": shaped(name, "p" * (position + 1), _scan(name, position))
    for name, position in (("scanf", 0), ("fscanf", 1), ("sscanf", 1))
    for prefix in ("", "__isoc99_", "__isoc23_")
}
