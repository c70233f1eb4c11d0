"""SKIP and *need*, one strategy for each reduction: which threads have to step at a node.

| option        | strategy    | paths                                                                      |
|---------------|-------------|----------------------------------------------------------------------------|
| full, spor    | Unreduced   | all; with spor, steps end only where others may notice (``quiet_stops``)   |
| dpor          | Monotonic   | those without an independent step of a smaller thread after a larger one's |
| lockstep      | Lockstep    | one of those that differ by swapping independent steps, by sleep sets      |

The paper's SKIP(v, T) is ``Monotonic.skip``. LOOP is left out: it matters where local steps are merged, and
macro steps end at the heads of loops. The paper's independence says nothing of an action that enables the
other one; ours excludes that.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol

from sley.engines.impact.dependence import Dependence
from sley.engines.impact.options import ImpactOptions, Interleaving
from sley.engines.impact.tree import Node
from sley.logic.clauses import conjuncts
from sley.logic.terms import Term
from sley.semantics.symbolic_step import Branch, SymbolicSteps


class Refine(Protocol):
    """REFINE of the algorithm."""

    def __call__(self, node: Node, question: Sequence[Term], *, may_stay_open: bool) -> bool:
        """Make labels exclude a question at a node; false if the answer may be yes."""
        ...


class Commutation:
    """Whether the step into a node and the next one of another thread commute, in all states before both.

    Where only addresses decide, they are asked about on the path, and the reason is stored in its labels from
    the root down to where the first of the two steps is made: what will be covered on the way comes here,
    too, where the thread stays skipped.
    """

    def __init__(self, dependence: Dependence, refine: Refine, *, is_conditional: bool) -> None:
        self.dependence = dependence
        self.refine = refine
        self.is_conditional = is_conditional

    def holds(self, node: Node, thread: int) -> bool:
        """For a thread that was there before the step into the node."""
        assert node.parent is not None
        assert node.branch is not None
        last, last_at, at = node.branch.thread, node.branch.source, node.control[thread]
        if self.dependence.is_independent(at, last_at):
            return True
        if not self.is_conditional:
            return False
        terms = self.dependence.terms
        alias = self.dependence.alias(node.parent.shape, thread, at, last, last_at)
        if alias == terms.true:
            return False
        return self.refine(node.parent, conjuncts(terms, (alias,)), may_stay_open=True)


class Unreduced:
    """Every thread steps at every node."""

    has_sleepers = False
    """Whether threads are left out since they sleep, not since paths are to be monotonic."""

    def starts(self, root: Node) -> None:
        """The root has been made."""

    def need(self, node: Node) -> tuple[int, ...]:
        """The threads that have to be expanded at the node, or where it is covered.

        In the paper, those that already have an edge here; a leaf, which is what CLOSE looks at, has none.
        """
        if node.need is None:
            node.need = tuple(self._needed(node))
        return node.need

    def _needed(self, node: Node) -> Iterator[int]:
        return node.running

    def may_cover(self, other: Node, node: Node) -> bool:
        """Whether what steps at the one node suffices at the other one, labels aside."""
        return True

    def in_turn(self, node: Node) -> list[int]:
        """The threads that the node needs, in the order of the search: the last one to step goes on."""
        last = node.branch.thread if node.branch is not None else 0
        return sorted(self.need(node), key=lambda thread: (thread != last, thread))

    def came_by(self, node: Node, parent: Node, branch: Branch) -> None:
        """A new node has been reached by a branch."""
        before = parent.branch.thread if parent.branch is not None else branch.thread
        node.switches = parent.switches + (branch.thread != before)


class Monotonic(Unreduced):
    """No step of a smaller thread follows directly on an independent step of a larger one."""

    def __init__(self, commutation: Commutation) -> None:
        self.commutation = commutation

    def _needed(self, node: Node) -> Iterator[int]:
        return (thread for thread in node.running if not self.skip(node, thread))

    def skip(self, node: Node, thread: int) -> bool:
        """Whether a path through another node does what the thread could do here."""
        if node.parent is None or node.branch is None:
            return False
        if thread >= node.branch.thread or thread >= len(node.parent.control):
            return False  # in order; or the last step may have created it
        return self.commutation.holds(node, thread)


class Lockstep(Unreduced):
    """A thread sleeps where an earlier path takes its step; one that has closed its loop once comes last."""

    has_sleepers = True

    def __init__(self, commutation: Commutation, steps: SymbolicSteps) -> None:
        self.commutation = commutation
        self.steps = steps

    def _needed(self, node: Node) -> Iterator[int]:
        node.sleep = frozenset(self._asleep(node))
        return (thread for thread in node.running if thread not in node.sleep)

    def starts(self, root: Node) -> None:
        """The first thread is the only one."""
        root.order = tuple(root.running)

    def _asleep(self, node: Node) -> Iterator[int]:
        """The threads whose steps commute with the last one, and were taken before it or asleep there."""
        parent, branch = node.parent, node.branch
        if parent is None or branch is None:
            return
        turn = parent.order.index(branch.thread)
        for position, thread in enumerate(parent.order):
            is_taken = position < turn or (position > turn and thread in parent.sleep)
            if is_taken and parent.control[thread] >= 0 and self.commutation.holds(node, thread):
                yield thread

    def may_cover(self, other: Node, node: Node) -> bool:
        """No other thread sleeps there."""
        return other.sleep <= node.sleep

    def in_turn(self, node: Node) -> list[int]:
        """Whose turn it is first."""
        return [thread for thread in node.order if thread in self.need(node)]

    def came_by(self, node: Node, parent: Node, branch: Branch) -> None:
        """A thread that has gone through its loop once comes last, like new ones."""
        order = (*parent.order, *range(len(parent.order), len(node.control)))
        if branch.target >= 0 and self.steps.position(branch.target) <= self.steps.position(branch.source):
            order = (*(thread for thread in order if thread != branch.thread), branch.thread)
        node.order = order


def reduction_of(
    options: ImpactOptions, dependence: Dependence, steps: SymbolicSteps, refine: Refine
) -> Unreduced:
    """The strategy that was chosen."""
    commutation = Commutation(dependence, refine, is_conditional=options.conditional_dependence)
    if options.interleaving is Interleaving.DYNAMIC:
        return Monotonic(commutation)
    if options.interleaving is Interleaving.LOCKSTEP:
        return Lockstep(commutation, steps)
    return Unreduced()
