"""The way of a command to its engine and through it: which rooms it enters, one after another.

    python -m tests.architecture.walk check --engine explore examples/lost_update.c

A *room* is a package right below ``sley``. Modules are listed in the order in which one of their functions is
called first; imports do not count. The way goes from the process of the command to the worker and on to the
engine: a process that has forked only waits. Two neighbours of different rooms are a *change of room*. The
front end and the passes are pipelines: what they call in other rooms while they run is counted only with
``--raw``.
"""

import os
import subprocess
import sys
import tempfile
import threading
from itertools import groupby
from pathlib import Path
from types import FrameType

SOURCE = Path(__file__).parents[2] / "src" / "sley"
PIPELINES = ("frontend", "passes")


class Watch:
    """Writes down modules when they are first entered, until the process forks; there the child goes on."""

    def __init__(self, file: Path, pipelines: tuple[str, ...]) -> None:
        self.file = os.open(file, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        self.pipelines = pipelines
        self.seen: set[str] = set()
        self.importing = 0
        self.pipeline: tuple[str, FrameType] | None = None

    def start(self) -> None:
        os.register_at_fork(after_in_parent=self.stop)
        threading.setprofile(self.event)
        sys.setprofile(self.event)

    def stop(self) -> None:
        threading.setprofile(None)
        sys.setprofile(None)

    def event(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if code.co_name == "<module>" and event in ("call", "return"):
            self.importing += 1 if event == "call" else -1
        elif event == "return" and self.pipeline is not None and frame is self.pipeline[1]:
            self.pipeline = None
        elif event == "call" and not self.importing and code.co_filename.startswith(f"{SOURCE}{os.sep}"):
            self.entered(str(Path(code.co_filename).relative_to(SOURCE).with_suffix("")), frame)

    def entered(self, module: str, frame: FrameType) -> None:
        room = module.partition("/")[0]
        if self.pipeline is None and room in self.pipelines:
            self.pipeline = room, frame
        if module not in self.seen and (self.pipeline is None or self.pipeline[0] == room):
            self.seen.add(module)
            os.write(self.file, f"{module}\n".encode())


def walk(*words: str, raw: bool = False) -> list[str]:
    """The modules that a command enters, in order."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "walk"
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        command = [sys.executable, "-m", "tests.architecture.walk", "--into", str(file), *["--raw"] * raw]
        subprocess.run([*command, *words], env=environment, stdout=subprocess.DEVNULL, check=False)
        return file.read_text().split()


def rooms(modules: list[str]) -> list[tuple[str, list[str]]]:
    """Neighbours of one room together."""
    return [(room, list(some)) for room, some in groupby(modules, lambda one: one.partition("/")[0])]


def before_engine(modules: list[str], engine: str) -> list[str]:
    """The modules up to the first one of an engine."""
    return modules[: next(n for n, one in enumerate(modules) if one.startswith(f"engines/{engine}/")) + 1]


def _run(file: Path, words: list[str], pipelines: tuple[str, ...]) -> int:
    import sley.cli.application  # noqa: F401, PLC0415 - what is imported at the start is not watched
    from sley.cli.main import run  # noqa: PLC0415

    Watch(file, pipelines).start()
    return run(words)


def main(words: list[str]) -> int:
    is_raw = "--raw" in words
    words = [word for word in words if word != "--raw"]
    if words[0] == "--into":
        return _run(Path(words[1]), words[2:], () if is_raw else PIPELINES)
    found = rooms(walk(*words, raw=is_raw))
    for room, modules in found:
        sys.stdout.write(f"{room}: {', '.join(one.partition('/')[2] for one in modules)}\n")
    count = sum(len(modules) for _, modules in found)
    sys.stdout.write(f"{count} modules, {len(found) - 1} changes of room\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
