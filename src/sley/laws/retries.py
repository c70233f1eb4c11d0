"""Threads that try again: a compare-exchange that fails now may be taken at once.

A thread *tries again* in a state if its next step is a compare-exchange of a place X with a value v
that it expects, X holds something else, and all that comes of the failure is that the thread reads
X once more: it is before the compare-exchange again with what it has read (``while
(!compare_exchange(&x, &old, f(old)));``), or before a load of X from which it gets there. Then it
does not matter what v is.

LAW. Let t try again in s, and s' be what its step leads to, or one of the states that it leads to
if it has several outcomes. If a violation can be reached from s by a run with n steps, it can from
some such s' by one with at most n steps that are not attempts: failures of compare-exchanges in
such states, and the loads that they lead to. For up to the first step of t that run is possible
from s' too, as t has changed nothing but its registers. Say t then finds y in X.

* If y is v, the step from s may succeed. From s' it is an attempt that reads v, and after it t is
  where it was in s (``_comes_back``: memory apart from X does not matter to the step).
* If y is something else, the step from s fails. Where it leads to does not depend on registers in
  which s and s' differ (``_Failure.depends``), so t gets there from s', too, by an attempt; or is
  there already, as y is what it has read, or it is before a load and the failure leads there
  whatever is read.

Races of others with t, before it steps, are the same: it is about to make the same access, or to
load, which races with the same accesses but plain reads (where one may be to X, the law is not
about loads). Blocks that are lost are lost, too, once t has read something else.

*Loads.* The same holds of a thread t that is about to load X, and then before a compare-exchange of
X with what it has read, whose failure does what the load does, whatever is read, or leads back to
the load. For if t finds y when it loads in a run from s, an attempt from s' reads y and leads to
the same, unless t has read y already. That t can race with more in s' is no harm: these are races
of the program.

So a proof may take t alone in s. *With persistent sets:* consider shortest runs to a violation, not
counting attempts, to which these loads belong. As long as no other step of such a run is taken, X
is not written but by threads that the run does not need, so each thread of the run makes two
attempts at most; the rest is as ever, since no cycle of the proof consists of states in which
threads are left out.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sley.analyses.pointers import PointsTo
from sley.base.errors import GaveUpError
from sley.base.persistent import replaced
from sley.laws.paths import PackedStep, ways_from
from sley.logic.operators import Op
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.state import OVER, State, ThreadState, is_ended, location_of
from sley.semantics.step import Interpreter
from sley.semantics.values import NeedsSplitError

READ = "what is read"


class _Failure(NamedTuple):
    """What happens when a compare-exchange fails."""

    update: ir.Update
    expected: Term
    is_equal: Term
    """That it finds what it expects."""
    ways: frozenset[PackedStep]
    depends: frozenset[Term]
    """All that matters after it: registers before it, and what it reads."""


class Retries:
    """Says which threads try again."""

    def __init__(self, code: Code, interpreter: Interpreter, points_to: PointsTo) -> None:
        self.code = code
        self.terms = code.program.terms
        self.interpreter = interpreter
        self.points_to = points_to
        self.read = self.terms.var((READ, None), BOOL)
        """Stands for it in what depends on it."""
        found = ((at, self._find(at)) for at in sorted(code.stops))
        self.failures = {at: failure for at, failure in found if failure is not None}
        """Location of a compare-exchange -> what its failure does."""
        self.loads = dict(self._find_loads()) if self.failures else {}
        """Location of a load that is not plain -> the load, and what may follow."""
        self._read_plainly = self._find_plain_reads() if self.failures else 0

    def first(self, state: State, threads: Iterable[int]) -> int | None:
        """Some of the threads that tries again."""
        if not self.failures or state.history is not None:
            return None
        at = state.threads
        candidates = (t for t in threads if at[t][0] in self.failures or at[t][0] in self.loads)
        return next((thread for thread in candidates if self.tries_again(state, thread)), None)

    def tries_again(self, state: State, thread: int) -> bool:
        """Whether the law is about this thread in this state."""
        if state.history is not None or is_ended(state.threads[thread]):
            return False
        location = location_of(state.threads[thread])
        failure = self.failures.get(location)
        try:
            if failure is not None:
                return self._tries(state, thread, failure)
            return location in self.loads and self._only_loads(state, thread)
        except (NeedsSplitError, GaveUpError):
            return False

    def _tries(self, state: State, thread: int, failure: _Failure) -> bool:
        update, terms = failure.update, self.interpreter.evaluator
        registers = self.interpreter.after_reading(state, thread, update)
        if registers is None or terms.truth(failure.is_equal, registers):
            return False
        expected = terms.number(failure.expected, registers)
        read = terms.number(update.target.term, registers)
        outcomes = self._outcomes(state, thread)
        return bool(outcomes) and all(
            self._is_like(state, thread, after, failure, read)
            and self._comes_back(state, thread, after, expected)
            for after in outcomes
        )

    def _only_loads(self, state: State, thread: int) -> bool:
        """Whether the thread loads what it then compares, and could load it later as well."""
        load, ways = self.loads[location_of(state.threads[thread])]
        place = self.interpreter.evaluate(state, thread, load.access.address)
        outcomes = self._outcomes(state, thread)
        return bool(outcomes) and all(
            self._is_loaded(state, thread, after, place, load.access, ways) for after in outcomes
        )

    def _is_loaded(
        self,
        state: State,
        thread: int,
        after: State,
        place: int,
        access: ir.Access,
        ways: frozenset[PackedStep],
    ) -> bool:
        """Whether the thread alone has moved, to a compare-exchange that would succeed, or do as the load."""
        was, now = state.threads[thread], after.threads[thread]
        failure = self.failures.get(now[0])
        if failure is None or after != state._replace(threads=replaced(state.threads, thread, now)):
            return False
        is_same_place = self.interpreter.evaluate(after, thread, failure.update.access.address) == place
        if not is_same_place or access.sort != failure.update.access.sort:
            return False
        memory = self.interpreter.memory(after, thread)
        read = memory.load(place, access.size)
        if not isinstance(read, int) or read != self.interpreter.evaluate(after, thread, failure.expected):
            return False
        if failure.ways == ways and self._are_kept(was, now, failure.depends):
            return True
        memory.store(place, access.size, read ^ 1)
        there = memory.freeze(now)
        leads_back = self._outcomes(there, thread) == [there._replace(threads=state.threads)]
        return leads_back and self.read not in failure.depends

    def _are_kept(self, was: ThreadState, now: ThreadState, depends: frozenset[Term]) -> bool:
        """Whether registers that matter after a failure are as they were before the load."""
        before, after = (
            dict(zip([r.term for r in self.code.live[at[0]]], at[1:], strict=True)) for at in (was, now)
        )
        return all(
            register in before and before[register] == after.get(register)
            for register in depends - {self.read}
        )

    def _outcomes(self, state: State, thread: int) -> list[State]:
        """The states that a step may lead to; none if it may be blocked, or end the run."""
        found: list[State] = []
        for memory, at in self.interpreter.outcomes(state, thread, self.interpreter.step):
            if at is None or at in OVER or at[0] in self.code.errors:
                return []
            found.append(memory.freeze(at))
        return found

    def _is_like(self, state: State, thread: int, after: State, failure: _Failure, read: int) -> bool:
        """Whether the thread alone has moved, and is about to access the same place."""
        was, now = state.threads[thread], after.threads[thread]
        if after != state._replace(threads=replaced(state.threads, thread, now)) or is_ended(now):
            return False
        load = self._load_at(now[0])
        if now[0] != was[0] and load is None:
            return False
        access = failure.update.access if load is None else load.access
        places = [
            self.interpreter.evaluate(one, thread, term)
            for one, term in ((state, failure.update.access.address), (after, access.address))
        ]
        if places[0] != places[1] or access.sort != failure.update.access.sort:
            return False
        if load is not None:
            return self.read not in failure.depends and not self._is_read_plainly(was[0])
        expects = self.interpreter.evaluate(after, thread, failure.expected)
        return expects == read and failure.depends.isdisjoint(self._differing(was, now))

    def _differing(self, was: ThreadState, now: ThreadState) -> frozenset[Term]:
        live = self.code.live[was[0]]
        return frozenset(r.term for r, a, b in zip(live, was[1:], now[1:], strict=True) if a != b)

    def _comes_back(self, state: State, thread: int, after: State, expected: int) -> bool:
        """Whether the thread may be again where it is now, once it has read what it expects."""
        access = self.failures[location_of(state.threads[thread])].update.access
        memory = self.interpreter.memory(after, thread)
        memory.store(self.interpreter.evaluate(state, thread, access.address), access.size, expected)
        there = memory.freeze(after.threads[thread])
        back = there._replace(threads=state.threads)
        return back in self._outcomes(there, thread)

    def _only(self, location: int) -> ir.Instruction | None:
        """The instruction here, if there is one, apart from what is done if it is wrong."""
        found = [
            e.instruction
            for e in self.code.out.get(location, ())
            if not isinstance(e.instruction, ir.FaultTest)
        ]
        return found[0] if len(found) == 1 else None

    def _load_at(self, location: int) -> ir.Load | None:
        instruction = self._only(location)
        return instruction if isinstance(instruction, ir.Load) else None

    def _find(self, location: int) -> _Failure | None:
        update = self._only(location)
        if not isinstance(update, ir.Update) or update.success is None or update.access.sort == BOOL:
            return None
        if not update.access.is_atomic or update.access.location is not None:
            return None
        is_equal = self._comparison(update.success, update.target.term)
        if is_equal is None:
            return None
        fails = self.terms.substitution({is_equal: self.terms.false})
        if fails(update.success) != self.terms.false or fails(update.value) != update.target.term:
            return None
        (expected,) = (a for a in self.terms.args(is_equal) if a != update.target.term)
        edge = next(e for e in self.code.out[location] if e.instruction is update)
        ways = self._ways(edge, update.target, {is_equal: self.terms.false})
        if ways is None:
            return None
        terms = (term for way in ways for term in (*way.conditions, *way.registers))
        depends = frozenset(variable for term in terms for variable in self.terms.variables(term))
        return _Failure(update, expected, is_equal, ways, frozenset(map(self._named, depends)))

    def _named(self, variable: Term) -> Term:
        symbol = self.terms.symbol(variable)
        return self.read if isinstance(symbol, tuple) and symbol[0] == READ else variable

    def _find_loads(self) -> Iterator[tuple[int, tuple[ir.Load, frozenset[PackedStep]]]]:
        for location in sorted(self.code.stops):
            load = self._load_at(location)
            if load is not None and load.access.is_atomic and load.access.location is None:
                edge = next(e for e in self.code.out[location] if e.instruction is load)
                ways = self._ways(edge, load.target, {})
                if ways is not None:
                    yield location, (load, ways)

    def _comparison(self, success: Term, target: Term) -> Term | None:
        """What success needs: that the target is something that does not depend on it."""
        terms = self.terms
        parts = terms.args(success) if terms.op(success) is Op.AND else (success,)
        for part in parts:
            if terms.op(part) is Op.EQ and target in terms.args(part):
                others = [arg for arg in terms.args(part) if not terms.mentions(arg, target)]
                return part if len(others) == 1 else None
        return None

    def _ways(self, edge: Edge, target: ir.Register, known: dict[Term, Term]) -> frozenset[PackedStep] | None:
        """All ways from a read into a register to the next stop; None if something else happens there."""
        terms = self.terms
        start = {target.term: terms.var((READ, target.sort), target.sort)}
        known = {terms.substitute(term, start): value for term, value in known.items()}
        return ways_from(
            self.code,
            edge.target,
            start,
            lambda term, values: terms.substitute(terms.substitute(term, values), known),
        )

    def _find_plain_reads(self) -> int:
        """The bytes that are read by accesses that are not atomic."""
        found = 0
        for edge in self.code.program.edges:
            if isinstance(edge.instruction, ir.Load) and not edge.instruction.access.is_atomic:
                found |= self._bytes(edge.source, edge.instruction.access)
        return found

    def _is_read_plainly(self, location: int) -> bool:
        return bool(self._read_plainly & self._bytes(location, self.failures[location].update.access))

    def _bytes(self, location: int, access: ir.Access) -> int:
        partitions, found = self.points_to.classes.partitions, 0
        for obj, offset in self.points_to.targets(location).places:
            found |= partitions[obj].touched(offset, 0, access.size)
        return found
