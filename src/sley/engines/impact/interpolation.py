"""Interpolants: what labels must say along a path so that something impossible at its end stays impossible.

All methods answer in the same form, conjuncts for nodes from the end of the path upwards, and stop where the
labels already say enough:

* *literals*: where the path fixes every value, one literal per clause (``justification``), carried upwards by
  weakest preconditions;
* *values*: a conjunct that has grown too large is replaced by the values of its variables, if the path fixes
  them: the strongest postcondition, restricted to what matters;
* *predicates*: what of a finite stock is needed (``predicates``), so that labels do not grow for ever;
* *preconditions*: weakest preconditions in which only guards of the unsatisfiable core are kept, as in the
  paper;
* *solver*: sequence interpolants, which generalise best and cost most.

Whether literals, values or preconditions serve is decided path by path; predicates and the solver's
interpolants are options of a whole run.
"""

from collections.abc import Iterable, Iterator, Sequence

from sley.engines.impact.entailment import Entailment
from sley.engines.impact.formulas import ConjunctTable
from sley.engines.impact.justification import literals_against
from sley.engines.impact.options import ImpactOptions, Interpolants
from sley.engines.impact.paths import Core, Paths
from sley.engines.impact.predicates import Predicates
from sley.engines.impact.thresholds import CROWDED, INTERPOLATION_SECONDS, LARGEST_LITERAL, SMALLEST_LITERAL
from sley.engines.impact.tree import Node
from sley.logic.operators import Op
from sley.logic.sorts import ArraySort
from sley.logic.terms import Term, Terms, has_arrays
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer

Strengthening = tuple[Node, list[Term]]


