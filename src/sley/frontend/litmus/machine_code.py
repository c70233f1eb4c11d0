"""Threads in assembly become functions of a program, one instruction after another.

Registers are words of 32 bits, and so are locations. Which register holds the address of a location must be
known from the first values: addresses are not computed, only indexed (``lwzx r4,r3,r5``).

*Dependencies*. ``xor r3,r1,r1`` is 0 whatever r1 is, and still it is not known before r1 is read; likewise
for a comparison of a register with itself. Terms that fold to constants would lose that, so these are written
in a form that stays: ``r1 & ~r1``. A branch to the very next instruction is a branch like any other: the side
that is never taken ends the thread, and where both may be taken the rest of the thread is there twice.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sley.base.errors import Unsupported, UnsupportedFeatureError
from sley.frontend.litmus.test import Line, LitmusTest
from sley.logic.operators import Op
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.builder import FunctionBuilder
from sley.program.instructions import (
    Access,
    Assign,
    Assume,
    Exit,
    Instruction,
    Load,
    MemoryOrder,
    Register,
    Store,
    Update,
)
from sley.program.memory import Display
from sley.program.program import HANDLE, Function, Origin

WORD = bitvec(32)
POINTER = bitvec(64)


@dataclass(frozen=True, slots=True)
class ConditionalJump:
    """Go to a label if the condition holds."""

    label: str
    condition: Term
    truth: bool | None = None
    """Whether it always or never holds, where that is known."""


class Assembler:
    """What instructions of a thread do to its registers and to memory; machines say which they have."""

    def __init__(
        self, test: LitmusTest, thread: int, builder: FunctionBuilder, addresses: Mapping[str, Term]
    ) -> None:
        self.test = test
        self.thread = thread
        self.builder = builder
        self.terms = builder.terms
        self.addresses = addresses
        self.registers: dict[str, Register] = {}
        self.is_compared_with_itself = False
        """Whether the last comparison was of a register with itself."""
        self.pending: list[Instruction] = []
        """What the current instruction does."""
        self.span = test.place

    # --- operands ----------------------------------------------------------------------------------------

    def unsupported(self, what: str) -> UnsupportedFeatureError:
        """The current instruction is not known."""
        return UnsupportedFeatureError((Unsupported(what, self.span),))

    def register(self, name: str) -> Register:
        """A register that holds a number."""
        if isinstance(self.test.first(self.thread, name), str):
            raise self.unsupported(f"the address in `{name}` as a number")
        if name not in self.registers:
            made = self.builder.register(name, WORD, c_name=name, display=Display.SIGNED)
            self.registers[name] = made
        return self.registers[name]

    def value(self, name: str) -> Term:
        """What a register holds."""
        return self.register(name).term

    def number(self, text: str) -> Term:
        """A constant."""
        try:
            return self.terms.bv(int(text.lstrip("$"), 0) & 0xFFFFFFFF, 32)
        except ValueError:
            raise self.unsupported(f"the operand `{text}`") from None

    def location(self, name: str) -> Term:
        """The address of a location."""
        if name not in self.addresses:
            raise self.unsupported(f"the address `{name}`")
        return self.addresses[name]

    def held_address(self, name: str) -> str | None:
        """The location whose address a register holds."""
        held = self.test.first(self.thread, name)
        return held if isinstance(held, str) else None

    def zero_of(self, a: Term) -> Term:
        """Zero, which depends on a value."""
        return self.terms.apply(Op.BVAND, a, self.terms.bvnot(a))

    def indexed(self, base: str, index: str) -> tuple[Term, str]:
        """The sum of two registers, one of which holds the address of a location; and that."""
        if self.held_address(base) is None:
            base, index = index, base
        location = self.held_address(base)
        if location is None:
            raise self.unsupported(f"the address `{base}` + `{index}`")
        offset = self.terms.resize(self.value(index), POINTER.width, signed=True)
        return self.terms.add(self.location(location), offset), location

    # --- effects -----------------------------------------------------------------------------------------

    def assign(self, target: str, value: Term) -> None:
        """A register gets a value."""
        self.pending.append(Assign(((self.register(target), value),)))

    def load(self, target: str, address: Term, text: str, order: MemoryOrder = MemoryOrder.PLAIN) -> None:
        """A register gets what a location holds."""
        self.pending.append(Load(self.register(target), Access(address, WORD, order=order, text=text)))

    def store(self, address: Term, value: Term, text: str, order: MemoryOrder = MemoryOrder.PLAIN) -> None:
        """A location gets a value."""
        self.pending.append(Store(Access(address, WORD, order=order, text=text), value))

    def update(
        self,
        target: Register,
        address: Term,
        value: Term,
        text: str,
        order: MemoryOrder = MemoryOrder.SEQUENTIAL,
    ) -> None:
        """A location gets a value, and a register what it held: a locked instruction if seq_cst."""
        self.pending.append(Update(target, Access(address, WORD, order=order, text=text), value))

    def compare(self, a: Term, b: Term) -> None:
        """Remember what a branch will ask about; a register against itself still depends on it."""
        left, right = self._flag("left"), self._flag("right")
        self.is_compared_with_itself = a == b
        values = (self.zero_of(a), self.terms.bv(0, 32)) if a == b else (a, b)
        self.pending.append(Assign(tuple(zip((left, right), values, strict=True))))

    def _flag(self, side: str) -> Register:
        name = f"compared.{side}"
        if name not in self.registers:
            self.registers[name] = self.builder.register(name, WORD)
        return self.registers[name]

    def branch(self, how: str, label: str) -> ConditionalJump:
        """Go to a label if the two that were compared last are ``eq``, ``ne``, ``lt`` or so."""
        t, a, b = self.terms, self._flag("left").term, self._flag("right").term
        conditions = {
            "eq": (t.eq(a, b), True),
            "ne": (t.ne(a, b), False),
            "lt": (t.slt(a, b), False),
            "le": (t.sle(a, b), True),
            "gt": (t.slt(b, a), False),
            "ge": (t.sle(b, a), True),
        }
        condition, of_itself = conditions[how]
        return ConditionalJump(label, condition, of_itself if self.is_compared_with_itself else None)

    def jump(self, label: str) -> ConditionalJump:
        """Go to a label."""
        return ConditionalJump(label, self.terms.true, truth=True)

    def difference(self, op: Op, a: Term, b: Term) -> Term:
        """``a ^ b`` or ``a - b``: of a value with itself 0, which depends on it."""
        return self.zero_of(a) if a == b else self.terms.apply(op, a, b)


Step = Callable[[Assembler, str], ConditionalJump | None]
"""What an instruction of a machine does: it is put into ``pending``; or where it may go."""


class ThreadCode:
    """The function of a thread."""

    def __init__(self, assembler: Assembler, lines: tuple[Line, ...], step: Step) -> None:
        self.assembler = assembler
        self.step = step
        self.labels: dict[str, int] = {}
        self.lines: list[Line] = []
        for line in lines:
            text, span = line.text, line.span
            while ":" in text:
                label, text = (part.strip() for part in text.split(":", 1))
                self.labels[label] = len(self.lines)
            if text:
                self.lines.append(Line(text, span))

    def function(self) -> Function:
        """All of it: the registers get their first values, the result says which statements hold."""
        made, test = self.assembler, self.assembler.test
        whole = Origin(test.place, f"P{made.thread}", f"P{made.thread}")
        start = made.builder.location()
        self.places = [made.builder.location() for _ in self.lines]
        self.last = made.builder.location()
        for index in range(len(self.lines)):
            self._instruction(index, self.places)
        made.builder.edge(start, self.places[0] if self.places else self.last, Assign(), whole)
        made.builder.edge(self.last, made.builder.exit, Exit(self._result()), whole)
        first = tuple(
            (register, made.terms.bv(self._first(name) & 0xFFFFFFFF, 32))
            for name, register in made.registers.items()
        )
        made.builder.edge(made.builder.entry, start, Assign(first), whole)
        return made.builder.finish(c_name=f"P{made.thread}", result=HANDLE, span=test.place)

    def _first(self, name: str) -> int:
        value = self.assembler.test.first(self.assembler.thread, name)
        assert isinstance(value, int)
        return value

    def _result(self) -> Term:
        """A bit for each statement about a register."""
        terms, result = self.assembler.terms, self.assembler.terms.bv(0, 64)
        for bit, atom in enumerate(self.assembler.test.asked_of(self.assembler.thread)):
            wanted = terms.bv(atom.value & 0xFFFFFFFF, 32)
            holds = terms.eq(self.assembler.value(atom.name), wanted)
            result = terms.apply(Op.BVOR, result, terms.ite(holds, terms.bv(1 << bit, 64), terms.bv(0, 64)))
        return result

    def _instruction(self, index: int, places: list[int]) -> None:
        """The edges of an instruction."""
        line, made = self.lines[index], self.assembler
        origin = Origin(line.span, line.text, f"P{made.thread}")
        made.span, made.pending = line.span, []
        branch = self.step(made, line.text)
        at, then = places[index], places[index + 1] if index + 1 < len(places) else self.last
        if branch is not None:
            self._branch(branch, (index, at, then), places, origin)
            return
        for number, instruction in enumerate(made.pending or [Assign()]):
            to = then if number == len(made.pending or [None]) - 1 else made.builder.location()
            made.builder.edge(at, to, instruction, origin)
            at = to

    def _branch(
        self, branch: ConditionalJump, where: tuple[int, int, int], places: list[int], origin: Origin
    ) -> None:
        index, at, then = where
        made = self.assembler
        if branch.label not in self.labels:
            raise made.unsupported(f"a branch to `{branch.label}`, which is nowhere")
        goal = self.labels[branch.label]
        to = places[goal] if goal < len(places) else self.last
        if branch.condition == made.terms.true:
            made.builder.edge(at, to, Assign(), origin)
            return
        if to == then:
            to = self.last if branch.truth is False else to
            then = self.last if branch.truth is True else self._copied(index + 1) if to == then else then
        made.builder.edge(at, to, Assume(branch.condition), origin)
        made.builder.edge(at, then, Assume(made.terms.not_(branch.condition)), origin)

    def _copied(self, index: int) -> int:
        """Another copy of the code from an instruction on."""
        made = self.assembler
        places = [*self.places[:index], *(made.builder.location() for _ in self.lines[index:])]
        for later in range(index, len(self.lines)):
            self._instruction(later, places)
        return places[index] if index < len(places) else self.last
