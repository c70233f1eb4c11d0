"""The models of library functions keep what the contract says of them."""

import re
from pathlib import Path
from zlib import crc32

import pytest
from _pytest.mark.structures import ParameterSet

from sley.frontend.builtins import HANDLERS
from sley.frontend.contract import contract, rows
from sley.frontend.parse import MODELS
from sley.reports.library import page
from tests.contract.ask import answer_to, is_right
from tests.contract.programs import Question, questions

ONE_IN = 12
"""``make test`` asks one question in so many, chosen by its name; ``make test-long`` asks them all."""
_DEFINITION = re.compile(r"^(?!static)[A-Za-z_][^\n;=]*?\b(\w+)\([^;{]*?\)\n\{", re.MULTILINE)


def _asked() -> list[ParameterSet]:
    made = [question for group in contract() for row in group.rows for question in questions(group, row)]
    return [
        pytest.param(
            one, id=one.name, marks=() if crc32(one.name.encode()) % ONE_IN == 0 else pytest.mark.long
        )
        for one in made
    ]


@pytest.mark.parametrize("question", _asked())
def test_models_keep_the_contract(question: Question, tmp_path: Path) -> None:
    assert is_right(question, answer_to(question, tmp_path)), question.text


def test_every_row_has_a_model() -> None:
    modelled = {name for path in MODELS.glob("*.c") for name in _DEFINITION.findall(path.read_text())}
    assert [name for name in rows() if name not in modelled | HANDLERS.keys()] == []


def test_the_page_is_that_of_the_contract() -> None:
    path = Path(__file__).parents[2] / "docs/library.md"
    assert path.read_text() == page(), "run `make docs-library`"
