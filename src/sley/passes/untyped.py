"""Memory of bytes gets the layout of what is copied to it and from it.

``malloc(count * size)`` and ``char data[]`` say nothing of what will be there: that shows where elements are
copied. A copy loads a scalar and stores it; what lies around the other place is the layout of an element, and
so the bytes are such elements in a row. Where copies disagree, most of them win.

Memory is bytes whatever its layout: that only says which of them are kept as one, so no choice is wrong.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sley.analyses.objects import AbstractObject, Offset
from sley.analyses.pointers import PointsTo
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Cell, Layout, MemoryObject
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import rewritten

_Element = tuple[tuple[Cell, ...], int]
"""The scalars of what is copied, and its size."""


@dataclass(frozen=True, slots=True)
class _Bytes:
    """Bytes of an object that are nothing but bytes, in each repetition of its layout."""

    object: int
    start: int
    end: int


def copying(program: Program) -> frozenset[str]:
    """The functions that ask for the pieces of what they copy, directly or not, and those that these call."""
    callees = {
        name: {e.instruction.function for e in function.edges if isinstance(e.instruction, ir.Call)}
        for name, function in program.functions.items()
    }
    found = {
        name for name, f in program.functions.items() if any(is_question(e.instruction) for e in f.edges)
    }
    while more := {name for name, called in callees.items() if called & found} - found:
        found |= more
    return frozenset(found.union(*(callees[name] for name in found)))


def is_question(instruction: ir.Instruction) -> bool:
    """Whether an instruction asks how large a scalar is."""
    return isinstance(instruction, ir.Havoc) and instruction.cause is ir.Cause.PIECE


def with_layouts_of_copies(program: Program) -> Program:
    """The flat program in which bytes that elements are copied to and from are such elements."""
    points_to = PointsTo(program)
    layouts = {
        at.object: layout
        for at, element in _Copies(program, points_to).elements().items()
        if (layout := _relaid(points_to.objects[at.object], at, element)) is not None
    }
    return _Relaying(program, points_to, layouts).run() if layouts else program


class _Copies:
    """What is copied to and from bytes."""

    def __init__(self, program: Program, points_to: PointsTo) -> None:
        self._terms = program.terms
        self._points_to = points_to
        self._found: dict[_Bytes, dict[_Element, float]] = {}
        """What is copied to bytes or from them; the more, the fewer places the analysis sees for it."""
        self._among: dict[_Bytes, dict[_Bytes, float]] = {}
        for function in program.functions.values():
            self._look_at(function)

    def elements(self) -> Mapping[_Bytes, _Element]:
        """The bytes that are elements: what is copied among them holds the same."""
        groups = {at: dict(found) for at, found in self._found.items()}
        waiting = list(groups)
        while waiting:
            at = waiting.pop()
            for other, share in self._among.get(at, {}).items():
                known = groups.setdefault(other, {})
                passed = {element: share * weight for element, weight in groups[at].items()}
                better = {e: weight for e, weight in passed.items() if weight > known.get(e, 0)}
                if better:
                    known.update(better)
                    waiting.append(other)
        return {at: _likeliest(found) for at, found in groups.items()}

    def _look_at(self, function: Function) -> None:
        loads: dict[Term, list[ir.Access]] = {}
        for edge in function.edges:
            made = edge.instruction
            if isinstance(made, ir.Load) and (edge.origin.is_library or made.access.is_copied):
                loads.setdefault(made.target.term, []).append(made.access)
        for edge in function.edges:
            if isinstance(edge.instruction, ir.Store):
                for loaded in loads.get(edge.instruction.value, ()):
                    self._copied(function, loaded.address, edge.instruction.access.address)

    def _copied(self, function: Function, source: Term, target: Term) -> None:
        sides = [list(self._places(function, address)) for address in (source, target)]
        for here, there in (sides, reversed(sides)):
            for obj, offset in here:
                at = _bytes_at(obj, offset)
                for other, place in there if at is not None else ():
                    assert at is not None
                    beyond = _bytes_at(other, place)
                    if beyond is not None:
                        self._among.setdefault(at, {})[beyond] = 1 / (len(here) * len(there))
                    elif (element := _element_at(other.layout, place)) is not None:
                        weights = self._found.setdefault(at, {})
                        weights[element] = weights.get(element, 0) + 1 / (len(here) * len(there))

    def _places(self, function: Function, address: Term) -> Iterator[tuple[AbstractObject, Offset]]:
        """Where a copy begins: at the address without what is added to it on the way."""
        steps = [v for v in self._terms.variables(address) if not self._is_pointer(function, v)]
        zeros = {v: self._terms.const(0, self._terms.sort(v)) for v in steps}
        base = self._terms.substitute(address, zeros)
        for obj, offset in self._points_to.held_by(function.name, base).places:
            yield self._points_to.objects[obj], offset

    def _is_pointer(self, function: Function, variable: Term) -> bool:
        is_wide = self._points_to.is_wide(self._terms.sort(variable))
        return is_wide and bool(self._points_to.held_by(function.name, variable).objects)


def _bytes_at(obj: AbstractObject, offset: Offset) -> _Bytes | None:
    """The bytes, and nothing but bytes, around a place of an object."""
    layout = obj.layout
    if layout.constant or (obj.declaration is not None and obj.declaration.is_read_only):
        return None
    is_column = offset.modulus % layout.stride == 0
    if not is_column and any(cell.size > 1 for cell in layout.cells):
        return None
    single = {cell.offset for cell in layout.cells if cell.size == 1}
    start = end = offset.residue % layout.stride if is_column else 0
    while start - 1 in single:
        start -= 1
    while end in single:
        end += 1
    is_all = len(layout.cells) == end - start == layout.stride
    return _Bytes(obj.index, start, end) if end - start > 1 or is_all else None


def _element_at(layout: Layout, offset: Offset) -> _Element | None:
    """What lies there: all of the layout, or the member that begins there, if it has large scalars."""
    at = offset.residue % layout.stride if offset.modulus % layout.stride == 0 else 0
    cells = layout.cells
    if at:
        first = next((cell for cell in cells if cell.offset == at), None)
        if first is None:
            return None
        cells = tuple(cell for cell in cells if cell.offset >= at and _head(cell.path) == _head(first.path))
    end = layout.stride if not at else cells[-1].offset + cells[-1].size
    size = end - at
    size += -size % max(cell.size & -cell.size for cell in cells)
    element = tuple(replace(cell, offset=cell.offset - at) for cell in cells)
    return _shortest(element, size) if any(cell.size > 1 for cell in cells) else None


def _head(path: str) -> str:
    """The first member in a path: ``.item`` of ``.item.key``."""
    return path[:1] + path[1:].partition(".")[0].partition("[")[0]


def _shortest(cells: tuple[Cell, ...], size: int) -> _Element:
    """The element that is repeated, if it is the same again and again."""
    shape = [(cell.offset, cell.sort, cell.display) for cell in cells]
    for count in range(len(cells), 1, -1):
        per, period = len(cells) // count, size // count
        first = shape[:per]
        repeated = [(i * period + at, *rest) for i in range(count) for at, *rest in first]
        if len(cells) % count == 0 and size % count == 0 and [tuple(one) for one in repeated] == shape:
            return tuple(replace(cell, path="") for cell in cells[:per]) if per == 1 else cells[:per], period
    return cells, size


def _likeliest(found: Mapping[_Element, float]) -> _Element:
    """What most speaks for, or something larger that begins like it."""
    best, *others = sorted(found, key=lambda element: -found[element])
    for other in others:
        if best[1] < other[1] and _begins_like(other, best):
            best = other
    return best


def _begins_like(large: _Element, small: _Element) -> bool:
    places = [
        {(cell.offset, cell.size) for cell in cells if cell.offset < small[1]} for cells, _ in (large, small)
    ]
    return places[0] == places[1]


def _relaid(obj: AbstractObject, at: _Bytes, element: _Element) -> Layout | None:
    """The layout with elements in the place of these bytes; None if there is no room for one."""
    cells, size = element
    layout = obj.layout
    is_last = at.end == layout.stride
    if at.start == 0 and is_last and layout.stride < size:
        return Layout(cells, size)  # all bytes
    count = (at.end - at.start) // size
    if count == 0 or at.start % max(cell.size for cell in cells):
        return None
    made = [
        replace(cell, offset=at.start + i * size + cell.offset, path=f"[{i}]{cell.path}")
        for i in range(count)
        for cell in cells
    ]
    rest = at.start + count * size
    before = [cell for cell in layout.cells if cell.offset < at.start]
    behind = [cell for cell in layout.cells if cell.offset >= rest]
    if is_last and obj.size is None:
        return Layout((*before, *made), rest)
    return Layout((*before, *made, *behind), layout.stride)


class _Relaying:
    """Gives objects other layouts."""

    def __init__(self, program: Program, points_to: PointsTo, layouts: Mapping[int, Layout]) -> None:
        self._program = program
        objects = points_to.objects
        self._sites = {objects[at].site: made for at, made in layouts.items() if objects[at].site is not None}
        self._declared: dict[str, dict[str, MemoryObject]] = {}
        for at, layout in layouts.items():
            obj = objects[at]
            if obj.declaration is not None and (made := _declared(obj.declaration, layout)) is not None:
                self._declared.setdefault(obj.template or "", {})[made.name] = made

    def run(self) -> Program:
        objects = self._objects("", self._program.objects)
        return replace(self._program.mapped(self._function), objects=objects)

    def _objects(self, function: str, objects: tuple[MemoryObject, ...]) -> tuple[MemoryObject, ...]:
        changed = self._declared.get(function, {})
        return tuple(changed.get(obj.name, obj) for obj in objects)

    def _function(self, function: Function) -> Function:
        changed = self._declared.get(function.name, {})

        def edge(old: Edge) -> Edge:
            instruction = old.instruction
            if isinstance(instruction, ir.Allocate) and old.source in self._sites:
                return replace(old, instruction=replace(instruction, layout=self._sites[old.source]))
            if isinstance(instruction, ir.Enter | ir.Leave) and instruction.object.name in changed:
                made = rewritten(instruction, memory_object=lambda obj: changed[obj.name])
                return replace(old, instruction=made)
            return old

        objects = self._objects(function.name, function.objects)
        return replace(function, objects=objects, edges=tuple(map(edge, function.edges)))


def _declared(obj: MemoryObject, layout: Layout) -> MemoryObject | None:
    """The object with another layout; None if it begins with something that is not kept as one there."""
    initial: list[tuple[int, int]] = []
    for index, value in obj.initial:
        offset = obj.layout.offset_of(index)
        found = layout.cell_at(offset)
        if found is None or found[1] != obj.layout.cells[index % len(obj.layout.cells)]:
            return None
        initial.append((found[0], value))
    return replace(obj, layout=layout, initial=tuple(initial))
