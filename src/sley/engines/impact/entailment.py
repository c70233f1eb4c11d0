"""Whether a label implies a conjunct: a cascade from cheap to expensive tests.

Membership; a table of earlier answers; the values that the label fixes; models of earlier refutations; and
at last a solver, one long-lived instance over the program's variables. A time-out counts as "not implied".
"""

from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence

from sley.engines.impact.thresholds import ENTAILMENT_SECONDS, MODELS
from sley.engines.impact.tree import Label
from sley.logic.clauses import connected
from sley.logic.operators import AnyValue, Op
from sley.logic.terms import Term, Terms
from sley.solvers import make_solver
from sley.solvers.port import Solver, SolverAnswer


class Entailment:
    """Answers implications between labels and conjuncts; counts which test answered."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.counts = {"syntactic": 0, "table": 0, "values": 0, "models": 0, "solver": 0}
        self._table: dict[tuple[frozenset[Term], Term], bool] = {}
        self._reasons: dict[tuple[frozenset[Term], tuple[Term, ...], Term], tuple[Term, ...] | None] = {}
        self._models: deque[_Model] = deque(maxlen=MODELS)
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
        return self._is_known(connected(self.terms, label.conjuncts, (goal,)), goal)

    def _is_known(self, relevant: Collection[Term], goal: Term) -> bool:
        """From the table, from models, or by a solver."""
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

    def implied(self, hypotheses: Iterable[Term], goal: Term) -> bool:
        """Whether the hypotheses imply the goal."""
        if goal == self.terms.true:
            return True
        relevant = connected(self.terms, dict.fromkeys(hypotheses), (goal,))
        return goal in relevant or self._is_known(relevant, goal)

    def reason(
        self, given: Iterable[Term], hypotheses: Sequence[Term], goal: Term
    ) -> tuple[Term, ...] | None:
        """Hypotheses that imply the goal beside what is given, no more than needed; None: none do."""
        t = self.terms
        sure = dict.fromkeys(given)
        if t.false in sure or self.implied(sure, goal):
            return ()
        if goal in hypotheses:
            return (goal,)
        everything = dict.fromkeys((*sure, *hypotheses))
        near = everything if goal == t.false else set(connected(t, everything, (goal,)))
        relevant = [c for c in everything if c in near]
        key = (frozenset(c for c in relevant if c in sure), tuple(relevant), goal)
        if key not in self._reasons:
            self._reasons[key] = self._core(relevant, sure, goal) if self._is_known(relevant, goal) else None
        return self._reasons[key]

    def _core(self, hypotheses: Sequence[Term], sure: Collection[Term], goal: Term) -> tuple[Term, ...]:
        """Of hypotheses that imply the goal, those needed beside what is sure; the last go first."""
        given = [c for c in hypotheses if c in sure]
        core = [c for c in hypotheses if c not in sure]
        if self._by_solver((*given, *core), goal):  # else it has no time to say again what it knew
            assert self._solver is not None
            needed = set(self._solver.core())
            core = [c for c in core if c in needed]
        for term in core[::-1]:
            rest = [c for c in core if c != term]
            if rest and self._is_known([*given, *rest], goal):
                core = rest
        return tuple(core)

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
        return any(
            model.says(goal) is False and all(model.says(conjunct) for conjunct in label)
            for model in self._models
        )

    def _by_solver(self, label: Collection[Term], goal: Term) -> bool:
        if self._solver is None:
            self._solver = make_solver("bitwuzla", self.terms, time_limit=ENTAILMENT_SECONDS)
        refutation = (*label, self.terms.not_(goal))
        answer = self._solver.check(*refutation)
        if answer is SolverAnswer.SAT:
            variables = dict.fromkeys(v for c in refutation for v in self.terms.variables(c))
            self._models.appendleft(_Model(self.terms, self._solver.model(variables)))
        return answer is SolverAnswer.UNSAT


class _Model:
    """Values of some variables, and what they make of formulas."""

    def __init__(self, terms: Terms, values: Mapping[Term, AnyValue]) -> None:
        self.terms = terms
        self.values = values
        self._known: dict[Term, bool | None] = {}

    def says(self, formula: Term) -> bool | None:
        """Whether the formula is true; None if the values of its variables are not known."""
        if formula not in self._known:
            is_covered = all(v in self.values for v in self.terms.variables(formula))
            self._known[formula] = bool(self.terms.evaluate(formula, self.values)) if is_covered else None
        return self._known[formula]
