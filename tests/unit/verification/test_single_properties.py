"""Every property has its own answer, and a search that goes on finds every bug."""

from pathlib import Path

import pytest

from sley.evidence.proof import Checked, Proof, SeparateProofs
from sley.evidence.runs import Follower
from sley.evidence.verdict import Claimed, Safe, Statistics, Unknown, Unsafe, Verdict
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property, grouped
from sley.reports import json_report, text
from sley.reports.lines import plain
from sley.verification.engine import AnyEngine, Engine
from sley.verification.result import Answer, Result, answer_of
from sley.verification.task import Task
from sley.verification.verify import verify

PROGRAMS = Path(__file__).parents[2] / "programs"
RACE = frozenset({Property.RACE})


class FakeProof:
    summary = "nothing can happen"


def decides(*groups: frozenset[Property]) -> AnyEngine:
    """Proves just these sets of properties."""

    def search(*arguments: object) -> tuple[Verdict[Proof], Statistics]:
        return (Claimed(FakeProof()) if arguments[1] in groups else Unknown("too hard")), {}

    return Engine(search, lambda *_: Checked("it was looked at"), lambda *_: Follower())


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_text("int main(void) { return 0; }\n")
    return path


def verified(path: Path, engine: AnyEngine) -> Result:
    return verify(Task(paths=(path,)), engines={"explore": engine})


def test_one_property_does_not_hide_another(program: Path) -> None:
    result = verified(program, decides(RACE, PROPERTY_GROUPS["memory"]))
    assert (result.answer, result.reason) == (Answer.UNKNOWN, "too hard")
    safe = {prop for prop in ALL_PROPERTIES if answer_of(result.outcome_of(prop)) is Answer.SAFE}
    assert safe == RACE | PROPERTY_GROUPS["memory"]
    report = plain(text.report(result))
    assert (
        "If nothing else goes wrong, no data race, invalid memory access, invalid free or memory leak"
        in report
    )
    assert "deadlock, signed overflow, division by zero, misuse of the thread library: Too hard" in (
        " ".join(report.split())
    )
    content = json_report.report(result)["properties"]
    assert content["race"] == {"answer": "safe", "reason": None}
    assert content["reach"] == {"answer": "unknown", "reason": "too hard"}


def test_if_each_is_safe_all_are(program: Path) -> None:
    result = verified(program, decides(*PROPERTY_GROUPS.values()))
    assert isinstance(result.outcome, Safe)
    assert isinstance(result.outcome.proof, SeparateProofs)
    assert result.outcome.proof.summary == "properties one by one: nothing can happen"


def test_together_is_enough(program: Path) -> None:
    result = verified(program, decides(ALL_PROPERTIES))
    assert isinstance(result.outcome, Safe)
    assert result.by_property == {}


BUGS = """
#include <assert.h>
#include <pthread.h>
int x, y;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *argument) {
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    y++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_mutex_lock(&lock);
    assert(x < 2);
    assert(x < 1);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(y == 2);
    assert(x == 2);
    return 0;
}
"""


@pytest.mark.parametrize("engine", ["explore", "bmc"])
def test_every_different_bug_is_found(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "bugs.c"
    path.write_text(BUGS)
    result = verify(Task(paths=(path,), engines=(engine,), all_bugs=True))
    assert isinstance(result.outcome, Unsafe)
    places = {(trace.failure.property, trace.origin.text) for trace in result.traces if trace.origin}
    assert places == {
        (Property.REACH, "assert(x < 2)"),
        (Property.REACH, "assert(x < 1)"),
        (Property.REACH, "assert(y == 2)"),
        (Property.RACE, "y++;"),
    }
    assert answer_of(result.outcome_of(Property.DEADLOCK)) is Answer.SAFE
    assert answer_of(result.outcome_of(Property.REACH)) is Answer.BUG


def test_all_bugs_knows_that_a_failed_attempt_orders_nothing() -> None:
    path = PROGRAMS / "synchronisation/failed_trylock_orders_nothing.c"
    for all_bugs in (False, True):
        result = verify(Task(paths=(path,), engines=("explore",), all_bugs=all_bugs))
        assert result.answer is Answer.UNKNOWN
        assert "trylock" in (result.reason or "")


def test_without_bugs_all_bugs_is_a_proof(tmp_path: Path) -> None:
    path = tmp_path / "safe.c"
    path.write_text(BUGS.replace("assert(x <", "(void)(x <").replace("y++", "").replace("y == 2", "y == 0"))
    assert verify(Task(paths=(path,), engines=("explore",), all_bugs=True)).answer is Answer.SAFE


@pytest.mark.parametrize("jobs", [0, 2])
def test_engines_complete_each_other(program: Path, jobs: int) -> None:
    """Each proves some properties only; all of them have to be proved."""
    first, *others = grouped(ALL_PROPERTIES)
    engines = {"explore": decides(first), "bmc": decides(*others)}
    result = verify(Task(paths=(program,), jobs=jobs), engines=engines)
    assert isinstance(result.outcome, Safe)
    assert isinstance(result.outcome.proof, SeparateProofs)
    for missing in grouped(ALL_PROPERTIES):
        some = [group for group in others if group != missing]
        engines = {"explore": decides(first) if first != missing else decides(), "bmc": decides(*some)}
        result = verify(Task(paths=(program,), jobs=jobs), engines=engines)
        assert result.answer is Answer.UNKNOWN
        assert {answer_of(result.outcome_of(prop)) for prop in missing} == {Answer.UNKNOWN}
