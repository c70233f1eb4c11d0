"""Whole command lines, in this process where possible: what is printed and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sley
from sley.cli.cache import last_result_file
from sley.cli.main import run

EXAMPLES = Path(__file__).parents[3] / "examples"

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(sley.__file__).parents[1])}

ENDLESS = """\
int main(void) { unsigned long x = 0; int *p = (int *)&x; while (1) { *p = *p + 1; x += 3; } }
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_version_is_one_fast_line() -> None:
    command = [sys.executable, "-X", "importtime", "-m", "sley", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=True, env=ENVIRONMENT)
    assert done.stdout == f"sley {sley.__version__}\n"
    imported = {line.rsplit("|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert not imported & {
        "rich",
        "yaml",
        "clang",
        "z3",
        "bitwuzla",
        "sley.frontend",
        "sley.engines",
    }


def test_a_bug(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(EXAMPLES / "lost_update.c")]) == 1
    output = capsys.readouterr()
    assert output.out.startswith(" BUG  assertion can fail")
    assert output.out.splitlines()[-1] == "RESULT: false(unreach-call)"
    assert output.err == ""


def test_a_proof(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(EXAMPLES / "locked_update.c")]) == 0
    output = capsys.readouterr()
    assert output.out.startswith(" SAFE  No failing assertion")
    assert output.out.splitlines()[-1] == "RESULT: true"
    assert output.err == ""


def test_a_deadlock(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "--property", "deadlock", str(EXAMPLES / "deadlock.c")]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "RESULT: false(no-deadlock)"


