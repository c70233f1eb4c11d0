"""What explore shows to be wrong is an open check: single checks that count as proved do not fail."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.program.program import user_origin
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.conditions import is_surveyed
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE
from tests.marked_programs import FOLDER, PROGRAMS, marks_of, name_of
from tests.unit.verification.surveys import surveyed_file

ASKED = ALL_PROPERTIES - {Property.LEAK, Property.DEADLOCK}
NAMES = [name for name, group in PROPERTY_GROUPS.items() if group <= ALL_PROPERTIES]


def _is_plain(path: Path) -> bool:
    """What is said of checks is said of runs in which addresses were right."""
    marks = marks_of(path)
    may_fail = marks.malloc_may_fail or marks.create_may_fail or marks.argc_may_be_zero
    others = marks.harness is None and marks.arguments is None and not may_fail
    is_asked = path.suffix == ".c" and others
    return is_asked and bool(marks.violated) and "memory" not in marks.violated


WRONG = [path for path in PROGRAMS if _is_plain(path)]
IN_EACH_RUN = {
    *WRONG[::40],
    FOLDER / "library" / "threads_h" / "trylock_busy.c",
    FOLDER / "library" / "windows" / "interlocked_not.c",
}


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, id=name_of(path), marks=() if path in IN_EACH_RUN else (pytest.mark.long,))
        for path in WRONG
    ],
)
def test_what_fails_is_open(path: Path) -> None:
    task = Task(
        paths=(path,),
        selection=Selection(ASKED),
        data_model=marks_of(path).data_model,
        engines=("explore",),
        all_bugs=True,
        limits=Limits(seconds=AMPLE),
    )
    shown = [trace for trace in verify(task).traces if not trace.depends_on and trace.origin is not None]
    if not shown or not is_surveyed(loaded_program(task), replace(task, engines=(), each_check=True)):
        return
    survey, _ = surveyed_file(path, *NAMES, data_model=marks_of(path).data_model)
    found = {
        (one.property, origin.span.line)
        for one in survey.open
        for origin in (one.origin, one.other)
        if origin is not None and origin.span is not None
    }
    for trace in shown:
        assert trace.origin is not None
        span = user_origin(trace.origin).span
        if span is not None and "which is freed" not in trace.failure.message:
            assert (trace.failure.property, span.line) in found, trace.failure.message
