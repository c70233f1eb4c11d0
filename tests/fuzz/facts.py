"""Engines with what ``abstract`` proves before them, against ``explore`` on the whole program.

They get a program from which checks are left out, and find a violation in it if and only if there is one in
the whole; it is a violation of the whole, and replayed there.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.abstract.fixpoint import fixpoint
from sley.evidence.fixpoint.given import GivenFixpoint, given_by
from sley.program.program import Program
from sley.program.properties import Property
from tests.fuzz.campaign import Case, Comparison, Limits, judged, oracle_of
from tests.fuzz.laws import loaded


def facts_compared(cases: Sequence[Case], path: Path, limits: Limits) -> dict[str, Comparison]:
    """One program, and what is asked of it; the program is written to ``path``."""
    properties = cases[0].properties
    path.write_text(cases[0].text)
    program = loaded(path, properties)
    given = _given(program, properties, limits.seconds)
    if given is None:
        return {case.engine: Comparison("nothing given") for case in cases}
    oracle = oracle_of(program, properties, limits.max_states)
    if oracle is None:
        return {case.engine: Comparison("too large") for case in cases}
    return {
        case.engine: judged(
            given.program, replace(case, properties=given.properties), oracle, limits.seconds, whole=program
        )
        for case in cases
    }


def _given(program: Program, properties: frozenset[Property], seconds: float) -> GivenFixpoint | None:
    budget = Budget(seconds, clock=time.process_time)
    try:
        return given_by(program, properties, fixpoint(program, properties, budget).proof(), budget)
    except GaveUpError:
        return None
