"""Variable arguments: a call puts them into an object of its own, one slot after the other.

A function with variable arguments has a hidden last parameter, the address of the first slot (null
without any). Before each argument, and at the end, a slot says what kind of argument follows, so that
models can tell whether it fits a format. A ``va_list`` is the address of the next slot: to read more than
was passed is an access out of bounds. It is passed by its own address: the called function goes on with a
copy, and only if it takes an argument is the caller's list indeterminate (C11 7.16p3).
"""

from sley.frontend.c_types import (
    INT,
    ArgumentListType,
    CType,
    Field,
    FloatType,
    IntegerType,
    OtherType,
    PointerType,
    RecordType,
    VoidType,
    is_scalar,
    promoted,
    unatomic,
)
from sley.frontend.clang_library import CursorKind, Unary
from sley.frontend.part import Lowering
from sley.frontend.places import MemoryPlace, Place
from sley.frontend.syntax import Declaration, SyntaxNode
from sley.logic.terms import Term
from sley.program.instructions import Register
from sley.program.memory import Display

SLOT = 8
"""Each argument starts at a multiple of this many bytes."""
_DOUBLE = 8
_END, _OTHER, _INTEGER, _FLOATING, _ADDRESS, _POINTER = 0, 1, 0x20, 0x40, 0x80, 0x100
"""Kinds of arguments, as models know them: numbers and pointers to them with the bytes of the number."""
_KIND = IntegerType(32, is_signed=True, display=Display.HIDDEN)
_PLACES = (CursorKind.REFERENCE, CursorKind.MEMBER, CursorKind.SUBSCRIPT)


