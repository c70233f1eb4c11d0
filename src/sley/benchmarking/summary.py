"""What came out, for people and for other programs: tables, CSV, JSON, plots. Pure functions."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import combinations

from sley.benchmarking.plot import Panel, Point, figure
from sley.benchmarking.runs import Category, Outcome
from sley.reports.lines import shortened

MOST_REASON = 100
FASTEST = 0.01
"""Seconds; less than this is drawn as this."""
_HEADS = {
    "runs": "runs",
    "right": "right",
    "right_true": "true",
    "right_false": "false",
    "wrong": "wrong",
    "undecided": "undecided",
    "unjudged": "unjudged",
    "cpu_seconds": "CPU s",
    "wall_seconds": "wall s",
    "megabytes": "max MB",
}


def by_verifier(outcomes: Sequence[Outcome]) -> dict[str, list[Outcome]]:
    """In the order of their first runs."""
    found: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        found.setdefault(outcome.verifier, []).append(outcome)
    return found


def totals(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """For each verifier, how many of its runs ended how, and what all of them cost."""
    return {name: _totals(of_one) for name, of_one in by_verifier(outcomes).items()}


def _totals(outcomes: Sequence[Outcome]) -> dict[str, float]:
    right = [outcome for outcome in outcomes if outcome.category is Category.RIGHT]
    return {
        "runs": len(outcomes),
        "right": len(right),
        "right_true": sum(outcome.answer == "true" for outcome in right),
        "right_false": sum(outcome.answer != "true" for outcome in right),
        "wrong": sum(outcome.category is Category.WRONG for outcome in outcomes),
        "undecided": sum(outcome.category is Category.UNDECIDED for outcome in outcomes),
        "unjudged": sum(outcome.category is Category.UNJUDGED for outcome in outcomes),
        "cpu_seconds": sum(outcome.cpu_seconds for outcome in outcomes),
        "wall_seconds": sum(outcome.wall_seconds for outcome in outcomes),
        "megabytes": max(outcome.megabytes for outcome in outcomes),
    }


# --- tables ----------------------------------------------------------------------------------------


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """One line for each verifier."""
    found = totals(outcomes)
    heads = [name for name in _HEADS if name != "unjudged" or any(one[name] for one in found.values())]
    rows = [[verifier, *(_number(counts[name]) for name in heads)] for verifier, counts in found.items()]
    return aligned(["verifier", *(_HEADS[name] for name in heads)], rows, names=1)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.1f}"


def exceptions(outcomes: Sequence[Outcome]) -> list[str]:
    """Every wrong and every undecided run, with its reason; the wrong ones first."""
    rows = [
        [
            "WRONG" if outcome.category is Category.WRONG else "",
            outcome.task,
            outcome.property,
            outcome.verifier,
            outcome.expected or "?",
            outcome.answer,
            shortened(outcome.reason or "", MOST_REASON),
        ]
        for category in (Category.WRONG, Category.UNDECIDED)
        for outcome in outcomes
        if outcome.category is category
    ]
    head = ("", "task", "property", "verifier", "expected", "answer", "reason")
    return aligned(head, rows, names=len(head)) if rows else []


def aligned(head: Sequence[str], rows: Sequence[Sequence[str]], names: int) -> list[str]:
    """Columns as wide as their widest cell: the first ones to the left, numbers to the right."""
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return [
        "  ".join(
            f"{cell:<{width}}" if i < names else f"{cell:>{width}}"
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]


# --- files -----------------------------------------------------------------------------------------


def as_csv(outcomes: Sequence[Outcome]) -> str:
    """One line for each run."""
    text = io.StringIO()
    writer = csv.DictWriter(text, [one.name for one in fields(Outcome)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(outcome.as_json() for outcome in outcomes)
    return text.getvalue()


def as_json(outcomes: Sequence[Outcome], settings: Mapping[str, object]) -> str:
    """All of it: how it was run, sums for each verifier, and all runs."""
    content = {
        "format": "sley-bench",
        "format_version": "1.0",
        "settings": settings,
        "totals": totals(outcomes),
        "runs": [outcome.as_json() for outcome in outcomes],
    }
    return json.dumps(content, indent=1) + "\n"


# --- plots -----------------------------------------------------------------------------------------


def quantiles(outcomes: Sequence[Outcome]) -> str:
    """How many tasks each verifier answers if each may take so much CPU time; wrong answers are left out."""
    series = {}
    for name, of_one in by_verifier(outcomes).items():
        times = sorted(_drawn(one) for one in of_one if one.category in (Category.RIGHT, Category.UNJUDGED))
        series[name] = [Point(position, seconds) for position, seconds in enumerate(times, start=1)]
    tasks = len({(one.task, one.property) for one in outcomes})
    panel = Panel(f"{tasks} tasks", "answered, and not wrongly; the fastest first", "CPU seconds", series)
    return figure("How many within which time", [panel], columns=1, scale=2)


def scatters(outcomes: Sequence[Outcome]) -> dict[tuple[str, str], str]:
    """For each two verifiers, a point for each task: the CPU time of one beside that of the other.

    Who has not decided a task is at the far edge of its axis.
    """
    found = by_verifier(outcomes)
    return {(one, other): _scatter(one, other, found) for one, other in combinations(found, 2)}


def _scatter(one: str, other: str, found: Mapping[str, Sequence[Outcome]]) -> str:
    others = {(outcome.task, outcome.property): outcome for outcome in found[other]}
    edge = max(_drawn(outcome) for outcome in (*found[one], *found[other]))
    series: dict[str, list[Point]] = {}
    for mine in found[one]:
        theirs = others.get((mine.task, mine.property))
        if theirs is not None:
            x, y = (_drawn(both) if _is_decided(both) else edge for both in (mine, theirs))
            point = Point(x, y, _is_decided(mine) and _is_decided(theirs))
            series.setdefault(_kind(mine, theirs), []).append(point)
    count = f"{sum(map(len, series.values()))} tasks"
    panel = Panel(count, f"{one}, CPU seconds", f"{other}, CPU seconds", series, is_scatter=True)
    return figure(f"{one} and {other}", [panel], columns=1, scale=2)


def _kind(*outcomes: Outcome) -> str:
    """What is true of the task, unless somebody is wrong about it."""
    if any(outcome.category is Category.WRONG for outcome in outcomes):
        return "wrong answer"
    return outcomes[0].expected or "nobody says"


def _drawn(outcome: Outcome) -> float:
    return max(FASTEST, outcome.cpu_seconds)


def _is_decided(outcome: Outcome) -> bool:
    return outcome.category is not Category.UNDECIDED
