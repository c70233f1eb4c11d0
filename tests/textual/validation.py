"""Well-formedness of programs: what every pass may rely on and must keep; run after every pass in tests."""

from typing import assert_never

from sley.logic.sorts import BOOL, BitVecSort, Sort, bitvec
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import MemoryObject, Storage
from sley.program.ordering import forward_facts
from sley.program.program import HANDLE, Edge, Function, Program
from sley.program.rewriting import read_terms, written_registers

_ENDINGS = (ir.Return, ir.Exit, ir.End, ir.GiveUp)


class InvalidProgramError(AssertionError):
    """A program is not well-formed: a bug of whoever made it."""


def validate(program: Program, *, is_flat: bool) -> None:
    """Raise ``InvalidProgramError`` if the program breaks a rule; ``is_flat``: it has been inlined."""
    if program.entry not in program.functions:
        raise InvalidProgramError(f"there is no function `{program.entry}` to start with")
    _validate_objects(program)
    owners: dict[int, str] = {}
    for name, function in program.functions.items():
        if name != function.name:
            raise InvalidProgramError(f"function `{function.name}` is filed under `{name}`")
        _FunctionValidation(program, function, is_flat=is_flat).run()
        for location in function.locations if is_flat else ():
            if owners.setdefault(location, name) != name:
                raise InvalidProgramError(f"location {location} is in `{owners[location]}` and in `{name}`")


def _validate_objects(program: Program) -> None:
    names: set[str] = set()
    for number, declared in enumerate(program.objects, program.pointers.first_object):
        what = f"object `{declared.name}`"
        if declared.name in names:
            raise InvalidProgramError(f"two objects are named `{declared.name}`")
        names.add(declared.name)
        if declared.storage not in (Storage.GLOBAL, Storage.CODE):
            raise InvalidProgramError(f"{what} is {declared.storage.value}, not global")
        address = program.terms.bv(program.pointers.address(number), program.pointers.width)
        if declared.address != address:
            raise InvalidProgramError(f"{what} has number {number} but another address")
        _validate_object(program, declared)


def _validate_object(program: Program, declared: MemoryObject) -> None:
    what, layout = f"object `{declared.name}`", declared.layout
    if not 0 <= declared.size <= program.pointers.largest_object:
        raise InvalidProgramError(f"{what} has a size of {declared.size} bytes")
    if layout.stride <= 0:
        raise InvalidProgramError(f"{what} has a layout without size")
    for cell in layout.cells:
        if cell.offset < 0 or cell.offset + cell.size > layout.stride:
            raise InvalidProgramError(f"{what}: cell `{cell.path}` does not fit into its layout")
    for index, value in declared.initial:
        if not 0 <= index < layout.count(declared.size):
            raise InvalidProgramError(f"{what} has no cell {index} to initialise")
        if not 0 <= value < 1 << 8 * layout.cells[index % len(layout.cells)].size:
            raise InvalidProgramError(f"{what}: value {value} does not fit into cell {index}")


