"""Whether threads of a run can only wait: for each other, or for what a loop without end does not do."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from sley.evidence.library_objects import awaited_by, object_of
from sley.evidence.remarks import Awaited, Escape, Fact, Mark, Repeats, Waiting, Waits
from sley.evidence.replay.scene import Judged, Party, ReplayError, Scene
from sley.evidence.trace import EventKind
from sley.program import instructions as ir
from sley.program.memory import Display
from sley.program.program import Edge, line_of, user_origin
from sley.program.properties import Failure
from sley.semantics.progress import all_from, trapped
from sley.semantics.state import State, is_ended, location_of
from sley.semantics.violations import WaitFor, known_section_accesses

MOST_STUCK_STATES = 100_000
"""So many states that threads cannot get out of may be looked at again."""


def deadlock(scene: Scene, state: State) -> Judged:
    """Threads wait for each other in a cycle, or all that have not ended wait."""
    running, blocked = _threads(scene, state)
    cycle = scene.predicates.wait_cycle(state)
    if not cycle and (not blocked or len(blocked) < len(running)):
        raise ReplayError("some thread can go on")
    parties = [_waits(scene, state, t) for t in [w.waiting for w in cycle] or blocked]
    return Judged(scene.failure, tuple(parties), _roots(scene, parties), tuple(_facts(parties)))


def no_progress(scene: Scene, state: State) -> Judged:
    """All that can follow is looked at, and nothing of it gets anywhere."""
    graph = all_from(scene.machine, state, MOST_STUCK_STATES)
    if graph is None or state not in trapped(graph):
        raise ReplayError("some thread gets somewhere")
    running, blocked = _threads(scene, state)
    spinning = [thread for thread in running if thread not in blocked]
    waiting = [_waits(scene, state, thread) for thread in blocked]
    escape = _escape(scene, state, waiting)
    repeats = [Repeats(thread, _lines(scene, thread, graph), escape) for thread in spinning]
    parties = [*(Party(t, _next(scene, state, t), Mark.RUNS_FOR_EVER) for t in spinning), *waiting]
    facts: tuple[Fact, ...] = (*repeats, *_facts(waiting))
    return Judged(_named(scene, spinning), tuple(parties), _roots(scene, parties), facts)


def _named(scene: Scene, spinning: Sequence[int]) -> Failure:
    """The failure with the names of the threads."""
    names = "` and `".join(map(scene.recorder.threads.name, spinning))
    frame = ": `{}` runs for ever" if len(spinning) == 1 else ": `{}` run for ever"
    return replace(scene.failure, phrase="no progress", subject=names, frame=frame)


def _threads(scene: Scene, state: State) -> tuple[list[int], list[int]]:
    """Those that have not ended, and those of them that cannot go on."""
    running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
    return running, [thread for thread in running if scene.machine.is_blocked(state, thread)]


def _next(scene: Scene, state: State, thread: int) -> Edge:
    return scene.machine.code.out[location_of(state.threads[thread])][0]


def _roots(scene: Scene, parties: Sequence[Party]) -> Mapping[int, int]:
    edges = ((party.thread, party.edge) for party in parties if party.edge is not None)
    return scene.recorder.dependences.of_next(edges)


def _facts(parties: Iterable[Party]) -> Iterator[Waiting]:
    """The waits for other threads."""
    for party in parties:
        if isinstance(party.note, Waits) and party.note.holder is not None and party.edge is not None:
            origin = user_origin(party.edge.origin)
            statement = origin.text.removesuffix(";")
            yield Waiting(party.thread, party.note, statement, line_of(party.edge.origin))


def _escape(scene: Scene, state: State, waiting: Sequence[Party]) -> Escape:
    """What could let threads go on that wait: it may happen, but nothing guarantees it."""
    helped = [party for party in waiting if scene.machine.successors(state, party.thread)]
    if not helped:
        return Escape.NOTHING
    notes = (party.note for party in helped)
    may_read = any(isinstance(note, Waits) and note.what is Awaited.READ_LOCK for note in notes)
    return Escape.NOT_GUARANTEED if may_read else Escape.SPURIOUS_WAKE_UP


def _lines(scene: Scene, thread: int, graph: Iterable[State]) -> tuple[int, ...]:
    """The lines that a thread comes by in some states."""
    edges = (edge for s in graph for edge in scene.machine.code.out[location_of(s.threads[thread])])
    return tuple(sorted({line for edge in edges if (line := line_of(edge.origin)) is not None}))


def _waits(scene: Scene, state: State, thread: int) -> Party:
    """What a thread waits for, and where."""
    wait = scene.predicates.waits_for(state, thread)
    if wait is None:
        return _plain_wait(scene, state, thread)
    if not isinstance(wait.edge.instruction, ir.Lock):
        name = scene.recorder.threads.name(wait.holder)
        return Party(thread, wait.edge, Waits(Awaited.END, holder=wait.holder), name)
    return _waits_for_lock(scene, state, wait, wait.edge.instruction.access)


def _waits_for_lock(scene: Scene, state: State, wait: WaitFor, access: ir.Access) -> Party:
    address = scene.predicates.address_of(state, wait.waiting, wait.edge)
    memory = scene.machine.interpreter.memory(state, wait.waiting)
    name = scene.recorder.lock_name(address, access, memory)
    note = Waits(Awaited.LOCK, name, wait.holder)
    taken = scene.recorder.memories.sources.taken(address)
    return Party(wait.waiting, wait.edge, note, name, taken)


def _plain_wait(scene: Scene, state: State, thread: int) -> Party:
    """A thread waits for something else than a lock that a thread holds, or the end of a thread."""
    edge = _next(scene, state, thread)
    name = _awaited_object(scene, state, thread, edge)
    what = awaited_by(edge.origin.library_function)
    if what is Awaited.READ_LOCK and not scene.machine.successors(state, thread):
        what = Awaited.OTHER
    return Party(thread, edge, Waits(what, name), name)


def _awaited_object(scene: Scene, state: State, thread: int, edge: Edge) -> str:
    """The object of the library that a thread waits for; empty if it cannot be told."""
    code, interpreter = scene.machine.code, scene.machine.interpreter
    accesses = []
    if isinstance(edge.instruction, ir.Lock):
        accesses = [(edge.instruction.access.address, edge.instruction.access.size)]
    elif isinstance(edge.instruction, ir.AtomicBegin):
        accesses = known_section_accesses(code, edge.source) or []
    memory = interpreter.memory(state, thread)
    for term, size in accesses:
        address = interpreter.evaluate(state, thread, term)
        name, display = scene.recorder.names.location(address, size, memory)
        if name and display is Display.HIDDEN:
            return object_of(name)
    begun = scene.recorder.events.latest(thread, (EventKind.SLEEP, EventKind.ARRIVE))
    return next((e.target for e in begun), "") if edge.origin.library_function else ""
