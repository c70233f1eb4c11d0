"""The report for people, seen as plain text."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.errors import Unsupported
from sley.base.reasons import Reason, Why
from sley.base.source import Span
from sley.evidence.proof import Checked
from sley.evidence.trace import EventKind, Trace
from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.program.properties import ALL_PROPERTIES, Failure, Property
from sley.reports.lines import broken_code, plain
from sley.reports.text import closing_lines, report, trace_report
from sley.reports.unknown import one_by_one
from sley.verification.property_files import Selection
from sley.verification.result import NotSupported, Outcome, Result, Times
from sley.verification.task import Task
from tests.unit.reports import traces


class FakeProof:
    summary = "412 states, all successors among them"


def result_of(outcome: Outcome, **more: object) -> Result:
    task = Task(
        paths=(Path("lost_update.c"),), selection=Selection(frozenset({Property.REACH, Property.RACE}))
    )
    return Result(task=task, outcome=outcome, times=Times(0.1, 0.2, 0.1), **more)  # type: ignore[arg-type]


LOST_UPDATE = """\
 BUG  assertion can fail                                                   lost_update.c:18   0.4 s

       assert(counter == 2)   is false:   counter = 1

 step   main                                 worker #1             worker #2             counter
 ----   -----------------------------------  --------------------  --------------------  -------
   1    14 pthread_create(&a, 0, worker, 0)                                                 0
   2    15 pthread_create(&b, 0, worker, 0)                                                 0
   3                                         7 int tmp = counter;                           0
                                                 tmp = 0
   4                                         | preempted           7 int tmp = counter;     0
                                             |                         tmp = 0
   5                                         |                     8 counter = tmp + 1;  0 -> 1
   6                                         8 counter = tmp + 1;                        1 -> 1
                                                 overwrites what
                                                 worker #2 wrote
                                                 in step 5
   7    16 pthread_join(a, 0)                                                               1
   8    17 pthread_join(b, 0)                                                               1
   9 X  18 assert(counter == 2);                                                            1

 Why   worker #1 reads `counter` in step 3 and writes it in step 6. In between, worker #2 writes it
       (step 5), and this write is overwritten unseen.
 Fix?  Make lines 7-8 one step: hold one mutex around all uses of `counter`, or use an atomic
       operation.
 Also  data race on `counter`: lost_update.c:8 and 7
 Next  sley replay --native    run your real program under this schedule
       sley replay --step      walk through it, statement by statement
       --html report.html      the same as a page, with source and values
       sley show trace --all   every step, every value
