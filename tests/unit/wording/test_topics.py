"""``sley explain``: every word in a report leads to a text that fits any terminal."""

from pathlib import Path

import pytest

from sley.cli.main import run
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.wording.topics import TOPICS, nearest, topic_of


def test_texts_are_short_and_fit_eighty_columns() -> None:
    for topic in TOPICS.values():
        lines = topic.text.split("\n")
        assert 5 <= len(lines) <= 16, topic.name
        assert max(map(len, lines)) < 80, topic.name
        assert topic.title


def test_every_property_and_verdict_is_explained() -> None:
    for prop in Property:
        assert topic_of(prop.value) == topic_of(f"RESULT: false({prop.verdict_name})") is not None
    for group in PROPERTY_GROUPS:
        assert topic_of(group) is not None


def test_a_name_is_not_the_alias_of_two_topics() -> None:
    aliases = [alias for topic in TOPICS.values() for alias in topic.aliases]
    assert len(aliases) == len(set(aliases))
    assert not set(aliases) & set(TOPICS)


def test_documents_and_topics_that_are_named_exist() -> None:
    root = Path(__file__).parents[3]
    for topic in TOPICS.values():
        for line in topic.text.split("\n"):
            if line.startswith("See also: "):
                names, _, documents = line.removeprefix("See also: ").partition("; ")
                assert all(name in TOPICS for name in names.split(", ")), topic.name
                assert not documents or (root / documents.split(",")[0]).exists(), topic.name


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("null-dereference", "deref"),
        ("SAFE UP TO", "bounded"),
        ("seq_cst", "memory-orders"),
        ("Race", "race"),
    ],
)
def test_words_of_reports(word: str, name: str) -> None:
    topic = topic_of(word)
    assert topic is not None
    assert topic.name == name


def test_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in TOPICS)
    assert run(["explain", "deadlock"]) == 0
    assert TOPICS["deadlock"].text in capsys.readouterr().out
    assert run(["explain", "dedlock"]) == 2
    assert "did you mean deadlock" in capsys.readouterr().err
    assert nearest("qqqq") == []
