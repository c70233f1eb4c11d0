"""Runs that are led to a place: they find what runs to nowhere do not, and nothing where nothing is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.cli.main import run
from sley.engines.directed.engine import NO_RUN, directed
from sley.engines.directed.part import InlinedPart
from sley.engines.directed.search import FoundRun, search
from sley.engines.directed.targets import DirectedTarget
from sley.evidence.replay import replay
from sley.evidence.verdict import Unknown, Unsafe
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.engines import ENGINES
from sley.verification.observer import SilentObserver
from sley.verification.reading import loaded_program, part_of, program_of, surveyed_program
from sley.verification.result import Answer
from sley.verification.scheduler import scheduled
from sley.verification.task import ONLY_FINDS, Task
from tests.limits import AMPLE

THREADS = """\
#include <assert.h>
#include <pthread.h>
_Bool __VERIFIER_nondet_bool(void);
pthread_mutex_t guard, left, right;
int hits, busy;
static void work(void)
{
    for (int i = 0; i < 40; i++) {
        pthread_mutex_lock(&guard);
        busy++;
        pthread_mutex_unlock(&guard);
    }
}
static void *early(void *unused)
{
    %s
    work();
    return 0;
}
static void *late(void *unused)
{
    work();
    %s
    return 0;
}
int main(void)
{
    pthread_t one, two;
    pthread_create(&one, 0, early, 0);
    pthread_create(&two, 0, late, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
"""
"""Two threads that do what is wrong together, but one of them at once, and the other after some work."""

LOCKED = "pthread_mutex_lock(&guard); hits++; /* here */ pthread_mutex_unlock(&guard);"
NESTED = (
    "pthread_mutex_lock(&{0});\n    pthread_mutex_lock(&{1}); // here\n"
    "    pthread_mutex_unlock(&{1}); pthread_mutex_unlock(&{0});"
)
MAZE = """\
#include <assert.h>
_Bool __VERIFIER_nondet_bool(void);
int main(void)
{
    for (int i = 0; i < 11; i++)
        if (__VERIFIER_nondet_bool())
            return 0;
    assert(%s); // here
    return 0;
}
"""


class Searched:
    """A search in a program whose targets are marked."""

    def __init__(self, folder: Path, text: str) -> None:
        file = folder / "program.c"
        file.write_text(text)
        self.lines = [number for number, line in enumerate(text.splitlines(), 1) if "here" in line]
        self.task = Task(paths=(file,))
        self.program = surveyed_program(loaded_program(self.task), self.task)

    def part(self, followed: frozenset[tuple[str, int, str]]) -> Program:
        return part_of(self.program, self.task, followed)

    def found(self, *kinds: Property) -> FoundRun:
        spans = {edge.origin.span for edge in self.program.edges if not edge.origin.is_library}
        here = frozenset(span for span in spans if span is not None and span.line in self.lines)
        targets = [DirectedTarget(kind, here) for kind in kinds]
        properties = ALL_PROPERTIES - {Property.LEAK}
        return search(InlinedPart(self.program, self.part), properties, targets, Budget(AMPLE))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (THREADS % ("hits++; // here", "hits++; // here"), Property.RACE),
        (THREADS % (NESTED.format("left", "right"), NESTED.format("right", "left")), Property.DEADLOCK),
        (MAZE % "0", Property.REACH),
    ],
    ids=["race", "deadlock", "assertion"],
)
def test_runs_find_what_they_are_led_to(tmp_path: Path, text: str, kind: Property) -> None:
    searched = Searched(tmp_path, text)
    assert not searched.found().traces
    found = searched.found(kind)
    assert {trace.failure.property for trace in found.traces} == {kind}
    (trace, *_) = found.traces
    assert trace.followed is not None
    again = replay(searched.part(frozenset(trace.followed)), trace.schedule, trace.failure)
    assert replace(again, followed=trace.followed) == trace
    assert len(found.tried) == len(found.reached) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (THREADS % (LOCKED, LOCKED), Property.RACE),
        (THREADS % (NESTED.format("left", "right"), NESTED.format("left", "right")), Property.DEADLOCK),
        (MAZE % "1", Property.REACH),
    ],
    ids=["race", "deadlock", "assertion"],
)
def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path, text: str, kind: Property) -> None:
    found = Searched(tmp_path, text).found(kind)
    assert not found.traces
    assert found.runs > 20


def test_only_calls_on_the_way_are_inlined(tmp_path: Path) -> None:
    """What runs do not come to is not looked at, however large it is."""
    steps = "hits++; " * 200
    text = THREADS % ("if (busy > 1000) never();", "once();")
    text = text.replace(
        "static void *early",
        f"void never(void) {{ {steps}}}\nvoid once(void) {{ {steps}}}\nstatic void *early",
    )
    searched = Searched(tmp_path, text)
    part = InlinedPart(searched.program, searched.part)
    search(part, ALL_PROPERTIES - {Property.LEAK}, [], Budget(AMPLE))
    called = {called for _, _, called in part.followed}
    assert "once" in called
    assert "never" not in called


def test_a_bug_at_an_open_check_is_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    text = THREADS % ("hits++;", "hits++;")
    (tmp_path / "threads.c").write_text(text)
    assert run(["check", "threads.c", "--each-check", "--property", "race"]) == 1
    shown = " ".join(capsys.readouterr().out.split())
    assert "data race on `hits`" in shown
    assert "What is open was looked for in" in shown
    assert "RESULT: false(no-data-race)" in shown
    assert run(["replay"]) == 1
    assert "the same violation" in capsys.readouterr().out


GUESS = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int hits;
void rare(void) { %s }
int main(void)
{
    int given = __VERIFIER_nondet_int();
    if (given > 0 && given < 40000 && given * 7 == 8638) {
        assert(given * 3 != %d);
        rare();
    }
    return 0;
}
"""
"""An input that no run guesses, and behind it a call that no run comes to."""


@pytest.mark.parametrize("wrong", [3702, 3705])
def test_inputs_that_runs_would_have_to_guess(tmp_path: Path, wrong: int) -> None:
    file = tmp_path / "guess.c"
    file.write_text(GUESS % ("hits++; " * 200, wrong))
    engines = {name: engine for name, engine in ENGINES.items() if name == "bmc"}
    task = Task(paths=(file,), each_check=True, jobs=0)
    result = scheduled(task, SilentObserver(), Budget(AMPLE), engines)
    if wrong == 3702:
        assert (result.engine, result.answer) == ("bmc", Answer.BUG)
        (trace,) = result.traces
        assert trace.failure.property is Property.REACH
        assert trace.followed is not None
        assert "rare" not in {called for _, _, called in trace.followed}
        program = surveyed_program(loaded_program(task), task)
        again = replay(part_of(program, task, frozenset(trace.followed)), trace.schedule, trace.failure)
        assert replace(again, followed=trace.followed) == trace
    else:
        assert result.answer is not Answer.BUG


# --- whole programs ---------------------------------------------------------------------------------------


def found_by_runs(path: Path, text: str) -> Unsafe | Unknown:
    path.write_text(text)
    return directed(program_of(Task(paths=(path,))), ALL_PROPERTIES, None, Budget(AMPLE))[0]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (THREADS % ("hits++;", "hits++;"), Property.RACE),
        (THREADS % (NESTED.format("left", "right"), NESTED.format("right", "left")), Property.DEADLOCK),
        (MAZE % "0", Property.REACH),
    ],
    ids=["race", "deadlock", "assertion"],
)
def test_runs_need_no_survey(tmp_path: Path, text: str, kind: Property) -> None:
    found = found_by_runs(tmp_path / "program.c", text)
    assert isinstance(found, Unsafe)
    assert found.traces[0].failure.property is kind


