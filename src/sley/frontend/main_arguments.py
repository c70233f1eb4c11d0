"""The parameters of ``main``: as the user says, or any that there may be."""

import os
from collections.abc import Callable, Sequence

from sley.frontend.argument_places import most_arguments
from sley.frontend.c_types import INT, ArrayType, IntegerType, PointerType, unatomic
from sley.frontend.clang_library import CursorKind
from sley.frontend.emitter import Emitter
from sley.frontend.program_objects import ProgramObjects
from sley.frontend.syntax import SyntaxNode
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Display

AT_LEAST_ONE = "the program is started with a name: argc is at least 1"
ARGUMENT_COUNT = "the number of arguments"
"""What the value of ``argc`` is, where it is any."""
_CHARACTER = IntegerType(8, is_signed=True, display=Display.CHAR)
_Bind = Callable[[SyntaxNode, list[ir.Register]], None]


class MainArguments:
    """Makes the parameters of one ``main``, each known by ``bind`` from then on."""

    def __init__(self, objects: ProgramObjects, emitter: Emitter, function: SyntaxNode, bind: _Bind) -> None:
        self._objects, self._emitter, self._function, self._bind = objects, emitter, function, bind
        self._given = objects.library.options.arguments

    def declare(self, parameters: Sequence[SyntaxNode]) -> None:
        """How many there are, the arguments and the environment, as far as there are parameters for it."""
        count: ir.Register | None = None
        pointers = []
        self._note_assumption(parameters)
        for node in parameters:
            ctype = unatomic(node.declaration.ctype)
            if isinstance(ctype, IntegerType) and count is None:
                count = self._count(node, ctype)
            elif isinstance(ctype, PointerType):
                pointers.append((node, ctype))
        for position, (node, ctype) in enumerate(pointers):
            if self._is_mentioned(node):
                self._declare_pointer(node, ctype, count, is_environment=position > 0)

    def _declare_pointer(
        self, node: SyntaxNode, ctype: PointerType, count: ir.Register | None, *, is_environment: bool
    ) -> None:
        name = node.declaration.name
        register = self._emitter.register(name, ctype.sort, c_name=name, display=ctype.display)
        if is_environment:
            what = "the variables of the environment"
            self._emitter.assign(register, self._objects.opaque_object(name, ctype.pointee, what, node))
        elif self._given is not None:
            self._emitter.assign(register, self._given_strings(name, self._given, node))
        else:
            self._free_strings(register, ctype, count, node)
        self._bind(node, [register])

    # --- as the user says -------------------------------------------------------------------------

    def _given_strings(self, name: str, given: Sequence[str], node: SyntaxNode) -> Term:
        """``argv``: the unknown name of the program, the strings that are given, and null."""
        objects = self._objects
        size = objects.pointers.width // 8
        own_name = objects.plan_program_name(node)
        starts = [own_name] + [self._string(f"{name}[{i}]", text) for i, text in enumerate(given, start=1)]
        ctype = ArrayType(objects.pointer_to(_CHARACTER), len(starts) + 1, (len(starts) + 1) * size)
        numbers = [objects.terms.number(start) for start in starts]
        return objects.filled(name, ctype, [number or 0 for number in numbers])

    def _string(self, name: str, text: str) -> Term:
        content = os.fsencode(text)
        size = len(content) + 1
        return self._objects.filled(name, ArrayType(_CHARACTER, size, size), content)

    # --- any --------------------------------------------------------------------------------------

    def _free_strings(
        self, register: ir.Register, ctype: PointerType, count: ir.Register | None, node: SyntaxNode
    ) -> None:
        """``argv``: so many strings from outside, and null."""
        objects = self._objects
        start = objects.opaque_object(register.c_name, ctype.pointee, "the arguments of the program", node)
        self._emitter.assign(register, start)
        if count is not None:
            address = objects.plan_arguments(start, node)
            self._emitter.step(ir.Store(ir.Access(address, INT.sort, text="argc"), count.term))
            self._assume_few(count)

    def _assume_few(self, count: ir.Register) -> None:
        """There is room for so many arguments in the object that stands for them; mostly for all."""
        objects = self._objects
        most = most_arguments(objects.pointers)
        if most >= 1 << (INT.width - 1):
            return
        terms = objects.terms
        self._emitter.emit(ir.Assume(terms.slt(count.term, terms.bv(most, INT.width))))
        objects.assumptions.setdefault(f"the program has fewer than {most} arguments")

    # --- their number -----------------------------------------------------------------------------

    def _count(self, node: SyntaxNode, ctype: IntegerType) -> ir.Register:
        terms = self._objects.terms
        name = node.declaration.name or "argc"
        register = self._emitter.register(
            name, ctype.sort, c_name=node.declaration.name, display=ctype.display
        )
        if self._given is not None:
            self._emitter.assign(register, terms.bv(len(self._given) + 1, ctype.width))
        else:
            self._emitter.emit(ir.Havoc(register, ir.Cause.INPUT, ARGUMENT_COUNT))
            fewest = 0 if self._objects.library.options.argc_may_be_zero else 1
            self._emitter.emit(ir.Assume(terms.sle(terms.bv(fewest, ctype.width), register.term)))
        self._bind(node, [register])
        return register

    def _note_assumption(self, parameters: Sequence[SyntaxNode]) -> None:
        is_assumed = self._given is None and not self._objects.library.options.argc_may_be_zero
        if is_assumed and any(map(self._is_mentioned, parameters)):
            self._objects.assumptions.setdefault(AT_LEAST_ONE)

    def _is_mentioned(self, parameter: SyntaxNode) -> bool:
        return any(
            node.kind == CursorKind.REFERENCE and node.declaration is parameter.declaration
            for node in self._function.walk()
        )
