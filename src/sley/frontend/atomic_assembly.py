"""Inline assembly of x86 that changes one object in memory at once, by what its instructions do.

Operands are those of gcc's ``asm``: objects in memory, and registers that hold values of C. A locked
instruction orders everything if the statement says that it touches ``memory``; else the compiler may move
other accesses across it, and it orders nothing. The time stamp counter shows any value.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sley.frontend.c_types import BoolType, IntegerType, PointerType, unatomic
from sley.frontend.clang_library import (
    assembly_clobbers,
    assembly_inputs,
    assembly_outputs,
    library,
    text,
)
from sley.frontend.expressions import Expressions
from sley.frontend.places import MemoryPlace, Place, RegisterPlace
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.operators import Op
from sley.logic.sorts import width_of
from sley.logic.terms import Term
from sley.program.instructions import Access, Cause, MemoryOrder, Register, Update

_OPERAND = r"\$\{?(?P<%s>\d+)(?::[bwkq])?\}?"
_REGISTER, _MEMORY = _OPERAND % "register", _OPERAND % "memory"
_NUMBER = r"\$\$(?P<number>-?(?:0x[0-9a-f]+|\d+))"
_SIZED = r"(?P<size>[bwlq]?)"
_CHANGE = re.compile(
    rf"lock (?P<name>xadd|cmpxchg|add|sub|and|or|xor){_SIZED} (?:{_REGISTER}|{_NUMBER}), ?{_MEMORY}"
    rf"|lock (?P<alone>inc|dec|not){_SIZED.replace('size', 'other')} {_MEMORY.replace('memory', 'only')}"
)
_EXCHANGE = re.compile(rf"(?:lock )?xchg(?P<size>[bwlq]?) {_OPERAND % 'one'}, ?{_OPERAND % 'two'}")
_FLAG = re.compile(rf"set(?P<flag>n?[ez]) {_REGISTER}")
_SIZES = {"b": 1, "w": 2, "l": 4, "q": 8}
_COUNTER = frozenset({"rdtsc", "rdtscp"})
_OPS = {"and": Op.BVAND, "or": Op.BVOR, "xor": Op.BVXOR}


@dataclass(frozen=True, slots=True)
class _Operand:
    """An operand: its constraint and expression, and for an input which output it begins as."""

    constraint: str
    node: SyntaxNode
    tied: int | None = None

    @property
    def is_memory(self) -> bool:
        """Whether it can only be an object in memory."""
        return re.sub(r"[^a-zA-Z]", "", self.constraint) in ("m", "o")


def lower(node: SyntaxNode, expressions: Expressions) -> bool:
    """Write what an ``asm`` statement does, if it is one of these."""
    cursor = node.cursor
    if library().clang_Cursor_isGCCAssemblyHasGoto(cursor):
        return False
    template = text(library().clang_Cursor_getGCCAssemblyTemplate(cursor)).lower()
    joined = re.sub(r"\block\s*[;\n]?\s*", "lock ", template)
    lines = [line for one in re.split(r"[;\n]|\\n", joined) if (line := " ".join(one.split()))]
    constraints = [*assembly_outputs(cursor), *assembly_inputs(cursor)]
    operands = [
        _Operand(constraint, child, int(constraint) if constraint.isdigit() else None)
        for constraint, child in zip(constraints, node.children, strict=True)
    ]
    if not lines or not all(_is_scalar(one.node) for one in operands):
        return False
    order = MemoryOrder.SEQUENTIAL if "memory" in assembly_clobbers(cursor) else MemoryOrder.RELAXED
    statement = _Statement(expressions, operands, len(assembly_outputs(cursor)), order)
    return statement.tell_time() if lines[0] in _COUNTER and len(lines) == 1 else statement.run(lines)


def _is_scalar(node: SyntaxNode) -> bool:
    return isinstance(unatomic(node.ctype), IntegerType | PointerType | BoolType)


class _Statement:
    """One statement, with the values of its registers so far."""

    def __init__(
        self, expressions: Expressions, operands: Sequence[_Operand], outputs: int, order: MemoryOrder
    ) -> None:
        self._expressions = expressions
        self._emitter = expressions.emitter
        self._terms = expressions.terms
        self._operands = operands
        self._outputs = outputs
        self._order = order
        self._places: dict[int, Place] = {}
        self._values: dict[int, Term] = {}
        self._is_zero: Term | None = None

    def tell_time(self) -> bool:
        """All outputs get values of which nothing is known."""
        if len(self._operands) != self._outputs or any(one.is_memory for one in self._operands):
            return False
        for one in self._operands:
            ctype = unatomic(one.node.ctype)
            place = self._expressions.place(one.node, is_accessed=True)
            value = self._emitter.havoc(
                self._expressions.sort(ctype), Cause.UNMODELLED, "the time stamp counter"
            )
            self._expressions.memory.write(place, value)
        return True

    def run(self, lines: Sequence[str]) -> bool:
        """One instruction after another; nothing is left behind where one is not known."""
        mark = self._emitter.mark()
        if self._begin() and all(self._instruction(line) for line in lines) and self._finish():
            return True
        self._emitter.rewind(mark)
        return False

    def _begin(self) -> bool:
        for number, one in enumerate(self._operands):
            if number < self._outputs or one.is_memory:
                self._places[number] = self._expressions.place(one.node, is_accessed=True)
            if one.is_memory:
                if isinstance(unatomic(one.node.ctype), BoolType):
                    return False
            elif number >= self._outputs or one.constraint.startswith("+"):
                value = self._emitter.saved(self._expressions.value(one.node))
                source = self._expressions.value_type(one.node)
                index = number if one.tied is None else one.tied
                target = unatomic(self._operands[index].node.ctype)
                self._values[index] = self._expressions.convert(value, source, target)
        return True

    def _instruction(self, line: str) -> bool:
        if (found := _EXCHANGE.fullmatch(line)) is not None:
            one, two = int(found["one"]), int(found["two"])
            register, memory = (two, one) if self._operands[one].is_memory else (one, two)
            return self._change("xchg", found["size"], memory, register)
        if (found := _CHANGE.fullmatch(line)) is not None:
            if found["alone"]:
                return self._change(found["alone"], found["other"], int(found["only"]), None)
            register_or_none = None if found["register"] is None else int(found["register"])
            number = None if found["number"] is None else int(found["number"], 0)
            return self._change(found["name"], found["size"], int(found["memory"]), register_or_none, number)
        found = _FLAG.fullmatch(line)
        if found is None or self._is_zero is None:
            return False
        holds = self._terms.not_(self._is_zero) if found["flag"].startswith("n") else self._is_zero
        return self._set(int(found["register"]), self._terms.ite(holds, self._bits(1, 8), self._bits(0, 8)))

    def _bits(self, value: int, width: int) -> Term:
        return self._terms.bv(value, width)

    def _set(self, register: int, value: Term) -> bool:
        """The whole output becomes the value: a part of a wider register would leave the rest."""
        if register >= self._outputs or register not in self._places:
            return False
        ctype = unatomic(self._operands[register].node.ctype)
        width = self._terms.width(value)
        if ctype.size * 8 != width:
            return False
        self._values[register] = self._expressions.convert(value, IntegerType(width, is_signed=False), ctype)
        return True

    def _change(
        self, name: str, size: str, memory: int, register: int | None, number: int | None = None
    ) -> bool:
        place = self._places.get(memory)
        if not isinstance(place, MemoryPlace | RegisterPlace) or not self._operands[memory].is_memory:
            return False
        if size and _SIZES[size] != place.ctype.size:
            return False
        width = 8 * place.ctype.size
        operand = self._bits(number % (1 << width), width) if number is not None else None
        if register is not None:
            operand = self._values.get(register)
            if operand is None or self._terms.width(operand) != width:
                return False
        if name == "cmpxchg":
            return operand is not None and self._compare(memory, place, operand)
        old = self._emitter.temporary(self._expressions.sort(place.ctype))
        new = self._new(name, old.term, operand, width)
        if new is None:
            return False
        self._update(memory, place, old, new)
        self._is_zero = None if name in ("xchg", "xadd", "not") else self._terms.eq(new, self._bits(0, width))
        return name not in ("xchg", "xadd") or (register is not None and self._set(register, old.term))

    def _update(
        self,
        memory: int,
        place: MemoryPlace | RegisterPlace,
        old: Register,
        new: Term,
        if_: Term | None = None,
    ) -> None:
        """Change the object, which no other thread can reach if it has no address."""
        if isinstance(place, RegisterPlace):
            self._emitter.assign(old, self._expressions.memory.read(place))
            self._expressions.memory.write(place, new)
            return
        access = Access(place.address, old.sort, self._order, c_text(self._operands[memory].node))
        self._emitter.emit(Update(old, access, new, if_, self._order))

    def _new(self, name: str, old: Term, operand: Term | None, width: int) -> Term | None:
        """What an instruction makes of the object; None if it misses its operand."""
        terms = self._terms
        match name:
            case "inc":
                return terms.add(old, self._bits(1, width))
            case "dec":
                return terms.add(old, self._bits((1 << width) - 1, width))
            case "not":
                return terms.bvnot(old)
            case _ if operand is None:
                return None
            case "xchg":
                return operand
            case "add" | "xadd":
                return terms.add(old, operand)
            case "sub":
                return terms.sub(old, operand)
            case _:
                return terms.apply(_OPS[name], old, operand)

    def _compare(self, memory: int, place: MemoryPlace | RegisterPlace, desired: Term) -> bool:
        """``cmpxchg`` compares with the accumulator, which then has what was there."""
        holders = [number for number, one in enumerate(self._operands) if "a" in one.constraint]
        (number, *more) = holders or [len(self._operands)]
        expected = self._values.get(number)
        old = self._emitter.temporary(self._expressions.sort(place.ctype))
        if more or expected is None or self._terms.width(expected) != width_of(old.sort):
            return False
        self._is_zero = self._terms.eq(old.term, expected)
        new = self._terms.ite(self._is_zero, desired, old.term)
        self._update(memory, place, old, new, self._is_zero)
        return number >= self._outputs or self._set(number, old.term)

    def _finish(self) -> bool:
        """Registers become variables again; each output must have got a value."""
        registers = [number for number in range(self._outputs) if not self._operands[number].is_memory]
        if not all(number in self._values for number in registers):
            return False
        for number in registers:
            self._expressions.memory.write(self._places[number], self._values[number])
        return True
