"""From a litmus test to a program: its threads, and a main that starts them, awaits them and looks."""

import re
from collections.abc import Mapping
from itertools import count
from pathlib import Path

from sley.frontend.data_model import DataModel
from sley.frontend.litmus.arm import arm_step
from sley.frontend.litmus.machine_code import WORD, Assembler, Step, ThreadCode
from sley.frontend.litmus.power import power_step
from sley.frontend.litmus.reading import read_test
from sley.frontend.litmus.test import (
    Conjunction,
    Disjunction,
    Holds,
    LitmusLanguage,
    LitmusTest,
    Negation,
    Outcome,
    atoms,
)
from sley.frontend.litmus.x86 import x86_step
from sley.frontend.load import load
from sley.logic.sorts import bitvec
from sley.logic.terms import Term, Terms
from sley.program.builder import FunctionBuilder
from sley.program.instructions import (
    Access,
    Check,
    Create,
    End,
    Ending,
    Instruction,
    Join,
    Load,
    Register,
    Store,
)
from sley.program.memory import Cell, Layout, MemoryObject, PointerLayout, Storage
from sley.program.program import HANDLE, Function, Origin, Program
from sley.program.properties import Failure, Property

_STEPS: Mapping[LitmusLanguage, Step] = {
    LitmusLanguage.X86: x86_step,
    LitmusLanguage.POWER: power_step,
    LitmusLanguage.ARM: arm_step,
}
_POINTERS = PointerLayout()


def load_litmus(path: Path) -> Program:
    """The program of a test, in which an assertion fails iff what is asked about happens."""
    test = read_test(path)
    if test.architecture is LitmusLanguage.C:
        return load([path], data_model=DataModel.LP64)
    return _Machine(test).program()


class _Machine:
    """A test in assembly."""

    def __init__(self, test: LitmusTest) -> None:
        self.test = test
        self.terms = Terms()
        self.objects = tuple(self._objects())
        self.addresses = {made.name: made.address for made in self.objects}
        self.locations = count()

    def _objects(self) -> list[MemoryObject]:
        made = []
        for number, name in enumerate(_location_names(self.test), _POINTERS.first_object):
            address = self.terms.bv(_POINTERS.address(number), _POINTERS.width)
            cells = Layout((Cell(0, WORD),), 4)
            first = self.test.memory.get(name, (0,))[0] & 0xFFFFFFFF
            initial = ((0, first),) if first else ()
            made.append(MemoryObject(name, 4, cells, Storage.GLOBAL, address, initial, name, alignment=4))
        return made

    def program(self) -> Program:
        """All of it."""
        step = _STEPS[self.test.architecture]
        threads = []
        for number, lines in enumerate(self.test.threads):
            builder = FunctionBuilder(self.terms, f"P{number}", locations=self.locations)
            assembler = Assembler(self.test, number, builder, self.addresses)
            threads.append(ThreadCode(assembler, lines, step).function())
        functions = {function.name: function for function in (self._main(), *threads)}
        return Program(terms=self.terms, functions=functions, objects=self.objects, pointers=_POINTERS)

    def _main(self) -> Function:
        """At last it writes to all locations: then they are shared, and change, and every access is an event.

        Otherwise a location that one thread has for itself, or that is never written, could be left out, and
        so could what depends on it.
        """
        builder = FunctionBuilder(self.terms, "main", locations=self.locations)
        threads = range(len(self.test.threads))
        handles = [builder.register(f"thread.{n}", HANDLE) for n in threads]
        results = [builder.register(f"result.{n}", HANDLE) for n in threads]
        finals = {name: builder.register(name, WORD, c_name=name) for name in self.test.locations}
        steps: list[Instruction] = [
            *(Create(handle, f"P{n}", ()) for n, handle in enumerate(handles)),
            *(Join(result, handle.term) for result, handle in zip(results, handles, strict=True)),
            *(Load(register, self._access(name)) for name, register in finals.items()),
        ]
        zero = self.terms.bv(0, 32)
        failure = Failure(Property.REACH, "assertion", "", str(self.test.outcome), "`{}` can happen")
        bad = self._term(self.test.bad, results, finals)
        steps.append(Check(self.terms.not_(bad), failure))
        steps += [Store(self._access(name), zero) for name in self.addresses]
        steps.append(End(Ending.RETURN))
        origin, at = Origin(self.test.place, self.test.question, "main"), builder.entry
        for step in steps:
            to = builder.exit if isinstance(step, End) else builder.location()
            builder.edge(at, to, step, origin)
            at = to
        return builder.finish(c_name="main", result=bitvec(32), span=self.test.place)

    def _access(self, name: str) -> Access:
        return Access(self.addresses[name], WORD, text=name)

    def _term(self, outcome: Outcome, results: list[Register], finals: dict[str, Register]) -> Term:
        t = self.terms
        match outcome:
            case Holds(thread=None, name=name, value=value):
                return t.eq(finals[name].term, t.bv(value & 0xFFFFFFFF, 32))
            case Holds(thread=thread):
                assert thread is not None
                bit = self.test.asked_of(thread).index(outcome)
                return t.eq(t.extract(results[thread].term, bit, bit), t.bv(1, 1))
            case Negation(part=part):
                return t.not_(self._term(part, results, finals))
            case Conjunction(parts=parts):
                return t.and_(*(self._term(part, results, finals) for part in parts))
            case Disjunction(parts=parts):
                return t.or_(*(self._term(part, results, finals) for part in parts))


def _location_names(test: LitmusTest) -> list[str]:
    """Whatever is named as a location: by first values, by instructions, by the outcome."""
    held = [value for value in test.registers.values() if isinstance(value, str)]
    used = [name for lines in test.threads for line in lines for name in re.findall(r"\[(\w+)\]", line.text)]
    asked = [atom.name for atom in atoms(test.outcome) if atom.thread is None]
    return list(dict.fromkeys([*test.memory, *held, *used, *asked]))
