"""``sley validate-witness``: a witness is confirmed, refuted, or neither.

A violation is confirmed by a run that follows the witness and is replayed; it is refuted if all runs that
follow the witness were searched. Invariants are confirmed if they hold as assertions and the program is
proved; they are refuted by a run in which one of them is false.
"""

from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path

from sley.analyses.orders import weak_accesses
from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, InputError
from sley.evidence.replay import replay
from sley.evidence.trace import Trace
from sley.evidence.verdict import Safe, Unsafe
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.memory_models import ASSUMED
from sley.verification.observer import Observer
from sley.verification.reading import program_of
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.thresholds import FOR_WITNESS
from sley.verification.verify import verify
from sley.verification.witnesses.as_written import as_written
from sley.verification.witnesses.document import Witness
from sley.verification.witnesses.effects import at_line, one_with_effects
from sley.verification.witnesses.expressions import effects, printed
from sley.verification.witnesses.follow import WitnessFollower
from sley.verification.witnesses.instrumented import instrumented
from sley.verification.witnesses.places import Placed, placed
from sley.wording.events import reliances_of

MOST_LINES = 10


class WitnessJudgement(Enum):
    """What is said of a witness; the value is the word that a report starts with."""

    CONFIRMED = "CONFIRMED"
    REFUTED = "REFUTED"
    UNKNOWN = "UNKNOWN"


@dataclass(frozen=True, slots=True)
class Validation:
    """The judgement of a witness, and what it rests on."""

    judgement: WitnessJudgement
    why: tuple[str, ...]
    """In whole sentences."""
    result: str = "unknown"
    """What stands behind ``RESULT:``."""
    trace: Trace | None = None


def validate(task: Task, witness: Witness, observer: Observer, budget: Budget) -> Validation:
    """Judge a witness for a task that it agrees with."""
    if not witness.violation:
        return _validate_invariants(task, witness, observer, budget)
    return _validate_violation(task, witness, observer, budget)


# --- violations ------------------------------------------------------------------------------------


def _validate_violation(task: Task, witness: Witness, observer: Observer, budget: Budget) -> Validation:
    """Search along the witness; where values are too many, see whether an engine's run follows it."""
    program = program_of(task)
    where = placed(witness.violation, program)
    follower = WitnessFollower(program, where, task.selection.properties, budget.share(FOR_WITNESS, None))
    reasons = follower.gave_up
    trace = None
    try:
        found = follower.search()
    except BudgetExhaustedError as reason:
        found = None
        reasons[str(reason)] = None
    if found is not None:
        trace = replay(program, found.schedule, found.failure)
    elif reasons:
        trace = _other_run(task, follower, observer, budget)
    if trace is not None:
        return _with_run(trace, where)
    return _without_run(task, program, follower, where)


def _other_run(task: Task, follower: WitnessFollower, observer: Observer, budget: Budget) -> Trace | None:
    """A run that an engine finds by itself, if it follows the witness."""
    traces = verify(task, observer, budget).traces
    plain = [trace for trace in traces if trace.memory_model is MemoryModel.SC and not trace.is_buffered]
    return next((trace for trace in plain if follower.follows(trace.schedule)), None)


def _with_run(trace: Trace, where: Placed) -> Validation:
    if trace.depends_on:
        why = f"The run that follows the witness rests on {reliances_of(trace)}."
        return Validation(WitnessJudgement.UNKNOWN, (why, *_notes(where)), trace=trace)
    why = "A run that follows the witness was found and replayed."
    result = f"false({trace.failure.property.verdict_name})"
    return Validation(WitnessJudgement.CONFIRMED, (why, *_notes(where)), result, trace)


