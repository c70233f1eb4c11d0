"""Invalid accesses and invalid frees: where the pointer leads, and what made it so."""

from collections.abc import Callable

from sley.evidence.remarks import Fails, Gone
from sley.evidence.trace import EventKind, Fault, FaultKind, TraceEvent
from sley.program.c_text import names_in
from sley.reports.explanation.atomicity import stale_check
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import WRITES, TraceRun, value_read


def wrong_access(run: TraceRun) -> Explanation:
    """An access that is wrong about its pointer or its index."""
    fault = next(iter(run.trace.faults), None)
    match None if fault is None else fault.kind:
        case FaultKind.FREED:
            return _used_after_free(run, fault or Fault(FaultKind.FREED))
        case FaultKind.CLOSED:
            return _used_after_close(run, fault or Fault(FaultKind.CLOSED))
        case FaultKind.NULL:
            return _null(run)
        case FaultKind.OUTSIDE:
            return _outside(run, fault or Fault(FaultKind.OUTSIDE))
        case FaultKind.READ_ONLY:
            return run.said(["What is to be written is constant: a string literal, or a `const` variable."])
        case FaultKind.NOWHERE:
            return run.said(["The pointer leads to no object that exists."])
        case _:
            return _gone(run)


def wrong_free(run: TraceRun) -> Explanation:
    """A ``free`` of what cannot be freed."""
    fault = next(iter(run.trace.faults), None)
    if fault is None:
        return Explanation()
    match fault.kind:
        case FaultKind.FREED:
            return _freed_twice(run, fault)
        case FaultKind.INSIDE:
            size = "1 byte" if fault.offset == 1 else f"{fault.offset} bytes"
            return run.said(
                [
                    f"The pointer leads {size} behind the start of {_block(run, fault.object)}: only the "
                    "start can be freed."
                ],
                ["Keep the pointer that malloc returned, and free that."],
            )
        case FaultKind.NOT_ALLOCATED:
            return run.said(
                [f"`{fault.object}` was not allocated by malloc or the like: it is a variable."],
                ["Free only what was allocated; remember which is which."],
            )
        case _:
            return run.said(["The pointer leads to no block that was allocated."])


def allocation(run: TraceRun, name: str) -> int | None:
    """The event that made a block."""
    return run.of_kind(len(run.events), EventKind.ALLOCATE, name)


def _block(run: TraceRun, name: str) -> str:
    """A block by the thread that made it, and where."""
    made = allocation(run, name)
    if made is None:
        return "a block"
    event = run.events[made]
    return f"the block that {run.name(event.thread)} allocated{_how(event)} in {run.place(made)}"


def _how(event: TraceEvent) -> str:
    """With which function, if it is not plainly to be seen."""
    return f" with {event.value}" if event.value else ""


def _freed(run: TraceRun, name: str) -> int | None:
    return run.last(len(run.events), lambda e: e.kind is EventKind.FREE and e.target == f"&{name}")


def _used_after_free(run: TraceRun, fault: Fault) -> Explanation:
    advice = "Do not use it after the free; set the pointer to NULL there."
    return _used_later(run, fault, ("block", "allocated", "freed"), advice, _who_frees)


def _used_after_close(run: TraceRun, fault: Fault) -> Explanation:
    advice = "Do not use it after it is closed, whatever `fclose` returns; set the pointer to NULL there."
    return _used_later(run, fault, ("stream", "opened", "closed"), advice, _who_closes)


def _used_later(
    run: TraceRun,
    fault: Fault,
    words: tuple[str, str, str],
    advice: str,
    advice_for_threads: Callable[[TraceRun, int], str],
) -> Explanation:
    """An object that was made and ended, and is used then: by the same thread, or by another one."""
    what, begun, over = words
    made, ended, fail = allocation(run, fault.object), _freed(run, fault.object), run.failing[0]
    if made is None or ended is None:
        return run.said([f"The {what} is {over} already."])
    who, user = run.events[ended].thread, run.events[fail].thread
    uses = "still uses it" if who != user else "uses it afterwards"
    return run.said(
        [
            f"The {what} was {begun} by {run.name(run.events[made].thread)} in {run.place(made)}, and {over} "
            f"by {run.name(who)} in {run.place(ended)}. {run.name(user)} {uses} in {run.step(fail)}."
        ],
        [advice_for_threads(run, user) if who != user else advice],
    )


