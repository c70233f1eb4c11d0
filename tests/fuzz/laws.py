"""What must hold for every program: the fast ways agree with the slow ones."""

from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from unittest.mock import patch

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.engines.explore import native
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.native import go_on_natively
from sley.engines.explore.reduction import PersistentSets
from sley.engines.explore.symmetry import symmetry_of
from sley.evidence.closed_states import packed_check
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.closed_states.checker import Checker, UnforeseenAccessError
from sley.evidence.closed_states.consistency import SolverConsistency
from sley.evidence.closed_states.packed_check import is_accepted
from sley.evidence.closed_states.proof import ClosedStates, Parts
from sley.evidence.proof import RefusedProofError
from sley.evidence.replay import ReplayError, replay
from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.machine import StateMachine
from sley.solvers import make_solver


def loaded(path: Path, properties: frozenset[Property] = ALL_PROPERTIES) -> Program:
    """The prepared program in a C file."""
    return specialise(prepare(load([path], keeps_frames=Property.LEAK in properties), properties))


def consistency_of(program: Program) -> SolverConsistency:
    """Who says what inputs may be together, as the engine has it."""
    return SolverConsistency(lambda: make_solver("bitwuzla", program.terms))


def searched(
    program: Program,
    properties: frozenset[Property],
    max_states: int,
    *,
    is_reduced: bool,
    is_symmetric: bool = False,
    is_compiled: bool = True,
) -> Explorer | None:
    """A complete search, or None if it is too large."""
    machine = StateMachine(program, is_compiled=is_compiled, consistency=consistency_of(program))
    reduction = PersistentSets(machine.code, machine.interpreter) if is_reduced else None
    symmetry = symmetry_of(machine, reduction) if reduction is not None and is_symmetric else None
    explorer = Explorer(
        machine, properties, reduction, Budget(), max_states, more_seconds=inf, symmetry=symmetry
    )
    try:
        explorer.search()
    except BudgetExhaustedError:
        return None
    return explorer


def violated(explorer: Explorer) -> list[str]:
    """The violated properties."""
    return sorted({failure.property.value for failure in explorer.violations})


def disagreements(
    program: Program, properties: frozenset[Property] = ALL_PROPERTIES, max_states: int = 20_000
) -> Iterator[str]:
    """Everything that is wrong; nothing for a program that is too large to compare."""
    full = searched(program, properties, max_states, is_reduced=False)
    if full is None:
        return
    reduced = searched(program, properties, max_states * 2, is_reduced=True)
    if reduced is None:
        yield "the reduced search is larger than the full one"
        return
    if violated(full) != violated(reduced):
        yield f"full search: {violated(full)}, reduced search: {violated(reduced)}"
    if bool(full.gave_up) != bool(reduced.gave_up):
        yield f"full search gave up: {full.gave_up}, reduced: {reduced.gave_up}"
    symmetric = searched(program, properties, max_states * 2, is_reduced=True, is_symmetric=True)
    if symmetric is None:
        yield "the search up to thread symmetry is larger than the full one"
        return
    if violated(full) != violated(symmetric):
        yield f"full search: {violated(full)}, up to thread symmetry: {violated(symmetric)}"
    if bool(full.gave_up) != bool(symmetric.gave_up):
        yield f"full search gave up: {full.gave_up}, up to thread symmetry: {symmetric.gave_up}"
    for explorer in (full, reduced, symmetric):
        yield from evidence_problems(program, properties, explorer)
    for explorer in (full, reduced):
        yield from native_disagreements(program, properties, explorer)
        yield from parallel_disagreements(program, properties, explorer)


def evidence_problems(program: Program, properties: frozenset[Property], explorer: Explorer) -> Iterator[str]:
    """Violations must replay; a search without findings must be a proof."""
    for failure, schedule in explorer.violations.items():
        try:
            replay(program, schedule, failure)
        except ReplayError as error:
            yield f"{failure.message}: not replayed: {error}"
    if not explorer.violations and not explorer.gave_up:
        try:
            check_closed_states(program, properties, explorer.closed, Budget())
        except RefusedProofError as error:
            yield str(error)


