"""``sley show``: a program as engines see it, its proof, and results kept from earlier.

What an engine makes of a program is computed in a process of its own, within limits: its imports are there.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sley.base import outside
from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.base.source import Span
from sley.cli.cache import read_report
from sley.cli.crash import with_crash_files
from sley.cli.exit_codes import ExitCode, exit_code
from sley.cli.signals import attended
from sley.cli.terminal import show, warn, width, write
from sley.evidence.fingerprints import fingerprint
from sley.evidence.verdict import Safe
from sley.reports import crashes, json_report
from sley.reports.lines import Line, Segment, labelled, line
from sley.reports.text import trace_report
from sley.verification.observer import Observer
from sley.verification.supervision import computed
from sley.verification.task import Limits, Task

if TYPE_CHECKING:
    from sley.engines.symmetry.cegar import AbstractProgram
    from sley.inspection.searches import Unwinding
    from sley.verification.result import Result


@dataclass(frozen=True, slots=True)
class _Page:
    """What is to be shown; made in a process of its own, so that limits hold."""

    lines: Sequence[Line] = ()
    text: str = ""
    """Follows as it is."""
    code: ExitCode = ExitCode.SAFE


def _made(limits: Limits, make: Callable[[Observer, Budget], _Page]) -> _Page:
    with attended(limits) as (progress, budget), progress:
        return computed(make, budget, progress)


def _printed(page: _Page) -> int:
    show(page.lines)
    write(page.text)
    return page.code


def show_control_flow(task: Task, *, dot: bool, prepared: bool) -> int:
    """Print the textual form or the graph of a program."""

    def make(_: Observer, __: Budget) -> _Page:
        from sley.program.dot import to_dot
        from sley.program.printer import print_program
        from sley.verification.reading import loaded_program, program_of

        program = program_of(task) if prepared else loaded_program(task)
        return _Page(text=to_dot(program) if dot else print_program(program))

    return _printed(_made(task.limits, make))


def show_harness(task: Task) -> int:
    """Print the C text that is checked for a library."""

    def make(_: Observer, __: Budget) -> _Page:
        from sley.verification.reading import sources_of

        return _Page(text="".join(file.text for file in sources_of(task) if file.text is not None))

    if task.harness is None:
        raise InputError("name the functions of the library that threads call: --entry f,g")
    return _printed(_made(task.limits, make))


def show_schema() -> int:
    """Print the schema of reports for machines."""
    from sley.reports import components
    from sley.reports.json_schema import json_schema

    described = json_schema() | {"$defs": {"components": components.schema()}}
    write(json.dumps(described, indent=1) + "\n")
    return ExitCode.SAFE


def show_traces(*, report: Path | None, show_all: bool, time_limit: float, memory_limit: int | None) -> int:
    """Print the first violation of a report, or all of them in full."""
    columns = width()
    limits = Limits(seconds=time_limit, megabytes=memory_limit)
    return _printed(_made(limits, lambda _, __: _Page(list(_traces(report, columns, show_all=show_all)))))


def _traces(report: Path | None, columns: int, *, show_all: bool) -> Iterator[Line]:
    content, name = read_report(report)
    traces = json_report.traces_of(json_report.from_text(content, name), name)
    if not traces:
        yield line(" The last result has no violation to show.")
    for number, trace in enumerate(traces if show_all else traces[:1]):
        if number:
            yield line("")
        yield from trace_report(trace, width=columns, show_all=show_all)
        yield from labelled("Name", [f"{trace.failure.property.value}:{fingerprint(trace)}"], columns)


def show_tree(task: Task, *, dot: bool) -> int:
    """Print the abstract reachability tree of a program, finished or not."""

    def make(observer: Observer, budget: Budget) -> _Page:
        from sley.inspection.searches import unwound
        from sley.reports.tree import tree_report
        from sley.reports.tree_drawing import tree_dot

        found = unwound(task, observer, budget)
        if found.unfolding is None:
            return _no_proof(found.result, columns)
        if dot:
            return _Page(text=tree_dot(found.unfolding))
        return _Page([_summary(found), line(""), *tree_report(found.unfolding, width=columns)])

    columns = width()
    return _printed(_made(task.limits, make))


def show_invariants(task: Task) -> int:
    """Print what a proof says in C about loops and locks."""
    from sley.reports.source_invariants import source_invariants_report
    from sley.verification.verify import verify

    with attended(task.limits) as (progress, budget), progress:
        result = verify(replace(task, wants_invariants=True), progress, budget)
    result = with_crash_files(result, sys.argv[1:])
    for sentence in crashes.sentences(result):
        warn(sentence)
    if result.survey is not None:
        from sley.reports.survey import locks_report

        show(locks_report(result.survey, width()))
    if not isinstance(result.outcome, Safe):
        return _printed(_no_proof(result, width()))
    by = f" (engine {result.engine})" if result.engine is not None else ""
    show(
        [
            line(
                Segment(" Proof  ", "label"), f"{result.outcome.proof.summary}{by}; accepted by its checker."
            ),
            line(""),
            *source_invariants_report(result, _text_at, width=width()),
        ]
    )
    return ExitCode.SAFE


def _text_at(span: Span) -> str:
    """The line of source where a span begins; empty if it is not there any more."""
    lines = (outside.shown_text(span.file) or "").splitlines()
    return lines[span.line - 1][span.column - 1 :].strip() if span.line <= len(lines) else ""


def show_skeleton(task: Task) -> int:
    """Print the events of a program as engine bmc sees them."""

    def make(_: Observer, budget: Budget) -> _Page:
        from sley.inspection.events import unrolled
        from sley.reports.skeleton import skeleton_of, skeleton_report

        return _Page(skeleton_report(skeleton_of(unrolled(task, budget)), width=columns))

    columns = width()
    return _printed(_made(task.limits, make))


def show_predicates(task: Task) -> int:
    """Print the predicates that engine symmetry found, as a file that it can start with."""
    return _show_abstraction(
        task, lambda found: "".join(f"{text}  // {kind}\n" for _, kind, text in found.predicates)
    )


def show_boolean(task: Task) -> int:
    """Print the Boolean program of engine symmetry."""

    def text(found: "AbstractProgram") -> str:
        from sley.reports.boolean_program import print_boolean

        names = (f"// {name}: {text} ({kind})\n" for name, kind, text in found.predicates)
        return "".join(names) + print_boolean(found.program)

    return _show_abstraction(task, text)


def _show_abstraction(task: Task, text: Callable[["AbstractProgram"], str]) -> int:
    def make(observer: Observer, budget: Budget) -> _Page:
        from sley.inspection.searches import abstraction_of

        found = abstraction_of(task, observer, budget)
        if found.abstract is None:
            why = f"There is no abstraction: {found.result.reason}"
            return _Page(labelled("None", [why], columns), code=exit_code(found.result.answer))
        return _Page(text=text(found.abstract))

    columns = width()
    return _printed(_made(task.limits, make))


def _summary(found: "Unwinding") -> Line:
    """What the tree is worth."""
    assert found.unfolding is not None
    tree = found.unfolding.tree
    if found.is_proof:
        return line(Segment(" Proof  ", "label"), f"{tree.summary}; accepted by its checker.")
    why = found.result.reason or found.result.result
    return line(Segment(" No proof  ", "label"), f"the tree so far, {len(tree.nodes)} nodes: {why}")


def _no_proof(result: "Result", columns: int) -> _Page:
    why = result.reason or f"there is a violation ({result.result}): `sley check` shows it"
    return _Page(labelled("None", [f"There is no proof: {why}"], columns), code=exit_code(result.answer))
