"""Positions in C source text."""

from dataclasses import dataclass

from sley.base.shown import visible


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of one source file; lines and columns count from 1, the end is exclusive."""

    file: str
    line: int
    column: int
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        return f"{visible(self.file)}:{self.line}:{self.column}"
