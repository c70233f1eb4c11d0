"""Whether handles, sets of threads and addresses of their objects are kept where they are said to be.

One pass over the edges verifies what ``analyses.own_handles`` found, and the rest of what
``thread_symmetry`` needs.

*Sets* have some bits for each thread. They are made of the thread's own bits by the operators of
sets, and compared with each other, and with the empty set. Where all this is done bit by bit, it is
the same for each thread. Besides, the number in the own bits is counted up and down: the sum is
masked with the own bits, which nothing is carried into, as the other number has no bits below. And
one of a set is chosen: see ``choices``.

*Addresses* of local objects are moved, compared with each other and with constants that are none,
and accessed, with a constant added that does not lead to another object.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from sley.analyses.own_handles import ADDRESS, HANDLE, HandleField, OwnHandles, field_of
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations
from sley.laws.choices import edges_of_choices, without_lowest
from sley.logic.operators import Op
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge, Function
from sley.program.rewriting import read_terms, written_registers
from sley.semantics.code import Code, confined_addresses

FIXED = 1
"""Handles up to this are not renamed: 0 is no thread's, 1 the first thread's."""

HANDLE_BYTES = 4
"""Handles fit into so many bytes."""

LARGEST_OFFSET = 1 << 14
"""So much may be added to an address."""

MOST = 64
"""Handles up to this may be told from larger ones, which states with fewer threads do not have."""


class _Cells(NamedTuple):
    """What an access is to: the kinds of its cells, None for other bytes; and whether to whole cells."""

    kinds: frozenset[int | None]
    is_exact: bool


class Typing:
    """Whether handles and sets are kept where they are said to be, and used as such."""

    def __init__(self, code: Code, points_to: PointsTo, own: OwnHandles) -> None:
        self.code = code
        self.program = code.program
        self.terms = self.program.terms
        self.points_to = points_to
        self.own = own
        self.most: int | None = None
        """With more threads than this the law is not about states; None if any number may be there."""
        self.addresses = known_addresses(code)
        for (_, register), kind in own.registers.items():
            if kind > HANDLE:
                self.most = min(self.most or MOST, self.terms.width(register) // kind)

    def is_kept(self) -> bool:
        """What the docstring of ``thread_symmetry`` says of handles, local objects, joins and results."""
        program = self.program
        if Creations(program).edges[program.entry] or not self._are_global() or not self._begin_well():
            return False
        if not all(self._is_fine(f.name, edge) for f in program.functions.values() for edge in f.edges):
            return False
        others = [function for function in program.functions.values() if function.name != program.entry]
        return all(map(self._is_apart, others))

    def _is_apart(self, function: Function) -> bool:
        """A created thread joins no thread, and returns no address."""
        if any(isinstance(edge.instruction, ir.Join | ir.Detach) for edge in function.edges):
            return False
        has_heap = any(isinstance(edge.instruction, ir.Allocate) for edge in self.program.edges)
        results = (e.instruction.value for e in function.edges if isinstance(e.instruction, ir.Exit))
        return not has_heap or all(self._is_no_address(function.name, result) for result in results)

    def _are_global(self) -> bool:
        """Whether what names threads is in cells that states have at fixed places."""
        flat, objects = self.code.memory_map.flat, self.points_to.objects
        known = 0
        for number in flat:
            obj = objects.of_static(number)
            assert obj is not None
            partition = self.points_to.classes.partitions[obj]
            known |= 0 if partition.period else ((1 << len(partition.cells)) - 1) << partition.first
        own = self.own.classes
        return not self.own.all_classes & ~(known | (own.get(ADDRESS, 0) & self._in_locals()))

    def _in_locals(self) -> int:
        """The classes of local objects of created threads, as far as each is a cell."""
        found, partitions = 0, self.points_to.classes.partitions
        for obj in self.points_to.objects:
            partition = partitions[obj.index]
            if obj.slot is not None and obj.template != self.program.entry and not partition.period:
                found |= ((1 << len(partition.cells)) - 1) << partition.first
        return found

    def _begin_well(self) -> bool:
        for number in self.code.memory_map.flat:
            obj = self.points_to.objects.of_static(number)
            declared = self.program.static_object(number)
            assert obj is not None
            assert declared is not None
            first = self.points_to.classes.partitions[obj].first
            for index, value in declared.initial:
                for kind, classes in self.own.classes.items():
                    if value > (FIXED if kind == HANDLE else 0) and classes >> (first + index) & 1:
                        return False
        return True

    def _is_no_address(self, function: str, value: Term | None) -> bool:
        if value is None or self.terms.is_const(value):
            return True
        targets = self.points_to.held_by(function, value)
        return not (targets.objects or targets.is_elsewhere or targets.is_number)

    def _is_fine(self, function: str, edge: Edge) -> bool:
        instruction, own = edge.instruction, self.own.registers
        match instruction:
            case ir.FaultTest():
                return True  # it reads what its sibling reads
            case ir.Assign(assignments=assignments):
                if edge in self._of_choices:
                    return True
                return all(self._fits(function, own.get((function, r.term)), term) for r, term in assignments)
            case ir.Load(target=target, access=access):
                kinds = {own.get((function, target.term))}
                return self._are_kinds(edge, access, kinds) and self._is_pointer(function, access.address)
            case ir.Store(access=access, value=value):
                return self._is_written(function, edge, access, value)
            case ir.Update(target=target, access=access, value=value, success=success):
                return (
                    self._are_kinds(edge, access, {own.get((function, target.term))})
                    and self._is_written(function, edge, access, value)
                    and (success is None or self._is_plain(function, success))
                )
            case ir.Lock(access=access) | ir.Unlock(access=access):
                return self._are_kinds(edge, access, {HANDLE}) and self._is_pointer(function, access.address)
            case ir.CallUnmodelled() if self.own.all_classes:
                return False
            case _:
                written = [(function, r.term) in own for r in written_registers(instruction)]
                return not any(written) and self._are_plain(function, read_terms(instruction))

    def _is_written(self, function: str, edge: Edge, access: ir.Access, value: Term) -> bool:
        kinds = self._accessed(edge, access).kinds
        is_one = len(kinds) < 2 and self._are_kinds(edge, access, kinds)
        return (
            is_one
            and self._is_pointer(function, access.address)
            and self._fits(function, next(iter(kinds), None), value)
        )

    def _are_kinds(self, edge: Edge, access: ir.Access, kinds: Iterable[int | None]) -> bool:
        """Whether an access is to places of such a kind only, and to whole ones if that is a kind."""
        cells = self._accessed(edge, access)
        return cells.kinds <= frozenset(kinds) and (cells.is_exact or cells.kinds <= {None})

    def _accessed(self, edge: Edge, access: ir.Access) -> _Cells:
        kinds = set[int | None]()
        is_exact = access.location is None and access.size >= HANDLE_BYTES
        for obj, offset in self.points_to.targets(edge.source).places:
            partition = self.points_to.classes.partitions[obj]
            touched = partition.touched(offset, 0, access.size)
            kinds.update(kind for kind, classes in self.own.classes.items() if touched & classes)
            kinds |= {None} if touched & ~self.own.all_classes else set()
            is_exact = is_exact and all(exact for _, exact in partition.overlaps(offset, 0, access.size))
        return _Cells(frozenset(kinds), is_exact)

    def _fits(self, function: str, kind: int | None, term: Term) -> bool:
        if kind is None:
            return self._is_plain(function, term)
        if kind == ADDRESS:
            return self._is_address(function, term)
        return self._is_handle(function, term) if kind == HANDLE else self._is_set(function, term, kind)

    def _are_plain(self, function: str, terms: Iterable[Term]) -> bool:
        return all(self._is_plain(function, term) for term in terms)

    def _is_own(self, function: str, variable: Term) -> bool:
        is_named = (function, variable) in self.own.registers or variable in self.addresses[function]
        return variable == self.program.self_handle or is_named

    def _is_pointer(self, function: str, term: Term) -> bool:
        """Whether an access may be to this: an address, with something added, or the same for all threads."""
        terms = self.terms
        if terms.op(term) is Op.BVADD:
            pairs = (terms.args(term), terms.args(term)[::-1])
            if any(self._is_offset(more) and self._is_address(function, base) for base, more in pairs):
                return True
        return self._is_address(function, term) or self._is_plain(function, term)

    def _is_offset(self, term: Term) -> bool:
        number = self.terms.number(term)
        return number is not None and number < LARGEST_OFFSET

    def _is_address(self, function: str, term: Term) -> bool:
        """Whether the value is an address in a local object, or a constant that is none."""
        terms, pointers, local = self.terms, self.program.pointers, self.addresses[function]
        number = terms.number(term)
        if number is not None:
            named = pointers.number(number)  # an address just before an object has the number before
            return all(self.program.local_slot(one) is None for one in (named, named + 1))
        op, args = terms.op(term), terms.args(term)
        if op is Op.VAR:
            return term in local or self.own.registers.get((function, term)) == ADDRESS
        if op is Op.ITE:
            return self._is_plain(function, args[0]) and all(self._is_address(function, a) for a in args[1:])
        pairs = (args, args[::-1]) if op is Op.BVADD else ()
        return any(base in local and self._is_offset(more) for base, more in pairs)

    def _is_handle(self, function: str, term: Term) -> bool:
        """Whether the value is an own handle, or one that is not renamed, and nothing else."""
        terms = self.terms
        number = terms.number(term)
        if number is not None:
            return number <= FIXED
        op, args = terms.op(term), terms.args(term)
        if op is Op.VAR:
            own = self.own.registers.get((function, term))
            return term == self.program.self_handle or own == HANDLE
        if op is Op.ITE:
            return self._is_plain(function, args[0]) and all(self._is_handle(function, a) for a in args[1:])
        if op is Op.EXTRACT:
            payload = terms.payload(term)
            is_low = isinstance(payload, tuple) and payload[1] == 0 and terms.width(term) >= 8 * HANDLE_BYTES
            return is_low and self._is_handle(function, args[0])
        return op in (Op.ZERO_EXTEND, Op.SIGN_EXTEND) and self._is_handle(function, args[0])

    def _is_plain(self, function: str, term: Term) -> bool:
        """Whether it is the same whatever ids threads have: handles are only compared with each other."""
        terms, waiting = self.terms, [term]
        while waiting:
            term = waiting.pop()
            if terms.op(term) is Op.VAR and self._is_own(function, term):
                return False
            is_mixed = any(self._is_own(function, variable) for variable in terms.variables(term))
            if is_mixed and not self._is_comparison(function, term):
                waiting += terms.args(term)
        return True

    def _is_comparison(self, function: str, term: Term) -> bool:
        """Of handles or sets, or of the own handle with a number that is larger than all handles."""
        terms, args = self.terms, self.terms.args(term)
        if self._is_same_for_all(term):
            return True
        if terms.op(term) is not Op.EQ:
            return False
        sets = [bits for bits in self.own.classes.keys() | {*self.own.registers.values()} if bits > HANDLE]
        return (
            all(self._is_handle(function, arg) for arg in args)
            or all(self._is_address(function, arg) for arg in args)
            or any(all(self._is_set(function, arg, bits) for arg in args) for bits in sets)
            or any(self._is_rest(function, rest, zero) for rest, zero in (args, args[::-1]))
        )

    def _is_same_for_all(self, term: Term) -> bool:
        """Whether all handles get the same answer to a question, as long as there are not many."""
        terms, handle, most = self.terms, self.program.self_handle, self.most or MOST
        if not terms.is_boolean(term) or terms.variables(term) != (handle,):
            return False
        if len({terms.evaluate(term, {handle: number}) for number in range(1, most + 1)}) > 1:
            return False
        self.most = most
        return True

    def _is_set(self, function: str, term: Term, bits: int) -> bool:
        """Whether the value is a set with so many bits for each thread, by operators that treat all alike."""
        terms, number = self.terms, self.terms.number(term)
        if number is not None:
            return number in (0, (1 << terms.width(term)) - 1)
        op, args = terms.op(term), terms.args(term)
        if op is Op.VAR:
            return self.own.registers.get((function, term)) == bits
        if self._is_field(function, term, bits):
            return True
        if op is Op.ITE:
            return self._is_plain(function, args[0]) and all(
                self._is_set(function, a, bits) for a in args[1:]
            )
        if op is Op.BVAND and any(
            self._is_count(function, mask, term, bits) for mask, term in (args, args[::-1])
        ):
            return True
        is_by_bits = op in (Op.BVAND, Op.BVOR, Op.BVXOR, Op.BVNOT)
        return is_by_bits and all(self._is_set(function, arg, bits) for arg in args)

    def _is_field(self, function: str, term: Term, bits: int) -> bool:
        """Whether the value is in the thread's own bits."""
        field = field_of(self.terms, term, self.program.self_handle, self._fields[function])
        is_for_all = self.most is not None and self.terms.width(term) >= bits * self.most
        return field is not None and field.bits == bits and is_for_all

    def _is_count(self, function: str, mask: Term, term: Term, bits: int) -> bool:
        """A sum of a set and a number in the own bits, of which these bits are taken."""
        if self.terms.op(term) not in (Op.BVADD, Op.BVSUB) or not self._is_field(function, mask, bits):
            return False
        args = self.terms.args(term)
        pairs = (args, args[::-1]) if self.terms.op(term) is Op.BVADD else (args,)
        return any(self._is_set(function, a, bits) and self._is_field(function, b, bits) for a, b in pairs)

    @cached_property
    def _fields(self) -> Mapping[str, Mapping[Term, HandleField]]:
        """The registers of functions that never hold anything but a certain number in the own bits."""
        return {
            function.name: dict(_fields_in(self.code, function))
            for function in self.program.functions.values()
        }

    def _is_rest(self, function: str, term: Term, zero: Term) -> bool:
        """That a set has one member at most."""
        chosen = without_lowest(self.terms, term)
        return self.terms.number(zero) == 0 and chosen is not None and self._is_set(function, chosen, 1)

    @cached_property
    def _of_choices(self) -> frozenset[Edge]:
        """The assignments of loops that choose one of a set."""
        return edges_of_choices(self.code, self.own)


def known_addresses(code: Code) -> Mapping[str, frozenset[Term]]:
    """Addresses of local objects of created threads, by function, that are not only accessed directly."""
    terms, program = code.program.terms, code.program
    return {
        function.name: frozenset()
        if function.name == program.entry
        else frozenset(obj.address for obj in function.objects) - confined_addresses(terms, function)
        for function in program.functions.values()
    }


def _fields_in(code: Code, function: Function) -> Iterator[tuple[Term, HandleField]]:
    written: dict[Term, set[HandleField | None]] = {r.term: {None} for r in code.live[function.entry]}
    for edge in function.edges:
        instruction = edge.instruction
        values = dict(instruction.assignments) if isinstance(instruction, ir.Assign) else {}
        for register in written_registers(instruction):
            value = values.get(register)
            handle = code.program.self_handle
            field = None if value is None else field_of(code.program.terms, value, handle, {})
            written.setdefault(register.term, set()).add(field)
    for term, fields in written.items():
        (only, *others) = fields
        if only is not None and not others:
            yield term, only
