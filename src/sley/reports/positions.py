"""Where threads stand, in the user's words: lines and statements."""

from dataclasses import dataclass
from pathlib import PurePath

from sley.base.source import Span
from sley.inspection.unfolding import UnfoldedNode
from sley.program.program import Origin
from sley.reports.rows import statement_of
from sley.semantics.code import Code
from sley.semantics.symbolic_step import Branch
from sley.wording.programs import ThreadNames


@dataclass(frozen=True, slots=True, order=True)
class StatementPosition:
    """A statement; ended threads have none."""

    file: str
    line: int
    text: str

    @property
    def place(self) -> str:
        """The line, or what there is instead."""
        return str(self.line) if self.line else self.text

    def __str__(self) -> str:
        return f"{self.line} {self.text}" if self.line else self.text


ENDED = StatementPosition("", 0, "ended")
START = StatementPosition("", 0, "start")


class StatementPositions:
    """The statements of one program."""

    def __init__(self, code: Code, threads: ThreadNames) -> None:
        self.code = code
        self.threads = threads
        self._main = _span(code.program.functions[code.program.entry].span)

    def at(self, location: int) -> StatementPosition:
        """The statement that a thread at this location is about to execute."""
        edges = self.code.out.get(location, ())
        return self._of(edges[0].origin) if edges else ENDED

    def of(self, branch: Branch) -> StatementPosition:
        """The statement with which a step begins."""
        return self._of(branch.edges[0].origin)

    def _of(self, origin: Origin) -> StatementPosition:
        statement = statement_of(origin)
        if statement is None:
            return START
        span = _span(statement.span)
        text = " ".join(statement.text.split()).removesuffix(";")
        is_elsewhere = span.file != self._main.file
        return StatementPosition(
            span.file, span.line, f"({PurePath(span.file).name}) {text}" if is_elsewhere else text
        )

    def all(self, node: UnfoldedNode) -> list[tuple[str, StatementPosition]]:
        """Each thread of a node and where it stands."""
        return [
            (self.threads(node.shape, thread), self.at(at) if at >= 0 else ENDED)
            for thread, at in enumerate(node.control)
        ]


def _span(span: Span | None) -> Span:
    return span if span is not None else Span("", 0, 0)
