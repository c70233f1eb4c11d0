"""Constant and copy propagation of registers: flow-sensitive, conditional, across thread creation.

At each location that can be reached, some registers are known to hold a constant, a fixed address, or the
same as another register. Branches that are thereby never taken are removed while the facts are computed, not
afterwards, so that facts and branches help each other (Wegman and Zadeck 1991, on a plain graph). Only live
registers are remembered, which keeps the facts small.

A template's parameter is a constant if every thread creation that can be reached passes the same constant.

Registers that the user named are not replaced by temporaries: a trace shows them.
"""

from dataclasses import replace
from functools import cached_property
from heapq import heappop, heappush

from sley.analyses.liveness import Liveness
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term, Terms
from sley.passes.dead_code import cut
from sley.passes.exposure import Exposure
from sley.program.instructions import Assign, Assume, Create, Enter, FaultTest, Instruction, Register, Update
from sley.program.memory import AddressOf
from sley.program.ordering import reverse_postorder
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import read_terms, rewritten, rewritten_update, written_registers

_Facts = dict[Term, Term]
"""Variable of a register -> what it is known to equal."""


def propagate_constants(program: Program) -> Program:
    """The program with known values put in, without branches and templates that cannot be reached."""
    starts: dict[str, _Facts] = {program.entry: {}}
    exposure, known = Exposure(program), _Globals(program)
    done: dict[str, _Propagation] = {}
    pending = [program.entry]
    while pending:
        name = pending.pop()
        done[name] = propagation = _Propagation(
            program.terms, program.functions[name], starts[name], exposure, known
        )
        for create in propagation.creates():
            if _meet_start(program, starts, create) and create.function not in pending:
                pending.append(create.function)
    functions = {name: done[name].result() for name in program.functions if name in done}
    return replace(program, functions=functions)


def _meet_start(program: Program, starts: dict[str, _Facts], create: Create) -> bool:
    """Weaken what a created template may rely on; whether that changed anything."""
    parameters = program.functions[create.function].parameters
    passed = {
        parameter.term: argument
        for parameter, argument in zip(parameters, create.arguments, strict=True)
        if program.terms.is_const(argument)
    }
    before = starts.get(create.function)
    met = passed if before is None else _meet(before, passed)
    starts[create.function] = met
    return met != before


def _meet(one: _Facts, other: _Facts) -> _Facts:
    return {variable: value for variable, value in one.items() if other.get(variable) == value}


