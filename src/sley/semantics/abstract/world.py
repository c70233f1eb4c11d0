"""What a step of one thread is told of everything else, and tells it."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from sley.analyses.ranges import Fact
from sley.program.program import Edge
from sley.program.properties import Failure, Property
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.facts import FactReader
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.state import AbstractState, Lock
from sley.semantics.abstract.values import Reference, Token, Value


class Guard(NamedTuple):
    """Something that no two threads have at once."""

    object: int
    """-1: an atomic section."""
    offset: int = 0
    is_inside: bool = False
    """Whether it is in the very instance of the object that is accessed."""


class SharedTouch(NamedTuple):
    """An access to memory that others may reach."""

    object: int
    offsets: Fact
    size: int
    """0: all of it."""
    is_write: bool
    is_atomic: bool
    guards: frozenset[Guard]
    thread: int | None
    running: frozenset[Reference] | None

    @property
    def is_end(self) -> bool:
        """Whether the object is gone after it."""
        return not self.size


class PossibleWait(NamedTuple):
    """A thread may have to wait: for one of some locks, or for the end of one of some threads."""

    cells: frozenset[ObjectCell]
    """Those of the locks."""
    threads: frozenset[int]
    thread: int | None
    """The one that waits."""
    running: frozenset[Reference] | None
    held: frozenset[Lock]
    maybe: frozenset[Lock] | None


class World(FactReader):
    """All that is known beside the state of one thread; and what calls and starts lead to."""

    @abstractmethod
    def call(
        self, context: Context, edge: Edge, function: str, arguments: Sequence[Value], state: AbstractState
    ) -> list[AbstractState]:
        """The states after a call, seen by the caller."""

    @abstractmethod
    def start(
        self,
        context: Context,
        edge: Edge,
        thread: int,
        function: str,
        arguments: Sequence[Value],
        state: AbstractState,
    ) -> None:
        """A thread starts."""


class Doubt(Enum):
    """Why it is not sure that something goes well."""

    NULL = "the pointer may be null"
    BOUNDS = "it may be outside of its object"
    GONE = "the object may not live any more"
    FOREIGN = "the pointer comes from a function without a body"
    ADDRESS = "where the pointer leads is not known"
    CONSTANT = "the object may not be written"
    BLOCK = "it may not be the start of a block"
    NOT_HELD = "the thread may not hold it"
    HANDLE = "the thread may have been joined or detached"
    CODE = "it may not be the address of a function"
    VALUES = "the values are not known well enough"
    WAITS = "what is waited for may never come"
    MEETS = "another thread may be there at the same time"


class Listener:
    """Hears what may go wrong; this one does nothing."""

    def touches(self, context: Context, edge: Edge, touch: SharedTouch) -> None:
        """A thread accesses memory that others may reach, while others run."""

    def checks(self, context: Context, edge: Edge, prop: Property, doubt: Doubt | None) -> None:
        """An instruction may be wrong, or, without doubt, is right."""

    def takes(self, context: Context, cells: Iterable[ObjectCell]) -> None:
        """One of some locks is taken."""

    def waits_for(self, context: Context, edge: Edge, wait: PossibleWait) -> None:
        """A thread may wait for a lock, or for the end of another one."""

    def may_stay(self, context: Context, edge: Edge) -> None:
        """A thread may wait, and it is not known for what."""

    def begins(self, context: Context, edge: Edge) -> None:
        """An atomic section begins."""

    def names(self, token: Token, value: Value) -> None:
        """What is read, or returned, gets a name."""

    def ends(self, context: Context, edge: Edge, state: AbstractState) -> None:
        """A thread ends, and the process goes on."""

    def reaches(self, context: Context, edge: Edge, failure: Failure) -> None:
        """An error location may be reached."""

    def is_elsewhere(self, context: Context, edge: Edge) -> None:
        """Memory is accessed by an unknown address."""

    def gives_up(self, context: Context, edge: Edge, reason: str) -> None:
        """It is not known how to go on."""
