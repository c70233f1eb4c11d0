r"""Reads the part of cat that ``docs/cat.md`` describes; all else is refused with its place.

From the weakest to the strongest: ``|``, ``;``, ``\``, ``&``, ``*`` (of two sets), ``~``, and behind an
operand ``^-1``, ``?``, ``+``, ``*``.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from sley.base import outside
from sley.base.errors import InputError
from sley.base.shown import visible
from sley.base.source import Span
from sley.memory_models.syntax import (
    Apply,
    Axiom,
    Binding,
    Expression,
    Let,
    Name,
    Operation,
    Operator,
    Requirement,
    Text,
)

DEEPEST = 40
"""Parentheses may be inside each other so often."""

BUILT_IN = frozenset({"cos.cat", "stdlib.cat"})
"""Files of herd whose definitions every text here has without them."""

_TOKEN = re.compile(
    r"(?P<space>\s+|//[^\n]*)|(?P<comment>\(\*)|(?P<string>\"[^\"\n]*\")|(?P<inverse>\^-1)"
    r"|(?P<word>[A-Za-z_](?:[\w.]|-(?=\w))*)|(?P<sign>[|;\\&*~?+()\[\],=0]|\{\})"
)
_KEYWORDS = frozenset({"let", "rec", "and", "as", "include", *(one.value for one in Requirement)})
_BINARY = (Operator.UNION, Operator.SEQUENCE, Operator.DIFFERENCE, Operator.INTERSECTION, Operator.PRODUCT)
_POSTFIX = {
    "^-1": Operator.INVERSE,
    "?": Operator.OPTIONAL,
    "+": Operator.CLOSURE,
    "*": Operator.REFLEXIVE,
}
_FUNCTIONS = ("range", "domain")


class _Token(NamedTuple):
    text: str
    place: Span

    @property
    def is_word(self) -> bool:
        return (self.text[:1].isalpha() or self.text[:1] == "_") and self.text not in _KEYWORDS

    @property
    def begins(self) -> bool:
        """Whether an operand may begin with it."""
        return self.is_word or self.text in ("(", "[", "0", "{}", "~")


def read_text(path: Path) -> Text:
    """The text in a file of the user's."""
    return parsed(outside.text(path, outside.CAT), str(path))


def parsed(text: str, file: str) -> Text:
    """A text; InputError where it is not in our part of the language."""
    return _Parser(list(_tokens(text, file))).text()


def _tokens(text: str, file: str) -> Iterator[_Token]:
    at, line, begin = 0, 1, 0
    while at < len(text):
        place = Span(file, line, at - begin + 1)
        match = _TOKEN.match(text, at)
        if match is None:
            raise InputError(f"{visible(text[at])} has no meaning in cat", place)
        end = _end_of_comment(text, at, place) if match["comment"] else match.end()
        if not match["space"] and not match["comment"]:
            yield _Token(match[0], place)
        newlines = text.count("\n", at, end)
        if newlines:
            line, begin = line + newlines, text.rindex("\n", at, end) + 1
        at = end
    yield _Token("", Span(file, line, at - begin + 1))


def _end_of_comment(text: str, at: int, place: Span) -> int:
    depth = 0
    for match in re.compile(r"\(\*|\*\)").finditer(text, at):
        depth += 1 if match[0] == "(*" else -1
        if not depth:
            return match.end()
    raise InputError("a comment that does not end", place)


