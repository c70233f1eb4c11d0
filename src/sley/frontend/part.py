"""What the modules that lower parts of expressions have in common."""

from typing import TYPE_CHECKING

from sley.frontend.emitter import Emitter
from sley.frontend.program_objects import ProgramObjects
from sley.logic.terms import Terms

if TYPE_CHECKING:
    from sley.frontend.expressions import Expressions


class Lowering:
    """Lowers a part of the expressions of one function."""

    def __init__(self, expressions: "Expressions") -> None:
        self._expressions = expressions
        self._emitter: Emitter = expressions.emitter
        self._terms: Terms = expressions.terms
        self._objects: ProgramObjects = expressions.objects
        self._width: int = expressions.objects.pointers.width
        """Bits of a pointer."""
        self._begin()

    def _begin(self) -> None:
        """Make what the part keeps of its own."""
