"""Input and raw output: what is read from outside is arbitrary, what is written is read from memory.

What ``sscanf`` finds in a text is not computed: a bug that rests on it is a possible one only.
"""

from collections.abc import Callable
from dataclasses import replace

from sley.frontend.builtins.cells import CellLoop
from sley.frontend.builtins.formats import Conversion, scanned
from sley.frontend.builtins.memory import block_layout
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import BYTE, INT, CType, IntegerType, PointerType, is_scalar, unatomic
from sley.frontend.calls import Calls, Handler
from sley.frontend.clang_library import CursorKind
from sley.frontend.strings import string_text
from sley.frontend.syntax import Node
from sley.frontend.writing import c_text
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term
from sley.program.instructions import Access, Assume, Cause
from sley.program.memory import Cell

_TEXT_LETTERS = ("s", "[")
_OF_PIPES = {"read": "sley_reads_pipe", "write": "sley_writes_pipe"}
_STREAM = 2
"""Where the stream stands behind the pointer."""
MOST_CELLS = 1_000
"""A transfer goes through the parts of a structure one by one; with more than so many it is given up on."""


# --- blocks of memory -----------------------------------------------------------------------------


def _element(calls: Calls, argument: Node) -> CType:
    ctype = calls.pointee(argument)
    return ctype if ctype.size else BYTE


def _cells(calls: Calls, argument: Node) -> CellLoop:
    layout = block_layout(_element(calls, argument), None)
    if len(layout.cells) > MOST_CELLS:
        raise argument.unsupported(f"a transfer of whole structures with so many parts: `{argument.text}`")
    return CellLoop(calls, layout)


def _fill(calls: Calls, name: str, argument: Node, start: Term, count: Term) -> None:
    """So many bytes become arbitrary; of a scalar that is only read in part nobody knows the rest."""
    emitter, text = calls.emitter, f"*{c_text(argument)}"
    cells = _cells(calls, argument)

    def store(cell: Cell, cause: Cause) -> None:
        emitter.store(cells.access(start, cell, text), emitter.havoc(cell.sort, cause, name))

    cells.run(count, lambda cell, _: store(cell, Cause.INPUT), lambda cell: store(cell, Cause.UNMODELLED))


def _read(calls: Calls, argument: Node, start: Term, count: Term) -> None:
    """So many bytes are read."""
    cells = _cells(calls, argument)

    def load(cell: Cell) -> None:
        access = cells.access(start, cell, f"*{c_text(argument)}")
        calls.emitter.load(replace(access, is_copied=True))

    cells.run(count, lambda cell, _: load(cell), load)


def _arbitrary_count(calls: Calls, node: Node, most: Term) -> Term:
    """An arbitrary number that is at most ``most``."""
    count = calls.emitter.havoc(calls.terms.sort(most), Cause.INPUT, node.text)
    calls.emitter.emit(Assume(calls.terms.ule(count, most)))
    return count


def _elements(*, writes_memory: bool) -> Handler:
    """``fread`` and ``fwrite``: a pointer, the size and number of elements, a stream."""

    def handler(calls: Calls, node: Node, arguments: list[Node]) -> Term:
        terms, width = calls.terms, calls.objects.pointers.width
        start, *rest = calls.values(arguments)
        size, most = (terms.resize(value, width, signed=False) for value in rest[:2])
        if writes_memory and len(rest) > _STREAM:
            calls.model("sley_read_from", [rest[_STREAM]])
        count = _arbitrary_count(calls, node, most)
        with calls.emitter.writing_out():
            if writes_memory:
                is_partial = calls.emitter.havoc(BOOL, Cause.INPUT, node.text)
                has_more = terms.and_(is_partial, terms.ult(count, most))
                touched = terms.add(count, terms.ite(has_more, terms.bv(1, width), terms.bv(0, width)))
                _fill(calls, "fread", arguments[0], start, terms.mul(touched, size))
            else:
                _read(calls, arguments[0], start, terms.mul(most, size))
        return calls.expressions.convert(count, IntegerType(width, is_signed=False), _type(calls, node))

    return handler


def _type(calls: Calls, node: Node) -> CType:
    return calls.expressions.value_type(node)


def _bytes(name: str, *, writes_memory: bool) -> Handler:
    """``read`` and ``write``: a descriptor, a pointer, a number of bytes; -1 if it fails."""

    def handler(calls: Calls, node: Node, arguments: list[Node]) -> Term:
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

        if name in _OF_PIPES and calls.objects.library.mentions("pipe"):
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


# --- formats --------------------------------------------------------------------------------------


