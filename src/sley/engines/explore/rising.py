"""Which cells may rise, so that reads are ineffectual: guesses, which a search can prove wrong."""

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from sley.analyses.pointers import PointsTo
from sley.evidence.closed_states.proof import Ineffectual
from sley.laws.ineffectual import IneffectualReads
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.semantics.code import Code
from sley.semantics.state import State


class GuessedIneffectualReads(IneffectualReads):
    """Remembers what was said, as the proof has to say it."""

    def __init__(self, code: Code, points_to: PointsTo) -> None:
        super().__init__(code, points_to, ())
        self.rising = tuple(sorted(self._guesses()))
        self.places: set[int] = set()
        """Where threads read ineffectually."""
        self.relied: set[int] = set()
        """Cells that rise, if that is so."""

    def first(self, state: State, threads: Iterable[int]) -> int | None:
        """Some of the threads that reads ineffectually."""
        for thread in threads if self.reads else ():
            look = self.look(state, thread)
            if look.is_ineffectual:
                self.places.add(state.threads[thread][0])
                self.relied |= look.relied
                return thread
        return None

    @property
    def said(self) -> Ineffectual:
        """What has to be so."""
        return Ineffectual(tuple(sorted(self.places)), tuple(sorted(self.relied)))

    def is_wrong(self, before: State, after: State) -> bool:
        """Whether a cell falls in a step that was relied on; none that falls will be."""
        fallen = self.fallen(before, after) if self.rising else frozenset()
        if not fallen:
            return False
        self.leave_out(fallen)
        is_wrong = not self.relied.isdisjoint(fallen)
        if is_wrong:
            self.places, self.relied = set(), set()
        return is_wrong

    def leave_out(self, cells: AbstractSet[int]) -> None:
        """Do not rely on these."""
        self.rising = tuple(cell for cell in self.rising if cell not in cells)
        self._looks.clear()

    def _guesses(self) -> Iterator[int]:
        """Cells that a function reads in two places, and to which nothing is written but sums."""
        found: dict[tuple[str, int], list[int]] = {}
        for location, read in self.reads.items():
            cell = self.cell(read, {})
            if cell is not None:
                found.setdefault((self.code.function_at[location].name, cell), []).append(location)
        for (_, cell), places in found.items():
            touched = self.touched(places[0], self.reads[places[0]].instruction.access)
            written = (write.value for write, there in self.writes if touched & there)
            if len(places) > 1 and all(map(self._is_sum, written)):
                yield cell

    def _is_sum(self, value: Term) -> bool:
        """Whether it may be more than what was there, from its form."""
        terms = self.terms
        if terms.op(value) is Op.ITE:  # a compare-exchange that fails leaves what was there
            return all(map(self._is_sum, terms.args(value)[1:]))
        return terms.op(value) is Op.BVADD or terms.is_var(value)
