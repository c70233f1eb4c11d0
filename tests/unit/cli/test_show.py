"""``sley show tree`` and ``sley show invariants`` as command lines."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from sley.cli.main import run

EXAMPLES = Path(__file__).parents[3] / "examples"
LOCKED, LOST = str(EXAMPLES / "locked_update.c"), str(EXAMPLES / "lost_update.c")
REACH = ["--property", "reach", "--time-limit", "60s"]


def test_a_proof_is_printed_as_a_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "tree", LOCKED, *REACH]) == 0
    out = capsys.readouterr().out
    assert re.match(r" Proof  an inductive tree of \d+ nodes, .*; accepted by its checker\.\n", out)
    assert "worker#1: 8 pthread_mutex_lock(&lock)\n" in out


def test_a_tree_without_proof_says_what_was_found(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "tree", LOST, *REACH]) == 0
    out = capsys.readouterr().out
    assert re.match(r" No proof  the tree so far, \d+ nodes: false\(unreach-call\)\n", out)
    assert " #0 start\n" in out


def test_pictures(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "tree", LOCKED, *REACH, "--dot"]) == 0
    assert capsys.readouterr().out.startswith("digraph tree {")


def test_options_of_the_engine_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "tree", LOCKED, *REACH, "--interleaving", "full"]) == 0
    assert "skipped: main" not in capsys.readouterr().out


def test_invariants_in_c(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "invariants", LOCKED, *REACH]) == 0
    out = capsys.readouterr().out
    assert "accepted by its checker.\n" in out
    assert "   before line 9: int tmp = counter;\n      0 <= counter && counter <= 1\n" in out
    assert " While nobody holds lock\n      0 <= counter && counter <= 2\n" in out


def test_without_a_proof_there_are_no_invariants(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "invariants", LOST, *REACH]) == 1
    out = capsys.readouterr().out
    assert "There is no proof: there is a violation (false(unreach-call)): `sley check` shows it" in out


def test_the_events_of_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "skeleton", LOST, *REACH]) == 0
    assert "counter = counter@8 + 1\n" in capsys.readouterr().out
    assert run(["show", "skeleton", LOST, "--unwind", "0"]) == 2
    assert capsys.readouterr().err.startswith("sley: argument --unwind: `0` is not a positive whole number")


@pytest.mark.parametrize("command", ["show cfg", "show skeleton", "run --seed 1", "mine", "check"])
def test_reading_a_program_ends_with_the_time(command: str, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    text = "#define TEXT(x) #x\n#define MORE(x) TEXT(x)\n#include MORE(pipe)\nint main(void) { return 0; }\n"
    (tmp_path / "a.c").write_text(text)
    words = [sys.executable, "-P", "-m", "sley", *command.split(), "a.c", "--time-limit", "1s"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 3
    assert "time limit of 1 s reached" in done.stdout
