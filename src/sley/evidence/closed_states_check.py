"""Checks a :class:`ClosedStates` proof; shares no code with the engine that made it.

What is checked, for every state of the proof:

* *initiation*: the first state is the initial state;
* *consecution*: every outcome of a step of the threads taken is in the proof again (recomputed by the
  reference interpreter), or ends the run; the parts of a split state cover it and are in the proof;
* *safety*: no step reaches an error location, the state has no race, deadlock or lost memory;
* *reasons*: if threads were left out, the taken ones are persistent (below), some of them can step, none of
  their steps ends the run; and no cycle consists of such states alone.

A set of threads is persistent at a state if no other thread can ever do something that conflicts with the next
step of a thread in the set, as long as the set does not move. What others may do comes from a static
analysis; that it covers what really happens is verified for each executed access (*claims*).
"""

from collections.abc import Iterable

from sley.analyses.accesses import Accesses
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.closed_states import ClosedStates, Parts
from sley.program.instructions import Lock
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.machine import Machine, Successor, replace_undetermined
from sley.semantics.state import ENDED, State, is_ended, location_of
from sley.semantics.values import NeedsSplitError, Ranges
from sley.semantics.violations import StatePredicates


class ProofRefusedError(Exception):
    """The proof does not prove what it should; a bug of ours, so this is not a give-up."""


def check_closed_states(
    program: Program, properties: frozenset[Property], proof: ClosedStates, budget: Budget
) -> None:
    """Accept the proof, or raise ProofRefusedError."""
    _Checker(program, properties, proof, budget).check()


class _Checker:
    def __init__(
        self, program: Program, properties: frozenset[Property], proof: ClosedStates, budget: Budget
    ) -> None:
        self.properties = properties
        self.proof = proof
        self.budget = budget
        self.machine = Machine(program, is_compiled=False)
        self.predicates = StatePredicates(self.machine.code, self.machine.interpreter)
        self.numbers = {state: i for i, state in enumerate(proof.states)}
        self.reduced: dict[int, list[int]] = {}
        """States where threads were left out -> numbers of their successors."""
        self._accesses: Accesses | None = None

    @property
    def accesses(self) -> Accesses:
        """What each thread may do, computed when first needed."""
        if self._accesses is None:
            self._accesses = Accesses(self.machine.code.program)
        return self._accesses

    def check(self) -> None:
        states, expansions = self.proof.states, self.proof.expansions
        require(len(states) == len(expansions), "one expansion for each state")
        require(bool(states) and states[0] == self.machine.initial(), "the first state is initial")
        for number, (state, expansion) in enumerate(zip(states, expansions, strict=True)):
            self.budget.spend()
            if isinstance(expansion, Parts):
                self._check_parts(state, expansion)
            else:
                self._check_state(number, state, expansion)
        require(is_acyclic(self.reduced), "no cycle of states with threads left out")

    def _check_parts(self, state: State, parts: Parts) -> None:
        require(covers(parts.ranges, parts.value.ranges), "the parts cover the state")
        for ranges in parts.ranges:
            part = replace_undetermined(state, parts.value, ranges)
            require(part in self.numbers, "each part is in the proof")

    def _check_state(self, number: int, state: State, taken: tuple[int, ...]) -> None:
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        require(set(taken) <= set(running), "only running threads are taken")
        outcomes = [(thread, outcome) for thread in taken for outcome in self._steps(state, thread)]
        following = [self._check_outcome(state, thread, outcome) for thread, outcome in outcomes]
        can_step = any(not outcome.is_spurious for _, outcome in outcomes)
        if len(taken) < len(running):
            require(can_step, "some thread of a reduced state can step")
            require(all(n is not None for n in following), "no step of a reduced state ends the run")
            self._check_persistent(state, taken, running)
            self.reduced[number] = [n for n in following if n is not None]
        if Property.DEADLOCK in self.properties:
            require(can_step or not running, "no deadlock")
            require(
                not self.predicates.wait_cycle(state, lambda t: not self._steps(state, t)), "no wait cycle"
            )
        if Property.RACE in self.properties:
            require(self.predicates.race(state) is None, "no data race")

    def _steps(self, state: State, thread: int) -> list[Successor]:
        try:
            return self.machine.successors(state, thread)
        except (NeedsSplitError, GaveUpError) as problem:
            raise ProofRefusedError(f"a step cannot be recomputed: {problem}") from problem

    def _check_outcome(self, state: State, thread: int, outcome: Successor) -> int | None:
        """The number of the state that follows; None if the run ends."""
        require(location_of(outcome.thread) not in self.machine.code.errors, "no error location is reached")
        if outcome.state is None:
            if outcome.thread == ENDED and Property.LEAK in self.properties:
                require(not self.predicates.leaked(state, thread), "no memory is lost")
            return None
        found = self.numbers.get(outcome.state)
        require(found is not None, "every successor is in the proof")
        return found

    # --- reasons ------------------------------------------------------------------------------

    def _check_persistent(self, state: State, taken: tuple[int, ...], running: list[int]) -> None:
        held = self._locks_held_by(state, taken)
        for other in running:
            if other in taken:
                continue
            future = self.accesses.future_until(location_of(state.threads[other]), held)
            for thread in taken:
                action = self.accesses.action(location_of(state.threads[thread]))
                require(not action.conflicts(future), "threads left out cannot disturb those taken")

    def _locks_held_by(self, state: State, taken: tuple[int, ...]) -> frozenset[int]:
        """Constant addresses of locks that the taken threads hold: nobody else gets past them."""
        handles = {thread + 1 for thread in taken}
        memory = self.machine.interpreter.memory(state, taken[0])
        return frozenset(
            address
            for address, size in self._lock_addresses()
            if memory.is_valid(address, size, writes=False) and memory.load(address, size) in handles
        )

    def _lock_addresses(self) -> Iterable[tuple[int, int]]:
        program = self.machine.code.program
        found: dict[tuple[int, int], None] = {}
        for function in program.functions.values():
            for edge in function.edges:
                if isinstance(edge.instruction, Lock):
                    access = edge.instruction.access
                    address = program.terms.number(access.address)
                    if address is not None:
                        found[address, access.size] = None
        return found


def require(condition: bool, what: str) -> None:  # noqa: FBT001 - it is the condition
    """Refuse the proof unless the condition holds."""
    if not condition:
        raise ProofRefusedError(f"proof refused: expected that {what}")


def covers(parts: tuple[Ranges, ...], whole: Ranges) -> bool:
    """Whether every number of ``whole`` is in some part."""
    intervals = sorted(interval for part in parts for interval in part)
    for low, high in whole:
        at = low
        for start, end in intervals:
            if start <= at <= end:
                at = end + 1
        if at <= high:
            return False
    return True


def is_acyclic(graph: dict[int, list[int]]) -> bool:
    """Whether the graph, restricted to its keys, has no cycle (Kahn's algorithm)."""
    incoming = dict.fromkeys(graph, 0)
    for targets in graph.values():
        for target in targets:
            if target in incoming:
                incoming[target] += 1
    free = [node for node, count in incoming.items() if count == 0]
    done = 0
    while free:
        done += 1
        for target in graph[free.pop()]:
            if target in incoming:
                incoming[target] -= 1
                if incoming[target] == 0:
                    free.append(target)
    return done == len(graph)
