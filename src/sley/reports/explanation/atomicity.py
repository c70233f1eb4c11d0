"""Assertions and error calls: updates that get lost, checks that no longer hold, values from two moments."""

from collections.abc import Iterator

from sley.evidence.trace import EventKind, TraceEvent
from sley.program.c_text import (
    begins_with_condition,
    compares_and_exchanges,
    is_index_in,
    names_in,
)
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import READS, WRITES, TraceRun, is_memory, value_read
from sley.reports.explanation.waking import woken_without_looking
from sley.wording.phrases import enumeration


def wrong_value(run: TraceRun) -> Explanation:
    """Why a thread comes to a failing assertion or an error call."""
    if run.trace.memory_model.is_hardware:  # there, a write is not where it looks
        return Explanation()
    for explain in (woken_without_looking, same_again, lost_update, stale_check, two_moments, where_from):
        found = explain(run)
        if found:
            return found
    return Explanation()


# --- ABA -------------------------------------------------------------------------------------------


def same_again(run: TraceRun) -> Explanation:
    """A compare-exchange succeeds although the value has changed, and changed back, since it was read."""
    for index in run.before(len(run.events), _is_exchange):
        read = run.own(index, run.events[index])
        if read is None or run.events[read].kind not in READS:
            continue
        between = _foreign_writes(run, read, index)
        if _is_back(run, read, index, between):
            return _same_again(run, read, index, between)
        used_again = _used_again(run, read, index)
        if used_again:
            return used_again
    return Explanation()


def _used_again(run: TraceRun, read: int, exchange: int) -> Explanation:
    """A block was freed, and another one has its address: a compare-exchange takes one for the other."""
    seen, found = run.events[read].value, run.events[exchange].old
    freed = run.last(exchange, lambda e: e.kind is EventKind.FREE and e.target == seen)
    made = run.last(exchange, lambda e: e.kind is EventKind.ALLOCATE and f"&{e.target}" == found)
    if seen == found or freed is None or made is None or not read < freed < made:
        return Explanation()
    update = run.events[exchange]
    name, thread = update.target, run.name(update.thread)
    return run.said(
        [
            f"{thread} reads `{name}` = {seen} in {run.step(read)}. Then "
            f"{run.name(run.events[freed].thread)} frees that block ({run.step(freed)}), and "
            f"{run.name(run.events[made].thread)} allocates another one, which gets the same address "
            f"({run.step(made)}). The compare-exchange in {run.step(exchange)} finds the "
            "address that it expects, and succeeds: the ABA problem."
        ],
        ["Free a block only when no thread can still compare with its address (hazard pointers, epochs)."],
    )


def _is_exchange(event: TraceEvent) -> bool:
    is_change = event.kind is EventKind.UPDATE and event.value != event.old
    return is_change and compares_and_exchanges(event.origin.text)


def _is_back(run: TraceRun, read: int, exchange: int, between: list[int]) -> bool:
    seen = run.events[read].value
    values = [run.events[index].value for index in between]
    is_changed = any(value != seen for value in values)
    return is_changed and values[-1] == seen == run.events[exchange].old


def _again(run: TraceRun, away: int, back: int) -> str:
    one, other = run.events[away].thread, run.events[back].thread
    return "" if one == other else f"{run.name(other)} "


def _same_again(run: TraceRun, read: int, exchange: int, between: list[int]) -> Explanation:
    update, seen = run.events[exchange], run.events[read].value
    away = next(index for index in between if run.events[index].value != seen)
    thread, name = run.name(update.thread), update.target
    changes = (
        f"{run.name(run.events[away].thread)} changes it to {run.events[away].value} ({run.step(away)}), and "
        f"{_again(run, away, between[-1])}back to {seen} ({run.step(between[-1])})"
    )
    return run.said(
        [
            f"{thread} reads `{name}` = {seen} in {run.step(read)}. Before its compare-exchange in "
            f"{run.step(exchange)}, {changes}. The compare-exchange cannot see that, and succeeds: the ABA "
            "problem."
        ],
        [
            f"Change a version number together with `{name}` and compare both, or use nothing again while "
            "others may still compare with it."
        ],
    )


