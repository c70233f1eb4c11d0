"""The program of a task as engines that only interleave threads get it for a machine with store buffers."""

from sley.passes.store_buffers import Buffering, with_store_buffers
from sley.program.program import Program
from sley.verification.task import Task


def on_machine(program: Program, task: Task) -> Program:
    """The prepared program in which stores wait, as the memory model of the task has it."""
    return with_store_buffers(program, Buffering(task.memory_model, task.buffer_size, task.instrument))


def is_as_on_machine(program: Program, task: Task) -> bool:
    """Whether no store of the program can be overtaken on the machine in a way that anybody notices."""
    return task.memory_model.has_store_buffers and on_machine(program, task) is program
