"""A thread that waited for a condition variable and goes on without looking again."""

from sley.evidence.trace import EventKind, TraceEvent
from sley.program.c_text import as_loop
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import READS, WRITES, TraceRun


def woken_without_looking(run: TraceRun) -> Explanation:
    """The failing thread woke up, and did not check again what it had waited for."""
    fail = run.failing[0]
    thread = run.events[fail].thread
    woken = run.last(fail, lambda e: e.thread == thread and e.kind is EventKind.WAIT)
    slept = None if woken is None else run.last(woken, lambda e: e.thread == thread)
    while slept is not None and run.events[slept].origin == run.events[woken or 0].origin:
        if run.events[slept].kind is EventKind.SLEEP:
            return _checked(run, slept, woken or 0, fail)
        slept = run.last(slept, lambda e: e.thread == thread)
    return Explanation()


def _checked(run: TraceRun, slept: int, woken: int, fail: int) -> Explanation:
    """The check is the statement before the wait, if it reads something that is used afterwards."""
    thread = run.events[fail].thread
    check = run.last(slept, lambda e: e.thread == thread and e.origin != run.events[slept].origin)
    if check is None:
        return Explanation()
    origin = run.events[check].origin
    reads = list(run.before(slept, lambda e: e.thread == thread and e.origin == origin and e.kind in READS))
    after = [event for event in run.events[woken:fail] if event.thread == thread]
    used = {event.target for event in after if event.kind in READS}
    looked = next((i for i in reads if run.events[i].target in used), None)
    if looked is None or any(event.origin == origin for event in after):
        return Explanation()
    return _said(run, looked, slept, woken, fail)


def _said(run: TraceRun, looked: int, slept: int, woken: int, fail: int) -> Explanation:
    check, thread = run.events[looked], run.name(run.events[fail].thread)
    condition = run.events[slept].target
    if run.events[woken].note:
        how = f"It wakes up in {run.step(woken)} without a signal of `{condition}` (a spurious wake-up)"
    else:
        how = _stolen(run, check, woken, fail)
    loop = as_loop(check.origin.text)
    where = "Wait in a loop" if loop is None else f"Write `{loop}` around the wait ({run.line(looked)})"
    return run.said(
        [
            f"{thread} waits because it read `{check.target}` = {check.value} in {run.step(looked)}. {how}, "
            "and goes on without looking again."
        ],
        [f"{where}: a thread that wakes up has to look again, as it may be for no reason or too late."],
    )


def _stolen(run: TraceRun, check: TraceEvent, woken: int, fail: int) -> str:
    """Another thread changed things between the signal and the moment the thread had its mutex again."""
    thread, source = run.events[fail].thread, run.events[woken].source
    again = run.last(
        fail, lambda e: e.thread == thread and e.kind is EventKind.LOCK and e.step > run.events[woken].step
    )
    changes = [
        i
        for i, e in enumerate(run.events[: again if again is not None else fail])
        if e.target == check.target and e.kind in WRITES and e.thread != thread and e.step > (source or 0)
    ]
    signal = run.last(fail, lambda e: e.step == source and e.kind is EventKind.SIGNAL)
    by = "" if signal is None else f" by {run.name(run.events[signal].thread)} in {run.step(signal)}"
    taken = ""
    if changes:
        last = run.events[changes[-1]]
        taken = (
            f", but {run.name(last.thread)} changes `{check.target}` to {last.value} "
            f"in {run.step(changes[-1])}, before it has the mutex again"
        )
    return f"It wakes up in {run.step(woken)}, signalled{by}{taken}"
