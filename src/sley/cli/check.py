"""``sley check``: from the flags to a task, from the result to the screen and the exit code."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sley.base.budget import Budget
from sley.base.errors import InputError, NoMainError
from sley.cli.cache import keep_last_result
from sley.cli.components import check_components
from sley.cli.configuration import Configuration
from sley.cli.crash import with_crash_files
from sley.cli.exit_codes import ExitCode, exit_code
from sley.cli.files import require_writable, write_file
from sley.cli.outputs import Requested, require_files
from sley.cli.signals import attended
from sley.cli.terminal import show, stop_printing, warn, width, write
from sley.program.memory_model import MemoryModel
from sley.reports import json_report, suppressions, text
from sley.reports.json_report import Json
from sley.reports.lines import Line
from sley.reports.phrases import WIDTH
from sley.verification.observer import Observer
from sley.verification.result import NotSupported, Result
from sley.verification.task import Task
from sley.verification.verify import verify

if TYPE_CHECKING:
    from sley.verification.baseline import Baseline


def check_task(
    task: Task,
    *,
    json: Path | None,
    baseline: Path | None,
    outputs: Sequence[Requested],
    suggest_orders: bool,
    write_harnesses: Path | None,
    configuration: Configuration | None,
) -> int:
    """Check a program, or what is found in a folder or in files without a ``main``; the exit code."""
    is_of_program = bool(outputs) or baseline is not None or suggest_orders
    if is_repository(task):
        if is_of_program:
            raise InputError("a folder gets a table, and --json: for other outputs name one program")
        return check_components(task, json, write_harnesses)
    try:
        return _check_program(
            task,
            json=json,
            baseline=baseline,
            outputs=outputs,
            suggest_orders=suggest_orders,
            configuration=configuration,
        )
    except NoMainError as error:
        if is_of_program:
            raise
        return check_components(task, json, write_harnesses, instead_of=error)


def _check_program(
    task: Task,
    *,
    json: Path | None,
    baseline: Path | None,
    outputs: Sequence[Requested],
    suggest_orders: bool,
    configuration: Configuration | None,
) -> int:
    """Verify, report, keep the result; the exit code."""
    if json is not None:
        require_writable(json)
    if suggest_orders and task.memory_model is MemoryModel.SC:
        raise InputError("--suggest-orders: under --memory-model sc orders mean nothing")
    accepted = _baseline(baseline)
    if any(one.output.needs_files for one in outputs):
        require_files(task)
    task = replace(
        task,
        each_check=task.each_check or accepted is not None or any(one.output.needs_checks for one in outputs),
        wants_invariants=any(one.output.needs_invariants for one in outputs),
        keeps_proof=any(one.output.needs_proof for one in outputs),
    )
    with attended(task.limits) as (progress, budget):
        with progress:
            result = with_crash_files(verify(task, progress, budget), sys.argv[1:])
            suggested = _suggested(result, progress, budget) if suggest_orders else Suggested()
        machine_text = json_report.to_text(json_report.report(result) | suggested.fields)
        keep_last_result(machine_text)
        notes = configuration.report(width()) if configuration is not None else []
        narrowed = configuration.narrowed(width()) if configuration is not None else []
        _print(
            result,
            narrowed,
            [*suggested.lines, *suppressions.report(result, width()), *_checks(result, accepted), *notes],
        )
        if json is not None:
            _kept(lambda: write_file(json, machine_text))
        for requested in outputs:
            _kept(partial(requested.write, result))
    is_accepted = result.is_safe_otherwise or (accepted is not None and accepted.accepts(result))
    return ExitCode.SAFE if is_accepted else exit_code(result.answer)


def is_repository(task: Task) -> bool:
    """Whether a folder is named in which components are to be found."""
    is_whole = task.harness is not None or task.arguments is not None or task.target is not None
    return not is_whole and any(path.is_dir() for path in task.paths)


def _kept(write: Callable[[], None]) -> None:
    """The answer stands, whether it can be written or not."""
    try:
        write()
    except InputError as error:
        warn(str(error))


def _checks(result: Result, baseline: "Baseline | None") -> list[Line]:
    if result.survey is None:
        return []
    from sley.reports import survey

    return survey.report(result, baseline, min(width(), WIDTH))


def _baseline(file: Path | None) -> "Baseline | None":
    if file is None:
        return None
    from sley.verification.baseline import read_baseline

    return read_baseline(file)


@dataclass(frozen=True, slots=True)
class Suggested:
    """Which orders the program needs, for people and for machines; empty unless asked for."""

    lines: Sequence[Line] = ()
    fields: Json = field(default_factory=dict)


def _suggested(result: Result, observer: Observer, budget: Budget) -> Suggested:
    from sley.reports import suggestions
    from sley.verification.suggestions import suggest_orders

    if isinstance(result.outcome, NotSupported):
        return Suggested()
    found = suggest_orders(result, observer, budget)
    return Suggested(suggestions.report(found, width()), {"suggested_orders": suggestions.to_json(found)})


def _print(result: Result, beside: Sequence[Line], more: Sequence[Line]) -> None:
    """The report; ``beside`` comes right below the answer."""
    try:
        answer, *others = text.report(result, width=width())
        show([answer, *beside, *others, *more])
        write(text.closing_lines(result))
    except BrokenPipeError:
        stop_printing()
