"""Output: what is printed does not matter, only what is read for it.

The result of printing is not known: it may fail, and characters are not counted. A format that is a literal
is read here: its strings are read, and arguments that do not fit it are a misuse (C11 7.21.6.1p9). Any other
format, and ``%n``, is left to the model in C, which interprets it. ``builtins.writing`` has what ``snprintf``
and ``sprintf`` write.
"""

from collections.abc import Iterator

from sley.frontend.builtins import streams
from sley.frontend.builtins.formats import Conversion, Piece, Use, printed, uses
from sley.frontend.builtins.shapes import shaped
from sley.frontend.builtins.streams import Given
from sley.frontend.c_types import INT, CType, FloatType, IntegerType, PointerType, VoidType, unatomic
from sley.frontend.calls import Calls, Handler
from sley.frontend.clang_library import CursorKind
from sley.frontend.strings import format_text
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.sorts import BOOL, width_of
from sley.logic.terms import Term
from sley.program.instructions import Cause
from sley.program.properties import Failure, Property

_FORMATS = {"printf": 0, "fprintf": 1, "dprintf": 1, "syslog": 1}
"""Where the format stands."""
_TEXTS = {"puts": "p", "fputs": "pp"}
"""The text is the first argument, the stream the second."""
_CHARACTERS = {"putchar": "i", "putc": "ip", "fputc": "ip"}
"""The same of the character."""
_SETTINGS = ("setbuf", "setvbuf", "setlinebuf")
_PRINTING = {"printf": "", "fprintf": "p"}
"""Functions with formats that write to a stream."""
_MESSAGES = frozenset({"strerror", "strsignal"})
"""Functions whose results are texts of the library, which are there to be printed."""
BASES = {"d": 10, "i": 10, "u": 10, "x": 16, "X": 16, "o": 8}
FLOATING = "fFeEgGaA"
_SIZES = {"": 4, "h": 4, "hh": 4, "l": 0, "z": 0, "j": 8, "ll": 8, "t": 0}
"""Bytes of an integer argument by its length modifier; 0: as many as a pointer has."""
_DOUBLE = 8
_COUNT_SIZES = {**_SIZES, "h": 2, "hh": 1}
"""Bytes of what ``%n`` stores."""


def format_pieces(argument: SyntaxNode) -> list[Piece] | None:
    """The pieces of a format that is a literal."""
    literal = argument.uncast()
    return printed(format_text(literal)) if literal.kind == CursorKind.STRING else None


def argument_values(calls: Calls, arguments: list[SyntaxNode]) -> list[Term]:
    """The arguments of a call that goes through its list of arguments, if it is given one."""
    values = calls.values(arguments)
    for argument in arguments:
        calls.expressions.arguments.hand_over(argument)
    return values


def _printed_values(calls: Calls, arguments: list[SyntaxNode]) -> list[Term]:
    """The same, without the messages of the library that go nowhere else."""
    values = []
    for number, argument in enumerate(arguments):
        if streams.is_no_matter(calls, argument):
            values.append(calls.terms.bv(0, calls.objects.pointers.width))
        elif _is_message(calls, argument):
            for inner in argument.uncast().children[1:]:
                calls.expressions.value(inner)
            values.append(calls.terms.bv(0, calls.objects.pointers.width))
        else:
            value = calls.expressions.value(argument)
            values.append(calls.expressions.stable(value, *arguments[number + 1 :]))
    return values


def _is_message(calls: Calls, argument: SyntaxNode) -> bool:
    inner = argument.uncast()
    if inner.kind != CursorKind.CALL or inner.name not in _MESSAGES:
        return False
    callee = inner.children[0].inner()
    return callee.kind == CursorKind.REFERENCE and not calls.objects.library.is_user_function(
        callee.declaration
    )


def _given(arguments: list[SyntaxNode], values: list[Term], position: int) -> Given:
    """The stream of a call."""
    return (arguments[position], values[position]) if position < len(arguments) else None


def _result(calls: Calls, node: SyntaxNode) -> Term:
    ctype = calls.expressions.value_type(node)
    if isinstance(ctype, VoidType):
        return calls.terms.true
    return calls.emitter.havoc(calls.expressions.sort(ctype), Cause.UNMODELLED, node.name)


# --- printing -------------------------------------------------------------------------------------


