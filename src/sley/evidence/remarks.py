"""What a replay remarks of events and of violations, as data: ``wording.events`` has the words.

A *note* belongs to one event, a *fact* to a violation, and a *reliance* is what a run rests on that neither
the program nor C says. Threads are given by number, places by line.
"""

from dataclasses import dataclass
from enum import Enum

from sley.base.reasons import Reason, Why
from sley.program.instructions import MemoryOrder


class Mark(Enum):
    """Notes that need no details."""

    FOR_READING = "for-reading"
    """Of a lock that others may hold for reading as well."""
    SPURIOUS_WAKE_UP = "spurious-wake-up"
    REACHES_MEMORY = "reaches-memory"
    """Of a store that was pending."""
    OWN_PENDING_STORE = "own-pending-store"
    """A read sees a store of its thread that has not reached memory."""
    ATTEMPT_FAILS = "attempt-fails"
    """An attempt fails for no reason, as it may."""
    ATTEMPT_GOES_ON = "attempt-goes-on"
    """An attempt that may fail for no reason does not."""
    RUNS_FOR_EVER = "runs-for-ever"


class Awaited(Enum):
    """What a thread waits for."""

    LOCK = "lock"
    """One that a thread holds."""
    END = "end"
    """Of a thread."""
    SIGNAL = "signal"
    POST = "post"
    """Of a semaphore."""
    BARRIER = "barrier"
    READ_LOCK = "read-lock"
    """It might be granted, but while a writer waits nothing guarantees that."""
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Waits:
    """A thread cannot go on."""

    what: Awaited
    name: str = ""
    """The object that it waits for; empty if it cannot be told."""
    holder: int | None = None
    """LOCK: the thread that holds it; END: the thread that has to end."""


class AccessKind(Enum):
    """What an access of a data race does."""

    READ = "read"
    WRITE = "write"
    FREE = "free"
    USE = "use"
    """In a model of a library function: what it does to its object is not for users."""


@dataclass(frozen=True, slots=True)
class Accesses:
    """A thread is about to access what another one accesses."""

    what: AccessKind
    name: str
    is_atomic: bool
    is_inner: bool = False
    """Whether it is memory of the library that C has no name for."""


@dataclass(frozen=True, slots=True)
class Arrives:
    """A thread comes to a barrier, as one of so many."""

    count: int
    needed: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A local object ends."""

    is_with_thread: bool
    line: int | None = None
    """Where an object without a name was made."""


@dataclass(frozen=True, slots=True)
class NoModel:
    """A function without a model may do anything; here it returns this value, if it returns one."""

    value: str | None


@dataclass(frozen=True, slots=True)
class Fails:
    """A call fails that can, as its model says: ``malloc fails: returns NULL``."""

    how: str


class Reordering(Enum):
    """How an access relates to a write that threads which only interleave would not show so."""

    UNSEEN = "unseen"
    """The write was there already, and the access does not see it."""
    LATER_IN_ORDER = "later-in-order"
    """The write happened before, and comes behind this one in the order of the writes to the place."""
    FROM_LATER = "from-later"
    """A read sees the write, which comes later in the list of events."""
    FROM_BEFORE = "from-before"
    """A read sees a value that is older than the write, which was there already."""


@dataclass(frozen=True, slots=True)
class Reordered:
    """An access and the write that it does not see, or sees too early."""

    how: Reordering
    thread: int
    line: int | None


Note = Mark | Waits | Accesses | Arrives | Gone | NoModel | Fails | Reordered


@dataclass(frozen=True, slots=True)
class Value:
    """A variable that the failing statement reads has a value."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Racing:
    """One of the accesses of a race."""

    thread: int
    access: Accesses
    line: int | None


@dataclass(frozen=True, slots=True)
class MissingOrder:
    """A thread read what another one wrote, but one of the two accesses is too weak to order anything."""

    reader: int
    writer: int
    read_line: int | None
    write_line: int | None
    is_load_weak: bool
    """Whether the load is too weak; else it is the store."""
    order: MemoryOrder
    """The memory order of that access; PLAIN if it is not atomic."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A thread waits for another one."""

    thread: int
    note: Waits
    statement: str
    line: int | None


class Escape(Enum):
    """What could end a loop that is without end otherwise."""

    NOTHING = "nothing"
    SPURIOUS_WAKE_UP = "spurious-wake-up"
    NOT_GUARANTEED = "not-guaranteed"
    """Something that implementations need not do."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """A thread executes the same lines for ever."""

    thread: int
    lines: tuple[int, ...]
    escape: Escape


@dataclass(frozen=True, slots=True)
class Lost:
    """Nothing points to a block any more."""

    thread: int | None = None
    """The thread that allocated it; None if that is not known."""
    line: int | None = None
    function: str = ""
    """How, if that is not ``malloc`` in the program itself."""


Fact = Value | Racing | MissingOrder | Waiting | Repeats | Lost


@dataclass(frozen=True, slots=True)
class Unmodelled:
    """What a function does that has no body and no model."""

    function: str

    def __str__(self) -> str:
        return f"unmodelled function `{self.function}`"


@dataclass(frozen=True, slots=True)
class Unspecified:
    """What C leaves open: where objects lie, what is between the members of a structure."""

    what: str

    def __str__(self) -> str:
        return self.what


Reliance = Unmodelled | Unspecified


def possible(text: str, reliances: tuple[Reliance, ...]) -> Reason:
    """Why there is no answer if a bug is only possible: what its run rests on."""
    match reliances[0]:
        case Unmodelled(function):
            return Reason(text, Why.NO_MODEL, f"`{function}`")
        case Unspecified():
            return Reason(text, Why.POSSIBLE_BUG, ", ".join(map(str, reliances)))
