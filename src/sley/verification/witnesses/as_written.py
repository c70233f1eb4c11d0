"""A run of the program with assertions, shown as one of the program that the user wrote."""

import re
from collections.abc import Mapping
from dataclasses import replace

from sley.base.source import Span
from sley.evidence.remarks import Value
from sley.evidence.trace import Trace, TraceEvent
from sley.program.program import Origin
from sley.verification.witnesses.instrumented import CHECK, REFUTED

_LOOP = re.compile(rf"\(\{{ {CHECK}(?P<condition>.*?); \}}\)")
_CHECKED = re.compile(rf"{CHECK}(\}} )?")


def as_written(
    trace: Trace, files: Mapping[str, str], asserted: Mapping[str, str], said: Mapping[str, str]
) -> Trace:
    """The trace with other names of ``files``.

    ``asserted`` are their texts, by their old names; ``said`` is the text that stands there.
    """
    invariant = _invariant(trace.origin, asserted)
    invariant = said.get(invariant, invariant)
    failure = trace.failure
    if failure.subject.startswith(REFUTED):
        frame = "the invariant `{}` can be false"
        failure = replace(failure, phrase="", subject=invariant, frame=frame)

    def shown(origin: Origin) -> Origin:
        calls = tuple(replace(site, span=_moved(site.span, files)) for site in origin.calls)
        text = f"invariant {invariant}" if origin.text.startswith(REFUTED) else _plain(origin.text)
        return replace(origin, span=_moved(origin.span, files), text=text, calls=calls)

    def told(event: TraceEvent) -> TraceEvent:
        return replace(event, origin=shown(event.origin))

    origin = None if trace.origin is None else shown(trace.origin)
    facts = tuple(f for f in trace.facts if not (isinstance(f, Value) and f.name.startswith(REFUTED)))
    return replace(
        trace, failure=failure, events=tuple(map(told, trace.events)), origin=origin, facts=facts, graph=None
    )


def _moved(span: Span | None, files: Mapping[str, str]) -> Span | None:
    return None if span is None else replace(span, file=files.get(span.file, span.file))


def _plain(text: str) -> str:
    return _CHECKED.sub("", _LOOP.sub(lambda found: found["condition"], text))


def _invariant(origin: Origin | None, asserted: Mapping[str, str]) -> str:
    """What the failing assertion says: the last condition before the place of the failure."""
    if origin is None or origin.span is None or origin.span.file not in asserted:
        return ""
    line = asserted[origin.span.file].split("\n")[origin.span.line - 1]
    before = line.encode()[: origin.span.column - 1].decode("utf-8", "replace")
    return before.rpartition("if (!(")[2].rstrip().removesuffix("))")