# --- lost updates ----------------------------------------------------------------------------------


def lost_update(run: TraceRun) -> Explanation:
    """A write overwrites another thread's write which the writer has not read; the latest."""
    for write in run.before(len(run.events), lambda e: e.kind is EventKind.WRITE and e.target in run.watched):
        read = run.own(write, run.events[write])
        if read is None or run.events[read].kind is not EventKind.READ:
            continue
        lost = _foreign_writes(run, read, write)
        if lost:
            return _lost_update(run, read, lost[-1], write)
    return Explanation()


def _foreign_writes(run: TraceRun, start: int, end: int) -> list[int]:
    """The writes of other threads to the location of two accesses, between them."""
    access = run.events[end]
    return [
        index
        for index in range(start + 1, end)
        if run.events[index].kind in WRITES
        and run.events[index].target == access.target
        and run.events[index].thread != access.thread
    ]


def _lost_update(run: TraceRun, read: int, lost: int, write: int) -> Explanation:
    name, other = run.events[write].target, run.name(run.events[lost].thread)
    found = run.said(
        [
            f"{run.name(run.events[write].thread)} reads `{name}` in {run.step(read)} and writes it in "
            f"{run.step(write)}. In between, {other} writes it ({run.step(lost)}), and this write is "
            "overwritten unseen."
        ],
        [
            f"Make {_lines(run, read, write)} one step: hold one mutex around all uses of `{name}`, "
            "or use an atomic operation."
        ],
    )
    row = run.row(write)
    remarks = {} if row is None else {row.number: f"overwrites what {other} wrote in {run.step(lost)}"}
    return Explanation(found.why, found.fix, remarks, found.decisive)


def _lines(run: TraceRun, first: int, last: int) -> str:
    spans = [span for index in (first, last) if (span := run.events[index].origin.span) is not None]
    if len({span.file for span in spans}) > 1:
        return f"{run.line(first)} and {run.line(last)}"
    low, *rest = sorted({span.line for span in spans}) or [0]
    return (f"lines {low}-{rest[0]}" if rest else f"line {low}") + "".join(map(run.of_file, spans[:1]))


# --- checks that no longer hold --------------------------------------------------------------------


def stale_check(run: TraceRun) -> Explanation:
    """A thread looks at a variable, another one changes it, and the first goes on by what it saw."""
    if run.trace.memory_model.is_hardware:
        return Explanation()
    for use in _uses(run, run.failing[0]):
        check = _check_of(run, use)
        if check is None or run.events[check].origin == run.events[use].origin:
            continue
        changes = _foreign_writes(run, check, use)
        if changes and value_read(run.events[check]) != value_read(run.events[use]):
            return _stale_check(run, check, changes[-1], use)
    return Explanation()


def _check_of(run: TraceRun, use: int) -> int | None:
    """The last read of the same location, by the same thread, that it went by."""
    event = run.events[use]
    own = run.before(use, lambda e: (e.thread, e.target) == (event.thread, event.target) and e.kind in READS)
    return next((index for index in own if _decides(run, index)), None)


def _uses(run: TraceRun, fail: int) -> Iterator[int]:
    """Reads of the failing thread near the failure: of the statement, and of variables that it names."""
    event = run.events[fail]
    near = run.feeding(fail)
    yield from reversed(near)
    words = set(names_in(event.origin.text))
    for index in run.before(fail, lambda e: e.thread == event.thread and e.kind in READS and bool(e.target)):
        if index not in near and words & set(names_in(run.events[index].target)):
            yield index


def _decides(run: TraceRun, index: int) -> bool:
    """Whether the statement of a read goes by what it read: a branch, or a local variable for one."""
    event = run.events[index]
    for later in run.events[index + 1 :]:
        if later.thread == event.thread:
            if later.origin != event.origin:
                return False
            if later.kind in (EventKind.BRANCH, EventKind.ASSIGN):
                return True
    return False


