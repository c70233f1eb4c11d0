"""Engines side by side, each in a process of its own, at most so many at work at once.

Every engine has its part of the time: who has worked least of it works next; the others are suspended, and
go on where they were. A claim is checked before anybody searches on, and where that takes all cores, nobody
works beside it.
"""

import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from multiprocessing.connection import wait

from sley.base.budget import Budget
from sley.base.errors import is_crash
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
from sley.evidence.verdict import Bounded, Unknown
from sley.verification.attempt import Answered, Attempt
from sley.verification.crashes import Crashes, raise_if_all
from sley.verification.observer import Doing, Observer, Phase
from sley.verification.one_by_one import OneByOne
from sley.verification.portfolio import (
    has_nothing_to_find,
    nobody,
    part_of_time,
    settled,
    time_for_all_together,
)
from sley.verification.result import because
from sley.verification.supervision import Status, Telling

QUANTUM = 0.2
"""Seconds for which nobody is suspended who has just begun to work."""

HEAD_START = 0.15
"""Seconds that the first has for itself: most programs are small."""

GRACE = 0.3
"""Seconds to say the last words after a limit was reached."""

TICK = 0.02
ROOM = 0.97
"""At this part of the memory limit the largest has to go, so that the limit holds."""


class Member:
    """An engine of the team."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt = attempt
        self.at_work_on: Attempt | OneByOne = attempt
        self.child: Child | None = None
        self.phase = Phase.SEARCHING
        self.worked = 0.0
        self.part = part_of_time(attempt)
        self.known: Answered | None = None
        """What it said last of what it knows."""
        self.answered: Answered | None = None
        self.crashed: BaseException | None = None

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

    def go_on(self) -> None:
        """Property by property, if it has no answer for all together."""
        then, answered = self.attempt.then, self.answered
        if (
            self.crashed is not None
            or then is None
            or answered is None
            or answered.is_final
            or self.is_at_single_properties
        ):
            return
        self.at_work_on, self.known = then.after(answered, self.worked), answered
        self.child = self.answered = None
        self.phase = Phase.SEARCHING


class Team:
    """The engines at work on one program."""

    def __init__(
        self,
        attempts: Sequence[Attempt],
        jobs: int,
        budget: Budget,
        observer: Observer,
        crashes: Crashes | None = None,
        start: Callable[[Work, Budget], Child] = forked,
        others: Callable[[], list[int]] = lambda: [os.getppid(), os.getpid()],
    ) -> None:
        self.attempts = attempts
        self.members = [Member(attempt) for attempt in attempts]
        self.jobs = jobs
        self.budget = budget
        self.together = time_for_all_together(attempts, budget)
        self.observer = observer
        self.crashes = Crashes() if crashes is None else crashes
        self.started = self._now = time.monotonic()
        self._switched = 0.0
        self._start = start
        self._others = others
        """Who shares the memory limit with the engines."""

    def work(self) -> Answered:
        """The first answer; if there is none, all that is known. Raises what the first raised if all did."""
        try:
            while not self._is_over() and self._open():
                self._switch()
                self._listen(TICK)
                self._hold_memory()
                if (answered := self._decided()) is not None:
                    return answered
                self._dismiss()
            raise_if_all(member.crashed for member in self.members)
            return nobody(self._answers())
        finally:
            for member in self.members:
                if member.child is not None:
                    member.child.end()

    def _decided(self) -> Answered | None:
        """The answer of one of them, or of all of them together."""
        answers = self._answers()
        decided = next((answered for answered in answers.values() if answered.is_decided), None)
        return decided or settled(answers, self.attempts)

    def _dismiss(self) -> None:
        """Let those go who have nothing to find."""
        answers = self._answers().values()
        for member in self._open():
            if has_nothing_to_find(member.attempt, answers):
                if member.child is not None:
                    member.child.end()
                refused = member.attempt.refused()
                member.answered = Answered(refused, member.attempt.name, is_refused=True)

    def _answers(self) -> dict[str, Answered]:
        return {m.attempt.name: m.says for m in self.members if m.says is not None}

    def _open(self) -> list[Member]:
        return [member for member in self.members if member.answered is None]

    # --- who works ------------------------------------------------------------------------------

    def _switch(self) -> None:
        """Let those work who need it most, unless others have just begun."""
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
        return 1 if is_alone else self.jobs

    def _working(self) -> list[Member]:
        return [m for m in self._open() if m.child is not None and not m.child.is_suspended]

    def _put_to_work(self, member: Member) -> None:
        if member.child is not None:
            member.child.resume()
            return
        work = member.at_work_on
        if isinstance(work, Attempt):
            work = work.with_facts()  # here, so that it is found once
        self.budget.is_shared = len(self.members) > 1
        member.child = self._start(_Work(work), self.budget)

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
        """Its process ended with an exception: a bug of ours concerns nobody but this engine."""
        error = failed.error
        error.__cause__ = failed.cause
        if not is_crash(error):
            raise error
        member.crashed = error
        member.unknown(self.crashes.of_engine(member.attempt.name, error).reason)

    # --- limits ---------------------------------------------------------------------------------

    def _is_over(self) -> bool:
        """Whether a limit was reached; then all say what they know, and may go on with single properties."""
        reason = self.budget.exceeded()
        if reason is not None:
            self._last_words(self._open(), reason)
            return True
        reason = self.together.exceeded()
        if reason is not None:
            self._last_words([one for one in self._open() if not one.is_at_single_properties], reason)
        for member in self.members:
            member.go_on()
        return False

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
        if trees and is_above(ROOM * limit, [*self._others(), *chain.from_iterable(trees.values())]):
            largest = max(trees, key=lambda member: sum(map(megabytes_of, trees[member])))
            assert largest.child is not None
            largest.child.end()
            largest.unknown(f"memory limit of {limit} MB reached")


@dataclass(frozen=True, slots=True)
class _Work:
    """What the process of an engine does."""

    attempt: Attempt | OneByOne

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
