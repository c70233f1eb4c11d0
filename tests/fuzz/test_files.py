"""A small part of `make fuzz-files`."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_damaged_files_are_refused_in_one_line() -> None:
    command = [sys.executable, "-m", "tests.fuzz.files", "--seed", "36", "--count", "480"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
