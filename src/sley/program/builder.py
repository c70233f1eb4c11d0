"""The one mutable way to make a function: locations and registers are handed out, edges collected."""

from collections.abc import Iterator
from itertools import count

from sley.base.source import Span
from sley.logic.sorts import Sort
from sley.logic.terms import Terms
from sley.program.instructions import Instruction, Register
from sley.program.memory import Display, MemoryObject
from sley.program.names import NOTHING, DeclaredNames
from sley.program.program import Edge, Function, Origin
from sley.program.properties import Failure


class FunctionBuilder:
    """Collects the edges of one function; ``finish`` makes it immutable.

    Register names are made unique by the builder; the register's variable carries the function's name in
    front, so that two functions never share a variable.
    """

    def __init__(self, terms: Terms, name: str, *, locations: Iterator[int] | None = None) -> None:
        self.terms = terms
        self.name = name
        self._locations = locations if locations is not None else count()
        self._names: dict[str, int] = {}
        self.registers: list[Register] = []
        self.objects: list[MemoryObject] = []
        self.edges: list[Edge] = []
        self.errors: dict[int, Failure] = {}
        self.entry = self.location()
        self.exit = self.location()

    def location(self) -> int:
        """A new location."""
        return next(self._locations)

    def unique(self, name: str) -> str:
        """``name``, or ``name.2``, ``name.3``... if it is taken."""
        number, made = self._names.get(name, 0), name
        while made in self._names:
            number += 1
            made = f"{name}.{number}"
        self._names[made] = 1
        self._names[name] = max(number, 1)
        return made

    def register(
        self, name: str, sort: Sort, *, c_name: str = "", display: Display = Display.HIDDEN
    ) -> Register:
        """A new register."""
        unique = self.unique(name)
        term = self.terms.var(f"{self.name}::{unique}", sort)
        made = Register(unique, sort, term, c_name, display)
        self.registers.append(made)
        return made

    def edge(self, source: int, target: int, instruction: Instruction, origin: Origin) -> None:
        """Add an edge."""
        self.edges.append(Edge(source, target, instruction, origin))

    def finish(
        self,
        *,
        c_name: str,
        parameters: tuple[Register, ...] = (),
        result: Sort | None = None,
        span: Span | None = None,
        is_library: bool = False,
        names: DeclaredNames = NOTHING,
    ) -> Function:
        """The function as built so far."""
        return Function(
            name=self.name,
            c_name=c_name,
            parameters=parameters,
            registers=tuple(self.registers),
            objects=tuple(self.objects),
            entry=self.entry,
            exit=self.exit,
            edges=tuple(self.edges),
            result=result,
            span=span,
            is_library=is_library,
            errors=dict(self.errors),
            names=names,
        )
