"""``sley replay``: on the real program, step by step, and what it refuses."""

import shutil
from pathlib import Path

import pytest

from sley.cli import stepping
from sley.cli.main import run

EXAMPLES = Path(__file__).parents[3] / "examples"

needs_compiler = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("objcopy") is None,
    reason="gcc or the binutils are not installed: nothing can be replayed on the real program",
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@needs_compiler
def test_the_real_program_fails_every_time(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", str(EXAMPLES / "lost_update.c"), "-p", "reach"])
    capsys.readouterr()
    assert run(["replay", "--native", "--times", "3"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(" Compiled        lost_update.c with gcc")
    assert lines[-1] == " Reproduced      assertion failed at lost_update.c:18, 3 of 3 runs"


@needs_compiler
def test_what_is_not_reproduced_is_no_bug(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.c").write_text(
        "#include <assert.h>\nint main(void) {\n  unsigned char x;\n  assert(x != 77);\n  return 0;\n}\n"
    )
    run(["check", "a.c", "-p", "reach"])
    capsys.readouterr()
    assert run(["replay", "--native"]) == 3
    text = " ".join(capsys.readouterr().out.split())
    assert "Not reproduced the program ended without the failure, 1 of 1 run" in text
    assert "the run depends on what a variable holds that was never set" in text


def test_a_run_of_a_machine_is_not_possible(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.c").write_text("""\
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
""")
    assert run(["check", "a.c", "-p", "reach", "--memory-model", "tso", "--engine", "explore"]) == 1
    capsys.readouterr()
    assert run(["replay", "--native", "--cc", "true"]) == 3
    assert capsys.readouterr().out.startswith(" Not possible    the run is one of ")


def test_a_compiler_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", str(EXAMPLES / "lost_update.c"), "-p", "reach"])
    assert run(["replay", "--native", "--cc", "no-such-compiler -O0"]) == 2
    assert "there is no compiler `no-such-compiler -O0`" in capsys.readouterr().err


def test_all_steps_at_once_where_nobody_presses_keys(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", str(EXAMPLES / "deadlock.c"), "-p", "deadlock"])
    capsys.readouterr()
    assert run(["replay", "--step"]) == 1
    text = capsys.readouterr().out
    assert " step 3 of 6   deposit   deadlock.c:8\n" in text
    assert " ->     8      pthread_mutex_lock(&from);\n" in text
    assert text.count(" held    from by deposit\n") >= 3


@pytest.mark.parametrize(
    ("at", "key", "then"),
    [(0, "", 1), (8, "", 8), (0, "b", 0), (5, "b", 4), (0, "g 7", 6), (0, "g99", 8), (3, "x", 3)],
)
def test_keys(at: int, key: str, then: int) -> None:
    assert stepping._next(at, key, 9) == then


@needs_compiler
@pytest.mark.parametrize(
    ("function", "arguments", "code", "said"),
    [
        ("clock_gettime", "CLOCK_MONOTONIC, &t", 3, "only with what was assumed of unmodelled function"),
        ("getpgrp", "", 1, ""),
    ],
)
def test_what_was_assumed_of_a_function_is_no_bug(
    home: Path, capsys: pytest.CaptureFixture[str], function: str, arguments: str, code: int, said: str
) -> None:
    (home / "a.c").write_text(f"""\
#include <assert.h>
#include <time.h>
#include <unistd.h>
int main(void) {{
    struct timespec t = {{0}};
    int result = {function}({arguments});
    assert(result == 0 && t.tv_sec != 7);
}}
""")
    assert run(["check", "a.c", "-p", "reach", "--engine", "explore"]) == 3
    assert run(["replay"]) == 3
    capsys.readouterr()
    assert run(["replay", "--native"]) == code
    text = " ".join(capsys.readouterr().out.split())
    rests = f"{said} `{function}`: " if said else ""
    assert f"Reproduced {rests}assertion failed at a.c:7" in text


@pytest.mark.parametrize(
    ("body", "group", "why"),
    [
        ("for (;;);", "progress", "a loop never ends"),
        ("int x; return x;", "uninitialised", "was never written"),
    ],
)
def test_what_no_run_shows_is_not_offered(
    home: Path, capsys: pytest.CaptureFixture[str], body: str, group: str, why: str
) -> None:
    (home / "a.c").write_text(f"int main(void) {{ {body} }}")
    assert run(["check", "a.c", "-p", group]) == 1
    assert "--native" not in capsys.readouterr().out
    assert run(["replay", "--native"]) == 3
    text = capsys.readouterr().out
    assert "Not possible" in text
    assert why in " ".join(text.split())
