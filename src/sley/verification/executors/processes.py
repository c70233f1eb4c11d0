"""Engines side by side, each in a process of its own, at most so many at work at once.

Every engine has its part of the time: the one that has worked least of it works next; the others are
suspended, and go on where they were. A claim is checked before another search goes on, and where that takes
all cores, no other engine works beside it.
"""

import os
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from multiprocessing.connection import wait

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.base.processes import (
    Child,
    Failed,
    Finished,
    Lost,
    Send,
    Work,
    descendants,
    forked,
    is_above,
    megabytes_of,
)
from sley.base.reasons import memory_limit
from sley.evidence.verdict import Bounded, Unknown
from sley.verification.answers import Answered
from sley.verification.attempt import Attempt
from sley.verification.executors.poll import Poll
from sley.verification.observer import Doing, Observer, Phase
from sley.verification.result import because
from sley.verification.single_properties import SingleProperties
from sley.verification.supervision import Status, Telling
from sley.verification.thresholds import GRACE, HEAD_START, IN_LOOPS, QUANTUM, ROOM, TICK


@dataclass(frozen=True)
class Processes:
    """The executor: so many engines compute at once."""

    jobs: int
    start: Callable[[Work, Budget], Child] = forked
    others: Callable[[], list[int]] = lambda: [os.getppid(), os.getpid()]
    """The processes that share the memory limit with the engines."""

    def __call__(self, poll: Poll, budget: Budget, observer: Observer) -> Generator[Answered, None, None]:
        """What engines say; no process is left behind."""
        team = _Team(self, poll, budget, observer)
        try:
            yield from team.answers()
        finally:
            team.end()


