"""What actions touch, derived for the checkers alone: engines reduce by ``analyses.accesses``, not by this.

The *footprint* of an action is what it may read and write: bytes of memory, whether objects live, and what
threads do to each other (start, end, are joined). Two actions of different threads without a conflict of
footprints commute: both orders lead to the same state, neither enables the other, and neither disables it
unless it ends the run (P. Godefroid, LNCS 1032, 1996). What one thread alone can reach is in no footprint,
nor are accesses that are proved to be unobservable (``passes.proved``).

Where accesses may go is taken from ``analyses.pointers``, as a claim: a checker that uses footprints makes
sure that every access hits a place that was foreseen there.
"""

from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from typing import NamedTuple, assert_never

from sley.analyses.objects import Offset
from sley.analyses.pointers import PointsTo
from sley.analyses.threads import Creations, Instances
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import written_registers


class Footprint(NamedTuple):
    """Sets of things that are touched, one bit for each."""

    reads: int = 0
    writes: int = 0

    def __or__(self, other: "Footprint") -> "Footprint":
        return Footprint(self.reads | other.reads, self.writes | other.writes)

    def without(self, things: int) -> "Footprint":
        """What is left if some things are taken care of elsewhere."""
        return Footprint(self.reads & ~things, self.writes & ~things)

    def conflicts_with(self, other: "Footprint") -> bool:
        """Both touch a thing, and one of them writes it."""
        return bool(self.writes & other.writes | self.writes & other.reads | self.reads & other.writes)


