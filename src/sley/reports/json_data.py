"""Records, enumerations and closed unions of them as JSON, by their types: written, described, read back.

A record of a union is told from others by its ``kind``; a member of an enumeration in a union is one, too.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

Json = dict[str, Any]
_PLAIN: Mapping[type, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    NoneType: "null",
}


def kind_of(record: type) -> str:
    """``missing-order`` for MissingOrder."""
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in record.__name__).removeprefix("-")


def written(value: Any, kind: Any) -> Any:
    """The value, which is of a type, as JSON."""
    if value is None:
        return None
    if isinstance(value, Enum):
        return {"kind": value.value} if _is_union(kind) else value.value
    if isinstance(value, tuple):
        return [written(one, get_args(kind)[0]) for one in value]
    if not is_dataclass(value):
        return value
    hints = get_type_hints(type(value))
    named = {field.name: written(getattr(value, field.name), hints[field.name]) for field in fields(value)}
    if not _is_union(kind):
        return named
    assert "kind" not in named, "it would hide which member of the union this is"
    return {"kind": kind_of(type(value)), **named}


def read(raw: Any, kind: Any) -> Any:
    """The value of a type that ``written`` wrote; ``ValueError`` if it is none."""
    if _is_union(kind):
        return _read_member(raw, kind)
    if get_origin(kind) is tuple:
        return tuple(read(one, get_args(kind)[0]) for one in raw)
    if kind in _PLAIN:
        if type(raw) is not kind:
            raise ValueError(f"{raw!r} is no {_PLAIN[kind]}")
        return raw
    if issubclass(kind, Enum):
        return kind(raw)
    hints = get_type_hints(kind)
    return kind(**{field.name: read(raw[field.name], hints[field.name]) for field in fields(kind)})


def _read_member(raw: Any, kind: Any) -> Any:
    if not isinstance(raw, dict):
        return read(raw, next(one for one in get_args(kind) if one in _PLAIN and type(raw) is one))
    for one in get_args(kind):
        if one in _PLAIN:
            continue
        if issubclass(one, Enum) and raw["kind"] in {member.value for member in one}:
            return one(raw["kind"])
        if not issubclass(one, Enum) and raw["kind"] == kind_of(one):
            return read(raw, one)
    raise ValueError(f"unknown kind {raw['kind']!r}")


def schema_of(kind: Any) -> Json:
    """The JSON Schema of a type."""
    if _is_union(kind):
        return {"anyOf": [_member_schema(one) for one in get_args(kind)]}
    if get_origin(kind) is tuple:
        return {"type": "array", "items": schema_of(get_args(kind)[0])}
    if kind in _PLAIN:
        return {"type": _PLAIN[kind]}
    if issubclass(kind, Enum):
        return {"enum": [member.value for member in kind]}
    hints = get_type_hints(kind)
    return _object({field.name: schema_of(hints[field.name]) for field in fields(kind)})


def _member_schema(kind: Any) -> Json:
    if kind in _PLAIN:
        return schema_of(kind)
    if issubclass(kind, Enum):
        return _object({"kind": schema_of(kind)})
    described = schema_of(kind)["properties"]
    return _object({"kind": {"const": kind_of(kind)}, **described})


def _object(properties: Json) -> Json:
    return {"type": "object", "required": list(properties), "properties": properties}


def _is_union(kind: Any) -> bool:
    return get_origin(kind) in (Union, UnionType)
