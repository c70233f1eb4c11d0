"""One run: load, prepare, ask the engines. Giving up becomes Unknown here only.

An input error and a bug of ours are not answers: they pass through as exceptions.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError, UnsupportedFeatureError
from sley.evidence.proof import Checked, SeparateProofs
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.passes.attempts import has_attempts
from sley.passes.frozen import specialise
from sley.passes.known_errors import Place, without_known
from sley.passes.pipeline import may_try, prepare
from sley.program.program import Program
from sley.program.properties import OF_STATES, Property, grouped
from sley.verification.attempt import SC_ONLY, Answered, Attempt, unsafe
from sley.verification.engines import AnyEngine
from sley.verification.memory_models import Consistency
from sley.verification.observer import Observer, Phase
from sley.verification.portfolio import Share, in_turn, portfolio
from sley.verification.reading import loaded_program, prepared
from sley.verification.result import NotSupported, Outcome, Result, Times
from sley.verification.task import Task
from sley.verification.team import Member, Team

if TYPE_CHECKING:
    from sley.verification.cluster import Cluster

TOGETHER = 0.8
"""The part of the time in which all properties are looked at together; then they are, one by one."""

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
        self.budget.cores = task.jobs or 1
        self.engines = engines
        self.on_known = on_known
        self.started = time.monotonic()
        self.program: Program | None = None
        self.consistency: Consistency | None = None
        self.loading = 0.0
        self.cluster: Cluster | None = None
        self.open = ExitStack()
        """What has to be closed when the run ends."""

    def result(self) -> Result:
        """Read the program, and find an answer."""
        try:
            with self.open:
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
        program, consistency = self.program, self.consistency
        of_memory = consistency.assumptions if consistency is not None else ()
        return Result(
            task=self.task,
            outcome=answered.outcome,
            times=Times(self.loading, elapsed - self.loading - answered.checking, answered.checking),
            engine=answered.engine if answered.is_decided else None,
            by_property=answered.by_property,
            statistics=answered.statistics,
            assumptions=(*of_memory, *(program.assumptions if program is not None else ())),
            follows=consistency.follows if consistency is not None else (),
            weak=consistency.weak if consistency is not None else (),
            unmodelled=program.unmodelled if program is not None else (),
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
            self.consistency = Consistency(self.task, program)
        self.on_known(self._result(Answered(Unknown("the engines are at work"))))
        if self.task.all_bugs:
            return self._all_bugs(loaded, program, selection.properties)
        groups = grouped(selection.properties)
        if len(groups) == 1 or program.unmodelled or selection.unsupported:
            return self._decided(loaded, program, selection.properties, self.budget)
        together = self.budget.share(TOGETHER, None, clock=time.monotonic)
        answered = self._decided(loaded, program, selection.properties, together)
        is_refused = isinstance(answered.outcome, Unknown) and SC_ONLY in answered.outcome.reason
        is_final = is_refused and together.remaining() != 0  # nobody was short of time
        return answered if answered.is_decided or is_final else self._one_by_one(loaded, groups, answered)

    def _one_by_one(
        self, loaded: Program, groups: Sequence[frozenset[Property]], together: Answered
    ) -> Answered:
        """Every property by itself, after all together were too much, for about as long as that took."""
        seconds = max(1.0, (time.monotonic() - self.started) / len(groups))
        outcomes: dict[Property, Outcome] = {}
        for number, group in enumerate(groups):
            budget = self.budget.share(1 / (len(groups) - number), seconds, clock=time.monotonic)
            try:
                outcome = self._by_itself(loaded, group, budget)
            except BudgetExhaustedError as reason:
                outcome = Unknown(str(reason))
            outcomes |= dict.fromkeys(group, outcome)
        return replace(together, outcome=_combined(outcomes, together.outcome), by_property=outcomes)

    def _by_itself(self, loaded: Program, properties: frozenset[Property], budget: Budget) -> Outcome:
        self.budget.check()
        with self._reading():
            task = replace(self.task, selection=replace(self.task.selection, properties=properties))
            program = prepared(loaded, task)
        return self._decided(loaded, program, properties, budget).outcome

    def _all_bugs(self, loaded: Program, program: Program, properties: frozenset[Property]) -> Answered:
        """One violation after another: those that are known end a run from then on, without a violation."""
        known: dict[Place, Trace] = {}
        while True:
            answered = self._decided(loaded, program, properties, self.budget)
            if not isinstance(answered.outcome, Unsafe):
                break
            new = {(trace.failure, trace.origin): trace for trace in answered.outcome.traces}
            known |= new
            program = without_known(program, new)
            properties -= {failure.property for failure, _ in new} & OF_STATES
            if not properties:
                break
        if not known:
            return answered
        of_others = dict.fromkeys(properties - {failure.property for failure, _ in known}, answered.outcome)
        return replace(answered, outcome=unsafe(tuple(known.values())), by_property=of_others)

    def _decided(
        self, loaded: Program, program: Program, properties: frozenset[Property], budget: Budget
    ) -> Answered:
        """What the engines say, and whether that still holds if attempts may fail for no reason."""
        answered = self._asked(program, properties, budget)
        if isinstance(answered.outcome, Safe) and Property.RACE in properties and may_try(loaded):
            return self._without_order_of_failures(answered, answered.outcome, loaded, budget)
        return answered

    def _without_order_of_failures(
        self, answered: Answered, safe: Safe, loaded: Program, budget: Budget
    ) -> Answered:
        """Safe only if nothing that was tried and failed has hidden a race: a failure orders nothing."""
        with self._reading():
            program = specialise(prepare(loaded, _RACE, attempts_may_fail=True, is_specialised=True))
        if not has_attempts(program):
            return answered
        orderless = self._asked(program, _RACE, budget)
        if isinstance(orderless.outcome, Safe):
            return answered
        reason = _orderless(orderless.outcome)
        return Answered(Unknown(reason, (f"no violation otherwise: {safe.proof.summary}",)))

    def _asked(self, program: Program, properties: frozenset[Property], budget: Budget) -> Answered:
        """Ask the engines that the user chose, or else those that fit the program."""
        shares = tuple(map(Share, self.task.engines)) or portfolio(program)
        members = [
            Member(Attempt(name, self.engines, program, properties, self.task), weight)
            for name, weight in shares
            if name in self.engines
        ]
        attempts = [member.attempt for member in members]
        if self.task.cluster is not None:
            return self._asked_elsewhere(self.task.cluster, attempts, budget)
        if not self.task.jobs:
            return in_turn(attempts, budget, self.observer)
        return Team(members, self.task.jobs, budget, self.observer).work()

    def _asked_elsewhere(self, address: str, attempts: Sequence[Attempt], budget: Budget) -> Answered:
        """Ask engines on the nodes of a cluster, which is left when the run ends."""
        from sley.verification.cluster import Cluster
        from sley.verification.remote_team import RemoteTeam

        if self.cluster is None:
            self.cluster = self.open.enter_context(Cluster(address))
        return RemoteTeam(attempts, self.task.jobs, self.cluster, budget, self.observer).work()


def _combined(outcomes: Mapping[Property, Outcome], together: Outcome) -> Outcome:
    """What single properties say of all: a bug is a bug, and if each is safe, all are."""
    bugs = [outcome for outcome in outcomes.values() if isinstance(outcome, Unsafe)]
    if bugs:
        return unsafe(tuple(dict.fromkeys(trace for bug in bugs for trace in bug.traces)))
    safe = {id(outcome): outcome for outcome in outcomes.values() if isinstance(outcome, Safe)}
    if len(safe) < len({id(outcome) for outcome in outcomes.values()}):
        return together
    checked = [one.checked for one in safe.values()]
    return Safe(
        SeparateProofs(tuple(one.proof for one in safe.values())),
        Checked(
            "; ".join(dict.fromkeys(one.how for one in checked)),
            tuple(dict.fromkeys(solver for one in checked for solver in one.solvers)),
            tuple(dict.fromkeys(sentence for one in checked for sentence in one.skipped)),
            min(one.runs for one in checked),
            sum(one.states for one in checked),
        ),
    )


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
