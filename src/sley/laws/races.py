"""Data races: accesses of two threads at once, to the same bytes, a write among them, not both atomic.

LAW. A race is between two accesses that a walk of the fixpoint has told, each with what is known
there. It is none if the bytes cannot overlap; if one thread has surely ended, or not started, where
the other one is; or if both hold a lock that *counts*. That is a lock which no two threads hold at
once: it is a single one, or lies in the very instance of the object that both access; and its cell
is written only by taking and giving it back, so that it stays with the thread that has it. An
atomic section counts as one.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import gcd

from sley.analyses.ranges import Fact
from sley.laws.settled import Part, Settled
from sley.program.properties import Property
from sley.semantics.abstract.facts import LOCK_SIZE, FactReader
from sley.semantics.abstract.objects import ObjectKind, Objects
from sley.semantics.abstract.values import Reference, old, recent
from sley.semantics.abstract.world import Doubt, Guard, PossibleWait, SharedTouch


@dataclass
class Threads:
    """Which threads start while which others may run."""

    many: set[int] = field(default_factory=set)
    """Threads of which there may be more than one."""
    beside: dict[int, set[Reference] | None] = field(default_factory=dict)
    """Thread -> those that may run when one of it starts; None: any."""

    def started_once(self, objects: Objects, is_once: Callable[[int], bool]) -> None:
        """Of all others there may be more than one."""
        self.many = {
            obj for obj in range(len(objects)) if objects.kind(obj) is ObjectKind.THREAD and not is_once(obj)
        }

    def start(self, thread: int, creator: int | None, running: frozenset[Reference] | None) -> None:
        """A thread starts."""
        known = self.beside.get(thread, set())
        if creator is not None or running is None or known is None:
            self.beside[thread] = None
        else:
            self.beside[thread] = known | running

    def may_run_beside(self, one: SharedTouch | PossibleWait, other: SharedTouch | PossibleWait) -> bool:
        """Whether two threads may be at these places at once."""
        first, second = one.thread, other.thread
        if first == second:
            return first is not None and first in self.many
        if first is None:
            return _is_among(second, one.running)
        if second is None:
            return _is_among(first, other.running)
        return _is_among(second, self.beside.get(first, set())) or _is_among(
            first, self.beside.get(second, set())
        )


def _is_among(thread: int | None, running: Iterable[Reference] | None) -> bool:
    assert thread is not None
    return running is None or old(thread) in running or recent(thread) in running


class Races:
    """Looks for accesses that may meet."""

    def __init__(self, facts: FactReader, threads: Threads, once: Mapping[int, bool]) -> None:
        self.facts = facts
        self.threads = threads
        self._once = once

    def meeting(self, touches: Iterable[SharedTouch]) -> Iterator[tuple[SharedTouch, SharedTouch]]:
        """Those of some accesses that may meet one of them, with that one."""
        for listed in self._by_object(touches):
            for position, one in enumerate(listed):
                for other in listed[position:]:
                    if self._may_meet(one, other):
                        yield one, other
                        yield other, one

    def guarded(self, touches: Iterable[SharedTouch]) -> dict[Part, frozenset[Guard]]:
        """Parts of objects that are written, and the locks under which all of some accesses to them are."""
        found: dict[Part, frozenset[Guard]] = {}
        for listed in self._by_object(touches):
            exact = [one for one in listed if one.offsets.modulus == 0 and one.size]
            for one in exact:
                part = (one.object, one.offsets.residue, one.size)
                if part not in found:
                    meant = [other for other in listed if _overlap(one, other)]
                    guards = [frozenset(map(self._normal, other.guards)) for other in meant]
                    is_written = any(other.is_write for other in meant)
                    common = frozenset.intersection(*guards) if is_written else frozenset()
                    found[part] = frozenset(filter(self._counts, common))
        return {part: guards for part, guards in found.items() if guards}

    def _by_object(self, touches: Iterable[SharedTouch]) -> Iterable[list[SharedTouch]]:
        """Those to what several threads reach."""
        found: dict[int, list[SharedTouch]] = {}
        for touch in touches:
            if self.facts.is_shared(touch.object):
                found.setdefault(touch.object, []).append(touch)
        return found.values()

    def _may_meet(self, one: SharedTouch, other: SharedTouch) -> bool:
        if not (one.is_write or other.is_write) or (one.is_atomic and other.is_atomic):
            return False
        if not _overlap(one, other) or not self.threads.may_run_beside(one, other):
            return False
        return not self._have_in_common(one.guards, other.guards)

    def _have_in_common(self, one: frozenset[Guard], other: frozenset[Guard]) -> bool:
        first = {self._normal(guard) for guard in one}
        return any(guard in first and self._counts(guard) for guard in map(self._normal, other))

    def _normal(self, guard: Guard) -> Guard:
        """A lock in the instance that is accessed is that of the object if there is only one."""
        if guard.is_inside and self._once[guard.object]:
            return guard._replace(is_inside=False)
        return guard

    def _counts(self, guard: Guard) -> bool:
        """Whether no two threads can have it: it is one lock, and it is not taken away."""
        if guard.object < 0:
            return True
        if not guard.is_inside and not self._once[guard.object]:
            return False
        return is_kept(self.facts, guard.object, guard.offset)


def is_kept(facts: FactReader, obj: int, offset: int) -> bool:
    """Whether a lock stays with the thread that has it, until that gives it back."""
    cells, _ = facts.objects.cells(obj, Fact(offset, offset, offset, 0), LOCK_SIZE)
    return not any(map(facts.overwritten.meets, cells))


def _overlap(one: SharedTouch, other: SharedTouch) -> bool:
    if not one.size or not other.size:
        return True
    low, high = other.offsets.low - one.offsets.high, other.offsets.high - one.offsets.low
    if low >= one.size or high <= -other.size:
        return False
    if one.offsets.modulus == 0 and other.offsets.modulus == 0:
        return True
    step = gcd(one.offsets.modulus, other.offsets.modulus)
    if step <= 1:
        return True
    distance = (other.offsets.residue - one.offsets.residue) % step
    return distance < one.size or step - distance < other.size


def settle_races(
    settled: Settled, facts: FactReader, threads: Threads, is_once: Callable[[int], bool]
) -> None:
    """Say of each access to what several threads reach whether it may meet another one.

    What meets the end of an object is not to blame: that is one doubt, about its end.
    """
    once = {obj: is_once(obj) for obj in range(len(facts.objects))}
    races = Races(facts, threads, once)
    conflicting: dict[SharedTouch, SharedTouch] = {}
    for one, other in races.meeting(settled.touched):
        settled.meeting.update(location for _, location in settled.touched[one])
        if one.is_end or not other.is_end:
            conflicting.setdefault(one, other)
    settled.guarded = races.guarded(settled.touched)
    for touch, places in settled.touched.items():
        if not facts.is_shared(touch.object):
            continue
        partner = conflicting.get(touch)
        for place in places:
            settled.add(place, Property.RACE, None if partner is None else Doubt.MEETS)
            if partner is not None:
                settled.partners.setdefault(place, min(settled.touched[partner]))
