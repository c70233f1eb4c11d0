"""Labels in the user's words: the variables of symbolic states, and what is said about them, as C.

A variable of the user's is printed by its C name, a local one behind its thread (``worker#1.i``). What C has
no expression for is said in English: who holds a lock, how far a thread is, which thread a handle means. A
value that was read from ``x`` into a temporary is ``x'``, a bound arbitrary value is ``any_value``.
"""

from collections import ChainMap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from sley.logic.clauses import conjuncts, disjuncts
from sley.logic.operators import Op, to_signed
from sley.logic.printer import to_c
from sley.logic.readable import Clause, readable_clauses
from sley.logic.simplify.arithmetic import base_and_constant
from sley.logic.sorts import ArraySort, Sort, bitvec, width_of
from sley.logic.terms import Term, Terms
from sley.program.instructions import Allocate, Register
from sley.program.memory import Display, MemoryObject
from sley.program.program import Function
from sley.semantics.roles import (
    AliveRole,
    BoundRole,
    ContentsRole,
    DetachedRole,
    StatusRole,
)
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.semantics.vocabulary import ABSENT, EXITED, GONE, RUNNING, STATUS, Instance, Lifetime, Vocabulary
from sley.wording.programs import ProgramWords, ThreadNames

MOST_BLOCKS = 1000
"""Numbers beyond those of so many heap blocks are taken for numbers."""


class Sense(Enum):
    """What a variable is about."""

    SIGNED = auto()
    UNSIGNED = auto()
    CHARACTER = auto()
    POINTER = auto()
    FLOAT = auto()
    LOCK = auto()
    HANDLE = auto()
    STATUS = auto()
    SIZE = auto()
    TEMPORARY = auto()
    """Of no known type: a number, or a pointer if it is one to something."""
    FACT = auto()
    """A Boolean that reads as a sentence."""


@dataclass(frozen=True, slots=True)
class Word:
    """What a variable is called, and what it is about."""

    text: str
    sense: Sense
    opposite: str = ""
    """Facts: the sentence for false."""


class _Table:
    """The words for all variables of a shape."""

    def __init__(self, words: dict[Term, Word]) -> None:
        self.words = words
        self.names = {variable: word.text for variable, word in words.items()}
        self.unsigned = frozenset(v for v, word in words.items() if word.sense in _UNSIGNED)


_UNSIGNED = (Sense.UNSIGNED, Sense.POINTER, Sense.HANDLE, Sense.SIZE)

_BY_DISPLAY = {
    Display.UNSIGNED: Sense.UNSIGNED,
    Display.CHAR: Sense.CHARACTER,
    Display.POINTER: Sense.POINTER,
    Display.FLOAT: Sense.FLOAT,
}

_STATUS_WORDS = {
    ABSENT: ("does not exist yet", "exists"),
    RUNNING: ("is running", "is not running"),
    EXITED: ("waits to be joined", "does not wait to be joined"),
    GONE: ("is over", "is not over"),
}


