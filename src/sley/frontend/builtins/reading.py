"""Input and raw output: what is read from outside is arbitrary, what is written is read from memory.

What ``sscanf`` finds in a text is not computed: a bug that rests on it is a possible one only.
"""

from dataclasses import replace

from sley.frontend.builtins import streams
from sley.frontend.builtins.cells import CellLoop
from sley.frontend.builtins.formats import Conversion, scanned
from sley.frontend.builtins.memory import block_layout
from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import BYTE, CType, IntegerType, PointerType, is_scalar, unatomic
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


def _wanted(calls: Calls, values: list[Term]) -> tuple[Term, Term]:
    """The size of an element, and how many there are: none if they have no size (C11 7.21.8.1p3)."""
    terms, width = calls.terms, calls.objects.pointers.width
    size, most = (terms.resize(value, width, signed=False) for value in values)
    zero = terms.bv(0, width)
    return size, terms.ite(terms.eq(size, zero), zero, most)


def _elements_read(calls: Calls, node: Node, arguments: list[Node]) -> Term:
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


def _elements_written(calls: Calls, node: Node, arguments: list[Node]) -> Term:
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


def _type(calls: Calls, node: Node) -> CType:
    return calls.expressions.value_type(node)


def _bytes(name: str, *, writes_memory: bool) -> Handler:
    """``read`` and ``write``: a descriptor, a pointer, a number of bytes; -1 if it fails."""

    def handler(calls: Calls, node: Node, arguments: list[Node]) -> Term:
        terms, width = calls.terms, calls.objects.pointers.width
        _, start, most, *_ = calls.values(arguments)
        most = terms.resize(most, width, signed=False)
        if not writes_memory:
            with calls.emitter.writing_out():
                _read(calls, arguments[1], start, most)
        result = calls.emitter.havoc(bitvec(width), Cause.INPUT, node.text)
        has_failed = terms.eq(result, terms.bv(-1, width))
        calls.emitter.emit(Assume(terms.or_(has_failed, terms.ule(result, most))))
        if writes_memory:
            with calls.emitter.writing_out():
                _fill(calls, name, arguments[1], start, terms.ite(has_failed, terms.bv(0, width), result))
        return calls.expressions.convert(result, IntegerType(width, is_signed=True), _type(calls, node))

    return handler


# --- formats --------------------------------------------------------------------------------------


def _scan(name: str, position: int) -> Handler:
    """``scanf`` and its kin: some of the conversions succeed, then one fails or none is left."""

    def handler(calls: Calls, node: Node, arguments: list[Node]) -> Term:
        conversions = _conversions(calls, arguments[position:])
        if conversions is None:
            return calls.unmodelled(node, name, arguments)
        values = calls.values(arguments)
        cause = Cause.UNMODELLED if name == "sscanf" else streams.cause_of_input(calls)
        targets = list(zip(arguments[position + 1 :], values[position + 1 :], strict=True))
        stored = list(zip(conversions, targets, strict=False))
        with calls.emitter.writing_out():
            if name == "sscanf":
                calls.model("strlen", [values[0]])
                return _scanned(calls, node, _Scan(calls, name, cause), stored)
            stream = values[0] if position else calls.terms.bv(-1, calls.objects.pointers.width)
            return _scanned(calls, node, _Scan(calls, name, cause, stream), stored)

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

    def __init__(self, calls: Calls, name: str, cause: Cause, stream: Term | None = None) -> None:
        self._calls = calls
        self.name = name
        self.cause = cause
        self._stream = stream

    def begins(self) -> Term:
        """Whether anything is read."""
        if self._stream is None:
            return self.goes_on()
        is_open = self._calls.model("sley_read_from", [self._stream])
        begins = self._calls.terms.and_(is_open, self.goes_on())
        return self._calls.emitter.saved(begins)

    def ends(self, begun: Term) -> None:
        """The end of the stream, or an error, is why nothing was read."""
        if self._stream is not None:
            with self._calls.emitter.when(self._calls.terms.not_(begun)):
                self._calls.model("sley_end_of_stream", [self._stream])

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
    begun = scan.begins()
    emitter.assign(count, terms.ite(begun, terms.bv(0, 32), terms.bv(-1, 32)))
    scan.ends(begun)
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
    **{
        f"{prefix}{name}": shaped(name, "p" * (position + 1), _scan(name, position))
        for name, position in (("scanf", 0), ("fscanf", 1), ("sscanf", 1))
        for prefix in ("", "__isoc99_", "__isoc23_")
    },
}
