"""What was true of every read of a shared variable in all runs that were watched.

Reads and writes are *static*: known by the location before their edge. Three kinds of invariants, as in the
work on definitions and uses that N. Sinha and C. Wang build on:

* LR (*local or remote*): all values that the read saw were written by its own thread, or all by others;
* Follower: the read saw the same write as the read of that cell before it, in the same thread;
* DSet (*definition set*): the writes whose values the read saw.

What was written before the first thread was created is one write, ``INITIAL``, of the main thread. It says
nothing about LR of a read that saw other writes, too: what a thread counts up in a loop is local to it, also
if the first round sees the initial value. If that is all that a read saw, it is remote, but local to main.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

INITIAL = -1
"""Stands among writes for what a variable held when the first thread was created."""

Source = Literal["local", "remote"]
"""Whose write a read saw: one of its own thread, or of another."""


@dataclass(frozen=True, slots=True)
class LikelyRead:
    """What is likely of one static read; what is None or False says nothing."""

    origin: Source | None
    """LR: all values, but initial ones, were written by the same thread, or all by others."""
    follows: bool
    """Follower: every read saw the same write as the thread's last read of that cell, where there was one.

    Not claimed of reads that were always the first of their thread.
    """
    writes: frozenset[int] | None
    """DSet: the locations of all writes that were seen, maybe with INITIAL; None if it may be any."""
    seen: int = 0
    """How often it was watched."""

    @property
    def count(self) -> int:
        """How many invariants this is."""
        return (self.origin is not None) + self.follows + (self.writes is not None)


@dataclass(frozen=True, slots=True)
class LikelyInvariants:
    """What is likely of the reads of one prepared program."""

    reads: Mapping[int, LikelyRead]
    """By the location of the read, in order; a read that was never seen is not there."""
    runs: int
    """How many runs were watched."""

    @property
    def count(self) -> int:
        """How many invariants there are."""
        return sum(read.count for read in self.reads.values())