def _who_closes(_run: TraceRun, _user: int) -> str:
    return "Close it only when no other thread can use it any more."


def _who_frees(run: TraceRun, user: int) -> str:
    joined = f"after {run.name(user)} is joined, or " if user else ""
    return (
        f"Free it only when no thread can use it any more: {joined}when a count of its users, which all of "
        "them have raised before, comes to 0."
    )


def _freed_twice(run: TraceRun, fault: Fault) -> Explanation:
    freed, fail = _freed(run, fault.object), run.failing[0]
    if freed is None:
        return run.said(["The block is freed already."])
    first, second = run.name(run.events[freed].thread), run.name(run.events[fail].thread)
    return run.said(
        [
            f"It is already freed: {first} frees it in {run.place(freed)}, and {second} again in "
            f"{run.step(fail)}. It is {_block(run, fault.object)}."
        ],
        ["Let one thread own the block and free it, or set the pointer to NULL with the first free."],
    )


# --- null ------------------------------------------------------------------------------------------


def _null(run: TraceRun) -> Explanation:
    """Where the NULL comes from that the failing statement read."""
    fail = run.failing[0]
    found = [i for i in run.feeding(fail) if run.events[i].value == "NULL"]
    read = _origin_of_null(run, found[-1]) if found else None
    if read is None:
        return _got_null(run, fail)
    event, thread = run.events[read], run.name(run.events[read].thread)
    name, write = event.target, run.writer(read)
    checked = run.own(read, event)
    if checked is not None and value_read(run.events[checked]) == "NULL":
        checked = None
    if write is not None and run.events[write].thread != event.thread:
        seen = "" if checked is None else f", though it was not in {run.step(checked)}"
        return run.said(
            [
                f"`{name}` is NULL when {thread} reads it in {run.step(read)}{seen}: "
                f"{run.name(run.events[write].thread)} writes NULL to it in {run.step(write)}."
            ],
            [
                f"Read `{name}` once into a local variable, and check and use that; or hold a mutex around "
                "check, use and change."
            ],
        )
    if write is None and run.is_initial(read):
        return run.said(
            [f"`{name}` is NULL when {thread} reads it in {run.step(read)}: it has not been written before."],
            [
                f"Let {thread} wait until `{name}` is written, or check it before it is used."
                if len(run.trace.threads) > 1
                else "Check it before it is used."
            ],
        )
    return run.said(
        [f"`{name}` is NULL when {thread} reads it in {run.step(read)}."], ["Check it before it is used."]
    )


def _got_null(run: TraceRun, fail: int) -> Explanation:
    """A local variable of the failing statement got NULL: from a function that failed, if that is seen."""
    words = set(names_in(run.events[fail].origin.text))
    fix = ["Check the pointer before it is used."]
    for made in filter(None, (run.made(name, run.events[fail], fail) for name in sorted(words))):
        event = run.events[made]
        if event.value != "NULL":
            continue
        run.step(made)
        failed = (e.note.how for e in run.events if e.run == event.run and isinstance(e.note, Fails))
        reason = f": {how}" if event.run and (how := next(failed, "")) else ""
        return run.said([f"`{event.target}` gets NULL in {run.place(made)}{reason}."], fix)
    return run.said(["The pointer is NULL."], fix)


def _origin_of_null(run: TraceRun, read: int) -> int:
    """If a local variable got the NULL from elsewhere in the same statement: that read."""
    event, write = run.events[read], run.writer(read)
    if write is None or run.events[write].thread != event.thread or run.events[write].is_shared:
        return read
    same = [
        i
        for i in run.before(
            write, lambda e: e.thread == event.thread and e.origin == run.events[write].origin
        )
        if run.events[i].kind is EventKind.READ and run.events[i].value == "NULL"
    ]
    return _origin_of_null(run, same[0]) if len(same) == 1 else read


# --- bounds ----------------------------------------------------------------------------------------


