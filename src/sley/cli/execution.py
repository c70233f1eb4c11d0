"""``sley run`` and ``sley replay``: single runs, shown as a table; ``sley mine``: what many of them tell."""

from pathlib import Path
from typing import Any

from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.base.source import Span
from sley.cli.cache import read_report
from sley.cli.exit_codes import ExitCode
from sley.cli.files import require_writable, write_file
from sley.cli.signals import attended
from sley.cli.terminal import show, width, write
from sley.evidence.replay import ReplayError, record, replay
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property
from sley.reports import json_report
from sley.reports.lines import Segment, line
from sley.reports.text import run_report, trace_report
from sley.verification.execution import Run, random_run, read_schedule
from sley.verification.machines import on_machine
from sley.verification.observer import Observer
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.supervision import computed
from sley.verification.task import BUFFER_SIZE, DEFAULT_SECONDS, Granularity, Task


def run_program(task: Task, *, seed: int | None, schedule: Path | None) -> int:
    """Run a program once, at random or along a schedule, and show what happens."""
    program = program_of(task)
    if schedule is not None:
        run = Run(read_schedule(*_read(schedule)), "the schedule ends here")
    else:
        run = random_run(program, seed or 0, Budget(DEFAULT_SECONDS))
    return _show_run(program, run)


def _show_run(program: Program, run: Run) -> int:
    if run.failure is not None:
        show(trace_report(replay(program, run.schedule, run.failure), width=width()))
        return ExitCode.BUG
    try:
        threads, events = record(program, run.schedule)
    except ReplayError as error:
        raise InputError(f"the schedule does not fit the program: {error}") from None
    show(run_report(threads, events, width=width()))
    show([line(""), line(" ", Segment("END", "label"), f"  {run.ending}, {len(run.schedule)} steps")])
    return ExitCode.SAFE


def _read(file: Path) -> tuple[str, str]:
    try:
        return file.read_text(encoding="utf-8"), str(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the schedule: {error}", Span(str(file), 1, 1)) from None


def replay_report(*, report: Path | None) -> int:
    """Run the schedule of the first violation in a report again, on the program as it is now."""
    text, name = read_report(report)
    content = json_report.from_text(text, name)
    traces = json_report.traces_of(content, name)
    if not traces:
        raise InputError("the report has no violation to replay", Span(name, 1, 1))
    task = _task(content["task"])
    program = program_of(task)
    model = traces[0].memory_model
    if traces[0].is_buffered:
        program, model = on_machine(program, task), MemoryModel.SC
    try:
        trace = replay(program, traces[0].schedule, traces[0].failure, model)
    except ReplayError as error:
        raise InputError(
            f"not reproduced, the program has changed since: {error}", Span(name, 1, 1)
        ) from None
    show(trace_report(trace, width=width()))
    steps = len(trace.schedule)
    show([line(Segment(" Replayed", "label"), f"  the same violation after {steps} steps")])
    return ExitCode.BUG


def _task(content: dict[str, Any]) -> Task:
    """The task of a report; its paths are relative to where it ran."""
    directory = Path(content["directory"])
    return Task(
        paths=tuple(directory / file for file in content["files"]),
        selection=Selection(frozenset(map(Property, content["properties"])), content["error_call"]),
        data_model=DataModel[content["data_model"]],
        include_dirs=tuple(directory / folder for folder in content["include_dirs"]),
        defines=tuple(content["defines"]),
        models=tuple(directory / file for file in content["models"]),
        allows_inner_overrun=content.get("allows_inner_overrun", False),
        malloc_may_fail=content.get("malloc_may_fail", False),
        create_may_fail=content.get("create_may_fail", False),
        relaxed=tuple(
            Span(**one | {"file": str(directory / one["file"])}) for one in content.get("relaxed", ())
        ),
        granularity=Granularity(content.get("granularity", Granularity.ACCESS.value)),
        memory_model=MemoryModel(content.get("memory_model", MemoryModel.SC.value)),
        buffer_size=content.get("buffer_size", BUFFER_SIZE),
        instrument=Instrument(content.get("instrument", Instrument.CRITICAL.value)),
    )


def mine_program(task: Task, *, runs: int, seed: int, output: Path | None) -> int:
    """Watch random runs of a program and write down likely invariants: what held in all of them."""
    if output is not None:
        require_writable(output)

    def work(_: Observer, budget: Budget) -> str:
        from sley.engines.bmc.likely.file import write_likely
        from sley.engines.bmc.likely.mining import mine

        program = program_of(task)
        return write_likely(program, mine(program, runs, seed, budget))

    with attended(task) as (progress, budget), progress:
        text = computed(work, budget, progress)
    if output is None:
        write(text)
    else:
        write_file(output, text)
    return ExitCode.SAFE
