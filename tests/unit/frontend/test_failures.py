"""What may fail: assumed not to, unless the user asks, and then told in traces and kept in reports."""

from pathlib import Path

from sley.evidence.remarks import Fails
from sley.evidence.trace import EventKind
from sley.reports import json_report
from sley.verification.reading import loaded_program
from sley.verification.task import Task
from sley.verification.verify import verify

PROGRAM = Path(__file__).parents[2] / "programs/failing/lock_kept.c"


def test_assumptions_vanish_one_by_one() -> None:
    def assumed(**flags: bool) -> tuple[str, ...]:
        return loaded_program(Task(paths=(PROGRAM,), **flags)).assumptions  # type: ignore[arg-type]

    assert set(assumed()) == {"malloc succeeds", "pthread_create succeeds"}
    assert assumed(malloc_may_fail=True) == ("pthread_create succeeds",)
    assert assumed(create_may_fail=True) == ("malloc succeeds",)
    assert assumed(create_may_fail=True, malloc_may_fail=True) == ()


def test_a_trace_says_what_fails_and_the_report_keeps_the_option() -> None:
    result = verify(Task(paths=(PROGRAM,), malloc_may_fail=True, engines=("explore",), jobs=0))
    assert result.result == "false(no-deadlock)"
    notes = [event.note for event in result.traces[0].events if event.kind is EventKind.INPUT]
    assert notes == [Fails("malloc fails: returns NULL")]
    task = json_report.report(result)["task"]
    assert (task["malloc_may_fail"], task["create_may_fail"]) == (True, False)
