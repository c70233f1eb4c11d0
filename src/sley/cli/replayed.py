"""From a report to a run of its first violation, on the program as it is now."""

from dataclasses import dataclass, replace
from pathlib import Path

from sley.base.errors import InputError
from sley.base.source import Span
from sley.cli.cache import read_report
from sley.evidence.replay import ReplayError, replay
from sley.evidence.trace import Trace
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.reports import json_report
from sley.verification.memory_models import on_machine
from sley.verification.reading import loaded_program, part_of, program_of, surveyed_program
from sley.verification.task import Task


@dataclass(frozen=True, slots=True)
class Replayed:
    """A violation that the interpreter has just shown again."""

    task: Task
    program: Program
    trace: Trace


def replayed_of(report: Path | None) -> Replayed:
    """The first violation of a report, or of the last result, on the program as it is now."""
    text, name = read_report(report)
    content = json_report.from_text(text, name)
    traces = json_report.traces_of(content, name)
    if not traces:
        raise InputError("the report has no violation to replay", Span(name, 1, 1))
    json_report.require_part(content, "task", name)
    if not content["task"]["files"]:
        raise InputError("a damaged report (a task without files)", Span(name, 1, 1))
    task = json_report.task_from_json(content["task"])
    program = _program(task, traces[0])
    model = traces[0].memory_model
    if traces[0].is_buffered:
        program, model = on_machine(program, task), MemoryModel.SC
    try:
        trace = replay(program, traces[0].schedule, traces[0].failure, model)
    except ReplayError as error:
        raise InputError(
            f"not reproduced, the program has changed since: {error}", Span(name, 1, 1)
        ) from None
    found = traces[0]
    as_found = replace(
        trace, memory_model=found.memory_model, is_buffered=found.is_buffered, followed=found.followed
    )
    return Replayed(task, program, as_found)


def _program(task: Task, trace: Trace) -> Program:
    """The program that a trace is a run of."""
    if trace.followed is None:
        return program_of(task)
    return part_of(surveyed_program(loaded_program(task), task), task, frozenset(trace.followed))
