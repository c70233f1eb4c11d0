"""The report for machines: complete, stable, readable again."""

import json
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sley.base.errors import InputError
from sley.base.source import Span
from sley.evidence.remarks import (
    Accesses,
    AccessKind,
    Arrives,
    Awaited,
    Escape,
    Fact,
    Fails,
    Gone,
    Lost,
    Mark,
    MissingOrder,
    NoModel,
    Note,
    Racing,
    Reliance,
    Reordered,
    Reordering,
    Repeats,
    Unmodelled,
    Unspecified,
    Value,
    Waiting,
    Waits,
)
from sley.evidence.trace import EventKind, Fault, FaultKind, ScheduleStep, ThreadInfo, Trace, TraceEvent
from sley.evidence.verdict import Unsafe
from sley.program.instructions import MemoryOrder
from sley.program.program import CallSite, Origin
from sley.program.properties import ON_REQUEST, Failure, Property
from sley.reports import json_report
from sley.verification.result import Result
from sley.verification.task import Task
from tests.unit.reports import traces

WAITS, READS = Waits(Awaited.LOCK, "lock", 1), Accesses(AccessKind.READ, "x", is_atomic=True)
NOTES: tuple[Note, ...] = (
    *Mark,
    WAITS,
    READS,
    Arrives(1, 2),
    Gone(is_with_thread=True),
    NoModel(None),
    Fails("malloc fails: returns NULL"),
    Reordered(Reordering.UNSEEN, 1, None),
)
FACTS: tuple[Fact, ...] = (
    Value("x", "1"),
    Racing(1, READS, 3),
    MissingOrder(1, 2, 3, None, is_load_weak=True, order=MemoryOrder.PLAIN),
    Waiting(1, WAITS, "lock(&m)", 9),
    Repeats(1, (1, 2), Escape.NOTHING),
    Lost(),
)
RELIANCES: tuple[Reliance, ...] = (Unmodelled("f"), Unspecified("padding"))

texts = st.text(max_size=8)
numbers = st.integers(0, 2**64)
spans = st.none() | st.builds(Span, texts, numbers, numbers, numbers, numbers)
call_sites = st.builds(CallSite, texts, spans, texts, st.booleans())
origins = st.builds(Origin, spans, texts, texts, st.lists(call_sites, max_size=2).map(tuple), st.booleans())
events = st.builds(
    TraceEvent,
    numbers,
    numbers,
    st.sampled_from(EventKind),
    origins,
    texts,
    texts,
    texts,
    st.booleans(),
    st.none() | st.sampled_from(NOTES),
    st.lists(numbers, max_size=2).map(tuple),
    st.none() | numbers,
    st.none() | numbers,
    numbers,
    st.none() | numbers,
)
faults = st.builds(Fault, st.sampled_from(FaultKind), texts, numbers, step=st.none() | numbers)
any_trace = st.builds(
    Trace,
    st.builds(Failure, st.sampled_from(Property), texts, texts, texts, texts),
    st.lists(st.builds(ScheduleStep, numbers, st.lists(numbers, max_size=3).map(tuple)), max_size=3).map(
        tuple
    ),
    st.lists(st.builds(ThreadInfo, numbers, texts, texts), max_size=2).map(tuple),
    st.lists(events, max_size=3).map(tuple),
    st.none() | origins,
    st.lists(st.sampled_from(FACTS), max_size=2).map(tuple),
    st.lists(st.sampled_from(RELIANCES), max_size=2).map(tuple),
    faults=st.lists(faults, max_size=2).map(tuple),
)


def test_there_is_an_example_of_each_remark() -> None:
    for union, examples in ((Note, NOTES), (Fact, FACTS), (Reliance, RELIANCES)):
        assert set(map(type, examples)) == set(get_args(union))


@given(any_trace)
def test_a_trace_survives_writing_and_reading(trace: Trace) -> None:
    text = json_report.to_text(json_report.trace_to_json(trace))
    assert json_report.trace_from_json(json.loads(text)) == trace


def bug() -> Result:
    return Result(task=Task(paths=(Path("lost_update.c"),)), outcome=Unsafe((traces.lost_update(),)))


def test_the_fields_of_a_report_are_stable() -> None:
    content = json_report.report(bug())
    assert " ".join(content) == (
        "format format_version sley_version answer result reason task properties violations certain "
        "proof checked engine statistics assumptions follows weak_orders interleaved unmodelled times "
        "suppressed is_safe_otherwise unused_suppressions checks invariants mutex_invariants warnings "
        "crashes"
    )
    assert (content["answer"], content["result"]) == ("bug", "false(unreach-call)")
    violation = content["violations"][0]
    assert violation["property"] == "reach"
    assert violation["origin"]["location"]["line"] == 18
    assert violation["context_switches"] == traces.lost_update().switches
    assert content["task"]["properties"] == [prop.value for prop in Property if prop not in ON_REQUEST]


def test_a_report_can_be_read_again() -> None:
    text = json_report.to_text(json_report.report(bug()))
    content = json_report.from_text(text, "last.json")
    assert json_report.traces_of(content, "last.json") == (traces.lost_update(),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "last.json:1:2: not a JSON file"),
        ("[]", "last.json:1:1: not a report of sley"),
        ('{"format": "sley-report", "format_version": "2.0"}', "a report in format 2.0"),
    ],
)
def test_something_else_is_refused_with_a_place(text: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        json_report.from_text(text, "last.json")
    assert message in str(caught.value)


def test_a_damaged_report_is_refused() -> None:
    content = json_report.report(bug())
    del content["violations"][0]["rule"]
    with pytest.raises(InputError, match="damaged"):
        json_report.traces_of(content, "last.json")


def test_a_memory_model_is_a_name_or_a_text() -> None:
    content = json_report.report(bug())
    content["task"]["memory_model"] = [["true"]]
    with pytest.raises(InputError, match=r"a damaged report .*memory_model"):
        json_report.require_part(content, "task", "report.json")
