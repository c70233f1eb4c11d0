"""``scanf``, ``fscanf`` and ``sscanf`` with a format that is a literal.

Some of the conversions succeed, then one fails or none is left. What each stores is anything that it
could have read: no white space for ``%s``, characters of the set for ``%[``, at most 999 for ``%3d``.
What is too large for its object is undefined (C11 7.21.6.2p10), but every program that reads a number
risks it: it counts as any number. ``sscanf`` of a text that is known is left to the model in C, which
reads it; of another text the results are unknown. Arguments that do not fit are a misuse once something
is stored there.
"""

import re
from collections.abc import Iterator

from sley.frontend.builtins import streams
from sley.frontend.builtins.formats import Conversion, Piece, Use, scanned, uses
from sley.frontend.builtins.output import misuse
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import CType, FloatType, IntegerType, PointerType, VoidType, unatomic
from sley.frontend.calls import Calls, Handler
from sley.frontend.clang_library import CursorKind
from sley.frontend.places import MemoryPlace
from sley.frontend.strings import format_text
from sley.frontend.syntax import Node
from sley.frontend.writing import c_text
from sley.logic.sorts import BOOL, Sort, bitvec
from sley.logic.terms import Term
from sley.program import instructions as ir

_SIGNED = "di"
_BASES = {"d": 10, "u": 10, "o": 8, "x": 16, "X": 16, "i": 0}
_FLOATING = "fFeEgGaA"
_SIZES = {"": 4, "h": 2, "hh": 1, "l": 0, "z": 0, "j": 8, "ll": 8, "t": 0}
"""Bytes of an integer by its length modifier; 0: as many as a pointer has."""
_FLOAT_SIZES = {"": 4, "l": 8}
_INT = 32
_WHITE = " \t\n\v\f\r"


def _scan(name: str, position: int) -> Handler:
    def handler(calls: Calls, node: Node, arguments: list[Node]) -> Term:
        literal = arguments[position].uncast()
        if literal.kind != CursorKind.STRING:
            return calls.of_model(node, arguments)
        pieces = scanned(format_text(literal))
        found = None if pieces is None else uses(pieces)
        given = arguments[position + 1 :]
        if found is not None and any(use.value is not None and use.value >= len(given) for use in found):
            calls.values(arguments)
            misuse(calls, "a format asks for more arguments than there are")
            return calls.emitter.havoc(bitvec(_INT), ir.Cause.INPUT, name)
        if found is None or not all(_is_modelled(calls, use, given) for use in found):
            return calls.unmodelled(node, name, arguments)
        assert pieces is not None
        values = calls.values(arguments)
        scan = _Scan(calls, name, values[position], list(zip(given, values[position + 1 :], strict=True)))
        with calls.emitter.writing_out():
            count = scan.text(node, pieces, values[0]) if name == "sscanf" else None
            if count is None:
                stream = values[0] if position else calls.terms.bv(-1, calls.objects.pointers.width)
                count = scan.stream(found, stream)
        result = IntegerType(_INT, is_signed=True)
        return calls.expressions.convert(count, result, calls.expressions.value_type(node))

    return handler


def _is_modelled(calls: Calls, use: Use, given: list[Node]) -> bool:
    """Whether we know what a conversion does, and have a pointer to store something."""
    conversion = use.conversion
    if use.value is not None and not isinstance(calls.expressions.value_type(given[use.value]), PointerType):
        return False
    if conversion.letter in _FLOATING:
        return conversion.length in _FLOAT_SIZES
    if conversion.letter in (*_BASES, "n"):
        return conversion.length in _SIZES
    return conversion.letter in "sc[%" and not conversion.length and not conversion.position


