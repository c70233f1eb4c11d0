"""The thresholds of engine ``bmc``: unit, reason, and what happens at the edge."""

MOST_EVENTS = 20_000
"""Events of an unrolled program; with more, the engine gives up."""

MOST_EDGES = 200_000
"""Edges executed while unrolling; with more, the engine gives up."""

LARGEST_SUMMARY = 64
"""Edges of a summary: longer stretches are several. With 1, each branch or assignment is one by itself."""

MOST_PATHS = 16
"""Paths at a join point; with more, it is not asked whether they are all there are."""

MOST_SUM_VALUES = 300
"""Values of a sum that are listed; sums with more are left to the solver."""

MOST_NAMES = 200
"""Names of conditions; with more, threads are not compared: terms without names would get deep."""

MOST_TRIANGLES = 60_000
"""Cycles of three threads excluded at once; where there are more, they are when they come up."""

MOST_CYCLES = 200
"""Cycles excluded after a model, the shortest first; the others come up again if they matter."""

MOST_EVALUATIONS = 200_000
"""Evaluations of terms for bounds of values; where more are needed, there are no bounds."""

MOST_WEAK_EVENTS = 120
"""Accesses in a formula of a weak memory model; with more there are too many cycles, and it gives up."""

FIRST_SECONDS = 0.5
"""Seconds for a solver that makes its own bits; then a SAT solver that no engine uses is asked."""

MOST_ORDER_CLAUSES = 20_000
"""Clauses about the order; with more, the SAT solver is asked at once."""

EASY = 2_000
"""Conflicts after which a formula is worth the mining of likely invariants."""

LIKELY_PART = 0.1
"""Effort for likely runs, as a part of that for all."""

MINED_RUNS = 50
"""Random runs that likely invariants are mined from, if no other number is asked for."""

MOST_STEPS = 10_000
"""Steps of a thread between two of its events, so that a schedule that does not fit ends."""

LONGEST_SLICE = 20_000
"""Steps of a run whose slice is taken; that of a longer one ends in the middle."""
