"""Context sensitivity: in which contexts the functions of a program are looked at, and which one a call gets.

Calls are told apart by where they are, by the locks that are held, and by what their arguments
point to, as long as a function has few contexts; then by locks alone, then not at all. What the
library repeats is looked at once for all calls, and what it puts somewhere once for each call.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

from sley.engines.abstract.thresholds import (
    FEWER_MAKERS,
    FEWER_MAKERS_FROM,
    LOCKED_FACTOR,
    MANY_CONTEXTS,
    MOST_CONTEXTS,
    MOST_LIBRARY_CONTEXTS,
    MOST_MAKERS,
)
from sley.program import instructions as ir
from sley.program.program import Edge, Program
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.state import AbstractState
from sley.semantics.abstract.walk import FunctionGraph

ALL_SITES, ONE_SITE = "all sites", "one site"
"""In the key of a context of the library: for all calls, or for one."""


class Contexts:
    """The contexts so far."""

    def __init__(self, program: Program, graph: Callable[[str], FunctionGraph]) -> None:
        self.program = program
        self.graph = graph
        self.listed: list[Context] = []
        self.for_all: set[int] = set()
        """Those of library functions that repeat something, for all calls ..."""
        self.for_one: set[int] = set()
        """... and those of one call of a library function."""
        self._keys: dict[object, Context] = {}
        self._count: dict[object, int] = {}
        self._own = 0
        """Contexts of functions that are not of the library."""
        self._by_function: dict[str, int] = {}
        self._loops: dict[str, bool] = {}

    def get(self, key: object, function: str, thread: int | None) -> Context:
        """The context with a key; a new one is the last that is listed."""
        found = self._keys.get(key)
        if found is None:
            index = len(self.listed)
            found = self._keys[key] = Context(index, function, thread, self._has_many_makers(function))
            self.listed.append(found)
            self._by_function[function] = self._by_function.get(function, 0) + 1
            self._own += not self.program.functions[function].is_library
            kind = key[-1] if isinstance(key, tuple) else None
            if kind == ALL_SITES:
                self.for_all.add(index)
            if kind == ONE_SITE:
                self.for_one.add(index)
        return found

    def of_call(self, caller: Context, edge: Edge, function: str, entry: AbstractState) -> Context:
        """The context of a call that enters a function in a state."""
        return self.get(self._key(caller, edge, function, entry), function, caller.thread)

    def _key(self, caller: Context, edge: Edge, function: str, entry: AbstractState) -> object:
        is_library = self.program.functions[function].is_library
        general = (function, caller.thread, entry.depth, entry.is_early)
        if is_library and self._is_by_site(caller, function, entry):
            key: object = (*general, caller.index, edge.source, entry.held, ONE_SITE)
            if self._is_free(key, general, MOST_LIBRARY_CONTEXTS):
                return key
        if self.is_long(function):
            return (*general, entry.held, ALL_SITES)
        is_told_apart = function in self._makes and not self._has_many_makers(function)
        site = (caller.index, edge.source) if is_told_apart else None
        arguments = tuple(
            tuple(
                (reference, offset.residue if offset.modulus == 0 and is_library else None)
                for reference, offset in value.places
            )
            for value in entry.registers.values()
        )
        most = MOST_LIBRARY_CONTEXTS if is_library else self._most
        exact, locked = (*general, site, entry.held, arguments), (*general, entry.held)
        for key, limit in ((exact, most), (locked, LOCKED_FACTOR * most)):
            if self._is_free(key, general, limit):
                return key
        return general

    def _is_free(self, key: object, general: object, limit: int) -> bool:
        """Whether there is a context with a key, or room for it."""
        if key in self._keys:
            return True
        count = self._count.get(general, 0)
        if count < limit:
            self._count[general] = count + 1
        return count < limit

    @property
    def _most(self) -> int:
        return MOST_CONTEXTS if self._own < MANY_CONTEXTS else 1

    @cached_property
    def _makes(self) -> set[str]:
        return set(_makers(self.program))

    def _has_many_makers(self, function: str) -> bool:
        """Whether further contexts of a function share the objects that are made in them."""
        most = MOST_MAKERS if self._own < FEWER_MAKERS_FROM else FEWER_MAKERS
        return function in self._makes and self._by_function.get(function, 0) >= most

    def is_long(self, function: str) -> bool:
        """Whether the library repeats something there: what it is called with matters little to users."""
        return self.program.functions[function].is_library and bool(self.graph(function).on_cycle)

    def _is_by_site(self, caller: Context, function: str, entry: AbstractState) -> bool:
        """Whether each call has a context of its own: how far a loop goes, or where something is put."""
        values = entry.registers.values()
        is_given_address = any(value.places for value in values)
        is_given_number = any(
            not value.places and value.number is not None and value.number.modulus for value in values
        )
        if is_given_address and (is_given_number or self._reaches_loop(function)):
            return True
        return caller.index in self.for_one

    def _reaches_loop(self, function: str) -> bool:
        """Whether something is repeated there, or in what is called there."""
        found = self._loops.get(function)
        if found is None:
            self._loops[function] = False  # for recursion
            edges = self.program.functions[function].edges
            called = {edge.instruction.function for edge in edges if isinstance(edge.instruction, ir.Call)}
            found = bool(self.graph(function).on_cycle) or any(map(self._reaches_loop, sorted(called)))
            self._loops[function] = found
        return found


def _makers(program: Program) -> Iterator[str]:
    """The functions that make blocks or threads."""
    for function in program.functions.values():
        makes = ir.Allocate | ir.Create | ir.CreatePointer
        if any(isinstance(edge.instruction, makes) for edge in function.edges):
            yield function.name
