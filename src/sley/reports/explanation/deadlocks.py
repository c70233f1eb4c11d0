"""Deadlocks: what each thread waits for, which thread has it since when, and why it does not come."""

from collections.abc import Iterator

from sley.evidence.remarks import Awaited, Mark, Waits
from sley.evidence.trace import EventKind, TraceEvent
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import READS, WRITES, TraceRun, value_read
from sley.wording.phrases import enumeration

Said = tuple[str, str]
"""A sentence, and what might mend it."""


def deadlock(run: TraceRun) -> Explanation:
    """Why threads wait for ever: one sentence for each that does not only wait for another one to end."""
    if any(_awaits(event, Awaited.READ_LOCK) for event in run.events):
        return _while_a_writer_waits(run)
    found = [said for index in run.failing if (said := waits(run, index)) is not None]
    cycle = _cycle(run)
    fixes = [cycle] if cycle else [fix for _, fix in found if fix]
    return run.said(
        [" ".join(dict.fromkeys(text for text, _ in found))] if found else [], list(dict.fromkeys(fixes))
    )


def _while_a_writer_waits(run: TraceRun) -> Explanation:
    for index in run.failing:
        for held in run.held(run.events[index].thread, index).values():
            run.step(held.index)
    return run.said(
        [
            "While a writer waits, a lock need not be granted for reading: POSIX leaves that to the "
            "implementation. Linux grants it by default."
        ],
        ["Do not ask for a read lock, or wait for a thread that does, while holding the lock for reading."],
    )


def waits(run: TraceRun, index: int) -> Said | None:
    """Why a thread waits for ever, unless it only waits for another one to end."""
    event = run.events[index]
    match event.note.what if isinstance(event.note, Waits) else Awaited.OTHER:
        case Awaited.SIGNAL:
            return _for_signal(run, index)
        case Awaited.BARRIER:
            return _for_barrier(run, event)
        case Awaited.POST:
            return _for_post(run, event)
        case Awaited.END:
            return _for_end(run, event)
        case _:
            return _for_lock(run, index)


def _awaits(event: TraceEvent, what: Awaited) -> bool:
    return isinstance(event.note, Waits) and event.note.what is what


# --- locks -----------------------------------------------------------------------------------------


def _taken(run: TraceRun, index: int) -> int | None:
    """The event with which the awaited lock was taken; the latest that was not released."""
    event = run.events[index]
    taken = run.of_kind(index, EventKind.LOCK, event.target)
    if taken is None or event.target not in run.held(run.events[taken].thread, index):
        return None
    return taken


def _for_lock(run: TraceRun, index: int) -> Said | None:
    event, taken = run.events[index], _taken(run, index)
    thread, lock = run.name(event.thread), event.target
    if not lock:
        return None
    if taken is None:
        return _never_taken(run, index)
    holder = run.events[taken].thread
    if holder == event.thread:
        return _locked_again(run, index, taken)
    ended = run.has_ended(holder)
    if ended is not None:
        return (
            f"{thread} waits for `{lock}`, which {run.name(holder)} has locked in {run.place(taken)}. "
            f"{run.name(holder)} has ended in {run.place(ended)} without unlocking it.",
            f"Unlock `{lock}` on every way out, also before {run.line(ended)}.",
        )
    joins, is_shared = _joins(run, holder), run.events[taken].note is Mark.FOR_READING
    mode = " for reading" if is_shared else ""
    return (
        f"{thread} waits for `{lock}` ({run.step(index)}), which {run.name(holder)} holds{mode} since "
        f"{run.place(taken)}{f', and {run.name(holder)} waits for {joins} to end' if joins else ''}.",
        f"Unlock `{lock}` before {run.name(holder)} waits for {joins} to end." if joins else "",
    )


def _locked_again(run: TraceRun, index: int, taken: int) -> Said:
    """A thread waits for itself; perhaps because the function that took the lock has returned with it."""
    event, first = run.events[index], run.events[taken].origin
    lock, start = event.target, f"{run.name(event.thread)} locks `{event.target}` again, which it holds since"
    if event.origin.calls[: len(first.calls)] != first.calls:
        return (
            f"{start} {run.place(taken)}: {first.function} has returned without unlocking it.",
            f"Unlock `{lock}` on every way out of {first.function}.",
        )
    return (
        f"{start} {run.place(taken)}: it waits for itself.",
        f"Unlock `{lock}` before, or split off a function that expects it to be locked; a recursive mutex "
        "can be locked again.",
    )


