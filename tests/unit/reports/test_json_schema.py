"""Reports of every kind fit the schema, and have no field that it does not list."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sley.cli.application import invoke
from sley.engines.bmc.options import BmcOptions, Stage
from sley.reports import components
from sley.reports.json_report import report, to_text
from sley.reports.json_schema import json_schema
from sley.verification.task import EngineOptions, Task
from sley.verification.verify import verify

RACE = """#include <pthread.h>
int n;
void *add(void *p) { n = n + 1; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    n = 7;
    pthread_join(t, 0);
    return 0;
}
"""
RELAXED = """#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y;
void *add(void *p) {
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    if (atomic_load_explicit(&y, memory_order_relaxed))
        assert(atomic_load_explicit(&x, memory_order_relaxed));
    return 0;
}
"""
PROGRAMS = {
    "bug": RACE,
    "suppressed": RACE.replace("n = 7;", "n = 7; // sley: ignore race"),
    "weak": RELAXED,
    "fault": "#include <stdlib.h>\nint main(void) { int *p = malloc(4); free(p); return *p; }\n",
    "safe": "int main(void) { return 0; }\n",
    "unknown": "int other(void);\nint main(void) { return 1 / other(); }\n",
    "not supported": "#include <setjmp.h>\njmp_buf b;\nint main(void) { return setjmp(b); }\n",
}


def closed(part: Any) -> Any:
    """The same, without other fields."""
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    only = {"additionalProperties": False} if part.get("type") == "object" and "properties" in part else {}
    return {name: closed(one) for name, one in part.items()} | only


def errors(content: object, *, is_open: bool = False) -> list[str]:
    schema = json_schema() if is_open else closed(json_schema())
    validator = jsonschema.Draft202012Validator(schema)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(content)]


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


@pytest.mark.parametrize("kind", PROGRAMS)
def test_reports_fit(tmp_path: Path, kind: str) -> None:
    file = tmp_path / "a.c"
    file.write_text(PROGRAMS[kind])
    content = json.loads(to_text(report(verify(Task(paths=(file,))))))
    assert errors(content) == []


def test_what_is_missing_wrong_or_new_is_noticed(tmp_path: Path) -> None:
    file = tmp_path / "a.c"
    file.write_text(PROGRAMS["fault"])
    content = json.loads(to_text(report(verify(Task(paths=(file,))))))
    assert errors({**content, "more": 1}, is_open=True) == []
    assert len(errors({**content, "more": 1})) == 1
    assert len(errors({**content, "answer": "maybe"}, is_open=True)) == 1
    assert len(errors({name: value for name, value in content.items() if name != "task"})) == 1
    content["violations"][0]["events"][0]["kind"] = "dance"
    assert len(errors(content, is_open=True)) == 1


def test_the_schema_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["show", "schema"]) == 0
    tables = {"$defs": {"components": components.schema()}}
    assert json.loads(capsys.readouterr().out) == json_schema() | tables


def test_stages_that_are_left_out_are_in_the_report(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    left_out = EngineOptions(bmc=BmcOptions(without=(Stage.SUMS, Stage.PRUNING)))
    task = Task(paths=(tmp_path / "a.c",), engines=("bmc",), options=left_out, jobs=0)
    content = json.loads(to_text(report(verify(task))))
    assert content["task"]["options"]["bmc"]["without"] == ["sums", "pruning"]
