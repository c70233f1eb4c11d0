"""``sley prove-check``: a proof from a file, checked for a program that is read anew."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sley.base.errors import InputError
from sley.cli import arguments
from sley.cli.exit_codes import exit_code
from sley.cli.signals import attended
from sley.cli.terminal import show, stop_printing, width, write
from sley.frontend.data_model import DataModel
from sley.program.memory_model import MemoryModel
from sley.reports import text
from sley.reports.lines import Line, Segment, labelled, line
from sley.verification.proof_check import check_proof_file
from sley.verification.proof_files import ProofFile, read_proof_file
from sley.verification.result import Answer, Result
from sley.verification.task import Limits, Task


def prove_check(
    *,
    files: Sequence[Path],
    models: Sequence[Path],
    time_limit: float,
    memory_limit: int | None,
    **given: Any,
) -> int:
    """Check the proof in the last file for the program in the others; what no flag says, the file says."""
    if len(files) < 2:
        raise InputError("prove-check needs the files of a program, and then the file with the proof")
    *paths, proof = files
    saved = read_proof_file(proof)
    task = replace(
        saved.task,
        paths=tuple(paths),
        models=tuple(models),
        limits=Limits(seconds=time_limit, megabytes=memory_limit),
    )
    return _checked(saved, _as_given(task, **given))


def _as_given(
    task: Task,
    *,
    include_dirs: Sequence[Path],
    defines: Sequence[str],
    data_model: str | None,
    properties: Sequence[str],
    memory_model: str | None,
) -> Task:
    return replace(
        task,
        include_dirs=tuple(include_dirs) or task.include_dirs,
        defines=tuple(defines) or task.defines,
        data_model=task.data_model if data_model is None else DataModel[data_model],
        selection=arguments.selection(properties) or task.selection,
        memory_model=task.memory_model if memory_model is None else MemoryModel(memory_model),
    )


def _checked(saved: ProofFile, task: Task) -> int:
    with attended(task) as (progress, budget):
        with progress:
            result = check_proof_file(saved, task, progress, budget)
        is_safe = result.answer is Answer.SAFE
        lines = text.report(result, width=width()) if is_safe else _refusal(result)
        try:
            show([*lines, *_asked(saved)])
            write(text.closing_lines(result))
        except BrokenPipeError:
            stop_printing()
    return exit_code(result.answer)


def _refusal(result: Result) -> list[Line]:
    """Nothing is said about the program but that this does not prove it safe."""
    heading = line(Segment(" UNKNOWN", "unknown"), "  This file does not prove that the program is safe.")
    return [heading, *labelled("Why", [sentence(result.reason or "")], width())]


def sentence(reason: str) -> str:
    """A reason as one."""
    return f"{reason[:1].upper()}{reason[1:].rstrip('.')}."


def _asked(saved: ProofFile) -> list[Line]:
    """What the proof is one of, which the command line need not say."""
    task = saved.task
    kinds = dict.fromkeys(f"{one.kind} ({one.engine})" for one in saved.proofs)
    properties = ", ".join(sorted(prop.value for prop in task.selection.properties))
    asked = (
        f"{', '.join(kinds)}; {properties}; data model {task.data_model.name}, memory model "
        f"{task.memory_model.value}."
    )
    return labelled("Proof", [f"From {saved.name}: {asked}"], width())
