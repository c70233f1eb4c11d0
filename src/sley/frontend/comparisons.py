"""The comparisons that ``qsort`` and ``bsearch`` are given: how often and in which order they run is open.

The models of both functions make certain calls. Where a comparison changes nothing, a program cannot tell
them from others; where it does, what happens is not known.
"""

from collections.abc import Mapping
from dataclasses import replace

from sley.frontend.program_objects import ProgramObjects
from sley.logic.sorts import bitvec
from sley.program import instructions as ir
from sley.program.program import Edge, Function

_CALLERS = ("qsort", "bsearch")
_CHANGES_NOTHING = (ir.Assign, ir.Assume, ir.Check, ir.Enter, ir.Havoc, ir.Leave, ir.Load, ir.Return)


class Comparisons:
    """Which functions of a program can be called any number of times without a difference."""

    def __init__(self, objects: ProgramObjects, functions: Mapping[str, Function]) -> None:
        self._objects = objects
        self._functions = functions
        self._callers = [n for n in _CALLERS if n in functions and functions[n].is_library]

    def checked(self) -> dict[str, Function]:
        """The functions; calls with comparisons that change something give up."""
        if not self._callers:
            return dict(self._functions)
        return {
            name: replace(function, edges=tuple(self._edge(function, edge) for edge in function.edges))
            for name, function in self._functions.items()
        }

    def _edge(self, function: Function, edge: Edge) -> Edge:
        call = edge.instruction
        if not isinstance(call, ir.Call) or call.function not in self._callers:
            return edge
        known = self._objects.function_at(call.arguments[-1])
        names = self._alike() if known is None else [self._objects.library.program_name(known)]
        found = next((name for name in names if not self._changes_nothing(name, frozenset())), None)
        if found is None:
            return edge
        shown = self._functions[found].c_name if found in self._functions else found
        reason = (
            f"`{call.function}` may call `{shown}` any number of times in any order, which makes a difference"
        )
        return replace(edge, target=function.exit, instruction=ir.GiveUp(reason))

    def _alike(self) -> list[str]:
        """The functions whose address is taken and that look like comparisons."""
        pointer = bitvec(self._objects.pointers.width)
        mentioned = [name for name in self._objects.mentioned_functions if name in self._functions]
        return [
            name
            for name in mentioned
            if [p.sort for p in self._functions[name].parameters] == [pointer, pointer]
            and self._functions[name].result == bitvec(32)
        ]

    def _changes_nothing(self, name: str, callers: frozenset[str]) -> bool:
        function = self._functions.get(name)
        if function is None or name in callers:
            return False
        for edge in function.edges:
            match edge.instruction:
                case ir.Call(function=called):
                    if not self._changes_nothing(called, callers | {name}):
                        return False
                case ir.Store(access=access):
                    if not self._objects.is_local(access.address):
                        return False
                case instruction:
                    if not isinstance(instruction, _CHANGES_NOTHING):
                        return False
        return True