def _print(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    argument_values(calls, arguments)
    return _result(calls, node)


def _print_character(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """The character that was written, as an unsigned one, or EOF (C11 7.21.7.3p3)."""
    terms, width = calls.terms, width_of(INT.sort)
    values = _printed_values(calls, arguments)
    written = terms.zero_extend(terms.extract(values[0], 7, 0), width - 8)
    succeeds = streams.writes(calls, node, _given(arguments, values, 1))
    return terms.ite(succeeds, written, terms.bv(-1, width))


def _print_text(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Any number that is not negative, or EOF (C11 7.21.7.4p3)."""
    terms, width = calls.terms, width_of(INT.sort)
    values = _printed_values(calls, arguments)
    _read(calls, arguments[0], values[0])
    succeeds = streams.writes(calls, node, _given(arguments, values, 1))
    return terms.ite(succeeds, streams.not_negative(calls, node, Cause.INPUT), terms.bv(-1, width))


def _flush(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """0, or EOF; without a stream all are written out."""
    terms, width = calls.terms, width_of(INT.sort)
    values = _printed_values(calls, arguments)
    succeeds = streams.flushes(calls, node, _given(arguments, values, 0))
    return terms.ite(succeeds, terms.bv(0, width), terms.bv(-1, width))


def _set(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """How a stream is buffered makes no difference; ``setvbuf`` may fail."""
    values = _printed_values(calls, arguments)
    streams.sets_buffer(calls, _given(arguments, values, 0))
    if isinstance(calls.expressions.value_type(node), VoidType):
        return calls.terms.true
    return calls.emitter.havoc(INT.sort, Cause.INPUT, node.text)


def _print_message(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """``perror``, which needs no text."""
    is_literal = arguments[0].uncast().kind == CursorKind.STRING
    if is_literal and not streams.is_watched(calls):
        return calls.terms.true
    return calls.of_model(node, arguments)


def _print_format(name: str, position: int) -> Handler:
    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        if len(arguments) <= position:
            return _print(calls, node, arguments)
        pieces = format_pieces(arguments[position])
        if pieces is None or not all(_is_read_here(use.conversion) for use in uses(pieces)):
            return calls.of_model(node, arguments)
        all_values = _printed_values(calls, arguments)
        values = all_values[position + 1 :]
        given = list(zip(arguments[position + 1 :], values, strict=True))
        for misfit in misfits(calls, pieces, arguments[position + 1 :]):
            misuse(calls, misfit)
        with calls.emitter.writing_out():
            for use in uses(pieces):
                if use.conversion.letter == "s" and use.value is not None and use.value < len(given):
                    _read(calls, *given[use.value], most=_precision(calls, use, given))
        if name == "syslog":
            calls.model("sley_touches_errno", [])
            return _result(calls, node)
        if name not in _PRINTING:
            return _count_of_printed(calls, node, pieces, calls.model("sley_writes_to_descriptor", []))
        stream = _given(arguments, all_values, 0) if position else None
        return _count_of_printed(calls, node, pieces, streams.writes(calls, node, stream))

    return handler


def _count_of_printed(calls: Calls, node: SyntaxNode, pieces: list[Piece], succeeds: Term) -> Term:
    """How many characters were written; a negative number if that failed (C11 7.21.6.1p14)."""
    emitter, negative = calls.emitter, streams.negative(calls, node)
    if all(isinstance(piece, str) or (piece.letter in "c%" and not piece.width) for piece in pieces):
        length = sum(len(piece) if isinstance(piece, str) else 1 for piece in pieces)
        return calls.terms.ite(succeeds, calls.terms.bv(length, width_of(INT.sort)), negative)
    count = emitter.temporary(INT.sort)
    emitter.assign(count, negative)
    with emitter.when(succeeds):
        emitter.assign(count, streams.not_negative(calls, node, Cause.UNMODELLED))
    return count.term


def _is_read_here(conversion: Conversion) -> bool:
    is_known = conversion.letter in (*BASES, *FLOATING, "c", "s", "p", "m", "%")
    return is_known and not (conversion.letter in "cs" and conversion.length)


def _precision(calls: Calls, use: Use, given: list[tuple[SyntaxNode, Term]]) -> Term | None:
    """How much of a string is read at most; a negative precision is none."""
    terms, width = calls.terms, calls.objects.pointers.width
    if use.precision is not None:
        if use.precision >= len(given):
            return None
        asked = terms.resize(given[use.precision][1], width, signed=True)
        return terms.ite(terms.slt(asked, terms.bv(0, width)), terms.bv(-1, width), asked)
    precision = use.conversion.precision
    return None if precision is None else terms.bv(int(precision or 0), width)


def _read(calls: Calls, argument: SyntaxNode, value: Term, most: Term | None = None) -> None:
    """A string is read to its end; literals and the library's own texts never change."""
    ctype = calls.expressions.value_type(argument)
    is_known = argument.uncast().kind == CursorKind.STRING or _is_message(calls, argument)
    if is_known or not isinstance(ctype, PointerType | IntegerType):
        return
    address = calls.terms.resize(value, calls.objects.pointers.width, signed=False)
    if most is None:
        calls.model("strlen", [address])
    else:
        calls.model("strnlen", [address, most])


# --- arguments that do not fit --------------------------------------------------------------------


def misfits(calls: Calls, pieces: list[Piece], arguments: list[SyntaxNode]) -> Iterator[str]:
    """What is wrong with the arguments of a format."""
    for use in uses(pieces):
        for number in (use.width, use.precision):
            if (
                number is not None
                and number < len(arguments)
                and not _is_integer(calls, arguments[number], 4)
            ):
                yield f"`*` in a format is for an `int`, not for `{c_text(arguments[number])}`"
        taken = [n for n in (use.width, use.precision, use.value) if n is not None]
        if any(number >= len(arguments) for number in taken):
            yield "a format asks for more arguments than there are"
            return
        if use.value is not None and not _fits(calls, use.conversion, arguments[use.value]):
            letters = f"%{use.conversion.length}{use.conversion.letter}"
            yield f"`{letters}` in a format does not fit `{c_text(arguments[use.value])}`"


def _fits(calls: Calls, conversion: Conversion, argument: SyntaxNode) -> bool:
    ctype = calls.expressions.value_type(argument)
    match conversion.letter:
        case "s":
            return isinstance(ctype, PointerType) and _is_byte(ctype.pointee)
        case "p":
            return isinstance(ctype, PointerType)
        case "n":
            size = count_size(calls, conversion)
            pointee = unatomic(ctype.pointee) if isinstance(ctype, PointerType) else VoidType()
            return isinstance(pointee, IntegerType) and pointee.size == size
        case letter if letter in FLOATING:
            is_long = conversion.length == "L"
            return isinstance(ctype, FloatType) and (ctype.size > _DOUBLE) == is_long
        case _:
            size = _SIZES.get(conversion.length, -1) or calls.objects.pointers.width // 8
            return _is_integer(calls, argument, 4 if conversion.letter == "c" else size)


def count_size(calls: Calls, conversion: Conversion) -> int:
    """Bytes of what ``%n`` stores."""
    return _COUNT_SIZES.get(conversion.length, -1) or calls.objects.pointers.width // 8


def _is_byte(ctype: CType) -> bool:
    plain = unatomic(ctype)
    return isinstance(plain, VoidType) or (isinstance(plain, IntegerType) and plain.size == 1)


def _is_integer(calls: Calls, argument: SyntaxNode, size: int) -> bool:
    ctype = calls.expressions.value_type(argument)
    return isinstance(ctype, IntegerType) and ctype.size == size


def misuse(calls: Calls, message: str) -> None:
    """A wrong use that may as well do nothing: the run goes on where misuse is not selected."""
    emitter = calls.emitter
    with emitter.when(emitter.havoc(BOOL, Cause.INPUT, "does it matter")):
        emitter.fail(Failure(Property.MISUSE, "format", message))


_HAVE_UNLOCKED = frozenset({"fflush", "fputc", "fputs", "fread", "fwrite", "putc", "putchar"})
"""In the C library of Linux."""


def spellings(name: str) -> tuple[str, ...]:
    """The names under which the same function is called."""
    unlocked = (f"{name}_unlocked",) if name in _HAVE_UNLOCKED else ()
    return name, *unlocked, f"__builtin_{name}"


HANDLERS: dict[str, Handler] = {
    **{
        s: shaped(name, _PRINTING.get(name, ""), _print_format(name, position))
        for name, position in _FORMATS.items()
        for s in spellings(name)
    },
    **{s: shaped(name, shape, _print_text) for name, shape in _TEXTS.items() for s in spellings(name)},
    "perror": shaped("perror", "p", _print_message),
    **{
        s: shaped(name, shape, _print_character)
        for name, shape in _CHARACTERS.items()
        for s in spellings(name)
    },
    **dict.fromkeys(spellings("fflush"), shaped("fflush", "p", _flush)),
    **{s: shaped(name, "p", _set) for name in _SETTINGS for s in spellings(name)},
}
