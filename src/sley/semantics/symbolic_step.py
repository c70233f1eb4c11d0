"""Macro steps in terms: all that a thread can do from one stop to the next, as guards and parallel updates.

``symbolic`` knows single edges; this module runs them one after another, as ``step`` does with values. A step
from a stop has several *branches*, one for each path through the local steps (or the atomic section): a guard
over the variables before the step, and the values that variables have after it. *Troubles* are conditions
under which the branches do not say what happens; whoever relies on the branches has to show that none of
them can be met.

What exists (threads, heap blocks) is the *shape*: known, not symbolic. A step can extend it: a new thread
gets the next id; a new block gets a number that was never used on the way, or that of a dead block (a stale
pointer may equal a new one). States are meant up to renaming of heap blocks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from sley.base.reasons import BLOCK_SIZE, Reason, Why, unmodelled_call
from sley.logic.clauses import conjuncts
from sley.logic.sorts import Sort
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Layout, Storage
from sley.program.ordering import reverse_postorder
from sley.program.program import Edge
from sley.program.rewriting import used_address
from sley.semantics.code import Code
from sley.semantics.memory import LARGEST_BLOCK
from sley.semantics.roles import InputRole
from sley.semantics.state import ABORTED, ENDED, EXITED
from sley.semantics.symbolic import Hints, SymbolicEffect, effect_of
from sley.semantics.symbolic_memory import Aim, Fresh
from sley.semantics.vocabulary import ABSENT, RUNNING, STATUS, HeapShape, Lifetime, Vocabulary

MOST_EDGES = 4000
"""A path through one step that is longer than this does not end, as far as we can tell."""

FREE_FORKS = 3
"""A path that has forked more often asks whether it is worth following."""

FEW_BRANCHES = 24
"""A step with more paths than this is executed with paths merged where they meet."""

MOST_BRANCHES = 256
"""A step with more paths than this is beyond us."""

NOT_KNOWN = Reason("an access to a place, or to part of a pointer, that is not known", Why.NO_PLACE)
TOO_LONG = Reason("an atomic section or a local computation is too long", Why.LONG_LOOP)


class Shape(NamedTuple):
    """What exists: the function of every thread by id, and every heap block that ever lived, by number."""

    threads: tuple[str, ...]
    heap: tuple[tuple[int, HeapShape], ...] = ()


class Resolver(Protocol):
    """Says where accesses may go; terms are over the variables before the step."""

    def targets(self, shape: Shape, edge: Edge, address: Term) -> Sequence[Aim] | None:
        """The places where an address may be; None: every cell of the right size, or the constant it is."""
        ...

    def capacity(self, edge: Edge, size: Term) -> int | None:
        """An upper bound on the size of a new block; None: not known."""
        return None

    def excludes(self, condition: Term) -> bool:
        """Whether what follows under this condition may be left out: it is then a trouble."""
        return False


@dataclass(frozen=True, slots=True)
class Arbitrary:
    """An event of a branch: an arbitrary value was made, ``term`` stands for it."""

    term: Term
    edge: Edge


@dataclass(frozen=True, slots=True)
class Filling:
    """An event of a branch: an object began to live with arbitrary contents."""

    number: int
    terms: tuple[Term, ...]
    """One for each cell, or one array for the cells of each size."""
    layout: Layout | None = None
    """If they are arrays: the layout of the object."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """An event of a branch: a heap block was made."""

    number: int
    is_new: bool
    """The number was never used before."""


class AccessedBytes(NamedTuple):
    """What a thread accesses next; in an atomic section, an event of a run through it."""

    address: Term
    """Over the variables before the step."""
    size: int | None
    """Of a bit-field all of its location; None: the block that begins there is freed."""
    is_write: bool
    is_atomic: bool = True


class SectionWait(NamedTuple):
    """An event of a run through an atomic section: where the condition holds, a spurious wake-up."""

    condition: Term


Event = Arbitrary | Filling | Allocation | AccessedBytes | SectionWait


@dataclass(frozen=True, slots=True)
class Branch:
    """One path from a stop to the next."""

    thread: int
    source: int
    target: int
    """The next stop, an error location, EXITED, or what ENDED or ABORTED hold: the process has ended."""
    shape: Shape
    """What exists afterwards."""
    guard: tuple[Term, ...]
    """Conjuncts over the variables before the step."""
    updates: Mapping[Term, Term]
    """Variable -> its new value; other variables keep theirs."""
    inputs: tuple[Term, ...]
    """The arbitrary values that guard and updates mention."""
    events: tuple[Event, ...]
    edges: tuple[Edge, ...]


class Trouble(NamedTuple):
    """Where ``guard`` holds, the branches of a step do not say what happens."""

    guard: tuple[Term, ...]
    """Conjuncts over the variables before the step, and arbitrary values."""
    reason: str


@dataclass(frozen=True, slots=True)
class SymbolicStep:
    """Everything that a thread can do from one stop to the next."""

    branches: tuple[Branch, ...]
    troubles: tuple[Trouble, ...]
    is_merged: bool = False
    """Paths were made one where they met: of the edges of a branch, those of one path are told."""


@dataclass(slots=True)
class StepPath:
    """A path through a step, so far."""

    location: int
    shape: Shape
    guard: tuple[Term, ...] = ()
    values: dict[Term, Term] = field(default_factory=dict)
    inputs: tuple[Term, ...] = ()
    events: tuple[Event, ...] = ()
    edges: tuple[Edge, ...] = ()
    forks: int = 0


class SymbolicSteps:
    """Computes steps of one program."""

    def __init__(
        self, code: Code, quiet: frozenset[int] = frozenset(), most_cells: int | None = None
    ) -> None:
        self.code = code
        self.most_cells = most_cells
        """How many cells an object has at most that is no array; None: there are no arrays."""
        self.terms = code.program.terms
        self.stops = code.stops - quiet
        """Where steps end: ``quiet`` are the stops that they run through."""
        self._vocabularies: dict[Shape, Vocabulary] = {}
        self._positions: dict[int, int] = {}

    def initial_shape(self) -> Shape:
        """Only the first thread exists."""
        return Shape((self.code.program.entry,))

    def initial_control(self) -> tuple[int, ...]:
        """Where the first thread stands."""
        return (self.code.program.functions[self.code.program.entry].entry,)

    def vocabulary(self, shape: Shape) -> Vocabulary:
        """The variables for what exists."""
        found = self._vocabularies.get(shape)
        if found is None:
            found = Vocabulary(self.code, shape.threads, dict(shape.heap), self.most_cells)
            self._vocabularies[shape] = found
        return found

    @property
    def largest_capacity(self) -> int | None:
        """The size of the largest block that may exist, if arrays can hold what is in it."""
        return None if self.most_cells is None else self.code.program.pointers.largest_object

    def has_room(self, layout: Layout, capacity: int) -> bool:
        """Whether a block of so many bytes can be spoken of: no offset runs into the next object."""
        if self.most_cells is None and layout.count(capacity) > LARGEST_BLOCK:
            return False
        return capacity <= self.code.program.pointers.largest_object

    def initial_values(self, shape: Shape) -> dict[Term, Term]:
        """What the variables of a shape are when the program starts; contents of what is dead: nothing."""
        t, vocabulary = self.terms, self.vocabulary(shape)
        values: dict[Term, Term] = {}
        for instance in vocabulary.instances.values():
            if instance.kind is not Lifetime.GLOBAL:
                values[vocabulary.alive(instance)] = t.false
        for thread in range(len(shape.threads)):
            values[vocabulary.status(thread)] = t.const(RUNNING if thread == 0 else ABSENT, STATUS)
            values[vocabulary.detached(thread)] = t.false
        first = self.code.program.pointers.first_object
        for number, obj in enumerate(self.code.program.objects, first):
            if obj.storage is not Storage.CODE:
                values |= vocabulary.initial(vocabulary.instances[number], obj)
        main = vocabulary.threads[0]
        for obj in main.objects:
            if obj.storage is Storage.THREAD:
                instance = vocabulary.local(0, obj)
                values[vocabulary.alive(instance)] = t.true
                values |= vocabulary.initial(instance, obj)
        for register in self.code.live[main.entry]:
            values[vocabulary.register(0, register)] = t.const(0, register.sort)
        return values

    def position(self, location: int) -> int:
        """The position of a location in a reverse postorder of its function."""
        if location not in self._positions:
            function = self.code.function_at[location]
            self._positions.update(dict.fromkeys(function.locations, len(function.locations)))
            self._positions.update(reverse_postorder(function))
        return self._positions[location]

    def passed(self, location: int) -> frozenset[int]:
        """The stops that a step from here may run through."""
        found, seen, waiting = set[int](), {location}, [location]
        while waiting:
            for edge in self.code.out.get(waiting.pop(), ()):
                if edge.target not in self.stops and edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)
                    if edge.target in self.code.stops:
                        found.add(edge.target)
        return frozenset(found)

    def joins_one_of_many(self, edge: Edge) -> bool:
        """Whether a Join is one of a thread that is not known, and cannot be wrong: never, here."""
        return False

    def creation(self, shape: Shape, edge: Edge) -> tuple[Shape, int]:
        """What exists after a Create edge, and the id of the new thread."""
        assert isinstance(edge.instruction, ir.Create)
        return Shape((*shape.threads, edge.instruction.function), shape.heap), len(shape.threads)

    def block_of(self, thread: int, edge: Edge) -> int | None:
        """The number of the block that a thread makes here, where it can make but one: not known, here."""
        return None

    def blocks(self, shape: Shape, edge: Edge, made: HeapShape) -> Iterator[tuple[int, Shape]]:
        """The numbers that a new block may get, with what exists then: a new one, or that of a dead block."""
        used = [number for number, _ in shape.heap]
        fresh = max(used, default=self.code.memory_map.heap_base - 1) + 1
        for number in (fresh, *used):
            yield number, Shape(shape.threads, tuple(sorted({**dict(shape.heap), number: made}.items())))

    def step(
        self,
        shape: Shape,
        thread: int,
        location: int,
        resolver: Resolver,
        known: Mapping[Term, Term] | None = None,
    ) -> SymbolicStep:
        """All that the thread can do from the stop ``location``; ``known``: what variables hold there."""
        return SymbolicExecution(self, thread, resolver).run(
            StepPath(location, shape, values=dict(known or {}))
        )


class SymbolicExecution:
    """Runs one step along all its paths."""

    def __init__(self, steps: SymbolicSteps, thread: int, resolver: Resolver) -> None:
        self.steps = steps
        self.code = steps.code
        self.terms = steps.terms
        self.thread = thread
        self.resolver = resolver
        self.source = -1
        self.branches: list[Branch] = []
        self.troubles: list[Trouble] = []
        self.inputs: dict[Term, None] = {}
        """All arbitrary values that were made."""

    def run(self, start: StepPath) -> SymbolicStep:
        """Follow all paths one by one; if there are many, merge those that meet."""
        self.source = start.location
        is_merged = not self._follow([start], FEW_BRANCHES)
        if is_merged:
            self.branches, self.troubles = [], []
            self._follow_merging(start)
        return SymbolicStep(tuple(self.branches), tuple(self.troubles), is_merged)

    def _follow(self, stack: list[StepPath], most: int) -> bool:
        """Follow paths, the first edges first; false if there are too many."""
        while stack:
            if len(self.branches) + len(self.troubles) + len(stack) > most:
                return False
            path = stack.pop()
            stack.extend(reversed(self._advanced(path)))
        return True

    def _follow_merging(self, start: StepPath) -> None:
        """Follow paths in the order of the control flow, as one where they meet."""
        waiting: dict[int, list[StepPath]] = {start.location: [start]}
        while waiting:
            location = min(waiting, key=lambda at: (self.steps.position(at), at))
            for path in self._merged(waiting.pop(location)):
                if len(self.branches) + len(self.troubles) > MOST_BRANCHES:
                    self._trouble(path, self.terms.true, TOO_LONG)
                    continue
                for after in self._advanced(path):
                    waiting.setdefault(after.location, []).append(after)

    def _advanced(self, path: StepPath) -> list[StepPath]:
        """The path one edge further; nothing if its step has ended."""
        if path.edges and path.location in self.steps.stops:
            self._finish(path, path.location)
            return []
        if len(path.edges) > MOST_EDGES:
            self._trouble(path, self.terms.true, TOO_LONG)
            return []
        return self._continued(path)

    def _merged(self, paths: list[StepPath]) -> list[StepPath]:
        """Paths at the same location, with those that differ in guards and values alone made one."""
        found: list[StepPath] = []
        for path in paths:
            for other in found:
                if (path.shape, path.inputs, path.events) == (other.shape, other.inputs, other.events):
                    self._merge_into(other, path)
                    break
            else:
                found.append(path)
        return found

    def _merge_into(self, path: StepPath, other: StepPath) -> None:
        """``path`` stands for both from now on; their guards exclude each other."""
        t = self.terms
        common = tuple(part for part in path.guard if part in other.guard)
        first = t.and_(*(part for part in path.guard if part not in common))
        second = t.and_(*(part for part in other.guard if part not in common))
        changed = dict.fromkeys((*path.values, *other.values))
        path.values = {v: t.ite(first, path.values.get(v, v), other.values.get(v, v)) for v in changed}
        path.guard = tuple(dict.fromkeys((*common, *conjuncts(t, (t.or_(first, second),)))))
        path.edges = max(path.edges, other.edges, key=len)
        path.forks = 0

    def _continued(self, path: StepPath) -> list[StepPath]:
        """The path, one edge further."""
        edges = self.code.out.get(path.location, ())
        if len(edges) > 1 and self.code.faults.get(path.location) is None:
            return self._branched(path, edges)
        main = next((edge for edge in edges if not isinstance(edge.instruction, ir.FaultTest)), None)
        if main is None:
            self._cut(path, self.terms.true)
            return []
        return self._executed(path, main, self.code.faults.get(path.location))

    def _cut(self, path: StepPath, condition: Term) -> None:
        """Where the condition holds, the run does not exist: there is no branch for that."""

    def _branched(self, path: StepPath, edges: tuple[Edge, ...]) -> list[StepPath]:
        """Siblings are tried in order: each is taken where those before it do not hold."""
        found: list[StepPath] = []
        before: list[Term] = []
        for edge in edges:
            assert isinstance(edge.instruction, ir.Assume)
            holds = self._value(path, self._instantiated(path, edge.instruction.condition))
            condition = self.terms.and_(*(self.terms.not_(b) for b in before), holds)
            before.append(holds)
            if (guard := self._guard(path, condition)) is None:
                continue
            if guard == path.guard:
                found.append(self._moved(path, edge, guard, {}))
            elif path.forks >= FREE_FORKS and self.resolver.excludes(condition):
                self._trouble(path, condition, "a case that was left out")
            else:
                found.append(self._moved(path, edge, guard, {}))
                found[-1].forks = path.forks + 1
        return found

    def _executed(self, path: StepPath, edge: Edge, fault: Edge | None) -> list[StepPath]:
        instruction = edge.instruction
        if isinstance(instruction, ir.GiveUp):
            self._trouble(path, self.terms.true, instruction.reason)
            return []
        if isinstance(instruction, ir.CallUnmodelled):
            self._trouble(path, self.terms.true, unmodelled_call(instruction.function))
            return []
        if isinstance(instruction, ir.Allocate):
            return self._allocated(path, edge, instruction)
        shape, hints = path.shape, self._hints(path, edge)
        if isinstance(instruction, ir.Create):
            shape, thread = self.steps.creation(shape, edge)
            hints = Hints(thread=thread)
        return self._taken(path, edge, shape, hints, fault)

    def _taken(
        self, path: StepPath, edge: Edge, shape: Shape, hints: Hints, fault: Edge | None
    ) -> list[StepPath]:
        """The edge where it can be taken, its fault where it is wrong."""
        t = self.terms
        made: list[Term] = []
        effect = effect_of(self.steps.vocabulary(shape), self.thread, edge, self._fresh(path, made), hints)
        found: list[StepPath] = []
        guard = self._guard(path, self._value(path, effect.guard))
        if guard is not None:
            after = self._after(path, edge, shape, guard, effect, made)
            end = _end_of(edge)
            if end is None:
                found.append(after)
            else:
                self._finish(after, end)
        if fault is not None:
            # wrong, or a place that is no target: both must be shown to be impossible
            wrong = self._value(path, t.or_(t.not_(t.or_(effect.guard, effect.waits)), effect.may_be_wrong))
            if (condition := self._guard(path, wrong)) is not None:
                found.append(self._moved(path, fault, condition, {}))
        else:
            unknown = self.steps.vocabulary(shape).if_all_lived(effect.unknown)
            self._trouble(path, self._value(path, unknown), NOT_KNOWN)
        return found

    def _after(
        self,
        path: StepPath,
        edge: Edge,
        shape: Shape,
        guard: tuple[Term, ...],
        effect: SymbolicEffect,
        made: list[Term],
    ) -> StepPath:
        new = dict(zip(effect.updates, self._values(path, tuple(effect.updates.values())), strict=True))
        after = self._moved(path, edge, guard, new)
        after.events = (*path.events, *self._events(path.shape, edge, shape, effect, made))
        after.shape = shape
        after.inputs = (*path.inputs, *made)
        return after

    def _allocated(self, path: StepPath, edge: Edge, instruction: ir.Allocate) -> list[StepPath]:
        """A new block, or one in the place of a dead one."""
        number = self.steps.block_of(self.thread, edge)
        if number is not None:
            return self._taken(path, edge, path.shape, Hints(block=number), None)
        vocabulary = self.steps.vocabulary(path.shape)
        size = self._value(path, self._instantiated(path, instruction.size))
        known = self.terms.number(size)
        capacity = known if known is not None else self.resolver.capacity(edge, size)
        if capacity is None:
            capacity = self.steps.largest_capacity
        if capacity is None or not self.steps.has_room(instruction.layout, capacity):
            self._trouble(path, self.terms.true, BLOCK_SIZE)
            return []
        made = HeapShape(instruction.layout, capacity, edge.source)
        found: list[StepPath] = []
        for number, shape in self.steps.blocks(path.shape, edge, made):
            used = vocabulary.instances.get(number)
            if used is None or self._value(path, vocabulary.alive(used)) != self.terms.true:
                found.extend(self._taken(path, edge, shape, Hints(block=number), None))
        return found

    def _hints(self, path: StepPath, edge: Edge) -> Hints:
        if isinstance(edge.instruction, ir.Join):
            return Hints(is_one_of_many=self.steps.joins_one_of_many(edge))
        used = used_address(edge.instruction)
        if used is None:
            return Hints()
        address = self._value(path, self._instantiated(path, used))
        return Hints(targets=self.resolver.targets(path.shape, edge, address))

    def _events(
        self, before: Shape, edge: Edge, shape: Shape, effect: SymbolicEffect, made: list[Term]
    ) -> list[Event]:
        """What a replay has to know about arbitrary values and blocks."""
        if isinstance(edge.instruction, ir.Havoc):
            return [Arbitrary(made[0], edge)]
        vocabulary = self.steps.vocabulary(shape)
        found: list[Event] = []
        if isinstance(edge.instruction, ir.Allocate):
            target = vocabulary.register(self.thread, edge.instruction.target)
            address = self.terms.number(effect.updates[target])
            assert address is not None
            number = self.code.program.pointers.number(address)
            found.append(Allocation(number, is_new=all(number != used for used, _ in before.heap)))
        if made:
            for instance in vocabulary.instances.values():
                contents = vocabulary.contents(instance)
                if contents and effect.updates.get(contents[0]) in made:
                    layout = instance.layout if instance.is_array else None
                    given = tuple(effect.updates[variable] for variable in contents)
                    found.append(Filling(instance.number, given, layout))
        return found

    # --- paths --------------------------------------------------------------------------------

    def _finish(self, path: StepPath, target: int) -> None:
        """The step ends; what no later step reads is forgotten."""
        vocabulary = self.steps.vocabulary(path.shape)
        function = vocabulary.threads[self.thread]
        live = set(self.code.live.get(target, ()))
        dead = {vocabulary.register(self.thread, r) for r in function.registers if r not in live}
        updates = {v: term for v, term in path.values.items() if v not in dead and v != term}
        self.branches.append(
            Branch(
                self.thread,
                self.source,
                target,
                path.shape,
                path.guard,
                updates,
                path.inputs,
                path.events,
                path.edges,
            )
        )

    def _moved(
        self, path: StepPath, edge: Edge, guard: tuple[Term, ...], new: Mapping[Term, Term]
    ) -> StepPath:
        values = {**path.values, **new} if new else path.values
        edges = (*path.edges, edge)
        return StepPath(edge.target, path.shape, guard, values, path.inputs, path.events, edges, path.forks)

    def _guard(self, path: StepPath, condition: Term) -> tuple[Term, ...] | None:
        """The path's guard with one more conjunct; None if that is false."""
        if condition == self.terms.false:
            return None
        return tuple(dict.fromkeys((*path.guard, *conjuncts(self.terms, (condition,)))))

    def _trouble(self, path: StepPath, condition: Term, reason: str) -> None:
        if (guard := self._guard(path, condition)) is not None:
            self.troubles.append(Trouble(guard, reason))

    def _instantiated(self, path: StepPath, term: Term) -> Term:
        return self.steps.vocabulary(path.shape).instantiated(self.thread, term)

    def _value(self, path: StepPath, term: Term) -> Term:
        return self.terms.substitute(term, path.values) if path.values else term

    def _values(self, path: StepPath, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return self.terms.substitute_all(terms, path.values) if path.values else terms

    def _fresh(self, path: StepPath, made: list[Term]) -> Fresh:
        def fresh(sort: Sort, text: str) -> Term:
            role = InputRole(f"{self.thread}.{self.source}.{len(path.inputs) + len(made)}:{sort}")
            made.append(self.terms.var(role, sort))
            self.inputs[made[-1]] = None
            return made[-1]

        return fresh


def _end_of(edge: Edge) -> int | None:
    """The control location after an edge with which the thread or the process ends."""
    match edge.instruction:
        case ir.Exit():
            return EXITED
        case ir.End(ending=ir.Ending.ABORT):
            return int(ABORTED[0])
        case ir.End():
            return int(ENDED[0])
        case _:
            return None
