"""``sley check DIR``: what of a folder can be decided by itself, from the command line to the exit code."""

import json
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sley.cli.main import run
from sley.reports.components import schema

STACK = """\
#include <pthread.h>
#include <stdlib.h>
#include "stack.h"
struct stack { pthread_mutex_t lock; int count; int *items; };
struct stack *stack_new(int size) {
    struct stack *s = malloc(sizeof *s);
    pthread_mutex_init(&s->lock, 0);
    s->count = 0;
    s->items = calloc(size, sizeof(int));
    return s;
}
void stack_free(struct stack *s) { free(s->items); free(s); }
int stack_push(struct stack *s, int item) {
    pthread_mutex_lock(&s->lock);
    int done = s->count < 2;
    if (done) s->items[s->count++] = item;
    pthread_mutex_unlock(&s->lock);
    return done;
}
int stack_size(struct stack *s) {
    LOCK(s);
    int count = s->count;
    UNLOCK(s);
    return count;
}
"""
LOCKS = "#define LOCK(s) pthread_mutex_lock(&s->lock)\n#define UNLOCK(s) pthread_mutex_unlock(&s->lock)\n"
NO_LOCKS = "#define LOCK(s)\n#define UNLOCK(s)\n"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(head: str, **files: str) -> None:
    """A repository with a stack, and more files."""
    Path("repo/include").mkdir(parents=True)
    Path("repo/include/stack.h").write_text(head)
    Path("repo/stack.c").write_text(STACK)
    for name, text in files.items():
        Path(f"repo/{name}.c").write_text(text)


def rows_of(exit_code: int, *words: str) -> list[dict[str, Any]]:
    """The rows of a report that fits its schema."""
    assert run(["check", "repo", "--json", "r.json", "--engine", "explore", *words]) == exit_code
    report = json.loads(Path("r.json").read_text())
    jsonschema.validate(report, schema())
    rows: list[dict[str, Any]] = report["rows"]
    return rows


def test_a_component_is_proved_whatever_else_is_in_the_folder(capsys: pytest.CaptureFixture[str]) -> None:
    write(LOCKS, broken="int f( {\n", missing='#include "nowhere.h"\n')
    hidden = "struct hidden;\nint stack_with(struct stack *s, struct hidden *h) { return s->count += !h; }\n"
    with Path("repo/stack.c").open("a") as file:
        file.write(hidden)
    (row,) = rows_of(3)
    assert (row["component"], row["answer"]) == ("struct stack (repo/stack.c)", "safe")
    assert row["roles"][0] == ["stack_push", "stack_size"]
    assert "It is made by stack_new." in row["assumptions"]
    left_out = json.loads(Path("r.json").read_text())["left_out"]
    reasons = {one["function"]: one["reason"] for one in left_out}
    assert reasons["stack_with"].startswith("`h` of `stack_with` is a `struct hidden *`")
    assert reasons["stack_free"] == "makes or ends what is shared"
    printed = capsys.readouterr().out
    assert "1 proved" in printed
    told = " ".join(printed.split())
    assert "Not read, as expected parameter declarator: repo/broken.c" in told
    assert "Not read, as 'nowhere.h' file not found" in told
    assert printed.endswith("RESULT: unknown\n")


USE = """\
#include <pthread.h>
void stack_push(void *, int);
int stack_size(void *);
void *shared;
void *work(void *unused) { stack_push(shared, 1); return unused; }
void *look(void *unused) { stack_size(shared); return unused; }
void start(void) {
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, look, 0);
}
"""


def test_a_bug_comes_with_a_harness_that_shows_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    write(NO_LOCKS, use=USE)
    bug, *others = rows_of(1, "--write-harnesses", "kept")
    assert (bug["answer"], bug["property"], bug["is_certain"]) == ("bug", "race", True)
    assert bug["message"] == "data race on `s->count`"
    assert bug["place"].startswith("repo/stack.c:")
    assert bug["files"][0].startswith("kept/")
    safe = [row["roles"][0] for row in others if row["answer"] == "safe"]
    assert sorted(safe) == [["stack_push"], ["stack_size"]]
    assert "data race on `s->count`" in capsys.readouterr().out
    for row in (bug, *others):
        assert run(shlex.split(row["command"])[1:]) == {"bug": 1, "safe": 0}[row["answer"]]


def test_a_bug_of_calls_that_are_not_seen_together_is_only_possible(
    capsys: pytest.CaptureFixture[str],
) -> None:
    write(NO_LOCKS, main="int main(void) { int none = 0; return 1 / none; }\n")
    program, possible, *_ = rows_of(1)
    assert (program["component"], program["answer"]) == ("repo/main.c", "bug")
    assert possible["is_certain"] is False
    (doubt,) = possible["doubts"]
    assert doubt.startswith("nothing in the repository makes stack_")
    assert "POSSIBLE BUG" in capsys.readouterr().out


def test_a_race_on_what_is_volatile_is_asked_about_on_a_machine() -> None:
    Path("repo").mkdir()
    text = "struct ring { volatile int head; };\nvoid ring_init(struct ring *r) { r->head = 0; }\n"
    Path("repo/ring.c").write_text(text + "void ring_set(struct ring *r) { r->head = 1; }\n")
    possible, machine, *_ = rows_of(3, "-p", "race,reach")
    assert (possible["property"], possible["is_certain"]) == ("race", False)
    assert possible["doubts"][0].startswith("`head` is volatile")
    assert (machine["memory_model"], machine["properties"], machine["answer"]) == ("tso", ["reach"], "safe")


def test_files_without_a_main_are_a_library(capsys: pytest.CaptureFixture[str]) -> None:
    write(LOCKS)
    assert run(["check", "repo/stack.c", "-Irepo/include", "--engine", "explore", "-p", "race"]) == 0
    assert "struct stack (stack.c)  stack_push, stack_size" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "empty"], "is a folder without C files"),
        (["check", "repo", "--html", "x.html"], "a folder gets a table, and --json"),
    ],
)
def test_messages(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    write(LOCKS)
    Path("empty").mkdir()
    assert run(words) == 2
    assert said in capsys.readouterr().err


def test_a_constructor_that_always_fails_proves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    write(LOCKS)
    text = Path("repo/stack.c").read_text()
    Path("repo/stack.c").write_text(text.replace("= malloc(sizeof *s);", "= 0; return s;"))
    (row,) = rows_of(3, "-p", "race")
    assert row["answer"] == "safe"
    assert "SAFE, vacuous" in capsys.readouterr().out
