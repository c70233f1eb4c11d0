"""What the wheel has beside the package: scripts for shells, made when it is built."""

import sys
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "src"))

from sley.cli import completion  # noqa: E402 - it is not installed yet


def made(name: str, text: str) -> tuple[str, list[str]]:
    """A file below ``build/``, as setuptools wants to know of it."""
    file = Path("build") / name
    (ROOT / file).parent.mkdir(parents=True, exist_ok=True)
    (ROOT / file).write_text(text, encoding="utf-8")
    return str(Path(name).parent), [str(file)]


setup(data_files=[made(name, completion.script(shell)) for shell, name in completion.FILES.items()])
