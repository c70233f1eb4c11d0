"""The search in compiled code does what that in Python does, state by state; where it cannot, it says so."""

from pathlib import Path

import pytest
from bench.explore.tables import FOLDER

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, InputError
from sley.engines.explore import engine, native
from sley.engines.explore.algorithm import Explorer
from sley.engines.explore.engine import explore
from sley.engines.explore.native import go_on_natively
from sley.engines.explore.options import ExploreOptions
from sley.engines.explore.reduction import PersistentSets
from sley.evidence.closed_states.packed import PackedStates
from sley.evidence.closed_states.proof import Parts
from sley.evidence.verdict import Claimed, Unsafe
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.machine import StateMachine
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Task
from tests.fuzz.laws import native_disagreements, parallel_disagreements, searched, searched_by_workers
from tests.textual.parser import parse_program
from tests.unit.evidence.test_closed_states_check import ASKING, POSTPONING

PROGRAMS = Path(__file__).parents[2] / "programs"

COVERED = (
    "lock_free/stack_aba.c",
    "conditions/producer_consumer.c",
    "conditions/spurious_wakeup.c",
    "deadlock/dining_philosophers.c",
    "deadlock/join_detached.c",
    "deadlock/mutex_in_heap.c",
    "memory/address_reuse.c",
    "memory/leak_by_thread.c",
    "memory/stack_of_ended_thread.c",
    "memory/use_after_free_by_thread.c",
)
"""Sections, heap, locals of others, choices, and every kind of violation."""

SIZES = {"mcs": 2, "queue": 2, "sequence_lock": 2, "barrier": 3, "exchange": 3, "elements": 3, "writers": 2}


def benchmark(name: str, threads: int) -> Program:
    task = Task(
        paths=(FOLDER / f"{name}.c",),
        defines=(f"THREADS={threads}",),
        selection=Selection(ALL_PROPERTIES),
    )
    return program_of(task)


def explorer_of(program: Program, max_states: int | None = None) -> Explorer:
    machine = StateMachine(program)
    reduction = PersistentSets(machine.code, machine.interpreter)
    return Explorer(machine, ALL_PROPERTIES, reduction, Budget(), max_states)


def disagreements(program: Program) -> list[str]:
    found: list[str] = []
    for is_reduced in (False, True):
        interpreted = searched(program, ALL_PROPERTIES, 20_000, is_reduced=is_reduced)
        assert interpreted is not None
        found += native_disagreements(program, ALL_PROPERTIES, interpreted)
        found += parallel_disagreements(program, ALL_PROPERTIES, interpreted)
    return found


@pytest.mark.parametrize("name", COVERED)
def test_the_same_states_in_the_same_order(name: str) -> None:
    program = program_of(Task(paths=(PROGRAMS / name,), selection=Selection(ALL_PROPERTIES)))
    assert go_on_natively(explorer_of(program))
    assert disagreements(program) == []


@pytest.mark.parametrize("name", SIZES)
def test_benchmarks_have_the_same_states(name: str) -> None:
    assert disagreements(benchmark(name, SIZES[name])) == []


@pytest.mark.long
@pytest.mark.parametrize("path", sorted(PROGRAMS.rglob("*.c")), ids=str)
def test_all_programs_have_the_same_states(path: Path) -> None:
    try:
        program = program_of(Task(paths=(path,), selection=Selection(ALL_PROPERTIES)))
    except InputError:
        return
    for is_reduced in (False, True):
        interpreted = searched(program, ALL_PROPERTIES, 2_000, is_reduced=is_reduced)
        if interpreted is not None and not interpreted.gave_up:
            assert list(native_disagreements(program, ALL_PROPERTIES, interpreted)) == []
            assert list(parallel_disagreements(program, ALL_PROPERTIES, interpreted)) == []


