"""Whether a witness is about the program and the question at hand."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePath

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.task import Task
from sley.verification.witnesses.document import Witness, WitnessPlace

OF_ASSERTIONS = (None, "__assert_fail", "reach_error")
"""Functions whose calls are failures, if no other is named."""


def agreed(task: Task, witness: Witness, *, asks: bool, has_model: bool) -> Task:
    """The task of a witness: what the user did not ask for explicitly, the witness says.

    InputError if it is about another program, another property or another machine.
    """
    subject = witness.subject
    _require_same_program(task, witness)
    selection = subject.specification
    if selection.unsupported:
        raise InputError(f"{selection.unsupported[0].what} cannot be checked", subject.specification_span)
    if asks:
        if not _is_answer(selection, task.selection, is_violation=bool(witness.violation)):
            raise InputError("a witness for another specification", subject.specification_span)
        if not witness.violation:
            selection = task.selection
    model = subject.data_model
    if has_model and model is not task.data_model:
        raise InputError(
            f"a witness for {model.name}, not for {task.data_model.name}", subject.data_model_span
        )
    lines = {path: outside.content(path, outside.SOURCE).count(b"\n") + 1 for path in task.paths}
    for place, span in _places(witness):
        _require_line(lines, place, span)
    return replace(task, selection=selection, data_model=model)


def _is_answer(said: Selection, asked: Selection, *, is_violation: bool) -> bool:
    """Whether a violation of what is said is one of what was asked, or a proof of it one of all that."""
    smaller, larger = (said, asked) if is_violation else (asked, said)
    if not smaller.properties <= larger.properties:
        return False
    if asked.error_call is not None or Property.REACH not in asked.properties:
        return said.error_call == asked.error_call or Property.REACH not in said.properties
    return not is_violation or said.error_call in OF_ASSERTIONS


def _require_same_program(task: Task, witness: Witness) -> None:
    """Each hash is that of the file with its name; at least one has to be there."""
    known = {path.name: path for path in task.paths}
    for name, digest, span in witness.subject.hashes:
        path = known.get(PurePath(name).name) or (task.paths[0] if len(task.paths) == 1 else None)
        if path is None or digest.lower() != _hash(path):
            raise InputError(f"a witness for another program than {path or name}: the hash differs", span)
    if not witness.subject.hashes:
        raise InputError("a witness without the hash of a program", witness.subject.specification_span)


def _hash(path: Path) -> str:
    return hashlib.sha256(outside.content(path, outside.SOURCE)).hexdigest()


def _places(witness: Witness) -> Iterator[tuple[WitnessPlace, Span]]:
    for segment in witness.violation:
        for waypoint in (segment.follow, *segment.avoid):
            yield waypoint.place, waypoint.span
    for invariant in witness.invariants:
        yield invariant.place, invariant.span


def _require_line(lines: Mapping[Path, int], place: WitnessPlace, span: Span) -> None:
    """The line exists, in a file of the program; headers are left to the search."""
    paths = [path for path in lines if path.name == PurePath(place.file).name]
    if not paths:
        raise InputError(f"`{place.file}` is no file of the program", span)
    if all(place.line > lines[path] for path in paths):
        raise InputError(f"{paths[0].name} has no line {place.line}", span)
