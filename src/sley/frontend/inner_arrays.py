"""Arrays inside other objects, whose bounds an index must respect (C11 6.5.6p8, J.2).

An array that is an object of its own needs no check here: what leaves it leaves the object. One that is a
member or a row has neighbours in the same object. Only subscripts of array designators are looked at: a
pointer that was once the address of an element may go anywhere inside the whole object.
"""

from sley.frontend.c_types import ArrayType, PointerType, RecordType, unatomic
from sley.frontend.clang_library import CursorKind, Unary
from sley.frontend.syntax import SyntaxNode


def inner_array(base: SyntaxNode) -> SyntaxNode | None:
    """The array designator that a subscript is of, if its bounds may be narrower than those of the object."""
    array = base.inner()
    if not isinstance(array.ctype, ArrayType):
        return None
    is_pointed = array.kind == CursorKind.UNARY and array.unary_operator == Unary.DEREFERENCE
    return array if is_pointed or array.kind in (CursorKind.SUBSCRIPT, CursorKind.MEMBER) else None


def length(array: SyntaxNode) -> int | None:
    """How many elements there are; None where only the end of the object says it.

    The last member of a struct that a pointer leads to may be longer than declared: old programs write
    flexible arrays as ``[1]``, and compilers take every trailing array for one.
    """
    assert isinstance(array.ctype, ArrayType)
    is_open = array.ctype.count == 0 or (array.kind == CursorKind.MEMBER and _may_be_longer(array))
    return None if is_open else array.ctype.count


def extent(pointer: SyntaxNode) -> int | None:
    """How many bytes a pointer to a member may lead to; None: to the whole object, or it is not known."""
    node = pointer.inner()
    if node.kind == CursorKind.UNARY and node.unary_operator == Unary.ADDRESS_OF:
        node = node.children[0].inner()
        return node.ctype.size if node.kind == CursorKind.MEMBER and not _may_be_longer(node) else None
    if node.kind == CursorKind.MEMBER and isinstance(node.ctype, ArrayType) and length(node) is not None:
        return node.ctype.size
    return None


def _may_be_longer(part: SyntaxNode) -> bool:
    """Whether nothing but the end of the object that a pointer leads to comes after this part."""
    part = part.inner()
    if part.kind != CursorKind.MEMBER:
        is_element = part.kind == CursorKind.SUBSCRIPT
        return part.kind == CursorKind.UNARY or (
            is_element and isinstance(part.children[0].inner().ctype, PointerType)
        )
    base = part.children[0]
    is_arrow = isinstance(unatomic(base.ctype), PointerType)
    record = unatomic(base.ctype.pointee if isinstance(base.ctype, PointerType) else base.ctype)
    if not isinstance(record, RecordType) or not _is_last(record, part):
        return False
    return is_arrow or _may_be_longer(base)


def _is_last(record: RecordType, part: SyntaxNode) -> bool:
    member = part.member
    found = [field for field in record.fields if field.name == member.name]
    if not found:  # inside an anonymous member
        inner = record.fields if record.is_union else record.fields[-1:]
        records = [unatomic(field.ctype) for field in inner if not field.name]
        return any(isinstance(one, RecordType) and _is_last(one, part) for one in records)
    return record.is_union or record.fields[-1] is found[0]
