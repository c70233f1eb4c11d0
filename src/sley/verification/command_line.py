"""A task as the command line that asks for it again."""

import shlex
from collections.abc import Iterator
from dataclasses import fields, replace
from enum import Enum

from sley.frontend.data_model import DataModel
from sley.program.memory_model import MemoryModel
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.task import DEFAULT_SECONDS, EngineOptions, Task, everything


def command_line(task: Task) -> str:
    """``sley check`` with all that differs from the defaults; names stand for a property file."""
    return shlex.join(["sley", "check", *_question(task), *_limits(task), *_options(task), *_program(task)])


def asked(task: Task) -> tuple[str, ...]:
    """The words that make it another question, or another program; folders of headers may lie elsewhere."""
    plain = replace(task, paths=(), models=(), include_dirs=(), all_bugs=False, each_check=False)
    call = task.selection.error_call
    return (*_question(plain), *(() if call is None else (f"call({call})",)), *_program(plain))


def _question(task: Task) -> Iterator[str]:
    if task.selection != everything(task.memory_model):
        asked = [(name, group, group & task.selection.properties) for name, group in PROPERTY_GROUPS.items()]
        names = [
            one
            for name, group, some in asked
            for one in ([name] if some == group else sorted(prop.value for prop in some))
        ]
        yield from ("--property", ",".join(names))
    if task.memory_model is not MemoryModel.C11:
        yield from ("--memory-model", (task.memory_model.text or (task.memory_model.value,))[0])
    default = Task(paths=())
    flags = ("malloc_may_fail", "create_may_fail", "argc_may_be_zero")
    for name in (*flags, "recursion", "granularity", "buffer_size", "instrument"):
        if getattr(task, name) != getattr(default, name):
            yield from _flag(name.replace("_", "-"), getattr(task, name))
    if task.all_bugs:
        yield "--all-bugs"
    if task.each_check:
        yield "--each-check"


def _limits(task: Task) -> Iterator[str]:
    if task.limits.seconds not in (None, DEFAULT_SECONDS):
        yield from ("--time-limit", f"{task.limits.seconds:g}s")
    if task.limits.megabytes is not None:
        yield from ("--memory-limit", f"{task.limits.megabytes}MB")


def _options(task: Task) -> Iterator[str]:
    if task.engines:
        yield from ("--engine", ",".join(task.engines))
    if not task.uses_facts:
        yield "--no-facts"
    defaults = EngineOptions()
    given: dict[str, object] = {}
    for engine in fields(EngineOptions):
        own, default = getattr(task.options, engine.name), getattr(defaults, engine.name)
        values = ((field.name, getattr(own, field.name)) for field in fields(own))
        given |= {name: value for name, value in values if value != getattr(default, name)}
    for name, value in given.items():
        yield from _flag(name.replace("_", "-"), value)


def _flag(name: str, value: object) -> Iterator[str]:
    if isinstance(value, bool):
        yield f"--{name}" if value else f"--no-{name}"
    elif value is not None:
        yield from (f"--{name}", str(value.value if isinstance(value, Enum) else value))


def _program(task: Task) -> Iterator[str]:
    if task.data_model is not DataModel.LP64:
        yield from ("--data-model", task.data_model.name)
    yield from (f"-I{path}" for path in task.include_dirs)
    yield from (f"-D{define}" for define in task.defines)
    yield from (part for path in task.models for part in ("--models", str(path)))
    if task.harness is not None:
        yield from task.harness.flags()
    if task.target is not None:
        yield from ("--target", task.target)
    if task.allows_inner_overrun:
        yield "--allow-inner-overrun"
    yield from map(str, task.paths)
    if task.arguments is not None:
        yield from ("--", *task.arguments)
