"""Which local objects may be made anew while something may still hold the address of their last instance.

Forward, flow-sensitive, for one thread template. Registers and local objects are *holders*: for each location
we know the local objects whose address, or something computed from it, a holder may have there, and apart
from that whether it may be the address of an instance that is gone. All memory that is not local to the
template counts as one: what is put there, or given to others, has *escaped* and may be found again anywhere.

What a program learns about an address by branching on it is not followed.
"""

from collections.abc import Iterator

from sley.analyses.liveness import Liveness
from sley.logic.operators import Op
from sley.logic.sorts import Sort, bitvec, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import MemoryObject, Storage
from sley.program.ordering import forward_facts
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import read_terms, written_registers

_Held = dict[Term, int]
"""Variable of a register, or address of a local object -> the addresses that may be in it, as bits."""

_FOREIGN = 1
"""The bit for all addresses that are not those of local objects of the template."""

_SUMS = frozenset({Op.BVADD, Op.BVSUB, Op.BVNEG, Op.ZERO_EXTEND, Op.SIGN_EXTEND})
"""Operators that make no address of another object from numbers that are no addresses."""


def lives_of(function: Function) -> dict[int, tuple[int, int]]:
    """For each location the objects that may live there, and those that may be gone, as bits.

    The bit of an object is its position among those of the function; before it is first entered it is
    neither.
    """
    bit = {o.name: 1 << i for i, o in enumerate(function.objects)}

    def behind(edge: Edge, before: tuple[int, int]) -> tuple[int, int]:
        living, gone = before
        match edge.instruction:
            case ir.Enter(object=entered):
                return living | bit[entered.name], gone & ~bit[entered.name]
            case ir.Leave(object=left):
                return living & ~bit[left.name], gone | bit[left.name] & living
            case _:
                return before

    return forward_facts(function, (0, 0), behind, lambda a, b: (a[0] | b[0], a[1] | b[1]))


def equalities(
    program: Program, function: Function, lives: dict[int, tuple[int, int]]
) -> Iterator[tuple[int, list[Term]]]:
    """Where two values that may be addresses are compared while some object is gone, and the comparisons.

    Those inside an Update are left out: one of the sides is what is in memory at that moment.
    """
    known: dict[Term, list[Term]] = {}
    for location, edges in function.outgoing.items():
        living, gone = lives.get(location, (0, 0))
        if not gone & ~living:
            continue
        found: dict[Term, None] = {}
        for edge in edges:
            if not isinstance(edge.instruction, ir.Update | ir.FaultTest):
                for term in read_terms(edge.instruction):
                    if term not in known:
                        parts = program.terms.walk((term,))
                        known[term] = [part for part in parts if _is_equality(program, part)]
                    found.update(dict.fromkeys(known[term]))
        if found:
            yield location, list(found)


def _is_equality(program: Program, term: Term) -> bool:
    terms = program.terms
    if terms.op(term) is not Op.EQ:
        return False
    sides = terms.args(term)
    if any(terms.is_const(side) or side == program.self_handle for side in sides):
        return False
    return terms.sort(sides[0]) == bitvec(program.pointers.width)