def _stale_check(run: TraceRun, check: int, change: int, use: int) -> Explanation:
    seen, found = run.events[check], run.events[use]
    thread, other = run.name(seen.thread), run.name(run.events[change].thread)
    return run.said(
        [
            f"{thread} reads `{seen.target}` = {value_read(seen)} in {run.step(check)} and goes by it. Then "
            f"{other} writes it ({run.step(change)}): when {thread} uses it again in {run.step(use)}, it is "
            f"{value_read(found)}."
        ],
        [
            f"Check and use `{seen.target}` in one critical section ({_lines(run, check, use)}): what "
            "was seen under a mutex holds only as long as the mutex is held."
        ],
    )


# --- values from two moments -----------------------------------------------------------------------


def two_moments(run: TraceRun) -> Explanation:
    """Values that are read together, of which another thread has changed only one so far."""
    reads = {run.events[i].target: i for i in run.feeding(run.failing[0]) if not _is_own_place(run, i)}
    writers = {name: run.writer(index) for name, index in reads.items()}
    fresh = [(n, w) for n, w in writers.items() if w is not None and _is_running_other(run, w)]
    old = [n for n, w in writers.items() if w is None and run.is_initial(reads[n])]
    if not fresh or not old:
        return Explanation()
    (name, write), other = fresh[0], old[0]
    released = _released(run, write, reads[name])
    if released is None:
        return Explanation()
    writer, reader = run.name(run.events[write].thread), run.name(run.events[run.failing[0]].thread)
    values = {n: run.events[reads[n]].value for n in (name, other)}
    return run.said(
        [
            f"{reader} reads `{name}` = {values[name]}, which {writer} wrote in {run.step(write)}, together "
            f"with `{other}` = {values[other]}, which has not been written yet ({run.step(reads[other])}). "
            f"{writer} has unlocked `{run.events[released].target}` in between ({run.step(released)}), and "
            "not come to its end."
        ],
        [
            f"If `{name}` and `{other}` belong together, change both in one critical section, and read "
            "both in one."
        ],
    )


def _released(run: TraceRun, write: int, end: int) -> int | None:
    """Where the critical section of a write ended; None if it was in none, or that went on until ``end``."""
    thread = run.events[write].thread
    held = run.held(thread, write)
    later = (i for i in range(write, end) if run.events[i].thread == thread)
    return next(
        (i for i in later if run.events[i].kind is EventKind.UNLOCK and run.events[i].target in held), None
    )


def _is_own_place(run: TraceRun, index: int) -> bool:
    """Whether a read says only where to look, or is of what the reader changes itself."""
    read = run.events[index]
    is_changed = any(
        (e.thread, e.target) == (read.thread, read.target) and e.kind in WRITES for e in run.events
    )
    return is_index_in(read.target, read.origin.text) or is_changed


def _is_running_other(run: TraceRun, write: int) -> bool:
    thread = run.events[write].thread
    return thread != run.events[run.failing[0]].thread and run.has_ended(thread) is None


# --- where values come from ------------------------------------------------------------------------


def where_from(run: TraceRun, *, only: int | None = None) -> Explanation:
    """Where the values that the failing statement goes by come from; or the value of one read of it."""
    read = run.feeding(run.failing[0]) if only is None else [only]
    reads = {run.events[index].target: index for index in read}
    initial = [i for i in reads.values() if run.is_initial(i) and _is_global(run, run.events[i])]
    early = [index for index in initial if not _is_own_place(run, index)]
    if early and len(run.trace.threads) > 1:
        return _too_early(run, early[0])
    written = [(index, write) for index in reads.values() if (write := run.writer(index)) is not None]
    shared = [(index, write) for index, write in written[:2] if run.events[write].is_shared]
    why = [
        f"`{run.events[index].target}` = {value_read(run.events[index])} is what "
        f"{run.name(run.events[write].thread)} wrote in {run.step(write)}."
        for index, write in shared
    ]
    more = [explain(run, shared[0][1]) for explain in (_unread, _ways_in)] if len(shared) == 1 else []
    return run.said([" ".join(filter(None, [*why, *more]))] if why else [])