def test_the_last_result_can_be_shown_and_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", str(EXAMPLES / "lost_update.c")])
    table = capsys.readouterr().out
    assert run(["show", "trace"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[4:10] == table.splitlines()[4:10]
    assert run(["replay"]) == 1
    assert "the same violation" in capsys.readouterr().out


def test_a_changed_program_is_not_replayed(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = home / "a.c"
    source.write_text((EXAMPLES / "lost_update.c").read_text())
    run(["check", "a.c", "--property", "reach"])
    source.write_text("int main(void) { return 0; }\n")
    capsys.readouterr()
    assert run(["replay"]) == 2
    assert "not reproduced" in capsys.readouterr().err


def test_the_json_file_has_the_same_answer(home: Path) -> None:
    run(["check", str(EXAMPLES / "lost_update.c"), "--json", "out.json"])
    content = json.loads((home / "out.json").read_text())
    assert content["result"] == "false(unreach-call)"
    assert content == json.loads(last_result_file().read_text())


def test_random_runs_repeat(capsys: pytest.CaptureFixture[str]) -> None:
    outputs = []
    for _ in range(2):
        run(["run", str(EXAMPLES / "locked_update.c"), "--seed", "5"])
        outputs.append(capsys.readouterr().out)
    assert outputs[0] == outputs[1]
    assert "END  the program ends" in outputs[0]


def test_a_schedule_file(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "s.txt").write_text("0  # main starts\n0\n")
    assert run(["run", str(EXAMPLES / "locked_update.c"), "--schedule", "s.txt"]) == 0
    assert "END  the schedule ends here" in capsys.readouterr().out
    (home / "s.txt").write_text("7\n")
    assert run(["run", str(EXAMPLES / "locked_update.c"), "--schedule", "s.txt"]) == 2
    assert "does not fit the program" in capsys.readouterr().err


@pytest.mark.parametrize("flags", [[], ["--dot"], ["--prepared"]])
def test_control_flow(flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "cfg", str(EXAMPLES / "lost_update.c"), *flags]) == 0
    assert "counter" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["check"],
        ["nonsense"],
        ["check", "a.c", "--nonsense"],
        ["check", "a.c", "--time-limit", "soon"],
        ["check", "a.c", "--memory-limit", "much"],
        ["check", "a.c", "--property", "beauty"],
        ["check", "a.c", "--engine", "steam"],
        ["check", "a.c", "--data-model", "LP128"],
        ["check", "a.c", "--json", "/nonexistent/x.json"],
        ["check", "missing.yml"],
        ["run", "a.c"],
        ["show", "trace", "missing.json"],
        ["replay"],
    ],
    ids=" ".join,
)
def test_usage_errors(arguments: list[str], home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.c").write_text("int main(void) { return 0; }\n")
    assert run(arguments) == 2
    output = capsys.readouterr()
    assert "RESULT" not in output.out
    assert output.err
    assert "Traceback" not in output.err


BAD_INPUTS = {
    "empty.c": b"",
    "binary.c": bytes(range(256)) * 8,
    "syntax.c": b"int main(void) { return 0 }\n",
    "header.c": b"#include <no_such_header.h>\nint main(void) { return 0; }\n",
    "no_main.c": b"int f(void) { return 0; }\n",
    "truncated.i": b"int x;\nint main(void) { if (x",
}


@pytest.mark.parametrize("name", [*BAD_INPUTS, "directory.c", "missing.c", "unreadable.c"])
def test_bad_input_is_told_with_its_place(name: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = home / name
    if name in BAD_INPUTS:
        path.write_bytes(BAD_INPUTS[name])
    elif name == "directory.c":
        path.mkdir()
    elif name == "unreadable.c":
        path.symlink_to(path)
    assert run(["check", name]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert all(re.match(rf"sley: {name}:|\s*\d* \| ", line) for line in output.err.splitlines())
    assert output.err.startswith(f"sley: {name}:")


ERRORS = """\
int x = ;
int main(void) {
\tchar *p = q + 1;
    return 0
}
"""


def test_all_c_errors_are_told_with_their_lines(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.c").write_text(ERRORS)
    assert run(["check", "a.c"]) == 2
    assert capsys.readouterr().err.splitlines() == [
        "sley: a.c:1:9: expected expression",
        "    1 | int x = ;",
        "      |         ^",
        "sley: a.c:3:12: use of undeclared identifier 'q'",
        "    3 |  char *p = q + 1;",
        "      |            ^",
        "sley: a.c:4:13: expected ';' after return statement",
        "    4 |     return 0",
        "      |             ^",
    ]


def test_errors_and_lines_are_not_told_without_end(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.c").write_text("int main(void) {" + " f = 1;" * 500 + "\n}\n")
    assert run(["check", "a.c"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) < 120
    assert lines[-1].count("^") == 0 or lines[-2][lines[-1].index("^")] == "f"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("prog.cpp", "is a C++ file: only C can be checked"),
        ("folder", "is a folder without C files, and without a compile_commands.json"),
        ("porg.c", "no such file: did you mean prog.c?"),
        ("notes.txt", "unknown type name 'hello' (by its name, this is no C file)"),
        ("prog.c", "'no_such.h' file not found (-I DIR names a folder of headers)"),
        ("library.c", "there is no function `main`: name all files of the program"),
    ],
)
def test_messages_help(name: str, message: str, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "prog.c").write_text('#include "no_such.h"\n')
    (home / "prog.cpp").write_text("class A {};\n")
    (home / "notes.txt").write_text("hello\n")
    (home / "library.c").write_text("int f(void) { return 0; }\n")
    (home / "folder").mkdir()
    assert run(["check", name]) == 2
    assert message in capsys.readouterr().err


def test_an_internal_error_is_one_line_and_no_answer(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("sley.verification.reading.load", broken)
    assert run(["check", "a.c"]) == 70
    output = capsys.readouterr()
    assert output.out == ""
    assert re.fullmatch(r"sley: internal error .*crash-.*\.txt\n", output.err)


def test_limits_end_with_unknown(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "endless.c").write_text(ENDLESS)
    assert run(["check", "endless.c", "--engine", "explore", "--time-limit", "1"]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["REASON: time limit of 1 s reached", "RESULT: unknown"]
    assert run(["check", "endless.c", "--memory-limit", "1MB"]) == 3
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["REASON: memory limit of 1 MB reached", "RESULT: unknown"]


def wait_until_caught(process: int, number: signal.Signals) -> None:
    """Wait until the process has a handler of its own for the signal."""
    for _ in range(600):
        status = Path(f"/proc/{process}/status").read_text()
        (caught,) = re.findall(r"^SigCgt:\s*([0-9a-f]+)$", status, re.MULTILINE)
        if int(caught, 16) >> (number - 1) & 1:
            return
        time.sleep(0.05)
    raise AssertionError("no handler was installed")


@pytest.mark.parametrize(("number", "word"), [(signal.SIGINT, "interrupted"), (signal.SIGTERM, "terminated")])
def test_signals_end_cleanly(number: signal.Signals, word: str, home: Path) -> None:
    (home / "endless.c").write_text(ENDLESS)
    command = [sys.executable, "-m", "sley", "check", "endless.c", "--property", "reach"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    wait_until_caught(process.pid, signal.SIGTERM)
    os.kill(process.pid, number)
    output, errors = process.communicate(timeout=240)
    assert output.splitlines()[-2:] == [f"REASON: {word}", "RESULT: unknown"]
    assert (process.returncode, errors) == (3, "")


def test_a_task_definition(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "p.prp").write_text("CHECK( init(main()), LTL(G ! call(reach_error())) )\n")
    (home / "t.yml").write_text(
        "input_files: t.c\nproperties: [{property_file: p.prp}]\noptions: {data_model: ILP32}\n"
    )
    (home / "t.c").write_text(
        "void reach_error(void) {}\nint main(void) { if (sizeof(long) == 4) reach_error(); return 0; }\n"
    )
    assert run(["check", "t.yml"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "RESULT: false(unreach-call)"


def test_only_the_named_function_counts(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "p.prp").write_text("CHECK( init(main()), LTL(G ! call(disaster())) )\n")
    program = "#include <assert.h>\nvoid disaster(void) {{}}\nint main(void) {{ {}; return 0; }}\n"
    (home / "t.c").write_text(program.format("assert(0)"))
    assert run(["check", "t.c", "--property", "p.prp"]) == 0
    (home / "t.c").write_text(program.format("disaster()"))
    assert run(["check", "t.c", "--property", "p.prp"]) == 1
    assert "`disaster()` can be called" in capsys.readouterr().out


def test_a_compilation_database(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "a.c").write_text("#include <assert.h>\nint main(void) { assert(SMALL < LARGE); return 0; }\n")
    (home / "b.c").write_text("int main(void) { return 0; }\n")
    commands = {"a.c": "cc -DSMALL=1 -D LARGE=2 -c a.c", "b.c": "cc -c b.c"}
    entries = [{"directory": ".", "file": file, "command": text} for file, text in commands.items()]
    (home / "compile_commands.json").write_text(json.dumps(entries))
    assert run(["check", "compile_commands.json", "a.c"]) == 0
    assert run(["check", "compile_commands.json"]) == 2
    (message,) = capsys.readouterr().err.splitlines()
    assert "several files have a `main`: a.c and b.c" in message


def test_a_proof_that_rests_on_a_model_says_so_and_passes(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (home / "a.c").write_text(
        "#include <pthread.h>\nint *base_new(void);\nint shared;\n"
        "void *work(void *p) { shared++; return p; }\n"
        "int main(void) {\n  pthread_t t;\n  if (!base_new())\n    return 1;\n"
        "  pthread_create(&t, 0, work, 0);\n  shared++;\n  return 0; }\n"
    )
    (home / "models.c").write_text("int *base_new(void) { return 0; }\n")
    assert run(["check", "a.c", "--models", "models.c", "--json", "a.json", "--sarif", "a.sarif"]) == 0
    output = capsys.readouterr().out
    assert output.startswith(" SAFE, but line 8 always returns: no thread is started.")
    assert "That rests on `base_new`, which always returns 0 (models.c:1)." in output
    assert "Assumes: `base_new` does what models.c says;" in output
    assert output.splitlines()[-1] == "RESULT: true"
    (warning,) = json.loads((home / "a.json").read_text())["warnings"]
    assert (warning["kind"], warning["is_certain"]) == ("no-thread", True)
    (sarif,) = json.loads((home / "a.sarif").read_text())["runs"]
    assert sarif["results"] == []
    assert sarif["invocations"][0]["toolExecutionNotifications"][0]["level"] == "warning"
