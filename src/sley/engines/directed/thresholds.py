"""The thresholds of directed runs: unit, reason, and what happens at the edge."""

SMALL = 150
"""Edges of a function, with all that it calls, up to which it is inlined from the beginning."""

HELD = 0.995
"""Probability that a thread at the aim lets others step first."""

LED = 0.7
"""Probability that inputs are chosen by where they lead."""

TRIED = 4
"""Inputs tried for that; then any is taken."""

ROUNDS = 5
"""Turns of every target."""

RUNS = 3
"""Runs for a target in each turn."""

LONGEST_RUN = 4_000
"""Steps of a run in the first round."""

LENGTH_FACTOR = 2
"""Factor on that for each of the next rounds."""

SCOUTS = 8
"""Runs to nowhere in each round: they meet what is everywhere, and find where the part has to grow."""

SHORTENING_SECONDS = 1.0
"""Seconds to find a shorter schedule to what was found; then the shortest so far is shown."""
