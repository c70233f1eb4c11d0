"""Races by happens-before: the accesses that some thread does not know of, and what they race with."""

from collections.abc import Mapping

from sley.base.errors import GaveUpError
from sley.base.reasons import MIXED_RACE
from sley.semantics.history import Clock, History, RaceableAccess, RacingAccesses, known


class AccessLog:
    """The accesses to objects that threads share, as far as one of them might race with another."""

    def __init__(self, history: History) -> None:
        self.finds_races = history.finds_races
        self.accesses = dict(history.accesses)
        """By object."""
        self.race = history.race
        """The first one."""

    def add(self, number: int, access: RaceableAccess, clock: Clock) -> None:
        """An access by a thread with this clock: it races with what conflicts and did not happen before."""
        before = self.accesses.get(number, ())
        for old in before:
            if access.conflicts(old) and known(clock, old.thread) <= old.epoch:
                self._note(RacingAccesses(number, old, access))
        kept = (old for old in before if not _replaces(access, old))
        self.accesses[number] = tuple(sorted((*kept, access)))

    def _note(self, race: RacingAccesses) -> None:
        if self.finds_races:
            self.race = self.race or race
        elif race.first.is_atomic or race.second.is_atomic:
            raise GaveUpError(MIXED_RACE)

    def is_in_use(self, number: int, thread: int, clock: Clock) -> bool:
        """Whether others have accessed an object, as far as the thread does not know."""
        return any(
            access.thread != thread and known(clock, access.thread) <= access.epoch
            for access in self.accesses.get(number, ())
        )

    def forget(self, number: int) -> None:
        """The object has ended."""
        self.accesses.pop(number, None)

    def unknown_to(self, running: Mapping[int, Clock]) -> tuple[tuple[int, tuple[RaceableAccess, ...]], ...]:
        """The accesses that one of these threads does not know of, so that it might race with them."""

        def is_unknown(access: RaceableAccess) -> bool:
            return any(
                thread != access.thread and known(clock, access.thread) <= access.epoch
                for thread, clock in running.items()
            )

        found = ((n, tuple(filter(is_unknown, accesses))) for n, accesses in sorted(self.accesses.items()))
        return tuple((number, accesses) for number, accesses in found if accesses)


def _replaces(new: RaceableAccess, old: RaceableAccess) -> bool:
    """Whether whatever races with an access races with the new one as well, so that it need not be kept.

    A plain write conflicts with everything, and what it did not race with happened before it.
    """
    if new.is_write and not new.is_atomic:
        return new.offset <= old.offset and old.offset + old.size <= new.offset + new.size
    return old[:5] == new[:5]
