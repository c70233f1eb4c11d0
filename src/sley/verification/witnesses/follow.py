"""A search for a run that follows a witness to the violation.

The search is over pairs: a state of the program, and how far the run has come in the witness. What a thread
does between two waypoints is left open, so a run may pass a waypoint and need not notice it; that makes the
search complete: if it ends without a violation, no run follows the witness to one. Pairs that came far
in the witness with few steps come first.
"""

import heapq
from collections.abc import Iterator
from itertools import count
from typing import NamedTuple

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.explore.algorithm import DEADLOCK, LEAK
from sley.engines.explore.graph import Split, StateMove
from sley.engines.explore.schedules import schedule_of
from sley.evidence.trace import Schedule
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Origin, Program
from sley.program.properties import ON_REQUEST, Failure, Property
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.memory import StepMemory
from sley.semantics.state import ENDED, OVER, State, ThreadState, is_ended, location_of
from sley.semantics.step import Happening
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import StatePredicates
from sley.verification.witnesses.document import Passing, Waypoint
from sley.verification.witnesses.places import Placed
from sley.verification.witnesses.variables import KnownValue, Requirement, VariableView, certain, met

WAYPOINT = 3
"""So many steps a waypoint is worth: a run that passes none for long is put off for others."""


class WitnessPosition(NamedTuple):
    """How far a run has come in the witness."""

    passed: int = 0
    """So many of its waypoints."""
    threads: tuple[int, ...] = (0,)
    """The threads that it knows, by its own numbers."""

    def is_thread(self, number: int | None, thread: int) -> bool:
        """Whether a number of the witness means a thread."""
        return number is None or self.threads[number : number + 1] == (thread,)


Passed = dict[WitnessPosition, tuple[Requirement, ...]]
"""Where a run may be now, and what has to be true of open values for that."""

Pair = tuple[State, WitnessPosition]


class FoundWitnessRun(NamedTuple):
    """A run that follows the witness."""

    schedule: Schedule
    failure: Failure


