"""Components of a repository: what is found in its files, and the harnesses that are written for it."""

from pathlib import Path

import pytest

from sley.frontend.compilation_database import SourceFile
from sley.frontend.components.carve import Scenario, carve, halves, unusable, usual_arguments, waits
from sley.frontend.components.facts import FileFacts
from sley.frontend.components.find import Component, Repository
from sley.frontend.components.look import facts_of
from sley.frontend.components.sources import by_promise
from sley.frontend.parse import ParseOptions, SourceParser

HEAD = """\
#include <pthread.h>
#include <stdlib.h>
#define LOCK pthread_mutex_lock(&q->lock)
#define UNLOCK pthread_mutex_unlock(&q->lock)
void *shelf[4];
struct queue { pthread_mutex_t lock; pthread_cond_t filled; int count; void *items[4]; };
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def facts(name: str, text: str) -> FileFacts:
    Path(name).write_text(text)
    source = SourceFile(Path(name))
    return facts_of(SourceParser(ParseOptions()).parse(source.path), source)


def repository(text: str, **others: str) -> Repository:
    files = [facts("lib.c", HEAD + text), *(facts(f"{name}.c", other) for name, other in others.items())]
    return Repository(files)


def only(found: Repository) -> Component:
    (component,) = found.components()
    return component


def operations(component: Component) -> list[str]:
    return [one.name for one in component.operations]


def harness(found: Repository, *roles: tuple[str, ...]) -> list[str]:
    """The lines of the harness for the only component."""
    component = only(found)
    usual = usual_arguments(component, found)
    names = tuple(operations(component))
    text = carve(
        component, Scenario(roles or (names, names)), usual, SourceParser(ParseOptions()), Path()
    ).text
    return [line.strip() for line in text.splitlines()]


LOCKED = """\
static int take_lock(struct queue *q) { return LOCK; }
void put(struct queue *q, void *item) {
    LOCK;
    q->items[q->count++] = item;
    UNLOCK;
}
"""
NEW = "struct queue *queue_new(int size) { return calloc(1, sizeof(struct queue)); }\n"


def test_a_structure_with_locks_and_its_functions_are_a_component() -> None:
    found = repository(LOCKED + NEW + "void queue_free(struct queue *q) { free(q); }\n")
    component = only(found)
    assert component.key == "struct queue (lib.c)"
    assert operations(component) == ["put"]
    assert component.constructor is not None
    assert component.constructor.name == "queue_new"
    assert component.destructor is not None
    assert component.destructor.name == "queue_free"
    assert dict(component.left_out) == {
        "queue_free": "makes or ends what is shared",
        "take_lock": "takes a lock and keeps it, or releases one that it has not taken",
    }
    lines = harness(found)
    assert "shared_queue = queue_new(2);" in lines
    assert "if (!shared_queue) return 0;" in lines
    assert lines.index("queue_free(shared_queue);") > lines.index("pthread_join(threads[i], 0);")


def test_what_nothing_shares_on_purpose_is_none() -> None:
    found = repository("struct list { int n; };\nvoid add(struct list *l) { l->n++; }\n")
    assert found.components() == []


def test_functions_that_nothing_in_common_is_written_by_are_left_alone() -> None:
    looking = "int size(struct queue *q) { return q->items != 0; }\nint full(struct queue *q) { return 4; }\n"
    assert operations(only(repository(LOCKED.replace("q->items[", "shelf[") + looking))) == ["put"]


def test_inner_functions_that_others_call_with_a_lock_held_are_no_operations() -> None:
    inner = "void unlink_one(struct queue *q) { q->count--; }\n"
    outer = "void drop(struct queue *q) { LOCK; unlink_one(q); UNLOCK; }\n"
    component = only(repository(inner + outer))
    assert operations(component) == ["drop"]
    assert dict(component.left_out)["unlink_one"] == "is called with a lock held"


def test_constants_of_callers_are_arguments() -> None:
    add = "void add(struct queue *q, int n, int m) { LOCK; q->count += n + m; UNLOCK; }\n"
    use = "struct queue; struct queue *queue_new(int); void add(struct queue *, int, int);\n"
    use += "void f(int x) { struct queue *q = queue_new(64); add(q, 3, x); add(q, 7, x); }\n"
    lines = harness(repository(add + NEW, use=use))
    assert "shared_queue = queue_new(2);" in lines  # sizes are made small
    assert "int n = __VERIFIER_nondet_bool() ? 3 : 7;" in lines
    assert "int m = __VERIFIER_nondet_int();" in lines


def test_a_null_pointer_that_callers_give_a_constructor_is_one() -> None:
    make = "struct queue *queue_init(struct queue *q) { return q ? q : calloc(1, sizeof *q); }\n"
    use = "struct queue; struct queue *queue_init(struct queue *);\nvoid f(void) { queue_init(0); }\n"
    assert "shared_queue = queue_init(0);" in harness(repository(LOCKED + make, use=use))


def test_a_structure_is_initialised_where_it_stands_with_room_behind_a_flexible_end() -> None:
    text = "struct ring { volatile int head; int slots[]; };\n"
    text += "void ring_init(struct ring *r, int n) { r->head = n; }\n"
    lines = harness(repository(text + "void step(struct ring *r) { r->head++; }\n"))
    assert "shared_ring = calloc(1, sizeof(*shared_ring) + 64);" in lines
    assert "ring_init(shared_ring, 2);" in lines


def test_each_thread_makes_what_is_its_own() -> None:
    text = "struct seat { int n; };\n"
    text += "struct seat *seat_register(struct queue *q, int i) { q->count++; return calloc(1, i); }\n"
    text += "void eat(struct queue *q, struct seat *s) { LOCK; s->n = q->count; UNLOCK; }\n"
    lines = harness(repository(text), ("eat",), ("eat",))
    assert "struct seat *s = seat_register(&shared_queue, 0);" in lines
    assert "struct seat *s = seat_register(&shared_queue, 1);" in lines
    assert "if (s) eat(&shared_queue, s);" in lines


def test_a_block_that_is_given_back_was_given() -> None:
    text = "void *pool_get(struct queue *q) { LOCK; void *p = q->items[--q->count]; UNLOCK; return p; }\n"
    text += "void pool_put(struct queue *q, void *p) { LOCK; q->items[q->count++] = p; UNLOCK; }\n"
    lines = harness(repository(text))
    assert (
        lines[lines.index("void *p = pool_get(&shared_queue);") + 1] == "if (p) pool_put(&shared_queue, p);"
    )


def test_the_main_of_a_program_gives_way() -> None:
    lines = harness(repository(LOCKED + "int main(void) { return 0; }\n"))
    at = lines.index('#include "lib.c"')
    assert lines[at - 1 : at + 2] == ["#define main main_of_program", '#include "lib.c"', "#undef main"]


def test_variables_of_a_file_are_a_component() -> None:
    text = "static pthread_mutex_t m; static int total;\n"
    text += "void count(void) { pthread_mutex_lock(&m); total++; pthread_mutex_unlock(&m); }\n"
    text += "int get(void) { return total; }\n"
    component = only(repository(text))
    assert component.key == "variables (lib.c)"
    assert operations(component) == ["count", "get"]


def test_tests_and_examples_have_no_components_but_say_who_calls() -> None:
    use = "#include <pthread.h>\nstruct queue; void put(struct queue *, void *);\nint hits;\n"
    use += "void *run(void *q) { put(q, 0); __sync_fetch_and_add(&hits, 1); return q; }\n"
    use += "void hit(void) { __sync_fetch_and_add(&hits, 1); }\n"
    once = use + "void f(void *q) { pthread_t t; pthread_create(&t, 0, run, q); }\n"
    often = use + "void f(void *q) { pthread_t t; for (;;) pthread_create(&t, 0, run, q); }\n"
    assert only(repository(LOCKED, test_put=once)).record == "struct queue"
    assert not repository(LOCKED, test_put=once).are_beside("put", "put")
    assert repository(LOCKED, test_put=often).are_beside("put", "put")


def test_a_folder_above_the_repository_says_nothing_of_it(tmp_path: Path) -> None:
    folder = tmp_path / "tests" / "queue"
    folder.mkdir(parents=True)
    found = Repository([facts(str(folder / "lib.c"), HEAD + LOCKED)])
    assert only(found).record == "struct queue"


def test_comments_may_say_that_not_every_thread_can_call() -> None:
    warned = "/* Not safe to call from\n * several threads. */\nvoid look(struct queue *q) { q->count++; }\n"
    found = repository(LOCKED + warned)
    assert found.warning("look") == "Not safe to call"
    assert found.warning("put") == ""


def test_waiting_operations_are_known() -> None:
    waiting = "void take(struct queue *q) { pthread_cond_wait(&q->filled, &q->lock); q->count--; }\n"
    found = repository(LOCKED + waiting)
    assert waits(only(found), ("take",), found)
    assert not waits(only(found), ("put",), found)


def test_a_constructor_that_starts_threads_starts_one() -> None:
    text = "static void *work(void *q) { return q; }\n"
    text += "struct queue *queue_new(int threads, int size) {\n    struct queue *q = calloc(1, sizeof *q);\n"
    text += "    pthread_t t;\n    pthread_create(&t, 0, work, q);\n    return q;\n}\n"
    found = repository(LOCKED + text)
    assert only(found).starts_threads
    assert "shared_queue = queue_new(1, 2);" in harness(found)


def test_what_cannot_be_made_is_named() -> None:
    text = "struct hidden;\nvoid bad(struct queue *q, struct hidden *h) { LOCK; q->count++; UNLOCK; }\n"
    component = only(repository(LOCKED + text))
    assert unusable(component, {}, SourceParser(ParseOptions())) == {
        "bad": "`h` of `bad` is a `struct hidden *`: what it points to is not known here"
    }


def test_files_with_threads_are_read_first() -> None:
    Path("long.c").write_text("int x;\n")
    Path("short.c").write_text("volatile int x; /* longer than the other */\n")
    files = [SourceFile(Path("long.c")), SourceFile(Path("short.c"))]
    assert [one.path.name for one in by_promise(files)] == ["short.c", "long.c"]


def test_functions_that_only_call_others_are_left_out() -> None:
    component = only(repository(LOCKED + "void put_null(struct queue *q) { put(q, 0); }\n"))
    assert operations(component) == ["put"]
    assert dict(component.left_out)["put_null"] == "only calls put"


def test_functions_of_headers_belong_to_one_file() -> None:
    Path("queue.h").write_text(
        f"{HEAD}static inline void put(struct queue *q) {{ LOCK; q->count++; UNLOCK; }}\n"
    )
    users = [facts(name, '#include "queue.h"\n') for name in ("a.c", "b.c")]
    assert [one.key for one in Repository(users).components()] == ["struct queue (a.c)"]
    own = facts("c.c", '#include "queue.h"\nvoid take(struct queue *q) { LOCK; q->count--; UNLOCK; }\n')
    assert [one.key for one in Repository([*users, own]).components()] == ["struct queue (c.c)"]


def test_halves_have_the_same_pairs() -> None:
    def pairs(scenario: Scenario) -> set[frozenset[str]]:
        return {frozenset((one, other)) for one in scenario.roles[0] for other in scenario.roles[1]}

    for roles in [(("a", "b", "c"), ("a", "b", "c")), (("a", "b"), ("c",)), (("a",), ("b", "c", "d"))]:
        whole = Scenario(roles)
        parts = list(halves(whole))
        assert len(parts) > 1
        assert set().union(*map(pairs, parts)) == pairs(whole)
    assert list(halves(Scenario((("a",), ("b",))))) == [Scenario((("a",), ("b",)))]


def test_threads_say_that_they_are_there_before_all_else() -> None:
    text = "int queue_register(struct queue *q) { return q->count++; }\n"
    lines = harness(repository(LOCKED + text + "void queue_unregister(struct queue *q) { q->count--; }\n"))
    calls = [line for line in lines if "(&shared_queue" in line]
    once = ["queue_register(&shared_queue);", "put(&shared_queue, item);", "queue_unregister(&shared_queue);"]
    assert calls == [*once, *once]


def test_a_null_pointer_of_one_caller_is_an_argument() -> None:
    use = "struct queue; void put(struct queue *, void *);\n"
    use += "void f(struct queue *q, void *p) { put(q, p); put(q, p); put(q, 0); }\n"
    assert "put(&shared_queue, 0);" in harness(repository(LOCKED, use=use))
