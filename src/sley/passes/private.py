"""Private memory becomes registers: scalar replacement of local objects that only direct accesses reach.

An object is *private* if its address is used for nothing but plain loads, stores and updates that hit exactly
one scalar of its layout while it certainly lives. Each such scalar becomes a register: the object's beginning
sets it to an arbitrary value, or to zero, its end does nothing, and an access is an assignment.

Why that is right: no other thread can know the address, for it is stored nowhere; an access through a pointer
that is not known by its form cannot hit the object either, for no such pointer is ever made from its address.
The scalars of a layout do not overlap, so an access of exactly one of them neither sees nor changes others.
At each access the object lives in every run (``Lifetimes``), so none is wrong; and what a scalar held in a
former life is overwritten at the beginning of the next, also where a jump back over a declaration makes only
its value arbitrary again.

What stays in memory:

* what is accessed atomically: memory models give such accesses a meaning beyond their value;
* what is locked, passed on, compared with something that may be an address, accessed in part or across;
* in a program that ``keeps_frames`` whatever may hold the address of a heap block: a block is lost if no live
  frame holds its address, and registers that no step will read are not part of a state.

A register that holds the address and matters no more (a parameter of an inlined function, all of whose
accesses are direct by now) does no harm: its assignment stays, since a trace shows it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import count
from typing import TypeAlias

from sley.analyses.liveness import Liveness
from sley.logic.sorts import BOOL, Sort
from sley.logic.terms import Term
from sley.passes.constants import propagate_constants
from sley.passes.held_blocks import holders_of_blocks
from sley.passes.lifetimes import Lifetimes
from sley.passes.null_tests import without_null_tests
from sley.program import instructions as ir
from sley.program.memory import Cell, Display, MemoryObject
from sley.program.names import DeclaredNames
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import read_terms

MOST_CELLS = 64
"""An object of which more scalars are accessed stays in memory."""

Accessing: TypeAlias = ir.Load | ir.Store | ir.Update


def use_registers(program: Program) -> Program:
    """The flat program with private memory in registers, also what becomes private by that."""
    while (simpler := private_to_registers(without_null_tests(program))) is not program:
        program = propagate_constants(simpler)
    return program


def private_to_registers(program: Program) -> Program:
    """The flat program in which objects that are private as it stands are registers; itself if none is."""
    locations = program.fresh_locations()
    changed = {}
    for name, function in program.functions.items():
        found = _Privacy(program, function).cells()
        if found:
            changed[name] = _Replacement(program, function, found, locations).run()
    return replace(program, functions={**program.functions, **changed}) if changed else program


Cells = Mapping[Term, Mapping[int, Cell]]
"""Address of an object -> index of a scalar that is accessed -> the scalar."""


class _Privacy:
    """Finds the private objects of one function."""

    def __init__(self, program: Program, function: Function) -> None:
        self._program = program
        self._terms = program.terms
        self._function = function
        entered = {e.instruction.object.name for e in function.edges if isinstance(e.instruction, ir.Enter)}
        self._objects = {o.address: o for o in function.objects if o.name in entered}
        self._cells: dict[Term, dict[int, Cell]] = {address: {} for address in self._objects}
        self._shared: set[Term] = set()
        """Addresses of objects that stay in memory."""

    @cached_property
    def _liveness(self) -> Liveness:
        return Liveness(self._terms, self._function)

    @cached_property
    def _lifetimes(self) -> Lifetimes:
        return Lifetimes(self._program, self._function)

    def cells(self) -> Cells:
        """The scalars of each private object that are accessed."""
        if self._objects:
            for edge in self._function.edges:
                self._shared.update(self._given_away(edge))
        if self._program.keeps_frames and not self._shared.issuperset(self._objects):
            self._shared |= holders_of_blocks(self._program, self._function, self._lifetimes, self._shared)
        found = {address: cells for address, cells in self._cells.items() if address not in self._shared}
        return {address: cells for address, cells in found.items() if len(cells) <= MOST_CELLS}

    def _given_away(self, edge: Edge) -> Iterator[Term]:
        """The addresses that an edge uses for something else than an access that a register can make."""
        instruction = edge.instruction.of if isinstance(edge.instruction, ir.FaultTest) else edge.instruction
        if isinstance(instruction, ir.Assign):
            for register, term in instruction.assignments:
                mentioned = list(self._mentioned(term))
                if mentioned and self._liveness.is_live(register.term, edge.target):
                    yield from mentioned
            return
        read = read_terms(instruction)
        if isinstance(instruction, Accessing) and self._is_direct(edge.source, instruction):
            read = read[1:]  # without the address, which a value may equal
        for term in read:
            yield from self._mentioned(term)

    def _mentioned(self, term: Term) -> Iterator[Term]:
        return (variable for variable in self._terms.variables(term) if variable in self._objects)

    def _is_direct(self, location: int, instruction: Accessing) -> bool:
        """Whether an access hits one scalar of a local object in every run; then the scalar is noted."""
        access = instruction.access
        if access.is_atomic or not self._lifetimes.must_be_valid(location, instruction, access):
            return False
        place = self._lifetimes.place_of(access.address)
        assert place is not None, "what must be valid is known"
        accessed, offset = place
        found = accessed.layout.cell_at(offset)
        if found is None or found[1].sort != access.sort or accessed.address not in self._objects:
            return False
        index, cell = found
        self._cells[accessed.address][index] = cell
        return True


class _Replacement:
    """Makes registers of the private objects of one function."""

    def __init__(self, program: Program, function: Function, cells: Cells, locations: Iterator[int]) -> None:
        self._terms = program.terms
        self._function = function
        self._locations = locations
        self._lifetimes = Lifetimes(program, function)
        self._names = {r.name for r in function.registers} | {o.name for o in function.objects}
        objects = [o for o in function.objects if o.address in cells]
        self._registers = {o.name: self._registers_of(o, cells[o.address]) for o in objects}
        self._edges: list[Edge] = []

    def run(self) -> Function:
        """The function with registers; an object of which a trace may show the address stays declared."""
        for edge in self._function.edges:
            match edge.instruction:
                case ir.Enter(object=entered, is_zeroed=is_zeroed) if entered.name in self._registers:
                    self._begin(edge, self._registers[entered.name], is_zeroed=is_zeroed)
                case ir.Leave(object=left) if left.name in self._registers:
                    self._edges.append(replace(edge, instruction=ir.Assign()))
                case ir.FaultTest(of=of) if self._register_of(of) is not None:
                    pass  # never taken
                case instruction:
                    register = self._register_of(instruction)
                    changed = instruction if register is None else self._access(instruction, register)
                    self._edges.append(replace(edge, instruction=changed))
        made = [register for registers in self._registers.values() for register in registers.values()]
        return replace(
            self._function,
            edges=tuple(self._edges),
            registers=(*self._function.registers, *made),
            names=self._scoped(),
        )

    def _registers_of(self, obj: MemoryObject, cells: Mapping[int, Cell]) -> dict[int, ir.Register]:
        return {index: self._register(obj, index, cells[index]) for index in sorted(cells)}

    def _register(self, obj: MemoryObject, index: int, cell: Cell) -> ir.Register:
        path = obj.layout.path_of(index, obj.size)
        name = self._unique(obj.name.removeprefix(f"{self._function.name}.") + path)
        variable = self._terms.var(f"{self._function.name}::{name}", cell.sort)
        if not obj.c_name:
            return ir.Register(name, cell.sort, variable, display=Display.HIDDEN)
        return ir.Register(name, cell.sort, variable, obj.c_name + path, cell.display)

    def _unique(self, name: str) -> str:
        choices = (name if number == 1 else f"{name}.{number}" for number in count(1))
        unique = next(choice for choice in choices if choice not in self._names)
        self._names.add(unique)
        return unique

    def _scoped(self) -> DeclaredNames:
        """A register means what its object meant."""
        names = self._function.names
        scopes = {
            register.name: names.scopes[name]
            for name, registers in self._registers.items()
            if name in names.scopes
            for register in registers.values()
        }
        return replace(names, scopes={**names.scopes, **scopes})

    # --- edges ------------------------------------------------------------------------------------

    def _begin(self, edge: Edge, registers: Mapping[int, ir.Register], *, is_zeroed: bool) -> None:
        """The contents of a new object."""
        if is_zeroed:
            zeros = tuple((r, self._zero(r.sort)) for r in registers.values())
            self._edges.append(replace(edge, instruction=ir.Assign(zeros)))
            return
        at = edge.source
        for register in registers.values():
            behind = next(self._locations)
            arbitrary = ir.Havoc(register, ir.Cause.UNINITIALISED, register.c_name)
            self._edges.append(Edge(at, behind, arbitrary, edge.origin))
            at = behind
        self._edges.append(Edge(at, edge.target, ir.Assign(), edge.origin))

    def _zero(self, sort: Sort) -> Term:
        return self._terms.false if sort == BOOL else self._terms.const(0, sort)

    def _register_of(self, instruction: ir.Instruction) -> ir.Register | None:
        """The register of the scalar that an instruction accesses, if it is one by now."""
        if not isinstance(instruction, Accessing):
            return None
        found = self._lifetimes.place_of(instruction.access.address)
        if found is None or found[0].name not in self._registers:
            return None
        accessed, offset = found
        cell = accessed.layout.cell_at(offset)
        assert cell is not None, "every access of a private object hits one scalar"
        return self._registers[accessed.name][cell[0]]

    def _access(self, instruction: ir.Instruction, register: ir.Register) -> ir.Assign:
        """What an access is if the scalar is a register."""
        match instruction:
            case ir.Load(target=target):
                return ir.Assign(((target, register.term),))
            case ir.Store(value=value):
                return ir.Assign(((register, value),))
            case ir.Update(target=target, value=value):
                written = self._terms.substitute(value, {target.term: register.term})
                return ir.Assign(((target, register.term), (register, written)))
            case _:
                raise AssertionError("this is no access")
