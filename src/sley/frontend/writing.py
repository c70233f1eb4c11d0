"""C text for expressions: as the user wrote it, or written from the tree where a macro hides it."""

from sley.frontend.c_types import PointerType
from sley.frontend.clang_library import COMPUTED_BY, Binary, CursorKind, Unary
from sley.frontend.syntax import SyntaxNode

_BINARY = {
    Binary.MUL: "*",
    Binary.DIV: "/",
    Binary.REM: "%",
    Binary.ADD: "+",
    Binary.SUB: "-",
    Binary.SHL: "<<",
    Binary.SHR: ">>",
    Binary.LT: "<",
    Binary.GT: ">",
    Binary.LE: "<=",
    Binary.GE: ">=",
    Binary.EQ: "==",
    Binary.NE: "!=",
    Binary.AND: "&",
    Binary.XOR: "^",
    Binary.OR: "|",
    Binary.LOGICAL_AND: "&&",
    Binary.LOGICAL_OR: "||",
    Binary.ASSIGN: "=",
    Binary.COMMA: ",",
}
_BINARY |= {assign: f"{_BINARY[op]}=" for assign, op in COMPUTED_BY.items()}
_PREFIX = {
    Unary.PRE_INCREMENT: "++",
    Unary.PRE_DECREMENT: "--",
    Unary.ADDRESS_OF: "&",
    Unary.DEREFERENCE: "*",
    Unary.PLUS: "+",
    Unary.MINUS: "-",
    Unary.NOT: "~",
    Unary.LOGICAL_NOT: "!",
    Unary.EXTENSION: "",
}
_POSTFIX = {Unary.POST_INCREMENT: "++", Unary.POST_DECREMENT: "--"}

_ATOMIC = "__sley_atomic_"


def c_text(node: SyntaxNode) -> str:
    """How C writes an expression: lvalues from the tree, everything else as in the source if it is there."""
    inner = node.inner()
    match inner.kind:
        case CursorKind.REFERENCE:
            return inner.name
        case CursorKind.MEMBER:
            return _member(inner)
        case CursorKind.SUBSCRIPT:
            return f"{c_text(inner.children[0])}[{c_text(inner.children[1])}]"
        case CursorKind.UNARY if inner.unary_operator in (Unary.DEREFERENCE, Unary.ADDRESS_OF):
            return _written(inner)
        case CursorKind.INTEGER:
            return str(inner.constant())
        case _:
            return inner.text or _written(inner)


def _written(node: SyntaxNode) -> str:
    """The text of an operator from its parts."""
    match node.kind:
        case CursorKind.UNARY:
            operator = Unary(node.unary_operator)
            operand = _operand(node.children[0])
            return _PREFIX.get(operator, "") + operand + _POSTFIX.get(operator, "")
        case CursorKind.BINARY | CursorKind.COMPOUND_ASSIGNMENT:
            left, right = (_operand(child) for child in node.children)
            return f"{left} {_BINARY[Binary(node.binary_operator)]} {right}"
        case CursorKind.CALL:
            return _call(c_text(node.children[0]), [c_text(argument) for argument in node.children[1:]])
        case CursorKind.CAST:
            return c_text(node.children[-1])
        case _:
            return node.name


def _call(function: str, arguments: list[str]) -> str:
    """A call; of what our headers make of an atomic operation, the operation without its orders."""
    if function.startswith(_ATOMIC):
        operation = function.removeprefix(_ATOMIC)
        function, arguments = f"atomic_{operation}", arguments[: 1 if operation == "load" else 2]
    return f"{function}({', '.join(arguments)})"


def _operand(node: SyntaxNode) -> str:
    is_compound = node.inner().kind in (CursorKind.BINARY, CursorKind.CONDITIONAL)
    return f"({c_text(node)})" if is_compound else c_text(node)


def _member(node: SyntaxNode) -> str:
    name = node.member.name
    base = c_text(node.children[0])
    if not name:
        return base
    if node.children[0].inner().kind == CursorKind.UNARY:
        base = f"({base})"
    return f"{base}{'->' if isinstance(node.children[0].ctype, PointerType) else '.'}{name}"