def _joins(run: TraceRun, thread: int) -> str:
    """The thread that a thread waits for the end of."""
    own = (i for i in run.failing if run.events[i].thread == thread)
    waits = [i for i in own if _awaits(run.events[i], Awaited.END)]
    for index in waits:
        run.step(index)
    return "".join(run.events[index].target for index in waits)


def _never_taken(run: TraceRun, index: int) -> Said | None:
    event = run.events[index]
    lock = event.target
    holders = [t.id for t in run.trace.threads if lock in run.held(t.id, index)]
    if holders:
        since = [run.step(run.held(thread, index)[lock].index) for thread in holders]
        names = [f"{run.name(t)} (since {s})" for t, s in zip(holders, since, strict=True)]
        return f"{run.name(event.thread)} waits for `{lock}`, held by {enumeration(names)}.", ""
    is_known = any(e.target == lock and e.kind in (EventKind.INITIALISE, EventKind.LOCK) for e in run.events)
    if is_known or not run.is_in_block(lock):
        return None
    return (
        f"`{lock}` has been neither locked nor initialised: it holds whatever was in memory.",
        "Initialise it before it is used.",
    )


def _cycle(run: TraceRun) -> str:
    """Two threads that wait for locks of each other can be helped by an order on the locks."""
    waiting = {run.events[i].thread: _taken(run, i) for i in run.failing}
    holders = {t: run.events[taken].thread for t, taken in waiting.items() if taken is not None}
    is_cycle = any(holders.get(holder) is not None and holder != t for t, holder in holders.items())
    return "Take the locks in the same order in every thread." if is_cycle else ""


# --- ends of threads -------------------------------------------------------------------------------


def _for_end(run: TraceRun, event: TraceEvent) -> Said | None:
    if not isinstance(event.note, Waits) or event.note.holder != event.thread:
        return None
    return f"{run.name(event.thread)} waits for itself to end.", "Let another thread join it, or detach it."


# --- condition variables ---------------------------------------------------------------------------


def _for_signal(run: TraceRun, index: int) -> Said | None:
    event = run.events[index]
    thread, condition = run.name(event.thread), event.target
    slept = run.last(index, lambda e: e.thread == event.thread and e.kind is EventKind.SLEEP)
    if not condition or slept is None:
        return None
    signals = [i for i, e in enumerate(run.events) if e.kind is EventKind.SIGNAL and e.target == condition]
    later = [i for i in signals if i > slept]
    if later:
        return _woke_another(run, later[-1], thread) if run.events[later[-1]].others else None
    looks = _looks(run, slept)
    missed = [i for i in signals if run.events[i].thread != event.thread and not run.events[i].others]
    if missed and not looks:
        return _missed(run, missed[-1], slept), _LOOK_FIRST
    for signal in missed:
        interrupted = _interrupted(run, looks, signal, slept)
        if interrupted is not None:
            return interrupted
    return f"{thread} waits for `{condition}` since {run.place(slept)}, {_no_more(run, signals, looks)}.", ""


_LOOK_FIRST = "Let a variable say what happened, and look at it, under the mutex, before waiting."


def _looks(run: TraceRun, slept: int) -> list[int]:
    """What a thread read in the last statement before it began to wait that read anything."""
    sleeper = run.events[slept]
    own = [
        i
        for i in run.before(slept, lambda e: e.thread == sleeper.thread and e.kind in READS)
        if run.events[i].target and run.events[i].origin != sleeper.origin
    ]
    last = [run.events[i] for i in own[:1]]
    return [i for i in own for e in last if (run.events[i].run, run.events[i].origin) == (e.run, e.origin)]


def _no_more(run: TraceRun, signals: list[int], looks: list[int]) -> str:
    """That there is no signal afterwards, and when the last one was."""
    if not signals:
        return "and no thread signals it afterwards"
    before = ""
    if looks and signals[-1] < looks[-1]:
        look = run.events[looks[0]]
        found = f"`{look.target}` = {value_read(look)} ({run.step(looks[0])})"
        before = f", before {run.name(look.thread)} read {found}"
    return f"and no thread signals it afterwards; the last signal came in {run.place(signals[-1])}{before}"


def _woke_another(run: TraceRun, signal: int, waiting: str) -> Said:
    event = run.events[signal]
    woken = enumeration([run.name(thread) for thread in event.others])
    return (
        f"{run.name(event.thread)} signals `{event.target}` in {run.place(signal)}, which wakes only "
        f"{woken}; {waiting} waits for it, too.",
        "Use pthread_cond_broadcast where several threads may wait, or let the woken thread signal again.",
    )


