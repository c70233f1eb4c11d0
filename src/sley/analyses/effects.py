"""What a single edge may read and write.

Sets are ints with one bit per class: the classes of ``objects`` (bytes, padding, life of objects), and
*events*, which make actions dependent that enable or hinder each other without touching the same bytes:

* ``threads``: written by Create, read by Join and Detach (does the handle exist?). Two Creates are dependent,
  because the order decides on the handles.
* ``start of f``: written by Create of f, read by the first visible action of f.
* ``end of f``: written by Exit of f, read by Join and Detach.
* ``joined``: written by Join and Detach.
* ``allocation``: written by Allocate and Free, since the order decides on the numbers of blocks. If
  states are taken up to renaming of blocks, this class may be left out. Where dead numbers are used again, an
  Allocate commutes with other actions only up to such renaming: they may overwrite the last dead pointer. It
  then also writes the lives of its blocks, since it makes accesses through stale pointers possible.
* ``frames``, if the end of the process is observed: written by End, read by all others, since each may change
  what is left then: even a read overwrites a register.

Accesses to memory that is private to a thread are left out: others cannot observe them. So are those of which
that was proved (``passes.proved``): whatever does not commute with one would race with it, or make it wrong,
and so does not happen while a thread stands before it.

*Law (over-approximation).* If two actions of two threads do not commute, or one enables or disables the
other, then their sets meet with a write on one side. Not in the sets: an action that ends the run disables
all others.
"""

from functools import cached_property
from typing import NamedTuple, assert_never

from sley.analyses.objects import indices, union
from sley.analyses.pointers import Targets
from sley.analyses.sharing import Sharing
from sley.analyses.threads import Instances
from sley.program import instructions as ir
from sley.program.program import Edge, Program


class ClassEffect(NamedTuple):
    """The classes that something may read and write, one bit each."""

    reads: int = 0
    writes: int = 0

    def __or__(self, other: "ClassEffect") -> "ClassEffect":
        return ClassEffect(self.reads | other.reads, self.writes | other.writes)

    def conflicts_with(self, other: "ClassEffect") -> bool:
        """Whether the two touch a common class and one of them writes it."""
        return bool(self.writes & (other.reads | other.writes) or self.reads & other.writes)


NOTHING = ClassEffect()


def is_unnoticed(instruction: ir.Instruction) -> bool:
    """Whether it is an access that is proved to be unobservable."""
    return isinstance(instruction, ir.Load | ir.Store) and instruction.access.is_unnoticed


