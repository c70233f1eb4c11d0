"""Progress: proofs without it are refused, engines that do not know it say so, and replays look again."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.persistent import PersistentTable
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.proof import RefusedProofError
from sley.evidence.replay import ReplayError, replay
from sley.evidence.verdict import Claimed, Unsafe
from sley.program.instructions import Cause
from sley.program.memory_model import MemoryModel
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.semantics.progress import NO_PROGRESS, Onward, free, stuck
from sley.semantics.state import State
from sley.semantics.values import Undetermined
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Answer
from sley.verification.task import Task
from sley.verification.verify import verify
from sley.wording.events import facts_of

PROGRAMS = Path(__file__).parents[2] / "programs"
PROGRESS = PROPERTY_GROUPS["progress"]


def task(name: str, **more: object) -> Task:
    path = PROGRAMS / f"progress/{name}.c"
    return Task(paths=(path,), selection=Selection(PROGRESS), jobs=0, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("reduction", [True, False])
def test_proofs_of_other_properties_are_refused(reduction: bool) -> None:
    program = program_of(task("spins_for_ever"))
    options = ExploreOptions(reduction=reduction)
    verdict, _ = explore(program, PROPERTY_GROUPS["reach"], options, Budget())
    assert isinstance(verdict, Claimed)
    with pytest.raises(RefusedProofError, match="get out" if not reduction else "get out|all threads"):
        check_closed_states(program, PROGRESS, verdict.proof, Budget())


def test_a_proof_of_progress_is_accepted_and_leaves_nobody_out() -> None:
    program = program_of(task("counted"))
    verdict, _ = explore(program, PROGRESS, ExploreOptions(), Budget())
    assert isinstance(verdict, Claimed)
    check_closed_states(program, PROGRESS, verdict.proof, Budget())
    shorter = tuple(e[:1] if isinstance(e, tuple) else e for e in verdict.proof.expansions)
    with pytest.raises(RefusedProofError):
        check_closed_states(program, PROGRESS, replace(verdict.proof, expansions=shorter), Budget())


@pytest.mark.parametrize("engine", ["bmc", "impact", "modular", "symmetry"])
def test_who_does_not_know_it_says_so(engine: str) -> None:
    result = verify(task("spins_until_set", engines=(engine,)))
    assert (result.answer, result.reason) == (Answer.UNKNOWN, f"engine {engine} does not decide progress")


def test_only_where_threads_interleave(tmp_path: Path) -> None:
    weak = tmp_path / "weak.c"
    text = (PROGRAMS / "progress/spins_until_set.c").read_text()
    weak.write_text(text.replace("!flag", "!__atomic_load_n(&flag, 0)"))
    selection = Selection(PROGRESS)
    for memory_model in (MemoryModel.C11, MemoryModel.TSO):
        asked = Task(
            paths=(weak,), selection=selection, memory_model=memory_model, engines=("explore",), jobs=0
        )
        assert verify(asked).answer is Answer.UNKNOWN


def test_it_is_not_among_all() -> None:
    assert Property.PROGRESS not in ALL_PROPERTIES
    asked = replace(task("spins_for_ever", engines=("explore",)), selection=Selection(ALL_PROPERTIES))
    assert verify(asked).answer is Answer.SAFE


def test_replays_look_at_all_that_can_follow() -> None:
    program = program_of(task("spins_for_ever"))
    verdict, _ = explore(program, PROGRESS, ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)
    (trace,) = verdict.traces
    assert trace.failure.message == "no progress: `worker` runs for ever"
    assert facts_of(trace)[0] == "worker repeats line 9, and nothing can end that"
    assert replay(program, trace.schedule, NO_PROGRESS).failure == trace.failure
    good = program_of(task("spins_until_set"))
    with pytest.raises(ReplayError):
        replay(good, trace.schedule, NO_PROGRESS)


def test_a_spurious_wake_up_would_end_it() -> None:
    program = program_of(task("nobody_signals"))
    verdict, _ = explore(program, PROGRESS, ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)
    fact = "worker repeats line 10, and nothing but a spurious wake-up can end that"
    assert facts_of(verdict.traces[0])[0] == fact


# --- the definition, on small graphs ---------------------------------------------------------------


def state(number: int, *values: Undetermined) -> State:
    return State((number, *values), PersistentTable(), ())


def value(number: int) -> Undetermined:
    return Undetermined(number, 8, ((0, 9),), Cause.INPUT)


A, B, C = state(1), state(2), state(3)


def test_a_loop_without_a_way_out_is_stuck_but_not_what_leads_there() -> None:
    graph = {A: Onward((B,)), B: Onward((C,)), C: Onward((B,))}
    assert stuck(graph) == [B, C]
    assert free(graph) == set()


def test_one_way_out_is_enough() -> None:
    graph = {A: Onward((B,)), B: Onward((A, C)), C: Onward((), gets_somewhere=True)}
    assert stuck(graph) == []
    assert free(graph) == {A, B, C}


def test_a_failed_assumption_is_neither_a_way_out_nor_a_loop() -> None:
    graph = {A: Onward((A,), is_cut=True)}
    assert stuck(graph) == []
    assert free(graph) == set()


def test_what_is_not_looked_at_may_be_a_way_out() -> None:
    assert stuck({A: Onward((A, B))}) == []


def test_a_new_value_can_be_chosen_and_an_old_one_cannot() -> None:
    split = state(4, value(0))
    out, back = state(5), state(6)
    ends = Onward((), gets_somewhere=True)
    fresh = {
        A: Onward((split,)),
        split: Onward((out, back), split=frozenset({0})),
        out: ends,
        back: Onward((A,)),
    }
    assert free(fresh) == {A, split, out, back}
    kept = state(7, value(0))
    old = {
        kept: Onward((split,)),
        split: Onward((out, back), split=frozenset({0})),
        out: ends,
        back: Onward((back,)),
    }
    assert kept not in free(old)
    assert stuck(old) == [back]
