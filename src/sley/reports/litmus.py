"""What became of litmus tests: one in words and as a picture, many as a table, all of them for machines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sley import __version__
from sley.evidence.trace import Trace
from sley.frontend.litmus.test import Quantifier
from sley.reports.execution_drawing import ExecutionDrawing, drawing_lines
from sley.reports.lines import Line, Segment, labelled, line, shortened
from sley.verification.litmus import JudgedTest, Judgement
from sley.wording.events import facts_of

FORMAT = "sley-litmus"
FORMAT_VERSION = "1.0"
_STYLES = {Judgement.ALLOWED: "bug", Judgement.FORBIDDEN: "safe"}
_MOST_NAME = 44


@dataclass(frozen=True, slots=True)
class LitmusRow:
    """A test beside what is expected of it."""

    judged: JudgedTest
    expected: Judgement | None = None

    @property
    def is_decided(self) -> bool:
        """Whether there is an answer."""
        return self.judged.holds is not None

    @property
    def is_different(self) -> bool:
        """Whether another answer is expected."""
        return self.is_decided and self.expected not in (None, self.judged.judgement)

    @property
    def word(self) -> str:
        """How it compares."""
        if not self.is_decided:
            return "undecided"
        return "different" if self.is_different else "as expected" if self.expected else "nothing expected"


# --- one test --------------------------------------------------------------------------------------------


def litmus_report(row: LitmusRow, *, width: int) -> list[Line]:
    """The answer, what it rests on, and the execution that shows it."""
    judged = row.judged
    word, model = judged.judgement.value, judged.model.label
    time = f"{judged.result.times.total:.1f} s"
    head = shortened(f"{judged.test.name} under {model}: {judged.test.question}", width - len(word) - 12)
    filling = " " * max(3, width - len(word) - len(head) - len(time) - 3)
    lines = [line(" ", Segment(word, _STYLES.get(judged.judgement, "unknown")), f"  {head}{filling}{time}")]
    lines += labelled("", [_sentence(judged)], width)
    drawing = drawing_of(judged)
    if drawing is not None:
        lines += drawing_lines(drawing, width=width)
        lines += labelled("Cycle", [_about(drawing)], width)
    if row.is_different and row.expected is not None:
        lines += labelled("Note", [f"Expected was {row.expected.value}."], width, "failure")
    return lines


def _sentence(judged: JudgedTest) -> str:
    result = judged.result
    by = "" if result.engine is None else f" (engine {result.engine})"
    outcome = "another outcome" if judged.test.quantifier is Quantifier.ALWAYS else "this outcome"
    match judged.judgement:
        case Judgement.ALLOWED if judged.is_undefined:
            race = "; ".join(_facts(judged.trace))
            return f"There is a data race, so that C11 allows every outcome: {race}{by}."
        case Judgement.ALLOWED:
            return f"A run that has {outcome} was found and replayed{by}."
        case Judgement.FORBIDDEN:
            return f"No run has {outcome}: proved, and the proof was checked{by}."
        case _:
            return f"Not decided: {result.reason}"


def _facts(trace: Trace | None) -> tuple[str, ...]:
    return () if trace is None else facts_of(trace)[:2]


def drawing_of(judged: JudgedTest) -> ExecutionDrawing | None:
    """The execution of the test's threads, where there is one."""
    trace = judged.trace
    if trace is None or trace.graph is None:
        return None
    threads = [replace(thread, name=f"P{thread.id - 1}") for thread in trace.threads if thread.id > 0]
    return ExecutionDrawing(trace.graph, threads)


def _about(drawing: ExecutionDrawing) -> str:
    cycle = drawing.cycle()
    if not cycle:
        return "none: this can happen under sequential consistency, too."
    return f"{cycle}: this cannot happen under sequential consistency."


def closing_lines(row: LitmusRow) -> str:
    """The last lines of the output, for scripts."""
    judged = row.judged
    reason = "" if judged.result.reason is None else f"REASON: {' '.join(judged.result.reason.split())}\n"
    word = judged.judgement.value.lower() if row.is_decided else "unknown"
    return f"{reason}RESULT: {word}\n"


# --- many tests ------------------------------------------------------------------------------------------


def table_head(width: int) -> list[Line]:
    """Above all rows."""
    return [_row("test", ("model", "answer", "expected", "time"), "label", width)]


def table_row(row: LitmusRow, width: int) -> Line:
    """One test."""
    judged = row.judged
    answer = judged.judgement.value.lower() + (" (race)" if judged.is_undefined else "")
    expected = "-" if row.expected is None else row.expected.value.lower()
    cells = (judged.model.label, answer, expected, f"{judged.result.times.total:.1f} s")
    style = "failure" if row.is_different else "" if row.is_decided else "dim"
    mark = "! " if row.is_different else ""
    return _row(f"{mark}{judged.test.name}", cells, style, width)


def _row(name: str, cells: Sequence[str], style: str, width: int) -> Line:
    room = min(_MOST_NAME, width - 46)
    model, answer, expected, time = cells
    text = f" {shortened(name, room):<{room}} {model:<6} {answer:<17} {expected:<10} {time:>7}"
    return line(Segment(text.rstrip(), style))


def table_end(rows: Sequence[LitmusRow], width: int) -> list[Line]:
    """Below all rows: how many of which kind, by model."""
    lines = [line("")]
    for model in dict.fromkeys(row.judged.model for row in rows):
        mine = [row for row in rows if row.judged.model is model]
        counts = Counter(row.word for row in mine)
        each = ", ".join(f"{counts[word]} {word}" for word in _ORDER if counts[word])
        lines += labelled(model.label, [f"{len(mine)} tests: {each}."], width)
    return lines


_ORDER = ("as expected", "different", "undecided", "nothing expected")


# --- for machines ----------------------------------------------------------------------------------------


def litmus_json(rows: Sequence[LitmusRow]) -> dict[str, Any]:
    """All tests, described in ``docs/litmus.md``."""
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "sley_version": __version__,
        "tests": [_json(row) for row in rows],
    }


def _json(row: LitmusRow) -> dict[str, Any]:
    judged = row.judged
    return {
        "name": judged.test.name,
        "file": str(judged.test.path),
        "architecture": judged.test.architecture.value,
        "memory_model": judged.model.value,
        "question": judged.test.question,
        "answer": judged.judgement.name.lower().replace("_", "-"),
        "holds": judged.holds,
        "is_undefined": judged.is_undefined,
        "expected": None if row.expected is None else row.expected.name.lower(),
        "engine": judged.result.engine,
        "reason": judged.result.reason,
        "assumptions": list(judged.result.assumptions),
        "seconds": judged.result.times.total,
        "execution": _execution(judged),
    }


def _execution(judged: JudgedTest) -> dict[str, Any] | None:
    drawing = drawing_of(judged)
    if drawing is None:
        return None
    nodes = list(_nodes(drawing))
    relations = {name: [list(pair) for pair in pairs] for name, pairs in drawing.relations.items()}
    return {"events": nodes, **relations}


def _nodes(drawing: ExecutionDrawing) -> Iterator[dict[str, Any]]:
    names = {thread.id: thread.name for thread in drawing.threads}
    for node in drawing.graph.nodes:
        line_number = None if node.origin.span is None else node.origin.span.line
        yield {
            "thread": names[node.thread],
            "kind": node.kind,
            "order": node.order,
            "location": node.place,
            "value": node.value,
            "line": line_number,
            "text": node.origin.text,
        }
