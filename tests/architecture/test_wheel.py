"""What is installed is all that is needed: ``pip install .`` makes a wheel that works elsewhere."""

import os
import subprocess
import sys
import tomllib
import venv
from pathlib import Path

import pytest

from sley.cli import completion

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src/sley"


def test_every_file_beside_the_modules_is_package_data() -> None:
    patterns = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-data"][
        "sley"
    ]
    declared = {file for pattern in patterns for file in PACKAGE.glob(pattern)}
    listed = subprocess.run(
        ["git", "ls-files", "src/sley"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    present = {ROOT / name for name in listed.stdout.split()} or set(PACKAGE.rglob("*.*"))
    others = {file for file in present if file.is_file() and file.suffix not in (".py", ".pyc")}
    assert others - declared == set()
    assert [pattern for pattern in patterns if not list(PACKAGE.glob(pattern))] == []


def called(folder: Path, *words: object) -> int:
    """The exit code of a command in a folder, which knows nothing of this tree."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = list(map(str, words))
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False).returncode


@pytest.mark.long
def test_the_wheel_works_outside_the_tree(tmp_path: Path) -> None:
    assert called(tmp_path, sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", ".", ROOT) == 0
    (wheel,) = tmp_path.glob("*.whl")
    venv.create(tmp_path / "venv", with_pip=True)
    programs = tmp_path / "venv/bin"
    assert called(tmp_path, programs / "python", "-m", "pip", "install", wheel) == 0
    for name, code in (("lost_update", 1), ("locked_update", 0)):
        (tmp_path / f"{name}.c").write_text((ROOT / f"examples/{name}.c").read_text())
        assert called(tmp_path, programs / "sley", "check", f"{name}.c") == code
    for words in (["explain", "race"], ["man"], ["completion", "fish"]):
        assert called(tmp_path, programs / "sley", *words) == 0
    for name in completion.FILES.values():
        assert (tmp_path / "venv" / name).is_file()
