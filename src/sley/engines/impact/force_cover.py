"""Force covers: what labels on the path to a leaf must say so that an older node covers it.

McMillan's optimisation of Impact, which the paper takes over. The goals are what the label of the other node
says and the leaf's does not; they must hold on the path, and become labels from the leaf upwards to the
nearest common ancestor, or on from there if its label does not imply what is needed.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sley.engines.impact.entailment import Entailment
from sley.engines.impact.interpolation import Interpolation, Strengthening
from sley.engines.impact.options import ImpactOptions, Interpolants
from sley.engines.impact.paths import Paths
from sley.engines.impact.thresholds import MOST_FORCED
from sley.engines.impact.tree import Node, nearest_common_ancestor
from sley.logic.terms import Term


class ForceCover:
    """Finds the strengthenings; it changes nothing."""

    def __init__(
        self, paths: Paths, entailment: Entailment, interpolation: Interpolation, options: ImpactOptions
    ) -> None:
        self.paths = paths
        self.terms = paths.terms
        self.entailment = entailment
        self.interpolation = interpolation
        self.options = options

    def attempts(
        self, node: Node, candidates: Iterable[Node]
    ) -> Iterator[tuple[Node, Iterable[Strengthening] | None]]:
        """The nodes that are worth a try, not more than the limit, each with what would do; None: nothing."""
        tried = 0
        folded: dict[Term, Term] = {}
        for other in candidates:
            if tried >= MOST_FORCED:
                break
            goals = [g for g in other.label.conjuncts if g not in node.label.conjuncts]
            if self._is_plausible(node, goals, folded):
                tried += 1
                yield other, self._strengthenings(node, other, goals, folded)

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

    def _strengthenings(
        self, node: Node, other: Node, goals: Sequence[Term], folded: Mapping[Term, Term]
    ) -> Iterable[Strengthening] | None:
        """What makes the goals part of the node's label, if they hold on the path to it."""
        if self.options.interpolants is Interpolants.PREDICATES:
            return self.interpolation.predicates.establishing(node, self.terms.and_(*goals))
        guards = set(node.contradiction or ())
        for goal in goals if node.is_possible else ():
            if folded[goal] != self.terms.true:
                core = self.paths.refutation(node, (self.terms.not_(folded[goal]),))
                if core is None:
                    return None
                guards |= core.guards
        ancestor = nearest_common_ancestor(node, other)
        return self.interpolation.upwards(node, goals, frozenset(guards), ancestor)
