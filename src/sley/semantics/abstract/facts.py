"""What holds at any time, whoever does what: facts about memory that nobody owns."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Terms
from sley.program import instructions as ir
from sley.program.program import Edge, Program
from sley.program.rewriting import read_terms, written_registers
from sley.semantics.abstract.objects import Cell, CellSet, Kind, Objects
from sley.semantics.abstract.state import initial_contents, of_width
from sley.semantics.abstract.values import NOTHING, ZERO, Value, any_number, is_within, object_of, union
from sley.semantics.abstract.world import OWNER, Context


def offspring_of(children: Mapping[int | None, Collection[int]], thread: int) -> set[int]:
    """All threads that come of a thread, by who starts whom."""
    found: set[int] = set()
    waiting = [thread]
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return found


def made_by(
    contexts: Sequence[Context], calls: Iterable[tuple[int, int]], own: Callable[[Context], Iterable[int]]
) -> dict[int, set[int]]:
    """Context -> the objects that a call in it may make, and the contexts c that it enters, as ``~c``."""
    made = {context.index: {~context.index, *own(context)} for context in contexts}
    callers: dict[int, set[int]] = {}
    for caller, called in calls:
        callers.setdefault(called, set()).add(caller)
    waiting = list(made)
    while waiting:
        called = waiting.pop()
        for caller in callers.get(called, ()):
            if not made[called] <= made[caller]:
                made[caller] |= made[called]
                waiting.append(caller)
    return made


def made_in(context: Context, objects: Objects) -> Iterator[int]:
    """The objects of which a function itself makes instances in a context."""
    for edge in objects.program.functions[context.function].edges:
        match edge.instruction:
            case ir.Allocate():
                yield objects.block(context.function, edge.source, context.maker)
            case ir.Enter(object=entered):
                yield objects.local(context.function, entered)
            case ir.Create() | ir.CreatePointer():
                yield objects.thread(context.function, edge.source, context.maker)
            case _:
                pass


def starts_threads(made: Iterable[int], objects: Objects) -> bool:
    """Whether threads are among what a call makes."""
    return any(obj >= 0 and objects.kind(obj) is Kind.THREAD for obj in made)


class Mentions:
    """The static objects that functions name."""

    def __init__(self, objects: Objects) -> None:
        self._objects = objects
        self._own: dict[str, tuple[set[int], set[str]]] = {}
        """Function -> the objects that it names, and the functions that it calls by name."""

    def of(self, function: str) -> set[int]:
        """Those that a function names, or one that it calls by name, and so on."""
        found: set[int] = set()
        seen, waiting = {function}, [function]
        while waiting:
            objs, called = self._named_in(waiting.pop())
            found |= objs
            waiting += called - seen
            seen |= called
        return found

    def _named_in(self, function: str) -> tuple[set[int], set[str]]:
        if function not in self._own:
            program = self._objects.program
            edges = program.functions[function].edges
            numbers = (number for edge in edges for number in _numbers(program.terms, edge))
            places = (self._objects.static_place(number) for number in numbers)
            self._own[function] = (
                {object_of(place[0]) for place in places if place is not None},
                {edge.instruction.function for edge in edges if isinstance(edge.instruction, ir.Call)},
            )
        return self._own[function]


def _numbers(terms: Terms, edge: Edge) -> Iterator[int]:
    """The constants in a step."""
    for term in terms.walk(read_terms(edge.instruction)):
        if terms.op(term) is Op.CONST and isinstance(terms.sort(term), BitVecSort):
            yield int(terms.value(term))


def handing_back(objects: Objects) -> set[str]:
    """The functions that return no addresses but those of what their arguments lead to at once.

    They load none from memory, and make none. So what was returned to another caller is not returned here.
    """
    program = objects.program
    found = {name for name, function in program.functions.items() if not function.objects}
    while True:
        kept = {
            name
            for name in found
            if all(_hands_back(e, found, objects) for e in program.functions[name].edges)
        }
        if kept == found:
            return found
        found = kept


def _hands_back(edge: Edge, functions: Collection[str], objects: Objects) -> bool:
    """Whether no address comes from anywhere else in a step."""
    program, instruction = objects.program, edge.instruction
    terms, width = program.terms, program.pointers.width
    if isinstance(instruction, ir.Call):
        return instruction.function in functions
    is_copy = isinstance(instruction, ir.Assign)
    written = (one.sort for one in written_registers(instruction))
    if not is_copy and any(isinstance(sort, BitVecSort) and sort.width >= width for sort in written):
        return False
    return all(objects.static_place(number) is None for number in _numbers(terms, edge))


def ending(program: Program) -> set[str]:
    """The functions that may free blocks, or join or detach threads, as do those that call them."""
    callers: dict[str, set[str]] = {}
    found: set[str] = set()
    for function in program.functions.values():
        for edge in function.edges:
            match edge.instruction:
                case ir.Free() | ir.Join() | ir.Detach() | ir.CallPointer():
                    found.add(function.name)
                case ir.Call(function=called):
                    callers.setdefault(called, set()).add(function.name)
                case _:
                    pass
    waiting = list(found)
    while waiting:
        news = callers.get(waiting.pop(), set()) - found
        found |= news
        waiting += news
    return found


class Facts:
    """How to read them. Who collects them, or checks them, adds how to write."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self.memory: dict[int, dict[Cell, Value]] = {}
        """Object -> its cells, and what was written to them, unless as locks were taken."""
        self.shared: Collection[int] = set()
        """Objects that are not static and of which more than one thread may have the address."""
        self.escaped: set[int] = set()
        """Objects whose addresses are in memory that nobody owns."""
        self.outlived: Collection[int] = set()
        """Objects of which one thread may end an instance that another one can reach ..."""
        self.outlived_later: Collection[int] = set()
        """... and this thread is not the first one."""
        self.locked = CellSet(objects)
        """Cells of locks."""
        self.overwritten = CellSet(objects)
        """Cells that may be written other than by taking a lock while several threads run."""
        self.replaced: Collection[Cell] | None = None
        """Static cells that do not hold their initial values any more when the first thread is created; None:
        none is created."""
        self._pointer_size = objects.program.pointers.width // 8
        self._wholes: dict[int, Value] = {}
        """Object -> what any part of it may hold; who adds something to an object forgets that."""

    def hands_back(self, function: str) -> bool:
        """Whether a function returns no addresses but those that it is given."""
        return function in self._handing_back

    @cached_property
    def _handing_back(self) -> Collection[str]:
        return handing_back(self.objects)

    def ends(self, function: str) -> bool:
        """Whether a call of a function may free a block, or join or detach a thread."""
        return function in self._ending

    @cached_property
    def _ending(self) -> Collection[str]:
        return ending(self.objects.program)

    def read(self, cell: Cell) -> Value:
        """What a cell may hold."""
        objects, obj = self.objects, cell.object
        if obj == objects.outside:
            return initial_contents(objects, cell)
        known: Mapping[Cell, Value] = self.memory.get(obj, {})
        made = known.get(cell, NOTHING)
        if cell.offset < 0:  # what is known of the object is not in it
            return made
        if cell.size == 0:
            if obj not in self._wholes:
                self._wholes[obj] = self._all(obj, known)
            return self._wholes[obj]
        if self._has_initial(cell):
            made = union(made, initial_contents(objects, cell))
        rest = known.get(objects.everything(obj))
        if rest is not None:
            made = union(made, of_width(rest, cell.size, self._pointer_size))
        if any(objects.overlapping(cell, other) for other in known):
            made = union(made, any_number(8 * cell.size))
        if cell in self.locked:
            made = union(made, OWNER)
        return made

    def _all(self, obj: int, known: Mapping[Cell, Value]) -> Value:
        made = any_number(self.objects.program.pointers.width)
        for value in known.values():
            made = union(made, value)
        if self.objects.kind(obj) in (Kind.STATIC, Kind.THREAD_LOCAL):
            made = union(made, initial_contents(self.objects, Cell(obj, 0, 0)))
        return made

    def _has_initial(self, cell: Cell) -> bool:
        kind = self.objects.kind(cell.object)
        if kind is Kind.THREAD_LOCAL:
            return True
        return kind is Kind.STATIC and self.replaced is not None and cell not in self.replaced

    def is_escaped(self, obj: int) -> bool:
        """Whether memory that nobody owns, or another thread, may have the address of an object."""
        return obj in self.escaped or Facts.is_shared(self, obj)

    def is_shared(self, obj: int) -> bool:
        """Whether several threads may have the address of an object."""
        return obj in self.shared or self.objects.kind(obj) in (Kind.STATIC, Kind.OUTSIDE)

    def is_outlived(self, obj: int, *, not_by_first: bool = False) -> bool:
        """Whether one thread, or one that is not the first, may end what another one can reach."""
        return obj in (self.outlived_later if not_by_first else self.outlived)

    def is_locked(self, cell: Cell) -> bool:
        """Whether a cell may be that of a lock."""
        return self.locked.meets(cell)

    def is_overwritten(self, cell: Cell) -> bool:
        """Whether something else than a lock may be written to a cell while several threads run."""
        return self.overwritten.meets(cell)

    def is_some_lock_overwritten(self) -> bool:
        """Whether that is so of the cell of any lock."""
        return any(map(self.overwritten.meets, self.locked))

    def is_lock(self, cell: Cell) -> bool:
        """Whether all that is written to a cell is zero, unless as a lock is taken."""
        known = self.memory.get(cell.object, {})
        if cell.size == 0 or self.objects.everything(cell.object) in known:
            return False
        if any(self.objects.overlapping(cell, other) for other in known):
            return False
        written = known.get(cell, NOTHING)
        if self._has_initial(cell):
            written = union(written, initial_contents(self.objects, cell))
        return is_within(written, ZERO)
