"""What a search built on its way to an answer, for people to look at: impact's tree, symmetry's program."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from sley.base.budget import Budget
from sley.engines.impact.engine import unwind
from sley.engines.symmetry.cegar import AbstractProgram
from sley.engines.symmetry.engine import abstracted
from sley.evidence.verdict import Safe, Statistics, Verdict
from sley.inspection.unfolding import Unfolding
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.engines import ENGINES
from sley.verification.observer import Observer
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify

Built = TypeVar("Built")
Search = Callable[[Program, frozenset[Property], Any, Budget], tuple[Verdict[Any], Built]]


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


@dataclass(frozen=True, slots=True)
class AbstractionOfTask:
    """A result, and the abstraction that led to it."""

    result: Result
    abstract: AbstractProgram | None
    """None if the program was not abstracted at all."""


def unwound(task: Task, observer: Observer | None = None, budget: Budget | None = None) -> Unwinding:
    """Verify a task with engine ``impact`` alone and keep its tree: its proof, or how far it got."""
    result, built = _verified("impact", unwind, task, observer, budget)
    return Unwinding(result, Unfolding(*built[0], task.selection.properties) if built else None)


def abstraction_of(
    task: Task, observer: Observer | None = None, budget: Budget | None = None
) -> AbstractionOfTask:
    """Verify a task with engine ``symmetry`` alone and keep the Boolean program."""
    result, built = _verified("symmetry", abstracted, task, observer, budget)
    return AbstractionOfTask(result, built[0][1] if built else None)


def _verified(
    engine: str, search: Search[Built], task: Task, observer: Observer | None, budget: Budget | None
) -> tuple[Result, list[tuple[Program, Built]]]:
    """The result of one engine alone, and what its search built, if it searched at all."""
    built: list[tuple[Program, Built]] = []

    def searched(
        program: Program, properties: frozenset[Property], options: Any, budget: Budget
    ) -> tuple[Verdict[Any], Statistics]:
        verdict, found = search(program, properties, options, budget)
        built.append((program, found))
        return verdict, {}

    engines = {engine: replace(ENGINES[engine], search=searched)}
    return verify(replace(task, engines=(engine,), jobs=0), observer, budget, engines), built
