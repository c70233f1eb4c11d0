"""What can be reported, for tools that list rules: a name, a sentence and advice for each property."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from sley.program.properties import Property


@dataclass(frozen=True, slots=True)
class Rule:
    """A property from the side of what goes wrong, as ``rules.toml`` has it."""

    name: str
    short: str
    full: str
    advice: str
    weakness: int
    """Its number in the Common Weakness Enumeration."""


@cache
def rules() -> dict[Property, Rule]:
    """The rules that violations are reported under."""
    text = files("sley.reports").joinpath("rules.toml").read_text(encoding="utf-8")
    return {Property(name): Rule(**said) for name, said in tomllib.loads(text).items()}
