"""Invariants from a closed set of states in which threads were left out.

Not every state of the program is in it. But for each run, one in the set takes the same steps, and
maybe more, in another order. So the set has every state of a thread by itself, as
``closed_states.runs`` says: what it knows of registers at a place is all there is. And it has every
value that a shared variable ever has: whoever wrote it last takes the same step there. Of several
shared variables at once it says nothing.

Numbers of heap blocks may differ, and with them what threads compute; then nothing is said of
registers.

In a set up to thread symmetry, the states of a thread may be those of another one, which makes no
difference to what is said of places. But the first thread may be elsewhere among its joins: nothing
is said of it, nor of functions in which threads read ineffectually, as they may read what they read
in no run of the set.
"""

from collections.abc import Iterator

from sley.evidence.closed_states.proof import ClosedStates
from sley.evidence.invariants import SourceInvariant
from sley.evidence.source_invariants.enumerated import StateReader
from sley.evidence.source_invariants.places import PlaceFinder, SourcePlace
from sley.evidence.source_invariants.samples import Samples, conjunction
from sley.evidence.source_invariants.variables import Named, RegisterOf, Sayable, ScalarName
from sley.program.instructions import Allocate
from sley.program.program import Program
from sley.semantics.code import Code
from sley.semantics.state import is_ended, location_of

MOST_STATES = 300_000
"""With more, looking through them takes too long."""


def from_reduced(program: Program, proof: ClosedStates) -> Iterator[SourceInvariant]:
    """What holds at loops and locks."""
    if len(proof.states) <= MOST_STATES:
        yield from _Reduced(program, proof).invariants()


class _Reduced:
    def __init__(self, program: Program, proof: ClosedStates) -> None:
        self.states = proof.states
        self.code = Code(program)
        functions = {self.code.function_at[place].name for place in proof.ineffectual.places}
        functions |= {program.entry} if proof.is_up_to_symmetry else set()
        self.left_out = frozenset(at for name in functions for at in program.functions[name].locations)
        """Where nothing is known."""
        self.reader = StateReader(self.code)
        self.sayable = Sayable(self.code)
        self.has_heap = any(isinstance(edge.instruction, Allocate) for edge in program.edges)
        self.shared = self._shared()

    def _shared(self) -> dict[ScalarName, list[str]]:
        """What is always true of single variables at file scope that change at all."""
        named = self.sayable.at_file_scope
        samples = Samples(tuple(named), self.code.program.pointers)
        for state in {(state.cells, state.blocks): state for state in self.states}.values():
            samples.add(self.reader.values(state, 0, named))
        changing = {one for one in samples.variables if samples.count(one) > 1}
        return {one: facts for one, facts in samples.single_facts().items() if one in changing}

    def invariants(self) -> Iterator[SourceInvariant]:
        known = [
            place
            for place in PlaceFinder(self.code).all()
            if all(self.left_out.isdisjoint(site.stops) for site in place.sites)
        ]
        places = [(place, self.sayable.at(place)) for place in known]
        own = [self._own_samples(named) for _, named in places]
        self._sample(places, own)
        for (place, named), samples in zip(places, own, strict=True):
            variables = named[0] if named else {}
            shared = [fact for one in variables for fact in self.shared.get(one, ())]
            text = conjunction([*samples.facts(), *shared])
            if text is not None and samples.rows:
                yield SourceInvariant(place.span, place.function, text, place.kind)

    def _own_samples(self, named: list[Named]) -> Samples:
        of_all = named[0] if named else {}
        registers = [
            one for one, where in of_all.items() if isinstance(where, RegisterOf) and not self.has_heap
        ]
        return Samples(registers, self.code.program.pointers)

    def _sample(self, places: list[tuple[SourcePlace, list[Named]]], own: list[Samples]) -> None:
        """Add every state of a thread at a place, each once."""
        at_stop: dict[int, list[tuple[Samples, Named]]] = {}
        for (place, named), samples in zip(places, own, strict=True):
            for site, variables in zip(place.sites, named, strict=True):
                registers: Named = {
                    one: where for one, where in variables.items() if isinstance(where, RegisterOf)
                }
                for stop in site.stops:
                    at_stop.setdefault(stop, []).append((samples, registers))
        seen: set[tuple[object, ...]] = set()
        for state in self.states:
            for thread, at in enumerate(state.threads):
                if at in seen or is_ended(at) or location_of(at) not in at_stop:
                    continue
                seen.add(at)
                for samples, registers in at_stop[location_of(at)]:
                    samples.add(self.reader.values(state, thread, registers))
