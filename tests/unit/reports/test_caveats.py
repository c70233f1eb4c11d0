"""What the headline of SAFE says beside the answer, for people and machines."""

import json
from dataclasses import replace
from pathlib import Path

from sley.base.source import Span
from sley.evidence.proof import Checked
from sley.evidence.verdict import Safe
from sley.program.program import Origin
from sley.program.properties import Failure, Property
from sley.reports.html.page import page_of
from sley.reports.json_report import report as json_report
from sley.reports.lines import plain
from sley.reports.sarif import sarif_of
from sley.reports.text import closing_lines, report
from sley.verification.caveats import Caveat, Constant, How, Missing, NotAsked, RunEnds, Vacuity
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result, Times
from sley.verification.task import Task


class FakeProof:
    summary = "3 states"


LINE = Origin(Span("a.c", 14, 9), "return 1;", "main")
STARTS = Vacuity(
    Missing.THREADS,
    is_proved=True,
    end=RunEnds(How.RETURN, LINE),
    because_of=(Constant("base_new", 0, Span("models.c", 1, 1)),),
)
TASK = Task(paths=(Path("a.c"),), selection=Selection(frozenset({Property.RACE})))


def result_of(*caveats: Caveat) -> Result:
    safe = Safe(FakeProof(), Checked("it was looked at"))
    return Result(task=TASK, outcome=safe, times=Times(0.1, 0.2, 0.1), caveats=caveats)


def test_the_headline_comes_first_and_the_answer_stays() -> None:
    result = result_of(STARTS)
    lines = plain(report(result)).splitlines()
    assert lines[0].startswith(" SAFE, but line 14 always returns: no thread is started.")
    assert lines[0].endswith("0.4 s")
    assert lines[1].split("  ")[-1] == (
        " That rests on `base_new`, which always returns 0 (models.c:1). No data race is possible."
    )
    assert result.answer is Answer.SAFE
    assert closing_lines(result) == "RESULT: true\n"


def test_without_caveats_it_is_what_it_was() -> None:
    assert plain(report(result_of())).startswith(" SAFE  No data race is possible. ")


def test_files_are_named_where_there_are_several() -> None:
    result = result_of(STARTS)
    result = replace(result, task=replace(TASK, paths=(Path("a.c"), Path("b.c"))))
    assert " SAFE, but a.c:14 always returns: no thread is started." in plain(report(result))


def test_each_way_to_end_has_its_words() -> None:
    words = {
        How.EXIT: "line 14 always ends the program: ",
        How.ABORT: "line 14 always aborts: ",
        How.CUT: "the assumption in line 14 never holds: ",
        How.WRONG: "line 14 always goes wrong, which is not asked about: ",
    }
    for how, text in words.items():
        one = Vacuity(Missing.ASSERTIONS, is_proved=True, end=RunEnds(how, LINE))
        assert f" SAFE, but {text}no assertion is reached." in plain(report(result_of(one)))


def test_machines_get_warnings() -> None:
    failure = Failure(Property.MISUSE, "unlock-not-held", "unlock of a mutex that is not held")
    result = result_of(STARTS, NotAsked(Property.MISUSE, failure, LINE), NotAsked(Property.DEREF))
    first, second, third = json_report(result)["warnings"]
    assert (first["kind"], first["is_certain"], first["location"]["line"]) == ("no-thread", True, 14)
    assert first["rests_on"][0]["function"] == "base_new"
    assert first["property"] is None
    assert (second["kind"], second["is_certain"], second["property"]) == ("not-asked", True, "misuse")
    assert second["message"].startswith("but some runs end in line 14: unlock of a mutex that is not held")
    assert (third["is_certain"], third["location"]) == (False, None)
    assert third["message"] == "if no memory access is invalid (not asked: memory)."
    assert json_report(result)["answer"] == "safe"


def test_sarif_has_notifications_and_no_results() -> None:
    (run,) = json.loads(sarif_of(result_of(STARTS), Path("out.sarif")))["runs"]
    (invocation,) = run["invocations"]
    told = invocation["toolExecutionNotifications"][0]
    assert told["level"] == "warning"
    assert told["message"]["text"].startswith("SAFE, but line 14 always returns: no thread is started.")
    assert told["locations"][0]["physicalLocation"]["region"]["startLine"] == 14
    assert invocation["executionSuccessful"]
    assert run["results"] == []


def test_a_page_says_it_in_its_headline() -> None:
    text = page_of(result_of(STARTS), Path("out.html"))
    assert "loop iterations, but line 14 always returns: no thread is started." in text
    assert "which always returns 0 (models.c:1)" in text
