"""Atomic sections in terms: which runs through one there are, and what memory they access.

Whether a thread before an atomic section can step, and what it then accesses, depends on the whole section:
it is one step, enabled iff some run through it completes. This module follows all paths through a section,
edge by edge with ``symbolic``, over the variables before it. What the paths cannot tell is the condition
``unknown``; there the runs say nothing.

A path that allocates or creates extends the vocabulary, which is meant to have every thread that exists and
every heap block that ever lived: a new thread gets the next id, a new block a number that was never used or
that of a dead block, to which a stale pointer may refer.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.logic.sorts import Sort
from sley.logic.terms import Term
from sley.program.instructions import (
    Allocate,
    Assume,
    Await,
    CallUnmodelled,
    Create,
    Fault,
    Faulty,
    Free,
    GiveUp,
    Instruction,
    Join,
    Load,
    Lock,
    Store,
    Update,
)
from sley.program.program import Edge
from sley.program.rewriting import used_address
from sley.semantics.code import Code
from sley.semantics.memory import LARGEST_BLOCK
from sley.semantics.roles import InputRole
from sley.semantics.symbolic import Hints, effect_of
from sley.semantics.symbolic_memory import Target
from sley.semantics.vocabulary import HeapShape, Instance, Lifetime, Vocabulary

MOST_EDGES = 1000
"""A section with more edges on all its paths together is beyond us."""

Targets = Callable[[Edge, Term], Sequence[Target] | None]
"""Where the access of an edge at this address may go; None: every cell of the right size."""


def everywhere(edge: Edge, address: Term) -> None:
    """The targets when nothing is known."""


class SectionAccess(NamedTuple):
    """An access that a run makes, its address over the variables before the section."""

    address: Term
    size: int | None
    """None: the block that begins there is freed."""
    is_write: bool


class SectionRun(NamedTuple):
    """One run through a section: it completes, or an access to no memory cuts it."""

    guard: Term
    waits: Term
    """The run needs a spurious wake-up."""
    accesses: tuple[SectionAccess, ...]


@dataclass(slots=True)
class Section:
    """All runs through a section."""

    unknown: Term
    """Where this holds, the runs do not say what happens."""
    runs: list[SectionRun] = field(default_factory=list)
    inputs: list[Term] = field(default_factory=list)
    """The arbitrary values that the runs mention."""


def section_of(vocabulary: Vocabulary, thread: int, location: int, targets: Targets = everywhere) -> Section:
    """The section that ``thread`` enters at ``location``."""
    return _Walk(vocabulary, thread, location, targets).section()


def section_edges(code: Code, location: int) -> list[Edge]:
    """All edges of the section that begins at ``location``."""
    found: list[Edge] = []
    waiting, seen = [location], {location}
    while waiting:
        for edge in code.out.get(waiting.pop(), ()):
            found.append(edge)
            if edge.target in code.inside and edge.target not in seen:
                seen.add(edge.target)
                waiting.append(edge.target)
    return found


def may_block(code: Code, location: int) -> bool:
    """Whether the form of the section leaves open that no run completes."""
    terms = code.program.terms
    edges = section_edges(code, location)
    if any(isinstance(edge.instruction, Lock | Join | Await) for edge in edges):
        return True
    conditions: dict[int, list[Term]] = {}
    for edge in edges:
        if isinstance(edge.instruction, Assume):
            conditions.setdefault(edge.source, []).append(edge.instruction.condition)
    return any(terms.or_(*siblings) != terms.true for siblings in conditions.values())


@dataclass(frozen=True, slots=True)
class _Path:
    """A path into a section, so far."""

    location: int
    vocabulary: Vocabulary
    guard: Term
    waits: Term
    values: dict[Term, Term]
    """What the variables hold that changed on the way."""
    accesses: tuple[SectionAccess, ...] = ()


class _Walk:
    """Follows all paths through one section, the first edges first."""

    def __init__(self, vocabulary: Vocabulary, thread: int, location: int, targets: Targets) -> None:
        self.vocabulary = vocabulary
        self.code = vocabulary.code
        self.terms = vocabulary.terms
        self.thread = thread
        self.start = location
        self.targets = targets
        self.result = Section(self.terms.false)

    def section(self) -> Section:
        """All runs."""
        t = self.terms
        stack = [_Path(self.start, self.vocabulary, t.true, t.false, {})]
        for _ in range(MOST_EDGES):
            if not stack:
                break
            stack.extend(reversed(self._continued(stack.pop())))
        for path in stack:
            self._is_unknown(path, t.true)
        return self.result

    def _continued(self, path: _Path) -> list[_Path]:
        """The path, one edge further; paths that leave the section become runs."""
        edges = self.code.out.get(path.location, ())
        if not edges:
            self._finish(path)  # cut
        fault = self.code.faults.get(path.location)
        if fault is None and len(edges) > 1:
            found = self._branched(path, edges)
        else:
            found = [p for e in edges if e is not fault for p in self._taken(path, e, fault)]
        for one in found:
            if one.location not in self.code.inside:
                self._finish(one)
        return [one for one in found if one.location in self.code.inside]

    def _branched(self, path: _Path, edges: tuple[Edge, ...]) -> list[_Path]:
        """Siblings are tried in order: each is taken where those before it do not hold."""
        t = self.terms
        found: list[_Path] = []
        rest = t.true
        for edge in edges:
            assert isinstance(edge.instruction, Assume)
            holds = self._value(path, self._instantiated(path, edge.instruction.condition))
            found.extend(self._moved(path, edge, t.and_(rest, holds)))
            rest = t.and_(rest, t.not_(holds))
        return found

    def _taken(self, path: _Path, edge: Edge, fault: Edge | None) -> list[_Path]:
        """The edge where it can be taken; where it is wrong, its fault, or the run is cut."""
        instruction = edge.instruction
        if isinstance(instruction, GiveUp | CallUnmodelled):
            self._is_unknown(path, self.terms.true)
            return []
        if isinstance(instruction, Allocate):
            return self._allocated(path, edge, instruction)
        if isinstance(instruction, Create):
            thread = len(path.vocabulary.threads)
            created = _extended(path, function=instruction.function)
            return self._after(created, edge, None, Hints(thread=thread))
        wrong = self._wrong(path, edge)
        found = self._moved(path, fault, wrong) if fault is not None else []
        if fault is None:
            self._finish(replace(path, guard=self.terms.and_(path.guard, wrong)))
        address = self._address(path, instruction)
        return self._after(path, edge, address, self._hints(path, edge, address)) + found

    def _allocated(self, path: _Path, edge: Edge, instruction: Allocate) -> list[_Path]:
        """A new block, or one in the place of a dead one."""
        t = self.terms
        size = t.number(self._value(path, self._instantiated(path, instruction.size)))
        if size is None or instruction.layout.count(size) > LARGEST_BLOCK:
            self._is_unknown(path, t.true)
            return []
        shape = HeapShape(instruction.layout, size)
        dead = {
            i.number: self._is_dead(path, i)
            for i in path.vocabulary.instances.values()
            if i.kind is Lifetime.HEAP
        }
        fresh = max(dead, default=self.code.memory_map.heap_base - 1) + 1
        found = self._after(_extended(path, {fresh: shape}), edge, None, Hints(block=fresh))
        for number, is_dead in dead.items():
            if path.vocabulary.instances[number].layout != instruction.layout:
                self._is_unknown(path, is_dead)  # its cells would change their sorts
            else:
                found += self._after(_extended(path, {number: shape}), edge, None, Hints(block=number))
        return found

    def _is_dead(self, path: _Path, instance: Instance) -> Term:
        return self.terms.not_(self._value(path, path.vocabulary.alive(instance)))

    def _after(self, path: _Path, edge: Edge, address: Term | None, hints: Hints) -> list[_Path]:
        """The path after the edge, if it can be taken."""
        t, instruction = self.terms, edge.instruction
        effect = effect_of(path.vocabulary, self.thread, edge, self._fresh, hints)
        self._is_unknown(path, self._value(path, effect.unknown))
        new = t.substitute_all(tuple(effect.updates.values()), path.values)
        values = {**path.values, **dict(zip(effect.updates, new, strict=True))}
        accesses, waits = path.accesses, path.waits
        if isinstance(instruction, Load | Store | Update) and not self._is_new(address):
            assert address is not None
            made = SectionAccess(address, instruction.access.size, not isinstance(instruction, Load))
            accesses = (*accesses, made)
        elif isinstance(instruction, Free):
            assert address is not None
            accesses = (*accesses, SectionAccess(address, None, is_write=True))
        if isinstance(instruction, Await) and instruction.is_spurious:
            waits = t.or_(waits, self._value(path, effect.waits))
        following = self._moved(path, edge, self._value(path, effect.guard))
        following = [replace(one, values=values, accesses=accesses, waits=waits) for one in following]
        if not effect.is_end:
            return following
        for one in following:
            self._finish(one)
        return []

    def _is_new(self, address: Term | None) -> bool:
        """Whether the access goes to a block that the section itself made, which nobody else knows."""
        pointer = None if address is None else self.terms.number(address)
        vocabulary = self.vocabulary
        return pointer is not None and vocabulary.pointers.number(pointer) not in vocabulary.instances

    def _wrong(self, path: _Path, edge: Edge) -> Term:
        """When the instruction is wrong, as its Fault would say."""
        instruction = edge.instruction
        if not isinstance(instruction, Faulty):
            return self.terms.false
        fault = replace(edge, instruction=Fault(instruction))
        return self._value(path, effect_of(path.vocabulary, self.thread, fault, self._fresh).guard)

    # --- paths ----------------------------------------------------------------------------------------

    def _moved(self, path: _Path, edge: Edge, condition: Term) -> list[_Path]:
        """The path after an edge that is taken where ``condition`` holds; nothing if that is nowhere."""
        guard = self.terms.and_(path.guard, condition)
        return [] if guard == self.terms.false else [replace(path, location=edge.target, guard=guard)]

    def _finish(self, path: _Path) -> None:
        if path.guard != self.terms.false:
            self.result.runs.append(SectionRun(path.guard, path.waits, path.accesses))

    def _is_unknown(self, path: _Path, condition: Term) -> None:
        met = self.terms.and_(path.guard, condition)
        self.result.unknown = self.terms.or_(self.result.unknown, met)

    # --- terms ----------------------------------------------------------------------------------------

    def _address(self, path: _Path, instruction: Instruction) -> Term | None:
        address = used_address(instruction)
        return None if address is None else self._value(path, self._instantiated(path, address))

    def _hints(self, path: _Path, edge: Edge, address: Term | None) -> Hints:
        if address is None:
            return Hints()
        pointer, pointers = self.terms.number(address), self.vocabulary.pointers
        if pointer is None:
            return Hints(targets=self.targets(edge, address))
        place = Target(pointers.number(pointer), pointers.offset(pointer))
        return Hints(targets=[place] if place.number in path.vocabulary.instances else [])

    def _instantiated(self, path: _Path, term: Term) -> Term:
        return path.vocabulary.instantiated(self.thread, term)

    def _value(self, path: _Path, term: Term) -> Term:
        return self.terms.substitute(term, path.values)

    def _fresh(self, sort: Sort, text: str) -> Term:
        role = InputRole(f"section{self.thread}.{self.start}.{len(self.result.inputs)}")
        made = self.terms.var(role, sort)
        self.result.inputs.append(made)
        return made


def _extended(
    path: _Path, blocks: Mapping[int, HeapShape] | None = None, function: str | None = None
) -> _Path:
    """The path with a vocabulary that has these blocks and a new thread that runs ``function``."""
    old = path.vocabulary
    blocks_before = (i for i in old.instances.values() if i.kind is Lifetime.HEAP)
    heap = {i.number: HeapShape(i.layout, i.capacity) for i in blocks_before}
    threads = [known.name for known in old.threads] + ([] if function is None else [function])
    new = Vocabulary(old.code, threads, {**heap, **(blocks or {})})
    unborn = [instance for number, instance in new.instances.items() if number not in old.instances]
    values = path.values | {new.alive(instance): new.terms.false for instance in unborn}
    values |= {new.detached(thread): new.terms.false for thread in range(len(old.threads), len(threads))}
    return replace(path, vocabulary=new, values=values)
