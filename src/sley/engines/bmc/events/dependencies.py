"""Which reads a thread's registers, branches and accesses depend on, as machines see it.

A *source* is a node that reads, with the condition under which something depends on it: paths that meet have
gone different ways. Dependencies are those of registers in the program; what a thread keeps in memory of its
own carries none, which admits more runs than there are.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sley.logic.terms import Term, Terms
from sley.program.compiled_orders import barriers_of
from sley.program.instructions import Barrier, Fence, Instruction, Load, Lock, Store, Unlock, Update
from sley.program.memory_model import MemoryModel
from sley.program.rewriting import written_registers

Sources = Mapping[int, Term]
"""Nodes that read, and when it is that what they read is used."""

_NONE: Sources = {}


@dataclass(frozen=True, slots=True)
class ThreadDependencies:
    """What a thread depends on where it stands."""

    registers: Mapping[Term, Sources]
    control: Sources
    """What branches so far depend on."""


NOTHING = ThreadDependencies({}, {})


@dataclass(frozen=True, slots=True)
class Dependencies:
    """What an access depends on."""

    address: Sources = field(default_factory=dict)
    data: Sources = field(default_factory=dict)
    control: Sources = field(default_factory=dict)


INDEPENDENT = Dependencies()


class Flows:
    """How edges change what a thread depends on."""

    def __init__(self, terms: Terms, model: MemoryModel) -> None:
        self.terms = terms
        self.model = model

    def is_barrier(self, instruction: Instruction) -> bool:
        """Whether there are barriers around an instruction, whatever it accesses."""
        if isinstance(instruction, Load | Store | Update):
            return any(one is not None for one in barriers_of(instruction, self.model))
        return isinstance(instruction, Lock | Unlock)

    def sources(self, flow: ThreadDependencies, terms: Iterable[Term]) -> Sources:
        """What some terms over the thread's registers depend on."""
        used = dict.fromkeys(v for term in terms for v in self.terms.variables(term))
        return self._united(flow.registers[v] for v in used if v in flow.registers)

    def _united(self, parts: Iterable[Sources]) -> Sources:
        found: dict[int, Term] = {}
        for part in parts:
            for node, condition in part.items():
                found[node] = self.terms.or_(found.get(node, self.terms.false), condition)
        return found

    def assigned(self, flow: ThreadDependencies, values: Mapping[Term, Term]) -> ThreadDependencies:
        """Registers have new values, over the registers before."""
        new = {register: self.sources(flow, (value,)) for register, value in values.items()}
        return replace(flow, registers={**flow.registers, **new})

    def branched(self, flow: ThreadDependencies, conditions: Iterable[Term]) -> ThreadDependencies:
        """The thread goes on since conditions over its registers hold."""
        return replace(flow, control=self._united((flow.control, self.sources(flow, conditions))))

    def accessed(
        self, flow: ThreadDependencies, instruction: Instruction, node: int | None
    ) -> tuple[ThreadDependencies, Dependencies]:
        """After an instruction, whose node this is if it reads or writes what others can see."""
        if isinstance(instruction, Fence):
            return flow, Dependencies(control=flow.control)
        address: Sources = _NONE
        data: Sources = _NONE
        own: Sources = _NONE if node is None else {node: self.terms.true}
        if isinstance(instruction, Load | Store | Update):
            address = self.sources(flow, (instruction.access.address,))
        before = flow
        targets = {register.term: own for register in written_registers(instruction)}
        flow = replace(flow, registers={**flow.registers, **targets})
        if isinstance(instruction, Store | Update):
            data = self.sources(flow, (instruction.value,))
        if isinstance(instruction, Update) and instruction.success is not None:
            flow = self.branched(flow, (instruction.success,))
        found = Dependencies(address, data, before.control)
        if isinstance(instruction, Update):
            found = replace(found, control=flow.control)
        if isinstance(instruction, Load | Update):
            flow = self._acquired(flow, instruction, own)
        return flow, found

    def _acquired(
        self, flow: ThreadDependencies, instruction: Load | Update, own: Sources
    ) -> ThreadDependencies:
        """After an access that compilers put a branch and an ``isync`` behind."""
        if barriers_of(instruction, self.model).after is not Barrier.CONTROL:
            return flow
        return replace(flow, control=self._united((flow.control, own)))

    def merged(self, flows: Sequence[ThreadDependencies], own: Sequence[Term]) -> ThreadDependencies:
        """Where paths meet; ``own`` tells each from the others."""
        if all(flow == flows[0] for flow in flows):
            return flows[0]
        registers = dict.fromkeys(register for flow in flows for register in flow.registers)
        return ThreadDependencies(
            {r: self._either([flow.registers.get(r, _NONE) for flow in flows], own) for r in registers},
            self._either([flow.control for flow in flows], own),
        )

    def _either(self, parts: Sequence[Sources], own: Sequence[Term]) -> Sources:
        if all(part == parts[0] for part in parts):
            return parts[0]
        t = self.terms
        return self._united(
            {node: t.and_(mine, condition) for node, condition in part.items()}
            for part, mine in zip(parts, own, strict=True)
        )
