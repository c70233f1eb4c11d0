"""``sley litmus``: whether memory models allow the outcomes of litmus tests."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from sley.base.budget import Budget
from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.cli.crash import with_crash_files
from sley.cli.exit_codes import ExitCode
from sley.cli.files import require_writable, write_file
from sley.cli.signals import SIGNALLED, stopping
from sley.cli.terminal import ProgressLine, show, warn, width, write
from sley.frontend.litmus.reading import read_test
from sley.frontend.litmus.test import SUFFIX, LitmusTest
from sley.program.memory_model import MemoryModel
from sley.reports import crashes, json_report, litmus
from sley.reports.execution_drawing import drawing_dot
from sley.verification.expectations import beside_tests, from_file
from sley.verification.litmus import JudgedTest, Judgement, default_model, litmus_task
from sley.verification.supervision import computed
from sley.verification.task import Limits, Task
from sley.verification.verify import verify

_CODES = {
    Judgement.ALLOWED: ExitCode.BUG,
    Judgement.FORBIDDEN: ExitCode.SAFE,
    Judgement.UNKNOWN: ExitCode.UNKNOWN,
    Judgement.NOT_SUPPORTED: ExitCode.NOT_SUPPORTED,
}


def judge_tests(
    task: Task,
    *,
    model: MemoryModel | None,
    expected: Path | None,
    sample: int | None,
    seed: int,
    dot: bool,
    json: Path | None,
) -> int:
    """Judge the tests that the task names.

    Of one test the exit code is the answer, of several whether all are as expected.
    """
    if json is not None:
        require_writable(json)
    paths = list(_tests(task.paths))
    is_alone = len(paths) == 1 and task.paths[0].is_file()
    expectation = beside_tests if expected is None else from_file(expected)
    tests = [test for path in paths if (test := _read(path, task.limits, is_alone=is_alone)) is not None]
    if expected is not None:
        tests = [test for test in tests if expectation(test, model or default_model(test)) is not None]
    if sample is not None:
        tests = sorted(Random(seed).sample(tests, min(sample, len(tests))), key=lambda test: test.path)
    if not tests:
        raise InputError("there is no test to judge")
    rows = []
    for test in tests:
        judged, is_stopped = _judged(test, task, model)
        rows.append(litmus.LitmusRow(judged, expectation(test, judged.model)))
        if not is_alone and not dot:
            show(
                [*(litmus.table_head(width()) if len(rows) == 1 else ()), litmus.table_row(rows[-1], width())]
            )
        if is_stopped:
            break
    if json is not None:
        write_file(json, json_report.to_text(litmus.litmus_json(rows)))
    if dot:
        found = [(row.judged.test.name, drawn) for row in rows if (drawn := litmus.drawing_of(row.judged))]
        write("".join(drawing_dot(drawn, name) for name, drawn in found))
    elif is_alone:
        show(litmus.litmus_report(rows[0], width=width()))
        write(litmus.closing_lines(rows[0]))
    else:
        show(litmus.table_end(rows, width()))
    return _exit_code(rows, is_alone=is_alone)


def _tests(paths: Sequence[Path]) -> Iterator[Path]:
    """The files that are named, and those in folders that are."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob(f"*{SUFFIX}"))
        else:
            yield path


def _read(path: Path, limits: Limits, *, is_alone: bool) -> LitmusTest | None:
    """The test in a file; among many, one that cannot be read is told of and left out."""
    progress = ProgressLine()
    budget = Budget(limits.seconds, limits.megabytes)
    try:
        with stopping(budget):
            return computed(lambda _, __: read_test(path), budget, progress)
    except (InputError, UnsupportedFeatureError, GaveUpError) as error:
        if is_alone or budget.stop_reason in SIGNALLED:
            raise
        warn(f"left out: {error}")
        return None


def _judged(test: LitmusTest, task: Task, model: MemoryModel | None) -> tuple[JudgedTest, bool]:
    """What the engines say, each test with all of the limits; and whether the user wants an end."""
    task, progress = litmus_task(test, task, model), ProgressLine()
    budget = Budget(task.limits.seconds, task.limits.megabytes, on_progress=progress.refresh)
    with stopping(budget), progress:
        judged = JudgedTest(test, with_crash_files(verify(task, progress, budget), sys.argv[1:]))
    for sentence in crashes.sentences(judged.result):
        warn(sentence)
    return judged, budget.stop_reason in SIGNALLED


def _exit_code(rows: Sequence[litmus.LitmusRow], *, is_alone: bool) -> int:
    if is_alone:
        return _CODES[rows[0].judged.judgement]
    if any(row.is_different for row in rows):
        return ExitCode.BUG
    return ExitCode.SAFE if all(row.is_decided for row in rows) else ExitCode.UNKNOWN
