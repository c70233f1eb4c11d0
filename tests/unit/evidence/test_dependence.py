"""What a failure depends on, and how near it is."""

from pathlib import Path

from sley.evidence.trace import EventKind, Trace
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.reports.story import tell
from sley.verification.property_files import Selection
from sley.verification.task import Task
from sley.verification.verify import verify

START = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n"


def trace_of(folder: Path, text: str, group: str = "reach") -> Trace:
    path = folder / "program.c"
    path.write_text(START + text)
    return verify(Task(paths=(path,), selection=Selection(PROPERTY_GROUPS[group]))).traces[0]


def distances(trace: Trace) -> dict[str, int | None]:
    """For each statement how far it is; the nearest run of it counts."""
    found: dict[str, int | None] = {}
    for event in trace.events:
        known = found.setdefault(event.origin.text, event.distance)
        if event.distance is not None and (known is None or event.distance < known):
            found[event.origin.text] = event.distance
    return found


def test_values_come_from_where_they_were_written_last(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        "int x, y, z;\nint main(void) {\n  x = 5;\n  x = 3;\n  z = 9;\n  y = x;\n  assert(y == 5);\n}\n",
    )
    found = distances(trace)
    assert found["z = 9;"] is None
    assert 0 == found["assert(y == 5)"] < found["y = x;"] < found["x = 3;"]  # type: ignore[operator]


def test_a_branch_matters_if_it_decides(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        "int mode, debug, x;\nint main(void) {\n  mode = 2;\n  debug = 1;\n  if (debug)\n    debug = 0;\n"
        "  if (mode)\n    x = 1;\n  assert(x == 0);\n}\n",
    )
    found = distances(trace)
    assert found["mode = 2;"] is not None
    assert found["debug = 1;"] is None


def test_a_failure_that_is_only_reached_depends_on_the_way_there(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        "extern void reach_error(void);\nint mode, x;\nint main(void) {\n  mode = 2;\n  x = 1;\n"
        "  if (mode == 2)\n    reach_error();\n}\n",
    )
    found = distances(trace)
    assert found["mode = 2;"] is not None
    assert found["x = 1;"] is None


def test_a_race_depends_on_the_locks_that_are_held(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        "pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\nint n, other;\n"
        "void *work(void *m) {\n  other;\n  pthread_mutex_lock(m);\n  n++;\n  pthread_mutex_unlock(m);\n"
        "  return 0;\n}\nint main(void) {\n  pthread_t t, u;\n  pthread_create(&t, 0, work, &a);\n"
        "  pthread_create(&u, 0, work, &b);\n  pthread_join(t, 0);\n  pthread_join(u, 0);\n}\n",
        "race",
    )
    held = [e for e in trace.events if e.kind is EventKind.LOCK]
    assert [event.target for event in held] == ["a", "b"]
    assert all(event.distance == 1 for event in held)
    shown = [row.statement.text for row in tell(trace).rows]
    assert shown.count("pthread_mutex_lock(m);") == 2
    assert all("pthread_create" not in text for text in shown), "main has nothing else to tell"


def test_a_lost_block_depends_on_who_made_and_who_lost_it(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        "int *p, x;\nint main(void) {\n  p = malloc(4);\n  x = 1;\n  p = 0;\n  return 0;\n}\n",
        "memory",
    )
    assert trace.failure.property is Property.LEAK
    found = distances(trace)
    assert found["p = malloc(4);"] == 0
    assert found["p = 0;"] == 1
    assert found["x = 1;"] is None


def test_an_invalid_access_depends_on_who_freed(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        "int *p, x;\nint main(void) {\n  p = malloc(4);\n  x = 1;\n  free(p);\n  *p = 1;\n}\n",
        "memory",
    )
    found = distances(trace)
    assert found["p = malloc(4);"] == found["free(p);"] == 1
    assert found["x = 1;"] is None


def test_long_runs_become_short_stories(tmp_path: Path) -> None:
    trace = trace_of(
        tmp_path,
        "int noise[50], x;\nint main(void) {\n  x = 1;\n  for (int i = 0; i < 50; i++)\n    noise[i] = i;\n"
        "  assert(x == 0);\n}\n",
    )
    story = tell(trace)
    assert [row.statement.text for row in story.rows] == ["x = 1;", "assert(x == 0)"]
    assert len(tell(trace, show_all=True).rows) > 50
