"""The models of library functions keep what the contract says of them."""

import re
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest
from _pytest.mark.structures import ParameterSet

from sley.frontend.builtins import HANDLERS
from sley.frontend.contract import contract, row_of, rows
from sley.frontend.parse import MODELS
from sley.verification.reading import program_of
from sley.verification.task import Task
from tests.contract.ask import answer_to, is_right
from tests.contract.equivalent import EQUIVALENT
from tests.contract.faults import faults_in, noticed_by
from tests.contract.library_page import page
from tests.contract.programs import Question, questions

ONE_IN = 96
"""``make test`` asks one question in so many, chosen by its name; ``make test-long`` asks them all."""
SLOW = frozenset({"getline-threads", "getaddrinfo-threads"})
"""Questions that take minutes."""
_DEFINITION = re.compile(r"^(?!static)[A-Za-z_][^\n;=]*?\b(\w+)\([^;{]*?\)\n\{", re.MULTILINE)
_MACRO = re.compile(r"^#define ([A-Za-z_]\w*)\(", re.MULTILINE)
_OF_OURS = re.compile(r"_*(sley|SLEY)_")
"""How the names of what models share begin, and of primitives."""
INTERNAL = {
    "__errno_location": "what the macro `errno` is",
    "__ctype_b_loc": "what the macros of <ctype.h> call",
    "__ctype_tolower_loc": "what the macros of <ctype.h> call",
    "__ctype_toupper_loc": "what the macros of <ctype.h> call",
    "__assert_fail": "what the macro `assert` calls when it fails",
    "__assert": "what the macro `assert` of other libraries calls",
    "__assert2": "what the macro `assert` of other libraries calls",
    "__assert_rtn": "what the macro `assert` of other libraries calls",
    "__sigsetjmp_cancel": "what `pthread_cleanup_push` of glibc calls",
    "__pthread_register_cancel": "what `pthread_cleanup_push` of glibc calls",
    "__pthread_unregister_cancel": "what `pthread_cleanup_pop` of glibc calls",
    "__pthread_unwind_next": "what `pthread_cleanup_push` of glibc calls",
    **dict.fromkeys(
        ("S_ISFIFO", "S_ISCHR", "S_ISDIR", "S_ISBLK", "S_ISREG", "S_ISLNK", "S_ISSOCK"), "bits of a number"
    ),
    **dict.fromkeys(("WIFEXITED", "WEXITSTATUS"), "bits of a number"),
    **dict.fromkeys(("FD_ZERO", "FD_SET", "FD_CLR", "FD_ISSET"), "bits of an array"),
    "__declspec": "part of the language of Windows",
    "__CPU_WORD": "part of `CPU_SET`",
    "__CPU_BIT": "part of `CPU_SET`",
}
"""What has a model and no row, and why: no program calls it by this name."""


def _is_quick(name: str) -> bool:
    return crc32(name.encode()) % ONE_IN == 0 and name not in SLOW


def _asked() -> list[ParameterSet]:
    made = [question for group in contract() for row in group.rows for question in questions(group, row)]
    return [
        pytest.param(one, id=one.name, marks=() if _is_quick(one.name) else pytest.mark.long) for one in made
    ]


@pytest.mark.parametrize("question", _asked())
def test_models_keep_the_contract(question: Question, tmp_path: Path) -> None:
    assert is_right(question, answer_to(question, tmp_path)), question.text


@pytest.mark.parametrize("assumption", sorted({row.assumes for row in rows().values()} - {""}))
def test_what_a_row_assumes_is_in_the_report(assumption: str, tmp_path: Path) -> None:
    group, row = next((g, row) for g in contract() for row in g.rows if row.assumes == assumption)
    path = tmp_path / "program.c"
    path.write_text(next(questions(group, row)).text)
    assert assumption in program_of(Task(paths=(path,))).assumptions


def test_every_row_has_a_model() -> None:
    modelled = _modelled()
    prefixes = ("__VERIFIER_nondet_",)
    assert [name for name in rows() if name not in modelled and not name.startswith(prefixes)] == []


def test_every_model_has_a_row() -> None:
    assert [name for name in _modelled() if row_of(name) is None and name not in INTERNAL] == []


def test_what_needs_no_row_has_none() -> None:
    assert [name for name in INTERNAL if name not in _modelled() or row_of(name)] == []


def test_other_names_have_the_row_of_the_function() -> None:
    copy = row_of("__builtin_memcpy")
    assert copy is not None
    assert copy.call.startswith("__builtin_memcpy(")
    assert row_of("va_copy") == replace(rows()["__builtin_va_copy"], name="va_copy", aliases=())
    assert row_of("__builtin_no_such_function") is None


def test_faults_that_change_nothing_are_faults() -> None:
    names = {fault.name for row in rows().values() for fault in faults_in(row)}
    assert [name for name in EQUIVALENT if name not in names] == []


def test_a_broken_model_is_noticed() -> None:
    group, row = next((g, row) for g in contract() for row in g.rows if row.name == "truncf")
    fault = next(
        one for one in faults_in(row) if one.name.endswith("truncf returns 0: return (float)trunc(x);")
    )
    assert noticed_by(group, row, fault) == "truncf-holds: BUG"


def _modelled() -> list[str]:
    """What programs can call: definitions, instructions with names, and macros."""
    found = [name for path in sorted(MODELS.glob("*.c")) for name in _DEFINITION.findall(path.read_text())]
    headers = sorted((MODELS / "include").rglob("*.h"))
    macros = [
        name
        for path in headers
        if not path.name.startswith("sley_")
        for name in _MACRO.findall(path.read_text())
    ]
    names = dict.fromkeys([*found, *HANDLERS, *macros])
    return [name for name in names if not _OF_OURS.match(name)]


def test_the_page_is_that_of_the_contract() -> None:
    path = Path(__file__).parents[2] / "docs/library.md"
    assert path.read_text() == page(), "run `make docs-library`"
