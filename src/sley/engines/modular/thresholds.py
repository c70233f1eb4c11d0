"""The thresholds of engine ``modular``: unit, reason, and what happens at the edge.

At the edge of a guess, less is guessed, and the invariant may not be found; none decides what holds.
"""

MOST_AT_A_PLACE = 24
"""Facts carried along to one place; further ones are dropped."""

MOST_CONSTANTS = 3
"""Constants of a variable at one place: one that may be more is counted up, or anything."""

MOST_NEEDS = 6
"""Needs carried back to one place."""

MOST_AT_REST = 60
"""Needs of which it is asked whether they must be met at all times."""

MOST_PAIRS = 200
"""Pairs of places of two threads; with more, nothing is guessed but that their numbers differ."""

GUARD_SECONDS = 0.5
"""Seconds to ask whether a guard contradicts itself; then it does not."""

MOST_JOINT_NEEDS = 3
"""Needs carried back to a pair of places."""

QUERY_SECONDS = 60.0
"""Seconds for an obligation of the certificate; then the engine gives up."""

MOST_TESTS = 6
"""Tests of one counter of which bounds are guessed."""

MOST_GROUPS = 4
"""Groups of places whose threads are counted."""

MOST_WEIGHTS = 3
"""Levels of a balance: one with more is hardly intended."""

PAIR = 2
"""Threads in view up to which what is known of one alone need not be shown again."""

MOST_WATCHED = 4
"""Shared variables of which the last writer is remembered."""

MOST_VALUES = 8
"""Constants that a variable is set to; one with more may as well hold anything."""

SIEVE_RUNS = 5
"""Random runs that refute guesses before a solver is asked."""

LONGEST_SIEVE_RUN = 120
"""Steps of such a run."""

SIEVE_STATES = 3
"""States looked at for the same places of threads, however many threads are there."""
