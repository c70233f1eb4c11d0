"""``sley check prog.c -- ARGS``: what the program is started with, up to the real program."""

import json
import shutil
from pathlib import Path

import pytest

from sley.cli.main import run

PROGRAM = """\
#include <assert.h>
#include <string.h>
int main(int argc, char **argv)
{
    int wrong = argc == 3 && strcmp(argv[2], "it's \\"$HOME\\" \\\\\\n") == 0;
    assert(!wrong);
    return 0;
}
"""
WRONG = ("--help", 'it\'s "$HOME" \\\n')


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text(PROGRAM)
    return tmp_path


def test_words_behind_two_dashes_are_for_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "a.c", "-p", "reach", "--", *WRONG]) == 1
    assert run(["a.c", "-p", "reach", "--", *WRONG]) == 1
    assert run(["check", "a.c", "-p", "reach", "--", "--help", "--", "-p"]) == 0
    assert run(["check", "a.c", "-p", "reach", "--"]) == 0
    capsys.readouterr()
    assert run(["check", "-p", "reach", "--", "a.c"]) == 2
    assert "no files" in capsys.readouterr().err


def test_the_configuration_can_have_them(home: Path) -> None:
    listed = ", ".join(json.dumps(word) for word in WRONG)
    (home / "sley.toml").write_text(f"files = ['a.c']\narguments = [{listed}]\nproperties = ['reach']\n")
    assert run(["check"]) == 1
    assert run(["check", "--", "x"]) == 0


def test_a_report_keeps_them(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "a.c", "-p", "reach", "--json", "r.json", "--", *WRONG]) == 1
    assert json.loads((home / "r.json").read_text())["task"]["arguments"] == list(WRONG)
    assert run(["replay", "r.json"]) == 1
    assert run(["replay", "--step", "r.json"]) == 1
    capsys.readouterr()


def test_a_single_run_gets_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "--seed", "1", "a.c", "--", *WRONG]) == 1
    assert run(["run", "--seed", "1", "a.c", "--", "x"]) == 0
    capsys.readouterr()


@pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("objcopy") is None,
    reason="gcc or the binutils are not installed: nothing can be replayed on the real program",
)
def test_the_real_program_gets_them(capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "a.c", "-p", "reach", "--", *WRONG])
    capsys.readouterr()
    assert run(["replay", "--native"]) == 1
    assert "Reproduced      assertion failed at a.c:6" in capsys.readouterr().out


def test_only_programs_are_started_with_arguments(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "l.c").write_text("void f(void) {}\n")
    assert run(["check", "l.c", "--entry", "f", "--", "x"]) == 2
    assert "are for C programs with a `main`" in capsys.readouterr().err
    assert run(["explain", "--", "race"]) == 0
