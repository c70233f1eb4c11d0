"""Lock sets: which mutexes a thread surely holds at a location, and which guard a piece of memory.

Mutexes are the constant addresses that Lock instructions name. A forward analysis over each template: Lock
adds its mutex, Unlock removes every mutex that it may release, paths that meet keep what both hold. In
addition a thread that reads its own handle from a mutex's cell holds the mutex, and who holds it reads
nothing else there (recursive and error-checking mutexes ask for their owner first).

Nothing but Lock and Unlock may interfere: a mutex whose cell is written by another instruction after threads
were created (a late ``pthread_mutex_init``) is never counted as held.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from sley.analyses.accesses import Accesses
from sley.analyses.objects import indices
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program.instructions import Assume, Load, Lock, Unlock
from sley.program.program import Edge, Function
from sley.program.rewriting import written_registers


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is sure at a location."""

    held: frozenset[int]
    owners: frozenset[tuple[Term, int]]
    """(register, mutex): if the register is the own handle, then the thread holds the mutex."""
    own: frozenset[Term]
    """Registers that are the own handle."""

    def __and__(self, other: "_Facts") -> "_Facts":
        return _Facts(self.held & other.held, self.owners & other.owners, self.own & other.own)

    def without(self, mutexes: frozenset[int]) -> "_Facts":
        """After these mutexes may have been released."""
        if not mutexes:
            return self
        owners = frozenset(o for o in self.owners if o[1] not in mutexes)
        return replace(self, held=self.held - mutexes, owners=owners)

    def without_registers(self, registers: frozenset[Term]) -> "_Facts":
        """After these registers got new values."""
        if not registers:
            return self
        owners = frozenset(o for o in self.owners if o[0] not in registers)
        return replace(self, owners=owners, own=self.own - registers)


_NOTHING = _Facts(frozenset(), frozenset(), frozenset())


@dataclass(frozen=True)
class LockSets:
    """The mutexes that are surely held, by location; mutexes are named by their address."""

    accesses: Accesses

    def held_at(self, location: int) -> frozenset[int]:
        """The mutexes that a thread surely holds whenever it is at this location."""
        return self._held.get(location, frozenset())

    @cached_property
    def guards(self) -> Mapping[int, frozenset[int]]:
        """Class -> the mutexes held at every action that may touch it; left out: classes without any.

        Accesses before the first thread is created do not count.
        """
        creations = self.accesses.sharing.creations
        found: dict[int, frozenset[int]] = {}
        for location in creations.template_at:
            if location not in creations.reachable or location in creations.sequential:
                continue
            effect = self.accesses.action(location)
            for index in indices(effect.reads | effect.writes):
                held = self.held_at(location)
                found[index] = found[index] & held if index in found else held
        return {index: mutexes for index, mutexes in found.items() if mutexes}

    @cached_property
    def _held(self) -> dict[int, frozenset[int]]:
        found: dict[int, frozenset[int]] = {}
        for function in self.accesses.program.functions.values():
            for location, facts in _Flow(self.accesses, self._cells, function).solve().items():
                found[location] = facts.held
        return found

    @cached_property
    def _cells(self) -> dict[int, int]:
        """Trusted mutex -> the classes of its cell."""
        accesses = self.accesses
        cells = {mutex: accesses.cell_of(mutex) for mutex in accesses.mutexes}
        overwritten = 0
        for location in accesses.sharing.creations.template_at:
            if location not in accesses.sharing.creations.sequential:
                overwritten |= accesses.overwrites(location)
        return {mutex: cell for mutex, cell in cells.items() if cell and not cell & overwritten}


def find_lock_sets(accesses: Accesses) -> LockSets:
    """The lock sets of a flat program."""
    return LockSets(accesses)


class _Flow:
    """The analysis of one template."""

    def __init__(self, accesses: Accesses, cells: Mapping[int, int], function: Function) -> None:
        self.accesses = accesses
        self.cells = cells
        self.function = function
        self.terms = accesses.program.terms
        self.self_handle = accesses.program.self_handle

    def solve(self) -> dict[int, _Facts]:
        """The greatest solution; facts only shrink, so the order of work does not matter."""
        facts = {self.function.entry: _NOTHING}
        waiting = [self.function.entry]
        while waiting:
            location = waiting.pop()
            for edge in self.function.outgoing.get(location, ()):
                after = self._after(edge, facts[location])
                if after is None:
                    continue
                known = facts.get(edge.target)
                new = after if known is None else known & after
                if new != known:
                    facts[edge.target] = new
                    waiting.append(edge.target)
        return facts

    def _after(self, edge: Edge, facts: _Facts) -> _Facts | None:
        """What is sure after the edge; None if it cannot be taken."""
        instruction = edge.instruction
        facts = facts.without_registers(frozenset(r.term for r in written_registers(instruction)))
        match instruction:
            case Lock(access=access):
                mutex = self.terms.number(access.address)
                if mutex is None or mutex not in self.cells:
                    return facts
                return replace(facts, held=facts.held | {mutex})
            case Unlock():
                return facts.without(self._touched(self.accesses.effect(edge).writes))
            case Load(target=target, access=access):
                mutex = self.terms.number(access.address)
                if mutex is None or mutex not in self.cells:
                    return facts
                own = facts.own | {target.term} if mutex in facts.held else facts.own
                return replace(facts, owners=facts.owners | {(target.term, mutex)}, own=own)
            case Assume(condition=condition):
                return self._assumed(condition, facts)
            case _:
                return facts.without(self._touched(self.accesses.effect(edge).writes))

    def _touched(self, classes: int) -> frozenset[int]:
        return frozenset(mutex for mutex, cell in self.cells.items() if cell & classes)

    def _assumed(self, condition: Term, facts: _Facts) -> _Facts | None:
        """A register that is compared with the own handle tells whether its mutex is held."""
        terms = self.terms
        parts = terms.args(condition) if terms.op(condition) is Op.AND else (condition,)
        held = set(facts.held)
        for part in parts:
            is_negated = terms.op(part) is Op.NOT
            equation = terms.args(part)[0] if is_negated else part
            sides = {self._core(arg) for arg in terms.args(equation)}
            if terms.op(equation) is not Op.EQ or self.self_handle not in sides:
                continue
            if not is_negated:
                held.update(mutex for register, mutex in facts.owners if register in sides)
            elif sides & facts.own:
                return None
        return replace(facts, held=frozenset(held))

    def _core(self, term: Term) -> Term:
        """The term without conversions to another width (handles are small numbers)."""
        terms = self.terms
        while terms.op(term) in (Op.ZERO_EXTEND, Op.SIGN_EXTEND) or (
            terms.op(term) is Op.EXTRACT and terms.payload(term) in ((31, 0), (63, 0))
        ):
            term = terms.args(term)[0]
        return term
