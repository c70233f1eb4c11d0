r"""Outcomes as text: ``0:r1=1 /\ (x=2 \/ ~(1:r2=0))``."""

import re

from sley.base.errors import InputError
from sley.base.source import Span
from sley.frontend.litmus.test import Conjunction, Disjunction, Holds, Negation, Outcome

_TOKEN = re.compile(
    r"\s*(?:(?P<sign>/\\|\\/|=>|~|not\b|\(|\))|(?P<constant>true|false)\b|"
    r"(?:P?(?P<thread>\d+):)?\[?\*?(?P<name>%?[A-Za-z_]\w*)\]?\s*(?P<equals>==|=|!=|<>)\s*(?P<value>-?\w+))"
)


def parse_outcome(text: str, place: Span) -> Outcome:
    """The outcome; ``InputError`` if it is none."""
    return _ConditionParser(text, place).whole()


class _ConditionParser:
    """By recursive descent; ``=>`` binds least, then or, and, not."""

    def __init__(self, text: str, place: Span) -> None:
        self._place = place
        self._tokens: list[re.Match[str]] = []
        at = 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if match is None:
                raise self._error(f"cannot read `{text[at:].strip()[:40]}` in the final condition")
            self._tokens.append(match)
            at = match.end()
        self._next = 0

    def _error(self, message: str) -> InputError:
        return InputError(message, self._place)

    def whole(self) -> Outcome:
        """All of it."""
        try:
            found = self._implication()
        except RecursionError:
            raise self._error("the final condition is too deep") from None
        if self._next < len(self._tokens):
            raise self._error(f"`{self._tokens[self._next].group().strip()}` is not expected there")
        return found

    def _accepts(self, sign: str) -> bool:
        if self._next < len(self._tokens) and self._tokens[self._next]["sign"] == sign:
            self._next += 1
            return True
        return False

    def _implication(self) -> Outcome:
        left = self._disjunction()
        return Disjunction((Negation(left), self._implication())) if self._accepts("=>") else left

    def _disjunction(self) -> Outcome:
        parts = [self._conjunction()]
        while self._accepts("\\/"):
            parts.append(self._conjunction())
        return parts[0] if len(parts) == 1 else Disjunction(tuple(parts))

    def _conjunction(self) -> Outcome:
        parts = [self._single()]
        while self._accepts("/\\"):
            parts.append(self._single())
        return parts[0] if len(parts) == 1 else Conjunction(tuple(parts))

    def _single(self) -> Outcome:
        if self._accepts("~") or self._accepts("not"):
            return Negation(self._single())
        if self._accepts("("):
            inner = self._implication()
            if not self._accepts(")"):
                raise self._error("a parenthesis of the final condition is not closed")
            return inner
        if self._next == len(self._tokens):
            raise self._error("the final condition ends too early")
        token = self._tokens[self._next]
        self._next += 1
        if token["constant"]:
            return Conjunction(()) if token["constant"] == "true" else Disjunction(())
        if not token["name"]:
            raise self._error(f"`{token.group().strip()}` is not expected there")
        return self._statement(token)

    def _statement(self, token: re.Match[str]) -> Outcome:
        try:
            value = int(token["value"], 0)
        except ValueError:
            raise self._error(f"`{token['value']}` in the final condition is not a number") from None
        thread = None if token["thread"] is None else int(token["thread"])
        holds = Holds(thread, token["name"], value)
        return Negation(holds) if token["equals"] in ("!=", "<>") else holds
