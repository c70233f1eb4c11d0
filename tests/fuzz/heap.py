"""Random programs about heap blocks for ``explore`` with reduction and addresses hidden.

Without both, on the program as it is, ``explore`` is the oracle: it needs no analysis of pointers. Where
pointers are hidden in numbers, the reduced search may give up, never be wrong; where they are not, it finds
the same violations.
"""

from pathlib import Path

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.explore.algorithm import Explorer
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.checker import UnforeseenAccessError
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.proof import RefusedProofError
from sley.evidence.replay import ReplayError, replay
from sley.frontend.load import load
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import Property
from tests.fuzz.campaign import Comparison, Limits, names
from tests.fuzz.cases import heap_case
from tests.fuzz.heap_programs import HeapGenerator
from tests.fuzz.laws import loaded, searched, violated


def heap_compared(seed: int, path: Path, limits: Limits) -> Comparison:
    """One program, one group of properties."""
    case = heap_case(seed, "explore")
    generator = HeapGenerator(seed)
    path.write_text(generator.program())
    return _explored(path, case.properties, limits.max_states, hides=generator.hides)


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
    if not full.gave_up and (set(found) - set(all_known) or (not hides and all_known != found)):
        return Comparison("wrong", f"full search: {all_known}, reduced search: {found}")
    if found:
        return Comparison("bug")
    if reduced.gave_up:
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
    return {failure.property for failure in explorer.violations}


def _replay_problem(program: Program, explorer: Explorer) -> str | None:
    for failure, schedule in explorer.violations.items():
        try:
            replay(program, schedule, failure)
        except ReplayError as error:
            return f"{failure.message}: not replayed: {error}"
    return None
