"""The closed set of instructions on the edges of a program.

Terms in instructions range over the registers of the function that the edge belongs to, the addresses of
its local objects (variables named ``&name``) and the thread's own handle (the variable ``self``).

*Local* instructions touch registers only: Assign, Assume, Check, Havoc. All others are *visible*: another
thread may notice them, or be noticed. Every visible instruction makes at most one access to memory.

*Blocked* is not *cut*: Lock, Join and Await are disabled while they cannot proceed, and may be enabled later
by other threads; an Assume that fails (with no sibling that holds) ends the whole run.
"""

from dataclasses import dataclass, field
from enum import Enum

from sley.logic.sorts import Sort, width_of
from sley.logic.terms import Term
from sley.program.memory import Display, Layout, MemoryObject
from sley.program.properties import Failure


@dataclass(frozen=True, slots=True)
class Register:
    """A local scalar whose address is never taken; ``term`` is its variable."""

    name: str
    """Unique in its function."""
    sort: Sort
    term: Term
    c_name: str = ""
    """What the user wrote; empty for temporaries."""
    display: Display = Display.SIGNED


class MemoryOrder(Enum):
    """The memory order of an access; PLAIN accesses can race."""

    PLAIN = "plain"
    RELAXED = "relaxed"
    CONSUME = "consume"
    """As ACQUIRE, which is what all compilers make of it."""
    ACQUIRE = "acquire"
    RELEASE = "release"
    ACQUIRE_RELEASE = "acq_rel"
    SEQUENTIAL = "seq_cst"

    @property
    def acquires(self) -> bool:
        """Whether a load, or the load in an update, or a fence synchronises with what it sees."""
        return self in _ACQUIRING

    @property
    def releases(self) -> bool:
        """Whether a store, or the store in an update, or a fence can be synchronised with."""
        return self in _RELEASING


_ACQUIRING = frozenset(
    {MemoryOrder.CONSUME, MemoryOrder.ACQUIRE, MemoryOrder.ACQUIRE_RELEASE, MemoryOrder.SEQUENTIAL}
)
_RELEASING = frozenset({MemoryOrder.RELEASE, MemoryOrder.ACQUIRE_RELEASE, MemoryOrder.SEQUENTIAL})


