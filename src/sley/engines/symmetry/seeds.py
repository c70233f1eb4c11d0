"""Predicates to start with, from a file: one C expression in each line, ``//`` begins a comment.

Variables are named as ``sley show predicates`` shows them: ``counter``, ``worker.old``, ``worker.self``,
``heap#1`` for a block that is made once.
"""

import re
from typing import NamedTuple

from sley.base.errors import InputError
from sley.engines.symmetry.discovery import atoms, positive
from sley.engines.symmetry.names import SystemNames
from sley.evidence.symmetric.proof import Predicate
from sley.logic.operators import Op
from sley.logic.terms import Term

TOKEN = re.compile(
    r"\s*((?:0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)[uUlL]*|alive\([\w.\[\]#]+\)|"
    r"[A-Za-z_][\w]*(?:#\d+)?(?:(?:\.|->)[\w!]+|\[\d+\])*'?|"
    r"\|\||&&|==|!=|<=|>=|<<|>>|[-+*/%<>!()&|^~])"
)
LEVELS = (
    ("||",),
    ("&&",),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("+", "-"),
    ("*", "/", "%"),
)
LIMITS = {
    "INT_MAX": (1 << 31) - 1,
    "INT_MIN": -(1 << 31),
    "UINT_MAX": (1 << 32) - 1,
    "LLONG_MAX": (1 << 63) - 1,
    "LLONG_MIN": -(1 << 63),
    "ULLONG_MAX": (1 << 64) - 1,
}
OPERATORS = {
    "==": (Op.EQ, Op.EQ),
    "<": (Op.BVULT, Op.BVSLT),
    "<=": (Op.BVULE, Op.BVSLE),
    "+": (Op.BVADD, Op.BVADD),
    "-": (Op.BVSUB, Op.BVSUB),
    "*": (Op.BVMUL, Op.BVMUL),
    "/": (Op.BVUDIV, Op.BVSDIV),
    "%": (Op.BVUREM, Op.BVSREM),
    "&": (Op.BVAND, Op.BVAND),
    "|": (Op.BVOR, Op.BVOR),
    "^": (Op.BVXOR, Op.BVXOR),
}
"""What an operator is for numbers without and with sign."""
TYPES = {"char": 8, "short": 16, "int": 32, "long": 64}


class _Value(NamedTuple):
    """A term (or a number whose width is not decided), and whether C reads it without sign."""

    term: Term | None
    number: int = 0
    is_unsigned: bool = False


def parse_predicates(text: str, names: SystemNames, name: str) -> list[Predicate]:
    """The predicates of a file; InputError names the line that cannot be read."""
    found: dict[Predicate, None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        content = line.split("//")[0].strip()
        if content:
            try:
                for predicate in _SeedParser(content, names).predicates():
                    found[predicate] = None
            except InputError as error:
                raise InputError(f"{name}:{number}: {error.message}") from error
    return list(found)


def _number(digits: str) -> int:
    """As in C: hexadecimal, octal or decimal."""
    is_octal = digits.startswith("0") and digits[1:].isdigit()
    return int(digits, 8 if is_octal else 0)


class _SeedParser:
    """Recursive descent over one line."""

    def __init__(self, text: str, names: SystemNames) -> None:
        self.names = names
        self.terms = names.terms
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise InputError(f"cannot read `{text[at:].strip()}`")
            self.tokens.append(found.group(1))
            at = found.end()
        self.at = 0

    def predicates(self) -> list[Predicate]:
        """The atoms of the expression."""
        formula = self._boolean(self._level(0))
        if self.at < len(self.tokens):
            raise InputError(f"`{self.tokens[self.at]}` is not expected")
        found: list[Predicate] = []
        for atom in atoms(self.terms, formula):
            owners = {self.names.owners[v] for v in self.terms.variables(atom) if v in self.names.owners}
            if len(owners) > 1:
                raise InputError("a predicate over the variables of two threads")
            found.append(Predicate(positive(self.terms, atom), owners.pop() if owners else None))
        return found

    def _peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _level(self, level: int) -> _Value:
        if level == len(LEVELS):
            return self._unary()
        left = self._level(level + 1)
        while self._peek() in LEVELS[level]:
            operator = self._peek()
            self.at += 1
            left = self._apply(operator, left, self._level(level + 1))
        return left

    def _unary(self) -> _Value:
        t, token = self.terms, self._peek()
        self.at += 1
        if token == "!":
            return _Value(t.not_(self._boolean(self._unary())))
        if token == "-":
            value = self._unary()
            return (
                _Value(None, -value.number) if value.term is None else value._replace(term=t.neg(value.term))
            )
        if token == "(":
            if (cast := self._cast()) is not None:
                return self._converted(cast, self._unary())
            inner = self._level(0)
            if self._peek() != ")":
                raise InputError("`)` expected")
            self.at += 1
            return inner
        if token[:1].isdigit():
            return _Value(None, _number(token.rstrip("uUlL")), is_unsigned="u" in token.lower())
        if token in LIMITS:
            return _Value(None, LIMITS[token], is_unsigned=token.startswith("U"))
        variable = self.names.variables.get(token)
        if variable is None:
            raise InputError(f"there is no variable `{token}`")
        return _Value(variable, is_unsigned=variable in self.names.unsigned)

    def _cast(self) -> tuple[int, bool] | None:
        end = self.at
        while end < len(self.tokens) and self.tokens[end] in ("unsigned", "signed", *TYPES):
            end += 1
        names = self.tokens[self.at : end]
        if not names or self.tokens[end : end + 1] != [")"]:
            return None
        self.at = end + 1
        width = next((TYPES[name] for name in names if name in TYPES), 32)
        return width, "unsigned" in names

    def _converted(self, cast: tuple[int, bool], value: _Value) -> _Value:
        width, is_unsigned = cast
        if value.term is None:
            return _Value(self.terms.bv(value.number, width), is_unsigned=is_unsigned)
        term = self.terms.resize(value.term, width, signed=not value.is_unsigned)
        return _Value(term, is_unsigned=is_unsigned)

    def _boolean(self, value: _Value) -> Term:
        if value.term is None:
            return self.terms.boolean(value.number != 0)
        if self.terms.is_boolean(value.term):
            return value.term
        return self.terms.ne(value.term, self.terms.bv(0, self.terms.width(value.term)))

    def _apply(self, operator: str, left: _Value, right: _Value) -> _Value:
        t = self.terms
        if operator in ("&&", "||"):
            both = self._boolean(left), self._boolean(right)
            return _Value(t.and_(*both) if operator == "&&" else t.or_(*both))
        width = max((t.width(v.term) for v in (left, right) if v.term is not None), default=32)
        is_unsigned = any(
            v.is_unsigned and (v.term is None or t.width(v.term) == width) for v in (left, right)
        )
        one, other = (
            t.bv(v.number, width) if v.term is None else t.resize(v.term, width, signed=not v.is_unsigned)
            for v in (left, right)
        )
        if operator in (">", ">="):
            operator, one, other = {">": "<", ">=": "<="}[operator], other, one
        if operator == "!=":
            return _Value(t.ne(one, other))
        unsigned, signed = OPERATORS[operator]
        is_comparison = operator in ("==", "<", "<=")
        term = t.apply(unsigned if is_unsigned else signed, one, other)
        return _Value(term, is_unsigned=is_unsigned and not is_comparison)
