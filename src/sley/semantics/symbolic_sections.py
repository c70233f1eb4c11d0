"""Atomic sections in terms: which runs through one there are, and what memory they access.

Whether a thread before an atomic section can step, and what it then accesses, depends on the whole section:
it is one step, enabled iff some run through it completes. This module follows all paths through a section as
``symbolic_step`` does, over the variables before it. What the paths cannot tell is the condition ``unknown``;
there the runs say nothing.

A path that allocates or creates extends the vocabulary, which is meant to have every thread that exists and
every heap block that ever lived: a new thread gets the next id, a new block a number that was never used or
that of a dead block, to which a stale pointer may refer.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.state import CUT, location_of
from sley.semantics.symbolic import Hints, SymbolicEffect, effect_of
from sley.semantics.symbolic_memory import Aim
from sley.semantics.symbolic_step import (
    NOT_KNOWN,
    TOO_LONG,
    AccessedBytes,
    Event,
    SectionWait,
    Shape,
    StepPath,
    SymbolicExecution,
    SymbolicSteps,
)
from sley.semantics.vocabulary import HeapShape, Lifetime, Vocabulary

MOST_EDGES = 2000
"""A section with more edges on all its paths together is beyond us."""

Targets = Callable[[Edge, Term], Sequence[Aim] | None]
"""Where the access of an edge at this address may go; None: every cell of the right size."""


def everywhere(edge: Edge, address: Term) -> None:
    """The targets when nothing is known."""


class SectionRun(NamedTuple):
    """One run through a section: it completes, or an access to no memory cuts it."""

    guard: Term
    waits: Term
    """The run needs a spurious wake-up."""
    accesses: tuple[AccessedBytes, ...]


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
    return SectionExecution(vocabulary, thread, targets).section(location)


def may_block(code: Code, location: int) -> bool:
    """Whether the form of the section leaves open that no run completes."""
    terms = code.program.terms
    edges = code.section(location)
    if any(isinstance(edge.instruction, ir.Lock | ir.Join | ir.Await) for edge in edges):
        return True
    conditions: dict[int, list[Term]] = {}
    for edge in edges:
        if isinstance(edge.instruction, ir.Assume):
            conditions.setdefault(edge.source, []).append(edge.instruction.condition)
    return any(terms.or_(*siblings) != terms.true for siblings in conditions.values())


class _SectionSteps(SymbolicSteps):
    """Steps in what a vocabulary has."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        super().__init__(vocabulary.code, most_cells=vocabulary.most_cells)
        blocks = (i for i in vocabulary.instances.values() if i.kind is Lifetime.HEAP)
        heap = {i.number: HeapShape(i.layout, i.capacity) for i in blocks}
        self.start = Shape(tuple(known.name for known in vocabulary.threads), tuple(sorted(heap.items())))
        self._vocabularies[self.start] = vocabulary

    def unborn(self, shape: Shape) -> dict[Term, Term]:
        """What is so of threads and blocks that did not exist before the section."""
        old, new = self.vocabulary(self.start), self.vocabulary(shape)
        added = [instance for number, instance in new.instances.items() if number not in old.instances]
        threads = range(len(old.threads), len(new.threads))
        return {
            **{new.alive(instance): new.terms.false for instance in added},
            **{new.detached(thread): new.terms.false for thread in threads},
        }


