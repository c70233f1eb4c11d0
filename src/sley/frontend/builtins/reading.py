"""Raw input and output: what is read from outside is arbitrary, what is written is read from memory."""

from collections.abc import Callable
from dataclasses import replace

from sley.frontend.builtins import streams
from sley.frontend.builtins.cells import CellLoop
from sley.frontend.builtins.memory import block_layout
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import BYTE, INT, CType, IntegerType
from sley.frontend.calls import Calls, Handler
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term
from sley.program.instructions import Assume, Cause
from sley.program.memory import Cell

_OF_PIPES = {"read": "sley_reads_pipe", "write": "sley_writes_pipe"}
"""The models of what may be an end of a pipe."""
MOST_CELLS = 1_000
"""A transfer goes through the parts of a structure one by one; with more than so many it is given up on."""


# --- blocks of memory -----------------------------------------------------------------------------


def _element(calls: Calls, argument: SyntaxNode) -> CType:
    ctype = calls.pointee(argument)
    return ctype if ctype.size else BYTE


def _cells(calls: Calls, argument: SyntaxNode) -> CellLoop:
    layout = block_layout(_element(calls, argument), None)
    if len(layout.cells) > MOST_CELLS:
        raise argument.unsupported(f"a transfer of whole structures with so many parts: `{argument.text}`")
    return CellLoop(calls, layout)


def _fill(calls: Calls, name: str, argument: SyntaxNode, start: Term, count: Term) -> None:
    """So many bytes become arbitrary; of a scalar that is only read in part the rest is unknown."""
    emitter, text = calls.emitter, f"*{c_text(argument)}"
    cells = _cells(calls, argument)

    def store(cell: Cell, cause: Cause) -> None:
        emitter.store(cells.access(start, cell, text), emitter.havoc(cell.sort, cause, name))

    cells.run(count, lambda cell, _: store(cell, Cause.INPUT), lambda cell: store(cell, Cause.UNMODELLED))


def _read(calls: Calls, argument: SyntaxNode, start: Term, count: Term) -> None:
    """So many bytes are read."""
    cells = _cells(calls, argument)

    def load(cell: Cell) -> None:
        access = cells.access(start, cell, f"*{c_text(argument)}")
        calls.emitter.load(replace(access, is_copied=True))

    cells.run(count, lambda cell, _: load(cell), load)


def _arbitrary_count(calls: Calls, node: SyntaxNode, most: Term) -> Term:
    """An arbitrary number that is at most ``most``."""
    count = calls.emitter.havoc(calls.terms.sort(most), Cause.INPUT, node.text)
    calls.emitter.emit(Assume(calls.terms.ule(count, most)))
    return count


def _wanted(calls: Calls, values: list[Term]) -> tuple[Term, Term]:
    """The size of an element, and how many there are: none if they have no size (C11 7.21.8.1p3)."""
    terms, width = calls.terms, calls.objects.pointers.width
    size, most = (terms.resize(value, width, signed=False) for value in values)
    zero = terms.bv(0, width)
    return size, terms.ite(terms.eq(size, zero), zero, most)


