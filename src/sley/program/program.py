"""Program, Function, Edge: immutable; made by ``builder`` and the passes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count

from sley.base.errors import Unsupported
from sley.base.source import Span
from sley.logic.sorts import Sort, bitvec
from sley.logic.terms import Term, Terms
from sley.program.instructions import Instruction, Register
from sley.program.memory import MemoryObject, PointerLayout
from sley.program.names import NOTHING, DeclaredNames
from sley.program.properties import Failure

SELF = "self"
"""The variable that holds a thread's own handle (its id + 1) in its terms."""

HANDLE = bitvec(64)
"""The sort of thread handles; the handle of the thread with id t is t + 1."""

ID = "%id"
"""A variable that is 0, in sums that make an id for the user of a handle: so the analysis of addresses finds
out what ids are used for. It is gone in the programs that engines get."""

THREAD_END = "__sley_end_thread"
"""The function, if the program has it, that a thread calls when its start function has returned."""

PROCESS_END = "__sley_run_exit_handlers"
"""The function, if the program has it, that the first thread calls when the entry has returned."""

Site = tuple[str, int, str]
"""A call: the function that it is in, its location there, and the function that is called."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """One level of a call string: which function was called, and from where."""

    function: str
    """The C name of the called function."""
    span: Span | None
    text: str
    is_library: bool
    """Whether the called function is one of our models: users see the call, not its inside."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where an edge comes from in C."""

    span: Span | None
    text: str
    """The C text of the statement or expression."""
    function: str
    """The C name of the function it stands in."""
    calls: tuple[CallSite, ...] = ()
    """The call string from the thread's start function, outermost first."""
    is_library: bool = False
    """Inside one of our models."""
    statement: int = field(default=0, compare=False)
    """Which statement of the function, counted from 1; 0 if not known. Statements that a macro wrote have the
    same span and text. Not part of the textual form: only the pass ``statements`` asks, before all others."""
    written_out: int = field(default=0, compare=False)
    """Which of the calls of the library that the front end wrote out in place, as steps of the function; 0
    for none. Not part of the textual form: only surveys ask."""

    @property
    def library_call(self) -> int | None:
        """Which of ``calls`` has left the user's code for the model that the edge is in; None outside."""
        if not self.is_library:
            return None
        depth = len(self.calls)
        while depth and self.calls[depth - 1].is_library:
            depth -= 1
        return depth if depth < len(self.calls) else None

    @property
    def library_function(self) -> str:
        """The library function that the user called, if the edge is inside of one."""
        depth = self.library_call
        return "" if depth is None else self.calls[depth].function


def user_origin(origin: Origin) -> Origin:
    """Where the user sees an edge: inside library models, the call to the library."""
    depth = origin.library_call
    if depth is None:
        return origin
    call = origin.calls[depth]
    caller = origin.calls[depth - 1].function if depth else origin.function
    return Origin(call.span, call.text, caller, origin.calls[:depth])


def line_of(origin: Origin) -> int | None:
    """The line in which the user sees an edge."""
    span = user_origin(origin).span
    return None if span is None else span.line


@dataclass(frozen=True, slots=True)
class Edge:
    """One instruction from one location to another."""

    source: int
    target: int
    instruction: Instruction
    origin: Origin