@dataclass(frozen=True, slots=True)
class Access:
    """One scalar in memory: where, of which sort, with which order, and what C calls it."""

    address: Term
    sort: Sort
    order: MemoryOrder = MemoryOrder.PLAIN
    text: str = ""
    """The C expression, such as ``p->next``; shown to the user."""
    location: tuple[int, int] | None = None
    """Bit-fields only: byte range (relative to the address) of the C11 memory location they share."""
    is_first: bool = False
    """Whether a write initialises an object: it may then be read-only."""
    is_copied: bool = field(default=False, compare=False)
    """Whether a read is no read of C's, but part of a copy, or of a write to a bit-field beside it."""
    is_unused: bool = field(default=False, compare=False)
    """Whether what is read does not matter, as of padding that is copied: it becomes unspecified."""
    was_plain: bool = field(default=False, compare=False)
    """Whether it is plain in the source, and has an order since its race is suppressed."""
    is_certain: bool = False
    """Whether it is proved that it is never wrong, and so has no Fault beside it."""
    is_unnoticed: bool = False
    """Whether it is proved to be valid and free of races: its time cannot be observed."""
    size: int = field(init=False, compare=False)
    """Bytes."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", (width_of(self.sort) + 7) // 8)

    @property
    def is_atomic(self) -> bool:
        """Whether two such accesses never race."""
        return self.order is not MemoryOrder.PLAIN


# --- local -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Assign:
    """All targets at once get their values; empty: nothing happens."""

    assignments: tuple[tuple[Register, Term], ...] = ()


@dataclass(frozen=True, slots=True)
class Assume:
    """The edge can be taken iff the condition holds.

    Branches are sibling edges whose conditions cover everything; where no sibling holds, the run is cut.
    """

    condition: Term
    is_certain: bool = False
    """Whether it is proved that it, or a sibling, holds whenever a thread gets here."""


@dataclass(frozen=True, slots=True)
class Check:
    """The condition must hold; the property pass turns this into a branch to an error location."""

    condition: Term
    failure: Failure


class Cause(Enum):
    """Why a value is arbitrary."""

    INPUT = "input"
    UNINITIALISED = "uninitialised"
    UNSPECIFIED = "unspecified"
    """Bytes of a union that do not belong to the member that was written last."""
    UNMODELLED = "unmodelled"
    SPURIOUS = "spurious"
    """Whether an attempt fails for no reason; see ``passes.attempts``."""
    FAILURE = "failure"
    """Whether a call fails that can, where the user asks for that."""
    LAYOUT = "layout"
    """It depends on where objects lie in memory, which C leaves open."""
    FLUSH = "flush"
    """Whether a store that waits reaches memory now; see ``passes.store_buffers``."""
    KNOWN = "known"
    """Whether a value does not come from outside; see ``passes.known_values``."""
    KNOWN_TEXT = "known_text"
    """The same of what lies at an address."""
    PIECE = "piece"
    """How large the scalar is that begins at an address; see ``passes.pieces``."""


WEAKLY = "fails for no reason"
"""The text of the input that decides whether a weak compare-exchange does so."""


@dataclass(frozen=True, slots=True)
class Havoc:
    """The target gets an arbitrary value."""

    target: Register
    cause: Cause
    text: str = ""
    """What the value is for the user, such as ``__VERIFIER_nondet_int()``."""
    about: Term | None = None
    """The value that a question is about, if this is one."""


# --- memory ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Load:
    """target = *address."""

    target: Register
    access: Access


@dataclass(frozen=True, slots=True)
class Store:
    """*address = value."""

    access: Access
    value: Term
    is_late: bool = False
    """Whether its thread did it earlier, and it reaches memory now: see ``passes.store_buffers``."""


@dataclass(frozen=True, slots=True)
class Update:
    """target = *address; *address = value, in one step; ``value`` and ``success`` may mention ``target``.

    Where it does not succeed, ``value`` is what was there: under sequential consistency that is all the same,
    but for C11 a compare-exchange that fails is a load, and writes nothing (7.17.7.4).
    """

    target: Register
    access: Access
    value: Term
    success: Term | None = None
    """None: it always succeeds."""
    failure: MemoryOrder = MemoryOrder.SEQUENTIAL
    """The order of the load that it is where it does not succeed."""


class Barrier(Enum):
    """Which accesses before a fence a machine keeps in order with which accesses after it."""

    FULL = "full"
    """All: ``mfence``, ``sync``, ``dmb``, a seq_cst fence."""
    LIGHTWEIGHT = "lightweight"
    """All but a write and a later read: ``lwsync``, the other fences of C11."""
    LOADS = "loads"
    """Reads and whatever comes later: ``lfence``, ``dmb ld``."""
    STORES = "stores"
    """Writes: ``sfence``, ``eieio``, ``dmb st``."""
    STORE_LOAD = "store-load"
    """A write and a later read: ``__CPROVER_fence("WRfence")``, SPARC's ``membar #StoreLoad``."""
    CONTROL = "control"
    """Reads that a branch before the fence depends on, and later reads: ``isync``, ``isb``."""
    OTHER = "other"
    """Reads and later reads, or reads and later writes, but not both: no machine has that."""

    @property
    def pairs(self) -> frozenset[str]:
        """What it keeps in order whatever depends on what: ``WR`` is a write and a later read, and so on."""
        return _ORDERED_PAIRS[self]


_ORDERED_PAIRS = {
    Barrier.FULL: frozenset({"RR", "RW", "WW", "WR"}),
    Barrier.LIGHTWEIGHT: frozenset({"RR", "RW", "WW"}),
    Barrier.LOADS: frozenset({"RR", "RW"}),
    Barrier.STORES: frozenset({"WW"}),
    Barrier.STORE_LOAD: frozenset({"WR"}),
    Barrier.CONTROL: frozenset[str](),
    Barrier.OTHER: frozenset[str](),
}


@dataclass(frozen=True, slots=True)
class Fence:
    """A memory barrier between threads; no effect under sequential consistency."""

    order: MemoryOrder
    """What it is for C11; RELAXED: nothing."""
    barrier: Barrier
    """What it is for a machine."""

    @classmethod
    def of(cls, order: MemoryOrder) -> "Fence":
        """A fence of C11, as compilers make it: not RELAXED, which is no fence."""
        return cls(order, Barrier.FULL if order is MemoryOrder.SEQUENTIAL else Barrier.LIGHTWEIGHT)


@dataclass(frozen=True, slots=True)
class Allocate:
    """target = the address of a new heap block of ``size`` bytes, arbitrary or zeroed."""

    target: Register
    size: Term
    layout: Layout
    is_zeroed: bool
    name: str
    """How the block is shown to the user, such as ``node``."""
    alignment: int = 1
    """C promises that the address is a multiple of this power of two."""
    is_kept: bool = False
    """Whether the library holds on to it, as to an open stream: it is not lost when nothing refers to it."""


