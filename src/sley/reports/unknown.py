"""Where there is no answer: what is certain nevertheless, each reason once, and what to try."""

from collections.abc import Callable, Sequence
from pathlib import Path

from sley.base.reasons import Reason
from sley.evidence.verdict import Bounded, Safe, Unknown
from sley.frontend.main_arguments import AT_LEAST_ONE
from sley.program.properties import ON_REQUEST, PROPERTY_GROUPS, WITHOUT_LOCATION, grouped
from sley.reports.lines import Line, labelled, line
from sley.reports.phrases import (
    MAX_LISTED,
    assumed,
    headline,
    nouns_of,
    paragraph,
)
from sley.verification.result import Answer, Outcome, Result
from sley.wording.orders import weak_orders
from sley.wording.phrases import enumeration
from sley.wording.reasons import Merged, Remedy, merged

MORE_TIME = 10
MAX_NAMED = 3

_DECISIVE = frozenset({Remedy.MODELS, Remedy.CONSTRUCT, Remedy.ADDRESSES})
"""Where one of these stops a search, these do not help:"""
_MORE_OF_THE_SAME = frozenset({Remedy.TIME, Remedy.MEMORY, Remedy.SIZE, Remedy.ENGINE})

_BOUNDED = "bmc"
"""The engine that may find bugs up to a bound, if it has not given up already."""

CODE_INDENT = " " * 9


def unknown_report(result: Result, unknown: Unknown, width: int) -> list[Line]:
    """All but a possible bug, which comes after it."""
    reasons = merged(unknown.reasons or [("", unknown.reason)])
    return [
        *headline(result, "I could not decide this program.", "unknown", width),
        *labelled("Sure", [_sentence(fact) for fact in unknown.certain], width),
        *one_by_one(result, width),
        *labelled("Stop", _stops(result, reasons), width),
        *_weak(result, unknown, width),
    ]


def next_report(result: Result, unknown: Unknown, width: int) -> list[Line]:
    """What to try, by what stopped the search: nothing where none of it would change the answer."""
    reasons = merged(unknown.reasons or [("", unknown.reason)])
    found: list[Line] = []
    remedies = {one.reason.remedy: one for one in reversed(reasons)}
    if not _DECISIVE.isdisjoint(remedies):
        remedies = {remedy: one for remedy, one in remedies.items() if remedy not in _MORE_OF_THE_SAME}
    elif len(remedies) > 1 or any(engine == _BOUNDED for one in reasons for engine in one.engines):
        remedies.pop(Remedy.ENGINE, None)
    for remedy in Remedy:
        if remedy in remedies:
            found += _advice(remedy, remedies[remedy], result, width)
    found += [part for text in _arguments(result) for part in paragraph(text, width)]
    return _headed("Next", found)


def bounded_report(result: Result, bounded: Bounded, width: int) -> list[Line]:
    """Nothing up to a bound: what was looked at, what lies beyond, and how to get there."""
    further = f"{enumeration(bounded.beyond, 'and')} can go further"
    seen = [
        "All schedules and all inputs were looked at up to there.",
        *([_sentence(further)] if bounded.beyond else []),
        "This is no proof of what lies beyond.",
    ]
    return [
        *headline(result, f"Nothing found up to the bound: {bounded.bound}.", "unknown", width),
        *paragraph(" ".join(seen), width),
        *assumed(result, width),
        *labelled("Next", _further(result), width),
    ]


def _further(result: Result) -> list[str]:
    unwind, engines = result.task.options.bmc.unwind, result.task.engines
    tried = [
        f"Further: --time-limit {_longer(result)}." if unwind is None else f"Further: --unwind {2 * unwind}."
    ]
    if engines and "impact" not in engines:
        tried.append("For any number of rounds: --engine impact.")
    tried.append("A proof is easier where loops have bounds: ranges for inputs (sley explain inputs).")
    return [*tried, *_arguments(result)]


def _arguments(result: Result) -> list[str]:
    """How to say what the program is started with, where that is free."""
    if AT_LEAST_ONE not in result.assumptions:
        return []
    name = result.task.paths[0].name
    return [f"The arguments of the program are free: sley check {name} -- ARG … says what they are."]


# --- what is certain -------------------------------------------------------------------------------


