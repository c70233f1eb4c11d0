"""What a step of one thread is told of everything else, and tells it."""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple, Protocol

from sley.analyses.ranges import Fact
from sley.program.program import Edge
from sley.program.properties import Failure, Property
from sley.semantics.abstract.objects import MANY_MAKERS, Cell
from sley.semantics.abstract.state import Lock, Memory, State
from sley.semantics.abstract.values import Reference, Token, Value

LOCK_SIZE = 4
"""Bytes of the cell of a lock."""

OWNER = Value(Fact(0, (1 << 31) - 1))
"""What the cell of a lock holds."""


@dataclass(frozen=True, slots=True)
class Context:
    """A function, and under which circumstances it is called: threads of one kind, in one situation."""

    index: int
    function: str
    thread: int | None
    """Which threads run it: those of this object; None: the first thread."""
    is_one_of_many: bool = False
    """Whether what is made there is not told from what is made in other such contexts of the function."""

    @property
    def maker(self) -> int:
        """The context that abstract objects have that are made there."""
        return MANY_MAKERS if self.is_one_of_many else self.index


class Guard(NamedTuple):
    """Something that no two threads have at once."""

    object: int
    """-1: an atomic section."""
    offset: int = 0
    is_inside: bool = False
    """Whether it is in the very instance of the object that is accessed."""


class Touch(NamedTuple):
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


class Wait(NamedTuple):
    """A thread may have to wait: for one of some locks, or for the end of one of some threads."""

    cells: frozenset[Cell]
    """Those of the locks."""
    threads: frozenset[int]
    thread: int | None
    """Who waits."""
    running: frozenset[Reference] | None
    held: frozenset[Lock]
    maybe: frozenset[Lock] | None


class World(Memory, Protocol):
    """All that is known beside the state of one thread."""

    def is_overwritten(self, cell: Cell) -> bool:
        """Whether something else than a lock may be written to a cell while several threads run."""
        ...

    def is_some_lock_overwritten(self) -> bool:
        """Whether that is so of the cell of any lock."""
        ...

    @abstractmethod
    def asks(self, context: Context, obj: int) -> None:
        """Somebody wants to know whether an object is gone."""
        ...

    @abstractmethod
    def handles(self, context: Context, objs: Collection[int]) -> None:
        """Somebody takes or gives back a lock in one of these objects, or writes to where one may be."""
        ...

    @abstractmethod
    def is_once(self, obj: int) -> bool:
        """Whether there is at most one instance of an object."""
        ...

    def is_outlived(self, obj: int, *, not_by_first: bool = False) -> bool:
        """Whether a thread, or one that is not the first, may have ended what another one can reach."""
        ...

    @abstractmethod
    def outlive(self, obj: int, thread: int | None) -> None:
        """A thread ends an instance of an object that another one can reach."""
        ...

    def is_shared(self, obj: int) -> bool:
        """Whether other threads than the one that made it may have the address of an object."""
        ...

    def offspring(self, thread: int) -> Iterable[int]:
        """The threads that a thread, or one that it started, may start."""
        ...

    def functions_of(self, thread: int | None) -> Collection[str]:
        """The functions that a thread may be in."""
        ...

    def call(
        self, context: Context, edge: Edge, function: str, arguments: Sequence[Value], state: State
    ) -> list[State]:
        """The states after a call, seen by the caller."""
        ...

    def start(
        self,
        context: Context,
        edge: Edge,
        thread: int,
        function: str,
        arguments: Sequence[Value],
        state: State,
    ) -> None:
        """A thread starts."""
        ...

    @abstractmethod
    def overwrites(self, cells: Iterable[Cell]) -> None:
        """Cells are written other than by taking and giving back a lock, while others run."""
        ...

    @abstractmethod
    def locks(self, cells: Iterable[Cell]) -> None:
        """Cells are those of locks."""
        ...

    def is_locked(self, cell: Cell) -> bool:
        """Whether a cell may be that of a lock."""
        ...

    def is_lock(self, cell: Cell) -> bool:
        """Whether all that is written to a cell is zero, unless as a lock is taken."""
        ...


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
    """Who wants to know what may go wrong; this one does not."""

    def touches(self, context: Context, edge: Edge, touch: Touch) -> None:
        """A thread accesses memory that others may reach, while others run."""

    def checks(self, context: Context, edge: Edge, prop: Property, doubt: Doubt | None) -> None:
        """An instruction may be wrong, or, without doubt, is right."""

    def takes(self, context: Context, cells: Iterable[Cell]) -> None:
        """One of some locks is taken."""

    def waits_for(self, context: Context, edge: Edge, wait: Wait) -> None:
        """A thread may wait for a lock, or for the end of another one."""

    def may_stay(self, context: Context, edge: Edge) -> None:
        """A thread may wait, and nobody knows for what."""

    def begins(self, context: Context, edge: Edge) -> None:
        """An atomic section begins."""

    def names(self, token: Token, value: Value) -> None:
        """What is read, or returned, gets a name."""

    def ends(self, context: Context, edge: Edge, state: State) -> None:
        """A thread ends, and the process goes on."""

    def reaches(self, context: Context, edge: Edge, failure: Failure) -> None:
        """An error location may be reached."""

    def is_elsewhere(self, context: Context, edge: Edge) -> None:
        """Memory is accessed by an address that nobody knows."""

    def gives_up(self, context: Context, edge: Edge, reason: str) -> None:
        """Nobody knows how to go on."""

    def unmodelled(self, context: Context, edge: Edge, function: str) -> None:
        """A function without a body is called."""
