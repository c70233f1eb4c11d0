"""Whether a label implies a conjunct: a cascade from cheap to expensive tests.

Membership; a table of earlier answers; the values that the label fixes; models of earlier refutations; and
at last a solver, one long-lived instance over the program's variables. A time-out counts as "not implied".
"""

from collections import deque
from collections.abc import Collection, Iterable

from sley.logic.operators import Op, Value
from sley.logic.terms import Term, Terms
from sley.solvers import make_solver
from sley.solvers.port import Answer, Solver

MODELS = 24
"""How many models of refuted implications are kept."""

SOLVER_SECONDS = 5.0


class Entailment:
    """Answers implications between labels and conjuncts; counts which test answered."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.counts = {"syntactic": 0, "table": 0, "values": 0, "models": 0, "solver": 0}
        self._table: dict[tuple[frozenset[Term], Term], bool] = {}
        self._models: deque[dict[Term, Value]] = deque(maxlen=MODELS)
        self._solver: Solver | None = None
        self._facts: dict[Term, tuple[Term, Term] | None] = {}

    def all_follow(self, label: Collection[Term], goals: Iterable[Term]) -> bool:
        """Whether the label implies every goal."""
        return all(self.follows(label, goal) for goal in goals)

    def follows(self, label: Collection[Term], goal: Term, *, is_cheap: bool = False) -> bool:
        """Whether the label implies the goal; a cheap test may miss that it does."""
        if goal in label or goal == self.terms.true:
            self.counts["syntactic"] += 1
            return True
        relevant = self._relevant(label, goal)
        key = (frozenset(relevant), goal)
        known = self._table.get(key)
        if known is not None:
            self.counts["table"] += 1
            return known
        found = self._by_values(relevant, goal)
        if found is not None:
            self.counts["values"] += 1
        elif is_cheap:
            return False
        elif self._is_refuted(relevant, goal):
            self.counts["models"] += 1
            found = False
        else:
            self.counts["solver"] += 1
            found = self._by_solver(relevant, goal)
        self._table[key] = found
        return found

    def is_valid(self, goal: Term) -> bool:
        """Whether the goal holds whatever its variables are."""
        return self.follows((), goal)

    def _relevant(self, label: Collection[Term], goal: Term) -> list[Term]:
        """The conjuncts that are connected to the goal by common variables."""
        variables = set(self.terms.variables(goal))
        waiting = list(label)
        found: list[Term] = []
        while True:
            rest: list[Term] = []
            for conjunct in waiting:
                own = self.terms.variables(conjunct)
                if variables.isdisjoint(own):
                    rest.append(conjunct)
                else:
                    found.append(conjunct)
                    variables.update(own)
            if len(rest) == len(waiting):
                return found
            waiting = rest

    def _by_values(self, label: Iterable[Term], goal: Term) -> bool | None:
        """Put the values that the label fixes into the goal."""
        values = dict(fact for conjunct in label if (fact := self._fact(conjunct)) is not None)
        reduced = self.terms.substitute(goal, values) if values else goal
        return bool(self.terms.value(reduced)) if self.terms.is_const(reduced) else None

    def _fact(self, conjunct: Term) -> tuple[Term, Term] | None:
        """A conjunct that fixes a variable: the variable and its value."""
        if conjunct not in self._facts:
            self._facts[conjunct] = self._make_fact(conjunct)
        return self._facts[conjunct]

    def _make_fact(self, conjunct: Term) -> tuple[Term, Term] | None:
        t = self.terms
        if t.is_var(conjunct):
            return conjunct, t.true
        args = t.args(conjunct)
        if t.op(conjunct) is Op.NOT and t.is_var(args[0]):
            return args[0], t.false
        if t.op(conjunct) is Op.EQ:
            for variable, value in (args, args[::-1]):
                if t.is_var(variable) and t.is_const(value):
                    return variable, value
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
        if answer is Answer.SAT:
            variables = dict.fromkeys(v for c in refutation for v in self.terms.variables(c))
            self._models.appendleft(self._solver.values(variables))
        return answer is Answer.UNSAT
