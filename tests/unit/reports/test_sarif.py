"""SARIF files are valid, and say what the trace says."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sarif_pydantic.sarif import Sarif

from sley.base.errors import Unsupported
from sley.base.source import Span
from sley.evidence.fingerprints import fingerprint
from sley.evidence.remarks import Unmodelled
from sley.evidence.trace import EventKind
from sley.evidence.verdict import Unknown, Unsafe
from sley.program.properties import Property
from sley.reports.sarif import FINGERPRINT, MAX_FLOW_LOCATIONS, sarif_of
from sley.verification.result import NotSupported, Result, Suppressed
from sley.verification.task import Task
from sley.verification.verify import verify
from tests.unit.reports import traces

RACE = """#include <pthread.h>
int n;
void *add(void *p) { /* ä */ n = n + 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    n = 7;
    pthread_join(t, 0);
    return 0;
}
"""


def run_of(result: Result) -> Any:
    content = json.loads(sarif_of(result, Path("out.sarif")))
    Sarif.model_validate(content)
    (run,) = content["runs"]
    return run


@pytest.fixture
def race(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Result:
    monkeypatch.chdir(tmp_path)
    file = Path("with space") / "race.c"
    file.parent.mkdir()
    file.write_text(RACE)
    return verify(Task(paths=(file,)))


def test_a_race_has_two_places_that_happen_at_once(race: Result) -> None:
    (found,) = run_of(race)["results"]
    regions = [place["physicalLocation"]["region"] for place in found["locations"]]
    assert sorted((region["startLine"], region["startColumn"]) for region in regions) == [(3, 30), (7, 5)]
    flows = found["codeFlows"][0]["threadFlows"]
    assert [flow["id"] for flow in flows] == ["main", "add"]
    assert len({flow["locations"][-1]["executionOrder"] for flow in flows}) == 1
    for flow in flows:
        order = [step["executionOrder"] for step in flow["locations"]]
        assert order == sorted(set(order))


def test_files_are_named_from_the_working_directory(race: Result) -> None:
    run = run_of(race)
    place = run["artifacts"][0]["location"]
    assert place == {"uri": "with%20space/race.c", "uriBaseId": "%SRCROOT%"}
    assert run["originalUriBaseIds"]["%SRCROOT%"]["uri"].endswith("/")
    assert len(run["artifacts"][0]["hashes"]["sha-256"]) == 64


def test_a_finding_names_its_rule_and_its_fingerprint(race: Result) -> None:
    run = run_of(race)
    (found,) = run["results"]
    assert run["tool"]["driver"]["rules"][found["ruleIndex"]]["id"] == found["ruleId"] == "race"
    assert found["partialFingerprints"] == {FINGERPRINT: fingerprint(race.traces[0])}
    assert "Fix? Hold the same mutex around both" in found["message"]["text"]


def test_every_property_is_a_rule() -> None:
    rules = run_of(Result(task=Task(paths=()), outcome=Unknown("tired")))["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == [prop.value for prop in Property]
    assert all(rule["name"] != rule["id"] and rule["help"]["text"] for rule in rules)
    assert "C11 5.1.2.4" in next(rule for rule in rules if rule["id"] == "race")["help"]["text"]


def test_values_are_the_state_of_a_step() -> None:
    run = run_of(Result(task=Task(paths=()), outcome=Unsafe((traces.lost_update(),))))
    flows = run["results"][0]["codeFlows"][0]["threadFlows"]
    assert flows[1]["locations"][0]["state"]["counter"] == {"text": "0"}
    assert flows[1]["locations"][0]["location"]["message"]["text"].startswith("3. worker #1: int tmp")


def test_possible_bugs_are_warnings_and_unknown_is_no_finding() -> None:
    possible = traces.trace_of(
        traces.lost_update().failure,
        (traces.MAIN,),
        [(0, EventKind.FAIL, traces.user(3, "assert(x);"), {})],
        depends_on=(Unmodelled("f"),),
    )
    run = run_of(Result(task=Task(paths=()), outcome=Unknown("no model of f", traces=(possible,))))
    (found,) = run["results"]
    assert found["level"] == "warning"
    assert "rests on unmodelled function `f`" in found["message"]["text"]
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert (said["level"], said["message"]["text"]) == ("warning", "UNKNOWN: no model of f")


def test_what_is_not_supported_is_an_error_with_its_place() -> None:
    construct = Unsupported("a construct", Span("a.c", 3, 4))
    run = run_of(Result(task=Task(paths=()), outcome=NotSupported((construct,))))
    (said,) = run["invocations"][0]["toolExecutionNotifications"]
    assert said["level"] == "error"
    assert said["locations"][0]["physicalLocation"]["region"] == {"startLine": 3, "startColumn": 4}
    assert not run["invocations"][0]["executionSuccessful"]


def test_a_trace_beyond_the_limit_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_FLOW_LOCATIONS == 1000
    monkeypatch.setattr("sley.reports.sarif.MAX_FLOW_LOCATIONS", 3)
    run = run_of(Result(task=Task(paths=()), outcome=Unsafe((traces.lost_update(),))))
    flows = run["results"][0]["codeFlows"][0]["threadFlows"]
    assert sum(len(flow["locations"]) for flow in flows) == 3
    assert "left out" in flows[0]["message"]["text"]


def test_suppressed_findings_say_so_and_the_others_that_they_are_not(race: Result) -> None:
    (trace,) = race.traces
    accepted = Suppressed(trace, "race.c:3: sley: ignore race - known")
    found, hidden = run_of(replace(race, suppressed=(accepted,)))["results"]
    assert found["suppressions"] == []
    assert hidden["suppressions"] == [
        {"kind": "inSource", "status": "accepted", "justification": "race.c:3: sley: ignore race - known"}
    ]
    named = replace(accepted, is_in_source=False)
    assert run_of(replace(race, suppressed=(named,)))["results"][1]["suppressions"][0]["kind"] == "external"