def _unread(run: TraceRun, write: int) -> str:
    """That what a write replaced, which another write had left there, was never read."""
    event = run.events[write]
    about = [i for i, e in enumerate(run.events) if is_memory(e) and _overlap(e.target, event.target)]
    replaced = next((i for i in reversed(about) if i < write), None)
    if replaced is None or event.kind is EventKind.UPDATE or run.trace.depends_on:
        return ""
    old = run.events[replaced]
    is_read = any(run.events[i].kind in READS and run.events[i].source == old.step for i in about)
    if old.kind not in WRITES or old.target != event.target or is_read:
        return ""
    by = f"{run.name(old.thread)} wrote in {run.step(replaced)}"
    return f"It replaces {old.value}, which {by} and no thread has read."


def _overlap(one: str, other: str) -> bool:
    """Whether two names may be of the same memory, or of a part of it."""
    return one.startswith(other) or other.startswith(one)


def _is_global(run: TraceRun, event: TraceEvent) -> bool:
    return not run.is_in_block(event.target) and event.value != "arbitrary"


def _too_early(run: TraceRun, read: int) -> Explanation:
    event = run.events[read]
    thread = run.name(event.thread)
    why = (
        f"`{event.target}` still has its initial value {value_read(event)} when {thread} reads it in "
        f"{run.step(read)}: `{event.target}` has not been written before."
    )
    before = f", or write it before {thread} is created" if event.thread else ""
    fix = (
        f"If another thread is to write `{event.target}` first, let {thread} wait for it (with a condition "
        f"variable or a semaphore){before}."
    )
    return run.said([" ".join([why, *_refusals(run, read)])], [fix] if _may_come(run, read) else [])


def _may_come(run: TraceRun, read: int) -> bool:
    """Whether another thread is still on its way."""
    reader = run.events[read].thread
    others = (thread.id for thread in run.trace.threads if thread.id != reader)
    return any(run.has_ended(thread) is None for thread in others)


def _refusals(run: TraceRun, read: int) -> list[str]:
    """Attempts of other threads that failed before a read: they may have skipped a write."""
    others = (thread.id for thread in run.trace.threads if thread.id != run.events[read].thread)
    found = [index for thread in others if (index := run.refused(thread, read)) is not None]
    return [
        f"{run.name(run.events[i].thread)} did not get `{run.events[i].target}` in {run.place(i)}."
        for i in found
        if run.events[i].target
    ]


# --- how threads came to write ---------------------------------------------------------------------


def _ways_in(run: TraceRun, write: int) -> str:
    """What two threads that change a count had read in the conditions that let them come there."""
    is_update = run.events[write].kind is EventKind.UPDATE
    found = write if is_update else run.own(write, run.events[write])
    earlier = None if found is None or run.events[found].kind not in READS else run.writer(found)
    if earlier is None or run.events[earlier].thread == run.events[write].thread:
        return ""
    parts = [_condition_before(run, index) for index in (earlier, write)]
    return f"Before, {parts[0]}, and {parts[1]}." if all(parts) else ""


def _condition_before(run: TraceRun, write: int) -> str:
    """What a thread had read in the last condition before a write, where it was about something else."""
    event = run.events[write]
    reads = run.before(
        write,
        lambda e: (
            (e.thread, e.origin.function) == (event.thread, event.origin.function)
            and e.kind in READS
            and begins_with_condition(e.origin.text)
        ),
    )
    last = next(reads, None)
    if last is None or not run.events[last].is_shared:
        return ""
    same = [
        i for i, e in enumerate(run.events[: last + 1]) if e.run == run.events[last].run and e.kind in READS
    ]
    for source in filter(None, map(run.writer, same)):
        run.step(source)
    values = enumeration([f"`{run.events[i].target}` = {value_read(run.events[i])}" for i in same])
    return f"{run.name(event.thread)} read {values} ({run.step(last)})"
