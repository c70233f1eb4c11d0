"""C text for lvalues, written from the tree: inside macros the source text says something else."""

from sley.frontend.c_types import PointerType
from sley.frontend.clang_library import CursorKind, Unary
from sley.frontend.syntax import Node


def c_text(node: Node) -> str:
    """How C writes an expression; exact for lvalues, the source text for anything unusual."""
    inner = node.inner()
    match inner.kind:
        case CursorKind.REFERENCE:
            return inner.name
        case CursorKind.MEMBER:
            return _member(inner)
        case CursorKind.SUBSCRIPT:
            return f"{c_text(inner.children[0])}[{c_text(inner.children[1])}]"
        case CursorKind.UNARY if inner.unary_operator == Unary.DEREFERENCE:
            return f"*{c_text(inner.children[0])}"
        case CursorKind.INTEGER:
            return str(inner.constant())
        case _:
            return inner.text


def _member(node: Node) -> str:
    name = node.member.name
    base = c_text(node.children[0])
    if not name:
        return base
    if node.children[0].inner().kind == CursorKind.UNARY:
        base = f"({base})"
    return f"{base}{'->' if isinstance(node.children[0].ctype, PointerType) else '.'}{name}"