class Member:
    """An engine of the team."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.at_work_on: Attempt | SingleProperties = attempt
        self.child: Child | None = None
        self.phase = Phase.SEARCHING
        self.worked = 0.0
        is_in_loop = Creations(attempt.program).is_in_loop
        self.part = IN_LOOPS.get(attempt.name, 1.0) if is_in_loop else 1.0
        """How much of the time it gets, beside the others."""
        self.known: Answered | None = None
        """What it said last of what it knows."""
        self.answered: Answered | None = None
        self.told: Answered | None = None
        """What of that was passed on."""

    @property
    def need(self) -> tuple[bool, float]:
        """The smaller, the sooner it should work."""
        return self.phase is not Phase.CHECKING, self.worked / self.part

    @property
    def needs_all(self) -> bool:
        """Whether it checks a claim on all cores."""
        return self.phase is Phase.CHECKING and self.attempt.engine.checks_on_all_cores

    @property
    def is_at_single_properties(self) -> bool:
        """Whether it has no answer for all together, and looks at one after another."""
        return self.at_work_on is not self.attempt

    @property
    def says(self) -> Answered | None:
        """All that it has said by now."""
        return self.answered or (self.known if self.is_at_single_properties else None)

    def unknown(self, reason: str) -> None:
        """It has no answer; what it said before still counts."""
        known = self.known.outcome if self.known is not None else None
        if isinstance(known, Bounded) or self.is_at_single_properties:
            self.answered = self.known
        else:
            certain = known.certain if isinstance(known, Unknown) else ()
            self.answered = Answered(Unknown(reason, certain), self.attempt.name)

    def go_on(self, single: SingleProperties) -> None:
        """Look at one property after another."""
        self.at_work_on, self.known = single, self.answered
        self.child = self.answered = None
        self.phase = Phase.SEARCHING


class _Team:
    """The engines at work on one question."""

    def __init__(self, executor: Processes, poll: Poll, budget: Budget, observer: Observer) -> None:
        self.executor = executor
        self.poll = poll
        self.members = [Member(attempt) for attempt in poll.attempts]
        self.budget = budget
        self.together = poll.time_together(budget)
        self.observer = observer
        self.started = self._now = time.monotonic()
        self._switched = 0.0

    def answers(self) -> Iterator[Answered]:
        """What they say, until all have ended or a limit is reached."""
        reason = None
        while self._open() and (reason := self.budget.exceeded()) is None:
            self._end_all_together()
            self._switch()
            self._listen(TICK)
            self._hold_memory()
            yield from self._new_answers()
            self._dismiss()
            self._go_on()
        if reason is not None:
            self._last_words(self._open(), reason)
        yield from self._new_answers()

    def end(self) -> None:
        """End those that still work."""
        for member in self.members:
            if member.child is not None:
                member.child.end()

    def _new_answers(self) -> Iterator[Answered]:
        for member in self.members:
            if member.says is not None and member.says is not member.told:
                member.told = member.says
                yield member.says

    def _dismiss(self) -> None:
        """Let those go that have nothing to find."""
        for member in self._open():
            if self.poll.is_pointless(member.attempt):
                if member.child is not None:
                    member.child.end()
                refused = member.attempt.refused()
                member.answered = Answered(refused, member.attempt.name, is_refused=True)

    def _go_on(self) -> None:
        """Those without an answer for all properties together look at single ones."""
        for member in self.members:
            if member.answered is not None and not member.is_at_single_properties:
                single = self.poll.goes_on(member.attempt, member.worked)
                if single is not None:
                    member.go_on(single)

    def _open(self) -> list[Member]:
        return [member for member in self.members if member.answered is None]

    # --- which of them work ------------------------------------------------------------------------------

    def _switch(self) -> None:
        """Let those work that need it most, unless others have just begun."""
        now = time.monotonic()
        for member in self._working():
            member.worked += now - self._now
        self._now = now
        working = self._working()
        if len(working) == self._slots() and now - self._switched < QUANTUM:
            return
        chosen = sorted(self._open(), key=lambda member: member.need)[: self._slots()]
        if {id(one) for one in chosen} == {id(one) for one in working}:
            return
        self._switched = now
        for member in working:
            if member not in chosen and member.child is not None:
                member.child.suspend()
        for member in chosen:
            self._put_to_work(member)

    def _slots(self) -> int:
        is_alone = time.monotonic() - self.started < HEAD_START or any(m.needs_all for m in self._open())
        return 1 if is_alone else self.executor.jobs

    def _working(self) -> list[Member]:
        return [m for m in self._open() if m.child is not None and not m.child.is_suspended]

    def _put_to_work(self, member: Member) -> None:
        if member.child is not None:
            member.child.resume()
            return
        work = member.at_work_on
        if isinstance(work, Attempt):
            work = self.poll.ready(work)  # here, so that it is found once
        self.budget.is_shared = len(self.members) > 1
        member.child = self.executor.start(_EngineWork(work), self.budget)

    # --- what they say --------------------------------------------------------------------------

    def _listen(self, seconds: float) -> None:
        children = {m.child.connection: m for m in self._open() if m.child is not None}
        for ready in wait(list(children), seconds):
            self._hear(children[ready])  # type: ignore[index]

    def _hear(self, member: Member) -> None:
        child = member.child
        assert child is not None
        for message in child.messages():
            match message:
                case Phase():
                    member.phase = message
                    self.observer.entered(message)
                case Doing():
                    self.observer.doing(message)
                case Bounded() | Unknown():
                    if not member.is_at_single_properties:
                        member.known = Answered(message, member.attempt.name)
                case Answered():
                    member.known = message
                case _:
                    raise AssertionError(message)
        if child.ending is not None:
            self.observer.doing(Doing(member.attempt.name, ""))
        match child.ending:
            case None:
                pass
            case Finished(value=Answered() as answered):
                member.answered = answered
            case Failed() as failed:
                self._failed(member, failed)
            case Lost(how=how):
                member.unknown(f"its process was {how}")
            case _:
                raise AssertionError(child.ending)

    def _failed(self, member: Member, failed: Failed) -> None:
        """Its process ended with an exception."""
        error = failed.error
        error.__cause__ = failed.cause
        member.unknown(self.poll.crash(member.attempt.name, error).reason)

    # --- limits ---------------------------------------------------------------------------------

    def _end_all_together(self) -> None:
        """When the time for all properties together is over, engines say what they know of them."""
        reason = self.together.exceeded()
        if reason is not None:
            self._last_words([one for one in self._open() if not one.is_at_single_properties], reason)

    def _last_words(self, members: Sequence[Member], reason: str) -> None:
        at_work = [member.child for member in members if member.child is not None]
        for child in at_work:
            child.ask_to_end()
        until = time.monotonic() + GRACE
        while time.monotonic() < until and any(child.ending is None for child in at_work):
            self._listen(TICK)
        for member in members:
            if member.child is not None:
                member.child.end()
            if member.answered is None:
                member.unknown(reason)
            else:
                outcome = because(reason, member.answered.outcome)
                member.answered = replace(member.answered, outcome=outcome)

    def _hold_memory(self) -> None:
        """The largest has to go before all together reach the limit."""
        limit = self.budget.megabytes
        if limit is None:
            return
        trees = {m: descendants(m.child.pid) for m in self._open() if m.child is not None}
        if trees and is_above(ROOM * limit, [*self.executor.others(), *chain.from_iterable(trees.values())]):
            largest = max(trees, key=lambda member: sum(map(megabytes_of, trees[member])))
            assert largest.child is not None
            largest.child.end()
            largest.unknown(memory_limit(limit))


@dataclass(frozen=True, slots=True)
class _EngineWork:
    """What the process of an engine does."""

    attempt: Attempt | SingleProperties

    def __call__(self, send: Send, budget: Budget) -> Answered:
        budget.on_known = lambda known: send(self._told(known))
        if budget.is_watched:
            budget.on_progress = Status(send, self.attempt.name, budget)
        return self.attempt.answered(budget, Telling(send)).to_be_sent()

    def _told(self, known: object) -> object:
        """What an engine knows, as it is told others."""
        if isinstance(known, Answered):
            return known.to_be_sent()
        assert isinstance(known, Bounded | Unknown)
        return self.attempt.believed(known) if isinstance(self.attempt, Attempt) else known
