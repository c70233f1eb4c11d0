"""A parser of Boolean broadcast programs: what ``reports.boolean_program`` prints, and more operators.

Expressions have ``!``, ``&``, ``|``, ``^``, ``=>``, ``<=>``, ``0``, ``1`` and parentheses; they are kept as
clauses. ``//`` begins a comment.
"""

import re
from itertools import product

from sley.base.errors import InputError
from sley.evidence.symmetric.boolean_program import (
    ACTIVE,
    NEW,
    PASSIVES,
    SHARED,
    BooleanProgram,
    BooleanTemplate,
    Clause,
    Literal,
    Statement,
)

TOKEN = re.compile(r"(?:\s|//.*)*(<=>|=>|[A-Za-z_][\w$]*|\d+|[{}();:,.!&|^'])")


def parse_boolean(text: str) -> BooleanProgram:
    """The program that a text describes; InputError if it is none."""
    return _Parser(text).program()


Cnf = tuple[frozenset[Literal], ...]


class _Parser:
    """Recursive descent; expressions are small."""

    def __init__(self, text: str) -> None:
        self.tokens: list[str] = []
        at, text = 0, text.rstrip()
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise InputError(f"Boolean program: cannot read {text[at : at + 20].strip()!r}")
            self.tokens.append(found.group(1))
            at = found.end()
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        if not token or (expected is not None and token != expected):
            raise InputError(
                f"Boolean program: {expected or 'more'} expected instead of {token or 'the end'!r}"
            )
        self.at += 1
        return token

    def has(self, token: str) -> bool:
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def names(self, closing: str = ";") -> tuple[str, ...]:
        found: list[str] = []
        while not self.has(closing):
            found.append(self.take())
            self.has(",")
        return tuple(found)

    def numbers(self) -> tuple[int, ...]:
        found = [self.number()]
        while self.has(","):
            found.append(self.number())
        return tuple(found)

    def number(self) -> int:
        token = self.take()
        if not token.isdigit():
            raise InputError(f"Boolean program: a location expected instead of {token!r}")
        return int(token)

    def program(self) -> BooleanProgram:
        shared: tuple[str, ...] = ()
        initial: tuple[Clause, ...] = ()
        templates: list[BooleanTemplate] = []
        errors: list[tuple[int, ...]] = []
        while self.peek():
            if self.has("shared"):
                shared = self.names()
            elif self.has("initially"):
                initial = self.constraint(())
                self.take(";")
            elif self.has("template"):
                templates.append(self.template())
            else:
                self.take("error")
                errors.append(self.numbers())
                self.take(";")
        return BooleanProgram(shared, tuple(templates), initial, tuple(errors))

    def template(self) -> BooleanTemplate:
        name, is_single = self.take(), self.has("single")
        is_created = self.has("created")
        self.take("{")
        variables = self.names() if self.has("local") else ()
        self.take("entry")
        entry = self.number()
        self.take(";")
        scopes: dict[int, tuple[str, ...]] = {}
        statements: list[Statement] = []
        while not self.has("}"):
            source = self.number()
            if self.has("{"):
                scopes[source] = self.names("}")
            if self.has(":"):
                statements.append(self.statement(source))
            self.take(";")
        return BooleanTemplate(name, variables, entry, tuple(statements), is_single, is_created, scopes)

    def statement(self, source: int) -> Statement:
        creates = self.take() if self.has("create") else None
        shared: list[str] = []
        own: list[str] = []
        everywhere: list[tuple[str, str]] = []
        if self.has("havoc"):
            self.take("{")
            while not self.has("}"):
                name = self.take()
                if name == "all" and self.has("("):
                    template = self.take()
                    self.take(".")
                    everywhere.append((template, self.take()))
                    self.take(")")
                elif name == ACTIVE and self.has("."):
                    own.append(self.take())
                else:
                    shared.append(name)
                self.has(",")
        clauses = self.constraint(()) if self.has("constrain") else ()
        self.take("goto")
        return Statement(
            source, self.numbers(), tuple(shared), tuple(own), tuple(everywhere), clauses, creates
        )

    def constraint(self, passives: tuple[str, ...]) -> tuple[Clause, ...]:
        """Conjuncts; those after a ``forall`` are about its passive threads."""
        found: list[Clause] = []
        while True:
            if self.has("forall"):
                bound: list[str] = []
                for index in PASSIVES:
                    bound.append(self.take())
                    self.take(index)
                    if not self.has(","):
                        break
                self.take(".")
                passives = tuple(bound)
            found.extend(Clause(tuple(sorted(literals)), passives) for literals in self.equivalence())
            if not self.has("&"):
                return tuple(found)

    def equivalence(self) -> Cnf:
        left = self.implication()
        while self.has("<=>"):
            right = self.implication()
            left = (*_or(_not(left), right), *_or(_not(right), left))
        return left

    def implication(self) -> Cnf:
        left = self.disjunction()
        return _or(_not(left), self.implication()) if self.has("=>") else left

    def disjunction(self) -> Cnf:
        left = self.exclusion()
        while self.has("|"):
            left = _or(left, self.exclusion())
        return left

    def exclusion(self) -> Cnf:
        left = self.conjunction()
        while self.has("^"):
            right = self.conjunction()
            left = (*_or(left, right), *_or(_not(left), _not(right)))
        return left

    def conjunction(self) -> Cnf:
        left = self.atom()
        while self.peek() == "&" and self.tokens[self.at + 1 : self.at + 2] != ["forall"]:
            self.take("&")
            left = (*left, *self.atom())
        return left

    def atom(self) -> Cnf:
        if self.has("!"):
            return _not(self.atom())
        if self.has("("):
            inner = self.equivalence()
            self.take(")")
            return inner
        if self.has("1"):
            return ()
        if self.has("0"):
            return (frozenset(),)
        owner, name = SHARED, self.take()
        if name in (ACTIVE, NEW, *PASSIVES) and self.has("."):
            owner, name = name, self.take()
        return (frozenset((Literal(owner, name, self.has("'")),)),)


def _or(left: Cnf, right: Cnf) -> Cnf:
    joined = (one | other for one, other in product(left, right))
    return tuple(
        dict.fromkeys(clause for clause in joined if not any(_opposite(x) in clause for x in clause))
    )


def _not(formula: Cnf) -> Cnf:
    result: Cnf = (frozenset(),)
    for clause in formula:
        result = _or(result, tuple(frozenset((_opposite(literal),)) for literal in sorted(clause)))
    return result


def _opposite(literal: Literal) -> Literal:
    return literal._replace(is_positive=not literal.is_positive)
