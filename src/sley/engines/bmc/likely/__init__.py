"""Likely data-flow invariants: who reads from whom in a few random runs.

They hold in the runs, not necessarily always: good guesses that a search may start with, never a reason to
say SAFE. ``invariants`` says what they are, ``runs`` and ``mining`` find them, ``file`` keeps them.
"""

from sley.engines.bmc.likely.file import read_likely, write_likely
from sley.engines.bmc.likely.invariants import INITIAL, LikelyInvariants, LikelyRead
from sley.engines.bmc.likely.mining import mine

__all__ = ["INITIAL", "LikelyInvariants", "LikelyRead", "mine", "read_likely", "write_likely"]
