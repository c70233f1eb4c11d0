"""One run: load, prepare, ask the engines. Giving up becomes Unknown here only.

An input error and a bug of ours are not answers: they pass through as exceptions.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, UnsupportedFeatureError
from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.passes.attempts import has_attempts
from sley.passes.frozen import specialise
from sley.passes.pipeline import may_try, prepare
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.attempt import Answered, Attempt
from sley.verification.engines import AnyEngine
from sley.verification.observer import Observer, Phase
from sley.verification.portfolio import Share, in_turn, portfolio
from sley.verification.reading import loaded_program, prepared
from sley.verification.result import NotSupported, Outcome, Result, Times
from sley.verification.task import Task
from sley.verification.team import Member, Team

_RACE = frozenset({Property.RACE})


class Run:
    """One run: what was learnt so far, so that giving up half-way loses nothing."""

    def __init__(
        self,
        task: Task,
        observer: Observer,
        budget: Budget,
        engines: Mapping[str, AnyEngine],
        on_known: Callable[[Result], None] = lambda _: None,
    ) -> None:
        self.task = task
        self.observer = observer
        self.budget = budget
        self.engines = engines
        self.on_known = on_known
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
            self.program = program = prepared(loaded, self.task)
        self.on_known(self._result(Answered(Unknown("the engines are at work"))))
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
