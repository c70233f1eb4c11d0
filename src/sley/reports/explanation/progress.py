"""Threads that go round for ever, and reads of what nobody has written."""

import re

from sley.evidence.trace import EventKind
from sley.reports.explanation.atomicity import lost_update
from sley.reports.explanation.deadlocks import waits
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import Run, enumeration


def no_progress(run: Run) -> Explanation:
    """Who repeats its loop, and what the others wait for, if it has that."""
    spinning = [i for i in run.failing if "wait" not in run.events[i].note]
    names = enumeration([run.name(run.events[i].thread) for i in spinning])
    repeats = "repeats its loop" if len(spinning) == 1 else "repeat their loops"
    found = [said for i in run.failing if i not in spinning and (said := waits(run, i)) is not None]
    looked_at = [name for i in spinning for name in re.findall(r"[A-Za-z_]\w*", run.events[i].origin.text)]
    lost = lost_update(Run(run.trace, run.rows, looked_at))
    why = [
        f"{names} {repeats} for ever, and all other threads have ended or wait: nobody is left to end that.",
        *(text for text, _ in found),
        *lost.why,
    ]
    run.cited |= lost.decisive
    return run.said([" ".join(why)], [*(fix for _, fix in found if fix), *lost.fix][:1])


def never_written(run: Run) -> Explanation:
    """Where the block comes from that is read, if it is one."""
    pointers = {run.events[i].value.removeprefix("&") for i in run.feeding(run.failing[0])}
    made = [i for i, e in enumerate(run.events) if e.kind is EventKind.ALLOCATE and e.target in pointers]
    if len(made) != 1 or len(pointers) != 1:
        return Explanation()
    who = run.name(run.events[made[0]].thread)
    return run.said(
        [
            f"It is in the block that {who} allocated in {run.place(made[0])}, and nobody has written there: "
            "its value is whatever was in memory."
        ],
        ["Write it before, or allocate with calloc."],
    )
