"""Groups of threads: what a step does to their numbers, and what is known of them."""

from pathlib import Path

from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.properties import ALL_PROPERTIES
from sley.semantics.groups import COUNT, MANY, ThreadGroup, parts
from sley.semantics.templates import ABSENT_AT, EXITED_AT, TemplateSystem

TEXT = """
#include <pthread.h>
#include <stdatomic.h>
int __VERIFIER_nondet_int(void);
atomic_int x;
void *worker(void *unused) { x = 1; x = 2; return 0; }
int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    return 0;
}
"""


def counting(folder: Path, *places: int) -> tuple[TemplateSystem, ThreadGroup]:
    path = folder / "program.c"
    path.write_text(TEXT)
    program = specialise(prepare(load((path,)), ALL_PROPERTIES))
    (worker,) = TemplateSystem(program).workers
    group = ThreadGroup(tuple((worker.position, place) for place in places))
    return TemplateSystem(program, counted=(group,)), group


def entry(folder: Path) -> int:
    system, _ = counting(folder)
    return system.program.functions[system.workers[0].function].entry


def test_changes() -> None:
    group = ThreadGroup(((1, 5), (1, 6)))
    assert group.change((1, 4, 5)) == 1
    assert group.change((1, 5, 6)) == 0
    assert group.change((1, 6, EXITED_AT), (1, ABSENT_AT, 5)) == 0
    assert group.change((2, 4, 5)) == 0
    assert not group.is_lasting
    assert ThreadGroup(((1, EXITED_AT),)).is_lasting


def test_parts() -> None:
    small, large = ThreadGroup(((1, 5),)), ThreadGroup(((1, 5), (1, 6)))
    assert parts((small, large)) == [(small, large, ThreadGroup(((1, 6),)))]


def test_creations_and_steps_change_the_number(tmp_path: Path) -> None:
    start = entry(tmp_path)
    system, group = counting(tmp_path, start)
    t, number = system.terms, system.number(group)
    changed = {
        (step.thread, step.created is not None): t.evaluate(step.updates[number], {number: 7})
        for template in system.templates
        for step in system.transitions(template)
        if number in step.updates
    }
    assert changed == {(0, True): 8, (1, False): 6}
    assert t.evaluate(system.initial_values()[number], {}) == 0


def test_a_lasting_number_stops_at_many(tmp_path: Path) -> None:
    system, group = counting(tmp_path, EXITED_AT)
    t, number = system.terms, system.number(group)
    (last,) = [s.updates[number] for s in system.transitions(system.workers[0]) if number in s.updates]
    assert [t.evaluate(last, {number: n}) for n in (0, MANY - 1, MANY)] == [1, MANY, MANY]
    somebody = system.somebody_else(group, (), (system.position(system.workers[0], 1),))
    at = system.at(system.position(system.workers[0], 1))
    assert t.evaluate(somebody, {number: MANY, at: 3}) is True
    assert t.evaluate(somebody, {number: 2, at: 3}) is False


def test_the_census(tmp_path: Path) -> None:
    start = entry(tmp_path)
    system, group = counting(tmp_path, start)
    t, number = system.terms, system.number(group)
    two = [system.position(system.workers[0], copy) for copy in (0, 1)]
    facts = t.and_(*system.census(two))
    both = {system.at(position): start for position in two}
    assert t.evaluate(facts, {**both, number: 1}) is False
    assert t.evaluate(facts, {**both, number: 2}) is True
    assert t.evaluate(facts, {**both, number: 1 << (COUNT.width - 1)}) is False, "too many are alive"
    assert not system.can_count(ThreadGroup(((system.workers[0].position, ABSENT_AT),)))
    assert not system.can_count(ThreadGroup(((0, start),)))
