"""The symbolic state: which variables stand for the memory and the threads of a program.

A state of the program with known threads and heap blocks is a value for each of these variables: the
registers of every thread, the cells of every object (as numbers made of their bytes; those of a large object
are the elements of arrays), whether an object that can die is alive, the size of a heap block, and how far a
thread is. Locations are not among them: whoever
steps symbolically knows them.

The roles of variables depend on thread ids, object numbers and cell indices alone, so two vocabularies of one
program agree on all variables that they share.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from sley.logic.arrays import ArrayValue
from sley.logic.sorts import BOOL, ArraySort, Sort, bitvec
from sley.logic.terms import Term, Terms
from sley.program.instructions import Register
from sley.program.memory import Layout, MemoryObject, Storage
from sley.program.program import SELF, Function
from sley.semantics.code import Code
from sley.semantics.memory import LayoutTable, initial_contents
from sley.semantics.roles import (
    AliveRole,
    CellRole,
    ContentsRole,
    DetachedRole,
    RegisterRole,
    ResultRole,
    SizeRole,
    StatusRole,
)

STATUS = bitvec(8)
ABSENT, RUNNING, EXITED, GONE = range(4)
"""Values of ``status``: not yet created; running; ended and not joined; ended and joined or detached."""


MOST_CELLS = 64
"""An object with more cells than this is worth arrays."""


class Lifetime(Enum):
    """How long an object lives."""

    GLOBAL = "global"
    LOCAL = "local"
    HEAP = "heap"


@dataclass(frozen=True)
class Instance:
    """An object that may exist: a global, a local object of one thread, a heap block."""

    number: int
    layout: Layout
    capacity: int
    """Bytes; a heap block may be smaller."""
    kind: Lifetime
    is_read_only: bool = False
    """Whether it holds for ever what it holds at the start."""
    is_constant: bool = False
    """Whether only what initialises it may write it."""
    is_array: bool = False
    """Whether arrays hold its contents: one for the cells of each size, by their offsets."""
    is_kept: bool = False
    """Whether the library holds on to it, so that it is never lost."""
    table: LayoutTable = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "table", LayoutTable(self.layout))

    @property
    def cell_count(self) -> int:
        """How many cells it has."""
        return self.layout.count(self.capacity)


@dataclass(frozen=True, slots=True)
class HeapShape:
    """The layout of a heap block and the most bytes it may have."""

    layout: Layout
    capacity: int
    site: int = -1
    """The location where it was allocated, if that matters."""


def may_lose(code: Code, heap: Iterable[tuple[int, HeapShape]]) -> bool:
    """Whether one of these blocks is lost when nothing refers to it."""
    return any(block.site not in code.kept for _, block in heap)


class Vocabulary:
    """The variables for a program with these threads and heap blocks.

    ``threads[t]`` is the name of the function that the thread with id t runs, whether it exists yet or not;
    ``heap`` are the blocks that may exist, by object number. Objects with more than ``most_cells`` cells are
    arrays; None: there are no arrays.
    """

    def __init__(
        self,
        code: Code,
        threads: Sequence[str],
        heap: Mapping[int, HeapShape] | None = None,
        most_cells: int | None = None,
    ) -> None:
        self.code = code
        self.most_cells = most_cells
        self.terms = code.program.terms
        self.pointers = code.program.pointers
        self.threads: tuple[Function, ...] = tuple(code.program.functions[name] for name in threads)
        self.instances: dict[int, Instance] = {i.number: i for i in self._instances(heap or {})}
        self._substitutions: dict[int, dict[Term, Term]] = {}

    def _instances(self, heap: Mapping[int, HeapShape]) -> Iterator[Instance]:
        program = self.code.program
        for number, obj in enumerate(program.objects, program.pointers.first_object):
            if obj.storage is not Storage.CODE:
                made = self.instance(number, obj.layout, obj.size, Lifetime.GLOBAL)
                yield replace(made, is_read_only=obj.is_read_only, is_constant=obj.is_read_only)
        for thread, function in enumerate(self.threads):
            for slot, obj in enumerate(function.objects):
                number = program.local_number(thread, slot)
                made = self.instance(number, obj.layout, obj.size, Lifetime.LOCAL)
                yield replace(made, is_constant=obj.is_read_only)
        for number, shape in heap.items():
            made = self.instance(number, shape.layout, shape.capacity, Lifetime.HEAP)
            yield replace(made, is_kept=shape.site in self.code.kept)

    def instance(self, number: int, layout: Layout, capacity: int, kind: Lifetime) -> Instance:
        """An object that may be written, as this vocabulary sees it."""
        is_array = self.most_cells is not None and layout.count(capacity) > self.most_cells
        return Instance(number, layout, capacity, kind, is_array=is_array)

    # --- objects --------------------------------------------------------------------------------------

    def address(self, number: int, offset: int = 0) -> Term:
        """A pointer, as a constant."""
        return self.terms.bv(self.pointers.address(number, offset), self.pointers.width)

    def local(self, thread: int, obj: MemoryObject) -> Instance:
        """The local object of a thread."""
        slot = self.code.slots[self.threads[thread].name][obj.name]
        return self.instances[self.code.program.local_number(thread, slot)]

    def locals(self, thread: int) -> tuple[Instance, ...]:
        """All local objects of a thread."""
        return tuple(self.local(thread, obj) for obj in self.threads[thread].objects)

    def alive(self, instance: Instance) -> Term:
        """Whether the object exists now."""
        if instance.kind is Lifetime.GLOBAL:
            return self.terms.true
        return self.terms.var(AliveRole(instance.number), BOOL)

    def size(self, instance: Instance) -> Term:
        """The size of the object in bytes, as wide as a pointer."""
        width = self.pointers.width
        if instance.kind is Lifetime.HEAP:
            return self.terms.var(SizeRole(instance.number), bitvec(width))
        return self.terms.bv(instance.capacity, width)

    def if_all_lived(self, condition: Term) -> Term:
        """A condition about addresses, whatever lives, and as if every block were as large as can be.

        An access that does not hit an object because another thread has ended it might have come before.
        """
        t = self.terms
        mapping: dict[Term, Term] = {}
        for variable in t.variables(condition):
            match t.symbol(variable):
                case AliveRole():
                    mapping[variable] = t.true
                case SizeRole(number=number):
                    mapping[variable] = t.const(self.instances[number].capacity, t.sort(variable))
                case _:
                    pass
        return t.substitute(condition, mapping)

    def cell(self, instance: Instance, index: int) -> Term:
        """The bytes of a cell as a number."""
        variable, place = self.home(instance, index)
        return variable if place is None else self.terms.select(variable, place)

    def home(self, instance: Instance, index: int) -> tuple[Term, Term | None]:
        """The variable that holds a cell, and which element of it the cell is if it is an array."""
        position = index % len(instance.layout.cells)
        size = instance.layout.cells[position].size
        if instance.is_array:
            offset = self.terms.bv(instance.layout.offset_of(index), self.pointers.offset_bits)
            return self.array(instance, size), offset
        return self.terms.var(CellRole(instance.number, index), bitvec(8 * size)), None

    def array(self, instance: Instance, size: int) -> Term:
        """The cells of this size of an object with arrays."""
        sort = ArraySort(self.pointers.offset_bits, 8 * size)
        return self.terms.var(ContentsRole(instance.number, size), sort)

    def indices(self, instance: Instance) -> Sequence[int]:
        """The cells of an object that are variables: all of them, unless it is blurred."""
        return range(instance.cell_count)

    def cells(self, instance: Instance) -> tuple[Term, ...]:
        """The contents of an object, as far as they are variables."""
        return tuple(self.cell(instance, index) for index in self.indices(instance))

    def is_blurred(self, instance: Instance) -> bool:
        """Whether there are cells that are no variables: what is there may be anything at any time."""
        return False

    def contents(self, instance: Instance) -> tuple[Term, ...]:
        """The variables that hold what an object contains: its cells, or its arrays."""
        if not instance.is_array:
            return self.cells(instance)
        sizes = dict.fromkeys(cell.size for cell in instance.layout.cells)
        return tuple(self.array(instance, size) for size in sizes)

    def initial(self, instance: Instance, obj: MemoryObject) -> dict[Term, Term]:
        """What holds the contents of an object, with what its static initialiser says."""
        t = self.terms
        if not instance.is_array:
            values = zip(self.cells(instance), initial_contents(obj, self.indices(instance)), strict=True)
            return {cell: t.const(v, t.sort(cell)) for cell, v in values if isinstance(v, int)}
        given: dict[int, dict[int, int]] = {cell.size: {} for cell in obj.layout.cells}
        for index, value in obj.initial:
            size = obj.layout.cells[index % len(obj.layout.cells)].size
            given[size][obj.layout.offset_of(index)] = value
        arrays = {size: self.array(instance, size) for size in given}
        return {a: t.const(ArrayValue.of(0, given[size].items()), t.sort(a)) for size, a in arrays.items()}

    # --- threads ----------------------------------------------------------------------------------------

    def register(self, thread: int, register: Register) -> Term:
        """The register of one thread."""
        return self.terms.var(RegisterRole(thread, register.name), register.sort)

    def status(self, thread: int) -> Term:
        """How far the thread is: ABSENT, RUNNING, EXITED or GONE."""
        return self.terms.var(StatusRole(thread), STATUS)

    def result(self, thread: int) -> Term:
        """What an exited thread returned."""
        return self.terms.var(ResultRole(thread), bitvec(self.pointers.width))

    def detached(self, thread: int) -> Term:
        """Whether the thread is detached."""
        return self.terms.var(DetachedRole(thread), BOOL)

    def handle(self, thread: int) -> Term:
        """The handle of a thread, as a constant."""
        return self.terms.bv(thread + 1, self.terms.width(self.code.program.self_handle))

    def identity(self, thread: int, width: int) -> Term:
        """What a lock that the thread holds contains: its handle in so many bits."""
        return self.terms.resize(self.handle(thread), width, signed=False)

    def known_threads(self) -> Sequence[int]:
        """The threads that a handle may name."""
        return range(len(self.threads))

    def is_unknown_thread(self, handle: Term) -> Term:
        """When a handle may name a thread that is not known: never, as they are all there are."""
        return self.terms.false

    def is_unknown_object(self, address: Term) -> Term:
        """When an address may be in an object that is no instance: never, as they are all there are."""
        return self.terms.false

    def instantiated(self, thread: int, term: Term) -> Term:
        """A term of the thread's function, over the variables of this thread."""
        return self.terms.substitute(term, self.substitution(thread))

    def substitution(self, thread: int) -> Mapping[Term, Term]:
        """What registers and local addresses of a thread's function are for this thread."""
        found = self._substitutions.get(thread)
        if found is None:
            function = self.threads[thread]
            found = {register.term: self.register(thread, register) for register in function.registers}
            found |= {obj.address: self.address(self.local(thread, obj).number) for obj in function.objects}
            found[self.terms.var(SELF, self.terms.sort(self.code.program.self_handle))] = self.handle(thread)
            self._substitutions[thread] = found
        return found

    # --- all of it ----------------------------------------------------------------------------------------

    @cached_property
    def variables(self) -> tuple[Term, ...]:
        """All variables, in a fixed order."""
        return tuple(self._variables())

    def _variables(self) -> Iterator[Term]:
        for instance in self.instances.values():
            if instance.kind is not Lifetime.GLOBAL:
                yield self.alive(instance)
            if instance.kind is Lifetime.HEAP:
                yield self.size(instance)
            yield from self.contents(instance)
        for thread, function in enumerate(self.threads):
            yield self.status(thread)
            yield self.result(thread)
            yield self.detached(thread)
            for register in function.registers:
                yield self.register(thread, register)


def zero(terms: Terms, sort: Sort) -> Term:
    """The value of which all bytes are zero."""
    return terms.const(ArrayValue(0) if isinstance(sort, ArraySort) else 0, sort)
