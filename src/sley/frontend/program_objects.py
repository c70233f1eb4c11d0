"""Objects of the whole program: globals, statics, string literals and the addresses of functions.

An object gets its number, hence its address, when it is first mentioned; what it contains is found out later,
since initialisers may mention further objects.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sley.base.errors import Unsupported
from sley.base.source import Span
from sley.frontend.argument_places import end_of_environment, end_of_modelled
from sley.frontend.attributes import declared_alignment
from sley.frontend.c_types import (
    BYTE,
    INT,
    VOID,
    ArrayType,
    CType,
    FunctionType,
    IntegerType,
    PointerType,
    RecordType,
    VariableSizeError,
    alignment_of,
    is_lowered,
)
from sley.frontend.clang_library import ClangCursor
from sley.frontend.layouts import NoLayoutError, declared_layout, flexible_layout, layout_of
from sley.frontend.library import Library
from sley.frontend.strings import string_elements
from sley.frontend.syntax import Declaration, DeclarationKind, SyntaxNode, TreeReader
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort, bitvec
from sley.logic.terms import Term, Terms
from sley.program.builder import FunctionBuilder
from sley.program.memory import AddressOf, Cell, Display, Layout, MemoryObject, PointerLayout, Storage
from sley.program.program import Function

Key = tuple[str, object]
STREAMS = ("stdin", "stdout", "stderr")
"""Variables of the C library that point to what a model defines."""
_STREAMS_OF_MODEL = {
    "stdin": "sley_standard_input",
    "stdout": "sley_standard_output",
    "stderr": "sley_standard_error",
}
CODE_LAYOUT = Layout((Cell(0, bitvec(8)),), 1)


class Outside(NamedTuple):
    """Which objects there are that texts from outside are in."""

    has_texts: bool = False
    has_environment: bool = False


class ObjectTooLargeError(Exception):
    """An object does not fit into the offsets of the pointer layout in use."""


@dataclass
class PlannedObject:
    """An object that has an address but no contents yet."""

    name: str
    c_name: str
    ctype: CType
    storage: Storage
    address: Term
    declaration: Declaration | None = None
    initial: tuple[tuple[int, int], ...] = ()
    span: Span | None = None
    is_read_only: bool = False
    is_library: bool = False
    size: int | None = None
    """Bytes, where an initialised flexible array member makes the object larger than its type."""

    @property
    def layout(self) -> Layout:
        """Where its scalars are."""
        if self.storage is Storage.CODE:
            return CODE_LAYOUT
        if self.size is not None:
            assert isinstance(self.ctype, RecordType)
            return flexible_layout(self.ctype, self.size)
        return declared_layout(self.ctype)

    def finished(self, pointers: PointerLayout) -> MemoryObject:
        """The object as the program has it."""
        asked = 1 if self.declaration is None else declared_alignment(self.declaration.cursor)
        return MemoryObject(
            name=self.name,
            size=self.size or max(1, self.ctype.size),
            layout=self.layout,
            storage=self.storage,
            address=self.address,
            initial=self.initial,
            c_name=self.c_name,
            span=self.span,
            is_read_only=self.is_read_only,
            alignment=max(asked, alignment_of(self.ctype, pointers.width // 8)),
        )


@dataclass
class ProgramObjects:
    """Hands out addresses; ``undefined`` and ``functions`` are what the linker still has to define."""

    terms: Terms
    pointers: PointerLayout
    library: Library
    keeps_frames: bool = False
    """Whether local pointers of the user are objects: then a state knows all that live frames hold."""
    planned: list[PlannedObject] = field(default_factory=list)
    undefined: list[PlannedObject] = field(default_factory=list)
    """Variables whose initialisers were not looked at yet."""
    mentioned_functions: dict[str, Declaration] = field(default_factory=dict)
    """Functions whose address is taken, by program name."""
    requested: dict[str, tuple[TreeReader, ClangCursor]] = field(default_factory=dict)
    """Definitions that reachable code needs, by program name, in order of the first need."""
    allocated_types: dict[str, CType] = field(default_factory=dict)
    """For copies of functions that allocate memory: what their blocks hold, by program name."""
    outlined: dict[str, Function] = field(default_factory=dict)
    """Functions that were made of statements, by program name."""
    unmodelled_calls: dict[str, list[Span | None]] = field(default_factory=dict)
    """Unmodelled functions with all their calls."""
    stubs: dict[str, str] = field(default_factory=dict)
    """C text to start a model from, for such functions."""
    assumptions: dict[str, None] = field(default_factory=dict)
    """What the answer rests on, in order of the first use."""
    opaque: dict[Term, str] = field(default_factory=dict)
    """Addresses of objects that exist but whose contents we do not model, and what they are."""
    strings: dict[Term, str] = field(default_factory=dict)
    """Addresses of objects that hold strings from outside, and what such a string is."""
    environment: Term | None = None
    """Which of them holds the values of variables of the environment."""
    arguments: dict[Term, tuple[Term, Term]] = field(default_factory=dict)
    """What ``argv`` points to; where its strings are, and where their number is kept."""
    texts: Term | None = None
    """The address of the texts of the library, if the program gets any; found while lowering."""
    foreign: dict[Declaration, str] = field(default_factory=dict)
    """Variables whose contents are not known, and what to say of an access; found while lowering."""
    initial_contents: Callable[[PlannedObject], None] = lambda _: None
    _end_of_globals: PlannedObject | None = None
    _addresses: dict[Key, Term] = field(default_factory=dict)
    _thread_objects: dict[Key, MemoryObject] = field(default_factory=dict)
    _names: dict[str, int] = field(default_factory=dict)
    _variants: dict[tuple[str, CType], str] = field(default_factory=dict)
    _pointer_types: dict[CType, PointerType] = field(default_factory=dict)

    def unmodelled(self) -> tuple[Unsupported, ...]:
        """One reason for each unmodelled function, with its first call and the number of calls."""
        made = []
        for name, places in self.unmodelled_calls.items():
            calls = "call" if len(places) == 1 else f"first of {len(places)} calls"
            what = f"{calls} to `{name}`: no model of this function"
            made.append(Unsupported(what, places[0], self.stubs.get(name, ""), name))
        return tuple(made)

    def pointer_to(self, ctype: CType) -> PointerType:
        """The type of pointers to ``ctype``."""
        known = self._pointer_types.get(ctype)
        if known is None:
            known = PointerType(self.pointers.width // 8, lambda: ctype)
            self._pointer_types[ctype] = known
        return known

    def variant(self, name: str, allocated: CType) -> str:
        """The program name of a copy of a function whose blocks hold values of a type."""
        known = self._variants.get((name, allocated))
        if known is None:
            known = f"{name}.for.{len(self._variants) + 1}"
            self._variants[name, allocated] = known
            self.allocated_types[known] = allocated
        return known

    def unique_name(self, name: str) -> str:
        """A name that no other object has."""
        number = self._names.get(name, 0) + 1
        self._names[name] = number
        return name if number == 1 else f"{name}.{number}"

    def check_size(self, size: int) -> None:
        """Whether an object of so many bytes has room behind a pointer."""
        if size > self.pointers.largest_object:
            raise ObjectTooLargeError

    # --- variables --------------------------------------------------------------------------------

    def variable_address(self, declaration: Declaration, builder: FunctionBuilder, node: SyntaxNode) -> Term:
        """The address of a global, static or thread-local variable."""
        key = self._key(declaration)
        if declaration.is_thread_local:
            return self._thread_address(key, declaration, builder, node)
        known = self._addresses.get(key)
        return known if known is not None else self._plan_variable(key, declaration, node)

    def _key(self, declaration: Declaration) -> Key:
        if declaration.kind is DeclarationKind.STATIC_LOCAL:
            return ("static local", declaration)
        if declaration.is_internal:
            return (declaration.name, declaration.unit.path)
        return (declaration.name, "")

    def _definition(self, declaration: Declaration, node: SyntaxNode) -> Declaration:
        if declaration.kind is DeclarationKind.STATIC_LOCAL:
            return declaration
        found = self.library.variable(declaration)
        if found is None and declaration.name in STREAMS:
            return declaration
        if found is None:
            what = f"the variable `{declaration.name}`, which is declared but not defined"
            if not declaration.is_thread_local:
                self.foreign.setdefault(declaration, f"the contents of {what},")
            raise node.unsupported(what)
        return found

    def plan_foreign(self, declaration: Declaration, what: str) -> None:
        """Give a variable whose contents are not known an address."""
        try:
            layout_of(declaration.ctype)
            ctype = declaration.ctype
        except (NoLayoutError, VariableSizeError):
            ctype = BYTE
        address = self._plan(declaration.name, ctype, Storage.GLOBAL, None).address
        self.foreign[declaration] = what
        self._addresses[self._key(declaration)] = address
        self.opaque[address] = what

    def _plan_variable(self, key: Key, declaration: Declaration, node: SyntaxNode) -> Term:
        aliased = self.library.aliased_variable(declaration)
        if aliased is not None:
            known = self._addresses.get(self._key(aliased))
            address = known if known is not None else self._plan_variable(self._key(aliased), aliased, node)
            self._addresses[key] = address
            return address
        definition = self._definition(declaration, node)
        self._require_layout(definition.ctype, node)
        is_local = definition.kind is DeclarationKind.STATIC_LOCAL
        planned = self._plan(
            f"static.{definition.name}" if is_local else definition.name,
            definition.ctype,
            Storage.GLOBAL,
            definition.unit.span(definition.cursor),
            c_name=definition.name,
        )
        planned.declaration = definition
        planned.is_read_only = definition.is_constant
        planned.is_library = definition.unit.is_library
        if definition.name in STREAMS:
            planned.initial = ((0, self._stream(definition.name, node)),)
        if planned.is_library:
            planned.c_name = ""
        self._addresses[key] = planned.address
        self.undefined.append(planned)
        return planned.address

    def _stream(self, name: str, node: SyntaxNode) -> int:
        """The address of a stream that is open from the start."""
        found = self.library.variable_of_models(_STREAMS_OF_MODEL[name])
        assert found is not None, f"no model defines {name}"
        key = self._key(found)
        known = self._addresses.get(key)
        address = known if known is not None else self._plan_variable(key, found, node)
        number = self.terms.number(address)
        assert number is not None, "the address of a global is a constant"
        return number

    def _require_layout(self, ctype: CType, node: SyntaxNode) -> None:
        self.check_size(ctype.size)
        try:
            layout_of(ctype)
        except NoLayoutError as error:
            raise node.unsupported(str(error)) from None

    def _thread_address(
        self, key: Key, declaration: Declaration, builder: FunctionBuilder, node: SyntaxNode
    ) -> Term:
        made = self._thread_objects.get(key)
        if made is None:
            definition = self._definition(declaration, node)
            self._require_layout(definition.ctype, node)
            name = self.unique_name(f"thread.{definition.name}")
            address = self.terms.var(AddressOf(name), bitvec(self.pointers.width))
            is_library = definition.unit.is_library
            planned = PlannedObject(
                name=name,
                c_name="" if is_library else definition.name,
                ctype=definition.ctype,
                storage=Storage.THREAD,
                address=address,
                declaration=definition,
                span=definition.unit.span(definition.cursor),
                is_library=is_library,
                is_read_only=definition.is_constant,
            )
            self.initial_contents(planned)
            made = planned.finished(self.pointers)
            self._thread_objects[key] = made
        if made not in builder.objects:
            builder.unique(made.name)
            builder.objects.append(made)
        return made.address

    # --- objects whose contents are not modelled --------------------------------------------------

    def opaque_object(self, name: str, ctype: CType, what: str, node: SyntaxNode) -> Term:
        """The address of a new object that whoever accesses it gives up at."""
        self._require_layout(ctype, node)
        address = self._plan(name, ctype, Storage.GLOBAL, node.span).address
        self.opaque[address] = what
        return address

    def opaque_at(self, address: Term, *, is_read: bool) -> Iterator[tuple[Term, str]]:
        """When an address is inside an object that is not modelled, and which one that is.

        What comes from outside can be read: how, is not decided here.
        """
        for start, what in self.opaque.items():
            if is_read and (start in self.strings or start in self.arguments):
                continue
            for is_inside in self.inside(address, start):
                yield is_inside, what

    def offset_of(self, address: Term) -> Term:
        """How far an address is behind the start of its object, as a number of pointer width."""
        offset = self.terms.extract(address, *self.pointers.place_bits)
        return self.terms.resize(offset, self.pointers.width, signed=False)

    def in_modelled_argument(self, address: Term) -> Term:
        """Whether an address is in a string of which a model decides the characters."""
        terms, width = self.terms, self.pointers.width
        ends = {strings: end_of_modelled(self.pointers) for strings, _ in self.arguments.values()}
        if self.environment is not None:
            ends[self.environment] = end_of_environment(self.pointers)
        return terms.or_(
            *(
                terms.and_(is_inside, terms.ult(self.offset_of(address), terms.bv(end, width)))
                for start, end in ends.items()
                for is_inside in self.inside(address, start)
            )
        )

    def unusual_at(self, address: Term) -> Iterator[Term]:
        """When an address is inside an object that comes from outside, or is not modelled."""
        for start in dict.fromkeys((*self.strings, *self.arguments, *self.opaque)):
            yield from self.inside(address, start)

    def inside(self, address: Term, start: Term) -> Iterator[Term]:
        """When an address is inside the object that begins at ``start``, if it can be.

        The upper half of the offsets is outside every object: it is what negative indices lead to.
        """
        based_on = self._base(address)
        if based_on is not None and based_on != self._base(start):
            return
        is_inside = self.terms.eq(self.number_of(address), self.number_of(start))
        if is_inside != self.terms.false and not self.is_local(address):
            yield is_inside

    def _base(self, address: Term) -> int | None:
        """The number of the static object that the form of an address says it is in, or near; 0: in none.

        A step that depends on variables counts if it is guarded: ``in range ? p + i : wild`` reaches no
        other object.
        """
        terms = self.terms
        number = terms.number(address)
        if number is not None:
            return self.pointers.number(number)
        is_guarded = False
        if terms.op(address) is Op.ITE:
            _, address, otherwise = terms.args(address)
            is_guarded = terms.number(otherwise) == self.pointers.wild
            if not is_guarded:
                return None
        if terms.op(address) is not Op.BVADD:
            return self._base(address) if is_guarded else None
        parts = {part: self._base(part) for part in terms.args(address)}
        found = [part for part, base in parts.items() if base]
        is_step = all(part in found or terms.is_const(part) for part in parts)
        return parts[found[0]] if len(found) == 1 and (is_guarded or is_step) else None

    def plan_arguments(self, start: Term, node: SyntaxNode) -> Term:
        """The strings of ``argv``, which points to ``start``; where their number is kept."""
        what = "an argument of the program"
        strings = self.opaque_object("arguments", BYTE, f"the characters of {what}", node)
        self.strings[strings] = what
        count = self._plan("argument count", INT, Storage.GLOBAL, None, c_name="").address
        self.arguments[start] = (strings, count)
        return count

    def plan_environment(self) -> Term:
        """The object that the first values of the environment are in, each a string."""
        if self.environment is None:
            what = "a variable of the environment"
            self.environment = self._plan("environment", BYTE, Storage.GLOBAL, None, c_name="").address
            self.opaque[self.environment] = f"the characters of {what}"
            self.strings[self.environment] = what
        return self.environment

    @property
    def outside(self) -> Outside:
        """Which objects it has that texts from outside are in."""
        return Outside(self.texts is not None, self.environment is not None)

    def plan_outside(self, outside: Outside) -> None:
        """Plan such objects: what reads memory has to know them before."""
        if outside.has_texts:
            self.plan_texts()
        if outside.has_environment:
            self.plan_environment()

    def plan_program_name(self, node: SyntaxNode) -> Term:
        """The string that ``argv[0]`` points to where the other arguments are given."""
        what = "the name of the program"
        start = self.opaque_object("program name", BYTE, f"the characters of {what}", node)
        self.strings[start] = what
        return start

    def filled(self, name: str, ctype: ArrayType, contents: Sequence[int]) -> Term:
        """The address of a new object with these elements; those that are not named are zero."""
        planned = self._plan(name, ctype, Storage.GLOBAL, None)
        planned.initial = tuple((i, value) for i, value in enumerate(contents) if value)
        return planned.address

    def plan_texts(self) -> Term:
        """The object that all texts of the library are in."""
        if self.texts is None:
            planned = self._plan("texts", BYTE, Storage.GLOBAL, None, c_name="")
            planned.is_read_only = True
            self.texts = planned.address
            self.strings[planned.address] = "a text of the library"
        return self.texts

    def share_object(self, one: Term, other: Term) -> Term:
        """Whether two addresses are in one object."""
        named = {self._local(one), self._local(other)}
        if None not in named and len(named) > 1:
            return self.terms.false
        return self.terms.eq(self.number_of(one), self.number_of(other))

    def number_of(self, address: Term) -> Term:
        """Which object an address is in."""
        return self.terms.extract(address, *self.pointers.object_bits)

    def _local(self, address: Term) -> Term | None:
        """The local object that an address is in, if it shows; or the number of another, if it does."""
        if self.terms.is_const(address):
            return self.terms.extract(address, self.pointers.width - 1, self.pointers.offset_bits)
        parts = self.terms.args(address) or (address,)
        return next((p for p in parts if self.terms.is_var(p)), None) if self.is_local(address) else None

    def is_local(self, address: Term) -> bool:
        """Whether an address is that of a local object or of a fixed part of one."""
        parts = self.terms.args(address) or (address,)
        is_sum = self.terms.is_var(address) or self.terms.op(address) is Op.BVADD
        return is_sum and all(
            self.terms.is_const(p) or (self.terms.is_var(p) and isinstance(self.terms.symbol(p), AddressOf))
            for p in parts
        )

    def end_of_globals(self) -> Term:
        """The address of a constant: the number behind those of all globals, known when all are planned."""
        key: Key = ("end of globals", None)
        known = self._addresses.get(key)
        if known is None:
            ctype = IntegerType(self.pointers.width, is_signed=False, display=Display.HIDDEN)
            self._end_of_globals = self._plan("end.of.globals", ctype, Storage.GLOBAL, None, c_name="")
            self._end_of_globals.is_read_only = True
            known = self._addresses[key] = self._end_of_globals.address
        return known

    def finished(self) -> tuple[MemoryObject, ...]:
        """All globals and functions, as the program has them."""
        if self._end_of_globals is not None:
            end = self.pointers.first_object + len(self.planned)
            self._end_of_globals.initial = ((0, 2 * end),)  # as ``number_of`` has it
        return tuple(planned.finished(self.pointers) for planned in self.planned)

    # --- functions, strings, unnamed objects ------------------------------------------------------

    def code_address(self, declaration: Declaration) -> Term:
        """The address of a function; the function becomes part of the program."""
        definition = self.library.function(declaration)
        if definition is not None:
            declaration = definition[0].declaration(definition[1])
        name = self.library.program_name(declaration)
        key: Key = ("code", name)
        known = self._addresses.get(key)
        if known is None:
            known = self._plan(name, declaration.ctype, Storage.CODE, None, c_name=declaration.name).address
            self._addresses[key] = known
            self.mentioned_functions[name] = declaration
            if definition is not None and _is_lowered(*definition):
                self.requested.setdefault(name, definition)
        return known

    def label_address(self, node: SyntaxNode) -> Term:
        """The address of the label that ``&&label`` names: code that nothing but ``goto`` can use."""
        key: Key = ("label", node.label)
        known = self._addresses.get(key)
        if known is None:
            name = node.children[0].name
            planned = self._plan(
                self.unique_name(f"label.{name}"), VOID, Storage.CODE, node.span, c_name=name
            )
            known = self._addresses[key] = planned.address
        return known

    def is_static(self, term: Term) -> bool:
        """Whether a term is the constant address of a static object, or close to one."""
        value = self.terms.number(term)
        if value is None or not isinstance(self.terms.sort(term), BitVecSort):
            return False
        index = self.pointers.number(value + self.pointers.largest_object) - self.pointers.first_object
        return 0 <= index < len(self.planned)

    def function_at(self, address: Term) -> Declaration | None:
        """The function that a constant address is the start of."""
        for name, declaration in self.mentioned_functions.items():
            if self._addresses[("code", name)] == address:
                return declaration
        return None

    def string(self, node: SyntaxNode) -> Term:
        """The address of a string literal; equal ones are one object."""
        ctype = node.ctype
        assert isinstance(ctype, ArrayType)
        assert isinstance(ctype.element, IntegerType)
        elements = string_elements(node, ctype)
        key: Key = ("string", (ctype.element.width, elements))
        known = self._addresses.get(key)
        if known is None:
            planned = self._plan(node.name, ctype, Storage.GLOBAL, node.span)
            planned.initial = tuple((i, value) for i, value in enumerate(elements) if value)
            planned.is_read_only = True
            known = self._addresses[key] = planned.address
        return known

    def unnamed(self, ctype: CType, contents: Mapping[int, int], node: SyntaxNode) -> Term:
        """The address of a new object without a name (a compound literal at file scope)."""
        self._require_layout(ctype, node)
        planned = self._plan("literal", ctype, Storage.GLOBAL, node.span, c_name=node.text)
        planned.initial = tuple(sorted(contents.items()))
        return planned.address

    def _plan(
        self, name: str, ctype: CType, storage: Storage, span: Span | None, *, c_name: str | None = None
    ) -> PlannedObject:
        self.check_size(ctype.size)
        number = self.pointers.first_object + len(self.planned)
        address = self.terms.bv(self.pointers.address(number), self.pointers.width)
        unique = name if storage is Storage.CODE else self.unique_name(name)
        shown = name if c_name is None else c_name
        planned = PlannedObject(unique, shown, ctype, storage, address, span=span)
        self.planned.append(planned)
        return planned


def _is_lowered(reader: TreeReader, cursor: ClangCursor) -> bool:
    ctype = reader.unit.types.of_cursor(cursor)
    return isinstance(ctype, FunctionType) and is_lowered(ctype)
