"""One verifier on one task, under limits: what it said, whether that is right, and what it cost."""

from dataclasses import asdict, dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

from bench.running.processes import Ended, Limits, Runner
from bench.running.tasks import BenchTask
from bench.running.verifiers import DECIDED, Verifier

GRACE = 2.0
"""Seconds more for a verifier that was told the limit, to say how far it came: an answer comes too late."""
UNSUPPORTED = "unsupported"
INTERRUPTED = "interrupted"


class Category(Enum):
    """What an answer is worth."""

    RIGHT = "right"
    WRONG = "wrong"
    UNDECIDED = "undecided"
    UNJUDGED = "unjudged"
    """An answer where nobody says what is true."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run, as it is written down."""

    verifier: str
    task: str
    property: str
    expected: str | None
    answer: str
    """``true``, ``false``, ``false(...)``, ``unknown``, or what happened: ``time``, ``memory``, ``error``."""
    category: Category
    reason: str | None
    cpu_seconds: float
    wall_seconds: float
    megabytes: float

    def key(self) -> tuple[str, str]:
        """Who and what."""
        return (self.verifier, f"{self.task} {self.property}")

    def as_json(self) -> dict[str, Any]:
        """For a file."""
        return {**asdict(self), "category": self.category.value}

    @staticmethod
    def from_json(content: dict[str, Any]) -> "Outcome":
        """The inverse."""
        return Outcome(**{**content, "category": Category(content["category"])})


def judged(answer: str, task: BenchTask) -> Category:
    """Right if it is what is expected; of a violation, also the part of the property if both name one."""
    verdict, _, part = answer.rstrip(")").partition("(")
    if verdict not in DECIDED:
        return Category.UNDECIDED
    if task.expected is None:
        return Category.UNJUDGED
    expected, _, expected_part = task.expected.rstrip(")").partition("(")
    parts = {expected_part} if expected_part else {one.verdict_name for one in task.asked}
    fits = verdict == expected and (not part or part in parts)
    return Category.RIGHT if fits else Category.WRONG


def checked(verifier: Verifier, task: BenchTask, limits: Limits, runner: Runner, log: Path) -> Outcome:
    """Run a verifier on a task, with its bounds in turn; the output of the last attempt stays in ``log``."""
    answer: str = UNSUPPORTED
    reason: str | None = f"cannot be asked for {task.group()}"
    cpu_seconds = wall_seconds = megabytes = 0.0
    log.parent.mkdir(parents=True, exist_ok=True)
    folder = Path(verifier.executable()).parent if verifier.in_its_folder else None
    for command in verifier.commands(task, limits):
        left = _left(limits, cpu_seconds, wall_seconds, grace=GRACE if verifier.keeps_time else 0.0)
        ended = runner.run(command, left, folder=folder, output=log)
        cpu_seconds += ended.cpu_seconds
        wall_seconds += ended.wall_seconds
        megabytes = max(megabytes, ended.megabytes)
        answer, reason = _told(verifier, ended, limits, wall_seconds)
        if answer != "unknown":
            break
    return Outcome(
        verifier.name, task.name, task.group(), task.expected, answer, judged(answer, task),
        reason, cpu_seconds, wall_seconds, megabytes,
    )  # fmt: skip


def _left(limits: Limits, cpu_seconds: float, wall_seconds: float, *, grace: float) -> Limits:
    """What an attempt may use after others."""
    cpu = None if limits.cpu_seconds is None else max(0.0, limits.cpu_seconds - cpu_seconds)
    wall = None if limits.seconds is None else max(0.0, limits.seconds + grace - wall_seconds)
    return replace(limits, seconds=wall, cpu_seconds=cpu)


def _told(verifier: Verifier, ended: Ended, limits: Limits, wall_seconds: float) -> tuple[str, str | None]:
    """The answer, and why it is none."""
    if ended.ended_by is not None:
        return _ended(ended.ended_by, limits)
    answer = verifier.answer(ended.output)
    if not answer.startswith(DECIDED):
        return answer, verifier.why(ended)
    if limits.seconds is not None and wall_seconds > limits.seconds:
        return "time", f"{answer} after {wall_seconds:.1f} s, too late"
    return answer, None


def _ended(by: str, limits: Limits) -> tuple[str, str]:
    """In words, what a run was ended for."""
    words = {
        "time": f"time limit of {limits.seconds:g} s" if limits.seconds else "",
        "cpu time": f"limit of {limits.cpu_seconds:g} s of CPU time" if limits.cpu_seconds else "",
        "memory": f"memory limit of {limits.megabytes:.0f} MB" if limits.megabytes else "",
        INTERRUPTED: INTERRUPTED,
    }
    return (by, words[by]) if by in words else ("error", by)
