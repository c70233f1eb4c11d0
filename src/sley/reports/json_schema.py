"""The JSON Schema of the report for machines, from its form in ``json_report.yml`` and the types it names.

Fields may be added while the format keeps its number, so a reader has to allow for more than is listed here.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Any

import yaml

from sley.evidence.fixpoint.survey import Effort
from sley.evidence.remarks import Fact, Note, Reliance
from sley.evidence.trace import EventKind, FaultKind
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.program.properties import Property
from sley.reports.json_data import schema_of
from sley.verification.result import Answer
from sley.verification.task import Granularity

Schema = dict[str, Any]

_PLAIN: Mapping[str, Schema] = {
    "text": {"type": "string"},
    "number": {"type": "integer"},
    "count": {"type": "integer", "minimum": 0},
    "seconds": {"type": "number", "minimum": 0},
    "truth": {"type": "boolean"},
    "Answer": {"enum": [answer.name.lower().replace("_", "-") for answer in Answer]},
    "memory_model": {"anyOf": [schema_of(MemoryModel), {"type": "string", "pattern": "\\n"}]},
}
_TYPES: Mapping[str, Any] = {
    **{kind.__name__: kind for kind in (DataModel, Effort, EventKind, FaultKind, Granularity, Instrument)},
    "Property": Property,
    "Fact": Fact,
    "Note": Note | None,
    "Reliance": Reliance,
}


def json_schema() -> Schema:
    """The schema of a report."""
    text = files("sley.reports").joinpath("json_report.yml").read_text(encoding="utf-8")
    forms = yaml.safe_load(text)
    head = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "report of sley"}
    return head | _schema(forms["report"], forms)


def _schema(form: Any, forms: Mapping[str, Any]) -> Schema:
    """What a form allows."""
    match form:
        case str() if form.endswith(" or null"):
            return {"anyOf": [_schema(form.removesuffix(" or null"), forms), {"type": "null"}]}
        case str() if form in _PLAIN:
            return dict(_PLAIN[form])
        case str() if form in _TYPES:
            return schema_of(_TYPES[form])
        case str():
            return _schema(forms[form], forms)
        case [of]:
            return {"type": "array", "items": _schema(of, forms)}
        case {"=": schema}:
            return dict(schema)
        case {"by-property": of}:
            names = {"type": "object", "propertyNames": schema_of(Property)}
            return {**names, "additionalProperties": _schema(of, forms)}
        case _:
            fields = {name.removesuffix("~"): _schema(of, forms) for name, of in form.items()}
            required = [name for name in form if not name.endswith("~")]
            return {"type": "object", "required": required, "properties": fields}
