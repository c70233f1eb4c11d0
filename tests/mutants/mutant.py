"""A seeded fault as a patch file, and a copy of the source that has it."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

FOLDER = Path(__file__).parent
SOURCE = FOLDER.parents[1] / "src"


@dataclass(frozen=True)
class Mutant:
    """One fault."""

    path: Path
    fault: str
    engine: str
    """Its name, and options if it takes some for the fault to show."""
    witnesses: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.stem


def mutants() -> list[Mutant]:
    return [read_mutant(path) for path in sorted(FOLDER.glob("*.patch"))]


def read_mutant(path: Path) -> Mutant:
    heads = dict(line.split(": ", 1) for line in path.read_text().splitlines()[:3])
    return Mutant(path, heads["Fault"], heads["Engine"], tuple(heads["Witnesses"].split()))


@contextmanager
def mutated_source(mutant: Mutant) -> Iterator[Path]:
    """A copy of ``src`` with the fault in it; raises if the patch does not fit the source any more."""
    with TemporaryDirectory() as folder:
        shutil.copytree(SOURCE, Path(folder) / "src", ignore=shutil.ignore_patterns("__pycache__"))
        _apply(mutant, folder)
        yield Path(folder) / "src"


def mutated_files(mutant: Mutant) -> list[tuple[str, str]]:
    """The files that the fault is in, without and with it; raises if the patch does not fit any more."""
    names = re.findall(r"^--- a/(\S+)$", mutant.path.read_text(), re.MULTILINE)
    with TemporaryDirectory() as folder:
        for name in names:
            copy = Path(folder) / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text((SOURCE.parent / name).read_text())
        _apply(mutant, folder)
        return [((SOURCE.parent / name).read_text(), (Path(folder) / name).read_text()) for name in names]


def _apply(mutant: Mutant, folder: str) -> None:
    command = ["git", "apply", str(mutant.path)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise ValueError(f"{mutant.path.name} does not fit the source: {done.stderr}")
