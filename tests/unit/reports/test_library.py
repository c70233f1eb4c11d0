"""The contract in words: one page, and what ``sley explain`` says."""

import pytest

from sley.cli.main import run
from sley.frontend.contract import contract
from sley.reports.library import listed
from tests.contract.library_page import page


def test_the_page_begins_with_its_groups() -> None:
    text = page()
    rows = sum(len(group.rows) for group in contract())
    assert f"{rows} functions in {len(contract())} groups" in text
    for group in contract():
        assert text.index(f"[{group.title}](#") < text.index("\n## ")
        assert f"\n## {group.title}\n" in text


def test_every_function_is_on_the_page_once() -> None:
    sections = page().partition("\n## ")[2]
    names = [line.split(" | ")[0] for line in sections.splitlines() if line.startswith("| `")]
    assert len(names) < sum(len(group.rows) for group in contract())
    for group in contract():
        for row in group.rows:
            assert sum(f"`{row.name}`" in name.split(", ") or f"| `{row.name}`" in name for name in names)


def test_functions_that_differ_in_their_names_have_one_line() -> None:
    assert "`trunc`, `truncf`, `truncl` |" in page()
    assert "`isalnum`, " not in page()


def test_what_all_functions_of_a_group_share_is_said_once() -> None:
    section = page().partition("## Interlocked operations of Windows")[2].partition("\n## ")[0]
    assert "Of all: Fails: never; errno: kept; Threads: safe; Orders: yes." in section
    assert "| Function | Result | Undefined |" in section


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("library", "TryEnterCriticalSection"),
        ("__builtin_memcpy", "void *__builtin_memcpy(void *to"),
        ("va_copy()", "the arguments that are left"),
        ("TerminateThread", "Not modelled: a thread is terminated by another one."),
        ("WaitForSingleObject", "Orders    when it succeeds"),
    ],
)
def test_explain(word: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", word]) == 0
    assert said in capsys.readouterr().out


def test_the_list_of_functions_is_narrow() -> None:
    assert max(map(len, listed())) <= 80
