"""Whether a label implies a conjunct: a cascade from cheap to expensive tests.

Membership; a table of earlier answers; the values that the label fixes; models of earlier refutations; and
at last a solver, one long-lived instance over the program's variables. A time-out counts as "not implied".
"""

from collections import deque
from collections.abc import Collection, Iterable

from sley.engines.impact.tree import Label
from sley.logic.clauses import connected
from sley.logic.operators import AnyValue, Op
from sley.logic.terms import Term, Terms
from sley.solvers import make_solver
from sley.solvers.port import Solver, SolverAnswer

MODELS = 24
"""How many models of refuted implications are kept."""

SOLVER_SECONDS = 5.0


class Entailment:
    """Answers implications between labels and conjuncts; counts which test answered."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.counts = {"syntactic": 0, "table": 0, "values": 0, "models": 0, "solver": 0}
        self._table: dict[tuple[frozenset[Term], Term], bool] = {}
        self._models: deque[dict[Term, AnyValue]] = deque(maxlen=MODELS)
        self._solver: Solver | None = None

    def all_follow(self, label: Label, goals: Iterable[Term]) -> bool:
        """Whether the label implies every goal."""
        return all(self.follows(label, goal) for goal in goals)

    def is_plain(self, label: Label, goal: Term) -> bool:
        """Whether it is plain to see that the label implies the goal."""
        if goal in label.conjuncts or goal == self.terms.true:
            self.counts["syntactic"] += 1
            return True
        return self._by_values(label, goal) is True

    def follows(self, label: Label, goal: Term) -> bool:
        """Whether the label implies the goal."""
        if goal in label.conjuncts or goal == self.terms.true:
            self.counts["syntactic"] += 1
            return True
        found = self._by_values(label, goal)
        if found is not None:
            self.counts["values"] += 1
            return found
        relevant = connected(self.terms, label.conjuncts, (goal,))
        key = (frozenset(relevant), goal)
        known = self._table.get(key)
        if known is not None:
            self.counts["table"] += 1
            return known
        if self._is_refuted(relevant, goal):
            self.counts["models"] += 1
            found = False
        else:
            self.counts["solver"] += 1
            found = self._by_solver(relevant, goal)
        self._table[key] = found
        return found

    def _by_values(self, label: Label, goal: Term) -> bool | None:
        """Put the values that the label fixes into the goal, or find one of its disjuncts in the label."""
        terms, values = self.terms, label.values
        mapping = {v: values[v] for v in terms.variables(goal) if v in values}
        if mapping:
            reduced = terms.substitute(goal, mapping)
            if terms.is_const(reduced):
                return bool(terms.value(reduced))
        if terms.op(goal) is Op.OR and any(part in label.conjuncts for part in terms.args(goal)):
            return True
        return None

    def _is_refuted(self, label: Collection[Term], goal: Term) -> bool:
        """Whether an old model satisfies the label and not the goal."""
        t = self.terms
        for model in self._models:
            if not all(v in model for v in t.variables(goal)) or t.evaluate(goal, model):
                continue
            if all(all(v in model for v in t.variables(c)) and t.evaluate(c, model) for c in label):
                return True
        return False

    def _by_solver(self, label: Collection[Term], goal: Term) -> bool:
        if self._solver is None:
            self._solver = make_solver("bitwuzla", self.terms, time_limit=SOLVER_SECONDS)
        refutation = (*label, self.terms.not_(goal))
        answer = self._solver.check(*refutation)
        if answer is SolverAnswer.SAT:
            variables = dict.fromkeys(v for c in refutation for v in self.terms.variables(c))
            self._models.appendleft(self._solver.model(variables))
        return answer is SolverAnswer.UNSAT
