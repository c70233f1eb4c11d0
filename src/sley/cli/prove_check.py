"""``sley prove-check``: a proof from a file, checked for a program that is read anew."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sley.base.errors import InputError
from sley.cli import arguments
from sley.cli.configuration import Configuration
from sley.cli.exit_codes import exit_code
from sley.cli.flags import LIBRARY_FLAGS
from sley.cli.signals import attended
from sley.cli.terminal import show, stop_printing, width, write
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.reports import text
from sley.reports.lines import Line, Segment, labelled, line
from sley.verification.proof_check import checked_file, task_for
from sley.verification.proof_files import Json, ProofFile
from sley.verification.result import Answer, Result
from sley.verification.task import Granularity, Limits, Task


def prove_check(*, files: Sequence[Path], configuration: Configuration | None, **flags: Any) -> int:
    """Check the proof in the last file for the program in the others."""
    if len(files) < 2:
        raise InputError("prove-check needs the files of a program, and then the file with the proof")
    *paths, proof = files
    return _checked(proof, task_for(tuple(paths), **_given(**flags)), configuration)


def _given(
    *,
    properties: Sequence[str],
    allow_inner_overrun: bool,
    time_limit: float,
    memory_limit: int | None,
    **flags: Any,
) -> Json:
    """The fields of a task that flags are about."""
    library = {name: flags.pop(name) for name in LIBRARY_FLAGS}
    given = {name: _value(name, flag) for name, flag in flags.items() if flag is not None}
    if (chosen := arguments.selection(properties)) is not None:
        given["selection"] = chosen
    limits = Limits(seconds=time_limit, megabytes=memory_limit)
    return given | {
        "allows_inner_overrun": allow_inner_overrun,
        "limits": limits,
        "harness": arguments.harness(library),
    }


_KINDS: Mapping[str, Callable[[str], object]] = {
    "data_model": DataModel.__getitem__,
    "memory_model": MemoryModel,
    "granularity": Granularity,
    "instrument": Instrument,
}


def _value(name: str, flag: Any) -> object:
    if name in _KINDS:
        return _KINDS[name](flag)
    return tuple(flag) if isinstance(flag, list) else flag


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
