"""Everyday C: is `sley check` right about programs as C programmers write them, and how many does it decide?

    python -m bench.everyday.tables [--time-limit 10] [--only pipe]

Each program of ``bench/everyday/programs`` says on its first line what is true of it, as those of
``tests/programs`` do. BUG is right if it names a property that the program violates. Ends with 1 if an
answer is wrong.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from bench.running.processes import Limits, run
from bench.table import Table
from tests.marked_programs import Marks, marks_of

from sley.program.properties import PROPERTY_GROUPS, Property

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.c"))
GRACE = 60.0
"""Seconds after its time limit that a run gets to end by itself."""
RIGHT, UNDECIDED, WRONG = "RIGHT", "undecided", "WRONG"


@dataclass(frozen=True)
class Answered:
    """What one run of the default command said."""

    answer: str
    """That of the report, or what went wrong."""
    groups: tuple[str, ...]
    """Of properties that are violated, as marks name them."""
    seconds: float
    reason: str

    def judged(self, marks: Marks) -> str:
        """Is this what the marks say?"""
        if self.answer == "bug":
            return RIGHT if self.groups and set(self.groups) <= set(marks.violated) else WRONG
        if self.answer == "safe":
            return WRONG if marks.violated else RIGHT
        return UNDECIDED


def answered(program: Path, seconds: float) -> Answered:
    """The default command on a program."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        command = [sys.executable, "-m", "sley", "check", str(program)]
        command += ["--time-limit", f"{seconds:g}s", "--json", str(report)]
        done = run(command, Limits(seconds + GRACE))
        if done.exit_code is None or not report.exists():
            answer = f"exit code {done.exit_code}" if done.exit_code is not None else "does not stop"
            return Answered(answer, (), done.wall_seconds, " ".join(done.output.split())[-200:])
        content = json.loads(report.read_text(encoding="utf-8"))
    groups = dict.fromkeys(group_of(violation["property"]) for violation in content["violations"])
    return Answered(content["answer"], tuple(groups), done.wall_seconds, content["reason"] or "")


def group_of(name: str) -> str:
    """The mark that stands for a property."""
    return next(group for group, properties in PROPERTY_GROUPS.items() if Property(name) in properties)


def print_lines(counts: Counter[str], kind: str) -> None:
    print(f"{kind}: " + ", ".join(f"{word} {counts[word]}" for word in (RIGHT, UNDECIDED, WRONG)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--time-limit", type=float, default=10.0, metavar="SECONDS")
    parser.add_argument("--only", default="", help="programs whose name has this in it")
    chosen = parser.parse_args()
    table = Table(("program", "expected", "answer", "seconds", "", "why"), (24, 14, 8, 7, 9, 0), names=3)
    correct, faulty = Counter[str](), Counter[str]()
    for program in PROGRAMS:
        if chosen.only not in program.stem:
            continue
        marks = marks_of(program)
        found = answered(program, chosen.time_limit)
        judged = found.judged(marks)
        (faulty if marks.violated else correct)[judged] += 1
        answer = ", ".join(found.groups) if found.answer == "bug" else found.answer
        expected = ", ".join(marks.violated) or "safe"
        table.row((program.stem, expected, answer, f"{found.seconds:.1f}", judged, found.reason))
    print()
    print_lines(correct, "safe")
    print_lines(faulty, "with a bug")
    print_lines(correct + faulty, "all")
    return 1 if (correct + faulty)[WRONG] else 0


if __name__ == "__main__":
    sys.exit(main())
