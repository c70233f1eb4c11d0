"""The JSON Schema of the report for machines; ``docs/json-report.md`` says what the fields mean.

Fields may be added while the format keeps its number, so a reader has to allow for more than is listed here.
"""

from dataclasses import fields
from typing import Any

from sley.evidence.fixpoint.survey import Effort
from sley.evidence.remarks import Fact, Note, Reliance
from sley.evidence.trace import EventKind, Fault, FaultKind
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.reports.json_data import schema_of
from sley.verification.result import Answer
from sley.verification.task import Granularity

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
TRUTH: Schema = {"type": "boolean"}
SECONDS: Schema = {"type": "number", "minimum": 0}
ANSWER: Schema = {"enum": [answer.name.lower().replace("_", "-") for answer in Answer]}
PROPERTY: Schema = {"enum": [prop.value for prop in Property]}
MEMORY_MODEL: Schema = {
    "anyOf": [{"enum": [model.value for model in MemoryModel]}, {"type": "string", "pattern": "\\n"}]
}


def json_schema(*, is_open: bool = True) -> Schema:
    """The schema; ``is_open`` is whether there may be fields that it does not list."""
    report = _report() if is_open else _closed(_report())
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "report of sley", **report}


def _closed(schema: Schema) -> Schema:
    """The same, without other fields."""
    if schema.get("type") == "object" and "properties" in schema:
        schema = {**schema, "additionalProperties": False}
    return {name: _closed_part(part) for name, part in schema.items()}


def _closed_part(part: object) -> object:
    if isinstance(part, dict):
        return _closed(part)
    return [_closed_part(one) for one in part] if isinstance(part, list) else part


def _object(required: Schema, **optional: Schema) -> Schema:
    return {"type": "object", "required": list(required), "properties": {**required, **optional}}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _report() -> Schema:
    return _object(
        {
            "format": {"const": "sley-report"},
            "format_version": {"type": "string", "pattern": r"^1\."},
            "sley_version": TEXT,
            "answer": ANSWER,
            "result": {"type": "string", "pattern": r"^(true|unknown|false\([a-z-]+\))$"},
            "reason": _maybe(TEXT),
            "task": _task(),
            "properties": {
                "type": "object",
                "propertyNames": PROPERTY,
                "additionalProperties": _object({"answer": ANSWER, "reason": _maybe(TEXT)}),
            },
            "violations": _list(_violation()),
            "certain": _list(TEXT),
            "proof": _maybe(TEXT),
            "checked": _maybe(_checked()),
            "engine": _maybe(TEXT),
            "statistics": {"type": "object"},
            "assumptions": _list(TEXT),
            "follows": _list(TEXT),
            "weak_orders": _list(_object({"origin": _origin(), "accessed": TEXT, "order": TEXT})),
            "interleaved": _maybe(ANSWER),
            "unmodelled": _list(_object({"what": TEXT, "location": _maybe(_location())})),
            "times": _object({"loading": SECONDS, "finding": SECONDS, "checking": SECONDS}),
        },
        suppressed=_list(_object({"property": PROPERTY, "message": TEXT, "fingerprint": TEXT, "by": TEXT})),
        is_safe_otherwise=TRUTH,
        unused_suppressions=_list(TEXT),
        warnings=_list(_warning()),
        crashes=_list(_object({"of": TEXT, "error": TEXT, "file": _maybe(TEXT)})),
        checks=_maybe(_survey()),
        invariants=_list(
            _object({"location": _maybe(_location()), "function": TEXT, "kind": TEXT, "text": TEXT})
        ),
        mutex_invariants=_list(_object({"location": _maybe(_location()), "mutex": TEXT, "text": TEXT})),
        suggested_orders=_suggested(),
    )


def _warning() -> Schema:
    returned = _object({"function": TEXT, "returns": NUMBER, "location": _maybe(_location())})
    return _object(
        {
            "kind": TEXT,
            "message": TEXT,
            "is_certain": TRUTH,
            "property": _maybe(PROPERTY),
            "location": _maybe(_location()),
            "rests_on": _list(returned),
        }
    )


def _survey() -> Schema:
    check = {"property": PROPERTY, "doubt": TEXT, "fingerprint": TEXT}
    return _object(
        {
            "proved": {"type": "object", "propertyNames": PROPERTY, "additionalProperties": COUNT},
            "open": _list(_object({**check, "origin": _origin(), "other": _maybe(_origin())})),
            "guarded": _list(_object({"name": TEXT, "lock": TEXT})),
            "undecided": _list(PROPERTY),
            "passed_over": _list(_object({"what": TEXT, "origin": _origin()})),
            "astray": _list(_origin()),
        },
        runs=_maybe(_object(dict.fromkeys((one.name for one in fields(Effort)), NUMBER))),
    )


