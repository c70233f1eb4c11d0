"""Textual form (see ``notation``) -> Program; errors are ``InputError`` with line and column."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from sley.base.errors import Unsupported
from sley.logic.sorts import BOOL, I32, Sort, bitvec, width_of
from sley.logic.terms import Term, Terms
from sley.program.instructions import (
    Access,
    Allocate,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Await,
    Call,
    CallPointer,
    CallUnmodelled,
    Cause,
    Check,
    Create,
    CreatePointer,
    Detach,
    End,
    Ending,
    Enter,
    Exit,
    Fault,
    Faulty,
    Fence,
    Free,
    GiveUp,
    Havoc,
    Instruction,
    Join,
    Leave,
    Load,
    Lock,
    Order,
    Register,
    Return,
    Store,
    Unlock,
    Update,
)
from sley.program.memory import AddressOf, Display, Layout, MemoryObject, PointerLayout, Storage
from sley.program.notation import POINTER_LAYOUTS
from sley.program.origin_parser import parse_origin, parse_span
from sley.program.program import HANDLE, ID, SELF, Edge, Function, Program
from sley.program.properties import Failure, Property
from sley.program.term_parser import (
    TermParser,
    parse_display,
    parse_layout,
    parse_sized_layout,
    parse_sort,
)
from sley.program.tokens import Cursor, TokenKind, tokenise

_Member = TypeVar("_Member", bound=Enum)


def parse_program(text: str, file: str = "<program>") -> Program:
    """The program that ``text`` describes."""
    return _ProgramParser(Cursor(tokenise(text, file), file)).program()


@dataclass
class _Names:
    """What names mean at the top level."""

    terms: Terms
    pointers: PointerLayout
    addresses: dict[str, Term]


class _ProgramParser:
    """Reads declarations; bodies of functions are read by ``_FunctionParser``."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.entry = "main"
        self.keeps_frames = False
        self.assumptions: list[str] = []
        self.unmodelled: list[Unsupported] = []
        self.objects: list[MemoryObject] = []
        self.functions: dict[str, Function] = {}

    def program(self) -> Program:
        cursor = self.cursor
        if cursor.token.kind is TokenKind.NEWLINE:
            cursor.position += 1
        cursor.expect("program")
        pointers = self._pointer_layout()
        cursor.take(TokenKind.NEWLINE)
        self.names = _Names(Terms(), pointers, {})
        self._number_objects()
        while cursor.token.kind is not TokenKind.END:
            self._declaration()
        if self.entry not in self.functions:
            raise cursor.error(f"no function is named {self.entry!r}")
        return Program(
            terms=self.names.terms,
            functions=self.functions,
            objects=tuple(self.objects),
            entry=self.entry,
            pointers=pointers,
            assumptions=tuple(self.assumptions),
            unmodelled=tuple(self.unmodelled),
            keeps_frames=self.keeps_frames,
        )

    def _pointer_layout(self) -> PointerLayout:
        token = self.cursor.token
        if token.kind is TokenKind.NUMBER:
            width, offset_bits = self.cursor.number(), self.cursor.number()
            if not 0 < offset_bits <= width - 5:  # room for a few objects
                raise self.cursor.error(f"no pointer has {width} bits, {offset_bits} of them offset", token)
            return PointerLayout(width, offset_bits)
        layout = POINTER_LAYOUTS.get(self.cursor.word("a data model"))
        if layout is None:
            raise self.cursor.error(f"unknown data model {token.text!r}", token)
        return layout

    def _number_objects(self) -> None:
        """Give all global objects their addresses first, so that they can be used before their line."""
        tokens = self.cursor.tokens
        for before, at, following in zip(tokens, tokens[1:], tokens[2:], strict=False):
            is_start = before.kind is TokenKind.NEWLINE and at.kind is TokenKind.NAME
            if is_start and at.text in ("global", "code"):
                name = Cursor([following], self.cursor.file).name("the name of an object")
                if name in self.names.addresses:
                    raise self.cursor.error(f"two objects are named {name!r}", following)
                pointers = self.names.pointers
                number = pointers.first_object + len(self.names.addresses)
                address = self.names.terms.bv(pointers.address(number), pointers.width)
                self.names.addresses[name] = address

    def _declaration(self) -> None:
        cursor, token = self.cursor, self.cursor.token
        match cursor.word("a declaration"):
            case "start":
                self.entry = cursor.name()
            case "keeps_frames":
                self.keeps_frames = True
            case "assumption":
                self.assumptions.append(cursor.string())
            case "unmodelled":
                self.unmodelled.append(Unsupported(cursor.string(), parse_span(cursor)))
            case "global":
                self.objects.append(_parse_object(cursor, Storage.GLOBAL, self.names))
            case "code":
                self.objects.append(_parse_object(cursor, Storage.CODE, self.names))
            case "thread" | "function":
                function = _FunctionParser(cursor, self.names).function()
                if function.name in self.functions:
                    raise cursor.error(f"two functions are named {function.name!r}", token)
                self.functions[function.name] = function
            case other:
                raise cursor.error(f"unknown declaration {other!r}", token)
        cursor.take(TokenKind.NEWLINE)


