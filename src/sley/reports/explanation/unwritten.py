"""Reads of what was never written: where it was made."""

from sley.program.c_text import object_of
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.memory import allocation
from sley.reports.explanation.run import WRITES, TraceRun


def unwritten_read(run: TraceRun) -> Explanation:
    """A variable or a block holds nothing that C knows until it is written."""
    fail = run.failing[0]
    name = run.events[fail].target
    made = allocation(run, object_of(name))
    what = f"`{name}`" if name else "it"
    if _was_written(run, fail):
        why = f"Another {what} was written before: it is made anew whenever its block is entered."
        return run.said([why], ["Give it a value on every path to here, or declare it outside to keep it."])
    before = f"has not been written before {run.step(fail)}"
    if made is None:
        fix = "Give it a value where it is declared, or on every path to here."
        return run.said([f"{what.capitalize()} {before}: its value is indeterminate."], [fix])
    thread = run.name(run.events[made].thread)
    why = f"{thread} allocates the block in {run.place(made)}, and {what} {before}."
    return run.said([why], ["Write it before other threads can read it, or allocate it with calloc."])


def _was_written(run: TraceRun, fail: int) -> bool:
    """Whether the thread has written to something of the same name."""
    read = run.events[fail]
    own = run.before(fail, lambda event: event.kind in WRITES and event.thread == read.thread)
    return any(run.events[index].target == read.target for index in own)
