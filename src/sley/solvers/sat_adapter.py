"""SAT solvers behind the port: terms of bits become clauses.

For formulas that are mostly Boolean a plain SAT solver beats the SMT solvers, which do the same after much
rewriting. Formulas with floats raise ``BeyondBitsError``; another solver must take them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from sley.logic.arrays import ArrayValue
from sley.logic.operators import AnyValue
from sley.logic.sorts import ArraySort, BoolSort
from sley.logic.terms import Term, Terms
from sley.solvers.bit_blasting import BitTranslation, Clausifier
from sley.solvers.gates import Gates, Literal
from sley.solvers.port import BeyondBitsError, Solver
from sley.solvers.sat_engines import ENGINES
from sley.solvers.words import Word


class SatSolver(Solver):
    """A SAT solver.

    Solvers made by ``fresh`` share nothing: the clauses are the translation, and each solver needs its own.
    After a ``BeyondBitsError`` a solver lacks a formula and answers no query any more.
    """

    def __init__(self, name: str, terms: Terms, time_limit: float | None) -> None:
        super().__init__(name, terms, time_limit)
        self._gates = Gates()
        self._translation = BitTranslation(terms, self._gates)
        self._clausifier = Clausifier(self._translation, self._gates)
        make, self._solve = ENGINES[name]
        self._solver = make()
        self._signs: list[int] | None = None
        self._lost: BeyondBitsError | None = None

    def fresh(self) -> "SatSolver":
        """An empty solver with the same settings."""
        return SatSolver(self.name, self.terms, self.time_limit)

    @property
    def conflict_count(self) -> int:
        """As counted by the solver."""
        return int(self._solver.accum_stats()["conflicts"])

    @property
    def variable_count(self) -> int:
        """Those of gates, too."""
        return self._gates.variable_count

    def add_clauses(self, clauses: Iterable[Sequence[Term]]) -> None:
        """As ``add`` of disjunctions, but much faster."""
        self._answer = None
        known: dict[Term, Literal] = {}
        for clause in clauses:
            for term in clause:
                if term not in known:
                    known[term] = self._translation.literal(term)
            self._gates.add(tuple([known[term] for term in clause]))
        self._flush()

    def prefer(self, formula: Term, *, value: bool) -> None:
        """Try this truth value first.

        It is a first guess only: later ones follow what the solver tried last. Best after the formulas were
        added, because a variable cannot be defined by one (``bit_blasting``) once it was mentioned.
        """
        self._answer = None
        literal = self._translation.literal(formula)
        self._solver.set_phases([literal if value else -literal])

    def _assert(self, formulas: Sequence[Term]) -> None:
        try:
            for formula in formulas:
                self._clausifier.assert_formula(formula)
        except BeyondBitsError as error:
            self._lost = error
            raise
        self._flush()

    def _flush(self) -> None:
        clauses = self._gates.take_clauses()
        self.clause_count += len(clauses)
        self._solver.append_formula(clauses)

    def _native(self, formula: Term) -> Literal:
        return self._translation.literal(formula)

    def _ask(self, assumptions: Sequence[Any], conflict_limit: int | None) -> bool | None:
        if self._lost is not None:
            raise self._lost
        self._signs = None
        self._flush()
        return self._solve(self._solver, list(dict.fromkeys(assumptions)), self._deadline, conflict_limit)

    def _failed(self) -> set[Literal]:
        return set(self._solver.get_core() or ())

    def _value_of(self, variable: Term) -> AnyValue:
        if self._signs is None:
            self._signs = self._solver.get_model()
        if isinstance(self.terms.sort(variable), ArraySort):
            reads = self._translation.reads.get(variable, ())
            return ArrayValue.of(0, ((self._number(index), self._number(one)) for index, one in reads))
        word = self._translation.known(variable) or ()  # what no formula mentions may be anything
        bits = self._number(word)
        return bool(bits) if isinstance(self.terms.sort(variable), BoolSort) else bits

    def _number(self, word: Word) -> int:
        return sum(1 << i for i, literal in enumerate(word) if self._holds(literal))

    def _holds(self, literal: Literal) -> bool:
        """Whether a literal holds in the model; variables in no clause do not."""
        assert self._signs is not None
        index = abs(literal) - 1
        is_set = index < len(self._signs) and self._signs[index] > 0
        return is_set == (literal > 0)
