"""What a verification ends with: a verdict and everything that belongs to it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from html import escape
from importlib import import_module
from typing import TYPE_CHECKING, assert_never

from sley.analyses.orders import WeakAccess
from sley.base.errors import Unsupported
from sley.base.processes import ASKED_TO_END
from sley.base.reasons import OTHER_BUG, Why, stems_from
from sley.evidence.invariants import MutexInvariant, SourceInvariant
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Safe, Statistics, Unknown, Unsafe
from sley.program.properties import Property
from sley.verification.caveats import Caveat
from sley.verification.crashes import Crash
from sley.verification.task import Task

if TYPE_CHECKING:
    from sley.evidence.fixpoint.survey import Survey


@dataclass(frozen=True, slots=True)
class NotSupported:
    """The program, or the property asked for, is outside what we model; all such places at once."""

    constructs: tuple[Unsupported, ...]


Outcome = Safe | Unsafe | Bounded | Unknown | NotSupported


class Answer(Enum):
    """The five answers; the value is the word that a report starts with."""

    SAFE = "SAFE"
    BUG = "BUG"
    BOUNDED = "SAFE UP TO"
    UNKNOWN = "UNKNOWN"
    NOT_SUPPORTED = "NOT SUPPORTED"


def answer_of(outcome: Outcome) -> Answer:
    """Which of the five answers an outcome is."""
    match outcome:
        case Safe():
            return Answer.SAFE
        case Unsafe():
            return Answer.BUG
        case Bounded():
            return Answer.BOUNDED
        case Unknown():
            return Answer.UNKNOWN
        case NotSupported():
            return Answer.NOT_SUPPORTED
        case _:
            assert_never(outcome)


def reason_of(outcome: Outcome) -> str | None:
    """Why there is no answer; None where there is one."""
    match outcome:
        case Bounded(bound=bound):
            return f"bounded: {bound}"
        case Unknown(reason=reason):
            return reason
        case NotSupported(constructs=constructs):
            return "unsupported: " + "; ".join(str(construct) for construct in constructs)
        case _:
            return None


def may_go_on(outcome: Outcome | None) -> bool:
    """Whether more time could help an engine that has no more to say than this, or nothing yet."""
    return isinstance(outcome, Bounded | None) or (
        isinstance(outcome, Unknown)
        and any(stems_from(one, Why.SHARE) for one in (outcome.reason, *(why for _, why in outcome.reasons)))
    )


def because(reason: str | None, outcome: Outcome) -> Outcome:
    """The outcome of an engine that was asked to end: that says not why."""
    if reason is None or not isinstance(outcome, Unknown):
        return outcome

    def told(why: str) -> str:
        instead = reason if why == ASKED_TO_END else why.replace(ASKED_TO_END, reason)
        return why if instead == why else instead

    reasons = tuple((name, told(why)) for name, why in outcome.reasons)
    return replace(outcome, reason=told(outcome.reason), reasons=reasons)


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds for each phase; finding is what an engine is measured by, checking is shown beside it."""

    loading: float = 0.0
    finding: float = 0.0
    checking: float = 0.0

    @property
    def total(self) -> float:
        """All phases together."""
        return self.loading + self.finding + self.checking


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A violation that the user has accepted."""

    trace: Trace
    by: str
    """The comment or the name by which it is."""
    is_in_source: bool = True
    """Whether that is a comment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The outcome of a task, with all that an answer rests on."""

    task: Task
    outcome: Outcome
    times: Times = Times()
    engine: str | None = None
    """Which engine this is the answer of; None if none has one."""
    by_property: Mapping[Property, Outcome] = field(default_factory=dict)
    """What is known of single properties, where they were looked at one by one."""
    statistics: Statistics = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    follows: tuple[str, ...] = ()
    """What a proof need not assume, in whole sentences."""
    weak: tuple[WeakAccess, ...] = ()
    """The accesses whose orders matter, under C11."""
    interleaved: Answer | None = None
    """Of a violation: the answer if threads only interleaved. SAFE: it is the memory model that allows it."""
    unmodelled: tuple[Unsupported, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    """Violations that are not reported; with one of them the answer is never SAFE."""
    is_safe_otherwise: bool = False
    """Whether all is proved but for what is suppressed."""
    survey: "Survey | None" = None
    """What is known of each check, where they were looked at one by one."""
    unused_suppressions: tuple[str, ...] = ()
    """Those that nothing needs, where that is certain."""
    caveats: tuple[Caveat, ...] = ()
    """Of a proof: that it says less than it seems to."""
    crashes: tuple[Crash, ...] = ()
    """What crashed on the way: it has no part in the answer."""

    @property
    def answer(self) -> Answer:
        """Which of the five answers this is."""
        return answer_of(self.outcome)

    def outcome_of(self, prop: Property) -> Outcome:
        """What is known of one property."""
        outcome = self.by_property.get(prop, self.outcome)
        if not isinstance(outcome, Unsafe):
            return outcome
        traces = tuple(trace for trace in outcome.traces if trace.failure.property is prop)
        return Unsafe(traces) if traces else Unknown(OTHER_BUG)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The violations found, certain ones first; possible ones where the outcome is Unknown."""
        match self.outcome:
            case Unsafe(traces=traces) | Unknown(traces=traces):
                return traces
            case _:
                return ()

    @property
    def invariants(self) -> tuple[SourceInvariant, ...]:
        """What a proof says about loops and locks, if ``Task.wants_invariants``."""
        return self.outcome.invariants.places if isinstance(self.outcome, Safe) else ()

    @property
    def mutex_invariants(self) -> tuple[MutexInvariant, ...]:
        """What a proof says about the times when a mutex is free, if ``Task.wants_invariants``."""
        return self.outcome.invariants.mutexes if isinstance(self.outcome, Safe) else ()

    @property
    def result(self) -> str:
        """What stands behind ``RESULT:``."""
        match self.outcome:
            case Safe():
                return "true"
            case Unsafe(traces=traces):
                return f"false({traces[0].failure.property.verdict_name})"
            case _:
                return "unknown"

    @property
    def reason(self) -> str | None:
        """What stands behind ``REASON:``; None where the answer needs no reason."""
        return reason_of(self.outcome)

    def _repr_html_(self) -> str:
        """How notebooks show it: the page, which is made above this layer, in a frame of its own."""
        page: str = import_module("sley.reports.html.page").page_of(self)
        return f'<iframe srcdoc="{escape(page)}" width="100%" height="720"></iframe>'
