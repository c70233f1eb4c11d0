"""Ineffectual reads: what a thread reads cannot matter, so it may read it at once.

A thread *reads ineffectually* in a state if all that it can do next, whatever others do, is to load
and to compute until it stands at one certain place with certain registers, its *end*, whatever it
has read. So does a reader of a sequence lock that has seen an odd number, or one that is too old by
now: it will read all of it again. Loads are atomic, of global cells, and no plain access writes
these. A compare-exchange that fails for sure is such a load.

*Too old.* Some cells *rise*, such as sequence numbers: no step makes them smaller. So what is read
of them later is not less than what they hold now. A proof says which ones rise, and its steps must
show it.

LAW. Let t read ineffectually in s, and s' be what its step leads to, or one of the states that it
leads to if it has several outcomes. If a violation can be reached from s, it can from s'. For
*settle* a state by putting all threads that read ineffectually at their ends (where one does so
again, at the next, and so on; one that does so for ever, anywhere). Then s and s' settle to the
same state, and what a run from s does, a run from the settled state does without ineffectual reads:

* A step of another thread is possible in both, and does the same. It does not stop the reads of t
  from being ineffectual, as cells that rise are not less than they were; it may be that others
  begin to.
* A step of t from s leads to what settles to the same state.
* A race, a deadlock or a lost block of a state is one of the settled state: no access races with
  ineffectual reads, a reader is not blocked, and ends refer to no block to which t does not refer
  before.

And what a run from the settled state does, one from s' does, too: nothing stops t on its way to its
end.

*Rising.* In all this, a step that makes such a cell smaller is a violation, the last step of a run
in which they rise before. A proof shows that there is none. If it is up to thread symmetry, cells
that name some do not count: they change with the names.

So a proof may take t alone in s. *With persistent sets, and attempts:* consider shortest runs to a
violation, not counting ineffectual reads (nor attempts, see ``retries``). Steps of the proof that
are not in such a run leave it possible, or make it shorter, as more reads are ineffectual. Since no
cycle of the proof consists of states in which threads are left out, all threads are taken time and
again, also the one that makes the first step of the run. If its read is ineffectual there, it comes
closer to its end, from where no other thread can move it away; if not, less of the run is left.
"""

from collections.abc import Mapping
from typing import NamedTuple

from sley.analyses.objects import union
from sley.analyses.pointers import PointsTo
from sley.laws.paths import MOST_STEPS, ways_from
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.semantics.code import Code
from sley.semantics.state import State, ThreadState, location_of

READ = "an ineffectual read"

_Stop = tuple[int, tuple[Term, ...]]
"""Where a thread is, and what its registers are."""


class _IneffectualRead(NamedTuple):
    """A load, or a compare-exchange, and where it leads to."""

    instruction: ir.Load | ir.Update
    target: int


class Look(NamedTuple):
    """Whether a thread reads ineffectually, and which cells must rise for that."""

    is_ineffectual: bool
    relied: frozenset[int] = frozenset()


ELSE = Look(is_ineffectual=False)


