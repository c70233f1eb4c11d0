"""Open checks that were there before: a file remembers them, so that only new ones count.

They are known by their content, not by their lines; of equal ones, by how many there are.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sley.base import outside
from sley.base.errors import InputError
from sley.base.source import Span
from sley.program.properties import Property
from sley.verification.result import Answer, Result

if TYPE_CHECKING:
    from sley.evidence.fixpoint.survey import OpenCheck, Survey

FORMAT = "sley-baseline"
FORMAT_VERSION = "1.0"


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is accepted."""

    file: Path
    open: Counter[str]
    """Open checks, by their names."""
    undecided: frozenset[str]
    """Properties of which no single checks are known."""
    passed_over: frozenset[str]
    """What cannot be followed."""

    def new_in(self, survey: "Survey") -> "tuple[OpenCheck, ...]":
        """The open checks that are not accepted."""
        left = Counter(self.open)
        found = []
        for one in survey.open:
            if left[one.fingerprint()]:
                left[one.fingerprint()] -= 1
            else:
                found.append(one)
        return tuple(found)

    def accepts(self, result: Result) -> bool:
        """Whether a program without an answer has nothing that is not accepted."""
        survey = result.survey
        if survey is None or result.answer not in (Answer.UNKNOWN, Answer.BOUNDED):
            return False
        return not self.new_in(survey) and not self.also_new_in(survey)

    def also_new_in(self, survey: "Survey") -> list[str]:
        """What else is not accepted."""
        return [*_beyond(survey.undecided, self.undecided), *sorted({*survey.passed_over} - self.passed_over)]


def _beyond(properties: tuple[Property, ...], accepted: frozenset[str]) -> Iterator[str]:
    return (f"not decided: {prop.value}" for prop in properties if prop.value not in accepted)


def read_baseline(file: Path) -> Baseline:
    """What a file accepts."""
    if not file.exists():
        raise InputError(f"no such file: write it with --write-baseline {file}", Span(str(file), 1, 1))
    content = outside.json_of(outside.text(file, outside.BASELINE), str(file))
    try:
        if content["format"] != FORMAT:
            raise ValueError
        listed = Counter({str(one["fingerprint"]): _count(one["count"]) for one in content["open"]})
        return Baseline(file, listed, *(_names(content[key]) for key in ("undecided", "passed_over")))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise InputError("is no baseline of sley", Span(str(file), 1, 1)) from None


def _count(value: object) -> int:
    if type(value) is not int or not 0 < value <= sys.maxsize:
        raise ValueError
    return value


def _names(value: object) -> frozenset[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError
    return frozenset(value)


def baseline_of(result: Result, _: Path) -> str | None:
    """The text of a file that accepts all that is open now; None if that is not known."""
    if result.survey is None:
        return None
    counts = Counter(one.fingerprint() for one in result.survey.open)
    first = {one.fingerprint(): one for one in reversed(result.survey.open)}
    content: dict[str, Any] = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "open": [_entry(first[name], counts[name]) for name in sorted(counts)],
        "undecided": [prop.value for prop in result.survey.undecided],
        "passed_over": sorted(result.survey.passed_over),
    }
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def _entry(one: "OpenCheck", count: int) -> dict[str, Any]:
    """For readers of the file: what the name stands for."""
    file = None if one.origin.span is None else Path(one.origin.span.file).name
    return {
        "fingerprint": one.fingerprint(),
        "count": count,
        "property": one.property.value,
        "doubt": one.doubt.value,
        "file": file,
        "function": one.origin.function,
        "text": " ".join(one.origin.text.split()),
    }
