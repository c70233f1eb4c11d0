"""Values of C variables while a thread takes a step, and what they say of a condition."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from sley.logic.operators import to_signed
from sley.logic.sorts import FloatSort, Sort, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Display, MemoryObject
from sley.program.program import Function, Origin, user_origin
from sley.semantics.code import Code
from sley.semantics.memory import StepMemory
from sley.semantics.step import Happening
from sley.semantics.values import Ranges, Undetermined, intersection
from sley.verification.witnesses.expressions import RESULT, Comparison, Condition

_CHANGES = (ir.Store, ir.Update)


class KnownValue(NamedTuple):
    """A value, as a machine has it, and its type."""

    value: object
    sort: Sort
    display: Display | None


class Requirement(NamedTuple):
    """A condition holds if a value that is still open lies in some ranges."""

    value: Undetermined
    ranges: Ranges


@dataclass(frozen=True, slots=True)
class VariableView:
    """What a thread's variables are before an edge."""

    code: Code
    function: Function
    origin: Origin
    registers: Mapping[Term, object]
    """Those whose values count: what is not needed any more may be out of date."""
    memory: StepMemory
    hidden: Happening
    """What has happened already, but is not to be seen."""
    result: KnownValue | None = None
    """An input that the edge has just taken."""

    def known(self, name: str) -> KnownValue | None:
        """The variable of that name, if it is clear which one is meant and that it holds a number."""
        if name == RESULT:
            return self.result
        registers = [r for r in self.function.registers if r.c_name == name and self._is_here(r.name, name)]
        locals_ = self._locals(name)
        globals_ = [(n, obj) for n, obj in enumerate(self.code.program.objects) if obj.c_name == name]
        if len(registers) + len(locals_) + len(globals_) != 1:
            return None
        if registers:
            (one,) = registers
            value = self.registers.get(one.term)
            return None if value is None else KnownValue(value, one.sort, one.display)
        if locals_:
            ((slot, obj),) = locals_
            return self._read(self.memory.local(slot), obj)
        ((number, obj),) = globals_
        pointers = self.code.program.pointers
        return self._read(pointers.address(pointers.first_object + number), obj)

    def _locals(self, name: str) -> list[tuple[int, MemoryObject]]:
        prefix = f"{self.function.name}."
        return [
            (slot, obj)
            for slot, obj in enumerate(self.function.objects)
            if obj.c_name == name and self._is_here(obj.name.removeprefix(prefix), name)
        ]

    def _is_here(self, unique: str, name: str) -> bool:
        """Whether a variable, by the name that inlining gave it, is one of the function at hand."""
        calls = user_origin(self.origin).calls
        function = rf"{re.escape(calls[-1].function)}(#\d+)?\." if calls else ""
        return re.fullmatch(rf"{function}{re.escape(name)}(\.\d+)?", unique) is not None

    def _read(self, address: int, obj: MemoryObject) -> KnownValue | None:
        cell = obj.layout.cells[0] if len(obj.layout.cells) == 1 else None
        if (
            cell is None
            or cell.size != obj.size
            or not self.memory.is_valid(address, cell.size, writes=False)
        ):
            return None
        value: object = self.memory.peek(address, cell.size)
        hidden = self.hidden
        if hidden.address == address and isinstance(hidden.edge.instruction, _CHANGES):
            value = hidden.old
        return KnownValue(value, cell.sort, cell.display)


def met(condition: Condition, view: VariableView) -> list[Requirement] | None:
    """What is still required for a condition to hold; None if it does not hold. What is not clear holds."""
    required: list[Requirement] = []
    for comparison in filter(None, condition):
        known = view.known(comparison.name)
        if known is None or isinstance(known.sort, FloatSort):
            continue
        if isinstance(known.value, Undetermined):
            ranges = _satisfying(comparison, known)
            if ranges is None:
                continue
            left = intersection(known.value.ranges, ranges)
            if not left:
                return None
            required.append(Requirement(known.value, left))
        elif (number := _number(known, comparison)) is not None and not comparison.holds(number):
            return None
    return required


def certain(condition: Condition, view: VariableView) -> bool:
    """Whether a condition holds for sure."""
    for comparison in condition:
        known = None if comparison is None else view.known(comparison.name)
        if comparison is None or known is None or isinstance(known.sort, FloatSort):
            return False
        number = _number(known, comparison)
        if number is None or not comparison.holds(number):
            return False
    return bool(condition)


def _number(known: KnownValue, comparison: Comparison) -> int | None:
    """What the constant is compared with, where the types of C make it no other number."""
    if not isinstance(known.value, int):
        return None
    match known.display:
        case Display.SIGNED | Display.CHAR:
            return to_signed(int(known.value), width_of(known.sort))
        case Display.UNSIGNED | Display.BOOL if comparison.constant >= 0:
            return int(known.value)
        case Display.POINTER if known.value == 0:
            return 0
        case _:
            return None


def _satisfying(comparison: Comparison, known: KnownValue) -> Ranges | None:
    """The numbers, as a machine has them, for which a comparison holds; None if that is not clear."""
    width, is_signed = width_of(known.sort), known.display in (Display.SIGNED, Display.CHAR)
    constant = comparison.constant
    if not is_signed and (known.display is not Display.UNSIGNED or constant < 0):
        return None
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if is_signed else (0, (1 << width) - 1)
    marks = sorted({low, high + 1, *(mark for mark in (0, constant, constant + 1) if low < mark <= high)})
    found = [
        (start % (1 << width), (end - 1) % (1 << width))
        for start, end in pairwise(marks)
        if comparison.holds(start)
    ]
    return _merged(sorted(found))


def _merged(ranges: list[tuple[int, int]]) -> Ranges:
    """The same numbers, without neighbours."""
    merged: list[tuple[int, int]] = []
    for low, high in ranges:
        if merged and merged[-1][1] + 1 == low:
            merged[-1] = merged[-1][0], high
        else:
            merged.append((low, high))
    return tuple(merged)
