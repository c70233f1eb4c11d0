"""The report for people: the answer first, then what it rests on, then what to do next."""

from collections.abc import Sequence
from itertools import chain
from typing import assert_never

from sley.base.errors import Unsupported
from sley.base.shown import visible
from sley.base.source import Span
from sley.evidence.proof import Checked
from sley.evidence.trace import EventKind, ThreadInfo, Trace, TraceEvent
from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.program.program import Origin
from sley.program.properties import OF_STATES, Property
from sley.reports import crashes
from sley.reports.caveats import in_words, sentences
from sley.reports.execution_drawing import ExecutionDrawing
from sley.reports.lines import Line, Segment, hanging, labelled, line, shortened
from sley.reports.phrases import (
    MAX_LISTED,
    WIDTH,
    headline,
    missing_models,
    nouns,
    paragraph,
    rests_on,
    seconds_text,
)
from sley.reports.rows import statement_of
from sley.reports.story import Story, tell, tell_run
from sley.reports.table import TraceTable, render
from sley.reports.unknown import bounded_report, next_report, one_by_one, unknown_report
from sley.verification.result import Answer, NotSupported, Result
from sley.wording.events import facts_of, reliances_of
from sley.wording.phrases import enumeration
from sley.wording.reasons import decisive


def report(result: Result, *, width: int = WIDTH) -> list[Line]:
    """The whole report but for the closing ``RESULT`` lines."""
    width = min(width, WIDTH)
    return [*_of_answer(result, width), *crashes.report(result, width)]


def _of_answer(result: Result, width: int) -> list[Line]:
    outcome = result.outcome
    match outcome:
        case Safe():
            return _safe(result, outcome, width)
        case Unsafe(traces=traces):
            return _bug(result, traces, width)
        case Bounded():
            return bounded_report(result, outcome, width)
        case Unknown():
            return _unknown(result, outcome, width)
        case NotSupported(constructs=constructs):
            return _not_supported(result, constructs, width)
        case _:
            assert_never(outcome)


def closing_lines(result: Result) -> str:
    """The last lines of the output, for scripts: ``REASON`` where there is one, and ``RESULT``."""
    reason = result.reason
    if isinstance(result.outcome, Unknown) and result.outcome.reasons:
        reason = decisive(result.outcome.reasons)
    said = f"REASON: {visible(' '.join(reason.split()))}\n" if reason else ""
    return f"{said}RESULT: {result.result}\n"


# --- the five answers ------------------------------------------------------------------------------


def _safe(result: Result, safe: Safe, width: int) -> list[Line]:
    return [
        *_safe_headline(result, width),
        *paragraph(
            f"Proved for every schedule, every input and any number of loop iterations: "
            f"{safe.proof.summary}{by_engine(result)}. {checked_text(safe.checked, result.times.checking)}",
            width,
        ),
        *rests_on(result, width),
    ]


def _safe_headline(result: Result, width: int) -> list[Line]:
    """The answer; what it rests on that does not happen, or is not asked about, comes first."""
    possible = f"No {enumeration(nouns(result), 'or')} is possible."
    but = in_words(result)
    if not but:
        return headline(result, possible, "safe", width)
    more = " ".join((*sentences(result), possible))
    return [*headline(result, f"{but}.", "safe", width, joint=", "), *paragraph(more, width)]


def checked_text(checked: Checked, seconds: float) -> str:
    """How the proof was checked."""
    solvers = f" ({enumeration(checked.solvers, 'and')})" if checked.solvers else ""
    fitted = f"; {checked.runs} random runs fit it ({checked.states} states)" if checked.runs else ""
    done = f"The proof was checked in {seconds_text(seconds)}: {checked.how}{solvers}{fitted}."
    return " ".join((done, *checked.skipped))


def by_engine(result: Result) -> str:
    """The engine that proved it, in brackets."""
    return f" (engine {result.engine})" if result.engine is not None else ""


def _bug(result: Result, traces: Sequence[Trace], width: int) -> list[Line]:
    return [
        *trace_report(traces[0], width=width, seconds=result.times.total),
        *_reordered(traces[0], width),
        *interleaved(result, width),
        *_also(traces, width),
        *one_by_one(result, width),
        *missing_models(result, width),
        *_callers(result, width),
        *_next_steps(traces[0], width),
    ]


