"""Accesses of which a thread knows the address: elements of arrays are different places if indices differ.

What points-to says of ``a[i]`` holds for all threads and all times. A thread at a location knows more:

* its next access, by the values of its registers now;
* an access ahead whose address depends on no register that is written anywhere ahead: when the thread gets
  there, whatever happens meanwhile, the registers are what they are now. (A register that the address needs
  and that is not written before is live now, so its value is part of the thread's state.)

LAW. With these addresses, ``action`` and ``future`` list every class that the thread touches by its next
action, and by all that it may do from now on, as ``ActionEffects.action`` and ``ActionEffects.future_until``
do. For an access to a known address inside a global object touches the bytes there, and no life, as globals
do not end; all others are listed as ever, and so is what threads may do that this one creates. So persistent
sets that are found with it are persistent.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sley.analyses.accesses import ActionEffects
from sley.analyses.effects import NOTHING, ClassEffect
from sley.analyses.graphs import reachable
from sley.analyses.objects import Offset
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Program
from sley.program.rewriting import written_registers

Address = int | None
"""None: not known."""


class KnownAddress(NamedTuple):
    """Locations of accesses whose address is known at some place, with the term that it is there."""

    now: tuple[tuple[int, Term], ...]
    """The next one, or none."""
    ahead: tuple[tuple[int, Term], ...]

    @property
    def all(self) -> tuple[tuple[int, Term], ...]:
        """Both."""
        return self.now + self.ahead


NOTHING_KNOWN = KnownAddress((), ())


class KnownAccesses:
    """What threads do where they know the addresses."""

    def __init__(self, program: Program, accesses: ActionEffects) -> None:
        self.program = program
        self.accesses = accesses
        self._out = {at: edges for f in program.functions.values() for at, edges in f.outgoing.items()}
        self.indexed: Mapping[int, ir.Load | ir.Store | ir.Update] = dict(self._find_indexed())
        """Location -> the access there, if it is to one of several places."""
        self._known: dict[int, KnownAddress] = {}
        self._futures: dict[tuple[int, frozenset[int]], tuple[ClassEffect, frozenset[int]]] = {}

    def _find_indexed(self) -> Iterable[tuple[int, ir.Load | ir.Store | ir.Update]]:
        for location, edges in self._out.items():
            found = [e.instruction for e in edges if not isinstance(e.instruction, ir.FaultTest)]
            if len(found) != 1 or not isinstance(found[0], ir.Load | ir.Store | ir.Update):
                continue
            effect = self.accesses.effect_at(location)
            touched = effect.reads | effect.writes
            is_one_of_several = bool(touched & (touched - 1))
            if is_one_of_several and found[0].access.location is None:
                yield location, found[0]

    def known(self, location: int) -> KnownAddress:
        """What a thread here knows."""
        found = self._known.get(location)
        if found is None:
            found = self._known[location] = self._find_known(location) if self.indexed else NOTHING_KNOWN
        return found

    def _find_known(self, location: int) -> KnownAddress:
        function = self.program.functions[self.accesses.sharing.creations.template_at[location]]
        ahead = reachable((location,), function.successors)
        written = {
            register.term
            for at in ahead
            for edge in function.outgoing.get(at, ())
            for register in written_registers(edge.instruction)
        }
        registers = {register.term for register in function.registers}

        def terms(locations: Iterable[int], kept: set[Term]) -> tuple[tuple[int, Term], ...]:
            found = ((at, self.indexed[at].access.address) for at in sorted(locations) if at in self.indexed)
            return tuple(pair for pair in found if kept.issuperset(self.program.terms.variables(pair[1])))

        return KnownAddress(terms((location,), registers), terms(ahead, registers - written))

    def action(self, location: int, addresses: Mapping[int, Address]) -> ClassEffect:
        """What the next action touches."""
        if location not in self.indexed:
            return self.accesses.action(location)
        return self._exact(location, addresses.get(location)) | self.accesses.first_step(location)

    def future(self, location: int, blocked: frozenset[int], addresses: Mapping[int, Address]) -> ClassEffect:
        """What the thread may touch from now on, as long as none of these mutexes can be locked."""
        key = (location, blocked)
        if key not in self._futures:
            self._futures[key] = self._find_future(location, blocked)
        effect, known = self._futures[key]
        for at in known:
            effect |= self._exact(at, addresses.get(at))
        return effect

    def _find_future(self, location: int, blocked: frozenset[int]) -> tuple[ClassEffect, frozenset[int]]:
        """All but accesses to known addresses, and where these are."""
        known = {at for at, _ in self.known(location).ahead}
        ahead = self.accesses.ahead(location, blocked)
        by_others = self._created_ahead(ahead)
        effect = NOTHING
        for at, of in ahead.items():
            effect |= NOTHING if at in known and at not in by_others else of
        return effect, frozenset(known & ahead.keys())

    def _created_ahead(self, locations: Iterable[int]) -> frozenset[int]:
        """Where threads may come that are created at some locations."""
        created = {
            edge.instruction.function
            for at in locations
            for edge in self._out.get(at, ())
            if isinstance(edge.instruction, ir.Create)
        }
        entries = [self.program.functions[name].entry for name in sorted(created)]
        return reachable(entries, self.accesses.sharing.creations.successors)

    def _exact(self, location: int, address: Address) -> ClassEffect:
        """What the access touches by itself."""
        instruction, pointers = self.indexed[location], self.program.pointers
        points_to = self.accesses.sharing.points_to
        obj = None if address is None else points_to.objects.of_static(pointers.number(address))
        if address is None or obj is None or points_to.objects[obj].storage is not Storage.GLOBAL:
            return self.accesses.effect_at(location)
        offset, size = pointers.offset(address), points_to.objects[obj].size
        if size is None or offset + instruction.access.size > size:
            return self.accesses.effect_at(location)
        touched = points_to.classes.partitions[obj].touched(Offset(offset), 0, instruction.access.size)
        touched &= self.accesses.visible
        is_read = not isinstance(instruction, ir.Store)
        is_written = not isinstance(instruction, ir.Load)
        return ClassEffect(touched if is_read else 0, touched if is_written else 0)
