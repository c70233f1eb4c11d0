"""The page: the answer first, what it rests on, and then all there is to see of it."""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path

from sley import __version__
from sley.evidence.verdict import Bounded, Safe, Unknown
from sley.reports import crashes
from sley.reports.caveats import in_words, sentences
from sley.reports.html.markup import Child, Html, markup, tag
from sley.reports.html.paragraphs import UNBROKEN, definitions, labelled, quoted
from sley.reports.html.proof import proof
from sley.reports.html.violation import violation
from sley.reports.lines import labelled as labelled_lines
from sley.reports.phrases import missing_models, nouns, seconds_text
from sley.reports.suppressions import meaning
from sley.reports.text import by_engine, checked_text, failing_text, interleaved, place_text, safe_otherwise
from sley.reports.unknown import bounded_report, next_report, one_by_one, unknown_report
from sley.verification.command_line import command_line
from sley.verification.result import Answer, NotSupported, Result, Suppressed

MOST_VIOLATIONS = 6
"""So many are shown with all their steps; the others are only named."""


def page_of(result: Result, _: Path | None = None) -> str:
    """The whole page as text."""
    style, script = _resource("page.css"), _resource("page.js")
    policy = (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = f"{_word(result)}: {', '.join(path.name for path in result.task.paths)} - sley"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=policy),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("meta", name="generator", content=f"sley {__version__}"),
        tag("title", title),
        tag("style", Html(style)),
    )
    body = tag("body", _banner(result), tag("main", _content(result)), tag("script", Html(script)))
    return f"<!DOCTYPE html>\n{tag('html', head, body, lang='en')}\n"


def _resource(name: str) -> str:
    return files("sley.reports.html").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{b64encode(digest).decode()}"


# --- the top ---------------------------------------------------------------------------------------------


def _word(result: Result) -> str:
    is_possible = result.answer is Answer.UNKNOWN and result.traces
    return "POSSIBLE BUG" if is_possible else result.answer.value


_LOOKS = {Answer.SAFE: "safe", Answer.BUG: "bug"}


def _badge(result: Result) -> Html:
    """The answer as a coloured word."""
    return tag("span", _word(result), class_=f"badge {_LOOKS.get(result.answer, 'unknown')}")


def _banner(result: Result) -> Html:
    paths = ", ".join(str(path) for path in result.task.paths)
    return tag(
        "header",
        tag("h1", _badge(result), " ", _sentence(result)),
        tag(
            "p", tag("code", paths), " · ", seconds_text(result.times.total), _engine(result), class_="quiet"
        ),
        tag("button", "Dark", type="button", class_="theme", hidden=True, aria_pressed="false"),
        class_="banner",
    )


def _engine(result: Result) -> str:
    return f" · engine {result.engine}" if result.engine else ""


def _sentence(result: Result) -> Child:
    """The answer in a sentence."""
    outcome = result.outcome
    match outcome:
        case Safe():
            proved = "Proved for every schedule, every input and any number of loop iterations"
            return quoted(", ".join(filter(None, [proved, in_words(result)])) + ".")
        case Bounded(bound=bound):
            return f"Nothing found up to the bound: {bound}."
        case NotSupported(constructs=constructs):
            return f"The program uses {len(constructs)} constructs outside what I model."
        case Unknown() if result.is_safe_otherwise:
            return safe_otherwise(result)
        case Unknown(traces=()):
            return "I could not decide this program."
        case _:
            return markup(quoted(result.traces[0].failure.message), _others(len(result.traces) - 1))


def _others(count: int) -> str:
    return f", and {count} more" if count else ""


# --- what there is to see ------------------------------------------------------------------------------


def _content(result: Result) -> Iterator[Child]:
    if result.traces:
        yield _chooser(result)
        yield from (tag("dl", one, class_="why") for one in definitions(interleaved(result, UNBROKEN)))
        yield [violation(trace, n) for n, trace in enumerate(result.traces[:MOST_VIOLATIONS])]
    if isinstance(result.outcome, Safe):
        yield tag("ul", [tag("li", f"no {noun}") for noun in nouns(result)], class_="proved")
    yield _undecided(result)
    yield from (tag("dl", one, class_="why") for one in definitions(crashes.report(result, UNBROKEN)))
    yield _facts(result)
    if isinstance(result.outcome, Safe):
        yield proof(result)