def _parse_object(cursor: Cursor, storage: Storage, names: _Names) -> MemoryObject:
    """The declaration of an object, after its storage word."""
    name = cursor.name("the name of an object")
    layout, size = Layout((), 1), 1
    if storage is not Storage.CODE or cursor.is_at(":"):
        cursor.expect(":")
        layout, size = parse_sized_layout(cursor)
    initial = _parse_initial(cursor, layout, names) if cursor.accept("=") else ()
    is_read_only = cursor.accept("readonly")
    alignment = cursor.number("an alignment") if cursor.accept("align") else 1
    c_name = cursor.string() if cursor.accept("as") else ""
    if storage in (Storage.GLOBAL, Storage.CODE):
        address = names.addresses[name]
    else:
        address = names.terms.var(AddressOf(name), bitvec(names.pointers.width))
    span = parse_span(cursor)
    return MemoryObject(name, size, layout, storage, address, initial, c_name, span, is_read_only, alignment)


def _parse_initial(cursor: Cursor, layout: Layout, names: _Names) -> tuple[tuple[int, int], ...]:
    values: list[tuple[int, int]] = []
    if cursor.accept("{"):
        while not cursor.is_at("}"):
            if values:
                cursor.expect(",")
            index = cursor.number("the index of a cell")
            cursor.expect(":")
            values.append((index, _parse_value(cursor, layout, index, names)))
        cursor.expect("}")
    else:
        values.append((0, _parse_value(cursor, layout, 0, names)))
    return tuple((index, value) for index, value in values if value)


def _parse_value(cursor: Cursor, layout: Layout, index: int, names: _Names) -> int:
    if not layout.cells:
        raise cursor.error("the object has no cells")
    if cursor.accept("&"):
        parser = TermParser(
            cursor,
            names.terms,
            variables={},
            addresses=names.addresses,
            self_handle=names.terms.true,
        )
        value = names.terms.number(parser.place())
        assert value is not None
        return value
    width = width_of(layout.cells[index % len(layout.cells)].sort)
    return cursor.number("a value") & ((1 << width) - 1)


def _parse_failure(cursor: Cursor) -> Failure:
    """``reach assertion "assertion can fail"``."""
    return Failure(_member(cursor, Property, "a property"), cursor.name("a rule"), cursor.string())


def _member(cursor: Cursor, members: type[_Member], what: str) -> _Member:
    token = cursor.token
    try:
        return members(cursor.word(what))
    except ValueError as wrong:
        raise cursor.error(f"expected {what}, found {token.text!r}", token) from wrong


