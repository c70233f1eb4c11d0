"""SAT solvers behind the port: terms of bits become clauses.

For formulas that are mostly Boolean a plain SAT solver beats the SMT solvers, which do the same after much
rewriting. Formulas with floats or arrays raise ``BeyondBitsError``; another solver must take them.
"""

from collections.abc import Iterable, Sequence

from sley.logic.operators import ArrayValue, Value
from sley.logic.sorts import ArraySort, BoolSort, Sort
from sley.logic.terms import Term, Terms
from sley.solvers.bit_blasting import BeyondBitsError, BitTranslation, Clausifier
from sley.solvers.gates import Clause, Gates, Literal
from sley.solvers.limits import Deadline
from sley.solvers.port import SolverAnswer
from sley.solvers.sat_engines import make_engine


class SatSolver:
    """A SAT solver; see the port for what the methods promise.

    A level is a literal that its assertions depend on. Solvers made by ``fresh`` share nothing: the clauses
    are the translation, and each solver needs its own.
    """

    can_interpolate = False

    def __init__(self, name: str, terms: Terms, *, time_limit: float | None = None) -> None:
        self.name = name
        self._deadline = Deadline(time_limit)
        self._gates = Gates()
        self._translation = BitTranslation(terms, self._gates)
        self._clausifier = Clausifier(self._translation, self._gates)
        self._engine = make_engine(name)
        self._levels: list[Literal] = []
        self._clause_count = 0
        self._answer: SolverAnswer | None = None
        self._assumptions: dict[Literal, Term] = {}
        self._reason = ""
        self._signs: list[int] | None = None
        self._model: dict[Term, Value] = {}
        self._lost: BeyondBitsError | None = None

    @property
    def terms(self) -> Terms:
        """The arena."""
        return self._translation.terms

    @property
    def reason(self) -> str:
        """Why the last answer was UNKNOWN."""
        return self._reason

    @property
    def clause_count(self) -> int:
        """How many clauses were made."""
        return self._clause_count + len(self._gates.clauses)

    @property
    def variable_count(self) -> int:
        """How many propositional variables were made."""
        return self._gates.variable_count

    @property
    def conflict_count(self) -> int:
        """How many conflicts all queries together had."""
        return int(self._engine.native.accum_stats()["conflicts"])

    def add(self, *formulas: Term) -> None:
        """Assert; after a ``BeyondBitsError`` the solver lacks a formula and answers no query any more."""
        self._answer = None
        guard: Clause = (-self._levels[-1],) if self._levels else ()
        try:
            for formula in formulas:
                self._clausifier.assert_formula(formula, guard)
        except BeyondBitsError as error:
            self._lost = error
            raise
        self._flush()

    def add_clauses(self, clauses: Iterable[Sequence[Term]]) -> None:
        """Assert that of each clause some literal holds: as ``add`` of disjunctions, but much faster."""
        self._answer = None
        guard: Clause = (-self._levels[-1],) if self._levels else ()
        known: dict[Term, Literal] = {}
        for clause in clauses:
            for term in clause:
                if term not in known:
                    known[term] = self._translation.literal(term)
            self._gates.add((*guard, *(known[term] for term in clause)))
        self._flush()

    def _flush(self) -> None:
        clauses = self._gates.take_clauses()
        self._clause_count += len(clauses)
        self._engine.native.append_formula(clauses)

    def prefer(self, formula: Term, *, value: bool) -> None:
        """Try this truth value of a variable, or of its negation, first; a hint that changes no answer.

        It is a first guess only: later ones follow what the solver tried last. Best after the formulas were
        added, because a variable cannot be defined by one (``bit_blasting``) once it was mentioned.
        """
        self._answer = None
        literal = self._translation.literal(formula)
        self._engine.native.set_phases([literal if value else -literal])

    def push(self) -> None:
        """Begin a level."""
        self._answer = None
        self._levels.append(self._gates.variable())

    def pop(self) -> None:
        """End a level: its literal will never hold again."""
        self._answer = None
        self._gates.add((-self._levels.pop(),))

    def check(
        self, *assumptions: Term, time_limit: float | None = None, conflict_limit: int | None = None
    ) -> SolverAnswer:
        """Ask; UNKNOWN after about so many conflicts, too."""
        if self._lost is not None:
            raise self._lost
        self._signs = None
        self._model = {}
        self._assumptions = {}
        for assumption in assumptions:
            self._assumptions.setdefault(self._translation.literal(assumption), assumption)
        self._flush()
        self._deadline.start(time_limit)
        if self._deadline.is_over:
            return self._gave_up()
        found = self._engine.solve([*self._levels, *self._assumptions], self._deadline, conflict_limit)
        if found is None:
            return self._gave_up()
        self._answer = SolverAnswer.SAT if found else SolverAnswer.UNSAT
        return self._answer

    def _gave_up(self) -> SolverAnswer:
        self._reason = self._deadline.take_reason() or "the solver gave up"
        self._answer = SolverAnswer.UNKNOWN
        return self._answer

    def core(self) -> tuple[Term, ...]:
        """Failed assumptions."""
        assert self._answer is SolverAnswer.UNSAT, "a core without UNSAT"
        failed = set(self._engine.native.get_core() or ())
        return tuple(term for literal, term in self._assumptions.items() if literal in failed)

    def value(self, term: Term) -> Value:
        """The value in the model: of variables from their bits, of everything else by evaluation."""
        assert self._answer is SolverAnswer.SAT, "a value without SAT"
        for variable in self.terms.variables(term):
            if variable not in self._model:
                self._model[variable] = self._value_of(variable)
        return self.terms.evaluate(term, self._model)

    def _value_of(self, variable: Term) -> Value:
        if self._signs is None:
            self._signs = self._engine.native.get_model()
        sort = self.terms.sort(variable)
        word = self._translation.known(variable)
        if word is None:
            return _any_value(sort)
        bits = sum(1 << i for i, literal in enumerate(word) if self._holds(literal))
        return bool(bits) if isinstance(sort, BoolSort) else bits

    def _holds(self, literal: Literal) -> bool:
        """Whether a literal holds in the model; variables in no clause do not."""
        assert self._signs is not None
        index = abs(literal) - 1
        is_set = index < len(self._signs) and self._signs[index] > 0
        return is_set == (literal > 0)

    def values(self, terms: Iterable[Term]) -> dict[Term, Value]:
        """The values in the model."""
        return {term: self.value(term) for term in terms}

    def interpolants(self, parts: Sequence[Term]) -> tuple[Term, ...] | None:
        """There are none."""
        raise AssertionError("a solver without interpolants")

    def interrupt(self) -> None:
        """End the running or next query; with CaDiCaL, at the end of a slice."""
        self._deadline.interrupt()

    def fresh(self) -> "SatSolver":
        """An empty solver with the same settings."""
        return SatSolver(self.name, self.terms, time_limit=self._deadline.time_limit)


def _any_value(sort: Sort) -> Value:
    match sort:
        case BoolSort():
            return False
        case ArraySort(element=element):
            return ArrayValue(_any_value(element))
        case _:
            return 0
