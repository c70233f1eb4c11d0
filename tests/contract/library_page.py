"""The page of the supported library, ``docs/library.md``, from the contract: ``make docs-library``."""

import re
from collections.abc import Sequence

from sley.frontend.contract import SAME, ContractGroup, ContractRow, contract
from sley.reports.library import ERROR_NUMBERS, ORDERINGS, failure, result, threads

_HEAD = f"""# The supported library

This page is generated from the contract (`src/sley/frontend/contracts`): `make docs-library`.
`sley explain fopen` says the same of one function, `sley explain library` lists them all. Every row
is asked of the model by generated programs (`tests/contract`), and a function without a row has no
model.

- *Fails*: the condition on the result `r` that tells a failure. A failure is possible in every
  program that makes the call; `never` means for valid arguments.
- *errno*: no function sets it to 0 (C11 7.5p3).
- *Threads*: calls in two threads race where POSIX XSH 2.9.1 or C11 does not promise otherwise.
- *Orders*: whether the call orders memory between threads (POSIX XBD 4.12, C11 7.17); where that
  is not said, a race that it would prevent is a possible bug.
- *Undefined*: such calls are a BUG.

What is the same for all functions of a group stands above its table, and functions that differ in
their names and types only have one line.
{", ".join(f"`{prefix}`" for prefix in SAME)} before a name change nothing.

Atomic operations (`atomic_load`, `__atomic_fetch_add`, `__sync_val_compare_and_swap`) are not here:
they are no functions with models, but instructions of the program with the order that they name,
whose meaning is that of the memory model (`docs/adr/0015-what-memory-orders-mean.md`,
`tests/litmus`). So are functions that a program declares and no file defines: they return and
write anything, and only lose SAFE.
"""
_COLUMNS = ("Function", "Result", "Fails", "errno", "Threads", "Orders", "Undefined")


def page() -> str:
    """All functions, as Markdown."""
    groups = contract()
    count = sum(len(group.rows) for group in groups)
    parts = [_HEAD, f"\n{count} functions in {len(groups)} groups:\n\n", _contents(groups)]
    parts += [f"\n## {group.title}\n\n{_section(group)}" for group in groups]
    return "".join(parts)


def _contents(groups: tuple[ContractGroup, ...]) -> str:
    lines = [("Group", "Functions"), ("---",) * 2]
    for group in groups:
        anchor = re.sub(r"[^\w -]", "", group.title.lower()).replace(" ", "-")
        lines.append((f"[{group.title}](#{anchor})", str(len(group.rows))))
    return _table(lines)


def _section(group: ContractGroup) -> str:
    """One table, without the columns that say the same of all."""
    joined = _joined(group)
    shared = [n for n in range(2, len(_COLUMNS)) if len({cells[n] for cells in joined}) == 1]
    said = [f"{_COLUMNS[n]}: {joined[0][n]}" for n in shared if joined[0][n]]
    above = f"Of all: {'; '.join(said)}.\n\n" if said else ""
    kept = [n for n in range(len(_COLUMNS)) if n not in shared]
    lines = [_COLUMNS, ("---",) * len(_COLUMNS), *joined]
    return above + _table([tuple(cells[n] for n in kept) for cells in lines])


def _joined(group: ContractGroup) -> list[tuple[str, ...]]:
    """The cells of rows; those that differ in the name only have one line, with the calls of the first."""
    alike: dict[tuple[str, ...], list[ContractRow]] = {}
    for row in group.rows:
        alike.setdefault(_cells(row, "\0"), []).append(row)
    lines = []
    for rows in alike.values():
        names = [name for row in rows for name in (row.name, *row.aliases)]
        _, *others = _cells(rows[0], rows[0].name)
        lines.append((", ".join(f"`{name}`" for name in names), *others))
    return lines


def _table(lines: Sequence[tuple[str, ...]]) -> str:
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _cells(row: ContractRow, name: str) -> tuple[str, ...]:
    """What a row says, with a name for the function where it is called."""
    if row.gives_up:
        return ("", _escaped(f"not modelled: {row.gives_up}"), "", "", "", "", "")
    calls = (re.sub(rf"\b{row.name}\b", lambda _: name, call) for call in row.invalid)
    return (
        "",
        _escaped(result(row)),
        _escaped(failure(row, mark="`")),
        ERROR_NUMBERS[row.errno],
        threads(row),
        ORDERINGS[row.orders],
        "; ".join(f"`{_escaped(call)}`" for call in calls),
    )


def _escaped(text: str) -> str:
    return text.replace("|", "\\|")


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201 - `make docs-library`
