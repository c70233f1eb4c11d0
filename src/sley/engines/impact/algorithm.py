"""Impact for threads: lazy abstraction with interpolants over an abstract reachability tree.

After B. Wachter, D. Kroening, J. Ouaknine, Verifying Multi-threaded Software with Impact, FMCAD 2013:

| paper                          | here                                                                      |
|--------------------------------|---------------------------------------------------------------------------|
| V, its root                    | ``nodes``, the first of them                                              |
| l(v), phi(v)                   | ``node.control`` (with ``node.shape``), ``node.label``                    |
| edge from v to w by (T, R, l') | ``w.parent``, ``w.branch`` with its ``thread``, guard and updates         |
| v covered by w                 | ``v.cover``, ``w.covered``                                                |
| Q                              | ``worklist``                                                              |
| MAIN                           | ``run``                                                                   |
| EXPAND, EXPAND-THREAD          | ``expand``, ``expand_thread``                                             |
| REFINE                         | ``refine``: of errors, and of whatever else labels have to exclude        |
| CLOSE                          | ``close`` for leaves, ``close_ancestors`` for others                      |
| cover expansions of CLOSE      | ``set_cover``                                                             |
| force cover                    | ``force_cover``, with ``force_cover.ForceCover``                          |
| SKIP(v, T), ACTION(v, T)       | ``reduction``; the action at ``v.control[T]``, in ``dependence``          |
| A_0, ..., A_N                  | ``Interpolation.refuting``                                                |
| V^{<v}                         | ``close`` looks at expanded nodes: below a leaf there are none            |

Three invariants hold after every step: labels are inductive along edges; ``v`` covered by ``w`` has the same
control and its label implies that of ``w``; whatever is left out (branches, threads) is refuted by labels.
They are what ``evidence.reachability_tree.check`` checks. Where the pseudo-code is wrong or silent, a comment
says why this differs. Throughout, an edge is a macro step (``semantics.symbolic_step``): one visible action
and the local steps after it. So SKIP always looks at the whole of what the last thread did, and no node
inside a run of local steps is covered.

When to stop is none of its business: a ``Watcher`` looks on (``extent``).
"""

from collections.abc import Sequence
from typing import NamedTuple

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.impact.dependence import Dependence
from sley.engines.impact.entailment import Entailment
from sley.engines.impact.extent import Size, Watcher
from sley.engines.impact.force_cover import ForceCover
from sley.engines.impact.formulas import ConjunctTable
from sley.engines.impact.interpolation import Interpolation
from sley.engines.impact.options import ImpactOptions, Interpolants
from sley.engines.impact.paths import Paths
from sley.engines.impact.reduction import reduction_of
from sley.engines.impact.resolution import NodeSteps
from sley.engines.impact.state_properties import StateProperties
from sley.engines.impact.tree import Control, Node
from sley.engines.impact.worklist import Worklist
from sley.evidence.reachability_tree.proof import Answer
from sley.logic.clauses import conjuncts
from sley.logic.terms import Term
from sley.program.properties import Failure
from sley.semantics.state import EXITED
from sley.semantics.symbolic_step import Branch, Shape, SymbolicSteps
from sley.semantics.symbolic_violations import Condition


class ViolatingPath(NamedTuple):
    """A path that violates a property: to ``node`` and on by ``branch`` (None: the state itself does)."""

    failure: Failure
    node: Node
    branch: Branch | None
    question: tuple[Term, ...]


