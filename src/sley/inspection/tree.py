"""The tree of engine ``impact`` for a task, for people to look at: its proof, or how far it got."""

from dataclasses import dataclass, replace

from sley.base.budget import Budget
from sley.engines.impact.engine import unwind
from sley.engines.impact.options import ImpactOptions
from sley.evidence.reachability_tree.check import check_reachability_tree
from sley.evidence.reachability_tree.proof import ReachabilityTree
from sley.evidence.reachability_tree.runs import TreeFollower
from sley.evidence.verdict import Safe, Statistics, Verdict
from sley.inspection.unfolding import Unfolding
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.engines import Engine
from sley.verification.observer import Observer
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify


@dataclass(frozen=True, slots=True)
class Unwinding:
    """A result, and the tree that led to it."""

    result: Result
    unfolding: Unfolding | None
    """None if the program was not searched at all."""

    @property
    def is_proof(self) -> bool:
        """Whether the tree is a proof that its checker accepted."""
        return isinstance(self.result.outcome, Safe)


def unwound(task: Task, observer: Observer | None = None, budget: Budget | None = None) -> Unwinding:
    """Verify a task with engine ``impact`` alone and keep its tree."""
    seen: list[tuple[Program, ReachabilityTree]] = []

    def search(
        program: Program, properties: frozenset[Property], options: ImpactOptions, budget: Budget
    ) -> tuple[Verdict[ReachabilityTree], Statistics]:
        verdict, tree = unwind(program, properties, options, budget)
        seen.append((program, tree))
        return verdict, {}

    engines = {"impact": Engine(search, check_reachability_tree, TreeFollower)}
    result = verify(replace(task, engines=("impact",), jobs=0), observer, budget, engines)
    return Unwinding(result, Unfolding(*seen[0], task.selection.properties) if seen else None)
