"""The contract of the library in words: what ``sley explain`` says of a function."""

import textwrap
from collections.abc import Iterator

from sley.frontend.contract import ContractRow, ErrorNumber, OrderingColumn, contract

ERROR_NUMBERS = {
    ErrorNumber.KEPT: "kept",
    ErrorNumber.EXACT: "set by a failure, kept by a success",
    ErrorNumber.SET: "set by a failure; after a success it may have changed",
    ErrorNumber.MAY: "may change",
}
ORDERINGS = {
    OrderingColumn.NEVER: "no",
    OrderingColumn.SUCCESS: "when it succeeds",
    OrderingColumn.ALWAYS: "yes",
    OrderingColumn.OPEN: "not said",
}
_WIDTH = 78


def explained(row: ContractRow) -> list[str]:
    """What the contract says of a function, for a terminal."""
    if row.gives_up:
        return [row.c, "", f"Not modelled: {row.gives_up}. Programs that come to the call are UNKNOWN."]
    said = [
        ("Result", result(row)),
        ("Fails", failure(row)),
        ("errno", ERROR_NUMBERS[row.errno]),
        ("Threads", threads(row)),
        ("Orders", ORDERINGS[row.orders]),
        *(("Undefined" if number == 0 else "", call) for number, call in enumerate(row.invalid)),
        ("Also", ", ".join(row.aliases)),
    ]
    return [row.c, "", *(f"{name:10}{text}" for name, text in said if text)]


def listed() -> list[str]:
    """The names of all functions, for a terminal."""
    lines = []
    for group in contract():
        names = " ".join(row.name for row in group.rows)
        lines += [f"{group.title} ({len(group.rows)})"]
        lines += [f"  {line}" for line in textwrap.wrap(names, _WIDTH, break_on_hyphens=False)]
    return lines


def result(row: ContractRow) -> str:
    """What it returns."""
    return ", ".join(_results(row))


def _results(row: ContractRow) -> Iterator[str]:
    if row.says:
        yield row.says
    if row.is_same:
        yield "the same each time"
    if row.is_distinct:
        yield "different each time"


def failure(row: ContractRow, mark: str = "") -> str:
    """When it fails."""
    if row.fails:
        return f"{mark}{row.fails}{mark}"
    return f"assumed not to: {row.assumes}" if row.assumes else "never"


def threads(row: ContractRow) -> str:
    """Whether two threads may call it."""
    return "safe" if row.is_thread_safe else "calls race"
