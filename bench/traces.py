"""How long traces are, and whether what decides can be seen: on programs with one well-known bug each.

    python -m bench.traces                      the programs under tests/programs/explained
    python -m bench.traces prog.c ... -- FLAGS  others; FLAGS are those of `sley check`

Lines are those of the table, without its head, at 100 columns: all of it (`--all`), and as it is shown.
"""

import sys
from pathlib import Path
from statistics import median
from typing import NamedTuple

from tests.explained import EXPLAINED, Explained

from sley.evidence.trace import Trace
from sley.program.properties import Property
from sley.reports.lines import plain
from sley.reports.story import Story, tell
from sley.reports.table import TraceTable, render
from sley.verification.task import Limits, Task
from sley.verification.verify import verify

HEAD = 2
"""Lines above the first step."""


class Measured(NamedTuple):
    """The trace of one program."""

    name: str
    verdict: str
    steps: int
    """Of the schedule."""
    switches: int
    all_lines: int
    lines: int
    missing: tuple[int, ...]
    """Lines of the program that should be visible and are not."""
    has_why: bool


def measured(path: Path, seconds: float) -> Measured | None:
    """The first trace of a program; None if there is none."""
    result = verify(Task(paths=(path,), limits=Limits(seconds=seconds), jobs=0))
    if not result.traces:
        return None
    trace = result.traces[0]
    story = tell(trace)
    shown = {row.line for row in story.rows}
    return Measured(
        path.stem,
        result.result,
        len(trace.schedule),
        trace.switches,
        lines_of(trace, tell(trace, show_all=True)),
        lines_of(trace, story),
        tuple(sorted(Explained(path).decisive - shown)),
        bool(story.explanation.why),
    )


def lines_of(trace: Trace, story: Story) -> int:
    """Lines of the table below its head."""
    blocked = trace.failure.property is Property.DEADLOCK
    table = TraceTable(trace.threads, story.rows, story.columns, 100, story.hidden, ends_blocked=blocked)
    text = plain(render(table)).splitlines()
    return len(text) - (HEAD if text[0].startswith(" step") else 0)


def main(paths: list[Path]) -> None:
    """Print the table."""
    print("| program | result | steps | switches | all lines | lines | decisive | why |")
    print("|---|---|---|---|---|---|---|---|")
    found = []
    for path in paths:
        one = measured(path, 60)
        if one is None:
            print(f"| {path.stem} | no trace |")
            continue
        found.append(one)
        seen = "yes" if not one.missing else "no: " + ", ".join(map(str, one.missing))
        why = "yes" if one.has_why else "no"
        print(
            f"| {one.name} | {one.verdict} | {one.steps} | {one.switches} | {one.all_lines} | {one.lines} "
            f"| {seen} | {why} |",
            flush=True,
        )
    before, after = [one.all_lines for one in found], [one.lines for one in found]
    print(f"median {median(before)} -> {median(after)}, most {max(before)} -> {max(after)}")
    print(f"decisive step not visible: {sum(bool(one.missing) for one in found)} of {len(found)}")


if __name__ == "__main__":
    main([Path(argument) for argument in sys.argv[1:]] or EXPLAINED)
