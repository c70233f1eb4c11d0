"""Wrong uses of the thread library: what the object went through before."""

from collections.abc import Callable

from sley.evidence.remarks import Arrives
from sley.evidence.trace import EventKind, TraceEvent
from sley.program.c_text import object_of
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import TraceRun


def misuse(run: TraceRun) -> Explanation:
    """What made the call wrong."""
    explain = _BY_RULE.get(run.trace.failure.rule)
    return Explanation() if explain is None else explain(run)


def _object(run: TraceRun) -> tuple[int, str]:
    return run.failing[0], run.events[run.failing[0]].target


def _unlocked(run: TraceRun) -> Explanation:
    fail, lock = _object(run)
    event = run.events[fail]
    thread = run.name(event.thread)
    said = f"No thread holds `{lock}` at that moment." if lock else ""
    for holder in event.others:
        held = run.held(holder, fail).get(lock)
        since = "" if held is None else f" since {run.place(held.index)}"
        said = f"`{lock}` is held by {run.name(holder)}{since}."
    refused = run.refused(event.thread, fail)
    if refused is not None and run.events[refused].target == lock:
        said += f" {thread} tried to take it in {run.step(refused)}, and failed."
    released = run.last(
        fail, lambda e: e.thread == event.thread and e.kind is EventKind.UNLOCK and e.target == lock
    )
    if refused is None and released is not None:
        said += f" {thread} has unlocked it before, in {run.step(released)}."
    return run.said(
        [said] if said else [], ["Unlock a mutex only in the thread that has locked it, and once."]
    )


def _destroyed(run: TraceRun) -> Explanation:
    fail, name = _object(run)
    destroyed = run.of_kind(fail, EventKind.DESTROY, name)
    if destroyed is None:
        return Explanation()
    who = run.name(run.events[destroyed].thread)
    return run.said(
        [f"{who} destroys `{name}` in {run.place(destroyed)}, and {_user(run)} uses it in {run.step(fail)}."],
        [
            "Destroy it when all threads that use it are joined."
            if run.events[destroyed].thread != run.events[fail].thread
            else "Destroy it after its last use."
        ],
    )


def _user(run: TraceRun) -> str:
    return run.name(run.events[run.failing[0]].thread)


def _destroyed_twice(run: TraceRun) -> Explanation:
    _, name = _object(run)
    first = _earlier(run, EventKind.DESTROY, name)
    if first is None:
        return Explanation()
    who = run.name(run.events[first].thread)
    return run.said([f"{who} has destroyed `{name}` already in {run.place(first)}."], ["Destroy it once."])


def _earlier(run: TraceRun, kind: EventKind, name: str) -> int | None:
    """What was done to an object before the failing call did, or would have done, the same."""
    fail = run.events[run.failing[0]]
    return run.last(
        run.failing[0], lambda e: e.kind is kind and e.target == name and not _is_call_of(e, fail)
    )


def _is_call_of(event: TraceEvent, fail: TraceEvent) -> bool:
    """Whether an event belongs to the call that fails."""
    return event.run == fail.run if event.run else event.step == fail.step


def _destroyed_in_use(run: TraceRun) -> Explanation:
    fail, name = _object(run)
    users = [
        f"{run.name(t.id)} holds `{name}` since {run.place(held.index)}"
        for t in run.trace.threads
        if (held := run.held(t.id, fail).get(name)) is not None
    ]
    users += [
        f"{run.name(t.id)} waits for `{name}` since {run.place(slept)}"
        for t in run.trace.threads
        if (slept := _sleeps(run, t.id, name)) is not None
    ]
    return run.said(
        [f"{'; '.join(users)}."] if users else [], ["Destroy it when all threads that use it are joined."]
    )


def _sleeps(run: TraceRun, thread: int, name: str) -> int | None:
    """Since when a thread waits for a condition variable or at a barrier."""
    waits = (EventKind.SLEEP, EventKind.ARRIVE, EventKind.WAIT)
    last = run.last(run.failing[0], lambda e: e.thread == thread and e.kind in waits)
    if last is None or run.events[last].target != name:
        return None
    later = run.events[last + 1 : run.failing[0]]
    return None if any(_frees(event, thread, name) for event in later) else last


