"""No text that was written for people is read back as data."""

from pathlib import Path

import pytest

import sley
from tests.architecture.words import (
    READERS_OF_TEXT,
    imports_regular_expressions,
    lookups,
    of_rooms,
)

ROOT = Path(sley.__file__).parent
MODULES = dict(of_rooms(ROOT))


def test_words_are_not_looked_into() -> None:
    found = [f"{name}:{line}: {code}" for name, text in MODULES.items() for line, code in lookups(text)]
    assert found == []


def test_regular_expressions_read_what_is_no_text_of_ours() -> None:
    using = {name for name, text in MODULES.items() if imports_regular_expressions(text)}
    assert using == set(READERS_OF_TEXT)


@pytest.mark.parametrize(
    "code",
    [
        "event.note.startswith('waits')",
        "'mutex' in failure.message",
        "re.search('`(.+)`', run.trace.failure.message)",
        "_ORDER.search(fact)",
        "fact.split(' = ')[0]",
        "SHARE_IS_USED_UP in outcome.reason",
        "str(reason).endswith('is not followed')",
        "re.match('x', '' if trace is None else trace.failure.message)",
        "event.note == 'waits'",
        "said == f'{x}' or failure.message == f'{name}()'",
    ],
)
def test_what_looks_into_words_is_found(code: str) -> None:
    assert list(lookups(code))


@pytest.mark.parametrize(
    "code",
    [
        "isinstance(event.note, Waits)",
        "note is None or note == ''",
        "condition in known.facts",
        "' '.join(reason.split())",
        "f'{failure.message}: {fact}'",
        "re.findall(r'\\w+', event.origin.text)",
    ],
)
def test_what_only_shows_words_is_not(code: str) -> None:
    assert not list(lookups(code))
