"""Attacks on everything beside the C file: a part of them by lot, all of them in `make bench-attacks`."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from bench.attacks.code import EXECUTED, IN_A_THREAD, PROPERTY, TASK

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "locked_update.c"
EACH = 4
"""Of each group."""


def test_attacks_do_no_harm() -> None:
    command = [sys.executable, "-m", "bench.attacks", "--draw", str(EACH), "--seed", "36"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _imported() -> set[str]:
    """The first names of all modules that sley imports, and of those that these import."""
    found = {name.partition(".")[0] for name in sys.modules}
    for path in (ROOT / "src" / "sley").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {one.name.partition(".")[0] for one in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                found.add(node.module.partition(".")[0])
    return {name for name in found if name.isidentifier()}


@pytest.mark.parametrize("words", ["check x.c", "check t.yml", "a thread"])
def test_nothing_of_the_folder_is_imported(words: str, tmp_path: Path) -> None:
    for name in _imported():
        (tmp_path / f"{name}.py").write_text(EXECUTED)
    (tmp_path / "safe.c").write_text(EXAMPLE.read_text())
    (tmp_path / "x.c").write_text(EXAMPLE.read_text())
    (tmp_path / "t.yml").write_text(TASK)
    (tmp_path / "p.prp").write_text(PROPERTY)
    what = ["-c", IN_A_THREAD] if words == "a thread" else ["-m", "sley", *words.split()]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    done = subprocess.run(
        [sys.executable, "-P", *what],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "canary").exists()
