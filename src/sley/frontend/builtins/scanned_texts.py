"""What ``sscanf`` reads in a text that is known: a call of the models for each piece of its format.

Also where the results go, whoever reads them.
"""

import re
from collections.abc import Iterator

from sley.frontend.builtins.formats import Conversion, Piece, Use, uses
from sley.frontend.builtins.output import misuse
from sley.frontend.c_types import CType, FloatType, IntegerType, PointerType, VoidType, unatomic
from sley.frontend.calls import Calls
from sley.frontend.places import MemoryPlace
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.sorts import BOOL, Sort, bitvec
from sley.logic.terms import Term
from sley.program import instructions as ir

BASES = {"d": 10, "u": 10, "o": 8, "x": 16, "X": 16, "i": 0}
FLOATING = "fFeEgGaA"
SIZES = {"": 4, "h": 2, "hh": 1, "l": 0, "z": 0, "j": 8, "ll": 8, "t": 0}
"""Bytes of an integer by its length modifier; 0: as many as a pointer has."""
FLOAT_SIZES = {"": 4, "l": 8}
INT_WIDTH = 32
_WHITE = " \t\n\v\f\r"


class KnownText:
    """One call with a text that is known."""

    def __init__(
        self, calls: Calls, name: str, format_at: Term, given: list[tuple[SyntaxNode, Term]]
    ) -> None:
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

    def read(self, node: SyntaxNode, pieces: list[Piece], text: Term, result: ir.Register, done: int) -> None:
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
            emitter.assign(result, terms.bv(number, INT_WIDTH) if number else missing)
            emitter.jump(done)
            emitter.move(fits)
            if use is not None and use.value is not None:
                self._keep(use, *self._given[use.value])
                number += 1
            has_suppressed = has_suppressed or (use is not None and "*" in use.conversion.flags)
            emitter.assign(at, behind)
        emitter.assign(result, terms.bv(number, INT_WIDTH))
        emitter.jump(done)

    def _missing(self, at: Term, *, skips_white: bool, has_suppressed: bool) -> Term:
        """0 or EOF. Whether a conversion without a result counts as the first, libraries do not agree."""
        terms = self._terms
        found = self._calls.model("sley_scan_missing", [at, terms.boolean(skips_white)])
        if not has_suppressed:
            return found
        counts = self._emitter.havoc(BOOL, ir.Cause.INPUT, self._name)
        return terms.ite(counts, terms.bv(0, INT_WIDTH), found)

    def _behind(self, node: SyntaxNode, piece: Piece, use: Use | None, at: Term) -> Term:
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
        if letter in FLOATING:
            is_double = terms.boolean(conversion.length == "l")
            self._found = self._place(node, FloatType(FLOAT_SIZES[conversion.length]))
            places = [self._found.address, terms.bv(0, self._width)]
            given = places if conversion.length == "l" else reversed(places)
            return model("sley_scan_floating", [at, width, is_double, *given])
        self._found = self._place(node, IntegerType(64, is_signed=True))
        size = terms.bv(self._size(conversion), 32)
        given = [at, width, terms.bv(ord(letter), 8), size, is_suppressed, self._found.address]
        return model("sley_scan_integer", given)

    def _place(self, node: SyntaxNode, ctype: CType) -> MemoryPlace:
        return self._calls.expressions.aggregates.temporary(ctype, node)

    def _keep(self, use: Use, argument: SyntaxNode, target: Term) -> None:
        """Store the number that was found; words are where they belong."""
        conversion = use.conversion
        if conversion.letter in (*BASES, *FLOATING):
            assert self._found is not None
            value = self._calls.expressions.memory.read(self._found)
            if conversion.letter in BASES:
                value = self._terms.resize(value, 8 * self._size(conversion), signed=True)
            self._put(value, target, argument)
        self._require_type(conversion, argument)

    def _store_count(self, use: Use, count: Term) -> None:
        assert use.value is not None
        argument, target = self._given[use.value]
        self._put(self._terms.resize(count, 8 * self._size(use.conversion), signed=True), target, argument)
        self._require_type(use.conversion, argument)

    # --- where results go -------------------------------------------------------------------------

    def _havoc(self, sort: Sort) -> Term:
        return self._emitter.havoc(sort, self._cause, self._name)

    def _members(self, conversion: Conversion) -> Term:
        """Where the characters of a set stand in the format; null for `%s`."""
        if conversion.letter == "s":
            return self._terms.bv(0, self._width)
        return self._terms.add(self._format_at, self._terms.bv(conversion.letter_at + 1, self._width))

    def _require_type(self, conversion: Conversion, argument: SyntaxNode) -> None:
        if not self._fits(conversion, argument):
            letters = conversion.length + ("[...]" if conversion.letter == "[" else conversion.letter)
            misuse(self._calls, f"`%{letters}` in a format does not fit `{c_text(argument)}`")

    def _put(self, value: Term, address: Term, argument: SyntaxNode) -> None:
        access = ir.Access(address, self._terms.sort(value), text=f"*{c_text(argument)}")
        self._emitter.store(access, value)

    def _size(self, conversion: Conversion) -> int:
        return SIZES[conversion.length] or self._width // 8

    def _fits(self, conversion: Conversion, argument: SyntaxNode) -> bool:
        """Whether the object has the type that the conversion stores (C11 7.21.6.2p10)."""
        ctype = self._calls.expressions.value_type(argument)
        assert isinstance(ctype, PointerType)
        pointee = unatomic(ctype.pointee)
        if isinstance(pointee, VoidType):
            return True
        if conversion.letter in FLOATING:
            return isinstance(pointee, FloatType) and pointee.size == FLOAT_SIZES[conversion.length]
        size = 1 if conversion.letter in "sc[" else self._size(conversion)
        return isinstance(pointee, IntegerType) and pointee.size == size


def _pieces(pieces: list[Piece]) -> Iterator[Piece]:
    """The conversions, and between them single characters, or white space, which stands for any."""
    for piece in pieces:
        if isinstance(piece, str):
            for run in re.findall(f"[{_WHITE}]+|[^{_WHITE}]", piece):
                yield " " if run[0] in _WHITE else run
        else:
            yield piece
