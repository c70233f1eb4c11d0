"""``alloca``: blocks that live until their function returns.

A call that is reached once makes one of a few objects, one for each size up to ``MOST_ELEMENTS`` elements,
like an array of variable length. Whoever reaches the same call again before its function returns gives up.
"""

from collections.abc import Iterator
from functools import partial

from sley.frontend.c_types import BYTE, ArrayType, CType, PointerType, VoidType, fixed_size
from sley.frontend.clang_library import CursorKind
from sley.frontend.emitter import Cleanup
from sley.frontend.layouts import NoLayoutError, layout_of
from sley.frontend.part import Lowering
from sley.frontend.syntax import STACK_ALLOCATORS, SyntaxNode
from sley.frontend.variable_arrays import MOST_ELEMENTS
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Assign, Enter, Leave, Register
from sley.program.memory import MemoryObject

_WRAPPERS = (CursorKind.CAST, CursorKind.UNEXPOSED_EXPRESSION, CursorKind.PARENTHESES)


class StackBlocks(Lowering):
    """The blocks that one function makes on its stack."""

    def _begin(self) -> None:
        self._blocks: dict[int | None, tuple[Register, list[MemoryObject]]] = {}

    def prepare(self, function: SyntaxNode) -> None:
        """At the start of the function no block lives; at each of its ends those die that were made."""
        for node, element in _calls(function):
            address = self._emitter.register("alloca", bitvec(self._width))
            self._emitter.emit(Assign(((address, self._terms.bv(0, self._width)),)))
            objects = self._candidates(node, element)
            self._blocks[node.cursor.data1] = address, objects
            self._expressions.scopes.declare(Cleanup(partial(self._end, address, objects)))

    def _candidates(self, node: SyntaxNode, element: CType) -> list[MemoryObject]:
        size = node.children[1].plain_constant()
        if isinstance(size, int):
            counts = [size // element.size] if size > 0 and size % element.size == 0 else []
        else:
            counts = list(range(1, MOST_ELEMENTS + 1))
        return [
            self._expressions.aggregates.local_object("block", ArrayType(element, n, n * element.size), node)
            for n in counts
        ]

    def make(self, node: SyntaxNode) -> Term:
        """The address of a new block."""
        address, objects = self._blocks[node.cursor.data1]
        terms, emitter = self._terms, self._emitter
        size = terms.resize(self._expressions.value(node.children[1]), self._width, signed=False)
        size = emitter.saved(size)
        end = emitter.location()
        is_again = terms.ne(address.term, terms.bv(0, self._width))
        emitter.give_up_if(is_again, f"not modelled: {node.span}: `alloca` again before its function returns")
        for made in objects:
            with emitter.when(terms.eq(size, terms.bv(made.size, self._width))):
                emitter.emit(Enter(made))
                emitter.emit(Assign(((address, made.address),)), end)
                emitter.stop()
        emitter.give_up(f"not modelled: {node.span}: `alloca` with this size")
        emitter.move(end)
        return address.term

    def _end(self, address: Register, objects: list[MemoryObject]) -> None:
        emitter, terms = self._emitter, self._terms
        end = emitter.location()
        for made in objects:
            with emitter.when(terms.eq(address.term, made.address)):
                emitter.emit(Leave(made), end)
                emitter.stop()
        emitter.jump(end)
        emitter.move(end)


def _calls(function: SyntaxNode) -> Iterator[tuple[SyntaxNode, CType]]:
    """The calls of ``alloca`` in a function, and the type of what each block holds."""
    hints: dict[int | None, CType] = {}
    for node in function.walk():
        if node.kind in _WRAPPERS and isinstance(node.ctype, PointerType):
            inner = node
            while inner.kind in _WRAPPERS and inner.children:
                inner = inner.children[-1]
            hints.setdefault(inner.cursor.data1, node.ctype.pointee)
        if node.kind == CursorKind.CALL and node.name in STACK_ALLOCATORS:
            yield node, _element(hints.get(node.cursor.data1), node)


def _element(hint: CType | None, node: SyntaxNode) -> CType:
    candidates = [] if hint is None or isinstance(hint, VoidType) else [fixed_size(hint)]
    candidates += [part.children[-1].ctype for part in node.walk() if _is_sized(part)]
    for candidate in candidates:
        try:
            layout_of(candidate)
        except NoLayoutError:
            continue
        if candidate.size:
            return candidate
    return BYTE


def _is_sized(node: SyntaxNode) -> bool:
    return node.kind == CursorKind.SIZE_OF and bool(node.children)
