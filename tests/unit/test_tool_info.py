"""BenchExec's own test of tool-info modules, and what it does not look at."""

import os
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import sley
from sley.tool_info import Tool

MODULE = "sley.tool_info"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(sley.__file__).parents[1])}
DEFINITION = """\
input_files: [a.c, b.c]
properties: [{property_file: race.prp}]
options: {language: C, data_model: ILP32}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sley").write_text(f'#!/bin/sh\nexec {sys.executable} -m sley "$@"\n')
    (tmp_path / "sley").chmod(0o755)
    for name in ("a.c", "b.c", "race.prp"):
        (tmp_path / name).write_text("")
    (tmp_path / "task.yml").write_text(DEFINITION)
    (tmp_path / "output.txt").write_text("BUG\nRESULT: false(no-data-race)\n")
    return tmp_path


def test_benchexec_accepts_it(folder: Path) -> None:
    command = [sys.executable, "-m", "benchexec.test_tool_info", MODULE, "--no-container"]
    command += ["--tool-directory", ".", "--task-definition", "task.yml", "--tool-output", "output.txt"]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr
    assert f"Version: “{sley.__version__}”" in done.stderr
    lines = re.findall(r"^Command line .*?:\n\t“(.*)”$", done.stderr, re.MULTILINE)
    assert (
        "['./sley', 'check', 'INPUT.FILE', '--property', 'PROPERTY.PRP', '--data-model', 'ILP32', "
        "'--time-limit', '900s']"
    ) in lines
    assert "['./sley', 'check', 'a.c', 'b.c', '--property', 'race.prp', '--data-model', 'ILP32']" in lines
    assert "“false(no-data-race)”" in done.stderr


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        (["RESULT: true"], "true"),
        (["REASON: x", "RESULT: unknown"], "unknown"),
        (["sley: internal error"], "ERROR"),
    ],
)
def test_results(output: list[str], expected: str) -> None:
    assert Tool().determine_result(SimpleNamespace(output=output)) == expected


def test_limits_are_told_once() -> None:
    task = SimpleNamespace(input_files_or_identifier=["a.c"], property_file=None, options=None)
    limits = SimpleNamespace(walltime=None, cputime=9, memory=4_000_000_000)
    command = Tool().cmdline("sley", ["--time-limit", "5s"], task, limits)
    assert command == ["sley", "check", "a.c", "--time-limit", "5s", "--memory-limit", "4000MB"]
