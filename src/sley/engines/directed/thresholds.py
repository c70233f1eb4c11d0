"""The thresholds of directed runs: unit, reason, and what happens at the edge."""

SMALL = 150
"""Edges of a function, with all that it calls, up to which it is inlined from the beginning."""

HELD = 0.995
"""Probability that a thread at the aim lets others step first."""

HESITATING = 0.5
"""Probability that main lets all others step first in a run."""

LED = 0.7
"""Probability that inputs are chosen by where they lead."""

TRIED = 8
"""Inputs tried for that, or until one is not assumed away; then any is taken."""

FAVOURED_RUNS, FAVOURED = 0.35, 0.9
"""Probability that a run has a favourite input, and that an input is it."""

ROUNDS = 5
"""Turns of every target."""

RUNS = 3
"""Runs for a target in each turn."""

LONGEST_RUN = 4_000
"""Steps of a run in the first round."""

SERIAL, LONGEST_SERIAL = 1, 120_000
"""The number of a run in which threads are seldom interrupted, and the steps that one of these may have: what
goes wrong when ten thousand threads are over is seen then."""

LENGTH_FACTOR = 2
"""Factor on that for each of the next rounds."""

SCOUTS = 8
"""Runs to nowhere in each round: they meet what is everywhere, and find where the part has to grow."""

SHORTENING_SECONDS = 1.0
"""Seconds to find a shorter schedule to what was found; then the shortest so far is shown."""

MOST_STEPS = 300_000
"""Steps of all runs of a program that other engines search, too. Then there is no answer."""
