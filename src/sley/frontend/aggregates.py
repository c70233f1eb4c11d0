"""Objects of several scalars: local objects, copies, initialisation of memory."""

from dataclasses import replace

from sley.frontend.attributes import declared_alignment
from sley.frontend.c_types import ArrayType, CType, IntegerType, RecordType, alignment_of, unatomic
from sley.frontend.clang_library import CursorKind
from sley.frontend.initialisers import Initialiser, Unspecified, parts_of
from sley.frontend.layouts import NoLayoutError, cells_of, declared_layout, layout_of
from sley.frontend.part import Lowering
from sley.frontend.places import BitFieldPlace, MemoryPlace, RegisterPlace, member_place, memory_place
from sley.frontend.strings import string_elements
from sley.frontend.syntax import Declaration, SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Access, Leave, MemoryOrder
from sley.program.memory import AddressOf, Cell, MemoryObject, Storage


class Aggregates(Lowering):
    """What the expressions of one function do with whole objects."""

    def _begin(self) -> None:
        self._literals: dict[int | None, MemoryObject] = {}
        self._temporaries: list[MemoryObject] = []

    def local_object(
        self,
        name: str,
        ctype: CType,
        node: SyntaxNode,
        *,
        c_name: str = "",
        declaration: Declaration | None = None,
    ) -> MemoryObject:
        """A new object of the function; it does not live yet."""
        builder = self._emitter.builder
        self._objects.check_size(ctype.size)
        try:
            layout = layout_of(ctype) if declaration is None else declared_layout(ctype)
        except NoLayoutError as error:
            raise node.unsupported(str(error)) from None
        unique = builder.unique(name)
        made = MemoryObject(
            name=unique,
            size=max(1, ctype.size),
            layout=layout,
            storage=Storage.LOCAL,
            address=self._terms.var(AddressOf(unique), bitvec(self._width)),
            c_name=c_name if declaration is None else declaration.name,
            span=node.span,
            is_read_only=declaration is not None and declaration.is_constant,
            alignment=max(declared_alignment(node.cursor), alignment_of(ctype, self._width // 8)),
        )
        builder.objects.append(made)
        return made

    def copy(self, target: MemoryPlace, source: Term, source_text: str, node: SyntaxNode) -> None:
        """Copy a record, scalar by scalar."""
        origin = MemoryPlace(source, target.ctype, source_text)
        for cell in self._cells(target.ctype, node):
            value = self._emitter.load(replace(self._part_access(origin, cell), is_copied=True))
            self._emitter.store(self._part_access(target, cell), value)

    def scalars(self, place: MemoryPlace, node: SyntaxNode) -> list[Term]:
        """The values of all scalars of a record in memory."""
        cells = self._cells(place.ctype, node)
        accesses = (replace(self._part_access(place, cell), is_copied=True) for cell in cells)
        return [self._emitter.load(access) for access in accesses]

    def store_scalars(self, place: MemoryPlace, values: list[Term], node: SyntaxNode) -> None:
        """Fill a record with the values of all its scalars."""
        for cell, value in zip(self._cells(place.ctype, node), values, strict=True):
            self._emitter.store(self._part_access(place, cell), value)

    def loaded(self, place: MemoryPlace, node: SyntaxNode) -> Term:
        """Where a record's value is: the record itself, or a copy made in one step if it is atomic."""
        if place.order is MemoryOrder.PLAIN:
            return place.address
        with self._emitter.section():
            values = self.scalars(place, node)
        copy = self.temporary(place.ctype, node)
        self.store_scalars(copy, values, node)
        return copy.address

    def stored(self, place: MemoryPlace, source: Term, source_text: str, node: SyntaxNode) -> Term:
        """Assign a record; the address of the value that it then has."""
        if place.order is MemoryOrder.PLAIN:
            self.copy(place, source, source_text, node)
            self._expressions.memory.open(place)
            return place.address
        values = self.scalars(MemoryPlace(source, place.ctype, source_text), node)
        with self._emitter.section():
            self.store_scalars(place, values, node)
        return source

    def _cells(self, ctype: CType, node: SyntaxNode) -> tuple[Cell, ...]:
        try:
            return cells_of(ctype)
        except NoLayoutError as error:
            raise node.unsupported(str(error)) from None

    def _part_access(self, place: MemoryPlace, cell: Cell) -> Access:
        offset = self._terms.bv(cell.offset, self._terms.width(place.address))
        address = self._terms.add(place.address, offset)
        return Access(address, cell.sort, place.order, place.text + cell.path, is_first=place.is_first)

    # --- initialisation ---------------------------------------------------------------------------

    def is_partial(self, ctype: CType, node: SyntaxNode) -> bool:
        """Whether an initialiser says nothing about some part of the object, which is then zero."""
        inner = node.inner()
        is_list = inner.kind == CursorKind.INITIALISERS
        return is_list and (isinstance(unatomic(ctype), RecordType | ArrayType) or not inner.children)

    def initialise(self, made: MemoryObject, ctype: CType, node: SyntaxNode) -> None:
        """Evaluate an initialiser and fill a local object that lives already."""
        is_zeroed = self.is_partial(ctype, node)
        text = made.c_name or made.name
        untouched = 0
        for part in parts_of(ctype, node):
            if isinstance(part, Unspecified):
                start = self._terms.add(made.address, self._terms.bv(part.offset, self._width))
                self._expressions.memory.make_unspecified(start, part.piece, text + part.path)
                end = part.bytes.stop
            else:
                self._initialise_part(
                    made, part, text + part.path, is_zeroed=is_zeroed and part.offset >= untouched
                )
                end = part.offset + part.ctype.size
            untouched = max(untouched, end)

    def _initialise_part(self, made: MemoryObject, part: Initialiser, text: str, *, is_zeroed: bool) -> None:
        address = self._terms.add(made.address, self._terms.bv(part.offset, self._terms.width(made.address)))
        plain, is_first = unatomic(part.ctype), made.is_read_only or bool(made.layout.constant)
        if isinstance(plain, ArrayType):
            array = MemoryPlace(address, plain, text, is_first=is_first)
            self._initialise_string(array, part, is_zeroed=is_zeroed)
        elif isinstance(plain, RecordType) and part.bits is None:
            source = self._expressions.value(part.node)
            target = MemoryPlace(address, plain, text, is_first=is_first)
            self.copy(target, source, c_text(part.node), part.node)
        else:
            place = replace(self._part_place(address, part, text), is_first=is_first)
            value = self._expressions.value_as(part.node, plain)
            if not is_zeroed or self._terms.number(value) != 0 or isinstance(place, BitFieldPlace):
                self._expressions.memory.write(place, value)

    def _part_place(self, address: Term, part: Initialiser, text: str) -> MemoryPlace | BitFieldPlace:
        if part.bits is None:
            plain = memory_place(address, part.ctype, text)
            return MemoryPlace(plain.address, plain.ctype, plain.text)
        assert part.bits.bits is not None
        record = RecordType("", 0, is_union=False, _fields=lambda: (part.bits,) if part.bits else ())
        place = member_place(self._terms, address, record, part.bits, text)
        assert not isinstance(place, RegisterPlace)
        return place

    def _initialise_string(self, target: MemoryPlace, part: Initialiser, *, is_zeroed: bool) -> None:
        literal, array, address = part.node.inner(), target.ctype, target.address
        assert isinstance(array, ArrayType)
        if literal.kind != CursorKind.STRING or not isinstance(array.element, IntegerType):
            raise part.node.unsupported(f"this initialiser of an array: `{part.node.text}`")
        width = self._terms.width(address)
        for index, value in enumerate(string_elements(literal, array)):
            if value == 0 and is_zeroed:
                continue
            place = self._terms.add(address, self._terms.bv(index * array.element.size, width))
            text = f"{target.text}[{index}]"
            access = Access(place, array.element.sort, text=text, is_first=target.is_first)
            self._emitter.store(access, self._terms.bv(value, array.element.width))

    def compound_literal(self, node: SyntaxNode) -> MemoryPlace:
        """An unnamed object of the enclosing block."""
        made = self._literals.get(node.cursor.data1)
        if made is None:
            made = self.local_object("literal", node.ctype, node)
            self._literals[node.cursor.data1] = made
        initialiser = node.children[-1]
        self._expressions.scopes.enter(made, is_zeroed=self.is_partial(node.ctype, initialiser))
        self.initialise(made, node.ctype, initialiser)
        return memory_place(made.address, node.ctype, node.text)

    def temporary(self, ctype: CType, node: SyntaxNode) -> MemoryPlace:
        """An object for a record that an expression yields; it lives as long as the block.

        If it has an array, whose address C knows, it ends with the expression (6.2.4p8).
        """
        made = self.local_object("temporary", ctype, node)
        self._expressions.scopes.enter(made, is_zeroed=False)
        if self.is_temporary(node):
            self._temporaries.append(made)
        return MemoryPlace(made.address, ctype, node.text)

    def is_temporary(self, node: SyntaxNode) -> bool:
        """Whether an expression yields a record with an array, hence one that has an address."""
        is_value = node.kind in (CursorKind.CALL, CursorKind.STATEMENT_EXPRESSION)
        return is_value and _has_array(node.ctype)

    def end_temporaries(self) -> None:
        """An expression that is no part of another is complete: what it made for itself ends."""
        for made in reversed(self.set_temporaries([])):
            self._emitter.emit(Leave(made))

    def set_temporaries(self, temporaries: list[MemoryObject]) -> list[MemoryObject]:
        """From now on, these end with the expression; those so far are returned."""
        former, self._temporaries = self._temporaries, temporaries
        return former


def _has_array(ctype: CType) -> bool:
    plain = unatomic(ctype)
    return isinstance(plain, RecordType) and any(
        isinstance(unatomic(field.ctype), ArrayType) or _has_array(field.ctype) for field in plain.fields
    )
