"""Translation of terms into a solver's own, and back: each term once, without recursion."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from sley.logic.operators import AnyValue, Op
from sley.logic.sorts import FloatSort, Sort
from sley.logic.terms import Term, Terms

Native = TypeVar("Native")


def fold(
    root: Any,
    parts: Callable[[Any], Sequence[Any]],
    make: Callable[[Any, list[Native]], Native],
    done: dict[Any, Native],
    key: Callable[[Any], Hashable] = lambda node: node,
) -> Native:
    """What ``make`` makes of a solver's expression and the results for its parts; each is made once."""
    stack = [root]
    while stack:
        top = stack[-1]
        missing = [part for part in parts(top) if key(part) not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        if key(top) not in done:
            done[key(top)] = make(top, [done[key(part)] for part in parts(top)])
    return done[key(root)]


class Translation(ABC, Generic[Native]):
    """A memo from terms to the solver's terms; solvers that share it share the work."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._memo: dict[Term, Native] = {}

    def native(self, term: Term) -> Native:
        """The solver's term for ``term``."""
        memo = self._memo
        found = memo.get(term)
        if found is not None:
            return found
        stack = [term]
        while stack:
            top = stack[-1]
            if top in memo:
                stack.pop()
                continue
            missing = [a for a in self.terms.args(top) if a not in memo]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            memo[top] = self._translate(top)
        return memo[term]

    def _translate(self, term: Term) -> Native:
        terms = self.terms
        match terms.op(term):
            case Op.CONST:
                return self.constant(terms.any_value(term), terms.sort(term))
            case Op.VAR:
                return self.variable(term)
            case _:
                return self.application(term, [self._memo[a] for a in terms.args(term)])

    @abstractmethod
    def constant(self, value: AnyValue, sort: Sort) -> Native:
        """A constant."""

    @abstractmethod
    def variable(self, term: Term) -> Native:
        """A variable."""

    @abstractmethod
    def application(self, term: Term, args: list[Native]) -> Native:
        """The application ``term``, whose arguments are ``args`` in the solver's language."""

    def format_of(self, term: Term) -> FloatSort:
        """The format of a float term."""
        sort = self.terms.sort(term)
        assert isinstance(sort, FloatSort)
        return sort
