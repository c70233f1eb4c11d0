"""Same input, same output: nothing depends on hash seeds."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.c"))


def checked(program: Path, folder: Path, seed: str) -> tuple[str, dict[str, Any]]:
    report = folder / f"{seed}.json"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(folder)}
    command = [sys.executable, "-m", "sley", "check", str(program), "--json", str(report)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr
    content: dict[str, Any] = json.loads(report.read_text())
    del content["times"]
    if content["checked"] is not None:  # there are as many runs as there is time for
        del content["checked"]["runs"], content["checked"]["states"]
    told = re.sub(r"\d+ random runs fit it \(\d+ states\)", "", " ".join(done.stdout.split()))
    return re.sub(r" \d+(\.\d+)? m?s\b", "", told), content


@pytest.mark.parametrize("program", EXAMPLES, ids=lambda path: path.stem)
def test_two_hash_seeds_give_the_same_report(program: Path, tmp_path: Path) -> None:
    assert checked(program, tmp_path, "1") == checked(program, tmp_path, "2")
