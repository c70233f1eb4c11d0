"""The checker of reachability trees: it knows the semantics and a solver, and nothing of the engine.

Why an accepted tree proves safety. Call a path of steps *monotonic* if no step of a smaller thread follows
directly on an independent step of a larger one. Sorting such neighbours ends, and leads to the same state, so
every reachable state is the end of a monotonic path. Along a monotonic path there is always a node, not
covered, whose label the state satisfies: at the root because the initial state does; after a step because the
node has a child for the branch that was taken, and labels are inductive; where that child is covered, at the
covering node. A thread that the path takes next is expanded there: it is among those that the child *needs*,
all but the threads that no monotonic path takes next. At each such node the label excludes every violation.

In a tree with *sleeping* threads another set of paths is enough. Two runs are equivalent if swapping
neighbours that commute makes one of them the other; the *initials* of a run are the threads that take the
first step of an equivalent one. Claim: a run from a state of a node, none of whose initials sleeps there, has
an equivalent one along which there always is such a node, so its last state has one, too. By induction on its
length: take the initial that comes first in the order of the node; it is expanded, as it does not sleep. An
initial of the rest that slept at the child would commute with the step taken, hence be an initial of the
whole, and would sleep at the node, or come before the one that was taken: neither can be. Where a node is
covered, no thread sleeps at the covering node that does not sleep at the node, so that the claim holds there.
At the root no thread sleeps.

So these things are checked, with everything derived anew from the program:

* the initial state satisfies the root's label;
* the branches of each expansion are all there are, none is wrong, and no trouble can be met;
* labels are inductive, and exclude the branches without a child;
* a covered node and the one that covers it agree on control, and the label of one implies that of the other;
* every node has what it needs, and what the nodes need that it covers; sleeping threads may sleep;
* no label admits a race, a deadlock or a leak, as far as these are asked for;
* the claims of the analyses hold on which independence rests: every access hits a place that was foreseen.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

from sley.analyses.graphs import nodes_on_cycles
from sley.analyses.pointers import PointsTo
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.evidence.footprints import Footprint, Footprints
from sley.evidence.proof import Checked, RefusedProofError
from sley.evidence.reachability_tree.proof import Answer, Expansion, ReachabilityTree, TreeNode
from sley.logic.clauses import conjuncts, connected, fixed_values, subsumes
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.places import ShapePlaces
from sley.semantics.roles import ArbitraryRole, BoundRole, InputRole
from sley.semantics.state import EXITED
from sley.semantics.symbolic_memory import AccessTarget
from sley.semantics.symbolic_step import Branch, Shape, SymbolicStep, SymbolicSteps
from sley.semantics.symbolic_touches import SymbolicTouch, Touches, touches_of
from sley.semantics.vocabulary import MOST_CELLS
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer

MOST_INSTANCES = 64
"""How many instances of a conjunct with bound variables are tried."""

QUERY_SECONDS = 60.0

VIOLATIONS = {
    Property.RACE: "a data race",
    Property.DEADLOCK: "a deadlock",
    Property.LEAK: "lost memory",
}


def check_reachability_tree(
    program: Program, properties: frozenset[Property], proof: ReachabilityTree, budget: Budget
) -> Checked:
    """Accept the proof, or raise: RefusedProofError, or GaveUpError if that cannot be told."""
    _Checker(program, properties, proof, budget).run()
    return Checked("every step from every node and every implication was decided again", ("Z3",))


@dataclass(slots=True)
class _TreePlace:
    """Where a node is in the tree."""

    control: tuple[int, ...]
    shape: Shape
    parent: int = -1
    branch: Branch | None = None


class _ProofScript:
    """Answers the questions of a step as the proof says, if the analyses foresaw it."""

    def __init__(self, places: ShapePlaces, answers: Sequence[Answer]) -> None:
        self.places = places
        self.answers = list(answers)

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[AccessTarget]:
        """The places of an access."""
        number = self.places.program.terms.number(address)
        if number is not None:
            layout = self.places.program.pointers
            target = AccessTarget(layout.number(number), layout.offset(number))
            found: tuple[AccessTarget, ...] = (target,) if self._exists(shape, target) else ()
        else:
            answer = self._next()
            if not isinstance(answer, tuple):
                raise RefusedProofError("an answer of the wrong kind")
            found = answer
        return [t for t in found if self._exists(shape, t) and self.places.foresees(shape, edge, t)]

    def capacity(self, edge: Edge, size: Term) -> int | None:
        """The size of a block."""
        answer = self._next()
        if isinstance(answer, tuple):
            raise RefusedProofError("an answer of the wrong kind")
        return answer

    def excludes(self, condition: Term) -> bool:
        """Whether a case is left out."""
        return self._next() is True

    def _exists(self, shape: Shape, target: AccessTarget) -> bool:
        return target.number in self.places.steps.vocabulary(shape).instances

    def _next(self) -> Answer:
        if not self.answers:
            raise RefusedProofError("a question of a step has no answer")
        return self.answers.pop(0)


class _Checker:
    def __init__(
        self, program: Program, properties: frozenset[Property], proof: ReachabilityTree, budget: Budget
    ) -> None:
        self.program = program
        self.terms = program.terms
        self.properties = properties
        self.nodes = proof.nodes
        self.is_asleep = proof.is_asleep
        self.budget = budget
        points_to, code = PointsTo(program), Code(program)
        self.footprints = Footprints(program, points_to, observes_end=Property.LEAK in properties)
        self.quiet = proof.quiet
        self._check_quiet(code, proof.quiet)
        self.steps = SymbolicSteps(code, proof.quiet, MOST_CELLS)
        self.places = ShapePlaces(self.steps, points_to)
        self.logic = _Logic(program.terms, budget)
        self.found: dict[int, _TreePlace] = {}
        self._steps: dict[tuple[Shape, int, int, tuple[Answer, ...]], SymbolicStep] = {}
        self._touched: dict[tuple[Shape, int, int], Touches] = {}
        self._print_of_rest = cache(self._of_rest)

    def run(self) -> None:
        """Check everything, parents before children."""
        if not self.nodes:
            raise RefusedProofError("there is no root")
        self.found[0] = _TreePlace(self.steps.initial_control(), self.steps.initial_shape())
        for number, node in enumerate(self.nodes):
            self.budget.spend()
            place = self.found.get(number)
            if place is None:
                raise RefusedProofError(f"node {number} is not in the tree")
            if place.control != node.control:
                raise RefusedProofError(f"node {number} is somewhere else")
            self._check_label(number, node)
            self._check_sleep(number, node, place)
            if node.cover is None:
                self._check_expanded(number, node, place)
        for number, node in enumerate(self.nodes):
            if node.cover is not None:
                self._check_cover(number, node, node.cover)
        self._check_root()

    def _check_quiet(self, code: Code, quiet: frozenset[int]) -> None:
        """Passing a quiet stop cannot be observed, it cannot end the run there, nor pass it for ever.

        Lemma: whatever others do before such an access they can as well do before the step that it is part
        of, or after it; so the states in which a thread stands there need not be looked at. The same is true
        of the end of a thread: one that joins it cannot step before, and no other observes it. But the step
        that comes to the end does not commute with a join (``_print_of_step``).
        """
        entries = {function.entry for function in self.program.functions.values()}
        for location in quiet:
            is_unnoticed = self.footprints.action(location) == Footprint()
            is_access = is_unnoticed and self._is_plain_access(code, location)
            if location in entries or not (is_access or self._is_plain_end(code, location)):
                raise RefusedProofError("a step passes a stop that others may notice")
        if nodes_on_cycles(quiet, {location: self._next_quiet(code, location, quiet) for location in quiet}):
            raise RefusedProofError("a step may never come back from quiet stops")

    def _is_plain_end(self, code: Code, location: int) -> bool:
        """The end of a thread, not the first one, that only joins look at: they wait for it."""
        function = code.function_at[location]
        steps = [edge.instruction for edge in code.out.get(location, ())]
        if function.name == self.program.entry or not steps or not isinstance(steps[0], ir.Exit):
            return False
        if any(isinstance(edge.instruction, ir.Detach) for edge in self.program.edges):
            return False
        end = self.footprints.end[function.name] & self.footprints.awaited_ends
        return self.footprints.action(location) == Footprint(0, end)

    def _is_plain_access(self, code: Code, location: int) -> bool:
        """One access, with a Fault beside it should it be wrong, or one that is right for sure."""
        if not code.out.get(location):
            return False
        action = code.action(location)
        if isinstance(action, ir.Enter | ir.Leave) or code.faults.get(location) is not None:
            return isinstance(action, ir.Load | ir.Store | ir.Update | ir.Enter | ir.Leave)
        if not isinstance(action, ir.Load | ir.Store | ir.Update):
            return False
        if action.access.is_certain or action.access.is_unnoticed:
            return True
        address = self.terms.number(action.access.address)
        if address is None:
            return False
        pointers = self.program.pointers
        obj, offset = self.program.static_object(pointers.number(address)), pointers.offset(address)
        if obj is None or obj.storage is not Storage.GLOBAL or obj.is_read_only:
            return False
        is_constant = obj.layout.is_constant(offset, action.access.size)
        return not is_constant and offset + action.access.size <= obj.size

    def _next_quiet(self, code: Code, location: int, quiet: frozenset[int]) -> list[int]:
        """The quiet stops that a step meets next after one of them."""
        seen, waiting, found = {location}, [location], []
        while waiting:
            for edge in code.out.get(waiting.pop(), ()):
                if edge.target in quiet:
                    found.append(edge.target)
                elif edge.target not in code.stops and edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)
        return found

    def _check_label(self, number: int, node: TreeNode) -> None:
        """No label speaks of an arbitrary value of a step: it would be mistaken for that of the next one."""
        for conjunct in node.label:
            if any(isinstance(self.terms.symbol(v), InputRole) for v in self.terms.variables(conjunct)):
                raise RefusedProofError(f"the label of node {number} mentions an arbitrary value of a step")

    def _check_root(self) -> None:
        """The initial state satisfies the root's label; what does not exist yet is neither alive nor here."""
        initial: dict[Term, Term] = {}
        for shape in dict.fromkeys(place.shape for place in self.found.values()):
            initial |= self.steps.initial_values(shape)
        for conjunct in self.nodes[0].label:
            self._demand((), self.terms.substitute(conjunct, initial), "the initial state is not in the root")

    def _demand(self, label: Collection[Term], goal: Term, otherwise: str) -> None:
        if not self.logic.follows(label, goal):
            raise RefusedProofError(otherwise)

    def _exclude(self, node: TreeNode, condition: Term, otherwise: str) -> None:
        """The node's label excludes the condition."""
        if condition != self.terms.false:
            self._demand(node.label, self.terms.not_(condition), otherwise)

    # --- nodes that are not covered ---------------------------------------------------------------

    def _check_expanded(self, number: int, node: TreeNode, place: _TreePlace) -> None:
        for thread in self._lacking(number, place, node.expansions):
            raise RefusedProofError(f"node {number} lacks thread {thread}")
        self._check_state(number, node, place)
        for thread, expansion in node.expansions.items():
            self._check_expansion(number, node, place, thread, expansion)

    def _check_expansion(
        self, number: int, node: TreeNode, place: _TreePlace, thread: int, expansion: Expansion
    ) -> None:
        if not 0 <= thread < len(place.control) or place.control[thread] < 0:
            raise RefusedProofError(f"node {number}: thread {thread} does not run")
        step = self._step(place.shape, thread, place.control[thread], expansion.answers)
        if len(step.branches) != len(expansion.children):
            raise RefusedProofError(f"node {number}: thread {thread} has other branches")
        for trouble, reason in step.troubles:
            self._exclude(node, self.terms.and_(*trouble), f"node {number}: {reason}")
        for branch, child in zip(step.branches, expansion.children, strict=True):
            if child is not None:
                self._check_edge(number, node, place, branch, child)
            elif branch.target < 0 and branch.target != EXITED:
                self._check_end(number, node, place, branch)
            else:
                what = "an error" if branch.target in self.steps.code.errors else "a branch"
                guard = self.terms.and_(*branch.guard)
                self._exclude(node, guard, f"node {number}: {what} of thread {thread} is possible")

    def _step(self, shape: Shape, thread: int, location: int, answers: tuple[Answer, ...]) -> SymbolicStep:
        key = (shape, thread, location, answers)
        if key not in self._steps:
            script = _ProofScript(self.places, answers)
            self._steps[key] = self.steps.step(shape, thread, location, script)
        return self._steps[key]

    def _check_edge(self, number: int, node: TreeNode, place: _TreePlace, branch: Branch, child: int) -> None:
        """The child is where the branch leads, and its label holds there."""
        if not number < child < len(self.nodes) or child in self.found:
            raise RefusedProofError(f"node {child} has two parents, or the wrong one")
        if branch.target in self.steps.code.errors or (branch.target < 0 and branch.target != EXITED):
            raise RefusedProofError(f"node {child} is an error")
        control = list(place.control)
        control[branch.thread] = branch.target
        functions = self.program.functions
        control += [functions[name].entry for name in branch.shape.threads[len(control) :]]
        self.found[child] = _TreePlace(tuple(control), branch.shape, number, branch)
        for conjunct in self.nodes[child].label:
            goal = self.terms.substitute(conjunct, branch.updates)
            if not self.logic.follows(node.label, goal, branch.guard):
                raise RefusedProofError(f"the label of node {child} is not inductive")

    # --- covers ----------------------------------------------------------------------------------

    def _check_cover(self, number: int, node: TreeNode, cover: int) -> None:
        place = self.found[number]
        if not 0 <= cover < len(self.nodes) or self.nodes[cover].cover is not None:
            raise RefusedProofError(f"node {number} is covered by one that is covered")
        other = self.found[cover]
        if (place.control, place.shape) != (other.control, other.shape) or node.expansions:
            raise RefusedProofError(f"node {number} cannot be covered by node {cover}")
        if not set(self.nodes[cover].sleep) <= set(node.sleep):
            raise RefusedProofError(f"node {cover} sleeps more than node {number}, which it covers")
        for conjunct in self.nodes[cover].label:
            self._demand(node.label, conjunct, f"node {number} is not covered by node {cover}")
        for thread in self._lacking(number, place, self.nodes[cover].expansions):
            raise RefusedProofError(f"node {cover} lacks thread {thread}, which node {number} needs")

    def _lacking(self, number: int, place: _TreePlace, taken: Collection[int]) -> Iterator[int]:
        """The threads that are not taken and have to step, as far as paths of one of the two kinds go."""
        sleep = self.nodes[number].sleep
        for thread, at in enumerate(place.control):
            is_left_out = thread in taken or thread in sleep or at < 0
            if not is_left_out and not self._is_skipped(place, thread):
                yield thread

    def _is_skipped(self, place: _TreePlace, thread: int) -> bool:
        """Whether no monotonic path takes the thread: the step before is independent, by a larger one."""
        is_larger_last = place.branch is not None and thread < place.branch.thread
        return is_larger_last and not self.is_asleep and self._commutes(place, thread)

    def _check_sleep(self, number: int, node: TreeNode, place: _TreePlace) -> None:
        """A sleeping thread commutes with the step before, and slept or came first at the node before."""
        if node.sleep and (place.branch is None or not self.is_asleep):
            raise RefusedProofError(f"node {number} must not let threads sleep")
        for thread in node.sleep:
            assert place.branch is not None
            before, last = self.nodes[place.parent], place.branch.thread
            comes_first = thread in before.expansions and _is_before(before.order, thread, last)
            if thread == last or not (thread in before.sleep or comes_first):
                raise RefusedProofError(f"node {number}: no earlier step of thread {thread}")
            if not self._commutes(place, thread):
                raise RefusedProofError(f"node {number}: thread {thread} must not sleep")

    def _commutes(self, place: _TreePlace, thread: int) -> bool:
        """Whether the next step of a thread and the one before it, by another thread, are independent."""
        assert place.branch is not None
        last, last_at, at = place.branch.thread, place.branch.source, place.control[thread]
        if not self._print_of_step(at).conflicts_with(self._print_of_step(last_at)):
            return True
        if thread >= len(self.found[place.parent].control):
            return False
        parent = self.found[place.parent]
        return self._are_apart(self.nodes[place.parent].label, parent.shape, (thread, at), (last, last_at))

    def _are_apart(
        self, label: Collection[Term], shape: Shape, one: tuple[int, int], other: tuple[int, int]
    ) -> bool:
        """Whether the label says that two next actions have no byte in common that one of them writes.

        Then each of them does the same before the other as after it. What an action touches is looked up in
        the state before both: until it touches what the other one writes, it runs as it would from there.
        """
        for (_, at), (_, other_at) in ((one, other), (other, one)):
            beside = self.footprints.beside_bytes(at) | self._print_of_rest(at)
            if beside.conflicts_with(self._print_of_step(other_at)):
                return False
        first, second = (self._touches(shape, *action) for action in (one, other))
        unknown = (first.unknown, second.unknown)
        if not all(self.logic.follows(label, self.terms.not_(term)) for term in unknown):
            return False
        pairs = product(first.found, second.found)
        return all(self._miss(label, a, b) for a, b in pairs)

    def _print_of_step(self, location: int) -> Footprint:
        return self.footprints.action(location) | self._print_of_rest(location)

    def _of_rest(self, location: int) -> Footprint:
        """What a step does behind its action that others notice: it may come to the end of its thread."""
        found, seen, waiting = Footprint(), {location}, [location]
        while waiting:
            for edge in self.steps.code.out.get(waiting.pop(), ()):
                if edge.target in seen or edge.target in self.steps.stops:
                    continue
                seen.add(edge.target)
                waiting.append(edge.target)
                if edge.target in self.quiet:
                    found |= self.footprints.action(edge.target)
        return found

    def _miss(self, label: Collection[Term], one: SymbolicTouch, other: SymbolicTouch) -> bool:
        """Whether two accesses do not conflict in any state of the label."""
        if not self.footprints.of_access(one.edge).conflicts_with(self.footprints.of_access(other.edge)):
            return True
        if one.address is None or other.address is None:
            return False
        t = self.terms
        width = t.width(one.address)
        for low, high in ((one, other), (other, one)):
            assert low.address is not None
            assert high.address is not None
            apart = t.ule(t.bv(low.access.size, width), t.sub(high.address, low.address))
            if not self.logic.follows(label, apart):
                return False
        return True

    def _touches(self, shape: Shape, thread: int, location: int) -> Touches:
        key = (shape, thread, location)
        if key not in self._touched:
            vocabulary, listed = self.steps.vocabulary(shape), self.places.listed
            self._touched[key] = touches_of(vocabulary, thread, location, lambda edge, _: listed(shape, edge))
        return self._touched[key]

    # --- properties of states ----------------------------------------------------------------------

    def _check_state(self, number: int, node: TreeNode, place: _TreePlace) -> None:
        predicates = self.places.predicates(place.shape)
        for prop, (holds, unknown) in predicates.violations(place.control, self.properties):
            what = f"node {number}: {VIOLATIONS[prop]} is possible"
            self._exclude(node, self.terms.or_(holds, unknown), what)

    def _check_end(self, number: int, node: TreeNode, place: _TreePlace, branch: Branch) -> None:
        if Property.LEAK in self.properties:
            lost, unknown = self.places.predicates(place.shape).leak(place.control, branch.thread)
            condition = self.terms.and_(*branch.guard, self.terms.or_(lost, unknown))
            self._exclude(node, condition, f"node {number}: lost memory is possible")


