"""Tables on the terminal: names to the left, numbers to the right, each row as soon as it is known."""

from collections.abc import Sequence


class Table:
    """A table whose rows are printed one by one; a cell that is too wide moves the rest of its row."""

    def __init__(self, head: Sequence[str], widths: Sequence[int], names: int = 2) -> None:
        self.widths = [max(len(cell), width) for cell, width in zip(head, widths, strict=True)]
        self.names = names
        self.row(head)
        self.row(["-" * width for width in self.widths])

    def row(self, cells: Sequence[str]) -> None:
        parts = [
            f"{cell:<{width}}" if i < self.names else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(cells, self.widths, strict=True))
        ]
        print("  ".join(parts).rstrip(), flush=True)


WORSE = "*"
"""Behind a figure that is above the published one."""


def beside(text: str, ours: float | None, theirs: float | None) -> str:
    """A cell, marked if ours is above theirs; None is what did not end."""
    is_worse = theirs is not None and (ours is None or ours > theirs)
    return text + WORSE if is_worse else text


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> list[str]:
    """Columns as wide as their widest cell: the first ones to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return [
        "  ".join(
            f"{cell:<{width}}" if i < names else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table of which all rows are known."""
    print(*aligned(head, rows, names=2), "", sep="\n")


def number(value: float | None, digits: int = 0) -> str:
    return "" if value is None else f"{value:.{digits}f}"


def ratio(ours: float | None, theirs: float | None, digits: int = 1) -> str:
    return "" if not ours or theirs is None else f"{theirs / ours:.{digits}f}"