def _task() -> Schema:
    return _object(
        {
            "directory": TEXT,
            "files": _list(TEXT),
            "properties": _list(PROPERTY),
            "error_call": _maybe(TEXT),
            "data_model": {"enum": [model.name for model in DataModel]},
            "include_dirs": _list(TEXT),
            "defines": _list(TEXT),
            "models": _list(TEXT),
            "granularity": {"enum": [one.value for one in Granularity]},
            "time_limit": _maybe(SECONDS),
            "memory_limit": _maybe(NUMBER),
            "engines": _list(TEXT),
            "options": {"type": "object"},
        },
        harness=_maybe(
            _object(
                {
                    "entries": _list(TEXT),
                    "threads": NUMBER,
                    "calls": NUMBER,
                    "setup": _list(TEXT),
                    "make": _list(TEXT),
                }
            )
        ),
        target=_maybe(TEXT),
        arguments=_maybe(_list(TEXT)),
        argc_may_be_zero=TRUTH,
        allows_inner_overrun=TRUTH,
        malloc_may_fail=TRUTH,
        create_may_fail=TRUTH,
        suppress=_list(TEXT),
        relaxed=_list(_maybe(_location())),
        memory_model=MEMORY_MODEL,
        recursion=_maybe(NUMBER),
        buffer_size=NUMBER,
        instrument={"enum": [one.value for one in Instrument]},
    )


def _checked() -> Schema:
    return _object(
        {"how": TEXT, "solvers": _list(TEXT), "skipped": _list(TEXT), "runs": NUMBER, "states": NUMBER}
    )


def _suggested() -> Schema:
    site = _object(
        {"origin": _origin(), "accessed": TEXT, "is_fence": TRUTH, "why": _list(TEXT)},
        **{name: _maybe(TEXT) for name in ("written", "written_if_failed", "needed", "needed_if_failed")},
    )
    return _object(
        {
            "sites": _list(site),
            "variants": NUMBER,
            "violated": NUMBER,
            "undecided": _list(TEXT),
            "unhelpful": _maybe(TEXT),
        }
    )


# --- violations ------------------------------------------------------------------------------------


def _violation() -> Schema:
    return _object(
        {
            "property": PROPERTY,
            "verdict": TEXT,
            "rule": TEXT,
            "message": TEXT,
            "is_certain": TRUTH,
            "origin": _maybe(_origin()),
            "facts": _list(TEXT),
            "depends_on": _list(TEXT),
            "context_switches": NUMBER,
            "threads": _list(_object({"id": NUMBER, "name": TEXT, "function": TEXT})),
            "schedule": _list({"type": "array", "items": NUMBER, "minItems": 1}),
            "events": _list(_event()),
        },
        phrase=TEXT,
        subject=TEXT,
        frame=TEXT,
        findings=_list(schema_of(Fact)),
        reliances=_list(schema_of(Reliance)),
        fingerprint={"type": "string", "pattern": "^[0-9a-f]{16}$"},
        faults=_list(_fault()),
        memory_model=MEMORY_MODEL,
        is_buffered=TRUTH,
        followed=_maybe(_list({"type": "array", "items": {"type": ["string", "integer"]}})),
    )


def _fault() -> Schema:
    numbers = [field.name for field in fields(Fault) if field.name not in ("kind", "object", "step")]
    return _object(
        {"kind": {"enum": [kind.value for kind in FaultKind]}, "object": TEXT},
        **dict.fromkeys(numbers, NUMBER),
        step=_maybe(NUMBER),
    )


def _event() -> Schema:
    return _object(
        {
            "step": NUMBER,
            "thread": NUMBER,
            "kind": {"enum": [kind.value for kind in EventKind]},
            "origin": _origin(),
            "target": TEXT,
            "value": TEXT,
            "old": TEXT,
            "is_shared": TRUTH,
            "note": TEXT,
        },
        others=_list(NUMBER),
        source=_maybe(NUMBER),
        address=_maybe(NUMBER),
        run=NUMBER,
        distance=_maybe(NUMBER),
        remark=schema_of(Note | None),
    )


def _origin() -> Schema:
    placed = {"location": _maybe(_location()), "text": TEXT, "function": TEXT, "is_library": TRUTH}
    return _object({**placed, "calls": _list(_object(placed))})


def _location() -> Schema:
    numbers = dict.fromkeys(("line", "column", "end_line", "end_column"), COUNT)
    return _object({"file": TEXT, **numbers})
