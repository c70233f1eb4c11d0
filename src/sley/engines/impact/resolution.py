"""Where accesses go at a node: from the values on its path, else from the points-to analysis.

An answer is only ever a restriction: what it leaves out is a trouble (or a fault) of the step, which has to
be refuted like any other.
"""

from collections.abc import Sequence

from sley.engines.impact.paths import Paths
from sley.engines.impact.tree import Node
from sley.evidence.reachability_tree.proof import Answer
from sley.logic.terms import Term
from sley.program.program import Edge
from sley.semantics.places import Places
from sley.semantics.symbolic_memory import Target
from sley.semantics.symbolic_step import Shape, SymbolicStep, SymbolicSteps

MOST_TARGETS = 128

Asked = tuple[Shape | None, Edge | None, Term, Answer]
"""A question: in which shape and about which edge, where that matters; about which term; the answer."""


class NodeResolver:
    """Resolves addresses at one node, and remembers what it answered."""

    def __init__(self, paths: Paths, places: Places, node: Node) -> None:
        self.paths = paths
        self.places = places
        self.node = node
        self.asked: list[Asked] = []

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[Target] | None:
        """One place if the path knows it, else all that the analysis lists."""
        answer = self.find_targets(shape, edge, address)
        if not self.paths.terms.is_const(address):
            self.asked.append((shape, edge, address, answer))
        return answer

    def capacity(self, edge: Edge, size: Term) -> int | None:
        """The size, if the path knows it."""
        answer = self.find_capacity(size)
        self.asked.append((None, edge, size, answer))
        return answer

    def excludes(self, condition: Term) -> bool:
        """Whether the path contradicts the condition."""
        answer = self.find_excluded(condition)
        self.asked.append((None, None, condition, answer))
        return answer

    def find_excluded(self, condition: Term) -> bool:
        """What ``excludes`` answers."""
        (value,) = self.paths.at(self.node, (condition,))
        return value == self.paths.terms.false

    def find_targets(self, shape: Shape, edge: Edge, address: Term) -> tuple[Target, ...]:
        """What ``targets`` answers."""
        (value,) = self.paths.at(self.node, (address,))
        pointer = self.paths.terms.number(value)
        if pointer is not None:
            layout = self.places.program.pointers
            target = Target(layout.number(pointer), layout.offset(pointer))
            exists = target.number in self.paths.steps.vocabulary(shape).instances
            return (target,) if exists and self.places.foresees(shape, edge, target) else ()
        listed = self.places.listed(shape, edge)
        return listed if len(listed) <= MOST_TARGETS else ()

    def find_capacity(self, size: Term) -> int | None:
        """What ``capacity`` answers."""
        (value,) = self.paths.at(self.node, (size,))
        return self.paths.terms.number(value)


class Steps:
    """The steps at nodes; nodes that resolve all addresses alike share them."""

    def __init__(self, steps: SymbolicSteps, paths: Paths, places: Places) -> None:
        self.steps = steps
        self.paths = paths
        self.places = places
        self._known: dict[
            tuple[Shape, int, int],
            list[tuple[list[Asked], SymbolicStep]],
        ] = {}

    def at(self, node: Node, thread: int) -> tuple[SymbolicStep, tuple[Answer, ...]]:
        """What a thread can do at a node, and how its addresses were resolved."""
        location = node.control[thread]
        known = self._known.setdefault((node.shape, thread, location), [])
        resolver = NodeResolver(self.paths, self.places, node)
        for asked, step in known:
            if all(self._agrees(resolver, *one) for one in asked):
                return step, tuple(answer for *_, answer in asked)
        step = self.steps.step(node.shape, thread, location, resolver)
        known.append((resolver.asked, step))
        return step, tuple(answer for *_, answer in resolver.asked)

    def _agrees(
        self, resolver: NodeResolver, shape: Shape | None, edge: Edge | None, term: Term, answer: Answer
    ) -> bool:
        if edge is None:
            return resolver.find_excluded(term) == answer
        if shape is None:
            return resolver.find_capacity(term) == answer
        return resolver.find_targets(shape, edge, term) == answer
