"""Whether a run ends with its failure: at an error location, by a read, in a race, with memory lost."""

from collections import Counter
from collections.abc import Iterator, Sequence

from sley.evidence.faults import named, never_destroyed
from sley.evidence.library_objects import object_of
from sley.evidence.remarks import Accesses, AccessKind, Lost, Racing, Value
from sley.evidence.replay.scene import Judged, Party, ReplayError, Scene
from sley.evidence.replay.waiting import deadlock, no_progress
from sley.evidence.trace import EventKind, Fault, FaultKind
from sley.program import instructions as ir
from sley.program.c_text import names_in
from sley.program.memory import Display
from sley.program.program import Edge, line_of
from sley.program.properties import Failure, Property
from sley.semantics.memory import StepMemory
from sley.semantics.state import State, ThreadState
from sley.semantics.uninitialised import UnsetRead, failure_of
from sley.semantics.violations import NextAccess, access_text


def at_state(scene: Scene, state: State) -> Judged:
    """The failure of a state."""
    match scene.failure.property:
        case Property.RACE:
            return _race(scene, state)
        case Property.DEADLOCK:
            return deadlock(scene, state)
        case Property.PROGRESS:
            return no_progress(scene, state)
        case _:
            raise ReplayError("the run does not fail")


# --- error locations ------------------------------------------------------------------------------


def at_location(scene: Scene, thread: int, edge: Edge, result: ThreadState) -> Judged:
    """A step has come to an error location."""
    recorder = scene.recorder
    general = scene.machine.code.errors.get(result[0])
    if general is None or general.property is not scene.failure.property:
        raise ReplayError("the run ends elsewhere")
    failure, target = general, ""
    if recorder.faults:
        failure = named(recorder.faults[0], failure)
    if failure.property is Property.MISUSE and edge.origin.is_library:
        target = _misused(scene, thread, failure)
        events = recorder.events.events
        if target and not any(e.kind is EventKind.DESTROY and e.target == target for e in events):
            failure = never_destroyed(failure)
    roots = {len(recorder.dependences.nodes) - 1: 0}
    facts = tuple(_values(scene, thread, edge))
    return Judged(failure, (Party(thread, edge, target=target),), roots, facts, general)


def _misused(scene: Scene, thread: int, failure: Failure) -> str:
    """The object that the failing call of a thread is wrong about; empty if that cannot be told."""
    used = scene.recorder.used.get(thread)
    is_now = used is not None and used.run == scene.recorder.dependences.run_of(thread)
    return used.wrong(failure) if used is not None and is_now else ""


def _values(scene: Scene, thread: int, edge: Edge) -> Iterator[Value]:
    """The values that the failing statement read."""
    recorder = scene.recorder
    run, read = recorder.dependences.run_of(thread), (EventKind.READ, EventKind.UPDATE)
    events = [e for e in recorder.events.events if e.run == run and e.kind in read and e.target]
    yield from dict.fromkeys(Value(event.target, event.value) for event in events)
    known = {event.target for event in events}
    yield from (value for value in _locals(scene, thread, edge) if value.name not in known)


def _locals(scene: Scene, thread: int, edge: Edge) -> Iterator[Value]:
    """The local variables that the statement names, if there is one of the name and it has a value."""
    if edge.origin.is_library:
        return
    recorder = scene.recorder
    same_name = Counter(register.c_name for register in recorder.names.templates[thread].registers)
    got = (EventKind.ASSIGN, EventKind.INPUT)
    last = {e.target: e.value for e in reversed(list(recorder.events.latest(thread, got)))}
    for name in sorted(set(names_in(edge.origin.text)) & set(last)):
        if same_name[name] == 1 and last[name] != f"&{name}":
            yield Value(name, last[name])


# --- reads of what was never written --------------------------------------------------------------


