"""Violations one after another: what was found, what of it is suppressed, and what is left to look for."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sley.base.budget import Budget
from sley.base.reasons import Reason, Why
from sley.base.source import Span
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
from sley.passes.known_errors import Place, without_known
from sley.passes.suppressed_races import with_relaxed
from sley.program.program import Program
from sley.program.properties import USE_DESTROYED, WITHOUT_LOCATION, Property, grouped
from sley.verification.answers import Answered, unsafe
from sley.verification.races import without_order_of_failures
from sley.verification.reading import prepared
from sley.verification.result import Outcome, Suppressed, reason_of
from sley.verification.run import Run
from sley.verification.suppressions import Suppression, Suppressions, places_of
from sley.verification.task import Task


@dataclass(frozen=True, slots=True)
class FindingSearch:
    """What is looked for, and in which program."""

    loaded: Program
    program: Program
    """The same, prepared."""
    properties: frozenset[Property]


def search(run: Run, engines: tuple[str, ...], budget: Budget) -> Answered:
    """Ask for one violation after another, until one counts, or for all if the user wants all."""
    asked = partial(run.asked, engines=engines)
    program = run.prepared()
    run.suppressions = Suppressions(run.task)
    findings = Findings(run.task, run.suppressions)
    left = FindingSearch(run.loaded, program, run.task.selection.properties)
    while True:
        answered = asked(left.program, left.properties, singly=_singly(left, findings))
        answered = without_order_of_failures(answered, left.loaded, left.properties, asked)
        if not isinstance(answered.outcome, Unsafe):
            break
        goes_on = findings.add(answered.outcome.traces)
        run.suppressed = tuple(findings.suppressed.values())
        if not goes_on:
            break
        left = findings.beyond(left, answered.outcome.traces)
        run.relaxed = tuple(findings.relaxed)
        if not left.properties:
            break
    run.is_safe_otherwise = findings.is_safe_otherwise(answered, left)
    return findings.answered(answered, left)


def _singly(left: FindingSearch, findings: "Findings") -> Program | None:
    """The program for engines that are to look at single properties, where that can help."""
    task = findings.task
    if task.all_bugs or findings.suppressed or left.program.unmodelled or task.selection.unsupported:
        return None
    return left.loaded if len(grouped(task.selection.properties)) > 1 else None


@dataclass(slots=True)
class Findings:
    """What was found of a task."""

    task: Task
    suppressions: Suppressions
    known: dict[Place, Trace] = field(default_factory=dict)
    """What the user wants to hear of."""
    suppressed: dict[Place, Suppressed] = field(default_factory=dict)
    relaxed: list[Span] = field(default_factory=list)
    """Where plain accesses are taken as relaxed from now on."""
    places: dict[Place, None] = field(default_factory=dict)
    """The error locations of all these."""
    over: set[Property] = field(default_factory=set)
    """Of which no more is looked for, as what is known cannot be told from the rest."""

    def add(self, traces: Sequence[Trace]) -> bool:
        """Note violations; whether to look for more."""
        before = frozenset(self.places)
        for trace in traces:
            by = self.suppressions.of(trace)
            place = (trace.failure, trace.origin)
            if by is None:
                self.known[place] = trace
            else:
                self.suppressed[place] = Suppressed(trace, str(by), is_in_source=by.place is not None)
            self._leave_out(trace, by, before)
        return self.task.all_bugs or not self.known

    def _leave_out(self, trace: Trace, by: Suppression | None, before: frozenset[Place]) -> None:
        """Runs are to end at the location of this violation, if it has one.

        If it is found again all the same, or if its name stands for one of two rules at its location, no more
        of its kind is looked for.
        """
        failure = trace.general
        if failure is None:
            return
        place = (failure, trace.origin)
        is_by_name = by is not None and by.place is None
        if place in before or (is_by_name and failure.rule == USE_DESTROYED):
            self.over.add(failure.property)
        self.places[place] = None

    def beyond(self, search: FindingSearch, traces: Sequence[Trace]) -> FindingSearch:
        """What is left: runs end at a known violation, and accesses of a suppressed race become relaxed.

        Of violations without a location, such as deadlocks, no more is looked for: engines cannot tell them
        from those that are known.
        """
        over = self.over | ({trace.failure.property for trace in traces} & WITHOUT_LOCATION)
        loaded, program = search.loaded, search.program
        if (relaxed := self._relaxed(loaded, traces)) is not None:
            loaded, program = relaxed, prepared(relaxed, self.task)
            over -= {Property.RACE}
        return FindingSearch(loaded, without_known(program, self.places), search.properties - over)

    def _relaxed(self, loaded: Program, traces: Sequence[Trace]) -> Program | None:
        """The program without the races among these, if all are suppressed and it can be had."""
        races = [trace for trace in traces if trace.failure.property is Property.RACE]
        if not all((race.failure, race.origin) in self.suppressed for race in races):
            return None
        places = {span: None for race in races for span in places_of(race)}
        relaxed = with_relaxed(loaded, places)
        is_other = any(new is not old for new, old in zip(relaxed.edges, loaded.edges, strict=True))
        if not is_other:
            return None
        self.relaxed += [span for span in places if span not in self.relaxed]
        return relaxed

    def answered(self, last: Answered, search: FindingSearch) -> Answered:
        """All that was found, if the last search ended like this."""
        if not self.suppressed and not (self.known and self.task.all_bugs):
            return last
        found = {failure.property for failure, _ in (*self.known, *self.suppressed)}
        is_over = isinstance(last.outcome, Unsafe)
        others = {} if is_over else dict.fromkeys(search.properties - found, last.outcome)
        outcome = unsafe(tuple(self.known.values())) if self.known else self._apart(last.outcome, search)
        return replace(last, outcome=outcome, by_property=others)

    def is_safe_otherwise(self, last: Answered, search: FindingSearch) -> bool:
        """Whether all is proved but for what is suppressed."""
        is_proved = isinstance(last.outcome, Safe) and not self._over(search)
        return is_proved and bool(self.suppressed) and not self.known

    def _over(self, search: FindingSearch) -> list[str]:
        """The properties of which no more is looked for than what is found."""
        return sorted(prop.value for prop in self.task.selection.properties - search.properties)

    def _apart(self, outcome: Outcome, search: FindingSearch) -> Outcome:
        """What is known apart from suppressed findings: never that the program is safe."""
        match outcome:
            case Safe() | Unsafe() if over := self._over(search):
                text = f"{self._count()}, and more of its kind was not looked for: {', '.join(over)}"
                return Unknown(Reason(text, Why.SUPPRESSED, text))
            case Safe(proof=proof):
                where = " if runs end at what is suppressed" if self.places else ""
                return Unknown(self._count(), (f"Nothing else goes wrong{where}: {proof.summary}.",))
            case Bounded():
                return Unknown(str(reason_of(outcome)))
            case _:
                return outcome

    def _count(self) -> str:
        return (
            "1 finding is suppressed"
            if len(self.suppressed) == 1
            else f"{len(self.suppressed)} findings are suppressed"
        )
