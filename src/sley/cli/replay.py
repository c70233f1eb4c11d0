"""``sley replay``: a bug once more, on the interpreter, step by step, or on the real program."""

from pathlib import Path

from sley.cli.exit_codes import ExitCode
from sley.cli.native import debug, run_native
from sley.cli.replayed import replayed_of
from sley.cli.signals import attended
from sley.cli.stepping import walk
from sley.cli.terminal import show, width
from sley.reports.lines import Segment, line
from sley.reports.text import trace_report
from sley.verification.supervision import computed
from sley.verification.task import Limits


def replay_report(  # noqa: PLR0913 - one for each flag
    *,
    report: Path | None,
    native: bool,
    gdb: bool,
    step: bool,
    compiler: str | None,
    times: int,
    run_limit: float,
    time_limit: float,
    memory_limit: int | None,
) -> int:
    """Run the schedule of the first violation in a report again, on the program as it is now."""
    with attended(Limits(seconds=time_limit, megabytes=memory_limit)) as (progress, budget), progress:
        replayed = computed(lambda _, __: replayed_of(report), budget, progress)
    if step:
        return walk(replayed.trace)
    if native or gdb:
        if gdb:
            return debug(replayed, compiler=compiler)
        return run_native(replayed, compiler=compiler, times=times, seconds=run_limit)
    trace = replayed.trace
    show(trace_report(trace, width=width()))
    steps = len(trace.schedule)
    show([line(Segment(" Replayed", "label"), f"  the same violation after {steps} steps")])
    return ExitCode.UNKNOWN if trace.depends_on else ExitCode.BUG
