"""Which parts a ``for`` statement has.

clang's tree lists the parts that are there without saying which they are. The pretty-printed function does
say it, and is free of macros, which the source text is not: its ``for`` headers come in the tree's order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from sley.frontend import clang_library as clang
from sley.frontend.clang_library import CursorKind, library
from sley.frontend.syntax import SyntaxNode

_Found = TypeVar("_Found")


@dataclass(frozen=True, slots=True)
class ForParts:
    """The parts of a ``for`` statement; None for what is left out."""

    start: SyntaxNode | None
    condition: SyntaxNode | None
    step: SyntaxNode | None
    body: SyntaxNode


class ForHeaders:
    """The ``for`` statements of one function."""

    def __init__(self, function: SyntaxNode) -> None:
        self._function = function
        self._presence: dict[int | None, tuple[bool, bool, bool]] | None = None

    def parts(self, node: SyntaxNode) -> ForParts:
        """The parts of a ``for`` statement of the function."""
        found = list(node.children)
        body = found.pop()
        everything = 3
        if len(found) == everything:
            return ForParts(found[0], found[1], found[2], body)
        if not found:
            return ForParts(None, None, None, body)
        present = self._present(node)
        if sum(present) != len(found):
            raise node.unsupported("this `for` statement")
        slots = [found.pop(0) if is_there else None for is_there in present]
        return ForParts(slots[0], slots[1], slots[2], body)

    def _present(self, node: SyntaxNode) -> tuple[bool, bool, bool]:
        if self._presence is None:
            found = in_order(self._function, CursorKind.FOR, for_headers(printed(self._function)))
            if not found:
                raise node.unsupported("this `for` statement")
            self._presence = found
        return self._presence[node.cursor.data1]


def printed(function: SyntaxNode) -> str:
    """A function as clang prints it: without macros, in the tree's order."""
    return clang.text(library().clang_getCursorPrettyPrinted(function.cursor, None))


def in_order(function: SyntaxNode, kind: CursorKind, found: Sequence[_Found]) -> dict[int | None, _Found]:
    """What was found for the parts of a kind in a function, in the same order; empty if that fails."""
    parts = [part.cursor.data1 for part in function.walk() if part.kind == kind]
    return dict(zip(parts, found, strict=True)) if len(parts) == len(found) else {}


def for_headers(text: str) -> list[tuple[bool, bool, bool]]:
    """For each ``for (a; b; c)`` in C text, in order: which of the three are not empty."""
    headers = []
    for position in word_positions(text, "for"):
        first, second, third = bracketed(text, text.index("(", position), ";")
        headers.append((bool(first), bool(second), bool(third)))
    return headers


def word_positions(text: str, word: str) -> list[int]:
    """Where a word begins in C text, outside literals."""
    found = []
    position = 0
    while position < len(text):
        character = text[position]
        if character in "\"'":
            position = _after_literal(text, position)
        elif character.isalpha() or character == "_":
            end = position
            while end < len(text) and (text[end].isalnum() or text[end] == "_"):
                end += 1
            if text[position:end] == word:
                found.append(position)
            position = end
        else:
            position += 1
    return found


def _after_literal(text: str, position: int) -> int:
    quote = text[position]
    position += 1
    while text[position] != quote:
        position += 2 if text[position] == "\\" else 1
    return position + 1


def bracketed(text: str, opening: int, separator: str) -> list[str]:
    """What stands in the bracket that opens at a place, split at separators that are in no inner bracket."""
    depth, start, position = 0, opening + 1, opening
    parts: list[str] = []
    while True:
        character = text[position]
        if character in "\"'":
            position = _after_literal(text, position)
            continue
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
        if (character == separator and depth == 1) or depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
            if depth == 0:
                return parts
        position += 1
