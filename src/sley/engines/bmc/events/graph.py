"""A bounded program as events: what threads read and write, under which condition, in which order.

A *node* is one action of one thread: a single access, a whole atomic section, or a critical section whose
accesses that others cannot observe in between (see ``sections``). Everything in a node happens at once.
It reads shared variables (cells of memory, lives of objects, how far threads are), each as a *fresh* symbol,
and writes others; conditions and values are terms over such symbols and inputs, so all that a thread does by
itself is gone. Node 0 stands for all that happened while there was one thread.

Nodes of one thread are in one line, also those of branches that exclude each other: at most one of these
occurs. A node whose condition is false did not happen; whoever orders the others need not care about it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from sley.analyses.graphs import nodes_on_cycles, unions_ahead
from sley.engines.bmc.events.dependencies import INDEPENDENT, Dependencies
from sley.evidence.bounded.proof import Loop
from sley.logic.terms import Term, Terms
from sley.program.properties import Failure

START = -1
"""The location of what was there before there were several threads."""


@dataclass(slots=True)
class NodeRead:
    """A node reads a shared variable."""

    node: int
    variable: Term
    symbol: Term
    """Stands for the value."""
    needed: Term
    """When it matters."""
    location: int
    """Where in the program the first access is."""


@dataclass(slots=True)
class NodeWrite:
    """A node writes a shared variable."""

    node: int
    variable: Term
    condition: Term
    value: Term
    location: int = START
    """Where in the program the last access is."""


class VariableUse(NamedTuple):
    """How a node uses a shared variable."""

    is_write: bool
    locks: frozenset[int]
    """Addresses of locks that the thread holds whenever it does."""


@dataclass(frozen=True, slots=True)
class RaceTouch:
    """An access to memory as data races see it."""

    node: int
    condition: Term
    address: Term
    size: int
    is_write: bool
    is_atomic: bool
    is_inside: bool
    """In an atomic section: then the section has to be completed."""
    locks: frozenset[int] = frozenset()
    """Addresses of locks that the thread holds."""
    is_wide: bool = False
    """Of a bit-field: its neighbours belong to it, too."""
    freed: Term | None = None
    """Of a free: the block lives when the node comes to it (then its bytes are accessed)."""

    def mapped(self, new: Callable[[Term], Term]) -> "RaceTouch":
        """The access with other terms."""
        freed = None if self.freed is None else new(self.freed)
        return replace(self, condition=new(self.condition), address=new(self.address), freed=freed)


@dataclass(slots=True)
class EventNode:
    """One action of a thread."""

    number: int
    thread: int
    location: int
    """Where the thread stands before it."""
    occurs: Term
    """When it happens."""
    reads: dict[Term, NodeRead] = field(default_factory=dict)
    writes: dict[Term, NodeWrite] = field(default_factory=dict)
    touches: list[RaceTouch] = field(default_factory=list)
    accesses: dict[Term, VariableUse] = field(default_factory=dict)
    is_locked: bool = False
    """A critical section: from taking locks to giving them back."""
    success: Term | None = None
    """Of an update, where orders matter: when it writes."""
    dependencies: Dependencies = INDEPENDENT
    """Where a machine is meant: on which reads it depends."""

    def mapped(self, new: Callable[[Term], Term]) -> "EventNode":
        """The node with other conditions and values."""
        reads = {v: replace(read, needed=new(read.needed)) for v, read in self.reads.items()}
        writes = {
            v: replace(write, condition=new(write.condition), value=new(write.value))
            for v, write in self.writes.items()
        }
        touches = [touch.mapped(new) for touch in self.touches]
        success = None if self.success is None else new(self.success)
        return replace(
            self, occurs=new(self.occurs), reads=reads, writes=writes, touches=touches, success=success
        )

    def note_access(self, variable: Term, *, is_write: bool, locks: frozenset[int]) -> None:
        """The node uses a variable, while its thread holds these locks."""
        before = self.accesses.get(variable)
        if before is not None:
            is_write, locks = is_write or before.is_write, locks & before.locks
        self.accesses[variable] = VariableUse(is_write, locks)


@dataclass(frozen=True, slots=True)
class ErrorNode:
    """A thread reaches an error location; the node marks when."""

    node: int
    failure: Failure


@dataclass(frozen=True, slots=True)
class Stop:
    """A thread, or the process, ends with a node: on some of its paths only, if it is a section."""

    node: int
    condition: Term


@dataclass(frozen=True, slots=True)
class WaitNode:
    """A thread may wait at a lock, a join or a section: a node that reads what it waits for."""

    node: int
    instead_of: int | None
    """The node with which the thread would go on; None: it waits for itself."""
    holder: Term | None
    """Locks and joins: the handle of the thread that has to unlock, or to end."""


@dataclass(frozen=True, slots=True)
class UnclearNode:
    """Where ``condition`` holds, the events do not say what happens."""

    condition: Term
    reason: str
    thread: int


@dataclass(frozen=True, slots=True)
class Cut:
    """The unrolling stops here: the thread goes on under ``condition``."""

    condition: Term
    loop: Loop


@dataclass(frozen=True, slots=True)
class ArbitraryNode:
    """A thread gets an arbitrary value."""

    condition: Term
    term: Term


@dataclass(frozen=True, slots=True)
class FillingNode:
    """An object begins to live with arbitrary contents, one term per cell."""

    condition: Term
    number: int
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class AllocationNode:
    """A heap block is made."""

    condition: Term
    number: int


Making = ArbitraryNode | FillingNode | AllocationNode


@dataclass(frozen=True, slots=True)
class ThreadEvents:
    """One thread of the unrolled program."""

    function: str
    occurs: Term
    """When it is created."""
    creator: int
    """The thread that creates it; the first thread is its own."""
    makings: list[Making] = field(default_factory=list)
    """What the interpreter has to be told, in the order of the thread."""


class Creation(NamedTuple):
    """A node that creates a thread, and when."""

    node: int
    condition: Term


class JoinNode(NamedTuple):
    """A node that waits for the end of a thread, and when it goes on."""

    thread: int
    node: int
    guard: tuple[Term, ...]


class Life(NamedTuple):
    """A heap block begins or ends."""

    thread: int
    at: int
    """Later in a thread is larger."""
    is_alone: bool
    condition: Term


@dataclass(frozen=True, slots=True)
class AddedVariable:
    """A shared variable to which every write of a node adds a constant."""

    initial: Term
    steps: Mapping[int, int]
    """Node -> what it adds, as an unsigned number."""

    def total(self, terms: Terms, conditions: Iterable[tuple[int, Term]]) -> Term:
        """The initial value and what these nodes add where their conditions hold."""
        total, sort = self.initial, terms.sort(self.initial)
        for node, condition in conditions:
            added = terms.ite(condition, terms.const(self.steps[node], sort), terms.const(0, sort))
            total = terms.add(total, added)
        return total


_Conditioned = TypeVar("_Conditioned", Stop, UnclearNode, Cut, Making)


def _conditioned(items: Iterable[_Conditioned], new: Callable[[Term], Term]) -> list[_Conditioned]:
    return [replace(item, condition=new(item.condition)) for item in items]


@dataclass
class EventGraph:
    """All events of an unrolled program.

    The unroller fills it; after that it does not change: a step of ``steps`` makes another one.
    """

    terms: Terms
    nodes: list[EventNode] = field(default_factory=list)
    threads: list[ThreadEvents] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    """The order that every run keeps: along threads, and from creations."""
    join_edges: list[tuple[int, int]] = field(default_factory=list)
    """As ``edges``: from the end of a thread to the join that waits for it."""
    violations: list[ErrorNode] = field(default_factory=list)
    waits: list[WaitNode] = field(default_factory=list)
    ends: list[Stop] = field(default_factory=list)
    """Where the process ends."""
    exits: list[Stop] = field(default_factory=list)
    """Where a thread ends."""
    troubles: list[UnclearNode] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    repeats: dict[Loop, int] = field(default_factory=dict)
    """How often the head of a loop is reached again."""
    spins: set[int] = field(default_factory=set)
    """The heads of loops of which rounds are left out (see ``spinning``)."""
    definitions: list[tuple[Term, Term]] = field(default_factory=list)
    """Names of conditions, and what they stand for."""
    initial: dict[Term, Term] = field(default_factory=dict)
    """Shared variable -> its value when the program starts."""
    stored: set[Term] = field(default_factory=set)
    """Variables that are written other than by taking or giving back a lock."""
    lock_cells: dict[int, Term] = field(default_factory=dict)
    """Address of a lock -> its cell."""
    creations: list[Creation] = field(default_factory=list)
    """In the order of the numbers of the threads."""
    joins: list[JoinNode] = field(default_factory=list)
    allocations: list[Life] = field(default_factory=list)
    frees: list[Life] = field(default_factory=list)
    reuses_numbers: bool = False
    """Whether a new heap block may get the number of a dead one."""
    sums: dict[Term, AddedVariable] = field(default_factory=dict)
    """Variables that are only ever added to (see ``sums``)."""

    @cached_property
    def order(self) -> "StaticOrder":
        """The order that every run keeps; joins are left out where threads would wait for each other."""
        for found in ((*self.edges, *self.join_edges), self.edges):
            edges = tuple(dict.fromkeys(found))
            targets, sources = linked(len(self.nodes), edges)
            if not nodes_on_cycles(targets, targets):
                return StaticOrder(_others_ahead(sources), _others_ahead(targets), edges)
        raise AssertionError("threads and creations are in order")

    def all_terms(self) -> list[Term]:
        """All conditions and values."""
        found: dict[Term, None] = {}

        def note(term: Term) -> Term:
            found[term] = None
            return term

        self.mapped(note)
        return list(found)

    def mapped(self, new: Callable[[Term], Term]) -> "EventGraph":
        """The graph with other conditions and values; symbols of reads stay."""
        return replace(
            self,
            nodes=[node.mapped(new) for node in self.nodes],
            threads=[
                replace(events, occurs=new(events.occurs), makings=_conditioned(events.makings, new))
                for events in self.threads
            ],
            waits=[w if w.holder is None else replace(w, holder=new(w.holder)) for w in self.waits],
            ends=_conditioned(self.ends, new),
            exits=_conditioned(self.exits, new),
            troubles=_conditioned(self.troubles, new),
            cuts=_conditioned(self.cuts, new),
            definitions=[(name, new(meaning)) for name, meaning in self.definitions],
        )

    @cached_property
    def variables(self) -> Mapping[Term, tuple[list[NodeRead], list[NodeWrite]]]:
        """The reads and the writes of each shared variable, in the order of the nodes."""
        found: dict[Term, tuple[list[NodeRead], list[NodeWrite]]] = {}
        for node in self.nodes:
            for read in node.reads.values():
                found.setdefault(read.variable, ([], []))[0].append(read)
            for write in node.writes.values():
                found.setdefault(write.variable, ([], []))[1].append(write)
        return found


@dataclass(frozen=True, slots=True)
class StaticOrder:
    """The order that every run keeps, closed: for each node those before and after it, one bit each."""

    before: tuple[int, ...]
    after: tuple[int, ...]
    edges: tuple[tuple[int, int], ...]

    def is_before(self, a: int, b: int) -> bool:
        """Whether ``a`` is before ``b`` in every run."""
        return bool(self.before[b] >> a & 1)

    def is_ordered(self, a: int, b: int) -> bool:
        """Whether the two are one node, or every run has them in the same order."""
        return a == b or self.is_before(a, b) or self.is_before(b, a)


Neighbours = Mapping[int, Sequence[int]]


def linked(count: int, edges: Iterable[tuple[int, int]]) -> tuple[Neighbours, Neighbours]:
    """For each of so many nodes the targets of its edges, and the sources."""
    targets: dict[int, list[int]] = {node: [] for node in range(count)}
    sources: dict[int, list[int]] = {node: [] for node in range(count)}
    for a, b in dict.fromkeys(edges):
        targets[a].append(b)
        sources[b].append(a)
    return targets, sources


def _others_ahead(neighbours: Neighbours) -> tuple[int, ...]:
    ahead = unions_ahead(neighbours, neighbours, lambda node: 1 << node)
    return tuple(ahead[node] & ~(1 << node) for node in neighbours)