def _is_before(order: Sequence[int], one: int, other: int) -> bool:
    """Whether one thread comes before another one; each occurs at most once."""
    return order.count(one) == order.count(other) == 1 and order.index(one) < order.index(other)


class _Logic:
    """Implications: by what terms fold to, else by a solver of which the engine makes no use."""

    def __init__(self, terms: Terms, budget: Budget) -> None:
        self.terms = terms
        self.budget = budget
        self.solver = make_solver("z3", terms, time_limit=QUERY_SECONDS)
        self._known: dict[tuple[frozenset[Term], Term], bool] = {}

    def follows(self, label: Collection[Term], goal: Term, guard: Collection[Term] = ()) -> bool:
        """Whether label and guard imply the goal; variables bound in the label stand for any values."""
        return all(self._clause_follows(label, clause, guard) for clause in conjuncts(self.terms, (goal,)))

    def _clause_follows(self, label: Collection[Term], goal: Term, guard: Collection[Term]) -> bool:
        if goal in label or subsumes(self.terms, label, goal, guard):
            return True
        instances = [i for h in label for i in self._instances(h, goal, guard)]
        if len(instances) > len(label) and subsumes(self.terms, instances, goal, guard):
            return True
        hypotheses = [*guard, *instances]
        near = connected(self.terms, hypotheses, (goal,))
        # what has no variable in common with the goal matters only if it contradicts itself
        return self._is_implied(near, goal) or self._is_implied(hypotheses, self.terms.false)

    def _is_implied(self, hypotheses: Collection[Term], goal: Term) -> bool:
        key = (frozenset(hypotheses), goal)
        if key not in self._known:
            self._known[key] = self._by_values(hypotheses, goal) or self._ask(hypotheses, goal)
        return self._known[key]

    def _by_values(self, hypotheses: Collection[Term], goal: Term) -> bool:
        """Put the values that hypotheses fix into the goal, and into the clauses that may imply it."""
        values = fixed_values(self.terms, hypotheses)
        reduced = self.terms.substitute(goal, values)
        if reduced == self.terms.true:
            return True
        return subsumes(self.terms, (self.terms.substitute(h, values) for h in hypotheses), reduced)

    def _ask(self, hypotheses: Collection[Term], goal: Term) -> bool:
        self.budget.spend()
        answer = self.solver.check(*hypotheses, self.terms.not_(goal))
        if answer is SolverAnswer.UNKNOWN:
            text = f"an implication could not be decided: {self.solver.reason}"
            raise GaveUpError(Reason(text, Why.SOLVER))
        return answer is SolverAnswer.UNSAT

    def _instances(self, hypothesis: Term, goal: Term, guard: Collection[Term]) -> Iterator[Term]:
        """A hypothesis with bound variables, for the arbitrary values that goal and guard mention."""
        t = self.terms
        bound = [v for v in t.variables(hypothesis) if isinstance(t.symbol(v), BoundRole)]
        yield hypothesis
        if not bound:
            return
        mentioned = dict.fromkeys(v for f in (goal, *guard) for v in t.variables(f))
        arbitrary = [v for v in mentioned if isinstance(t.symbol(v), ArbitraryRole)]
        choices = [[v for v in arbitrary if t.sort(v) == t.sort(b)] or [b] for b in bound]
        for count, chosen in enumerate(product(*choices)):
            if count >= MOST_INSTANCES:
                return
            yield t.substitute(hypothesis, dict(zip(bound, chosen, strict=True)))
