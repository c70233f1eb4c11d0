"""What is to be verified, and how: immutable, and complete enough to run again."""

from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from sley.base.source import Span
from sley.engines.abstract.options import AbstractOptions
from sley.engines.bmc.options import BmcOptions
from sley.engines.explore.options import ExploreOptions
from sley.engines.impact.options import ImpactOptions
from sley.engines.modular.options import ModularOptions
from sley.engines.symmetry.options import SymmetryOptions
from sley.frontend.data_model import DataModel
from sley.frontend.harness.plan import Harness
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.property_files import Selection

if TYPE_CHECKING:
    from sley.passes.guarantees import Guarantees

DEFAULT_SECONDS, FOLDER_SECONDS = 300.0, 120.0

BUFFER_SIZE = 4

ENGINE_NAMES = ("explore", "impact", "bmc", "modular", "symmetry", "abstract")
"""What ``--engine`` takes."""

ONLY_FINDS = "directed"
"""The engine that proves nothing, and has no options."""

EVERYTHING = Selection(ALL_PROPERTIES)


def everything(model: MemoryModel) -> Selection:
    """All that can be asked under a memory model: no data races where every access is one of a machine."""
    return Selection(ALL_PROPERTIES - {Property.RACE}) if model.is_hardware else EVERYTHING


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a run may use; None means no limit."""

    seconds: float | None = DEFAULT_SECONDS
    megabytes: int | None = None


class Granularity(Enum):
    """What threads interleave at."""

    ACCESS = "access"
    """Single accesses to memory, as C has it."""
    STATEMENT = "statement"
    """Whole C statements, to compare with measurements that were made that way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineOptions:
    """The options of all engines, by the engine's name."""

    explore: ExploreOptions = field(default_factory=ExploreOptions)
    bmc: BmcOptions = field(default_factory=BmcOptions)
    impact: ImpactOptions = field(default_factory=ImpactOptions)
    modular: ModularOptions = field(default_factory=ModularOptions)
    abstract: AbstractOptions = field(default_factory=AbstractOptions)
    symmetry: SymmetryOptions = field(default_factory=SymmetryOptions)


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
    harness: Harness | None = None
    """The callers of a library's functions; None for a program with a ``main``."""
    target: str | None = None
    """Which program is meant, where a folder or a build has several; None: the only one."""
    arguments: tuple[str, ...] | None = None
    """What the program is started with, behind its name; None: anything."""
    argc_may_be_zero: bool = False
    """Whether ``argc`` may be 0: a start without even the name of the program."""
    allows_inner_overrun: bool = False
    """Whether an index may leave the array that it is of, as long as it stays inside the whole object."""
    malloc_may_fail: bool = False
    """Whether malloc and its kin may return null."""
    create_may_fail: bool = False
    """Whether pthread_create and its kin may start no thread, and say so."""
    all_bugs: bool = False
    """Whether the search goes on after a violation, until no other is found."""
    each_check: bool = False
    """Whether every check is settled on its own, as in large programs, and those that are open are listed."""
    suppress: tuple[str, ...] = ()
    """Findings that the user has accepted, each as its property and its fingerprint; comments in the source
    name others."""
    relaxed: tuple[Span, ...] = ()
    """Where plain accesses are taken as atomic and relaxed, as races there were suppressed."""
    recursion: int | None = None
    """How many calls of a function may be active at once; None: ten, and more where random runs need them."""
    granularity: Granularity = Granularity.ACCESS
    memory_model: MemoryModel = MemoryModel.C11
    buffer_size: int = BUFFER_SIZE
    """Under TSO and PSO: so many stores of a thread may wait at once; where more would, nothing is proved."""
    instrument: Instrument = Instrument.CRITICAL
    """Under TSO and PSO: which stores may wait."""
    guarantees: "Guarantees | None" = None
    """What memory orders and fences guarantee, instead of what the program says."""
    limits: Limits = Limits()
    engines: tuple[str, ...] = ()
    """The engines to ask; none named: those that fit the program."""
    jobs: int | None = None
    """How many engines work at once; None: one on each core; 0: they take turns in the caller's process."""
    uses_facts: bool = True
    """Whether other engines are spared what ``abstract`` proves."""
    cluster: str | None = None
    """The address of a Ray cluster on whose nodes engines work: ``auto``, ``local`` (one is started), or as
    Ray has it; None: on this machine, without Ray."""
    keeps_proof: bool = False
    """Whether a proof comes as a file can keep it."""
    wants_invariants: bool = False
    """Whether a proof comes with what it says about places of the C program."""
    options: EngineOptions = field(default_factory=EngineOptions)
