"""Bugs on the real program, compiled with the run-time: the failure happens, or nobody says that it did."""

import os
import re
import shutil
import subprocess
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from sley.evidence.remarks import Value
from sley.evidence.trace import Trace
from sley.frontend.parse import MODELS
from sley.native.build import MODEL_HEADER, RUNTIME, BuildError, find_compiler
from sley.native.replay import JudgedRun, NativeReplay, native_replay
from sley.native.schedule import NotPossibleError, native_schedule
from sley.program.memory_model import MemoryModel
from sley.program.properties import PROPERTY_GROUPS
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.limits import AMPLE
from tests.marked_programs import FOLDER, PROGRAMS, marks_of, name_of

EXAMPLES = Path(__file__).parents[3] / "examples"
SECONDS = 10

needs_compiler = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("objcopy") is None,
    reason="gcc or the binutils are not installed: nothing can be replayed on the real program",
)


def found(
    path: Path, group: str, model: MemoryModel = MemoryModel.C11, *, malloc_may_fail: bool = False
) -> tuple[Task, Trace]:
    task = Task(
        paths=(path,),
        selection=Selection(PROPERTY_GROUPS[group]),
        limits=Limits(seconds=AMPLE),
        memory_model=model,
        malloc_may_fail=malloc_may_fail,
        jobs=0,
    )
    return task, verify(task).traces[0]


def compiled(task: Task, trace: Trace, compiler: str = "gcc") -> AbstractContextManager[NativeReplay]:
    return native_replay(task, program_of(task), trace, find_compiler(compiler), SECONDS)


def replayed(path: Path, group: str, *, times: int = 1, compiler: str = "gcc") -> list[JudgedRun]:
    task, trace = found(path, group)
    with compiled(task, trace, compiler) as native:
        return [native.run() for _ in range(times)]


def written(folder: Path, text: str) -> Path:
    path = folder / "program.c"
    path.write_text(text)
    return path


# --- the failure happens ---------------------------------------------------------------------------

QUICK = (
    ("conditions/producer_consumer_if", "reach"),
    ("freeing/while_written", "memory"),
    ("memory/double_free", "memory"),
    ("memory/leak", "memory"),
    ("misuse/unlock_not_held", "misuse"),
    ("overflow/addition", "overflow"),
    ("division/by_zero", "division"),
    ("conditions/lost_wakeup", "deadlock"),
    ("verifier/bounded_input_wrong", "reach"),
    ("race/bit_fields", "race"),
    ("library/process/argument_compared", "reach"),
    ("library/process/argument_number", "reach"),
)
"""One program for each kind of failure."""


def known(name: str) -> Path:
    return next(path for path in PROGRAMS if name_of(path) == name)


@needs_compiler
@pytest.mark.parametrize(("name", "group"), QUICK, ids=[name for name, _ in QUICK])
def test_the_failure_happens(name: str, group: str) -> None:
    (judged,) = replayed(known(name), group)
    assert judged.is_reproduced, judged


@needs_compiler
@pytest.mark.parametrize(
    ("room", "call"),
    [
        (12, 'sprintf(text, "n=%05d and more than fits", 42)'),
        (13, 'sprintf(text, "%s: %5x%c%%%s", "abc", 77u, 32, "more")'),
        (11, 'sprintf(text, "%08d%-6d", 7, 7)'),
    ],
)
def test_a_text_that_is_too_long_is_so_at_the_same_character(room: int, call: str, tmp_path: Path) -> None:
    """The model that interprets formats writes where calls do that the front end writes out."""
    path = written(
        tmp_path, f"#include <stdio.h>\nint main(void) {{ char text[{room}]; return {call} == 0; }}\n"
    )
    (judged,) = replayed(path, "memory")
    assert judged.is_reproduced, judged


