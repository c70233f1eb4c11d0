"""One access to symbolic memory: a choice over the places that it may hit.

Every place is a case: a condition on the address, and the cells (or parts of cells) that are there. A read is
a chain of choices over the cases, a write changes each cell where its case holds. Memory is bytes,
little-endian, as in ``memory``.

In an object with arrays all cells of one size are elements of one array, with their offsets as indices. A
place with a known offset is a case there like any other; besides, evenly spaced cells of the size of an
access are one case together. What hits them neither exactly nor at a known offset is no case: ``unknown``.
"""

from collections.abc import Callable, Iterable, Sequence
from math import gcd
from typing import NamedTuple

from sley.analyses.objects import Offset
from sley.logic.linear import low_bits
from sley.logic.operators import Op
from sley.logic.simplify.arithmetic import base_and_constant
from sley.logic.sorts import BitVecSort, BoolSort, FloatSort, Sort, bitvec
from sley.logic.terms import Term, Terms
from sley.semantics.vocabulary import Instance, Lifetime, Vocabulary

Fresh = Callable[[Sort, str], Term]
"""Makes a variable that occurs nowhere else, given its sort and what it stands for."""


class AccessTarget(NamedTuple):
    """A place that an access may hit: a byte offset in an object; or many, ``step`` bytes apart."""

    number: int
    offset: int
    step: int = 0
    times: int = 1
    """More than one only in objects with arrays, and where a cell of the size of the access begins."""

    @property
    def last(self) -> int:
        """The offset of the last place."""
        return self.offset + (self.times - 1) * self.step


class Region(NamedTuple):
    """Places that an access may hit in a blurred object, except those of the cells that are variables."""

    number: int
    offsets: Offset


Aim = AccessTarget | Region


class CellPart(NamedTuple):
    """Some bytes of a cell that an access covers; ``variable`` is None for padding."""

    variable: Term | None
    """What holds the cell: a variable, or the array in which it is the element ``place``."""
    place: Term | None
    start: int
    """First byte inside the cell."""
    at: int
    """First byte inside the access."""
    length: int


class Case(NamedTuple):
    """One target of an access: when it is hit, and what is there."""

    condition: Term
    parts: tuple[CellPart, ...]
    is_blurred: bool = False
    """Anything is there, and what is written is forgotten."""


def _candidates(vocabulary: Vocabulary, address: Term) -> Iterable[Instance]:
    """The objects that the address can name: all of them, unless it is a constant."""
    pointer = vocabulary.terms.number(address)
    if pointer is None:
        return vocabulary.instances.values()
    named = vocabulary.instances.get(vocabulary.pointers.number(pointer))
    return () if named is None else (named,)


def matching_targets(vocabulary: Vocabulary, address: Term, size: int) -> list[AccessTarget]:
    """The places of all cells that have exactly this size; for a constant address the place itself."""
    pointer = vocabulary.terms.number(address)
    if pointer is not None:
        place = AccessTarget(vocabulary.pointers.number(pointer), vocabulary.pointers.offset(pointer))
        return [place] if place.number in vocabulary.instances else []
    found: list[AccessTarget] = []
    for instance in vocabulary.instances.values():
        if instance.is_array:
            found += elements(instance, size)
            continue
        for index in range(instance.cell_count):
            offset = instance.layout.offset_of(index)
            cell = instance.layout.cells[index % len(instance.layout.cells)]
            if cell.size == size and offset + size <= instance.capacity:
                found.append(AccessTarget(instance.number, offset))
    return found


