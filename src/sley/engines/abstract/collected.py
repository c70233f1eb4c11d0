"""Facts while they are collected: a step that has read one that changes is taken again.

What a step reads is noted by cell. Some facts are about an object as a whole; they have cells of
their own, at offsets that no access has.
"""

from collections.abc import Iterable

from sley.engines.abstract.merging import Delayed
from sley.program.program import Program
from sley.semantics.abstract.facts import LIFE, WRITES
from sley.semantics.abstract.interprocedural import Interprocedural
from sley.semantics.abstract.objects import ObjectCell, ObjectKind, Objects
from sley.semantics.abstract.values import NOTHING, Value, is_within, object_of, union, widened

Task = tuple[int, int]
"""A context and an anchor, whose states are to be walked from."""


class Collected(Interprocedural):
    """Facts that grow."""

    shared: set[int]
    outlived: set[int]
    outlived_later: set[int]

    def __init__(self, program: Program) -> None:
        super().__init__(Objects(program))
        self.shared, self.outlived, self.outlived_later = set(), set(), set()
        self.current: Task = (0, 0)
        """What is walked from now."""
        self.stale: set[Task] = set()
        """Those that have read facts which have changed since."""
        self.delayed = Delayed(program)
        self._readers: dict[int, dict[ObjectCell, set[Task]]] = {}
        """Object -> its cells, and the tasks that have read them."""
        self._joins: dict[ObjectCell, int] = {}
        self._some_lock = ObjectCell(self.objects.outside, WRITES, 1)

    def notes(self, cell: ObjectCell) -> None:
        """The current task has read it."""
        self._readers.setdefault(cell.object, {}).setdefault(cell, set()).add(self.current)

    def changed(self, cell: ObjectCell) -> None:
        """Tasks that have read a cell, or one that overlaps it, are stale."""
        readers = self._readers.get(cell.object, {})
        self.stale |= readers.get(cell, frozenset())
        if cell.offset not in (LIFE, WRITES):
            for other, tasks in readers.items():
                if other.offset not in (LIFE, WRITES) and self.objects.meet(cell, other):
                    self.stale |= tasks

    def changed_life(self, obj: int | None) -> None:
        """So are those that have asked about an object, or, without one, about the first thread."""
        self.changed(ObjectCell(self.objects.outside if obj is None else obj, LIFE, 1))

    def changed_all(self, kind: ObjectKind) -> None:
        """So are those that have read anything of objects of a kind."""
        for obj, readers in self._readers.items():
            if self.objects.kind(obj) is kind:
                for tasks in readers.values():
                    self.stale |= tasks

    def write(self, cell: ObjectCell, value: Value) -> None:
        """A cell may hold this, too."""
        cells = self.memory.setdefault(cell.object, {})
        found = cells.get(cell, NOTHING)
        if is_within(value, found) and cell in cells:
            return
        joins = self._joins[cell] = self._joins.get(cell, 0) + 1
        widen = self.delayed.after(joins)
        cells[cell] = union(found, value) if widen is None else widened(found, value, widen)
        self._wholes.pop(cell.object, None)
        for reference, _ in value.places:
            if object_of(reference) not in self.escaped:
                self.escaped.add(object_of(reference))
                self.changed_life(object_of(reference))
        if self.is_shared(cell.object):
            for reference, _ in value.places:
                self.share(object_of(reference))
        self.changed(cell)

    def share(self, obj: int) -> None:
        """An object, and all that it leads to, may be known to several threads."""
        if self.is_shared(obj) or (self.objects.kind(obj) is ObjectKind.THREAD_LOCAL and obj in self.shared):
            return
        self.shared.add(obj)
        for value in list(self.memory.get(obj, {}).values()):
            for reference, _ in value.places:
                self.share(object_of(reference))
        self.changed_life(obj)

    def keep_initial(self, cells: frozenset[ObjectCell]) -> None:
        """A thread is created; what else static cells hold is their initial value."""
        before = self.replaced
        now = cells if before is None else frozenset(before) & cells
        if now == before:
            return
        self.replaced = now
        self.changed_all(ObjectKind.STATIC)
        # what static objects hold leads to what others reach
        for obj in range(len(self.objects)):
            if self.objects.kind(obj) is ObjectKind.STATIC:
                declared = self.objects.declaration(obj)
                for _, value in declared.initial if declared is not None else ():
                    place = self.objects.static_place(value)
                    if place is not None:
                        self.share(object_of(place[0]))

    def outlive(self, obj: int, thread: int | None) -> None:
        """A thread ends an object that another one can reach."""
        for objs in (self.outlived,) if thread is None else (self.outlived, self.outlived_later):
            if obj not in objs:
                objs.add(obj)
                self.changed_life(obj)

    def locks(self, cells: Iterable[ObjectCell]) -> None:
        """Cells are those of locks."""
        for cell in cells:
            if cell not in self.locked:
                self.locked.add(cell)
                self.changed(cell)
                if self.overwritten.meets(cell):
                    self.changed(self._some_lock)

    def overwrites(self, cells: Iterable[ObjectCell]) -> None:
        """Cells are written other than by taking and giving back a lock, while others run."""
        for cell in cells:
            if cell not in self.overwritten:
                self.overwritten.add(cell)
                self.changed(ObjectCell(cell.object, WRITES, 1))
                if self.locked.meets(cell):
                    self.changed(self._some_lock)