class _FunctionParser:
    """Reads one function."""

    def __init__(self, cursor: Cursor, names: _Names) -> None:
        self.cursor = cursor
        self.names = names
        self.registers: dict[str, Register] = {}
        self.variables: dict[str, Term] = {ID: names.terms.var(ID, HANDLE)}
        self.objects: dict[str, MemoryObject] = {}
        self.addresses = dict(names.addresses)
        self.errors: dict[int, Failure] = {}
        self.edges: list[Edge] = []
        self.limits: dict[str, int] = {}
        self.name = ""
        self.instruction_parser = _InstructionParser(self)

    def function(self) -> Function:
        """From the name to the closing brace."""
        cursor = self.cursor
        start = cursor.token
        self.name = cursor.name("the name of a function")
        parameters = self._parameters()
        result = parse_sort(cursor) if cursor.accept("->") else None
        c_name = cursor.string() if cursor.accept("as") else self.name
        is_library = cursor.accept("library")
        cursor.expect("{")
        span = parse_span(cursor)
        cursor.take(TokenKind.NEWLINE)
        while not cursor.accept("}"):
            self._line()
            cursor.take(TokenKind.NEWLINE)
        if set(self.limits) != {"entry", "exit"}:
            raise cursor.error(f"function {self.name!r} needs a line `entry N exit M`", start)
        return Function(
            name=self.name,
            c_name=c_name,
            parameters=parameters,
            registers=tuple(self.registers.values()),
            objects=tuple(self.objects.values()),
            entry=self.limits["entry"],
            exit=self.limits["exit"],
            edges=tuple(self.edges),
            result=result,
            span=span,
            is_library=is_library,
            errors=self.errors,
        )

    def _parameters(self) -> tuple[Register, ...]:
        cursor = self.cursor
        parameters: list[Register] = []
        if cursor.accept("("):
            while not cursor.is_at(")"):
                if parameters:
                    cursor.expect(",")
                parameters.append(self._register())
            cursor.expect(")")
        return tuple(parameters)

    def _register(self) -> Register:
        cursor, token = self.cursor, self.cursor.token
        name = cursor.name("the name of a register")
        if name in self.registers:
            raise cursor.error(f"two registers are named {name!r}", token)
        cursor.expect(":")
        sort = parse_sort(cursor)
        display = parse_display(cursor)
        c_name = cursor.string() if cursor.accept("as") else ""
        if display is None:
            display = Display.SIGNED if c_name else Display.HIDDEN
        variable = self.names.terms.var(f"{self.name}::{name}", sort)
        register = Register(name, sort, variable, c_name, display)
        self.registers[name] = register
        self.variables[name] = variable
        return register

    def _line(self) -> None:
        cursor, token = self.cursor, self.cursor.token
        if token.kind is TokenKind.NUMBER:
            self._edge()
            return
        match cursor.word("a line of a function"):
            case "reg":
                self._register()
            case "local":
                self._local_object(Storage.LOCAL)
            case "thread_local":
                self._local_object(Storage.THREAD)
            case "entry":
                self.limits["entry"] = cursor.number("a location")
                if cursor.accept("exit"):
                    self.limits["exit"] = cursor.number("a location")
            case "exit":
                self.limits["exit"] = cursor.number("a location")
            case "error":
                location = cursor.number("a location")
                cursor.expect(":")
                self.errors[location] = _parse_failure(cursor)
            case other:
                raise cursor.error(f"unknown line {other!r}", token)

    def _local_object(self, storage: Storage) -> None:
        token = self.cursor.token
        made = _parse_object(self.cursor, storage, self.names)
        if made.name in self.objects:
            raise self.cursor.error(f"two local objects are named {made.name!r}", token)
        self.objects[made.name] = made
        self.addresses[made.name] = made.address

    def _edge(self) -> None:
        cursor = self.cursor
        source = cursor.number("a location")
        cursor.expect("->")
        target = cursor.number("a location")
        cursor.expect(":")
        instruction = self.instruction_parser.instruction()
        self.edges.append(Edge(source, target, instruction, parse_origin(cursor)))


