"""The thresholds of engine ``abstract``: unit, reason, and what happens at the edge.

None of them decides whether an answer is right. At the edge of each, states or contexts are joined
or widened, so that iteration ends sooner and less is proved.
"""

# --- contexts -----------------------------------------------------------------------------------

MOST_CONTEXTS = 5
"""Contexts of a function for a kind of threads; further calls share one."""

MANY_CONTEXTS = 300
"""Contexts of all own functions: from there on a function gets one, as the first ones had their share."""

MOST_LIBRARY_CONTEXTS = 2_000
"""Contexts of a library function: what locks a mutex has to be told apart by mutex, or races appear."""

LOCKED_FACTOR = 10
"""Factor on the limit for contexts that differ in locks held: locks that are forgotten are races."""

MOST_MAKERS = 8
"""Contexts of a function whose blocks and threads are told apart; those of others are one object."""

FEWER_MAKERS, FEWER_MAKERS_FROM = 2, 100
"""The same, from that many contexts of own functions on: each object adds to what is stored and read."""

# --- states -------------------------------------------------------------------------------------

MOST_PARTITIONS = 6
"""States at an anchor, by locks held and depth; one more, and those that can be joined are."""

WIDENING_DELAY = 3
"""Joins of a state or a cell before its bounds widen to thresholds; after as many more, to those of types."""

ENTRY_DELAY_FACTOR, JOIN_DELAY_FACTOR = 3, 8
"""Delay widening at function entries and non-loop join points, so that loop heads stabilise first."""

LIBRARY_LOOP_DELAY = 2
"""Joins at a loop head of the library before it widens fully: its conditions bring the bounds back."""

# --- narrowing ----------------------------------------------------------------------------------

PASSES = 3
"""Passes over all anchors; the first only finds what flows back into loops. More of them gain nothing."""

TIME_MARGIN = 2
"""Narrow only if that many times its expected time remains, since the check is to come."""
