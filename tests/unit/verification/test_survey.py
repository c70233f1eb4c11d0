"""Every check on its own: programs as they stand, what is open, and what was accepted before."""

import json
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.cli.main import run
from sley.evidence.fixpoint.survey import Survey, lock_name
from sley.evidence.verdict import Safe, Unknown
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.semantics.abstract.world import Doubt
from sley.verification.conditions import is_surveyed
from sley.verification.large import surveyed
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program, surveyed_program
from sley.verification.task import Task
from tests.marked_programs import PROGRAMS, marks_of, name_of
from tests.unit.verification.surveys import surveyed_file

WRONG = [path for path in PROGRAMS if marks_of(path).violated and path.suffix == ".c"]
"""Programs that violate something."""

SHOP = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct shop { pthread_mutex_t lock; int sold; int prices[8]; };
struct shop shop;
int visits;
static int price(struct shop *in, int which) { return in->prices[which]; }
static void *customer(void *given)
{
    struct shop *in = given;
    pthread_mutex_lock(&in->lock);
    in->sold = price(in, 3);
    pthread_mutex_unlock(&in->lock);
    visits = 1;
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t first, second;
    int *note = malloc(sizeof *note);
    *note = price(&shop, argc);
    pthread_create(&first, 0, customer, &shop);
    pthread_create(&second, 0, customer, &shop);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(*note == argv[9][1]);
    return 0;
}
"""

RIGHT = SHOP.replace("visits = 1;", "").replace("price(&shop, argc)", "price(&shop, 2)")
"""No check is open, but whether the assertion holds."""


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    file = tmp_path / "shop.c"
    file.write_text(SHOP)
    return file


def test_open_checks_are_named(shop: Path) -> None:
    survey, outcome = surveyed_file(shop, "race", "reach", "memory")
    assert isinstance(outcome, Unknown)
    found = {(one.property, one.doubt, one.origin.span and one.origin.span.line) for one in survey.open}
    assert (Property.RACE, Doubt.MEETS, 14) in found
    assert (Property.DEREF, Doubt.BOUNDS, 7) in found
    assert (Property.REACH, Doubt.VALUES, 26) in found
    assert not any(one.property is Property.RACE and one.doubt is not Doubt.MEETS for one in survey.open)
    racing = next(one for one in survey.open if one.property is Property.RACE)
    assert racing.other is not None
    assert racing.other.text == "visits = 1;"
    assert survey.proved[Property.RACE] >= 2
    assert survey.undecided == (Property.LEAK,)
    assert any("argument" in what for what in survey.passed_over)
    assert survey.guarded == (("shop.sold", "shop.lock"),)


def test_a_lock_of_one_access_does_not_guard(shop: Path) -> None:
    shop.write_text(SHOP.replace("visits = 1;", "visits = in->sold;"))
    survey, _ = surveyed_file(shop, "race")
    assert survey.guarded == ()


POOL = """\
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct pool { pthread_mutex_t lock; int busy; struct worker **workers; };
struct worker { int id; struct pool *pool; };
int ask(int *answer, const char *question);
static void *work(void *given)
{
    struct worker *own = given;
    struct pool *pool = own->pool;
    int answer = 0;
    char text[8] = "a b", *blank = strchr(text, ' ');
    if (blank)
        *blank = 0;
    ask(&answer, strchr("which one", 'o'));
    pthread_mutex_lock(&pool->lock);
    pool->busy += answer > 0;
    pthread_mutex_unlock(&pool->lock);
    return 0;
}
int main(int argc, char **argv)
{
    pthread_t thread;
    struct pool *pool = malloc(sizeof *pool);
    pthread_mutex_init(&pool->lock, 0);
    pool->workers = malloc(argc * sizeof *pool->workers);
    for (int i = 0; i < argc; i++) {
        pool->workers[i] = malloc(sizeof **pool->workers);
        pool->workers[i]->pool = pool;
        pthread_create(&thread, 0, work, pool->workers[i]);
    }
    free(pool);
    return 0;
}
"""


DEVICE = """\
#include <pthread.h>
#include <string.h>
struct device;
int open_device(struct device **device, const char *name);
int tune(struct device *device, int gain);
static struct { pthread_mutex_t lock; int *samples; char name[12]; struct device *device; int size; } radio;
static int buffer[8];
static void *receive(void *unused)
{
    pthread_mutex_lock(&radio.lock);
    memset(radio.name, 'x', 4);
    radio.samples[radio.size & 7] = 1;
    pthread_mutex_unlock(&radio.lock);
    return 0;
}
int main(void)
{
    pthread_t thread;
    radio.samples = buffer;
    pthread_mutex_init(&radio.lock, 0);
    pthread_create(&thread, 0, receive, 0);
    open_device(&radio.device, radio.name);
    tune(radio.device, 3);
    pthread_mutex_lock(&radio.lock);
    radio.samples[1] = 2;
    pthread_mutex_unlock(&radio.lock);
    return 0;
}
"""


def test_functions_without_a_body_leave_other_members_alone(tmp_path: Path) -> None:
    file = tmp_path / "device.c"
    file.write_text(DEVICE)
    survey, _ = surveyed_file(file, "race", "memory")
    texts = [one.origin.text for one in survey.open]
    assert not any("samples" in text for text in texts), texts
    file.write_text(DEVICE.replace("open_device(&radio.device,", "open_device((void *)&radio,"))
    survey, _ = surveyed_file(file, "race", "memory")
    assert any("samples" in one.origin.text for one in survey.open)


def _racing(survey: Survey) -> list[str]:
    return [one.origin.text for one in survey.open if one.property is Property.RACE]


def test_what_follows_is_said_of_runs_in_which_an_access_was_right(tmp_path: Path) -> None:
    """Elements that were never written may be anything; who is given one has a pool all the same."""
    file = tmp_path / "pool.c"
    file.write_text(POOL)
    survey, outcome = surveyed_file(file, "race", "memory")
    assert isinstance(outcome, Unknown)
    assert any(one.property is Property.DEREF and "->pool = pool" in one.origin.text for one in survey.open)
    assert "pool->busy += answer > 0;" not in _racing(survey)


def test_who_ends_an_object_is_to_blame(tmp_path: Path) -> None:
    """One race of a free with all that is done with the block is one doubt."""
    file = tmp_path / "pool.c"
    file.write_text(POOL)
    assert "free(pool);" in _racing(surveyed_file(file, "race")[0])
    file.write_text(POOL.replace("    free(pool);\n", ""))
    assert "free(pool);" not in _racing(surveyed_file(file, "race")[0])


def test_functions_without_a_body_keep_no_addresses(tmp_path: Path) -> None:
    """So a local variable that they may write to is not one that threads share; nor what ``strchr`` finds."""
    file = tmp_path / "pool.c"
    file.write_text(POOL)
    found = " ".join(_racing(surveyed_file(file, "race")[0]))
    assert "answer = 0" not in found
    assert "ask(" not in found
    assert "*blank" not in found


EARLY = """\
#include <assert.h>
int limit = 1, other = 2;
static int of(int *which) { return *which; }
static int twice(int *which) { return 2 * of(which); }
static void set(int *which, int value) { *which = value; }
int main(void)
{
    other = 5;
    set(&limit, 3);
    assert(twice(&limit) == 6);
    assert(other == 5);
    return 0;
}
"""


@pytest.mark.parametrize(("wrong", "is_safe"), [("", True), ("== 5", False), ("== 6", False)])
def test_static_objects_are_for_those_who_ask(tmp_path: Path, wrong: str, is_safe: bool) -> None:
    """What a function does not look at is as it was when it returns; what it does, as it left it."""
    file = tmp_path / "early.c"
    file.write_text(EARLY.replace(wrong, "== 4") if wrong else EARLY)
    _, outcome = surveyed_file(file, "reach")
    assert isinstance(outcome, Safe) is is_safe


def test_guards_by_the_structures_of_the_system(tmp_path: Path) -> None:
    """As the preprocessor leaves them."""
    file = tmp_path / "system.c"
    file.write_text(
        "typedef unsigned long pthread_t;\n"
        "typedef union { struct { int __lock; int __kind; } __data; char __size[40]; } pthread_mutex_t;\n"
        "int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n"
        "int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);\n"
        "struct { int size; pthread_mutex_t lock; } box;\n"
        "void *fill(void *unused) { pthread_mutex_lock(&box.lock); box.size = 1;\n"
        "pthread_mutex_unlock(&box.lock); return 0; }\n"
        "int main(void) { pthread_t one, two; pthread_create(&one, 0, fill, 0);\n"
        "pthread_create(&two, 0, fill, 0); return 0; }\n"
    )
    survey, _ = surveyed_file(file, "race")
    assert survey.guarded == (("box.size", "box.lock"),)


def test_a_block_is_guarded_by_its_own_lock(tmp_path: Path) -> None:
    file = tmp_path / "blocks.c"
    file.write_text(
        "#include <pthread.h>\n#include <stdlib.h>\n"
        "struct box { int size; pthread_mutex_t lock; };\n"
        "static void *fill(void *given) { struct box *box = given;\n"
        "pthread_mutex_lock(&box->lock); box->size = 1; pthread_mutex_unlock(&box->lock); return 0; }\n"
        "int main(void) { for (int i = 0; i < 4; i++) {\n"
        "struct box *box = malloc(sizeof *box); pthread_t first, second;\n"
        "pthread_mutex_init(&box->lock, 0);\n"
        "pthread_create(&first, 0, fill, box); pthread_create(&second, 0, fill, box); }\n"
        "return 0; }\n"
    )
    survey, _ = surveyed_file(file, "race")
    assert survey.guarded == (("(block of blocks.c:7).size", "its .lock"),)


@pytest.mark.parametrize(
    ("holder", "path", "name"),
    [
        ("box", ".lock.owner", "box.lock"),
        ("lock", ".__data.__lock", "lock"),
        ("its ", ".lock.__data.__lock", "its .lock"),
        ("its ", ".__data.__lock", "a lock in it"),
        ("its ", ".owner", "a lock in it"),
    ],
)
def test_no_lock_is_without_a_name(holder: str, path: str, name: str) -> None:
    assert lock_name(holder, path) == name


def test_a_function_that_is_called_under_many_locks_forgets_none(tmp_path: Path) -> None:
    file = tmp_path / "many.c"
    changes = "".join(
        f"pthread_mutex_lock(&locks[{i}]); counts[{i}] = least(counts[{i}]);\n"
        f"pthread_mutex_unlock(&locks[{i}]);\n"
        for i in range(12)
    )
    file.write_text(
        "#include <pthread.h>\npthread_mutex_t locks[12]; unsigned counts[12];\n"
        "static unsigned least(unsigned a) { return a < 9 ? a + 1 : 9; }\n"
        f"static void *change(void *unused) {{\n{changes}return 0; }}\n"
        "int main(void) { pthread_t one, two; pthread_create(&one, 0, change, 0);\n"
        "pthread_create(&two, 0, change, 0); return 0; }\n"
    )
    survey, outcome = surveyed_file(file, "race")
    assert isinstance(outcome, Safe), survey.open


def test_a_function_that_is_given_each_element_stays_inside(tmp_path: Path) -> None:
    file = tmp_path / "elements.c"
    file.write_text(
        "#include <pthread.h>\npthread_t threads[1000];\n"
        "static void *rest(void *unused) { return 0; }\n"
        "int main(void) { for (int i = 0; i < 1000; i++) pthread_create(&threads[i], 0, rest, 0);\n"
        "return 0; }\n"
    )
    survey, _ = surveyed_file(file, "memory")
    assert not survey.open


def test_waits_are_checks(tmp_path: Path) -> None:
    file = tmp_path / "locks.c"
    text = (
        "#include <pthread.h>\npthread_mutex_t a, b;\n"
        "static void *one(void *unused) { pthread_mutex_lock(&a); pthread_mutex_lock(&b);\n"
        "pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return 0; }\n"
        "static void *two(void *unused) { pthread_mutex_lock(&%s);\npthread_mutex_lock(&%s);\n"
        "pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return 0; }\n"
        "int main(void) { pthread_t x, y; pthread_create(&x, 0, one, 0); pthread_create(&y, 0, two, 0);\n"
        "return 0; }\n"
    )
    file.write_text(text % ("b", "a"))
    survey, _ = surveyed_file(file, "deadlock")
    assert {one.doubt for one in survey.open} == {Doubt.WAITS}
    assert {one.origin.text for one in survey.open} <= {"pthread_mutex_lock(&a);", "pthread_mutex_lock(&b);"}
    file.write_text(text % ("a", "b"))
    survey, outcome = surveyed_file(file, "deadlock")
    assert isinstance(outcome, Safe)
    assert survey.proved[Property.DEADLOCK] == 4


def test_what_is_in_the_library_is_a_check_of_the_call(tmp_path: Path) -> None:
    file = tmp_path / "copies.c"
    file.write_text(
        "#include <string.h>\nchar small[2], from[9];\n"
        "int main(void) { memset(from, 'a', 8);\nstrcpy(small, from);\nreturn 0; }\n"
    )
    survey, _ = surveyed_file(file, "memory")
    assert {one.origin.span and one.origin.span.line for one in survey.open} == {4}


def test_all_proved_is_an_answer(tmp_path: Path) -> None:
    file = tmp_path / "shop.c"
    file.write_text(RIGHT)
    _, outcome = surveyed_file(file, "race")
    assert isinstance(outcome, Unknown)  # what is passed over stands in the way
    file.write_text(RIGHT.replace("assert(*note == argv[9][1]);", ""))
    survey, outcome = surveyed_file(file, "race")
    assert isinstance(outcome, Safe)
    assert not survey.open


@pytest.mark.parametrize("path", WRONG[::6], ids=name_of)
def test_what_is_wrong_is_not_proved(path: Path) -> None:
    """The same programs that engines get without calls, as they stand."""
    marks = marks_of(path)
    for group in marks.violated:
        task = Task(
            paths=(path,),
            selection=Selection(PROPERTY_GROUPS[group]),
            data_model=marks.data_model,
            malloc_may_fail=marks.malloc_may_fail,
            create_may_fail=marks.create_may_fail,
            argc_may_be_zero=marks.argc_may_be_zero,
            arguments=marks.arguments,
            harness=marks.harness,
            each_check=True,
        )
        loaded = loaded_program(task)
        if not is_surveyed(loaded, task):
            continue
        try:
            _, outcome, _ = surveyed(surveyed_program(loaded, task), task, Budget(2))
        except GaveUpError:
            continue
        assert not isinstance(outcome, Safe), group


@pytest.fixture
def screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> pytest.CaptureFixture[str]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return capsys


def test_baseline_accepts_what_was_open(shop: Path, screen: pytest.CaptureFixture[str]) -> None:
    kept = shop.with_name("kept.json")
    flags = ["check", shop.name, "--engine", "abstract", "--property", "race"]
    assert run([*flags, "--each-check"]) == 3
    assert run([*flags, "--write-baseline", str(kept)]) == 3
    assert {one["text"] for one in json.loads(kept.read_text())["open"]} == {"visits = 1;"}
    screen.readouterr()
    assert run([*flags, "--baseline", str(kept)]) == 0
    assert "All that is open is accepted by" in " ".join(screen.readouterr().out.split())
    shop.write_text("\n\n" + SHOP)  # other lines, same content
    assert run([*flags, "--baseline", str(kept)]) == 0
    shop.write_text(SHOP.replace("visits = 1;", "visits = 1; visits = 2;"))
    screen.readouterr()
    assert run([*flags, "--baseline", str(kept)]) == 3
    listed = screen.readouterr().out.partition(" New ")[2]
    assert "visits = 2;" in listed
    assert "visits = 1;" not in listed


@pytest.mark.parametrize("text", ["{}", '{"format": "other"}', "[1]"])
def test_what_is_no_baseline(shop: Path, screen: pytest.CaptureFixture[str], text: str) -> None:
    kept = shop.with_name("kept.json")
    kept.write_text(text)
    assert run(["check", str(shop), "--baseline", str(kept)]) == 2
    assert "is no baseline of sley" in screen.readouterr().err


def test_a_missing_baseline_says_how_to_write_one(shop: Path, screen: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(shop), "--baseline", str(shop.with_name("none.json"))]) == 2
    assert "--write-baseline" in screen.readouterr().err


def test_a_proof_can_be_kept(tmp_path: Path, screen: pytest.CaptureFixture[str]) -> None:
    file, proof = tmp_path / "shop.c", tmp_path / "proof.json"
    file.write_text(RIGHT.replace("assert(*note == argv[9][1]);", ""))
    flags = ["--property", "race"]
    assert (
        run(["check", str(file), *flags, "--each-check", "--engine", "abstract", "--proof", str(proof)]) == 0
    )
    assert run(["prove-check", str(file), str(proof), *flags]) == 0
    file.write_text(SHOP)
    assert run(["prove-check", str(file), str(proof), *flags]) == 3


MADE_TWICE = """\
#include <pthread.h>
#include <stdlib.h>
struct box { pthread_mutex_t lock; int inside; };
static struct box *made(void)
{
    struct box *box = malloc(sizeof *box);
    pthread_mutex_init(&box->lock, 0);
    return box;
}
static void *fill(void *given)
{
    struct box *box = given;
    pthread_mutex_lock(&box->lock);
    box->inside = 1;
    pthread_mutex_unlock(&box->lock);
    return 0;
}
static void filled(void)
{
    pthread_t thread;
    struct box *box = made();
    pthread_create(&thread, 0, fill, box);
    fill(box);
}
int main(void)
{
    pthread_t thread;
    struct box *box = made();
    pthread_create(&thread, 0, fill, box);
    fill(box);
    filled();
    filled();
    return 0;
}
"""


def test_one_place_may_make_a_single_block_and_many(tmp_path: Path) -> None:
    """The engine and the checker agree on which locks have an address of their own."""
    file = tmp_path / "boxes.c"
    file.write_text(MADE_TWICE)
    survey, _ = surveyed_file(file, "race")
    assert not survey.open


def test_the_other_thread_is_named_by_its_line(shop: Path, screen: pytest.CaptureFixture[str]) -> None:
    run(["check", shop.name, "--each-check", "--engine", "abstract", "--property", "race"])
    assert "shop.c:14 with line 14 visits = 1;" in " ".join(screen.readouterr().out.split())
