"""``sley run``: a single run, shown as a table; ``sley mine``: what many of them tell."""

from pathlib import Path

from sley.base import outside
from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.cli.exit_codes import ExitCode
from sley.cli.files import require_writable, write_file
from sley.cli.signals import attended
from sley.cli.terminal import show, width, write
from sley.evidence.replay import ReplayError, record, replay
from sley.program.program import Program
from sley.reports.lines import Line, Segment, line
from sley.reports.text import run_report, trace_report
from sley.verification.execution import Run, random_run, read_schedule
from sley.verification.observer import Observer
from sley.verification.reading import program_of
from sley.verification.supervision import computed
from sley.verification.task import Task


def run_program(task: Task, *, seed: int | None, schedule: Path | None) -> int:
    """Run a program once, at random or along a schedule, and show what happens."""
    steps = None if schedule is None else read_schedule(*_read(schedule))
    columns = width()

    def work(_: Observer, budget: Budget) -> tuple[list[Line], ExitCode]:
        program = program_of(task)
        given = None if steps is None else Run(steps, "the schedule ends here")
        return _report(program, given or random_run(program, seed or 0, budget), columns)

    with attended(task.limits) as (progress, budget), progress:
        lines, code = computed(work, budget, progress)
    show(lines)
    return code


def _report(program: Program, run: Run, columns: int) -> tuple[list[Line], ExitCode]:
    if run.failure is not None:
        return trace_report(replay(program, run.schedule, run.failure), width=columns), ExitCode.BUG
    try:
        threads, events = record(program, run.schedule)
    except ReplayError as error:
        raise InputError(f"the schedule does not fit the program: {error}") from None
    end = line(" ", Segment("END", "label"), f"  {run.ending}, {len(run.schedule)} steps")
    return [*run_report(threads, events, width=columns), line(""), end], ExitCode.SAFE


def _read(file: Path) -> tuple[str, str]:
    return outside.text(file, outside.SCHEDULE), str(file)


def mine_program(task: Task, *, runs: int, seed: int, output: Path | None) -> int:
    """Watch random runs of a program and write down likely invariants: what held in all of them."""
    if output is not None:
        require_writable(output)

    def work(_: Observer, budget: Budget) -> str:
        from sley.engines.bmc.likely.file import write_likely
        from sley.engines.bmc.likely.mining import mine

        program = program_of(task)
        return write_likely(program, mine(program, runs, seed, budget))

    with attended(task.limits) as (progress, budget), progress:
        text = computed(work, budget, progress)
    if output is None:
        write(text)
    else:
        write_file(output, text)
    return ExitCode.SAFE