class SectionExecution(SymbolicExecution):
    """Runs through one section: its branches are the runs, those that are cut included."""

    steps: _SectionSteps

    def __init__(self, vocabulary: Vocabulary, thread: int, targets: Targets) -> None:
        super().__init__(_SectionSteps(vocabulary), thread, self)
        self.given = targets
        self.edges_left = MOST_EDGES

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[Aim] | None:
        """The places of an access: where a constant says, or the caller."""
        return None if self.terms.is_const(address) else self.given(edge, address)

    def capacity(self, edge: Edge, size: Term) -> None:
        """Only sizes that are constants are known."""

    def excludes(self, condition: Term) -> bool:
        """Everything is followed."""
        return False

    def section(self, location: int) -> Section:
        """All runs from this location."""
        t = self.terms
        step = self.run(StepPath(location, self.steps.start))
        unknown = t.or_(*(t.and_(*trouble.guard) for trouble in step.troubles))
        runs = []
        for branch in step.branches:
            waits = t.or_(*(event.condition for event in branch.events if isinstance(event, SectionWait)))
            accesses = tuple(event for event in branch.events if isinstance(event, AccessedBytes))
            runs.append(SectionRun(t.and_(*branch.guard), waits, accesses))
        return Section(unknown, runs, list(self.inputs))

    def _advanced(self, path: StepPath) -> list[StepPath]:
        if path.edges and path.location not in self.code.inside:
            self._finish(path, path.location)
            return []
        self.edges_left -= 1
        if self.edges_left < 0:
            self._trouble(path, self.terms.true, TOO_LONG)
            return []
        return self._continued(path)

    def _cut(self, path: StepPath, condition: Term) -> None:
        if (guard := self._guard(path, condition)) is not None:
            self._finish(replace(path, guard=guard), location_of(CUT))

    def _guard(self, path: StepPath, condition: Term) -> tuple[Term, ...] | None:
        guard = super()._guard(path, condition)
        return None if guard is None or self.terms.and_(*guard) == self.terms.false else guard

    def _taken(
        self, path: StepPath, edge: Edge, shape: Shape, hints: Hints, fault: Edge | None
    ) -> list[StepPath]:
        """The edge where it can be taken; where it is wrong, its fault, or the run is cut."""
        if shape != path.shape:
            path = replace(path, values=self.steps.unborn(shape) | path.values)
        made: list[Term] = []
        effect = effect_of(self.steps.vocabulary(shape), self.thread, edge, self._fresh(path, made), hints)
        self._trouble(path, self._value(path, effect.unknown), NOT_KNOWN)
        found: list[StepPath] = []
        if (guard := self._guard(path, self._value(path, effect.guard))) is not None:
            after = self._after(path, edge, shape, guard, effect, made)
            after.events = (*path.events, *self._noticed(path, edge, effect))
            if effect.is_end:
                self._finish(after, after.location)
            else:
                found.append(after)
        wrong = self._wrong(path, edge)
        if fault is None:
            self._cut(path, wrong)
        elif (guard := self._guard(path, wrong)) is not None:
            found.append(self._moved(path, fault, guard, {}))
        return found

    def _wrong(self, path: StepPath, edge: Edge) -> Term:
        """When the instruction is wrong, as its Fault would say."""
        if not isinstance(edge.instruction, ir.Faulty):
            return self.terms.false
        fault = replace(edge, instruction=ir.FaultTest(edge.instruction))
        vocabulary = self.steps.vocabulary(path.shape)
        return self._value(path, effect_of(vocabulary, self.thread, fault, self._fresh(path, [])).guard)

    def _noticed(self, path: StepPath, edge: Edge, effect: SymbolicEffect) -> Iterator[Event]:
        """What others notice of an edge: accesses, except to a block that the section itself made."""
        match edge.instruction:
            case ir.Load(access=access) | ir.Store(access=access) | ir.Update(access=access):
                address = self._value(path, self._instantiated(path, access.address))
                pointer, old = self.terms.number(address), self.steps.vocabulary(self.steps.start)
                if pointer is None or old.pointers.number(pointer) in old.instances:
                    yield AccessedBytes(address, access.size, not isinstance(edge.instruction, ir.Load))
            case ir.Free(address=freed):
                address = self._value(path, self._instantiated(path, freed))
                yield AccessedBytes(address, None, is_write=True)
            case ir.Await(is_spurious=True):
                yield SectionWait(self._value(path, effect.waits))
            case _:
                pass