def _callers(result: Result, width: int) -> list[Line]:
    """That the calls in a trace are made up, where they are."""
    harness = result.task.harness
    if harness is None:
        return []
    text = f"The callers are made up: {harness}. If no caller of yours does that: sley explain harness."
    return labelled("Note", [text], width)


def _unknown(result: Result, unknown: Unknown, width: int) -> list[Line]:
    if result.is_safe_otherwise:
        return _safe_otherwise(result, unknown, width)
    lines = unknown_report(result, unknown, width)
    if unknown.traces:
        lines.append(line(""))
        lines += trace_report(unknown.traces[0], width=width)
    advice = next_report(result, unknown, width)
    label = "" if advice else "Next"
    steps = [_next_steps(trace, width, label) for trace in unknown.traces[:1]]
    return [*lines, *advice, *chain.from_iterable(steps)]


def safe_otherwise(result: Result) -> str:
    """The answer of which only suppressed findings are left."""
    count = len(result.suppressed)
    return f"Safe apart from {count} suppressed finding{'s' * (count > 1)}."


def _safe_otherwise(result: Result, unknown: Unknown, width: int) -> list[Line]:
    return [
        *headline(result, safe_otherwise(result), "unknown", width),
        *labelled("Sure", unknown.certain, width),
    ]


def _reordered(trace: Trace, width: int) -> list[Line]:
    """Which accesses a machine did not keep in the order of the text, where no interleaving does the same."""
    if trace.graph is None or not trace.memory_model.is_hardware:
        return []
    found = [
        f"{thread} in {_lines(first.origin, second.origin)}"
        for thread, first, second in ExecutionDrawing(trace.graph, trace.threads).reordered()
    ]
    text = f"Not in the order of the text: what is done by {', or by '.join(dict.fromkeys(found))}."
    return labelled("Order", [text], width) if found else []


def _lines(*origins: Origin) -> str:
    lines = dict.fromkeys(str(origin.span.line) for origin in origins if origin.span is not None)
    return f"line{'s' * (len(lines) > 1)} {' and '.join(lines)}"


def interleaved(result: Result, width: int) -> list[Line]:
    """Whether the memory model is to blame."""
    if result.interleaved is not Answer.SAFE:
        return []
    means = "Fences" if result.task.memory_model.is_hardware else "Stronger orders"
    text = (
        "Under sequential consistency (--memory-model sc) this cannot happen: proved. "
        f"{means} mend it; --suggest-orders finds which."
    )
    return labelled("Sure", [text], width)


def _not_supported(result: Result, constructs: Sequence[Unsupported], width: int) -> list[Line]:
    count = "1 construct" if len(constructs) == 1 else f"{len(constructs)} constructs"
    return [
        *headline(result, f"The program uses {count} outside what I model:", "unknown", width),
        *(line(f"       {construct}") for construct in constructs),
    ]


# --- a violation -----------------------------------------------------------------------------------


def trace_report(
    trace: Trace, *, width: int = WIDTH, seconds: float | None = None, show_all: bool = False
) -> list[Line]:
    """One violation: headline, facts, the table, and what can be said about it."""
    story = tell(trace, show_all=show_all)
    is_said = trace.failure.property is Property.DEADLOCK and story.explanation.why
    return [
        *_bug_headline(trace, width, seconds),
        line(""),
        *(() if is_said else _facts(trace, width)),
        *_table(story, trace.threads, width, ends_blocked=trace.failure.property is Property.DEADLOCK),
        line(""),
        *labelled("Why", story.explanation.why, width),
        *labelled("Fix?", story.explanation.fix, width),
    ]


def run_report(
    threads: Sequence[ThreadInfo], events: Sequence[TraceEvent], *, width: int = WIDTH
) -> list[Line]:
    """A run that violates nothing: the table alone."""
    return _table(tell_run(events, threads), threads, width)


def _table(
    story: Story, threads: Sequence[ThreadInfo], width: int, *, ends_blocked: bool = False
) -> list[Line]:
    if not story.rows:
        return []
    table = TraceTable(threads, story.rows, story.columns, width, story.hidden, ends_blocked=ends_blocked)
    return render(table)


