"""Runs that are led to a place: they find what runs to nowhere do not, and nothing where nothing is wrong."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.cli.main import run
from sley.engines.directed.part import InlinedPart
from sley.engines.directed.search import FoundRun, search
from sley.engines.directed.targets import DirectedTarget
from sley.evidence.replay import replay
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.engines import ENGINES
from sley.verification.observer import SilentObserver
from sley.verification.reading import loaded_program, part_of, surveyed_program
from sley.verification.result import Answer
from sley.verification.scheduler import scheduled
from sley.verification.task import Task
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
        assert(given != %d);
        rare();
    }
    return 0;
}
"""
"""An input that no run guesses, and behind it a call that no run comes to."""


@pytest.mark.parametrize("wrong", [1234, 1235])
def test_inputs_that_runs_would_have_to_guess(tmp_path: Path, wrong: int) -> None:
    file = tmp_path / "guess.c"
    file.write_text(GUESS % ("hits++; " * 200, wrong))
    engines = {name: engine for name, engine in ENGINES.items() if name == "bmc"}
    task = Task(paths=(file,), each_check=True, jobs=0)
    result = scheduled(task, SilentObserver(), Budget(AMPLE), engines)
    if wrong == 1234:
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
