"""The hidden order of addresses: a rank per object, chosen at the start and handed on to new threads."""

from dataclasses import replace
from functools import cached_property

from sley.analyses.graphs import reachable
from sley.analyses.objects import indices
from sley.analyses.pointers import Targets
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.passes.address_facts import AddressFacts
from sley.program import instructions as ir
from sley.program.memory import Display
from sley.program.program import Edge, Function, Origin, Program
from sley.program.rewriting import read_terms

MOST_ORDERED = 5
"""So many objects have a rank at most; the order of others is arbitrary. There are n! ways to rank n."""

RANK = bitvec(3)
"""The sort of ranks."""


class HiddenOrder:
    """The order: a rank for each object that has one address in the whole run."""

    def __init__(self, facts: AddressFacts) -> None:
        self.facts = facts
        self.ranks: dict[int, str] = {}
        """Object number -> the name of the register that holds its rank."""
        self._shown: dict[str, str] = {}

    def _numbers(self, targets: Targets) -> list[int]:
        """The numbers with a rank that the objects can have."""
        found: list[int] = []
        for obj in indices(targets.objects):
            found += self._ranked(obj)
        return found

    def covers(self, targets: Targets) -> bool:
        """Whether whatever address this is surely has a rank."""
        objects = [self.facts.points_to.objects[obj] for obj in indices(targets.objects)]
        is_known = not targets.is_arbitrary and not targets.is_number
        return is_known and all(not o.is_heap and self._ranked(o.index) for o in objects)

    def _ranked(self, obj: int) -> list[int]:
        candidates = self._candidates(obj)
        shown = self.facts.names(1 << obj).removesuffix(" lies")
        for i, number in enumerate(candidates, 1):
            if number not in self.ranks and len(self.ranks) < MOST_ORDERED:
                self.ranks[number] = f"rank.{len(self.ranks)}"
                self._shown[self.ranks[number]] = shown if len(candidates) == 1 else f"{shown} {i}"
        return [number for number in candidates if number in self.ranks]

    def _candidates(self, obj: int) -> list[int]:
        """The numbers of the objects, if each keeps its address in the whole run and no other gets it."""
        facts = self.facts
        described = facts.points_to.objects[obj]
        if described.is_thread_id or facts.creations.edges[facts.program.entry]:
            return []
        if described.is_static:
            return [facts.points_to.objects.static_number(obj)]
        if described.is_heap:
            blocks = len(facts.points_to.objects.heap)
            is_counted = all(facts.is_single(other) for other in facts.points_to.objects.heap)
            base = facts.pointers.heap_base
            return (
                list(range(base, base + (blocks if is_counted else MOST_ORDERED)))
                if self._keeps_numbers
                else []
            )
        if described.template != facts.program.entry or not facts.is_single(obj):
            return []
        assert described.slot is not None
        return [facts.program.local_number(0, described.slot)]

    @cached_property
    def _keeps_numbers(self) -> bool:
        """Whether no block gets the number of another: none is made after one may have been freed."""
        program = self.facts.program
        edges = [(f.name, e) for f in program.functions.values() for e in f.edges]
        frees = {edge.source for _, edge in edges if isinstance(edge.instruction, ir.Free)}
        made = {edge.source: name for name, edge in edges if isinstance(edge.instruction, ir.Allocate)}
        if not frees:
            return True
        if any(name != program.entry for name in made.values()):
            return False
        main = program.functions[program.entry]
        may_free = [
            edge.target
            for edge in main.edges
            if edge.source in frees
            or (isinstance(edge.instruction, ir.Create) and self._started(edge.instruction) & frees)
        ]
        return not reachable(may_free, main.successors) & made.keys()

    def _started(self, create: ir.Create) -> frozenset[int]:
        """What the new thread, and those that it starts, may reach."""
        return reachable(
            (self.facts.program.functions[create.function].entry,), self.facts.creations.successors
        )

    # --- terms and registers ---------------------------------------------------------------------

    def compared(
        self, function: str, addresses: tuple[Term, ...], sides: tuple[Targets, Targets]
    ) -> tuple[Term, Term]:
        """Whether the objects of two addresses have ranks, and whether the first is below the second."""
        terms = self.facts.terms
        (one, a), (other, b) = (
            self._rank(function, address, self._numbers(side))
            for address, side in zip(addresses, sides, strict=True)
        )
        return terms.and_(one, other), terms.ult(a, b)

    def _rank(self, function: str, address: Term, numbers: list[int]) -> tuple[Term, Term]:
        """Whether the object of an address has a rank, and which."""
        terms = self.facts.terms
        number = self.facts.number(address)
        width = terms.width(number)
        known, rank = terms.false, terms.bv(0, RANK.width)
        for each in numbers:
            is_this = terms.eq(number, terms.bv(each, width))
            known = terms.or_(known, is_this)
            rank = terms.ite(is_this, self._variable(function, self.ranks[each]), rank)
        return known, rank

    def _variable(self, function: str, name: str) -> Term:
        return self.facts.terms.var(f"{function}::{name}", RANK)

    def _registers(self, function: str) -> tuple[ir.Register, ...]:
        return tuple(
            ir.Register(name, RANK, self._variable(function, name), display=Display.UNSIGNED)
            for name in self.ranks.values()
        )

    def announced(self, program: Program) -> Program:
        """The program whose first thread chooses the ranks and in which those threads know them that ask."""
        if not self.ranks:
            return program
        asking = self._asking(program)
        functions = dict(program.functions)
        for name in asking:
            functions[name] = self._handing_on(functions[name], asking, is_first=name == program.entry)
        return replace(program, functions=functions)

    def _asking(self, program: Program) -> set[str]:
        """The first template, and those that look at ranks or start one that does."""
        asking = {program.entry}
        for name, function in program.functions.items():
            variables = {register.term for register in self._registers(name)}
            read = (term for edge in function.edges for term in read_terms(edge.instruction))
            if any(not variables.isdisjoint(self.facts.terms.variables(term)) for term in read):
                asking.add(name)
        while True:
            more = {
                self.facts.creations.template_at[edge.source]
                for name in asking
                for edge in self.facts.creations.edges[name]
            }
            if more <= asking:
                return asking
            asking |= more

    def _handing_on(self, function: Function, asking: set[str], *, is_first: bool) -> Function:
        registers = self._registers(function.name)
        passed = tuple(register.term for register in registers)
        edges = []
        for edge in function.edges:
            started = edge.instruction
            if isinstance(started, ir.Create) and started.function in asking:
                started = replace(started, arguments=(*started.arguments, *passed))
                edge = replace(edge, instruction=started)
            edges.append(edge)
        function = replace(function, registers=(*function.registers, *registers), edges=tuple(edges))
        if not is_first:
            return replace(function, parameters=(*function.parameters, *registers))
        return self._choosing(function, registers)

    def _choosing(self, function: Function, registers: tuple[ir.Register, ...]) -> Function:
        """The first template with its ranks chosen at the start, all different."""
        terms, origin = self.facts.terms, Origin(function.span, "", function.c_name)
        different = [
            terms.ne(one.term, other.term) for at, one in enumerate(registers) for other in registers[:at]
        ]
        below = [terms.ult(register.term, terms.bv(len(registers), RANK.width)) for register in registers]
        chosen: list[ir.Instruction] = [
            ir.Havoc(register, ir.Cause.INPUT, f"position of {self._shown[register.name]} in memory")
            for register in registers
        ]
        chosen.append(ir.Assume(terms.and_(*below, *different)))
        entry = at = next(self.facts.locations)
        edges = []
        for instruction in chosen:
            after = function.entry if instruction is chosen[-1] else next(self.facts.locations)
            edges.append(Edge(at, after, instruction, origin))
            at = after
        return replace(function, entry=entry, edges=(*edges, *function.edges))