class WitnessFollower:
    """One search; ``gave_up`` says why it is not complete."""

    def __init__(
        self, program: Program, placed: Placed, properties: frozenset[Property], budget: Budget
    ) -> None:
        self.machine = StateMachine(program, is_compiled=False)
        self.predicates = StatePredicates(self.machine.code, self.machine.interpreter)
        self.segments = placed.segments
        self.properties = properties
        self.budget = budget
        unknown = sorted(prop.verdict_name for prop in properties & ON_REQUEST)
        self.gave_up = {f"{name} is not looked for along a witness": None for name in unknown}
        self._tick = count()
        self._queue: list[tuple[int, int, int, Pair]] = []
        self._arrivals: dict[Pair, tuple[Pair, StateMove | Split] | None] = {}

    @property
    def states(self) -> int:
        """So many pairs were visited."""
        return len(self._arrivals)

    def search(self) -> FoundWitnessRun | None:
        """A run to the violation; None if there is none, unless the search gave up on something."""
        self._push((self.machine.initial(), WitnessPosition()), None, 0)
        while self._queue:
            self.budget.spend()
            _, steps, _, pair = heapq.heappop(self._queue)
            found = self._visit(pair, steps)
            if found is not None:
                return found
        return None

    def _push(self, pair: Pair, arrival: tuple[Pair, StateMove | Split] | None, steps: int) -> None:
        if pair not in self._arrivals:
            self._arrivals[pair] = arrival
            cost = steps + WAYPOINT * (len(self.segments) - pair[1].passed)
            heapq.heappush(self._queue, (cost, steps, next(self._tick), pair))

    def follows(self, schedule: Schedule) -> bool:
        """Whether a run that violates the property follows the witness."""
        state: State = self.machine.initial()
        positions = [WitnessPosition()]
        for step in schedule:
            watch = _WaypointWatch(self, state, step.thread, positions)
            memory = self.machine.interpreter.memory(state, step.thread, step.choices)
            result = watch.step(memory)
            assert result is not None
            positions = list(watch.passed)
            if result in OVER or location_of(result) in self.machine.code.errors:
                return any(map(self.is_at_end, positions))
            state = memory.freeze(result)
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        return any(self._violation(state, position, running) is not None for position in positions)

    def is_at_end(self, position: WitnessPosition) -> bool:
        """Whether all waypoints are passed."""
        return position.passed == len(self.segments)

    # --- one pair -----------------------------------------------------------------------------

    def _visit(self, pair: Pair, steps: int) -> FoundWitnessRun | None:
        state, position = pair
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        try:
            failure = self._violation(state, position, running)
            if failure is not None:
                return FoundWitnessRun(self._schedule(pair), failure)
            outcomes = [(t, outcome) for t in running for outcome in self._outcomes(state, t, position)]
        except NeedsSplitError as question:
            for part, after in self.machine.split(state, question):
                self._push((after, position), (pair, Split(question.value, part)), steps)
            return None
        except GaveUpError as reason:
            self.gave_up[str(reason)] = None
            return None
        for thread, (successor, passed) in outcomes:
            found = self._take(pair, StateMove(thread, successor.choices), successor, passed, steps + 1)
            if found is not None:
                return found
        return None

    def _take(
        self, pair: Pair, move: StateMove, successor: Successor, passed: Passed, steps: int
    ) -> FoundWitnessRun | None:
        """Go on after a step, unless it violates the property where the witness says so."""
        failure = self._failure(pair[0], move, successor)
        if failure is not None:
            is_there = any(map(self.is_at_end, passed))
            return FoundWitnessRun(self._schedule(pair, move), failure) if is_there else None
        if successor.state is None:
            return None
        for position, requirements in passed.items():
            if not requirements:
                self._push((successor.state, position), (pair, move), steps)
            else:
                between = (successor.state, pair[1])
                self._push(between, (pair, move), steps)
                self._narrow(between, position, requirements, steps)
        return None

    def _narrow(
        self, pair: Pair, position: WitnessPosition, requirements: tuple[Requirement, ...], steps: int
    ) -> None:
        """Go on where all requirements hold; the pair is visited as it is, too."""
        for requirement in requirements[:-1]:
            pair = self._narrowed(pair, pair[1], requirement, steps)
        self._narrowed(pair, position, requirements[-1], steps)

    def _narrowed(self, pair: Pair, position: WitnessPosition, requirement: Requirement, steps: int) -> Pair:
        question = NeedsSplitError(requirement.value, (requirement.ranges,))
        ((_, state),) = self.machine.split(pair[0], question)
        self._push((state, position), (pair, Split(requirement.value, requirement.ranges)), steps)
        return state, position

    def _schedule(self, pair: Pair, last: StateMove | None = None) -> Schedule:
        arrivals: list[StateMove | Split] = [] if last is None else [last]
        while (arrival := self._arrivals[pair]) is not None:
            pair, how = arrival
            arrivals.append(how)
        return schedule_of(arrivals, self.machine)

    # --- violations ---------------------------------------------------------------------------

    def _failure(self, state: State, move: StateMove, successor: Successor) -> Failure | None:
        """What a step violates."""
        if successor.thread == ENDED and Property.LEAK in self.properties:
            is_known = self.predicates.knows_frames(state, move.thread)
            return LEAK if is_known and self.predicates.leaked(state, move.thread) else None
        if successor.thread in OVER:
            return None
        return self.machine.code.errors.get(location_of(successor.thread))

    def _violation(self, state: State, position: WitnessPosition, running: list[int]) -> Failure | None:
        """What a state violates, if what is left of the witness is about the threads that take part in it."""
        if Property.RACE in self.properties and (race := self.predicates.race(state)) is not None:
            accesses = ((race.first, race.first_access), (race.second, race.second_access))
            parties = [(thread, access.edge.origin) for thread, access in accesses]
            if self._is_left(position, parties):
                return race.failure
        if Property.DEADLOCK in self.properties and self._is_deadlock(state, running):
            parties = [(t, self.machine.code.out[location_of(state.threads[t])][0].origin) for t in running]
            return DEADLOCK if self._is_left(position, parties) else None
        if Property.LEAK in self.properties and not running and self.predicates.leaked(state, None):
            return LEAK if self._is_left(position, []) else None
        return None

    def _is_deadlock(self, state: State, running: list[int]) -> bool:
        if not running:
            return False
        is_stuck = all(self.machine.is_blocked(state, thread) for thread in running)
        return is_stuck or bool(self.predicates.wait_cycle(state))

    def _is_left(self, position: WitnessPosition, parties: list[tuple[int, Origin]]) -> bool:
        """Whether the parties, each at most once, pass what is left of the witness."""
        if self.is_at_end(position):
            return True
        segment = self.segments[position.passed]
        after = position._replace(passed=position.passed + 1)
        for index, (thread, origin) in enumerate(parties):
            is_party = origin in segment.origins and position.is_thread(segment.follow.thread, thread)
            if is_party and self._is_left(after, parties[:index] + parties[index + 1 :]):
                return True
        return False

    # --- steps --------------------------------------------------------------------------------

    def _outcomes(
        self, state: State, thread: int, position: WitnessPosition
    ) -> Iterator[tuple[Successor, Passed]]:
        """All outcomes of a step, each with the positions that it may lead to."""
        watch = _WaypointWatch(self, state, thread, [position])
        for memory, result in self.machine.interpreter.outcomes(state, thread, watch.step):
            if result is not None:
                choices = tuple(choice for choice, _ in memory.taken)
                after = None if result in OVER else memory.freeze(result)
                yield Successor(choices, result, after, memory.spurious), dict(watch.passed)