class Footprints:
    """The footprints of all actions of a prepared program.

    With ``observes_end`` all that happens matters to the end of the process, as in a search for leaks.
    """

    def __init__(self, program: Program, points_to: PointsTo, *, observes_end: bool = False) -> None:
        self.program = program
        self.points_to = points_to
        self.creations = Creations(program)
        names = list(program.functions)
        events = points_to.classes.count
        self.creation, self.joining, self.allocation, self.ending = (1 << events + i for i in range(4))
        self.start = {name: 1 << events + 4 + i for i, name in enumerate(names)}
        self.end = {name: 1 << events + 4 + len(names) + i for i, name in enumerate(names)}
        self.memory = (1 << events) - 1
        self.observes_end = observes_end
        self.out = {at: es for f in program.functions.values() for at, es in f.outgoing.items()}
        self.noticed = self._noticed()
        self._at = cache(self._of_location)
        self.action = cache(self._action)
        self.future = cache(self._future)
        self.settled = cache(self._settled)
        self._first = cache(self._before_first_action)
        self._cell = cache(self._cell_of)
        self._overwrites = cache(self._may_overwrite)
        self._written = cache(self._written_other_than_by_locking)

    # --- one action -------------------------------------------------------------------------------

    def _action(self, location: int, address: int | None = None) -> Footprint:
        """Of a visible instruction (an access goes to this address), or of the section that begins here."""
        found = Footprint(self._awaited_start(location))
        for at in self._of_action(location):
            found |= self._at(at) if address is None else self._to(at, address)
        return found

    def beside_bytes(self, location: int) -> Footprint:
        """Of an action, but for the bytes of its accesses: those the caller looks at."""
        found = Footprint(self._awaited_start(location))
        for at in self._of_action(location):
            found |= Footprint(self.ending if self.observes_end else 0)
            for edge in self.out.get(at, ()):
                of = edge.instruction.of if isinstance(edge.instruction, ir.FaultTest) else edge.instruction
                if not isinstance(of, ir.Accessing):
                    found |= self._of(edge, edge.instruction)
                elif not self._is_unnoticed(of):
                    found |= Footprint(self._lives(edge))
        return found

    def of_access(self, edge: Edge) -> Footprint:
        """What an access may touch, wherever it goes."""
        return Footprint() if self._is_unnoticed(edge.instruction) else self._of(edge, edge.instruction)

    def _of_action(self, location: int) -> Iterator[int]:
        begins = any(isinstance(edge.instruction, ir.AtomicBegin) for edge in self.out.get(location, ()))
        seen, waiting = {location}, [location]
        while waiting:
            at = waiting.pop()
            yield at
            for edge in self.out.get(at, ()) if begins else ():
                if not isinstance(edge.instruction, ir.AtomicEnd) and edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)

    def _awaited_start(self, location: int) -> int:
        """The first action of a thread depends on its creation."""
        name = self.creations.template_at[location]
        return self.start[name] if self.creations.edges[name] and location in self._first(name) else 0

    def _before_first_action(self, function: str) -> frozenset[int]:
        """Where a new thread can be before its first action."""
        entry = self.program.functions[function].entry
        seen, waiting = {entry}, [entry]
        while waiting:
            edges = self.out.get(waiting.pop(), ())
            if all(isinstance(edge.instruction, ir.LocalInstruction) for edge in edges):
                new = {edge.target for edge in edges} - seen
                seen |= new
                waiting += new
        return frozenset(seen)

    def _of_location(self, location: int) -> Footprint:
        found = Footprint(self.ending if self.observes_end and location in self.out else 0)
        for edge in self.out.get(location, ()):
            if not self._is_unnoticed(edge.instruction):
                found |= self._of(edge, edge.instruction)
        return found

    @staticmethod
    def _is_unnoticed(instruction: ir.Instruction) -> bool:
        return isinstance(instruction, ir.Load | ir.Store) and instruction.access.is_unnoticed

    def _of(  # noqa: C901, PLR0911, PLR0912 - a total match
        self, edge: Edge, instruction: ir.Instruction
    ) -> Footprint:
        match instruction:
            case ir.Load(access=access):
                return Footprint(self._bytes(edge, access) | self._lives(edge))
            case ir.Store(access=access):
                return Footprint(self._lives(edge), self._bytes(edge, access))
            case ir.Update(access=access) | ir.Lock(access=access) | ir.Unlock(access=access):
                touched = self._bytes(edge, access)
                return Footprint(touched | self._lives(edge), touched)
            case ir.FaultTest(of=of):
                return Footprint(self._of(edge, of).reads)
            case ir.Free():
                lives = self._lives(edge, only_heap=True)
                return Footprint(lives, lives | self.allocation)
            case ir.Allocate():
                block = self.points_to.objects.of_site(edge.source)
                reused = self._life(block) if self.points_to.is_reusing else 0
                return Footprint(0, self.allocation | reused)
            case ir.Enter(object=obj) | ir.Leave(object=obj):
                function = self._function(edge)
                local = self.points_to.objects.of_local(function.name, function.objects.index(obj))
                return Footprint(0, self._life(local))
            case ir.CallUnmodelled():
                known = self._all_of(self._members(self.points_to.scrambled)) & self.noticed
                return Footprint(known, known)
            case ir.Create(function=name):
                return Footprint(self.creation, self.creation | self.start[name])
            case ir.Join() | ir.Detach():
                return Footprint(self.creation | self.joining | sum(self.end.values()), self.joining)
            case ir.Exit():
                return Footprint(0, self.end[self._function(edge).name] | self._own_lives(edge))
            case ir.End():
                return (
                    Footprint(self.memory | self.allocation, self.ending)
                    if self.observes_end
                    else Footprint()
                )
            case (
                ir.Assign()
                | ir.Assume()
                | ir.AtomicBegin()
                | ir.AtomicEnd()
                | ir.Await()
                | ir.Check()
                | ir.Fence()
                | ir.GiveUp()
                | ir.Havoc()
            ):
                return Footprint()
            case ir.Call() | ir.CallPointer() | ir.CreatePointer() | ir.Return():
                raise AssertionError(f"{type(instruction).__name__} in a prepared program")
            case _:
                assert_never(instruction)

    # --- memory -----------------------------------------------------------------------------------

    def _function(self, edge: Edge) -> Function:
        return self.program.functions[self.creations.template_at[edge.source]]

    def _bytes(self, edge: Edge, access: ir.Access) -> int:
        """The bytes of an access, with the neighbours of a bit-field."""
        low, high = access.location or (0, access.size)
        found = 0
        for place in self.points_to.targets(edge.source).places:
            partition = self.points_to.classes.partitions[place.object]
            found |= partition.touched(place.offset, min(low, 0), max(high, access.size))
        return found & self.noticed

    def _lives(self, edge: Edge, *, only_heap: bool = False) -> int:
        """That the objects live which an access may be to, or a free."""
        objects = self._members(self.points_to.targets(edge.source).objects)
        heap = self.points_to.objects
        return self._union(self._life(obj) for obj in objects if heap[obj].is_heap or not only_heap)

    def _life(self, obj: int) -> int:
        return self.points_to.classes.partitions[obj].life & self.noticed

    def _own_lives(self, edge: Edge) -> int:
        """The locals of a thread end with it."""
        function = self._function(edge)
        locals_ = (self.points_to.objects.of_local(function.name, i) for i in range(len(function.objects)))
        return self._union(self._life(obj) for obj in locals_)

    @staticmethod
    def _members(objects: int) -> list[int]:
        return [obj for obj in range(objects.bit_length()) if objects >> obj & 1]

    def _all_of(self, objects: Iterable[int]) -> int:
        return self._union(self.points_to.classes.all_of(obj) for obj in objects)

    @staticmethod
    def _union(sets: Iterable[int]) -> int:
        found = 0
        for members in sets:
            found |= members
        return found

    # --- what others can observe -------------------------------------------------------------------

    def _noticed(self) -> int:
        """The bytes and lives of the objects that two threads can reach."""
        known = self._known_to_others()
        users = dict.fromkeys(range(len(self.points_to.objects)), 0)
        for function in self.program.functions.values():
            count = {Instances.NONE: 0, Instances.ONE: 1, Instances.MANY: 2}
            for obj in self._used_by(function):
                users[obj] += count[self.creations.instances[function.name]]
        return self._all_of(obj for obj in known if users[obj] > 1)

    def _used_by(self, function: Function) -> set[int]:
        """The objects that a thread may access, and its own."""
        found = {o.index for o in self.points_to.objects if o.template == function.name and not o.is_heap}
        for location, edges in function.outgoing.items():
            if location not in self.creations.reachable:
                continue
            for edge in edges:
                of = edge.instruction.of if isinstance(edge.instruction, ir.FaultTest) else edge.instruction
                if isinstance(of, ir.Load | ir.Store | ir.Update | ir.Lock | ir.Unlock | ir.Free):
                    found.update(self._members(self.points_to.targets(location).objects))
                elif isinstance(of, ir.CallUnmodelled):
                    found.update(self._members(self.points_to.scrambled))
        return found

    def _known_to_others(self) -> set[int]:
        """Objects whose address is where another thread can find it."""
        objects = self.points_to.objects
        found = set(self._members(self.points_to.published))
        found |= {obj.index for obj in objects if obj.storage is Storage.GLOBAL}
        if self.points_to.is_reusing:
            found |= {obj.index for obj in objects if obj.is_heap}
        waiting = list(found)
        while waiting:
            new = set(self._members(self.points_to.contents(waiting.pop()))) - found
            found |= new
            waiting += new
        return found

    # --- all that may follow -----------------------------------------------------------------------

    @property
    def starts(self) -> int:
        """The starts of all threads."""
        return self._union(self.start.values())

    @property
    def awaited_ends(self) -> int:
        """The ends of all threads, if whoever looks at one waits for it: no join is in an atomic section."""
        for location in self.out:
            for at in self._of_action(location):
                if at != location and any(isinstance(e.instruction, ir.Join) for e in self.out.get(at, ())):
                    return 0
        return self._union(self.end.values())

    def _future(
        self,
        location: int,
        locked: frozenset[int] = frozenset(),
        addresses: tuple[tuple[int, int], ...] = (),
    ) -> Footprint:
        """Of all that a thread here may do, and those that it creates, unless it gets past certain locks.

        At some locations an access goes to a given address, whenever it comes (``settled``).
        """
        found, known = Footprint(), dict(addresses)
        for at in self._ahead(location, locked):
            if self._lock_at(at) in locked:
                found |= self._faults(at)
            else:
                found |= self._to(at, known[at]) if at in known else self._at(at)
        return found | Footprint(self.starts)

    # --- elements of arrays --------------------------------------------------------------------------

    def _settled(self, location: int) -> tuple[tuple[int, Term], ...]:
        """Accesses of a thread here whose address is what it is now, whatever the thread does before.

        That is so if nothing that the thread may still do writes a register that the address is made of.
        Where it may create threads that run the same code, nothing is said: they have other registers.
        """
        function = self.program.functions[self.creations.template_at[location]]
        ahead = self._ahead(location, frozenset())
        if self._creates(ahead, function.name):
            return ()
        own = [at for at in sorted(ahead) if self.creations.template_at[at] == function.name]
        written = {
            r.term for at in own for e in self.out.get(at, ()) for r in written_registers(e.instruction)
        }
        left = {register.term for register in function.registers} - written
        found = ((at, self.address_at(at)) for at in own)
        variables = self.program.terms.variables
        return tuple(
            (at, term) for at, term in found if term is not None and left.issuperset(variables(term))
        )

    def _creates(self, locations: Iterable[int], name: str) -> bool:
        edges = (edge for at in locations for edge in self.out.get(at, ()))
        return any(isinstance(e.instruction, ir.Create) and e.instruction.function == name for e in edges)

    def address_at(self, location: int) -> Term | None:
        """Of the access here, if that is all that happens and its address is no constant."""
        edges = [
            e.instruction for e in self.out.get(location, ()) if not isinstance(e.instruction, ir.FaultTest)
        ]
        if len(edges) != 1 or not isinstance(edges[0], ir.Load | ir.Store | ir.Update):
            return None
        access = edges[0].access
        if access.location is not None or access.is_unnoticed:
            return None
        return access.address if self.program.terms.has_variables(access.address) else None

    def _to(self, location: int, address: int) -> Footprint:
        """Of an access to a certain address: as ever, unless that is inside a global object."""
        pointers, objects = self.program.pointers, self.points_to.objects
        obj = objects.of_static(pointers.number(address))
        (access,) = (e.instruction for e in self.out[location] if not isinstance(e.instruction, ir.FaultTest))
        assert isinstance(access, ir.Load | ir.Store | ir.Update)
        offset, size = pointers.offset(address), access.access.size
        if (
            obj is None
            or objects[obj].storage is not Storage.GLOBAL
            or offset + size > (objects[obj].size or 0)
        ):
            return self._at(location)
        touched = self.points_to.classes.partitions[obj].touched(Offset(offset), 0, size) & self.noticed
        reads = 0 if isinstance(access, ir.Store) else touched
        return Footprint(reads, 0 if isinstance(access, ir.Load) else touched)

    def _faults(self, location: int) -> Footprint:
        edges = [edge for edge in self.out[location] if isinstance(edge.instruction, ir.FaultTest)]
        return Footprint(self._union(self._of(edge, edge.instruction).reads for edge in edges))

    def _ahead(self, location: int, locked: frozenset[int]) -> set[int]:
        seen, waiting = {location}, [location]
        while waiting:
            at = waiting.pop()
            is_stopped = self._lock_at(at) in locked
            for edge in self.out.get(at, ()):
                instruction = edge.instruction
                if is_stopped and isinstance(instruction, ir.Lock):
                    continue
                after = {edge.target}
                if isinstance(instruction, ir.Create):
                    after.add(self.program.functions[instruction.function].entry)
                waiting += after - seen
                seen |= after
        return seen

    def _lock_at(self, location: int) -> int | None:
        """The constant address that is locked here."""
        for edge in self.out.get(location, ()):
            if isinstance(edge.instruction, ir.Lock):
                return self.program.terms.number(edge.instruction.access.address)
        return None

    @cached_property
    def mutexes(self) -> frozenset[int]:
        """The constant addresses that are locked somewhere."""
        found = (self._lock_at(location) for location in self.out)
        return frozenset(address for address in found if address is not None)

    def staying_locked(self, locations: tuple[int, ...], held: frozenset[int]) -> frozenset[int]:
        """Those of the mutexes held by others that threads at these locations cannot release.

        Only the holder can unlock; but a plain write to the cell, on anybody's way, may release it, too.
        """
        while True:
            kept = frozenset(m for m in held if not any(self._overwrites(at, m, held) for at in locations))
            if kept == held:
                return held
            held = kept

    def _may_overwrite(self, location: int, mutex: int, locked: frozenset[int]) -> bool:
        """Whether a thread here may write the cell of a mutex other than by locking and unlocking."""
        cell = self._cell(mutex)
        return any(self._written(at) & cell for at in self._ahead(location, locked))

    def _written_other_than_by_locking(self, location: int) -> int:
        """What is written here, whether anybody notices it or not."""
        edges = [e for e in self.out.get(location, ()) if not isinstance(e.instruction, ir.Lock | ir.Unlock)]
        return self._union(self._of(edge, edge.instruction).writes for edge in edges)

    def _cell_of(self, mutex: int) -> int:
        locks = [at for at in self.out if self._lock_at(at) == mutex]
        return self._union(self._at(at).writes for at in locks)
