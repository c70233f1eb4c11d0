"""A reachability tree with all that follows from it: where each node is, how one gets there, what is skipped.

The tree itself has only what a checker needs. People want to see the statements, too; they are found by
taking the steps of the program once more. Nothing is checked here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from sley.analyses.accesses import find_accesses
from sley.analyses.independence import are_independent
from sley.analyses.pointers import PointsTo
from sley.evidence.reachability_tree.proof import Answer, ReachabilityTree, TreeNode
from sley.logic.terms import Term
from sley.program.program import Edge, Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.state import EXITED
from sley.semantics.symbolic_memory import AccessTarget
from sley.semantics.symbolic_step import Branch, Shape, SymbolicSteps
from sley.semantics.vocabulary import MOST_CELLS


@dataclass(slots=True)
class UnfoldedNode:
    """One node, in its place."""

    number: int
    content: TreeNode
    control: tuple[int, ...]
    """Where each thread stands; negative for those that have ended."""
    shape: Shape
    parent: "UnfoldedNode | None" = None
    branch: Branch | None = None
    """The edge from the parent."""
    is_cover_expansion: bool = False
    """Made for the sake of a node that the parent covers."""
    children: list["UnfoldedNode"] = field(default_factory=list)
    impossible: list[Branch] = field(default_factory=list)
    """Branches that the label excludes."""
    last: list[Branch] = field(default_factory=list)
    """Branches with which the process ends."""

    @property
    def running(self) -> list[int]:
        """The threads that have not ended."""
        return [thread for thread, at in enumerate(self.control) if at >= 0]

    @property
    def skipped(self) -> list[int]:
        """The threads that no monotonic path takes next, and that were not taken for other reasons."""
        need = self.content.need
        if need is None:
            return []
        return [t for t in self.running if t not in need and t not in self.content.expansions]

    @property
    def waiting(self) -> list[int]:
        """The threads that cannot step in any state of the node."""
        stepping = {child.branch.thread for child in self.children if child.branch is not None}
        stepping |= {branch.thread for branch in self.last}
        return [thread for thread in self.content.expansions if thread not in stepping]

    @property
    def is_open(self) -> bool:
        """Whether threads that have to be taken here were not (yet)."""
        need = self.content.need
        if self.content.cover is not None:
            return False
        return need is None or any(thread not in self.content.expansions for thread in need)


class Unfolding:
    """The nodes of a tree that can be reached from the root, parents before children."""

    def __init__(self, program: Program, tree: ReachabilityTree, properties: frozenset[Property]) -> None:
        self.program = program
        self.tree = tree
        self.code = Code(program)
        self._accesses = find_accesses(
            program, PointsTo(program), is_elsewhere_excluded=True, observes_end=Property.LEAK in properties
        )
        self.steps = SymbolicSteps(self.code, tree.quiet, MOST_CELLS)
        self._found: dict[int, UnfoldedNode] = {}
        if tree.nodes:
            self._unfold()
        self.nodes: tuple[UnfoldedNode, ...] = tuple(self._found.values())

    def _unfold(self) -> None:
        root = self.tree.nodes[0]
        self._found[0] = UnfoldedNode(0, root, self.steps.initial_control(), self.steps.initial_shape())
        for number in range(len(self.tree.nodes)):
            if (node := self._found.get(number)) is not None:
                for thread in node.content.expansions:
                    self._take(node, thread)
        self._found = {number: self._found[number] for number in sorted(self._found)}

    def _take(self, node: UnfoldedNode, thread: int) -> None:
        """The children by steps of one thread."""
        expansion = node.content.expansions[thread]
        resolver = _TreeResolver(self.steps, expansion.answers)
        step = self.steps.step(node.shape, thread, node.control[thread], resolver)
        for branch, child in zip(step.branches, expansion.children, strict=True):
            if child is not None:
                self._found[child] = self._child(node, branch, child)
                node.children.append(self._found[child])
            elif branch.target < 0 and branch.target != EXITED:
                node.last.append(branch)
            else:
                node.impossible.append(branch)

    def _child(self, node: UnfoldedNode, branch: Branch, number: int) -> UnfoldedNode:
        control = list(node.control)
        control[branch.thread] = branch.target
        functions = self.program.functions
        control += [functions[name].entry for name in branch.shape.threads[len(control) :]]
        content, need = self.tree.nodes[number], node.content.need
        is_extra = need is not None and branch.thread not in need
        return UnfoldedNode(number, content, tuple(control), branch.shape, node, branch, is_extra)

    def node(self, number: int) -> UnfoldedNode:
        """The node with this number."""
        return self._found[number]

    def is_always_independent(self, node: UnfoldedNode, thread: int) -> bool:
        """Whether a thread's next action and the step to the node commute whatever the label says."""
        assert node.branch is not None
        return are_independent(self._accesses, node.control[thread], node.branch.source)

    def shapes(self) -> Iterator[Shape]:
        """What exists at the nodes, each once."""
        yield from dict.fromkeys(node.shape for node in self.nodes)


class _TreeResolver:
    """Answers the questions of a step as the tree says."""

    def __init__(self, steps: SymbolicSteps, answers: Sequence[Answer]) -> None:
        self.steps = steps
        self.answers = iter(answers)

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[AccessTarget]:
        """The places of an access."""
        pointer = self.steps.terms.number(address)
        if pointer is not None:
            layout = self.steps.code.program.pointers
            found: Answer = (AccessTarget(layout.number(pointer), layout.offset(pointer)),)
        else:
            found = next(self.answers)
        assert isinstance(found, tuple)
        return [target for target in found if target.number in self.steps.vocabulary(shape).instances]

    def capacity(self, edge: Edge, size: Term) -> int | None:
        """The size of a block."""
        found = next(self.answers)
        assert not isinstance(found, tuple)
        return found

    def excludes(self, condition: Term) -> bool:
        """Whether a case is left out."""
        return next(self.answers) is True
