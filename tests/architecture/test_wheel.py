"""What is installed is all that is needed: ``pip install .`` makes a wheel that works elsewhere."""

import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

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


@pytest.mark.long
def test_the_wheel_works_outside_the_tree(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", ".", str(ROOT)], check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    names = ZipFile(wheel).namelist()
    for name in ("man/man1/sley.1", "bash-completion/completions/sley", "zsh/site-functions/_sley"):
        assert any(one.endswith(f"share/{name}") for one in names)
    venv.create(tmp_path / "venv", with_pip=True)
    bin_ = tmp_path / "venv/bin"
    install = [str(bin_ / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(install, check=True, cwd=tmp_path)
    for name, code in (("lost_update", 1), ("locked_update", 0)):
        (tmp_path / f"{name}.c").write_text((ROOT / f"examples/{name}.c").read_text())
        done = subprocess.run(
            [bin_ / "sley", "check", f"{name}.c"], capture_output=True, cwd=tmp_path, check=False
        )
        assert done.returncode == code
    for words in (["explain", "race"], ["man"], ["completion", "fish"]):
        subprocess.run([bin_ / "sley", *words], check=True, capture_output=True, cwd=tmp_path)
    assert (tmp_path / "venv/share/man/man1/sley.1").is_file()