class _WaypointWatch:
    """Listens to a step, and moves on in the witness."""

    def __init__(
        self, follower: WitnessFollower, state: State, thread: int, positions: list[WitnessPosition]
    ) -> None:
        self.follower = follower
        self.code = follower.machine.code
        self.thread = thread
        self.start = positions
        at = state.threads[thread]
        self.function = self.code.function_at[location_of(at)]
        live = self.code.live[location_of(at)]
        self.first = {register.term: value for register, value in zip(live, at[1:], strict=True)}
        self.before: dict[Term, object] = self.first
        self.passed: Passed = {}

    def step(self, memory: StepMemory) -> ThreadState | None:
        """Take the step that the memory prescribes."""
        self.before = self.first
        self.passed = dict.fromkeys(self.start, ())

        def listen(happening: Happening) -> None:
            self._hear(happening, memory)
            self.before = dict(happening.registers)

        return self.follower.machine.interpreter.step(memory, listen)

    def _hear(self, happening: Happening, memory: StepMemory) -> None:
        """Pass all waypoints that the edge passes, one after another."""
        queue = [p for p in self.passed if not self._is_avoided(p, happening, memory)]
        self.passed = {position: self.passed[position] for position in queue}
        for position in queue:
            if self.follower.is_at_end(position):
                continue
            segment = self.follower.segments[position.passed]
            if happening.edge.origin not in segment.origins:
                continue
            required = self._pass(segment.follow, position, happening, memory)
            after = self._behind(position, segment.follow, happening)
            if required is not None and after not in self.passed:
                self.passed[after] = (*self.passed[position], *required)
                queue.append(after)

    def _behind(self, position: WitnessPosition, waypoint: Waypoint, happening: Happening) -> WitnessPosition:
        """The position behind a waypoint, with the thread that begins there."""
        created = () if happening.handle is None else (happening.handle - 1,)
        threads = (*position.threads, *created) if waypoint.passing is Passing.CREATION else position.threads
        return WitnessPosition(position.passed + 1, threads)

    def _is_avoided(self, position: WitnessPosition, happening: Happening, memory: StepMemory) -> bool:
        """Whether the run does what it must not, for sure."""
        avoided = () if self.follower.is_at_end(position) else self.follower.segments[position.passed].avoid
        return any(
            happening.edge.origin in origins
            and self._can_pass(waypoint, position, happening)
            and certain(waypoint.condition, self._view(happening, memory))
            for waypoint, origins in avoided
        )

    def _pass(
        self, waypoint: Waypoint, position: WitnessPosition, happening: Happening, memory: StepMemory
    ) -> list[Requirement] | None:
        """What is required for the waypoint to be passed now; None if it is not passed."""
        if not self._can_pass(waypoint, position, happening):
            return None
        return met(waypoint.condition, self._view(happening, memory)) if waypoint.condition else []

    def _can_pass(self, waypoint: Waypoint, position: WitnessPosition, happening: Happening) -> bool:
        """Whether the thread is the one that is meant, and does what is meant."""
        instruction = happening.edge.instruction
        if waypoint.passing is Passing.CREATION and not isinstance(instruction, ir.Create):
            return False
        if waypoint.passing is Passing.INPUT and not isinstance(instruction, ir.Havoc):
            return False
        return position.is_thread(waypoint.thread, self.thread)

    def _view(self, happening: Happening, memory: StepMemory) -> VariableView:
        """The variables before the edge; of those that are not needed any more the values may be old."""
        edge = happening.edge
        result = None
        if isinstance(edge.instruction, ir.Havoc):
            target = edge.instruction.target
            result = KnownValue(happening.value, target.sort, target.display)
        live = self.code.live.get(edge.source, ())
        registers = {one.term: self.before[one.term] for one in live if one.term in self.before}
        return VariableView(self.code, self.function, edge.origin, registers, memory, happening, result)
