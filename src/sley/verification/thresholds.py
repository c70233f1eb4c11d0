"""The numbers by which engines are scheduled, and efforts limited.

None of them changes what is true: each decides which engine has the next second, or when an inquiry ends with
"not known". Seconds are of waiting where they are about a user or a process, and of computing in shares.
"""

# --- shares of the time that is left when a question of the plan has its turn (``plan``) ---

FOR_CHECKS = 0.7
"""For every check of a large program on its own. What is not settled by then stays open."""

FOR_RUNS = 0.4
"""For runs led to open checks. The search ends earlier where none is open any more."""

FOR_PART = 0.3
"""For ``bmc`` on the part of the program that runs have come to. No answer: the part is forgotten."""

FOR_RACES = 0.5
"""For a proof under C11 that there is no data race. No answer: the machine's own question is asked."""

FOR_SAME, AT_LEAST, TIMES_THE_SEARCH = 0.25, 3.0, 4.0
"""For the same violation without a memory model: a share, at most so many seconds, or so many times what the
search took if that is more. No answer: the report does not say which of both it is."""

FOR_CAVEATS, MOST_FOR_CAVEATS = 0.2, 10.0
"""For the second look at a proof: a share, and seconds, more than it takes but on a very slow machine. What
was found until then is said."""

FOR_VARIANT = 0.3
"""For one variant of a program with other orders (``suggestions``). No answer: the orders do not suffice."""

FOR_WITNESS = 0.6
"""For the search along a witness. No run found: an engine's own violation is held against the witness."""

# --- engines side by side (``executors.processes``) ---

QUANTUM = 0.2
"""Seconds that an engine works before another may take its core. Less costs switches, more delays answers."""

HEAD_START = 0.15
"""Seconds that the first has all cores to itself: most programs are small, and decided by then."""

GRACE = 0.3
"""Seconds after a limit in which engines may still say what they know; then they are ended."""

TICK = 0.02
"""Seconds between two looks at messages, memory and clock: limits hold as exactly as this."""

ROOM = 0.97
"""The part of the memory limit at which the largest engine is ended, so that the limit holds."""

IN_LOOPS = {"modular": 2.0, "impact": 0.5, "bmc": 0.5}
"""Parts of the time, beside 1 for the others, where threads are created in loops: there an engine that
interleaves a few threads seldom proves much."""

# --- engines in turn (``executors.in_turn``), properties one by one ---

FIRST_TURN, FIRST_PROPERTY, LONGER = 1.5, 1.0, 4.0
"""Computed seconds of a first turn, of an engine and of a property; the next ones are so many times longer,
as they start from nothing."""

TOGETHER = 0.95
"""The part of the time for all properties together, where they can be looked at one by one in the rest."""

LEAST_FOR_SINGLE = 2.0
"""Computed seconds that an engine has for single properties, however soon it gave up on all together."""

# --- engines on a cluster (``executors.nodes``) ---

POLL = 0.05
"""Seconds between two looks at the clock while nodes, or the worker, are at work."""

LATENCY = 0.5
"""Seconds before the limit of the whole at which a node ends, so that what it knows arrives in time."""

LEAST_FOR_NODE = 0.1
"""Seconds that a node has, however little is left."""

# --- the worker, for the process that waits (``supervision``) ---

LAST_WORDS = 0.5
"""Seconds after a limit in which the worker may still say what it knows, ``GRACE`` included."""

STATUS_INTERVAL = 0.2
"""Seconds between two messages about how far an engine is: the terminal shows them no faster."""

# --- one attempt (``attempt``, ``facts``, ``engines``) ---

MINIMISING = 0.5
"""Seconds for shorter schedules of the traces of one answer. What is not shorter by then stays as long."""

VISITS, FOR_FACTS, MOST_FOR_FACTS = 2_500, 0.1, 30.0
"""Visits to places for facts, about a second: no clock decides what is proved. Beside it a part of the time
limit, and seconds. Beyond any of them nothing is given, and engines prove all by themselves."""

PATIENCE, TIMES_PATIENCE = 2.0, 3.0
"""Computed seconds for the checker's own formula of a bounded proof, and so many times the search added.
After that the engine's formula is built again, which the report says."""

# --- what is small, and what is large ---

LARGE = 1_500
"""Edges of functions that are not the library's: from here on every check is first settled on its own."""

EASY_STATES = 2_000
"""States of a question beside the answer (``questions``). More: what it asks is not known."""

# --- random runs, before engines are asked: how many, and how many steps all of them together have ---

FIRST_RUNS, FIRST_STEPS = 3, 500
"""Of the program as it is (``vacuity``): most programs do in their first run all that they have code for."""

GOAL_RUNS, GOAL_STEPS = 30, 2_000
"""To what no first run came to (``vacuity``), or to a violation that was not asked about (``not_asked``). No
run comes there: an engine is asked."""

RECURSION_RUNS, RECURSION_STEPS = 4, 4_000
"""To the end of what is inlined of recursion. None comes there: nothing is inlined deeper."""

DEEPER, MOST_EDGES_DEEPER = (4, 16), 40_000
"""Factors by which recursion is inlined deeper where runs come to its end, and the edges that the program may
have then. Larger: it stays as deep as it is without that, and gives up there."""

# --- components of a repository (``repository``, ``components``) ---

FOR_READING, FOR_A_FILE = 0.25, 20.0
"""The part of the time in which files are read, and the seconds for one of them."""

FIRST_LOOK, LEAST_LOOK, LEAST_SECOND_LOOK = 8.0, 4.0, 16.0
"""Seconds for the first look at a component, and the least with which one is worth a beginning. What was open
after that gets more, or nothing."""

FOR_FIRST_LOOKS, FOR_OPEN, FOR_PROGRAMS = 0.5, 0.5, 0.6
"""The parts of the time that is left for all first looks, for what they left open, and for whole programs."""
