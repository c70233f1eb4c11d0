"""What is to be verified, and how: immutable, and complete enough to run again."""

from dataclasses import dataclass, field
from pathlib import Path

from sley.engines.explore.options import ExploreOptions
from sley.frontend.data_model import DataModel
from sley.program.properties import ALL_PROPERTIES
from sley.verification.property_files import Selection

DEFAULT_SECONDS = 300.0

EVERYTHING = Selection(ALL_PROPERTIES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use; None means no limit."""

    seconds: float | None = DEFAULT_SECONDS
    megabytes: int | None = None


EngineOptions = ExploreOptions
"""The options of all engines, as a union; their type must fit the engine's name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A program, what to check of it, and what the check may cost."""

    paths: tuple[Path, ...]
    selection: Selection = EVERYTHING
    data_model: DataModel = DataModel.LP64
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    models: tuple[Path, ...] = ()
    """C files of the user's with bodies for functions that have none, preferred to our models."""
    limits: Limits = Limits()
    engine: str = "explore"
    options: EngineOptions = field(default_factory=ExploreOptions)
