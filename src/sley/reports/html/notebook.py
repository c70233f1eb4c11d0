"""A result in a notebook: what the page has, without what moves."""

from collections.abc import Iterator
from importlib.resources import files

from sley.evidence.trace import Trace
from sley.evidence.verdict import Safe
from sley.reports.html.markup import Child, Html, markup, tag
from sley.reports.html.page import (
    badge,
    certainty,
    sentence,
    undecided,
)
from sley.reports.html.paragraphs import labelled, quoted
from sley.reports.lines import THREAD_STYLES
from sley.reports.phrases import nouns, seconds_text
from sley.reports.rows import StatementRow
from sley.reports.story import Story, tell
from sley.reports.text import explaining_facts, place_text
from sley.verification.result import Result


def notebook(result: Result) -> str:
    """HTML for a cell of a notebook: no script, and a style that keeps to itself."""
    style = files("sley.reports.html").joinpath("notebook.css").read_text(encoding="utf-8")
    return tag("div", tag("style", Html(style)), list(_content(result)), class_="sley-result")


def _content(result: Result) -> Iterator[Child]:
    paths = ", ".join(path.name for path in result.task.paths)
    time = seconds_text(result.times.total)
    yield tag("p", badge(result), " ", sentence(result), tag("small", f" {paths} · {time}"))
    if result.traces:
        yield from _violation(result.traces[0])
    if isinstance(result.outcome, Safe):
        yield tag("p", "; ".join(f"no {noun}" for noun in nouns(result)), ".")
    yield undecided(result)
    texts = [
        *certainty(result),
        *([f"Assumes: {'; '.join(result.assumptions)}."] if result.assumptions else []),
    ]
    yield tag("details", tag("summary", "What this rests on"), [tag("p", text) for text in texts])


def _violation(trace: Trace) -> Iterator[Child]:
    story = tell(trace)
    yield tag("p", tag("code", place_text(trace)), class_="place")
    yield tag("ul", [tag("li", quoted(fact)) for fact in explaining_facts(trace)], class_="fact")
    if story.rows:
        yield tag("div", _table(trace, story), class_="wide")
    said = story.explanation
    blocks = [(label, texts) for label, texts in (("Why", said.why), ("Fix?", said.fix)) if texts]
    yield tag("dl", [labelled(label, map(quoted, texts)) for label, texts in blocks])


def _table(trace: Trace, story: Story) -> Html:
    acting = {row.thread for row in story.rows}
    threads = [thread for thread in trace.threads if thread.id in acting]
    heads = [tag("th", thread.name, class_=_colour(thread.id), scope="col") for thread in threads]
    values = [tag("th", column.name, scope="col") for column in story.columns]
    body = [_row(row, [thread.id for thread in threads], story) for row in story.rows]
    return tag(
        "table", tag("thead", tag("tr", tag("th", "step", scope="col"), heads, values)), tag("tbody", body)
    )


def _row(row: StatementRow, threads: list[int], story: Story) -> Html:
    cells = [_statement(row) if thread == row.thread else tag("td") for thread in threads]
    changes = [column.cells[row.number - 1] for column in story.columns]
    values = [
        tag("td", str(one).replace("->", "→"), class_="new" if one.is_write else None) for one in changes
    ]
    return tag("tr", tag("td", str(row.number)), cells, values, class_="fails" if row.is_failure else None)


def _statement(row: StatementRow) -> Html:
    line = f"{row.line} " if row.line else ""
    notes = [markup(tag("br"), tag("small", quoted(note))) for note in row.notes]
    statement = tag("code", tag("small", line), " ".join(row.statement.text.split()))
    return tag("td", statement, notes, class_=_colour(row.thread))


def _colour(thread: int) -> str:
    return f"t{thread % THREAD_STYLES}"
