"""Where accesses go at a node: from the values on its path, else from the points-to analysis.

An answer is only ever a restriction: what it leaves out is a trouble (or a fault) of the step, which has to
be refuted like any other.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from sley.engines.impact.paths import Paths
from sley.engines.impact.thresholds import MOST_TARGETS
from sley.engines.impact.tree import Node
from sley.evidence.reachability_tree.proof import Answer
from sley.logic.terms import Term
from sley.program.program import Edge
from sley.semantics.places import ShapePlaces
from sley.semantics.symbolic_memory import AccessTarget
from sley.semantics.symbolic_step import Shape, SymbolicStep, SymbolicSteps

A = TypeVar("A", bound=Answer)

Question = Callable[["NodeResolver"], Answer]


class NodeResolver:
    """Resolves addresses at one node, and remembers what it was asked and answered."""

    def __init__(self, paths: Paths, places: ShapePlaces, node: Node) -> None:
        self.paths = paths
        self.places = places
        self.node = node
        self.asked: list[tuple[Question, Answer]] = []

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[AccessTarget] | None:
        """One place if the path knows it, else all that the analysis lists."""
        if self.paths.terms.is_const(address):
            return self._targets(shape, edge, address)
        return self._answer(lambda resolver: resolver._targets(shape, edge, address))

    def capacity(self, edge: Edge, size: Term) -> int | None:
        """The size, if the path knows it."""
        return self._answer(lambda resolver: resolver.paths.terms.number(resolver._value(size)))

    def excludes(self, condition: Term) -> bool:
        """Whether the path contradicts the condition."""
        return self._answer(lambda resolver: resolver._value(condition) == resolver.paths.terms.false)

    def _answer(self, question: "Callable[[NodeResolver], A]") -> A:
        answer = question(self)
        self.asked.append((question, answer))
        return answer

    def _value(self, term: Term) -> Term:
        return self.paths.at(self.node, (term,))[0]

    def _targets(self, shape: Shape, edge: Edge, address: Term) -> tuple[AccessTarget, ...]:
        pointer = self.paths.terms.number(self._value(address))
        if pointer is not None:
            return self._targets_at(shape, edge, pointer, is_known=self.paths.terms.is_const(address))
        listed = self.places.listed(shape, edge)
        return listed if len(listed) <= MOST_TARGETS else ()

    def _targets_at(
        self, shape: Shape, edge: Edge, pointer: int, *, is_known: bool
    ) -> tuple[AccessTarget, ...]:
        """The place of a pointer; of a block of any size all that are listed, unless it is known for good.

        They are as good as one, and a loop over such a block has steps that are alike.
        """
        layout = self.places.program.pointers
        target = AccessTarget(layout.number(pointer), layout.offset(pointer))
        instance = self.paths.steps.vocabulary(shape).instances.get(target.number)
        if instance is None or not self.places.foresees(shape, edge, target):
            return ()
        if instance.capacity == self.paths.steps.largest_capacity and not is_known:
            return tuple(t for t in self.places.listed(shape, edge) if t.number == target.number) or (target,)
        return (target,)


class NodeSteps:
    """The steps at nodes; nodes that resolve all addresses alike share them."""

    def __init__(self, steps: SymbolicSteps, paths: Paths, places: ShapePlaces) -> None:
        self.steps = steps
        self.paths = paths
        self.places = places
        self._known: dict[
            tuple[Shape, int, int], list[tuple[list[tuple[Question, Answer]], SymbolicStep]]
        ] = {}

    def at(self, node: Node, thread: int) -> tuple[SymbolicStep, tuple[Answer, ...]]:
        """What a thread can do at a node, and how its addresses were resolved."""
        location = node.control[thread]
        known = self._known.setdefault((node.shape, thread, location), [])
        resolver = NodeResolver(self.paths, self.places, node)
        for asked, step in known:
            if all(question(resolver) == answer for question, answer in asked):
                return step, tuple(answer for _, answer in asked)
        step = self.steps.step(node.shape, thread, location, resolver)
        known.append((resolver.asked, step))
        return step, tuple(answer for _, answer in resolver.asked)
