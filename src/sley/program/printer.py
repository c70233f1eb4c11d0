"""Program -> textual form (see ``notation``); only tests read it back, so that it is known to say all.

The order of arguments of commutative operators depends on the arena, so they are printed in an order of
their own.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sley.base.source import Span
from sley.logic.operators import COMMUTATIVE, Op, Value
from sley.logic.sorts import BOOL, I32, BitVecSort, FloatSort, Sort, width_of
from sley.logic.terms import Term, Terms
from sley.program.instructions import Access, Assign, Calling, Instruction, MemoryOrder, Register
from sley.program.memory import Cell, Display, Layout, MemoryObject, PointerLayout, Storage
from sley.program.notation import (
    FILE_PATTERN,
    FORMS,
    INDEX_COUNT,
    OPERATOR_NAMES,
    POINTER_LAYOUTS,
    SORT_INDEXED,
    name_text,
    quoted,
)
from sley.program.program import SELF, CallSite, Edge, Function, Origin, Program
from sley.program.properties import OF, Failure

_STORAGE_WORDS = {
    Storage.GLOBAL: "global",
    Storage.CODE: "code",
    Storage.LOCAL: "local",
    Storage.THREAD: "thread_local",
}
_CODE_LAYOUT = Layout((), 1)
_ORIGIN_COLUMN = 60
_SMALL_NEGATIVE = 1024


def print_program(program: Program) -> str:
    """The whole program as text."""
    writer = _ProgramPrinter(program)
    return "\n".join(writer.lines()) + "\n"


def is_flat(program: Program) -> bool:
    """Whether no calls are left, so that every function is a thread template."""
    return not any(isinstance(edge.instruction, Calling) for edge in program.edges)


class _ProgramPrinter:
    """Writes declarations; functions have a printer of their own."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.places = _AddressNames(program.pointers, program.objects)
        self.word = "thread" if is_flat(program) else "function"

    def lines(self) -> list[str]:
        program = self.program
        lines = [f"program {_pointer_layout_text(program.pointers)}"]
        if program.entry != "main":
            lines.append(f"start {name_text(program.entry)}")
        if program.keeps_frames:
            lines.append("keeps_frames")
        lines.extend(f"assumption {quoted(text)}" for text in program.assumptions)
        lines.extend(_with_span(f"unmodelled {quoted(u.what)}", u.span) for u in program.unmodelled)
        lines.extend(self.memory_object(declared) for declared in program.objects)
        for function in program.functions.values():
            lines.append("")
            lines.extend(self.function(function))
        return lines

    def memory_object(self, declared: MemoryObject) -> str:
        text = f"{_STORAGE_WORDS[declared.storage]} {name_text(declared.name)}"
        if declared.storage is not Storage.CODE or (declared.layout, declared.size) != (_CODE_LAYOUT, 1):
            text += f" : {_sized_layout_text(declared.layout, declared.size)}"
        initial = self._initial_text(declared)
        text += f" = {initial}" if initial else ""
        text += " readonly" if declared.is_read_only else ""
        text += f" align {declared.alignment}" if declared.alignment > 1 else ""
        text += f" as {quoted(declared.c_name)}" if declared.c_name else ""
        return _with_span(text, declared.span)

    def _initial_text(self, declared: MemoryObject) -> str:
        values = [(index, value) for index, value in declared.initial if value]
        if not values:
            return ""
        cells = declared.layout.cells
        texts = [(i, self._value_text(value, cells[i % len(cells)])) for i, value in values]
        if declared.layout.count(declared.size) == 1:
            return texts[0][1]
        return "{ " + ", ".join(f"{index} : {text}" for index, text in texts) + " }"

    def _value_text(self, value: int, cell: Cell) -> str:
        if cell.sort == BitVecSort(self.program.pointers.width):
            place = self.places.of_constant(value)
            if place is not None:
                return f"&{place}"
        return _number_text(value, width_of(cell.sort))

    def function(self, function: Function) -> list[str]:
        writer = FunctionPrinter(self.program, function)
        parameters = ", ".join(_register_text(r) for r in function.parameters)
        head = f"{self.word} {name_text(function.name)}({parameters})"
        head += f" -> {function.result}" if function.result is not None else ""
        head += f" as {quoted(function.c_name)}" if function.c_name != function.name else ""
        head += " library" if function.is_library else ""
        lines = [_with_span(head + " {", function.span)]
        own = [r for r in function.registers if r not in function.parameters]
        lines.extend(f"  reg {_register_text(r)}" for r in own)
        lines.extend(f"  {self.memory_object(declared)}" for declared in function.objects)
        lines.append(f"  entry {function.entry} exit {function.exit}")
        lines.extend(f"  error {at} : {_failure_text(f)}" for at, f in function.errors.items())
        lines.extend(f"  {writer.edge(edge)}" for edge in function.edges)
        return [*lines, "}"]


