"""The thresholds of engine ``impact``: unit, reason, and what happens at the edge."""

MORE_SECONDS = 0.5
"""Seconds (as many as the first violation took, at least these): the search goes on to list others."""

MOST_PAIRS = 400
"""Pairs of accesses compared for two actions; with more, the actions are dependent."""

MODELS = 24
"""Models of refuted implications kept: they refute further ones without a solver."""

ENTAILMENT_SECONDS = 5.0
"""Seconds for an implication; then it does not hold, and the node is not covered."""

MOST_FORCED = 2
"""Nodes tried before a force cover is given up: each costs a query."""

LARGEST_LITERAL = 12
"""Subterms of a conjunct; larger ones are replaced by the values of their variables."""

CROWDED = 8
"""Conjuncts of a label from which on new ones are as simple as ``x == y + 1``."""

SMALLEST_LITERAL = 5
"""Subterms of a literal for a crowded label: as an equality of two variables but for a constant has."""

INTERPOLATION_SECONDS = 5.0
"""Seconds for interpolants by the solver; then there are none, and other ways are tried."""

LARGEST_MINIMISED_CORE = 12
"""Guards of a core that is minimised one by one; larger ones would cost too many queries."""

QUERY_SECONDS = 20.0
"""Seconds for the feasibility of a path; then the engine gives up."""

LARGEST_PREDICATE = 12
"""Subterms of a predicate that is kept: larger ones hold on one path only."""

MOST_ALIKE = 3
"""Predicates kept that differ in constants only: more are an unrolling in disguise."""

MOST_TARGETS = 128
"""Places listed for an access; with more, none are, as each is a case of its own."""

SWITCH_STEP = 5
"""Context switches that count alike: nodes with fewer go first, and of those that count alike the latest."""
