"""Path formulas: what the path to a node assigns, over its inputs, and queries about it.

A node's values are computed once, by substitution; most guards become constants on the way and never reach a
solver. Queries ask only about the guards that share inputs with the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.impact.thresholds import LARGEST_MINIMISED_CORE, QUERY_SECONDS
from sley.engines.impact.tree import Node
from sley.logic.clauses import connected
from sley.logic.operators import AnyValue
from sley.logic.terms import Term, Terms
from sley.semantics.roles import InputRole, SizeRole
from sley.semantics.symbolic_step import Branch, Shape, SymbolicSteps
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer

SMALL_SIZES = (64, 4096, 1 << 20)
"""How many bytes the heap blocks of a counterexample should have at most: such a run can be shown."""


@dataclass(frozen=True, slots=True)
class Core:
    """Why something is impossible on a path: these guards (over inputs) and these parts of the question."""

    guards: frozenset[Term]
    parts: tuple[int, ...]
    """Positions in the question."""


class Paths:
    """Answers questions about the paths of one tree."""

    def __init__(self, steps: SymbolicSteps) -> None:
        self.terms: Terms = steps.terms
        self.steps = steps
        self.initial: dict[Term, Term] = {}
        """What variables are when the program starts; a variable that is missing is arbitrary."""
        self._shapes: set[Shape] = set()
        self.queries = 0
        self._solver = make_solver("bitwuzla", steps.terms, time_limit=QUERY_SECONDS)
        """The one that answered last."""
        self._known: dict[tuple[frozenset[Term], tuple[Term, ...]], Core | None] = {}

    def note_shape(self, shape: Shape) -> None:
        """Learn the initial values of what exists in a shape."""
        if shape not in self._shapes:
            self._shapes.add(shape)
            self.initial.update(self.steps.initial_values(shape))

    def value(self, node: Node, variable: Term) -> Term:
        """What a variable is at a node."""
        found = node.values.get(variable)
        return found if found is not None else self.initial.get(variable, variable)

    def at(
        self, node: Node, terms: Sequence[Term], more: Mapping[Term, Term] | None = None
    ) -> tuple[Term, ...]:
        """Terms over the program's variables, over the inputs of the path to the node."""
        mapping = dict(more) if more else {}
        for term in terms:
            for variable in self.terms.variables(term):
                if variable not in mapping:
                    mapping[variable] = self.value(node, variable)
        return self.terms.substitute_all(tuple(terms), mapping)

    def inputs_of(self, node: Node, branch: Branch) -> dict[Term, Term]:
        """The branch's arbitrary values -> inputs of a path that goes on from the node by the branch."""
        count = node.input_counts.get(branch.thread, 0)
        return {
            made: self.terms.var(InputRole(f"in{branch.thread}.{count + i}"), self.terms.sort(made))
            for i, made in enumerate(branch.inputs)
        }

    def guards(self, node: Node) -> list[Term]:
        """The guards on the path to the node that are not constant."""
        found: dict[Term, None] = {}
        at: Node | None = node
        while at is not None:
            for guard in at.guard:
                if guard != self.terms.true:
                    found[guard] = None
            at = at.parent
        return list(found)[::-1]

    def refutation(self, node: Node, question: Sequence[Term]) -> Core | None:
        """Why the question (conjuncts over the path's inputs) cannot hold at the node; None if it can."""
        if node.contradiction is not None:
            return Core(node.contradiction, ())
        for position, part in enumerate(question):
            if part == self.terms.false:
                return Core(frozenset(), (position,))
        if all(part == self.terms.true for part in question):
            return None
        guards = connected(self.terms, self.guards(node), question)
        key = (frozenset(guards), tuple(question))
        if key not in self._known:
            self._known[key] = self._ask(guards, question)
        return self._known[key]

    def _ask(self, guards: list[Term], question: Sequence[Term]) -> Core | None:
        assumptions = [*guards, *question]
        answer = self._check(assumptions)
        if answer is SolverAnswer.UNKNOWN:
            raise GaveUpError(Reason("the solver could not decide whether a path is possible", Why.SOLVER))
        if answer is SolverAnswer.SAT:
            return None
        core = self._minimised(list(self._solver.core()), set(question))
        return Core(
            frozenset(term for term in core if term not in question),
            tuple(i for i, part in enumerate(question) if part in core),
        )

    def _minimised(self, core: list[Term], question: set[Term]) -> list[Term]:
        """Leave out what is not needed, guards far from the question first."""
        if len(core) > LARGEST_MINIMISED_CORE:
            return core
        for term in list(core):
            if term in question or len(core) == 1:
                continue
            rest = [other for other in core if other != term]
            if self._check(rest) is SolverAnswer.UNSAT:
                core = rest
        return core

    def _check(self, assumptions: Sequence[Term]) -> SolverAnswer:
        self.queries += 1
        self._solver = self._solver.fresh()
        return self._solver.check(*assumptions)

    def model(self, node: Node, question: Sequence[Term], small: Sequence[Term] = ()) -> dict[Term, AnyValue]:
        """Inputs with which the path reaches the node and the question holds there.

        The numbers ``small`` (over the path's inputs) are small, if that is possible.
        """
        formulas = [*self.guards(node), *question]
        variables = dict.fromkeys(v for f in (*formulas, *small) for v in self.terms.variables(f))
        for most in (*(SMALL_SIZES if small else ()), None):
            limits = [] if most is None else [self._is_at_most(size, most) for size in small]
            if self._check([*formulas, *limits]) is SolverAnswer.SAT:
                return self._solver.model(variables)
        raise GaveUpError(Reason("the solver found no values for a path that it held possible", Why.SOLVER))

    def _is_at_most(self, number: Term, most: int) -> Term:
        width = self.terms.width(number)
        return self.terms.ule(number, self.terms.bv(min(most, (1 << width) - 1), width))

    def sizes(self, node: Node) -> list[Term]:
        """The sizes of heap blocks that were made on the path to the node and depend on its inputs."""
        found = {
            size: None
            for at in node.path()
            if at.branch is not None
            for variable in at.branch.updates
            if isinstance(self.terms.symbol(variable), SizeRole)
            and not self.terms.is_const(size := self.value(at, variable))
        }
        return list(found)