@dataclass(frozen=True, slots=True)
class Free:
    """End the life of the heap block that starts at ``address``; nothing happens for null."""

    address: Term


@dataclass(frozen=True, slots=True)
class Enter:
    """A local object begins to live; its contents are arbitrary, or zero with ``is_zeroed``."""

    object: MemoryObject
    is_zeroed: bool = False


@dataclass(frozen=True, slots=True)
class Leave:
    """A local object ceases to live."""

    object: MemoryObject


# --- threads ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Create:
    """target = the handle of a new thread that runs ``function`` with ``arguments``."""

    target: Register
    function: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """Wait until the thread has ended; target (if any) = what it returned."""

    target: Register | None
    handle: Term


@dataclass(frozen=True, slots=True)
class Detach:
    """The thread need not be joined any more."""

    handle: Term


@dataclass(frozen=True, slots=True)
class Exit:
    """The thread ends with ``value``."""

    value: Term | None


class Ending(Enum):
    """How the process ends."""

    RETURN = "return"
    EXIT = "exit"
    ABORT = "abort"


@dataclass(frozen=True, slots=True)
class End:
    """The process ends, whatever the other threads do."""

    ending: Ending


@dataclass(frozen=True, slots=True)
class Lock:
    """Wait until the cell is 0, then put the own handle into it, in one step."""

    access: Access


@dataclass(frozen=True, slots=True)
class Unlock:
    """Put 0 into a cell that holds the own handle."""

    access: Access
    is_plain: bool = False
    """Whether that is a store like others to a machine: see ``passes.plain_unlocks``."""


@dataclass(frozen=True, slots=True)
class AtomicBegin:
    """All until ``AtomicEnd`` is one step, enabled iff some run through it completes."""


@dataclass(frozen=True, slots=True)
class AtomicEnd:
    """The end of an atomic section."""


@dataclass(frozen=True, slots=True)
class Await:
    """Blocked while the condition is false; ``is_spurious``: may wake up nevertheless.

    A spurious wake-up can happen but never counts as "able to step" in deadlock detection.
    """

    condition: Term
    is_spurious: bool = False


# --- calls (gone after inlining) -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Call:
    """Call a function of the program; target (if any) = its result."""

    target: Register | None
    function: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class CallPointer:
    """Call through a function pointer."""

    target: Register | None
    pointer: Term
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class CreatePointer:
    """Create, with the function given by a pointer."""

    target: Register
    pointer: Term
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Return:
    """Leave the function with ``value``; the edge goes to the function's exit location."""

    value: Term | None


@dataclass(frozen=True, slots=True)
class CallUnmodelled:
    """A call to a function of which we know nothing; a program that can get here is never SAFE.

    The target and all memory that is reachable from the arguments become arbitrary.
    """

    target: Register | None
    function: str
    arguments: tuple[Term, ...]
    extents: tuple[int | None, ...] = ()
    """How many bytes C lets it change behind each argument: a member, nothing that is ``const`` to it;
    None, and if no extents are listed: all that can be reached."""


@dataclass(frozen=True, slots=True)
class GiveUp:
    """Whoever gets here cannot go on: the answer is UNKNOWN with this reason, never SAFE.

    What comes after it, if anything does, is for those who pass it over, as if it had done nothing.
    """

    reason: str


# --- kinds of instructions --------------------------------------------------------------------------

LocalInstruction = Assign | Assume | Check | Havoc
"""Touch registers only; other threads cannot observe them."""

Accessing = Load | Store | Update | Lock | Unlock
"""Access bytes of memory, once."""

Living = Allocate | Free | Enter | Leave
"""Begin or end the life of an object."""

Threading = Create | Join | Detach | Exit | End
"""Begin, end or await a thread, or end all of them."""

Ordering = Fence | AtomicBegin | AtomicEnd | Await
"""Say when others may step."""

Calling = Call | CallPointer | CreatePointer | Return
"""Gone after inlining."""

Faulty = Accessing | Free | Join | Detach
"""May be wrong."""


@dataclass(frozen=True, slots=True)
class FaultTest:
    """Can be taken iff ``of`` would be wrong in this state; the property pass puts it beside ``of``.

    Load, Store, Update, Lock, Unlock: the bytes are not those of one live object (for Store and Update: of a
    read-only one); Unlock: the cell does not hold the own handle; Free: neither null nor the start of a live
    heap block; Join, Detach: no such thread, or already joined or detached.
    Without such a sibling, a wrong instruction cuts the run.
    """

    of: Faulty


Instruction = (
    LocalInstruction
    | Accessing
    | Living
    | Threading
    | Ordering
    | Calling
    | CallUnmodelled
    | GiveUp
    | FaultTest
)
