"""Expressions of C in witnesses: their tokens, and what comparisons with constants they are made of.

Whether a text is C, and what it does, the compiler says where it is put into the program (``effects``). Here
it is only made sure that it stays one expression there: no comment, no semicolon, nothing that is not closed.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sley.base.errors import InputError
from sley.base.source import Span

RESULT = "\\result"
"""What a function returns, in ACSL."""

_MOST_TOKENS = 5_000
_DEEPEST = 60
_TOKEN = re.compile(
    r"""[ \t\n]*(
    (?:\d|\.\d)(?:[eE][+-]|[\w.])*
  | '(?:[^'\\\n]|\\[^\n])'
  | "(?:[^"\\\n]|\\[^\n])*"
  | \\result\b | [A-Za-z_$][\w$]*
  | <<|>>|<=|>=|==|!=|&&|\|\||->|[-+](?![-+])|[*/%&|^~!<>?:()\[\].,]
    )""",
    re.VERBOSE,
)
_NAME, _OPERATOR = r"(\\result|[A-Za-z_$][\w$]*)", r"([=!]=|[<>]=?)"
_NUMBER = r"(-?(?:0[xX][0-9a-fA-F]+|0|[1-9]\d*))[lL]*"
_FORMS = (re.compile(f"{_NAME}{_OPERATOR}{_NUMBER}"), re.compile(f"{_NUMBER}{_OPERATOR}{_NAME}"))
_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_RELATIONS: Mapping[str, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class Comparison(NamedTuple):
    """A variable compared with a constant."""

    name: str
    relation: str
    constant: int

    def holds(self, value: int) -> bool:
        """Whether a value is in the relation to the constant."""
        return _RELATIONS[self.relation](value, self.constant)


Condition = tuple[Comparison | None, ...]
"""What holds together; None: C whose value is left open."""


def condition_of(text: str, span: Span) -> Condition:
    """The conjuncts of an expression."""
    return tuple(_comparison(part) for part in _conjuncts(_tokens(text, span)))


def printed(text: str, span: Span) -> str:
    """An expression again, from its tokens: no comment is left, and no two of them run together."""
    return " ".join(_tokens(text, span))


def effects(text: str) -> str:
    """What is wrong with an invariant that may do something."""
    return f"the invariant `{' '.join(text.split())}` calls a function or has other effects"


def _tokens(text: str, span: Span) -> list[str]:
    """The tokens of an expression that assigns nothing and stays one; ``InputError`` for others."""
    wrong = InputError(f"`{text.strip()}` is not a C expression", span)
    tokens: list[str] = []
    closing: list[str] = []
    at, end, prefixes = 0, len(text.rstrip()), 0
    while at < end:
        found = _TOKEN.match(text, at)
        if found is None:
            raise wrong
        tokens.append(token := found[1])
        at = found.end()
        if token in "([":
            closing.append(")" if token == "(" else "]")
        elif token in ")]" and (not closing or closing.pop() != token):
            raise wrong
        prefixes = prefixes + 1 if token in "-+!~*&" else 0
        if len(tokens) > _MOST_TOKENS or max(len(closing), prefixes) > _DEEPEST:
            raise InputError("an expression that is too long or too deep", span)
    if closing or not tokens:
        raise wrong
    return tokens


def _conjuncts(tokens: Sequence[str]) -> Iterator[Sequence[str]]:
    """What has to hold, each for itself."""
    depth, start = 0, 0
    inside = len(tokens) > 2 and tokens[0] == "("
    marks: list[int] = []
    for at, token in enumerate(tokens):
        depth += (token in "([") - (token in ")]")
        inside = inside and (depth > 0 or at == len(tokens) - 1)
        if depth == 0 and token in ("||", "?", ","):
            yield tokens
            return
        if depth == 0 and token == "&&":
            marks.append(at)
    if inside:
        yield from _conjuncts(tokens[1:-1])
    elif not marks:
        yield tokens
    else:
        for mark in (*marks, len(tokens)):
            yield from _conjuncts(tokens[start:mark])
            start = mark + 1


def _comparison(tokens: Sequence[str]) -> Comparison | None:
    text = "".join(tokens)
    if found := _FORMS[0].fullmatch(text):
        return Comparison(found[1], found[2], int(found[3], 0))
    if found := _FORMS[1].fullmatch(text):
        return Comparison(found[3], _MIRRORED.get(found[2], found[2]), int(found[1], 0))
    return None
