"""Flow-insensitive facts: what holds of shared memory and of calls at any time, whatever threads do."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from sley.analyses.ranges import Fact
from sley.semantics.abstract.contents import initial_contents, of_width
from sley.semantics.abstract.contexts import Context, Summaries
from sley.semantics.abstract.functions import ending, handing_back
from sley.semantics.abstract.objects import CellSet, ObjectCell, ObjectKind, Objects
from sley.semantics.abstract.values import NOTHING, ZERO, Value, any_number, is_within, union

LOCK_SIZE = 4
"""Bytes of the cell of a lock."""

OWNER = Value(Fact(0, (1 << 31) - 1))
"""What the cell of a lock holds."""


LIFE, WRITES = -2, -3
"""Offsets that no access has, for the life and sharing of an object and for what is overwritten in it."""


class FactReader(ABC):
    """How to read them. What collects or checks them says what becomes of new ones."""

    def __init__(self, objects: Objects) -> None:
        self.objects = objects
        self.program = objects.program
        self.summaries = Summaries()
        self.memory: dict[int, dict[ObjectCell, Value]] = {}
        """Object -> its cells, and what was written to them, unless as locks were taken."""
        self.shared: Collection[int] = set()
        """Objects that are not static and of which more than one thread may have the address."""
        self.escaped: set[int] = set()
        """Objects whose addresses are in the world's memory."""
        self.outlived: Collection[int] = set()
        """Objects of which one thread may end an instance that another one can reach ..."""
        self.outlived_later: Collection[int] = set()
        """... and this thread is not the first one."""
        self.locked = CellSet(objects)
        """Cells of locks."""
        self.overwritten = CellSet(objects)
        """Cells that may be written other than by taking a lock while several threads run."""
        self.replaced: Collection[ObjectCell] | None = None
        """Static cells that do not hold their initial values any more when the first thread is created; None:
        none is created."""
        self._pointer_size = objects.program.pointers.width // 8
        self._wholes: dict[int, Value] = {}
        """Object -> what any part of it may hold; to be forgotten when something is added to the object."""

    def notes(self, cell: ObjectCell) -> None:  # noqa: B027 - facts that do not change need no readers
        """What holds of a cell is asked for; or, at ``LIFE`` and ``WRITES``, of its object as a whole."""

    def made(self, context: int) -> Collection[int]:
        """What a call in a context may make an instance of; and contexts c that it enters, as ``~c``."""
        return self.summaries.made.get(context, ())

    def asked(self, context: int) -> Collection[int] | None:
        """Of which objects a call asks what static ones hold, or whether others are gone; None: of all."""
        return None if context in self.summaries.starting else self.summaries.asked.get(context, ())

    def handled(self, context: int) -> Collection[int]:
        """The objects in which a call in a context takes or gives back locks."""
        return self.summaries.handled.get(context, ())

    def functions_of(self, thread: int | None) -> Collection[str]:
        """The functions that a thread may be in."""
        self.notes(ObjectCell(self.objects.outside if thread is None else thread, LIFE, 1))
        return self.summaries.functions.get(thread, ())

    def offspring(self, thread: int) -> Iterable[int]:
        """All threads that come of a thread."""
        self.notes(ObjectCell(thread, LIFE, 1))
        return self.summaries.offspring(thread)

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

    def read(self, cell: ObjectCell) -> Value:
        """What a cell may hold."""
        self.notes(cell)
        objects, obj = self.objects, cell.object
        if obj == objects.outside:
            return initial_contents(objects, cell)
        known: Mapping[ObjectCell, Value] = self.memory.get(obj, {})
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

    def _all(self, obj: int, known: Mapping[ObjectCell, Value]) -> Value:
        made = any_number(self.objects.program.pointers.width)
        for value in known.values():
            made = union(made, value)
        if self.objects.kind(obj) in (ObjectKind.STATIC, ObjectKind.THREAD_LOCAL):
            made = union(made, initial_contents(self.objects, ObjectCell(obj, 0, 0)))
        return made

    def _has_initial(self, cell: ObjectCell) -> bool:
        kind = self.objects.kind(cell.object)
        if kind is ObjectKind.THREAD_LOCAL:
            return True
        return kind is ObjectKind.STATIC and self.replaced is not None and cell not in self.replaced

    def is_escaped(self, obj: int) -> bool:
        """Whether the world's memory, or another thread, may have the address of an object."""
        self.notes(ObjectCell(obj, LIFE, 1))
        return obj in self.escaped or self.is_shared(obj)

    def is_shared(self, obj: int) -> bool:
        """Whether several threads may have the address of an object."""
        self.notes(ObjectCell(obj, LIFE, 1))
        return obj in self.shared or self.objects.kind(obj) in (ObjectKind.STATIC, ObjectKind.OUTSIDE)

    def is_outlived(self, obj: int, *, not_by_first: bool = False) -> bool:
        """Whether one thread, or one that is not the first, may end what another one can reach."""
        self.notes(ObjectCell(obj, LIFE, 1))
        return obj in (self.outlived_later if not_by_first else self.outlived)

    def is_locked(self, cell: ObjectCell) -> bool:
        """Whether a cell may be that of a lock."""
        self.notes(cell)
        return self.locked.meets(cell)

    def is_overwritten(self, cell: ObjectCell) -> bool:
        """Whether something else than a lock may be written to a cell while several threads run."""
        self.notes(ObjectCell(cell.object, WRITES, 1))
        return self.overwritten.meets(cell)

    def is_some_lock_overwritten(self) -> bool:
        """Whether that is so of the cell of any lock."""
        self.notes(ObjectCell(self.objects.outside, WRITES, 1))
        return any(map(self.overwritten.meets, self.locked))

    def is_lock(self, cell: ObjectCell) -> bool:
        """Whether all that is written to a cell is zero, unless as a lock is taken."""
        self.notes(cell)
        known = self.memory.get(cell.object, {})
        if cell.size == 0 or self.objects.everything(cell.object) in known:
            return False
        if any(self.objects.overlapping(cell, other) for other in known):
            return False
        written = known.get(cell, NOTHING)
        if self._has_initial(cell):
            written = union(written, initial_contents(self.objects, cell))
        return is_within(written, ZERO)

    @abstractmethod
    def write(self, cell: ObjectCell, value: Value) -> None:
        """A cell may hold this; another thread may read it if the object is shared."""

    @abstractmethod
    def share(self, obj: int) -> None:
        """Other threads than the one that made it may have the address of an object."""

    @abstractmethod
    def keep_initial(self, cells: frozenset[ObjectCell]) -> None:
        """All static cells but these hold what they held in the beginning, when threads start."""

    @abstractmethod
    def outlive(self, obj: int, thread: int | None) -> None:
        """A thread ends an instance of an object that another one can reach."""

    @abstractmethod
    def locks(self, cells: Iterable[ObjectCell]) -> None:
        """Cells are those of locks."""

    @abstractmethod
    def overwrites(self, cells: Iterable[ObjectCell]) -> None:
        """Cells are written other than by taking and giving back a lock, while others run."""

    @abstractmethod
    def asks(self, context: Context, obj: int) -> None:
        """What a call does depends on whether an object is gone, or on what a static one holds."""

    @abstractmethod
    def handles(self, context: Context, objs: Collection[int]) -> None:
        """A call takes or gives back a lock in one of these objects, or writes to where one may be."""

    @abstractmethod
    def is_once(self, obj: int) -> bool:
        """Whether there is at most one instance of an object."""
