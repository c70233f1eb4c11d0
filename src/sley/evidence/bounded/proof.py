"""The proof of engine ``bmc``: how often loops are repeated, which covers all runs, and what exists then.

It is plain data. Nothing in it has to be believed: ``check`` unrolls the program by itself, and what
is claimed here it tests on the events that come out.
"""

from dataclasses import dataclass
from typing import NamedTuple

from sley.logic.terms import Term
from sley.semantics.symbolic_step import Shape


class Loop(NamedTuple):
    """A loop as one thread meets it in one iteration of the loops around it."""

    thread: int
    around: tuple[int, ...]
    """For each loop around it, from outside in, how often its head was reached again."""
    head: int


@dataclass(frozen=True, slots=True)
class BoundedProof:
    """No run repeats a loop more often than this, and no run within these bounds is a violation."""

    repeats: tuple[tuple[Loop, int], ...]
    """How often the head of a loop is reached again; not at all where nothing is said."""
    shape: Shape
    """The threads and heap blocks that come to exist, by number, in the order of the unrolling."""
    settled: frozenset[Term] = frozenset()
    """Shared variables that are not written once there are several threads."""
    spins: frozenset[int] = frozenset()
    """Heads of loops with rounds that only read: these may be repeated any number of times."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        most = max((count for _, count in self.repeats), default=0)
        times = "at most once" if most == 1 else f"at most {most} times"
        return f"complete with loops unrolled, {f'repeated {times}' if most else 'none repeated'}"
