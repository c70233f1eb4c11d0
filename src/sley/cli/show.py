"""``sley show``: a program as engines see it, its proof, and results kept from earlier."""

import sys
from collections.abc import Callable
from pathlib import Path

from sley.cli.cache import read_report
from sley.cli.exit_codes import ExitCode, exit_code
from sley.cli.files import require_writable, write_file
from sley.cli.signals import attended
from sley.cli.terminal import show, width
from sley.engines.symmetry.cegar import AbstractProgram
from sley.inspection.events import unrolled
from sley.inspection.searches import Unwinding, abstraction_of, unwound
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


def show_control_flow(task: Task, *, dot: bool, prepared: bool) -> int:
    """Print the textual form or the graph of a program."""
    program = program_of(task) if prepared else loaded_program(task)
    sys.stdout.write(to_dot(program) if dot else print_program(program))
    return ExitCode.SAFE


def show_traces(*, report: Path | None, show_all: bool) -> int:
    """Print the first violation of a report, or all of them in full."""
    content, name = read_report(report)
    traces = json_report.traces_of(json_report.from_text(content, name), name)
    if not traces:
        show([line(" The last result has no violation to show.")])
    for number, trace in enumerate(traces if show_all else traces[:1]):
        show([line("")] if number else [])
        show(trace_report(trace, width=width(), show_all=show_all))
    return ExitCode.SAFE


def show_tree(task: Task, *, dot: bool, svg: Path | None) -> int:
    """Print or draw the abstract reachability tree of a program, finished or not."""
    if svg is not None:
        require_writable(svg)
    found = _unwound(task)
    if found.unfolding is None:
        return _nothing_to_show(found)
    if dot:
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


def show_skeleton(task: Task, *, dot: bool) -> int:
    """Print the events of a program as engine bmc sees them."""
    with attended(task) as (progress, budget), progress:
        skeleton = skeleton_of(unrolled(task, budget))
    if dot:
        sys.stdout.write(skeleton_dot(skeleton))
    else:
        show(skeleton_report(skeleton, width=width()))
    return ExitCode.SAFE


def show_predicates(task: Task) -> int:
    """Print the predicates that engine symmetry found, as a file that it can start with."""
    return _show_abstraction(
        task, lambda found: "".join(f"{text}  // {kind}\n" for _, kind, text in found.predicates)
    )


def show_boolean(task: Task) -> int:
    """Print the Boolean program of engine symmetry."""

    def text(found: AbstractProgram) -> str:
        names = (f"// {name}: {text} ({kind})\n" for name, kind, text in found.predicates)
        return "".join(names) + print_boolean(found.program)

    return _show_abstraction(task, text)


def _show_abstraction(task: Task, text: Callable[[AbstractProgram], str]) -> int:
    with attended(task) as (progress, budget), progress:
        found = abstraction_of(task, progress, budget)
    if found.abstract is None:
        show(labelled("None", [f"There is no abstraction: {found.result.reason}"], width()))
        return exit_code(found.result.answer)
    sys.stdout.write(text(found.abstract))
    return ExitCode.SAFE


def _unwound(task: Task) -> Unwinding:
    with attended(task) as (progress, budget), progress:
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