def test_it_takes_over_when_there_are_many_states(monkeypatch: pytest.MonkeyPatch) -> None:
    program = benchmark("ticket", 3)
    plain, _ = explore(program, ALL_PROPERTIES, ExploreOptions(native=False, thread_symmetry=False), Budget())
    monkeypatch.setattr(engine, "NATIVE_AFTER", 10)
    taken, statistics = explore(program, ALL_PROPERTIES, ExploreOptions(thread_symmetry=False), Budget())
    assert isinstance(plain, Claimed)
    assert isinstance(taken, Claimed)
    assert isinstance(taken.proof.states, PackedStates)
    assert statistics["states"] == len(plain.proof.states)
    assert taken.proof.summary == plain.proof.summary


@pytest.mark.parametrize("name", ["queue", "sequence_lock"])
def test_it_does_not_matter_how_many_workers_there_are(name: str) -> None:
    program = benchmark(name, 3)
    proofs = []
    for workers in (2, 3, 5):
        explorer = searched_by_workers(program, ALL_PROPERTIES, workers, is_reduced=True)
        assert explorer is not None
        proofs.append(explorer.closed)
    assert list(proofs[0].states) == list(proofs[1].states) == list(proofs[2].states)
    assert list(proofs[0].expansions) == list(proofs[1].expansions) == list(proofs[2].expansions)


def test_states_are_split_alike() -> None:
    program = parse_program(ASKING)
    explorer = explorer_of(program)
    assert go_on_natively(explorer)
    assert any(isinstance(expansion, Parts) for expansion in explorer.closed.expansions)
    assert disagreements(program) == []


def test_a_loop_that_is_closed_by_a_split_is_searched_as_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    program = parse_program(POSTPONING)
    assert not go_on_natively(explorer_of(program))
    monkeypatch.setattr(engine, "NATIVE_AFTER", 2)
    verdict, _ = explore(program, ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)


SPINNING = """program lp64
global x : i32 = 0
global y : i32 = 0
thread main() -> i32 {
  reg a : i64
  reg t : i32
  entry 0 exit 9
  0 -> 1 : load t, x @seq_cst "x"
  1 -> 2 : store y @seq_cst "y", t
  2 -> 3 : create a, spin(0:i64)
  3 -> 4 : create a, late(0:i64)
  4 -> 5 : join a
  5 -> 9 : end return
}
thread spin(arg : i64) -> i64 {
  entry 20 exit 29
  20 -> 21 : store x @seq_cst "x", 1:i32
  21 -> 20 : store x @seq_cst "x", 0:i32
}
thread late(arg : i64) -> i64 {
  reg t : i32
  entry 40 exit 49
  40 -> 41 : load t, y @seq_cst "y"
  41 -> 43 : assume (= t 0:i32)
  41 -> 42 : assume (not (= t 0:i32))
  42 -> 49 : exit 0:i64
  error 43 : reach assertion "assertion can fail"
}
"""


@pytest.mark.parametrize("text", [SPINNING, POSTPONING])
def test_workers_close_loops_in_which_others_are_postponed(text: str) -> None:
    program = parse_program(text)
    explorer = searched_by_workers(program, ALL_PROPERTIES, 2, is_reduced=True)
    assert explorer is not None
    assert [failure.property for failure in explorer.violations] == [Property.REACH]


def test_no_compiler_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "library", lambda _: None)
    monkeypatch.setattr(engine, "NATIVE_AFTER", 2)
    verdict, _ = explore(
        benchmark("mutex", 2), ALL_PROPERTIES, ExploreOptions(thread_symmetry=False), Budget()
    )
    assert isinstance(verdict, Claimed)
    assert not isinstance(verdict.proof.states, PackedStates)


def test_limits_are_kept() -> None:
    explorer = explorer_of(benchmark("queue", 3), max_states=100)
    with pytest.raises(BudgetExhaustedError, match="limit of 100 states"):
        go_on_natively(explorer)
    assert len(explorer.closed.states) == 100


def test_a_violation_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "NATIVE_AFTER", 3)
    path = PROGRAMS / "deadlock" / "dining_philosophers.c"
    program = program_of(Task(paths=(path,), selection=Selection(ALL_PROPERTIES)))
    verdict, _ = explore(program, ALL_PROPERTIES, ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)