class VariableArguments(Lowering):
    """What one function does with variable arguments, its own and those of its calls."""

    def _begin(self) -> None:
        self.incoming: Register | None = None
        """The hidden parameter."""
        self._origins: dict[Declaration, MemoryPlace] = {}
        """The lists of parameters -> those of the caller."""

    # --- calls ------------------------------------------------------------------------------------

    def pass_all(self, arguments: list[tuple[SyntaxNode, Term]], node: SyntaxNode) -> Term:
        """Put arguments into a new object; its address."""
        if not arguments:
            return self._terms.bv(0, self._width)
        fields: list[Field] = []
        offset = 0
        for number, (argument, _) in enumerate(arguments):
            ctype = self._passed_type(argument)
            fields.append(Field(f"kind{number}", offset, _KIND))
            fields.append(Field(f"argument{number}", offset + SLOT, ctype))
            offset += SLOT + _slots(ctype)
        fields.append(Field("end", offset, _KIND))
        offset += SLOT
        aggregates = self._expressions.aggregates
        place = aggregates.temporary(
            RecordType("", offset, is_union=False, _fields=lambda: tuple(fields)), node
        )
        for field in fields[::2]:
            following = next((f.ctype for f in fields if f.offset == field.offset + SLOT), None)
            target = MemoryPlace(self._at(place, field), INT, field.name)
            self._expressions.memory.write(target, self._terms.bv(_kind(following), 32))
        for field, (argument, value) in zip(fields[1::2], arguments, strict=True):
            target = MemoryPlace(self._at(place, field), field.ctype, argument.text)
            if isinstance(field.ctype, RecordType):
                aggregates.copy(target, value, argument.text, argument)
            else:
                self._expressions.memory.write(target, value)
        return place.address

    def _at(self, place: MemoryPlace, field: Field) -> Term:
        return self._terms.add(place.address, self._terms.bv(field.offset, self._width))

    def _passed_type(self, argument: SyntaxNode) -> CType:
        ctype = self._expressions.value_type(argument)
        is_narrow = promoted(ctype) is not ctype or (isinstance(ctype, FloatType) and ctype.size < _DOUBLE)
        if is_narrow or not (is_scalar(ctype) or isinstance(ctype, RecordType)) or is_list(argument):
            raise argument.unsupported(f"a variable argument of this type: `{argument.text}`")
        return ctype

    def address(self, argument: SyntaxNode) -> Term:
        """How a list is passed."""
        place = self._place(argument)
        assert isinstance(place, MemoryPlace)
        return place.address

    def take(self, parameter: Declaration, address: Term) -> Term:
        """The list that is passed, as it is now."""
        origin = MemoryPlace(address, parameter.ctype, parameter.name)
        self._origins[parameter] = origin
        return self._expressions.memory.read(origin)

    def hand_over(self, argument: SyntaxNode) -> None:
        """After a call that takes arguments from a list, the list points to nothing."""
        if is_list(argument):
            self._expressions.memory.write(self._place(argument), self._wild)
            self._give_back(argument)

    def give_back(self, argument: SyntaxNode) -> None:
        """After a call that got a list of our caller's: it is indeterminate if ours is."""
        if is_list(argument) and self._origin(argument) is not None:
            now = self._expressions.memory.read(self._place(argument))
            with self._emitter.when(self._terms.eq(now, self._wild)):
                self._give_back(argument)

    def _give_back(self, argument: SyntaxNode) -> None:
        """The list of the caller is indeterminate from now on."""
        origin = self._origin(argument)
        if origin is not None:
            self._expressions.memory.write(origin, self._wild)

    def _origin(self, argument: SyntaxNode) -> MemoryPlace | None:
        variable = argument.inner()
        return self._origins.get(variable.declaration) if variable.kind == CursorKind.REFERENCE else None

    @property
    def _wild(self) -> Term:
        return self._terms.bv(self._expressions.objects.pointers.wild, self._width)

    # --- lists ------------------------------------------------------------------------------------

    def start(self, target: SyntaxNode) -> None:
        """``va_start``."""
        if self.incoming is None:
            raise target.unsupported("`va_start` in a function without variable arguments")
        self._expressions.memory.write(self._place(target), self.incoming.term)

    def copy(self, target: SyntaxNode, source: SyntaxNode) -> None:
        """``va_copy``."""
        value = self._expressions.memory.read(self._place(source))
        self._expressions.memory.write(self._place(target), value)

    def next(self, node: SyntaxNode) -> Term:
        """``va_arg``: the next argument (its address if it is a record).

        clang shows conversions of a ``va_list`` alike, except that they have the name of what they convert.
        """
        if node.name or any(part.kind == CursorKind.PARENTHESES for part in node.walk()):
            raise node.unsupported(f"a conversion of a `va_list`: `{node.text}`")
        ctype = unatomic(node.ctype)
        if not (is_scalar(ctype) or isinstance(ctype, RecordType)) or isinstance(ctype, ArgumentListType):
            raise node.unsupported(f"a variable argument of this type: `{node.text}`")
        place = self._place(node.children[0])
        address = self._terms.add(self._expressions.memory.read(place), self._terms.bv(SLOT, self._width))
        step = self._terms.bv(_slots(ctype), self._width)
        self._expressions.memory.write(place, self._terms.add(address, step))
        self._give_back(node.children[0])
        if isinstance(ctype, RecordType):
            return address
        return self._expressions.memory.read(MemoryPlace(address, ctype, node.text))

    def kind(self, argument: SyntaxNode) -> Term:
        """What kind of argument comes next: see ``models/sley.h``."""
        address = self._emitter.saved(self._expressions.memory.read(self._place(argument)))
        kind = self._emitter.temporary(INT.sort)
        self._emitter.assign(kind, self._terms.bv(_END, 32))
        with self._emitter.when(self._terms.ne(address, self._terms.bv(0, self._width))):
            self._emitter.assign(kind, self._expressions.memory.read(MemoryPlace(address, INT, "kind")))
        return kind.term

    def _place(self, argument: SyntaxNode) -> Place:
        variable = argument.inner()
        is_read = variable.kind == CursorKind.UNARY and variable.unary_operator == Unary.DEREFERENCE
        if not is_read and variable.kind not in _PLACES:
            raise argument.unsupported("a `va_list` that is not a variable")
        return self._expressions.place(variable)


def is_list(node: SyntaxNode) -> bool:
    """Whether an expression is a ``va_list``, as such or decayed to a pointer."""
    ctype = node.ctype
    if isinstance(ctype, ArgumentListType):
        return True
    return (
        isinstance(ctype, PointerType) and isinstance(node.inner().ctype, ArgumentListType) and _is_tag(ctype)
    )


def _is_tag(ctype: PointerType) -> bool:
    return isinstance(ctype.pointee, OtherType)


def _kind(ctype: CType | None) -> int:
    match None if ctype is None else unatomic(ctype):
        case None:
            return _END
        case IntegerType(size=size):
            return _INTEGER + size
        case FloatType(size=size):
            return _FLOATING + size
        case PointerType(pointee=pointee):
            return _pointer_kind(unatomic(pointee))
        case _:
            return _OTHER


def _pointer_kind(pointee: CType) -> int:
    match pointee:
        case VoidType():
            return _ADDRESS
        case IntegerType(size=size):
            return _POINTER + _INTEGER + size
        case FloatType(size=size):
            return _POINTER + _FLOATING + size
        case _:
            return _POINTER + _OTHER


def _slots(ctype: CType) -> int:
    return max(1, -(-ctype.size // SLOT)) * SLOT
