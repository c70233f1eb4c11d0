"""Where output goes nowhere, and interruptions before there is anything to interrupt."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from sley.cli.main import run
from sley.cli.terminal import ProgressLine, width
from sley.verification.observer import Doing, Phase

ROOT = Path(__file__).parents[3]
LOCKED = str(ROOT / "examples" / "locked_update.c")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


COMMANDS = [["check"], ["show", "cfg"], ["show", "skeleton"], ["mine"]]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_full_disk(
    command: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert run([*command, LOCKED]) == 2
        monkeypatch.undo()
    assert capsys.readouterr().err == "sley: cannot print the result: No space left on device\n"


def test_closed_streams() -> None:
    """What is opened first would get the numbers of the closed ones, and whatever is printed."""
    command = f"exec {sys.executable} -m sley check {LOCKED} <&- >&- 2>&-"
    assert subprocess.run(command, shell=True, env=ENVIRONMENT, check=False).returncode == 0


def test_an_interruption_while_modules_are_read(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sley.cli.application.invoke", interrupted)
    assert run(["check", LOCKED]) == 3
    assert capsys.readouterr().out == "REASON: interrupted\nRESULT: unknown\n"


def test_progress_needs_no_thread(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A process with threads cannot be forked."""
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    threads = threading.active_count()
    with ProgressLine() as progress:
        progress.refresh()
        assert threading.active_count() == threads
    assert "MB  reading the program" in capsys.readouterr().err


def test_progress_says_how_far_engines_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setattr("sley.cli.terminal.REFRESH", 0)
    with ProgressLine() as progress:
        progress.remaining = lambda: 42.0
        progress.entered(Phase.SEARCHING)
        progress.doing(Doing("explore", "120 states"))
        progress.doing(Doing("bmc", "bound 3"))
        progress.doing(Doing("bmc", ""))
        progress.doing(Doing("explore", "x" * 500))
        progress.entered(Phase.CHECKING)
    shown = capsys.readouterr().err.split("\r\x1b[K")
    assert shown[2].startswith("0 s, 42 s left, ")
    assert shown[3].endswith("MB  explore: 120 states, bmc: bound 3")
    assert shown[4].endswith("MB  explore: 120 states")
    assert len(shown[5]) < 80
    assert shown[6].endswith("checking the proof")
    assert shown[-1] == ""


@pytest.mark.parametrize(("columns", "expected"), [("80", 80), ("300", 100), ("3", 40), ("", 100)])
def test_columns_counts_when_piped(monkeypatch: pytest.MonkeyPatch, columns: str, expected: int) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("sys.__stdout__", None)
    assert width() == expected