def native_disagreements(
    program: Program, properties: frozenset[Property], interpreted: Explorer
) -> Iterator[str]:
    """Compiled code must find the same states in the same order, and both checkers must say the same of them.

    Where threads may try again, which compiled code does not know, the states may differ; so may they where
    it depends on inputs what a thread accesses: compiled code asks that of all threads, and splits sooner. It
    does not know either that reads are ineffectual, but that can be left out here.
    """
    machine = StateMachine(program, consistency=consistency_of(program))
    is_reduced = interpreted.reduction is not None
    reduction = PersistentSets(machine.code, machine.interpreter) if is_reduced else None
    explorer = Explorer(machine, properties, reduction, Budget(), more_seconds=inf)
    if not go_on_natively(explorer):
        return
    if reduction is not None and interpreted.ineffectual is not None and interpreted.ineffectual.places:
        reduction.ineffectual.reads.clear()
        interpreted = Explorer(machine, properties, reduction, Budget(), more_seconds=inf)
        interpreted.search()
    found, expected = explorer.closed, interpreted.closed
    is_split = any(isinstance(taken, Parts) for taken in found.expansions)
    may_differ = is_split or (reduction is not None and bool(reduction.retries.failures))
    expansions = [
        tuple(sorted(taken)) if isinstance(taken, tuple) else taken for taken in expected.expansions
    ]
    if not may_differ and (
        list(found.states) != list(expected.states) or list(found.expansions) != expansions
    ):
        yield f"compiled code finds {len(found.states)} states, not the {len(expected.states)} that there are"
    if explorer.violations.keys() != interpreted.violations.keys():
        yield f"compiled code finds {violated(explorer)}, not {violated(interpreted)}"
    yield from evidence_problems(program, properties, explorer)
    yield from checker_disagreements(program, properties, found)


def parallel_disagreements(
    program: Program, properties: frozenset[Property], expected: Explorer
) -> Iterator[str]:
    """Several workers must find the same violations, or states that are a proof; without reduction all.

    How states are split depends on which thread was the last to act, and so on the order of the search.
    """
    explorer = searched_by_workers(program, properties, 2, is_reduced=expected.reduction is not None)
    if explorer is None:
        return
    if violated(explorer) != violated(expected):
        yield f"several workers find {violated(explorer)}, not {violated(expected)}"
    is_split = any(isinstance(expansion, Parts) for expansion in expected.closed.expansions)
    is_whole = expected.reduction is None and not is_split
    if is_whole and set(explorer.closed.states) != set(expected.closed.states):
        yield f"several workers find {len(explorer.closed.states)} states, not {len(expected.closed.states)}"
    yield from evidence_problems(program, properties, explorer)


def searched_by_workers(
    program: Program, properties: frozenset[Property], workers: int, *, is_reduced: bool
) -> Explorer | None:
    """A search in compiled code by several workers, almost from the beginning; None if it is not covered."""
    machine = StateMachine(program, consistency=consistency_of(program))
    reduction = PersistentSets(machine.code, machine.interpreter) if is_reduced else None
    explorer = Explorer(machine, properties, reduction, for_cores(workers), more_seconds=inf)
    small = patch.multiple(native, NATIVE_SLICE=1, NATIVE_ROUND=100, NATIVE_SMALL_ROUND=2)
    with small, patch.multiple(native, NATIVE_ALONE=1, NATIVE_SELDOM=0):
        return explorer if go_on_natively(explorer) else None


def checker_disagreements(
    program: Program, properties: frozenset[Property], proof: ClosedStates
) -> Iterator[str]:
    """Both checkers must accept a proof, or refuse it for the same reason.

    Two processes may come upon another reason first.
    """
    known = consistency_of(program)
    slow = judged(lambda: Checker(program, properties, proof, Budget(), consistency=known).check())
    fast = judged(lambda: is_accepted(program, properties, proof, Budget(), known))
    if fast is not False and (slow or True) != fast:
        yield f"the checker says {slow or 'yes'}, and compiled code {fast}"
    with patch.multiple(packed_check, FIRST=1, MANY=1, SLICE=2):
        shared = judged(lambda: is_accepted(program, properties, proof, for_cores(2), known))
    if shared is not False and isinstance(shared, str) != isinstance(slow, str):
        yield f"the checker says {slow or 'yes'}, and compiled code in two processes {shared}"


def for_cores(cores: int) -> Budget:
    """A budget that lets so many processes compute at once."""
    budget = Budget()
    budget.cores = cores
    return budget


def judged(check: Callable[[], bool | None]) -> bool | str | None:
    """The answer, or why the proof is refused."""
    try:
        return check()
    except (RefusedProofError, UnforeseenAccessError) as error:
        return str(error)


def interpreter_disagreements(
    program: Program, properties: frozenset[Property] = ALL_PROPERTIES, max_states: int = 2_000
) -> Iterator[str]:
    """Compiled steps must lead to the same states as the reference interpreter."""
    fast = searched(program, properties, max_states, is_reduced=False)
    slow = searched(program, properties, max_states, is_reduced=False, is_compiled=False)
    if (fast is None) != (slow is None):
        yield "one of the searches is larger"
    elif fast is not None and slow is not None and fast.graph.states != slow.graph.states:
        yield "compiled steps reach other states than the interpreter"
