"""Explanations are observations: they appear exactly where the rows show them."""

from itertools import pairwise

import pytest

from sley.evidence.remarks import Awaited, Gone, Mark, Value, Waits
from sley.evidence.trace import EventKind, Trace
from sley.program.program import Origin
from sley.program.properties import Failure, Property
from sley.reports.explanation import explain
from sley.reports.rows import mentioned, preempted, rows_of
from sley.reports.story import MAX_ROWS, folded
from sley.reports.values import ShownVariable, column
from tests.unit.reports import traces
from tests.unit.reports.traces import MAIN, WORKER_1, WORKER_2, counter, trace_of, user

Events = list[tuple[int, EventKind, Origin, dict[str, object]]]

READ = user(7, "int tmp = counter;", "worker")
WRITE = user(8, "counter = tmp + 1;", "worker")
CHECK = user(18, "assert(counter == 2);")


def failing(*events: tuple[int, EventKind, Origin, dict[str, object]]) -> Trace:
    failure = Failure(Property.REACH, "assertion", "assertion can fail")
    end: tuple[int, EventKind, Origin, dict[str, object]] = (0, EventKind.FAIL, CHECK, {})
    return trace_of(failure, (MAIN, WORKER_1, WORKER_2), [*events, end], (Value("counter", "1"),))


def why(trace: Trace) -> tuple[str, ...]:
    return explain(trace, rows_of(trace.events, mentioned(trace)), ["counter"]).why


def test_a_lost_update_is_seen() -> None:
    (text,) = why(traces.lost_update())
    assert text.startswith("worker #1 reads `counter` in step 3 and writes it in step 6.")


@pytest.mark.parametrize(
    "events",
    [
        # one after the other
        [
            (1, EventKind.READ, READ, counter(0)),
            (1, EventKind.WRITE, WRITE, counter(1, 0)),
            (2, EventKind.READ, READ, counter(1)),
            (2, EventKind.WRITE, WRITE, counter(2, 1)),
        ],
        # the writer looked again in between
        [
            (1, EventKind.READ, READ, counter(0)),
            (2, EventKind.WRITE, WRITE, counter(1, 0)),
            (1, EventKind.READ, READ, counter(1)),
            (1, EventKind.WRITE, WRITE, counter(2, 1)),
        ],
        # nobody read what they overwrite
        [
            (2, EventKind.WRITE, WRITE, counter(1, 0)),
            (1, EventKind.WRITE, WRITE, counter(2, 1)),
        ],
        # an atomic update sees what it replaces
        [
            (1, EventKind.READ, READ, counter(0)),
            (2, EventKind.WRITE, WRITE, counter(1, 0)),
            (1, EventKind.UPDATE, WRITE, counter(2, 1)),
        ],
        # the other thread only read
        [
            (1, EventKind.READ, READ, counter(0)),
            (2, EventKind.READ, READ, counter(0)),
            (1, EventKind.WRITE, WRITE, counter(1, 0)),
        ],
    ],
    ids=["in turn", "looked again", "blind writes", "atomic", "only read"],
)
def test_no_lost_update_is_invented(events: Events) -> None:
    assert why(failing(*events)) == ()


def test_values_are_those_that_the_events_saw() -> None:
    trace = traces.lost_update()
    rows = rows_of(trace.events, mentioned(trace))
    texts = [str(cell) for cell in column(ShownVariable("counter", None), rows).cells]
    assert texts == ["0", "0", "0", "0", "0 -> 1", "1 -> 1", "1", "1", "1"]


def test_a_write_shows_the_value_that_it_replaced_even_if_nobody_saw_it_change() -> None:
    trace = failing((1, EventKind.WRITE, WRITE, counter(1, 0)), (2, EventKind.WRITE, READ, counter(6, 5)))
    rows = rows_of(trace.events, mentioned(trace))
    assert [str(cell) for cell in column(ShownVariable("counter", None), rows).cells] == [
        "0 -> 1",
        "5 -> 6",
        "6",
    ]


