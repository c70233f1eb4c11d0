"""Variable arguments: a call puts them into an object of its own, one slot after the other.

A function with variable arguments has a hidden last parameter, the address of the first slot (null without
any). A ``va_list`` is the address of the next slot: to read more than was passed is an access out of bounds.
"""

from sley.frontend.c_types import (
    ArgumentListType,
    CType,
    Field,
    FloatType,
    OtherType,
    PointerType,
    RecordType,
    is_scalar,
    promoted,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.part import Part
from sley.frontend.places import MemoryPlace, Place
from sley.frontend.syntax import Node
from sley.logic.terms import Term
from sley.program.instructions import Register

SLOT = 8
"""Each argument starts at a multiple of this many bytes."""
_DOUBLE = 8


class VariableArguments(Part):
    """What one function does with variable arguments, its own and those of its calls."""

    def _begin(self) -> None:
        self.incoming: Register | None = None
        """The hidden parameter."""

    # --- calls ------------------------------------------------------------------------------------

    def pass_all(self, arguments: list[tuple[Node, Term]], node: Node) -> Term:
        """Put arguments into a new object; its address."""
        if not arguments:
            return self._terms.bv(0, self._width)
        fields: list[Field] = []
        offset = 0
        for number, (argument, _) in enumerate(arguments):
            ctype = self._passed_type(argument)
            fields.append(Field(f"argument{number}", offset, ctype))
            offset += _slots(ctype)
        aggregates = self._expressions.aggregates
        place = aggregates.temporary(
            RecordType("", offset, is_union=False, _fields=lambda: tuple(fields)), node
        )
        for field, (argument, value) in zip(fields, arguments, strict=True):
            address = self._terms.add(place.address, self._terms.bv(field.offset, self._width))
            target = MemoryPlace(address, field.ctype, argument.text)
            if isinstance(field.ctype, RecordType):
                aggregates.copy(target, value, argument.text, argument)
            else:
                self._expressions.memory.write(target, value)
        return place.address

    def _passed_type(self, argument: Node) -> CType:
        ctype = self._expressions.value_type(argument)
        is_narrow = promoted(ctype) is not ctype or (isinstance(ctype, FloatType) and ctype.size < _DOUBLE)
        if is_narrow or not (is_scalar(ctype) or isinstance(ctype, RecordType)) or is_list(argument):
            raise argument.unsupported(f"a variable argument of this type: `{argument.text}`")
        return ctype

    def hand_over(self, argument: Node) -> None:
        """After a call got a ``va_list``, its value is indeterminate: it points to nothing."""
        if is_list(argument):
            wild = self._terms.bv(self._expressions.objects.pointers.wild, self._width)
            self._expressions.memory.write(self._place(argument), wild)

    # --- lists ------------------------------------------------------------------------------------

    def start(self, target: Node) -> None:
        """``va_start``."""
        if self.incoming is None:
            raise target.unsupported("`va_start` in a function without variable arguments")
        self._expressions.memory.write(self._place(target), self.incoming.term)

    def copy(self, target: Node, source: Node) -> None:
        """``va_copy``."""
        value = self._expressions.memory.read(self._place(source))
        self._expressions.memory.write(self._place(target), value)

    def next(self, node: Node) -> Term:
        """``va_arg``: the next argument (its address if it is a record).

        clang shows conversions of a ``va_list`` alike, except that they have the name of what they convert.
        """
        if node.name or any(part.kind == CursorKind.PARENTHESES for part in node.walk()):
            raise node.unsupported(f"a conversion of a `va_list`: `{node.text}`")
        ctype = unatomic(node.ctype)
        if not (is_scalar(ctype) or isinstance(ctype, RecordType)) or isinstance(ctype, ArgumentListType):
            raise node.unsupported(f"a variable argument of this type: `{node.text}`")
        place = self._place(node.children[0])
        address = self._expressions.memory.read(place)
        step = self._terms.bv(_slots(ctype), self._width)
        self._expressions.memory.write(place, self._terms.add(address, step))
        if isinstance(ctype, RecordType):
            return address
        return self._expressions.memory.read(MemoryPlace(address, ctype, node.text))

    def _place(self, argument: Node) -> Place:
        variable = argument.inner()
        if variable.kind not in (CursorKind.REFERENCE, CursorKind.MEMBER):
            raise argument.unsupported("a `va_list` that is not a variable")
        return self._expressions.place(variable)


def is_list(node: Node) -> bool:
    """Whether an expression is a ``va_list``, as such or decayed to a pointer."""
    ctype = node.ctype
    if isinstance(ctype, ArgumentListType):
        return True
    return (
        isinstance(ctype, PointerType) and isinstance(node.inner().ctype, ArgumentListType) and _is_tag(ctype)
    )


def _is_tag(ctype: PointerType) -> bool:
    return isinstance(ctype.pointee, OtherType)


def _slots(ctype: CType) -> int:
    return max(1, -(-ctype.size // SLOT)) * SLOT