class _Scan:
    """One call: what it stores, and where."""

    def __init__(self, calls: Calls, name: str, format_at: Term, given: list[tuple[Node, Term]]) -> None:
        self._calls = calls
        self._terms = calls.terms
        self._emitter = calls.emitter
        self._name = name
        self._width = calls.objects.pointers.width
        self._format_at = format_at
        self._given = given
        self._cause = ir.Cause.INPUT
        self._most = calls.terms.bv(-1, self._width)
        """How long a text is at most that has no width."""
        self._found: MemoryPlace | None = None
        """The number that was read last."""

    def stream(self, found: list[Use], stream: Term) -> Term:
        """The count of what is read from a stream; if nothing is, its end or an error is why."""
        emitter, terms = self._emitter, self._terms
        self._cause = streams.cause_of_input(self._calls)
        is_open = self._calls.model("sley_read_from", [stream])
        begins = emitter.saved(terms.and_(is_open, self._havoc(BOOL)))
        count = emitter.temporary(bitvec(_INT))
        emitter.assign(count, terms.bv(-1, _INT))
        with emitter.when(begins):
            emitter.assign(count, self._stored(found, terms.bv(0, _INT)))
        with emitter.when(terms.not_(begins)):
            self._calls.model("sley_end_of_stream", [stream])
        return count.term

    def text(self, node: Node, pieces: list[Piece], text: Term) -> Term:
        """The count of what is read from a text, exactly if that is known."""
        emitter, terms = self._emitter, self._terms
        self._most = self._calls.model("strlen", [text])
        self._cause = ir.Cause.UNMODELLED
        result, is_known = emitter.temporary(bitvec(_INT)), emitter.temporary(BOOL)
        emitter.emit(ir.Havoc(is_known, ir.Cause.KNOWN_TEXT, about=text))
        exactly, otherwise, done = emitter.location(), emitter.location(), emitter.location()
        emitter.branch(terms.and_(is_known.term, terms.not_(self._is_outside(text))), exactly, otherwise)
        emitter.move(exactly)
        self._read(node, pieces, text, result, done)
        emitter.move(otherwise)
        fails = terms.ite(self._havoc(BOOL), terms.bv(0, _INT), terms.bv(-1, _INT))
        emitter.assign(result, self._stored(uses(pieces), fails))
        emitter.jump(done)
        emitter.move(done)
        return result.term

    def _is_outside(self, text: Term) -> Term:
        objects = self._calls.objects
        return self._terms.or_(*[i for start in objects.strings for i in objects.inside(text, start)])

    def _stored(self, found: list[Use], nothing: Term) -> Term:
        """Store what the conversions read until one fails; how many there were, or what ``nothing`` says."""
        emitter, terms = self._emitter, self._terms
        count, done, number = emitter.temporary(bitvec(_INT)), emitter.location(), 0
        emitter.assign(count, nothing)
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
                emitter.assign(count, terms.bv(number, _INT))
        emitter.jump(done)
        emitter.move(done)
        return count.term

    # --- a known text -----------------------------------------------------------------------------

    def _read(self, node: Node, pieces: list[Piece], text: Term, result: ir.Register, done: int) -> None:
        """Read a text piece by piece, until one does not fit; then the count is known."""
        emitter, terms, following = self._emitter, self._terms, iter(uses(pieces))
        at = emitter.temporary(bitvec(self._width))
        emitter.assign(at, text)
        number, has_suppressed = 0, False
        for piece in _pieces(pieces):
            use = None if isinstance(piece, str) else next(following)
            if use is not None and use.conversion.letter == "n":
                offset = self._calls.objects.offset_of
                self._store_count(use, terms.sub(offset(at.term), offset(text)))
                continue
            behind = emitter.saved(self._behind(node, piece, use, at.term))
            fits, fails = emitter.location(), emitter.location()
            emitter.branch(terms.ne(behind, terms.bv(0, self._width)), fits, fails)
            emitter.move(fails)
            skips_white = use is not None and use.conversion.letter not in "c["
            missing = self._missing(at.term, skips_white=skips_white, has_suppressed=has_suppressed)
            emitter.assign(result, terms.bv(number, _INT) if number else missing)
            emitter.jump(done)
            emitter.move(fits)
            if use is not None and use.value is not None:
                self._keep(use, *self._given[use.value])
                number += 1
            has_suppressed = has_suppressed or (use is not None and "*" in use.conversion.flags)
            emitter.assign(at, behind)
        emitter.assign(result, terms.bv(number, _INT))
        emitter.jump(done)

    def _missing(self, at: Term, *, skips_white: bool, has_suppressed: bool) -> Term:
        """0 or EOF. Whether a conversion without a result counts as the first, libraries do not agree."""
        terms = self._terms
        found = self._calls.model("sley_scan_missing", [at, terms.boolean(skips_white)])
        if not has_suppressed:
            return found
        counts = self._emitter.havoc(BOOL, ir.Cause.INPUT, self._name)
        return terms.ite(counts, terms.bv(0, _INT), found)

    def _behind(self, node: Node, piece: Piece, use: Use | None, at: Term) -> Term:
        """Where a text goes on behind what fits a piece; null if nothing does."""
        terms, model = self._terms, self._calls.model
        if use is None:
            assert isinstance(piece, str)
            if piece in _WHITE:
                return model("sley_scan_white", [at])
            return model("sley_scan_literal", [at, terms.bv(ord(piece), 8)])
        conversion = use.conversion
        letter, is_suppressed = conversion.letter, terms.boolean("*" in conversion.flags)
        width = terms.bv(int(conversion.width or 0), self._width)
        target = terms.bv(0, self._width) if use.value is None else self._given[use.value][1]
        if letter == "%":
            return model("sley_scan_literal", [model("sley_scan_white", [at]), terms.bv(ord("%"), 8)])
        if letter == "c":
            count = terms.bv(int(conversion.width or 1), self._width)
            return model("sley_scan_characters", [at, count, is_suppressed, target])
        if letter in "s[":
            members = self._members(conversion)
            return model("sley_scan_known_word", [at, width, members, is_suppressed, target])
        if letter in _FLOATING:
            is_double = terms.boolean(conversion.length == "l")
            self._found = self._place(node, FloatType(_FLOAT_SIZES[conversion.length]))
            places = [self._found.address, terms.bv(0, self._width)]
            given = places if conversion.length == "l" else reversed(places)
            return model("sley_scan_floating", [at, width, is_double, *given])
        self._found = self._place(node, IntegerType(64, is_signed=True))
        size = terms.bv(self._size(conversion), 32)
        given = [at, width, terms.bv(ord(letter), 8), size, is_suppressed, self._found.address]
        return model("sley_scan_integer", given)

    def _place(self, node: Node, ctype: CType) -> MemoryPlace:
        return self._calls.expressions.aggregates.temporary(ctype, node)

    def _keep(self, use: Use, argument: Node, target: Term) -> None:
        """Store the number that was found; words are where they belong."""
        conversion = use.conversion
        if conversion.letter in (*_BASES, *_FLOATING):
            assert self._found is not None
            value = self._calls.expressions.memory.read(self._found)
            if conversion.letter in _BASES:
                value = self._terms.resize(value, 8 * self._size(conversion), signed=True)
            self._put(value, target, argument)
        self._require_type(conversion, argument)

    def _store_count(self, use: Use, count: Term) -> None:
        assert use.value is not None
        argument, target = self._given[use.value]
        self._put(self._terms.resize(count, 8 * self._size(use.conversion), signed=True), target, argument)
        self._require_type(use.conversion, argument)

    # --- anything ---------------------------------------------------------------------------------

    def _havoc(self, sort: Sort) -> Term:
        return self._emitter.havoc(sort, self._cause, self._name)

    # --- one conversion ---------------------------------------------------------------------------

    def _store(self, conversion: Conversion, argument: Node, target: Term) -> None:
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

    def _members(self, conversion: Conversion) -> Term:
        """Where the characters of a set stand in the format; null for `%s`."""
        if conversion.letter == "s":
            return self._terms.bv(0, self._width)
        return self._terms.add(self._format_at, self._terms.bv(conversion.letter_at + 1, self._width))

    def _require_type(self, conversion: Conversion, argument: Node) -> None:
        if not self._fits(conversion, argument):
            letters = conversion.length + ("[...]" if conversion.letter == "[" else conversion.letter)
            misuse(self._calls, f"`%{letters}` in a format does not fit `{c_text(argument)}`")

    def _put(self, value: Term, address: Term, argument: Node) -> None:
        access = ir.Access(address, self._terms.sort(value), text=f"*{c_text(argument)}")
        self._emitter.store(access, value)

    def _size(self, conversion: Conversion) -> int:
        return _SIZES[conversion.length] or self._width // 8

    def _fits(self, conversion: Conversion, argument: Node) -> bool:
        """Whether the object has the type that the conversion stores (C11 7.21.6.2p10)."""
        ctype = self._calls.expressions.value_type(argument)
        assert isinstance(ctype, PointerType)
        pointee = unatomic(ctype.pointee)
        if isinstance(pointee, VoidType):
            return True
        if conversion.letter in _FLOATING:
            return isinstance(pointee, FloatType) and pointee.size == _FLOAT_SIZES[conversion.length]
        size = 1 if conversion.letter in "sc[" else self._size(conversion)
        return isinstance(pointee, IntegerType) and pointee.size == size

    def _number(self, conversion: Conversion) -> Term:
        if conversion.letter in _FLOATING:
            return self._havoc(FloatType(_FLOAT_SIZES[conversion.length]).sort)
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


def _pieces(pieces: list[Piece]) -> Iterator[Piece]:
    """The conversions, and between them single characters, or white space, which stands for any."""
    for piece in pieces:
        if isinstance(piece, str):
            for run in re.findall(f"[{_WHITE}]+|[^{_WHITE}]", piece):
                yield " " if run[0] in _WHITE else run
        else:
            yield piece


def _largest(conversion: Conversion, signs: int) -> int:
    """The largest number with so many characters, of which some are signs."""
    places = max(int(conversion.width) - signs, 0)
    base = _BASES[conversion.letter]
    if base:
        return int(base**places) - 1
    return max(int(10**places), int(16 ** max(places - 2, 0))) - 1


HANDLERS: dict[str, Handler] = {
    f"{prefix}{name}": shaped(name, "p" * (position + 1), _scan(name, position))
    for name, position in (("scanf", 0), ("fscanf", 1), ("sscanf", 1))
    for prefix in ("", "__isoc99_", "__isoc23_")
}
