"""Translation of terms into a solver's own: each term once, without recursion."""

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

from sley.logic.operators import Op, Value
from sley.logic.sorts import FloatSort, Sort
from sley.logic.terms import Term, Terms

Native = TypeVar("Native")


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
                return self.constant(terms.value(term), terms.sort(term))
            case Op.VAR:
                return self.variable(term)
            case _:
                return self.application(term, [self._memo[a] for a in terms.args(term)])

    @abstractmethod
    def constant(self, value: Value, sort: Sort) -> Native:
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
