"""Exhaustive search of all schedules over concrete states.

Depth-first search with a table of visited states. At each state the *reduction* proposes a set of threads
whose steps suffice (a persistent set); the search accepts it under three conditions, else it takes all:

* some thread of the set can step (otherwise a deadlock could be missed),
* no step of the set ends the run (an ``exit``, an error or a failed assumption would hide what others could
  still do),
* no step of the set leads to a state on the search stack (or a loop could postpone the others forever).

A loop may also be closed by splitting a state on an undetermined value: then all threads are taken at the
part on the stack to which it leads back.

With *symmetry* the search goes on from a state that stands for the one that a step leads to: they differ in
which of some threads has which id. All of the above is about the former.

Soundness. SAFE: every state in the table has all successors of its accepted set in the table, and the set
is justified; ``evidence.closed_states.check`` recomputes both. UNSAFE: the schedule is replayed. The order of
the search, the table and the compiled steps need not be trusted.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from math import inf

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.explore.graph import Split, StateGraph, StateMove
from sley.engines.explore.reduction import PersistentSets, Reduction, last_first
from sley.engines.explore.schedules import schedule_of
from sley.engines.explore.standing import Suspicion, ThreadPlaces
from sley.engines.explore.symmetry import Renaming, Symmetry
from sley.engines.explore.thresholds import MORE_SECONDS, SHORT
from sley.evidence.closed_states.proof import NONE_INEFFECTUAL, ClosedStates, Expansion, Parts
from sley.evidence.trace import Schedule
from sley.program.properties import Failure, Property
from sley.semantics.knowledge import numbers_of
from sley.semantics.machine import StateMachine, Successor
from sley.semantics.memory import Choice
from sley.semantics.progress import NO_PROGRESS, NOT_KNOWN, Onward, free, onward, stuck
from sley.semantics.state import ENDED, State, is_ended
from sley.semantics.uninitialised import NOT_KNOWN as UNSET_NOT_KNOWN
from sley.semantics.uninitialised import UnsetRead, failure_of, unset_reads
from sley.semantics.values import NeedsSplitError
from sley.semantics.violations import StatePredicates

DEADLOCK = Failure(Property.DEADLOCK, "deadlock", "deadlock")
LEAK = Failure(Property.LEAK, "memory-leak", "memory is lost: allocated, not freed, unreachable")


@dataclass(slots=True, eq=False)
class SearchNode:
    """A state on the search stack."""

    number: int
    todo: Iterator[tuple[StateMove | Split, State]]


class FallenError(Exception):
    """A place falls that the search took to rise only (``laws.ineffectual``)."""


class Explorer:
    """One search; ``graph`` and ``expanded`` are the proof if it completes with nothing found or given up."""

    def __init__(
        self,
        machine: StateMachine,
        properties: frozenset[Property],
        reduction: Reduction | None,
        budget: Budget,
        max_states: int | None = None,
        more_seconds: float = MORE_SECONDS,
        symmetry: Symmetry | None = None,
    ) -> None:
        self.machine = machine
        self.symmetry = symmetry
        self.properties = properties
        self.reduction = reduction
        self.ineffectual = reduction.ineffectual if isinstance(reduction, PersistentSets) else None
        self.budget = budget
        self.max_states = max_states
        self.more_seconds = more_seconds
        self.predicates = StatePredicates(machine.code, machine.interpreter)
        self._asks_leaks, self._asks_unset = Property.LEAK in properties, Property.UNINITIALISED in properties
        self.standing = ThreadPlaces(
            self.predicates,
            asks_races=Property.RACE in properties and machine.history is None,
            asks_deadlocks=Property.DEADLOCK in properties,
        )
        """Of the state that is looked at."""
        self.graph = StateGraph()
        self.expanded: list[Expansion] = []
        """For each state the threads whose steps were taken, or how the state was split."""
        self.violations: dict[Failure, Schedule] = {}
        """With a schedule that leads to each."""
        self.gave_up: dict[str, None] = {}
        """Why the search is not complete."""
        self.until: float | None = None
        """When to stop looking for further violations."""
        self.steps = 0
        self.natively: ClosedStates | None = None
        """What was searched in compiled code instead."""
        self.onward: dict[State, Onward] | None = {} if Property.PROGRESS in properties else None
        """What can be next at each state, if progress is asked for."""
        self.stuck: frozenset[State] = frozenset()
        """Those that threads cannot get out of."""
        self._stack: list[SearchNode] = []
        self._on_stack: dict[int, SearchNode] = {}
        self._whole: set[int] = set()
        """States at which all threads are taken because splitting closed a loop, or at all their parts."""
        self.leaves_out_solo = False
        """Whether some states of the only thread were left out."""
        is_whole = type(self) is Explorer and max_states is None  # else it is to be a short look
        self._goes_beyond = is_whole and isinstance(reduction, PersistentSets)
        self._next_beyond = 0
        """With so many states it is tried again whether the only thread goes far."""

    def search(self) -> None:
        """Search everything that is reachable; raises when the budget is exhausted."""
        self.begin()
        self.go_on()

    def begin(self) -> None:
        """Look at the first state, or at where the only thread comes to from there."""
        first, self.graph.before = self.beyond(self.machine.initial())
        self._visit(first, -1, None)

    def beyond(self, state: State) -> tuple[State, int]:
        """Where the only thread comes to, if that is far, and by how many steps."""
        is_worth_it = len(self.graph.numbers) >= self._next_beyond
        if not self._goes_beyond or len(state.threads) != 1 or not is_worth_it:
            return state, 0
        self.budget.spend()
        after, steps = self.machine.beyond(state)
        if steps < SHORT:
            self._next_beyond = len(self.graph.numbers) + SHORT
            return state, 0
        self.leaves_out_solo = True
        return after, steps

    def go_on(self, most: float = inf) -> bool:
        """Search on, until there are so many states; whether everything was searched."""
        self.budget.shows(lambda: f"{len(self.graph.numbers)} states")
        while True:
            try:
                return self._search_on(most)
            except FallenError:
                self._start_again()

    def _start_again(self) -> None:
        """Forget the states; violations are what they are."""
        self.graph, self.expanded = StateGraph(), []
        self._stack, self._on_stack, self._whole = [], {}, set()
        self.leaves_out_solo, self._next_beyond = False, 0
        self.begin()

    def _search_on(self, most: float) -> bool:
        numbers = self.graph.numbers
        while self._stack:
            if len(numbers) >= most:
                return False
            node = self._stack[-1]
            following = next(node.todo, None)
            if following is None:
                del self._on_stack[node.number]
                self._stack.pop()
                continue
            arrival, state = following
            is_new = state not in numbers
            if is_new:
                self._visit(state, node.number, arrival)
            if isinstance(arrival, Split):
                closes_loop = not is_new and numbers[state] in self._on_stack
                if closes_loop or node.number in self._whole:
                    self._take_all(numbers[state])
        return True

    def _take_all(self, number: int) -> None:
        """Take all threads at a state, or at all parts of it, also if they were visited before."""
        waiting = [number]
        while waiting:
            number = waiting.pop()
            if number in self._whole:
                continue
            self._whole.add(number)
            state, parts = self.graph.states[number], self.expanded[number]
            if not isinstance(parts, Parts) and len(parts) < sum(not is_ended(at) for at in state.threads):
                self.expanded[number], following = self._expand(state, number, 0, is_whole=True)
                node = self._on_stack.get(number)
                if node is None:
                    self._push(SearchNode(number, iter(following)))
                else:
                    node.todo = chain(node.todo, following)
            parts = self.expanded[number]
            if isinstance(parts, Parts):
                split = self.machine.split(state, NeedsSplitError(parts.value, parts.ranges))
                waiting += [known for _, part in split if (known := self.graph.numbers.get(part)) is not None]

    def _push(self, node: SearchNode) -> None:
        self._stack.append(node)
        self._on_stack[node.number] = node

    def _visit(self, state: State, parent: int, arrival: StateMove | Split | None) -> None:
        self.budget.spend()
        if self.violations and self.is_enough():
            raise BudgetExhaustedError("enough violations")
        if self.max_states is not None and len(self.graph.states) >= self.max_states:
            reached = f"limit of {self.max_states} states reached"
            raise BudgetExhaustedError(Reason(reached, Why.STATES, str(self.max_states)))
        number = self.graph.add(state, parent, arrival)
        node = SearchNode(number, iter(()))
        self._push(node)
        last = 0
        if isinstance(arrival, StateMove):
            last = arrival.renaming[arrival.thread] if arrival.renaming else arrival.thread
        expanded, following = self._expand(state, number, last)
        self.expanded.append(expanded)
        node.todo = iter(following)

    def is_enough(self) -> bool:
        """After the first violation, look for others as long again, and at least ``more_seconds``."""
        elapsed = self.budget.elapsed()
        if self.until is None:
            self.until = 2 * elapsed + self.more_seconds
        return elapsed > self.until

    def _expand(
        self, state: State, number: int, last: int, *, is_whole: bool = False
    ) -> tuple[Expansion, list[tuple[StateMove | Split, State]]]:
        """Check a state; the threads taken there (``last`` rather than others), and what follows."""
        steps = StateSuccessors(self, state)
        try:
            self.standing.move(state)
            running = self.standing.running
            self._check_standing(state, number)
            if not running:
                self._check_leak_after_all(state, number)
            chosen = None if is_whole else self._chosen(state, steps, last)
            if chosen is None:
                chosen = last_first(running, last)
                self._check_deadlock(number, steps, chosen)
            taken = [(thread, steps.of(thread)) for thread in steps.distinct(chosen)]
        except NeedsSplitError as question:
            parts = Parts(question.value, question.parts)
            split = [
                (Split(question.value, part), after) for part, after in self.machine.split(state, question)
            ]
            if self.onward is not None:
                numbers = numbers_of(question.value)
                self.onward[state] = Onward(tuple(after for _, after in split), split=numbers)
            return parts, [*split]
        if self.onward is not None:
            self.onward[state] = steps.onward()
        following: list[tuple[StateMove | Split, State]] = []
        for thread, successors in taken:
            unset = self._unset_reads(state, thread) if self._asks_unset else None
            for successor in successors:
                if unset and (read := unset.get(successor.choices)) is not None and read.is_certain:
                    self._found(failure_of(read), number, StateMove(thread, successor.choices))
                else:
                    self._follow(steps, number, thread, successor, following)
        return chosen, following

    def _unset_reads(self, state: State, thread: int) -> Mapping[tuple[Choice, ...], UnsetRead]:
        """Reads of what was never written; what is not certain is noted."""
        try:
            found = unset_reads(self.machine, state, thread)
        except GaveUpError as reason:
            self.gave_up[str(reason)] = None
            return {}
        if not all(read.is_certain for read in found.values()):
            self.gave_up[UNSET_NOT_KNOWN] = None
        return found

    def _chosen(self, state: State, steps: "StateSuccessors", last: int) -> tuple[int, ...] | None:
        """The threads to take at a state; None: all."""
        if self.reduction is None:
            return None
        try:
            alone = () if self.symmetry is None else self.symmetry.alone(state, self.standing.running)
            for chosen in chain(alone, self.reduction.proposals(state, self.standing, last)):
                if self._suffices(steps, chosen):
                    return chosen
        except GaveUpError as reason:
            self.gave_up[str(reason)] = None
        return None

    def _suffices(self, steps: "StateSuccessors", chosen: tuple[int, ...]) -> bool:
        """The three conditions of the module docstring."""
        errors, numbers, on_stack = self.machine.code.errors, self.graph.numbers, self._on_stack
        can_step = False
        for thread in steps.distinct(chosen):
            for successor in steps.of(thread):
                if successor.state is None or successor.thread[0] in errors:
                    return False
                if numbers.get(successor.state) in on_stack:
                    return False
                can_step = can_step or not successor.is_spurious
        return can_step and not steps.gave_up

    def _follow(
        self,
        steps: "StateSuccessors",
        number: int,
        thread: int,
        successor: Successor,
        following: list[tuple[StateMove | Split, State]],
    ) -> None:
        """Note what a step leads to: a violation, the end of the run, or a state to go on from."""
        self.steps += 1
        move = StateMove(thread, successor.choices, *steps.naming(thread, successor))
        after = successor.state
        if after is None:
            if successor.thread == ENDED and self._asks_leaks:
                self._check_leak(steps.state, number, move)
            return
        failure = self.machine.code.errors.get(successor.thread[0])
        if failure is not None:
            self._found(failure, number, move)
        else:
            self._watch(steps.state, after)
            following.append((move, after))

    def _watch(self, state: State, after: State) -> None:
        """Take notice of places that fall in a step."""
        if self.ineffectual is not None and self.ineffectual.is_wrong(state, after):
            raise FallenError

    @property
    def closed(self) -> ClosedStates:
        """The states that were found, and what was taken there."""
        if self.natively is not None:
            return self.natively
        states, expansions = tuple(self.graph.states), tuple(self.expanded)
        ineffectual = NONE_INEFFECTUAL if self.ineffectual is None else self.ineffectual.said
        return ClosedStates(states, expansions, self.is_up_to_symmetry, ineffectual, self.leaves_out_solo)

    @property
    def is_up_to_symmetry(self) -> bool:
        """Whether some states stand for others."""
        return self.symmetry is not None and self.symmetry.is_used

    # --- violations of states -----------------------------------------------------------------

    def check_progress(self, *, is_complete: bool) -> None:
        """Look for states that threads cannot get out of, in what was seen so far."""
        if self.onward is None:
            return
        self.stuck = frozenset(stuck(self.onward))
        if self.stuck:
            self._found(NO_PROGRESS, min(map(self.graph.numbers.__getitem__, self.stuck)))
        elif is_complete and len(free(self.onward)) < len(self.onward):
            self.gave_up[NOT_KNOWN] = None

    def _found(self, failure: Failure, number: int, last: StateMove | None = None) -> None:
        """A violation in a state, or in one more step from it."""
        if failure not in self.violations:
            self.violations[failure] = self._schedule(number, last)

    def _schedule(self, number: int, last: StateMove | None) -> Schedule:
        """The steps from the first state to a state (and one more), as they can happen."""
        return schedule_of(self.graph.backwards(number, last), self.machine, self.symmetry)

    def _check_standing(self, state: State, number: int) -> None:
        """Is there a race, or a cycle of threads that wait for each other?"""
        try:
            suspicion = self.standing.suspicion(state)
        except GaveUpError as reason:
            self.gave_up[str(reason)] = None
            suspicion = Suspicion(race=True, cycle=False)
        if suspicion.race or (state.history is not None and Property.RACE in self.properties):
            self._check_race(state, number)
        if suspicion.cycle:
            self._check_wait_cycle(state, number)

    def _check_race(self, state: State, number: int) -> None:
        try:
            race = self.predicates.race(state)
        except GaveUpError as reason:
            self.gave_up[str(reason)] = None
            return
        if race is not None:
            self._found(race.failure, number)

    def _check_deadlock(self, number: int, steps: "StateSuccessors", running: tuple[int, ...]) -> None:
        if Property.DEADLOCK not in self.properties or not running:
            return
        for thread in steps.distinct(running):
            if not all(successor.is_spurious for successor in steps.of(thread)):
                return
        if not steps.gave_up:
            self._found(DEADLOCK, number)

    def _check_wait_cycle(self, state: State, number: int) -> None:
        try:
            is_cyclic = bool(self.predicates.wait_cycle(state))
        except GaveUpError as reason:
            self.gave_up[str(reason)] = None
            return
        if is_cyclic:
            self._found(DEADLOCK, number)

    def _check_leak(self, state: State, number: int, move: StateMove) -> None:
        if not self.predicates.leaked(state, move.thread):
            return
        if not self.predicates.knows_frames(state, move.thread):
            self.gave_up["whether memory is lost when the process ends depends on local variables"] = None
        else:
            self._found(LEAK, number, move)

    def _check_leak_after_all(self, state: State, number: int) -> None:
        """The last thread has ended, main by ``pthread_exit``: so has the process."""
        if Property.LEAK in self.properties and self.predicates.leaked(state, None):
            self._found(LEAK, number)


class StateSuccessors:
    """The successors of one state by thread, computed when asked for."""

    def __init__(self, explorer: Explorer, state: State) -> None:
        self.explorer = explorer
        self.state = state
        self.found: dict[int, list[Successor]] = {}
        self.gave_up = False
        self._namings: dict[tuple[int, tuple[Choice, ...]], tuple[Renaming, bool]] = {}
        self._beyond: dict[tuple[int, tuple[Choice, ...]], int] = {}

    def onward(self) -> Onward:
        """What can be next, if the steps of all threads were asked for; where one was given up, anything."""
        return (
            Onward((), gets_somewhere=True)
            if self.gave_up
            else onward(self.explorer.machine, self.state, self.found)
        )

    def of(self, thread: int) -> list[Successor]:
        """The outcomes of a step of ``thread``; giving up on a step is noted, never silent."""
        found = self.found.get(thread)
        if found is None:
            try:
                found = self.explorer.machine.successors(self.state, thread)
            except GaveUpError as reason:
                self.gave_up = True
                found = []
                self.explorer.gave_up[str(reason)] = None
            if self.explorer.symmetry is not None:
                found = self._sorted(self.explorer.symmetry, thread, found)
            self.found[thread] = found = [self._going_on(thread, outcome) for outcome in found]
        return found

    def _going_on(self, thread: int, outcome: Successor) -> Successor:
        """The outcome with where the only thread comes to then."""
        if outcome.state is None or outcome.thread[0] in self.explorer.machine.code.errors:
            return outcome
        after, steps = self.explorer.beyond(outcome.state)
        if not steps:
            return outcome
        self._beyond[thread, outcome.choices] = steps
        return outcome._replace(state=after)

    def _sorted(self, symmetry: Symmetry, thread: int, outcomes: list[Successor]) -> list[Successor]:
        """The outcomes with states that stand for theirs."""
        is_idle = symmetry.is_idle(self.state, thread, outcomes)
        found: list[Successor] = []
        for outcome in outcomes:
            if outcome.state is not None:
                after, renaming = symmetry.sorted(outcome.state)
                self._namings[thread, outcome.choices] = renaming, is_idle
                found.append(outcome._replace(state=after))
            else:
                found.append(outcome)
        return found

    def distinct(self, threads: tuple[int, ...]) -> tuple[int, ...]:
        """One of each kind of threads that are alike."""
        symmetry = self.explorer.symmetry
        if symmetry is None or len(threads) < 2:
            return threads
        return symmetry.distinct(self.state, threads)

    def naming(self, thread: int, outcome: Successor) -> tuple[Renaming, bool, int]:
        """How threads are called after the step, whether it can be put off, and how many follow at once."""
        key = thread, outcome.choices
        return *self._namings.get(key, ((), False)), self._beyond.get(key, 0)
