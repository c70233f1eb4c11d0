"""Loops that join all threads that another loop has created, one for each element of an array of their ids.

    for (i = 0; i < n; i++) pthread_create(&ids[i], ...);
    ...
    for (j = 0; j < n; j++) pthread_join(ids[j], ...);

*Claim*: whenever the second loop is left by its test (``JoinLoop.done``), all threads that were created at
``JoinLoop.create`` so far have ended.

Why: both loops count alike. A counter starts with the same constant, every round adds the same constant to
it, and the rounds go on while the same condition holds, over registers that are not assigned between the two
(*between*: on a way from the first loop to the second one). So they have the same values in the same order.
Each round of the first loop creates one thread and stores its id at an address, each round of the second
joins the thread whose id it loads from there. What both load from other places, such as the array's address,
is a value that does not change between. The address is the same function of the counter; it moves on by
at least the size of an id each time, inside one object, so no round overwrites what another one has stored.
Nothing else writes to the object between, in any thread, nor ends its life. A join that is passed is that of
a thread that has ended. From a creation the second loop is reached only by the test of the first one, and
from there the first one again only by the test of the second: so no id is forgotten.

``is_right`` claims besides that no join of the second loop can be wrong, unless another instruction joins or
detaches the same threads: there is always a first loop before it, and one for every time.

The claims rest on the points-to analysis: they hold up to the first access that is not where it lists it.
The function must be that of a thread that exists once.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from sley.analyses.graphs import reachable
from sley.analyses.loops import find_loops
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations, Instances
from sley.logic.linear import linear_form, slope
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.memory import AddressOf
from sley.program.program import Edge, Function
from sley.program.rewriting import access_of, written_registers

MOST_ROUNDS = 32
"""A loop with more ways through a round than this is not looked at."""

FARTHEST = 64
"""So many edges before a loop its counter must have got its first value."""


class JoinLoop(NamedTuple):
    """A loop that joins all threads that were created at one place."""

    create: int
    """The location of the Create edge."""
    join: int
    """The location of the Join edge."""
    done: Edge
    """The edge with which the loop is over."""
    is_right: bool
    """Whether its joins cannot be wrong, unless others join or detach the same threads."""


class _Event(NamedTuple):
    """What an edge does in a round, over the registers at its beginning and unknown results."""

    edge: Edge
    address: Term | None
    """Load and Store: where."""
    value: Term | None
    """Store: what is stored; Join: the id; else the unknown result."""


Round = tuple[_Event, ...]


class _CountedLoop(NamedTuple):
    """A loop whose rounds are counted by a register."""

    head: int
    body: frozenset[int]
    counter: Term
    start: int
    step: int
    goes_on: Term
    """The condition for another round, over the registers at the head."""
    done: Edge
    rounds: tuple[Round, ...]
    """All ways through a round."""

    def same(self, events: Sequence[_Event | None]) -> _Event | None:
        """What happens in every round, if it is the same in all of them."""
        first = events[0] if events else None
        return first if first is not None and all(event == first for event in events) else None

    def once(self, edge: Edge) -> _Event | None:
        """What an edge does in every round, if each passes it once, and it does the same in all of them."""
        found = [[event for event in events if event.edge is edge] for events in self.rounds]
        return self.same([events[0] if len(events) == 1 else None for events in found])


def find_join_loops(creations: Creations, points_to: PointsTo) -> tuple[JoinLoop, ...]:
    """All that are found."""
    found: list[JoinLoop] = []
    for function in creations.program.functions.values():
        if creations.instances[function.name] is Instances.ONE:
            found += _Pairs(creations, points_to, function).join_loops()
    return tuple(found)


class _Pairs:
    """Pairs of loops in one function."""

    def __init__(self, creations: Creations, points_to: PointsTo, function: Function) -> None:
        self.program = creations.program
        self.terms = creations.program.terms
        self.points_to = points_to
        self.function = function

    @cached_property
    def loops(self) -> list[_CountedLoop]:
        """The counted loops."""
        return list(_counted_loops(self.terms, self.function))

    def join_loops(self) -> list[JoinLoop]:
        """Those that join all that were created at one place."""
        if not _has(self.function, ir.Create) or not _has(self.function, ir.Join):
            return []
        loops = self.loops
        found = [
            (created.edge, joined.edge, first, second)
            for first in loops
            for created, stored in self._creations(first)
            for second in loops
            if not first.body & second.body
            for joined, loaded in self._joins(second)
            if self._agree(first, stored, second, loaded)
            and self._is_untouched(first, second, stored, loaded)
            and self._is_complete(first, created.edge, second)
        ]
        return [
            JoinLoop(
                create.source,
                join.source,
                second.done,
                is_right=[one[0] for one in found].count(create) == 1 and self._is_paired(first, second),
            )
            for create, join, first, second in found
        ]

    def _edges_in(self, loop: _CountedLoop, kind: type[ir.Create] | type[ir.Join]) -> list[Edge]:
        edges = self.function.edges
        return [edge for edge in edges if edge.source in loop.body and isinstance(edge.instruction, kind)]

    def _creations(self, loop: _CountedLoop) -> Iterator[tuple[_Event, _Event]]:
        """A creation in every round, and where the id is stored."""
        for edge in self._edges_in(loop, ir.Create):
            created = loop.once(edge)
            if created is None:
                continue
            stores = {e.edge.source: e.edge for events in loop.rounds for e in events if _stores(e, created)}
            if len(stores) == 1 and (stored := loop.once(next(iter(stores.values())))) is not None:
                yield created, stored

    def _joins(self, loop: _CountedLoop) -> Iterator[tuple[_Event, _Event]]:
        """A join in every round, and where the id was loaded."""
        for edge in self._edges_in(loop, ir.Join):
            joined = loop.once(edge)
            if joined is None:
                continue
            loads = {e.edge.source: e.edge for events in loop.rounds for e in events if _loads(e, joined)}
            if len(loads) == 1 and (loaded := loop.once(next(iter(loads.values())))) is not None:
                yield joined, loaded

    def _agree(self, first: _CountedLoop, stored: _Event, second: _CountedLoop, loaded: _Event) -> bool:
        """Both loops count alike, and find the same addresses."""
        t = self.terms
        assert stored.address is not None
        assert loaded.address is not None
        if t.sort(first.counter) != t.sort(second.counter):
            return False
        renaming = {second.counter: first.counter}
        return (
            (first.start, first.step) == (second.start, second.step)
            and t.substitute(second.goes_on, renaming) == first.goes_on
            and t.substitute(loaded.address, renaming) == stored.address
            and _size(loaded) == _size(stored)
            and slope(t, stored.address, first.counter) * first.step >= _size(stored)
        )

    def _between(self, first: _CountedLoop, second: _CountedLoop) -> list[Edge]:
        """The edges on a way from the first loop to the second one, or inside one of them."""
        after = reachable((first.head,), self.function.successors)
        before = reachable((second.head,), _turned(self.function.successors))
        return [edge for edge in self.function.edges if edge.source in after and edge.target in before]

    def _is_untouched(
        self, first: _CountedLoop, second: _CountedLoop, stored: _Event, loaded: _Event
    ) -> bool:
        """What the loops depend on does not change, nor do the ids."""
        between = self._between(first, second)
        used = {
            v for event in (stored, loaded) for v in self.terms.variables(event.address or self.terms.true)
        }
        used.update(v for loop in (first, second) for v in self.terms.variables(loop.goes_on))
        used -= {first.counter, second.counter}
        if any(r.term in used for edge in between for r in written_registers(edge.instruction)):
            return False
        read = [
            event
            for loop in (first, second)
            for events in loop.rounds
            for event in events
            if isinstance(event.edge.instruction, ir.Load) and event.value in used
        ]
        ids = [self._objects(event.edge) for event in (stored, loaded)]
        others = [self._objects(event.edge) for event in read]
        if ids[0] != ids[1] or any(objects.bit_count() != 1 for objects in (*ids, *others)):
            return False
        changing = self._changing(between)
        is_stored_only = not any(self._may_change(e, ids[0]) for e in changing if e is not stored.edge)
        return is_stored_only and not any(self._may_change(e, o) for o in others for e in changing)

    def _changing(self, between: Sequence[Edge]) -> list[Edge]:
        """The edges that may be taken between the loops: those there, and all of other threads."""
        sources = {edge.source for edge in between}
        others = (f.edges for f in self.program.functions.values() if f is not self.function)
        own = (edge for edge in self.function.edges if edge.source in sources)
        return [*own, *(edge for edges in others for edge in edges)]

    def _objects(self, edge: Edge) -> int:
        """The objects that an edge may access, as a set: by the form of its address, or by analysis."""
        return self._by_form.get(edge.source) or self.points_to.targets(edge.source).objects

    @cached_property
    def _by_form(self) -> dict[int, int]:
        """The location of an access in a counted loop -> the object that its address begins with, as a set.

        No sum of steps from a pointer reaches another object. A loop must not be left in the middle of a
        round: of what happens on such a way nothing is known here.
        """
        found: dict[int, int] = {}
        for loop in self.loops:
            leaving = [edge for edge in self.function.edges if _leaves(edge, loop.body)]
            if any(edge is not loop.done and edge.target not in self.function.errors for edge in leaving):
                continue
            events = [event for events in loop.rounds for event in events if event.address is not None]
            known = {(event.edge.source, self._beginning(event.address)) for event in events if event.address}
            for source in {source for source, _ in known}:
                bases = [base for other, base in known if other == source]
                if len(bases) == 1 and bases[0] is not None:
                    found[source] = 1 << bases[0]
        return found

    def _beginning(self, address: Term) -> int | None:
        """The object whose address is part of a sum."""
        t, objects = self.terms, self.points_to.objects
        while t.op(address) is Op.ITE and t.is_const(t.args(address)[2]):
            address = t.args(address)[1]
        constant, parts = linear_form(t, address)
        if (static := objects.of_static(self.program.pointers.number(constant))) is not None:
            return static
        for slot, declared in enumerate(self.function.objects):
            if parts.get(declared.address) == 1:
                return objects.of_local(self.function.name, slot)
        return None

    def _may_change(self, edge: Edge, objects: int) -> bool:
        """Whether an edge may write to an object, given as a set, or end its life."""
        instruction, obj = edge.instruction, objects.bit_length() - 1
        if isinstance(instruction, ir.Enter | ir.Leave):
            declared = self.points_to.objects[obj].declaration
            return declared is not None and instruction.object.address == declared.address
        access = access_of(instruction)
        if isinstance(instruction, ir.Free) or (access is not None and access[1]):
            return bool(self._objects(edge) & objects)
        return False

    def _reaches(self, start: Sequence[int], target: int, without: Edge) -> bool:
        successors: dict[int, list[int]] = {}
        for edge in self.function.edges:
            if edge is not without:
                successors.setdefault(edge.source, []).append(edge.target)
        return target in reachable(start, successors)

    def _is_complete(self, first: _CountedLoop, create: Edge, second: _CountedLoop) -> bool:
        """The creator finishes the first loop before the second, and that before the first."""
        skips = self._reaches((create.target,), second.head, first.done)
        return not skips and not self._reaches((first.done.target,), first.head, second.done)

    def _is_paired(self, first: _CountedLoop, second: _CountedLoop) -> bool:
        """Whether the first loop was finished each time before the second one begins."""
        outside = [edge.target for edge in self.function.edges if _leaves(edge, second.body)]
        return not self._reaches((self.function.entry, *outside), second.head, first.done)


def _has(function: Function, kind: type[ir.Create] | type[ir.Join]) -> bool:
    return any(isinstance(edge.instruction, kind) for edge in function.edges)


def _leaves(edge: Edge, body: frozenset[int]) -> bool:
    return edge.source in body and edge.target not in body


def _stores(event: _Event, created: _Event) -> bool:
    return isinstance(event.edge.instruction, ir.Store) and event.value == created.value


def _loads(event: _Event, joined: _Event) -> bool:
    return isinstance(event.edge.instruction, ir.Load) and event.value == joined.value


def _size(event: _Event) -> int:
    assert isinstance(event.edge.instruction, ir.Load | ir.Store)
    return event.edge.instruction.access.size


def _turned(successors: Mapping[int, Sequence[int]]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for source, targets in successors.items():
        for target in targets:
            found.setdefault(target, []).append(source)
    return found


# --- counted loops ------------------------------------------------------------------------------------------


def _counted_loops(t: Terms, function: Function) -> Iterator[_CountedLoop]:
    for head, body in find_loops(function).bodies.items():
        test = _test(t, function, head, body)
        found = _rounds(t, function, head, body) if test is not None else None
        if test is None or not found:
            continue
        goes_on, done = test
        for counter in t.variables(goes_on):
            if not isinstance(t.sort(counter), BitVecSort):
                continue
            steps = {_step(t, registers.get(counter, counter), counter) for registers, _ in found}
            start = _start(t, function, head, body, counter)
            if start is not None and len(steps) == 1 and (step := steps.pop()) > 0:
                rounds = tuple(events for _, events in found)
                yield _CountedLoop(head, body, counter, start, step, goes_on, done, rounds)


def _test(t: Terms, function: Function, head: int, body: frozenset[int]) -> tuple[Term, Edge] | None:
    """The condition for another round, and the edge that is taken otherwise."""
    edges = function.outgoing.get(head, ())
    inside = [edge for edge in edges if edge.target in body]
    outside = [edge for edge in edges if edge.target not in body]
    if len(inside) != 1 or len(outside) != 1:
        return None
    going, ending = inside[0].instruction, outside[0].instruction
    if not isinstance(going, ir.Assume) or not isinstance(ending, ir.Assume):
        return None
    return (going.condition, outside[0]) if going.condition == t.not_(ending.condition) else None


def _start(t: Terms, function: Function, head: int, body: frozenset[int], counter: Term) -> int | None:
    """The constant that the counter is before the first round."""
    entering = [edge for edge in function.incoming.get(head, ()) if edge.source not in body]
    values = {_value_after(t, function, edge, counter) for edge in entering}
    return values.pop() if len(values) == 1 else None


def _value_after(t: Terms, function: Function, edge: Edge, register: Term) -> int | None:
    """The constant that a register is after an edge, if it was assigned on the only way there."""
    for _ in range(FARTHEST):
        if any(r.term == register for r in written_registers(edge.instruction)):
            if not isinstance(edge.instruction, ir.Assign):
                return None
            value = next(value for r, value in edge.instruction.assignments if r.term == register)
            return t.number(value)
        before = function.incoming.get(edge.source, ())
        if len(before) != 1:
            return None
        edge = before[0]
    return None


def _step(t: Terms, value: Term, counter: Term) -> int:
    """What is added to the counter; 0 if something else happens to it."""
    constant, parts = linear_form(t, value)
    return constant if parts == {counter: 1} and constant < 1 << (t.width(counter) - 1) else 0


Registers = dict[Term, Term]


def _rounds(
    t: Terms, function: Function, head: int, body: frozenset[int]
) -> list[tuple[Registers, Round]] | None:
    """All ways from the head back to it: what registers hold then, and what happened; None: too many."""
    found: list[tuple[Registers, Round]] = []
    waiting: list[tuple[int, frozenset[int], Registers, Round]] = [(head, frozenset(), {}, ())]
    while waiting:
        location, passed, registers, events = waiting.pop()
        for edge in function.outgoing.get(location, ()):
            if edge.target not in body:
                continue
            if edge.target in passed or len(found) + len(waiting) > MOST_ROUNDS:
                return None
            after, event = _executed(t, edge, registers)
            happened = events if event is None else (*events, event)
            if edge.target == head:
                found.append((after, happened))
            else:
                waiting.append((edge.target, passed | {edge.target}, after, happened))
    return found


def _executed(t: Terms, edge: Edge, registers: Registers) -> tuple[Registers, _Event | None]:
    """What registers hold after an edge, and what it did; what it finds out is a variable of its own."""
    instruction = edge.instruction
    if isinstance(instruction, ir.Assign):
        values = {r.term: t.substitute(value, registers) for r, value in instruction.assignments}
        return {**registers, **values}, None
    if isinstance(instruction, ir.Load) and not registers.keys() & t.variables(instruction.access.address):
        place = _place_name(t, instruction)
        if place is not None:
            value = t.var(place, instruction.target.sort)
            event = _Event(edge, instruction.access.address, value)
            return {**registers, instruction.target.term: value}, event
    unknown = {
        r.term: t.var(f"result {number} of {edge.source}", r.sort)
        for number, r in enumerate(written_registers(instruction))
    }
    after = {**registers, **unknown}
    match instruction:
        case ir.Load(target=target, access=access):
            return after, _Event(edge, t.substitute(access.address, registers), after[target.term])
        case ir.Store(access=access, value=value):
            address = t.substitute(access.address, registers)
            return after, _Event(edge, address, t.substitute(value, registers))
        case ir.Create(target=target):
            return after, _Event(edge, None, after[target.term])
        case ir.Join(handle=handle):
            return after, _Event(edge, None, t.substitute(handle, registers))
        case _:
            return after, None


def _place_name(t: Terms, load: ir.Load) -> str | None:
    """A name for what a load finds at a place that is the same in all rounds; None: no such place."""
    address = load.access.address
    if (number := t.number(address)) is not None:
        return f"what is at {number}, {load.access.size} bytes"
    if t.is_var(address) and isinstance(t.symbol(address), AddressOf):
        return f"what is at {t.symbol(address)}, {load.access.size} bytes"
    return None
