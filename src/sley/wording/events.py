"""What a replay remarks, in words: notes of events, facts about violations, what a run rests on."""

from collections.abc import Sequence
from typing import assert_never

from sley.evidence.remarks import (
    Accesses,
    AccessKind,
    Arrives,
    Awaited,
    Escape,
    Fact,
    Fails,
    Gone,
    Lost,
    Mark,
    MissingOrder,
    NoModel,
    Note,
    Racing,
    Reliance,
    Reordered,
    Reordering,
    Repeats,
    Unmodelled,
    Unspecified,
    Value,
    Waiting,
    Waits,
)
from sley.evidence.trace import EventKind, ThreadInfo, Trace, TraceEvent
from sley.program.instructions import MemoryOrder
from sley.wording.phrases import enumeration

_MARKS = {
    Mark.SPURIOUS_WAKE_UP: "wakes up without a signal",
    Mark.REACHES_MEMORY: "reaches memory",
    Mark.OWN_PENDING_STORE: "of its own pending store",
    Mark.ATTEMPT_FAILS: "fails for no reason",
    Mark.RUNS_FOR_EVER: "runs for ever",
}
_ACCESSES = {AccessKind.READ: "reads", AccessKind.WRITE: "writes", AccessKind.USE: "uses"}
_ESCAPES = {
    Escape.NOTHING: "nothing",
    Escape.SPURIOUS_WAKE_UP: "nothing but a spurious wake-up",
    Escape.NOT_GUARANTEED: "nothing that is guaranteed",
}


def escape_text(escape: Escape) -> str:
    """What can end a loop."""
    return _ESCAPES[escape]


def reliance_text(reliance: Reliance) -> str:
    """What a run rests on."""
    match reliance:
        case Unmodelled(function):
            return f"unmodelled function `{function}`"
        case Unspecified(what):
            return what
        case _:
            assert_never(reliance)


def reliances_of(trace: Trace) -> str:
    """All of it."""
    return ", ".join(map(reliance_text, trace.depends_on))


def facts_of(trace: Trace) -> tuple[str, ...]:
    """The facts about a violation."""
    words = EventWords(trace.threads)
    return tuple(map(words.fact, trace.facts))


class EventWords:
    """Words about the events of one run."""

    def __init__(self, threads: Sequence[ThreadInfo]) -> None:
        self._names = {thread.id: thread.name for thread in threads}

    def _name(self, thread: int) -> str:
        """What a thread is called; a damaged report may speak of one that there is not."""
        return self._names.get(thread, f"thread {thread}")

    def note(self, event: TraceEvent) -> str:
        """What is remarked of an event; empty if the statement says it all."""
        if event.note is not None:
            return self._note(event.note, event)
        others = enumeration([self._name(thread) for thread in event.others])
        match event.kind:
            case EventKind.DELAY:
                return f"{event.target} = {event.value} is pending"
            case EventKind.SIGNAL:
                return f"wakes {others}" if others else "no thread waits for it"
            case EventKind.REFUSE if others:
                return f"fails: {others} {'hold' if event.others[1:] else 'holds'} it"
            case EventKind.REFUSE:
                return "fails: it is 0"
            case _:
                return ""

    def _note(self, note: Note, event: TraceEvent) -> str:
        match note:
            case Mark():
                return _MARKS.get(note, "")
            case Waits():
                return self._waits(note, event.thread)
            case Accesses():
                return _access(note)
            case Arrives(count, needed):
                return f"{count} of {needed}"
            case Gone():
                return _gone(note, event.target)
            case NoModel(None):
                return "no model of this function"
            case NoModel(value):
                return f"may return {value}: no model of it"
            case Fails(how):
                return how
            case Reordered():
                return self._reordered(note, event.value)
            case _:
                assert_never(note)

    def _waits(self, note: Waits, thread: int) -> str:
        holder = "" if note.holder is None else self._name(note.holder)
        is_own = note.holder == thread
        match note.what:
            case Awaited.LOCK:
                return f"waits for `{note.name}`, which {'it holds itself' if is_own else f'{holder} holds'}"
            case Awaited.END:
                return f"waits for {'itself' if is_own else holder} to end"
            case Awaited.READ_LOCK:
                return "may have to wait, as a writer waits"
            case _ if not note.name:
                return "waits"
            case Awaited.SIGNAL:
                return f"waits for `{note.name}` to be signalled"
            case Awaited.POST:
                return f"waits for `{note.name}` to be posted"
            case Awaited.BARRIER:
                return f"waits at `{note.name}`"
            case Awaited.OTHER:
                return f"waits for `{note.name}`"
            case _:
                assert_never(note.what)

    def _reordered(self, note: Reordered, value: str) -> str:
        name, line = self._name(note.thread), _line(note.line)
        match note.how:
            case Reordering.UNSEEN:
                return f"does not see what {name} wrote in line {line}"
            case Reordering.LATER_IN_ORDER:
                return f"what {name} writes in line {line} comes after it, though it was earlier"
            case Reordering.FROM_LATER:
                return f"{value} is what {name} writes in line {line}, later in this list"
            case Reordering.FROM_BEFORE:
                return f"{value} is the value from before what {name} writes in line {line}"
            case _:
                assert_never(note.how)

    def fact(self, fact: Fact) -> str:
        """A fact about a violation."""
        match fact:
            case Value(name, value):
                return f"{name} = {value}"
            case Racing():
                at = "" if fact.line is None else f" at line {fact.line}"
                return f"{self._name(fact.thread)} {_access(fact.access)}{at}"
            case MissingOrder():
                return self._missing_order(fact)
            case Waiting():
                at = "" if fact.line is None else f" (line {fact.line})"
                waits = self._waits(fact.note, fact.thread)
                return f"{self._name(fact.thread)} {waits}: {fact.statement}{at}"
            case Repeats():
                escape = _ESCAPES[fact.escape]
                return f"{self._name(fact.thread)} repeats {_lines(fact.lines)}, and {escape} can end that"
            case Lost():
                return f"{self._block(fact)} is lost"
            case _:
                assert_never(fact)

    def _missing_order(self, fact: MissingOrder) -> str:
        kind, needed = ("load", "acquire") if fact.is_load_weak else ("store", "release")
        atomic = "an atomic one with " if fact.order is MemoryOrder.PLAIN else ""
        return (
            f"{self._name(fact.reader)} reads what {self._name(fact.writer)} wrote (line "
            f"{_line(fact.read_line)} from line {_line(fact.write_line)}), but the {kind} is "
            f"{fact.order.value}: only {atomic}{needed} would order them"
        )

    def _block(self, fact: Lost) -> str:
        if fact.thread is None:
            return "a block"
        how = f" ({fact.function})" if fact.function else ""
        return f"the block allocated at line {_line(fact.line)}{how} by {self._name(fact.thread)}"


def _access(access: Accesses) -> str:
    atomic = " (atomic)" if access.is_atomic else ""
    if access.what is AccessKind.FREE:
        return f"frees the block{atomic}"
    if access.what is AccessKind.USE:
        return f"uses `{access.name}`"
    return f"{_ACCESSES[access.what]} `{access.name}`{atomic}"


def _gone(note: Gone, name: str) -> str:
    how = "is gone with its thread" if note.is_with_thread else "is gone"
    return f"`{name}` {how}" if name else f"what line {_line(note.line)} made {how}"


def _line(line: int | None) -> str:
    return "?" if line is None else str(line)


def _lines(lines: Sequence[int]) -> str:
    if not lines:
        return "the same"
    return f"{'line' if len(lines) == 1 else 'lines'} {enumeration([str(line) for line in lines])}"
