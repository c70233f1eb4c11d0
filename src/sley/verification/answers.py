"""Answers of engines, and what several of them come to together."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sley.base.budget import SHARE_IS_USED_UP
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.evidence.invariants import NONE
from sley.evidence.proof import Checked, ProofElsewhere, SeparateProofs
from sley.evidence.remarks import possible
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Safe, Statistics, Unknown, Unsafe
from sley.program.properties import Property
from sley.verification.crashes import Crash
from sley.verification.result import Outcome
from sley.verification.task import ONLY_FINDS
from sley.wording.events import reliances_of


@dataclass(frozen=True, slots=True)
class Answered:
    """What an engine, or the whole plan, has to say."""

    outcome: Outcome
    engine: str | None = None
    """Which engine this is the answer of; None if none has one."""
    statistics: Statistics = field(default_factory=dict)
    checking: float = 0.0
    """Seconds that the check of the proof took."""
    by_property: Mapping[Property, Outcome] = field(default_factory=dict)
    """What is known of single properties, where they were looked at one by one."""
    is_refused: bool = False
    """Whether the engine claims a proof that does not count: then interleavings have no violation to find."""
    crashes: tuple[Crash, ...] = ()
    """What crashed on another node, without taking the answer with it."""

    def to_be_sent(self) -> "Answered":
        """For another process, which needs to know of proofs only what they say of themselves."""
        sent = {id(outcome): _to_be_sent(outcome) for outcome in self.by_property.values()}
        singly = {prop: sent[id(outcome)] for prop, outcome in self.by_property.items()}
        return replace(self, outcome=_to_be_sent(self.outcome), by_property=singly)

    @property
    def is_decided(self) -> bool:
        """Whether there is nothing more to ask."""
        return not isinstance(self.outcome, Bounded | Unknown)

    @property
    def is_final(self) -> bool:
        """Whether the engine would only say the same of single properties."""
        return self.is_decided or self.is_refused


def _to_be_sent(outcome: Outcome) -> Outcome:
    if not isinstance(outcome, Safe):
        return outcome
    return replace(outcome, proof=ProofElsewhere(outcome.proof.summary))


def gave_up(error: GaveUpError | MemoryError | RecursionError) -> Unknown:
    """What a search says that ended like this."""
    match error:
        case MemoryError():
            return Unknown(Reason("out of memory", Why.NO_MEMORY))
        case RecursionError():
            return Unknown("an expression or a declaration is nested too deeply")
        case GaveUpError():
            return Unknown(str(error))


def unsafe(traces: tuple[Trace, ...]) -> Outcome:
    """Certain violations first, in the order in which results name them; only possible ones are no bug."""
    ranked = sorted(traces, key=lambda trace: (bool(trace.depends_on), trace.failure.rank()))
    if not ranked[0].depends_on:
        return Unsafe(tuple(ranked))
    text = f"possible bug only: {ranked[0].failure.message}, but the run rests on {reliances_of(ranked[0])}"
    return Unknown(possible(text, ranked[0].depends_on), traces=tuple(ranked))


def all_proved(answers: Mapping[str, Answered], properties: frozenset[Property]) -> Answered | None:
    """Safe if every property was proved, whichever engine has proved it."""
    outcomes = _by_property(answers)
    safe = together(outcomes, properties)
    return None if safe is None else Answered(safe, by_property=outcomes)


def together(outcomes: Mapping[Property, Outcome], properties: frozenset[Property]) -> Safe | None:
    """What single properties say of all: if each is safe, all are."""
    proved = {prop: outcome for prop, outcome in outcomes.items() if isinstance(outcome, Safe)}
    if not proved.keys() >= properties:
        return None
    safe = list({id(outcome): outcome for outcome in proved.values()}.values())
    checked = [one.checked for one in safe]
    return Safe(
        SeparateProofs(tuple(one.proof for one in safe)),
        Checked(
            "; ".join(dict.fromkeys(one.how for one in checked)),
            tuple(dict.fromkeys(solver for one in checked for solver in one.solvers)),
            tuple(dict.fromkeys(sentence for one in checked for sentence in one.skipped)),
            min(one.runs for one in checked),
            sum(one.states for one in checked),
        ),
        next((one.invariants for one in safe if one.invariants != NONE), NONE),
        tuple(dict.fromkeys(kept for one in safe for kept in one.kept)),
    )


def undecided(answers: Mapping[str, Answered]) -> Answered:
    """What is known if no engine has an answer: a bound rather than nothing, and all reasons."""
    by_property = _by_property(answers)
    if len(answers) == 1:
        return replace(next(iter(answers.values())), by_property=by_property)
    for answered in answers.values():
        if isinstance(answered.outcome, Bounded):
            return Answered(answered.outcome, statistics=answered.statistics, by_property=by_property)
    unknown = {name: one.outcome for name, one in answers.items() if isinstance(one.outcome, Unknown)}
    certain = dict.fromkeys(fact for outcome in unknown.values() for fact in outcome.certain)
    traces = tuple(trace for outcome in unknown.values() for trace in outcome.traces)
    unknown.pop(ONLY_FINDS, None)  # that no run went wrong is no reason
    reasons = tuple((name, outcome.reason) for name, outcome in unknown.items())
    return Answered(Unknown(_reasons(unknown), tuple(certain), traces, reasons), by_property=by_property)


def _by_property(answers: Mapping[str, Answered]) -> dict[Property, Outcome]:
    """What is known of single properties: one proof is enough."""
    found: dict[Property, dict[str, Answered]] = {}
    for name, answered in answers.items():
        for prop, outcome in answered.by_property.items():
            found.setdefault(prop, {})[name] = Answered(outcome, name)
    return {
        prop: next(
            (one.outcome for one in by.values() if isinstance(one.outcome, Safe)), undecided(by).outcome
        )
        for prop, by in found.items()
    }


def _reasons(unknown: Mapping[str, Unknown]) -> str:
    """Why each engine gave up; the same reason once."""
    by_reason: dict[str, list[str]] = {}
    for name, outcome in unknown.items():
        by_reason.setdefault(outcome.reason, []).append(name)
    if len(by_reason) > 1:
        by_reason.pop(SHARE_IS_USED_UP, None)
    if len(by_reason) == 1:
        return next(iter(by_reason))
    return "; ".join(f"{reason} ({', '.join(names)})" for reason, names in by_reason.items())
