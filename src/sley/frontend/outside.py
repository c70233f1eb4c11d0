"""What a program gets from outside: the arguments of ``main`` and unknown texts of the library.

Each string is an address in an object without modelled contents. A model decides the characters of the
first arguments when they are looked at (``models/arguments.c``). Of all other strings the first character
can be looked at and is arbitrary; where it ends is not known, so whoever looks further gives up. Functions
of the library that take strings know them by ``__sley_is_text``, those with a model by
``__sley_is_argument``. A program must not write to a text of the library; a write to an argument, which C
allows, gives up.
"""

from sley.frontend.argument_places import APART, MODELLED, end_of_modelled, rest_of
from sley.frontend.c_types import INT
from sley.frontend.emitter import Emitter
from sley.frontend.model_calls import call_model
from sley.frontend.program_objects import ProgramObjects
from sley.logic.operators import Op
from sley.logic.sorts import bitvec
from sley.logic.terms import Term
from sley.program.instructions import Access, Cause, Havoc, Load, Register

_CHARACTER = "sley_argument_character"
_ARGUMENTS = "the arguments of the program"


class OutsideReads:
    """Loads from such objects: what they find instead of contents."""

    def __init__(self, objects: ProgramObjects) -> None:
        self._objects = objects
        self._terms = objects.terms
        self._width = objects.pointers.width

    def __call__(self, emitter: Emitter, access: Access, register: Register) -> int | None:
        """Write what is loaded from outside; the location where that goes on, if it can be."""
        objects = self._objects
        found: list[tuple[Term, Term]] = [
            (start, is_inside)
            for start in (*objects.strings, *objects.arguments)
            for is_inside in objects.inside(access.address, start)
        ]
        if not found:
            return None
        done = emitter.location()
        for start, is_inside in found:
            with emitter.when(is_inside):
                if start in objects.strings:
                    self._character(emitter, access, register, start)
                else:
                    self._argument(emitter, access, register, start)
                emitter.jump(done)
        return done

    def _character(self, emitter: Emitter, access: Access, register: Register, start: Term) -> None:
        terms, objects = self._terms, self._objects
        what = objects.strings[start]
        if access.sort != bitvec(8):
            emitter.pass_over(f"{what} is read otherwise than by characters")
            emitter.emit(Havoc(register, Cause.UNMODELLED, what))
            return
        done = emitter.location()
        is_modelled = objects.in_modelled_argument(access.address)
        if is_modelled != terms.false:
            with emitter.when(is_modelled):
                emitter.assign(register, call_model(objects, emitter, _CHARACTER, [access.address]))
                emitter.jump(done)
        is_first = self._is_multiple(objects.offset_of(access.address), APART // 2)
        emitter.give_up_if(terms.not_(is_first), f"{what} is read beyond its first character")
        emitter.emit(Havoc(register, Cause.UNMODELLED, what))
        emitter.jump(done)
        emitter.move(done)

    def _is_multiple(self, offset: Term, size: int) -> Term:
        """Whether a power of two divides an offset."""
        rest = self._terms.apply(Op.BVAND, offset, self._terms.bv(size - 1, self._width))
        return self._terms.eq(rest, self._terms.bv(0, self._width))

    def _argument(self, emitter: Emitter, access: Access, register: Register, start: Term) -> None:
        """``argv[i]``: a string, or null behind the last."""
        terms, width, size = self._terms, self._width, self._width // 8
        offset = self._objects.offset_of(access.address)
        if access.sort != bitvec(width):
            emitter.pass_over(f"{_ARGUMENTS} are not modelled")
            emitter.emit(Havoc(register, Cause.UNMODELLED, _ARGUMENTS))
            return
        is_whole = self._is_multiple(offset, size)
        emitter.give_up_if(terms.not_(is_whole), f"{_ARGUMENTS} are not modelled")
        strings, place = self._objects.arguments[start]
        count = emitter.temporary(INT.sort)
        emitter.emit(Load(count, Access(place, INT.sort, text="argc")))
        index = terms.apply(Op.BVLSHR, offset, terms.bv(size.bit_length() - 1, width))
        number = terms.resize(count.term, width, signed=False)
        string = terms.add(strings, self._place_of(index))
        there, rest_of = emitter.location(), emitter.location()
        emitter.branch(terms.ule(index, number), there, rest_of)
        emitter.move(rest_of)
        emitter.step(Load(register, access))
        emitter.give_up(f"{_ARGUMENTS} have an end")
        emitter.move(there)
        emitter.assign(register, terms.ite(terms.ult(index, number), string, terms.bv(0, width)))

    def _place_of(self, index: Term) -> Term:
        """Where an argument begins, in the object that all of them are in."""
        terms, width, pointers = self._terms, self._width, self._objects.pointers
        modelled = terms.mul(index, terms.bv(2 * rest_of(pointers), width))
        first = terms.bv(end_of_modelled(pointers) - MODELLED * APART, width)
        other = terms.add(first, terms.mul(index, terms.bv(APART, width)))
        return terms.ite(terms.ult(index, terms.bv(MODELLED, width)), modelled, other)
