"""Witnesses in YAML: format 2.0 for runs of one thread and for invariants, 2.2 for runs of several.

A violation is a sequence of waypoints, a segment each: threads that begin, inputs, the first and the last
statement of a thread between two context switches, and the violation; the two accesses of a race share one
segment, as nothing orders them. ``thread_id`` counts threads in the order in which they begin.
"""

import uuid
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import yaml

from sley.base.source import Span
from sley.evidence.invariants import SourceInvariant
from sley.evidence.trace import Trace
from sley.reports.sources import closing_parenthesis
from sley.reports.witnesses.metadata import PRODUCER, VERSION, Claim, claim_of, creation_time
from sley.reports.witnesses.passages import Passage, passages_of
from sley.verification.result import Result

NAMESPACE = uuid.UUID("5d1c1a1e-6a0f-5f0e-9c58-1f5f4b6e7a01")
"""Names of witnesses are made from their content, so the same witness has the same name."""

SEQUENTIAL, CONCURRENT = "2.0", "2.2"

Yaml = dict[str, Any]


def witness_of(result: Result, _: Path) -> str | None:
    """The witness of an answer; None if there is nothing to be witnessed."""
    claim = claim_of(result)
    return None if claim is None else yaml_of(claim, result.invariants)


def yaml_of(claim: Claim, invariants: tuple[SourceInvariant, ...]) -> str:
    """The whole file."""
    if claim.trace is not None:
        is_concurrent = len(claim.trace.threads) > 1
        content = list(_segments(claim.trace, is_concurrent=is_concurrent))
        entry = _entry("violation_sequence", CONCURRENT if is_concurrent else SEQUENTIAL, claim, content)
    else:
        entry = _entry("invariant_set", SEQUENTIAL, claim, [_invariant(one) for one in invariants])
    return yaml.safe_dump([entry], sort_keys=False, allow_unicode=True, width=100)


def _entry(kind: str, version: str, claim: Claim, content: list[Yaml]) -> Yaml:
    task = {
        "input_files": [str(file) for file in claim.files],
        "input_file_hashes": {
            str(file): digest for file, digest in zip(claim.files, claim.hashes, strict=True)
        },
        "specification": "\n".join(claim.checks),
        "data_model": claim.data_model,
        "language": "C",
    }
    identity = yaml.safe_dump([kind, task, content])
    metadata = {
        "format_version": version,
        "uuid": str(uuid.uuid5(NAMESPACE, identity)),
        "creation_time": creation_time(),
        "producer": {"name": PRODUCER, "version": VERSION},
        "task": task,
    }
    return {"entry_type": kind, "metadata": metadata, "content": content}


def _invariant(invariant: SourceInvariant) -> Yaml:
    kind = "loop_invariant" if invariant.kind == "loop" else "location_invariant"
    location = _location(invariant.span, invariant.function)
    return {
        "invariant": {
            "type": kind,
            "location": location,
            "value": invariant.text,
            "format": "c_expression",
        }
    }


# --- violations ------------------------------------------------------------------------------------


def _segments(trace: Trace, *, is_concurrent: bool) -> Iterator[Yaml]:
    passages = passages_of(trace)
    failing = [passage for passage in passages if passage.is_failure]
    others = [passage for passage in passages if not passage.is_failure]
    for _, stretch in groupby(others, key=lambda passage: passage.thread):
        for waypoint in _of_stretch(list(stretch)):
            yield _segment([waypoint], is_concurrent=is_concurrent)
    if len(failing) == 1 and failing[0].before:
        yield _segment([_assumption(failing[0])], is_concurrent=is_concurrent)
    targets = [(passage, {"type": "target"}, None) for passage in failing]
    yield _segment(targets, is_concurrent=is_concurrent)


_Waypoint = tuple[Passage, Yaml, tuple[int, int] | None]
"""What is passed, how, and where if not at the beginning of the statement."""


def _of_stretch(stretch: Sequence[Passage]) -> Iterator[_Waypoint]:
    """The waypoints of one thread between two switches."""
    for passage in stretch:
        is_at_end = passage in (stretch[0], stretch[-1]) and not passage.is_continued
        if is_at_end and not passage.creates and not passage.inputs:
            yield _assumption(passage)
        for _ in passage.creates:
            yield passage, {"type": "function_enter"}, _call(passage, _called(passage))
        for function, value in passage.inputs:
            constraint = _constraint(f"\\result == {value}", "acsl_expression")
            yield passage, {"type": "function_return", "constraint": constraint}, _call(passage, function)


def _assumption(passage: Passage) -> _Waypoint:
    """What holds before a statement."""
    condition = " && ".join(f"{name} == {value}" for name, value in passage.before)
    constraint = _constraint(condition or "1", "c_expression")
    return passage, {"type": "assumption", "constraint": constraint}, None


def _called(passage: Passage) -> str:
    """The function that a statement calls first."""
    return passage.text.split("(")[0].split()[-1] if "(" in passage.text else passage.text


def _call(passage: Passage, function: str) -> tuple[int, int] | None:
    span = passage.span
    return closing_parenthesis(span.file, span.line, span.column, function)


def _constraint(value: str, written_in: str) -> Yaml:
    return {"value": value, "format": written_in}


def _segment(waypoints: Sequence[_Waypoint], *, is_concurrent: bool) -> Yaml:
    return {"segment": [{"waypoint": _waypoint(one, is_concurrent=is_concurrent)} for one in waypoints]}


def _waypoint(waypoint: _Waypoint, *, is_concurrent: bool) -> Yaml:
    passage, what, place = waypoint
    thread = {"thread_id": passage.thread} if is_concurrent else {}
    location = _location(passage.span, passage.function)
    if place is not None:
        location["line"], location["column"] = place
    return {**what, "action": "follow", **thread, "location": location}


def _location(span: Span, function: str) -> Yaml:
    return {"file_name": span.file, "line": span.line, "column": span.column, "function": function}
