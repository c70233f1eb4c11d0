"""May-read and may-write: what an action touches, now and in all that may follow.

An action is what a thread does between two stops: one visible instruction, or a whole atomic section. What
single edges touch is in ``effects``, with the law that both obey.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from sley.analyses.effects import NOTHING, ClassEffect, EdgeEffects
from sley.analyses.graphs import reachable, unions_ahead
from sley.analyses.objects import union
from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import Sharing, find_sharing
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program


class ActionEffects:
    """The effects of all actions of a flat program.

    An access that may be *elsewhere* (see ``pointers``) touches everything; once there is a write among
    these, so does every access whose address is not a constant. With ``is_elsewhere_excluded`` the caller
    makes sure that no such access hits a live object outside its list (``PointsTo.foresees``); then only
    what is listed counts.

    With ``observes_end`` the end of the process depends on all other actions, as a search for leaks does.
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
        self._effects = EdgeEffects(
            program, sharing, is_elsewhere_excluded=is_elsewhere_excluded, observes_end=observes_end
        )
        self.names = self._effects.names
        """What each class is, for people."""
        self.allocation = self._effects.allocation
        """The class written by Allocate and Free, as a set."""
        self.starts = union(self._effects.start_of.values())
        """The classes of the starts of threads."""
        self.ends = union(self._effects.end_of.values())
        """The classes of the ends of threads."""
        self._edges: dict[int, tuple[Edge, ...]] = {}
        self._first_steps: dict[int, int] = {}
        for function in program.functions.values():
            self._edges.update(function.outgoing)
            if sharing.creations.edges[function.name]:
                for location in _before_first_visible(function):
                    self._first_steps[location] = self._effects.start_of[function.name]
        self.awaited_ends = 0 if self._asks_for_ends() else self.ends
        """The ends of threads, unless an atomic section looks at them, which may do something else meanwhile.

        A thread that waits for the end of another by a join alone cannot step before it: they commute.
        """
        self._actions: dict[int, ClassEffect] = {}
        self._closures: dict[frozenset[int], Mapping[int, int]] = {}

    # --- one action ---------------------------------------------------------------------------

    def action(self, location: int) -> ClassEffect:
        """The effect of the action that starts here: one visible instruction, or a whole atomic section."""
        effect = self._actions.get(location)
        if effect is None:
            effect = ClassEffect(self._first_steps.get(location, 0))
            for at in self._section(location):
                effect |= self.effect_at(at)
            self._actions[location] = effect
        return effect

    def effect(self, edge: Edge) -> ClassEffect:
        """The effect of one edge by itself."""
        return self._effects.of(edge)

    def beside_bytes(self, location: int) -> ClassEffect:
        """The effect of the action without the bytes of its accesses: what it touches wherever they go."""
        effect = ClassEffect(self._first_steps.get(location, 0))
        for at in self._section(location):
            for edge in self._edges.get(at, ()):
                effect |= self._effects.beside_bytes(edge)
        return effect

    def may_stop(self, location: int) -> bool:
        """Whether the action may end the process or cut the run, and so disable all other threads.

        Such are End, Assumes that do not cover everything, and instructions that may be wrong without a
        Fault beside.
        """
        return any(self._may_stop_at(at) for at in self._section(location))

    def effect_at(self, location: int) -> ClassEffect:
        """The effect of the edges that leave a location."""
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
                if not isinstance(edge.instruction, ir.AtomicEnd) and edge.target not in seen:
                    seen.add(edge.target)
                    stack.append(edge.target)

    def _asks_for_ends(self) -> bool:
        """Whether a join is part of an atomic section."""
        return any(
            isinstance(edge.instruction, ir.Join)
            for location in self._edges
            if self._begins_section(location)
            for at in self._section(location)
            for edge in self._edges.get(at, ())
        )

    def _begins_section(self, location: int) -> bool:
        return any(isinstance(edge.instruction, ir.AtomicBegin) for edge in self._edges.get(location, ()))

    def _may_stop_at(self, location: int) -> bool:
        edges = self._edges.get(location, ())
        if any(isinstance(edge.instruction, ir.FaultTest) for edge in edges):
            return False
        assumptions = [edge.instruction for edge in edges if isinstance(edge.instruction, ir.Assume)]
        if any(one.is_certain for one in assumptions):
            return False
        terms = self.program.terms
        if assumptions and terms.or_(*(one.condition for one in assumptions)) != terms.true:
            return True
        return any(self._may_be_wrong(edge.instruction) for edge in edges)

    def _may_be_wrong(self, instruction: ir.Instruction) -> bool:
        if isinstance(instruction, ir.Load | ir.Store | ir.Update | ir.Lock):
            access = instruction.access
            return not (access.is_certain or access.is_unnoticed or self._is_surely_valid(access))
        return isinstance(instruction, ir.Faulty | ir.End)

    def _is_surely_valid(self, access: ir.Access) -> bool:
        """Whether the access is by a constant address inside a global that can be written."""
        address = self.program.terms.number(access.address)
        if address is None:
            return False
        number, offset = self.program.pointers.number(address), self.program.pointers.offset(address)
        obj = self.program.static_object(number)
        if obj is None:
            return False
        is_writable = not obj.is_read_only and not obj.layout.is_constant(offset, access.size)
        return obj.storage is Storage.GLOBAL and is_writable and offset + access.size <= obj.size

    # --- all that may follow ------------------------------------------------------------------

    def first_step(self, location: int) -> ClassEffect:
        """What the first action of a thread reads: that it was started."""
        return ClassEffect(self._first_steps.get(location, 0))

    @property
    def visible(self) -> int:
        """The classes that another thread may notice."""
        return self._effects.visible

    def ahead(self, location: int, blocked: frozenset[int]) -> Mapping[int, ClassEffect]:
        """The parts of ``future_until``: of each location that may come."""
        stops = self._stops(blocked & self._blockable)
        successors = self._successors_until(stops)
        return {
            at: self._fault_at(at) if at in stops else self.effect_at(at) | self.first_step(at)
            for at in reachable((location,), successors)
        }

    def future(self, location: int) -> ClassEffect:
        """The union over all actions that may follow from here, in this thread and in threads it creates."""
        return self.future_until(location, frozenset())

    def future_until(self, location: int, blocked: frozenset[int]) -> ClassEffect:
        """As ``future``, as long as none of the mutexes in ``blocked`` can be locked.

        ``blocked`` are addresses of mutex cells (members of ``mutexes``) that stay locked by another thread
        meanwhile (``staying_blocked``). A Lock of one of them is not passed, nor counted.
        """
        count = len(self.names)
        mask = (1 << count) - 1
        packed = self._closure(blocked & self._blockable).get(location, 0)
        return ClassEffect(packed & mask, packed >> count & mask)

    def staying_blocked(self, locations: Iterable[int], held: frozenset[int]) -> frozenset[int]:
        """Those of some mutexes that stay locked, whatever threads at these locations do by themselves.

        ``held`` are mutexes that other threads hold. One of them does not stay locked if something other than
        Lock and Unlock may write its cell on anybody's way: an Unlock can only release what its own thread
        holds.
        """
        blocked, places = held & self._blockable, tuple(locations)
        while blocked:
            kept = blocked.intersection(*(self.not_overwritten(location, blocked) for location in places))
            if kept == blocked:
                break
            blocked = kept
        return blocked

    def not_overwritten(self, location: int, blocked: frozenset[int]) -> frozenset[int]:
        """Those of some mutexes that a thread here does not write otherwise, while all of them are locked."""
        overwritten = self._closure(blocked).get(location, 0) >> 2 * len(self.names)
        return frozenset(mutex for mutex in blocked if not self.cell_of(mutex) & overwritten)

    @cached_property
    def lock_at(self) -> Mapping[int, int]:
        """Location of a Lock -> the address it locks, where that is a constant."""
        found = {}
        for location, edges in self._edges.items():
            for edge in edges:
                if isinstance(edge.instruction, ir.Lock):
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
            found[mutex] |= self.effect_at(location).writes
        return found

    def overwrites(self, location: int) -> int:
        """What the instruction at the location, unless a Lock or Unlock, may write."""
        bits = 0
        for edge in self._edges.get(location, ()):
            if not isinstance(edge.instruction, ir.Lock | ir.Unlock):
                bits |= self._effects.written(edge)
        return bits

    def _closure(self, blocked: frozenset[int]) -> Mapping[int, int]:
        """Location -> reads, writes, and writes by other than Lock and Unlock, side by side in one int."""
        closure = self._closures.get(blocked)
        if closure is None:
            stops = self._stops(blocked)
            closure = unions_ahead(
                self.sharing.creations.template_at,
                self._successors_until(stops),
                lambda at: self._pack(self._fault_at(at), 0) if at in stops else self._packed(at),
            )
            self._closures[blocked] = closure
        return closure

    def _stops(self, blocked: frozenset[int]) -> set[int]:
        """The locations of Locks that no thread gets past."""
        return {at for at, address in self.lock_at.items() if address in blocked}

    def _successors_until(self, stops: set[int]) -> Mapping[int, tuple[int, ...]]:
        successors = dict(self.sharing.creations.successors)
        for at in stops:
            successors[at] = tuple(
                edge.target for edge in self._edges[at] if not isinstance(edge.instruction, ir.Lock)
            )
        return successors

    def _packed(self, location: int) -> int:
        return self._pack(self.action(location), self.overwrites(location))

    def _fault_at(self, location: int) -> ClassEffect:
        effect = NOTHING
        for edge in self._edges[location]:
            if isinstance(edge.instruction, ir.FaultTest):
                effect |= self._effects.of(edge)
        return effect

    def _pack(self, effect: ClassEffect, overwritten: int) -> int:
        count = len(self.names)
        return effect.reads | effect.writes << count | overwritten << 2 * count


def find_accesses(
    program: Program,
    points_to: PointsTo | None = None,
    *,
    is_elsewhere_excluded: bool = False,
    observes_end: bool = False,
) -> ActionEffects:
    """The effects of all actions of a flat program; see ``ActionEffects`` for the options."""
    sharing = find_sharing(program, PointsTo(program) if points_to is None else points_to)
    return ActionEffects(
        program, sharing, is_elsewhere_excluded=is_elsewhere_excluded, observes_end=observes_end
    )


def _before_first_visible(function: Function) -> frozenset[int]:
    """The locations that a new thread reaches by local steps alone."""
    local = {
        at: tuple(edge.target for edge in edges)
        for at, edges in function.outgoing.items()
        if all(isinstance(edge.instruction, ir.LocalInstruction) for edge in edges)
    }
    return reachable((function.entry,), local)
