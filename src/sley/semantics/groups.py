"""Groups of threads, and how many threads are in each: sums over all threads as ghost variables.

A *group* is given by places of templates with many instances; a thread is in it while it is at one of them.
The number of threads in a group is a variable that all threads share. It is 0 at the start, as no thread is
in a group before it is created, and each step of a thread changes it by what the step says on its face: by
one if the thread comes from outside and goes to a place of the group, by minus one if it leaves, and by one
more if the thread that it creates starts inside. No step changes where a third thread is, so at any time the
variable *is* the number of threads in the group, and may be spoken of as such (``census``,
``Groups.somebody_else``).

*Numbers that are too large.* Threads that are alive have distinct handles between 2 and LARGEST_HANDLE, so a
group of places where threads are alive has fewer than 2^31 members, and its number never wraps around. The
threads that have ended may be any number: a group that they are in is *lasting*. Its number stays at MANY for
good once it gets there, which then says nothing but that there have been so many, and all that is said of
numbers makes this exception.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sley.logic.sorts import bitvec
from sley.semantics.state import EXITED

COUNT = bitvec(32)
"""The sort of numbers of threads."""

MANY = (1 << COUNT.width) - 1
"""The number of a lasting group that has had so many members, or more."""


@dataclass(frozen=True, slots=True)
class ThreadGroup:
    """The threads that are at some of these places."""

    places: tuple[tuple[int, int], ...]
    """Each with the position of its template, which has many instances. Absent threads are in no group."""

    @property
    def is_lasting(self) -> bool:
        """Whether threads that have ended are in it."""
        return any(place == EXITED for _, place in self.places)

    def change(self, *moves: tuple[int, int, int]) -> int:
        """How the number changes when threads of templates go from one place to another."""
        return sum(self.has(template, to) - self.has(template, from_) for template, from_, to in moves)

    def has(self, template: int, place: int) -> bool:
        """Whether a thread of a template is in the group at a place."""
        return (template, place) in self.places

    def at(self, template: int) -> tuple[int, ...]:
        """The places of a template."""
        return tuple(dict.fromkeys(place for position, place in self.places if position == template))

    @property
    def templates(self) -> tuple[int, ...]:
        """The positions of the templates whose threads can be in it."""
        return tuple(dict.fromkeys(position for position, _ in self.places))

    def without(self, other: "ThreadGroup") -> "ThreadGroup | None":
        """The threads that are here and not in a part of the group; None if the other one is no part."""
        if not set(other.places) < set(self.places):
            return None
        return ThreadGroup(tuple(place for place in self.places if place not in other.places))


def parts(groups: Sequence[ThreadGroup]) -> list[tuple[ThreadGroup, ThreadGroup, ThreadGroup]]:
    """The groups that are part of others: part, whole and what the whole has beside it."""
    return [
        (part, whole, rest)
        for part in groups
        for whole in groups
        if (rest := whole.without(part)) is not None
    ]
