"""Whether invariants do anything but read: macros may hide calls and assignments."""

from collections.abc import Iterator, Sequence

from sley.frontend.clang_library import CursorKind
from sley.frontend.parse import ParseOptions, Parser
from sley.frontend.syntax import Node, Reader
from sley.verification.task import Task
from sley.verification.witnesses.document import Invariant

DOING = (CursorKind.CALL, CursorKind.STATEMENT_EXPRESSION)


def one_with_effects(task: Task, invariants: Sequence[Invariant], refuted: str) -> Invariant | None:
    """Look at the conditions under which a copy of the program calls ``refuted``."""
    parser = Parser(ParseOptions(task.data_model, task.include_dirs, task.defines))
    for path in task.paths:
        reader = Reader(parser.parse(path))
        for function in reader.unit.functions.values():
            for condition in _conditions(reader.read(function), refuted):
                if condition.assigns or any(part.kind in DOING for part in condition.walk()):
                    return at_line(condition.span.line, invariants)
    return None


def _conditions(body: Node, refuted: str) -> Iterator[Node]:
    for node in body.walk():
        if node.kind == CursorKind.IF and len(node.children) == 2:
            condition, then = node.children
            if then.kind == CursorKind.CALL and then.name == refuted:
                yield condition


def at_line(line: int | None, invariants: Sequence[Invariant]) -> Invariant:
    """The invariant that a line is about; the first one if that is not plain."""
    return next((one for one in invariants if one.place.line == line), invariants[0])