def _missed(run: TraceRun, signal: int, slept: int) -> str:
    """The signal came before the wait."""
    event, sleeper = run.events[signal], run.events[slept]
    return (
        f"{run.name(event.thread)} signals `{event.target}` in {run.place(signal)}, but no thread waits for "
        f"it then; {run.name(sleeper.thread)} begins to wait in {run.step(slept)}, and the signal is lost."
    )


def _interrupted(run: TraceRun, looks: list[int], signal: int, slept: int) -> Said | None:
    """The signaller changed what the waiter had looked at, and signalled, between the look and the wait."""
    signaller = run.events[signal].thread
    for look in looks:
        about = run.events[look].target, signaller
        writes = [i for i in range(look, slept) if run.events[i].kind in WRITES]
        changes = [i for i in writes if (run.events[i].target, run.events[i].thread) == about]
        if changes and look < signal:
            return _between(run, look, changes[-1], signal, slept)
    return None


def _between(run: TraceRun, look: int, change: int, signal: int, slept: int) -> Said:
    name, mutex = run.events[look].target, _mutex(run, slept)
    waiter, other = run.name(run.events[look].thread), run.name(run.events[change].thread)
    start = f"{_missed(run, signal, slept)} {waiter} has looked at `{name}` before ({run.step(look)})"
    if mutex not in run.held(run.events[change].thread, change):
        return (
            f"{start}, and {other} changes it ({run.step(change)}) without holding `{mutex}`.",
            f"Change `{name}` and signal while holding `{mutex}`.",
        )
    return (
        f"{start}, and {other} changes it ({run.step(change)}).",
        f"Look at `{name}` under the mutex right before waiting, and change it under the same mutex.",
    )


def _mutex(run: TraceRun, slept: int) -> str:
    """The mutex that a thread releases to wait."""
    sleeper = run.events[slept]
    released = (e.target for e in run.events[slept:] if e.step == sleeper.step and e.kind is EventKind.UNLOCK)
    return next(released, "")


# --- barriers and semaphores -----------------------------------------------------------------------


def _for_barrier(run: TraceRun, event: TraceEvent) -> Said | None:
    made = run.of_kind(len(run.events), EventKind.INITIALISE, event.target)
    if made is None:
        return None
    waiting = [run.name(run.events[i].thread) for i in run.failing if run.events[i].target == event.target]
    for index in run.failing:
        run.step(index)
    verb = "waits" if len(waiting) == 1 else "wait"
    return (
        f"`{event.target}` was initialised for {run.events[made].value} threads in {run.place(made)}, but "
        f"only {len(waiting)} {verb} at it: {enumeration(waiting)}.",
        "Initialise the barrier with the number of threads that come to it.",
    )


def _for_post(run: TraceRun, event: TraceEvent) -> Said | None:
    if not event.target:
        return None
    owing = list(_owing(run, event.target))
    start = f"{run.name(event.thread)} waits for `{event.target}`, which is 0"
    made = run.of_kind(len(run.events), EventKind.INITIALISE, event.target)
    if not owing or made is None or run.events[made].value == "0":
        return f"{start}: {_counts(run, event.target, made)}.", ""
    texts = []
    for thread, taken in owing:
        ended = run.has_ended(thread)
        over = f" and has ended in {run.place(ended)} without posting it" if ended is not None else ""
        texts.append(f"{run.name(thread)} took it in {run.place(taken)}{over}")
    is_over = any(run.has_ended(thread) is not None for thread, _ in owing)
    return (
        f"{start}: {enumeration(texts)}.",
        f"Post `{event.target}` on every way out, also where something fails." if is_over else "",
    )


def _counts(run: TraceRun, semaphore: str, made: int | None) -> str:
    """How often a semaphore that stands for events was posted and taken."""
    about = [e.kind for e in run.events if e.target == semaphore]
    posts, takes = about.count(EventKind.POST), about.count(EventKind.TAKE)
    start = "" if made is None else f"it starts with {run.events[made].value} in {run.place(made)}, "
    if not posts:
        return f"{start}no thread posts it" + (f", and it is taken {_times(takes)}" if takes else "")
    return f"{start}it is posted {_times(posts)} and taken {_times(takes)}"


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")


def _owing(run: TraceRun, semaphore: str) -> Iterator[tuple[int, int]]:
    """Threads that took a semaphore last without posting it since."""
    for thread in run.trace.threads:
        about = [
            i
            for i, e in enumerate(run.events)
            if e.thread == thread.id and e.target == semaphore and e.kind in (EventKind.TAKE, EventKind.POST)
        ]
        if about and run.events[about[-1]].kind is EventKind.TAKE:
            yield thread.id, about[-1]