class _AddressNames:
    """Names for addresses: ``x``, ``x+4``."""

    def __init__(
        self,
        pointers: PointerLayout,
        objects: tuple[MemoryObject, ...],
        local_objects: tuple[MemoryObject, ...] = (),
    ) -> None:
        self.pointers = pointers
        self.objects = dict(enumerate(objects, pointers.first_object))
        self.local_names = {o.address: o.name for o in local_objects}
        self.hidden = {o.name for o in local_objects}

    def of_constant(self, pointer: int) -> str | None:
        """The place inside (or just behind) a global object that ``pointer`` names."""
        number, offset = self.pointers.number(pointer), self.pointers.offset(pointer)
        named = self.objects.get(number)
        if named is None:
            return None
        if offset > named.size or named.name in self.hidden:
            return None
        return _place_text(named.name, offset)

    def of_term(self, terms: Terms, address: Term) -> str | None:
        """The place that an address term names, if it is an object's address plus a constant."""
        if terms.sort(address) != BitVecSort(self.pointers.width):
            return None
        value = terms.number(address)
        if value is not None:
            return self.of_constant(value)
        if address in self.local_names:
            return _place_text(self.local_names[address], 0)
        if terms.op(address) is Op.BVADD:
            base, offset = sorted(terms.args(address), key=terms.is_const)
            distance = terms.number(offset)
            if base in self.local_names and distance is not None and distance < self.pointers.largest_object:
                return _place_text(self.local_names[base], distance)
        return None


class FunctionPrinter:
    """Writes what depends on the names of one function: terms, accesses, instructions, edges."""

    def __init__(self, program: Program, function: Function) -> None:
        self.terms = program.terms
        self.places = _AddressNames(program.pointers, program.objects, function.objects)
        self.names: dict[Term, str] = {r.term: name_text(r.name) for r in function.registers}
        self.names[program.self_handle] = SELF
        self._texts: dict[Term, str] = {}

    def edge(self, edge: Edge) -> str:
        """A line: the edge with its instruction and origin."""
        text = f"{edge.source} -> {edge.target} : {self.instruction(edge.instruction)}"
        origin = _origin_text(edge.origin)
        return f"{text:<{_ORIGIN_COLUMN}} ; {origin}" if origin else text

    # --- terms ----------------------------------------------------------------------------------

    def term(self, term: Term) -> str:
        """A term as an S-expression."""
        texts = self._texts
        for part in self.terms.walk((term,)):
            if part not in texts:
                texts[part] = self._term_text(part, texts)
        return texts[term]

    def _term_text(self, term: Term, texts: Mapping[Term, str]) -> str:
        terms = self.terms
        place = self.places.of_term(terms, term)
        if place is not None:
            return f"&{place}"
        op = terms.op(term)
        if op is Op.CONST:
            return _constant_text(terms.value(term), terms.sort(term))
        if op is Op.VAR:
            return self.names.get(term) or name_text(terms.name(term))
        arguments = [texts[a] for a in self._ordered(term, texts)]
        return f"({' '.join([OPERATOR_NAMES[op], *_index_texts(op, terms.payload(term)), *arguments])})"

    def _ordered(self, term: Term, texts: Mapping[Term, str]) -> Iterable[Term]:
        args = self.terms.args(term)
        if self.terms.op(term) in COMMUTATIVE or self.terms.op(term) in (Op.AND, Op.OR):
            return sorted(args, key=lambda a: (self.terms.is_const(a), texts[a]))
        return args

    # --- instructions ---------------------------------------------------------------------------

    def instruction(self, instruction: Instruction) -> str:
        """An instruction."""
        if isinstance(instruction, Assign):
            pairs = instruction.assignments
            return ", ".join(f"{name_text(r.name)} := {self.term(t)}" for r, t in pairs) or "skip"
        text = ""
        for before, field, way in FORMS[type(instruction)]:
            text += before
            if field is not None and way is not None:
                text += _WAYS[way](self, getattr(instruction, field))
        return text.rstrip()

    def access(self, access: Access, *, shows_sort: bool = False) -> str:
        """An access: where, its order, its C text."""
        place = self.places.of_term(self.terms, access.address)
        text = place if place is not None else f"*{self.term(access.address)}"
        text += f" : {access.sort}" if shows_sort and access.sort != I32 else ""
        text += f" @{access.order.value}" if access.order is not MemoryOrder.PLAIN else ""
        text += f" bytes {access.location[0]} {access.location[1]}" if access.location is not None else ""
        text += " first" if access.is_first else ""
        return text + _optional_text(access.text)


