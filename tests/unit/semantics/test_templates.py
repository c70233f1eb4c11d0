"""Programs as systems of templates: how many instances, whose variables, what is refused."""

from pathlib import Path

import pytest

from sley.base.errors import GaveUpError
from sley.frontend.load import load
from sley.passes.frozen import specialise
from sley.passes.pipeline import prepare
from sley.program.properties import ALL_PROPERTIES
from sley.semantics.roles import CellRole
from sley.semantics.templates import ABSENT_AT, EXITED_AT, MAIN, TemplateSystem

HEADER = """
#include <pthread.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
#define input() __VERIFIER_nondet_int()
int x, a[3];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
LOCKED = "void *f(void *p) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }\n"
MANY = "int main(void) { pthread_t t; while (input()) pthread_create(&t, 0, f, 0); return 0; }"


def system_of(folder: Path, text: str) -> TemplateSystem:
    path = folder / "prog.c"
    path.write_text(HEADER + text)
    return TemplateSystem(specialise(prepare(load((path,)), ALL_PROPERTIES)))


def test_a_loop_creates_any_number(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        LOCKED + MANY,
    )
    (worker,) = system.workers
    assert worker.is_replicated
    assert not system.has_ids
    created = {t.created for t in system.transitions(system.templates[MAIN])} - {None}
    assert created == {system.position(worker, 1)}
    assert {t.target for t in system.transitions(worker)} >= {EXITED_AT}
    assert not list(system.obstacles(worker))


def test_handles_of_many_are_variables(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        LOCKED + MANY,
    )
    (worker,) = system.workers
    t, other = system.terms, system.position(worker, 1)
    assert t.is_var(system.handle(worker.position))
    assert t.ne(system.handle(worker.position), system.handle(other)) in system.facts((1, other))
    renaming = system.renaming(worker.position, other)
    assert renaming[system.handle(worker.position)] == system.handle(other)


def test_two_places_make_two_templates(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        LOCKED + "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, f, 0);"
        " pthread_join(s, 0); pthread_join(t, 0); return 0; }",
    )
    assert [w.is_replicated for w in system.workers] == [False, False]
    assert system.has_ids
    assert system.initial_values()[system.at(1)] == system.place(ABSENT_AT)


def test_an_optional_thread_has_no_known_id(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        LOCKED + "int main(void) { pthread_t s, t; if (input()) pthread_create(&s, 0, f, 0);"
        " pthread_create(&t, 0, f, 0); return 0; }",
    )
    assert [w.is_replicated for w in system.workers] == [False, False]
    assert not system.has_ids


def test_threads_of_threads_of_many_are_many(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        "void *g(void *p) { x = 1; return 0; }\n"
        "void *f(void *p) { pthread_t t; pthread_create(&t, 0, g, 0); return 0; }\n"
        "int main(void) { pthread_t s, t; pthread_create(&s, 0, f, 0);"
        " pthread_create(&t, 0, f, 0); return 0; }",
    )
    assert {w.function: w.is_replicated for w in system.workers} == {"f": False, "g": True}


def test_the_argument_is_computed_at_creation(tmp_path: Path) -> None:
    system = system_of(
        tmp_path,
        "void *f(void *p) { x = (int)(long)p; return 0; }\n"
        "int main(void) { pthread_t t; for (long i = 0; i < 9; i++)"
        " pthread_create(&t, 0, f, (void *)i); return 0; }",
    )
    (worker,) = system.workers
    made = [t for t in system.transitions(system.templates[MAIN]) if t.created is not None]
    own = set(system.own(system.position(worker, 1)))
    assert all(own & set(t.updates) for t in made)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("void *f(void *p) { int *q = malloc(4); *q = 1; free(q); return 0; }", "heap"),
        ("int *s; void *f(void *p) { int v = 1; s = &v; return 0; }", "`v`"),
    ],
)
def test_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(GaveUpError, match=reason):
        system_of(tmp_path, text + "\n" + MANY)


def test_large_arrays_have_no_variables(tmp_path: Path) -> None:
    text = "int large[1000];\nvoid *f(void *p) { large[input()] = 1; return 0; }\n"
    system = system_of(tmp_path, text + MANY)
    assert len(system.shared) < 100
    (worker,) = system.workers
    stored = [t for t in system.transitions(worker) if t.branch.edges[0].origin.text.startswith("large")]
    assert stored
    symbols = [system.terms.symbol(v) for t in stored for v in t.updates]
    assert not any(isinstance(symbol, CellRole) for symbol in symbols)


def test_after_a_loop_that_joins_all_nobody_runs(tmp_path: Path) -> None:
    loops = (
        "for (int i = 0; i < 50; i++) pthread_create(&ids[i], 0, f, 0);\n"
        "for (int i = 0; i < 50; i++) pthread_join(ids[i], 0);\n"
    )
    system = system_of(tmp_path, f"{LOCKED}pthread_t ids[50];\nint main(void) {{ {loops} return x; }}")
    (worker,) = system.workers
    running = system.running(worker)
    assert running != system.terms.true
    assert system.initial_values()[running] == system.terms.false
    assert all(running in t.guard for t in system.transitions(worker))
    main = list(system.transitions(system.templates[MAIN]))
    assert {t.updates[running] for t in main if t.created is not None} == {system.terms.true}
    assert system.terms.false in {t.updates.get(running) for t in main}


def test_a_block_that_is_made_once_is_a_variable(tmp_path: Path) -> None:
    text = "int *p;\nvoid *f(void *q) { *p = 1; return 0; }\n"
    system = system_of(tmp_path, text + MANY.replace("pthread_t t;", "pthread_t t; p = malloc(sizeof *p);"))
    assert len(system.blocks) == 1
    assert any(system.losses(system.templates[MAIN]))
