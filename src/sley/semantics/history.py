"""What a run of a weak program has behind it: its execution graph, and what each thread knows of it.

A state of the program together with its history is all that decides what can follow. Nothing in a history
depends on the order in which threads took their turns: events are named by their thread and their place
in it.

Happens-before is kept in *clocks*. A thread counts its *releases* (writes, release fences, unlocks,
creations, its end); a clock has, for each thread, how many of its releases happened before. What a thread
did before its release number k (its *epoch* is k) happened before whoever knows more than k of its releases.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import NamedTuple

from sley.semantics.axioms import INITIAL, Event
from sley.semantics.values import Open, Unset

Clock = tuple[int, ...]
"""By thread, as far as it is known of."""

Id = tuple[int, int]
"""The thread of an event, and its number in it."""

INITIAL_WRITE: Id = (INITIAL, 0)
"""What was in memory when an object was first accessed atomically; all threads know it."""


class AtomicPlace(NamedTuple):
    """An atomic object: its bytes, in one of the lives that memory has there."""

    address: int
    size: int
    life: int = 0


@dataclass(frozen=True, slots=True)
class PerformedEvent(Event):
    """An event with what it knows."""

    source: Id | None = None
    """The write that it reads from."""
    epoch: int = 0
    clock: Clock = ()
    """What happened before it, and itself."""
    message: Clock = ()
    """Writes: what whoever reads from it synchronises with (the release sequences that it is in)."""


class ThreadHistory(NamedTuple):
    """What a thread knows."""

    current: Clock = ()
    released: Clock = ()
    """What it knew at its last release fence."""
    pending: Clock = ()
    """What it would know after an acquire fence."""


class RaceableAccess(NamedTuple):
    """An access that others may race with: bytes of an object, and when."""

    offset: int
    size: int
    thread: int
    is_write: bool
    is_atomic: bool
    epoch: int
    location: int
    """Where in the program."""

    def conflicts(self, other: "RaceableAccess") -> bool:
        """Whether they touch the same bytes in different threads, one writes, and not both are atomic."""
        if self.thread == other.thread or (self.is_atomic and other.is_atomic):
            return False
        overlaps = self.offset < other.offset + other.size and other.offset < self.offset + self.size
        return overlaps and (self.is_write or other.is_write)


class RacingAccesses(NamedTuple):
    """Two accesses to an object that happens-before does not order."""

    number: int
    first: RaceableAccess
    second: RaceableAccess


Accesses = tuple[tuple[int, tuple[RaceableAccess, ...]], ...]
"""By object."""


class Snapshot(NamedTuple):
    """A thread since it last changed anything: where it stood, how many events it had, what it knew."""

    thread: tuple[object, ...]
    events: int
    view: ThreadHistory
    accesses: Accesses
    """Its own, of which others did not know."""


Modifications = tuple[Id, ...]
"""The writes to a place in modification order, from INITIAL_WRITE on."""


@dataclass(frozen=True, kw_only=True)
class History:
    """All that was before, as far as it matters for what can follow; it remembers its hash."""

    events: tuple[tuple[PerformedEvent, ...], ...] = ((),)
    """By thread."""
    mo: tuple[tuple[AtomicPlace, Modifications], ...] = ()
    initial: tuple[tuple[AtomicPlace, int | Open | Unset], ...] = ()
    """What INITIAL_WRITE wrote, by place."""
    views: tuple[ThreadHistory, ...] = (ThreadHistory(),)
    """By thread."""
    locks: tuple[tuple[int, Clock], ...] = ()
    """By address, what the last unlock knew."""
    sections: tuple[tuple[int, Clock], ...] = ()
    """By address, what the writers knew that wrote there in atomic sections."""
    accesses: Accesses = ()
    """Those that some running thread does not know of."""
    lives: tuple[tuple[int, int], ...] = ()
    """By object, how many lives it had before."""
    recent: tuple[tuple[Snapshot, ...], ...] = ((),)
    """By thread, where it has been since it last changed anything."""
    race: RacingAccesses | None = None
    """Beyond a race nothing has a meaning."""
    finds_races: bool = True
    """If not, plain accesses interleave, and races are not looked for."""

    @cached_property
    def _hash(self) -> int:
        return hash(tuple(getattr(self, field.name) for field in fields(self)))

    def __hash__(self) -> int:
        return self._hash

    def __getstate__(self) -> dict[str, object]:
        """Without the hash, which is another one in another process."""
        return {name: value for name, value in self.__dict__.items() if name != "_hash"}

    def values(self) -> Iterator[object]:
        """Every value that was written to an atomic object."""
        yield from (value for _, value in self.initial)
        for events in self.events:
            yield from (event.value for event in events)

    def mapped(self, change: Callable[[object], object]) -> "History":
        """With other values, also where threads have been."""
        events = (tuple(replace(event, value=change(event.value)) for event in one) for one in self.events)
        initial = tuple((place, change(value)) for place, value in self.initial)
        recent = (
            tuple(been._replace(thread=tuple(map(change, been.thread))) for been in one)
            for one in self.recent
        )
        return replace(
            self,
            events=tuple(events),
            initial=initial,  # type: ignore[arg-type]
            recent=tuple(recent),
        )

    def renumbered(self) -> "History":
        """The same with releases counted anew: only those that some epoch tells apart.

        All that is ever asked is whether a clock has more than an epoch of the same thread; so it is enough
        to count the epochs below. Loops that lock and unlock come back to the same history by this.
        """
        epochs = self._epochs()
        most = self._most_releases()
        if all(most[thread] <= len(own) and _are_first(own) for thread, own in enumerate(epochs)):
            return self
        return _Renumbering([sorted(own) for own in epochs]).history(self)

    def _epochs(self) -> list[set[int]]:
        """By thread, those of its events and accesses."""
        found = [{event.epoch for event in events} for events in self.events]
        remembered = (been.accesses for recent in self.recent for been in recent)
        for some in (self.accesses, *remembered):
            for _, accesses in some:
                for access in accesses:
                    found[access.thread].add(access.epoch)
        return found

    def _most_releases(self) -> list[int]:
        """By thread, the most that a clock has."""
        found = [0] * len(self.events)
        for clock in (
            *(view.current for view in self.views),
            *(clock for _, clock in self.locks),
            *(clock for _, clock in self.sections),
        ):
            for thread, releases in enumerate(clock):
                found[thread] = max(found[thread], releases)
        return found


def _are_first(numbers: set[int]) -> bool:
    """Whether these are all numbers from 0 on."""
    return not numbers or max(numbers) == len(numbers) - 1


class _Renumbering:
    def __init__(self, epochs: list[list[int]]) -> None:
        self.epochs = epochs

    def history(self, history: History) -> History:
        events = (tuple(map(self._event, events)) for events in history.events)
        recent = (tuple(map(self._snapshot, some)) for some in history.recent)
        return replace(
            history,
            events=tuple(events),
            views=tuple(map(self._view, history.views)),
            locks=tuple((address, self._clock(clock)) for address, clock in history.locks),
            sections=tuple((address, self._clock(clock)) for address, clock in history.sections),
            accesses=self._accesses(history.accesses),
            recent=tuple(recent),
        )

    def _snapshot(self, been: Snapshot) -> Snapshot:
        return been._replace(view=self._view(been.view), accesses=self._accesses(been.accesses))

    def _accesses(self, accesses: Accesses) -> Accesses:
        return tuple((number, tuple(map(self._access, some))) for number, some in accesses)

    def _count(self, thread: int, releases: int) -> int:
        return bisect_left(self.epochs[thread], releases)

    def _clock(self, clock: Clock) -> Clock:
        counted = [self._count(thread, releases) for thread, releases in enumerate(clock)]
        while counted and not counted[-1]:
            counted.pop()
        return tuple(counted)

    def _view(self, view: ThreadHistory) -> ThreadHistory:
        return ThreadHistory(*map(self._clock, view))

    def _access(self, access: RaceableAccess) -> RaceableAccess:
        return access._replace(epoch=self._count(access.thread, access.epoch))

    def _event(self, event: PerformedEvent) -> PerformedEvent:
        return replace(
            event,
            epoch=self._count(event.thread, event.epoch),
            clock=self._clock(event.clock),
            message=self._clock(event.message),
        )


def known(clock: Clock, thread: int) -> int:
    """How many releases of a thread the clock has."""
    return clock[thread] if thread < len(clock) else 0


def joined(a: Clock, b: Clock) -> Clock:
    """What both know together."""
    if len(a) < len(b):
        a, b = b, a
    return tuple(map(max, a, b)) + a[len(b) :]


def raised(clock: Clock, thread: int) -> Clock:
    """After one more release of the thread."""
    padded = clock + (0,) * (thread + 1 - len(clock))
    return (*padded[:thread], padded[thread] + 1, *padded[thread + 1 :])
