"""The points-to constraints of a program: how values that may be addresses move."""

from collections.abc import Mapping

from sley.analyses.constraints import ARBITRARY, Constraints
from sley.analyses.initialisation import Initialisation
from sley.analyses.loops import find_loops
from sley.analyses.objects import AbstractObjects, MemoryClasses, Offset, union
from sley.analyses.reuse import made_after_frees
from sley.analyses.values import ValueFlow
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import written_registers


class PointerFlow:
    """Turns a program into constraints."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.objects = AbstractObjects(program)
        self.classes = MemoryClasses(self.objects)
        self._made_after = made_after_frees(program)
        self.reused = frozenset[int]().union(*self._made_after.values())
        """Where blocks are made that may get the numbers of dead ones."""
        self.constraints = Constraints(self.classes, program.pointers)
        self.exit_node = self.constraints.node()
        self.flow = ValueFlow(program.terms, program.pointers, self.constraints, program.id_mark)
        self.registers: dict[str, Mapping[Term, int]] = {}
        self.variables: dict[str, Mapping[Term, int]] = {}
        """Function -> the nodes of its registers and of the addresses of its objects."""
        self.address_nodes: dict[int, int] = {}
        self.argument_nodes: list[int] = []

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
            for edge in function.edges:
                self._edge(edge)

    def _enter_function(self, function: Function) -> None:
        self._function = function
        self._on_cycle = find_loops(function).on_cycle
        self._local_objects = {
            declared.address: self.objects.of_local(function.name, slot)
            for slot, declared in enumerate(function.objects)
        }
        id_mark = self.constraints.node()
        self.constraints.include(id_mark, self.constraints.place(self.objects.thread_id, Offset(0)))
        variables = {self.program.self_handle: self.constraints.node(), self.program.id_mark: id_mark}
        for address, obj in self._local_objects.items():
            variables[address] = self.constraints.node()
            self.constraints.include(variables[address], self.constraints.place(obj, Offset(0)))
        self.variables[function.name] = {**variables, **self.registers[function.name]}
        self.flow.enter(self.variables[function.name])

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
            case ir.Assign(assignments=assignments):
                for register, value in assignments:
                    if register.term in registers:
                        constraints.copy(node(value), registers[register.term])
            case ir.Havoc(target=target):
                if target.term in registers:
                    constraints.include(registers[target.term], ARBITRARY)
            case ir.Load(target=target, access=access):
                self._load(edge, target, access)
            case ir.Store(access=access, value=value):
                self._store(edge, access, value)
            case ir.Update(target=target, access=access, value=value):
                self._load(edge, target, access)
                self._store(edge, access, value)
            case ir.Lock(access=access) | ir.Unlock(access=access):
                constraints.store(self._address(edge, access), None, access.size)
            case ir.Free(address=address):
                self.address_nodes[edge.source] = node(address)
                after = self._made_after.get(edge.source, ())
                constraints.free(node(address), union(1 << self.objects.of_site(site) for site in after))
            case ir.Allocate() | ir.Enter():
                self._new_object(edge, edge.instruction)
            case _:
                self._thread(edge.instruction)

    def _new_object(self, edge: Edge, instruction: ir.Allocate | ir.Enter) -> None:
        """Other threads may know the address already if it was used before: then nothing is written first."""
        constraints = self.constraints
        if isinstance(instruction, ir.Allocate):
            obj, address = self.objects.of_site(edge.source), instruction.target.term
            constraints.include(self.flow.variables[address], constraints.place(obj, Offset(0)))
            is_known = edge.source in self.reused
        else:
            address = instruction.object.address
            obj = self._local_objects[address]
            is_known = edge.source in self._on_cycle
        if not instruction.is_zeroed:
            partition = self.classes.partitions[obj]
            follow = Initialisation(self.program.terms, self._function, partition)
            constraints.forget_contents(obj, frozenset() if is_known else follow.written_first(edge, address))

    def _thread(self, instruction: ir.Instruction) -> None:
        constraints, node = self.constraints, self.flow.node
        registers = self.flow.variables
        match instruction:
            case ir.Create(function=name, arguments=arguments):
                parameters = self.program.functions[name].parameters
                for parameter, argument in zip(parameters, arguments, strict=False):
                    if self.flow.is_wide(parameter.sort):
                        self.argument_nodes.append(node(argument))
                        constraints.copy(node(argument), self.registers[name][parameter.term])
            case ir.Join(target=target):
                if target is not None and target.term in registers:
                    constraints.copy(self.exit_node, registers[target.term])
            case ir.Exit(value=value):
                if value is not None and self.flow.is_wide(self.program.terms.sort(value)):
                    constraints.copy(node(value), self.exit_node)
            case ir.CallUnmodelled(target=target, arguments=arguments):
                self._unmodelled(None if target is None else registers.get(target.term), arguments)
            case _:
                assert not written_registers(instruction), "a value is moved"

    def _address(self, edge: Edge, access: ir.Access) -> int:
        made = self.flow.node(access.address)
        self.address_nodes[edge.source] = made
        return made

    def _load(self, edge: Edge, target: ir.Register, access: ir.Access) -> None:
        address, wide = self._address(edge, access), self.flow.variables.get(target.term)
        if wide is not None:
            self.constraints.load(address, wide, access.size)

    def _store(self, edge: Edge, access: ir.Access, value: Term) -> None:
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
            constraints.include(target, ARBITRARY)
            constraints.copy(constraints.scrambled, target)