def _frees(event: TraceEvent, thread: int, name: str) -> bool:
    """Whether an event lets a thread go on that waits: a signal for it, or the last to come to a barrier."""
    if event.kind is EventKind.SIGNAL:
        return thread in event.others
    is_last = isinstance(event.note, Arrives) and event.note.count == event.note.needed
    return event.kind is EventKind.ARRIVE and event.target == name and is_last


def _uninitialised(run: TraceRun) -> Explanation:
    fail, name = _object(run)
    if not name:
        return Explanation()
    made = run.of_kind(fail, EventKind.ALLOCATE, object_of(name))
    inside = ""
    if made is not None:
        thread = run.name(run.events[made].thread)
        inside = (
            f" It is in the block that {thread} allocated in {run.place(made)}: malloc initialises nothing."
        )
    return run.said(
        [f"`{name}` has not been initialised before {_user(run)} uses it.{inside}"],
        [f"Initialise `{name}` before the threads that use it are created."],
    )


def _initialised_twice(run: TraceRun) -> Explanation:
    _, name = _object(run)
    first = _earlier(run, EventKind.INITIALISE, name)
    if first is None:
        return Explanation()
    who = run.name(run.events[first].thread)
    return run.said(
        [f"{who} has initialised `{name}` already in {run.place(first)}."],
        ["Initialise it once, in one thread, before the others are created."],
    )


def _without_mutex(run: TraceRun) -> Explanation:
    who = _user(run)
    return run.said(
        [f"{who} does not hold the lock that it gives to the wait."],
        ["Take the lock, check the condition, and wait, in that order."],
    )


def _two_mutexes(run: TraceRun) -> Explanation:
    fail, _ = _object(run)
    thread = run.events[fail].thread
    own = run.last(fail, lambda e: e.thread == thread and e.kind is EventKind.SLEEP)
    if own is None:
        return Explanation()
    name = run.events[own].target
    sleeping = [
        (t.id, i) for t in run.trace.threads if (i := _sleeps(run, t.id, name)) is not None and t.id != thread
    ]
    texts = [
        f"{run.name(other)} waits with `{_released(run, index)}` since {run.place(index)}"
        for other, index in sleeping
    ]
    return run.said(
        [f"`{name}`: {'; '.join([*texts, f'{run.name(thread)} now waits with `{_released(run, own)}`'])}."],
        ["Use one mutex with a condition variable, the one that protects what is waited for."],
    )


def _released(run: TraceRun, slept: int) -> str:
    step = run.events[slept].step
    found = (e.target for e in run.events[slept:] if e.step == step and e.kind is EventKind.UNLOCK)
    return next(found, "another mutex")


def _joined(run: TraceRun) -> Explanation:
    fail = run.failing[0]
    event = run.events[fail]
    if not event.others:
        return run.said(
            ["No thread has this id."], ["Join each thread once, with the id that its creation gave."]
        )
    (other,) = event.others
    about = (EventKind.JOIN, EventKind.CALL)
    earlier = run.last(fail, lambda e: e.kind in about and e.others == (other,))
    if earlier is None:
        return Explanation()
    how = "joined" if run.events[earlier].kind is EventKind.JOIN else "detached"
    by = run.name(run.events[earlier].thread)
    return run.said(
        [f"{run.name(other)} was {how} already by {by} in {run.place(earlier)}."],
        ["Join or detach each thread once."],
    )


_BY_RULE: dict[str, Callable[[TraceRun], Explanation]] = {
    "unlock-not-held": _unlocked,
    "use-destroyed": _destroyed,
    "destroy-twice": _destroyed_twice,
    "destroy-locked": _destroyed_in_use,
    "destroy-awaited": _destroyed_in_use,
    "use-uninitialised": _uninitialised,
    "initialise-twice": _initialised_twice,
    "wait-without-mutex": _without_mutex,
    "wait-with-other-mutex": _two_mutexes,
    "invalid-join": _joined,
    "invalid-detach": _joined,
}
