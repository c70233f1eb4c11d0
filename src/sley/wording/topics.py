"""What ``sley explain`` says: short texts about words in reports, kept as files in ``sley/topics``.

A file has a title, a line ``also:`` with other names (rules, verdicts, words of the field), and the text.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files

_PREFIX = "also:"


@dataclass(frozen=True, slots=True)
class Topic:
    """One text, no wider than 79 columns."""

    name: str
    title: str
    text: str
    aliases: tuple[str, ...] = ()


def _read() -> Mapping[str, Topic]:
    found = (entry for entry in files("sley").joinpath("topics").iterdir() if entry.name.endswith(".txt"))
    texts = {entry.name.removesuffix(".txt"): entry.read_text(encoding="utf-8") for entry in found}
    return {name: _topic(name, texts[name]) for name in sorted(texts)}


def _topic(name: str, content: str) -> Topic:
    title, also, text = content.split("\n", 2)
    return Topic(name, title, text.strip("\n"), tuple(also.removeprefix(_PREFIX).split()))


TOPICS = _read()
"""All topics by name, in the order of the alphabet."""


def topic_of(word: str) -> Topic | None:
    """The topic that a word belongs to: a name, another name, or a verdict such as ``false(no-overflow)``."""
    return TOPICS.get(_names().get(_simplified(word), ""))


def nearest(word: str) -> list[str]:
    """Names that a word may have been meant to be; empty if none is like it."""
    names = _names()
    close = get_close_matches(_simplified(word), names, n=5, cutoff=0.6)
    return list(dict.fromkeys(names[one] for one in close))


@cache
def _names() -> Mapping[str, str]:
    """Every name of a topic, simplified; its own name comes before another's alias."""
    aliases = {_simplified(alias): topic.name for topic in TOPICS.values() for alias in topic.aliases}
    return aliases | {name: name for name in TOPICS}


def _simplified(word: str) -> str:
    inner = re.fullmatch(r"(?:result:\s*)?false\((.*)\)", word.strip().lower())
    text = inner[1] if inner else word.strip().lower()
    return re.sub(r"[\s_]+", "-", text).strip("-")
