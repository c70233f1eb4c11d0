"""The table of what checkers share with engines, in ARCHITECTURE.md, is that of the code."""

import pytest

from tests.architecture.shared_code import BEGIN, CHECKERS, DOCUMENT, END, reached, table

ALLOWANCE = 0.15
"""So much may a number of lines have changed since the table was written."""


def cells(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in text.splitlines()]


def is_close(written: str, now: str) -> bool:
    if not (written.isdigit() and now.isdigit()):
        return written == now
    return abs(int(written) - int(now)) <= max(50, ALLOWANCE * int(now))


def test_the_table_is_up_to_date() -> None:
    _, rest = DOCUMENT.read_text().split(BEGIN)
    written, now = cells(rest.split(END)[0]), cells(table())
    changed = [
        f"{row[0]}: {head} is {new}, not {old}"
        for row, old_row in zip(now, written, strict=True)
        for head, new, old in zip(now[0], row, old_row, strict=True)
        if not is_close(old, new)
    ]
    assert changed == [], "write it anew: python -m tests.architecture.shared_code"


@pytest.mark.parametrize("checker", CHECKERS.values())
def test_no_checker_reaches_an_engine(checker: str) -> None:
    assert [module for module in reached(checker) if module.startswith("sley.engines")] == []
