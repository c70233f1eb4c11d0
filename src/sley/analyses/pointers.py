"""Points-to: which objects, at which offsets, a value may be the address of.

Inclusion-based (Andersen), flow-insensitive, field-sensitive by offset. Since a pointer is a bit-vector, values are
tracked through every bit-vector that is wide enough to hold one, whatever C calls it.

*Claims.* The result lists, for every access, the places that its address can be derived from, and whether it may
be something *elsewhere*: a value that no address was turned into by adding and subtracting, such as an
uninitialised pointer, an input, or the outcome of other arithmetic. The lists are complete for every run in which
no access through such a value hits a live object outside its list. Who relies on them has to make sure of
that at the accesses marked ``elsewhere``: an engine gives up there, a checker proves that it cannot happen.

Further assumptions, all part of what ``program.memory`` promises: no sum of guarded steps from a pointer reaches
another object; the two topmost object numbers are never used; numbers of dead heap blocks may be given to later
ones, so in a program that frees, a pointer to one heap block may be a pointer to any.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from sley.analyses.constraints import ELSEWHERE, Constraints
from sley.analyses.objects import AbstractObjects, MemoryClasses, Offset
from sley.analyses.values import ValueFlow
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program.instructions import (
    Access,
    Allocate,
    Assign,
    CallUnmodelled,
    Create,
    Enter,
    Exit,
    Free,
    Havoc,
    Instruction,
    Join,
    Load,
    Lock,
    Store,
    Unlock,
    Update,
)
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import read_terms


class Place(NamedTuple):
    """A set of bytes: these offsets in this abstract object."""

    object: int
    offset: Offset


@dataclass(frozen=True, slots=True)
class Targets:
    """What an address may be; null and other numbers that name no object are not listed."""

    places: tuple[Place, ...]
    elsewhere: bool
    """Whether it may be something that is not derived from these places."""

    @property
    def objects(self) -> int:
        """The set of abstract objects, one bit each."""
        bits = 0
        for place in self.places:
            bits |= 1 << place.object
        return bits


class Dependence(Enum):
    """How an operation depends on the numbers that objects have."""

    RELATION = "relation"
    """Two addresses are ordered or subtracted: depends on numbers only if they are in two objects."""
    NUMBER = "number"
    """The outcome depends on the number itself, as in hashing an address."""


@dataclass(frozen=True, slots=True)
class AddressUse:
    """A place where heap or local addresses are used other than by adding, comparing for equality, accessing.

    Whoever renames objects (heap blocks, threads) must not, or must show that this use does not notice.
    """

    location: int
    dependence: Dependence
    objects: int
    """The objects whose numbers matter, one bit each."""


class PointsTo:
    """The solved points-to constraints of a program."""

    def __init__(self, program: Program) -> None:
        collector = _Collector(program)
        collector.collect()
        self.objects = collector.objects
        self.classes = collector.classes
        self._collector = collector
        self._constraints = collector.constraints
        self._constraints.solve()
        self._targets: dict[int, Targets] = {}

    @property
    def is_reusing(self) -> bool:
        """Whether heap blocks may get the numbers of dead ones."""
        return self._constraints.is_reusing

    def targets(self, location: int) -> Targets:
        """Where the instruction at this location may access memory (Free: the blocks it may free)."""
        if location not in self._targets:
            node = self._collector.address_nodes[location]
            self._targets[location] = self._decoded(self._constraints.aliases(self._constraints.values[node]))
        return self._targets[location]

    @property
    def access_locations(self) -> tuple[int, ...]:
        """The locations for which there are ``targets``."""
        return tuple(self._collector.address_nodes)

    def held(self, function: str, register: Term) -> Targets:
        """What a register, given by its variable, may hold at any time."""
        node = self._collector.registers[function].get(register)
        return self._decoded(0 if node is None else self._constraints.values[node])

    def contents(self, obj: int) -> int:
        """The abstract objects to which anything in this object may point, one bit each."""
        constraints = self._constraints
        bits = 0
        for node in constraints.memory_nodes(obj):
            bits |= constraints.values[node]
        return constraints.objects_in(constraints.aliases(bits))

    @cached_property
    def published(self) -> int:
        """The objects whose address is given to a new thread, left by an ending one, or known to unmodelled code."""
        constraints, collector = self._constraints, self._collector
        nodes = (*collector.argument_nodes, collector.exit_node, constraints.scrambled)
        bits = 0
        for node in nodes:
            bits |= constraints.values[node]
        return constraints.objects_in(constraints.aliases(bits))

    @cached_property
    def scrambled(self) -> int:
        """The objects that unmodelled functions may read and change."""
        constraints = self._constraints
        return constraints.objects_in(constraints.aliases(constraints.values[constraints.scrambled]))

    @cached_property
    def address_arithmetic(self) -> tuple[AddressUse, ...]:
        """Where the program depends on the numbers of heap or local objects."""
        movable = sum(1 << obj.index for obj in self.objects if not obj.is_static)
        found: dict[AddressUse, None] = {}
        constraints = self._constraints
        for location, dependence, nodes in self._collector.suspects:
            shared = movable if dependence is Dependence.RELATION else 0
            for node in nodes:
                objects = constraints.objects_in(constraints.values[node]) & movable
                shared = shared & objects if dependence is Dependence.RELATION else shared | objects
            if shared:
                found[AddressUse(location, dependence, shared)] = None
        for location, node in constraints.partial_reads:
            objects = constraints.objects_in(constraints.values[node]) & movable
            if objects:
                found[AddressUse(location, Dependence.NUMBER, objects)] = None
        return tuple(found)

    def _decoded(self, bits: int) -> Targets:
        places = sorted(Place(*self._constraints.place_of(bit)) for bit in _bits(bits & ~ELSEWHERE))
        return Targets(tuple(places), bool(bits & ELSEWHERE))


def points_to(program: Program) -> PointsTo:
    """Solve the points-to constraints of a flat program."""
    return PointsTo(program)


def _bits(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


_ORDERED = frozenset({Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.BVSUB})
_HARMLESS = frozenset({Op.EQ, Op.ITE, Op.BVADD, Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.FP_FROM_BITS, Op.FP_TO_BITS})
_BITWISE = frozenset({Op.BVAND, Op.BVOR, Op.BVXOR})


class _Collector:
    """Turns a program into constraints."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.objects = AbstractObjects(program)
        self.classes = MemoryClasses(self.objects)
        is_reusing = any(isinstance(e.instruction, Free) for f in program.functions.values() for e in f.edges)
        self.constraints = Constraints(self.classes, program.pointers, is_reusing=is_reusing)
        self.exit_node = self.constraints.node()
        self.flow = ValueFlow(program.terms, program.pointers, self.constraints)
        self.registers: dict[str, Mapping[Term, int]] = {}
        self.address_nodes: dict[int, int] = {}
        self.argument_nodes: list[int] = []
        self.suspects: list[tuple[int, Dependence, tuple[int, ...]]] = []

    def collect(self) -> None:
        """All constraints of the program."""
        for function in self.program.functions.values():
            self.registers[function.name] = {
                register.term: self.constraints.node()
                for register in function.registers
                if self.flow.is_wide(register.sort)
            }
        self._initial_contents()
        for function in self.program.functions.values():
            self._enter_function(function)
            seen: set[Term] = set()
            for edge in function.edges:
                self._edge(edge)
                self._find_suspects(edge, seen)

    def _enter_function(self, function: Function) -> None:
        variables: dict[Term, int] = {self.program.self_handle: self.constraints.node()}
        for slot, declared in enumerate(function.objects):
            node = self.constraints.node()
            self.constraints.include(
                node, self.constraints.place(self.objects.of_local(function.name, slot), Offset(0))
            )
            variables[declared.address] = node
        self.flow.variables = {**variables, **self.registers[function.name]}

    def _initial_contents(self) -> None:
        for obj in self.objects:
            declared = obj.declaration
            if declared is None or obj.storage not in (Storage.GLOBAL, Storage.THREAD):
                continue
            for index, value in declared.initial:
                offset = declared.layout.offset_of(index)
                size = declared.layout.cells[index % len(declared.layout.cells)].size
                if size * 8 >= self.program.pointers.width:
                    node = self.constraints.node()
                    self.constraints.include(node, self.flow.number(value, size * 8))
                    self.constraints.write(obj.index, Offset(offset), size, node)

    def _edge(self, edge: Edge) -> None:
        constraints, node = self.constraints, self.flow.node
        registers = self.flow.variables
        match edge.instruction:
            case Assign(assignments=assignments):
                for register, value in assignments:
                    if register.term in registers:
                        constraints.copy(node(value), registers[register.term])
            case Havoc(target=target):
                if target.term in registers:
                    constraints.include(registers[target.term], ELSEWHERE)
            case Load(target=target, access=access):
                constraints.load(self._address(edge, access), registers.get(target.term), access.size, edge.source)
            case Store(access=access, value=value):
                self._store(edge, access, value)
            case Update(target=target, access=access, value=value):
                constraints.load(self._address(edge, access), registers.get(target.term), access.size, edge.source)
                self._store(edge, access, value)
            case Lock(access=access) | Unlock(access=access):
                constraints.store(self._address(edge, access), None, access.size)
            case Free(address=address):
                self.address_nodes[edge.source] = node(address)
            case _:
                self._life_or_thread(edge.source, edge.instruction)

    def _life_or_thread(self, location: int, instruction: Instruction) -> None:
        constraints, node = self.constraints, self.flow.node
        registers = self.flow.variables
        match instruction:
            case Allocate(target=target, is_zeroed=is_zeroed):
                site = self.objects.of_site(location)
                constraints.include(registers[target.term], constraints.place(site, Offset(0)))
                if not is_zeroed:
                    constraints.forget_contents(site)
            case Enter(object=entered, is_zeroed=is_zeroed):
                if not is_zeroed:
                    for bit in _bits(constraints.values[registers[entered.address]]):
                        constraints.forget_contents(constraints.place_of(bit)[0])
            case Create(function=name, arguments=arguments):
                parameters = self.program.functions[name].parameters
                for parameter, argument in zip(parameters, arguments, strict=False):
                    if self.flow.is_wide(parameter.sort):
                        self.argument_nodes.append(node(argument))
                        constraints.copy(node(argument), self.registers[name][parameter.term])
            case Join(target=target):
                if target is not None and target.term in registers:
                    constraints.copy(self.exit_node, registers[target.term])
            case Exit(value=value):
                if value is not None and self.flow.is_wide(self.program.terms.sort(value)):
                    constraints.copy(node(value), self.exit_node)
            case CallUnmodelled(target=target, arguments=arguments):
                self._unmodelled(None if target is None else registers.get(target.term), arguments)
            case _:
                pass  # no value is moved

    def _address(self, edge: Edge, access: Access) -> int:
        made = self.flow.node(access.address)
        self.address_nodes[edge.source] = made
        return made

    def _store(self, edge: Edge, access: Access, value: Term) -> None:
        is_wide = self.flow.is_wide(self.program.terms.sort(value))
        self.constraints.store(
            self._address(edge, access), self.flow.node(value) if is_wide else None, access.size
        )

    def _unmodelled(self, target: int | None, arguments: tuple[Term, ...]) -> None:
        constraints = self.constraints
        for argument in arguments:
            if self.flow.is_wide(self.program.terms.sort(argument)):
                constraints.copy(self.flow.node(argument), constraints.scrambled)
        if target is not None:
            constraints.include(target, ELSEWHERE)
            constraints.copy(constraints.scrambled, target)

    def _find_suspects(self, edge: Edge, seen: set[Term]) -> None:
        terms = self.program.terms
        stack = list(read_terms(edge.instruction))
        while stack:
            term = stack.pop()
            if term in seen:
                continue
            seen.add(term)
            stack.extend(terms.args(term))
            wide = [arg for arg in terms.args(term) if self.flow.is_wide(terms.sort(arg))]
            if not wide or terms.op(term) in _HARMLESS or self._is_about_offset(term):
                continue
            nodes = tuple(self.flow.node(arg) for arg in wide)
            if terms.op(term) in _ORDERED:
                if len(nodes) == 2:
                    self.suspects.append((edge.source, Dependence.RELATION, nodes))
            else:
                self.suspects.append((edge.source, Dependence.NUMBER, nodes))

    def _is_about_offset(self, term: Term) -> bool:
        """Whether the operation keeps the object of an address, or looks at its offset only."""
        terms, bits = self.program.terms, self.program.pointers.offset_bits
        if terms.op(term) is Op.EXTRACT:
            payload = terms.payload(term)
            assert isinstance(payload, tuple)
            return payload[0] < bits or (payload[1] == 0 and self.flow.is_wide(terms.sort(term)))
        if terms.op(term) in _BITWISE:
            return self.flow.is_offset_operation(term)
        if terms.op(term) is Op.BVUREM:
            divisor = terms.number(terms.args(term)[1])
            return divisor is not None and divisor.bit_count() == 1 and divisor <= 1 << bits
        return False
