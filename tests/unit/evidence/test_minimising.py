"""Shorter schedules to the same failure."""

import itertools
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.evidence.minimising import minimised
from sley.evidence.replay import ReplayError, replay
from sley.evidence.trace import EventKind, Schedule, ScheduleStep, Trace
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS, Failure, Property
from sley.verification.execution import random_run
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Task
from sley.verification.verify import verify

UNLIMITED = 60.0

TWICE = """
#include <assert.h>
#include <pthread.h>
int x, noise;
void *work(void *unused) { int copy = x; noise++; x = copy + 1; return 0; }
void *idle(void *unused) { noise++; noise++; return 0; }
int main(void) {
  pthread_t a, b, c;
  pthread_create(&c, 0, idle, 0);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
"""


def task_of(folder: Path, text: str, group: str) -> Task:
    path = folder / "program.c"
    path.write_text(text)
    return Task(paths=(path,), selection=Selection(PROPERTY_GROUPS[group]))


def failing_runs(program: Program, count: int, property_: Property) -> list[Trace]:
    """Traces of random runs, which switch threads a lot."""
    found: list[Trace] = []
    for seed in range(300):
        run = random_run(program, seed, Budget(UNLIMITED))
        failure = run.failure or Failure(property_, "", "")
        if failure.property is property_:
            found.extend(itertools.islice(_replays(program, run.schedule, failure), 1))
        if len(found) == count:
            break
    return found


def _replays(program: Program, schedule: Schedule, failure: Failure) -> Iterator[Trace]:
    """Where the run fails, if it does: a race is in a state on the way."""
    is_race = failure.property is Property.RACE
    for end in range(1 if is_race else len(schedule), len(schedule) + 1):
        with suppress(ReplayError):
            yield replay(program, schedule[:end], failure)


def parties(trace: Trace) -> list[tuple[int, object]]:
    return [(event.thread, event.origin) for event in trace.events if event.kind is EventKind.FAIL]


def test_few_switches_and_no_steps_of_threads_that_do_not_matter(tmp_path: Path) -> None:
    program = program_of(task_of(tmp_path, TWICE, "reach"))
    traces = failing_runs(program, 5, Property.REACH)
    assert max(trace.switches for trace in traces) > 4
    for trace in traces:
        shorter = minimised(program, trace, UNLIMITED)
        assert shorter.failure == trace.failure
        assert shorter.origin == trace.origin
        assert shorter.switches <= 4
        assert all(step.thread != 1 for step in shorter.schedule), "the idle thread does not matter"


@pytest.mark.parametrize(
    ("name", "property_"),
    [
        ("deadlock_cycle", Property.DEADLOCK),
        ("leak_overwritten", Property.LEAK),
        ("race_read_locked", Property.RACE),
        ("double_free", Property.FREE),
    ],
)
def test_the_failure_stays_the_same(name: str, property_: Property) -> None:
    path = Path("tests/programs/explained") / f"{name}.c"
    program = program_of(Task(paths=(path,)))
    traces = failing_runs(program, 4, property_)
    assert traces
    for trace in traces:
        shorter = minimised(program, trace, UNLIMITED)
        assert (shorter.failure, shorter.origin) == (trace.failure, trace.origin)
        assert parties(shorter) == parties(trace)
        assert (shorter.switches, len(shorter.schedule)) <= (trace.switches, len(trace.schedule))
        assert replay(program, shorter.schedule, shorter.failure).events == shorter.events


def test_inputs_become_plain(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint __VERIFIER_nondet_int(void);\n"
    text += "int main(void) { int a = __VERIFIER_nondet_int(); assert(a < 1); }\n"
    program = program_of(task_of(tmp_path, text, "reach"))
    trace = verify(task_of(tmp_path, text, "reach")).traces[0]
    assert [choice for step in trace.schedule for choice in step.choices] == [1]
    odd = tuple(ScheduleStep(step.thread, tuple(77 for _ in step.choices)) for step in trace.schedule)
    shorter = minimised(program, replay(program, odd, trace.failure), UNLIMITED)
    assert [choice for step in shorter.schedule for choice in step.choices] == [1]


def test_a_schedule_cannot_prescribe_what_is_no_value(tmp_path: Path) -> None:
    text = "#include <assert.h>\nunsigned char __VERIFIER_nondet_uchar(void);\n"
    text += "int main(void) { int a = __VERIFIER_nondet_uchar(); assert(a < 255); }\n"
    task = task_of(tmp_path, text, "reach")
    trace = verify(task).traces[0]
    wrong = tuple(ScheduleStep(step.thread, tuple(300 for _ in step.choices)) for step in trace.schedule)
    with pytest.raises(ReplayError, match="300 is no value"):
        replay(program_of(task), wrong, trace.failure)


def test_without_time_nothing_changes(tmp_path: Path) -> None:
    program = program_of(task_of(tmp_path, TWICE, "reach"))
    (trace,) = failing_runs(program, 1, Property.REACH)
    assert minimised(program, trace, 0.0, 0.0).schedule == trace.schedule


def test_under_c11_what_is_read_stays_possible(tmp_path: Path) -> None:
    text = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int data, ready, noise;
void *writer(void *unused) {
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}
void *idle(void *unused) { atomic_fetch_add(&noise, 1); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, idle, 0);
  pthread_create(&b, 0, writer, 0);
  if (atomic_load_explicit(&ready, memory_order_relaxed))
    assert(atomic_load_explicit(&data, memory_order_relaxed));
}
"""
    task = task_of(tmp_path, text, "reach")
    trace = verify(task).traces[0]
    assert trace.memory_model is MemoryModel.C11
    assert trace.failure.property is Property.REACH
    assert all(step.thread != 1 for step in trace.schedule), "the idle thread does not matter"
    assert trace.switches == 2