def elements(instance: Instance, size: int) -> list[AccessTarget]:
    """The places of all cells of this size in an object with arrays, those that are evenly spaced as one."""
    cells = (cell for cell in instance.layout.cells if cell.size == size)
    starts = sorted(cell.offset for cell in cells if _is_cell(instance, cell.offset, size))
    stride, end = instance.layout.stride, instance.capacity - size
    if instance.capacity <= stride:
        return [AccessTarget(instance.number, *run) for run in _even_runs([s for s in starts if s <= end])]
    runs = _even_runs(starts)
    if len(runs) == 1 and runs[0][1] * runs[0][2] == stride:  # it goes on in the next repetition
        starts, stride = starts[:1], runs[0][1]
    return [
        AccessTarget(instance.number, start, stride, (end - start) // stride + 1)
        for start in starts
        if start <= end
    ]


def _is_cell(instance: Instance, offset: int, size: int) -> bool:
    """Whether these bytes are exactly one cell."""
    index, start, cell_size, _ = next(instance.table.covering(offset, size))
    return index >= 0 and (start, cell_size) == (offset, size)


def _even_runs(offsets: Sequence[int]) -> list[tuple[int, int, int]]:
    """Ascending numbers as runs with a first one, a step and a count."""
    runs: list[tuple[int, int, int]] = []
    for offset in offsets:
        first, step, count = runs[-1] if runs else (0, 0, 0)
        if count == 1:
            runs[-1] = (first, offset - first, 2)
        elif count > 1 and offset == first + step * count:
            runs[-1] = (first, step, count + 1)
        else:
            runs.append((offset, 0, 1))
    return runs


def is_valid(vocabulary: Vocabulary, address: Term, size: int, *, writes: bool) -> Term:
    """The bytes are inside one live object (that may be written)."""
    return vocabulary.terms.or_(
        *(
            _is_inside(vocabulary, i, address, size, writes=writes)
            for i in _candidates(vocabulary, address)
            if not (writes and i.is_constant)
        )
    )


def _is_inside(vocabulary: Vocabulary, instance: Instance, address: Term, size: int, *, writes: bool) -> Term:
    """The bytes are inside the object, which is alive; with arrays, members that are constant may be hit."""
    t = vocabulary.terms
    if instance.is_array:
        hit, offset = _located(
            vocabulary, AccessTarget(instance.number, 0, 1, instance.capacity - size + 1), address
        )
        return t.and_(hit, _has_bytes(vocabulary, instance, _end(vocabulary, offset, size)))
    width, split = vocabulary.pointers.width, vocabulary.pointers.offset_bits
    number, offset = t.extract(address, width - 1, split), t.extract(address, split - 1, 0)
    end = _end(vocabulary, offset, size)
    return t.and_(
        t.eq(number, t.bv(instance.number, width - split)),
        _has_bytes(vocabulary, instance, end),
        _misses_constants(t, instance, end, size) if writes else t.true,
    )


def _end(vocabulary: Vocabulary, offset: Term, size: int) -> Term:
    """The offset behind the bytes, as wide as a pointer: it does not wrap around."""
    t, width, split = vocabulary.terms, vocabulary.pointers.width, vocabulary.pointers.offset_bits
    return t.add(t.zero_extend(offset, width - split), t.bv(size, width))


def _located(
    vocabulary: Vocabulary, target: AccessTarget, address: Term, depth: int = 0
) -> tuple[Term, Term]:
    """When the address is one of the places, and then its offset.

    Where an address is a choice, so is this: out of range, the front end chooses one that points nowhere.
    """
    t = vocabulary.terms
    choice, constant = base_and_constant(t, address)
    if t.op(choice) is Op.ITE and depth < MOST_CHOICES:
        condition, *rest = t.args(choice)
        chosen = [t.add(one, t.bv(constant, t.width(one))) for one in rest]
        (hit, offset), (other, at) = (_located(vocabulary, target, one, depth + 1) for one in chosen)
        if other == t.false:
            return t.and_(condition, hit), offset
        if hit == t.false:
            return t.and_(t.not_(condition), other), at
        return t.ite(condition, hit, other), t.ite(condition, offset, at)
    distance = t.sub(address, vocabulary.address(target.number, target.offset))
    last = t.bv(target.last - target.offset, t.width(address))
    hit = t.and_(t.ule(distance, last), _is_multiple(vocabulary, distance, target.step))
    return hit, low_bits(t, address, vocabulary.pointers.offset_bits)


def _is_multiple(vocabulary: Vocabulary, distance: Term, step: int) -> Term:
    """A distance, which is less than the size of an object, is a multiple of a number."""
    t, split = vocabulary.terms, vocabulary.pointers.offset_bits
    power = (step & -step).bit_length() - 1
    is_even = t.eq(low_bits(t, distance, power), t.bv(0, power)) if power else t.true
    if step == 1 << power:
        return is_even
    rest = t.apply(Op.BVUREM, low_bits(t, distance, split), t.bv(step, split))
    return t.and_(is_even, t.eq(rest, t.bv(0, split)))


def _has_bytes(vocabulary: Vocabulary, instance: Instance, end: Term) -> Term:
    """The object is alive and has all bytes before ``end``."""
    t = vocabulary.terms
    return t.and_(vocabulary.alive(instance), t.ule(end, vocabulary.size(instance)))


def _reaches(vocabulary: Vocabulary, instance: Instance, offset: Term, size: int) -> Term:
    """As ``_has_bytes``, for bytes that the largest size of the object would hold."""
    if instance.kind is not Lifetime.HEAP:
        return vocabulary.alive(instance)
    return _has_bytes(vocabulary, instance, _end(vocabulary, offset, size))


def _misses_constants(t: Terms, instance: Instance, end: Term, size: int) -> Term:
    """The ``size`` bytes before ``end`` are none that must not be written."""
    width, stride = t.width(end), instance.layout.stride
    ranges = (
        (start + low, start + high)
        for start in range(0, instance.capacity if instance.layout.constant else 0, stride)
        for low, high in instance.layout.constant
    )
    return t.and_(
        *(t.or_(t.ule(end, t.bv(low, width)), t.ule(t.bv(high + size, width), end)) for low, high in ranges)
    )


MOST_CHOICES = 8
"""Choices inside choices of an address that are looked into."""


def _is_among(t: Terms, offset: Term, offsets: Offset) -> Term:
    """The offset is one of these."""
    width = t.width(offset)
    if offsets.modulus == 0:
        return t.eq(offset, t.bv(offsets.residue, width))
    step, residue = offsets.modulus, offsets.residue % offsets.modulus
    if step & (step - 1):
        return t.eq(t.make(Op.BVUREM, (offset, t.bv(step, width))), t.bv(residue, width))
    bits = step.bit_length() - 1
    return t.eq(t.extract(offset, bits - 1, 0), t.bv(residue, bits)) if bits else t.true


def _places(instance: Instance, indices: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Where the cells with these indices begin, and how long they are."""
    cells = instance.layout.cells
    return [(instance.layout.offset_of(index), cells[index % len(cells)].size) for index in indices]


class SymbolicAccess:
    """An access of ``size`` bytes; ``covered`` and ``unknown`` say when the targets tell what happens."""

    def __init__(  # noqa: PLR0913 - an access has many sides
        self,
        vocabulary: Vocabulary,
        address: Term,
        size: int,
        targets: Sequence[Aim],
        *,
        writes: bool,
        reads: bool | None = None,
        is_first: bool = False,
        fresh: Fresh | None = None,
    ) -> None:
        """``fresh`` makes what is read from blurred objects."""
        self.vocabulary = vocabulary
        self.terms: Terms = vocabulary.terms
        self.address = address
        self.size = size
        self.writes = writes
        self.changes = writes and not is_first
        """Whether it writes to what is initialised already."""
        self.reads = not writes if reads is None else reads
        self.fresh = fresh
        self._anything: Term | None = None
        self.cases = [case for target in dict.fromkeys(targets) if (case := self._case(target)) is not None]
        self.covered = self.terms.or_(*(case.condition for case in self.cases))
        """A target is hit."""
        valid = is_valid(vocabulary, address, size, writes=self.changes)
        may_hit = self.terms.or_(valid, vocabulary.is_unknown_object(address))
        self.unknown = self.terms.and_(may_hit, self.terms.not_(self.covered))
        """Live memory is hit that is no target."""

    def _case(self, target: Aim) -> Case | None:
        if isinstance(target, Region):
            return self._blurred(target)
        instance, t = self.vocabulary.instances[target.number], self.terms
        if target.times > 1:
            return self._element(instance, target)
        if self.vocabulary.is_blurred(instance) and not self._has_variables(instance, target.offset):
            return self._blurred(Region(target.number, Offset(target.offset)))
        end = target.offset + self.size
        if end > instance.capacity or (self.changes and instance.is_constant):
            return None
        if self.changes and instance.layout.is_constant(target.offset, self.size):
            return None
        hit = t.eq(self.address, self.vocabulary.address(target.number, target.offset))
        if hit == t.false:
            return None
        parts = self._parts(instance, target.offset)
        if self.reads and not self.writes and any(part.variable is None for part in parts):
            return None  # what padding holds is not known
        end_term = t.bv(end, self.vocabulary.pointers.width)
        is_readable = self._is_readable(instance, target.offset) if self.reads else t.true
        return Case(t.and_(hit, _has_bytes(self.vocabulary, instance, end_term), is_readable), parts)

    def _element(self, instance: Instance, target: AccessTarget) -> Case | None:
        """The case of evenly spaced cells, if the object has them there and they may be accessed so."""
        t, vocabulary = self.terms, self.vocabulary
        if not instance.is_array or target.last + self.size > instance.capacity or target.step < 1:
            return None
        stride = instance.layout.stride
        count = min(target.times, stride // gcd(target.step, stride))  # then they come again
        offsets = range(target.offset, target.offset + count * target.step, target.step)
        if not all(_is_cell(instance, offset, self.size) for offset in offsets):
            return None
        is_constant = instance.is_constant or any(
            instance.layout.is_constant(offset, self.size) for offset in offsets
        )
        if self.changes and is_constant:
            return None
        hit, index = _located(vocabulary, target, self.address)
        if hit == t.false:
            return None
        part = CellPart(vocabulary.array(instance, self.size), index, 0, 0, self.size)
        return Case(t.and_(hit, _reaches(vocabulary, instance, index, self.size)), (part,))

    def _has_variables(self, instance: Instance, offset: int) -> bool:
        """Whether all cells that the access covers there are variables."""
        indices = set(self.vocabulary.indices(instance))
        return all(index in indices for index, *_ in instance.table.covering(offset, self.size) if index >= 0)

    def _blurred(self, region: Region) -> Case | None:
        """Somewhere in the region, in none of the cells that are variables."""
        t, vocabulary = self.terms, self.vocabulary
        instance = vocabulary.instances[region.number]
        if self.changes and instance.is_constant:
            return None
        width, split = vocabulary.pointers.width, vocabulary.pointers.offset_bits
        number, low = t.extract(self.address, width - 1, split), t.extract(self.address, split - 1, 0)
        offset = t.zero_extend(low, width - split)
        end = t.add(offset, t.bv(self.size, width))
        condition = t.and_(
            t.eq(number, t.bv(region.number, width - split)),
            _has_bytes(vocabulary, instance, end),
            _is_among(t, low, region.offsets),
            _misses_constants(t, instance, end, self.size) if self.changes else t.true,
            *(
                t.or_(t.ule(end, t.bv(at, width)), t.ule(t.bv(at + size, width), offset))
                for at, size in _places(instance, vocabulary.indices(instance))
            ),
        )
        parts = (CellPart(self._anything_there(), None, 0, 0, self.size),)
        return None if condition == t.false else Case(condition, parts, is_blurred=True)

    def _anything_there(self) -> Term:
        """An arbitrary value: the same for all regions, as only one of them is hit."""
        if self._anything is None:
            assert self.fresh is not None, "no arbitrary values are expected"
            self._anything = self.fresh(bitvec(8 * self.size), "what is in memory")
        return self._anything

    def _is_readable(self, instance: Instance, offset: int) -> Term:
        """No part of a pointer is read, unless it points nowhere: the bytes of an address are not known."""
        t, split = self.terms, self.vocabulary.pointers.offset_bits
        conditions = []
        for index, start, cell_size, at in instance.table.covering(offset, self.size):
            is_whole = at == start and start + cell_size <= offset + self.size
            if index < 0 or is_whole:
                continue
            cell = self.vocabulary.cell(instance, index)
            width = self.vocabulary.pointers.width
            if instance.table.is_pointer(index):
                conditions.append(t.eq(t.extract(cell, width - 1, split), t.bv(0, width - split)))
            elif isinstance(t.sort(cell), BitVecSort) and t.width(cell) >= width:
                number = t.extract(cell, width - 1, split)
                conditions += [
                    t.not_(t.ult(t.sub(number, t.bv(low, width - split)), t.bv(high - low, width - split)))
                    for low, high in self.vocabulary.pointers.likely_numbers
                ]
        return t.and_(*conditions)

    def _parts(self, instance: Instance, offset: int) -> tuple[CellPart, ...]:
        parts = []
        for index, start, cell_size, at in instance.table.covering(offset, self.size):
            count = min(start + cell_size, offset + self.size) - at
            variable, place = (None, None) if index < 0 else self.vocabulary.home(instance, index)
            parts.append(CellPart(variable, place, at - start, at - offset, count))
        return tuple(parts)

    def read(self, sort: Sort) -> Term:
        """The value that is there where a target is hit."""
        t = self.terms
        values = [(case.condition, self._joined(case.parts)) for case in self.cases]
        bits = values[-1][1] if values else t.bv(0, 8 * self.size)
        for condition, value in reversed(values[:-1]):
            bits = t.ite(condition, value, bits)
        return from_bits(t, bits, sort)

    def _joined(self, parts: Iterable[CellPart]) -> Term:
        result: Term | None = None
        for part in parts:
            # of padding, which only a write can meet, nothing is known and nothing is used
            cell = self.terms.bv(0, 8 * part.length) if part.variable is None else self._cell(part)
            low = 8 * part.start if part.variable is not None else 0
            piece = self.terms.extract(cell, low + 8 * part.length - 1, low)
            result = piece if result is None else self.terms.concat(piece, result)
        assert result is not None
        return result

    def write(self, value: Term) -> dict[Term, Term]:
        """The cells that may change, with their new contents."""
        t, bits = self.terms, to_bits(self.terms, value, 8 * self.size)
        updates: dict[Term, Term] = {}
        for condition, parts, is_blurred in self.cases:
            for part in () if is_blurred else parts:
                if part.variable is None:
                    continue
                old, new = (
                    updates.get(part.variable, part.variable),
                    self._written(self._cell(part), part, bits),
                )
                if part.place is None:
                    updates[part.variable] = t.ite(condition, new, old)
                else:
                    # an access with one case happens where it holds; so the element need not be a choice
                    is_hit = t.true if len(self.cases) == 1 else condition
                    new = t.ite(is_hit, new, t.select(old, part.place))
                    updates[part.variable] = t.store(old, part.place, new)
        return updates

    def _cell(self, part: CellPart) -> Term:
        """What the cell of a part holds."""
        assert part.variable is not None
        return part.variable if part.place is None else self.terms.select(part.variable, part.place)

    def _written(self, cell: Term, part: CellPart, bits: Term) -> Term:
        """The cell after its part of ``bits`` was written."""
        t = self.terms
        result = t.extract(bits, 8 * (part.at + part.length) - 1, 8 * part.at)
        width, end = t.width(cell), 8 * (part.start + part.length)
        if part.start:
            result = t.concat(result, t.extract(cell, 8 * part.start - 1, 0))
        return t.concat(t.extract(cell, width - 1, end), result) if end < width else result


def from_bits(t: Terms, bits: Term, sort: Sort) -> Term:
    """A value of ``sort`` from its bytes."""
    match sort:
        case BoolSort():
            return t.ne(bits, t.bv(0, t.width(bits)))
        case BitVecSort(width=width):
            return t.extract(bits, width - 1, 0)
        case FloatSort():
            return t.make(Op.FP_FROM_BITS, (bits,), sort)
        case _:
            raise AssertionError(f"a scalar of sort {sort}")


def to_bits(t: Terms, value: Term, width: int) -> Term:
    """The bytes of a value."""
    match t.sort(value):
        case BoolSort():
            return t.bool_to_bv(value, width)
        case BitVecSort():
            return t.resize(value, width, signed=False)
        case FloatSort():
            return t.make(Op.FP_TO_BITS, (value,))
        case sort:
            raise AssertionError(f"a scalar of sort {sort}")
