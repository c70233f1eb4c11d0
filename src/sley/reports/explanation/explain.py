"""The explanation of a trace, by the kind of its violation."""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from sley.evidence.trace import Trace
from sley.program.properties import Property
from sley.reports.explanation.arithmetic import division, overflow
from sley.reports.explanation.atomicity import wrong_value
from sley.reports.explanation.deadlocks import deadlock
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.memory import lost_block, wrong_access, wrong_free
from sley.reports.explanation.misuse import misuse
from sley.reports.explanation.progress import no_progress
from sley.reports.explanation.races import race
from sley.reports.explanation.run import TraceRun
from sley.reports.explanation.unwritten import unwritten_read
from sley.reports.rows import StatementRow

_BY_PROPERTY: Mapping[Property, Callable[[TraceRun], Explanation]] = {
    Property.REACH: wrong_value,
    Property.DEREF: wrong_access,
    Property.FREE: wrong_free,
    Property.LEAK: lost_block,
    Property.OVERFLOW: overflow,
    Property.DIVISION: division,
    Property.DEADLOCK: deadlock,
    Property.RACE: race,
    Property.MISUSE: misuse,
    Property.PROGRESS: no_progress,
    Property.UNINITIALISED: unwritten_read,
}


def explain(trace: Trace, rows: Sequence[StatementRow], watched: Sequence[str]) -> Explanation:
    """What the events of this trace show about its violation, in words that its rows bear out."""
    run = TraceRun(trace, rows, watched)
    explained = _BY_PROPERTY.get(trace.failure.property)
    found = Explanation() if explained is None or not run.failing else explained(run)
    general = _general().get(trace.failure.rule) or _general().get(trace.failure.property.value, {})
    why, fix = (tuple(text for name, text in general.items() if name == key) for key in ("why", "fix"))
    return replace(found, why=found.why or why, fix=found.fix or fix)


@cache
def _general() -> Mapping[str, Mapping[str, str]]:
    """What is true of every violation of a rule or property."""
    file = files("sley.reports.explanation").joinpath("general.toml")
    return tomllib.loads(file.read_text(encoding="utf-8"))
