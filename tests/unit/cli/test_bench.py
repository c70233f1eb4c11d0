"""`sley bench` as a user has it, with verifiers that are shell scripts."""

import csv
import errno
import json
import os
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

import sley
from sley.benchmarking.records import Records
from sley.benchmarking.runs import Outcome
from sley.cli.main import run

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(sley.__file__).parents[1])}
VERIFIERS = """\
reader:
  command: sh {here}/reader.sh {files} {flags}
  answers: {true: SAFE, false: BUG, unknown: UNKNOWN}
  reason: 'because (.*)'
"""
READER = """\
echo "$1" >> "$(dirname "$0")/calls"
sleep ${2:-0}
cat "$1"
"""
PROGRAMS = {"bug.c": "BUG", "safe.c": "SAFE", "lie.c": "BUG", "hard.c": "UNKNOWN because it is hard"}
TABLE = "file,property,expected\nbug.c,race,bug\nsafe.c,race,safe\nlie.c,race,safe\nhard.c,race,safe\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text + "\n")
    (tmp_path / "tasks.csv").write_text(TABLE)
    (tmp_path / "reader.sh").write_text(READER)
    (tmp_path / "mine.yml").write_text(VERIFIERS.replace("{here}", str(tmp_path)))
    return tmp_path


def bench(*flags: str) -> int:
    return run(["bench", "tasks.csv", "--verifiers", "mine.yml", "--verifier", "reader", "-o", "out", *flags])


def calls(folder: Path) -> int:
    return len((folder / "calls").read_text().splitlines())


def test_tables_and_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench("--verifier", "reader:slow=60", "--time-limit", "0.3s", "--jobs", "4") == 1
    output = capsys.readouterr().out
    assert "4 tasks, at most 0.3 s and 4000 MB each, 4 at a time" in output
    rows = [line.split() for line in output.splitlines()]
    assert ["reader", "4", "2", "1", "1", "1", "1"] in [row[:7] for row in rows]
    assert ["reader:slow", "4", "0", "0", "0", "0", "4"] in [row[:7] for row in rows]
    assert "WRONG  lie.c   race      reader       true      false" in output
    assert "hard.c  race      reader       true      unknown  it is hard" in output
    assert "true      time     time limit of 0.3 s" in output
    out = folder / "out"
    with (out / "results.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 8
    content = json.loads((out / "results.json").read_text())
    assert content["totals"]["reader"]["wrong"] == 1
    assert len(content["runs"]) == 8
    for picture in ("quantiles.svg", "scatter-reader-reader_slow.svg"):
        ElementTree.fromstring((out / picture).read_text())
    assert (out / "logs" / "reader" / "safe.c_race.log").read_text() == "SAFE\n"


def test_nothing_is_run_twice(folder: Path) -> None:
    assert bench() == 1
    assert bench() == 1
    assert calls(folder) == 4
    assert bench("--verifier", "reader:again") == 1
    assert calls(folder) == 8


def test_half_a_line_is_no_result(folder: Path) -> None:
    bench()
    results = folder / "out" / "results.jsonl"
    results.write_text(results.read_text()[:-20])
    bench()
    assert calls(folder) == 5
    assert all(json.loads(line) for line in results.read_text().splitlines())


def test_other_limits_do_not_compare(capsys: pytest.CaptureFixture[str]) -> None:
    bench()
    assert bench("--time-limit", "7s") == 2
    assert "verifier reader (seconds: 60.0, now 7.0)" in capsys.readouterr().err


def test_foreign_files_are_not_results(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").mkdir()
    (folder / "out" / "results.jsonl").write_text("hello\n")
    assert bench() == 2
    assert "these are no results of `sley bench`" in capsys.readouterr().err


def test_a_full_disk(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def add(records: Records, outcome: Outcome) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Records, "add", add)
    assert bench() == 2
    assert "cannot write results: no space left on device" in capsys.readouterr().err


def test_two_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with Records(Path("out")):
        assert bench() == 2
    assert "another run is writing here" in capsys.readouterr().err


def test_a_draw_is_on_record(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bench("--sample", "2", "--seed", "7")
    assert "2 of 4 tasks (seed 7)" in capsys.readouterr().out
    assert calls(folder) == 2
    assert json.loads((folder / "out" / "results.json").read_text())["settings"]["draw"]["seed"] == 7


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_an_interruption(folder: Path, number: signal.Signals) -> None:
    command = [sys.executable, "-m", "sley", "bench", "tasks.csv", "--verifiers", "mine.yml", "-o", "out"]
    command += ["--verifier", "reader=61.5", "--jobs", "2"]
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        while not (folder / "calls").exists() or calls(folder) < 2:
            time.sleep(0.01)
        process.send_signal(number)
        output, _ = process.communicate(timeout=240)
    assert process.returncode == 3
    assert "interrupted: the same command goes on from here" in output
    sleeping = subprocess.run(["pgrep", "-f", "sleep 61.5"], capture_output=True, check=False)
    assert sleeping.stdout == b""


def test_a_missing_verifier(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert run(["bench", "tasks.csv", "--verifier", "deagle", "-o", "out"]) == 2
    assert "deagle: there is no `deagle` on PATH" in capsys.readouterr().err


def test_sley_itself(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "safe.c").write_text("int main(void) { return 0; }\n")
    assert run(["bench", "safe.c", "-p", "reach", "--config", "explore=--engine explore", "-o", "out"]) == 0
    assert "explore      1      0     0      0      0          0         1" in capsys.readouterr().out
