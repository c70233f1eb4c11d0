"""``sley explain``: what a word in a report means, in about ten lines."""

from collections.abc import Sequence

from sley.base.errors import InputError
from sley.cli.exit_codes import ExitCode
from sley.cli.terminal import show
from sley.reports.lines import Line, Segment, line
from sley.wording.topics import TOPICS, Topic, nearest, topic_of


def explain_topic(*, topic: Sequence[str]) -> int:
    """Print a topic, or the list of all."""
    word = " ".join(topic)
    show(_explained(word) if word else _listed())
    return ExitCode.SAFE


def _listed() -> list[Line]:
    width = max(map(len, TOPICS))
    rows = [line(f"  {one.name:{width}}  {one.title}") for one in TOPICS.values()]
    return [line("sley explain TOPIC, which is one of these (or a word from a report):"), line(""), *rows]


def _explained(word: str) -> list[Line]:
    topic = topic_of(word)
    if topic is None:
        raise InputError(_not_found(word))
    return _lines(topic)


def _lines(topic: Topic) -> list[Line]:
    return [line(Segment(topic.title, "label")), line(""), *map(line, topic.text.split("\n"))]


def _not_found(word: str) -> str:
    close = nearest(word)
    hint = f"did you mean {' or '.join(close)}?" if close else "`sley explain` lists all"
    return f"no topic `{word}`: {hint}"
