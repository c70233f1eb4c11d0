"""The report for machines: one JSON object, described in ``docs/json-report.md``.

The format is stable: fields are added, never renamed or removed, while ``format_version`` keeps its first
number. A trace can be read back, which is what ``sley show`` and ``sley replay`` do.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, fields, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sley import __version__
from sley.analyses.orders import WeakAccess
from sley.base import outside
from sley.base.errors import InputError, Unsupported
from sley.base.source import Span
from sley.evidence.fingerprints import fingerprint
from sley.evidence.remarks import Fact, Note, Reliance
from sley.evidence.trace import EventKind, Fault, FaultKind, ScheduleStep, ThreadInfo, Trace, TraceEvent
from sley.evidence.verdict import Bounded, Safe, Unknown
from sley.frontend.harness.plan import Harness
from sley.program.memory_model import MemoryModel
from sley.program.program import CallSite, Origin, Site
from sley.program.properties import Failure, Property
from sley.reports import crashes
from sley.reports.caveats import is_certain, kind_of, place_of, remarks
from sley.reports.json_data import read, written
from sley.reports.json_validation import mistake
from sley.verification.caveats import Vacuity
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result, Suppressed, answer_of, reason_of
from sley.verification.task import Task
from sley.wording.events import EventWords, facts_of, reliance_text

if TYPE_CHECKING:
    from sley.evidence.fixpoint.survey import Survey

FORMAT = "sley-report"
FORMAT_VERSION = "1.0"

Json = dict[str, Any]


def report(result: Result) -> Json:
    """The whole report."""
    outcome = result.outcome
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "sley_version": __version__,
        "answer": _word(result.answer),
        "result": result.result,
        "reason": result.reason,
        "task": _task(result.task),
        "properties": {prop.value: _of_property(result, prop) for prop in _checked(result.task)},
        "violations": [
            {"fingerprint": fingerprint(trace), **trace_to_json(trace)} for trace in result.traces
        ],
        "certain": list(outcome.certain) if isinstance(outcome, Unknown) else [],
        "proof": outcome.proof.summary if isinstance(outcome, Safe) else None,
        "checked": asdict(outcome.checked) if isinstance(outcome, Safe) else None,
        "engine": result.engine,
        "statistics": dict(result.statistics),
        "assumptions": list(result.assumptions),
        "follows": list(result.follows) if isinstance(outcome, Safe | Bounded) else [],
        "weak_orders": [_weak(access) for access in result.weak],
        "interleaved": None if result.interleaved is None else _word(result.interleaved),
        "unmodelled": [_unsupported(one) for one in result.unmodelled],
        "times": asdict(result.times),
        "suppressed": [_suppressed(one) for one in result.suppressed],
        "is_safe_otherwise": result.is_safe_otherwise,
        "unused_suppressions": list(result.unused_suppressions),
        "checks": None if result.survey is None else _survey(result.survey),
        "invariants": [
            {"location": _span(one.span), "function": one.function, "kind": one.kind, "text": one.text}
            for one in result.invariants
        ],
        "mutex_invariants": [
            {"location": _span(one.span), "mutex": one.mutex, "text": one.text}
            for one in result.mutex_invariants
        ],
        "warnings": list(_warnings(result)),
        "crashes": crashes.to_json(result),
    }


def _warnings(result: Result) -> Iterator[Json]:
    """What a proof says less than it seems to."""
    for remark in remarks(result):
        for caveat in remark.caveats:
            vacuity = caveat if isinstance(caveat, Vacuity) else None
            yield {
                "kind": kind_of(caveat),
                "message": " ".join(filter(None, [f"{remark.joint} {remark.text}.", remark.more])),
                "is_certain": is_certain(caveat),
                "property": None if isinstance(caveat, Vacuity) else caveat.property.value,
                "location": _span(place_of(caveat)),
                "rests_on": [
                    {"function": one.name, "returns": one.value, "location": _span(one.span)}
                    for one in (() if vacuity is None else vacuity.because_of)
                ],
            }


def _survey(survey: "Survey") -> Json:
    """Every check on its own."""
    return {
        "proved": {prop.value: count for prop, count in survey.proved.items()},
        "open": [
            {
                "property": one.property.value,
                "doubt": one.doubt.value,
                "fingerprint": one.fingerprint(),
                "origin": origin_to_json(one.origin),
                "other": None if one.other is None else origin_to_json(one.other),
            }
            for one in survey.open
        ],
        "guarded": [{"name": name, "lock": lock} for name, lock in survey.guarded],
        "undecided": [prop.value for prop in survey.undecided],
        "passed_over": [
            {"what": what, "origin": origin_to_json(origin)} for what, origin in survey.passed_over.items()
        ],
        "astray": [origin_to_json(origin) for origin in survey.astray],
        "runs": None if survey.runs is None else asdict(survey.runs),
    }


def _suppressed(one: Suppressed) -> Json:
    """A violation that the user has accepted."""
    trace = one.trace
    return {
        "property": trace.failure.property.value,
        "message": trace.failure.message,
        "fingerprint": fingerprint(trace),
        "by": one.by,
    }


def _weak(access: WeakAccess) -> Json:
    """An access that is atomic but not sequentially consistent."""
    return {"origin": origin_to_json(access.origin), "accessed": access.text, "order": access.order.value}


def _of_property(result: Result, prop: Property) -> Json:
    """The answer for one property, and why there is none."""
    outcome = result.outcome_of(prop)
    return {
        "answer": _word(answer_of(outcome)),
        "reason": reason_of(outcome),
    }


def _word(answer: Answer) -> str:
    return answer.name.lower().replace("_", "-")


def _checked(task: Task) -> list[Property]:
    return [prop for prop in Property if prop in task.selection.properties]


def to_text(content: Json) -> str:
    """The JSON text, a line for each field: indenting all of a long trace takes longer than finding it."""
    fields = [
        f" {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in content.items()
    ]
    return "{\n" + ",\n".join(fields) + "\n}\n"


def from_text(text: str, file: str) -> Json:
    """A report read back; ``file`` is named where it is not one."""
    content = outside.json_of(text, file)
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError("not a report of sley", Span(file, 1, 1))
    if str(content.get("format_version")).split(".")[0] != FORMAT_VERSION.split(".")[0]:
        raise InputError(
            f"a report in format {content.get('format_version')}, which I cannot read", Span(file, 1, 1)
        )
    return content


def traces_of(content: Json, file: str) -> tuple[Trace, ...]:
    """The violations in a report."""
    require_part(content, "violations", file)
    try:
        traces = tuple(trace_from_json(violation) for violation in content["violations"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InputError(f"a damaged report ({error})", Span(file, 1, 1)) from None
    for trace in traces:
        known = {thread.id for thread in trace.threads}
        if not known >= {event.thread for event in trace.events} | {step.thread for step in trace.schedule}:
            raise InputError("a damaged report (a thread that there is not)", Span(file, 1, 1))
    return traces


def require_part(content: Json, name: str, file: str) -> None:
    """``InputError`` unless a part of a report is as its schema says."""
    from sley.reports.json_schema import json_schema  # noqa: PLC0415 - only reports that are read back need it

    wrong = mistake(content.get(name), json_schema()["properties"][name], name)
    if wrong is not None:
        raise InputError(f"a damaged report ({wrong})", Span(file, 1, 1))


# --- tasks -----------------------------------------------------------------------------------------


AS_THEY_ARE = (
    *("data_model", "defines", "target", "argc_may_be_zero", "allows_inner_overrun", "malloc_may_fail"),
    *("create_may_fail", "recursion", "granularity", "memory_model", "buffer_size", "instrument"),
)
"""Fields of a task that its JSON has under their names."""
FIELDS: Mapping[str, Any] = {one.name: one.type for one in fields(Task)}


def _task(task: Task) -> Json:
    """All that is needed to run the task again."""
    return {
        "directory": str(Path.cwd()),
        "files": [str(path) for path in task.paths],
        "properties": [prop.value for prop in _checked(task)],
        "error_call": task.selection.error_call,
        "include_dirs": [str(path) for path in task.include_dirs],
        "models": [str(path) for path in task.models],
        **{name: written(getattr(task, name), FIELDS[name]) for name in AS_THEY_ARE},
        "harness": None if task.harness is None else asdict(task.harness),
        "arguments": None if task.arguments is None else list(task.arguments),
        "suppress": list(task.suppress),
        "relaxed": [_span(span) for span in task.relaxed],
        "time_limit": task.limits.seconds,
        "memory_limit": task.limits.megabytes,
        "engines": list(task.engines),
        "options": asdict(task.options, dict_factory=_with_values),
    }


def task_from_json(content: Json) -> Task:
    """What a report says of its program; paths are relative to where it ran."""
    directory, harness, arguments = (content.get(name) for name in ("directory", "harness", "arguments"))
    here = Path(str(directory))
    relaxed = [one | {"file": str(here / one["file"])} for one in content.get("relaxed", ())]
    return Task(
        paths=tuple(here / file for file in content["files"]),
        selection=Selection(frozenset(map(Property, content["properties"])), content["error_call"]),
        include_dirs=tuple(here / folder for folder in content["include_dirs"]),
        models=tuple(here / file for file in content["models"]),
        harness=None if harness is None else read(harness, Harness),
        arguments=None if arguments is None else tuple(arguments),
        relaxed=tuple(Span(**one) for one in relaxed),
        **{name: read(content[name], FIELDS[name]) for name in AS_THEY_ARE if name in content},
    )


def _with_values(pairs: list[tuple[str, Any]]) -> Json:
    """A dictionary in which members of an enumeration are what stands for them on the command line."""
    return {name: _plain(value) for name, value in pairs}


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Path) else value


def _unsupported(one: Unsupported) -> Json:
    return {"what": one.what, "location": _span(one.span)}


# --- traces ----------------------------------------------------------------------------------------


def trace_to_json(trace: Trace) -> Json:
    """A violation; ``trace_from_json`` is the inverse."""
    return {
        "property": trace.failure.property.value,
        "verdict": trace.failure.property.verdict_name,
        "rule": trace.failure.rule,
        "message": trace.failure.message,
        "phrase": trace.failure.phrase,
        "subject": trace.failure.subject,
        "frame": trace.failure.frame,
        "is_certain": not trace.depends_on,
        "origin": None if trace.origin is None else origin_to_json(trace.origin),
        "facts": list(facts_of(trace)),
        "findings": [written(fact, Fact) for fact in trace.facts],
        "depends_on": [reliance_text(one) for one in trace.depends_on],
        "reliances": [written(one, Reliance) for one in trace.depends_on],
        "faults": [{**asdict(fault), "kind": fault.kind.value} for fault in trace.faults],
        "context_switches": trace.switches,
        "memory_model": trace.memory_model.value,
        "is_buffered": trace.is_buffered,
        "followed": None if trace.followed is None else [list(site) for site in trace.followed],
        "threads": [asdict(thread) for thread in trace.threads],
        "schedule": [[step.thread, *step.choices] for step in trace.schedule],
        "events": [_event(event, trace) for event in trace.events],
    }


def trace_from_json(content: Mapping[str, Any]) -> Trace:
    """The trace that ``trace_to_json`` wrote."""
    origin = content["origin"]
    return Trace(
        failure=_read_failure(content),
        schedule=schedule_from_json(content["schedule"]),
        threads=tuple(ThreadInfo(**thread) for thread in content["threads"]),
        events=tuple(_read_event(event) for event in content["events"]),
        origin=None if origin is None else _read_origin(origin),
        facts=tuple(read(fact, Fact) for fact in content.get("findings", ())),
        depends_on=tuple(read(one, Reliance) for one in content.get("reliances", ())),
        faults=tuple(Fault(**{**f, "kind": FaultKind(f["kind"])}) for f in content.get("faults", ())),
        memory_model=MemoryModel(content.get("memory_model", MemoryModel.SC.value)),
        is_buffered=content.get("is_buffered", False),
        followed=_read_sites(content.get("followed")),
    )


def _read_failure(content: Mapping[str, Any]) -> Failure:
    failure = Failure(Property(content["property"]), content["rule"], content["message"])
    if "subject" not in content:
        return failure  # of an earlier version
    return replace(failure, **{name: content[name] for name in ("phrase", "subject", "frame")})


def _read_sites(sites: Sequence[Sequence[Any]] | None) -> tuple[Site, ...] | None:
    if sites is None:
        return None
    return tuple((str(caller), int(location), str(called)) for caller, location, called in sites)


def schedule_from_json(steps: Sequence[Sequence[int]]) -> tuple[ScheduleStep, ...]:
    """A schedule: per step the thread, then its choices."""
    return tuple(
        ScheduleStep(int(thread), tuple(int(choice) for choice in choices)) for thread, *choices in steps
    )


def _event(event: TraceEvent, trace: Trace) -> Json:
    plain = {
        field.name: getattr(event, field.name)
        for field in fields(TraceEvent)
        if field.name not in ("kind", "origin", "note")
    }
    note = EventWords(trace.threads).note(event)
    if event.kind is EventKind.FAIL and not note:
        note = trace.failure.message
    told = {"note": note, "remark": written(event.note, Note | None)}
    return {**plain, "kind": event.kind.value, "origin": origin_to_json(event.origin), **told}


def _read_event(content: Mapping[str, Any]) -> TraceEvent:
    known = {field.name: content[field.name] for field in fields(TraceEvent) if field.name in content}
    known["note"] = read(content.get("remark"), Note | None)
    known["others"] = tuple(known.get("others", ()))
    return TraceEvent(
        **{**known, "kind": EventKind(content["kind"]), "origin": _read_origin(content["origin"])}
    )


@lru_cache(maxsize=1000)  # few places, many events
def origin_to_json(origin: Origin) -> Json:
    """Where something comes from in C."""
    return {**_placed(origin), "calls": [_placed(call) for call in origin.calls]}


def _placed(one: Origin | CallSite) -> Json:
    location = {"location": _span(one.span)}
    return location | {"text": one.text, "function": one.function, "is_library": one.is_library}


def _read_origin(content: Mapping[str, Any]) -> Origin:
    calls = tuple(CallSite(**_read_placed(call)) for call in content["calls"])
    return Origin(**_read_placed(content), calls=calls)


def _read_placed(content: Mapping[str, Any]) -> Json:
    plain = {name: content[name] for name in ("text", "function", "is_library")}
    return {"span": _read_span(content["location"]), **plain}


def _span(span: Span | None) -> Json | None:
    return None if span is None else asdict(span)


def _read_span(content: Mapping[str, Any] | None) -> Span | None:
    return None if content is None else Span(**content)
