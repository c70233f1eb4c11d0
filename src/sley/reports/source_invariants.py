"""What a proof says about loops, locks and mutexes, in C, for people."""

from collections.abc import Callable, Iterator

from sley.base.source import Span
from sley.evidence.invariants import Kind
from sley.reports.lines import Line, Segment, line, shortened
from sley.verification.result import Result

WHEN: dict[Kind, str] = {
    "loop": "before each test of",
    "lock": "before",
    "location": "before",
}

NOTHING = "No invariant can be said in C of its loops and locks."


def source_invariants_report(result: Result, text_at: Callable[[Span], str], *, width: int) -> list[Line]:
    """All invariants of a result, by function; ``text_at`` has the line of source where a span begins."""
    lines: list[Line] = []
    function = ""
    for one in result.invariants:
        if one.function != function:
            function = one.function
            lines.append(line(Segment(f" {function}", "label")))
        head = f"   {WHEN[one.kind]} line {one.span.line}: "
        lines.append(line(head, Segment(shortened(text_at(one.span), width - len(head)), "dim")))
        lines += _wrapped(one.text, width)
    for mutex in result.mutex_invariants:
        lines.append(line(Segment(f" While nobody holds {mutex.mutex}", "label")))
        lines += _wrapped(mutex.text, width)
    return lines or [line(f" {NOTHING}")]


def _wrapped(text: str, width: int) -> Iterator[Line]:
    """The conjuncts, each whole, on as few lines as they need."""
    parts = text.split(" && ")
    current = "      " + parts[0]
    for part in parts[1:]:
        if len(current) + len(part) + 4 > width:
            yield line(current)
            current = "      && " + part
        else:
            current += f" && {part}"
    yield line(current)