def _scan(name: str, position: int) -> Handler:
    """``scanf`` and its kin: some of the conversions succeed, then one fails or none is left."""

    def handler(calls: Calls, node: Node, arguments: list[Node]) -> Term:
        conversions = _conversions(calls, arguments[position:])
        if conversions is None:
            return calls.unmodelled(node, name, arguments)
        values = calls.values(arguments)
        cause = Cause.UNMODELLED if name == "sscanf" else Cause.INPUT
        targets = list(zip(arguments[position + 1 :], values[position + 1 :], strict=True))
        stored = list(zip(conversions, targets, strict=False))
        with calls.emitter.writing_out():
            if name == "sscanf":
                calls.model("strlen", [values[0]])
            else:
                stream = values[0] if position else calls.terms.bv(-1, calls.objects.pointers.width)
                calls.model("sley_read_from", [stream])
            return _scanned(calls, node, _Scan(calls, name, cause), stored)

    return handler


def _conversions(calls: Calls, arguments: list[Node]) -> list[Conversion] | None:
    """The conversions of a format that store something; None if one of them is not modelled."""
    literal = arguments[0].uncast()
    pieces = scanned(string_text(literal)) if literal.kind == CursorKind.STRING else None
    if pieces is None:
        return None
    found = [p for p in pieces if isinstance(p, Conversion) and p.letter != "%" and p.flags != "*"]
    if len(found) > len(arguments) - 1 or any(
        c.letter == "n" or c.length == "m" or c.position for c in found
    ):
        return None
    for conversion, argument in zip(found, arguments[1:], strict=False):
        ctype = calls.expressions.value_type(argument)
        if not isinstance(ctype, PointerType) or not is_scalar(unatomic(ctype.pointee)):
            return None
        if conversion.letter in _TEXT_LETTERS and not conversion.width:
            return None
    return found


class _Scan:
    """Stores what one call reads."""

    def __init__(self, calls: Calls, name: str, cause: Cause) -> None:
        self._calls = calls
        self.name = name
        self.cause = cause

    def goes_on(self) -> Term:
        """Whether the next conversion succeeds."""
        return self._calls.emitter.havoc(BOOL, self.cause, self.name)

    def store(self, conversion: Conversion, argument: Node, target: Term) -> None:
        """What the conversion stores."""
        calls, emitter = self._calls, self._calls.emitter
        ctype = calls.expressions.value_type(argument)
        assert isinstance(ctype, PointerType)
        sort = calls.expressions.sort(unatomic(ctype.pointee))
        if conversion.letter in _TEXT_LETTERS:
            model = "sley_any_text" if self.cause is Cause.INPUT else "sley_unknown_text"
            calls.model(model, [target, calls.terms.bv(int(conversion.width), calls.objects.pointers.width)])
        elif conversion.letter == "c":
            for at in range(int(conversion.width or 1)):
                address = calls.terms.add(target, calls.terms.bv(at, calls.objects.pointers.width))
                self._store(emitter.havoc(bitvec(8), self.cause, self.name), address, argument)
        else:
            self._store(emitter.havoc(sort, self.cause, self.name), target, argument)

    def _store(self, value: Term, address: Term, argument: Node) -> None:
        access = Access(address, self._calls.terms.sort(value), text=f"*{c_text(argument)}")
        self._calls.emitter.store(access, value)


def _scanned(
    calls: Calls,
    node: Node,
    scan: _Scan,
    conversions: list[tuple[Conversion, tuple[Node, Term]]],
) -> Term:
    """Store what the conversions read until one fails; how many there were, or EOF (-1)."""
    emitter, terms = calls.emitter, calls.terms
    count, done = emitter.temporary(bitvec(32)), emitter.location()
    emitter.assign(count, terms.ite(scan.goes_on(), terms.bv(0, 32), terms.bv(-1, 32)))
    for number, (conversion, (argument, target)) in enumerate(conversions):
        succeeded = emitter.location()
        emitter.branch(scan.goes_on(), succeeded, done)
        emitter.move(succeeded)
        scan.store(conversion, argument, target)
        emitter.assign(count, terms.bv(number + 1, 32))
    emitter.jump(done)
    emitter.move(done)
    return calls.expressions.convert(count.term, IntegerType(32, is_signed=True), _type(calls, node))


_FUNCTIONS: dict[str, tuple[str, Handler]] = {
    "fread": ("pii", _elements(writes_memory=True)),
    "fwrite": ("pii", _elements(writes_memory=False)),
    "read": ("ipi", _bytes("read", writes_memory=True)),
    "recv": ("ipi", _bytes("recv", writes_memory=True)),
    "pread": ("ipi", _bytes("pread", writes_memory=True)),
    "write": ("ipi", _bytes("write", writes_memory=False)),
    "send": ("ipi", _bytes("send", writes_memory=False)),
    "pwrite": ("ipi", _bytes("pwrite", writes_memory=False)),
}

HANDLERS: dict[str, Handler] = {
    **{name: shaped(name, shape, handler) for name, (shape, handler) in _FUNCTIONS.items()},
    **{
        f"{prefix}{name}": shaped(name, "p" * (position + 1), _scan(name, position))
        for name, position in (("scanf", 0), ("fscanf", 1), ("sscanf", 1))
        for prefix in ("", "__isoc99_", "__isoc23_")
    },
}