class _InstructionParser:
    """Reads instructions over what its function has declared so far."""

    def __init__(self, function: _FunctionParser) -> None:
        self.function = function
        self.cursor = function.cursor
        self.terms = function.names.terms
        self.term_parser = TermParser(
            self.cursor,
            self.terms,
            variables=function.variables,
            addresses=function.addresses,
            self_handle=self.terms.var(SELF, HANDLE),
        )

    def instruction(self) -> Instruction:
        cursor, token = self.cursor, self.cursor.token
        following = cursor.peek()
        if token.kind in (TokenKind.NAME, TokenKind.STRING) and following.text == ":=":
            return self._assign()
        reader = _READERS.get(cursor.word("an instruction"))
        if reader is None:
            raise cursor.error(f"unknown instruction {token.text!r}", token)
        return reader(self)

    # --- parts ----------------------------------------------------------------------------------

    def term(self, sort: Sort | None = None) -> Term:
        token = self.cursor.token
        term = self.term_parser.term()
        found = self.terms.sort(term)
        if sort is not None and found != sort:
            raise self.cursor.error(f"expected a term of sort {sort}, found {found}", token)
        return term

    def comma(self) -> None:
        self.cursor.expect(",")

    def register(self) -> Register:
        token = self.cursor.token
        name = self.cursor.name("a register")
        register = self.function.registers.get(name)
        if register is None:
            raise self.cursor.error(f"no register is named {name!r}", token)
        return register

    def target(self) -> Register:
        register = self.register()
        self.comma()
        return register

    def optional_target(self) -> Register | None:
        return self.target() if self.cursor.peek().text == "," else None

    def access(self, sort: Sort) -> Access:
        cursor, start = self.cursor, self.cursor.token
        pointer = bitvec(self.function.names.pointers.width)
        address = self.term(pointer) if cursor.accept("*") else self.term_parser.place()
        if cursor.is_at(":"):
            cursor.expect(":")
            sort = parse_sort(cursor)
        order = _member(cursor, Order, "a memory order") if cursor.accept("@") else Order.PLAIN
        location = (cursor.number(), cursor.number()) if cursor.accept("bytes") else None
        is_first = cursor.accept("first")
        if self.terms.sort(address) != pointer:
            raise cursor.error(f"an address has sort {pointer}", start)
        return Access(address, sort, order, cursor.optional_string(), location, is_first)

    def arguments(self) -> tuple[Term, ...]:
        cursor = self.cursor
        arguments: list[Term] = []
        cursor.expect("(")
        while not cursor.is_at(")"):
            if arguments:
                self.comma()
            arguments.append(self.term())
        cursor.expect(")")
        return tuple(arguments)

    def object(self) -> MemoryObject:
        token = self.cursor.token
        name = self.cursor.name("a local object")
        found = self.function.objects.get(name)
        if found is None:
            raise self.cursor.error(f"no local object is named {name!r}", token)
        return found

    def optional_term(self) -> Term | None:
        is_over = self.cursor.token.kind in (TokenKind.NEWLINE, TokenKind.ORIGIN)
        return None if is_over else self.term()

    # --- instructions that need more than one line -----------------------------------------------

    def _assign(self) -> Assign:
        assignments: list[tuple[Register, Term]] = []
        while True:
            register = self.register()
            self.cursor.expect(":=")
            assignments.append((register, self.term(register.sort)))
            if not self.cursor.accept(","):
                return Assign(tuple(assignments))

    def store(self) -> Store:
        """The access gets its sort from the value, which comes later."""
        access = self.access(I32)
        self.comma()
        value = self.term()
        return Store(replace(access, sort=self.terms.sort(value)), value)

    def update(self) -> Update:
        target = self.target()
        access = self.access(target.sort)
        self.comma()
        return Update(target, access, self.term(target.sort))

    def allocate(self) -> Allocate:
        target = self.target()
        size = self.term()
        self.comma()
        layout = parse_layout(self.cursor)
        is_zeroed = self.cursor.accept("zeroed")
        alignment = self.cursor.number("an alignment") if self.cursor.accept("align") else 1
        return Allocate(target, size, layout, is_zeroed, self.cursor.optional_string(), alignment)

    def load(self) -> Load:
        target = self.target()
        return Load(target, self.access(target.sort))

    def havoc(self) -> Havoc:
        target = self.target()
        return Havoc(target, _member(self.cursor, Cause, "a cause"), self.cursor.optional_string())

    def check(self) -> Check:
        condition = self.term(BOOL)
        self.comma()
        return Check(condition, _parse_failure(self.cursor))

    def create(self) -> Create | CreatePointer:
        target = self.target()
        if self.cursor.accept("*"):
            return CreatePointer(target, self.term(), self.arguments())
        return Create(target, self.cursor.name("a function"), self.arguments())

    def call(self) -> Call | CallPointer:
        target = self.optional_target()
        if self.cursor.accept("*"):
            return CallPointer(target, self.term(), self.arguments())
        return Call(target, self.cursor.name("a function"), self.arguments())

    def call_unmodelled(self) -> CallUnmodelled:
        target = self.optional_target()
        return CallUnmodelled(target, self.cursor.name("a function"), self.arguments())

    def fault(self) -> Fault:
        token = self.cursor.token
        of = self.instruction()
        if not isinstance(of, Faulty):
            raise self.cursor.error("this instruction has no fault", token)
        return Fault(of)


_READERS: dict[str, Callable[[_InstructionParser], Instruction]] = {
    "skip": lambda p: Assign(),
    "assume": lambda p: Assume(p.term(BOOL)),
    "check": _InstructionParser.check,
    "havoc": _InstructionParser.havoc,
    "load": _InstructionParser.load,
    "store": _InstructionParser.store,
    "update": _InstructionParser.update,
    "fence": lambda p: Fence(_member(p.cursor, Order, "a memory order")),
    "allocate": _InstructionParser.allocate,
    "free": lambda p: Free(p.term()),
    "enter": lambda p: Enter(p.object(), p.cursor.accept("zeroed")),
    "leave": lambda p: Leave(p.object()),
    "create": _InstructionParser.create,
    "join": lambda p: Join(p.optional_target(), p.term(HANDLE)),
    "detach": lambda p: Detach(p.term(HANDLE)),
    "exit": lambda p: Exit(p.optional_term()),
    "end": lambda p: End(_member(p.cursor, Ending, "how the process ends")),
    "lock": lambda p: Lock(p.access(I32)),
    "unlock": lambda p: Unlock(p.access(I32)),
    "atomic_begin": lambda p: AtomicBegin(),
    "atomic_end": lambda p: AtomicEnd(),
    "await": lambda p: Await(p.term(BOOL)),
    "await_spurious": lambda p: Await(p.term(BOOL), is_spurious=True),
    "call": _InstructionParser.call,
    "call_unmodelled": _InstructionParser.call_unmodelled,
    "return": lambda p: Return(p.optional_term()),
    "give_up": lambda p: GiveUp(p.cursor.string()),
    "fault": _InstructionParser.fault,
}
