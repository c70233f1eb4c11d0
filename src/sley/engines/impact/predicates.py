"""Interpolants from a finite stock of predicates, so that labels do not grow for ever.

Weakest preconditions follow one path, and what they say of it (``x + 1 >= 0``, then ``x + 2 >= 0``) is seldom
true on the next. So here labels are made of predicates that the program itself suggests: the atoms of its
guards, what its assignments make equal, and what is seen to hold along paths (``mine``).

Along a path the stock is evaluated forwards, as in Cartesian predicate abstraction: a predicate *holds* at
a node if those that hold at the parent and the guard of the edge imply it after the edge. What refutes
a question is then followed backwards, and only the predicates needed become part of the labels; those that
held at some node and not at another one with the same control are avoided.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from sley.engines.impact.entailment import Entailment
from sley.engines.impact.formulas import ConjunctTable
from sley.engines.impact.paths import Paths
from sley.engines.impact.thresholds import LARGEST_PREDICATE, MOST_ALIKE
from sley.engines.impact.tree import Control, Node
from sley.logic.linear import linear_form
from sley.logic.operators import Op, to_signed
from sley.logic.sorts import ArraySort, BitVecSort
from sley.logic.terms import Term, Terms
from sley.semantics.roles import ArbitraryRole
from sley.semantics.symbolic_step import Branch, Shape, SymbolicStep

CONNECTIVES = (Op.AND, Op.OR, Op.NOT)
WEAKER = {Op.BVULT: Op.BVULE, Op.BVSLT: Op.BVSLE}

Strengthening = tuple[Node, list[Term]]


class Predicates:
    """The stock, and what of it holds at the nodes of one tree."""

    def __init__(self, paths: Paths, formulas: ConjunctTable, entailment: Entailment) -> None:
        self.terms: Terms = paths.terms
        self.paths = paths
        self.formulas = formulas
        self.entailment = entailment
        self.stock: dict[Term, None] = {}
        self._alike: Counter[str] = Counter()
        self._learnt: dict[int, SymbolicStep] = {}
        self._is_up: dict[Term, bool] = {}
        """Of counters: whether they grow."""
        self._starts: dict[Term, dict[Term, None]] = {}
        """Variable -> the constants and variables that were assigned to it."""
        self._holding: dict[Node, dict[Term, None]] = {}
        self._asked: dict[Node, int] = {}
        """How large the stock was when it was looked at, at a node."""
        self._held: dict[tuple[Control, Shape], dict[Term, None]] = {}
        """What held at some node with this control."""
        self._unstable: Counter[Term] = Counter()
        """How often a predicate did not hold where it had held before."""

    # --- the stock --------------------------------------------------------------------------------

    def learn(self, step: SymbolicStep) -> None:
        """Add what a step suggests."""
        if id(step) not in self._learnt:
            self._learnt[id(step)] = step  # the key is good as long as the step lives
            for branch in step.branches:
                for part in branch.guard:
                    self._add_atoms(part)
                    self._add_atoms(self._afterwards(branch, part))
                self._add_assignments(branch)
                self._add_starts(branch)

    def _add_atoms(self, formula: Term) -> None:
        for part in self.terms.walk((formula,)):
            if self.terms.is_boolean(part) and self.terms.op(part) not in CONNECTIVES:
                self.add(part)
                self.add(self.terms.not_(part))
                op = self.terms.op(part)
                if op in WEAKER:
                    self.add(self.terms.make(WEAKER[op], self.terms.args(part)))

    def _afterwards(self, branch: Branch, formula: Term) -> Term:
        """What the branch has tested, over the values after it: of a counter, what it was is known."""
        before = {v: self.terms.sub(v, step) for v, step in self._counted(branch)}
        return self.terms.substitute(formula, before)

    def _counted(self, branch: Branch) -> Iterator[tuple[Term, Term]]:
        """The variables to which the branch adds a constant, and that constant."""
        for variable, value in branch.updates.items():
            step = self.difference(value, variable)
            if step is not None:
                yield variable, step

    def _add_starts(self, branch: Branch) -> None:
        """A counter does not come back behind where it began."""
        t = self.terms
        for variable, step in self._counted(branch):
            self._is_up[variable] = to_signed(t.number(step) or 0, t.width(step)) > 0
        for variable, value in branch.updates.items():
            if t.is_var(value) or t.is_const(value):
                self._starts.setdefault(variable, {})[value] = None
        for variable, is_up in self._is_up.items():
            for start in self._starts.get(variable, ()):
                self.add(t.sle(start, variable) if is_up else t.sle(variable, start))

    def _add_assignments(self, branch: Branch) -> None:
        """What the branch makes equal, or equal but for a constant; an input is what holds it afterwards."""
        t = self.terms
        holders = {value: variable for variable, value in branch.updates.items() if value in branch.inputs}
        for variable, value in branch.updates.items():
            is_array = isinstance(t.sort(variable), ArraySort)  # arrays are not compared
            if not is_array and not any(v in branch.updates for v in t.variables(value)):
                self.add(t.eq(variable, t.substitute(value, holders)))
        for (one, value), (other, other_value) in combinations(branch.updates.items(), 2):
            if self.terms.has_variables(value):
                self.add_difference(one, value, other, other_value)

    def add_difference(self, one: Term, value: Term, other: Term, other_value: Term) -> None:
        """Two variables differ by a constant if their values do."""
        difference = self.difference(value, other_value)
        if difference is not None:
            self.offer(self.terms.eq(one, self.terms.add(other, difference)))

    def difference(self, one: Term, other: Term) -> Term | None:
        """One minus the other, if that is a constant of some bits."""
        t = self.terms
        if t.sort(one) != t.sort(other) or not isinstance(t.sort(one), BitVecSort):
            return None
        constant, multiples = linear_form(t, t.sub(one, other))
        return None if multiples else t.bv(constant, t.width(one))

    def offer(self, predicate: Term) -> bool:
        """Add a predicate unless there are many that differ from it in constants only; is it there now?"""
        predicate = self.formulas.solved(predicate)
        if predicate not in self.stock:
            pattern = self._pattern(predicate)
            if self._alike[pattern] < MOST_ALIKE:
                self._alike[pattern] += 1
                self.add(predicate)
        return predicate in self.stock

    def _pattern(self, term: Term) -> str:
        """The term without its constants."""
        parts = []
        for part in self.terms.walk((term,)):
            op = self.terms.op(part)
            if op is not Op.CONST:
                parts.append(str(part) if op is Op.VAR else op.name)
        return " ".join(parts)

    def add(self, predicate: Term) -> None:
        """Add a predicate, unless it is too large, or not about the program's variables alone."""
        t = self.terms
        predicate = self.formulas.solved(predicate)
        if t.is_const(predicate) or self.formulas.size(predicate) > LARGEST_PREDICATE:
            return
        if not any(isinstance(t.symbol(v), ArbitraryRole) for v in t.variables(predicate)):
            self.stock[predicate] = None

    # --- what holds at nodes ----------------------------------------------------------------------

    def holding(self, node: Node) -> Iterable[Term]:
        """The predicates that hold at a node."""
        behind: list[Node] = []
        at: Node | None = node
        while at is not None and self._asked.get(at, 0) < len(self.stock):
            behind.append(at)
            at = at.parent
        for at in reversed(behind):
            self._extend(at)
        return self._holding[node]

    def _extend(self, node: Node) -> None:
        """Look at all that are not known to hold: those that are new may be what they follow from."""
        found = self._holding.setdefault(node, {})
        is_first = node not in self._asked
        new = [predicate for predicate in self.stock if predicate not in found]
        self._asked[node] = len(self.stock)
        folded = self.paths.at(node, new)
        held = self._held.setdefault((node.control, node.shape), {})
        for predicate, value in zip(new, folded, strict=True):
            is_plausible = value != self.terms.false or not node.is_possible
            if is_plausible and self._holds(node, predicate, value):
                found[predicate] = None
                held[predicate] = None
            elif is_first and predicate in held:
                self._unstable[predicate] += 1

    def _holds(self, node: Node, predicate: Term, value: Term) -> bool:
        if node.parent is None or node.branch is None:
            return value == self.terms.true
        goal = self._before(node.branch, predicate)
        before = self._holding[node.parent]
        if goal in before:
            return True
        if goal == predicate and not self._share_variables(node.branch.guard, predicate):
            return False
        return self.entailment.implied((*node.branch.guard, *node.parent.label.conjuncts, *before), goal)

    def _share_variables(self, formulas: Sequence[Term], predicate: Term) -> bool:
        own = self.terms.variables(predicate)
        return any(v in own for formula in formulas for v in self.terms.variables(formula))

    def _before(self, branch: Branch, predicate: Term) -> Term:
        """What has to hold before a branch, so that the predicate holds after it."""
        new = branch.updates
        mapping = {v: new[v] for v in self.terms.variables(predicate) if v in new}
        return self.formulas.solved(self.terms.substitute(predicate, mapping)) if mapping else predicate

    # --- interpolants -----------------------------------------------------------------------------

    def establishing(self, node: Node, goal: Term) -> Iterator[Strengthening] | None:
        """Conjuncts for labels from the node upwards because of which the goal holds there; None: none do."""
        self.holding(node)
        reason = self._reason(node, goal, ())
        return None if reason is None else self._upwards(node, reason)

    def _upwards(self, node: Node, needed: Sequence[Term]) -> Iterator[Strengthening]:
        at: Node | None = node
        while at is not None:
            new = [p for p in needed if p not in at.label.conjuncts]
            if not new:
                return
            yield at, new
            needed = [] if at.parent is None else self._reasons(at.parent, at.branch, new)
            at = at.parent

    def _reasons(self, node: Node, branch: Branch | None, goals: Sequence[Term]) -> list[Term]:
        """What has to hold at the node for goals that hold after the branch."""
        assert branch is not None
        found: dict[Term, None] = {}
        for goal in goals:
            reason = self._reason(node, self._before(branch, goal), branch.guard)
            # the solver may have no time to say again why a predicate holds: then everything is a reason
            found.update(dict.fromkeys(self._holding[node] if reason is None else reason))
        return list(found)

    def _reason(self, node: Node, goal: Term, guard: Sequence[Term]) -> tuple[Term, ...] | None:
        """What implies the goal together with label and guard, of what holds; stable predicates first."""
        label = node.label.conjuncts
        others = (p for p in self._holding[node] if p not in label)
        ranked = sorted(others, key=lambda p: self._unstable[p])
        return self.entailment.reason((*guard, *label), ranked, goal)

    # --- mining -----------------------------------------------------------------------------------

    def mine(self, node: Node, variables: Iterable[Term]) -> None:
        """Add bounds of variables, and equalities up to constants, that are seen along the path."""
        path = [at for at in node.path() if at.is_possible]
        numbers = [v for v in dict.fromkeys(variables) if isinstance(self.terms.sort(v), BitVecSort)]
        for one in numbers:
            self._mine_bound(path, one)
        for one, other in combinations(numbers, 2):
            found: Counter[Term] = Counter()
            for at in path:
                difference = self.difference(self.paths.value(at, one), self.paths.value(at, other))
                if difference is not None:
                    found[difference] += 1
            for difference, _ in found.most_common(MOST_ALIKE):
                self.offer(self.terms.eq(one, self.terms.add(other, difference)))

    def _mine_bound(self, path: Sequence[Node], variable: Term) -> None:
        """The least value that is seen along the path is a bound."""
        t, width = self.terms, self.terms.width(variable)
        values = [t.number(self.paths.value(at, variable)) for at in path]
        if values and None not in values:
            least = min(to_signed(value, width) for value in values if value is not None)
            self.offer(t.sle(t.bv(least, width), variable))
