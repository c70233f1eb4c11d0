"""The Boolean program of engine ``symmetry`` for a task, for people to look at."""

from dataclasses import dataclass, replace

from sley.base.budget import Budget
from sley.engines.symmetry.cegar import AbstractProgram
from sley.engines.symmetry.engine import abstracted
from sley.engines.symmetry.options import SymmetryOptions
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.symmetric.proof import SymmetricProof
from sley.evidence.symmetric.runs import SymmetricFollower
from sley.evidence.verdict import Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.engines import Engine
from sley.verification.observer import Observer
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify


@dataclass(frozen=True, slots=True)
class AbstractionOfTask:
    """A result, and the abstraction that led to it."""

    result: Result
    abstract: AbstractProgram | None
    """None if the program was not abstracted at all."""


def abstraction_of(
    task: Task, observer: Observer | None = None, budget: Budget | None = None
) -> AbstractionOfTask:
    """Verify a task with engine ``symmetry`` alone and keep the Boolean program."""
    seen: list[AbstractProgram] = []

    def search(
        program: Program, properties: frozenset[Property], options: SymmetryOptions, budget: Budget
    ) -> tuple[Verdict[SymmetricProof], Statistics]:
        verdict, abstract = abstracted(program, properties, options, budget)
        seen.append(abstract)
        return verdict, {}

    engines = {"symmetry": Engine(search, check_symmetric, SymmetricFollower)}
    result = verify(replace(task, engines=("symmetry",), jobs=0), observer, budget, engines)
    return AbstractionOfTask(result, seen[0] if seen else None)
