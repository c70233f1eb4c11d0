"""``sley prove-check``: a proof from a file, checked for a program that is read anew."""

import shlex
from dataclasses import replace
from pathlib import Path

from sley.base.errors import InputError
from sley.cli.configuration import Configuration
from sley.cli.exit_codes import exit_code
from sley.cli.signals import attended
from sley.cli.terminal import show, stop_printing, width, write
from sley.reports import text
from sley.reports.lines import Line, Segment, labelled, line
from sley.verification.proof_check import checked_file
from sley.verification.proof_files import ProofFile
from sley.verification.result import Answer, Result
from sley.verification.task import Task


def prove_check(task: Task, *, configuration: Configuration | None) -> int:
    """Check the proof in the last file for the program in the others."""
    if len(task.paths) < 2:
        raise InputError("prove-check needs the files of a program, and then the file with the proof")
    return _checked(task.paths[-1], replace(task, paths=task.paths[:-1]), configuration)


def _checked(proof: Path, task: Task, configuration: Configuration | None) -> int:
    with attended(task.limits) as (progress, budget):
        with progress:
            saved, result = checked_file(proof, task, progress, budget)
        is_safe = result.answer is Answer.SAFE
        answer, *others = text.report(result, width=width()) if is_safe else _refusal(result)
        narrowed = configuration.narrowed(width()) if configuration is not None else []
        try:
            show([answer, *narrowed, *others, *(_asked(saved) if saved is not None else [])])
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
    kinds = dict.fromkeys(f"{one.kind} ({one.engine})" for one in saved.proofs)
    return labelled(
        "Proof", [f"From {saved.name}: {', '.join(kinds)}; {shlex.join(saved.asked) or 'no flags'}."], width()
    )