def test_the_run_time_has_what_models_are_written_in() -> None:
    header = (MODELS / "sley.h").read_text()
    runtime = RUNTIME.read_text() + MODEL_HEADER.read_text()
    primitives = set(re.findall(r"\b__sley_(?!nondet|unknown|require)\w+(?=\()", header))
    assert primitives, "the header declares them"
    assert [name for name in sorted(primitives) if not re.search(rf"\b{name}\b", runtime)] == []


@needs_compiler
def test_an_assertion_fails_every_time() -> None:
    judged = replayed(EXAMPLES / "lost_update.c", "reach", times=5)
    assert {(one.is_reproduced, one.text) for one in judged} == {
        (True, "assertion failed at lost_update.c:18")
    }


@needs_compiler
def test_a_race_has_both_accesses_side_by_side() -> None:
    (judged,) = replayed(EXAMPLES / "lost_update.c", "race")
    assert judged.is_reproduced
    assert judged.text == "data race on `counter`"
    assert sorted(judged.details) == [
        "worker #1 is about to access it at lost_update.c:8",
        "worker #2 is about to access it at lost_update.c:7",
    ]


@needs_compiler
def test_a_deadlock_names_who_waits_for_whom() -> None:
    (judged,) = replayed(EXAMPLES / "deadlock.c", "deadlock")
    assert judged.is_reproduced
    assert sorted(judged.details) == [
        "deposit waits for refund at deadlock.c:9",
        "refund waits for deposit at deadlock.c:19",
    ]


@needs_compiler
@pytest.mark.skipif(shutil.which("clang") is None, reason="clang is not installed")
def test_clang_will_do_too() -> None:
    (judged,) = replayed(EXAMPLES / "lost_update.c", "reach", compiler="clang")
    assert judged.is_reproduced


ALL = [
    (path, group)
    for path in PROGRAMS
    for group in marks_of(path).violated
    if path.parent == FOLDER / "misuse"
]


@needs_compiler
@pytest.mark.long
@pytest.mark.parametrize(("path", "group"), ALL, ids=[f"{name_of(path)}-{group}" for path, group in ALL])
def test_all_that_is_misused(path: Path, group: str) -> None:
    assert all(one.is_reproduced for one in replayed(path, group, times=3))


# --- nobody says so if it does not ------------------------------------------------------------------


@needs_compiler
def test_another_program_does_not_have_the_failure(tmp_path: Path) -> None:
    path = written(tmp_path, (EXAMPLES / "lost_update.c").read_text())
    task, trace = found(path, "reach")
    program = program_of(task)
    mended = path.read_text().replace("counter = tmp + 1;", "__atomic_fetch_add(&counter, 1, 5);")
    path.write_text(mended)
    with native_replay(task, program, trace, ("gcc",), SECONDS) as native:
        judged = native.run()
    assert not judged.is_reproduced


@needs_compiler
def test_a_failure_elsewhere_is_another_one(tmp_path: Path) -> None:
    path = written(tmp_path, "#include <assert.h>\nint x;\nint main(void) {\n  assert(x);\n  return 0;\n}\n")
    task, trace = found(path, "reach")
    program = program_of(task)
    path.write_text("#include <assert.h>\nint x;\nint main(void) {\n\n  assert(x);\n  return 0;\n}\n")
    with native_replay(task, program, trace, ("gcc",), SECONDS) as native:
        judged = native.run()
    assert (judged.is_reproduced, judged.text) == (False, "another failure: assertion failed at program.c:5")


@needs_compiler
def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    text = "#include <assert.h>\nint x;\nint main(void) {\n  %s assert(x);\n  return 0;\n}\n"
    path = written(tmp_path, text % "")
    task, trace = found(path, "reach")
    program = program_of(task)
    path.write_text(text % "for (int i = 0; ; i++) ;")
    with native_replay(task, program, trace, ("gcc",), 1) as native:
        folder = native.runner.folder
        judged = native.run()
    assert (judged.is_reproduced, judged.text) == (False, "the time is over")
    assert not folder.exists()


