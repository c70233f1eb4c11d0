"""Reads of what was never written: where it was made."""

import re

from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.memory import allocation
from sley.reports.explanation.run import WRITES, Run


def unwritten_read(run: Run) -> Explanation:
    """A variable or a block holds nothing that C knows until it is written."""
    fail = run.failing[0]
    name = run.events[fail].target
    made = allocation(run, re.split(r"[.\[]", name)[0])
    what = f"`{name}`" if name else "it"
    if _was_written(run, fail):
        why = f"Another {what} was written before: it is made anew whenever its block is entered."
        return run.said([why], ["Give it a value on every way to here, or declare it outside to keep it."])
    if made is None:
        why = f"Nobody has written {what} before {run.step(fail)}: its value is indeterminate."
        return run.said([why], ["Give it a value where it is declared, or on every way to here."])
    who, until = run.name(run.events[made].thread), run.step(fail)
    why = f"{who} allocates the block in {run.place(made)}, and nobody has written {what} before {until}."
    return run.said([why], ["Write it before others can see it, or allocate it with calloc."])


def _was_written(run: Run, fail: int) -> bool:
    """Whether the thread has written to something of the same name."""
    read = run.events[fail]
    own = run.before(fail, lambda event: event.kind in WRITES and event.thread == read.thread)
    return any(run.events[index].target == read.target for index in own)
