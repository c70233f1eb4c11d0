"""From a task to a result: load, prepare, ask the engines. Giving up becomes Unknown here only.

An input error and a bug of ours are not answers: they pass through as exceptions. Everything happens in a
process of its own, the *worker*, whose children are the engines: this process only waits, so that limits hold
whatever the worker is doing.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import wait

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError, InputError, UnsupportedFeatureError
from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.frontend import SUFFIX, load, load_text
from sley.passes.attempts import has_attempts
from sley.passes.error_calls import only_calls_of
from sley.passes.frozen import specialise
from sley.passes.pipeline import may_try, prepare
from sley.passes.statements import merge_statements
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.attempt import Answered, Attempt
from sley.verification.engines import ENGINES, AnyEngine
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.portfolio import Share, in_turn, portfolio
from sley.verification.processes import (
    Child,
    Failed,
    Finished,
    Lost,
    Send,
    can_fork,
    descendants,
    forked,
    fresh,
    megabytes_of,
    usable_cores,
)
from sley.verification.result import NotSupported, Outcome, Result, Times
from sley.verification.task import Granularity, Task
from sley.verification.team import Member, Team

PATIENCE = 0.7
"""Seconds after a limit in which the worker may still say what it knows."""

TICK = 0.05

_RACE = frozenset({Property.RACE})


def verify(
    task: Task,
    observer: Observer | None = None,
    budget: Budget | None = None,
    engines: Mapping[str, AnyEngine] = ENGINES,
) -> Result:
    """The answer to a task; raises ``InputError`` if it is not a legal C program.

    Nothing is printed and no signal handler is installed. With ``task.jobs == 0`` no process is started:
    engines take turns in this one, and limits hold as far as they look at them.
    """
    observer = observer or SilentObserver()
    budget = budget or Budget(task.limits.seconds, task.limits.megabytes)
    if task.jobs is None:
        task = replace(task, jobs=usable_cores())
    if task.jobs == 0:
        return _Run(task, observer, budget, engines).result()
    return _Supervision(task, observer, budget, engines).result()


def loaded_program(task: Task) -> Program:
    """The program of a task as the front end makes it."""
    if any(path.suffix == SUFFIX for path in task.paths):
        if len(task.paths) > 1:
            raise InputError("a program in textual form stands alone: give either one .sley file or C files")
        return load_text(task.paths[0])
    return load(
        task.paths,
        data_model=task.data_model,
        include_dirs=task.include_dirs,
        defines=task.defines,
        models=task.models,
        allows_inner_overrun=task.allows_inner_overrun,
        keeps_frames=Property.LEAK in task.selection.properties,
    )


def program_of(task: Task) -> Program:
    """The prepared program of a task, as engines get it."""
    return _prepared(loaded_program(task), task)


def _prepared(program: Program, task: Task) -> Program:
    """A program of the front end, as engines get it."""
    if task.selection.error_call is not None:
        program = only_calls_of(program, task.selection.error_call)
    if task.granularity is Granularity.STATEMENT:
        if Property.RACE in task.selection.properties:
            raise InputError("data races have no meaning at statement granularity: choose other properties")
        program = merge_statements(program)
    return specialise(prepare(program, task.selection.properties, is_specialised=True))


@dataclass(frozen=True, slots=True)
class _Work:
    """What the worker does; with nothing but a task it can be sent to a fresh process."""

    task: Task
    engines: Mapping[str, AnyEngine] | None

    def __call__(self, send: Send, budget: Budget) -> Result:
        return _Run(self.task, _Telling(send), budget, self.engines or ENGINES, send).result()


class _Telling:
    """Tells the parent what the worker is busy with."""

    def __init__(self, send: Send) -> None:
        self.entered = send


class _Supervision:
    """The worker is waited for, and ended if it does not end by itself."""

    def __init__(
        self, task: Task, observer: Observer, budget: Budget, engines: Mapping[str, AnyEngine]
    ) -> None:
        self.task = task
        self.observer = observer
        self.budget = budget
        self.engines = engines
        self.known: Result = Result(task=task, outcome=Unknown("nothing is known yet"))

    def result(self) -> Result:
        started = time.monotonic()
        child = self._worker()
        try:
            while child.ending is None and (reason := self._passed_limit()) is None:
                self._listen(child)
            if child.ending is None:
                self._last_words(child)
        finally:
            child.end()
        match child.ending:
            case Finished(value=Result() as result):
                return replace(result, task=self.task)
            case Failed() as failed:
                failed.again()
            case Lost(how=how):
                loading = self.known.times.loading
                return replace(
                    self.known,
                    outcome=Unknown(reason or f"the process that verifies was {how}"),
                    times=Times(loading, time.monotonic() - started - loading),
                )
            case other:
                raise AssertionError(other)

    def _worker(self) -> Child:
        if can_fork():
            return forked(_Work(self.task, self.engines), self.budget)
        return fresh(_Work(self.task, None), self.budget)

    def _listen(self, child: Child) -> None:
        wait([child.connection], TICK)
        for message in child.messages():
            match message:
                case Phase():
                    self.observer.entered(message)
                case Result():
                    self.known = message
                case _:
                    raise AssertionError(message)

    def _passed_limit(self) -> str | None:
        """Which limit was passed, if any."""
        try:
            self.budget.check()
        except BudgetExhaustedError as reason:
            return str(reason)
        limit = self.budget.megabytes
        if limit is not None and megabytes_of(descendants()) > limit:
            return f"memory limit of {limit} MB reached"
        return None

    def _last_words(self, child: Child) -> None:
        child.ask_to_end()
        until = time.monotonic() + PATIENCE
        while child.ending is None and time.monotonic() < until:
            self._listen(child)


class _Run:
    """One run: what was learnt so far, so that giving up half-way loses nothing."""

    def __init__(
        self,
        task: Task,
        observer: Observer,
        budget: Budget,
        engines: Mapping[str, AnyEngine],
        send: Send | None = None,
    ) -> None:
        self.task = task
        self.observer = observer
        self.budget = budget
        self.engines = engines
        self.send = send
        self.started = time.monotonic()
        self.program: Program | None = None
        self.loading = 0.0

    def result(self) -> Result:
        """Read the program, and find an answer."""
        try:
            answered = self._answered()
        except UnsupportedFeatureError as unsupported:
            answered = Answered(NotSupported(unsupported.constructs))
        except GaveUpError as gave_up:
            answered = Answered(Unknown(str(gave_up)))
        except MemoryError:
            answered = Answered(Unknown("out of memory"))
        except RecursionError:
            answered = Answered(Unknown("an expression or a declaration is nested too deeply"))
        return self._result(answered)

    def _result(self, answered: Answered) -> Result:
        """The result with all that is known by now."""
        elapsed = time.monotonic() - self.started
        return Result(
            task=self.task,
            outcome=answered.outcome,
            times=Times(self.loading, elapsed - self.loading - answered.checking, answered.checking),
            engine=answered.engine if answered.is_decided else None,
            statistics=answered.statistics,
            assumptions=self.program.assumptions if self.program else (),
            unmodelled=self.program.unmodelled if self.program else (),
        )

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Time the reading, and tell the observer."""
        self.observer.entered(Phase.READING)
        started = time.monotonic()
        try:
            yield
        finally:
            self.loading += time.monotonic() - started

    def _answered(self) -> Answered:
        selection = self.task.selection
        if not selection.properties:
            raise UnsupportedFeatureError(selection.unsupported)
        with self._reading():
            self.program = loaded = loaded_program(self.task)
            self.program = program = _prepared(loaded, self.task)
        if self.send is not None:
            self.send(self._result(Answered(Unknown("the engines are at work"))))
        answered = self._asked(program, selection.properties)
        if isinstance(answered.outcome, Safe) and Property.RACE in selection.properties and may_try(loaded):
            return self._without_order_of_failures(answered, answered.outcome, loaded)
        return answered

    def _without_order_of_failures(self, answered: Answered, safe: Safe, loaded: Program) -> Answered:
        """Safe only if nothing that was tried and failed has hidden a race: a failure orders nothing."""
        with self._reading():
            program = specialise(prepare(loaded, _RACE, attempts_may_fail=True, is_specialised=True))
        if not has_attempts(program):
            return answered
        orderless = self._asked(program, _RACE)
        if isinstance(orderless.outcome, Safe):
            return answered
        reason = _orderless(orderless.outcome)
        return Answered(Unknown(reason, (f"no violation otherwise: {safe.proof.summary}",)))

    def _asked(self, program: Program, properties: frozenset[Property]) -> Answered:
        """Ask the engines that the user chose, or else those that fit the program."""
        shares = tuple(map(Share, self.task.engines)) or portfolio(program)
        members = [
            Member(Attempt(name, self.engines[name], program, properties, self.task), weight)
            for name, weight in shares
            if name in self.engines
        ]
        if not self.task.jobs:
            return in_turn([member.attempt for member in members], self.budget, self.observer)
        return Team(members, self.task.jobs, self.budget, self.observer).work()


def _orderless(outcome: Outcome) -> str:
    """Why there is no answer if attempts may fail for no reason."""
    rule = "an attempt that fails, as of a trylock, need not order anything (C11 7.26.4.5, POSIX 4.12)"
    match outcome:
        case Unsafe(traces=(trace, *_)):
            return f"{rule}, so there may be a {trace.failure.message}: {'; '.join(trace.facts)}"
        case Unknown(reason=reason):
            return f"{rule}, and whether a race follows is not known: {reason}"
        case Bounded(bound=bound):
            return f"{rule}, and whether a race follows is not known: bounded: {bound}"
        case _:
            return f"{rule}, and whether a race follows is not known"