class EdgeEffects:
    """The effects of single edges; see ``Accesses`` for the options."""

    def __init__(
        self, program: Program, sharing: Sharing, *, is_elsewhere_excluded: bool, observes_end: bool
    ) -> None:
        self.program = program
        self.points_to = sharing.points_to
        self.classes = self.points_to.classes
        self.template_at = sharing.creations.template_at
        self.memory = (1 << self.classes.count) - 1
        self.names = list(self.classes.names)
        self.threads = self._event("threads")
        self.joined = self._event("joined")
        self.allocation = self._event("allocation")
        self.frames = self._event("frames") if observes_end else 0
        self.start_of = {name: self._event(f"start of {name}") for name in program.functions}
        self.end_of = {name: self._event(f"end of {name}") for name in program.functions}
        numbers = sharing.creations.instances
        self.all_ends = union(bit for name, bit in self.end_of.items() if numbers[name] is not Instances.NONE)
        self._is_elsewhere_excluded = is_elsewhere_excluded
        self.visible = self._visible_memory(sharing)
        """The classes that another thread may notice."""
        self._is_lost = self._has_stray_write()
        self._of: dict[int, ClassEffect] = {}
        self._bytes: dict[tuple[int, int, int], int] = {}

    def _event(self, name: str) -> int:
        self.names.append(name)
        return 1 << (len(self.names) - 1)

    def _may_stray(self, location: int) -> bool:
        """Whether the access may touch any memory there is."""
        return not self._is_elsewhere_excluded and self.points_to.targets(location).is_elsewhere

    def _visible_memory(self, sharing: Sharing) -> int:
        """The classes that another thread may notice."""
        points_to = self.points_to
        if any(self._may_stray(location) for location in points_to.access_locations):
            return self.memory
        return union(self.classes.all_of(obj) for obj in indices(sharing.shared))

    def _has_stray_write(self) -> bool:
        writing = ir.Store | ir.Update | ir.Lock | ir.Unlock | ir.Free
        edges = self.program.edges
        return any(isinstance(e.instruction, writing) and self._may_stray(e.source) for e in edges)

    def of(self, edge: Edge) -> ClassEffect:
        """What the edge may read and write."""
        key = id(edge)
        effect = self._of.get(key)
        if effect is None:
            instruction = edge.instruction
            touched = NOTHING if is_unnoticed(instruction) else self._instruction(edge, instruction)
            effect = self._of[key] = touched | ClassEffect(self.frames)
        return effect

    def beside_bytes(self, edge: Edge) -> ClassEffect:
        """The effect of the edge; of an access, or of one that is wrong, but the lives of objects."""
        effect, instruction = self.of(edge), edge.instruction
        accesses = instruction.of if isinstance(instruction, ir.FaultTest) else instruction
        if not isinstance(accesses, ir.Accessing):
            return effect
        kept = ~self._all_bytes
        return ClassEffect(effect.reads & kept, effect.writes & kept)

    @cached_property
    def _all_bytes(self) -> int:
        return union(partition.all_bytes for partition in self.classes.partitions)

    def written(self, edge: Edge) -> int:
        """What the edge may write, noticed or not."""
        return self._instruction(edge, edge.instruction).writes

    def _instruction(self, edge: Edge, instruction: ir.Instruction) -> ClassEffect:
        if isinstance(instruction, ir.LocalInstruction | ir.Ordering | ir.GiveUp):
            return NOTHING
        if isinstance(instruction, ir.Living | ir.CallUnmodelled):
            return self._life(edge, instruction)
        if isinstance(instruction, ir.Threading):
            return self._thread(edge, instruction)
        assert not isinstance(instruction, ir.Calling), f"{instruction} in a flat program"
        match instruction:
            case ir.Load(access=access):
                touched, life = self._touched(edge, access)
                return ClassEffect(touched | life)
            case ir.Store(access=access):
                touched, life = self._touched(edge, access)
                return ClassEffect(life, touched)
            case ir.Update(access=access) | ir.Lock(access=access) | ir.Unlock(access=access):
                touched, life = self._touched(edge, access)
                return ClassEffect(touched | life, touched)
            case ir.FaultTest(of=of):
                return ClassEffect(self._instruction(edge, of).reads)
            case _:
                assert_never(instruction)

    def _life(
        self, edge: Edge, instruction: ir.Free | ir.Enter | ir.Leave | ir.Allocate | ir.CallUnmodelled
    ) -> ClassEffect:
        match instruction:
            case ir.Allocate():
                site = self.points_to.objects.of_site(edge.source)
                revived = self.classes.partitions[site].life if self.points_to.is_reusing else 0
                return ClassEffect(0, self.allocation | (revived & self.visible))
            case ir.Free():
                life = self._lives(self._targets(edge), heap_only=True)
                return ClassEffect(life, life | self.allocation)
            case ir.Enter(object=obj) | ir.Leave(object=obj):
                function = self.program.functions[self.template_at[edge.source]]
                index = self.points_to.objects.of_local(function.name, function.objects.index(obj))
                return ClassEffect(0, self.classes.partitions[index].life & self.visible)
            case ir.CallUnmodelled():
                scrambled = indices(self.points_to.scrambled)
                bits = union(self.classes.all_of(obj) for obj in scrambled) & self.visible
                return ClassEffect(bits, bits)
            case _:
                assert_never(instruction)

    def _thread(
        self, edge: Edge, instruction: ir.Create | ir.Join | ir.Detach | ir.Exit | ir.End
    ) -> ClassEffect:
        match instruction:
            case ir.Create(function=name):
                return ClassEffect(self.threads, self.threads | self.start_of[name])
            case ir.Join() | ir.Detach():
                return ClassEffect(self.threads | self.all_ends | self.joined, self.joined)
            case ir.Exit():
                function = self.program.functions[self.template_at[edge.source]]
                slots = range(len(function.objects))
                own = (self.points_to.objects.of_local(function.name, slot) for slot in slots)
                lives = union(self.classes.partitions[obj].life for obj in own)
                return ClassEffect(0, self.end_of[function.name] | (lives & self.visible))
            case ir.End():
                return ClassEffect(self.memory | self.allocation, self.frames) if self.frames else NOTHING
            case _:
                assert_never(instruction)

    def _targets(self, edge: Edge) -> Targets | None:
        """Where the edge may access memory; None: anywhere."""
        return None if self._may_stray(edge.source) else self.points_to.targets(edge.source)

    def _touched(self, edge: Edge, access: ir.Access) -> tuple[int, int]:
        """The classes of the bytes, and the lives of the objects, that an access may touch."""
        targets = self._targets(edge)
        if targets is None or (self._is_lost and self.program.terms.number(access.address) is None):
            lives = self._lives(None, heap_only=False)
            return self.memory & ~lives, lives
        low, high = 0, access.size
        if access.location is not None:
            low, high = min(low, access.location[0]), max(high, access.location[1])
        key = (id(targets), low, high)
        if key not in self._bytes:
            partitions = self.classes.partitions
            bits = union(partitions[obj].touched(offset, low, high) for obj, offset in targets.places)
            self._bytes[key] = bits & self.visible
        return self._bytes[key], self._lives(targets, heap_only=False)

    def _lives(self, targets: Targets | None, *, heap_only: bool) -> int:
        objects = range(len(self.points_to.objects)) if targets is None else indices(targets.objects)
        lives = (
            self.classes.partitions[obj].life
            for obj in objects
            if not heap_only or self.points_to.objects[obj].is_heap
        )
        return union(lives) & self.visible