class LabelTexts:
    """Writes labels; ``shapes`` are all that occur, so that threads have one name everywhere."""

    def __init__(self, steps: SymbolicSteps, shapes: Iterable[Shape]) -> None:
        self.steps = steps
        self.terms = steps.terms
        self.code = steps.code
        self.threads = ThreadNames(steps.code, shapes)
        self._program = ProgramWords(steps.code)
        self._tables: dict[Shape, _Table] = {}
        self._texts: dict[tuple[Shape, Clause], str] = {}
        edges = steps.code.program.edges
        self._sites = {e.source: e.instruction for e in edges if isinstance(e.instruction, Allocate)}

    def clauses(self, shape: Shape, control: Sequence[int], label: Iterable[Term]) -> list[Clause]:
        """What the label says beyond what exists and where the threads stand."""
        formulas = list(label)
        return readable_clauses(self.terms, formulas, self._known(shape, control, formulas))

    def texts(self, shape: Shape, control: Sequence[int], label: Iterable[Term]) -> tuple[str, ...]:
        """The conjuncts of a label, each once."""
        clauses = self.clauses(shape, control, label)
        return tuple(dict.fromkeys(self.text(shape, clause) for clause in clauses))

    def text(self, shape: Shape, clause: Clause) -> str:
        """One conjunct."""
        key = (shape, clause)
        if key not in self._texts:
            parts = [self._cube(shape, part, is_alone=len(clause) == 1) for part in clause]
            self._texts[key] = " || ".join(parts)
        return self._texts[key]

    def _cube(self, shape: Shape, formula: Term, *, is_alone: bool) -> str:
        """A disjunct: a literal, or a conjunction in brackets."""
        literals = conjuncts(self.terms, (formula,))
        texts = [self._printed(shape, literal) for literal in literals]
        if len(texts) == 1:
            return texts[0]
        texts = [
            f"({t})" if len(disjuncts(self.terms, p)) > 1 else t for p, t in zip(literals, texts, strict=True)
        ]
        return " && ".join(texts) if is_alone else f"({' && '.join(texts)})"

    def _printed(self, shape: Shape, formula: Term) -> str:
        table = self._table(shape)
        names = ChainMap(self._phrases(shape, formula), table.names)
        return to_c(self.terms, formula, names, unsigned=table.unsigned)

    # --- what follows from control and shape ------------------------------------------------------------

    def _known(self, shape: Shape, control: Sequence[int], label: Sequence[Term]) -> dict[Term, Term]:
        """The values of variables that are settled: running threads run, what does not exist is nowhere."""
        t, vocabulary = self.terms, self.steps.vocabulary(shape)
        known = {
            vocabulary.status(thread): t.const(RUNNING, STATUS)
            for thread, at in enumerate(control)
            if at >= 0
        }
        for variable in dict.fromkeys(v for conjunct in label for v in t.variables(conjunct)):
            match t.symbol(variable):
                case StatusRole(thread=thread) if thread >= len(control):
                    known[variable] = t.const(ABSENT, STATUS)
                case DetachedRole(thread=thread) if thread >= len(control):
                    known[variable] = t.false
                case AliveRole(number=number) if number not in vocabulary.instances:
                    known[variable] = t.false
        return known

    # --- words for variables --------------------------------------------------------------------------------

    def _table(self, shape: Shape) -> "_Table":
        if shape not in self._tables:
            self._tables[shape] = _Table(dict(self._words(shape)))
        return self._tables[shape]

    def _words(self, shape: Shape) -> Iterator[tuple[Term, Word]]:
        vocabulary = self.steps.vocabulary(shape)
        for instance in vocabulary.instances.values():
            yield from self._instance_words(shape, vocabulary, instance)
        for thread, function in enumerate(vocabulary.threads):
            name = self.threads(shape, thread)
            yield vocabulary.status(thread), Word(name, Sense.STATUS)
            yield vocabulary.result(thread), Word(f"{name}.result", Sense.POINTER)
            detached = Word(f"{name} is detached", Sense.FACT, f"{name} is not detached")
            yield vocabulary.detached(thread), detached
            for register in function.registers:
                word = self._register_word(name, function, register)
                yield vocabulary.register(thread, register), word
        for position in range(8):
            for sort in dict.fromkeys(map(self._scalar_sort, vocabulary.variables)):
                text = "any_value" + (str(position + 1) if position else "")
                yield self.terms.var(BoundRole(position), sort), Word(text, Sense.SIGNED)

    def _scalar_sort(self, variable: Term) -> Sort:
        """The sort of a variable, or of the elements of an array."""
        sort = self.terms.sort(variable)
        return bitvec(sort.element) if isinstance(sort, ArraySort) else sort

    def _instance_words(
        self, shape: Shape, vocabulary: Vocabulary, instance: Instance
    ) -> Iterator[tuple[Term, Word]]:
        name, obj = self._object_name(shape, instance)
        if instance.kind is not Lifetime.GLOBAL:
            yield vocabulary.alive(instance), Word(f"{name} exists", Sense.FACT, f"{name} does not exist")
        if instance.kind is Lifetime.HEAP:
            yield vocabulary.size(instance), Word(f"size_of_{name}", Sense.SIZE)
        if instance.is_array:
            for variable in vocabulary.contents(instance):
                yield variable, Word(name, self._element_sense(variable, instance))
            return
        for index, variable in zip(vocabulary.indices(instance), vocabulary.cells(instance), strict=True):
            path = instance.layout.path_of(index, instance.capacity)
            cell = instance.layout.cells[index % len(instance.layout.cells)]
            if cell.display is Display.HIDDEN and path.endswith(".owner"):
                word = Word(name + path.removesuffix(".owner"), Sense.LOCK)
            elif obj is not None and obj.address in self._program.locks and index == 0:
                word = Word(name + path, Sense.LOCK)
            elif obj is not None and obj.address in self._program.cells:
                word = Word(name + path, Sense.HANDLE)
            else:
                word = Word(name + path, _BY_DISPLAY.get(cell.display, Sense.SIGNED))
            yield variable, word

    def _element_sense(self, array: Term, instance: Instance) -> Sense:
        role = self.terms.symbol(array)
        assert isinstance(role, ContentsRole)
        displays = {cell.display for cell in instance.layout.cells if cell.size == role.size}
        return _BY_DISPLAY.get(displays.pop(), Sense.SIGNED) if len(displays) == 1 else Sense.SIGNED

    def _object_name(self, shape: Shape, instance: Instance) -> tuple[str, MemoryObject | None]:
        program = self.code.program
        if instance.kind is Lifetime.GLOBAL:
            obj = program.static_object(instance.number)
            assert obj is not None
            return obj.c_name or obj.name, obj
        if instance.kind is Lifetime.HEAP:
            return self._block_name(shape, instance.number), None
        found = program.local_slot(instance.number)
        assert found is not None
        thread, slot = found
        local = program.functions[shape.threads[thread]].objects[slot]
        return f"{self.threads(shape, thread)}.{local.c_name or local.name.split('.')[-1]}", local

    def _block_name(self, shape: Shape, number: int) -> str:
        """Heap blocks are numbered among those of the same name."""
        names = {n: self._sites[b.site].name or "block" for n, b in shape.heap if b.site in self._sites}
        name = names.get(number, "block")
        same = [n for n in names if names[n] == name]
        return f"{name}#{same.index(number) + 1}" if number in same else name

    def _register_word(self, thread: str, function: Function, register: Register) -> Word:
        sense = _BY_DISPLAY.get(register.display, Sense.SIGNED)
        if register.term in self._program.registers.get(function.name, ()):
            sense = Sense.HANDLE
        if register.c_name:
            return Word(f"{thread}.{register.c_name}", sense)
        if sense is Sense.SIGNED and width_of(register.sort) == self.code.program.pointers.width:
            sense = Sense.TEMPORARY
        return Word(f"{thread}.{self._program.source(function, register)}'", sense)

    # --- phrases for atoms ------------------------------------------------------------------------------

    def _phrases(self, shape: Shape, formula: Term) -> dict[Term, str]:
        """Texts for comparisons with constants that C's numbers would not explain."""
        t, words = self.terms, self._table(shape).words
        found: dict[Term, str] = {}
        parts = t.walk((formula,))
        if any(words[part].sense is Sense.POINTER for part in parts if part in words):
            found |= {part: self.address(shape, t.number(part) or 0) for part in parts if self._is_heap(part)}
        for term in parts:
            word = words.get(term)
            if word is not None and word.sense is Sense.FACT:
                found[term], found[t.not_(term)] = word.text, word.opposite
            elif t.op(term) is Op.FP_FROM_BITS and t.args(term)[0] in words:
                found[term] = words[t.args(term)[0]].text
            elif t.op(term) is Op.SELECT and (read := self._read(shape, term)) is not None:
                found[term] = read
            elif t.op(term) is Op.ITE and (element := self._element(shape, term)) is not None:
                found[term] = element[0]
            elif t.op(term) is Op.BVULT:
                apart = self._same_element(shape, term)
                if apart is not None:
                    found[term], found[t.not_(term)] = apart
            elif t.op(term) is Op.EQ:
                subject, value = t.args(term)
                number = t.number(value)
                if number is not None and subject in words:
                    said = self._comparison(shape, words[subject], number, t.width(value))
                    if said is not None:
                        found[term], found[t.not_(term)] = said
        return found

    def _read(self, shape: Shape, read: Term) -> str | None:
        """``a[i]`` or ``a[2].x``, for an element of an array whose indices are offsets."""
        t = self.terms
        array, offset = t.args(read)
        if not t.is_var(array) or not isinstance(role := t.symbol(array), ContentsRole):
            return None
        instance = self.steps.vocabulary(shape).instances.get(role.number)
        if instance is None:
            return None
        name, _ = self._object_name(shape, instance)
        number, layout = t.number(offset), instance.layout
        if number is not None:
            cell = layout.cell_at(number)
            return None if cell is None else name + layout.path_of(cell[0], instance.capacity)
        scaled, start = base_and_constant(t, offset)
        factor = t.number(t.args(scaled)[1]) if t.op(scaled) is Op.BVMUL else 1
        cell = layout.cell_at(start % layout.stride)
        if factor != layout.stride or cell is None:
            return f"({name} + {self._printed(shape, offset)} bytes)"
        index = t.args(scaled)[0] if factor > 1 else scaled
        index = t.add(index, t.bv(start // layout.stride, t.width(index)))
        return f"{name}[{self._printed(shape, index)}]{cell[1].path}"

    def _is_heap(self, term: Term) -> bool:
        """Whether the term is a constant that points to the heap."""
        pointer, layout = self._address_in(term), self.code.program.pointers
        return pointer is not None and 0 <= layout.number(pointer) - layout.heap_base < MOST_BLOCKS

    def _address_in(self, term: Term) -> int | None:
        """The value of a constant that is as wide as a pointer."""
        is_wide = self.terms.sort(term) == bitvec(self.code.program.pointers.width)
        return self.terms.number(term) if is_wide else None

    def _comparison(self, shape: Shape, word: Word, number: int, width: int) -> tuple[str, str] | None:
        """What equality with a constant means, and what the contrary."""
        text = word.text
        match word.sense:
            case Sense.STATUS:
                yes, no = _STATUS_WORDS.get(number, (f"has status {number}", f"has not status {number}"))
                return f"{text} {yes}", f"{text} {no}"
            case Sense.LOCK if number == 0:
                return f"{text} is free", f"{text} is held"
            case Sense.LOCK:
                holder = self.threads(shape, number - 1)
                return f"{text} is held by {holder}", f"{text} is not held by {holder}"
            case Sense.HANDLE if number:
                meant = self.threads(shape, number - 1)
                return f"{text} is {meant}", f"{text} is not {meant}"
            case Sense.SIZE:
                block = text.removeprefix("size_of_")
                return f"{block} has {number} bytes", f"{block} has other than {number} bytes"
            case Sense.TEMPORARY if self.address(shape, number) in ("NULL", hex(number)):
                return None
            case Sense.POINTER | Sense.TEMPORARY:
                return f"{text} == {self.address(shape, number)}", f"{text} != {self.address(shape, number)}"
            case Sense.CHARACTER if 32 <= to_signed(number, width) < 127:
                return f"{text} == {chr(number)!r}", f"{text} != {chr(number)!r}"
            case _:
                return None

    def _element(self, shape: Shape, term: Term) -> tuple[str, int] | None:
        """``&a[i]`` and the size of an element, for what the front end makes of that."""
        t = self.terms
        if t.op(term) is not Op.ITE:
            return None
        condition, one, other = t.args(term)
        if t.number(other) != self.code.program.pointers.wild:
            sizes = [self._element_size(shape, t.number(part)) for part in (one, other)]
            if sizes[0] is None or sizes[0] != sizes[1]:
                return None
            first, second = (self.address(shape, t.number(part) or 0) for part in (one, other))
            return f"({self._printed(shape, condition)} ? {first} : {second})", sizes[0]
        found = _scaled_index(t, one)
        if found is None or self._element_size(shape, found[2]) != found[1]:
            return None
        index, scale, base = found
        array = self.address(shape, base).removesuffix("[0]")
        return f"{array}[{self._printed(shape, index)}]", scale

    def _element_size(self, shape: Shape, pointer: int | None) -> int | None:
        """The size of the elements of the array that a pointer to one of them points into."""
        layout = self.code.program.pointers
        if pointer is None or layout.number(pointer) < 2:
            return None
        instance = self.steps.vocabulary(shape).instances.get(layout.number(pointer))
        if instance is None or len(instance.layout.cells) > 1:
            return None
        stride = instance.layout.stride
        return None if layout.offset(pointer) % stride else stride

    def _same_element(self, shape: Shape, below: Term) -> tuple[str, str] | None:
        """That two elements of the same size overlap, which means that they are the same; and the contrary.

        Both are multiples of their size (a power of two), or wild; no element is near the wild pointer.
        """
        t = self.terms
        difference, bound = t.args(below)
        if t.op(difference) is not Op.BVSUB:
            return None
        found = [self._element(shape, term) for term in t.args(difference)]
        elements = sorted(element for element in found if element is not None)
        if len(elements) != 2:
            return None
        (one, scale), (other, other_scale) = elements
        if not scale == other_scale == t.number(bound) or scale & (scale - 1):
            return None
        return f"{one} == {other}", f"{one} != {other}"

    def address(self, shape: Shape, pointer: int) -> str:
        """A pointer as C writes it: ``NULL``, ``&x``, ``&a[2]``; hexadecimal where it points nowhere."""
        layout = self.code.program.pointers
        number, offset = layout.number(pointer), layout.offset(pointer)
        if pointer == 0:
            return "NULL"
        instance = self.steps.vocabulary(shape).instances.get(number)
        if instance is None and number >= layout.heap_base:
            return f"&heap#{number - layout.heap_base + 1}" + (f" + {offset} bytes" if offset else "")
        if instance is None:
            named = self.code.program.static_object(number)
            return named.c_name if named is not None and named.c_name and offset == 0 else hex(pointer)
        name, _ = self._object_name(shape, instance)
        found = instance.layout.cell_at(offset)
        if found is not None and offset < instance.capacity:
            return f"&{name}{instance.layout.path_of(found[0], instance.capacity)}"
        return f"&{name} + {offset} bytes"


def _scaled_index(t: Terms, address: Term) -> tuple[Term, int, int] | None:
    """The index, scale and base of ``(long)i * scale + base``."""
    if t.op(address) is not Op.BVADD:
        return None
    scaled, base = t.args(address)
    start, scale = t.number(base), 1
    if t.op(scaled) is Op.BVMUL:
        scaled, factor = t.args(scaled)
        scale = t.number(factor) or 0
    if start is None or t.op(scaled) not in (Op.SIGN_EXTEND, Op.ZERO_EXTEND):
        return None
    return t.args(scaled)[0], scale, start
