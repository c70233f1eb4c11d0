"""From a task to a result: load, prepare, search, check the evidence. Giving up becomes Unknown here only.

An input error and a bug of ours are not answers: they pass through as exceptions.
"""

import time
from collections.abc import Mapping
from typing import assert_never

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, UnsupportedFeatureError
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Safe, Statistics, Unknown, Unsafe
from sley.frontend import load
from sley.program.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.engines import ENGINES, Engine
from sley.verification.error_calls import only_calls_of
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.result import NotSupported, Outcome, Result, Times
from sley.verification.task import Task
from sley.verification.watch import watched

PATIENCE = 2.0
"""Seconds that a search or a checker gets to notice a limit by itself."""

_PROPERTY_ORDER = {prop: position for position, prop in enumerate(Property)}


def verify(
    task: Task,
    observer: Observer | None = None,
    budget: Budget | None = None,
    engines: Mapping[str, Engine] = ENGINES,
) -> Result:
    """The answer to a task; raises ``InputError`` if it is not a legal C program.

    The law of the whole project is here: Safe only with a proof that its checker accepted, Unsafe only with
    a replayed trace, and neither if it rests on a function without a model.
    """
    run = _Run(
        task, observer or SilentObserver(), budget or Budget(task.limits.seconds, task.limits.megabytes)
    )
    try:
        outcome = run.outcome(engines[task.engine])
    except UnsupportedFeatureError as unsupported:
        outcome = NotSupported(unsupported.constructs)
    except GaveUpError as gave_up:
        outcome = Unknown(str(gave_up))
    except MemoryError:
        outcome = Unknown("out of memory")
    except RecursionError:
        outcome = Unknown("an expression or a declaration is nested too deeply")
    return run.result(outcome)


def loaded_program(task: Task) -> Program:
    """The program of a task as the front end makes it."""
    return load(task.paths, data_model=task.data_model, include_dirs=task.include_dirs, defines=task.defines)


def program_of(task: Task) -> Program:
    """The prepared program of a task, as engines get it."""
    program = loaded_program(task)
    if task.selection.error_call is not None:
        program = only_calls_of(program, task.selection.error_call)
    return prepare(program, task.selection.properties)


class _Run:
    """One run: what was learnt so far, so that giving up half-way loses nothing."""

    def __init__(self, task: Task, observer: Observer, budget: Budget) -> None:
        self.task = task
        self.observer = observer
        self.budget = budget
        self.program: Program | None = None
        self.statistics: Statistics = {}
        self.seconds = dict.fromkeys(Phase, 0.0)
        self._entered: tuple[Phase, float] | None = None

    def outcome(self, engine: Engine) -> Outcome:
        """All phases in order."""
        selection = self.task.selection
        if not selection.properties:
            raise UnsupportedFeatureError(selection.unsupported)
        self._enter(Phase.READING)
        with watched(self.budget):
            self.program = program = program_of(self.task)
        self._enter(Phase.SEARCHING)
        with watched(self.budget, PATIENCE):
            finding = engine.search(program, selection.properties, self.task.options, self.budget)
        self.statistics = finding.statistics
        self._enter(Phase.CHECKING)
        with watched(self.budget, PATIENCE):
            verdict = engine.check(program, selection.properties, finding, self.budget)
        match verdict:
            case Safe():
                return self._safe(verdict, program)
            case Unsafe(traces=traces):
                return _unsafe(traces)
            case Bounded() | Unknown():
                return verdict
            case _:
                assert_never(verdict)

    def _safe(self, safe: Safe, program: Program) -> Outcome:
        """Safe, unless something stands in the way that no proof about the program can know."""
        if program.unmodelled:
            calls = "; ".join(str(one) for one in program.unmodelled)
            return Unknown(f"unmodelled: {calls}", (f"no violation otherwise: {safe.proof.summary}",))
        if self.task.selection.unsupported:
            return NotSupported(self.task.selection.unsupported)
        return safe

    def _enter(self, phase: Phase | None) -> None:
        now = time.monotonic()
        if self._entered is not None:
            last, since = self._entered
            self.seconds[last] += now - since
        self._entered = None if phase is None else (phase, now)
        if phase is not None:
            self.observer.entered(phase)

    def result(self, outcome: Outcome) -> Result:
        """The result with all that is known by now."""
        self._enter(None)
        return Result(
            task=self.task,
            outcome=outcome,
            times=Times(*(self.seconds[phase] for phase in Phase)),
            statistics=self.statistics,
            assumptions=self.program.assumptions if self.program else (),
            unmodelled=self.program.unmodelled if self.program else (),
        )


def _unsafe(traces: tuple[Trace, ...]) -> Outcome:
    """Certain violations first, in the order in which results name them; only possible ones are no bug."""
    ranked = sorted(
        traces, key=lambda trace: (bool(trace.depends_on), _PROPERTY_ORDER[trace.failure.property])
    )
    if not ranked[0].depends_on:
        return Unsafe(tuple(ranked))
    functions = ", ".join(f"`{name}`" for name in ranked[0].depends_on)
    return Unknown(
        f"possible bug only: {ranked[0].failure.message}, but the run rests on unmodelled {functions}",
        traces=tuple(ranked),
    )
