"""What calls of the thread library do to its objects, told by the members that its models keep.

The members are those of ``frontend/models/sley.h``: a mutex has its ``owner``, a semaphore its ``value``.
They are none of the user's: what is said here names the object that they belong to.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sley.evidence.remarks import Arrives, Awaited, Mark, Note
from sley.evidence.trace import EventKind
from sley.program.properties import Failure

_WRAPPERS = (".mutex", ".condition", ".barrier")
"""Members of C11's and Windows' objects that have the whole of a POSIX object."""
_MEMBERS = ("owner", "writer", "waiters", "readers", "arrived", "needed", "value", "state", "kind", "mutex")
_OF_MUTEX = frozenset({"owner", "depth", "kind"})
CONDITION_VARIABLE = "condition variable"
"""What failures of the models call one."""
_BITS_OF_READER = 4


@dataclass(frozen=True, slots=True)
class CallEffect:
    """What a call does to an object; the fields are those of an event."""

    kind: EventKind
    target: str
    value: str = ""
    old: str = ""
    others: tuple[int, ...] = ()
    note: Note | None = None


@dataclass(frozen=True, slots=True)
class MemberAccess:
    """A library call reads or writes a member of an object."""

    call: str
    """The function that the user called."""
    thread: int
    name: str
    """The object, as C calls it, and the member."""
    is_inside: bool
    """In an atomic section: what is decided by the value happens in the same step."""
    is_write: bool
    old: int
    value: int


def object_of(name: str) -> str:
    """The object of the user that a member belongs to."""
    owner, _, member = name.rpartition(".")
    if member not in (*_MEMBERS, "depth", "is_initialised", "waiting"):
        return name
    for wrapper in _WRAPPERS:
        owner = owner.removesuffix(wrapper)
    return owner


@dataclass(slots=True)
class UsedObjects:
    """The objects that one call uses, by the members that it looks at."""

    run: int = 0
    """Which run of which statement the call is."""
    members: dict[str, set[str]] = field(default_factory=dict)

    def add(self, name: str) -> None:
        """A member is accessed."""
        self.members.setdefault(object_of(name), set()).add(name.rpartition(".")[2])

    def wrong(self, failure: Failure) -> str:
        """The object that a failure of the call is about; empty if that cannot be told.

        A wait uses a mutex and a condition variable; all other calls use one object.
        """
        wants_mutex = failure.subject != CONDITION_VARIABLE
        fitting = [o for o, members in self.members.items() if bool(members & _OF_MUTEX) == wants_mutex]
        found = list(self.members) if len(self.members) == 1 else fitting
        return found[0] if len(found) == 1 else ""


class LibraryObjects:
    """Follows the objects of one run."""

    def __init__(self) -> None:
        self.needed: dict[str, int] = {}
        """How many threads the barriers wait for."""

    def effects(self, access: MemberAccess) -> Iterator[CallEffect]:
        """What the access comes to, if it is one that says something."""
        call, name = access.call.lower(), object_of(access.name)
        member = "owner" if "spin" in call else access.name.rpartition(".")[2]
        if member == "needed":
            self.needed[name] = access.value
        if access.is_write and _is_life(call):
            yield from _lived(access, call, name, member)
        elif member == "arrived" and access.is_write:
            yield self._arrived(access, name)
        elif member == "waiters" and "barrier" not in call:
            yield from _waited(access, call, name)
        elif member == "readers":
            yield from _read_locked(access, call, name)
        elif member == "value":
            yield from _counted(access, call, name)
        elif member in ("owner", "writer") and not access.is_write:
            yield from _refused(access, call, name)

    def _arrived(self, access: MemberAccess, name: str) -> CallEffect:
        """The last to come sets the count back to 0."""
        needed = self.needed.get(name, 0)
        count = access.value or needed
        note = Arrives(count, needed) if needed else None
        return CallEffect(EventKind.ARRIVE, name, value=str(count), note=note)


def awaited_by(call: str) -> Awaited:
    """What a thread waits for that is in a call of the library and cannot go on."""
    if "cond" in call.lower() or call.startswith("cnd_"):
        return Awaited.SIGNAL
    if call.startswith("sem_"):
        return Awaited.POST
    if "barrier" in call.lower():
        return Awaited.BARRIER
    return Awaited.READ_LOCK if "rdlock" in call else Awaited.OTHER


def is_attempt(call: str) -> bool:
    """Whether a function only tries to take a lock, or waits until some time, by its name in lower case."""
    return "try" in call or "timed" in call or "clock" in call


def _is_life(call: str) -> bool:
    """Whether an object is initialised or destroyed."""
    return ("init" in call and "once" not in call) or "destroy" in call or "delete" in call


def _lived(access: MemberAccess, call: str, name: str, member: str) -> Iterator[CallEffect]:
    """The count is written, or, of what has none, the state."""
    has_count = "sem_" in call or "barrier" in call
    if "init" not in call:
        if member in ("state", "kind"):
            yield CallEffect(EventKind.DESTROY, name)
    elif has_count and member in ("value", "needed"):
        yield CallEffect(EventKind.INITIALISE, name, value=str(access.value))
    elif not has_count and member in ("state", "kind"):
        yield CallEffect(EventKind.INITIALISE, name)


def _refused(access: MemberAccess, call: str, name: str) -> Iterator[CallEffect]:
    """A thread that only tries, and sees that another one holds the lock, does not get it."""
    holder = access.value - 1
    if is_attempt(call) and access.is_inside and access.value and holder != access.thread:
        yield CallEffect(EventKind.REFUSE, name, others=(holder,))


def _waited(access: MemberAccess, call: str, name: str) -> Iterator[CallEffect]:
    """The set of threads that wait for a condition: bit by bit."""
    if "signal" in call or "broadcast" in call or "wake" in call:
        if access.is_write and access.old:
            yield CallEffect(EventKind.SIGNAL, name, others=tuple(_bits(access.old & ~access.value)))
        elif not access.is_write and not access.value:
            yield CallEffect(EventKind.SIGNAL, name)
    elif access.is_write and access.value & ~access.old:
        yield CallEffect(EventKind.SLEEP, name)


def _read_locked(access: MemberAccess, call: str, name: str) -> Iterator[CallEffect]:
    """How often each thread holds a lock for reading: four bits for each."""
    if access.is_write:
        kind = EventKind.LOCK if access.value > access.old else EventKind.UNLOCK
        yield CallEffect(kind, name, note=Mark.FOR_READING)
    elif is_attempt(call) and access.is_inside and "wr" in call and access.value:
        yield CallEffect(EventKind.REFUSE, name, others=tuple(_readers(access.value)))


def _counted(access: MemberAccess, call: str, name: str) -> Iterator[CallEffect]:
    if access.is_write:
        kind = EventKind.TAKE if "wait" in call else EventKind.POST
        yield CallEffect(kind, name, str(access.value), str(access.old))
    elif is_attempt(call) and access.is_inside and access.value == 0:
        yield CallEffect(EventKind.REFUSE, name)


def _bits(word: int) -> Iterator[int]:
    return (bit for bit in range(word.bit_length()) if word >> bit & 1)


def _readers(word: int) -> Iterator[int]:
    most = word.bit_length() // _BITS_OF_READER + 1
    return (n for n in range(most) if word >> n * _BITS_OF_READER & (1 << _BITS_OF_READER) - 1)
