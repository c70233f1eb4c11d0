"""Whether invariants do anything but read: macros may hide calls and assignments."""

import re
from collections.abc import Iterator, Sequence

from sley.base.errors import GaveUpError
from sley.frontend.clang_library import CursorKind
from sley.frontend.parse import ParseOptions, SourceParser
from sley.frontend.syntax import SyntaxNode, TreeReader
from sley.verification.task import Task
from sley.verification.witnesses.document import Invariant

DOING = (CursorKind.CALL, CursorKind.STATEMENT_EXPRESSION)


_REDEFINED = re.compile(rb"(?:#|%:)\s*define\s+(?:if|extern|void|__VERIFIER_atomic_(?:begin|end))\b")
"""A macro that makes something else of an assertion."""
_COMMENT = re.compile(rb"/\*.*?\*/", re.DOTALL)
NOT_SEEN = "an invariant is not read as one where it is said to hold: a macro or a comment is in the way"


def one_with_effects(task: Task, invariants: Sequence[Invariant]) -> Invariant | None:
    """Look at the conditions under which a copy of the program says that an invariant is false.

    ``GaveUpError`` unless the compiler sees one for each invariant.
    """
    refuted, seen = str(task.selection.error_call), 0
    parser = SourceParser(ParseOptions(task.data_model, task.include_dirs, task.defines))
    for path in task.paths:
        reader = TreeReader(parser.parse(path))
        if any(_REDEFINED.search(_plain(text)) for text in reader.unit.all_texts()):
            raise GaveUpError(NOT_SEEN)
        for function in reader.unit.functions.values():
            for condition in _conditions(reader.read(function), refuted):
                seen += 1
                if condition.assigns or any(part.kind in DOING for part in condition.walk()):
                    return at_line(condition.span.line, invariants)
    if seen != len(invariants):
        raise GaveUpError(NOT_SEEN)
    return None


def _plain(text: bytes) -> bytes:
    """Lines that go on are one, and comments are blanks."""
    return _COMMENT.sub(b" ", re.sub(rb"\\[ \t]*\r?\n", b"", text))


def _conditions(body: SyntaxNode, refuted: str) -> Iterator[SyntaxNode]:
    for node in body.walk():
        if node.kind == CursorKind.IF and len(node.children) == 2:
            condition, then = node.children
            if then.kind == CursorKind.CALL and then.name == refuted:
                yield condition


def at_line(line: int | None, invariants: Sequence[Invariant]) -> Invariant:
    """The invariant that a line is about; the first one if that is not plain."""
    return next((one for one in invariants if one.place.line == line), invariants[0])
