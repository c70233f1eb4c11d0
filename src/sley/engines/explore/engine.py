"""The run of the engine, from a prepared program to a verdict."""

import time

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.few import violations_of_few
from sley.engines.explore.native import go_on_natively
from sley.engines.explore.options import ExploreOptions
from sley.engines.explore.reduction import PersistentSets, Reduction
from sley.engines.explore.shortest import ShortestSearch
from sley.engines.explore.symmetry import symmetry_of
from sley.engines.explore.thresholds import (
    MOST_SHORTENING_SECONDS,
    NATIVE_AFTER,
    NATIVE_DELAY_FACTOR,
    SHORTEST_TRACE_STATES,
)
from sley.engines.explore.weak import WeakExplorer, WeakReduction
from sley.evidence.closed_states.consistency import SolverConsistency
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.remarks import possible
from sley.evidence.replay import replay
from sley.evidence.trace import Schedule, Trace
from sley.evidence.verdict import Claimed, Statistics, Unknown, Unsafe, Verdict
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import ON_REQUEST, Failure, Property
from sley.semantics.consistency import Consistency
from sley.semantics.history import History
from sley.semantics.machine import StateMachine
from sley.solvers import make_solver

_Verdict = Claimed[ClosedStates] | Unsafe | Unknown


def explore(
    program: Program,
    properties: frozenset[Property],
    options: ExploreOptions,
    budget: Budget,
) -> tuple[Verdict[ClosedStates], Statistics]:
    """Search all schedules of a prepared program: a proof to be checked, or replayed traces."""
    machine = StateMachine(program, consistency=_consistency(program, properties))
    is_reduced = options.reduction and properties.isdisjoint(ON_REQUEST)
    reduction = PersistentSets(machine.code, machine.interpreter) if is_reduced else None
    symmetry = symmetry_of(machine, reduction) if reduction is not None and options.thread_symmetry else None
    explorer = Explorer(machine, properties, reduction, budget, options.max_states, symmetry=symmetry)
    if Creations(program).is_in_loop:
        explorer.violations.update(violations_of_few(explorer))
        if explorer.violations and isinstance(found := _verdict(explorer, None), Unsafe):
            return found, {}
    return _searched(explorer, is_native=options.native)


def explore_weak(
    program: Program,
    properties: frozenset[Property],
    options: ExploreOptions,
    budget: Budget,
) -> tuple[Verdict[ClosedStates], Statistics]:
    """The same under C11: all schedules, and all that atomic accesses may read."""
    machine = StateMachine(program, history=History(finds_races=Property.RACE in properties))
    reduction = WeakReduction(machine, properties) if options.reduction else None
    return _searched(WeakExplorer(machine, properties, reduction, budget, options.max_states))


def _consistency(program: Program, properties: frozenset[Property]) -> Consistency | None:
    """Decides what inputs may be together.

    A step that chooses an input by others may be possible for some of these only, and a search for progress
    has to know of which.
    """
    if Property.PROGRESS in properties:
        return None
    return SolverConsistency(lambda: make_solver("bitwuzla", program.terms))


def _searched(explorer: Explorer, *, is_native: bool = False) -> tuple[_Verdict, Statistics]:
    stopped: str | None = None
    try:
        if is_native:
            _search_natively(explorer)
        else:
            explorer.search()
    except BudgetExhaustedError as reason:
        stopped = str(reason)
    explorer.check_progress(is_complete=stopped is None)
    statistics = {"states": len(explorer.closed.states), "steps": explorer.steps}
    return _verdict(explorer, stopped), statistics


def _search_natively(explorer: Explorer) -> None:
    """Search in compiled code once there are many states, if it can be."""
    explorer.begin()
    is_over = explorer.go_on(NATIVE_AFTER)
    if is_over or (_is_trying(explorer.reduction) and explorer.go_on(NATIVE_AFTER * NATIVE_DELAY_FACTOR)):
        return
    if not go_on_natively(explorer):
        explorer.go_on()


def _is_trying(reduction: Reduction | None) -> bool:
    """Whether threads try again, or will as what they have read is old: compiled code does not know that."""
    return isinstance(reduction, PersistentSets) and bool(
        reduction.retries.failures or reduction.ineffectual.relied
    )


def _verdict(explorer: Explorer, stopped: str | None) -> _Verdict:
    if explorer.violations:
        found = sorted(explorer.violations.items(), key=lambda found: found[0].rank())
        deadline = _shortening_deadline(explorer)
        traces = tuple(_trace(explorer, failure, schedule, deadline) for failure, schedule in found)
        certain = tuple(trace for trace in traces if not trace.depends_on)
        if certain:
            return Unsafe(certain)
        rests_on = traces[0].depends_on
        text = f"possible bug, depends on {', '.join(map(str, rests_on))}"
        return Unknown(possible(text, rests_on), traces=traces)
    if stopped is not None:
        return Unknown(stopped, _seen(len(explorer.closed.states)))
    if explorer.gave_up:
        return Unknown(next(iter(explorer.gave_up)))
    return Claimed(explorer.closed)


def _seen(states: int) -> tuple[str, ...]:
    """What is certain where the search was ended; to have seen next to nothing is no news."""
    return (f"no violation in {states} states (explore)",) if states > 1 else ()


def _shortening_deadline(explorer: Explorer) -> float:
    """Readable schedules may take as long as the search did, a few seconds at most, within the time limit."""
    budget = explorer.budget
    seconds = min(max(0.5, budget.elapsed()), MOST_SHORTENING_SECONDS)
    remaining = budget.remaining()
    return time.monotonic() + (seconds if remaining is None else min(seconds, remaining))


def _trace(explorer: Explorer, failure: Failure, found: Schedule, deadline: float) -> Trace:
    """The violation, replayed, by a schedule with few switches."""
    search = ShortestSearch(explorer.machine, explorer.predicates, failure, explorer.stuck)
    schedule = search.run(found, SHORTEST_TRACE_STATES, deadline)
    model = MemoryModel.SC if explorer.machine.history is None else MemoryModel.C11
    return replay(explorer.machine.code.program, schedule, failure, model)
