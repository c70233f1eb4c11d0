"""A bug of ours in one engine ends nobody else: others answer, and the report says what happened."""

import json
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError, error_text, is_crash
from sley.cli.crash import with_crash_files
from sley.cli.main import run
from sley.evidence.proof import RefusedProofError
from sley.evidence.replay import ReplayError
from sley.evidence.verdict import Claimed, Safe, Unknown, Verdict
from sley.reports import json_report, text
from sley.reports.html.page import page_of
from sley.reports.lines import plain
from sley.reports.sarif import sarif_of
from sley.verification.engine import AnyEngine
from sley.verification.engines import ENGINES
from sley.verification.result import Answer, Result
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.unit.verification.test_processes import FakeProof, computes, engine

SAFE_PROGRAM = "int main(void) { return 0; }\n"

RACE = """#include <pthread.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, *p = &m;
void *f(void *a) { pthread_mutex_lock(p); y++; pthread_mutex_unlock(p); x++; return a; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    x++;
    return 0;
}
"""


def stumbles(_: Budget) -> NoReturn:
    raise KeyError(9)


def refuses(_: Budget) -> NoReturn:
    raise RefusedProofError("a state is missing")


def claims(_: Budget) -> Verdict[FakeProof]:
    return Claimed(FakeProof())


def is_at_a_loss(_: Budget) -> Verdict[FakeProof]:
    return Unknown("no idea")


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_text(SAFE_PROGRAM)
    return path


def verified(path: Path, jobs: int, **engines: AnyEngine) -> Result:
    return verify(Task(paths=(path,), engines=tuple(engines), jobs=jobs), engines=engines)


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_others_answer(program: Path, jobs: int) -> None:
    result = verified(program, jobs, explore=engine(stumbles), bmc=engine(computes(0.0)))
    assert (result.answer, result.engine) == (Answer.SAFE, "bmc")
    (crash,) = result.crashes
    assert (crash.of, crash.file) == ("engine explore", None)
    assert crash.error.startswith("KeyError in test_crashes.py:")
    assert "raise KeyError(9)" in crash.trace


@pytest.mark.parametrize("jobs", [0, 2])
def test_a_refused_proof_is_dropped_and_not_hidden(program: Path, jobs: int) -> None:
    """Evidence contradicts an engine: that is a bug of ours, like any other."""
    result = verified(program, jobs, explore=engine(claims, refuses), bmc=engine(computes(0.0)))
    assert (result.answer, result.engine) == (Answer.SAFE, "bmc")
    assert [crash.of for crash in result.crashes] == ["engine explore"]
    assert "a state is missing" in result.crashes[0].trace


@pytest.mark.parametrize("jobs", [0, 2])
def test_a_schedule_that_leads_nowhere_is_dropped_and_not_hidden(program: Path, jobs: int) -> None:
    def leads_nowhere(_: Budget) -> NoReturn:
        raise ReplayError("the run does not violate anything")

    result = verified(program, jobs, explore=engine(leads_nowhere), bmc=engine(computes(0.0)))
    assert (result.answer, result.engine) == (Answer.SAFE, "bmc")
    assert [crash.error.partition(" ")[0] for crash in result.crashes] == ["ReplayError"]


@pytest.mark.parametrize("jobs", [0, 2])
def test_the_rest_may_have_no_answer(program: Path, jobs: int) -> None:
    result = verified(program, jobs, explore=engine(stumbles), bmc=engine(is_at_a_loss))
    assert result.answer is Answer.UNKNOWN
    assert result.reason is not None
    assert "internal error: KeyError" in result.reason
    assert "no idea (bmc)" in result.reason
    assert len(result.crashes) == 1


@pytest.mark.parametrize("jobs", [0, 2])
def test_without_a_rest_there_is_no_answer(program: Path, jobs: int) -> None:
    with pytest.raises(KeyError):
        verified(program, jobs, explore=engine(stumbles))
    with pytest.raises(KeyError):
        verified(program, jobs, explore=engine(stumbles), bmc=engine(stumbles))


@pytest.mark.parametrize("jobs", [0, 2])
def test_an_input_error_is_everybodys(program: Path, jobs: int) -> None:
    def objects(_: Budget) -> NoReturn:
        raise InputError("no such file")

    with pytest.raises(InputError):
        verified(program, jobs, explore=engine(objects), bmc=engine(is_at_a_loss))


def breaks(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    def broken(*_: object, **__: object) -> NoReturn:
        raise ZeroDivisionError

    monkeypatch.setattr(where, broken)


def test_facts_may_crash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "race.c"
    path.write_text(RACE)
    breaks(monkeypatch, "sley.evidence.fixpoint.given.given_by")
    result = verify(Task(paths=(path,), engines=("bmc", "abstract"), jobs=1))
    assert result.answer is Answer.BUG
    assert "engine abstract, asked for facts" in {crash.of for crash in result.crashes}


def test_the_second_look_may_crash(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaks(monkeypatch, "sley.verification.second_look.look_again")
    result = verify(Task(paths=(program,), jobs=1))
    assert isinstance(result.outcome, Safe)
    assert [crash.of for crash in result.crashes] == ["the second look at the proof"]


def test_the_survey_may_crash(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    breaks(monkeypatch, "sley.verification.large.settle_checks")
    breaks(monkeypatch, "sley.verification.large.lead_runs")
    result = verify(Task(paths=(program,), jobs=1, each_check=True))
    assert result.answer is Answer.SAFE
    assert [crash.of for crash in result.crashes] == ["the look at every check", "runs led to open checks"]


def crashed(program: Path) -> Result:
    return verified(program, 2, explore=engine(stumbles), bmc=engine(computes(0.0)))


def test_every_report_says_it(program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = with_crash_files(crashed(program), ["check", "a.c"])
    file = result.crashes[0].file
    assert file is not None
    assert "raise KeyError(9)" in file.read_text()
    said = "Engine explore had an internal error (KeyError in test_crashes.py:"
    printed = " ".join(plain(text.report(result)).split())
    assert said in printed
    assert str(file) in printed.replace(" ", "") or str(file) in printed
    report = json_report.report(result)
    assert report["crashes"] == [
        {"of": "engine explore", "error": result.crashes[0].error, "file": str(file)}
    ]
    assert report["answer"] == "safe"
    (invocation,) = json.loads(sarif_of(result, tmp_path / "a.sarif"))["runs"][0]["invocations"]
    errors = [one for one in invocation["toolExecutionNotifications"] if one["level"] == "error"]
    assert [one["message"]["text"].startswith(said) for one in errors] == [True]
    assert "Engine explore had an internal error" in page_of(result)


def test_each_crash_has_a_file_of_its_own(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    result = crashed(program)
    twice = with_crash_files(replace(result, crashes=result.crashes * 2), [])
    assert len({crash.file for crash in twice.crashes}) == 2


def test_the_command_answers(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    broken = {name: engine(stumbles) if name == "explore" else one for name, one in ENGINES.items()}
    monkeypatch.setattr("sley.verification.engines.ENGINES", broken)
    assert run(["check", str(program)]) == 0
    output = capsys.readouterr().out
    assert "internal error" in output
    assert output.endswith("RESULT: true\n")
    assert run(["check", str(program), "--engine", "explore"]) == 70
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("error", "expected"),
    [(KeyError(1), True), (GaveUpError("no"), False), (InputError("no"), False), (SystemExit(), False)],
)
def test_what_a_crash_is(error: BaseException, expected: bool) -> None:
    assert is_crash(error) is expected


def test_an_error_without_a_place() -> None:
    assert error_text(ValueError("x")) == "ValueError"
