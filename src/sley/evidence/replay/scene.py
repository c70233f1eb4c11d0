"""The end of a replayed run, as its judges see it, and what they find."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sley.evidence.remarks import Fact, Note
from sley.evidence.replay.recorder import Recorder
from sley.program.program import Edge
from sley.program.properties import Failure
from sley.semantics.machine import StateMachine
from sley.semantics.violations import StatePredicates


class ReplayError(Exception):
    """The schedule does not lead to the violation: an engine was wrong."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A run so far, and the failure that it is to end with."""

    machine: StateMachine
    predicates: StatePredicates
    recorder: Recorder
    failure: Failure
    pointed_to: list[set[int]] = field(default_factory=list)
    """If leaks are asked about: the blocks that something leads to before each step."""


@dataclass(frozen=True, slots=True)
class Party:
    """A thread that fails, and where; each becomes the last event of its thread."""

    thread: int
    edge: Edge | None
    note: Note | None = None
    target: str = ""
    """What it waits for, or what its call is wrong about."""
    source: int | None = None
    """The step that took what it waits for."""
    address: int | None = None
    """In a race: what it accesses."""
    run: int | None = None
    """The run of a statement, if it is not the one that the thread is at."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A failure that has come about."""

    failure: Failure
    parties: tuple[Party, ...]
    roots: Mapping[int, int]
    """The executed edges that it depends on directly, each with its distance."""
    facts: tuple[Fact, ...] = ()
    general: Failure | None = None
    """What the program says of the error location, if it is one."""

    @property
    def edge(self) -> Edge | None:
        """Where the failure is."""
        return self.parties[0].edge
