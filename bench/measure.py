"""One run of `sley check` in a process of its own: processor time, peak memory, answer, statistics."""

import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bench.running.processes import Limits, run

PATIENCE, GRACE = 6, 60.0
"""A limit is one of processor time: a busy machine has so many times as long in real time, and so many
seconds to end by itself."""
OVER = "over the limit"
NO_BUG = "no bug"
"""The answer for a slice of a run that has none: it was searched, and says nothing of other runs."""


@dataclass(frozen=True)
class Measurement:
    """What one run cost and what it said; ``answer`` is that of the report, or what went wrong."""

    answer: str
    seconds: float
    """Processor time of all processes of the run, from the C file to the checked answer."""
    statistics: Mapping[str, float] = field(default_factory=dict)
    reason: str | None = None
    megabytes: float = 0.0
    """Peak memory of all processes of the run together."""

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


def measure(program: Path, flags: Sequence[str], seconds: float) -> Measurement:
    """Check a program with a limit of processor time."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "sley", "check", str(program), *flags]
        patience = PATIENCE * seconds
        command += ["--time-limit", f"{patience:g}s", "--json", str(report)]
        done = run(command, Limits(patience + GRACE, cpu_seconds=seconds))
        if done.exit_code is None:
            answer = OVER if done.ended_by == "cpu time" else "does not stop"
            return Measurement(answer, done.cpu_seconds, megabytes=done.megabytes)
        if not report.exists():
            answer = f"exit code {done.exit_code}"
            return Measurement(answer, done.cpu_seconds, reason=done.output.strip(), megabytes=done.megabytes)
        content = json.loads(report.read_text(encoding="utf-8"))
    answer, reason = content["answer"], content["reason"]
    if reason is not None and reason.startswith("nothing was found in the slice"):
        answer = NO_BUG
    numbers = {k: v for k, v in content["statistics"].items() if isinstance(v, int | float)}
    if content["checks"] is not None:
        numbers["open checks"] = len(content["checks"]["open"])
    return Measurement(answer, done.cpu_seconds, numbers, reason, done.megabytes)