class _FunctionValidation:
    """One function; errors name it."""

    def __init__(self, program: Program, function: Function, *, is_flat: bool) -> None:
        self.program = program
        self.terms = program.terms
        self.function = function
        self.is_flat = is_flat
        self.pointer = bitvec(program.pointers.width)
        self.registers = {r.name: r for r in function.registers}
        self.objects = {o.name: o for o in function.objects}
        self.variables = {r.term for r in function.registers}
        self.variables |= {o.address for o in function.objects}
        self.variables |= {program.self_handle, program.id_mark}

    def fail(self, message: str) -> InvalidProgramError:
        return InvalidProgramError(f"function `{self.function.name}`: {message}")

    def run(self) -> None:
        self._validate_registers()
        self._validate_objects()
        for edge in self.function.edges:
            self._validate_edge(edge)
        self._validate_locations()
        if self.is_flat:
            self._validate_atomic_sections()

    # --- declarations -----------------------------------------------------------------------------

    def _validate_registers(self) -> None:
        registers = self.function.registers
        if len(self.registers) < len(registers) or len({r.term for r in registers}) < len(registers):
            raise self.fail("two registers share a name or a variable")
        for register in registers:
            if not self.terms.is_var(register.term) or self.terms.sort(register.term) != register.sort:
                raise self.fail(f"register `{register.name}` has no variable of its sort")
        for parameter in self.function.parameters:
            if self.registers.get(parameter.name) != parameter:
                raise self.fail(f"parameter `{parameter.name}` is not a register")

    def _validate_objects(self) -> None:
        objects = self.function.objects
        if len(self.objects) < len(objects) or len({o.address for o in objects}) < len(objects):
            raise self.fail("two local objects share a name or an address")
        for declared in objects:
            if declared.storage not in (Storage.LOCAL, Storage.THREAD):
                raise self.fail(f"object `{declared.name}` is {declared.storage.value}, not local")
            if not self.terms.is_var(declared.address) or self._sort(declared.address) != self.pointer:
                raise self.fail(f"the address of object `{declared.name}` is no variable of pointer width")
            _validate_object(self.program, declared)

    # --- edges --------------------------------------------------------------------------------------

    def _validate_edge(self, edge: Edge) -> None:
        instruction = edge.instruction
        if self.is_flat and isinstance(instruction, ir.Calling):
            raise self.fail(f"a call is left at location {edge.source}")
        for register in written_registers(instruction):
            if self.registers.get(register.name) != register:
                raise self.fail(f"register `{register.name}` at location {edge.source} is not its own")
        for term in read_terms(instruction):
            for variable in self.terms.variables(term):
                if variable not in self.variables:
                    name = self.terms.name(variable)
                    raise self.fail(f"variable `{name}` at location {edge.source} is not its own")
        try:
            self._validate_sorts(instruction)
        except InvalidProgramError as wrong:
            raise self.fail(f"{wrong} at location {edge.source}") from None

    def _sort(self, term: Term) -> Sort:
        return self.terms.sort(term)

    def _expect(self, term: Term, sort: Sort, what: str) -> None:
        if self._sort(term) != sort:
            raise InvalidProgramError(f"{what} has sort {self._sort(term)} instead of {sort}")

    def _expect_access(self, access: ir.Access, sort: Sort) -> None:
        self._expect(access.address, self.pointer, "an address")
        if access.sort != sort:
            raise InvalidProgramError(f"an access of sort {access.sort} has a value of sort {sort}")

    def _expect_object(self, used: MemoryObject) -> None:
        if self.objects.get(used.name) != used or used.storage is not Storage.LOCAL:
            raise InvalidProgramError(f"object `{used.name}` is not a local of the function")

    def _expect_bits(self, sort: Sort, what: str) -> None:
        if not isinstance(sort, BitVecSort):
            raise InvalidProgramError(f"{what} has sort {sort}")

    def _validate_sorts(self, instruction: ir.Instruction) -> None:
        match instruction:
            case ir.Assign(assignments=assignments):
                for register, term in assignments:
                    self._expect(term, register.sort, f"the value of `{register.name}`")
                if len({register.name for register, _ in assignments}) < len(assignments):
                    raise InvalidProgramError("two values for one register")
            case ir.Assume(condition=term) | ir.Check(condition=term) | ir.Await(condition=term):
                self._expect(term, BOOL, "a condition")
            case ir.Load(target=target, access=access):
                self._expect_access(access, target.sort)
            case ir.Store(access=access, value=value):
                self._expect_access(access, self._sort(value))
            case ir.Update(target=target, access=access, value=value, success=success):
                self._expect_access(access, target.sort)
                self._expect(value, target.sort, "the new value")
                if success is not None:
                    self._expect(success, BOOL, "when it succeeds")
            case ir.Lock(access=access) | ir.Unlock(access=access):
                self._expect_access(access, access.sort)
                self._expect_bits(access.sort, "a lock")
            case ir.Allocate(target=target, size=size):
                self._expect(target.term, self.pointer, "the address of a block")
                self._expect_bits(self._sort(size), "the size of a block")
            case ir.Free(address=address):
                self._expect(address, self.pointer, "an address")
            case ir.Enter(object=used) | ir.Leave(object=used):
                self._expect_object(used)
            case ir.Join(handle=handle) | ir.Detach(handle=handle):
                self._expect(handle, HANDLE, "a handle")
            case ir.Create(target=target, function=name, arguments=arguments):
                self._expect(target.term, HANDLE, "a handle")
                self._expect_arguments(name, arguments)
            case ir.Call(target=result, function=name, arguments=arguments):
                self._expect_arguments(name, arguments)
                self._expect_result(name, result)
            case ir.CallPointer(pointer=pointer):
                self._expect(pointer, self.pointer, "a function pointer")
            case ir.CreatePointer(target=target, pointer=pointer):
                self._expect(target.term, HANDLE, "a handle")
                self._expect(pointer, self.pointer, "a function pointer")
            case ir.Return(value=value):
                if value is not None and self._sort(value) != self.function.result:
                    raise InvalidProgramError("a returned value has another sort than the result")
            case ir.FaultTest(of=of):
                self._validate_sorts(of)
            case ir.Havoc() | ir.Fence() | ir.Exit() | ir.End() | ir.CallUnmodelled() | ir.GiveUp():
                pass
            case ir.AtomicBegin() | ir.AtomicEnd():
                pass
            case _:
                assert_never(instruction)

    def _expect_arguments(self, name: str, arguments: tuple[Term, ...]) -> None:
        called = self.program.functions.get(name)
        if called is None:
            raise InvalidProgramError(f"there is no function `{name}`")
        if [p.sort for p in called.parameters] != [self._sort(a) for a in arguments]:
            raise InvalidProgramError(f"the arguments do not fit the parameters of `{name}`")

    def _expect_result(self, name: str, result: ir.Register | None) -> None:
        if result is not None and self.program.functions[name].result != result.sort:
            raise InvalidProgramError(f"the result of `{name}` does not fit `{result.name}`")

    # --- the graph ----------------------------------------------------------------------------------

    def _validate_locations(self) -> None:
        function = self.function
        if any(location < 0 for location in function.locations):
            raise self.fail("a location is negative")
        for location, edges in function.outgoing.items():
            if location == function.exit:
                raise self.fail("the exit location has an outgoing edge")
            if location in function.errors:
                raise self.fail(f"error location {location} has an outgoing edge")
            self._validate_siblings(location, [edge.instruction for edge in edges])
        for location in function.locations:
            is_end = location == function.exit or location in function.errors
            if not is_end and location not in function.outgoing:
                raise self.fail(f"nothing leaves location {location}")
        for edge in function.incoming.get(function.exit, ()) if not self.is_flat else ():
            if not isinstance(edge.instruction, _ENDINGS):
                raise self.fail(f"location {edge.source} falls off the end")

    def _validate_siblings(self, location: int, instructions: list[ir.Instruction]) -> None:
        """Branches, or one local step, or one visible step with at most one fault of it."""
        if all(isinstance(i, ir.Assume) for i in instructions):
            return
        steps = [i for i in instructions if not isinstance(i, ir.FaultTest)]
        faults = [i for i in instructions if isinstance(i, ir.FaultTest)]
        if len(steps) != 1 or len(faults) > 1:
            raise self.fail(f"location {location} has steps that exclude each other")
        if faults and (isinstance(steps[0], ir.LocalInstruction) or faults[0].of != steps[0]):
            raise self.fail(f"the fault at location {location} is not that of its sibling")

    def _validate_atomic_sections(self) -> None:
        """Sections are not nested, end where they can end, and nothing jumps into one."""
        function, ends = self.function, {self.function.exit, *self.function.errors}
        inside = forward_facts(function, frozenset({False}), self._behind, frozenset.union)
        for location, found in inside.items():
            if len(found) > 1 and location not in ends:
                raise self.fail(f"location {location} is inside and outside of an atomic section")

    def _behind(self, edge: Edge, inside: frozenset[bool]) -> frozenset[bool]:
        match edge.instruction:
            case ir.AtomicBegin():
                if True in inside:
                    raise self.fail(f"an atomic section begins inside another at location {edge.source}")
                return frozenset({True})
            case ir.AtomicEnd():
                if False in inside:
                    raise self.fail(f"no atomic section ends at location {edge.source}")
                return frozenset({False})
            case _:
                return inside
