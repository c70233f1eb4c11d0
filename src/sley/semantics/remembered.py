"""Steps that were computed before: what others do meanwhile makes no difference to most of them.

A step that neither creates, joins nor ends a thread, nor allocates (which asks what refers to which block),
depends on its thread and on memory alone. Where threads interleave, the same thread meets the same memory
again and again, with the others elsewhere.
"""

from typing import NamedTuple

from sley.base.persistent import PersistentTable
from sley.program import instructions as ir
from sley.semantics.code import Code
from sley.semantics.state import Block, Cells, ThreadState

TRIAL = 1 << 12
"""After so many steps it is seen whether remembering them is worth it: whether half of them came again."""

Circumstances = tuple[int, ThreadState, Cells, PersistentTable[Block]]
"""Thread, its state, and memory."""


class StepOutcome(NamedTuple):
    """What a step makes of its thread (None: it is blocked) and of memory."""

    at: ThreadState | None
    cells: Cells
    blocks: PersistentTable[Block]
    is_spurious: bool


class RememberedSteps:
    """The outcomes of steps with one outcome, by their circumstances."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._concerns: dict[int, bool] = {}
        self._known: dict[Circumstances, StepOutcome] = {}
        self._asked = 0

    def concerns(self, location: int) -> bool:
        """Whether a step from here depends on its thread and memory alone, and may be remembered."""
        found = self._concerns.get(location)
        if found is None:
            found = self._concerns[location] = not self._goes_further(location)
        return found

    def _goes_further(self, location: int) -> bool:
        seen, waiting = {location}, [location]
        while waiting:
            for edge in self._code.out.get(waiting.pop(), ()):
                if isinstance(edge.instruction, ir.Threading | ir.Allocate):
                    return True
                if edge.target not in seen and edge.target not in self._code.stops:
                    seen.add(edge.target)
                    waiting.append(edge.target)
        return False

    def outcome(self, of: Circumstances) -> StepOutcome | None:
        """What the step comes to, if that is known."""
        self._asked += 1
        return self._known.get(of)

    def add(self, of: Circumstances, outcome: StepOutcome) -> None:
        """Remember a step; none of them any more if few come again."""
        self._known[of] = outcome
        if self._asked >= TRIAL and 2 * len(self._known) > self._asked:
            self._known.clear()
            self._concerns = dict.fromkeys(self._code.out, False)