"""


def test_a_bug_is_a_table_with_one_column_per_thread() -> None:
    result = result_of(Unsafe((traces.lost_update(), traces.race())))
    assert plain(report(result)) == LOST_UPDATE
    assert closing_lines(result) == "RESULT: false(unreach-call)\n"


def test_a_race_between_two_statements_is_listed_once() -> None:
    race = traces.race()
    renamed = replace(race, failure=replace(race.failure, subject="*pointer"))
    turned = replace(renamed, events=(*race.events[:-2], race.events[-1], race.events[-2]))
    found = result_of(Unsafe((traces.lost_update(), race, renamed, turned)))
    text = plain(report(found))
    assert text.count("data race on") == 1


def test_a_race_shows_both_accesses() -> None:
    text = plain(trace_report(traces.race()))
    assert "       worker #1 writes `counter` at line 8\n       worker #2 reads `counter` at line 7\n" in text
    assert text.count("data race on `counter`") == 1
    assert "Hold the same mutex around both, or make `counter` atomic." in text


def test_a_deadlock_shows_the_cycle_and_marks_every_blocked_thread() -> None:
    text = plain(trace_report(traces.deadlock()))
    words = " ".join(text.split())
    assert "deposit waits for `to` (step 5), which refund holds since step 4 (line 19)." in words
    assert "refund waits for `from` (step 6), which deposit holds since step 3 (line 8)." in words
    assert text.count(" X ") == 3
    assert "preempted" not in text
    assert "Take the locks in the same order in every thread." in text


def test_more_than_four_threads_become_a_list() -> None:
    text = plain(trace_report(traces.many_threads()))
    assert re.search(r"^  10    worker #5  8 counter = counter \+ 1; +4 -> 5$", text, re.MULTILINE)


def test_each_run_of_a_library_call_is_a_row_of_its_own() -> None:
    text = plain(trace_report(traces.many_threads()))
    assert text.count("14 pthread_create(&t[i], 0, worker, 0)") == 5


def test_a_narrow_terminal_gets_a_list() -> None:
    text = plain(trace_report(traces.lost_update(), width=60))
    assert max(len(line) for line in text.splitlines()) <= 60
    assert re.search(r"^   3    worker #1  7 int tmp = counter; +0$", text, re.MULTILINE)


def test_long_runs_are_folded_unless_all_is_asked_for() -> None:
    trace = traces.long_trace(60)
    short, full = plain(trace_report(trace)), plain(trace_report(trace, show_all=True))
    assert re.search(r"\d steps of .* not shown", short)
    assert len(short.splitlines()) < 90
    assert "not shown" not in full
    assert "X  18 assert(counter == 4)" in short


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize(
    "trace",
    [traces.lost_update(), traces.race(), traces.deadlock(), traces.many_threads(), traces.long_trace(60)],
    ids=["lost update", "race", "deadlock", "many threads", "long"],
)
def test_no_line_of_a_table_is_longer_than_the_terminal(trace: Trace, width: int) -> None:
    text = plain(trace_report(trace, width=width))
    assert text.isascii()
    assert max(len(line) for line in text.splitlines()) <= max(width, 50)


def test_library_internals_are_hidden() -> None:
    for trace in (traces.lost_update(), traces.deadlock()):
        for show_all in (False, True):
            text = plain(trace_report(trace, show_all=show_all))
            assert "inside" not in text
            assert "models/" not in text


def test_calls_of_a_function_are_no_assertions() -> None:
    """With such a property an assertion that fails just ends the run."""
    safe = Safe(FakeProof(), Checked("it was done again"))
    result = result_of(safe, by_property={Property.REACH: safe})
    called = replace(result, task=replace(result.task, selection=Selection(ALL_PROPERTIES, "other")))
    assert plain(report(called)).startswith(" SAFE  No call of `other`, data race, ")
    told = plain(one_by_one(called, 100))
    assert "no call of `other` is possible" in told
    assert "no failing assertion is possible" in plain(one_by_one(result, 100))


def test_safe_says_what_was_checked_and_what_it_rests_on() -> None:
    checked = Checked("it was done again", ("Z3",), ("Some of it was not.",), runs=10, states=231)
    result = result_of(Safe(FakeProof(), checked), assumptions=("sequential consistency", "malloc succeeds"))
    text = plain(report(result))
    assert text.startswith(" SAFE  No failing assertion or data race is possible.")
    assert "412 states" in text
    told = " ".join(text.split())
    assert "it was done again (Z3); 10 random runs fit it (231 states). Some of it was not." in told
    assert "Assumes: sequential consistency; malloc succeeds." in text
    assert closing_lines(result) == "RESULT: true\n"


def test_unknown_gives_its_reason_and_what_is_certain() -> None:
    late = Reason("time limit of 300 s reached", Why.TIME, "300")
    result = result_of(Unknown(late, ("no violation in 100 states",)))
    text = plain(report(result))
    assert text.startswith(" UNKNOWN ")
    assert "No violation in 100 states." in text
    assert "--time-limit" in text
    assert closing_lines(result) == "REASON: time limit of 300 s reached\nRESULT: unknown\n"


def test_a_possible_bug_is_called_possible_and_never_a_result() -> None:
    trace = traces.possible_bug()
    result = result_of(Unknown("possible bug only", traces=(trace,)))
    text = plain(report(result))
    assert " POSSIBLE BUG  assertion can fail" in text
    assert "`read_sensor`" in text
    assert closing_lines(result).endswith("RESULT: unknown\n")


def test_bounded_is_not_safe() -> None:
    result = result_of(Bounded("5 iterations of the loop at queue.c:41"))
    assert (
        closing_lines(result) == "REASON: bounded: 5 iterations of the loop at queue.c:41\nRESULT: unknown\n"
    )
    assert "no proof" in plain(report(result))


def test_all_unsupported_constructs_are_listed_with_their_places() -> None:
    constructs = (
        Unsupported("inline assembly", Span("a.c", 3, 5)),
        Unsupported("setjmp", Span("a.c", 9, 1)),
    )
    result = result_of(NotSupported(constructs))
    text = plain(report(result))
    assert "a.c:3:5: inline assembly\n" in text
    assert "a.c:9:1: setjmp\n" in text
    assert closing_lines(result).splitlines()[-2] == (
        "REASON: unsupported: a.c:3:5: inline assembly; a.c:9:1: setjmp"
    )


def test_functions_without_a_model_are_listed() -> None:
    call = Unsupported("call to `read_sensor`: no model of this function", Span("a.c", 3, 5))
    bug = Unsafe((traces.lost_update(),))
    assert "a.c:3:5: call to `read_sensor`" in plain(report(result_of(bug, unmodelled=(call,))))


def test_a_long_place_does_not_cut_the_message() -> None:
    file = "/a/very/long/path/to/a/program/with/a/long/name/that/takes/most/of/the/line/program.c"
    failure = Failure(Property.DEREF, "invalid-deref", "invalid dereference: `*pointer`")
    failing = traces.user(18, "*pointer = 1;", file=file)
    trace = traces.trace_of(failure, (traces.MAIN,), [(0, EventKind.FAIL, failing, {})])
    first, second, *_ = plain(trace_report(trace)).splitlines()
    assert first.strip() == "BUG  invalid dereference: `*pointer`"
    assert second.strip() == f"{file}:18"


def test_statements_too_wide_for_columns_become_a_list() -> None:
    trace = traces.lost_update()
    wide = replace(traces.user(8, "x", "worker"), text="atomic_compare_exchange_strong_explicit(&a)")
    events = [
        replace(event, origin=wide) if event.origin.text.startswith("counter =") else event
        for event in trace.events
    ]
    text = plain(trace_report(replace(trace, events=tuple(events)), width=80))
    assert "8 atomic_compare_exchange_strong_explicit(&a)" in text
    assert " step   thread     statement" in text


def test_broken_code_breaks_between_words() -> None:
    text = "12 pthread_create(&threads[i], NULL, worker, (void *)argument);"
    assert broken_code(text, 30, "    ") == [
        "12 pthread_create(&threads[i],",
        "    NULL, worker, (void",
        "    *)argument);",
    ]
    assert all(len(part) <= 20 for part in broken_code(text, 20, "    "))
