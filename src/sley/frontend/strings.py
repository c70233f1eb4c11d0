"""What a string literal contains."""

from sley.frontend.c_types import ArrayType, IntegerType
from sley.frontend.syntax import SyntaxNode

_SIMPLE_ESCAPES = {
    "n": 10,
    "t": 9,
    "r": 13,
    "a": 7,
    "b": 8,
    "f": 12,
    "v": 11,
    "e": 27,
    "\\": 92,
    "'": 39,
    '"': 34,
    "?": 63,
}
_OCTAL_DIGITS = 3


def string_text(node: SyntaxNode) -> str:
    """The text of a narrow string literal, for messages."""
    return _bytes(node).decode("utf-8", "replace")


def format_text(node: SyntaxNode) -> str:
    """The text of a format, a character for each byte before the first zero."""
    return _bytes(node).partition(b"\0")[0].decode("latin-1")


def _bytes(node: SyntaxNode) -> bytes:
    return bytes(value & 0xFF for value in _code_units(node.name, 1))


def string_elements(node: SyntaxNode, array: ArrayType) -> tuple[int, ...]:
    """The elements of an array that the literal initialises: as many as the array has."""
    assert isinstance(array.element, IntegerType)
    size = array.element.size
    units = [unit & ((1 << (8 * size)) - 1) for unit in _code_units(node.name, size)]
    units = units[: array.count]
    return tuple(units + [0] * (array.count - len(units)))


def _code_units(literal: str, size: int) -> list[int]:
    """The elements between the quotes; clang writes unprintable ones as octal or hexadecimal escapes."""
    body = literal[literal.index('"') + 1 : literal.rindex('"')]
    units: list[int] = []
    position = 0
    while position < len(body):
        character = body[position]
        position += 1
        if character != "\\":
            units += list(character.encode()) if size == 1 else [ord(character)]
            continue
        escape = body[position]
        position += 1
        if escape in _SIMPLE_ESCAPES:
            units.append(_SIMPLE_ESCAPES[escape])
        else:
            value, position = _numeric(body, position, escape)
            units.append(value)
    return units


def _numeric(body: str, position: int, escape: str) -> tuple[int, int]:
    """An octal or hexadecimal escape whose first character was read; its value and where it ends."""
    if escape in "xuU":
        end = position
        limit = {"x": len(body), "u": position + 4, "U": position + 8}[escape]
        while end < min(limit, len(body)) and body[end] in "0123456789abcdefABCDEF":
            end += 1
        return int(body[position:end], 16), end
    start = position - 1
    end = start
    while end < min(start + _OCTAL_DIGITS, len(body)) and body[end] in "01234567":
        end += 1
    return int(body[start:end], 8), end
