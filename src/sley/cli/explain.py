"""``sley explain``: what a word in a report means, or what a function of the library does."""

from collections.abc import Sequence

from sley.base.errors import InputError
from sley.cli.exit_codes import ExitCode
from sley.cli.terminal import show
from sley.frontend.contract import row_of
from sley.reports.library import explained, listed
from sley.reports.lines import Line, Segment, line
from sley.wording.topics import TOPICS, Topic, nearest, topic_of

LIBRARY = "library"
"""Lists all functions that have a row."""


def explain_topic(*, topic: Sequence[str]) -> int:
    """Print a topic, or the list of all."""
    word = " ".join(topic)
    show(_explained(word) if word else _listed())
    return ExitCode.SAFE


def _listed() -> list[Line]:
    width = max(map(len, TOPICS))
    topics = [line(f"  {one.name:{width}}  {one.title}") for one in TOPICS.values()]
    head = "sley explain TOPIC, which is one of these, a word from a report, or a function of the library:"
    end = f"  {LIBRARY:{width}}  all functions that are modelled"
    return [line(head), line(""), *topics, line(end)]


def _explained(word: str) -> list[Line]:
    if word == LIBRARY:
        head = "the functions of the library that are modelled"
        return [line(Segment(head, "label")), line(""), *map(line, listed())]
    topic = topic_of(word)
    if topic is not None:
        return _lines(topic)
    row = row_of(word.removesuffix("()"))
    if row is None:
        raise InputError(_not_found(word))
    return [
        line(Segment(f"{row.name}, a function of the library", "label")),
        line(""),
        *map(line, explained(row)),
    ]


def _lines(topic: Topic) -> list[Line]:
    return [line(Segment(topic.title, "label")), line(""), *map(line, topic.text.split("\n"))]


def _not_found(word: str) -> str:
    close = nearest(word)
    hint = f"did you mean {' or '.join(close)}?" if close else "`sley explain` lists all"
    return f"no topic `{word}`: {hint}"
