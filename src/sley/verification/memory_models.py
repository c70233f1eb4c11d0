"""What an answer assumes about memory and what it need not assume; programs with store buffers."""

from dataclasses import dataclass
from functools import cached_property

from sley.analyses.orders import WeakAccess, has_threads, has_weak_orders, weak_accesses
from sley.passes.store_buffers import Buffering, with_store_buffers
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification.task import Task
from sley.wording.orders import weak_orders

ASSUMED = "sequential consistency"
INTERLEAVED = "plain accesses interleave, also where they race"
FOLLOWS = (
    "Sequential consistency is not assumed: it follows, as there is no data race and no weak order in shared "
    "memory (C11 5.1.2.4)."
)
MACHINE = "every access in the C text, plain or atomic, is one of a machine with {}"
RACE_FREE = (
    "Sequential consistency is not assumed: it follows, as there is no data race and no weak order in shared "
    "memory (C11 5.1.2.4), and machines keep that with the usual barriers."
)
RACES = "Data races are not looked for: a machine knows none."
MACHINES = {
    MemoryModel.TSO: "total store order (TSO)",
    MemoryModel.PSO: "partial store order (PSO)",
    MemoryModel.RMO: "relaxed memory order (RMO)",
    MemoryModel.POWER: "the memory of IBM Power",
    MemoryModel.ARMV8: "the memory of ARMv8",
}
MODEL = "Memory orders mean what C11 says, as repaired by RC11"


@dataclass(frozen=True)
class MemoryDemand:
    """What a task asks of the memory of a program: a prepared one, or one without weak orders."""

    task: Task
    program: Program

    @property
    def _is_c11(self) -> bool:
        return self.task.memory_model is MemoryModel.C11

    @property
    def _asks_for_races(self) -> bool:
        return Property.RACE in self.task.selection.properties

    @cached_property
    def weak(self) -> tuple[WeakAccess, ...]:
        """The accesses whose orders have to be known."""
        has_any = self._is_c11 and has_weak_orders(self.program)
        return weak_accesses(self.program) if has_any else ()

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What every answer rests on."""
        if not has_threads(self.program):
            return ()
        model = self.task.memory_model
        if model.is_hardware:
            return (MACHINE.format(MACHINES.get(model, f"the memory of {model.label}")),)
        if not self._is_c11:
            return (ASSUMED,)
        return () if self._asks_for_races else (INTERLEAVED,)

    @property
    def follows(self) -> tuple[str, ...]:
        """What a proof need not assume."""
        if not has_threads(self.program):
            return ()
        if self.task.memory_model.is_hardware:
            return (RACES,)
        if not self._is_c11:
            return ()
        if self.weak:
            return (f"{MODEL}: {weak_orders(self.weak)}.",)
        return (FOLLOWS,) if self._asks_for_races else ()


def on_machine(program: Program, task: Task) -> Program:
    """The prepared program as engines get it that only interleave threads: stores wait in buffers."""
    return with_store_buffers(program, Buffering(task.memory_model, task.buffer_size, task.instrument))


def is_as_on_machine(program: Program, task: Task) -> bool:
    """Whether no store of the program can be overtaken on the machine in a way that any read shows."""
    return task.memory_model.has_store_buffers and on_machine(program, task) is program
