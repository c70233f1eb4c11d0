"""Values on the command line: limits, properties, and flags made from option dataclasses."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import MISSING, Field, fields
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS
from sley.verification.property_files import Selection, read_property_file

_SECONDS = {"": 1, "s": 1, "m": 60, "min": 60, "h": 3600}
_MEGABYTES = {"": 1, "m": 1, "mb": 1, "g": 1000, "gb": 1000}


def seconds(text: str) -> float:
    """A time limit: ``10``, ``10s``, ``5m``, ``1h``."""
    return _quantity(text, _SECONDS, "a time such as 10, 10s or 5m")


def megabytes(text: str) -> int:
    """A memory limit: ``2000``, ``2000MB``, ``2GB``."""
    return max(1, int(_quantity(text, _MEGABYTES, "a size such as 2000MB or 2GB")))


def _quantity(text: str, units: dict[str, int], expected: str) -> float:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)", text.strip())
    if match is None or match[2].lower() not in units or float(match[1]) == 0:
        raise typer.BadParameter(f"`{text}` is not {expected}")
    return float(match[1]) * units[match[2].lower()]


def selection(names: Sequence[str]) -> Selection | None:
    """What ``--property`` asks for: names of groups and property files; None if it was not used."""
    chosen: Selection | None = None
    for name in names:
        one = _one_property(name)
        chosen = one if chosen is None else chosen | one
    return chosen


def _one_property(name: str) -> Selection:
    if name == "all":
        return Selection(ALL_PROPERTIES)
    if name in PROPERTY_GROUPS:
        return Selection(PROPERTY_GROUPS[name])
    if name.endswith(".prp"):
        return read_property_file(Path(name))
    known = ", ".join([*PROPERTY_GROUPS, "all"])
    raise typer.BadParameter(f"`{name}` is none of {known}, and not a .prp file")


# --- flags from dataclasses ------------------------------------------------------------------------


def with_options(options: type[Any]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a command one flag per field of a dataclass; it gets them as one argument ``options``."""
    names = [field.name for field in fields(options)]

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        def invoked(**arguments: Any) -> int:
            chosen = options(**{name: arguments.pop(name) for name in names})
            return command(**arguments, options=chosen)

        own = [p for p in inspect.signature(command).parameters.values() if p.name != "options"]
        parameters = [*own, *_parameters(options)]
        invoked.__doc__ = command.__doc__
        invoked.__name__ = command.__name__
        invoked.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        invoked.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        return invoked

    return decorate


def _parameters(options: type[Any]) -> list[inspect.Parameter]:
    hints = get_type_hints(options)
    texts = field_docstrings(options)
    return [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=field.default if field.default_factory is MISSING else field.default_factory(),
            annotation=Annotated[hints[field.name], typer.Option(*_flags(field), help=texts.get(field.name))],
        )
        for field in fields(options)
    ]


def _flags(field: Field[Any]) -> list[str]:
    """``--name``, and ``--no-name`` for a switch that is on by default."""
    flag = field.name.replace("_", "-")
    return [f"--{flag}/--no-{flag}"] if field.default is True else [f"--{flag}"]


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
