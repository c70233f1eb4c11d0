"""What functions of output and input have to do with their streams (``models/stream_contents.c``).

Most programs only print, and never ask about the standard streams: then these have no state at all.
"""

from sley.frontend.c_types import INT
from sley.frontend.calls import Calls
from sley.frontend.clang_library import CursorKind
from sley.frontend.program_objects import STREAMS
from sley.frontend.syntax import DeclarationKind, SyntaxNode
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, width_of
from sley.logic.terms import Term
from sley.program.instructions import Cause

Given = tuple[SyntaxNode, Term] | None
"""The stream that a call is given; None: the standard output."""
_WATCHERS = r"ferror|ferror_unlocked|fclose|fcloseall|freopen|flockfile|ftrylockfile|\w+_unlocked"
"""Functions for which it matters what was done to a stream before."""


def is_watched(calls: Calls) -> bool:
    """Whether the program can tell what writing does to the standard streams."""
    library = calls.objects.library
    return library.uses_error_number or library.mentions(_WATCHERS)


def is_no_matter(calls: Calls, argument: SyntaxNode) -> bool:
    """Whether an argument is a standard stream whose state cannot be observed."""
    return not is_watched(calls) and _is_named(argument)


def writes(calls: Calls, node: SyntaxNode, stream: Given) -> Term:
    """Whether something can be written to a stream, which must be open."""
    if not is_watched(calls) and _is_standard(stream):
        return calls.emitter.havoc(BOOL, Cause.INPUT, f"{node.name} succeeds")
    uses_unlocked(calls, node, stream)
    if stream is None:
        return calls.model("sley_prints", [])
    return calls.model("sley_writes_to", [stream[1]])


def uses_unlocked(calls: Calls, node: SyntaxNode, stream: Given) -> None:
    """Functions that do not lock the stream race."""
    if node.name.endswith("_unlocked"):
        address = calls.model("sley_output", []) if stream is None else stream[1]
        calls.model("sley_uses_unlocked", [address])


def flushes(calls: Calls, node: SyntaxNode, stream: Given) -> Term:
    """Whether a stream, or all of them, can be written out."""
    if not is_watched(calls) and _is_standard(stream):
        return calls.emitter.havoc(BOOL, Cause.INPUT, f"{node.name} succeeds")
    if stream is not None:
        uses_unlocked(calls, node, stream)
    address = calls.terms.bv(0, calls.objects.pointers.width) if stream is None else stream[1]
    return calls.model("sley_flushes", [address])


def sets_buffer(calls: Calls, stream: Given) -> None:
    """How a stream is buffered is left open, but it must be open."""
    if is_watched(calls) or not _is_standard(stream):
        assert stream is not None
        calls.model("sley_sets_buffer", [stream[1]])


def cause_of_input(calls: Calls) -> Cause:
    """What comes is any input, unless it may begin with what was pushed back."""
    return Cause.UNMODELLED if calls.objects.library.mentions("ungetc") else Cause.INPUT


def _is_standard(stream: Given) -> bool:
    """Whether this is one of the standard streams by its name."""
    return stream is None or _is_named(stream[0])


def _is_named(argument: SyntaxNode) -> bool:
    named = argument.uncast()
    is_variable = named.kind == CursorKind.REFERENCE and named.declaration.kind is DeclarationKind.GLOBAL
    return is_variable and named.name in STREAMS


def not_negative(calls: Calls, node: SyntaxNode, cause: Cause) -> Term:
    """Any number that is not negative."""
    width = width_of(INT.sort)
    largest = calls.terms.bv((1 << (width - 1)) - 1, width)
    return calls.terms.apply(Op.BVAND, calls.emitter.havoc(INT.sort, cause, node.name), largest)


def negative(calls: Calls, node: SyntaxNode) -> Term:
    """Any number that is negative."""
    width = width_of(INT.sort)
    lowest = calls.terms.bv(1 << (width - 1), width)
    return calls.terms.apply(Op.BVOR, calls.emitter.havoc(INT.sort, Cause.INPUT, node.name), lowest)
