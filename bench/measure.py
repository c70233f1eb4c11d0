"""One run of a tool in a process of its own, measured: processor time, peak memory, answer, statistics."""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

GRACE = 60.0
"""Seconds after its time limit that a run gets to end by itself."""
POLL = 0.01
NO_BUG = "no bug"
"""The answer for a slice of a run that has none: it was searched, and says nothing of other runs."""


@dataclass(frozen=True)
class Measurement:
    """What one run cost and what it said; ``answer`` is that of the report, or what went wrong."""

    answer: str
    seconds: float
    """Processor time of the whole process, from the C file to the checked answer."""
    statistics: Mapping[str, float] = field(default_factory=dict)
    reason: str | None = None
    megabytes: float = 0.0
    """Peak memory of the process or of one that it started, whichever had more."""

    def count(self, name: str) -> int | None:
        """A number of the statistics; None if the engine does not count it."""
        return int(self.statistics[name]) if name in self.statistics else None

    @property
    def is_decided(self) -> bool:
        return self.answer in ("safe", "bug", NO_BUG)

    @property
    def is_refused(self) -> bool:
        """There is no report, as after a flag that does not exist."""
        return self.answer.startswith("exit code")


@dataclass(frozen=True)
class Run:
    """A process that has ended; ``exit_code`` is None if it had to be stopped."""

    exit_code: int | None
    seconds: float
    megabytes: float
    output: str
    errors: str


def measure(program: Path, flags: Sequence[str], seconds: float) -> Measurement:
    """Check a program with a time limit."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "sley", "check", str(program), *flags]
        command += ["--time-limit", f"{seconds:g}s", "--json", str(report)]
        done = run(command, seconds + GRACE, {**os.environ, "XDG_CACHE_HOME": folder})
        if done.exit_code is None:
            return Measurement("does not stop", done.seconds, megabytes=done.megabytes)
        if not report.exists():
            answer = f"exit code {done.exit_code}"
            return Measurement(answer, done.seconds, reason=done.errors.strip(), megabytes=done.megabytes)
        content = json.loads(report.read_text(encoding="utf-8"))
    answer, reason = content["answer"], content["reason"]
    if reason is not None and reason.startswith("nothing was found in the slice"):
        answer = NO_BUG
    numbers = {k: v for k, v in content["statistics"].items() if isinstance(v, int | float)}
    return Measurement(answer, done.seconds, numbers, reason, done.megabytes)


def run(
    command: Sequence[str],
    seconds: float,
    environment: Mapping[str, str] | None = None,
    processor_seconds: float = math.inf,
    gigabytes: float | None = None,
) -> Run:
    """Run a command for at most ``seconds`` of real time, and within its other limits if there are any."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, env=environment, start_new_session=True
        )
        if gigabytes is not None:
            room = round(gigabytes * 2**30)
            resource.prlimit(process.pid, resource.RLIMIT_AS, (room, room))
        code, usage = _wait(process, seconds, processor_seconds)
        texts = []
        for file in (output, errors):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    spent = usage.ru_utime + usage.ru_stime
    return Run(code, spent, usage.ru_maxrss / 1024, *texts)


def _wait(
    process: subprocess.Popen[bytes], seconds: float, processor_seconds: float
) -> tuple[int | None, resource.struct_rusage]:
    """The exit code (None after a kill) and what the process and those that it waited for have used."""
    end = time.monotonic() + seconds
    clock = (~process.pid << 3) | 2  # Linux: that of the process. Limits by the kernel are coarse.
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage
        if time.monotonic() > end or time.clock_gettime(clock) > processor_seconds:
            break
        time.sleep(POLL)
    os.killpg(process.pid, 9)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return None, usage
