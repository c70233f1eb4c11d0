"""Where the names of a function's variables mean them, for whoever writes C about the program."""

from collections.abc import Iterator, Mapping, Sequence

from sley.base.source import Span
from sley.frontend.clang_library import CursorKind
from sley.frontend.places import MemoryPlace, Place, RegisterPlace
from sley.frontend.syntax import Declaration, SyntaxNode
from sley.program.memory import MemoryObject
from sley.program.names import DeclaredNames, contains

_BLOCKS = (CursorKind.FUNCTION, CursorKind.COMPOUND, CursorKind.FOR)
_NAMED = (CursorKind.VARIABLE, CursorKind.PARAMETER, CursorKind.ENUM_CONSTANT, CursorKind.TYPEDEF)


def names_of(
    function: SyntaxNode,
    places: Mapping[Declaration, Place],
    objects: Sequence[MemoryObject],
    loops: Mapping[Span, Span],
) -> DeclaredNames:
    """The names that a function declares; one that an inner block declares again is left out."""
    declared: dict[str, list[tuple[SyntaxNode, Span]]] = {}
    for node, scope in _declared(function):
        declared.setdefault(node.name, []).append((node, scope))
    variables = {made.address: made.name for made in objects}
    scopes: dict[str, Span] = {}
    for same in declared.values():
        for node, scope in same:
            is_hidden = any(contains(scope, other) for one, other in same if one is not node)
            match places.get(node.declaration):
                case RegisterPlace(register=register) if not is_hidden:
                    scopes[register.name] = scope
                case MemoryPlace(address=address) if not is_hidden and address in variables:
                    scopes[variables[address]] = scope
                case _:
                    pass
    return DeclaredNames(scopes, frozenset(declared), dict(loops))


def _declared(function: SyntaxNode) -> Iterator[tuple[SyntaxNode, Span]]:
    """All that is declared inside, each with the rest of its block."""
    waiting = [(function, function.span)]
    while waiting:
        node, block = waiting.pop()
        if node.kind in _NAMED:
            start = node.span
            yield node, Span(start.file, start.line, start.column, block.end_line, block.end_column)
        inner = node.span if node.kind in _BLOCKS else block
        waiting.extend((child, inner) for child in node.children)
