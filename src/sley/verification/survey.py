"""Every check of a program on its own, as it stands: nothing is inlined, so that large programs can be read.

Other engines get a program in which calls are gone, which of a large one is too large for them.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sley.analyses.orders import has_weak_orders
from sley.base.budget import Budget
from sley.evidence.proof import Checked, KeptProof
from sley.evidence.verdict import Safe, Unknown
from sley.passes.pipeline import may_try
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.engines import ENGINES
from sley.verification.kept_proofs import keep
from sley.verification.reading import part_of
from sley.verification.result import Outcome
from sley.verification.task import Granularity, Task

if TYPE_CHECKING:
    from sley.engines.directed.part import Part
    from sley.evidence.fixpoint.proof import Fixpoint
    from sley.evidence.fixpoint.survey import Effort, Survey
    from sley.evidence.trace import Trace

ENGINE = "abstract"

LARGE = 1_500
"""So many steps of its own, not of the library's models, make a program large."""


def is_surveyed(program: Program, task: Task) -> bool:
    """Whether each check is to be settled on its own: that is asked for, or the program is large."""
    is_possible = not task.memory_model.is_hardware and task.granularity is Granularity.ACCESS
    is_possible = is_possible and (not task.engines or ENGINE in task.engines)
    if not is_possible or (task.memory_model is MemoryModel.C11 and has_weak_orders(program)):
        return False
    return task.each_check or own_steps(program) >= LARGE


def own_steps(program: Program) -> int:
    """How many steps a program has that are not the library's."""
    return sum(len(function.edges) for function in program.functions.values() if not function.is_library)


def surveyed(program: Program, task: Task, budget: Budget) -> "tuple[Survey, Outcome, float]":
    """What is known of each check, whether all of them are proved, and how long the check of that took."""
    from sley.engines.abstract.fixpoint import fixpoint

    proof = fixpoint(program, task.selection.properties & ALL_PROPERTIES, budget).proof()
    started = time.monotonic()
    return *judged(program, task, proof, budget), time.monotonic() - started


def judged(program: Program, task: Task, proof: "Fixpoint", budget: Budget) -> "tuple[Survey, Outcome]":
    """What a fixpoint says of each check, and whether all of them are proved; it is checked."""
    from sley.evidence.fixpoint.check import settle
    from sley.evidence.fixpoint.survey import survey_of

    properties = task.selection.properties
    settled = settle(program, properties, proof, budget)
    survey = survey_of(program, properties, proof, settled)
    reason = settled.why_not(properties) or _beside(program, task)
    if reason is not None:
        return survey, Unknown(reason)
    kept = (keep(ENGINES[ENGINE], ENGINE, proof, program, properties),) if task.keeps_proof else ()
    checked = Checked("every step from every abstract state was computed again")
    return survey, Safe(proof, checked, kept=kept)


@dataclass(frozen=True)
class Looked:
    """What was done to reach open checks."""

    effort: "Effort"
    traces: "tuple[Trace, ...]"
    part: "Part"
    """The part of the program that runs have come to."""


def searched(program: Program, task: Task, survey: "Survey | None", budget: Budget) -> Looked:
    """Lead runs to what is open, the worst first."""
    from sley.engines.directed.part import Part
    from sley.engines.directed.search import search
    from sley.engines.directed.targets import Target
    from sley.evidence.fixpoint.survey import WORST, Effort

    listed = sorted(() if survey is None else survey.open, key=lambda one: WORST.index(one.property))
    places = ((one.property, [one.origin, one.other]) for one in listed)
    targets = list(dict.fromkeys(Target.at(prop, origins) for prop, origins in places))
    part = Part(program, lambda followed: part_of(program, task, followed))
    properties = task.selection.properties & ALL_PROPERTIES - {Property.LEAK}
    found = search(part, properties, targets, budget)
    effort = Effort(found.runs, len(targets), len(found.tried), len(found.reached))
    return Looked(effort, tuple(found.traces), part)


def _beside(program: Program, task: Task) -> str | None:
    """What stands in the way of an answer although every check is proved."""
    if program.unmodelled:
        return "unmodelled: " + "; ".join(str(one) for one in program.unmodelled)
    if task.selection.unsupported:
        return "; ".join(str(one) for one in task.selection.unsupported)
    if Property.RACE in task.selection.properties and may_try(program):
        return "whether races are hidden by attempts that fail, as of a trylock, is not known"
    return None


def proof_of(kept: KeptProof, program: Program) -> "Fixpoint":
    """A proof from a file."""
    from sley.evidence.fixpoint.proof import Fixpoint
    from sley.verification.kept_proofs import read

    proof = read(ENGINES[ENGINE], kept, program)
    assert isinstance(proof, Fixpoint)
    return proof