def test_a_thread_that_waits_is_not_preempted() -> None:
    trace = traces.lost_update()
    rows = rows_of(trace.events, mentioned(trace))
    marks = preempted(rows, ends_blocked=False)
    assert {thread: during for thread, during in marks.items() if during} == {1: {3, 4}}


def test_a_thread_whose_next_step_is_folded_may_wait() -> None:
    trace = traces.lost_update()
    rows = rows_of(trace.events, mentioned(trace))
    rows[5].hidden_threads = (1,)
    assert not any(preempted(rows, ends_blocked=False).values())


def test_a_thread_that_waits_for_ever_while_another_goes_round_is_not_preempted() -> None:
    wait: dict[str, object] = {"note": Waits(Awaited.SIGNAL, "changed")}
    events: Events = [
        (0, EventKind.SLEEP, CHECK, {"target": "changed"}),
        (1, EventKind.FAIL, READ, {"note": Mark.RUNS_FOR_EVER}),
        (0, EventKind.FAIL, CHECK, wait),
    ]
    failure = Failure(Property.PROGRESS, "no-progress", "no progress")
    rows = rows_of(trace_of(failure, (MAIN, WORKER_1), events).events, frozenset())
    assert len(rows) == 3
    assert not preempted(rows, ends_blocked=False)


def test_lines_of_several_files_are_told_apart() -> None:
    other = user(3, "other();", "worker", file="folder/other.c")
    trace = failing(
        (1, EventKind.WRITE, other, counter(0, 0)),
        (1, EventKind.READ, READ, counter(0)),
        (2, EventKind.WRITE, WRITE, counter(1, 0)),
        (1, EventKind.WRITE, WRITE, counter(1, 1)),
    )
    (fix,) = explain(trace, rows_of(trace.events, mentioned(trace)), ["counter"]).fix
    assert fix.startswith("Make lines 7-8 of lost_update.c one step")


def test_folding_keeps_numbers_and_counts_what_is_missing() -> None:
    trace = traces.long_trace(60)
    rows = rows_of(trace.events, mentioned(trace))
    kept = folded(rows, [ShownVariable("counter", None)])
    assert kept[-1] is rows[-1]
    assert len(kept) <= MAX_ROWS
    numbers = [0, *(row.number for row in kept)]
    gaps = [after - before - 1 for before, after in pairwise(numbers)]
    assert gaps == [row.hidden_before for row in kept]


def test_a_local_variable_that_is_gone_is_named() -> None:
    failure = Failure(Property.DEREF, "invalid-deref", "invalid dereference")
    use = user(8, "assert(*number == 1);", "worker")
    left: dict[str, object] = {"target": "number", "note": Gone(is_with_thread=False)}
    events: Events = [(0, EventKind.LEAVE, user(16, "return 0;"), left), (1, EventKind.FAIL, use, {})]
    trace = trace_of(failure, (MAIN, WORKER_1), events)
    assert why(trace) == (
        "The pointer leads to `number`, a local variable of main that is gone since step 1.",
    )
    assert not why(trace_of(failure, (MAIN, WORKER_1), events[1:]))


@pytest.mark.parametrize("is_locked", [True, False])
def test_two_moments_are_two_critical_sections(*, is_locked: bool) -> None:
    one: dict[str, object] = {
        "target": "counter",
        "value": "1",
        "old": "0",
        "source": None,
        "is_shared": True,
    }
    locked: Events = [(1, EventKind.LOCK, READ, {"target": "lock"})] if is_locked else []
    unlocked: Events = [(1, EventKind.UNLOCK, WRITE, {"target": "lock"})] if is_locked else []
    trace = failing(
        *locked,
        (1, EventKind.WRITE, WRITE, one),
        *unlocked,
        (0, EventKind.READ, CHECK, {**one, "source": len(locked)}),
        (0, EventKind.READ, CHECK, {"target": "other", "value": "0", "is_shared": True}),
    )
    assert ("together with `other`" in " ".join(why(trace))) == is_locked
