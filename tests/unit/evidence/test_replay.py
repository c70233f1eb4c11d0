"""What a replay tells beyond the schedule."""

from pathlib import Path

from sley.evidence.remarks import Gone
from sley.evidence.trace import EventKind, Trace
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.task import Task
from sley.verification.verify import verify
from sley.wording.events import facts_of


def trace_of(folder: Path, text: str) -> Trace:
    path = folder / "program.c"
    path.write_text(text)
    return verify(Task(paths=(path,), selection=Selection(PROPERTY_GROUPS["memory"]))).traces[0]


def gone(trace: Trace) -> list[tuple[int, str]]:
    return [
        (event.origin.span.line if event.origin.span else 0, event.target)
        for event in trace.events
        if event.kind is EventKind.LEAVE
    ]


def test_the_end_of_a_local_variable_is_told_if_it_is_used_afterwards(tmp_path: Path) -> None:
    text = "int *last;\nint main(void) {\n  for (int i = 0; i < 2; i++) {\n    int a = i, b = i;\n"
    text += "    last = &b;\n    a = *last;\n  }\n  return *last;\n}\n"
    trace = trace_of(tmp_path, text)
    assert [target for _, target in gone(trace)] == ["b"]


def test_the_end_of_other_local_variables_is_not(tmp_path: Path) -> None:
    text = "int main(void) {\n  int *none = 0;\n  { int a = 1, *b = &a; *b = 2; }\n  return *none;\n}\n"
    assert gone(trace_of(tmp_path, text)) == []


def test_what_has_no_name_is_told_by_its_line(tmp_path: Path) -> None:
    text = "int main(void) {\n  int *p = 0;\n  for (int i = 0; i < 2; i++) {\n    if (p) i += *p;\n"
    text += "    p = &(int){1};\n  }\n  return 0;\n}\n"
    ends = [event.note for event in trace_of(tmp_path, text).events if event.kind is EventKind.LEAVE]
    assert ends == [Gone(is_with_thread=False, line=5)]


def test_a_variable_may_end_with_its_thread(tmp_path: Path) -> None:
    text = "#include <pthread.h>\n_Thread_local int own;\nint *other;\n"
    text += "void *work(void *unused) {\n  other = &own;\n  return 0;\n}\n"
    text += "int main(void) {\n  pthread_t thread;\n  pthread_create(&thread, 0, work, 0);\n"
    text += "  pthread_join(thread, 0);\n  return *other;\n}\n"
    trace = trace_of(tmp_path, text)
    ends = [event.note for event in trace.events if event.kind is EventKind.LEAVE]
    assert ends == [Gone(is_with_thread=True)]
    assert any(event.value == "&own" for event in trace.events if event.target == "other")


ENDED = """#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int is_done;
pthread_t first;
void *write(void *unused) { data = 1; return 0; }
void *tell(void *unused) {
    pthread_join(first, 0);
    atomic_store_explicit(&is_done, 1, memory_order_relaxed);
    return 0;
}
int main(void) {
    pthread_t second;
    pthread_create(&first, 0, write, 0);
    pthread_create(&second, 0, tell, 0);
    return atomic_load_explicit(&is_done, memory_order_relaxed) ? data : 0;
}
"""


def test_who_races_may_have_ended(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(ENDED)
    result = verify(Task(paths=(path,), selection=Selection(PROPERTY_GROUPS["race"])))
    assert facts_of(result.traces[0])[:2] == ("write writes `data` at line 6", "main reads `data` at line 16")
