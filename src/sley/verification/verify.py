"""From a task to a result: load, prepare, search. Giving up becomes Unknown here only.

An input error and a bug of ours are not answers: they pass through as exceptions.
"""

import time
from collections.abc import Mapping

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, UnsupportedFeatureError
from sley.evidence.trace import Trace
from sley.evidence.verdict import Safe, Statistics, Unknown, Unsafe, Verdict
from sley.frontend import load
from sley.program.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.engines import CHECKING, ENGINES, FINDING, Engine
from sley.verification.error_calls import only_calls_of
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.result import NotSupported, Outcome, Result, Times
from sley.verification.task import Task
from sley.verification.watch import watched

PATIENCE = 10.0
"""Seconds that an engine gets, when a limit is reached, to end with what it knows."""

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
        self.started = self.loaded = time.monotonic()

    def outcome(self, engine: Engine) -> Outcome:
        """Both phases in order."""
        selection = self.task.selection
        if not selection.properties:
            raise UnsupportedFeatureError(selection.unsupported)
        self.observer.entered(Phase.READING)
        with watched(self.budget):
            self.program = program_of(self.task)
        self.loaded = time.monotonic()
        self.observer.entered(Phase.SEARCHING)
        with watched(self.budget, PATIENCE):
            verdict, self.statistics = engine(
                self.program, selection.properties, self.task.options, self.budget
            )
        return self._accepted(verdict, self.program)

    def _accepted(self, verdict: Verdict, program: Program) -> Outcome:
        """The verdict, unless something stands in its way that no engine can know."""
        match verdict:
            case Unsafe(traces=traces):
                return _unsafe(traces)
            case Safe(proof=proof) if program.unmodelled:
                calls = "; ".join(str(one) for one in program.unmodelled)
                return Unknown(f"unmodelled: {calls}", (f"no violation otherwise: {proof.summary}",))
            case Safe() if self.task.selection.unsupported:
                return NotSupported(self.task.selection.unsupported)
            case _:
                return verdict

    def result(self, outcome: Outcome) -> Result:
        """The result with all that is known by now."""
        now = time.monotonic()
        is_loaded = self.program is not None
        checking = float(self.statistics.get(CHECKING, 0.0))
        times = Times(
            loading=(self.loaded if is_loaded else now) - self.started,
            finding=max(0.0, now - self.loaded - checking) if is_loaded else 0.0,
            checking=checking,
        )
        return Result(
            task=self.task,
            outcome=outcome,
            times=times,
            statistics={name: n for name, n in self.statistics.items() if name not in (FINDING, CHECKING)},
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