def _bug_headline(trace: Trace, width: int, seconds: float | None) -> list[Line]:
    word, style = ("BUG", "bug") if not trace.depends_on else ("POSSIBLE BUG", "unknown")
    place = place_text(trace)
    time = "" if seconds is None else f"   {seconds_text(seconds)}"
    room = width - len(word) - 6 - len(time)
    fits = len(trace.failure.message) <= room - len(place)
    beside = place if fits else ""
    message = shortened(trace.failure.message, room - len(beside))
    filling = " " * (room - len(beside) - len(message) + 2)
    lines = [line(" ", Segment(f"{word}", style), f"  {message}{filling}{beside}{time}")]
    if not fits:
        lines.append(line(f"       {place}"))
    if trace.depends_on:
        lines += paragraph(f"This run rests on {reliances_of(trace)}.", width)
    return lines


def _facts(trace: Trace, width: int) -> list[Line]:
    lines = [line(f"       {part}") for text in explaining_facts(trace) for part in hanging(text, width - 7)]
    return [*lines, line("")] if lines else []


def explaining_facts(trace: Trace) -> Sequence[str]:
    """What goes wrong, with the values that make it so; both accesses of a race, the cycle of a deadlock."""
    return facts_of(trace) if trace.failure.property in OF_STATES else _failing_statement(trace)


def _failing_statement(trace: Trace) -> list[str]:
    text = failing_text(trace)
    facts = ", ".join(facts_of(trace))
    if trace.failure.rule == "assertion":
        return [f"{text}   is false:   {facts}" if facts else f"{text}   is false"]
    whole = "   with   ".join(part for part in (text, facts) if part)
    return [whole] if whole else []


def failing_text(trace: Trace) -> str:
    """The statement that fails, where it is one."""
    if trace.failure.property in OF_STATES:
        return ""
    statement = statement_of(trace.origin) if trace.origin is not None else None
    return statement.text.rstrip(";") if statement is not None else ""


def _also(traces: Sequence[Trace], width: int) -> list[Line]:
    """The violations after the first, once each; of races between two statements the first."""
    found: dict[object, str] = {}
    for trace in traces:
        text = f"{trace.failure.message}: {place_text(trace)} {failing_text(trace)}".rstrip()
        found.setdefault(_racing(trace) or text, text)
    texts = list(found.values())[1:]
    if len(texts) > MAX_LISTED:
        texts = [*texts[:MAX_LISTED], f"and {len(texts) - MAX_LISTED} more (--json FILE lists all)"]
    return labelled("Also", texts, width)


def _racing(trace: Trace) -> frozenset[Span]:
    """The two statements of a race."""
    if trace.failure.property is not Property.RACE:
        return frozenset()
    failing = [statement_of(event.origin) for event in trace.events if event.kind is EventKind.FAIL]
    return frozenset(found.span for found in failing if found is not None and found.span is not None)


def _next_steps(trace: Trace, width: int, label: str = "Next") -> list[Line]:
    """What a user can do with a trace; where there is no room, only the commands."""
    native = "sley replay --native    run your real program under this schedule"
    steps = [
        *((native,) if trace.is_for_processors else ()),
        "sley replay --step      walk through it, statement by statement",
        "--html report.html      the same as a page, with source and values",
        "sley show trace --all   every step, every value",
    ]
    if max(map(len, steps)) > width - 7:
        steps = [step.partition("  ")[0] for step in steps]
    labels = [Segment(f" {label:<5} ", "label"), *(Segment(" " * 7) for _ in steps[1:])]
    return [line(head, step) for head, step in zip(labels, steps, strict=True)]


def place_text(trace: Trace) -> str:
    """Where the violation is; both places for a race."""
    failing = (_place(event.origin) for event in trace.events if event.kind is EventKind.FAIL)
    spots = [place for place in dict.fromkeys(failing) if place]
    if len(spots) > 1:
        first, second = spots[0], spots[1]
        file, number = second.rsplit(":", 1)
        return f"{first} and {number if first.startswith(file + ':') else second}"
    return _place(trace.origin) or "".join(spots)


def _place(origin: Origin | None) -> str:
    statement = None if origin is None else statement_of(origin)
    span = None if statement is None else statement.span
    return "" if span is None else f"{span.file}:{span.line}"
