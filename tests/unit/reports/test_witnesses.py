"""Witnesses have the form that validators read, and say what the trace says."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from sley.base.source import Span
from sley.evidence.invariants import SourceInvariant
from sley.evidence.verdict import Unknown
from sley.program.properties import ALL_PROPERTIES, Property
from sley.reports.sources import closing_parenthesis
from sley.reports.witnesses.metadata import claim_of
from sley.reports.witnesses.yaml_format import witness_of, yaml_of
from sley.verification.property_files import Selection, formula_of, read_formulas
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify

INPUT = """#include <pthread.h>
int __VERIFIER_nondet_int(void);
void reach_error(void);
int x;
void *writer(void *p) { x = __VERIFIER_nondet_int(); return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, writer, (void *)")");
    pthread_join(t, 0);
    if (x == 4711)
        reach_error();
    return 0;
}
"""

RACE = INPUT.replace("    pthread_join(t, 0);\n", "")


def result_of(tmp_path: Path, text: str, *formulas: str) -> Result:
    file = tmp_path / "a.c"
    file.write_text(text)
    selection = read_formulas("\n".join(formulas), Span("", 1, 1)) if formulas else Selection(ALL_PROPERTIES)
    return verify(Task(paths=(file,), selection=selection))


def entry_of(text: str | None) -> Any:
    assert text is not None
    (entry,) = yaml.safe_load(text)
    return entry


def test_waypoints_in_yaml(tmp_path: Path) -> None:
    result = result_of(tmp_path, INPUT, "G ! call(reach_error())")
    entry = entry_of(witness_of(result, Path("w.yml")))
    assert entry["metadata"]["format_version"] == "2.2"
    waypoints = [one["waypoint"] for segment in entry["content"] for one in segment["segment"]]
    assert [(one["type"], one["thread_id"], one["location"]["line"]) for one in waypoints] == [
        *(("function_enter", 0, 8), ("function_return", 1, 5), ("assumption", 0, 9), ("assumption", 0, 10)),
        ("target", 0, 11),
    ]
    assert INPUT.splitlines()[7][waypoints[0]["location"]["column"] - 1 :] == ");"
    assert waypoints[1]["constraint"] == {"value": "\\result == 4711", "format": "acsl_expression"}
    assert waypoints[3]["constraint"] == {"value": "x == 4711", "format": "c_expression"}


def test_a_race_ends_with_two_targets(tmp_path: Path) -> None:
    entry = entry_of(witness_of(result_of(tmp_path, RACE, "G ! data-race"), Path("w.yml")))
    targets = [one["waypoint"] for one in entry["content"][-1]["segment"]]
    assert sorted((one["type"], one["thread_id"]) for one in targets) == [("target", 0), ("target", 1)]
    assert all(len(segment["segment"]) == 1 for segment in entry["content"][:-1])


def test_one_thread_is_told_in_format_2_0(tmp_path: Path) -> None:
    text = "int __VERIFIER_nondet_int(void);\nint main(void) { return 1 / __VERIFIER_nondet_int(); }\n"
    entry = entry_of(witness_of(result_of(tmp_path, text), Path("w.yaml")))
    assert entry["metadata"]["format_version"] == "2.0"
    waypoints = [one["waypoint"] for segment in entry["content"] for one in segment["segment"]]
    assert [one["type"] for one in waypoints] == ["target"] or waypoints[0]["type"] == "function_return"
    assert all("thread_id" not in one for one in waypoints)


def test_the_same_witness_has_the_same_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    result = result_of(tmp_path, INPUT)
    text = witness_of(result, Path("w.yml"))
    assert text is not None
    assert text == witness_of(result, Path("w.yml"))
    assert "1970-01-02T00:00:00Z" in text


def test_invariants_of_a_proof(tmp_path: Path) -> None:
    text = "int main(void) {\n    int i = 0;\n    while (i < 3)\n        i++;\n    return 0;\n}\n"
    claim = claim_of(result_of(tmp_path, text, "G ! overflow", "G valid-deref"))
    assert claim is not None
    loop = SourceInvariant(Span("a.c", 3, 5), "main", "i <= 3", "loop")
    entry = entry_of(yaml_of(claim, (loop,)))
    assert entry["entry_type"] == "invariant_set"
    assert entry["content"][0]["invariant"] == {
        "type": "loop_invariant",
        "location": {"file_name": "a.c", "line": 3, "column": 5, "function": "main"},
        "value": "i <= 3",
        "format": "c_expression",
    }
    assert len(entry["metadata"]["task"]["specification"].splitlines()) == 2


def test_without_an_answer_there_is_no_witness() -> None:
    assert witness_of(Result(task=Task(paths=()), outcome=Unknown("tired")), Path("w.yml")) is None


def test_formulas_are_read_as_they_are_written() -> None:
    for prop in Property:
        selection = read_formulas(formula_of(prop, "reach_error"), Span("", 1, 1))
        assert (selection.properties, selection.unsupported) == (frozenset({prop}), ())


def test_the_end_of_a_call_is_found_behind_strings_and_over_lines(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text("x();\nf(g(1),\n  \")\", ')');")
    assert closing_parenthesis(str(file), 1, 1, "f") == (3, 11)
    assert closing_parenthesis(str(file), 1, 1, "g") == (2, 6)
    assert closing_parenthesis(str(file), 1, 1, "h") is None
