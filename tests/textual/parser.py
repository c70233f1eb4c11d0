"""Textual form (see ``notation``) -> Program; errors are ``InputError`` with line and column."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from sley.base.errors import Unsupported
from sley.base.source import Span
from sley.logic.sorts import BOOL, I32, Sort, bitvec, width_of
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.memory import AddressOf, Display, Layout, MemoryObject, PointerLayout, Storage
from sley.program.notation import FORMS, POINTER_LAYOUTS
from sley.program.program import HANDLE, ID, CallSite, Edge, Function, Origin, Program
from sley.program.properties import OF, Failure, Property
from tests.textual.terms import (
    TermParser,
    parse_display,
    parse_layout,
    parse_sized_layout,
    parse_sort,
)
from tests.textual.tokens import TokenCursor, TokenKind, tokenise

_Member = TypeVar("_Member", bound=Enum)
_Declared = TypeVar("_Declared", ir.Register, MemoryObject)


def parse_program(text: str, file: str = "<program>") -> Program:
    """The program that ``text`` describes."""
    return _ProgramParser(TokenCursor(tokenise(text, file), file)).program()


@dataclass
class _Names:
    """What names mean at the top level."""

    terms: Terms
    pointers: PointerLayout
    addresses: dict[str, Term]


class _ProgramParser:
    """Reads declarations; bodies of functions are read by ``_FunctionParser``."""

    def __init__(self, cursor: TokenCursor) -> None:
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
                name = TokenCursor([following], self.cursor.file).name("the name of an object")
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
                self.unmodelled.append(Unsupported(cursor.string(), _parse_span(cursor)))
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


def _parse_object(cursor: TokenCursor, storage: Storage, names: _Names) -> MemoryObject:
    """The declaration of an object, after its storage word."""
    name = cursor.name("the name of an object")
    layout, size = Layout((), 1), 1
    if storage is not Storage.CODE or cursor.is_at(":"):
        cursor.expect(":")
        layout, size = parse_sized_layout(cursor)
    initial = _parse_initial(cursor, layout, names) if cursor.accept("=") else ()
    is_read_only = cursor.accept("readonly")
    alignment = _parse_alignment(cursor)
    c_name = cursor.string() if cursor.accept("as") else ""
    if storage in (Storage.GLOBAL, Storage.CODE):
        address = names.addresses[name]
    else:
        address = names.terms.var(AddressOf(name), bitvec(names.pointers.width))
    span = _parse_span(cursor)
    return MemoryObject(name, size, layout, storage, address, initial, c_name, span, is_read_only, alignment)


def _parse_initial(cursor: TokenCursor, layout: Layout, names: _Names) -> tuple[tuple[int, int], ...]:
    def numbered() -> tuple[int, int]:
        index = cursor.number("the index of a cell")
        cursor.expect(":")
        return index, _parse_value(cursor, layout, index, names)

    is_list = cursor.accept("{")
    values = cursor.listed(numbered, "}") if is_list else [(0, _parse_value(cursor, layout, 0, names))]
    return tuple((index, value) for index, value in values if value)


def _parse_value(cursor: TokenCursor, layout: Layout, index: int, names: _Names) -> int:
    if not layout.cells:
        raise cursor.error("the object has no cells")
    if cursor.accept("&"):
        parser = TermParser(cursor, names.terms, names.addresses, {})
        value = names.terms.number(parser.place())
        assert value is not None
        return value
    width = width_of(layout.cells[index % len(layout.cells)].sort)
    return cursor.number("a value") & ((1 << width) - 1)


def _parse_span(cursor: TokenCursor) -> Span | None:
    return cursor.optional_span() if cursor.accept(";") else None


def _parse_origin(cursor: TokenCursor) -> Origin:
    """``; [SPAN] [TEXT] [in FUNCTION] [library] (via FUNCTION [library] [SPAN] [TEXT])*``, or nothing."""
    if not cursor.accept(";"):
        return Origin(None, "", "")
    span, text = cursor.optional_span(), cursor.optional_string()
    function = cursor.name("a function") if cursor.accept("in") else ""
    is_library = cursor.accept("library")
    calls: list[CallSite] = []
    while cursor.accept("via"):
        called, is_model = cursor.name("a function"), cursor.accept("library")
        calls.append(CallSite(called, cursor.optional_span(), cursor.optional_string(), is_model))
    return Origin(span, text, function, tuple(calls), is_library)


def _parse_extents(cursor: TokenCursor) -> tuple[int | None, ...]:
    def extent() -> int | None:
        return None if cursor.accept("*") else cursor.number("a number of bytes")

    if not cursor.accept("within"):
        return ()
    cursor.expect("(")
    return tuple(cursor.listed(extent, ")"))


def _parse_alignment(cursor: TokenCursor) -> int:
    return cursor.number("an alignment") if cursor.accept("align") else 1


def _parse_failure(cursor: TokenCursor) -> Failure:
    """``reach assertion "assertion can fail"``, ``race data-race "data race" about "x" as " on `{}`"``."""
    failure = Failure(_member(cursor, Property, "a property"), cursor.name("a rule"), cursor.string())
    subject = cursor.string() if cursor.accept("about") else ""
    return replace(failure, subject=subject, frame=cursor.string() if cursor.accept("as") else OF)


def _member(cursor: TokenCursor, members: type[_Member], what: str) -> _Member:
    token = cursor.token
    try:
        return members(cursor.word(what))
    except ValueError as wrong:
        raise cursor.error(f"expected {what}, found {token.text!r}", token) from wrong


class _FunctionParser:
    """Reads one function."""

    def __init__(self, cursor: TokenCursor, names: _Names) -> None:
        self.cursor = cursor
        self.names = names
        self.registers: dict[str, ir.Register] = {}
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
        span = _parse_span(cursor)
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

    def _parameters(self) -> tuple[ir.Register, ...]:
        return tuple(self.cursor.listed(self._register, ")")) if self.cursor.accept("(") else ()

    def _register(self) -> ir.Register:
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
        register = ir.Register(name, sort, variable, c_name, display)
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
        self.edges.append(Edge(source, target, instruction, _parse_origin(cursor)))


class _InstructionParser(TermParser):
    """Reads instructions over what its function has declared so far."""

    def __init__(self, function: _FunctionParser) -> None:
        names = function.names
        super().__init__(function.cursor, names.terms, function.addresses, function.variables)
        self.function = function
        self._says_sort = False
        """Whether the last access has a sort of its own; else it gets that of the value that it moves."""

    def instruction(self) -> ir.Instruction:
        cursor, token = self.cursor, self.cursor.token
        if token.kind in (TokenKind.NAME, TokenKind.STRING) and cursor.peek().text == ":=":
            return self._assign()
        word = cursor.word("an instruction")
        if word == "skip":
            return ir.Assign()
        kinds = _KINDS.get(word)
        if kinds is None:
            raise cursor.error(f"unknown instruction {token.text!r}", token)
        is_by_pointer = "*" in (cursor.token.text, cursor.peek(2).text)  # `call *p()`, `call t, *p()`
        return self._of_kind(kinds[-1] if is_by_pointer else kinds[0], word)

    def _of_kind(self, kind: type[ir.Instruction], word: str) -> ir.Instruction:
        values: dict[str, object] = {}
        for before, field, way in FORMS[kind]:
            for symbol in before.removeprefix(word).split():
                self.cursor.expect(symbol)
            if field is not None and way is not None:
                values[field] = _WAYS[way](self)
        make: Callable[..., ir.Instruction] = kind
        made = make(**values)
        if self._says_sort:
            return made
        match made:
            case ir.Load(target=target) | ir.Update(target=target):
                return replace(made, access=replace(made.access, sort=target.sort))
            case ir.Store(value=value):
                return replace(made, access=replace(made.access, sort=self.terms.sort(value)))
            case _:
                return made

    def _assign(self) -> ir.Assign:
        assignments: list[tuple[ir.Register, Term]] = []
        while True:
            register = self.register()
            self.cursor.expect(":=")
            assignments.append((register, self.term_of(register.sort)))
            if not self.cursor.accept(","):
                return ir.Assign(tuple(assignments))

    # --- parts ----------------------------------------------------------------------------------

    def term_of(self, sort: Sort) -> Term:
        token = self.cursor.token
        term = self.term()
        found = self.terms.sort(term)
        if found != sort:
            raise self.cursor.error(f"expected a term of sort {sort}, found {found}", token)
        return term

    def register(self) -> ir.Register:
        return self._declared(self.function.registers, "register")

    def object(self) -> MemoryObject:
        return self._declared(self.function.objects, "local object")

    def _declared(self, known: Mapping[str, _Declared], what: str) -> _Declared:
        token = self.cursor.token
        name = self.cursor.name(f"a {what}")
        if name not in known:
            raise self.cursor.error(f"no {what} is named {name!r}", token)
        return known[name]

    def result(self) -> ir.Register | None:
        if self.cursor.peek().text != ",":
            return None
        register = self.register()
        self.cursor.expect(",")
        return register

    def access(self) -> ir.Access:
        cursor, start = self.cursor, self.cursor.token
        pointer = bitvec(self.function.names.pointers.width)
        address = self.term_of(pointer) if cursor.accept("*") else self.place()
        self._says_sort = cursor.accept(":")
        sort = parse_sort(cursor) if self._says_sort else I32
        order = self.order() if cursor.accept("@") else ir.MemoryOrder.PLAIN
        location = (cursor.number(), cursor.number()) if cursor.accept("bytes") else None
        is_first = cursor.accept("first")
        if self.terms.sort(address) != pointer:
            raise cursor.error(f"an address has sort {pointer}", start)
        return ir.Access(address, sort, order, cursor.optional_string(), location, is_first)

    def order(self) -> ir.MemoryOrder:
        return _member(self.cursor, ir.MemoryOrder, "a memory order")

    def barrier(self) -> ir.Barrier:
        return _member(self.cursor, ir.Barrier, "a barrier")

    def arguments(self) -> tuple[Term, ...]:
        self.cursor.expect("(")
        return tuple(self.cursor.listed(self.term, ")"))

    def returned(self) -> Term | None:
        is_over = self.cursor.token.kind is TokenKind.NEWLINE or self.cursor.is_at(";")
        return None if is_over else self.term()

    def faulty(self) -> ir.Faulty:
        token = self.cursor.token
        of = self.instruction()
        if not isinstance(of, ir.Faulty):
            raise self.cursor.error("this instruction has no fault", token)
        return of


_KINDS: dict[str, list[type[ir.Instruction]]] = {}
"""The word of an instruction -> its kinds: by name, by pointer."""
for _kind, _form in FORMS.items():
    _KINDS.setdefault(_form[0][0].strip(), []).append(_kind)

_WAYS: dict[str, Callable[[_InstructionParser], object]] = {
    "term": _InstructionParser.term,
    "condition": lambda p: p.term_of(BOOL),
    "handle": lambda p: p.term_of(HANDLE),
    "returned": _InstructionParser.returned,
    "arguments": _InstructionParser.arguments,
    **dict.fromkeys(("access", "cell"), _InstructionParser.access),
    "of": _InstructionParser.faulty,
    "target": _InstructionParser.register,
    "object": _InstructionParser.object,
    "result": _InstructionParser.result,
    "function": lambda p: p.cursor.name("a function"),
    "cause": lambda p: _member(p.cursor, ir.Cause, "a cause"),
    "order": _InstructionParser.order,
    "barrier": _InstructionParser.barrier,
    "ending": lambda p: _member(p.cursor, ir.Ending, "how the process ends"),
    "if": lambda p: p.term_of(BOOL) if p.cursor.accept("if") else None,
    "about": lambda p: p.term() if p.cursor.accept("about") else None,
    "else": lambda p: p.order() if p.cursor.accept("else") else ir.MemoryOrder.SEQUENTIAL,
    "failure": lambda p: _parse_failure(p.cursor),
    "layout": lambda p: parse_layout(p.cursor),
    "alignment": lambda p: _parse_alignment(p.cursor),
    "extents": lambda p: _parse_extents(p.cursor),
    "zeroed": lambda p: p.cursor.accept("zeroed"),
    "kept": lambda p: p.cursor.accept("kept"),
    "spurious": lambda p: p.cursor.accept("spurious"),
    "plain": lambda p: p.cursor.accept("plain"),
    "late": lambda p: p.cursor.accept("late"),
    "text": lambda p: p.cursor.optional_string(),
    "reason": lambda p: p.cursor.string(),
}
"""How fields are read, by the names in ``notation.FORMS``."""
