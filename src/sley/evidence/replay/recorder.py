"""What happens in a run becomes events that a user wants to know, as data."""

from collections.abc import Iterator

from sley.evidence.argument_texts import ArgumentTexts, is_of_model
from sley.evidence.dependence import Dependences
from sley.evidence.faults import fault_of
from sley.evidence.library_objects import LibraryObjects, MemberAccess, UsedObjects, object_of
from sley.evidence.names import ProgramNames
from sley.evidence.remarks import Fails, Mark, NoModel, Note, Reliance, Unmodelled, Unspecified
from sley.evidence.replay.events import EventList
from sley.evidence.replay.locals import LocalObjects
from sley.evidence.replay.memories import Interleaved
from sley.evidence.replay.threads import Threads
from sley.evidence.sources import BLOCKED
from sley.evidence.trace import EventKind, Fault, TraceEvent
from sley.logic.sorts import BOOL
from sley.passes.store_buffers import FORWARDED, PENDING, TARGET
from sley.program import instructions as ir
from sley.program.memory import Display
from sley.program.program import Edge, Function, user_origin
from sley.semantics.machine import StateMachine
from sley.semantics.memory import PADDING, StepMemory
from sley.semantics.step import Happening


class Recorder:
    """Listens to the interpreter."""

    def __init__(self, machine: StateMachine, memories: Interleaved) -> None:
        self.code, self.evaluator = machine.code, machine.interpreter.evaluator
        self.memories = memories
        self.names = ProgramNames(self.code)
        self.threads = Threads()
        self._named: set[int] = set()
        """Threads that the library has started, and whose function is known by now."""
        self.dependences = Dependences(self.code)
        self.arguments = ArgumentTexts(self.code.program)
        self.events = EventList(self.threads, self.dependences)
        self.locals = LocalObjects(self.code, self.names, self.events)
        self.library = LibraryObjects()
        self.used: dict[int, UsedObjects] = {}
        """For each thread the objects of the library that its last call of it used."""
        self.reliances: dict[Reliance, None] = {}
        self.faults: tuple[Fault, ...] = ()
        """What the failing access is wrong about; the blocks that are lost."""
        self.concerned: tuple[int, ...] = ()
        """The threads that a wrong call is about: the holder of the mutex, the one that cannot be joined."""
        self._faulty: int | None = None
        """The object that an access was wrong about."""
        program = self.code.program
        self._start_thread(program.functions[program.entry])

    def hear(self, happening: Happening, memory: StepMemory) -> None:
        """An edge is executed."""
        self.memories.hear(happening, memory)
        self._name_thread(happening)
        self.dependences.note(happening, self.events.thread, memory)
        self.arguments.note(happening)

    def told(self) -> tuple[TraceEvent, ...]:
        """The events so far. That a local variable ends is told only if something goes wrong with it."""
        return tuple(
            self.events.completed(event)
            for index, event in enumerate(self.events.events)
            if event.kind is not EventKind.LEAVE or self.locals.is_told(index, self._faulty, self.faults)
        )

    # --- events -------------------------------------------------------------------------------

    def note(self, happening: Happening, memory: StepMemory) -> None:  # noqa: C901, PLR0912 - a case per event
        """Tell of an edge, if there is something to tell."""
        edge, add = happening.edge, self.events.add
        match edge.instruction:
            case ir.Assign(assignments=assignments):
                for register, _ in () if edge.origin.is_library else assignments:
                    if register.c_name and register.display is not Display.HIDDEN:
                        self._assigned(happening, register)
            case ir.Load() | ir.Store() | ir.Update():
                self._accessed(happening, memory)
                self._read_padding(happening, memory)
            case ir.Fence() as fence:
                self.memories.recorded.fence(self.events.thread, fence, user_origin(edge.origin))
            case ir.Havoc():
                self._input(happening)
            case ir.Lock(access=access) | ir.Unlock(access=access):
                self._locked(happening, access, memory)
            case ir.Allocate() as allocation:
                assert isinstance(happening.value, int)
                block = self.names.allocated(happening.value, allocation, memory)
                add(EventKind.ALLOCATE, edge, target=block, value=edge.origin.library_function)
            case ir.Free():
                assert happening.address is not None
                add(EventKind.FREE, edge, target=self.names.pointer(happening.address))
            case ir.FaultTest(of=wrong):
                self._faulted(happening, wrong, memory)
            case ir.End():
                add(EventKind.END, edge)
            case ir.CallUnmodelled() as call:
                self._unmodelled(happening, call)
            case ir.Assume():
                if not edge.origin.is_library:
                    add(EventKind.BRANCH, edge)
            case _:
                self._lived(happening, memory)

    def _lived(self, happening: Happening, memory: StepMemory) -> None:
        """A thread or a local object begins or ends, or a thread goes on that waited."""
        edge, add, thread, sources = (
            happening.edge,
            self.events.add,
            self.events.thread,
            self.memories.sources,
        )
        match edge.instruction:
            case ir.Create(function=name):
                self._start_thread(self.code.program.functions[name])
                add(EventKind.CREATE, edge, others=(len(self.threads) - 1,))
            case ir.Join():
                assert happening.handle is not None
                other = happening.handle - 1
                add(EventKind.JOIN, edge, others=(other,), source=sources.ended(other))
            case ir.Detach():
                assert happening.handle is not None
                add(EventKind.CALL, edge, others=(happening.handle - 1,))
            case ir.Enter(object=entered):
                first = self.locals.enter(thread, entered)
                sources.forget(first, first | self.code.memory_map.offset_mask)
            case ir.Leave(object=left):
                self.locals.leave(edge, thread, left)
            case ir.Exit():
                sources.end(thread, self.events.step)
                add(EventKind.EXIT, edge)
                self.locals.end_thread(edge, thread)
            case ir.Await():
                note = Mark.SPURIOUS_WAKE_UP if memory.spurious else None
                add(EventKind.WAIT, edge, note=note, source=sources.wake(thread))
            case _:
                pass

    def _name_thread(self, happening: Happening) -> None:
        """C11 and others start a function of the library, which calls the user's."""
        thread, calls = self.events.thread, happening.edge.origin.calls
        if calls and self.names.templates[thread].is_library and thread not in self._named:
            function = next((call.function for call in calls if not call.is_library), None)
            if function is not None:
                self._named.add(thread)
                self.threads.rename(thread, function)

    def _start_thread(self, template: Function) -> None:
        """A thread runs; its thread-local objects live."""
        if len(self.threads):
            self.names.templates.append(template)
        self.threads.start(template.c_name)
        self.locals.start_thread(len(self.threads) - 1, template)

    def _unmodelled(self, happening: Happening, call: ir.CallUnmodelled) -> None:
        """A function without a model may do anything."""
        self.reliances[Unmodelled(call.function)] = None
        value, target = None, call.target
        if target is not None and isinstance(number := happening.registers.get(target.term), int):
            value = self.names.value(number, target.sort, target.display)
        self.events.add(EventKind.CALL, happening.edge, target=call.function, note=NoModel(value))

    def _locked(self, happening: Happening, access: ir.Access, memory: StepMemory) -> None:
        assert happening.address is not None
        is_taken = isinstance(happening.edge.instruction, ir.Lock)
        follow = self.memories.sources.lock if is_taken else self.memories.sources.unlock
        self.events.add(
            EventKind.LOCK if is_taken else EventKind.UNLOCK,
            happening.edge,
            target=self.lock_name(happening.address, access, memory),
            source=follow(happening.address, self.events.step),
        )

    def lock_name(self, address: int, access: ir.Access, memory: StepMemory) -> str:
        """What C calls a lock; the member of it that our models lock is none of the user's."""
        name, _ = self.names.location(address, access.size, memory)
        return object_of(name) or access.text

    def _assigned(self, happening: Happening, register: ir.Register) -> None:
        """A variable of the user; or what it stands for in a program with store buffers."""
        shown = self.names.value(happening.registers[register.term], register.sort, register.display)
        kind, note, address = EventKind.ASSIGN, None, None
        known = self.events.thread, register.c_name, shown, user_origin(happening.edge.origin)
        if register.name.startswith(PENDING):
            kind, address = EventKind.DELAY, _pending_address(happening, register)
            self.memories.recorded.delayed(*known)
        elif register.name.startswith(FORWARDED):
            kind, note = EventKind.READ, Mark.OWN_PENDING_STORE
            self.memories.recorded.forwarded(*known)
        self.events.add(kind, happening.edge, address=address, target=register.c_name, value=shown, note=note)

    def _input(self, happening: Happening) -> None:
        """An arbitrary value; if it is not really arbitrary, the run is only a possible one."""
        edge, havoc = happening.edge, happening.edge.instruction
        assert isinstance(havoc, ir.Havoc)
        match havoc.cause:
            case ir.Cause.UNMODELLED:
                self.reliances[Unmodelled(havoc.text)] = None
            case ir.Cause.LAYOUT:
                self.reliances[Unspecified(havoc.text)] = None
                return  # the number has no meaning
            case ir.Cause.FAILURE if not is_of_model(happening):
                if happening.value:
                    self.events.add(EventKind.INPUT, edge, note=Fails(havoc.text))
                return
            case _:
                pass
        if havoc.cause is ir.Cause.FLUSH or is_of_model(happening):
            return  # what follows tells, or the arguments that come of it
        if edge.origin.is_library and (havoc.target.sort == BOOL or not edge.origin.library_function):
            return
        self._chosen(happening, havoc)

    def _chosen(self, happening: Happening, havoc: ir.Havoc) -> None:
        """A value that comes from outside, or from an attempt that may fail for no reason."""
        edge, target = happening.edge, havoc.target
        function, note = edge.origin.library_function, None
        if havoc.text == ir.WEAKLY and not function:
            note = Mark.ATTEMPT_FAILS if happening.value else Mark.ATTEMPT_GOES_ON
        self.events.add(
            EventKind.INPUT,
            edge,
            target=f"{function}()" if function else target.c_name or havoc.text,
            value=self.names.value(happening.value, target.sort, target.display),
            note=note,
        )

    # --- accesses -----------------------------------------------------------------------------

    def _read_padding(self, happening: Happening, memory: StepMemory) -> None:
        """A run that reads what is between the members of a structure rests on it.

        It does not where that is only copied; then it does where there is something else.
        """
        load, address = happening.edge.instruction, happening.address
        if not isinstance(load, ir.Load) or address is None or happening.is_missed:
            return
        if memory.is_padding(address, load.access.size) != load.access.is_unused:
            self.reliances[Unspecified(PADDING)] = None

    def _accessed(self, happening: Happening, memory: StepMemory) -> None:
        edge, instruction, address = happening.edge, happening.edge.instruction, happening.address
        assert isinstance(instruction, ir.Load | ir.Store | ir.Update)
        assert address is not None
        access = instruction.access
        name, display = self.names.location(address, access.size, memory)
        self.memories.record(self.events.thread, happening, name or access.text, memory)
        source = self._source(happening, address, access, memory)
        is_hidden = display is Display.HIDDEN or (edge.origin.is_library and not name)
        is_told = display is Display.HIDDEN and self._note_member(happening, name)
        if is_hidden and not is_told and not isinstance(instruction, ir.Load):
            self._note_call(edge)
        if is_hidden or (edge.origin.is_library and self._is_bookkeeping()):
            return
        kind = _KINDS[type(instruction)]
        if isinstance(instruction, ir.Load) and display is None:
            display = instruction.target.display
        self.events.add(
            kind,
            edge,
            address=address,
            target=name or access.text,
            value=self.names.value(happening.value, access.sort, display),
            old="" if kind is EventKind.READ else self.names.value(happening.old, access.sort, display),
            note=self.memories.note(memory, len(self.events.events)) or self._late(edge),
            source=source,
        )
        if isinstance(instruction, ir.Load) and instruction.target.c_name and not edge.origin.is_library:
            self._assigned(happening, instruction.target)

    def _source(
        self, happening: Happening, address: int, access: ir.Access, memory: StepMemory
    ) -> int | None:
        """The step that wrote what an access reads; what it writes is remembered."""
        instruction, step = happening.edge.instruction, self.events.step
        is_read = not isinstance(instruction, ir.Store)
        source = self.memories.source(address, access, memory) if is_read else None
        if not self._writes(happening):
            return source
        self.memories.write(address, access, memory, step)
        obj = self.code.program.static_object(address >> self.code.memory_map.offset_bits)
        if obj is not None and obj.name == BLOCKED:
            by = self.events.thread
            self.memories.sources.blocked(happening.old, happening.value, by=by, step=step)
        return source

    def _writes(self, happening: Happening) -> bool:
        """Whether an access writes: a compare-exchange may not."""
        instruction = happening.edge.instruction
        if isinstance(instruction, ir.Update) and instruction.success is not None:
            return self.evaluator.truth(instruction.success, happening.registers)
        return not isinstance(instruction, ir.Load)

    def _late(self, edge: Edge) -> Note | None:
        """A store reaches memory after it was executed, if there was anything in between."""
        if not (isinstance(edge.instruction, ir.Store) and edge.instruction.is_late):
            return None
        last = self.events.events[-1] if self.events.events else None
        if last is None or last.kind is not EventKind.DELAY:
            return Mark.REACHES_MEMORY
        if last.origin != self.events.origin(edge, self.events.thread):
            return Mark.REACHES_MEMORY
        self.events.events.pop()
        return None

    def _is_bookkeeping(self) -> bool:
        """Whether the step has just created or joined a thread: handles are of no interest."""
        last = self.events.last
        return last is not None and last.kind in (EventKind.CREATE, EventKind.JOIN)

    # --- objects of the library ---------------------------------------------------------------

    def _note_member(self, happening: Happening, name: str) -> bool:
        """A library call looks at one of its objects or changes it; whether that says something."""
        edge, value, old = happening.edge, happening.value, happening.old
        is_write = not isinstance(edge.instruction, ir.Load)
        if not isinstance(value, int) or (is_write and not isinstance(old, int)):
            value, old = (value, 0) if isinstance(value, int) else (0, 0)
        self._use(name)
        access = MemberAccess(
            call=edge.origin.library_function,
            thread=self.events.thread,
            name=name,
            is_inside=edge.source in self.code.inside,
            is_write=is_write,
            old=old if isinstance(old, int) else 0,
            value=value,
        )
        effects = tuple(self.library.effects(access))
        for effect in effects:
            self.events.add(
                effect.kind,
                edge,
                target=effect.target,
                value=effect.value,
                old=effect.old,
                note=effect.note,
                others=effect.others,
            )
        return bool(effects)

    def _use(self, name: str) -> None:
        """A member of an object of the library is accessed by the call that the thread is in."""
        thread = self.events.thread
        run = self.dependences.run_of(thread)
        if thread not in self.used or self.used[thread].run != run:
            self.used[thread] = UsedObjects(run)
        self.used[thread].add(name)

    def _note_call(self, edge: Edge) -> None:
        """A library function changed an object of its own: the call is worth a line, once."""
        last = self.events.last
        if last is None or last.origin != self.events.origin(edge, self.events.thread):
            self.events.add(EventKind.CALL, edge)

    # --- wrong accesses and calls -------------------------------------------------------------

    def _faulted(self, happening: Happening, wrong: ir.Faulty, memory: StepMemory) -> None:
        self._faulty = None
        if happening.address is not None:
            self._faulty = happening.address >> self.code.memory_map.offset_bits
            fault = fault_of(self.names, memory, wrong, happening.address)
            self.faults = () if fault is None else (fault,)
        self.concerned = tuple(self._concerned(happening, wrong, memory))

    def _concerned(self, happening: Happening, wrong: ir.Faulty, memory: StepMemory) -> Iterator[int]:
        """The holder of what is unlocked; the thread that is joined."""
        handle = 0
        if isinstance(wrong, ir.Join | ir.Detach):
            handle = self.evaluator.number(wrong.handle, happening.registers)
        elif isinstance(wrong, ir.Unlock) and happening.address is not None and not self.faults:
            owner = memory.load(happening.address, wrong.access.size)
            handle = owner if isinstance(owner, int) else 0
            name, _ = self.names.location(happening.address, wrong.access.size, memory)
            self._use(name)
        if 0 < handle <= len(self.threads):
            yield handle - 1


_KINDS = {ir.Load: EventKind.READ, ir.Store: EventKind.WRITE, ir.Update: EventKind.UPDATE}


def _pending_address(happening: Happening, register: ir.Register) -> int | None:
    """Where a store that waits will go."""
    assert isinstance(happening.edge.instruction, ir.Assign)
    name = TARGET + register.name.removeprefix(PENDING)
    found = (where.term for where, _ in happening.edge.instruction.assignments if where.name == name)
    address = next((happening.registers[term] for term in found), None)
    return address if isinstance(address, int) else None
