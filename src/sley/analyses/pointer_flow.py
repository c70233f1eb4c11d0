"""The points-to constraints of a program: how values that may be addresses move."""

from collections.abc import Mapping
from enum import Enum

from sley.analyses.constraints import ELSEWHERE, Constraints
from sley.analyses.objects import AbstractObjects, MemoryClasses, Offset, indices
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


class Dependence(Enum):
    """How an operation depends on the numbers that objects have."""

    RELATION = "relation"
    """Two addresses are ordered or subtracted: depends on numbers only if they are in two objects."""
    NUMBER = "number"
    """The outcome depends on the number itself, as in hashing an address."""


_ORDERED = frozenset({Op.BVULT, Op.BVULE, Op.BVSLT, Op.BVSLE, Op.BVSUB})
_HARMLESS = frozenset(
    {Op.EQ, Op.ITE, Op.BVADD, Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.FP_FROM_BITS, Op.FP_TO_BITS}
)
_BITWISE = frozenset({Op.BVAND, Op.BVOR, Op.BVXOR})


class PointerFlow:
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
                constraints.load(
                    self._address(edge, access), registers.get(target.term), access.size, edge.source
                )
            case Store(access=access, value=value):
                self._store(edge, access, value)
            case Update(target=target, access=access, value=value):
                constraints.load(
                    self._address(edge, access), registers.get(target.term), access.size, edge.source
                )
                self._store(edge, access, value)
            case Lock(access=access) | Unlock(access=access):
                constraints.store(self._address(edge, access), None, access.size)
            case Free(address=address):
                self.address_nodes[edge.source] = node(address)
            case Allocate() | Enter():
                self._new_object(edge.source, edge.instruction)
            case _:
                self._thread(edge.instruction)

    def _new_object(self, location: int, instruction: Allocate | Enter) -> None:
        constraints, registers = self.constraints, self.flow.variables
        match instruction:
            case Allocate(target=target, is_zeroed=is_zeroed):
                site = self.objects.of_site(location)
                constraints.include(registers[target.term], constraints.place(site, Offset(0)))
                if not is_zeroed:
                    constraints.forget_contents(site)
            case Enter(object=entered, is_zeroed=is_zeroed):
                if not is_zeroed:
                    for bit in indices(constraints.values[registers[entered.address]]):
                        constraints.forget_contents(constraints.place_of(bit)[0])

    def _thread(self, instruction: Instruction) -> None:
        constraints, node = self.constraints, self.flow.node
        registers = self.flow.variables
        match instruction:
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
