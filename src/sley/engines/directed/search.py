"""Runs to one target after another, with growing effort, until all is tried or the time is over.

Everything found is replayed, so it can happen; nothing is proved. What runs meet on the way counts, too: a
violation is one, wherever it is.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.engines.directed.meetings import Meetings
from sley.engines.directed.part import InlinedPart, WholeProgram
from sley.engines.directed.runs import DirectedRuns
from sley.engines.directed.targets import DirectedTarget, Map, Route
from sley.engines.directed.thresholds import (
    LENGTH_FACTOR,
    LONGEST_RUN,
    LONGEST_SERIAL,
    ROUNDS,
    RUNS,
    SCOUTS,
    SERIAL,
    SHORTENING_SECONDS,
)
from sley.evidence.minimising import minimised
from sley.evidence.replay import replay
from sley.evidence.trace import ScheduleStep, Trace
from sley.program import instructions as ir
from sley.program.program import Site
from sley.program.properties import Failure, Property
from sley.semantics.machine import StateMachine
from sley.semantics.random_runs import Taken
from sley.semantics.state import State, location_of
from sley.semantics.values import NeedsSplitError

SEED = 1

DEADLOCK = Failure(Property.DEADLOCK, "deadlock", "deadlock")

Key = tuple[object, ...]
"""What makes a violation one that is known."""


@dataclass
class FoundRun:
    """What came of a search."""

    traces: list[Trace] = field(default_factory=list)
    runs: int = 0
    tried: set[DirectedTarget] = field(default_factory=set)
    """Targets that runs were led to ..."""
    reached: set[DirectedTarget] = field(default_factory=set)
    """... and those at which a thread arrived."""
    steps: int = 0

    @property
    def is_certain(self) -> bool:
        """Whether some violation rests on nothing that is unknown."""
        return any(not trace.depends_on for trace in self.traces)


def search(
    part: InlinedPart | WholeProgram,
    properties: frozenset[Property],
    targets: Sequence[DirectedTarget],
    budget: Budget,
    *,
    most_steps: int | None = None,
) -> FoundRun:
    """Look for violations at targets, the first ones first; with a limit on steps, for a certain one."""
    searching = _DirectedSearch(part, properties, targets, budget, most_steps)
    with suppress(GaveUpError, MemoryError):  # the time is over, or the part has grown too large
        searching.run()
    return searching.found


class _DirectedSearch:
    def __init__(
        self,
        part: InlinedPart | WholeProgram,
        properties: frozenset[Property],
        targets: Sequence[DirectedTarget],
        budget: Budget,
        most_steps: int | None,
    ) -> None:
        self.part = part
        self.properties = properties
        self.targets = targets
        self.budget = budget
        self.most_steps = most_steps
        self.found = FoundRun()
        self.longest = LONGEST_RUN
        self.known: set[Key] = set()
        self.met: dict[Site, None] = {}
        """Calls that runs came to, and that are not in the part yet."""
        self.watches: list[_PartWatch] = []
        """The part as it is; before it, the last one in which less was unknown, if it has grown since."""

    def run(self) -> None:
        """Rounds, each with longer runs."""
        self._watch()
        if self.most_steps is not None:
            self._follow(self.watches[-1], SERIAL, longest=LONGEST_SERIAL)
            self._end_if_enough()
        for _ in range(ROUNDS):
            self._grow()
            for target in self.targets:
                self._lead(target)
                if self.met:
                    self._grow()
            self.longest *= LENGTH_FACTOR

    def _watch(self) -> None:
        """Look at the part as it is from now on."""
        self.budget.check()
        watch = _PartWatch(self.part, self.properties, self.budget)
        is_worse = bool(self.watches) and watch.unknown > self.watches[-1].unknown
        former = self.watches[-1:] if is_worse else self.watches[:-1]
        self.watches = [*former, watch]

    def _grow(self) -> None:
        """Grow the part until it has all that runs to nowhere need."""
        while True:
            for number in range(SCOUTS):
                self._follow(self.watches[-1], number)
                self._end_if_enough()
            if not self.met:
                return
            self.part.grow(self.met)
            self.met = {}
            self._watch()

    def _lead(self, target: DirectedTarget) -> None:
        """Some runs to a target."""
        for watch in self.watches:
            way = watch.map.way(target)
            for number in range(RUNS) if way.goals else ():
                self.found.tried.add(target)
                if self._follow(watch, number, way):
                    self.found.reached.add(target)
                self._end_if_enough()

    def _end_if_enough(self) -> None:
        if self.most_steps is not None and (self.found.is_certain or self.found.steps > self.most_steps):
            raise BudgetExhaustedError("enough runs")

    def _follow(
        self, watch: "_PartWatch", number: int, way: Route | None = None, longest: int | None = None
    ) -> bool:
        """One run, to the first violation that is new; whether a thread arrives at the target.

        A run to nowhere ends where the part has to grow.
        """
        watch.begin()
        watch.runs.towards(way, main_may_hesitate=longest is None)
        self.found.runs += 1
        schedule: list[ScheduleStep] = []
        is_there, state = False, None
        longest = longest or self.longest
        for taken in watch.runs.run(number, longest=longest):
            self.found.steps += 1
            schedule.append(ScheduleStep(taken.memory.thread, taken.memory.choices_made()))
            is_there = is_there or (way is not None and location_of(taken.after) in way.arrivals)
            state = taken.state
            if self._note(watch, schedule, watch.violations(taken)):
                return is_there
            if way is None and watch.runs.given_up and self._meet(watch):
                return False
        self._meet(watch)
        if state is not None and len(schedule) < longest and not watch.runs.given_up:
            self._note(watch, schedule, watch.stuck(state))
        return is_there

    def _meet(self, watch: "_PartWatch") -> bool:
        """Note calls that a run has come to, and that are not in the part; whether there are any."""
        sites = (self.part.sites.get(reason) for reason in watch.runs.given_up.values())
        met = [site for site in sites if site is not None and site not in self.part.followed]
        self.met |= dict.fromkeys(met)
        return bool(met)

    def _note(
        self, watch: "_PartWatch", schedule: Sequence[ScheduleStep], violations: Iterator[tuple[Key, Failure]]
    ) -> bool:
        """Replay what a run has come to, if it is new."""
        for key, failure in violations:
            if key not in self.known:
                self.known.add(key)
                trace = replay(watch.code.program, tuple(schedule), failure)
                trace = minimised(watch.code.program, trace, SHORTENING_SECONDS)
                self.found.traces.append(replace(trace, followed=tuple(sorted(watch.followed))))
                return True
        return False


class _PartWatch:
    """Looks for violations in runs of one part."""

    def __init__(
        self, part: InlinedPart | WholeProgram, properties: frozenset[Property], budget: Budget
    ) -> None:
        self.machine = StateMachine(part.program)
        self.code = code = self.machine.code
        self.followed = part.followed
        self.unknown = sum(_is_of_layout(edge.instruction) for edges in code.out.values() for edge in edges)
        """How much in it depends on where objects lie: what runs come to there is only possible."""
        self.map = Map(code)
        self.properties = properties
        self.runs = DirectedRuns(self.machine, SEED, budget)
        self.sources = {edge.target: edge.origin for edges in code.out.values() for edge in edges}
        self.predicates = self.runs.predicates
        self.meetings = Meetings(self.predicates)

    def begin(self) -> None:
        """A run begins."""
        self.meetings = Meetings(self.predicates)

    def violations(self, taken: Taken) -> Iterator[tuple[Key, Failure]]:
        """What a step violates, itself or by the state it leads to."""
        failure = self.code.errors.get(location_of(taken.after))
        if failure is not None and failure.property in self.properties:
            origin = self.sources[location_of(taken.after)]
            yield (failure.property, failure.rule, origin.span, origin.text), failure
        if taken.state is not None and len(taken.state.threads) > 1:
            with suppress(GaveUpError, NeedsSplitError):
                yield from self._in_state(taken.state, taken.memory.thread)

    def _in_state(self, state: State, moved: int) -> Iterator[tuple[Key, Failure]]:
        """Threads that meet: one has just moved."""
        if Property.RACE in self.properties and self.meetings.may_race(state, moved):
            race = self.predicates.race(state)
            if race is not None:
                spans = frozenset(one.edge.origin.span for one in (race.first_access, race.second_access))
                yield (Property.RACE, spans), race.failure
        if Property.DEADLOCK in self.properties and self.meetings.may_wait_in_circle(state, moved):
            cycle = self.predicates.wait_cycle(state)
            yield (Property.DEADLOCK, frozenset(wait.edge.origin.span for wait in cycle)), DEADLOCK

    def stuck(self, state: State) -> Iterator[tuple[Key, Failure]]:
        """That no thread can go on, where a run has ended."""
        if Property.DEADLOCK not in self.properties:
            return
        if self.machine.is_stuck(state):
            yield (Property.DEADLOCK, *map(location_of, state.threads)), DEADLOCK


def _is_of_layout(instruction: ir.Instruction) -> bool:
    return isinstance(instruction, ir.Havoc) and instruction.cause is ir.Cause.LAYOUT
