"""The abstract reachability tree: nodes with labels, edges, covers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from sley.logic.clauses import fixed_values
from sley.logic.terms import Term, Terms
from sley.semantics.symbolic_step import Branch, Shape

Control = tuple[int, ...]
"""Where each thread stands; EXITED for those that have ended."""


NOTHING = Shape(())


@dataclass(slots=True)
class Label:
    """A set of conjuncts over the program's variables, in the order they were added."""

    conjuncts: dict[Term, None] = field(default_factory=dict)
    values: dict[Term, Term] = field(default_factory=dict)
    """The variables that single conjuncts fix."""

    def add(self, terms: Terms, conjuncts: Sequence[Term]) -> None:
        """Strengthen the label."""
        self.conjuncts.update(dict.fromkeys(conjuncts))
        self.values.update(fixed_values(terms, conjuncts))


@dataclass(slots=True, eq=False)
class Node:
    """One node of the tree."""

    number: int
    parent: "Node | None"
    branch: Branch | None
    """The edge from the parent."""
    control: Control = ()
    shape: Shape = NOTHING
    label: Label = field(default_factory=Label)
    values: Mapping[Term, Term] = field(default_factory=dict)
    """What the path from the root has assigned, over the inputs along it."""
    guard: tuple[Term, ...] = ()
    """The conjuncts of the edge's guard over the inputs, one for each conjunct of ``branch.guard``."""
    inputs: Mapping[Term, Term] = field(default_factory=dict)
    """The branch's arbitrary values -> the inputs of this path."""
    input_counts: Mapping[int, int] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    """All threads, those first that should step first; only for paths in lockstep."""
    sleep: frozenset[int] = frozenset()
    """The threads whose steps an earlier path takes; known with ``need``, only for paths in lockstep."""
    need: tuple[int, ...] | None = None
    """The threads that have to be expanded here, or where this node is covered."""
    expanded: dict[int, None] = field(default_factory=dict)
    """The threads that have been expanded."""
    is_expanded: bool = False
    contradiction: frozenset[Term] | None = None
    """Guards over inputs because of which no run takes the path from the root; None: some run does."""
    is_suspended: bool = False
    """No longer part of the tree."""
    children: "list[Node]" = field(default_factory=list)
    cover: "Node | None" = None
    covered: "dict[Node, None]" = field(default_factory=dict)
    """The nodes that this one covers."""
    switches: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to do: it is covered or expanded, or no longer there."""
        return self.cover is not None or self.is_expanded or self.is_suspended

    @property
    def is_possible(self) -> bool:
        """Whether some run takes the path from the root."""
        return self.contradiction is None

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
