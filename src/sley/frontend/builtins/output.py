"""Output: what is printed does not matter, but strings are read; ``snprintf`` and its kin write memory.

The result of printing is arbitrary: it may fail. What ``snprintf`` writes is exact, as far as the format is a
literal with conversions of integers, characters and strings; everything else is an unmodelled call.
"""

from typing import TYPE_CHECKING

from sley.frontend.builtins.formats import Conversion, Piece, printed
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import INT, IntegerType, PointerType, VoidType
from sley.frontend.clang_library import CursorKind
from sley.frontend.strings import string_text
from sley.frontend.syntax import Node
from sley.logic.terms import Term
from sley.program.instructions import Cause

if TYPE_CHECKING:
    from sley.frontend.builtins import Handler
    from sley.frontend.calls import Calls

_FORMATS = {"printf": 0, "fprintf": 1, "dprintf": 1, "syslog": 1}
"""Where the format stands."""
_TEXTS = ("puts", "fputs", "perror")
"""The text is the first argument."""
_OTHERS = ("vprintf", "vfprintf", "putchar", "putc", "fputc", "fflush", "setbuf", "setvbuf", "setlinebuf")
_MESSAGES = frozenset({"strerror", "strsignal", "gai_strerror", "ctime", "asctime"})
"""Functions whose results are texts of the library, which are there to be printed."""
_BASES = {"d": 10, "i": 10, "u": 10, "x": 16, "X": 16, "o": 8}


def format_pieces(argument: Node) -> list[Piece] | None:
    """The pieces of a format that is a literal."""
    literal = argument.inner()
    return printed(string_text(literal)) if literal.kind == CursorKind.STRING else None


def _values(calls: "Calls", arguments: list[Node]) -> list[Term]:
    values = []
    for number, argument in enumerate(arguments):
        value = calls.expressions.value(argument)
        values.append(calls.expressions.stable(value, *arguments[number + 1 :]))
        calls.expressions.arguments.hand_over(argument)
    return values


def _result(calls: "Calls", node: Node) -> Term:
    ctype = calls.expressions.value_type(node)
    if isinstance(ctype, VoidType):
        return calls.terms.true
    return calls.emitter.havoc(calls.expressions.sort(ctype), Cause.INPUT, node.text)


