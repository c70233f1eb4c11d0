"""Arrays of variable length: their lengths are evaluated at the declaration, their size is a term.

An array of variable length in a block is one of many objects, one for each length up to ``MOST_ELEMENTS``,
and for some larger ones that are numbers in the program's text: so accesses are checked against its true
length, and it dies with its block. Others are given up at.
"""

from collections.abc import Sequence

from sley.frontend.c_types import (
    ArrayType,
    CType,
    IntegerType,
    PointerType,
    VariableArrayType,
    fixed_size,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.emitter import SizedObjects
from sley.frontend.part import Lowering
from sley.frontend.syntax import SyntaxNode
from sley.logic.operators import Op
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Assign, Assume, Enter

MOST_ELEMENTS = 64
"""Up to here each number of elements of a local array of variable length is possible."""
_LARGER = 4096
"""Up to here those are that the text of the program mentions."""
_MENTIONED = 12
"""So many of them at most, the last ones in the text."""
_FIRST_EXPRESSION, _LAST_EXPRESSION = CursorKind.UNEXPOSED_EXPRESSION, 199


class VariableArrays(Lowering):
    """The types and objects of variable size of one function."""

    def _begin(self) -> None:
        self._lengths: dict[VariableArrayType, Term] = {}

    # --- sizes ------------------------------------------------------------------------------------

    def size(self, ctype: VariableArrayType, node: SyntaxNode) -> Term:
        """The size in bytes."""
        element, count = self._flat(ctype, node)
        return self._terms.mul(count, self._terms.bv(element.size, self._width))

    def _flat(self, ctype: VariableArrayType, node: SyntaxNode) -> tuple[CType, Term]:
        """The type of the elements that have a constant size, and how many there are."""
        count = self._terms.bv(1, self._width)
        level: CType = ctype
        while isinstance(level, VariableArrayType):
            length = self._terms.bv(level.count, self._width) if level.count else self._lengths.get(level)
            if length is None:
                raise node.unsupported("an array of variable length whose length is not declared here")
            count = self._terms.mul(count, length)
            level = level.element
        return level, count

    def moved(self, pointer: Term, index: Term, ctype: CType, node: SyntaxNode) -> Term:
        """``pointer`` plus ``index`` (a signed number of pointer width) elements of a type."""
        if isinstance(ctype, VariableArrayType):
            return self._expressions.pointers.moved_variably(pointer, index, self.size(ctype, node))
        return self._expressions.pointers.moved(pointer, index, ctype.size)

    def difference(self, a: Term, b: Term, ctype: CType, node: SyntaxNode) -> Term:
        """``a - b`` in elements of a type."""
        if isinstance(ctype, VariableArrayType):
            return self._terms.apply(Op.BVSDIV, self._terms.sub(a, b), self.size(ctype, node))
        return self._expressions.pointers.difference(a, b, ctype.size)

    def size_of(self, node: SyntaxNode) -> Term | None:
        """The value of a ``sizeof`` that is not constant; None if it is not about an object that we know."""
        operand = node.children[0].inner() if len(node.children) == 1 else None
        if operand is None or operand.assigns or not _FIRST_EXPRESSION <= operand.kind <= _LAST_EXPRESSION:
            return None
        if not isinstance(operand.ctype, VariableArrayType):
            return None
        ctype = self._expressions.value_type(node)
        assert isinstance(ctype, IntegerType)
        return self._terms.resize(self.size(operand.ctype, node), ctype.width, signed=False)

    # --- declarations -----------------------------------------------------------------------------

    def declare(self, node: SyntaxNode) -> None:
        """Evaluate the lengths in the type of a variable or parameter."""
        levels = _levels(node)
        if not any(isinstance(level, VariableArrayType) for level in levels):
            return
        initialiser = node.initialiser if node.kind == CursorKind.VARIABLE else None
        lengths = [child for child in node.children if child is not initialiser]
        if len(lengths) != len(levels):
            raise node.unsupported(f"this declaration of an array of variable length: `{node.text}`")
        for level, length in zip(levels, reversed(lengths), strict=True):
            is_passed = node.kind == CursorKind.PARAMETER and level is levels[0] and level is node.ctype
            is_computed = isinstance(level, VariableArrayType) and level.count is None
            if is_computed and is_passed:
                self._require_quiet(length)
            elif isinstance(level, VariableArrayType) and is_computed:
                self._declare_length(level, length, self._largest_length(levels))

    def _declare_length(self, level: VariableArrayType, length: SyntaxNode, most: int) -> None:
        ctype = self._expressions.value_type(length)
        if not isinstance(ctype, IntegerType):
            raise length.unsupported("an array of variable length whose length is not an integer")
        value = self._terms.resize(self._expressions.value(length), self._width, signed=ctype.is_signed)
        value = self._emitter.saved(value)
        limit = self._terms.bv(most, self._width)
        one = self._terms.bv(1, self._width)
        is_sound = self._terms.ult(self._terms.sub(value, one), limit)
        reason = "an array of variable length has a length less than 1 or is too large"
        self._emitter.give_up_if(self._terms.not_(is_sound), reason)
        self._lengths[level] = value

    def _require_quiet(self, length: SyntaxNode) -> None:
        """The length of an array that is passed as a pointer does not matter, if computing it does not."""
        if length.assigns or any(part.kind == CursorKind.CALL for part in length.walk()):
            raise length.unsupported(f"a length that has an effect: `{length.text}`")

    def _largest_length(self, levels: list[CType]) -> int:
        """How long each array may be so that all of them together are not larger than the largest object."""
        variable = [level for level in levels if isinstance(level, VariableArrayType)]
        largest = self._expressions.objects.pointers.largest_object
        most = largest // max(1, fixed_size(variable[-1]).size)
        return max(1, int(most ** (1 / len(variable))) - 1)

    # --- objects ----------------------------------------------------------------------------------

    def enter(self, ctype: VariableArrayType, node: SyntaxNode) -> Term:
        """Let an array of a block begin to live; its address."""
        name = node.declaration.name
        element, count = self._flat(ctype, node)
        numbers = _possible_numbers(node.unit.written_numbers)
        conditions = [self._terms.eq(count, self._terms.bv(n, self._width)) for n in numbers]
        reason = f"`{name}` has a variable length of more than {MOST_ELEMENTS} elements"
        few = self._terms.sub(count, self._terms.bv(1, self._width))
        fits = self._terms.ult(few, self._terms.bv(MOST_ELEMENTS, self._width))
        fits = self._terms.or_(fits, *conditions[MOST_ELEMENTS:])
        self._emitter.give_up_if(self._terms.not_(fits), reason)
        address = self._emitter.register(f"{name}.address", bitvec(self._width))
        made = SizedObjects(
            address,
            tuple(
                self._expressions.aggregates.local_object(
                    name, ArrayType(element, n, n * element.size), node, c_name=name
                )
                for n in numbers
            ),
        )
        self._expressions.scopes.declare(made)
        if self._emitter.is_live:
            self._enter_one(made, conditions)
        return address.term

    def _enter_one(self, made: SizedObjects, conditions: list[Term]) -> None:
        emitter = self._emitter
        start, end = emitter.here, emitter.location()
        for condition, one in zip(conditions, made.objects, strict=True):
            chosen = emitter.location()
            emitter.edge(start, chosen, Assume(condition))
            emitter.move(chosen)
            emitter.emit(Enter(one))
            emitter.emit(Assign(((made.address, one.address),)), end)
        emitter.move(end)


def _possible_numbers(written: Sequence[int]) -> list[int]:
    """How many elements there may be: few, or numbers of the text and products of two of them."""
    more = list(written[:_MENTIONED])
    more += [a * b for i, a in enumerate(more) for b in more[i:]]
    larger = [n for n in dict.fromkeys(more) if MOST_ELEMENTS < n <= _LARGER][:_MENTIONED]
    return [*range(1, MOST_ELEMENTS + 1), *sorted(larger)]


def _levels(node: SyntaxNode) -> list[CType]:
    """The arrays in the type of a declared name whose length is written down, from the outermost on."""
    levels: list[CType] = []
    ctype: CType = node.ctype
    while True:
        ctype = unatomic(ctype)
        match ctype:
            case PointerType():
                ctype = ctype.pointee
            case ArrayType() | VariableArrayType():
                if ctype.count != 0:
                    levels.append(ctype)
                ctype = ctype.element
            case _:
                return levels
