"""The abstract reachability tree: nodes with labels, edges, covers."""

from collections.abc import Iterator, Mapping, Sequence

from sley.logic.clauses import fixed_values
from sley.logic.terms import Term, Terms
from sley.semantics.symbolic_step import Branch, Shape

Control = tuple[int, ...]
"""Where each thread stands; EXITED for those that have ended."""


class Label:
    """A set of conjuncts over the program's variables, in the order they were added."""

    __slots__ = ("conjuncts", "values")

    def __init__(self) -> None:
        self.conjuncts: dict[Term, None] = {}
        self.values: dict[Term, Term] = {}
        """The variables that single conjuncts fix."""

    def add(self, terms: Terms, conjuncts: Sequence[Term]) -> None:
        """Strengthen the label."""
        self.conjuncts.update(dict.fromkeys(conjuncts))
        self.values.update(fixed_values(terms, conjuncts))


class Node:
    """One node of the tree."""

    __slots__ = (
        "branch",
        "children",
        "control",
        "cover",
        "covered",
        "expanded",
        "guard",
        "input_counts",
        "inputs",
        "is_cut",
        "is_expanded",
        "label",
        "need",
        "number",
        "parent",
        "shape",
        "switches",
        "values",
    )

    def __init__(self, number: int, parent: "Node | None", branch: Branch | None) -> None:
        self.number = number
        self.parent = parent
        self.branch = branch
        """The edge from the parent."""
        self.control: Control = ()
        self.shape: Shape = Shape(())
        self.label = Label()
        self.values: dict[Term, Term] = {}
        """What the path from the root has assigned, over the inputs along it."""
        self.guard: tuple[Term, ...] = ()
        """The conjuncts of the edge's guard over the inputs, one for each conjunct of ``branch.guard``."""
        self.inputs: Mapping[Term, Term] = {}
        """The branch's arbitrary values -> the inputs of this path."""
        self.input_counts: Mapping[int, int] = {}
        self.need: tuple[int, ...] | None = None
        """The threads that have to be expanded here, or where this node is covered."""
        self.expanded: dict[int, None] = {}
        """The threads that have been expanded."""
        self.is_expanded = False
        self.is_cut = False
        """No longer part of the tree."""
        self.children: list[Node] = []
        self.cover: Node | None = None
        self.covered: dict[Node, None] = {}
        """The nodes that this one covers."""
        self.switches = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do: it is covered or expanded, or no longer there."""
        return self.cover is not None or self.is_expanded or self.is_cut

    @property
    def running(self) -> Iterator[int]:
        """The threads that have not ended."""
        return (thread for thread, at in enumerate(self.control) if at >= 0)

    def path(self, start: "Node | None" = None) -> list["Node"]:
        """The nodes below ``start`` (None: from the root on) down to this one."""
        nodes: list[Node] = []
        node: Node | None = self
        while node is not start:
            assert node is not None
            nodes.append(node)
            node = node.parent
        return nodes[::-1]


def nearest_common_ancestor(one: Node, other: Node) -> Node:
    """The lowest node above (or equal to) both; a parent's number is less than its children's."""
    while one is not other:
        if one.number > other.number:
            assert one.parent is not None
            one = one.parent
        else:
            assert other.parent is not None
            other = other.parent
    return one
