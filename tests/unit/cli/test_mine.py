"""``sley mine`` as a command line."""

from pathlib import Path

import pytest

from sley.cli.main import run
from sley.engines.bmc.likely.file import read_likely
from sley.verification.reading import program_of
from sley.verification.task import Task

EXAMPLES = Path(__file__).parents[3] / "examples"
LOCKED = EXAMPLES / "locked_update.c"


def test_it_prints_the_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mine", str(LOCKED)]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("# Likely data-flow invariants: ")
    assert 'text: "int tmp = counter"\n    variable: "counter"' in output.out
    assert output.err == ""
    likely = read_likely(output.out, "inv.yml", program_of(Task(paths=(LOCKED,))))
    assert likely.runs == 50


def test_it_writes_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "inv.yml"
    assert run(["mine", str(LOCKED), "-o", str(file), "--runs", "7", "--seed", "3"]) == 0
    assert capsys.readouterr().out == ""
    assert "\nruns: 7\n" in file.read_text()
    again = tmp_path / "again.yml"
    assert run(["mine", str(LOCKED), "-o", str(again), "--runs", "7", "--seed", "3"]) == 0
    assert again.read_text() == file.read_text()


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--runs", "0"], "argument --runs: `0` is not a positive whole number"),
        (["--seed", "x"], "argument --seed: invalid int value: 'x'"),
        (["-o", "-"], "`-` is no file: name one for the result"),
        (["-o", "nowhere/inv.yml"], "nowhere/inv.yml:1:1: cannot write the result here"),
    ],
)
def test_errors_are_one_line(flags: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mine", str(LOCKED), *flags]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"sley: {message}")
    assert error.count("\n") == 1


def test_a_limit_ends_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["mine", str(LOCKED), "--runs", "1000000", "--time-limit", "1s"]) == 3
    assert capsys.readouterr().out == "REASON: time limit of 1 s reached\nRESULT: unknown\n"
