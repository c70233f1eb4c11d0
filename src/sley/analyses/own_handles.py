"""Where threads may leave their own handles, sets of threads, or addresses of their local objects.

That is what ``self`` and cells of locks flow into, and addresses of objects that are used for more than
direct accesses. A set of threads is a number with some bits for each: ``1 << (self - 1)`` is that of oneself.
Handles that Create gives to the creator are not meant: to all but a Join they are numbers like others.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from sley.analyses.objects import union
from sley.analyses.pointers import PointsTo
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.program import Program

HANDLE = 0
"""The kind of places with handles; the kind of those with sets is the number of bits for each thread."""

ADDRESS = -1
"""The kind of places with addresses of local objects."""

_MOVED = (Op.ZERO_EXTEND, Op.SIGN_EXTEND, Op.EXTRACT)
_OF_SETS = (Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVNOT, Op.BVNEG, Op.BVADD, Op.BVSUB, Op.BVMUL)


class OwnHandles(NamedTuple):
    """Places that may hold handles of threads that wrote them, or sets of such threads."""

    registers: Mapping[tuple[str, Term], int]
    """(function, register) -> kind."""
    classes: Mapping[int, int]
    """Kind -> classes of bytes (``objects``), one bit each."""

    @property
    def all_classes(self) -> int:
        """The classes of any kind."""
        return union(self.classes.values())


def find_own_handles(
    program: Program, points_to: PointsTo, addresses: Mapping[str, frozenset[Term]]
) -> OwnHandles:
    """The least such places, closed under moving values and sets made of sets; nothing else is followed.

    ``addresses`` are those of local objects, by function, that are used for more than direct accesses.
    """
    flow = _HandleFlow(program, points_to, addresses)
    while flow.spread():
        pass
    return OwnHandles(flow.registers, dict(flow.classes))


class HandleField(NamedTuple):
    """A number in the bits of one thread: ``value << bits * (handle - 1)``."""

    bits: int
    value: int


def field_of(terms: Terms, term: Term, handle: Term, known: Mapping[Term, HandleField]) -> HandleField | None:
    """What a term is that depends on the own handle alone, and on registers with such numbers."""
    variables = terms.variables(term)
    if not variables or any(v != handle and v not in known for v in variables) or terms.is_boolean(term):
        return None

    def value(of: int) -> int:
        values = {register: field.value << field.bits * (of - 1) for register, field in known.items()}
        return int(terms.evaluate(term, {**values, handle: of}))

    width, first, second = terms.width(term), value(1), value(2)
    bits = second.bit_length() - first.bit_length()
    if bits < 1 or not 0 < first < 1 << bits:
        return None
    found = HandleField(bits, first)
    return found if all(value(h) == first << bits * (h - 1) for h in range(1, width // bits + 1)) else None


class _HandleFlow:
    def __init__(
        self, program: Program, points_to: PointsTo, addresses: Mapping[str, frozenset[Term]]
    ) -> None:
        self.program = program
        self.points_to = points_to
        self.addresses = addresses
        self.registers: dict[tuple[str, Term], int] = {}
        self.classes: defaultdict[int, int] = defaultdict(int)

    def spread(self) -> bool:
        """One round over all edges; whether it found more."""
        before = len(self.registers), dict(self.classes)
        for name, function in self.program.functions.items():
            for edge in function.edges:
                self._along(name, edge.source, edge.instruction)
        return before != (len(self.registers), self.classes)

    def _along(self, function: str, location: int, instruction: ir.Instruction) -> None:
        match instruction:
            case ir.Assign(assignments=assignments):
                for register, term in assignments:
                    self._put(function, register, self._kind(function, term))
            case ir.Lock(access=access) | ir.Unlock(access=access):
                self.classes[HANDLE] |= self._bytes(location, access)
            case ir.Store(access=access, value=value):
                self._leave(self._kind(function, value), self._bytes(location, access))
            case ir.Load(target=target, access=access):
                self._put(function, target, self._kind_in(self._bytes(location, access)))
            case ir.Update(target=target, access=access, value=value):
                touched = self._bytes(location, access)
                self._put(function, target, self._kind_in(touched))
                self._leave(self._kind(function, value), touched)
            case _:
                pass

    def _put(self, function: str, register: ir.Register, kind: int | None) -> None:
        if kind is not None:
            self.registers.setdefault((function, register.term), kind)

    def _leave(self, kind: int | None, touched: int) -> None:
        if kind is not None:
            self.classes[kind] |= touched

    def _kind_in(self, touched: int) -> int | None:
        return next((kind for kind, classes in self.classes.items() if classes & touched), None)

    def _kind(self, function: str, term: Term) -> int | None:
        """The kind of the value, if it may be that of a place in question."""
        terms, handle = self.program.terms, self.program.self_handle
        waiting = [term]
        while waiting:
            term = waiting.pop()
            if term == handle or term in self.addresses[function]:
                return HANDLE if term == handle else ADDRESS
            found = self.registers.get((function, term))
            if found is not None:
                return found
            field = field_of(terms, term, handle, {})
            if field is not None:
                return field.bits
            op, args = terms.op(term), terms.args(term)
            if op is Op.ITE:
                waiting += args[1:]
            elif op in _MOVED:
                waiting += args
            elif op in _OF_SETS:
                waiting += [arg for arg in args if arg != handle]
        return None

    def _bytes(self, location: int, access: ir.Access) -> int:
        partitions = self.points_to.classes.partitions
        places = self.points_to.targets(location).places
        return union(partitions[obj].touched(offset, 0, access.size) for obj, offset in places)