class Interpolation:
    """Computes interpolants for the paths of one tree; counts which method served."""

    def __init__(
        self, paths: Paths, formulas: ConjunctTable, entailment: Entailment, options: ImpactOptions
    ) -> None:
        self.paths = paths
        self.terms: Terms = paths.terms
        self.formulas = formulas
        self.entailment = entailment
        self.options = options
        self.counts = {"literals": 0, "values": 0, "preconditions": 0, "predicates": 0, "solver": 0}
        self.predicates = Predicates(paths, formulas, entailment)

    def refuting(
        self, node: Node, question: Sequence[Term], core: Core, *, may_stay_open: bool
    ) -> Iterable[Strengthening] | None:
        """For a question (conjuncts over the program's variables) that is impossible at the node.

        None if it may stay open, and the predicates at hand do not suffice.
        """
        refuted = self.terms.and_(*(question[i] for i in core.parts))
        found: Iterable[Strengthening] | None = None
        if self.options.interpolants is Interpolants.PREDICATES:
            found = self.by_predicates(node, question)
            if found is not None or may_stay_open:
                return found
            found = self._by_new_predicates(node, question, core)
        elif self.options.interpolants is Interpolants.SOLVER:
            found = self._by_solver(node, refuted)
        if found is not None:
            return found
        return self.upwards(node, self._goals(node, refuted, core), core.guards)

    def _goals(self, node: Node, refuted: Term, core: Core) -> Sequence[Term]:
        """What has to hold at the node for the question not to: literals where the path fixes all values."""
        goals: Sequence[Term] | None = None
        if not core.guards and self.options.interpolants is not Interpolants.PRECONDITIONS:
            known = node.label.conjuncts
            goals = literals_against(self.terms, refuted, lambda parts: self.paths.at(node, parts), known)
        self.counts["preconditions" if goals is None else "literals"] += 1
        return self.formulas.conjuncts(*((self.terms.not_(refuted),) if goals is None else goals))

    # --- predicates -------------------------------------------------------------------------------

    def by_predicates(self, node: Node, question: Sequence[Term]) -> Iterator[Strengthening] | None:
        """From the stock of predicates; None if it does not suffice."""
        found = self.predicates.establishing(node, self.terms.not_(self.terms.and_(*question)))
        if found is not None:
            self.counts["predicates"] += 1
        return found

    def _by_new_predicates(
        self, node: Node, question: Sequence[Term], core: Core
    ) -> Iterator[Strengthening] | None:
        """The same, with what has to hold along the path, and what is seen to hold there, as predicates."""
        refuted = self.terms.and_(*(question[i] for i in core.parts))
        self.predicates.mine(node, self._offer(node, self._goals(node, refuted, core), core.guards))
        return self.by_predicates(node, question)

    def _offer(self, node: Node, goals: Sequence[Term], guards: frozenset[Term]) -> Iterable[Term]:
        """Add to the stock what has to hold along the path for the goals to hold; its variables."""
        at: Node | None = node
        mentioned: dict[Term, None] = {}
        while at is not None and goals:
            mentioned.update(dict.fromkeys(v for goal in goals for v in self.terms.variables(goal)))
            goals = [goal for goal in goals if goal == self.terms.false or self.predicates.offer(goal)]
            goals = self._preconditions(at, goals, guards)
            at = at.parent
        return mentioned

    # --- preconditions and values -----------------------------------------------------------------

    def upwards(
        self, node: Node, goals: Sequence[Term], guards: frozenset[Term], ancestor: Node | None = None
    ) -> Iterator[Strengthening]:
        """For goals that hold on the path, with these guards of it; they are conjuncts of the node's label.

        Goes up until a label implies what has to hold there. Only at ``ancestor`` a solver is asked.
        """
        at: Node | None = node
        while at is not None:
            if at is ancestor and self.entailment.all_follow(at.label, goals):
                return
            new = self._new_conjuncts(at, goals)
            if not new:
                return
            yield at, new
            goals = self._preconditions(at, new, guards)
            at = at.parent

    def _new_conjuncts(self, node: Node, goals: Sequence[Term]) -> list[Term]:
        """What has to be added to the label."""
        found: dict[Term, None] = {}
        for goal in goals:
            if self.entailment.is_plain(node.label, goal):
                continue
            for conjunct in self._simplified(node, goal):
                if not self.entailment.is_plain(node.label, conjunct):
                    found[conjunct] = None
        return list(found)

    def _simplified(self, node: Node, goal: Term) -> Sequence[Term]:
        """The goal, or literals or values of its variables from which it follows, if the path fixes them."""
        is_crowded = len(node.label.conjuncts) >= CROWDED
        largest = SMALLEST_LITERAL if is_crowded else LARGEST_LITERAL
        if self.formulas.size(goal) <= largest or self.options.interpolants is Interpolants.PRECONDITIONS:
            return (goal,)
        found = (self._values(node, literal, largest) for literal in self._literals(node, goal))
        return list(dict.fromkeys(part for parts in found for part in parts))

    def _literals(self, node: Node, goal: Term) -> Sequence[Term]:
        """Literals that hold on the path and imply the goal: choices that the path decides are made."""
        known = node.label.conjuncts
        against = self.terms.not_(goal)
        found = literals_against(self.terms, against, lambda parts: self.paths.at(node, parts), known)
        return (goal,) if found is None else self.formulas.conjuncts(*found)

    def _values(self, node: Node, goal: Term, largest: int) -> Sequence[Term]:
        """The goal, or the values of its variables if it is too large and the path has them."""
        if self.formulas.size(goal) <= largest:
            return (goal,)
        leaves = self._leaves(node, goal)
        if leaves is None:
            return (goal,)
        values = self.paths.at(node, leaves)
        if not all(self.terms.is_const(value) for value in values):
            return (goal,)
        self.counts["values"] += 1
        return [self.terms.eq(v, value) for v, value in zip(leaves, values, strict=True)]

    def _leaves(self, node: Node, goal: Term) -> list[Term] | None:
        """What decides the goal: its variables, and the elements of arrays that it reads on the path.

        None if the path does not fix where they are.
        """
        t = self.terms
        variables = t.variables(goal)
        found = [v for v in variables if not isinstance(t.sort(v), ArraySort)]
        if len(found) == len(variables):
            return found
        reads = [part for part in t.walk((goal,)) if t.op(part) is Op.SELECT]
        indices = self.paths.at(node, [t.args(read)[1] for read in reads])
        if not all(t.is_const(index) for index in indices):
            return None
        return [*found, *(t.select(t.args(r)[0], index) for r, index in zip(reads, indices, strict=True))]

    def _preconditions(self, node: Node, goals: Sequence[Term], guards: frozenset[Term]) -> list[Term]:
        """What has to hold at the parent so that the goals hold at the node."""
        if node.branch is None:
            return []
        kept = tuple(
            part
            for part, over_inputs in zip(node.branch.guard, node.guard, strict=True)
            if over_inputs in guards
        )
        found: dict[Term, None] = {}
        for goal in goals:
            found.update(dict.fromkeys(self.formulas.precondition(node.branch, goal, kept)))
        return list(found)

    # --- sequence interpolants --------------------------------------------------------------------

    def _by_solver(self, node: Node, refuted: Term) -> list[Strengthening] | None:
        """Interpolants between the steps of the path; None if the solver has none."""
        path = node.path()
        if self._has_arrays(path, refuted):
            return None
        encoding = _Encoding(self.terms)
        parts = [encoding.step(at) for at in path]
        final = encoding.current(refuted)
        parts[0] = self._initial((*parts, final))
        solver = make_solver("bitwuzla", self.terms, interpolants=True, time_limit=INTERPOLATION_SECONDS)
        solver.add(*parts, final)
        if solver.check() is not SolverAnswer.UNSAT:
            return None
        found = solver.interpolants([*parts, final])
        if found is None:
            return None
        self.counts["solver"] += 1
        result: list[Strengthening] = []
        for at, interpolant, names in zip(path, found, encoding.names, strict=True):
            conjuncts = self.formulas.conjuncts(self.terms.substitute(interpolant, names))
            result.append((at, [c for c in conjuncts if not self.entailment.is_plain(at.label, c)]))
        return [(at, new) for at, new in reversed(result) if new]

    def _has_arrays(self, path: Sequence[Node], refuted: Term) -> bool:
        """Whether arrays are read or written on the path: then the solver has no interpolants."""
        branches = [at.branch for at in path if at.branch is not None]
        formulas = [f for branch in branches for f in (*branch.guard, *branch.updates.values())]
        has_writes = any(isinstance(self.terms.sort(v), ArraySort) for b in branches for v in b.updates)
        return has_writes or has_arrays(self.terms, (*formulas, refuted))

    def _initial(self, formulas: Sequence[Term]) -> Term:
        """What the variables that formulas mention are when the program starts."""
        initial = self.paths.initial
        mentioned = dict.fromkeys(v for formula in formulas for v in self.terms.variables(formula))
        return self.terms.and_(*(self.terms.eq(v, initial[v]) for v in mentioned if v in initial))


