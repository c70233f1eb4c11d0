"""A counterexample that reads well: fewest context switches first, then fewest steps.

Dijkstra's search over (state, last thread) without reduction. Not needed for soundness: when it runs out of
its share of work, the schedule found first is used.
"""

import heapq
import time
from itertools import count, pairwise

from sley.base.errors import GaveUpError
from sley.base.persistent import PersistentTable
from sley.engines.explore.graph import Split, StateMove
from sley.engines.explore.schedules import schedule_of
from sley.engines.explore.thresholds import SURE_STATES
from sley.evidence.trace import Schedule
from sley.program.properties import Failure, Property
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.state import ENDED, State, is_ended, location_of
from sley.semantics.uninitialised import failure_of, unset_reads
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import StatePredicates

Cost = tuple[int, int]


class ShortestSearch:
    """Searches a best schedule to one given failure."""

    def __init__(
        self,
        machine: StateMachine,
        predicates: StatePredicates,
        failure: Failure,
        stuck: frozenset[State] = frozenset(),
    ) -> None:
        self.machine = machine
        self.stuck = stuck
        """States that threads cannot get out of."""
        self.predicates = predicates
        self.failure = failure
        self._tick = count()
        self._queue: list[tuple[Cost, int, State, int]] = []
        self._best: dict[tuple[State, int], Cost] = {}
        self._arrival: dict[tuple[State, int], tuple[tuple[State, int], StateMove | Split]] = {}

    def run(self, found: Schedule, max_states: int, deadline: float) -> Schedule:
        """The best schedule, or ``found`` if none better turns up within the limits."""
        if len(found) > max_states // 2:
            return found  # the search would not get so far
        switches = sum(a.thread != b.thread for a, b in pairwise(found))
        limit = (switches, len(found))
        self._push((0, 0), (self.machine.initial(), 0), None)
        for number in range(max_states):
            if not self._queue or (number >= SURE_STATES and time.monotonic() > deadline):
                break
            cost, _, state, last = heapq.heappop(self._queue)
            if cost > limit:
                break
            if self._best[state, last] < cost:
                continue
            schedule = self._visit(state, last, cost)
            if schedule is not None:
                return schedule
        return found

    def _push(
        self, cost: Cost, node: tuple[State, int], arrival: tuple[tuple[State, int], StateMove | Split] | None
    ) -> None:
        known = self._best.get(node)
        if known is not None and known <= cost:
            return
        self._best[node] = cost
        if arrival is not None:
            self._arrival[node] = arrival
        heapq.heappush(self._queue, (cost, next(self._tick), *node))

    def _visit(self, state: State, last: int, cost: Cost) -> Schedule | None:
        node = (state, last)
        try:
            steps = self._steps(state)
            if self._fails(state, steps):
                return self._schedule(node)
        except NeedsSplitError as question:
            for part, after in self.machine.split(state, question):
                self._push(cost, (after, last), (node, Split(question.value, part)))
            return None
        except GaveUpError:
            return None
        for thread, successors in steps.items():
            dearer = (cost[0] + (thread != last), cost[1] + 1)
            for successor in successors:
                move = StateMove(thread, successor.choices)
                if self._step_fails(state, thread, successor):
                    self._push(dearer, (_FAILED, thread), (node, move))
                elif successor.state is not None and successor.thread[0] not in self.machine.code.errors:
                    self._push(dearer, (successor.state, thread), (node, move))
        return None

    def _steps(self, state: State) -> dict[int, list[Successor]]:
        if state is _FAILED:
            return {}
        return {
            thread: self.machine.successors(state, thread)
            for thread, at in enumerate(state.threads)
            if not is_ended(at)
        }

    def _step_fails(self, state: State, thread: int, successor: Successor) -> bool:
        if self.failure.property is Property.LEAK:
            is_known = successor.thread == ENDED and self.predicates.knows_frames(state, thread)
            return is_known and bool(self.predicates.leaked(state, thread))
        if self.failure.property is Property.UNINITIALISED:
            read = unset_reads(self.machine, state, thread).get(successor.choices)
            return read is not None and read.is_certain and failure_of(read) == self.failure
        return self.machine.code.errors.get(location_of(successor.thread)) == self.failure

    def _fails(self, state: State, steps: dict[int, list[Successor]]) -> bool:
        if state is _FAILED:
            return True
        if self.failure.property is Property.RACE:
            race = self.predicates.race(state)
            return race is not None and race.failure == self.failure
        if self.failure.property is Property.DEADLOCK:
            if steps and all(s.is_spurious for successors in steps.values() for s in successors):
                return True
            return bool(self.predicates.wait_cycle(state))
        if self.failure.property is Property.LEAK:
            return not steps and bool(self.predicates.leaked(state, None))
        return self.failure.property is Property.PROGRESS and state in self.stuck

    def _schedule(self, node: tuple[State, int]) -> Schedule:
        arrivals: list[StateMove | Split] = []
        while node in self._arrival:
            node, arrival = self._arrival[node]
            arrivals.append(arrival)
        return schedule_of(arrivals, self.machine)


_FAILED = State((), PersistentTable(), ())
"""Stands for "the failing step was taken"."""