def _print(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    _values(calls, arguments)
    return _result(calls, node)


def _print_text(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
    values = _values(calls, arguments)
    _read(calls, arguments[0], values[0])
    return _result(calls, node)


def _print_format(position: int) -> "Handler":
    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        values = _values(calls, arguments)
        pieces = format_pieces(arguments[position]) if position < len(arguments) else None
        at = position + 1
        for piece in pieces or ():
            if isinstance(piece, Conversion):
                last = at + piece.arguments - 1
                if piece.letter == "s" and piece.precision is None and last < len(arguments):
                    _read(calls, arguments[last], values[last])
                at = last + 1
        return _result(calls, node)

    return handler


def _read(calls: "Calls", argument: Node, value: Term) -> None:
    """A string is read to its end; nobody can change a literal, or what the library itself says."""
    inner = argument.inner()
    is_message = inner.kind == CursorKind.CALL and inner.name in _MESSAGES
    is_pointer = isinstance(calls.expressions.value_type(argument), PointerType)
    if is_pointer and not is_message and inner.kind != CursorKind.STRING:
        calls.model("strlen", [value])


class _Writing:
    """One call of ``snprintf`` or ``sprintf`` with a format that is a literal."""

    def __init__(self, calls: "Calls", target: Term, size: Term) -> None:
        self._calls = calls
        self._terms = calls.terms
        self._width = calls.objects.pointers.width
        self._target = target
        self._size = size
        self._at = calls.emitter.temporary(calls.terms.sort(size))
        calls.emitter.assign(self._at, calls.terms.bv(0, self._width))

    def run(self, pieces: list[Piece], arguments: list[tuple[Node, Term]]) -> Term:
        """Write all; how long the text is, whether or not it fits."""
        following = iter(arguments)
        for piece in pieces:
            if isinstance(piece, str):
                for byte in piece.encode("utf-8", "replace"):
                    self._put("character", [self._terms.bv(byte, 8)])
            elif piece.letter == "%":
                self._put("character", [self._terms.bv(ord("%"), 8)])
            else:
                self._convert(piece, *next(following))
        return self._calls.model("sley_end_text", [self._target, self._size, self._at.term])

    def _put(self, what: str, values: list[Term]) -> None:
        given = [self._target, self._size, self._at.term, *values]
        self._calls.emitter.assign(self._at, self._calls.model(f"sley_put_{what}", given))

    def _convert(self, piece: Conversion, argument: Node, value: Term) -> None:
        terms = self._terms
        width = terms.bv(int(piece.width or 0), self._width)
        is_left = terms.boolean("-" in piece.flags)
        if piece.letter == "s":
            most = (1 << self._width) - 1 if piece.precision is None else int(piece.precision or 0)
            self._put("text", [value, terms.bv(most, self._width), width, is_left])
            return
        ctype = self._calls.expressions.value_type(argument)
        assert isinstance(ctype, IntegerType)
        if piece.letter == "c":
            self._put("character", [terms.extract(value, 7, 0)])
            return
        is_signed = piece.letter in "di"
        number = terms.resize(value, 64, signed=is_signed)
        is_negative = terms.slt(number, terms.bv(0, 64)) if is_signed else terms.false
        magnitude = terms.ite(is_negative, terms.neg(number), number)
        base = terms.bv(_BASES[piece.letter], 32)
        ten = terms.bv(ord("A" if piece.letter == "X" else "a"), 8)
        has_zeros = terms.boolean("0" in piece.flags)
        self._put("number", [magnitude, is_negative, base, ten, width, is_left, has_zeros])


_SIZES = {"": 4, "l": 0, "z": 0, "j": 8, "ll": 8, "t": 0}
"""Bytes of an integer by its length modifier; 0: as many as a pointer has."""


def _is_exact(calls: "Calls", pieces: list[Piece] | None, arguments: list[Node]) -> bool:
    """Whether we know what the format makes of the arguments."""
    if pieces is None:
        return False
    conversions = [p for p in pieces if isinstance(p, Conversion) and p.letter != "%"]
    if len(conversions) > len(arguments):
        return False
    return all(_is_known(calls, c, a) for c, a in zip(conversions, arguments, strict=False))


def _is_known(calls: "Calls", conversion: Conversion, argument: Node) -> bool:
    ctype = calls.expressions.value_type(argument)
    if conversion.width == "*" or conversion.precision == "*" or set(conversion.flags) & set("+ #"):
        return False
    if conversion.letter == "s":
        return not conversion.length and isinstance(ctype, PointerType)
    if conversion.precision is not None or not isinstance(ctype, IntegerType):
        return False
    if conversion.letter == "c":
        return not conversion.length and not conversion.width
    size = _SIZES.get(conversion.length)
    if size is None or conversion.letter not in _BASES:
        return False
    return ctype.size == (size or calls.objects.pointers.width // 8)


def _write(name: str, *, has_size: bool) -> "Handler":
    def handler(calls: "Calls", node: Node, arguments: list[Node]) -> Term:
        position = 2 if has_size else 1
        pieces = format_pieces(arguments[position])
        given = arguments[position + 1 :]
        if not _is_exact(calls, pieces, given):
            return calls.unmodelled(node, name, arguments)
        assert pieces is not None
        values = _values(calls, arguments)
        width = calls.objects.pointers.width
        size = calls.terms.resize(values[1], width, signed=False) if has_size else calls.terms.bv(-1, width)
        pairs = list(zip(given, values[position + 1 :], strict=True))
        length = _Writing(calls, values[0], size).run(pieces, pairs)
        return calls.expressions.convert(length, INT, calls.expressions.value_type(node))

    return handler


def _spellings(name: str) -> tuple[str, ...]:
    return name, f"{name}_unlocked", f"__builtin_{name}"


HANDLERS: "dict[str, Handler]" = {
    **{s: _print_format(position) for name, position in _FORMATS.items() for s in _spellings(name)},
    **{s: shaped(name, "p", _print_text) for name in _TEXTS for s in _spellings(name)},
    **{s: _print for name in _OTHERS for s in _spellings(name)},
    **{s: shaped(s, "pip", _write("snprintf", has_size=True)) for s in _spellings("snprintf")},
    **{s: shaped(s, "pp", _write("sprintf", has_size=False)) for s in _spellings("sprintf")},
}
