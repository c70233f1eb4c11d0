"""The report in SARIF 2.1.0, which code scanning services and editors read.

Findings are results, with one thread flow for each thread; ``executionOrder`` is the number of the step, and
the two accesses of a race have the same one: they happen at once. That something could not be decided is no
finding but a notification.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sley import __version__
from sley.base.source import Span
from sley.evidence.fingerprints import fingerprint
from sley.evidence.trace import EventKind, Trace, TraceEvent
from sley.evidence.verdict import Unknown
from sley.program.properties import Property
from sley.reports import crashes
from sley.reports.caveats import place_of, remarks
from sley.reports.rows import StatementRow
from sley.reports.rules import rules
from sley.reports.sources import character_column, content_of, relative_uri, sha256_of
from sley.reports.story import Story, tell
from sley.verification.result import NotSupported, Result, Suppressed
from sley.wording.events import EventWords, facts_of, reliance_text, reliances_of
from sley.wording.topics import topic_of

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
ROOT = "%SRCROOT%"
FINGERPRINT = "sleyFinding/v1"
MAX_FLOW_LOCATIONS = 1000
"""Of a result: code scanning at GitHub shows no more."""
MAX_RESULTS = 5000
"""Of a run: the same."""

Json = dict[str, Any]

_KINDS = {
    EventKind.LOCK: ["acquire", "lock"],
    EventKind.UNLOCK: ["release", "lock"],
    EventKind.ALLOCATE: ["acquire", "memory"],
    EventKind.FREE: ["release", "memory"],
    EventKind.CREATE: ["call", "function"],
    EventKind.BRANCH: ["branch"],
    EventKind.WRITE: ["acquire", "value"],
    EventKind.UPDATE: ["acquire", "value"],
    EventKind.ASSIGN: ["acquire", "value"],
    EventKind.INPUT: ["acquire", "value"],
}
"""In the words that SARIF has for what happens at a step; of the events of a row the first that has one."""


def sarif_of(result: Result, file: Path) -> str:
    """The whole file."""
    content = {"$schema": SCHEMA, "version": "2.1.0", "runs": [_run(result)]}
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _run(result: Result) -> Json:
    return {
        "tool": {"driver": _driver()},
        "automationDetails": {"id": "sley/"},
        "invocations": [_invocation(result)],
        "originalUriBaseIds": {ROOT: {"uri": Path.cwd().as_uri().rstrip("/") + "/"}},
        "artifacts": [_artifact(str(path)) for path in result.task.paths],
        "columnKind": "unicodeCodePoints",
        "results": _results(result),
    }


def _results(result: Result) -> list[Json]:
    """The findings; where some are suppressed, all say whether they are (SARIF 2.1.0, 3.27.23)."""
    found = [_Finding(trace, tell(trace)).result() for trace in result.traces[:MAX_RESULTS]]
    if not result.suppressed:
        return found
    counted = [one | {"suppressions": []} for one in found]
    return [*counted, *map(_suppressed, result.suppressed)]


def _suppressed(one: Suppressed) -> Json:
    kind = "inSource" if one.is_in_source else "external"
    suppression = {"kind": kind, "status": "accepted", "justification": one.by}
    return _Finding(one.trace, tell(one.trace)).result() | {"suppressions": [suppression]}


# --- the tool, and how it went ---------------------------------------------------------------------


def _driver() -> Json:
    return {
        "name": "sley",
        "fullName": f"sley {__version__}, a model checker for multi-threaded C",
        "semanticVersion": __version__,
        "rules": [_rule(prop) for prop in Property],
    }


def _rule(prop: Property) -> Json:
    rule, topic = rules()[prop], topic_of(prop.value)
    more = "" if topic is None else topic.text
    return {
        "id": prop.value,
        "name": rule.name,
        "shortDescription": {"text": f"{rule.short}."},
        "fullDescription": {"text": rule.full},
        "help": {
            "text": f"{rule.advice}\n\n{more}".strip(),
            "markdown": f"{rule.advice}\n\n```text\n{more}\n```" if more else rule.advice,
        },
        "defaultConfiguration": {"level": "error"},
        "properties": {
            "precision": "very-high",
            "problem.severity": "error",
            "tags": ["concurrency", f"external/cwe/cwe-{rule.weakness}"],
        },
    }


def _invocation(result: Result) -> Json:
    return {
        "executionSuccessful": not isinstance(result.outcome, NotSupported),
        "toolExecutionNotifications": list(_notifications(result)),
        "properties": {"answer": result.answer.value, "engine": result.engine, "result": result.result},
    }


def _notifications(result: Result) -> Iterator[Json]:
    """What a reader of the findings has to know, or none."""
    outcome = result.outcome
    if isinstance(outcome, NotSupported):
        for construct in outcome.constructs:
            yield _notification("error", f"Not supported: {construct.what}.", construct.span)
    elif result.reason is not None:
        yield _notification("warning", f"{result.answer.value}: {result.reason}")
    if isinstance(outcome, Unknown):
        for certain in outcome.certain:
            yield _notification("note", f"Certain nevertheless: {certain}")
    for remark in remarks(result):
        text = f"{result.answer.value}, {remark.joint} {remark.text}. {remark.more}".rstrip()
        yield _notification("warning", text, place_of(remark.caveats[0]))
    for crash in crashes.sentences(result):
        yield _notification("error", crash)
    for unmodelled in result.unmodelled:
        yield _notification("warning", f"No model: {unmodelled.what}.", unmodelled.span)
    for assumption in result.assumptions:
        yield _notification("note", f"Assumed: {assumption}.")
    if len(result.traces) > MAX_RESULTS:
        yield _notification("warning", f"Only {MAX_RESULTS} of {len(result.traces)} findings are listed.")


def _notification(level: str, text: str, where: Span | None = None) -> Json:
    located = {} if where is None else {"locations": [_location(where)]}
    return {"level": level, "message": {"text": text}, **located}


def _artifact(file: str) -> Json:
    return {
        "location": _artifact_location(file),
        "roles": ["analysisTarget"],
        "sourceLanguage": "c",
        "length": len(content_of(file)),
        "hashes": {"sha-256": sha256_of(file)},
    }


# --- findings --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Finding:
    trace: Trace
    story: Story

    def result(self) -> Json:
        """A violation."""
        trace = self.trace
        failing = [event for event in trace.events if event.kind is EventKind.FAIL and event.origin.span]
        first, others = self._split(failing)
        return {
            "ruleId": trace.failure.property.value,
            "ruleIndex": list(Property).index(trace.failure.property),
            "level": "warning" if trace.depends_on else "error",
            "message": {"text": "\n".join(self._paragraphs()), "markdown": "\n\n".join(self._paragraphs())},
            "locations": [self._place(event) for event in first],
            "relatedLocations": [{"id": n, **self._place(event)} for n, event in enumerate(others, start=1)],
            "partialFingerprints": {FINGERPRINT: fingerprint(trace)},
            "codeFlows": [{"threadFlows": list(self._flows())}],
            "properties": {
                "rule": trace.failure.rule,
                "isCertain": not trace.depends_on,
                "dependsOn": list(map(reliance_text, trace.depends_on)),
                "contextSwitches": trace.switches,
                "memoryModel": trace.memory_model.value,
            },
        }

    def _split(self, failing: Sequence[TraceEvent]) -> tuple[Sequence[TraceEvent], Sequence[TraceEvent]]:
        """Both accesses of a race have to be changed; of others the first place is the one to look at."""
        count = len(failing) if self.trace.failure.property is Property.RACE else 1
        return failing[:count], failing[count:]

    def _paragraphs(self) -> Iterator[str]:
        trace, told = self.trace, self.story.explanation
        facts = f": {'; '.join(facts_of(trace))}" if trace.facts else ""
        yield f"{_capital(trace.failure.message)}{facts}."
        if trace.depends_on:
            yield f"Only a possible bug: it rests on {reliances_of(trace)}."
        yield from told.why
        yield from (f"Fix? {text}" for text in told.fix)

    def _name(self, thread: int) -> str:
        return self.trace.threads[thread].name

    def _place(self, event: TraceEvent) -> Json:
        assert event.origin.span is not None
        calls = event.origin.calls
        function = calls[-1].function if calls else self.trace.threads[event.thread].function
        what = EventWords(self.trace.threads).note(event) or self.trace.failure.message
        return {
            **_location(event.origin.span),
            "message": {"text": f"{self._name(event.thread)}: {what}"},
            "logicalLocations": [{"name": function, "kind": "function", "fullyQualifiedName": function}],
        }

    # --- steps ---

    def _flows(self) -> Iterator[Json]:
        """The steps of each thread that has some."""
        shown = [row for row in self.story.rows if row.statement.span is not None]
        rows = shown[-MAX_FLOW_LOCATIONS:]
        left_out = len(shown) - len(rows)
        for thread in self.trace.threads:
            own = [row for row in rows if row.thread == thread.id]
            if own:
                message = f"the steps of {thread.name}" + (f" ({left_out} left out)" if left_out else "")
                yield {
                    "id": thread.name,
                    "message": {"text": message},
                    "locations": [self._step(row) for row in own],
                }

    def _step(self, row: StatementRow) -> Json:
        assert row.statement.span is not None
        return {
            "executionOrder": self._order(row),
            "location": {**_location(row.statement.span), "message": {"text": self._told(row)}},
            "importance": "essential" if row.is_failure else "important",
            "nestingLevel": len(row.events[0].origin.calls),
            "state": self._state(row),
            **({"kinds": kinds} if (kinds := _kinds(row)) else {}),
        }

    def _order(self, row: StatementRow) -> int:
        """The number of the step: one for both accesses of a race."""
        if row.is_failure and self.trace.failure.property is Property.RACE:
            return min(other.number for other in self.story.rows if other.is_failure)
        return row.number

    def _told(self, row: StatementRow) -> str:
        gap = f"(after {row.hidden_before} more) " if row.hidden_before else ""
        text = " ".join(row.statement.text.split()).rstrip(";")
        return "; ".join((f"{row.number}. {gap}{self._name(row.thread)}: {text}", *row.notes))

    def _state(self, row: StatementRow) -> Json:
        """The values that the row read or wrote, and those of the variables that matter."""
        cells = {column.name: column.cells[row.number - 1].after for column in self.story.columns}
        values = {e.target: e.value for e in row.events if e.target and e.value}
        return {name: {"text": value} for name, value in {**cells, **values}.items() if value}


def _kinds(row: StatementRow) -> list[str]:
    """What SARIF calls the first event of a row that it has a word for."""
    return (
        ["danger"] if row.is_failure else next((_KINDS[e.kind] for e in row.events if e.kind in _KINDS), [])
    )


# --- places ----------------------------------------------------------------------------------------


def _location(span: Span) -> Json:
    return {"physicalLocation": {"artifactLocation": _artifact_location(span.file), "region": _region(span)}}


def _artifact_location(file: str) -> Json:
    uri = relative_uri(file)
    return {"uri": uri} if uri.startswith("file:") else {"uri": uri, "uriBaseId": ROOT}


def _region(span: Span) -> Json:
    start = {"startLine": span.line, "startColumn": character_column(span.file, span.line, span.column)}
    if not span.end_line:
        return start
    end = character_column(span.file, span.end_line, span.end_column)
    return {**start, "endLine": span.end_line, "endColumn": end}


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
