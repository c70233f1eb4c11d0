"""C as the user wrote it: the names, operands and heads of statements."""

import re

_NAME = re.compile(r"[A-Za-z_]\w*")
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\(")
_CONDITION = re.compile(r"(while|if|for)\b")
_EXCHANGE = re.compile(r"compare_exchange|compare_and_swap|CompareExchange|cmpxchg|\bcas\b", re.IGNORECASE)
_DIVISION = re.compile(r".+[/%]=?\s*(.+?)")
_INDEX = re.compile(r"\[[^\]]*\]")


def names_in(text: str) -> list[str]:
    """All identifiers, in order."""
    return _NAME.findall(text)


def called_in(text: str) -> list[str]:
    """The names in front of brackets, in order."""
    return _CALL.findall(text)


def base_of(place: str) -> str:
    """The variable that a memory location is part of: ``a`` of ``a[2].next``."""
    return re.split(r"\W", place.lstrip("*&("), maxsplit=1)[0]


def object_of(place: str) -> str:
    """The object that a memory location is part of, as events name it: ``node#1`` of ``node#1.next``."""
    return re.split(r"[.\[]", place, maxsplit=1)[0]


def begins_with_condition(text: str) -> bool:
    """Whether a statement is a loop or a branch."""
    return _CONDITION.match(text) is not None


def compares_and_exchanges(text: str) -> bool:
    """Whether a statement calls a compare-exchange, by whatever name."""
    return _EXCHANGE.search(text) is not None


def as_loop(text: str) -> str | None:
    """The head of an ``if`` as a ``while``; None if it is none."""
    loop = re.sub(r"^if\b", "while", text)
    return None if loop == text else loop.split("\n", 1)[0].removesuffix(";")


def divisor_in(text: str) -> str:
    """What an expression divides by; empty if there is no division."""
    found = _DIVISION.fullmatch(text)
    return "" if found is None else found[1].strip("() ;")


def is_index_in(place: str, text: str) -> bool:
    """Whether a memory location says only where to look: it stands between brackets."""
    name = re.compile(rf"(?<![\w.]){re.escape(place)}(?!\w)")
    return any(name.search(index) for index in _INDEX.findall(text))