def one_by_one(result: Result, width: int) -> list[Line]:
    """What is known of single properties, where they were looked at one by one."""
    known = result.by_property
    outcomes = {noun: result.outcome_of(prop) for prop, noun in nouns_of(result).items() if prop in known}
    safe = [noun for noun, outcome in outcomes.items() if isinstance(outcome, Safe)]
    if not safe:
        return []
    proved = [f"{_beside(result)}, no {enumeration(safe, 'or')} is possible: proved, and the proof checked."]
    return [*labelled("Safe", proved, width), *labelled("Open", _still_open(outcomes), width)]


def _beside(result: Result) -> str:
    """Of which runs more is known: those with all bugs listed end at the first."""
    if result.answer is not Answer.BUG:
        return "If nothing else goes wrong"
    is_end = any(trace.failure.property not in WITHOUT_LOCATION for trace in result.traces)
    return "If runs end there" if result.task.all_bugs and is_end else "Otherwise"


def _still_open(outcomes: dict[str, Outcome]) -> list[str]:
    """Properties that are open for the same reasons stand together."""
    by_reason: dict[str, list[str]] = {}
    for noun, outcome in outcomes.items():
        if isinstance(outcome, Unknown | Bounded):
            by_reason.setdefault(_why(outcome), []).append(noun)
    return [f"{', '.join(open_nouns)}: {reason}" for reason, open_nouns in by_reason.items()]


def _why(outcome: Unknown | Bounded) -> str:
    if isinstance(outcome, Bounded):
        return f"nothing found up to a bound ({outcome.bound})."
    found = merged(outcome.reasons or [("", outcome.reason)])
    return " ".join(one.sentence for one in found)


def _sentence(fact: str) -> str:
    return fact[:1].upper() + fact[1:].rstrip(".") + "."


# --- why -------------------------------------------------------------------------------------------


def _stops(result: Result, reasons: Sequence[Merged]) -> list[str]:
    return [_missing(result, one) if one.reason.remedy is Remedy.MODELS else one.sentence for one in reasons]


def _missing(result: Result, met: Merged) -> str:
    """All unmodelled functions, whichever of them was met."""
    functions = _unknown_functions(result)
    if met.reason.subject not in functions:
        return met.sentence
    names = [f"{name}{place}" for name, place in functions.items()]
    listed = names if len(names) <= MAX_LISTED else [*names[:MAX_LISTED], f"{len(names) - MAX_LISTED} more"]
    have = (
        "have no body and no model: what they do" if names[1:] else "has no body and no model: what it does"
    )
    by = f" ({', '.join(met.engines)})" if met.engines else ""
    return f"{enumeration(listed, 'and')} {have} is not known{by}."


def _unknown_functions(result: Result) -> dict[str, str]:
    """The unmodelled functions, each with the place of a call."""
    found = ((f"`{one.function}`", one.span) for one in result.unmodelled if one.function)
    return {name: f" ({Path(span.file).name}:{span.line})" if span else "" for name, span in found}


def _weak(result: Result, unknown: Unknown, width: int) -> list[Line]:
    """Which lines may be why, unless that is said already."""
    named = weak_orders(result.weak)
    given = [unknown.reason, *(reason for _, reason in unknown.reasons)]
    is_said = not named or any(isinstance(one, Reason) and named in one.about for one in given)
    text = f"{named}: --memory-model sc assumes that threads interleave, which is easier to decide."
    return [] if is_said else labelled("Note", [text], width)


# --- what to try -----------------------------------------------------------------------------------

_Advice = Callable[[Merged, Result, int], list[Line]]


def _advice(remedy: Remedy, reason: Merged, result: Result, width: int) -> list[Line]:
    advice = _ADVICE[remedy]
    return paragraph(advice, width) if isinstance(advice, str) else advice(reason, result, width)


def _models(reason: Merged, result: Result, width: int) -> list[Line]:
    """The lines of C to start from."""
    stubs = [one.model for one in result.unmodelled if one.model][:MAX_LISTED]
    if not stubs:
        text = f"Give {reason.reason.subject or 'it'} a body: --models FILE (sley explain models)."
        return paragraph(text, width)
    names = list(_unknown_functions(result))
    does = "what they do" if len(names) > 1 else f"what {names[0]} does"
    text = f"Say {does} in a C file, given by --models FILE. Lines to start from (sley explain models):"
    lines = dict.fromkeys(part for stub in stubs for part in stub.split("\n"))
    code = [line(f"{CODE_INDENT}{part}") for one in lines for part in _broken_code(one, width)]
    return [*paragraph(text, width), *code]


