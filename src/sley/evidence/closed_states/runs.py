"""Concrete runs against a closed set of states.

Where threads were left out, not every state of a run is in the set, but every state of a thread is:
some run in the set takes the same steps in another order, and independent steps change nothing for
each other. Numbers of heap blocks may differ then; so of programs with a heap, only where threads
stand is compared. Nothing is said of threads that read ineffectually: what they read may be what
they read in no run of the set.

Where states of the only thread are left out, nothing is said of it until there are more.

In a set up to thread symmetry, the state of a thread may be found as that of another one, and the
first one may be elsewhere among its joins; if registers may hold handles, again only where threads
stand is compared.
"""

from collections.abc import Iterable, Sequence

from sley.analyses.own_handles import find_own_handles
from sley.analyses.pointers import PointsTo
from sley.evidence.closed_states.packed import PackedStates
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.runs import Follower
from sley.laws.handle_typing import known_addresses
from sley.laws.ineffectual import IneffectualReads
from sley.program.instructions import Allocate, Join, Load
from sley.semantics.code import Code
from sley.semantics.state import State, ThreadState, is_ended
from sley.semantics.values import Computed, Open, Undetermined


class ClosedStatesFollower(Follower):
    """Every state of a thread in a run is one of that thread in the set."""

    def __init__(self, code: Code, proof: ClosedStates) -> None:
        self.history = proof.states[0].history
        self.leaves_out_solo = proof.leaves_out_solo
        self.ineffectual = (
            IneffectualReads(code, PointsTo(code.program), proof.ineffectual.rising)
            if proof.ineffectual.places
            else None
        )
        edges = (edge for function in code.program.functions.values() for edge in function.edges)
        self.is_up_to_symmetry = proof.is_up_to_symmetry
        self.joining = frozenset(
            edge.source
            for edge in code.program.functions[code.program.entry].edges
            if proof.is_up_to_symmetry and isinstance(edge.instruction, Join | Load)
        )
        has_heap = any(isinstance(edge.instruction, Allocate) for edge in edges)
        has_handles = self.is_up_to_symmetry and _has_handles(code)
        self.compares_values = not has_heap and not has_handles
        self.known = {self._shown(thread, at) for thread, at in _threads(proof.states)}
        self.patterns: dict[tuple[int, int], list[ThreadState]] = {}
        """Thread and location -> states with values that are not determined."""
        for thread, at in self.known:
            if any(isinstance(value, Open) for value in at):
                self.patterns.setdefault((thread, at[0]), []).append(at)

    def judge(self, state: State) -> str | None:
        """Whether the states of all threads are known."""
        if self.leaves_out_solo and len(state.threads) == 1:
            return None
        for thread, at in enumerate(state.threads):
            if is_ended(at) or self._is_known(thread, at) or at[0] in self.joining:
                continue
            if self.ineffectual is None or not self.ineffectual.look(state, thread).is_ineffectual:
                return f"thread {thread} at location {at[0]} with {at[1:]}: there is no such state"
        return None

    def _shown(self, thread: int, at: ThreadState) -> tuple[int, ThreadState]:
        return 0 if self.is_up_to_symmetry else thread, at if self.compares_values else at[:1]

    def _is_known(self, thread: int, at: ThreadState) -> bool:
        of, shown = self._shown(thread, at)
        if (of, shown) in self.known:
            return True
        return any(all(map(_fits, at, pattern)) for pattern in self.patterns.get((of, at[0]), ()))


def _threads(states: Sequence[State]) -> Iterable[tuple[int, ThreadState]]:
    if isinstance(states, PackedStates):
        return states.of_threads()
    return ((thread, at) for state in states for thread, at in enumerate(state.threads))


def _has_handles(code: Code) -> bool:
    own = find_own_handles(code.program, PointsTo(code.program), known_addresses(code))
    return bool(own.registers)


def _fits(value: object, pattern: object) -> bool:
    if isinstance(pattern, Computed):
        return isinstance(value, int)  # which ones it may be, only a solver knows
    if isinstance(pattern, Undetermined) and isinstance(value, int):
        return any(low <= value <= high for low, high in pattern.ranges)
    return value == pattern
