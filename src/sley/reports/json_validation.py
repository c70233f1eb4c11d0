"""Whether plain data is as a JSON Schema says, with the keywords that ours uses."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_KINDS: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def mistake(value: Any, schema: Mapping[str, Any], place: str) -> str | None:
    """The first thing that is not as it should be, in words; None if there is nothing."""
    return next(_mistakes(value, schema, place), None)


def _mistakes(value: Any, schema: Mapping[str, Any], place: str) -> Iterator[str]:
    for keyword, rule in schema.items():
        if keyword == "anyOf":
            found = [mistake(value, one, place) for one in rule]
            if None not in found:
                yield str(found[0])
        elif keyword in _RULES and not _RULES[keyword](value, rule):
            yield f"`{place}` is not as it should be ({keyword})"
            return
    if isinstance(value, dict):
        yield from _in_object(value, schema, place)
    elif isinstance(value, list) and "items" in schema:
        for number, one in enumerate(value):
            yield from _mistakes(one, schema["items"], f"{place}[{number}]")


def _in_object(value: Mapping[str, Any], schema: Mapping[str, Any], place: str) -> Iterator[str]:
    known = schema.get("properties", {})
    yield from (f"`{place}` has no `{name}`" for name in schema.get("required", ()) if name not in value)
    for name, one in value.items():
        rule = known.get(name, schema.get("additionalProperties", True))
        if isinstance(rule, Mapping):
            yield from _mistakes(one, rule, f"{place}.{name}")


def _is_of(value: Any, kinds: str | list[str]) -> bool:
    named = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, bool):
        return "boolean" in named
    return any(isinstance(value, _KINDS[one]) for one in named)


_RULES: Mapping[str, Callable[[Any, Any], bool]] = {
    "type": _is_of,
    "enum": lambda value, words: isinstance(value, str) and value in words,
    "const": lambda value, word: bool(value == word),
    "pattern": lambda value, pattern: not isinstance(value, str) or re.search(pattern, value) is not None,
    "minimum": lambda value, least: not isinstance(value, int | float) or value >= least,
    "minItems": lambda value, least: not isinstance(value, list) or len(value) >= least,
}
