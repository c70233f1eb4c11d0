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
from sley.reports.lines import Segment, line
from sley.reports.text import run_report, trace_report
from sley.verification.execution import Run, random_run, read_schedule
from sley.verification.observer import Observer
from sley.verification.reading import program_of
from sley.verification.supervision import computed
from sley.verification.task import DEFAULT_SECONDS, Task


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

    with attended(task) as (progress, budget), progress:
        text = computed(work, budget, progress)
    if output is None:
        write(text)
    else:
        write_file(output, text)
    return ExitCode.SAFE