def _elements_read(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """``fread``: fewer elements than asked for, perhaps and a part of one, at the end or after an error."""
    terms, width, emitter = calls.terms, calls.objects.pointers.width, calls.emitter
    start, *rest, stream = calls.values(arguments[:4])
    size, most = _wanted(calls, rest)
    with emitter.writing_out():
        streams.uses_unlocked(calls, node, (arguments[3], stream))
        is_open = calls.model("sley_begins_reading", [stream])
        cause = streams.cause_of_input(calls)
        count = terms.ite(is_open, emitter.havoc(bitvec(width), cause, node.text), terms.bv(0, width))
        count = emitter.saved(count)
        emitter.emit(Assume(terms.ule(count, most)))
        is_short = terms.ult(count, most)
        calls.model("sley_ends_reading", [stream, is_short])
        is_partial = terms.and_(is_open, is_short, emitter.havoc(BOOL, cause, node.text))
        touched = terms.add(count, terms.ite(is_partial, terms.bv(1, width), terms.bv(0, width)))
        _fill(calls, "fread", arguments[0], start, terms.mul(touched, size))
    return calls.expressions.convert(count, IntegerType(width, is_signed=False), _type(calls, node))


def _elements_written(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """``fwrite``: fewer elements than asked for only where it fails (C11 7.21.8.2p3)."""
    terms, width, emitter = calls.terms, calls.objects.pointers.width, calls.emitter
    start, *rest, stream = calls.values(arguments[:4])
    size, most = _wanted(calls, rest)
    with emitter.writing_out():
        _read(calls, arguments[0], start, terms.mul(most, size))
        succeeds = streams.writes(calls, node, (arguments[3], stream))
    count = _arbitrary_count(calls, node, most)
    is_all = terms.eq(count, most)
    emitter.emit(Assume(terms.or_(terms.eq(succeeds, is_all), terms.eq(most, terms.bv(0, width)))))
    return calls.expressions.convert(count, IntegerType(width, is_signed=False), _type(calls, node))


def _type(calls: Calls, node: SyntaxNode) -> CType:
    return calls.expressions.value_type(node)


def _bytes(name: str, *, writes_memory: bool) -> Handler:
    """``read`` and ``write``: a descriptor, a pointer, a number of bytes; -1 if it fails."""

    def handler(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        terms, width = calls.terms, calls.objects.pointers.width
        descriptor, start, most, *_ = calls.values(arguments)
        descriptor = calls.expressions.convert(descriptor, _type(calls, arguments[0]), INT)
        most = terms.resize(most, width, signed=False)

        def transfer() -> Term:
            with calls.emitter.writing_out():
                if not writes_memory:
                    _read(calls, arguments[1], start, most)
                result = calls.model("sley_transfers", [descriptor, most])
                if writes_memory:
                    has_failed = terms.eq(result, terms.bv(-1, width))
                    count = terms.ite(has_failed, terms.bv(0, width), result)
                    _fill(calls, name, arguments[1], start, count)
            return result

        if name in _OF_PIPES and calls.objects.library.mentions("pipe|pipe2"):
            result = _or_through_pipe(calls, _OF_PIPES[name], [descriptor, start, most], transfer)
        else:
            result = transfer()
        return calls.expressions.convert(result, IntegerType(width, is_signed=True), _type(calls, node))

    return handler


def _or_through_pipe(calls: Calls, model: str, values: list[Term], otherwise: Callable[[], Term]) -> Term:
    """What goes through a pipe is not arbitrary."""
    emitter = calls.emitter
    result, done = emitter.temporary(bitvec(calls.objects.pointers.width)), emitter.location()
    with emitter.when(calls.model("sley_is_end_of_pipe", values[:1])):
        emitter.assign(result, calls.model(model, values))
        emitter.jump(done)
        emitter.stop()
    emitter.assign(result, otherwise())
    emitter.jump(done)
    emitter.move(done)
    return result.term


_FUNCTIONS: dict[str, tuple[str, Handler]] = {
    **dict.fromkeys(("fread", "fread_unlocked"), ("piip", _elements_read)),
    **dict.fromkeys(("fwrite", "fwrite_unlocked"), ("piip", _elements_written)),
    "read": ("ipi", _bytes("read", writes_memory=True)),
    "recv": ("ipi", _bytes("recv", writes_memory=True)),
    "pread": ("ipi", _bytes("pread", writes_memory=True)),
    "write": ("ipi", _bytes("write", writes_memory=False)),
    "send": ("ipi", _bytes("send", writes_memory=False)),
    "pwrite": ("ipi", _bytes("pwrite", writes_memory=False)),
}

HANDLERS: dict[str, Handler] = {
    **{name: shaped(name, shape, handler) for name, (shape, handler) in _FUNCTIONS.items()},
}
