"""Same input, same output: nothing depends on hash seeds."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ENGINES = {
    "deadlock": "explore",
    "hand_over": "impact",
    "handshake": "impact",
    "locked_update": "bmc",
    "lost_update": "explore",
}
"""One for each example: of several, the first to answer would depend on the machine."""


def checked(program: Path, folder: Path, seed: str) -> tuple[str, dict[str, Any]]:
    report = folder / f"{seed}.json"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "XDG_CACHE_HOME": str(folder)}
    flags = ["--engine", ENGINES[program.stem], "--json", str(report)]
    command = [sys.executable, "-m", "sley", "check", str(program), *flags]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode in (0, 1), done.stderr
    content: dict[str, Any] = json.loads(report.read_text())
    del content["times"]
    counted = content["statistics"].items()
    content["statistics"] = {name: value for name, value in counted if not name.startswith("seconds")}
    if content["checked"] is not None:  # there are as many runs as there is time for
        del content["checked"]["runs"], content["checked"]["states"]
    told = re.sub(r"\d+ random runs fit it \(\d+ states\)", "", " ".join(done.stdout.split()))
    return re.sub(r" \d+(\.\d+)? m?s\b", "", told), content


@pytest.mark.parametrize("program", sorted(EXAMPLES.glob("*.c")), ids=lambda path: path.stem)
def test_two_hash_seeds_give_the_same_report(program: Path, tmp_path: Path) -> None:
    assert checked(program, tmp_path, "1") == checked(program, tmp_path, "2")
