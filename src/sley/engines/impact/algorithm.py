"""Impact for threads: lazy abstraction with interpolants over an abstract reachability tree.

After B. Wachter, D. Kroening, J. Ouaknine, Verifying Multi-threaded Software with Impact, FMCAD 2013:

| paper                          | here                                                                     |
|--------------------------------|--------------------------------------------------------------------------|
| V, its root                    | ``nodes``, the first of them                                             |
| l(v), phi(v)                   | ``node.control`` (with ``node.shape``), ``node.label``                   |
| edge from v to w by (T, R, l') | ``w.parent``, ``w.branch`` with its ``thread``, guard and updates        |
| v covered by w                 | ``v.cover``, ``w.covered``                                               |
| Q                              | ``worklist``                                                             |
| EXPAND, REFINE, CLOSE          | ``expand``, ``refine``, ``close`` for leaves, ``close_above`` for others |
| cover expansions               | ``set_cover``                                                            |
| SKIP(v, T), ACTION(v, T)       | ``skip``; the action at ``v.control[T]``, in ``dependence``              |
| A_0, ..., A_N                  | ``Interpolation.refuting``                                               |
| LOOP, V^{<v}                   | left out: see ``skip`` and ``close``                                     |

Three invariants hold after every step: labels are inductive along edges; ``v`` covered by ``w`` has the same
control and its label implies that of ``w``; whatever is left out (branches, threads) is refuted by labels.
They are what ``evidence.reachability_tree.check`` checks. Where the pseudo-code is wrong or silent, a comment
says why this differs. Throughout, an edge is a macro step (``semantics.symbolic_step``): one visible action
and the local steps after it. So SKIP always looks at the whole of what the last thread did, and no node
inside a run of local steps is covered.
"""

from collections.abc import Iterator, Mapping, Sequence
from heapq import heappop, heappush
from itertools import pairwise
from random import Random
from typing import NamedTuple

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.impact.audit import audit
from sley.engines.impact.dependence import Dependence
from sley.engines.impact.entailment import Entailment
from sley.engines.impact.formulas import Formulas
from sley.engines.impact.interpolation import Interpolation
from sley.engines.impact.options import ImpactOptions, Interleaving, Interpolants
from sley.engines.impact.paths import Core, Paths
from sley.engines.impact.resolution import Steps
from sley.engines.impact.state_properties import StateProperties
from sley.engines.impact.tree import Control, Node, nearest_common_ancestor
from sley.evidence.reachability_tree.proof import Answer
from sley.logic.clauses import conjuncts
from sley.logic.terms import Term
from sley.program.properties import Failure
from sley.semantics.state import EXITED
from sley.semantics.symbolic_step import Branch, Shape, SymbolicSteps
from sley.semantics.symbolic_violations import Condition

SWITCH_STEP = 5
"""By how much the number of context switches grows that are taken first."""

MORE_SECONDS = 0.5
"""After the first violation the search goes on at least this long, to list others."""


class Extent(NamedTuple):
    """How large a tree may become."""

    nodes: int
    conjuncts: int
    """In a label."""
    repetitions: int | None = None
    """How often a path may come back to where all threads stand alike; None: as often as it likes."""
    open_repetitions: int | None = None
    """The same, where inputs decide each time whether it does."""
    implications: int | None = None
    """How many of them may be asked about; None: as many as it takes."""


def _is_above(number: int, limit: int | None) -> bool:
    return limit is not None and number > limit