def unset_read(
    scene: Scene, thread: int, read: UnsetRead, events_before: int, run: int, memory: StepMemory
) -> Judged:
    """What happened in the same step after the read does not matter any more."""
    recorder, instruction = scene.recorder, read.edge.instruction
    del recorder.events.events[events_before:]
    assert isinstance(instruction, ir.Load | ir.Update)
    assert read.address is not None
    name, _ = recorder.names.location(read.address, instruction.access.size, memory)
    roots = recorder.dependences.of_next([(thread, read.edge)])
    return Judged(failure_of(read), (Party(thread, read.edge, target=name, run=run),), roots)


# --- leaks ----------------------------------------------------------------------------------------


def leaked(scene: Scene, thread: int, edge: Edge | None, lost: Sequence[int]) -> Judged:
    """The run is over, and nothing points to some blocks."""
    if not lost:
        raise ReplayError("nothing is leaked")
    recorder = scene.recorder
    recorder.faults = tuple(_lost(scene, number) for number in lost)
    facts = tuple(_block(scene, fault.object) for fault in recorder.faults)
    return Judged(scene.failure, (Party(thread, edge),), recorder.dependences.of_lost(lost), facts)


def _lost(scene: Scene, number: int) -> Fault:
    """A block, and the step with which the last pointer to it was lost."""
    steps = reversed(range(len(scene.pointed_to)))
    seen = (step for step in steps if number in scene.pointed_to[step])
    return Fault(FaultKind.LOST, scene.recorder.names.heap.get(number, ""), step=next(seen, None))


def _block(scene: Scene, name: str) -> Lost:
    """A block by where it was made."""
    events = scene.recorder.events.events
    event = next((e for e in events if e.kind is EventKind.ALLOCATE and e.target == name), None)
    if event is None or event.origin.span is None:
        return Lost()
    return Lost(event.thread, event.origin.span.line, event.value)


# --- data races -----------------------------------------------------------------------------------


def _race(scene: Scene, state: State) -> Judged:
    """Two threads are about to access the same memory."""
    race = scene.predicates.race(state)
    if race is None:
        raise ReplayError("there is no race")
    accesses = ((race.first, race.first_access), (race.second, race.second_access))
    memory = StepMemory(scene.machine.code.memory_map, state, race.first)
    parties = tuple(
        Party(thread, access.edge, _accessed(scene, access, memory), address=access.address)
        for thread, access in accesses
    )
    roots = scene.recorder.dependences.of_next((thread, access.edge) for thread, access in accesses)
    missing = tuple(scene.recorder.memories.missing_orders(state))
    names = _names(parties)
    return Judged(race.failure_on(next(names, "")), parties, roots, (*_racing(parties), *missing))


def _racing(parties: Sequence[Party]) -> Iterator[Racing]:
    for party in parties:
        if isinstance(party.note, Accesses) and party.edge is not None:
            yield Racing(party.thread, party.note, line_of(party.edge.origin))


def _names(parties: Sequence[Party]) -> Iterator[str]:
    """What the memory is called, first where the user's own code accesses it."""
    for party in sorted(parties, key=lambda one: one.edge is None or one.edge.origin.is_library):
        if isinstance(party.note, Accesses) and party.note.name:
            yield party.note.name


def _accessed(scene: Scene, access: NextAccess, memory: StepMemory) -> Accesses:
    """What an access does, and to what: inside of a library function, to the user's object."""
    kind = AccessKind.WRITE if access.is_write else AccessKind.READ
    if isinstance(access.edge.instruction, ir.Free):
        return Accesses(AccessKind.FREE, access_text(access.edge), access.is_atomic)
    if not access.edge.origin.is_library:
        return Accesses(kind, access_text(access.edge), access.is_atomic)
    name, display = scene.recorder.names.location(access.address, access.size, memory)
    name = object_of(name) if display is Display.HIDDEN else name
    what = name or f"memory of {access.edge.origin.library_function}"
    return Accesses(AccessKind.USE if access.is_atomic else kind, what, access.is_atomic, not name)
