"""Commands under limits: each is a tree of processes of its own, measured as a whole and surely ended."""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from sley.base.errors import InputError

_SUPERVISOR = Path(__file__).with_name("supervisor.py")
MOST_OUTPUT = 4_000_000
"""Bytes of output that are looked at, from its end."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may use; None: as much as it likes."""

    seconds: float | None = None
    """Of real time."""
    cpu_seconds: float | None = None
    megabytes: float | None = None


@dataclass(frozen=True, slots=True)
class Ended:
    """A command that has ended, with all its descendants."""

    exit_code: int | None
    """None if it had to be ended, or could not be started."""
    ended_by: str | None
    """``time``, ``cpu time``, ``memory``, ``interrupted``, or why it could not be started."""
    wall_seconds: float
    cpu_seconds: float
    """Of all processes of the tree together."""
    megabytes: float
    """The peak of all processes of the tree together; what they share counts once."""
    left_behind: int
    """How many processes were still there half a second after the command had ended by itself."""
    output: str
    """Both streams, as they came; the end of it if there is much."""


class Runner:
    """Runs commands, from several threads if need be; ``stop`` ends all of them, now and later."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[str]] = set()
        self.is_stopped = False

    def run(
        self,
        command: Sequence[str],
        limits: Limits,
        *,
        environment: Mapping[str, str] | None = None,
        folder: Path | None = None,
        output: Path | None = None,
    ) -> Ended:
        """Run a command to its end, or to its limit; its output is kept in ``output``.

        What it puts into temporary files and the user's cache is gone afterwards.
        """
        if output is None:
            with tempfile.NamedTemporaryFile() as file:
                output = Path(file.name)
                return self.run(command, limits, environment=environment, folder=folder, output=output)
        order = {
            "command": list(command),
            "environment": dict(os.environ if environment is None else environment),
            "folder": None if folder is None else str(folder),
            "output": str(output),
            **asdict(limits),
        }
        told = self._supervised(json.dumps(order))
        if not told:
            return Ended(None, "its supervisor was ended", 0.0, 0.0, 0.0, 0, "")
        return Ended(**json.loads(told), output=_end_of(output))

    def _supervised(self, order: str) -> str:
        # Not `with`: leaving it would wait, and whoever interrupts us wants the tree to end.
        supervisor = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_SUPERVISOR)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert supervisor.stdin is not None
        assert supervisor.stdout is not None
        try:
            supervisor.stdin.write(order + "\n")
            supervisor.stdin.flush()
            with self._lock:
                self._running.add(supervisor)
                if self.is_stopped:
                    supervisor.stdin.close()
            told = supervisor.stdout.read()
        finally:
            with self._lock:
                self._running.discard(supervisor)
                supervisor.stdin.close()
            supervisor.wait()
            supervisor.stdout.close()
        return told

    def stop(self) -> None:
        """End all runs; further ones end as soon as they begin."""
        with self._lock:
            self.is_stopped = True
            for supervisor in self._running:
                assert supervisor.stdin is not None
                supervisor.stdin.close()


def require_linux() -> None:
    """Trees of processes are measured by what Linux says of them."""
    if sys.platform != "linux":
        raise InputError("measuring runs needs Linux")


def run(command: Sequence[str], limits: Limits, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a single command."""
    return Runner().run(command, limits, environment=environment)


def _end_of(path: Path) -> str:
    """The last part of a file."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - MOST_OUTPUT))
        return file.read().decode(errors="replace")
