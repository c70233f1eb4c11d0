"""The thresholds of engine ``explore``: unit, reason, and what happens at the edge.

None of them decides whether an answer is right: at an edge the search is done another way, or ends.
"""

MORE_SECONDS = 2.0
"""Seconds (as many as the first violation took, at least these): the search goes on to list others."""

SHORTEST_TRACE_STATES = 20_000
"""States visited for a schedule with the fewest switches; then the one that was found is shown."""

MOST_SHORTENING_SECONDS = 5.0
"""Seconds for the same, since the answer is known and the user waits."""

SURE_STATES = 500
"""States visited for it before the clock counts, so that small programs have the same trace anywhere."""

SHORT = 500
"""Steps of the only thread that are searched like any others; longer stretches are run through at once."""

MOST_KNOWN = 20_000
"""Canonical states remembered; then all are forgotten, so that memory is bounded."""

GRANULE = 4
"""Bits of an address: only accesses to the same 2**4 bytes are compared, as cells are no larger."""

MANY = 64
"""Threads: with more, nothing is remembered of where all of them are, as it would not come again."""

FEW_THREADS = 3
"""Threads, with the first one: most bugs need two others."""

FEW_AWAKE = 2
"""Threads of each kind that take steps, but for the first one."""

FEW_STATES = 2_000
"""States visited by that look; then the search begins."""

FEW_STATES_OF_MAIN = 60_000
"""The same for states in which main goes first, of which each has one step."""

NATIVE_AFTER = 2_000
"""States searched in Python first: most programs do not have more, and compiling takes a second."""

NATIVE_DELAY_FACTOR = 20
"""Factor on that if threads may try again, which compiled code does not exploit."""

NATIVE_SLICE = 2_000
"""States searched between two looks at the budget."""

NATIVE_ALONE = 100_000
"""States searched by one worker, depth first, before several start: these cost processes."""

NATIVE_SELDOM = 50
"""States per question to Python: if there are more questions, several workers would wait for answers."""

NATIVE_ROUND = 8_192
"""States that workers look at, at most, before their findings are put together."""

NATIVE_SMALL_ROUND = 256
"""States of a round: with fewer, one worker looks at them, as handing out costs more."""
