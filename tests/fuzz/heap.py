"""Random programs about heap blocks, for the engines that know the heap.

``explore`` without reduction, on the program as it is, is the oracle: it needs no analysis of pointers. No
engine may give another certain answer. Where pointers are hidden in numbers, an engine may give up, never be
wrong; where they are not, the reduced search finds the same violations.

``python -m tests.fuzz.heap --count 5000`` runs a campaign: the same seed is the same program and engine.
"""

import sys
from pathlib import Path
from random import Random

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc import BmcOptions
from sley.engines.explore.algorithm import Explorer
from sley.engines.impact import ImpactOptions
from sley.evidence.closed_states import ClosedStates
from sley.evidence.closed_states_check import UnforeseenAccessError, check_closed_states
from sley.evidence.proof import RefusedProofError
from sley.evidence.replay import ReplayError, replay
from sley.frontend import load
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from tests.fuzz import bmc, impact
from tests.fuzz.campaign import Comparison, names, run_campaign
from tests.fuzz.heap_programs import HeapGenerator
from tests.fuzz.laws import loaded, searched, violated

GROUPS = (*(PROPERTY_GROUPS[name] for name in ("reach", "race", "race", "memory")), ALL_PROPERTIES)


def compared(seed: int, path: Path, max_states: int, seconds: float) -> Comparison:
    """One engine, one program, one group of properties."""
    random = Random(f"heap engine {seed}")
    generator, properties = HeapGenerator(seed), random.choice(GROUPS)
    text, engine = generator.program(), random.choice(("explore", "explore", "bmc", "impact"))
    if engine == "bmc":
        triple = bmc.Triple(text, properties, BmcOptions(pruning=random.random() < 0.7))
        return bmc.compared(triple, path, max_states, seconds)
    if engine == "impact":
        options = ImpactOptions(conditional_dependence=random.random() < 0.7)
        return impact.compared(impact.Triple(text, properties, options), path, max_states, seconds)
    path.write_text(text)
    return _explored(path, properties, max_states, hides=generator.hides)


def _explored(path: Path, properties: frozenset[Property], max_states: int, *, hides: bool) -> Comparison:
    untouched = prepare(load([path], keeps_frames=Property.LEAK in properties), properties)
    full = searched(untouched, properties, max_states, is_reduced=False)
    if full is None:
        return Comparison("too large")
    program = loaded(path, properties)
    reduced = searched(program, properties, 2 * max_states, is_reduced=True)
    if reduced is None:
        return Comparison("wrong", "the reduced search is larger than the full one")
    problem = _replay_problem(program, reduced)
    if problem is not None:
        return Comparison("wrong", problem)
    all_known, found = violated(full), violated(reduced)
    if not full.findings.gave_up and (set(found) - set(all_known) or (not hides and all_known != found)):
        return Comparison("wrong", f"full search: {all_known}, reduced search: {found}")
    if found:
        return Comparison("bug")
    if reduced.findings.gave_up:
        return Comparison("unknown")
    proof = ClosedStates(tuple(reduced.graph.states), tuple(reduced.expanded))
    try:
        check_closed_states(program, properties, proof, Budget())
    except UnforeseenAccessError:
        return Comparison("unknown") if hides else Comparison("wrong", "an access was not foreseen")
    except (RefusedProofError, GaveUpError) as error:
        return Comparison("wrong", str(error))
    if all_known:
        return Comparison("wrong", f"explore: safe, but without reduction {names(_properties(full))}")
    return Comparison("safe")


def _properties(explorer: Explorer) -> set[Property]:
    return {key[0] for key in explorer.findings.violations}


def _replay_problem(program: Program, explorer: Explorer) -> str | None:
    for violation in explorer.findings.violations.values():
        try:
            replay(program, violation.schedule, violation.failure)
        except ReplayError as error:
            return f"{violation.failure.message}: not replayed: {error}"
    return None


def main() -> int:
    """Run a campaign; exit 1 if any law fails."""
    return run_campaign("fuzz.heap", lambda seed, path, limits: compared(seed, path, *limits))


if __name__ == "__main__":
    sys.exit(main())