def _broken_code(text: str, width: int) -> list[str]:
    """A function on one line, or with its body on the next, or broken between parameters as well."""
    room = width - len(CODE_INDENT)
    if len(text) <= room:
        return [text]
    head, brace, body = text.partition(" {")
    first = head
    parts: list[str] = []
    while len(first) > room and (at := first.rfind(", ", 0, room) + 1) > 0:
        parts.append(first[:at])
        first = "    " + first[at:].lstrip()
    return [*parts, first, *([f"{{{body}"] if brace else [])]


def _input(reason: Merged, _: Result, width: int) -> list[Line]:
    what = reason.reason.subject or "what it depends on"
    text = f"Give {what} a range right behind the place where it is read, such as (sley explain inputs):"
    return [*paragraph(text, width), line(f"{CODE_INDENT}__VERIFIER_assume(0 <= x && x <= 10);")]


def _value(reason: Merged, _: Result, width: int) -> list[Line]:
    """No assumption about the value: that would read it, too."""
    what = reason.reason.subject or "it"
    return paragraph(f"Give {what} a value before it is read: where it is declared, or made.", width)


def _time(reason: Merged, result: Result, width: int) -> list[Line]:
    texts = [f"More time: --time-limit {_longer(result)}."]
    groups = _open_groups(result)
    if len(grouped(result.task.selection.properties)) > 1:
        named = enumeration(groups, "or") if len(groups) <= MAX_NAMED else f"{groups[0]}, for instance"
        texts.append(f"One property at a time: --property {named}.")
    if len(reason.engines) > 1:
        texts.append(f"One engine alone: --engine {enumeration(reason.engines, 'or')}.")
    is_interleaved = not result.task.memory_model.is_hardware and not weak_orders(result.weak)
    if result.survey is None and not result.task.engines and is_interleaved:
        texts.append("Check by check, what is proved and what is open: --each-check.")
    texts.append(
        "Less to do: fewer threads or rounds in the harness, inputs with ranges (sley explain inputs)."
    )
    return [part for text in texts for part in paragraph(text, width)]


def _memory(_: Merged, result: Result, width: int) -> list[Line]:
    limit = result.task.limits.megabytes
    more = f"More memory: --memory-limit {4 * limit}MB. " if limit is not None else ""
    text = f"{more}One engine at a time takes less: --jobs 1. So do fewer threads, rounds and inputs."
    return paragraph(text, width)


def _engine(_: Merged, result: Result, width: int) -> list[Line]:
    if result.task.engines:
        return paragraph("Ask all engines: without --engine (sley explain engines).", width)
    if ON_REQUEST.isdisjoint(result.task.selection.properties):
        return paragraph("Bugs up to a bound: --engine bmc --unwind 3.", width)
    return []


_ADVICE: dict[Remedy, str | _Advice] = {
    Remedy.MODELS: _models,
    Remedy.INPUT: _input,
    Remedy.VALUE: _value,
    Remedy.CONSTRUCT: (
        "If it does not matter for what you check, leave it out (#ifdef); a function can get an empty body "
        "by --models FILE (sley explain models)."
    ),
    Remedy.ADDRESSES: lambda *_: [],
    Remedy.ORDERS: "--memory-model sc assumes that threads only interleave (sley explain memory-orders).",
    Remedy.TIME: _time,
    Remedy.MEMORY: _memory,
    Remedy.SIZE: (
        "Less to do: fewer threads, rounds and elements. Constants of the program as macros make that easy: "
        "-D N=2."
    ),
    Remedy.SINGLE: lambda *_: [],
    Remedy.ENGINE: _engine,
}


def _open_groups(result: Result) -> list[str]:
    """The names that ``--property`` takes for what is not decided."""
    chosen = result.task.selection.properties
    still = {prop for prop in chosen if not isinstance(result.outcome_of(prop), Safe)}
    return [name for name, group in PROPERTY_GROUPS.items() if not still.isdisjoint(group)]


def _longer(result: Result) -> str:
    seconds = MORE_TIME * (result.task.limits.seconds or 60.0)
    return f"{round(seconds / 60)}m" if seconds >= 120 else f"{seconds:g}s"


def _headed(label: str, lines: Sequence[Line]) -> list[Line]:
    """Lines with a label in the margin of the first."""
    if not lines:
        return []
    first, *rest = lines
    text = "".join(segment.text for segment in first)[7:]
    return [*labelled(label, [text], len(text) + 7), *rest]
