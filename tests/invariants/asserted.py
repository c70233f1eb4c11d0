"""Write invariants into the C program that they are about, as assertions that nobody interrupts."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from sley.base.source import Span
from sley.evidence.invariants import SourceInvariant
from sley.evidence.verdict import Safe
from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE

ASSERTIONS = frozenset({Property.REACH})


def proved(path: Path, seconds: float = AMPLE, **more: object) -> Result:
    """The result for a program, with invariants."""
    limits = Limits(seconds=seconds)
    return verify(Task(paths=(path,), wants_invariants=True, limits=limits, **more))  # type: ignore[arg-type]


def conditions(task: Task) -> dict[Span, Span]:
    """Loops, and where their conditions begin."""
    functions = program_of(task).functions.values()
    return {loop: test for function in functions for test, loop in function.names.loops.items()}


def asserted(source: str, invariants: Iterable[SourceInvariant], tests: dict[Span, Span]) -> str:
    """The program with each invariant as an assertion at its place."""
    lines = source.split("\n")
    checks = sorted((_place(one, tests, lines), one.text, one.kind) for one in invariants)
    for (row, column), text, kind in reversed(checks):
        check = f"__VERIFIER_atomic_begin(); if (!({text})) reach_error(); __VERIFIER_atomic_end();"
        before, after = lines[row][:column], lines[row][column:]
        if kind == "loop":
            lines[row] = f"{before}({{ {check} }}), {after}"
        elif after.startswith("pthread_") and after.rstrip().endswith(";"):
            lines[row] = f"{before}{{ {check} {after} }}"  # it may be all there is in a loop or choice
        else:
            lines[row] = f"{before}{check} {after}"
    declared = "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), reach_error(void);"
    return f"{declared}\n" + "\n".join(lines)


def _place(one: SourceInvariant, tests: dict[Span, Span], lines: list[str]) -> tuple[int, int]:
    at = tests[one.span] if one.kind == "loop" else one.span
    row, column = at.line - 1, at.column - 1
    if lines[row][column:].startswith("while"):
        column = lines[row].index("(", column) + 1
    return row, column


def is_true(path: Path, result: Result, folder: Path) -> bool | None:
    """Whether all invariants of a result hold in the program; None if that is not found out."""
    tests = conditions(result.task)
    written = folder / path.name
    written.write_text(asserted(path.read_text(), result.invariants, tests))
    task = replace(result.task, paths=(written,), selection=Selection(ASSERTIONS), wants_invariants=False)
    outcome = verify(task).outcome
    return (
        True
        if isinstance(outcome, Safe)
        else (False if hasattr(outcome, "traces") and outcome.traces else None)
    )