class Impact:
    """One run of the algorithm."""

    def __init__(
        self,
        steps: SymbolicSteps,
        node_steps: NodeSteps,
        paths: Paths,
        dependence: Dependence,
        state_properties: StateProperties,
        options: ImpactOptions,
        watcher: Watcher,
    ) -> None:
        self.steps = steps
        self.terms = steps.terms
        self.node_steps = node_steps
        self.paths = paths
        self.state_properties = state_properties
        self.options = options
        self.watcher = watcher
        self.formulas = ConjunctTable(self.terms)
        self.entailment = Entailment(self.terms)
        self.interpolation = Interpolation(paths, self.formulas, self.entailment, options)
        self.forcing = ForceCover(paths, self.entailment, self.interpolation, options)
        self.reduction = reduction_of(options, dependence, steps, self.refine)
        self.worklist = Worklist(options.order_seed)
        self.nodes: list[Node] = []
        self.expansions: dict[tuple[Node, int], tuple[tuple[Answer, ...], tuple[Node | None, ...]]] = {}
        """(node, thread) -> how addresses were resolved, and the child of each branch."""
        self.violations: list[ViolatingPath] = []
        self.gave_up: dict[str, None] = {}
        self.counts = dict.fromkeys(
            ("refinements", "cover expansions", "covers", "forced", "tried", "uncovered"), 0
        )
        self._strengthened: dict[Node, None] = {}
        self._expanded_at: dict[tuple[Control, Shape], list[Node]] = {}

    # --- MAIN -------------------------------------------------------------------------------------

    def run(self) -> None:
        """Until every leaf is covered or expanded, or the watcher has seen enough."""
        self._make_root()
        while self.worklist and not self.watcher.stops(self.size):
            leaf = self.worklist.pop()
            if leaf.is_complete:  # no other one is passed over: below a covered node there is none
                continue
            try:
                if not self.close(leaf) and not self.force_cover(leaf):
                    self.expand(leaf)
            except GaveUpError as reason:
                self.gave_up[str(reason)] = None
            self.close_ancestors()

    @property
    def size(self) -> Size:
        """How large the tree is, and what has been found in it."""
        implications = sum(self.entailment.counts.values())
        return Size(len(self.nodes), implications, [v.failure.property for v in self.violations])

    def _make_root(self) -> None:
        root = self._new_node(None, None)
        root.control, root.shape = self.steps.initial_control(), self.steps.initial_shape()
        self.reduction.starts(root)
        self.paths.note_shape(root.shape)
        self.worklist.add(root)

    def _new_node(self, parent: Node | None, branch: Branch | None) -> Node:
        node = Node(len(self.nodes), parent, branch)
        self.nodes.append(node)
        return node

    # --- EXPAND -----------------------------------------------------------------------------------

    def expand(self, node: Node) -> None:
        """Take all steps that the node needs."""
        node.is_expanded = True
        alike = self._expanded_at.setdefault((node.control, node.shape), [])
        alike.append(node)
        self.watcher.expanded(node, len(alike))
        self.check_state(node)
        # those queued last are taken first
        for thread in reversed(self.reduction.in_turn(node)):
            self.expand_thread(node, thread)

    def expand_thread(self, node: Node, thread: int) -> None:
        """Take all steps of one thread, unless that was done."""
        if thread in node.expanded:
            return
        node.expanded[thread] = None
        step, answers = self.node_steps.at(node, thread)
        self.interpolation.predicates.learn(step)
        for guard, reason in step.troubles:
            if not self.refine(node, guard):
                self.gave_up[reason] = None
        children = tuple(self._child(node, branch) for branch in step.branches)
        self.expansions[node, thread] = (answers, children)

    def _child(self, node: Node, branch: Branch) -> Node | None:
        """The node that a branch leads to; None if the branch is impossible, and the labels then say why.

        The paper makes the node and finds its label false later (so do we if we are told to). Here no label
        becomes false, so there are no nodes below such a label that cover others and are never completed.
        """
        inputs = self.paths.inputs_of(node, branch)
        guard = self.paths.at(node, branch.guard, inputs)
        failure = self.steps.code.errors.get(branch.target)
        is_asked = failure is not None or self.options.refute_branches
        if is_asked and self.refine(node, branch.guard, guard, may_stay_open=failure is None):
            return None
        if failure is not None:
            self.violations.append(ViolatingPath(failure, node, branch, guard))
            return None
        if branch.target < 0 and branch.target != EXITED:
            self.check_end(node, branch)
            return None
        return self._add_child(node, branch, guard, inputs)

    def _add_child(
        self, node: Node, branch: Branch, guard: tuple[Term, ...], inputs: dict[Term, Term]
    ) -> Node:
        child = self._new_node(node, branch)
        self.paths.note_shape(branch.shape)
        control = list(node.control)
        control[branch.thread] = branch.target
        functions = self.steps.code.program.functions
        control += [functions[name].entry for name in branch.shape.threads[len(control) :]]
        child.control, child.shape = tuple(control), branch.shape
        new = self.paths.at(node, tuple(branch.updates.values()), inputs)
        child.values = {**node.values, **dict(zip(branch.updates, new, strict=True))}
        child.guard, child.inputs = guard, inputs
        if self.options.interpolants is Interpolants.PREDICATES or not self.options.refute_branches:
            core = self.paths.refutation(node, guard)
            if core is not None:
                child.contradiction = core.guards | {guard[i] for i in core.parts}
        child.input_counts = node.input_counts
        if inputs:
            count = node.input_counts.get(branch.thread, 0) + len(inputs)
            child.input_counts = {**node.input_counts, branch.thread: count}
        self.reduction.came_by(child, node, branch)
        node.children.append(child)
        self.worklist.add(child)
        return child

    # --- properties -------------------------------------------------------------------------------

    def check_state(self, node: Node) -> None:
        """Refute the properties of states, like guards."""
        for failure, condition in self.state_properties.at(node.control, node.shape):
            self._check(node, failure, condition, None)

    def check_end(self, node: Node, branch: Branch) -> None:
        """Refute the properties of the end of the process."""
        found = self.state_properties.at_end(node.control, node.shape, branch.thread)
        if found is not None:
            self._check(node, *found, branch)

    def _check(self, node: Node, failure: Failure, condition: Condition, branch: Branch | None) -> None:
        """The labels say why the condition does not hold at the node; or it is a violation, or unknown."""
        for term, is_known in ((condition.holds, True), (condition.unknown, False)):
            if term == self.terms.false:
                continue
            parts = conjuncts(self.terms, (term,))
            question = self.paths.at(node, parts)
            if self.refine(node, parts, question):
                continue
            if is_known:
                self.violations.append(ViolatingPath(failure, node, branch, question))
            else:
                text = f"whether there is a {failure.rule} could not be decided"
                self.gave_up[Reason(text, Why.OPEN, failure.rule)] = None

    # --- REFINE -----------------------------------------------------------------------------------

    def refine(
        self,
        node: Node,
        question: Sequence[Term],
        over_inputs: Sequence[Term] | None = None,
        *,
        may_stay_open: bool = False,
    ) -> bool:
        """Make labels exclude a question (conjuncts, also over the path's inputs); false if it can be so.

        In the paper the question is an error location. Here it is the guard of a branch, be it to an error or
        not, an alias, or a property of states: what the tree leaves out, labels have to exclude. Where it may
        stay open and labels are made of predicates, those at hand have to do.
        """
        if over_inputs is None:
            over_inputs = self.paths.at(node, question)
        if any(self.terms.not_(part) in node.label.conjuncts for part in question):
            return True
        core = self.paths.refutation(node, over_inputs)
        if core is None:
            return False
        found = self.interpolation.refuting(node, question, core, may_stay_open=may_stay_open)
        if found is None:
            return False
        self.counts["refinements"] += 1
        for at, new in found:
            self._strengthen(at, new)
        return True

    def _strengthen(self, node: Node, new: Sequence[Term]) -> None:
        """Conjoin to the label; what the node covers has to be looked at again where that is too strong."""
        node.label.add(self.terms, new)
        self.watcher.strengthened(node)
        if not self.options.force_cover and node.is_expanded:
            self._strengthened[node] = None
        for covered in list(node.covered):
            if not all(self.entailment.is_plain(covered.label, conjunct) for conjunct in new):
                self._uncover(covered)

    def _uncover(self, node: Node) -> None:
        assert node.cover is not None
        self.counts["uncovered"] += 1
        del node.cover.covered[node]
        node.cover = None
        self._resume_below(node)

    # --- CLOSE ----------------------------------------------------------------------------------

    def close(self, node: Node) -> bool:
        """Cover the leaf by an expanded node whose label it implies: the first that is found, if any.

        What it needs is asked before: that may strengthen the very label that is to cover the node.

        The paper takes older nodes only (V^{<v}), which excludes what is below v; below a leaf there is
        nothing. Those that cover are expanded, so they are not covered, and covers form no chains.
        """
        if not node.is_possible:
            self.end_impossible(node)
        self.reduction.need(node)
        return any(
            self._is_implied(node, other) and self.set_cover(node, other) for other in self._older(node)
        )

    def _is_implied(self, node: Node, other: Node) -> bool:
        return self.entailment.all_follow(node.label, other.label.conjuncts)

    def _older(self, node: Node) -> list[Node]:
        """The nodes that may cover a leaf, the last one first."""
        return self._candidates(node)[::-1]

    def end_impossible(self, node: Node) -> None:
        """Make the label false if the predicates say that no run comes here."""
        for at, new in self.interpolation.predicates.establishing(node, self.terms.false) or ():
            self._strengthen(at, new)
            if at is node:
                self._strengthen(node, (self.terms.false,))

    def close_ancestors(self) -> None:
        """Cover expanded nodes whose labels have become strong enough, as the paper does after REFINE.

        The paper forgets leaves then: those that were covered from below such a node, and those it drops as
        long as an ancestor is covered. Here what is below is suspended, what it covered is queued again, and
        all of it resumes should the node be uncovered. Force covers make all this needless.
        """
        while self._strengthened:
            node = min(self._strengthened, key=lambda node: node.number)
            del self._strengthened[node]
            if not node.is_expanded or node.cover is not None or node.is_suspended:
                continue
            for other in self._candidates(node):
                if other.number < node.number and self._is_implied(node, other):
                    self._suspend_below(node)
                    self.set_cover(node, other)
                    break

    def _suspend_below(self, node: Node) -> None:
        """What is below a node that is being covered is no part of the tree, until it is uncovered."""
        waiting = [node]
        while waiting:
            at = waiting.pop()
            if at.is_expanded and at.cover is None:
                self._expanded_at[at.control, at.shape].remove(at)
            for covered in list(at.covered):
                self._uncover(covered)
            if at.cover is not None:
                del at.cover.covered[at]
                at.cover = None
            at.is_suspended = at is not node
            waiting.extend(child for child in at.children if not child.is_suspended)

    def _resume_below(self, node: Node) -> None:
        """The node is uncovered: what was below it is there again, and its leaves wait."""
        waiting = [node]
        while waiting:
            at = waiting.pop()
            at.is_suspended = False
            if at.is_expanded:
                self._expanded_at[at.control, at.shape].append(at)
                self._strengthened[at] = None
            else:
                self.worklist.add(at)
            waiting.extend(at.children)

    def _candidates(self, node: Node) -> list[Node]:
        found = self._expanded_at.get((node.control, node.shape), [])
        return [other for other in found if self.reduction.may_cover(other, node)]

    def set_cover(self, node: Node, other: Node) -> bool:
        """``node`` is covered by ``other``, which gets what the node needs; false if that undid the cover.

        So it is for forced covers, too, of which the paper does not say it.
        """
        node.cover = other
        other.covered[node] = None
        self.counts["covers"] += 1
        before = len(self.nodes)
        for thread in self.reduction.need(node):
            if node.cover is other:
                self.expand_thread(other, thread)
        self.counts["cover expansions"] += len(self.nodes) - before
        return node.cover is other

    # --- force covers -----------------------------------------------------------------------------

    def force_cover(self, node: Node) -> bool:
        """Strengthen the leaf's label, and those above it, so that an expanded node covers it."""
        if not self.options.force_cover:
            return False
        for other, found in self.forcing.attempts(node, self._older(node)):
            self.counts["tried"] += 1
            if found is None:
                continue
            for at, new in found:
                self._strengthen(at, new)
            # where `other` is above the node, it may have got conjuncts that the node has not
            if self._is_implied(node, other) and self.set_cover(node, other):
                self.counts["forced"] += 1
                return True
        return False