class _Parser:
    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0

    @property
    def next(self) -> _Token:
        return self.tokens[self.at]

    def take(self, *wanted: str) -> _Token:
        token = self.next
        if wanted and token.text not in wanted:
            raise self.unexpected(" or ".join(f"`{one}`" for one in wanted))
        self.at += 1
        return token

    def word(self) -> _Token:
        if not self.next.is_word:
            raise self.unexpected("a name")
        return self.take()

    def unexpected(self, wanted: str) -> InputError:
        found = f"`{visible(self.next.text)}`" if self.next.text else "the end of the file"
        return InputError(f"{wanted} expected, not {found}", self.next.place)

    # --- statements ---------------------------------------------------------------------------------

    def text(self) -> Text:
        title = ""
        if self.next.text.startswith('"') or self.next.is_word:
            title = self.take().text.strip('"')
        statements = []
        while self.next.text:
            if self.next.text == "include":
                self.include()
            else:
                statements.append(self.let() if self.next.text == "let" else self.axiom())
        return Text(title, tuple(statements))

    def include(self) -> None:
        self.take()
        file, place = self.next.text, self.next.place
        if file.strip('"') not in BUILT_IN:
            raise InputError(f"{visible(file)} is not included: one file is a model", place)
        self.take()

    def let(self) -> Let:
        self.take()
        is_recursive = self.next.text == "rec"
        if is_recursive:
            self.take()
        bindings = [self.binding()]
        while self.next.text == "and":
            self.take()
            bindings.append(self.binding())
        return Let(tuple(bindings), is_recursive)

    def binding(self) -> Binding:
        name, parameters = self.word(), []
        if self.next.text == "(":
            while self.take("(", ",", ")").text != ")":
                parameters.append(self.word().text)
        self.take("=")
        return Binding(name.text, tuple(parameters), self.expression(), name.place)

    def axiom(self) -> Axiom:
        wanted = [one.value for one in Requirement]
        if self.next.text not in wanted:
            raise self.unexpected("`let`, `include`, `acyclic`, `irreflexive` or `empty`")
        token = self.take()
        relation = self.expression()
        name = f"{token.text} in line {token.place.line}"
        if self.next.text == "as":
            self.take()
            name = self.word().text
        return Axiom(Requirement(token.text), relation, name, token.place)

    # --- expressions --------------------------------------------------------------------------------

    def expression(self, level: int = 0) -> Expression:
        """Operators that bind no weaker than those of a level."""
        if level == len(_BINARY):
            return self.prefixed()
        operator, place = _BINARY[level], self.next.place
        parts = [self.expression(level + 1)]
        while self.next.text == operator.value:
            self.take()
            parts.append(self.expression(level + 1))
        return parts[0] if len(parts) == 1 else Operation(operator, tuple(parts), place)

    def prefixed(self) -> Expression:
        self.depth += 1
        if self.depth > DEEPEST:
            raise InputError("expressions are too deep inside each other", self.next.place)
        place = self.next.place
        if self.next.text == "~":
            self.take()
            found: Expression = Operation(Operator.COMPLEMENT, (self.prefixed(),), place)
        else:
            found = self.operand()
            while self.next.text in _POSTFIX and not self._is_product():
                found = Operation(_POSTFIX[self.take().text], (found,), place)
        self.depth -= 1
        return found

    def _is_product(self) -> bool:
        return self.next.text == "*" and self.tokens[self.at + 1].begins

    def operand(self) -> Expression:
        token = self.next
        if token.text == "(":
            self.take()
            found = self.expression()
            self.take(")")
            return found
        if token.text == "[":
            self.take()
            part = self.expression()
            self.take("]")
            return Operation(Operator.IDENTITY, (part,), token.place)
        if token.text in ("0", "{}"):
            self.take()
            return Operation(Operator.EMPTY, (), token.place)
        name = self.word()
        return self.application(name) if self.next.text == "(" else Name(name.text, name.place)

    def application(self, name: _Token) -> Expression:
        arguments: list[Expression] = []
        while self.take("(", ",", ")").text != ")":
            arguments.append(self.expression())
        if name.text not in _FUNCTIONS:
            return Apply(name.text, tuple(arguments), name.place)
        if len(arguments) != 1:
            raise InputError(f"`{name.text}` is of one relation", name.place)
        if name.text == "domain":
            arguments = [Operation(Operator.INVERSE, tuple(arguments), name.place)]
        return Operation(Operator.RANGE, tuple(arguments), name.place)
