"""Which registers matter from a location on, as bit sets over the registers of a function.

*Strong* liveness: a register that is only used to compute registers that do not matter does not matter
either (a loop counter that is never read). Passes ask for it, since they drop what does not matter. States
need the *plain* one: an assignment whose target is dead still counts as reading, so that every register an
instruction mentions is live where the instruction starts.

A thread that is blocked in an atomic section is still where the section begins, with the registers that are
live there; nothing special is needed for sections, faults or checks beyond looking at the terms they read.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from sley.logic.terms import Term, Terms
from sley.program.instructions import Assign, FaultTest, Instruction, Register, Update
from sley.program.program import Edge, Function
from sley.program.rewriting import read_terms, terms_over_loaded, written_registers


def live_registers(function: Function, terms: Terms) -> Mapping[int, tuple[Register, ...]]:
    """The plainly live registers at each location, in the order of ``function.registers``.

    Law: two states of a thread that agree on the live registers have the same behaviour.
    """
    liveness = Liveness(terms, function, is_strong=False)
    chosen: dict[int, tuple[Register, ...]] = {}
    for bits in {liveness.at(location) for location in function.locations}:
        chosen[bits] = tuple(r for i, r in enumerate(function.registers) if bits >> i & 1)
    return {location: chosen[liveness.at(location)] for location in function.locations}


class Liveness:
    """For each location the registers whose value there can matter later (over-approximation)."""

    def __init__(self, terms: Terms, function: Function, *, is_strong: bool = True) -> None:
        self._terms = terms
        self._is_strong = is_strong
        self._bit = {r.term: 1 << i for i, r in enumerate(function.registers)}
        self._masks: dict[Term, int] = {}
        self._live: dict[int, int] = {}
        self._solve(function)

    def at(self, location: int) -> int:
        """The live registers at a location."""
        return self._live.get(location, 0)

    def bit(self, variable: Term) -> int:
        """The bit of a register's variable; 0 for other variables."""
        return self._bit.get(variable, 0)

    def is_live(self, variable: Term, location: int) -> bool:
        """Whether the register can matter from the location on."""
        return bool(self._live.get(location, 0) & self._bit[variable])

    def mask(self, term: Term) -> int:
        """The registers that occur in a term."""
        mask = self._masks.get(term)
        if mask is None:
            mask = 0
            for variable in self._terms.variables(term):
                mask |= self._bit.get(variable, 0)
            self._masks[term] = mask
        return mask

    def written(self, instruction: Instruction) -> int:
        """The registers that the instruction sets."""
        mask = 0
        for register in written_registers(instruction):
            mask |= self._bit[register.term]
        return mask

    def used(self, instruction: Instruction) -> int:
        """The registers whose old value the instruction needs, an Assign for all of its targets."""
        if isinstance(instruction, FaultTest):
            return self.used(instruction.of)
        if isinstance(instruction, Update):
            used = 0
            for term in terms_over_loaded(instruction):
                used |= self.mask(term)
            return self.mask(instruction.access.address) | used & ~self._bit[instruction.target.term]
        used = 0
        for term in read_terms(instruction):
            used |= self.mask(term)
        return used

    def _solve(self, function: Function) -> None:
        live = self._live
        flows = {at: [self._flow(edge) for edge in edges] for at, edges in function.outgoing.items()}
        incoming = function.incoming
        pending = list(function.locations)
        waiting = set(pending)
        while pending:
            location = pending.pop()
            waiting.discard(location)
            found = 0
            for flow in flows.get(location, ()):
                found |= flow.before(live.get(flow.target, 0))
            if found != live.get(location, 0):
                live[location] = found
                for edge in incoming.get(location, ()):
                    if edge.source not in waiting:
                        waiting.add(edge.source)
                        pending.append(edge.source)

    def _flow(self, edge: Edge) -> "_EdgeLiveness":
        instruction = edge.instruction
        if self._is_strong and isinstance(instruction, Assign):
            pairs = [(self._bit[r.term], self.mask(term)) for r, term in instruction.assignments]
            return _EdgeLiveness(edge.target, reduce(or_, (target for target, _ in pairs), 0), 0, pairs)
        return _EdgeLiveness(edge.target, self.written(instruction), self.used(instruction), ())


class _EdgeLiveness(NamedTuple):
    """What an edge does to liveness, computed once."""

    target: int
    written: int
    used: int
    assignments: Sequence[tuple[int, int]]
    """Target and used registers of each part of an assignment: used only if the target is live."""

    def before(self, after: int) -> int:
        """What is live before the edge if ``after`` is live behind it."""
        found = (after & ~self.written) | self.used
        for target, used in self.assignments:
            if after & target:
                found |= used
        return found