class IneffectualReads:
    """Says which threads read ineffectually, if some cells rise."""

    def __init__(self, code: Code, points_to: PointsTo, rising: tuple[int, ...]) -> None:
        self.code = code
        self.terms = code.program.terms
        self.points_to = points_to
        self.rising = rising
        self.writes = [
            (edge.instruction, self.touched(edge.source, edge.instruction.access))
            for edge in code.program.edges
            if isinstance(edge.instruction, ir.Store | ir.Update)
        ]
        """With the bytes to which they may go."""
        self.reads = {at: read for at in sorted(code.stops) if (read := self._read_at(at)) is not None}
        """By location."""
        self._looks: dict[tuple[ThreadState, tuple[object, ...]], Look] = {}

    def look(self, state: State, thread: int) -> Look:
        """Whether the law is about this thread in this state."""
        at = state.threads[thread]
        if at[0] not in self.reads or state.history is not None:
            return ELSE
        key = at, tuple([state.cells[cell] for cell in self.rising])
        look = self._looks.get(key)
        if look is None:
            ways = _Ways(self, dict(zip(self.rising, key[1], strict=True)))
            look = self._looks[key] = Look(ways.are_ineffectual(at), frozenset(ways.relied))
        return look

    def fallen(self, before: State, after: State) -> frozenset[int]:
        """The cells that do not rise in a step."""
        pairs = [(cell, before.cells[cell], after.cells[cell]) for cell in self.rising]
        return frozenset(
            cell
            for cell, was, now in pairs
            if not (isinstance(was, int) and isinstance(now, int) and was <= now)
        )

    def _read_at(self, location: int) -> _IneffectualRead | None:
        """The load or compare-exchange here, if nothing can race with it."""
        edges = [e for e in self.code.out.get(location, ()) if not isinstance(e.instruction, ir.FaultTest)]
        instruction = edges[0].instruction if len(edges) == 1 else None
        if not isinstance(instruction, ir.Load | ir.Update):
            return None
        access = instruction.access
        if not access.is_atomic or access.location is not None:
            return None
        if isinstance(instruction, ir.Update) and instruction.success is None:
            return None
        touched = self.touched(location, access)
        is_plain = any(not write.access.is_atomic and touched & there for write, there in self.writes)
        return None if is_plain else _IneffectualRead(instruction, edges[0].target)

    def cell(self, read: _IneffectualRead, values: Mapping[Term, Term]) -> int | None:
        """The global cell that is read, if it is known and the same whatever happens."""
        access = read.instruction.access
        address = self.terms.number(self.terms.substitute(access.address, values))
        return None if address is None else self.code.memory_map.flat_cell(address, access.size)

    def touched(self, location: int, access: ir.Access) -> int:
        """The bytes to which an access may go."""
        partitions = self.points_to.classes.partitions
        places = self.points_to.targets(location).places
        return union(partitions[obj].touched(offset, 0, access.size) for obj, offset in places)


class _Ways:
    """All ways of a thread, to where what it has read does not matter."""

    def __init__(self, of: IneffectualReads, low: Mapping[int, object]) -> None:
        self.of = of
        self.terms = of.terms
        self.low = low
        """Cells that rise, and what they hold now."""
        self.cells: dict[Term, int] = {}
        """Stands for what is read -> the cell."""
        self.relied: set[int] = set()

    def are_ineffectual(self, at: ThreadState) -> bool:
        """Whether all ways lead to one end, which is not here."""
        terms, location = self.terms, location_of(at)
        registers = zip(self.of.code.live[location], at[1:], strict=True)
        values = tuple([terms.const(n, r.sort) if isinstance(n, int) else r.term for r, n in registers])
        given = {value for value in values if terms.is_var(value)}
        waiting, ends = [(location, values)], set[_Stop]()
        for _ in range(MOST_STEPS):
            if not waiting or len(ends) > 1:
                break
            following = self._after(*waiting.pop())
            if following is None:
                return False
            for stop in following:
                is_end = all(given.issuperset(terms.variables(value)) for value in stop[1])
                (ends.add if is_end else waiting.append)(stop)
        return not waiting and len(ends) == 1 and (location, values) not in ends

    def _after(self, location: int, registers: tuple[Term, ...]) -> set[_Stop] | None:
        """Where a thread stops after it has read; None if it may do something else."""
        code, terms = self.of.code, self.terms
        read = self.of.reads.get(location)
        values = dict(zip([r.term for r in code.live[location]], registers, strict=True))
        cell = None if read is None else self.of.cell(read, values)
        if read is None or cell is None:
            return None
        target = read.instruction.target
        values[target.term] = found = terms.var((READ, len(self.cells), target.sort), target.sort)
        self.cells[found] = cell
        if isinstance(read.instruction, ir.Update) and not self._fails(read.instruction, values):
            return None
        ways = ways_from(code, read.target, values, self._now, len(self.cells))
        return None if ways is None else {(way.location, way.registers) for way in ways}

    def _fails(self, update: ir.Update, values: Mapping[Term, Term]) -> bool:
        assert update.success is not None
        is_kept = self._now(update.value, values) == values[update.target.term]
        return is_kept and self._now(update.success, values) == self.terms.false

    def _now(self, term: Term, values: Mapping[Term, Term]) -> Term:
        """What a term is; what is read of a cell that rises is not less than what is there now."""
        terms = self.terms
        term = terms.substitute(term, values)
        wrong: dict[Term, Term] = {}
        for part in terms.walk((term,)):
            if terms.op(part) is Op.EQ:
                read, other = terms.args(part)
                cell, number = self.cells.get(read, -1), terms.number(other)
                low = self.low.get(cell)
                if number is not None and isinstance(low, int) and number < low:
                    wrong[part] = terms.false
                    self.relied.add(cell)
        return terms.substitute(term, wrong)
