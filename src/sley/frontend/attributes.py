"""Attributes of declarations that run code without a call, or make names stand for something else.

clang's tree does not name such attributes. The printed declaration does, also where a macro wrote them, but
only at the declaration that has them: whoever asks about a function must ask all its declarations.
"""

import re

from sley.frontend.clang_library import ClangCursor, CursorKind, library, text

LAST_PRIORITY = 65535
"""Constructors and destructors without a priority come after, or before, all others."""


def attribute(cursor: ClangCursor, name: str) -> str | None:
    """What stands in parentheses after an attribute of a declaration, maybe nothing; None without it."""
    if not library().clang_Cursor_hasAttrs(cursor):
        return None
    printed = text(library().clang_getCursorPrettyPrinted(cursor, None))
    head = printed.split("{" if cursor.kind == CursorKind.FUNCTION else "=", 1)[0]
    found = re.search(rf"(?:__attribute__\(\(|\[\[gnu::)\s*{name}\b(?:\(([^()]*)\))?", head)
    return None if found is None else (found[1] or "").strip().strip('"')


def declared_alignment(cursor: ClangCursor) -> int:
    """The alignment that a declaration asks for; 1 if it asks for none, or not by a number."""
    if not library().clang_Cursor_hasAttrs(cursor):
        return 1
    head = text(library().clang_getCursorPrettyPrinted(cursor, None)).split("=", 1)[0]
    return max(map(int, re.findall(r"(?:_Alignas|aligned)\((\d+)\)", head)), default=1)


def never_returns(declarations: list[ClangCursor]) -> bool:
    """Whether a function is declared ``_Noreturn``: an attribute of it, or in GNU C of its type."""
    lib = library()
    for cursor in declarations:
        if "noreturn" in text(lib.clang_getTypeSpelling(lib.clang_getCursorType(cursor))):
            return True
        printed = (
            text(lib.clang_getCursorPrettyPrinted(cursor, None)) if lib.clang_Cursor_hasAttrs(cursor) else ""
        )
        if "_Noreturn" in printed.split("(", 1)[0]:
            return True
    return False


def priority(declarations: list[ClangCursor], name: str) -> int | None:
    """The priority of a constructor or destructor, or None if the function is none."""
    for cursor in declarations:
        argument = attribute(cursor, name)
        if argument is not None:
            return int(argument) if argument.isdigit() else LAST_PRIORITY
    return None
