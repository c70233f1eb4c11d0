"""What Python programs use: a question in a few words, answers as plain data; see docs/api.md.

``sley.verify`` with a ``Task`` is the whole interface; these are its short forms.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any

from sley.base.errors import InputError
from sley.frontend.data_model import DataModel
from sley.program.memory_model import MemoryModel
from sley.reports import json_report, text
from sley.reports.lines import plain
from sley.verification.observer import SilentObserver
from sley.verification.proof_check import check_proof_file
from sley.verification.proof_files import proof_of, read_proof_file
from sley.verification.property_files import selected
from sley.verification.result import Result
from sley.verification.task import DEFAULT_SECONDS, Limits, Task, everything
from sley.verification.verify import verify


def check(
    *files: str | Path,
    properties: Iterable[str] = (),
    time_limit: float | None = DEFAULT_SECONDS,
    memory_limit: int | None = None,
    invariants: bool = False,
    proof: bool = False,
    **more: Any,
) -> Result:
    """The answer for the C files of one program, as ``sley check`` finds it.

    ``properties`` are names of groups, as ``race``, and property files; limits are in seconds and megabytes.
    With ``invariants`` a proof comes with what it says about the program, with ``proof`` it can be saved.
    ``more`` are fields of ``Task``; names stand for the members of enumerations, text for paths.
    """
    task = _task(files, properties, **more)
    limits = Limits(seconds=time_limit, megabytes=memory_limit)
    return verify(replace(task, limits=limits, wants_invariants=invariants, keeps_proof=proof))


def _task(files: Sequence[str | Path], properties: Iterable[str], **more: Any) -> Task:
    if not files:
        raise InputError("there is no file to check")
    task = Task(
        paths=tuple(map(Path, files)), **{name: _converted(name, value) for name, value in more.items()}
    )
    if "selection" in more:
        return task
    return replace(task, selection=selected(list(properties)) or everything(task.memory_model))


_MEMBERS: Mapping[str, Mapping[str, Enum]] = {
    "memory_model": {model.value: model for model in MemoryModel},
    "data_model": {model.name.lower(): model for model in DataModel},
}
_PATHS = ("include_dirs", "models")


def _converted(name: str, value: Any) -> Any:
    if name in _MEMBERS and isinstance(value, str):
        if value.lower() not in _MEMBERS[name]:
            raise InputError(f"{name}: there is no `{value}`")
        return _MEMBERS[name][value.lower()]
    if name == "arguments" and isinstance(value, str):
        raise InputError("arguments: must be a list of strings")
    if name in _PATHS:
        return tuple(map(Path, value))
    return tuple(value) if isinstance(value, list) else value


def to_dict(result: Result) -> dict[str, Any]:
    """A result as plain data, as ``sley check --json`` writes it: docs/json-report.md."""
    return json_report.report(result)


def to_text(result: Result, *, width: int = 100) -> str:
    """A result as ``sley check`` prints it."""
    return plain(text.report(result, width=width)) + text.closing_lines(result)


def save_proof(result: Result, file: str | Path) -> None:
    """Save the proof of a SAFE answer to a question with ``proof=True``; ``ValueError`` if there is none."""
    content = proof_of(result, Path(file))
    if content is None:
        raise ValueError(
            f"there is no proof to save: the answer is {result.answer.value}, or it was not kept"
        )
    Path(file).write_bytes(content.encode() if isinstance(content, str) else content)


def check_proof(
    *files: str | Path,
    proof: str | Path,
    properties: Iterable[str] = (),
    time_limit: float | None = DEFAULT_SECONDS,
    **more: Any,
) -> Result:
    """The answer that a saved proof gives for a program, as ``sley prove-check`` finds it.

    ``properties`` and ``more`` are those of ``check``; what makes it another question, or another program, is
    given as it was then.
    """
    saved = read_proof_file(Path(proof))
    task = _task(files, properties, **more)
    return check_proof_file(saved, replace(task, limits=Limits(seconds=time_limit)), SilentObserver())
