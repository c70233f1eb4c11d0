"""Places: what an lvalue denotes, and how to read and write it."""

from dataclasses import dataclass, replace

from sley.frontend.c_types import AtomicType, CType, Field, IntegerType, RecordType, ScalarType
from sley.frontend.emitter import Emitter
from sley.frontend.layouts import Piece, left_open
from sley.logic.sorts import bitvec
from sley.logic.terms import Term, Terms
from sley.program.instructions import Access, Assume, Cause, MemoryOrder, Register
from sley.program.memory import Display, PointerLayout


@dataclass(frozen=True, slots=True)
class RegisterPlace:
    """A local scalar whose address is never taken."""

    register: Register
    ctype: CType


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """An object, or a part of one, in memory."""

    address: Term
    ctype: CType
    """Without ``_Atomic``."""
    text: str
    order: MemoryOrder = MemoryOrder.PLAIN
    is_first: bool = False
    """Whether writing it initialises it."""
    open: tuple[Piece, ...] = ()
    """What is unspecified once it is written: the other bytes of a union whose member this is."""


@dataclass(frozen=True, slots=True)
class BitFieldPlace:
    """A bit-field: some bits of the bytes at ``address``."""

    address: Term
    ctype: CType
    text: str
    first: int
    """The first bit, counted from the address."""
    width: int
    location: tuple[int, int]
    """Bytes from the address: the C11 memory location, which neighbouring bit-fields share."""
    is_first: bool = False
    """Whether writing it initialises it."""
    open: tuple[Piece, ...] = ()
    """As for other places."""

    def bytes(self) -> range:
        """The bytes, counted from the address, that hold the bits."""
        return range(self.first // 8, (self.first + self.width - 1) // 8 + 1)


Place = RegisterPlace | MemoryPlace | BitFieldPlace


def memory_place(address: Term, ctype: CType, text: str) -> MemoryPlace:
    """A place in memory; ``_Atomic`` in the type becomes the order of accesses."""
    if isinstance(ctype, AtomicType):
        return MemoryPlace(address, ctype.value, text, MemoryOrder.SEQUENTIAL)
    return MemoryPlace(address, ctype, text)


def member_place(terms: Terms, base: Term, record: CType, member: Field, text: str) -> Place:
    """A member of the record at ``base``, or of an anonymous member of it."""
    assert isinstance(record, RecordType)
    offset, record = _holder(record, member) or (0, record)
    base = terms.add(base, terms.bv(offset, terms.width(base)))
    beside = left_open(record, member) if record.is_union else ()
    if member.bits is None:
        address = terms.add(base, terms.bv(member.offset, terms.width(base)))
        return replace(memory_place(address, member.ctype, text), open=beside)
    first, width = member.bits
    low, high = _shared_bytes(record, member)
    return BitFieldPlace(base, member.ctype, text, first, width, (low, high), open=beside)


def _holder(record: RecordType, member: Field) -> tuple[int, RecordType] | None:
    """Which record has the member itself: this one, or an anonymous one in it, and at which offset.

    clang leaves anonymous members out of some member expressions, but not out of all.
    """
    for field in record.fields:
        if field.name == member.name and field.ctype is member.ctype:
            return 0, record
    for field in record.fields:
        if not field.name and isinstance(field.ctype, RecordType):
            found = _holder(field.ctype, member)
            if found is not None:
                return field.offset + found[0], found[1]
    return None


def _shared_bytes(record: RecordType, member: Field) -> tuple[int, int]:
    """The bytes of the run of bit-fields around ``member``; a field of width 0 ends a run."""
    run: list[Field] = []
    for field in record.fields:
        if field.bits is None or field.bits[1] == 0:
            if any(f.name == member.name for f in run):
                break
            run = []
        else:
            run.append(field)
    starts = [f.bits[0] for f in run if f.bits is not None]
    ends = [f.bits[0] + f.bits[1] for f in run if f.bits is not None]
    return min(starts) // 8, (max(ends) + 7) // 8


class PlaceAccess:
    """Reads and writes places."""

    def __init__(self, emitter: Emitter, pointers: PointerLayout) -> None:
        self._emitter = emitter
        self._pointers = pointers
        self._terms = emitter.terms

    def access(self, place: MemoryPlace, order: MemoryOrder | None = None) -> Access:
        """The access to a scalar in memory."""
        ctype: ScalarType = place.ctype  # type: ignore[assignment]
        used = place.order if order is None else order
        return Access(place.address, ctype.sort, used, place.text, is_first=place.is_first)

    def read(self, place: Place) -> Term:
        """The value of a scalar."""
        match place:
            case RegisterPlace():
                return place.register.term
            case MemoryPlace():
                return self._emitter.load(self.access(place))
            case BitFieldPlace():
                return self._read_bits(place)

    def write(self, place: Place, value: Term) -> None:
        """Give a scalar a value (of its own type)."""
        match place:
            case RegisterPlace():
                self._emitter.assign(place.register, value)
            case MemoryPlace():
                self._emitter.store(self.access(place), value)
                self.open(place)
            case BitFieldPlace():
                self._write_bits(place, value)
                self.open(place)

    def open(self, place: MemoryPlace | BitFieldPlace) -> None:
        """What a write to a member of a union leaves open (C11 6.2.6.1p7)."""
        for piece in place.open:
            self.make_unspecified(place.address, piece, place.text)

    def make_unspecified(self, start: Term, piece: Piece, text: str) -> None:
        """Give bytes an unspecified value, but never one that makes an address of the rest of their scalar.

        Otherwise each read of that rest would be one of a part of a pointer, which is not modelled.
        """
        terms, sort = self._terms, bitvec(8 * piece.size)
        address = terms.add(start, terms.bv(piece.offset, terms.width(start)))
        number_bits = max(0, 8 * (piece.first + piece.size) - self._pointers.offset_bits)
        is_part = piece.cell.size > piece.size and 8 * piece.cell.size >= self._pointers.width
        if is_part and number_bits and piece.cell.display is Display.POINTER:
            value = terms.bv(0, 8 * piece.size)
        else:
            value = self._emitter.havoc(sort, Cause.UNSPECIFIED, text)
            if is_part and number_bits:
                width = 8 * piece.size
                number = terms.extract(value, width - 1, max(0, width - number_bits))
                limit = terms.bv(self._pointers.first_object, terms.width(number))
                self._emitter.emit(Assume(terms.ult(number, limit)))
        self._emitter.store(Access(address, sort, text=text), value)

    def _byte_access(self, place: BitFieldPlace, byte: int) -> Access:
        address = self._terms.add(place.address, self._terms.bv(byte, self._terms.width(place.address)))
        low, high = place.location
        location = (low - byte, high - byte)
        return Access(address, bitvec(8), text=place.text, location=location, is_first=place.is_first)

    def _read_bits(self, place: BitFieldPlace) -> Term:
        terms = self._terms
        bytes_ = place.bytes()
        whole = self._emitter.load(self._byte_access(place, bytes_[0]))
        for byte in bytes_[1:]:
            whole = terms.concat(self._emitter.load(self._byte_access(place, byte)), whole)
        shift = place.first - 8 * bytes_[0]
        bits = terms.extract(whole, shift + place.width - 1, shift)
        if isinstance(place.ctype, IntegerType):
            return terms.resize(bits, place.ctype.width, signed=place.ctype.is_signed)
        return terms.ne(bits, terms.bv(0, place.width))

    def _write_bits(self, place: BitFieldPlace, value: Term) -> None:
        terms = self._terms
        if isinstance(place.ctype, IntegerType):
            bits = terms.extract(value, place.width - 1, 0)
        else:
            bits = terms.bool_to_bv(value, place.width)
        for byte in place.bytes():
            access = self._byte_access(place, byte)
            low, high = max(place.first, 8 * byte), min(place.first + place.width, 8 * byte + 8)
            part = terms.extract(bits, high - 1 - place.first, low - place.first)
            if high - low < 8:
                beside = self._emitter.load(replace(access, is_copied=True))
                part = self._merged(beside, part, low - 8 * byte)
            self._emitter.store(access, part)

    def _merged(self, old: Term, part: Term, shift: int) -> Term:
        """``old`` with the bits of ``part`` in place from bit ``shift`` on."""
        terms = self._terms
        top = shift + terms.width(part)
        result = part if shift == 0 else terms.concat(part, terms.extract(old, shift - 1, 0))
        return result if top == 8 else terms.concat(terms.extract(old, 7, top), result)
