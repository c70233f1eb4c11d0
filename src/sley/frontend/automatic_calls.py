"""Calls that are not in the text: of constructors, of destructors, and at the end of a variable's scope.

Destructors run at the end of the function that models the end of the process, behind the handlers of
``atexit``.
"""

from sley.frontend.attributes import attribute
from sley.frontend.builtins import HANDLERS
from sley.frontend.c_types import (
    FunctionType,
    PointerType,
    VoidType,
    has_hidden_argument,
    result_sort,
    unatomic,
)
from sley.frontend.emitter import Cleanup
from sley.frontend.library import Definition
from sley.frontend.part import Lowering
from sley.frontend.places import MemoryPlace
from sley.frontend.syntax import SyntaxNode
from sley.logic.terms import Term
from sley.program.instructions import Call
from sley.program.program import HANDLE, SELF

_MAIN_HANDLE = 1


class AutomaticCalls(Lowering):
    """What one function calls without saying so."""

    def constructors(self) -> None:
        """What runs before main; in order of the priorities, then of the text."""
        for definition in self._objects.library.constructors:
            self._call(definition, ())

    def destructors(self) -> None:
        """What runs when main returns or ``exit`` is called: in the opposite order."""
        for definition in reversed(self._objects.library.destructors):
            self._call(definition, ())

    def at_thread_exit(self) -> None:
        """When main ends by itself, its process ends with the last thread: no thread is left to call them."""
        if not self._objects.library.destructors:
            return
        terms = self._emitter.terms
        handle = terms.var(SELF, HANDLE)
        is_main = terms.eq(handle, terms.bv(_MAIN_HANDLE, terms.width(handle)))
        reason = "main ends before the process, which then calls destructors: this is not modelled"
        self._emitter.give_up_if(is_main, reason)

    def cleanup(self, node: SyntaxNode) -> Cleanup | None:
        """What is to be called when a variable with the attribute ``cleanup`` goes out of scope."""
        name = attribute(node.cursor, "cleanup")
        if name is None:
            return None
        declared = node.unit.declarations(name)
        declaration = self._objects.library.reader_of(node.unit).declaration(declared[0])
        definition = self._objects.library.function(declaration)
        is_known = not (name in HANDLERS and not self._objects.library.is_user_function(declaration))
        if definition is None or not is_known:
            raise node.unsupported(f"the attribute `cleanup` with `{name}`, which has no body")
        node.declaration.is_address_taken = True
        text = f"{name}(&{node.declaration.name})"

        def run() -> None:
            former = self._emitter.at(node.span, text)
            place = self._expressions.locals[node.declaration]
            assert isinstance(place, MemoryPlace)
            self._call(definition, (place.address,))
            self._emitter.origin = former

        return Cleanup(run)

    def _call(self, definition: Definition, arguments: tuple[Term, ...]) -> None:
        reader, cursor = definition
        ctype = reader.unit.types.of_cursor(cursor)
        assert isinstance(ctype, FunctionType)
        parameters = [unatomic(parameter) for parameter in ctype.parameters]
        name = self._objects.library.program_name(reader.declaration(cursor))
        fits = len(parameters) == len(arguments) and all(isinstance(p, PointerType) for p in parameters)
        sort = result_sort(ctype)
        returns_nothing = isinstance(ctype.result, VoidType)
        if not fits or ctype.is_variadic or (sort is None and not returns_nothing):
            self._emitter.give_up(f"not modelled: an automatic call of `{name}`, which has another type")
            return
        if has_hidden_argument(ctype):
            arguments = (*arguments, self._emitter.terms.bv(0, self._objects.pointers.width))
        self._objects.requested.setdefault(name, definition)
        self._emitter.result_of(sort, lambda target: Call(target, name, arguments))
