"""One violation: what goes wrong, its steps to walk through, the source, and what is known at each step."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from sley.evidence.execution_graph import ExecutionGraph
from sley.evidence.trace import Trace
from sley.reports.execution_drawing import ExecutionDrawing, drawing_lines
from sley.reports.html.arrows import SAID, RowArrow, arrows_of
from sley.reports.html.code import SourceFiles
from sley.reports.html.course import Course, Moment, RowWrite, ThreadActivity
from sley.reports.html.markup import Child, Html, markup, tag
from sley.reports.html.paragraphs import labelled, quoted
from sley.reports.html.timeline import is_tall, legend, timeline
from sley.reports.lines import THREAD_STYLES, plain
from sley.reports.phrases import WIDTH
from sley.reports.rows import StatementRow
from sley.reports.story import Story, tell
from sley.reports.table import MAX_NAMED
from sley.reports.text import explaining_facts, place_text
from sley.reports.values import ShownVariable
from sley.wording.events import reliances_of

MOST_ROWS = 600
"""A page with more would be slow; the command line shows them all."""


class Walk:
    """The steps of a violation, all or those that matter; ``prefix`` tells its elements from others'."""

    def __init__(self, trace: Trace, story: Story, prefix: str) -> None:
        self.trace = trace
        self.story = story
        self.prefix = prefix
        self.course = Course(trace, story.rows)
        self.arrows: Sequence[RowArrow] = arrows_of(self.course)
        telling = [column.name for column in story.columns]
        self.column = [v for v in self.course.variables if telling and v.name == telling[0]][:1]
        """The variable that has a column, if any."""
        spans = [row.statement.span for row in story.rows]
        spans += [standing.span for moment in self.course.moments for standing in moment.threads]
        self.sources = SourceFiles([span for span in spans if span is not None], prefix)

    def html(self) -> Html:
        """All of it."""
        return tag(
            "div",
            self._explanation(),
            tag("div", self._steps(), self._source(), self._state(), class_="panes"),
            tag("script", self._data(), type="application/json"),
            class_="walk",
            id=self.prefix,
            data_total=self.story.rows[-1].number + self.story.hidden,
        )

    def _explanation(self) -> Html | None:
        said = self.story.explanation
        blocks = [(label, texts) for label, texts in (("Why", said.why), ("Fix?", said.fix)) if texts]
        if not blocks:
            return None
        return tag("dl", [labelled(label, map(self._linked, texts)) for label, texts in blocks], class_="why")

    def _linked(self, text: str) -> Html:
        """Steps that a text speaks of are links to them; what it quotes is code."""
        rows = {row.number: index for index, row in enumerate(self.story.rows)}
        parts = re.split(r"(\bsteps? \d+|`[^`]+`)", text)
        return markup(self._link(part, rows) for part in parts)

    def _link(self, part: str, rows: Mapping[int, int]) -> Child:
        found = re.fullmatch(r"steps? (\d+)", part)
        index = rows.get(int(found[1])) if found else None
        if index is None:
            return quoted(part)
        return tag("a", part, href=f"#{self.prefix}r{index}", data_go=index)

    # --- the steps --------------------------------------------------------------------------------

    def _steps(self) -> Html:
        heads = [tag("th", v.name, scope="col", class_="value", title=v.name) for v in self.column]
        table = tag(
            "table",
            tag("caption", "The steps of the run, in order", class_="unseen"),
            tag(
                "thead", tag("tr", tag("th", "Step", scope="col"), tag("th", "Statement", scope="col"), heads)
            ),
            tag("tbody", self._rows()),
        )
        return tag(
            "section",
            tag("h3", "Steps"),
            self._thread_names(),
            tag(
                "div", tag("div", timeline(self.course, self.arrows), table, class_="graph"), class_="scroll"
            ),
            legend(self.course, self.arrows),
            class_="pane steps",
        )

    def _thread_names(self) -> Html:
        acting = self.course.acting
        names = [
            tag("li", thread.name, class_=_colour(thread.id), hidden=thread not in acting)
            for thread in self.trace.threads
        ]
        return tag("ul", names, class_="names", aria_label="Threads")

    def _rows(self) -> Iterator[Html]:
        decisive = self.story.explanation.decisive
        for index, row in enumerate(self.story.rows):
            if row.hidden_before:
                yield self._gap(row.hidden_before, row.hidden_threads)
            looks = {
                "fails": row.is_failure,
                "decisive": not decisive.isdisjoint(row.indices),
                "tall": is_tall(row),
            }
            look = " ".join(word for word, is_so in looks.items() if is_so)
            yield tag(
                "tr",
                tag("td", str(row.number), class_="number"),
                self._statement(row, index),
                self._values(index),
                id=f"{self.prefix}r{index}",
                class_=look or None,
                data_row=index,
                tabindex="-1",
            )
        if self.story.hidden:
            yield self._gap(self.story.hidden, ())

    def _gap(self, count: int, threads: Sequence[int]) -> Html:
        steps = "1 step" if count == 1 else f"{count} steps"
        of = f" of {' and '.join(map(self._name, threads))}" if 0 < len(threads) <= MAX_NAMED else ""
        text = f"{steps}{of} not shown"
        return tag("tr", tag("td"), tag("td", text, colspan=1 + len(self.column)), class_="gap")

    def _statement(self, row: StatementRow, index: int) -> Html:
        place = f"{row.line} " if row.line else ""
        statement = tag("code", tag("span", place, class_="line"), " ".join(row.statement.text.split()))
        said = [*self._changes(row, index), *row.notes]
        notes = [tag("span", " · ", quoted(note)) for note in said]
        who = tag("small", tag("b", self._name(row.thread), class_=_colour(row.thread)), notes)
        return tag("td", statement, who, class_="statement", title="\n".join((row.statement.text, *said)))

    def _changes(self, row: StatementRow, index: int) -> Iterator[str]:
        """What the row writes that has a column on the screen, but none here."""
        telling = {column.name for column in self.story.columns}
        for variable in self.course.variables:
            written = self.course.written(variable, index)
            is_said = variable in self.column or variable.name not in telling or row.statement.is_call
            if written and not is_said:
                yield f"{variable.name}: {written[-1].old} → {written[-1].value}"

    def _values(self, index: int) -> Iterator[Html]:
        for variable in self.column:
            written = self.course.written(variable, index)
            value = self.course.moments[index].values[variable]
            text = f"{written[0].old} → {value}" if written and written[0].old else value
            yield tag("td", text, class_="value changed" if written else "value")

    def _name(self, thread: int) -> str:
        return self.trace.threads[thread].name

    # --- the source -------------------------------------------------------------------------------

    def _source(self) -> Html:
        return tag(
            "section",
            tag("h3", "Source"),
            tag("div", self.sources.listing(), class_="scroll", tabindex="0", aria_label="Source"),
            class_="pane source",
        )

    # --- what is known at a step ------------------------------------------------------------------

    def _state(self) -> Html:
        return tag(
            "section",
            tag("h3", "State ", tag("small", "after the last step", data_state_of="")),
            self._variables(),
            self._locks(),
            self._pending(),
            self._threads(),
            class_="pane state",
        )

    def _variables(self) -> Html | None:
        if not self.course.variables:
            return None
        rows = [self._variable(number, variable) for number, variable in enumerate(self.course.variables)]
        return markup(tag("h4", "Shared variables"), tag("ul", rows, class_="variables"))

    def _variable(self, number: int, variable: ShownVariable) -> Html:
        last = self.course.moments[-1].values[variable]
        history = [
            tag(
                "li",
                tag("a", self._when(w), href=f"#{self.prefix}r{w.row}", data_go=w.row),
                tag("b", self._name(w.thread), class_=_colour(w.thread)),
                tag("span", f"{w.old} → {w.value}" if w.old else w.value),
                data_from=w.row,
            )
            for w in reversed(self.course.history[variable])
        ]
        value = tag("output", last, data_key=f"v{number}")
        return tag("li", tag("code", variable.name), " = ", value, tag("ol", history) if history else None)

    def _when(self, written: RowWrite) -> str:
        number = self.story.rows[written.row].number
        return f"step {number}" if written.is_shown else f"before {number}"

    def _locks(self) -> Html | None:
        if not self.course.locks:
            return None
        last = _state(self, self.course.moments[-1])
        rows = [
            tag(
                "li", tag("code", name), " ", tag("output", quoted(last[f"m{number}"]), data_key=f"m{number}")
            )
            for number, name in enumerate(self.course.locks)
        ]
        return markup(tag("h4", "Locks"), tag("ul", rows, class_="locks"))

    def _pending(self) -> Html | None:
        if not any(moment.pending for moment in self.course.moments):
            return None
        last = _state(self, self.course.moments[-1])["b"]
        text = tag("output", last, data_key="b")
        return markup(tag("h4", "Stores that have not reached memory"), tag("p", text, class_="pending"))

    def _threads(self) -> Html:
        last = _state(self, self.course.moments[-1])
        rows = [
            tag(
                "li",
                tag("b", thread.name, class_=_colour(thread.id)),
                " ",
                tag("output", quoted(last[f"t{thread.id}"]), data_key=f"t{thread.id}"),
                tag("code", last[f"n{thread.id}"], data_key=f"n{thread.id}", class_="local"),
            )
            for thread in self.trace.threads
        ]
        return markup(tag("h4", "Threads"), tag("ul", rows, class_="threads"))

    # --- for the script ---------------------------------------------------------------------------

    def _data(self) -> Html:
        """What changes from row to row, by key; `<` is never part of it, so nothing ends the element."""
        known: dict[str, str] = {}
        changes = []
        for moment in self.course.moments:
            state = _state(self, moment)
            changes.append({key: value for key, value in state.items() if known.get(key) != value})
            known = state
        rows = [
            {
                "t": row.thread % THREAD_STYLES,
                "at": self.sources.place(row.statement.span),
                "say": self._said(row, index),
                "set": change,
            }
            for index, (row, change) in enumerate(zip(self.story.rows, changes, strict=True))
        ]
        text = json.dumps(rows, ensure_ascii=False, separators=(",", ":"))
        return Html(text.replace("<", "\\u003c"))

    def _said(self, row: StatementRow, index: int) -> str:
        """A row in a sentence, with the arrows that lead to it."""
        where = f", line {row.line}" if row.line else ""
        statement = " ".join(row.statement.text.split()).removesuffix(";")
        arrows = [arrow for arrow in self.arrows if arrow.target == index]
        follows = [SAID[arrow.bond].format(self.story.rows[arrow.source].number) for arrow in arrows]
        parts = (f"{self._name(row.thread)}{where}: {statement}", *row.notes, *follows)
        return f"Step {row.number}. " + " · ".join(parts)


