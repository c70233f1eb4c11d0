"""What global variables contain when the program starts."""

from dataclasses import replace

from sley.frontend.c_types import (
    ArrayType,
    BoolType,
    FloatType,
    IntegerType,
    PointerType,
    RecordType,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.emitter import Emitter, Scopes
from sley.frontend.expressions import Expressions
from sley.frontend.initialisers import Part, Unspecified, parts_of
from sley.frontend.layouts import is_flexible, layout_of
from sley.frontend.places import MemoryPlace
from sley.frontend.program_objects import PlannedObject, ProgramObjects
from sley.frontend.strings import string_elements
from sley.frontend.syntax import SyntaxNode, TreeReader
from sley.logic.operators import to_unsigned
from sley.logic.sorts import BoolSort
from sley.logic.terms import Term
from sley.program.builder import FunctionBuilder
from sley.program.instructions import Check
from sley.program.memory import Layout
from sley.program.properties import FLOAT_CONVERSION

Image = dict[int, int]
"""Byte offset -> byte."""


class GlobalInitialisers:
    """Computes initial contents; constant expressions are lowered like any other, but may take no step."""

    def __init__(self, objects: ProgramObjects) -> None:
        self._objects = objects
        self._terms = objects.terms
        builder = FunctionBuilder(objects.terms, "")
        self._emitter = Emitter(builder, c_name="", is_library=False)
        self._expressions = Expressions(self._emitter, Scopes(self._emitter), objects)
        self._expressions.aggregates.compound_literal = self._compound_literal  # type: ignore[method-assign]

    def define(self, planned: PlannedObject, reader: TreeReader) -> None:
        """Find out what a planned variable contains."""
        assert planned.declaration is not None
        initialiser = reader.read(planned.declaration.cursor).initialiser
        if initialiser is not None:
            image = self._image(planned, initialiser)
            if is_flexible(planned.ctype):
                planned.size = max(planned.ctype.size, 1 + max(image, default=0))
            planned.initial = cell_values(planned.layout, image)

    def _image(self, planned: PlannedObject, initialiser: SyntaxNode) -> Image:
        image: Image = {}
        for part in parts_of(planned.ctype, initialiser):
            self._write(image, part)
        return image

    def _write(self, image: Image, part: Part) -> None:
        if isinstance(part, Unspecified):  # zero in every compiler, as the object is static
            for byte in part.bytes:
                image.pop(byte, None)
            return
        plain = unatomic(part.ctype)
        match plain:
            case ArrayType(element=IntegerType() as element):
                literal = part.node.inner()
                if literal.kind != CursorKind.STRING:
                    raise part.node.unsupported(f"this initialiser: `{part.node.text}`")
                # a flexible array is as long as its initialiser
                array = plain if plain.count else literal.ctype
                assert isinstance(array, ArrayType)
                for index, value in enumerate(string_elements(literal, array)):
                    _put(image, part.offset + index * element.size, element.size, value)
            case BoolType() | IntegerType() | FloatType() | PointerType() if part.bits is not None:
                assert part.bits.bits is not None
                first, width = part.bits.bits
                _put_bits(image, 8 * part.offset + first, width, self._number(part.node, plain))
            case BoolType() | IntegerType() | FloatType() | PointerType():
                _put(image, part.offset, plain.size, self._number(part.node, plain))
            case RecordType() if part.node.inner().kind == CursorKind.COMPOUND_LITERAL:
                for inner in parts_of(plain, part.node.inner().children[-1]):
                    self._write(image, replace(inner, offset=part.offset + inner.offset))
            case _:
                raise part.node.unsupported(f"this initialiser: `{part.node.text}`")

    def _number(self, node: SyntaxNode, ctype: BoolType | IntegerType | FloatType | PointerType) -> int:
        value = self._constant_term(node, ctype)
        if value is None:
            constant = node.constant()
            if constant is None:
                raise node.unsupported(f"an initialiser that is not constant: `{node.text}`")
            value = self._expressions.literal(constant, ctype)
        return int(self._terms.value(value))

    def _constant_term(
        self, node: SyntaxNode, ctype: BoolType | IntegerType | FloatType | PointerType
    ) -> Term | None:
        edges = self._emitter.builder.edges
        before = len(edges)
        value = self._expressions.value_as(node, ctype)
        steps = [edge.instruction for edge in edges[before:]]
        del edges[before:]
        if any(isinstance(step, Check) and step.failure.rule == FLOAT_CONVERSION for step in steps):
            raise node.unsupported(f"a number that does not fit: `{node.text}`")
        return value if not steps and self._terms.is_const(value) else None

    def _compound_literal(self, node: SyntaxNode) -> MemoryPlace:
        """At file scope, a compound literal is a global without a name."""
        image: Image = {}
        for part in parts_of(node.ctype, node.children[-1]):
            self._write(image, part)
        contents = dict(cell_values(layout_of(node.ctype), image))
        return MemoryPlace(self._objects.unnamed(node.ctype, contents, node), node.ctype, node.text)


def _put(image: Image, offset: int, size: int, value: int) -> None:
    for byte, content in enumerate(to_unsigned(value, 8 * size).to_bytes(size, "little")):
        image[offset + byte] = content


def _put_bits(image: Image, first: int, width: int, value: int) -> None:
    for bit in range(width):
        byte, position = divmod(first + bit, 8)
        mask = 1 << position
        old = image.get(byte, 0) & ~mask
        image[byte] = old | (mask if value >> bit & 1 else 0)


def cell_values(layout: Layout, image: Image) -> tuple[tuple[int, int], ...]:
    """The cells that are not zero, by index."""
    starts: dict[int, int] = {}
    for position, cell in enumerate(layout.cells):
        for byte in range(cell.size):
            starts[cell.offset + byte] = position
    values: dict[int, int] = {}
    for offset in sorted(offset for offset, content in image.items() if content):
        repetition, rest = divmod(offset, layout.stride)
        position_here = starts.get(rest)
        if position_here is not None:
            cell = layout.cells[position_here]
            index = repetition * len(layout.cells) + position_here
            shift = 8 * (rest - cell.offset)
            values[index] = values.get(index, 0) | (image[offset] << shift)
    cells = layout.cells
    return tuple(
        (index, bool(value) if isinstance(cells[index % len(cells)].sort, BoolSort) else value)
        for index, value in sorted(values.items())
    )
