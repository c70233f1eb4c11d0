"""May-read and may-write: what an action touches, now and in all that may follow.

Sets are ints with one bit per class: the classes of ``objects`` (bytes, padding, life of objects), and *events*, which
make actions dependent that enable or hinder each other without touching the same bytes:

* ``threads``: written by Create, read by Join and Detach (does the handle exist?). Two Creates are dependent,
  because the order decides on the handles.
* ``start of f``: written by Create of f, read by the first visible action of f.
* ``end of f``: written by Exit of f, read by Join and Detach.
* ``joined``: written by Join and Detach.
* ``allocation``: written by Allocate and Free, since the order decides on the numbers of blocks. Who identifies
  states up to renaming of blocks may leave this class out.

Accesses to memory that is private to a thread are left out: nobody can notice them.

*Law (over-approximation).* If an action of one thread reads or writes bytes, or enables or disables an action
of another, so that the two do not commute, their sets meet with a write on one side. Not in the sets: an action that
*ends the run* (``may_stop``) disables all others; whoever explores only some threads' actions must not pick such
an action alone.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import NamedTuple, assert_never

from sley.analyses.graphs import reachable, unions_ahead
from sley.analyses.pointers import PointsTo, Targets
from sley.analyses.sharing import Sharing, find_sharing
from sley.analyses.threads import Instances
from sley.program.instructions import (
    LOCAL_INSTRUCTIONS,
    Access,
    Allocate,
    Assign,
    Assume,
    AtomicBegin,
    AtomicEnd,
    Await,
    Call,
    CallPointer,
    CallUnmodelled,
    Check,
    Create,
    CreatePointer,
    Detach,
    End,
    Enter,
    Exit,
    Fault,
    Fence,
    Free,
    GiveUp,
    Havoc,
    Instruction,
    Join,
    Leave,
    Load,
    Lock,
    Return,
    Store,
    Unlock,
    Update,
)
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program


class Effect(NamedTuple):
    """The classes that something may read and write, one bit each."""

    reads: int = 0
    writes: int = 0

    def __or__(self, other: "Effect") -> "Effect":  # type: ignore[override] # not the union of tuples
        return Effect(self.reads | other.reads, self.writes | other.writes)

    def conflicts_with(self, other: "Effect") -> bool:
        """Whether the two touch a common class and one of them writes it."""
        return bool(self.writes & (other.reads | other.writes) or self.reads & other.writes)


NOTHING = Effect()


class Accesses:
    """The effects of all actions of a flat program.

    With ``is_elsewhere_excluded`` the caller makes sure that no access marked ``elsewhere`` by the points-to analysis
    hits a live object outside its list (see ``pointers``). Without it such an access touches everything,
    and once there is a write among them, so does every access whose address is not a constant.

    With ``observes_end`` the end of the process reads all memory, as a search for leaks does.
    """

    def __init__(
        self,
        program: Program,
        sharing: Sharing,
        *,
        is_elsewhere_excluded: bool = False,
        observes_end: bool = False,
    ) -> None:
        self.program = program
        self.sharing = sharing
        self._effects = _Effects(
            program, sharing, is_elsewhere_excluded=is_elsewhere_excluded, observes_end=observes_end
        )
        self.names = self._effects.names
        """What each class is, for people."""
        self.allocation = self._effects.allocation
        """The class written by Allocate and Free, as a set."""
        self.starts = sum(self._effects.start_of.values())
        """The classes of the starts of threads, as a set."""
        self.ends = sum(self._effects.end_of.values())
        """The classes of the ends of threads, as a set."""
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self._first_steps: dict[int, int] = {}
        for function in program.functions.values():
            self._edges.update(function.outgoing)
            if sharing.creations.edges[function.name]:
                for location in _before_first_visible(function):
                    self._first_steps[location] = self._effects.start_of[function.name]
        self._actions: dict[int, Effect] = {}
        self._closures: dict[frozenset[int], Mapping[int, int]] = {}

    # --- one action ---------------------------------------------------------------------------

    def action(self, location: int) -> Effect:
        """The effect of the action that starts here: one visible instruction, or a whole atomic section."""
        effect = self._actions.get(location)
        if effect is None:
            effect = Effect(self._first_steps.get(location, 0))
            for at in self._section(location):
                effect |= self._effect_at(at)
            self._actions[location] = effect
        return effect

    def effect(self, edge: Edge) -> Effect:
        """The effect of one edge by itself."""
        return self._effects.of(edge)

    def reads(self, location: int) -> int:
        """What the action that starts at the location may read."""
        return self.action(location).reads

    def writes(self, location: int) -> int:
        """What the action that starts at the location may write."""
        return self.action(location).writes

    def may_stop(self, location: int) -> bool:
        """Whether the action may end the process or cut the run, and so disable all other threads.

        Such are End, Assumes that do not cover everything, and instructions that may be wrong without a Fault beside.
        """
        return any(self._may_stop_at(at) for at in self._section(location))

    def _effect_at(self, location: int) -> Effect:
        effect = NOTHING
        for edge in self._edges.get(location, ()):
            effect |= self._effects.of(edge)
        return effect

    def _section(self, location: int) -> Iterator[int]:
        """The locations whose edges belong to the action that starts here."""
        if not self._begins_section(location):
            yield location
            return
        seen = {location}
        stack = [location]
        while stack:
            at = stack.pop()
            yield at
            for edge in self._edges.get(at, ()):
                if not isinstance(edge.instruction, AtomicEnd) and edge.target not in seen:
                    seen.add(edge.target)
                    stack.append(edge.target)

    def _begins_section(self, location: int) -> bool:
        return any(isinstance(edge.instruction, AtomicBegin) for edge in self._edges.get(location, ()))

    def _may_stop_at(self, location: int) -> bool:
        edges = self._edges.get(location, ())
        if any(isinstance(edge.instruction, Fault) for edge in edges):
            return False
        conditions = [e.instruction.condition for e in edges if isinstance(e.instruction, Assume)]
        terms = self.program.terms
        if conditions and terms.or_(*conditions) != terms.true:
            return True
        return any(self._may_be_wrong(edge.instruction) for edge in edges)

    def _may_be_wrong(self, instruction: Instruction) -> bool:
        match instruction:
            case Load(access=access) | Lock(access=access):
                return not self._is_surely_valid(access)
            case Store(access=access) | Update(access=access):
                return not self._is_surely_valid(access)
            case Unlock() | Free() | Join() | Detach() | End():
                return True
            case _:
                return False

    def _is_surely_valid(self, access: Access) -> bool:
        """Whether the access is by a constant address inside a global that can be written."""
        address = self.program.terms.number(access.address)
        if address is None:
            return False
        number, offset = self.program.pointers.number(address), self.program.pointers.offset(address)
        if not 0 < number <= len(self.program.objects):
            return False
        obj = self.program.objects[number - 1]
        return obj.storage is Storage.GLOBAL and not obj.is_read_only and offset + access.size <= obj.size

    # --- all that may follow ------------------------------------------------------------------

    def future(self, location: int) -> Effect:
        """The union over all actions that may follow from here, in this thread and in threads it creates."""
        return self.future_until(location, frozenset())

    def future_reads(self, location: int) -> int:
        """What this thread and those it creates may read from here on."""
        return self.future(location).reads

    def future_writes(self, location: int) -> int:
        """What this thread and those it creates may write from here on."""
        return self.future(location).writes

    def future_until(self, location: int, blocked: frozenset[int]) -> Effect:
        """As ``future``, as long as none of the mutexes in ``blocked`` can be locked.

        ``blocked`` are addresses of mutex cells (members of ``mutexes``) that another thread holds. A Lock of one of
        them is not passed, nor counted. A mutex does not block if something other than Lock and Unlock may write its
        cell on the way: an Unlock can only release what its own thread holds.
        """
        blocked &= self._blockable
        count = len(self.names)
        while True:
            packed = self._closure(blocked).get(location, 0)
            overwritten = packed >> 2 * count
            kept = frozenset(mutex for mutex in blocked if not self.cell_of(mutex) & overwritten)
            if kept == blocked:
                mask = (1 << count) - 1
                return Effect(packed & mask, packed >> count & mask)
            blocked = kept

    @cached_property
    def lock_at(self) -> Mapping[int, int]:
        """Location of a Lock -> the address it locks, where that is a constant."""
        found = {}
        for location, edges in self._edges.items():
            for edge in edges:
                if isinstance(edge.instruction, Lock):
                    address = self.program.terms.number(edge.instruction.access.address)
                    if address is not None:
                        found[location] = address
        return found

    @cached_property
    def mutexes(self) -> tuple[int, ...]:
        """The constant addresses that are locked somewhere, in order."""
        return tuple(sorted(set(self.lock_at.values())))

    @cached_property
    def _blockable(self) -> frozenset[int]:
        return frozenset(self.mutexes)

    def cell_of(self, mutex: int) -> int:
        """The classes of the bytes that Locks of this address write; none if the mutex is private."""
        return self._cells.get(mutex, 0)

    @cached_property
    def _cells(self) -> Mapping[int, int]:
        found = dict.fromkeys(self.mutexes, 0)
        for location, mutex in self.lock_at.items():
            found[mutex] |= self._effect_at(location).writes
        return found

    def overwrites(self, location: int) -> int:
        """What the instruction at the location, unless a Lock or Unlock, may write."""
        bits = 0
        for edge in self._edges.get(location, ()):
            if not isinstance(edge.instruction, Lock | Unlock):
                bits |= self._effects.of(edge).writes
        return bits

    def _closure(self, blocked: frozenset[int]) -> Mapping[int, int]:
        """Location -> reads, writes, and writes by other than Lock and Unlock, side by side in one int."""
        closure = self._closures.get(blocked)
        if closure is None:
            stops = {at for at, address in self.lock_at.items() if address in blocked}
            successors = dict(self.sharing.creations.successors)
            for at in stops:
                successors[at] = tuple(
                    edge.target for edge in self._edges[at] if not isinstance(edge.instruction, Lock)
                )
            closure = unions_ahead(
                self.sharing.creations.template_at,
                successors,
                lambda at: self._packed_fault(at) if at in stops else self._packed(at),
            )
            self._closures[blocked] = closure
        return closure

    def _packed(self, location: int) -> int:
        return self._pack(self.action(location), self.overwrites(location))

    def _packed_fault(self, location: int) -> int:
        effect = NOTHING
        for edge in self._edges[location]:
            if isinstance(edge.instruction, Fault):
                effect |= self._effects.of(edge)
        return self._pack(effect, 0)

    def _pack(self, effect: Effect, overwritten: int) -> int:
        count = len(self.names)
        return effect.reads | effect.writes << count | overwritten << 2 * count


def find_accesses(
    program: Program,
    points_to: PointsTo | None = None,
    *,
    is_elsewhere_excluded: bool = False,
    observes_end: bool = False,
) -> Accesses:
    """The effects of all actions of a flat program; see ``Accesses`` for the options."""
    sharing = find_sharing(program, PointsTo(program) if points_to is None else points_to)
    return Accesses(
        program, sharing, is_elsewhere_excluded=is_elsewhere_excluded, observes_end=observes_end
    )


def _before_first_visible(function: Function) -> frozenset[int]:
    """The locations that a new thread reaches by local steps alone."""
    local = {
        at: tuple(edge.target for edge in edges)
        for at, edges in function.outgoing.items()
        if all(isinstance(edge.instruction, LOCAL_INSTRUCTIONS) for edge in edges)
    }
    return reachable((function.entry,), local)


class _Effects:
    """The effects of single edges."""

    def __init__(
        self, program: Program, sharing: Sharing, *, is_elsewhere_excluded: bool, observes_end: bool
    ) -> None:
        self.program = program
        self.points_to = sharing.points_to
        self.classes = self.points_to.classes
        self.observes_end = observes_end
        self.template_at = sharing.creations.template_at
        self.memory = (1 << self.classes.count) - 1
        self.names = list(self.classes.names)
        self.threads = self._event("threads")
        self.joined = self._event("joined")
        self.allocation = self._event("allocation")
        self.start_of = {name: self._event(f"start of {name}") for name in program.functions}
        self.end_of = {name: self._event(f"end of {name}") for name in program.functions}
        self.all_ends = 0
        for name, number in sharing.creations.instances.items():
            if number is not Instances.NONE:
                self.all_ends |= self.end_of[name]
        self._visible = self._visible_memory(sharing, is_elsewhere_excluded=is_elsewhere_excluded)
        self._is_elsewhere_excluded = is_elsewhere_excluded
        self._is_lost = not is_elsewhere_excluded and self._has_elsewhere_write()
        self._of: dict[int, Effect] = {}

    def _event(self, name: str) -> int:
        self.names.append(name)
        return 1 << (len(self.names) - 1)

    def _visible_memory(self, sharing: Sharing, *, is_elsewhere_excluded: bool) -> int:
        """The classes that another thread may notice."""
        points_to = self.points_to
        if not is_elsewhere_excluded and any(
            points_to.targets(at).elsewhere for at in points_to.access_locations
        ):
            return self.memory
        bits = 0
        for obj in points_to.objects:
            if sharing.is_shared(obj.index):
                bits |= self.classes.all_of(obj.index)
        return bits

    def _has_elsewhere_write(self) -> bool:
        for function in self.program.functions.values():
            for edge in function.edges:
                is_write = isinstance(edge.instruction, Store | Update | Lock | Unlock | Free)
                if is_write and self.points_to.targets(edge.source).elsewhere:
                    return True
        return False

    def of(self, edge: Edge) -> Effect:
        """What the edge may read and write."""
        key = id(edge)
        effect = self._of.get(key)
        if effect is None:
            effect = self._of[key] = self._instruction(edge, edge.instruction)
        return effect

    def _instruction(self, edge: Edge, instruction: Instruction) -> Effect:
        match instruction:
            case Load(access=access):
                touched, life = self._touched(edge, access)
                return Effect(touched | life)
            case Store(access=access):
                touched, life = self._touched(edge, access)
                return Effect(life, touched)
            case Update(access=access) | Lock(access=access) | Unlock(access=access):
                touched, life = self._touched(edge, access)
                return Effect(touched | life, touched)
            case Fault(of=of):
                return Effect(self._instruction(edge, of).reads)
            case Free() | Enter() | Leave() | Allocate() | CallUnmodelled():
                return self._life(edge, instruction)
            case Create() | Join() | Detach() | Exit() | End():
                return self._thread(edge, instruction)
            case (
                Assign()
                | Assume()
                | Check()
                | Havoc()
                | Fence()
                | AtomicBegin()
                | AtomicEnd()
                | Await()
                | GiveUp()
            ):
                return NOTHING
            case Call() | CallPointer() | CreatePointer() | Return():
                raise AssertionError(f"{type(instruction).__name__} in a flat program")
            case _:
                assert_never(instruction)

    def _life(self, edge: Edge, instruction: Free | Enter | Leave | Allocate | CallUnmodelled) -> Effect:
        match instruction:
            case Allocate():
                return Effect(0, self.allocation)
            case Free():
                life = self._lives(self._targets(edge), heap_only=True)
                return Effect(life, life | self.allocation)
            case Enter(object=obj) | Leave(object=obj):
                function = self.program.functions[self.template_at[edge.source]]
                index = self.points_to.objects.of_local(function.name, function.objects.index(obj))
                return Effect(0, self.classes.partitions[index].life & self._visible)
            case CallUnmodelled():
                bits = 0
                for obj in self.points_to.objects:
                    if self.points_to.scrambled >> obj.index & 1:
                        bits |= self.classes.all_of(obj.index)
                bits &= self._visible
                return Effect(bits, bits)
            case _:
                assert_never(instruction)

    def _thread(self, edge: Edge, instruction: Create | Join | Detach | Exit | End) -> Effect:
        match instruction:
            case Create(function=name):
                return Effect(self.threads, self.threads | self.start_of[name])
            case Join() | Detach():
                return Effect(self.threads | self.all_ends | self.joined, self.joined)
            case Exit():
                template = self.template_at[edge.source]
                life = 0
                for obj in self.points_to.objects:
                    if obj.template == template and not obj.is_heap:
                        life |= self.classes.partitions[obj.index].life
                return Effect(0, self.end_of[template] | (life & self._visible))
            case End():
                return Effect(self.memory if self.observes_end else 0)
            case _:
                assert_never(instruction)

    def _targets(self, edge: Edge) -> Targets | None:
        """Where the edge may access memory; None: anywhere."""
        targets = self.points_to.targets(edge.source)
        return None if targets.elsewhere and not self._is_elsewhere_excluded else targets

    def _touched(self, edge: Edge, access: Access) -> tuple[int, int]:
        """The classes of the bytes, and the lives of the objects, that an access may touch."""
        targets = self._targets(edge)
        if targets is None or (self._is_lost and self.program.terms.number(access.address) is None):
            lives = self._lives(None, heap_only=False)
            return self.memory & ~lives, lives
        low, high = 0, access.size
        if access.location is not None:
            low, high = min(low, access.location[0]), max(high, access.location[1])
        bits = 0
        for obj, offset in targets.places:
            bits |= self.classes.partitions[obj].touched(offset, low, high)
        return bits & self._visible, self._lives(targets, heap_only=False)

    def _lives(self, targets: Targets | None, *, heap_only: bool) -> int:
        chosen = (1 << len(self.points_to.objects)) - 1 if targets is None else targets.objects
        bits = 0
        for obj in self.points_to.objects:
            if chosen >> obj.index & 1 and (obj.is_heap or not heap_only):
                bits |= self.classes.partitions[obj.index].life
        return bits & self._visible