def _state(walk: Walk, moment: Moment) -> dict[str, str]:
    """What is known after a row, by the keys of the elements that show it."""
    names = [thread.name for thread in walk.trace.threads]
    state = {f"v{number}": moment.values[one] for number, one in enumerate(walk.course.variables)}
    for number, name in enumerate(walk.course.locks):
        lock = moment.locks[name]
        holder = "is free" if lock.holder is None else f"held by {names[lock.holder]}"
        wanted = f", wanted by {' and '.join(names[t] for t in lock.wanted_by)}" if lock.wanted_by else ""
        state[f"m{number}"] = holder + wanted
    for thread, standing in enumerate(moment.threads):
        state[f"t{thread}"] = standing.text
        is_there = standing.doing is not ThreadActivity.ENDED
        state[f"p{thread}"] = walk.sources.place(standing.span) if is_there else ""
        state[f"n{thread}"] = ", ".join(f"{name} = {value}" for name, value in standing.local.items())
    state["b"] = "; ".join(moment.pending) or "none"
    return state


def _colour(thread: int) -> str:
    return f"t{thread % THREAD_STYLES}"


# --- the whole -----------------------------------------------------------------------------------------


def violation(trace: Trace, number: int) -> Html:
    """A violation with its walks: the short one, and all steps if there are more."""
    prefix = f"b{number}"
    short = tell(trace)
    full = tell(trace, show_all=True)
    walks = [Walk(trace, short, prefix + "s").html()] if short.rows else []
    has_more = len(full.rows) > len(short.rows)
    if has_more and len(full.rows) <= MOST_ROWS:
        whole = Walk(trace, full, prefix + "a").html()
        walks.append(tag("details", tag("summary", f"All {len(full.rows)} steps"), whole, class_="all"))
    return tag(
        "article",
        headline(trace),
        walks,
        _too_long(len(full.rows)) if len(full.rows) > MOST_ROWS else None,
        _execution(trace) if trace.graph is not None else None,
        class_="violation",
        id=prefix,
    )