class _Encoding:
    """A path as one formula per node, with a new name for a variable whenever it is assigned."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._now: dict[Term, Term] = {}
        self._count = 0
        self.names: list[dict[Term, Term]] = []
        """For each node the program's variables by the names that they have there."""

    def step(self, node: Node) -> Term:
        """What the edge into the node does."""
        t = self.terms
        if node.branch is None:
            self.names.append({})
            return t.true
        guard = [self.current(part, node) for part in node.branch.guard]
        new = [(v, self.current(value, node)) for v, value in node.branch.updates.items()]
        assigned = []
        for variable, value in new:
            self._count += 1
            name = t.var(f"{t.name(variable)}!{self._count}", t.sort(variable))
            self._now[variable] = name
            assigned.append(t.eq(name, value))
        self.names.append({name: variable for variable, name in self._now.items()})
        return t.and_(*guard, *assigned)

    def current(self, term: Term, node: Node | None = None) -> Term:
        """A term over the program's variables, with the names they have now."""
        mapping: dict[Term, Term] = {}
        for variable in self.terms.variables(term):
            if node is not None and variable in node.inputs:
                mapping[variable] = node.inputs[variable]
            elif variable in self._now:
                mapping[variable] = self._now[variable]
        return self.terms.substitute(term, mapping)