class Outliving:
    """The analysis of one function; ``lives`` is what ``lives_of`` says of it."""

    def __init__(self, program: Program, function: Function, lives: dict[int, tuple[int, int]]) -> None:
        self._program = program
        self._terms = program.terms
        self._pointers = program.pointers
        self._function = function
        self._lives = lives
        self._liveness = Liveness(program.terms, function)
        self._objects = {o.address: i for i, o in enumerate(function.objects)}
        self._addresses = list(self._objects)
        self._contents: dict[Term, int] = {}
        """All that was ever put into a local object."""
        self._escaped = 0
        self._outlived = 0
        self._held: dict[int, _Held] = {}
        while True:
            escaped = self._escaped
            start = {parameter.term: _FOREIGN for parameter in function.parameters}
            self._held = forward_facts(function, start, self._behind, _union)
            self._close()
            if self._escaped == escaped:
                break

    def found(self) -> Iterator[MemoryObject]:
        """The objects that may be made anew while their former address may be around."""
        renewed = 0
        for edge in self._function.edges:
            if isinstance(edge.instruction, ir.Enter) and edge.source in self._lives:
                made = 1 << self._objects[edge.instruction.object.address]
                renewed |= made & self._lives[edge.source][1]
        for obj, index in zip(self._function.objects, self._objects.values(), strict=True):
            is_held = (self._outlived >> index) & 1 or self._escaped & self._both(index)
            if (renewed >> index) & 1 and is_held:
                yield obj

    def comparisons(self) -> dict[int, dict[Term, list[tuple[Term, MemoryObject]]]]:
        """Where an address may be compared with another one after its object has ended.

        For each location the comparisons, and for each of them which side may belong to which object: one
        that certainly does not live there.
        """
        found: dict[int, dict[Term, list[tuple[Term, MemoryObject]]]] = {}
        for location, terms in equalities(self._program, self._function, self._lives):
            held = self._held.get(location)
            for term in terms if held is not None else ():
                assert held is not None
                one, other = self._terms.args(term)
                sides = [(one, self._bits(one, held, location)), (other, self._bits(other, held, location))]
                pairs = [
                    *self._left_over(*sides[0], sides[1][1], location),
                    *self._left_over(*sides[1], sides[0][1], location),
                ]
                if pairs:
                    found.setdefault(location, {})[term] = pairs
        return found

    def _left_over(
        self, side: Term, bits: int, others: int, location: int
    ) -> Iterator[tuple[Term, MemoryObject]]:
        living, gone = self._lives[location]
        for obj, index in zip(self._function.objects, self._objects.values(), strict=True):
            may_be = bits & self._former(index) or (bits & _FOREIGN and self._escaped & self._both(index))
            is_gone = (gone & ~living) >> index & 1
            if is_gone and may_be and others & ~_FOREIGN & ~self._both(index):
                yield side, obj

    # --- bits -------------------------------------------------------------------------------------

    def _current(self, index: int) -> int:
        """The address of an instance that lives."""
        return 2 << 2 * index

    def _former(self, index: int) -> int:
        """The address of an instance that is gone."""
        return 4 << 2 * index

    def _both(self, index: int) -> int:
        return self._current(index) | self._former(index)

    def _members(self, bits: int) -> Iterator[Term]:
        """The addresses of the objects in a set."""
        rest = bits & ~_FOREIGN
        while rest:
            index = ((rest & -rest).bit_length() - 2) // 2
            yield self._addresses[index]
            rest &= ~self._both(index)

    # --- the fixed point --------------------------------------------------------------------------

    def _close(self) -> None:
        """What an escaped object holds has escaped, too."""
        pending = list(self._members(self._escaped))
        seen = set(pending)
        while pending:
            self._escaped |= self._contents.get(pending.pop(), 0)
            new = set(self._members(self._escaped)) - seen
            seen |= new
            pending.extend(new)

    def _behind(self, edge: Edge, held: _Held) -> _Held:
        """What is held behind an edge; dead registers hold nothing."""
        after = self._changed(edge, held)
        live, bit = self._liveness.at(edge.target), self._liveness.bit
        after = {v: bits for v, bits in after.items() if v in self._objects or live & bit(v)}
        if isinstance(edge.instruction, ir.Enter):
            index = self._objects[edge.instruction.object.address]
            if any(bits & self._former(index) for bits in after.values()):
                self._outlived |= 1 << index
        return after

    def _changed(self, edge: Edge, held: _Held) -> _Held:
        at = edge.source
        match edge.instruction:
            case ir.Assign(assignments=assignments):
                return held | {r.term: self._bits(t, held, at) for r, t in assignments}
            case ir.Load(target=target, access=access):
                return held | {target.term: self._loaded(access, held, at)}
            case ir.Store(access=access, value=value):
                return self._stored(access, value, self._bits(access.address, held, at), held, at)
            case ir.Update(target=target, access=access, value=value):
                places = self._bits(access.address, held, at)
                held = held | {target.term: self._loaded(access, held, at)}
                return self._stored(access, value, places, held, at)
            case ir.Havoc(target=target) | ir.Allocate(target=target):
                return held | {target.term: self._foreign(target.sort)}
            case ir.Enter(object=entered):
                return {v: bits for v, bits in held.items() if v != entered.address}
            case ir.Leave(object=left):
                return self._left(left, held)
            case instruction:
                return self._given_away(instruction, held, at)

    def _given_away(self, instruction: ir.Instruction, held: _Held, at: int) -> _Held:
        if isinstance(instruction, ir.Create | ir.CallUnmodelled):
            for argument in instruction.arguments:
                self._escaped |= self._bits(argument, held, at)
        return held | {r.term: self._foreign(r.sort) for r in written_registers(instruction)}

    # --- memory -----------------------------------------------------------------------------------

    def _left(self, left: MemoryObject, held: _Held) -> _Held:
        index = self._objects[left.address]
        current, former = self._current(index), self._former(index)
        return {
            v: (bits & ~current) | former if bits & current else bits
            for v, bits in held.items()
            if v != left.address
        }

    def _foreign(self, sort: Sort) -> int:
        """A value from elsewhere: an address if it has enough bits."""
        return _FOREIGN if width_of(sort) >= self._pointers.width else 0

    def _loaded(self, access: ir.Access, held: _Held, at: int) -> int:
        """What a value in memory may hold; others may have written what has escaped."""
        bits = 0
        places = self._bits(access.address, held, at)
        for address in self._members(places):
            bits |= held.get(address, 0)
        is_foreign = not bits or places & _FOREIGN or self._has_escaped(places)
        return bits & ~_FOREIGN | self._foreign(access.sort) if is_foreign else bits

    def _has_escaped(self, places: int) -> bool:
        """Whether others know one of these objects."""
        return any(self._escaped & self._both(self._objects[a]) for a in self._members(places))

    def _stored(self, access: ir.Access, value: Term, places: int, held: _Held, at: int) -> _Held:
        bits = self._bits(value, held, at)
        if not places or places & _FOREIGN:
            self._escaped |= bits & ~_FOREIGN
        if access.size * 8 < self._pointers.width and not self._terms.is_const(value):
            bits |= _FOREIGN  # part of an address, perhaps
        after = dict(held)
        for address in self._members(places):
            self._contents[address] = self._contents.get(address, 0) | bits
            is_whole = address == access.address and access.size == self._size(address)
            after[address] = bits if is_whole else held.get(address, 0) | bits
        return after

    def _size(self, address: Term) -> int:
        return self._function.objects[self._objects[address]].size

    # --- values -----------------------------------------------------------------------------------

    def _bits(self, term: Term, held: _Held, at: int) -> int:
        """The addresses that a value may be, or be computed from, at a location."""
        done: dict[Term, int] = {}
        for part in self._terms.walk((term,)):
            done[part] = self._part(part, done, held, at)
        return done[term]

    def _part(self, term: Term, done: _Held, held: _Held, at: int) -> int:
        terms = self._terms
        op = terms.op(term)
        if terms.is_boolean(term):
            return 0
        if op is Op.CONST:
            number = terms.number(term)
            return _FOREIGN if number is not None and self._pointers.number(number) else 0
        if op is Op.VAR:
            return self._address(term, at) if term in self._objects else held.get(term, 0)
        if op is Op.EXTRACT and self._is_offset(term):
            return 0
        args = terms.args(term)
        bits = fixed = 0
        for argument in args:
            if op is not Op.ITE and terms.is_const(argument):
                fixed |= done[argument]
            else:
                bits |= done[argument]
        if op is Op.ITE or bits & ~_FOREIGN:
            return bits
        is_scaled = op in (Op.BVMUL, Op.BVSHL) and all(self._is_narrow(a) for a in args)
        is_number = op in _SUMS or is_scaled or width_of(terms.sort(term)) < self._pointers.width
        return bits | fixed if is_number else _FOREIGN

    def _is_offset(self, extract: Term) -> bool:
        """Whether these are bits of an address that do not say of which object."""
        payload = self._terms.payload(extract)
        assert isinstance(payload, tuple)
        high: int = payload[0]
        return high < self._pointers.offset_bits

    def _is_narrow(self, term: Term) -> bool:
        """Whether a value has fewer bits than an address, but for its sign."""
        return self._terms.is_const(term) or self._terms.op(term) in (Op.ZERO_EXTEND, Op.SIGN_EXTEND)

    def _address(self, address: Term, at: int) -> int:
        index = self._objects[address]
        if self._function.objects[index].storage is Storage.THREAD:
            return self._current(index)
        living, gone = self._lives[at]
        bits = self._former(index) if (gone >> index) & 1 else 0
        return bits | self._current(index) if (living >> index) & 1 or not bits else bits


def _union(one: _Held, other: _Held) -> _Held:
    met = dict(one)
    for variable, bits in other.items():
        met[variable] = met.get(variable, 0) | bits
    return met
