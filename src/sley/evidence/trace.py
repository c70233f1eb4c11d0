"""A run that violates a property: the schedule that replays it, and what happened in it.

The *schedule* is all that a replay needs. The *trace* is what the replay saw, with the names that C has: it
is made by replaying a schedule on the concrete interpreter, never by an engine.
"""

from dataclasses import dataclass, field
from enum import Enum

from sley.evidence.execution_graph import ExecutionGraph
from sley.evidence.remarks import Fact, Note, Reliance, Reordered
from sley.program.memory_model import MemoryModel
from sley.program.program import Origin, Site
from sley.program.properties import ON_REQUEST, Failure


@dataclass(frozen=True, slots=True)
class ScheduleStep:
    """One step of a schedule: the thread that acts, and its nondeterministic choices in order."""

    thread: int
    choices: tuple[int, ...] = ()


Schedule = tuple[ScheduleStep, ...]


class EventKind(Enum):
    """What a thread did."""

    READ = "read"
    WRITE = "write"
    UPDATE = "update"
    DELAY = "delay"
    """A store that other threads do not see yet."""
    ASSIGN = "assign"
    """A local variable of the user got a value."""
    BRANCH = "branch"
    INPUT = "input"
    CREATE = "create"
    JOIN = "join"
    LOCK = "lock"
    UNLOCK = "unlock"
    WAIT = "wait"
    """A thread that waited goes on."""
    SLEEP = "sleep"
    """A thread begins to wait for a condition variable; ``value`` is the mutex that it releases."""
    SIGNAL = "signal"
    """A condition variable is signalled; ``others`` are the threads that this wakes up."""
    REFUSE = "refuse"
    """An attempt to take a lock or a semaphore failed; ``others`` are the holders, if known."""
    TAKE = "take"
    """A semaphore is counted down."""
    POST = "post"
    """A semaphore is counted up."""
    ARRIVE = "arrive"
    """A thread comes to a barrier, as the ``value``-th of those that wait there."""
    INITIALISE = "initialise"
    """An object of the library is initialised; ``value`` is the count of a semaphore or of a barrier."""
    DESTROY = "destroy"
    """An object of the library is destroyed."""
    ALLOCATE = "allocate"
    FREE = "free"
    LEAVE = "leave"
    """A local variable that is used afterwards is gone."""
    CALL = "call"
    """A library function that did something else, or a user function was entered."""
    EXIT = "exit"
    END = "end"
    FAIL = "fail"
    """The violation itself; always the last event (two of them for a race, one per blocked thread for a
    deadlock)."""


@dataclass(frozen=True, slots=True)
class TraceEvent:
    """One thing that happened."""

    step: int
    """Index into the schedule; events of one step belong together."""
    thread: int
    kind: EventKind
    origin: Origin
    target: str = ""
    """The variable, memory location, thread or lock concerned, as C names it (``counter``, ``q->head``)."""
    value: str = ""
    """The value read, written, assigned or chosen."""
    old: str = ""
    """For writes and updates: the value before."""
    is_shared: bool = False
    """READ, WRITE, UPDATE: of memory that several threads use."""
    note: Note | None = None
    """What else is to be said, as data."""
    others: tuple[int, ...] = ()
    """Other threads that this is about: created, joined, woken up, or holders of what is refused."""
    source: int | None = None
    """The step that this follows from: which wrote what is read, released the lock that is taken or took the
    one that is released, ended the thread that is joined, woke the one that waits; in a deadlock, which took
    the lock that is waited for. None: there is none, or it is not known."""
    address: int | None = None
    """READ, WRITE, UPDATE, DELAY, and FAIL of a race: a number for the place in memory, which tells variables
    of one name apart."""
    run: int = 0
    """Which run of its statement it belongs to, counted over all statements from 1; 0: not known."""
    distance: int | None = None
    """How far this is from the failure by what depends on what (``evidence.dependence``); None: the failure
    does not depend on it, or that is unknown."""


class FaultKind(Enum):
    """What is wrong about a pointer, a block, or an object of the library."""

    NULL = "null"
    FREED = "freed"
    """It leads to a block that is freed."""
    CLOSED = "closed"
    """It leads to a stream that is closed."""
    GONE = "gone"
    """It leads to a local variable that has ceased to live."""
    OUTSIDE = "outside"
    """It leads out of an object."""
    INSIDE = "inside"
    """What is to be freed is not the start of a block."""
    NOT_ALLOCATED = "not-allocated"
    """What is to be freed is a variable."""
    READ_ONLY = "read-only"
    NOWHERE = "nowhere"
    """It leads to no object at all."""
    LOST = "lost"
    """A block that nothing points to any more."""


@dataclass(frozen=True, slots=True)
class Fault:
    """What an access, a ``free``, or the end of a run is wrong about."""

    kind: FaultKind
    object: str = ""
    """The variable, or the block as events name it."""
    offset: int = 0
    """How many bytes behind the start of the object."""
    size: int = 0
    """How many bytes the object has."""
    width: int = 0
    """How many bytes are accessed."""
    stride: int = 0
    """How many bytes an element of the object has."""
    step: int | None = None
    """The step with which the last pointer to a block was lost."""


@dataclass(frozen=True, slots=True)
class ThreadInfo:
    """A thread of the trace: ``main``, ``worker #1``."""

    id: int
    name: str
    function: str


@dataclass(frozen=True, slots=True)
class Trace:
    """A violation, replayed."""

    failure: Failure
    schedule: Schedule
    threads: tuple[ThreadInfo, ...]
    events: tuple[TraceEvent, ...]
    origin: Origin | None
    """Where the violation is."""
    facts: tuple[Fact, ...] = ()
    """Values that explain the violation, or the wait-for cycle of a deadlock."""
    depends_on: tuple[Reliance, ...] = ()
    """What the run rests on that is not known; then the bug is only possible. Functions without a model
    might do anything, take a lock or never return; objects may lie elsewhere in memory."""
    memory_model: MemoryModel = MemoryModel.SC
    """Whose run it is: under C11 the choices of steps also say what atomic accesses read, and on a machine
    what all accesses do, unless it is one of the program with store buffers."""
    is_buffered: bool = False
    """Whether it is a run of the program with store buffers, in which threads interleave."""
    followed: tuple[Site, ...] | None = field(default=None, compare=False)
    """The calls that are inlined in the program that this is a run of; None: all."""
    faults: tuple[Fault, ...] = ()
    """What the failing access is wrong about; the blocks that are lost."""
    graph: ExecutionGraph | None = field(default=None, compare=False)
    """The run as memory models see it, if it is small."""
    general: Failure | None = field(default=None, compare=False)
    """What the program says of the error location, if it is one; ``failure`` may know more."""

    @property
    def is_for_processors(self) -> bool:
        """Whether a compiled program can show it.

        When stores reach memory, and what a load with a weak order sees, cannot be forced; and no run shows
        that a loop has no end, or that no step has written what is read.
        """
        is_reordered = any(isinstance(event.note, Reordered) for event in self.events)
        is_of_machine = self.memory_model.is_hardware or self.is_buffered or is_reordered
        return not is_of_machine and self.failure.property not in ON_REQUEST

    @property
    def switches(self) -> int:
        """Context switches: how often the acting thread changes."""
        pairs = zip(self.schedule, self.schedule[1:], strict=False)
        return sum(a.thread != b.thread for a, b in pairs)
