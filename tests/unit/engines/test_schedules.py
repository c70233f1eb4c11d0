"""Schedules of the search are runs of the program, before anybody looks for shorter ones."""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.reduction import PersistentSets
from sley.engines.explore.symmetry import symmetry_of
from sley.evidence.closed_states.consistency import SolverConsistency
from sley.evidence.replay import replay
from sley.program.properties import ALL_PROPERTIES
from sley.semantics.machine import StateMachine
from sley.solvers import make_solver
from sley.verification.reading import program_of
from sley.verification.task import Task

PROGRAMS = (
    "alike/reused_behind_index",
    "alike/third_of_three",
    "memory/reused_behind_index",
    "memory/address_reuse",
)


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("is_reduced", [True, False])
def test_schedules_lead_to_violations(name: str, is_reduced: bool) -> None:
    program = program_of(Task(paths=(Path(f"tests/programs/{name}.c"),)))
    machine = StateMachine(
        program, consistency=SolverConsistency(lambda: make_solver("bitwuzla", program.terms))
    )
    reduction = PersistentSets(machine.code, machine.interpreter) if is_reduced else None
    symmetry = None if reduction is None else symmetry_of(machine, reduction)
    explorer = Explorer(machine, ALL_PROPERTIES, reduction, Budget(), 5_000, 1e9, symmetry)
    explorer.search()
    assert explorer.violations
    for failure, schedule in explorer.violations.items():
        assert replay(program, schedule, failure).failure == failure
