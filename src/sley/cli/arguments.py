"""Values on the command line: limits, properties, and flags made from option dataclasses."""

import argparse
import ast
import inspect
import os
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import Field, fields
from enum import Enum
from functools import partial
from itertools import pairwise
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from sley.base import outside
from sley.base.errors import InputError
from sley.frontend.harness.plan import Harness
from sley.memory_models.model import of_text
from sley.program.memory_model import MemoryModel
from sley.verification.property_files import Selection, selected

Options = TypeVar("Options")

_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_MEGABYTES = {"": 1, "m": 1, "mb": 1, "g": 1000, "gb": 1000}


def seconds(text: str) -> float:
    """A time limit: ``10``, ``10s``, ``5m``, ``1h``."""
    return _quantity(text, _SECONDS, "a time such as 10, 10s or 5m")


def megabytes(text: str) -> int:
    """A memory limit: ``2000``, ``2000MB``, ``2GB``."""
    return max(1, int(_quantity(text, _MEGABYTES, "a size such as 2000MB or 2GB")))


def count(text: str) -> int:
    """A positive whole number."""
    if re.fullmatch(r"\d+", text) is None or int(text) == 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not a positive whole number")
    return int(text)


def memory_model(text: str) -> MemoryModel:
    """One of ours by its name, or that of a text in cat."""
    if text.endswith(".cat"):
        read = outside.text(Path(text), outside.CAT)
        of_text(read, text)
        return MemoryModel(f"{text}\n{read}")
    if text not in [one.value for one in MemoryModel]:
        known = ", ".join(one.value for one in MemoryModel)
        raise argparse.ArgumentTypeError(f"`{text}` is none of {known}, nor a file FILE.cat")
    return MemoryModel(text)


def _quantity(text: str, units: Mapping[str, int], expected: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", text.strip())
    if match is None or match[2].lower() not in units or float(match[1]) == 0:
        raise argparse.ArgumentTypeError(f"`{text}` is not {expected}")
    return float(match[1]) * units[match[2].lower()]


def selection(names: Sequence[str]) -> Selection | None:
    """What ``--property`` asks for: names of groups and property files; None if it was not used."""
    return selected(names, "argument --property: ")


def cluster(flags: Mapping[str, Any]) -> str | None:
    """The address of the Ray cluster that ``--executor ray`` asks for; None without it."""
    address: str | None = flags.get("ray_address")
    if flags.get("executor") == "ray":
        return address or os.environ.get("RAY_ADDRESS") or "auto"
    if address is not None:
        raise InputError("--ray-address goes with --executor ray")
    return None


def given(flags: Mapping[str, Any]) -> tuple[str, ...] | None:
    """What the program is started with; None if that was not said."""
    found = flags.get("arguments")
    return None if found is None else tuple(found)


def harness(flags: Mapping[str, Any]) -> Harness | None:
    """The callers of the functions that ``--entry`` names; None without it."""
    names = {flag: _functions(flag, flags.get(flag, ())) for flag in ("entry", "setup", "make")}
    numbers = {flag: flags[flag] for flag in ("threads", "calls") if flags.get(flag) is not None}
    if names["entry"]:
        return Harness(entries=names["entry"], setup=names["setup"], make=names["make"], **numbers)
    for flag in [*numbers, *(flag for flag, functions in names.items() if functions)]:
        also = " (for engine symmetry: --threads-each)" if flag == "threads" else ""
        raise InputError(f"--{flag} goes with --entry, which names the functions that threads call{also}")
    return None


def _functions(flag: str, values: Sequence[str]) -> tuple[str, ...]:
    """Names, between commas or in several flags."""
    names = [name.strip() for value in values for name in value.split(",")]
    for name in names:
        if re.fullmatch(r"[A-Za-z_]\w*", name) is None:
            raise InputError(f"argument --{flag}: `{name}` is not the name of a function")
    return tuple(dict.fromkeys(names))


# --- flags from dataclasses ------------------------------------------------------------------------


def add_options(
    parser: argparse.ArgumentParser, options: type[Any], title: str, *, is_hidden: bool = False
) -> None:
    """Give a command one flag per field of a dataclass; the field's docstring is the help, unless hidden.

    Fields that only tests choose have none. A flag that the command has already from another engine means the
    same to both.
    """
    group = parser.add_argument_group(title)
    hints = get_type_hints(options)
    texts = {} if is_hidden else field_docstrings(options)
    for field in fields(options):
        if not field.metadata.get("is_flag", True):
            continue
        if parser.get_default(field.name) is not None:
            assert parser.get_default(field.name) == field.default
            continue
        flag = "--" + field.name.replace("_", "-")
        text = argparse.SUPPRESS if is_hidden else texts.get(field.name)
        group.add_argument(flag, default=field.default, help=text, **_shape(field, hints[field.name]))


def _shape(field: "Field[Any]", hint: Any) -> dict[str, Any]:
    """What argparse has to know of a flag: whether it takes a value, and which."""
    if get_origin(hint) is tuple:
        member = get_args(hint)[0]
        return {"type": partial(_members, member), "metavar": "NAME,…"}
    kind = _value_type(hint)
    if kind is bool:
        return {"action": argparse.BooleanOptionalAction}
    if issubclass(kind, Enum):
        shape = {"type": partial(_member, kind), "metavar": "|".join(str(one.value) for one in kind)}
        alone = {"nargs": "?", "const": field.metadata["alone"]} if "alone" in field.metadata else {}
        return shape | alone  # what the flag means without a value
    if kind is Path:
        return {"type": Path, "metavar": "FILE"}
    return {"type": count, "metavar": "N"} if kind is int else {"type": kind, "metavar": "VALUE"}


def _member(kind: type[Enum], value: str) -> Enum:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(str(one.value) for one in kind)
        raise argparse.ArgumentTypeError(f"`{value}` is none of {known}") from None


def _members(kind: type[Enum], value: str) -> tuple[Enum, ...]:
    return tuple(_member(kind, name.strip()) for name in value.split(","))


def _value_type(hint: Any) -> type[Any]:
    """The type of a flag's value: what is left of a union without None."""
    alternatives = get_args(hint) if isinstance(hint, UnionType) else (hint,)
    (kind,) = (one for one in alternatives if one is not type(None))
    assert isinstance(kind, type)
    return kind


def options_from(flags: Mapping[str, Any], options: type[Options]) -> Options:
    """The dataclass with the values that the flags have; defaults for flags that a command lacks."""
    names = [field.name for field in fields(options)]  # type: ignore[arg-type]
    return options(**{name: flags[name] for name in names if name in flags})


def field_docstrings(options: type[Any]) -> dict[str, str]:
    """The string below each field of a dataclass, which Python itself forgets."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(options)))
    body = tree.body[0].body if isinstance(tree.body[0], ast.ClassDef) else []
    found: dict[str, str] = {}
    for declared, text in pairwise(body):
        match declared, text:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(docstring))),
            ):
                found[name] = " ".join(docstring.split())
            case _:
                pass
    return found
