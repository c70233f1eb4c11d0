"""Checks a :class:`ClosedStates` proof under C11.

All is as in ``check``: the states have histories, and the steps are those of the machine of C11. One more
reason suffices to leave threads out, and one less where memory may be lost.

* A thread suffices by itself whose next step *writes* an atomic object. Take any run in which others go
  first. Its graph is the same if that write comes first: it reads nothing, so nothing has to come before it
  but its own thread; all positions among the other writes are outcomes, now or then; and a run in which it
  never comes can have it added as the newest write, which is never read.
* So does one whose next step is a plain access, if races are refused: with an access that conflicts it is
  ordered, and a thread ordered before it has taken its step already.
* What is lost when the process ends while threads run, a thread might find again by reading what others have
  overwritten. No proof speaks of that: then no thread ends before all others may have ended the process.
"""

from sley.base.budget import Budget
from sley.evidence.closed_states.checker import Checker, require
from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.proof import Checked
from sley.program.instructions import Allocate, Exit, FaultTest, Load, Store, Update
from sley.program.program import Edge, Program
from sley.program.properties import Property
from sley.semantics.history import History
from sley.semantics.machine import Successor
from sley.semantics.state import ENDED, State, is_ended, location_of


def check_closed_histories(
    program: Program, properties: frozenset[Property], proof: ClosedStates, budget: Budget
) -> Checked:
    """Accept the proof, or raise RefusedProofError."""
    _WeakChecker(program, properties, proof, budget).check()
    return Checked("every step from every state was computed again, with all that RC11 lets it read")


class _WeakChecker(Checker):
    def __init__(
        self, program: Program, properties: frozenset[Property], proof: ClosedStates, budget: Budget
    ) -> None:
        history = History(finds_races=Property.RACE in properties)
        super().__init__(program, properties, proof, budget, history)
        made = (e.instruction for e in program.edges if isinstance(e.instruction, Allocate))
        has_heap = any(not instruction.is_kept for instruction in made)
        self.may_lose = Property.LEAK in properties and has_heap

    def _check_persistent(self, state: State, taken: tuple[int, ...], running: list[int]) -> None:
        ends = any(isinstance(self._action(state, thread).instruction, Exit) for thread in taken)
        require(not (self.may_lose and ends), "no thread ends before others where memory may be lost")
        if len(taken) > 1 or not self._suffices(state, taken[0]):
            super()._check_persistent(state, taken, running)

    def _suffices(self, state: State, thread: int) -> bool:
        edge = self._action(state, thread)
        action = edge.instruction
        if isinstance(action, Load | Store | Update) and not action.access.is_atomic:
            return Property.RACE in self.properties
        return isinstance(action, Store) and not edge.origin.is_library

    def _action(self, state: State, thread: int) -> Edge:
        """What the next step of a thread begins with, if that is not wrong."""
        edges = self.machine.code.out[location_of(state.threads[thread])]
        return next(edge for edge in edges if not isinstance(edge.instruction, FaultTest))

    def _check_outcome(self, state: State, thread: int, outcome: Successor) -> int | None:
        if outcome.thread == ENDED and self.may_lose:
            others = [at for other, at in enumerate(state.threads) if other != thread]
            require(all(map(is_ended, others)), "the process ends last where memory may be lost")
        return super()._check_outcome(state, thread, outcome)
