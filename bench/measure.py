"""One run of `sley check` in a process of its own, measured: processor time, answer, statistics."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

GRACE = 60.0
"""Seconds after its time limit that a run gets to end by itself."""


@dataclass(frozen=True)
class Measurement:
    """What one run cost and what it said; ``answer`` is that of the report, or what went wrong."""

    answer: str
    seconds: float
    """Processor time of the whole process, from the C file to the checked answer."""
    statistics: Mapping[str, float] = field(default_factory=dict)
    reason: str | None = None

    def count(self, name: str) -> int | None:
        """A number of the statistics; None if the engine does not count it."""
        return int(self.statistics[name]) if name in self.statistics else None

    @property
    def is_decided(self) -> bool:
        return self.answer in ("safe", "bug")


def measure(program: Path, flags: Sequence[str], seconds: float) -> Measurement:
    """Check a program with a time limit."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "sley", "check", str(program), *flags]
        command += ["--time-limit", f"{seconds:g}s", "--json", str(report)]
        environment = {**os.environ, "XDG_CACHE_HOME": folder}
        before = os.times()
        try:
            done = subprocess.run(
                command, capture_output=True, text=True, env=environment, timeout=seconds + GRACE, check=False
            )
        except subprocess.TimeoutExpired:
            return Measurement("does not stop", _child_seconds(before))
        spent = _child_seconds(before)
        if not report.exists():
            return Measurement(f"exit code {done.returncode}", spent, reason=done.stderr.strip())
        content = json.loads(report.read_text(encoding="utf-8"))
    numbers = {k: v for k, v in content["statistics"].items() if isinstance(v, int | float)}
    return Measurement(content["answer"], spent, numbers, content["reason"])


def _child_seconds(before: os.times_result) -> float:
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