class Violation(NamedTuple):
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
        node_steps: Steps,
        paths: Paths,
        dependence: Dependence,
        state_properties: StateProperties,
        options: ImpactOptions,
        budget: Budget,
    ) -> None:
        self.steps = steps
        self.terms = steps.terms
        self.node_steps = node_steps
        self.paths = paths
        self.dependence = dependence
        self.state_properties = state_properties
        self.options = options
        self.is_lockstep = options.interleaving is Interleaving.LOCKSTEP
        self.budget = budget
        self.formulas = Formulas(self.terms)
        self.entailment = Entailment(self.terms)
        self.interpolation = Interpolation(paths, self.formulas, self.entailment, options)
        self.worklist: list[tuple[int, float, Node]] = []
        """Leaves to be closed or expanded, few context switches first, then depth first; or in any order."""
        self._random = None if options.order_seed is None else Random(options.order_seed)
        self.nodes: list[Node] = []
        self.expansions: dict[tuple[Node, int], tuple[tuple[Answer, ...], tuple[Node | None, ...]]] = {}
        """(node, thread) -> how addresses were resolved, and the child of each branch."""
        self.violations: list[Violation] = []
        self.gave_up: dict[str, None] = {}
        self.counts = dict.fromkeys(
            ("refinements", "cover expansions", "covers", "forced", "tried", "uncovered"), 0
        )
        self._queued = 0
        self._until: float | None = None
        self._largest_label = 0
        self._repetitions = self._open_repetitions = 0
        self._strengthened: dict[Node, None] = {}
        self._expanded_at: dict[tuple[Control, Shape], list[Node]] = {}

    # --- the main loop --------------------------------------------------------------------------

    def run(self, extent: Extent | None = None) -> bool:
        """Until every leaf is covered or expanded; false if the tree grows beyond the extent."""
        self.budget.shows(lambda: f"{len(self.nodes)} nodes")
        root = self._new_node(None, None)
        root.control, root.shape = self.steps.initial_control(), self.steps.initial_shape()
        root.order = tuple(root.running)
        self.paths.note_shape(root.shape)
        self._queue(root)
        while self.worklist and not self._is_enough():
            _, _, node = heappop(self.worklist)
            if extent is not None and self._exceeds(extent):
                return bool(self.violations)
            # no node is passed over because of its ancestors: below a covered one there is none
            if not node.is_complete:
                self.budget.spend()
                self.process(node)
                self.close_above()
                if self.options.check_labels:
                    audit(self.terms, self.formulas, self.entailment, self.nodes)
        return True

    def _queue(self, node: Node) -> None:
        """Of those with about as many switches, the last is taken first."""
        self._queued += 1
        if self._random is None:
            heappush(self.worklist, (node.switches // SWITCH_STEP, -self._queued, node))
        else:
            heappush(self.worklist, (0, self._random.random(), node))

    def _exceeds(self, extent: Extent) -> bool:
        """Whether the tree seems to grow without end."""
        return (
            len(self.nodes) > extent.nodes
            or self._largest_label > extent.conjuncts
            or _is_above(self._repetitions, extent.repetitions)
            or _is_above(self._open_repetitions, extent.open_repetitions)
            or _is_above(sum(self.entailment.counts.values()), extent.implications)
        )

    @property
    def is_open_ended(self) -> bool:
        """Whether a path came back again and again to where it was because inputs said so."""
        return self._open_repetitions > 1

    def _is_enough(self) -> bool:
        """After the first violation, look for other properties as long again."""
        if not self.violations:
            return False
        if self._until is None:
            self._until = 2 * self.budget.elapsed() + MORE_SECONDS
        violated = {violation.failure.property for violation in self.violations}
        return self.state_properties.properties <= violated or self.budget.elapsed() > self._until

    def process(self, node: Node) -> None:
        """CLOSE the leaf, or EXPAND it."""
        try:
            if not node.is_possible:
                self.end_impossible(node)
            self.need(node)  # before CLOSE: it may strengthen the very label that is to cover the node
            if not self.close(node) and not (self.options.force_cover and self.force_cover(node)):
                self.expand(node)
        except GaveUpError as reason:
            self.gave_up[str(reason)] = None

    def end_impossible(self, node: Node) -> None:
        """Make the label false if the predicates say that no run comes here."""
        for at, new in self.interpolation.predicates.establishing(node, self.terms.false) or ():
            self._strengthen(at, new)
            if at is node:
                self._strengthen(node, (self.terms.false,))

    def _new_node(self, parent: Node | None, branch: Branch | None) -> Node:
        node = Node(len(self.nodes), parent, branch)
        self.nodes.append(node)
        return node

    # --- EXPAND ---------------------------------------------------------------------------------

    def expand(self, node: Node) -> None:
        """Take all steps that the node needs."""
        node.is_expanded = True
        self._expanded_at.setdefault((node.control, node.shape), []).append(node)
        self._note_repetitions(node)
        self.check_state(node)
        # those queued last are taken first
        for thread in reversed(self._preferred(node)):
            self.expand_thread(node, thread)

    def _preferred(self, node: Node) -> list[int]:
        """The threads that the node needs: whose turn it is first, or the one that has just stepped."""
        if self.is_lockstep:
            return [thread for thread in node.order if thread in self.need(node)]
        last = node.branch.thread if node.branch is not None else 0
        return sorted(self.need(node), key=lambda thread: (thread != last, thread))

    def _note_repetitions(self, node: Node) -> None:
        """How many nodes above have the same control, and how often inputs decided something in between."""
        if len(self._candidates(node)) <= self._open_repetitions:
            return
        decisions, there = 0, list[int]()
        for at in node.path():
            decisions += any(guard != self.terms.true for guard in at.guard)
            if (at.control, at.shape) == (node.control, node.shape):
                there.append(decisions)
        self._repetitions = max(self._repetitions, len(there) - 1)
        self._open_repetitions = max(self._open_repetitions, sum(a != b for a, b in pairwise(there)))

    def check_state(self, node: Node) -> None:
        """Refute the properties of states, like guards."""
        for failure, condition in self.state_properties.at(node.control, node.shape):
            self._exclude(node, failure, condition, None)

    def _exclude(self, node: Node, failure: Failure, condition: Condition, branch: Branch | None) -> None:
        """The labels say why the condition does not hold at the node; or it is a violation, or unknown."""
        for term, is_known in ((condition.holds, True), (condition.unknown, False)):
            if term == self.terms.false:
                continue
            parts = conjuncts(self.terms, (term,))
            question = self.paths.at(node, parts)
            if self.refute(node, parts, question):
                continue
            if is_known:
                self.violations.append(Violation(failure, node, branch, question))
            else:
                self.gave_up[f"whether there is a {failure.rule} could not be decided"] = None

    def expand_thread(self, node: Node, thread: int) -> None:
        """Take all steps of one thread, unless that was done."""
        if thread in node.expanded:
            return
        node.expanded[thread] = None
        step, answers = self.node_steps.at(node, thread)
        self.interpolation.predicates.learn(step)
        for guard, reason in step.troubles:
            if not self.refute(node, guard, self.paths.at(node, guard)):
                self.gave_up[reason] = None
        children = tuple(self._child(node, branch) for branch in step.branches)
        self.expansions[node, thread] = (answers, children)

    def _child(self, node: Node, branch: Branch) -> Node | None:
        """The node that a branch leads to; None if the branch is impossible, and the labels then say why.

        The paper makes the node and finds its label false later. Here no label ever becomes false, so there
        are no nodes below such a label that cover others and are never completed.
        """
        inputs = self.paths.inputs_of(node, branch)
        guard = self.paths.at(node, branch.guard, inputs)
        failure = self.steps.code.errors.get(branch.target)
        is_cut = self.prune if failure is None else self.refute
        if is_cut(node, branch.guard, guard):
            return None
        if failure is not None:
            self.violations.append(Violation(failure, node, branch, guard))
            return None
        if branch.target < 0 and branch.target != EXITED:
            self.check_end(node, branch)
            return None
        return self._add_child(node, branch, guard, inputs)

    def check_end(self, node: Node, branch: Branch) -> None:
        """Refute the properties of the end of the process."""
        found = self.state_properties.at_end(node.control, node.shape, branch.thread)
        if found is not None:
            self._exclude(node, *found, branch)

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
        if self.options.interpolants is Interpolants.PREDICATES:
            core = self.paths.refutation(node, guard)
            if core is not None:
                child.contradiction = core.guards | {guard[i] for i in core.parts}
        child.input_counts = node.input_counts
        if inputs:
            count = node.input_counts.get(branch.thread, 0) + len(inputs)
            child.input_counts = {**node.input_counts, branch.thread: count}
        last = node.branch.thread if node.branch is not None else branch.thread
        child.switches = 0 if self.is_lockstep else node.switches + (branch.thread != last)
        child.order = self._order_after(node, branch, len(control))
        node.children.append(child)
        self._queue(child)
        return child

    def _order_after(self, node: Node, branch: Branch, threads: int) -> tuple[int, ...]:
        """Whose turn it is: a thread that has gone through its loop once comes last, like new ones."""
        order = (*node.order, *range(len(node.order), threads))
        if branch.target < 0 or self.steps.position(branch.target) > self.steps.position(branch.source):
            return order
        return (*(thread for thread in order if thread != branch.thread), branch.thread)

    # --- SKIP -----------------------------------------------------------------------------------

    def need(self, node: Node) -> tuple[int, ...]:
        """The threads that have to be expanded at the node, or where it is covered.

        In the paper, those that already have an edge here; a leaf, which is what CLOSE looks at, has none.
        """
        if node.need is None:
            if self.is_lockstep:
                node.sleep = frozenset(self._asleep(node))
            node.need = tuple(
                thread
                for thread in node.running
                if thread not in node.sleep and (self.is_lockstep or not self.skip(node, thread))
            )
        return node.need

    def _asleep(self, node: Node) -> Iterator[int]:
        """The threads whose steps commute with the last one, and were taken before it or asleep there."""
        parent, branch = node.parent, node.branch
        if parent is None or branch is None:
            return
        turn = parent.order.index(branch.thread)
        for position, thread in enumerate(parent.order):
            is_taken = position < turn or (position > turn and thread in parent.sleep)
            if is_taken and parent.control[thread] >= 0 and self._commutes(node, thread):
                yield thread

    def skip(self, node: Node, thread: int) -> bool:
        """Whether a path through another node does what the thread could do here.

        LOOP is left out: it matters where local steps are merged, and macro steps end at the heads of loops.
        """
        if node.parent is None or self.options.interleaving is not Interleaving.DYNAMIC:
            return False
        assert node.branch is not None
        last = node.branch.thread
        if thread >= last or thread >= len(node.parent.control):  # the last step may have created it
            return False
        return self._commutes(node, thread)

    def _commutes(self, node: Node, thread: int) -> bool:
        """Whether the last step and the next one of a thread that was there already are independent."""
        assert node.parent is not None
        assert node.branch is not None
        last, last_at = node.branch.thread, node.branch.source
        at = node.control[thread]
        # the paper's independence says nothing of an action that enables the other; ours excludes that
        if self.dependence.is_independent(at, last_at):
            return True
        return self.options.conditional_dependence and self.refute_alias(
            node.parent, thread, at, last, last_at
        )

    def refute_alias(self, node: Node, thread: int, at: int, last: int, last_at: int) -> bool:
        """Show that two accesses touch no common byte; false if on this path they may.

        The reason is stored from the root down to where the first of them is made, not only there: what will
        be covered on the way comes here, too, where the thread stays skipped.
        """
        alias = self.dependence.alias(node.shape, thread, at, last, last_at)
        if alias == self.terms.true:
            return False
        parts = conjuncts(self.terms, (alias,))
        return self.prune(node, parts, self.paths.at(node, parts))

    # --- REFINE ---------------------------------------------------------------------------------

    def prune(self, node: Node, question: Sequence[Term], over_inputs: Sequence[Term]) -> bool:
        """As ``refute``, where it may stay open: by predicates alone, if that is how labels are made."""
        if self.options.interpolants is not Interpolants.PREDICATES:
            return self.refute(node, question, over_inputs)
        if node.is_possible and self.paths.refutation(node, over_inputs) is None:
            return False
        found = self.interpolation.by_predicates(node, question)
        if found is None:
            return False
        for at, new in found:
            self._strengthen(at, new)
        return True

    def refute(self, node: Node, question: Sequence[Term], over_inputs: Sequence[Term]) -> bool:
        """Make labels exclude a question (conjuncts, also over the path's inputs); false if it can be so."""
        for part in question:
            if self.terms.not_(part) in node.label.conjuncts:
                return True
        core = self.paths.refutation(node, over_inputs)
        if core is None:
            return False
        self.refine(node, question, core)
        return True

    def refine(self, node: Node, question: Sequence[Term], core: Core) -> None:
        """The question is impossible at the node: store interpolants that say so, from the root on."""
        self.counts["refinements"] += 1
        for at, new in self.interpolation.refuting(node, question, core):
            self._strengthen(at, new)

    def _strengthen(self, node: Node, new: Sequence[Term]) -> None:
        """Conjoin to the label; what the node covers has to be looked at again where that is too strong."""
        node.label.add(self.terms, new)
        self._largest_label = max(self._largest_label, len(node.label.conjuncts))
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

        The paper takes older nodes only (V^{<v}), which excludes what is below v; below a leaf there is
        nothing. Those that cover are expanded, so they are not covered, and covers form no chains.
        """
        for other in reversed(self._candidates(node)):
            if self.entailment.all_follow(node.label, other.label.conjuncts) and self.set_cover(node, other):
                return True
        return False

    def close_above(self) -> None:
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
                if other.number < node.number and self.entailment.all_follow(
                    node.label, other.label.conjuncts
                ):
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
                self._queue(at)
            waiting.extend(at.children)

    def _candidates(self, node: Node) -> list[Node]:
        """The nodes that may cover it: in lockstep, those where nobody else is asleep."""
        found = self._expanded_at.get((node.control, node.shape), [])
        return [other for other in found if other.sleep <= node.sleep] if self.is_lockstep else found

    def set_cover(self, node: Node, other: Node) -> bool:
        """``node`` is covered by ``other``, which gets what the node needs; false if that undid the cover.

        So it is for forced covers, too, of which the paper does not say it.
        """
        node.cover = other
        other.covered[node] = None
        self.counts["covers"] += 1
        before = len(self.nodes)
        for thread in self.need(node):
            if node.cover is other:
                self.expand_thread(other, thread)
        self.counts["cover expansions"] += len(self.nodes) - before
        return node.cover is other

    # --- force covers ---------------------------------------------------------------------------

    def force_cover(self, node: Node) -> bool:
        """Strengthen the leaf's label, and those above it, so that an expanded node covers it."""
        tried = 0
        folded: dict[Term, Term] = {}
        for other in reversed(self._candidates(node)):
            if tried >= self.options.force_limit:
                break
            goals = [g for g in other.label.conjuncts if g not in node.label.conjuncts]
            if not self._is_plausible(node, goals, folded):
                continue
            tried += 1
            self.counts["tried"] += 1
            if not self._force(node, other, goals, folded):
                continue
            # where `other` is above the node, it may have got conjuncts that the node has not
            if self.entailment.all_follow(node.label, other.label.conjuncts) and self.set_cover(node, other):
                self.counts["forced"] += 1
                return True
        return False

    def _is_plausible(self, node: Node, goals: Sequence[Term], folded: dict[Term, Term]) -> bool:
        """Whether no goal is plainly false on the path to the node."""
        if not node.is_possible:
            return True
        for goal in goals:
            if goal not in folded:
                (folded[goal],) = self.paths.at(node, (goal,))
            if folded[goal] == self.terms.false:
                return False
        return True

    def _force(self, node: Node, other: Node, goals: Sequence[Term], folded: Mapping[Term, Term]) -> bool:
        """Make the goals part of the node's label, if they hold on the path to it."""
        if self.options.interpolants is Interpolants.PREDICATES:
            by_predicates = self.interpolation.predicates.establishing(node, self.terms.and_(*goals))
            for at, new in by_predicates or ():
                self._strengthen(at, new)
            return by_predicates is not None
        guards: set[Term] = set()
        for goal in goals:
            if folded[goal] != self.terms.true:
                core = self.paths.refutation(node, (self.terms.not_(folded[goal]),))
                if core is None:
                    return False
                guards |= core.guards
        ancestor = nearest_common_ancestor(node, other)
        for at, new in self.interpolation.upwards(node, goals, frozenset(guards), ancestor):
            self._strengthen(at, new)
        return True
