"""Questions about large programs: each check, runs led to open ones, ``bmc`` on the part that runs come to.

Nothing is inlined, so that the program stays as large as its text: with calls inlined, it is too large for
most engines.
"""

import time
from collections.abc import Iterable
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.errors import unmodelled
from sley.engines.abstract.fixpoint import fixpoint
from sley.engines.directed.part import InlinedPart
from sley.engines.directed.search import search
from sley.engines.directed.targets import DirectedTarget
from sley.evidence.fixpoint.check import settle
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.fixpoint.survey import WORST, Effort, Survey, survey_of
from sley.evidence.proof import Checked, KeptProof
from sley.evidence.trace import Trace
from sley.evidence.verdict import Safe, Unknown, Unsafe
from sley.passes.pieces import in_bytes
from sley.passes.pipeline import may_try
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.answers import Answered, unsafe
from sley.verification.attempt import Attempt
from sley.verification.conditions import SURVEYOR
from sley.verification.engines import ENGINES
from sley.verification.kept_proofs import keep, read
from sley.verification.observer import Phase
from sley.verification.reading import part_of, surveyed_program
from sley.verification.result import Outcome
from sley.verification.run import Run
from sley.verification.suppressions import Suppressions
from sley.verification.task import Task

NEVER_SHOWN = frozenset({Property.LEAK})
"""Leaks are not asked about before calls are inlined."""


# --- every check ------------------------------------------------------------------------------------------


def settle_checks(run: Run, engines: tuple[str, ...], budget: Budget) -> Answered:
    """What is known of each check: SAFE if all of them are proved."""
    program = run.with_calls()
    run.enter(Phase.SEARCHING)
    run.survey, outcome, checking = surveyed(program, run.task, budget)
    return Answered(outcome, engines[0], checking=checking)


def surveyed(program: Program, task: Task, budget: Budget) -> tuple[Survey, Outcome, float]:
    """What is known of each check, whether all of them are proved, and how long the check of that took."""
    program = in_bytes(program)
    proof = fixpoint(program, task.selection.properties & ALL_PROPERTIES, budget).proof()
    started = time.monotonic()
    return *judged(program, task, proof, budget), time.monotonic() - started


def judged(program: Program, task: Task, proof: Fixpoint, budget: Budget) -> tuple[Survey, Outcome]:
    """What a fixpoint says of each check, and whether all of them are proved; it is checked."""
    properties = task.selection.properties
    settled = settle(program, properties, proof, budget)
    survey = survey_of(program, properties, proof, settled)
    reason = settled.why_not(properties) or _beside(program, task)
    if reason is not None:
        return survey, Unknown(reason)
    kept = (keep(ENGINES[SURVEYOR], SURVEYOR, proof, program, properties),) if task.keeps_proof else ()
    checked = Checked("every step from every abstract state was computed again")
    return survey, Safe(proof, checked, kept=kept)


def _beside(program: Program, task: Task) -> str | None:
    """What stands in the way of an answer although every check is proved."""
    if program.unmodelled:
        return unmodelled(program.unmodelled)
    if task.selection.unsupported:
        return "; ".join(str(one) for one in task.selection.unsupported)
    if Property.RACE in task.selection.properties and may_try(program):
        return "whether races are hidden by attempts that fail, as of a trylock, is not known"
    return None


def proof_of(kept: KeptProof, program: Program) -> Fixpoint:
    """A proof from a file."""
    proof = read(ENGINES[SURVEYOR], kept, program)
    assert isinstance(proof, Fixpoint)
    return proof


# --- runs to open checks, and the part of the program that they come to ------------------------------------


def lead_runs(run: Run, engines: tuple[str, ...], budget: Budget) -> Answered:
    """Lead runs to what is open, the worst first: BUG if some go wrong, and the user has not accepted it."""
    program, task = surveyed_program(run.loaded, run.task), run.task
    listed = sorted(() if run.survey is None else run.survey.open, key=lambda one: WORST.index(one.property))
    places = ((one.property, [one.origin, one.other]) for one in listed)
    targets = list(dict.fromkeys(DirectedTarget.at(prop, origins) for prop, origins in places))
    part = InlinedPart(program, lambda followed: part_of(program, task, followed))
    found = search(part, task.selection.properties & ALL_PROPERTIES - NEVER_SHOWN, targets, budget)
    if run.survey is not None:
        effort = Effort(found.runs, len(targets), len(found.tried), len(found.reached))
        run.survey = replace(run.survey, runs=effort)
    run.part = part
    return _reported(run, found.traces, engines[0])


def look_at_part(run: Run, engines: tuple[str, ...], budget: Budget) -> Answered | None:
    """Look at all runs of the part with few rounds of loops: so inputs are found that runs would guess.

    Of the part nothing is proved, as it is not known what the calls do that are not in it.
    """
    assert run.part is not None
    part, properties = run.part, run.task.selection.properties & ALL_PROPERTIES - NEVER_SHOWN
    if run.survey is not None:
        properties &= {one.property for one in run.survey.open}
    names = [name for name in engines if name in run.engines]
    if not properties or not names:
        return None
    attempts = [Attempt(name, run.engines, part.program, properties, run.task) for name in names]
    answered = run.asked.about(attempts, budget)
    traces = answered.outcome.traces if isinstance(answered.outcome, Unsafe | Unknown) else ()
    followed = tuple(sorted(part.followed))
    return _reported(run, (replace(trace, followed=followed) for trace in traces), names[0])


def _reported(run: Run, traces: Iterable[Trace], engine: str) -> Answered:
    """BUG, if the user has not accepted all of that; what is only possible is kept."""
    suppressions = Suppressions(run.task)
    reported = [trace for trace in traces if suppressions.of(trace) is None]
    certain = tuple(trace for trace in reported if not trace.depends_on)
    if certain and not run.task.all_bugs:
        return Answered(unsafe(certain), engine)
    run.possible += tuple(trace for trace in reported if trace.depends_on)
    return Answered(Unknown("no run went wrong", traces=run.possible))
