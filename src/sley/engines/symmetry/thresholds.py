"""The thresholds of engine ``symmetry``: unit, reason, and what happens at the edge."""

MOST_THREADS = 4
"""Threads of each template, where any number is asked for: with more, nothing new is learned."""

ANY_PART = 0.4
"""Part of the time that is left for a proof for any number of threads; the rest is for stated numbers."""

MOST_IN_VIEW = 3
"""Threads in view of a proof: each one more multiplies its configurations."""

MOST_UNDECIDED = 5000
"""Configurations of a proof; with more because of undecided bits, the bits are decided first."""

MOST_TRACES = 30
"""Counterexamples looked at where the first one leads no further; then the engine gives up."""

FEW_PREDICATES = 4
"""Predicates of a further contradiction in a trace that are worth having."""

LARGEST_ATOM = 9
"""Subterms of an atom; instead of larger ones, fixed values of their variables are taken."""

ORACLE_SECONDS = 2.0
"""Seconds for a cube of an abstract transition; then the cube is allowed."""

SIMULATION_SECONDS = 20.0
"""Seconds for the feasibility of a trace; then it is not known."""
