"""A bounded program as events: what threads read and write, under which condition, in which order.

A *node* is one action of one thread: a single access, a whole atomic section, or a critical section whose
accesses nobody else can notice in between (see ``sections``). Everything in a node happens at once.
It reads shared variables (cells of memory, lives of objects, how far threads are), each as a *fresh* symbol,
and writes others; conditions and values are terms over such symbols and inputs, so all that a thread does by
itself is gone. Node 0 stands for all that happened while there was one thread.

Nodes of one thread are in one line, also those of branches that exclude each other: at most one of these
occurs. A node whose condition is false did not happen; whoever orders the others need not care about it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.engines.bmc.events.loops import Loop
from sley.logic.terms import Term, Terms
from sley.program.properties import Failure

START = -1
"""The location of what was there before there were several threads."""


@dataclass(slots=True)
class Read:
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
class Write:
    """A node writes a shared variable."""

    node: int
    variable: Term
    condition: Term
    value: Term
    location: int = START
    """Where in the program the last access is."""


class Access(NamedTuple):
    """How a node uses a shared variable."""

    is_write: bool
    locks: frozenset[int]
    """Addresses of locks that the thread holds whenever it does."""


@dataclass(frozen=True, slots=True)
class Touch:
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

    def terms(self) -> Iterator[Term]:
        """All terms of the access."""
        yield from (self.condition, self.address)
        if self.freed is not None:
            yield self.freed

    def mapped(self, new: Callable[[Term], Term]) -> "Touch":
        """The access with other terms."""
        freed = None if self.freed is None else new(self.freed)
        return replace(self, condition=new(self.condition), address=new(self.address), freed=freed)


@dataclass(slots=True)
class Node:
    """One action of a thread."""

    number: int
    thread: int
    location: int
    """Where the thread stands before it."""
    occurs: Term
    """When it happens."""
    reads: dict[Term, Read] = field(default_factory=dict)
    writes: dict[Term, Write] = field(default_factory=dict)
    touches: list[Touch] = field(default_factory=list)
    accesses: dict[Term, Access] = field(default_factory=dict)
    is_locked: bool = False
    """A critical section: from taking locks to giving them back."""

    def note_access(self, variable: Term, *, is_write: bool, locks: frozenset[int]) -> None:
        """The node uses a variable, while its thread holds these locks."""
        before = self.accesses.get(variable)
        if before is not None:
            is_write, locks = is_write or before.is_write, locks & before.locks
        self.accesses[variable] = Access(is_write, locks)


@dataclass(frozen=True, slots=True)
class Violation:
    """A thread reaches an error location; the node marks when."""

    node: int
    failure: Failure


@dataclass(frozen=True, slots=True)
class Stop:
    """A thread, or the process, ends with a node: on some of its paths only, if it is a section."""

    node: int
    condition: Term


@dataclass(frozen=True, slots=True)
class Wait:
    """A thread may wait at a lock, a join or a section: a node that reads what it waits for."""

    node: int
    instead_of: int | None
    """The node with which the thread would go on; None: it waits for itself."""
    holder: Term | None
    """Locks and joins: the handle of the thread that has to unlock, or to end."""


@dataclass(frozen=True, slots=True)
class Trouble:
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
class Arbitrary:
    """A thread gets an arbitrary value."""

    condition: Term
    term: Term


@dataclass(frozen=True, slots=True)
class Filling:
    """An object begins to live with arbitrary contents, one term per cell."""

    condition: Term
    number: int
    terms: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Allocation:
    """A heap block is made."""

    condition: Term
    number: int


Making = Arbitrary | Filling | Allocation


@dataclass(frozen=True, slots=True)
class ThreadEvents:
    """One thread of the unrolled program."""

    function: str
    occurs: Term
    """When it is created."""
    makings: list[Making] = field(default_factory=list)
    """What the interpreter has to be told, in the order of the thread."""


@dataclass(slots=True)
class EventGraph:
    """All events of an unrolled program."""

    nodes: list[Node] = field(default_factory=list)
    threads: list[ThreadEvents] = field(default_factory=list)
    edges: list[tuple[int, int]] = field(default_factory=list)
    """The order that every run keeps: along threads, from creations, to joins."""
    join_edges: list[tuple[int, int]] = field(default_factory=list)
    """As ``edges``: from the end of a thread to the join that waits for it."""
    violations: list[Violation] = field(default_factory=list)
    waits: list[Wait] = field(default_factory=list)
    ends: list[Stop] = field(default_factory=list)
    """Where the process ends."""
    exits: list[Stop] = field(default_factory=list)
    """Where a thread ends."""
    troubles: list[Trouble] = field(default_factory=list)
    cuts: list[Cut] = field(default_factory=list)
    repeats: dict[Loop, int] = field(default_factory=dict)
    """How often the head of a loop is reached again."""
    definitions: list[tuple[Term, Term]] = field(default_factory=list)
    """Names of conditions, and what they stand for."""
    initial: dict[Term, Term] = field(default_factory=dict)
    """Shared variable -> its value when the program starts."""
    stored: set[Term] = field(default_factory=set)
    """Variables that are written other than by taking or giving back a lock."""

    def conditions(self) -> Iterator[Term]:
        """All conditions under which anything happens, and the values that are written."""
        for node in self.nodes:
            yield node.occurs
            yield from (read.needed for read in node.reads.values())
            for write in node.writes.values():
                yield from (write.condition, write.value)
            for touch in node.touches:
                yield touch.condition
                if touch.freed is not None:
                    yield touch.freed
        yield from (meaning for _, meaning in self.definitions)
        yield from (stop.condition for stop in (*self.ends, *self.exits))
        yield from (cut.condition for cut in self.cuts)
        yield from (trouble.condition for trouble in self.troubles)
        yield from (events.occurs for events in self.threads)

    def rewrite(self, terms: Terms, mapping: Mapping[Term, Term], finish: Callable[[Term], Term]) -> None:
        """Replace symbols in all conditions and values, and ``finish`` what has changed."""
        done: dict[Term, Term] = {}

        def new(term: Term) -> Term:
            if term not in done:
                changed = terms.substitute(term, mapping)
                done[term] = term if changed == term else finish(changed)
            return done[term]

        for node in self.nodes:
            node.occurs = new(node.occurs)
            for read in node.reads.values():
                read.needed = new(read.needed)
            for write in node.writes.values():
                write.condition, write.value = new(write.condition), new(write.value)
            node.touches = [touch.mapped(new) for touch in node.touches]
        self.waits = [w if w.holder is None else replace(w, holder=new(w.holder)) for w in self.waits]
        self.ends = [replace(stop, condition=new(stop.condition)) for stop in self.ends]
        self.exits = [replace(stop, condition=new(stop.condition)) for stop in self.exits]
        self.troubles = [replace(trouble, condition=new(trouble.condition)) for trouble in self.troubles]
        self.cuts = [replace(cut, condition=new(cut.condition)) for cut in self.cuts]
        self.definitions = [(name, new(meaning)) for name, meaning in self.definitions]
        for events in self.threads:
            events.makings[:] = [replace(made, condition=new(made.condition)) for made in events.makings]
        self.threads = [replace(events, occurs=new(events.occurs)) for events in self.threads]

    def variables(self) -> Mapping[Term, tuple[list[Read], list[Write]]]:
        """The reads and the writes of each shared variable, in the order of the nodes."""
        found: dict[Term, tuple[list[Read], list[Write]]] = {}
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


def static_order(graph: EventGraph, more: Sequence[tuple[int, int]] = ()) -> StaticOrder:
    """The closure of the edges, and more; joins are left out where threads would wait for each other."""
    edges = tuple(dict.fromkeys((*graph.edges, *more, *graph.join_edges)))
    before = _closure(len(graph.nodes), edges)
    if before is None:
        edges = (*graph.edges, *more)
        before = _closure(len(graph.nodes), edges)
    after = _closure(len(graph.nodes), tuple((b, a) for a, b in edges))
    assert before is not None, "threads and creations are in order"
    assert after is not None, "the same in reverse"
    return StaticOrder(before, after, edges)


def _closure(count: int, edges: tuple[tuple[int, int], ...]) -> tuple[int, ...] | None:
    """For each node all nodes before it; None if the edges have a cycle."""
    before = [0] * count
    arrived = 0
    for node, sources in _in_order(count, edges):
        for source in sources:
            before[node] |= before[source] | 1 << source
        arrived += 1
    return tuple(before) if arrived == count else None


def _in_order(count: int, edges: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, list[int]]]:
    """The nodes, each after its sources and with them; nodes on cycles do not come."""
    sources: list[list[int]] = [[] for _ in range(count)]
    targets: list[list[int]] = [[] for _ in range(count)]
    for a, b in dict.fromkeys(edges):
        sources[b].append(a)
        targets[a].append(b)
    missing = [len(of) for of in sources]
    waiting = [node for node in range(count) if not missing[node]]
    while waiting:
        node = waiting.pop()
        yield node, sources[node]
        for target in targets[node]:
            missing[target] -= 1
            if not missing[target]:
                waiting.append(target)


def overlap(t: Terms, one: Touch, other: Touch) -> Term:
    """The two accesses have a byte in common; objects are never at the end of the address space."""
    width = t.width(one.address)
    return t.and_(
        t.ult(one.address, t.add(other.address, t.bv(other.size, width))),
        t.ult(other.address, t.add(one.address, t.bv(one.size, width))),
    )


def may_overlap(t: Terms, one: Touch, other: Touch) -> bool:
    """Whether that is possible as far as the terms tell."""
    a, b = t.number(one.address), t.number(other.address)
    if a is not None and b is not None:
        return a < b + other.size and b < a + one.size
    return overlap(t, one, other) != t.false
