"""Bugs of well-known kinds are reported so that their cause can be seen."""

import re
from pathlib import Path

import pytest

from sley.evidence.trace import Trace
from sley.reports.lines import plain
from sley.reports.story import tell
from sley.reports.text import trace_report
from sley.verification.result import Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from sley.wording.events import facts_of
from tests.explained import EXPLAINED, Explained
from tests.limits import AMPLE


def checked(path: Path) -> Result:
    """As ``sley check`` does it, in this process."""
    return verify(Task(paths=(path,), limits=Limits(seconds=AMPLE), jobs=0))


def test_there_are_thirty_programs_with_something_to_explain() -> None:
    programs = [Explained(path) for path in EXPLAINED]
    assert len(programs) >= 30
    assert [p.path.name for p in programs if not p.why or not p.decisive] == []


def assert_speaks_of_the_program(trace: Trace) -> None:
    """What the models of the library call things is nothing that a user knows."""
    explanation = tell(trace).explanation
    said = (trace.failure.message, *facts_of(trace), *explanation.why, *explanation.fix)
    assert [text for text in said if re.search(r"sley|\.owner|\bm->", text)] == []


@pytest.mark.parametrize("path", EXPLAINED, ids=lambda path: path.stem)
def test_the_cause_can_be_seen(path: Path) -> None:
    program = Explained(path)
    traces = checked(path).traces
    for other in traces:
        assert_speaks_of_the_program(other)
    trace = traces[0]
    assert trace.failure.property in program.violated
    story = tell(trace)
    said = " ".join((*facts_of(trace), *story.explanation.why))
    assert [why.pattern for why in program.why if not why.search(said)] == [], said
    assert program.decisive - {row.line for row in story.rows} == set()
    assert story.explanation.decisive <= {index for row in story.rows for index in row.indices}
    assert len(plain(trace_report(trace)).splitlines()) <= MOST_LINES


MOST_LINES = 50
"""Of a whole report: 40 for the table, and what is said about it."""