class _Globals:
    """Knows that an address in a local object is in no global one.

    So a read through a parameter that is known to be a local needs no case for arguments of the program, or
    for texts of the library.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.terms = program.terms

    def excluded(self, term: Term) -> Term:
        """The term, with what asks whether a local object is a global one answered."""
        terms = self.terms
        parts = (part for part in terms.walk((term,)) if terms.op(part) is Op.EQ)
        false = {part: terms.false for part in parts if self._is_of_both(*terms.args(part))}
        return terms.substitute(term, false) if false else term

    def _is_of_both(self, place: Term, number: Term) -> bool:
        """Whether these are the place of a local object and the number of a global one."""
        terms, pointers = self.terms, self.program.pointers
        asked = terms.number(number)
        if asked is None or terms.op(place) is not Op.EXTRACT or terms.payload(place) != pointers.object_bits:
            return False
        is_global = asked % 2 == 0 and self.program.static_object(asked // 2) is not None
        return is_global and self._is_in_local(terms.args(place)[0])

    def _is_in_local(self, address: Term) -> bool:
        """Whether an address is less than half of what there is for offsets away from a local object."""
        terms = self.terms
        bases = terms.args(address) if terms.op(address) is Op.BVADD else (address,)
        steps = [terms.number(base) for base in bases if terms.is_const(base)]
        near = 1 << (self.program.pointers.offset_bits - 1)
        is_near = all(step is not None and step < near for step in steps)
        variables = [base for base in bases if terms.is_var(base)]
        is_sum = len(variables) == 1 and len(variables) + len(steps) == len(bases)
        return is_near and is_sum and isinstance(terms.symbol(variables[0]), AddressOf)


class _Propagation:
    """The facts of one function, as a greatest fixed point that is reached from above."""

    def __init__(
        self, terms: Terms, function: Function, start: _Facts, exposure: Exposure, globals_: "_Globals"
    ) -> None:
        self.terms = terms
        self.exposure = exposure
        self.globals = globals_
        self.function = function
        self.liveness = Liveness(terms, function)
        self.replaceable = {r.term for r in function.registers if not r.c_name}
        self.registers = {r.term for r in function.registers}
        self.facts: dict[int, _Facts] = {}
        self._variables: dict[Term, tuple[Term, ...]] = {}
        self._ranks = reverse_postorder(function)
        self._pending: list[tuple[int, int]] = []
        self._flow(function.entry, start)
        while self._pending:
            _, location = heappop(self._pending)
            for edge in function.outgoing.get(location, ()):
                _, facts = self._step(edge.instruction, self.facts[location])
                if facts is not None:
                    self._flow(edge.target, facts)

    def result(self) -> Function:
        """The function with what is known put in."""
        return replace(self.function, edges=self.edges)

    def creates(self) -> list[Create]:
        """The thread creations that can be reached."""
        instructions = (edge.instruction for edge in self.edges)
        return [instruction for instruction in instructions if isinstance(instruction, Create)]

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """The edges that can be reached, with what is known put in."""
        kept: list[Edge] = []
        for location, edges in self.function.outgoing.items():
            if location in self.facts:
                kept.extend(self._edges_at(location, edges))
        return tuple(kept)

    def _edges_at(self, location: int, edges: tuple[Edge, ...]) -> list[Edge]:
        kept = []
        for edge in edges:
            instruction, facts = self._step(edge.instruction, self.facts[location])
            if facts is not None:
                is_same = instruction is edge.instruction
                kept.append(edge if is_same else Edge(location, edge.target, instruction, edge.origin))
        return kept or [cut(self.terms, self.function, edges[0])]

    def _flow(self, location: int, facts: _Facts) -> None:
        live, bit = self.liveness.at(location), self.liveness.bit
        arriving = {variable: value for variable, value in facts.items() if live & bit(variable)}
        before = self.facts.get(location)
        met = arriving if before is None else _meet(before, arriving)
        if before is None or len(met) < len(before):
            self.facts[location] = met
            heappush(self._pending, (self._ranks[location], location))

    # --- one instruction --------------------------------------------------------------------------

    def _step(self, instruction: Instruction, facts: _Facts) -> tuple[Instruction, _Facts | None]:
        """The instruction with ``facts`` put in, and the facts behind it; None if it is never taken."""
        made = self._rewrite(instruction, facts)
        match made:
            case Assume(condition=condition):
                return made, None if condition == self.terms.false else self._learn(condition, facts)
            case Assign(assignments=assignments):
                return made, self._assign(facts, assignments)
            case Enter(object=entered):
                former = entered.address
                return made, {v: t for v, t in facts.items() if not self.terms.mentions(t, former)}
            case _:
                written = [r.term for r in written_registers(made)]
                return made, self._forget(facts, written) if written else facts

    def _rewrite(self, instruction: Instruction, facts: _Facts) -> Instruction:
        if not any(v in facts for term in read_terms(instruction) for v in self._registers_of(term)):
            return instruction
        match instruction:
            case FaultTest(of=Update() as update):
                made = self._rewrite(update, facts)
                assert isinstance(made, Update)
                return FaultTest(made)
            case Update(target=target):
                inner = self._forget(facts, [target.term])
                return rewritten_update(
                    instruction,
                    address=lambda term: self._known(term, facts),
                    loaded=lambda term: self._known(term, inner),
                )
            case _:
                return rewritten(instruction, term=lambda term: self._known(term, facts))

    def _known(self, term: Term, facts: _Facts) -> Term:
        mapping = {v: facts[v] for v in self._registers_of(term) if v in facts}
        allowed = self.exposure.without_exposed(term, mapping)
        return self.globals.excluded(self.terms.substitute(term, allowed)) if allowed else term

    def _registers_of(self, term: Term) -> tuple[Term, ...]:
        found = self._variables.get(term)
        if found is None:
            found = tuple(v for v in self.terms.variables(term) if v in self.registers)
            self._variables[term] = found
        return found

    def _forget(self, facts: _Facts, variables: list[Term]) -> _Facts:
        """The facts that survive when these registers change."""
        mask = 0
        for variable in variables:
            mask |= self.liveness.bit(variable)
        bit, mentioned = self.liveness.bit, self.liveness.mask
        return {v: t for v, t in facts.items() if not (bit(v) | mentioned(t)) & mask}

    def _assign(self, facts: _Facts, assignments: tuple[tuple[Register, Term], ...]) -> _Facts:
        pairs = [(register.term, term) for register, term in assignments]
        changed = {variable for variable, _ in pairs}
        after = self._forget(facts, list(changed))
        for variable, term in pairs:
            if self._is_fixed(term) or (
                variable in self.replaceable and term in self.registers and term not in changed
            ):
                after[variable] = term
        return after

    def _is_fixed(self, term: Term) -> bool:
        """A constant, or a fixed address plus a constant."""
        terms = self.terms
        if terms.is_const(term):
            return True
        if self.liveness.mask(term):
            return False
        return terms.is_var(term) or (
            terms.op(term) is Op.BVADD and any(terms.is_const(a) for a in terms.args(term))
        )

    def _learn(self, condition: Term, facts: _Facts) -> _Facts:
        """What holds where the condition holds."""
        learnt = _equalities(self.terms, condition, self.registers)
        if not learnt:
            return facts
        after = {variable: learnt.get(value, value) for variable, value in facts.items()}
        return after | learnt


def _equalities(terms: Terms, condition: Term, registers: set[Term]) -> _Facts:
    """Registers that a condition fixes to a constant."""
    found: _Facts = {}
    for part in terms.args(condition) if terms.op(condition) is Op.AND else (condition,):
        op = terms.op(part)
        if part in registers:
            found[part] = terms.true
        elif op is Op.NOT and terms.args(part)[0] in registers:
            found[terms.args(part)[0]] = terms.false
        elif op is Op.EQ:
            variable, constant = sorted(terms.args(part), key=terms.is_const)
            if variable in registers and terms.is_const(constant) and terms.sort(variable) != BOOL:
                found[variable] = constant
    return found
