"""The contract of the library in words: a page of all functions, and what ``sley explain`` says of one."""

from collections.abc import Iterator

from sley.frontend.contract import ErrorNumber, Group, Ordering, Row, contract

_ERROR_NUMBERS = {
    ErrorNumber.KEPT: "kept",
    ErrorNumber.EXACT: "set by a failure, kept by a success",
    ErrorNumber.SET: "set by a failure; after a success it may have changed",
    ErrorNumber.MAY: "may change",
}
_ORDERINGS = {
    Ordering.NEVER: "no",
    Ordering.SUCCESS: "when it succeeds",
    Ordering.ALWAYS: "yes",
}
_HEAD = """# The supported library

This page is generated from the contract (`src/sley/frontend/contracts`): `make docs-library`.
`sley explain fopen` says the same of one function. Every row is asked of the model by generated
programs (`tests/contract`), and a function without a row has no model.

- *Fails*: the condition on the result `r` that tells a failure. A failure is possible in every
  program that makes the call; `never` means for valid arguments.
- *errno*: no function sets it to 0 (C11 7.5p3).
- *Threads*: calls in two threads race where POSIX XSH 2.9.1 or C11 does not promise otherwise.
- *Orders*: whether the call orders memory between threads (POSIX XBD 4.12, C11 7.17).
- *Undefined*: such calls are a BUG.

"""
_COLUMNS = ("Function", "Result", "Fails", "errno", "Threads", "Orders", "Undefined")


def explained(row: Row) -> list[str]:
    """What the contract says of a function, for a terminal."""
    said = [
        ("Result", _result(row)),
        ("Fails", _failure(row)),
        ("errno", _ERROR_NUMBERS[row.errno]),
        ("Threads", _threads(row)),
        ("Orders", _ORDERINGS[row.orders]),
        *(("Undefined" if number == 0 else "", call) for number, call in enumerate(row.invalid)),
    ]
    return [row.c, "", *(f"{name:10}{text}" for name, text in said if text)]


def page() -> str:
    """All functions, as Markdown."""
    groups = contract()
    count = sum(len(group.rows) for group in groups)
    parts = [_HEAD, f"{count} functions in {len(groups)} groups.\n"]
    parts += [f"\n## {group.title}\n\n{_table(group)}" for group in groups]
    return "".join(parts)


def _table(group: Group) -> str:
    lines = [_COLUMNS, tuple("---" for _ in _COLUMNS), *(_cells(row) for row in group.rows)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cells(row: Row) -> tuple[str, ...]:
    return (
        f"`{row.name}`",
        _escaped(_result(row)),
        _escaped(_failure(row, mark="`")),
        _ERROR_NUMBERS[row.errno],
        _threads(row),
        _ORDERINGS[row.orders],
        "; ".join(f"`{_escaped(call)}`" for call in row.invalid),
    )


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


def _result(row: Row) -> str:
    return ", ".join(_results(row))


def _results(row: Row) -> Iterator[str]:
    if row.says:
        yield row.says
    if row.is_same:
        yield "the same each time"
    if row.is_distinct:
        yield "different each time"


def _failure(row: Row, mark: str = "") -> str:
    if row.fails:
        return f"{mark}{row.fails}{mark}"
    return f"assumed not to: {row.assumes}" if row.assumes else "never"


def _threads(row: Row) -> str:
    return "safe" if row.is_thread_safe else "calls race"


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201 - `make docs-library`