def headline(trace: Trace) -> Html:
    """What goes wrong, where, with which values."""
    word = "Possible bug" if trace.depends_on else "Bug"
    return tag(
        "header",
        tag("h2", tag("span", f"{word}: ", class_="word"), quoted(trace.failure.message)),
        tag("p", place_text(trace), class_="place"),
        tag("ul", [tag("li", quoted(fact)) for fact in explaining_facts(trace)], class_="fact"),
        tag("p", f"This run rests on {reliances_of(trace)}.") if trace.depends_on else None,
    )


def _too_long(count: int) -> Html:
    return tag(
        "p",
        f"All {count} steps are too many for a page: ",
        tag("code", "sley show trace --all"),
        class_="quiet",
    )


def _execution(trace: Trace) -> Html | None:
    """The graph of a run that no interleaving has."""
    assert isinstance(trace.graph, ExecutionGraph)
    used = {node.thread for node in trace.graph.nodes}
    drawing = ExecutionDrawing(trace.graph, [thread for thread in trace.threads if thread.id in used])
    cycle = drawing.cycle()
    if not cycle:
        return None
    text = (
        "po: program order, rf: reads from, co: is overwritten by, fr: reads what is overwritten by. "
        "No interleaving of the threads has this cycle: "
    )
    return tag(
        "section",
        tag("h3", "Execution graph"),
        tag("p", text, tag("code", cycle)),
        tag("pre", plain(drawing_lines(drawing, width=WIDTH))),
        class_="execution",
    )