@pytest.mark.parametrize(
    "text",
    [
        THREADS % (LOCKED, LOCKED),
        THREADS % (NESTED.format("left", "right"), NESTED.format("left", "right")),
        MAZE % "1",
    ],
    ids=["locked", "nested", "maze"],
)
def test_runs_prove_nothing(tmp_path: Path, text: str) -> None:
    found = found_by_runs(tmp_path / "program.c", text)
    assert found == Unknown(NO_RUN)


MANY = """\
#include <pthread.h>
int hits;
static void *worker(void *unused) { hits++; return 0; }
int main(void)
{
    static pthread_t ids[10000];
    for (int i = 0; i < 10000; i++)
        pthread_create(&ids[i], 0, worker, 0);
    return 0;
}
"""
ALL_OF_MANY = """\
#include <assert.h>
#include <pthread.h>
_Atomic int hits;
static void *worker(void *unused) { hits = hits + 1; return 0; }
int main(void)
{
    static pthread_t ids[500];
    for (int i = 0; i < 500; i++)
        pthread_create(&ids[i], 0, worker, 0);
    for (int i = 0; i < 500; i++)
        pthread_join(ids[i], 0);
    assert(hits == 500);
    return 0;
}
"""
LONG_TEXT = """\
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char path[40];
    const char *home = getenv("HOME");
    if (home)
        strcpy(path, home);
    return 0;
}
"""


def test_what_goes_wrong_between_two_needs_not_all(tmp_path: Path) -> None:
    found = found_by_runs(tmp_path / "program.c", MANY)
    assert isinstance(found, Unsafe)
    assert len(found.traces[0].schedule) < 100


@pytest.mark.parametrize("text", [ALL_OF_MANY, LONG_TEXT], ids=["threads", "text"])
def test_long_runs(tmp_path: Path, text: str) -> None:
    assert isinstance(found_by_runs(tmp_path / "program.c", text), Unsafe)


def test_runs_are_asked_beside_engines(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(LONG_TEXT)
    engines = {ONLY_FINDS: ENGINES[ONLY_FINDS]}
    result = scheduled(Task(paths=(path,), jobs=0), SilentObserver(), Budget(AMPLE), engines)
    assert (result.engine, result.answer) == (ONLY_FINDS, Answer.BUG)
