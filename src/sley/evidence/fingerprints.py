"""A name for a finding that outlives edits elsewhere in the file.

Two runs of sley on versions of a program in which the failing statements, and the functions that lead to
them, are the same give the same name: line numbers, values, threads' numbers and the schedule are not in it.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from sley.evidence.trace import EventKind, FaultKind, Trace, TraceEvent

LENGTH = 16
"""Hexadecimal digits: 64 bits tell findings of one project apart."""

Party = tuple[str, ...]
"""File, functions from the thread's start to the statement, the statement."""


def fingerprint(trace: Trace) -> str:
    """The name of a violation; the parties of a race or a deadlock count in any order."""
    parties = sorted(set(_parties(trace)))
    return name_of([trace.failure.property.value, trace.failure.rule, *map(list, parties)])


def name_of(content: Sequence[object]) -> str:
    """A short name for what can be written as JSON."""
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:LENGTH]


def _parties(trace: Trace) -> Iterator[Party]:
    return (_party(event, trace) for event in events_to_blame(trace))


def events_to_blame(trace: Trace) -> list[TraceEvent]:
    """Those that fail; where memory is lost, those that allocated it."""
    lost = [event for event in trace.events if event.kind is EventKind.ALLOCATE and _is_lost(event, trace)]
    return lost or [event for event in trace.events if event.kind is EventKind.FAIL]


def _is_lost(event: TraceEvent, trace: Trace) -> bool:
    return any(f.kind is FaultKind.LOST and f.object == event.target for f in trace.faults)


def _party(event: TraceEvent, trace: Trace) -> Party:
    origin = event.origin
    functions = (trace.threads[event.thread].function, *(call.function for call in origin.calls))
    return party("" if origin.span is None else origin.span.file, functions, origin.text)


def party(file: str, functions: Sequence[str], text: str) -> Party:
    """A statement, wherever the file lies and however it is laid out."""
    return (PurePath(file).name, *functions, " ".join(text.split()))