def _undecided(result: Result) -> Html | None:
    """What is certain, what stopped the search, and what to try."""
    match result.outcome:
        case Unknown() as unknown if result.is_safe_otherwise:
            lines = labelled_lines("Sure", unknown.certain, UNBROKEN)
        case Unknown() as unknown:
            lines = [
                *unknown_report(result, unknown, UNBROKEN)[1:],
                *next_report(result, unknown, UNBROKEN),
            ]
        case Bounded() as bounded:
            lines = bounded_report(result, bounded, UNBROKEN)[1:]
        case _:
            lines = [*one_by_one(result, UNBROKEN), *missing_models(result, UNBROKEN)]
    return tag("section", tag("dl", definitions(lines)), class_="undecided") if lines else None


def _chooser(result: Result) -> Html | None:
    if len(result.traces) < 2:
        return None
    shown = result.traces[:MOST_VIOLATIONS]
    buttons = [
        tag(
            "a",
            f"{n + 1}. ",
            quoted(trace.failure.message),
            " ",
            tag("small", re.sub(r"\S*/", "", place_text(trace))),
            href=f"#b{n}",
            data_violation=n,
        )
        for n, trace in enumerate(shown)
    ]
    others = [
        tag("li", f"{trace.failure.message}: {place_text(trace)} {failing_text(trace)}")
        for trace in result.traces[MOST_VIOLATIONS:]
    ]
    return markup(
        tag("nav", buttons, class_="chooser", aria_label=f"{len(result.traces)} violations"),
        tag("details", tag("summary", f"{len(others)} more"), tag("ul", others)) if others else None,
    )


def _facts(result: Result) -> Html:
    blocks: list[tuple[str, Sequence[Child]]] = [
        ("How sure", list(_certainty(result))),
        ("Suppressed", [*map(_suppressed, result.suppressed), *meaning(result)]),
        ("Not modelled", _constructs(result)),
        ("Assumes", list(result.assumptions)),
        ("Not assumed", _follows(result)),
        ("Memory", [result.task.memory_model.label]),
        ("Reproduce", [tag("code", command_line(result.task)), *_replays(result)]),
        ("Statistics", [_statistics(result)]),
    ]
    return tag(
        "section",
        tag("h2", "What this rests on"),
        tag("dl", [labelled(label, texts) for label, texts in blocks if texts]),
        class_="facts",
    )


def _certainty(result: Result) -> Iterator[Child]:
    """How it is known."""
    outcome = result.outcome
    if isinstance(outcome, Safe):
        yield from map(quoted, sentences(result))
        yield f"The proof: {outcome.proof.summary}{by_engine(result)}."
        yield checked_text(outcome.checked, result.times.checking)
    elif result.answer is Answer.BUG:
        yield "The run was replayed on the reference interpreter, step by step, before it was reported."


def _suppressed(one: Suppressed) -> Child:
    return markup(
        quoted(f"{one.trace.failure.message}: {place_text(one.trace)}"), " by ", tag("code", one.by)
    )


def _follows(result: Result) -> list[Child]:
    """What a proof need not assume; without a proof nothing follows."""
    return list(result.follows) if isinstance(result.outcome, Safe | Bounded) else []


def _constructs(result: Result) -> list[Child]:
    outcome = result.outcome
    return [str(one) for one in outcome.constructs] if isinstance(outcome, NotSupported) else []


def _statistics(result: Result) -> Html:
    times = {"reading": result.times.loading, "search": result.times.finding, "check": result.times.checking}
    rows = [(f"{name} time", seconds_text(value)) for name, value in times.items()]
    rows += [(name.replace("_", " "), str(value)) for name, value in result.statistics.items()]
    body = [tag("tr", tag("th", name, scope="row"), tag("td", value)) for name, value in rows]
    table = tag("table", tag("tbody", body), class_="plain")
    return tag("details", tag("summary", f"{len(rows)} figures"), table)


def _replays(result: Result) -> Iterator[Html]:
    """What can be done with a violation afterwards."""
    if result.traces:
        if result.traces[0].is_for_processors:
            yield tag("code", "sley replay --native")
        yield tag("code", "sley replay --step")