def _without_run(task: Task, program: Program, follower: WitnessFollower, where: Placed) -> Validation:
    """There is none in which threads only interleave; that decides where nothing else was left out."""
    open_questions = [*follower.gave_up]
    if task.memory_model is MemoryModel.C11 and weak_accesses(program):
        open_questions.append(f"runs without {ASSUMED} were not looked at")
    if program.unmodelled:
        open_questions.append(program.unmodelled[0].what)
    if open_questions:
        why = f"No run that follows the witness was found: {'; '.join(open_questions)}."
        return Validation(WitnessJudgement.UNKNOWN, (why, *_notes(where)))
    why = f"No run follows the witness to a violation: all {follower.states} states were searched."
    return Validation(WitnessJudgement.REFUTED, (why, *_notes(where)))


def _notes(where: Placed) -> tuple[str, ...]:
    """What of the witness was not looked at."""
    lines = sorted({one.place.line for one in where.ignored})
    if not lines:
        return ()
    listed = ", ".join(map(str, lines[:MOST_LINES])) + (", …" if len(lines) > MOST_LINES else "")
    return (f"Not looked at, as nothing is left to be done there: line{'s' * (len(lines) > 1)} {listed}.",)


# --- correctness -----------------------------------------------------------------------------------


def _validate_invariants(task: Task, witness: Witness, observer: Observer, budget: Budget) -> Validation:
    """First the invariants, each as an assertion; then the program as it is."""
    if witness.invariants:
        held = _asserted(task, witness, observer, budget)
        refuted = _refuting(held)
        if refuted is not None and refuted.failure.property is not Property.REACH:
            why = "Whether the invariants hold is open: this run goes wrong before."
            return Validation(WitnessJudgement.UNKNOWN, (why,), trace=refuted)
        if refuted is not None:
            why = "An invariant of the witness is false in this run."
            return Validation(WitnessJudgement.REFUTED, (why,), trace=refuted)
        if not isinstance(held.outcome, Safe):
            return Validation(
                WitnessJudgement.UNKNOWN, (f"Whether the invariants hold is open: {held.reason}.",)
            )
    proved = verify(task, observer, budget)
    if (violation := _refuting(proved)) is not None:
        why = "The program is not correct."
        return Validation(WitnessJudgement.REFUTED, (why,), proved.result, violation)
    if not isinstance(proved.outcome, Safe):
        why = f"The program could not be proved: {proved.reason}."
        return Validation(WitnessJudgement.UNKNOWN, (why,))
    count = len(witness.invariants)
    what = {0: "The", 1: "The invariant holds, and the"}.get(count, f"All {count} invariants hold, and the")
    return Validation(WitnessJudgement.CONFIRMED, (f"{what} program was proved.",), "true")


def _asserted(task: Task, witness: Witness, observer: Observer, budget: Budget) -> Result:
    """What is known of the invariants; a C error is one of theirs, as the program has none."""
    program_of(task)
    with instrumented(task, witness.invariants) as asserted:
        try:
            doing = one_with_effects(asserted, witness.invariants)
            if doing is None:
                return _as_written(verify(asserted, observer, budget), task, witness)
        except InputError as error:
            at_fault = at_line(None if error.span is None else error.span.line, witness.invariants)
            message = f"an invariant that is no C at its place: {error.message}"
            raise InputError(message, at_fault.span) from None
    raise InputError(effects(doing.text), doing.span)


def _as_written(result: Result, task: Task, witness: Witness) -> Result:
    """The result with the names of the user's files, while the copies are there."""
    outcome = result.outcome
    if not isinstance(outcome, Unsafe):
        return result
    copies = [str(path) for path in result.task.paths]
    files = dict(zip(copies, map(str, task.paths), strict=True))
    said = {printed(one.text, one.span): " ".join(one.text.split()) for one in witness.invariants}
    texts = {copy: Path(copy).read_text(encoding="utf-8", errors="replace") for copy in copies}
    traces = tuple(as_written(trace, files, texts, said) for trace in outcome.traces)
    return replace(result, outcome=replace(outcome, traces=traces))


def _refuting(result: Result) -> Trace | None:
    """A violation that rests on nothing unknown."""
    if not isinstance(result.outcome, Unsafe):
        return None
    return next((trace for trace in result.outcome.traces if not trace.depends_on), None)
