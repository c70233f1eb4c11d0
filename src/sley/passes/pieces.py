"""How large the scalar is that begins at an address: so copies move in one piece what is one.

A copy whose size or types only the run knows goes from byte to byte, which tears integers apart and cannot
move a pointer. So its model asks before each piece (``__sley_piece``), and this pass answers: by the layouts
of the objects that the address may be in, and by how far behind their start it is. Every answer is right,
since memory is bytes whatever the size of accesses; a good one costs least, and keeps pointers whole. So
nothing rests on how much the analysis of pointers sees.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sley.analyses.objects import Offset
from sley.analyses.pointers import ByteSet, PointsTo
from sley.logic.operators import Op
from sley.logic.sorts import width_of
from sley.logic.terms import Term
from sley.passes.constants import propagate_constants
from sley.passes.untyped import is_question, with_layouts_of_copies
from sley.program import instructions as ir
from sley.program.memory import Layout
from sley.program.program import Edge, Function, Program

PADDING = 16
"""Added to the size of padding."""

MOST_OFFSETS = 64
"""In a layout with more scalars of one size, others are moved byte by byte."""


def settle_pieces(program: Program) -> Program:
    """The flat program without questions of how large scalars are; itself if there are none."""
    if not any(is_question(edge.instruction) for edge in program.edges):
        return program
    program = with_layouts_of_copies(program)
    answers = _Answers(program)
    return propagate_constants(program.mapped(answers.settled))


def in_bytes(program: Program) -> Program:
    """A program with its calls, in which copies go from byte to byte: one answer is right for all callers."""

    def settled(edge: Edge) -> Edge:
        asked = edge.instruction
        if not isinstance(asked, ir.Havoc) or not is_question(asked):
            return edge
        byte = program.terms.bv(1, width_of(asked.target.sort))
        return replace(edge, instruction=ir.Assign(((asked.target, byte),)))

    if not any(is_question(edge.instruction) for edge in program.edges):
        return program
    return program.mapped(lambda function: replace(function, edges=tuple(map(settled, function.edges))))


class _Answers:
    """Answers the questions of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._terms = program.terms
        self._points_to = PointsTo(program)

    def settled(self, function: Function) -> Function:
        """The function without questions."""
        return replace(function, edges=tuple(self._edge(function, edge) for edge in function.edges))

    def _edge(self, function: Function, edge: Edge) -> Edge:
        asked = edge.instruction
        if not isinstance(asked, ir.Havoc) or not is_question(asked):
            return edge
        assert asked.about is not None
        answer = self._size(function, asked.about, width_of(asked.target.sort))
        return replace(edge, instruction=ir.Assign(((asked.target, answer),)))

    def _size(self, function: Function, address: Term, width: int) -> Term:
        """The size of the scalar that begins there in one of the objects, or else of padding."""
        terms, answer = self._terms, self._terms.bv(1, width)
        places = self._points_to.held_by(function.name, address).places
        guards = self._guards(function, address, places)
        for code, starts_in in _CODES.items():
            begins = terms.or_(
                *(
                    terms.and_(guard, self._is_at(address, place.offset, layout, starts_in(layout)))
                    for (layout, place), guard in guards.items()
                )
            )
            answer = terms.ite(begins, terms.bv(code, width), answer)
        return answer

    def _guards(
        self, function: Function, address: Term, places: Sequence[ByteSet]
    ) -> dict[tuple[Layout, ByteSet], Term]:
        """The layouts and places that the address may have, and what holds then, as far as can be told."""
        terms, pointers = self._terms, self._program.pointers
        objects = [self._points_to.objects[place.object] for place in places]
        if len({obj.layout for obj in objects}) <= 1:
            return {(obj.layout, place): terms.true for obj, place in zip(objects, places, strict=True)}
        named: list[Term] = []
        for obj in objects:
            is_known = obj.is_static or obj.template == function.name
            start = obj.declaration.address if obj.declaration is not None and is_known else address
            named.append(terms.eq(*(terms.extract(a, *pointers.object_bits) for a in (address, start))))
        other = terms.not_(terms.or_(*(one for one in named if one != terms.true)))
        return {
            (obj.layout, place): other if is_this == terms.true else is_this
            for obj, place, is_this in zip(objects, places, named, strict=True)
        }

    def _is_at(self, address: Term, offset: Offset, layout: Layout, starts: Sequence[int]) -> Term:
        """Whether the offset is one of these in the layout; of many, only the first are asked for."""
        terms = self._terms
        if offset.modulus % layout.stride == 0:
            return terms.boolean(offset.residue % layout.stride in starts)
        behind = terms.extract(address, *self._program.pointers.place_bits)
        stride, *numbers = (terms.bv(n, terms.width(behind)) for n in (layout.stride, *starts[:MOST_OFFSETS]))
        rest = terms.apply(Op.BVUREM, behind, stride)
        return terms.or_(*(terms.eq(rest, number) for number in numbers))


def _scalars(size: int, layout: Layout) -> list[int]:
    """Where in a layout a scalar of this size begins."""
    return [cell.offset for cell in layout.cells if cell.size == size]


def _padding(size: int, layout: Layout) -> list[int]:
    """Where in a layout so many bytes of padding begin."""
    covered = {byte for cell in layout.cells for byte in range(cell.offset, cell.offset + cell.size)}
    starts = range(0, layout.stride - size + 1, size)
    return [start for start in starts if covered.isdisjoint(range(start, start + size))]


_CODES: Mapping[int, Callable[[Layout], list[int]]] = {
    **{PADDING + size: partial(_padding, size) for size in (1, 2, 4, 8)},
    **{size: partial(_scalars, size) for size in (2, 4, 8)},
}
"""What begins where: of several that may, the last one counts."""
