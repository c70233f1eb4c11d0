"""``sley show``: a program as engines see it, its proof, and results kept from earlier."""

import sys
from pathlib import Path

from sley.base.budget import Budget
from sley.cli.cache import read_report
from sley.cli.exit_codes import ExitCode, exit_code
from sley.cli.files import require_writable, write_file
from sley.cli.signals import stopping
from sley.cli.terminal import Progress, show, width
from sley.inspection.boolean_program import AbstractionOfTask, abstraction_of
from sley.inspection.events import unrolled
from sley.inspection.tree import Unwinding, unwound
from sley.program.dot import to_dot
from sley.program.printer import print_program
from sley.reports import json_report
from sley.reports.boolean_program import print_boolean
from sley.reports.invariants import invariants_report
from sley.reports.lines import Line, Segment, labelled, line
from sley.reports.skeleton import skeleton_dot, skeleton_of, skeleton_report
from sley.reports.text import trace_report
from sley.reports.tree import tree_report
from sley.reports.tree_drawing import draw, to_svg
from sley.reports.tree_drawing import to_dot as tree_to_dot
from sley.verification.reading import loaded_program, program_of
from sley.verification.task import Task


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


def show_tree(task: Task, *, as_dot: bool, svg: Path | None) -> int:
    """Print or draw the abstract reachability tree of a program, finished or not."""
    if svg is not None:
        require_writable(svg)
    found = _unwound(task)
    if found.unfolding is None:
        return _nothing_to_show(found)
    if as_dot:
        sys.stdout.write(tree_to_dot(draw(found.unfolding)))
    elif svg is not None:
        write_file(svg, to_svg(draw(found.unfolding)))
        show([_summary(found), line(f" Drawn in {svg}.")])
    else:
        show([_summary(found), line(""), *tree_report(found.unfolding, width=width())])
    return ExitCode.SAFE


def show_invariants(task: Task) -> int:
    """Print what a proof says about the places of a program."""
    found = _unwound(task)
    if found.unfolding is None or not found.is_proof:
        return _nothing_to_show(found)
    show([_summary(found), line(""), *invariants_report(found.unfolding, width=width())])
    return ExitCode.SAFE


def show_skeleton(task: Task, *, as_dot: bool) -> int:
    """Print the events of a program as engine bmc sees them."""
    progress = Progress()
    budget = Budget(task.limits.seconds, task.limits.megabytes, on_progress=progress.refresh)
    with stopping(budget), progress:
        skeleton = skeleton_of(unrolled(task, budget))
    if as_dot:
        sys.stdout.write(skeleton_dot(skeleton))
    else:
        show(skeleton_report(skeleton, width=width()))
    return ExitCode.SAFE


def show_predicates(task: Task) -> int:
    """Print the predicates that engine symmetry found, as a file that it can start with."""
    found = _abstraction(task)
    if found.abstract is None:
        show(labelled("None", [f"There is no abstraction: {found.result.reason}"], width()))
        return exit_code(found.result.answer)
    for _, kind, text in found.abstract.predicates:
        sys.stdout.write(f"{text}  // {kind}\n")
    return ExitCode.SAFE


def show_boolean(task: Task) -> int:
    """Print the Boolean program of engine symmetry."""
    found = _abstraction(task)
    if found.abstract is None:
        show(labelled("None", [f"There is no abstraction: {found.result.reason}"], width()))
        return exit_code(found.result.answer)
    for name, kind, text in found.abstract.predicates:
        sys.stdout.write(f"// {name}: {text} ({kind})\n")
    sys.stdout.write(print_boolean(found.abstract.program))
    return ExitCode.SAFE


def _abstraction(task: Task) -> AbstractionOfTask:
    progress = Progress()
    budget = Budget(task.limits.seconds, task.limits.megabytes, on_progress=progress.refresh)
    with stopping(budget), progress:
        return abstraction_of(task, progress, budget)


def _unwound(task: Task) -> Unwinding:
    progress = Progress()
    budget = Budget(task.limits.seconds, task.limits.megabytes, on_progress=progress.refresh)
    with stopping(budget), progress:
        return unwound(task, progress, budget)


def _summary(found: Unwinding) -> Line:
    """What the tree is worth."""
    assert found.unfolding is not None
    tree = found.unfolding.tree
    if found.is_proof:
        return line(Segment(" Proof  ", "label"), f"{tree.summary}; accepted by its checker.")
    why = found.result.reason or found.result.result
    return line(Segment(" No proof  ", "label"), f"the tree so far, {len(tree.nodes)} nodes: {why}")


def _nothing_to_show(found: Unwinding) -> int:
    result = found.result
    why = result.reason or f"there is a violation ({result.result}): `sley check` shows it"
    show(labelled("None", [f"There is no proof: {why}"], width()))
    return exit_code(result.answer)
