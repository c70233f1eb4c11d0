"""The proof of engine ``impact``: a tree of abstract states that is closed under steps, up to covers.

A node stands for all states with its control (which follows from the path to it) that satisfy its label.
For each thread that was expanded there is one child for every branch of its step, or none where the label
excludes the branch. A covered node has no children; the node that covers it has them. Threads that are
neither expanded nor ended need a reason, which the checker derives anew (see ``check``).

Conjuncts of labels may mention variables whose names begin with ``$``: they are meant for all their values.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sley.logic.terms import Term
from sley.semantics.symbolic_memory import AccessTarget

Answer = tuple[AccessTarget, ...] | int | bool | None
"""How a step was resolved: places of an access, capacity of a heap block, whether a case is excluded."""


@dataclass(frozen=True, slots=True)
class Expansion:
    """The step of one thread at a node."""

    answers: tuple[Answer, ...]
    """To the questions of the step, in order."""
    children: tuple[int | None, ...]
    """For each branch the number of the node it leads to; None: excluded by the label, or it ends the run."""


@dataclass(frozen=True, slots=True)
class TreeNode:
    """One abstract state."""

    label: tuple[Term, ...]
    expansions: Mapping[int, Expansion]
    """By thread."""
    control: tuple[int, ...] = ()
    """Where each thread stands, EXITED for those that have ended. The checker derives it anew."""
    cover: int | None = None
    """The number of the node that covers this one."""
    need: tuple[int, ...] | None = None
    """The threads that a monotonic path takes next here; None: not known yet. The checker derives it anew."""
    order: tuple[int, ...] = ()
    """Trees with sleeping threads: those whose steps are taken first come first."""
    sleep: tuple[int, ...] = ()
    """The threads that need not step here, since paths that begin with an earlier step do the same."""


@dataclass(frozen=True, slots=True)
class ReachabilityTree:
    """Nodes by number; 0 is the root, and a parent's number is less than its children's."""

    nodes: tuple[TreeNode, ...]
    quiet: frozenset[int] = frozenset()
    """Stops that steps run through: accesses that others cannot observe (a claim)."""
    is_asleep: bool = False
    """Whether threads are left out since they sleep, not since paths are to be monotonic."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        covered = sum(node.cover is not None for node in self.nodes)
        return f"an inductive tree of {len(self.nodes)} nodes, {covered} of them covered"