@dataclass(frozen=True)
class Function:
    """A control-flow graph; after inlining every function is a thread template.

    Locations are non-negative integers, unique in the whole program after inlining. A location has either
    only local instructions going out (branches, or one step), or exactly one visible instruction and at
    most one ``Fault`` of it.
    """

    name: str
    c_name: str
    parameters: tuple[Register, ...]
    registers: tuple[Register, ...]
    """All registers, parameters included."""
    objects: tuple[MemoryObject, ...]
    """LOCAL objects; THREAD objects too in thread templates."""
    entry: int
    exit: int
    edges: tuple[Edge, ...]
    result: Sort | None = None
    span: Span | None = None
    is_library: bool = False
    errors: Mapping[int, Failure] = field(default_factory=dict)
    """Error locations and what they mean."""
    names: DeclaredNames = field(default=NOTHING, compare=False)
    """What C calls its variables, and where; not part of the textual form."""

    @cached_property
    def outgoing(self) -> Mapping[int, tuple[Edge, ...]]:
        """The edges that leave each location, in order."""
        table: dict[int, list[Edge]] = {}
        for edge in self.edges:
            table.setdefault(edge.source, []).append(edge)
        return {location: tuple(edges) for location, edges in table.items()}

    @cached_property
    def incoming(self) -> Mapping[int, tuple[Edge, ...]]:
        """The edges that enter each location, in order."""
        table: dict[int, list[Edge]] = {}
        for edge in self.edges:
            table.setdefault(edge.target, []).append(edge)
        return {location: tuple(edges) for location, edges in table.items()}

    @cached_property
    def successors(self) -> Mapping[int, tuple[int, ...]]:
        """The locations one step after each location."""
        return {at: tuple(edge.target for edge in edges) for at, edges in self.outgoing.items()}

    @cached_property
    def locations(self) -> tuple[int, ...]:
        """All locations in order of first mention."""
        seen = dict.fromkeys((self.entry, self.exit))
        for edge in self.edges:
            seen[edge.source] = None
            seen[edge.target] = None
        return tuple(seen)


@dataclass(frozen=True)
class Program:
    """A concurrent program; execution starts with one thread in ``functions[entry]``."""

    terms: Terms
    functions: Mapping[str, Function]
    objects: tuple[MemoryObject, ...]
    """GLOBAL and CODE objects: the i-th has number ``pointers.first_object`` + i."""
    entry: str = "main"
    pointers: PointerLayout = field(default_factory=PointerLayout)
    assumptions: tuple[str, ...] = ()
    """What an answer rests on, one phrase each, shown to the user."""
    unmodelled: tuple[Unsupported, ...] = ()
    """Calls to functions we know nothing about: with any of them, SAFE is out of reach."""
    keeps_frames: bool = False
    """Whether local pointers of the user are objects, so that a state knows all that live frames hold."""

    @property
    def self_handle(self) -> Term:
        """The variable that stands for the running thread's handle."""
        return self.terms.var(SELF, HANDLE)

    @property
    def id_mark(self) -> Term:
        """The variable in sums that make an id for the user."""
        return self.terms.var(ID, HANDLE)

    @property
    def edges(self) -> Iterator[Edge]:
        """The edges of all functions."""
        return (edge for function in self.functions.values() for edge in function.edges)

    def mapped(self, change: Callable[[Function], Function]) -> "Program":
        """The program with each function changed."""
        return replace(self, functions={name: change(function) for name, function in self.functions.items()})

    def fresh_locations(self) -> "count[int]":
        """Locations that no function has."""
        return count(1 + max((at for f in self.functions.values() for at in f.locations), default=0))

    @cached_property
    def local_slots(self) -> int:
        """S of ``memory``: the largest number of local objects of any function."""
        return max((len(f.objects) for f in self.functions.values()), default=0)

    def local_number(self, thread: int, slot: int) -> int:
        """The object number of the slot-th local object of a thread."""
        return self.pointers.first_object + len(self.objects) + thread * self.local_slots + slot

    def local_slot(self, number: int) -> tuple[int, int] | None:
        """The thread and the slot of a local object, from its number."""
        index = number - self.local_number(0, 0)
        is_local = index >= 0 and number < self.pointers.heap_base and self.local_slots > 0
        return divmod(index, self.local_slots) if is_local else None

    def static_object(self, number: int) -> MemoryObject | None:
        """The global or function with this number."""
        index = number - self.pointers.first_object
        return self.objects[index] if 0 <= index < len(self.objects) else None