def _outside(run: TraceRun, fault: Fault) -> Explanation:
    what = f"`{fault.object}`" if fault.object else "an object"
    what = _block(run, fault.object) if run.is_in_block(fault.object) else what
    count, rest = divmod(fault.size, fault.stride or 1)
    index, inside = divmod(fault.offset, fault.stride or 1)
    if count > 1 and not rest and not inside:
        unit = "byte" if fault.stride == 1 and run.is_in_block(fault.object) else "element"
        named = f"{unit.capitalize()} {index} of {what}"
        why = f"{named} is accessed, which has {count} {unit}s (0 to {count - 1})."
    else:
        last = fault.offset + fault.width - 1
        why = f"Bytes {fault.offset} to {last} of {what} are accessed, which has {fault.size}."
    stale = stale_check(run)
    fix = stale.fix or (f"Check against the length ({count}) before the access.",) if count > 1 else ()
    return run.said([why, *stale.why], fix)


# --- local variables -------------------------------------------------------------------------------


def _gone(run: TraceRun) -> Explanation:
    """A local variable ends with its block, even if another thread still has its address."""
    left = run.last(len(run.events), lambda e: e.kind is EventKind.LEAVE and e.note is not None)
    if left is None:
        return Explanation()
    event = run.events[left]
    fix = ["Join the thread before the variable ends, or give the thread a block of its own (malloc)."]
    if isinstance(event.note, Gone) and event.note.is_with_thread:
        fix = ["Let the thread give back a block (malloc), or what is in it."]
    fix = fix if event.thread != run.events[run.failing[0]].thread else []
    if not event.target:
        return run.said([f"The pointer is left over: {run.note(event)} since {run.step(left)}."], fix)
    return run.said(
        [
            f"The pointer leads to `{event.target}`, a local variable of {event.origin.function} "
            f"that is gone since {run.step(left)}."
        ],
        fix,
    )


# --- leaks -----------------------------------------------------------------------------------------


def lost_block(run: TraceRun) -> Explanation:
    """Where a block was made, and where the last pointer to it was lost; of two blocks at most."""
    found = [_lost(run, fault) for fault in run.trace.faults[:2] if fault.object]
    why = [" ".join(said for said, _ in found)] if found else []
    return run.said(why, list(dict.fromkeys(fix for _, fix in found if fix)))


def _lost(run: TraceRun, fault: Fault) -> tuple[str, str]:
    made = allocation(run, fault.object)
    if made is None:
        return "Nothing points to the block any more when the process ends.", ""
    event = run.events[made]
    start = f"The block was allocated by {run.name(event.thread)}{_how(event)} in {run.place(made)}. "
    last, fix = _last_pointer(run, fault)
    return start + last, fix


def _last_pointer(run: TraceRun, fault: Fault) -> tuple[str, str]:
    if fault.step is None:
        return "Nothing ever kept a pointer to it.", "Free it, or do not allocate it."
    pointer = f"&{fault.object}"
    for index, event in enumerate(run.events):
        if event.step != fault.step:
            continue
        who = run.name(event.thread)
        if event.kind in WRITES and event.old == pointer and event.value != pointer:
            return (
                f"{who} overwrites the last pointer to it, `{event.target}`, in {run.step(index)}.",
                f"Free what `{event.target}` points to before it gets another value.",
            )
        if event.kind is EventKind.FREE:
            return (
                f"The last pointer to it went with the block that {who} freed in {run.place(index)}.",
                f"Free what the block points to before the block itself ({run.line(index)}).",
            )
    return _out_of_scope(run, fault.step)


def _out_of_scope(run: TraceRun, step: int) -> tuple[str, str]:
    fix = "Free it on every way out of the function."
    left = run.last(len(run.events), lambda e: e.step == step and e.kind is EventKind.LEAVE)
    ended = run.last(len(run.events), lambda e: e.step == step and e.kind in (EventKind.EXIT, EventKind.END))
    if left is None and ended is not None:
        who = run.name(run.events[ended].thread)
        run.cited.add(ended)
        return f"The last pointer to it was lost when {who} ended.", "Free it before."
    if left is None:
        return "The last pointer to it went out of scope.", fix
    return (
        f"The last pointer to it, `{run.events[left].target}`, went out of scope in {run.place(left)}.",
        fix,
    )
