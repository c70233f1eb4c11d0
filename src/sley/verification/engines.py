"""The engines by the name that ``--engine`` takes, each with the checker of its evidence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sley.base.budget import Budget
from sley.evidence.verdict import Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import Property


@dataclass(frozen=True, slots=True)
class Finding:
    """What an engine says, before anybody checked it."""

    verdict: Verdict
    statistics: Statistics


@dataclass(frozen=True, slots=True)
class Engine:
    """A search, and a checker for what the search claims."""

    search: Callable[[Program, frozenset[Property], Any, Budget], Finding]
    check: Callable[[Program, frozenset[Property], Finding, Budget], Verdict]


ENGINES: Mapping[str, Engine] = {}
