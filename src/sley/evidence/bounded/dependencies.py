"""Which events a thread's registers and branches depend on, for models of machines.

Something that depends on an event does so under a condition, as paths meet. What is left out admits more
runs: so do all that is not sure.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from sley.logic.terms import Term, Terms
from sley.program.compiled_orders import barriers_of
from sley.program.instructions import Assign, Assume, Barrier, Instruction, Load, Store, Update
from sley.program.memory_model import MemoryModel
from sley.program.rewriting import written_registers

Reads = Mapping[int, Term]
"""Events that read, and when something depends on them."""


@dataclass(frozen=True, slots=True, eq=False)
class StopDependencies:
    """What a thread depends on at a stop."""

    registers: Mapping[Term, Reads]
    branches: Reads
    """What it has come by, by branches."""


NOTHING = StopDependencies({}, {})


@dataclass(frozen=True, slots=True, eq=False)
class Needs:
    """What the access of an event depends on: its address, what it writes, and that it happens at all."""

    address: Reads
    data: Reads
    control: Reads


class Tracker:
    """Follows dependencies along edges."""

    def __init__(self, terms: Terms, model: MemoryModel) -> None:
        self.terms = terms
        self.model = model

    def united(self, *all_: Reads) -> Reads:
        """Any of several."""
        found: dict[int, Term] = {}
        for reads in all_:
            for event, when in reads.items():
                found[event] = self.terms.or_(found[event], when) if event in found else when
        return found

    def reads(self, flow: StopDependencies, *terms: Term) -> Reads:
        """What terms over registers depend on."""
        used = sorted({v for term in terms for v in self.terms.variables(term)})
        return self.united(*(flow.registers.get(v, {}) for v in used))

    def either(self, one: Reads, other: Reads, first: Term, second: Term) -> Reads:
        """One of two, as conditions say."""
        t = self.terms
        return self.united(
            {event: t.and_(first, when) for event, when in one.items()},
            {event: t.and_(second, when) for event, when in other.items()},
        )

    def merged(
        self, one: StopDependencies, other: StopDependencies, first: Term, second: Term
    ) -> StopDependencies:
        """Where two paths meet."""
        if one is other:
            return one
        registers = {
            r: self.either(one.registers.get(r, {}), other.registers.get(r, {}), first, second)
            for r in dict.fromkeys((*one.registers, *other.registers))
        }
        return StopDependencies(
            registers,
            self.either(one.branches, other.branches, first, second),
        )

    def needs(self, flow: StopDependencies, instruction: Instruction | None, event: int) -> Needs:
        """Of an event that begins with an instruction."""
        address = data = NOTHING.branches
        control = flow.branches
        if isinstance(instruction, Load | Store | Update):
            address = self.reads(flow, instruction.access.address)
        if isinstance(instruction, Store):
            data = self.reads(flow, instruction.value)
        if isinstance(instruction, Update):
            inside = self._set(flow, instruction, {event: self.terms.true})
            data = self.reads(inside, instruction.value)
            if instruction.success is not None:
                control = self.united(control, self.reads(inside, instruction.success))
        return Needs(address, data, control)

    def _set(self, flow: StopDependencies, instruction: Instruction, reads: Reads) -> StopDependencies:
        new = {register.term: reads for register in written_registers(instruction)}
        return replace(flow, registers={**flow.registers, **new}) if new else flow

    def after(
        self, flow: StopDependencies, instructions: Iterable[Instruction], event: int | None
    ) -> StopDependencies:
        """After the edges of a step, of which the first may be the access of an event."""
        for number, instruction in enumerate(instructions):
            own = event if number == 0 else None
            flow = self._along(flow, instruction, {} if own is None else {own: self.terms.true})
        return flow

    def _along(self, flow: StopDependencies, instruction: Instruction, own: Reads) -> StopDependencies:
        match instruction:
            case Assign(assignments=assignments):
                new = {register.term: self.reads(flow, value) for register, value in assignments}
                return replace(flow, registers={**flow.registers, **new})
            case Assume(condition=condition):
                return replace(flow, branches=self.united(flow.branches, self.reads(flow, condition)))
            case Load() | Update():
                return self._read(flow, instruction, own)
            case _:
                return self._set(flow, instruction, {})

    def _read(self, flow: StopDependencies, instruction: Load | Update, own: Reads) -> StopDependencies:
        flow = self._set(flow, instruction, own)
        if isinstance(instruction, Update) and instruction.success is not None:
            branches = self.united(flow.branches, self.reads(flow, instruction.success))
            flow = replace(flow, branches=branches)
        if barriers_of(instruction, self.model).after is Barrier.CONTROL:
            flow = replace(flow, branches=self.united(flow.branches, own))
        return flow
