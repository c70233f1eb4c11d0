"""Functions: parameters, the body, and the ways out."""

from dataclasses import replace

from sley.base.errors import Unsupported
from sley.frontend.attributes import never_returns
from sley.frontend.builtins.verifier import ATOMIC_PREFIX
from sley.frontend.c_types import (
    ArgumentListType,
    CType,
    FunctionType,
    RecordType,
    VoidType,
    has_hidden_argument,
    is_scalar,
    result_sort,
    unatomic,
)
from sley.frontend.clang_library import ClangCursor, CursorKind
from sley.frontend.clang_library import parameters as declared_parameters
from sley.frontend.layouts import cells_of
from sley.frontend.library import ENTRY
from sley.frontend.main_arguments import MainArguments
from sley.frontend.names import names_of
from sley.frontend.outlining import Outlining, lowering
from sley.frontend.places import MemoryPlace, RegisterPlace, memory_place
from sley.frontend.program_objects import ProgramObjects
from sley.frontend.statements import Statements
from sley.frontend.syntax import SyntaxNode, TreeReader, UnsupportedConstructError
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.builder import FunctionBuilder
from sley.program.names import NOTHING, DeclaredNames
from sley.program.program import PROCESS_END, Function
from sley.program.properties import Failure, Property


class FunctionLowering:
    """Makes one function of the program."""

    def __init__(self, objects: ProgramObjects, name: str, reader: TreeReader, cursor: ClangCursor) -> None:
        self.unsupported: list[Unsupported] = []
        """What was found that cannot be lowered."""
        self._objects = objects
        self._name = name
        self._node = reader.read(cursor)
        self._reader = reader
        self._unit = reader.unit
        self._c_name = self._node.name
        self._builder = FunctionBuilder(objects.terms, name)
        self._expressions = lowering(objects, self._builder, self._c_name, is_library=reader.unit.is_library)
        self._emitter, self._scopes = self._expressions.emitter, self._expressions.scopes
        self._expressions.allocated_type = objects.allocated_types.get(name)
        self._statements = Statements(self._expressions, self._scopes, self._node, self._leave)
        outlining = Outlining(objects, self._node, is_library=reader.unit.is_library)
        self._statements.start_thread = outlining.start
        ctype = reader.unit.types.of_cursor(cursor)
        assert isinstance(ctype, FunctionType)
        self._ctype = ctype
        self._returned: ir.Register | None = None
        self._is_atomic = self._c_name.startswith(ATOMIC_PREFIX)

    def run(self) -> Function:
        """The function."""
        parameters: list[ir.Register] = []
        span = self._unit.span(self._node.cursor)
        self._emitter.at(span, self._c_name)
        if self._is_atomic:
            self._emitter.emit(ir.AtomicBegin())
        try:
            parameters = self._parameters()
        except UnsupportedConstructError as error:
            self.unsupported.append(Unsupported(error.what, error.span))
        if self._node in self._reader.makes_stack_blocks:
            self._expressions.blocks.prepare(self._node)
        if self._name == ENTRY:
            self._expressions.automatic.constructors()
        (body,) = (child for child in self._node.children if child.kind == CursorKind.COMPOUND)
        for statement in body.children:
            self._statements.lower(statement)
        if self._emitter.is_live:
            end = replace(span, line=span.end_line, column=max(1, span.end_column - 1))
            self._emitter.at(end if span.end_line else span, f"end of {self._c_name}")
            self._fall_off_the_end()
        self._statements.finish()
        self._require_no_loose_ends()
        return self._builder.finish(
            c_name=self._c_name,
            parameters=tuple(parameters),
            result=result_sort(self._ctype),
            span=span,
            is_library=self._unit.is_library,
            names=NOTHING if self._unit.is_library else self._names(),
        )

    def _names(self) -> DeclaredNames:
        return names_of(self._node, self._expressions.locals, self._builder.objects, self._statements.loops)

    def _require_no_loose_ends(self) -> None:
        """Every location that can be reached is left again: a loose end would hide what comes after it."""
        sources = {edge.source for edge in self._builder.edges}
        loose = [e for e in self._builder.edges if e.target not in sources and e.target != self._builder.exit]
        assert not loose or self.unsupported, f"nothing follows {loose[0]}"

    # --- parameters -------------------------------------------------------------------------------

    def _parameters(self) -> list[ir.Register]:
        own = {cursor.data0 for cursor in declared_parameters(self._node.cursor)}
        nodes = [child for child in self._node.children if child.cursor.data0 in own]
        nodes = [child for child in nodes if child.kind == CursorKind.PARAMETER]
        if len(nodes) != len(self._ctype.parameters):
            raise self._node.unsupported(f"an old-style definition of `{self._c_name}`")
        if self._name == ENTRY:
            MainArguments(self._objects, self._emitter, self._node, self._bind).declare(nodes)
            return []
        pointer = bitvec(self._objects.pointers.width)
        registers: list[ir.Register] = []
        if isinstance(unatomic(self._ctype.result), RecordType):
            self._returned = self._emitter.register("result", pointer)
            registers.append(self._returned)
        incoming = [self._incoming(n, t) for n, t in zip(nodes, self._ctype.parameters, strict=True)]
        registers += [register for registers_of_one in incoming for register in registers_of_one]
        if has_hidden_argument(self._ctype):
            registers.append(self._emitter.register("argument", pointer))
        if self._ctype.is_variadic:
            self._expressions.arguments.incoming = self._emitter.register("arguments", pointer)
            registers.append(self._expressions.arguments.incoming)
        for node, values, passed in zip(nodes, incoming, self._ctype.parameters, strict=True):
            self._bind(node, self._declared(node, values, unatomic(passed)))
        for node in nodes:
            self._expressions.arrays.declare(node)
        return registers

    def _incoming(self, node: SyntaxNode, passed: CType) -> list[ir.Register]:
        """The registers in which a parameter comes; old-style ones are passed promoted."""
        ctype = unatomic(node.declaration.ctype)
        name = node.declaration.name or "unnamed"
        if isinstance(ctype, RecordType):
            return [self._emitter.register(f"{name}{cell.path}", cell.sort) for cell in cells_of(ctype)]
        if not is_scalar(ctype):
            raise node.unsupported(f"a parameter of this type: `{node.text}`")
        sort = self._expressions.sort(ctype)
        if self._expressions.sort(unatomic(passed)) != sort:
            return [self._emitter.register(f"{name}.passed", self._expressions.sort(unatomic(passed)))]
        display = getattr(ctype, "display")  # noqa: B009 - every scalar type has one
        return [self._emitter.register(name, sort, c_name=node.declaration.name, display=display)]

    def _declared(self, node: SyntaxNode, values: list[ir.Register], passed: CType) -> list[ir.Register]:
        """The registers of a parameter in its declared type."""
        ctype = unatomic(node.declaration.ctype)
        if not is_scalar(ctype) or values[0].sort == self._expressions.sort(ctype):
            return values
        name = node.declaration.name
        register = self._emitter.register(name, self._expressions.sort(ctype), c_name=name)
        self._emitter.assign(register, self._expressions.convert(values[0].term, passed, ctype))
        return [register]

    def _bind(self, node: SyntaxNode, values: list[ir.Register]) -> None:
        """Make a parameter known; it becomes an object if its address matters."""
        declaration = node.declaration
        ctype = unatomic(declaration.ctype)
        if self._expressions.is_register(declaration):
            self._expressions.locals[declaration] = RegisterPlace(values[0], ctype)
            return
        name = declaration.name or "unnamed"
        aggregates = self._expressions.aggregates
        made = aggregates.local_object(name, declaration.ctype, node, declaration=declaration)
        self._scopes.enter(made, is_zeroed=False)
        is_first = made.is_read_only or bool(made.layout.constant)
        place = MemoryPlace(made.address, ctype, name, is_first=is_first)
        given = [register.term for register in values]
        if isinstance(ctype, ArgumentListType):
            given = [self._expressions.arguments.take(declaration, given[0])]
        aggregates.store_scalars(place, given, node)
        self._expressions.locals[declaration] = memory_place(made.address, declaration.ctype, name)

    # --- ways out ---------------------------------------------------------------------------------

    def _leave(self, expression: SyntaxNode | None) -> None:
        """``return expression;``."""
        value = None if expression is None else self._result(expression)
        self._return(value)

    def _result(self, expression: SyntaxNode) -> Term | None:
        ctype: CType = unatomic(self._ctype.result)
        if isinstance(ctype, VoidType):
            self._expressions.value(expression)
            return None
        if isinstance(ctype, RecordType):
            assert self._returned is not None
            target = MemoryPlace(self._returned.term, ctype, self._c_name)
            source = self._expressions.value(expression)
            self._expressions.aggregates.copy(target, source, expression.text, expression)
            return None
        if not is_scalar(ctype):
            raise expression.unsupported("a result of this type")
        return self._expressions.value_as(expression, ctype)

    def _return(self, value: Term | None) -> None:
        if not self._unit.is_library and never_returns(self._unit.declarations(self._c_name)):
            frame = "`{}` returns, but is declared not to"
            self._emitter.fail(Failure(Property.MISUSE, "noreturn", "", self._c_name, frame))
        sort = result_sort(self._ctype)
        if value is None and sort is not None:
            value = self._emitter.havoc(sort, ir.Cause.UNINITIALISED, self._c_name)
        self._scopes.leave_down_to(0)
        if self._name == PROCESS_END:
            self._expressions.automatic.destructors()
        if self._is_atomic:
            self._emitter.emit(ir.AtomicEnd())
        self._emitter.end(ir.Return(value))

    def _fall_off_the_end(self) -> None:
        if self._name == ENTRY and result_sort(self._ctype) is not None:
            self._return(self._expressions.literal(0, unatomic(self._ctype.result)))
        else:
            self._return(None)
