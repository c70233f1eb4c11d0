"""Pages as text: what is in them, and what must not be."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

from sley.evidence.trace import Trace
from sley.reports.html.arrows import Bond, arrows_of
from sley.reports.html.course import Course, ThreadActivity
from sley.reports.html.markup import Html, markup, tag
from sley.reports.html.page import page_of
from sley.reports.story import tell
from sley.verification.result import Result
from sley.verification.task import Task
from sley.verification.verify import verify


@pytest.fixture(scope="module")
def lost_update() -> Result:
    return verify(Task(paths=(Path("examples/lost_update.c"),)))


@pytest.fixture(scope="module")
def deadlock() -> Result:
    return verify(Task(paths=(Path("examples/deadlock.c"),)))


def course_of(trace: Trace) -> Course:
    return Course(trace, tell(trace).rows)


def test_text_is_escaped_unless_it_is_html() -> None:
    assert tag("p", "a < b", Html("<br/>"), title='"x"') == '<p title="&quot;x&quot;">a &lt; b<br/></p>'
    assert markup(["&", None, ("<",)]) == "&amp;&lt;"
    assert tag("input", hidden=True, disabled=False, value=None) == "<input hidden/>"


def test_a_page_loads_nothing(lost_update: Result) -> None:
    page = unescape(page_of(lost_update))
    assert "default-src 'none'" in page
    assert "unsafe" not in page
    assert re.findall(r"\b(?:src|style)=|url\((?!#)|@import|https?://(?!www\.w3\.org)", page) == []
    assert len(page) < 100_000


def test_data_of_a_page_never_ends_its_element(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text('#include <assert.h>\nint main(void) { assert(!"</script><script>"); }\n')
    page = page_of(verify(Task(paths=(file,))))
    data = re.findall(r'<script type="application/json">(.*?)</script>', page)
    assert [json.loads(one) for one in data]
    assert page.count("<script") == len(data) + 1


def test_a_file_that_is_gone_is_said_to_be(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text("#include <assert.h>\nint main(void) { assert(0); }\n")
    result = verify(Task(paths=(file,)))
    file.unlink()
    assert "This file cannot be read now" in page_of(result)


def test_threads_run_wait_and_are_preempted(lost_update: Result) -> None:
    course = course_of(lost_update.traces[0])
    doing = [tuple(standing.doing for standing in moment.threads) for moment in course.moments]
    assert doing[0] == (ThreadActivity.RUNS, ThreadActivity.PAUSED, ThreadActivity.ABSENT)
    assert doing[3] == (ThreadActivity.WAITS, ThreadActivity.PREEMPTED, ThreadActivity.RUNS)
    assert doing[-1] == (ThreadActivity.FAILS, ThreadActivity.ENDED, ThreadActivity.ENDED)
    (counter,) = course.variables
    assert [moment.values[counter] for moment in course.moments] == list("000011111")


def test_arrows_between_threads(lost_update: Result) -> None:
    arrows = arrows_of(course_of(lost_update.traces[0]))
    assert [(arrow.source + 1, arrow.target + 1, arrow.bond) for arrow in arrows] == [
        (1, 3, Bond.CREATE),
        (2, 4, Bond.CREATE),
        (6, 7, Bond.JOIN),
        (5, 8, Bond.JOIN),
        (6, 9, Bond.READ),
    ]


def test_a_deadlock_ends_with_locks_that_are_held_and_wanted(deadlock: Result) -> None:
    (trace, *_) = deadlock.traces
    last = course_of(trace).moments[-1]
    held = {name: lock for name, lock in last.locks.items() if lock.holder is not None}
    assert all(lock.wanted_by for lock in held.values())
    assert {lock.holder for lock in held.values()} == {t for lock in held.values() for t in lock.wanted_by}


def test_a_notebook_shows_the_page_in_a_frame(lost_update: Result) -> None:
    shown = lost_update._repr_html_()
    (page,) = re.findall(r'^<iframe srcdoc="([^"]*)"', shown)
    assert unescape(page) == page_of(lost_update)


def test_a_proof_says_what_is_proved_and_what_not_to_assume() -> None:
    page = page_of(verify(Task(paths=(Path("examples/locked_update.c"),))))
    assert "<li>no data race</li>" in page
    assert "Proved for every schedule" in page
    assert "pthread_create succeeds" in page
    assert "Not assumed" in page


def test_nothing_follows_without_a_proof(deadlock: Result) -> None:
    assert deadlock.follows
    assert "Not assumed" not in page_of(deadlock)


def test_where_there_is_no_answer_the_page_says_what_to_try(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text("int ask(int);\nint main(void) { return ask(1) ? 1 : 2; }\n")
    result = verify(Task(paths=(file,)))
    page = page_of(result)
    assert result.answer.value == "UNKNOWN"
    assert "<dt>Stop</dt>" in page
    assert "--models FILE" in page
    assert "<pre>" in page
