"""A second look at a program that is safe: what a reader has to know beside the answer.

A program in which nothing happens is safe, too; and where something goes wrong that is not asked about, the
run ends (``passes.properties``), and a race behind it is not seen. Random runs are asked first: most programs
do in the first of them all that they have code for. Where no run tells, engines are asked. Law: no answer
becomes another one here, and what is called proved is an answer SAFE to that question, with all that belongs
to one. No clock decides what is said: efforts are counted in runs, steps and states.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.explore.options import ExploreOptions
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.verdict import Safe, Unsafe
from sley.passes.error_calls import only_calls_of
from sley.program import instructions as ir
from sley.program.program import Program, user_origin
from sley.program.properties import Property
from sley.semantics.values import NeedsSplitError
from sley.verification.attempt import Attempt
from sley.verification.caveats import Caveat, Missing, NotAsked, Vacuity
from sley.verification.conditions import is_large
from sley.verification.engines import ENGINES
from sley.verification.goals import GOAL, Goals, Place, asked
from sley.verification.observer import SilentObserver
from sley.verification.property_files import Selection
from sley.verification.reading import prepared
from sley.verification.run import Run
from sley.verification.sampling import counting, only_end, random_runs
from sley.verification.task import Task
from sley.verification.thresholds import EASY_STATES, FIRST_RUNS, FIRST_STEPS, GOAL_RUNS, GOAL_STEPS

ENDING = (Property.DEREF, Property.FREE, Property.DIVISION, Property.MISUSE)
"""What ends a run where it is not asked about."""


def look_again(run: Run, engines: tuple[str, ...], budget: Budget) -> None:
    """What belongs to the proof; what is known so far, if that takes too long."""
    found: list[Caveat] = []
    with suppress(GaveUpError, NeedsSplitError, MemoryError, RecursionError):
        found.extend(_caveats(run, engines, budget))
    run.caveats = tuple(found)


def _caveats(run: Run, engines: tuple[str, ...], budget: Budget) -> Iterator[Caveat]:
    if run.flat is None and is_large(run.loaded):
        yield from _of_large(run)
        return
    task = replace(run.task, engines=engines)
    yield from _vacuities(run.loaded, run.prepared(), task, budget)
    yield from _not_asked(run.loaded, task, budget)


def _of_large(run: Run) -> Iterator[Caveat]:
    """Of a program that is too large to be inlined: what the proof has no place for never happens."""
    safe = run.answered.outcome if run.answered is not None else None
    proof = safe.proof if isinstance(safe, Safe) else None
    if isinstance(proof, Fixpoint) and not proof.starts and Goals(run.loaded).starts:
        yield Vacuity(Missing.THREADS, is_proved=True)


# --- what does not happen ---------------------------------------------------------------------------


def _vacuities(loaded: Program, program: Program, task: Task, budget: Budget) -> Iterator[Vacuity]:
    """What no run of a safe program comes to; ``program`` is the prepared one that the answer is about."""
    if task.selection.error_call is not None:
        loaded = only_calls_of(loaded, task.selection.error_call)
    goals = Goals(loaded)
    wanted = {Missing.THREADS: goals.starts}
    if Property.REACH in task.selection.properties:
        wanted[Missing.ASSERTIONS] = goals.assertions
    wanted = {missing: places for missing, places in wanted.items() if places}
    seen = _seen(loaded, program, wanted, budget) if wanted else frozenset()
    for missing, places in wanted.items():
        if missing not in seen and (vacuity := _asked(missing, places, loaded, task, budget)) is not None:
            yield vacuity


def _seen(
    loaded: Program, program: Program, wanted: dict[Missing, frozenset[Place]], budget: Budget
) -> frozenset[Missing]:
    """What some of the first runs come to."""
    places = wanted.get(Missing.ASSERTIONS, frozenset())
    edges = (edge for name, at in places for edge in loaded.functions[name].outgoing.get(at, ()))
    spans = {edge.origin.span for edge in edges if edge.origin.span is not None}
    seen: set[Missing] = set()
    for run in random_runs(program, FIRST_RUNS, FIRST_STEPS, budget):
        for edge in run.edges:
            if isinstance(edge.instruction, ir.Create):
                seen.add(Missing.THREADS)
            if user_origin(edge.origin).span in spans:
                seen.add(Missing.ASSERTIONS)
        if seen.issuperset(wanted):
            break
    return frozenset(seen)


def _asked(
    missing: Missing, places: frozenset[Place], loaded: Program, task: Task, budget: Budget
) -> Vacuity | None:
    """What is known of places that no run has come to yet; None if one does."""
    task = _question(task, frozenset({Property.REACH}))
    flat = prepared(asked(loaded, places), task)
    runs = list(random_runs(flat, GOAL_RUNS, GOAL_STEPS, budget))
    is_proved = None if any(run.failure == GOAL for run in runs) else _never(flat, task, budget)
    ended = len(counting(runs))
    if is_proved or (is_proved is None and ended and all(run.failure != GOAL for run in runs)):
        return Vacuity(missing, bool(is_proved), ended, only_end(runs))
    return None


# --- what is not asked about ------------------------------------------------------------------------


def _not_asked(loaded: Program, task: Task, budget: Budget) -> Iterator[NotAsked]:
    """What may end runs of a program that is safe otherwise: in runs first, then all the rest together."""
    properties = frozenset(ENDING) - task.selection.properties
    if not properties:
        return
    flat = prepared(loaded, _question(task, properties))
    failures = (failure for function in flat.functions.values() for failure in function.errors.values())
    can_fail = {failure.property for failure in failures}
    ends = {
        run.failure.property: NotAsked(run.failure.property, run.failure, run.end)
        for run in random_runs(flat, GOAL_RUNS, GOAL_STEPS, budget)
        if run.failure is not None
    }
    yield from ends.values()
    rest = frozenset(can_fail - ends.keys())
    about = _question(task, rest)
    if rest and not _never(prepared(loaded, about) if ends else flat, about, budget):
        yield from (NotAsked(prop) for prop in ENDING if prop in rest)


# --- questions --------------------------------------------------------------------------------------


def _question(task: Task, properties: frozenset[Property]) -> Task:
    """The task of asking the same engines about these properties, with little effort."""
    return replace(
        task,
        selection=Selection(properties),
        options=replace(task.options, explore=ExploreOptions(native=False, max_states=EASY_STATES)),
        keeps_proof=False,
        wants_invariants=False,
    )


def _never(flat: Program, task: Task, budget: Budget) -> bool | None:
    """Whether no run goes wrong, by a proof that was checked; None: no engine of the task knows."""
    for name in task.engines:
        attempt = Attempt(name, ENGINES, flat, task.selection.properties, task)
        match attempt.answered(budget, SilentObserver()).outcome:
            case Safe():
                return True
            case Unsafe():
                return False
            case _:
                pass
    return None