_WAYS: dict[str, Callable[[FunctionPrinter, Any], str]] = {
    **dict.fromkeys(("term", "condition", "handle"), FunctionPrinter.term),
    "returned": lambda printer, term: "" if term is None else printer.term(term),
    "arguments": lambda printer, terms: f"({', '.join(map(printer.term, terms))})",
    "access": FunctionPrinter.access,
    "cell": lambda printer, access: printer.access(access, shows_sort=True),
    "of": FunctionPrinter.instruction,
    **dict.fromkeys(("target", "object"), lambda _, named: name_text(named.name)),
    "result": lambda _, register: "" if register is None else f"{name_text(register.name)}, ",
    "function": lambda _, name: name_text(name),
    **dict.fromkeys(("cause", "order", "barrier", "ending"), lambda _, member: str(member.value)),
    "if": lambda printer, term: "" if term is None else f" if {printer.term(term)}",
    "about": lambda printer, term: "" if term is None else f" about {printer.term(term)}",
    "else": lambda _, order: "" if order is MemoryOrder.SEQUENTIAL else f" else {order.value}",
    "failure": lambda _, failure: _failure_text(failure),
    "layout": lambda _, layout: _layout_text(layout),
    "alignment": lambda _, alignment: f" align {alignment}" if alignment > 1 else "",
    "extents": lambda _, extents: _extents_text(extents),
    "zeroed": lambda _, is_zeroed: " zeroed" if is_zeroed else "",
    "kept": lambda _, is_kept: " kept" if is_kept else "",
    "spurious": lambda _, is_spurious: " spurious" if is_spurious else "",
    "plain": lambda _, is_plain: " plain" if is_plain else "",
    "late": lambda _, is_late: " late" if is_late else "",
    "text": lambda _, text: _optional_text(text),
    "reason": lambda _, text: quoted(text),
}
"""How fields are written, by the names in ``notation.FORMS``."""


# --- small pieces -------------------------------------------------------------------------------


def _extents_text(extents: tuple[int | None, ...]) -> str:
    listed = ", ".join("*" if one is None else str(one) for one in extents)
    return f" within ({listed})" if extents else ""


def _place_text(name: str, offset: int) -> str:
    return f"{name_text(name)}+{offset}" if offset else name_text(name)


def _optional_text(text: str) -> str:
    return f" {quoted(text)}" if text else ""


def _pointer_layout_text(pointers: PointerLayout) -> str:
    for word, layout in POINTER_LAYOUTS.items():
        if layout == pointers:
            return word
    return f"{pointers.width} {pointers.offset_bits}"


def _register_text(register: Register) -> str:
    text = f"{name_text(register.name)} : {register.sort}"
    if register.display is not (Display.SIGNED if register.c_name else Display.HIDDEN):
        text += f" {register.display.value}"
    return text + (f" as {quoted(register.c_name)}" if register.c_name else "")


def _failure_text(failure: Failure) -> str:
    about = f" about {quoted(failure.subject)}" if failure.subject else ""
    about += f" as {quoted(failure.frame)}" if failure.frame != OF else ""
    return f"{failure.property.value} {name_text(failure.rule)} {quoted(failure.phrase)}{about}"


def _number_text(value: int, width: int) -> str:
    if width >= 32 and value >= (1 << width) - _SMALL_NEGATIVE:
        value -= 1 << width
    return str(value)


def _constant_text(value: Value, sort: Sort) -> str:
    if sort == BOOL:
        return "true" if value else "false"
    if isinstance(sort, FloatSort):
        return f"{int(value):#x}:{sort}"
    return f"{_number_text(int(value), width_of(sort))}:{sort}"


def _index_texts(op: Op, payload: object) -> list[str]:
    if op in INDEX_COUNT:
        return [str(i) for i in payload] if isinstance(payload, tuple) else [str(payload)]
    return [str(payload)] if op in SORT_INDEXED else []


def _cell_text(cell: Cell) -> str:
    return f"{cell.sort}" + (f" {cell.display.value}" if cell.display is not Display.SIGNED else "")


def _layout_text(layout: Layout) -> str:
    if len(layout.cells) == 1:
        (cell,) = layout.cells
        if (cell.offset, cell.path, layout.constant) == (0, "", ()) and layout.stride == cell.size:
            return _cell_text(cell)
    cells = [f"{name_text(c.path)} : {_cell_text(c)} @{c.offset}" for c in layout.cells]
    constant = "".join(f" constant {low} {high}" for low, high in layout.constant)
    return f"{{ {', '.join(cells)}{' ' if cells else ''}}} size {layout.stride}{constant}"


def _sized_layout_text(layout: Layout, size: int) -> str:
    element = _layout_text(layout)
    if size == layout.stride:
        return element
    repetitions, rest = divmod(size, layout.stride)
    return f"[{repetitions} x {element}]" if rest == 0 else f"{element} bytes {size}"


def _with_span(text: str, span: Span | None) -> str:
    return text if span is None else f"{text}  ; {_span_text(span)}"


def _span_text(span: Span) -> str:
    end = f"-{span.end_line}:{span.end_column}" if span.end_line else ""
    is_plain = re.fullmatch(FILE_PATTERN, span.file) is not None
    return f"{span.file if is_plain else quoted(span.file)}:{span.line}:{span.column}{end}"


def _origin_text(origin: Origin) -> str:
    words = [_span_text(origin.span)] if origin.span is not None else []
    words += [quoted(origin.text)] if origin.text else []
    words += ["in", name_text(origin.function)] if origin.function else []
    words += ["library"] if origin.is_library else []
    for call in origin.calls:
        words += _call_site_words(call)
    return " ".join(words)


def _call_site_words(call: CallSite) -> list[str]:
    words = ["via", name_text(call.function)]
    words += ["library"] if call.is_library else []
    words += [_span_text(call.span)] if call.span is not None else []
    return words + ([quoted(call.text)] if call.text else [])
