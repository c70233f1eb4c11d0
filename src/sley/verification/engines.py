"""The engines by the name that ``--engine`` takes."""

from collections.abc import Callable, Mapping
from typing import Any

from sley.base.budget import Budget
from sley.engines.explore import explore
from sley.evidence.verdict import Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import Property

Engine = Callable[[Program, frozenset[Property], Any, Budget], tuple[Verdict, Statistics]]
"""From a prepared program and the engine's own options to a verdict whose evidence was checked.

Among the statistics, ``CHECKING`` is the time that checking the evidence took.
"""

CHECKING = "seconds checking"
FINDING = "seconds finding"

ENGINES: Mapping[str, Engine] = {"explore": explore}
