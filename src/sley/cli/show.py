"""``sley show``: a program as engines see it, and results kept from earlier."""

import sys
from pathlib import Path

from sley.cli.cache import read_report
from sley.cli.exit_codes import ExitCode
from sley.cli.terminal import show, width
from sley.program.dot import to_dot
from sley.program.printer import print_program
from sley.reports import json_report
from sley.reports.lines import line
from sley.reports.text import trace_report
from sley.verification.task import Task
from sley.verification.verify import loaded_program, program_of


def show_control_flow(task: Task, *, as_dot: bool, is_prepared: bool) -> int:
    """Print the textual form or the graph of a program."""
    program = program_of(task) if is_prepared else loaded_program(task)
    sys.stdout.write(to_dot(program) if as_dot else print_program(program))
    return ExitCode.SAFE


def show_traces(report: Path | None, *, show_all: bool) -> int:
    """Print the first violation of a report, or all of them in full."""
    content, name = read_report(report)
    traces = json_report.traces_of(json_report.from_text(content, name), name)
    if not traces:
        show([line(" The last result has no violation to show.")])
    for number, trace in enumerate(traces if show_all else traces[:1]):
        show([line("")] if number else [])
        show(trace_report(trace, width=width(), show_all=show_all))
    return ExitCode.SAFE