@needs_compiler
def test_what_does_not_compile_is_said(tmp_path: Path) -> None:
    path = written(
        tmp_path, "int unknown(void);\n#include <assert.h>\nint x;\nint main(void) { assert(x); }\n"
    )
    task, trace = found(path, "reach")
    path.write_text("int unknown(void);\nint main(void) { return unknown(); }\n")
    with pytest.raises(BuildError, match="undefined reference to `unknown'"), compiled(task, trace):
        pass


def test_stores_of_a_machine_cannot_be_forced(tmp_path: Path) -> None:
    text = """\
#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *one(void *u) { x = 1; a = y; return 0; }
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    y = 1; b = x;
    pthread_join(t, 0);
    assert(a || b);
    return 0;
}
"""
    task, trace = found(written(tmp_path, text), "reach", MemoryModel.TSO)
    with pytest.raises(NotPossibleError, match="TSO"):
        native_schedule(program_of(task), trace)


# --- inputs, the debugger ---------------------------------------------------------------------------


@needs_compiler
def test_arguments_and_the_environment_are_those_of_the_trace(tmp_path: Path) -> None:
    text = (
        "#include <assert.h>\n#include <stdlib.h>\n"
        "int main(int argc, char **argv) {\n"
        '  char *user = getenv("USER"), *level = getenv("LEVEL");\n'
        "  if (argc == 2 && argv[1][0] == '-' && user && user[0] == 'x' && user[1] == 'y' && level)\n"
        "    assert(atoi(level) != -42);\n"
        "  return 0; }\n"
    )
    task, trace = found(written(tmp_path, text), "reach")
    known = {fact.name: fact.value for fact in trace.facts if isinstance(fact, Value)}
    assert known["argv[1]"].startswith('"-')
    assert known["USER"].startswith('"xy')
    assert known["LEVEL"].strip('"').strip() == "-42"
    with compiled(task, trace) as native:
        assert native.run().is_reproduced


@needs_compiler
def test_inputs_are_those_of_the_trace(tmp_path: Path) -> None:
    text = """\
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int x = __VERIFIER_nondet_int();
        if (x == 7 * (i + 1))
            sum += x;
    }
    assert(sum != 42);
    return 0;
}
"""
    (judged,) = replayed(written(tmp_path, text), "reach")
    assert judged.is_reproduced


@needs_compiler
@pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")
def test_gdb_stops_before_the_failing_step() -> None:
    task, trace = found(EXAMPLES / "lost_update.c", "reach")
    with compiled(task, trace) as native:
        done = subprocess.run(
            ["gdb", "-q", "-batch", "-x", str(native.debugger_commands())],
            capture_output=True,
            text=True,
            timeout=240,
            env={**os.environ, "DEBUGINFOD_URLS": ""},
            check=False,
        )
    if "ptrace" in done.stderr:
        pytest.skip("this machine does not let gdb run programs")
    assert "assert(counter == 2);" in done.stdout


@needs_compiler
def test_what_may_fail_fails_where_it_does_in_the_trace(tmp_path: Path) -> None:
    text = """\
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int *one = malloc(sizeof *one);
    int *other = malloc(sizeof *other);
    assert(!(one && !other));
    return 0;
}
"""
    task, trace = found(written(tmp_path, text), "reach", malloc_may_fail=True)
    with compiled(task, trace) as native:
        assert native.run().is_reproduced


@needs_compiler
def test_models_of_the_user_are_compiled_too(tmp_path: Path) -> None:
    (tmp_path / "models.c").write_text(
        "int device(void) {\n    int value = __sley_nondet_int();\n    __sley_assume(value > 5);\n"
        "    return value;\n}\n"
    )
    text = "#include <assert.h>\nint device(void);\nint main(void) { assert(device() != 7); return 0; }\n"
    models = (tmp_path / "models.c",)
    task = Task(paths=(written(tmp_path, text),), models=models, limits=Limits(seconds=AMPLE), jobs=0)
    with compiled(task, verify(task).traces[0]) as native:
        assert native.run().is_reproduced
