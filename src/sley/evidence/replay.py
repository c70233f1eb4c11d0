"""Replaying a schedule on the reference interpreter: no violation is reported without it.

The replay also writes the trace that users see; engines have no say in what it shows.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from sley.evidence.argument_texts import ArgumentTexts, is_of_model
from sley.evidence.dependence import Dependences
from sley.evidence.faults import fault_of, message, never_destroyed
from sley.evidence.library_objects import LibraryObjects, MemberAccess, UsedObjects, object_of
from sley.evidence.recorded import Recorded
from sley.evidence.sources import BLOCKED, Sources
from sley.evidence.trace import (
    MAY_HAVE_TO_WAIT,
    Event,
    EventKind,
    Fault,
    FaultKind,
    Schedule,
    Step,
    ThreadInfo,
    Trace,
)
from sley.logic.sorts import BOOL, width_of
from sley.passes.store_buffers import FORWARDED, PENDING, TARGET
from sley.program import instructions as ir
from sley.program.memory import Display, MemoryObject, Storage
from sley.program.memory_model import MemoryModel
from sley.program.program import Edge, Function, Origin, Program, user_origin
from sley.program.properties import Failure, Property
from sley.semantics.history import History, Id, known
from sley.semantics.machine import Machine
from sley.semantics.machine_run import ImpossibleRunError, MachineMemory, MachineRun, Seen
from sley.semantics.memory import PADDING, Memory
from sley.semantics.progress import all_from, trapped
from sley.semantics.state import ABORTED, CUT, ENDED, OVER, State, ThreadState, is_ended, location_of
from sley.semantics.step import Happening
from sley.semantics.uninitialised import UnsetRead, Watch, failure_of
from sley.semantics.violations import (
    NextAccess,
    StatePredicates,
    WaitFor,
    access_text,
    known_section_accesses,
)
from sley.semantics.weak_memory import WeakMemory
from sley.wording.values import Names


def _access_note(access: NextAccess, name: str) -> str:
    """What an access does, in a phrase; ``name`` is what C calls the memory."""
    how = " (atomic)" if access.is_atomic else ""
    if isinstance(access.edge.instruction, ir.Free):
        return f"frees the block{how}"
    if access.is_atomic and access.edge.origin.is_library:
        return f"uses `{name}`"
    return f"{'writes' if access.is_write else 'reads'} `{name}`{how}"


MOST_STUCK_STATES = 100_000
"""So many states that threads cannot get out of may be looked at again."""

REACHES = "reaches memory"
"""The note of a store that was pending."""


class ReplayError(Exception):
    """The schedule does not lead to the violation: an engine was wrong."""


def replay(
    program: Program, schedule: Schedule, failure: Failure, model: MemoryModel = MemoryModel.SC
) -> Trace:
    """The trace of a violation; raises ReplayError if the schedule does not lead to it."""
    return _Replay(program, failure, model).run(schedule)


def record(program: Program, schedule: Schedule) -> tuple[tuple[ThreadInfo, ...], tuple[Event, ...]]:
    """What happens along a schedule that need not end in a violation."""
    replayed = _Replay(program, _NO_FAILURE)
    replayed.follow(schedule)
    return replayed.threads(), replayed.shared_events()


_NO_FAILURE = Failure(Property.REACH, "none", "")


class _Functions(list[str]):
    """The functions that threads start with."""

    def __init__(self) -> None:
        super().__init__()
        self.threads: dict[str, list[int]] = {}

    def append(self, function: str) -> None:
        """One more thread is there."""
        self.threads.setdefault(function, []).append(len(self))
        super().append(function)

    def name(self, thread: int) -> str:
        """The function, with a number if other threads start with it, too."""
        same = self.threads[self[thread]]
        return self[thread] if len(same) == 1 else f"{self[thread]} #{bisect_left(same, thread) + 1}"


class _Replay:
    unset: UnsetRead | None = None
    """The last read of what nobody had written."""
    unset_at = unset_run = 0
    """How many events there were before it, and the run of a statement that it is part of."""

    def __init__(self, program: Program, failure: Failure, model: MemoryModel = MemoryModel.SC) -> None:
        self.model = model
        history = History(finds_races=failure.property is Property.RACE) if model is MemoryModel.C11 else None
        self.machine = Machine(program, is_compiled=False, history=history)
        self.code, self.interpreter = self.machine.code, self.machine.interpreter
        self.predicates = StatePredicates(self.code, self.interpreter)
        self.names = Names(self.code)
        self.arguments = ArgumentTexts(program)
        self.failure = failure
        self.general: Failure | None = None
        self.functions = _Functions()
        self.events: list[Event] = []
        self.touched: dict[int, set[int]] = {}
        self.faulty: int | None = None
        """The object that an access was wrong about."""
        self.faults: tuple[Fault, ...] = ()
        self.library = LibraryObjects()
        self.used: dict[int, UsedObjects] = {}
        """For each thread the objects of the library that its last call of it used."""
        self.concerned: tuple[int, ...] = ()
        """Threads that a wrong call is about: who holds the mutex, who cannot be joined."""
        self.pointed_to: list[set[int]] = []
        """If leaks are asked about: the blocks that something leads to before each step."""
        self.gone: dict[int | None, int] = {}
        """For each local object the event with which it ended last."""
        self.living: dict[int, MemoryObject] = {}
        """The local objects that live, by number."""
        self.reliances: dict[str, None] = {}
        self.performed: dict[Id, Edge] = {}
        """Under C11: where the events of the execution graph were made."""
        self.unseen: dict[int, Seen] = {}
        """On a machine: events that see another write than the last one."""
        self.writers: dict[int, tuple[int, Edge]] = {}
        """The threads and the edges of steps that write."""
        self.run_of_machine = MachineRun(self.code, model) if model.is_hardware else None
        self.sources = Sources()
        self.dependences = Dependences(self.code)
        self.dependences.is_weak = model is not MemoryModel.SC
        self.racing: dict[int, int] = {}
        """In a race: the addresses that threads access."""
        self.awaited: dict[int, tuple[str, int | None]] = {}
        """In a deadlock: what threads wait for, and the steps that took it; or what a call is wrong about."""
        self.steps: dict[Id, int] = {}
        """Under C11: the steps that made the events of the execution graph."""
        self.recorded = Recorded()
        """What becomes the execution graph of the trace."""
        self.history: History | None = None
        """Under C11: all that was before."""
        self.index = self.acting = 0
        """The step that is being taken, and its thread."""
        self._start_thread(program.functions[program.entry])

    def follow(self, schedule: Schedule) -> None:
        """Take the steps, whatever they lead to."""
        state = self.machine.initial()
        for index, step in enumerate(schedule):
            result, memory, _ = self._step(state, index, step)
            if result in OVER or result[0] in self.code.errors:
                return
            state = memory.freeze(result)

    def run(self, schedule: Schedule) -> Trace:
        """Take the steps; they must lead to the violation."""
        state, edge = self.machine.initial(), None
        for index, step in enumerate(schedule):
            before = state
            if self.failure.property is Property.LEAK:
                self.pointed_to.append(self.predicates.pointed_to(state))
            result, memory, edge = self._step(state, index, step)
            if self.failure.property is Property.UNINITIALISED and self.unset is not None:
                return self._unset_read(schedule[: index + 1], step.thread, self.unset, memory)
            if result in (CUT, ABORTED):
                raise ReplayError(f"step {index} ends the run")
            if result == ENDED or result[0] in self.code.errors:
                return self._finished_by_step(schedule, index, step, before, result, edge)
            state = memory.freeze(result)
            self.history = state.history
        if self.failure.property is Property.LEAK:
            leaked = [] if not all(map(is_ended, state.threads)) else self.predicates.leaked(state, None)
            if not leaked:
                raise ReplayError("nothing is leaked")
            return self._leak(schedule, schedule[-1].thread, edge, leaked)
        return self._finished_by_state(schedule, state)

    def _step(self, state: State, index: int, step: Step) -> tuple[ThreadState, Memory, Edge | None]:
        if step.thread >= len(state.threads) or is_ended(state.threads[step.thread]):
            raise ReplayError(f"step {index}: thread {step.thread} does not run")
        memory = self._memory(state, step)
        edges: list[Edge] = []
        self.index, self.acting = index, step.thread

        watch = Watch(memory)

        def listen(happening: Happening) -> None:
            edges.append(happening.edge)
            if watch.found is None:
                watch(happening)
                self.unset_at = len(self.events)
            _require_fit(happening)
            if isinstance(memory, MachineMemory):
                memory.run.note(happening, memory)
            self.dependences.note(happening, self.acting, memory)
            self.arguments.note(happening)
            if watch.found is not None and watch.found.edge is happening.edge:
                self.unset_run = self.dependences.run_of(self.acting)
            self._note(happening, memory)

        result = self.interpreter.step(memory, listen)
        if result is None:
            raise ReplayError(f"step {index}: thread {step.thread} is blocked")
        if watch.found is not None and watch.found.is_certain:
            self.unset = watch.found
        return result, memory, edges[-1] if edges else None

    def _memory(self, state: State, step: Step) -> Memory:
        if self.run_of_machine is None:
            return self.interpreter.memory(state, step.thread, step.choices)
        self.run_of_machine.step += 1
        return MachineMemory(self.code.memory_map, state, step.thread, step.choices, self.run_of_machine)

    # --- the end of the run -------------------------------------------------------------------

    def _finished_by_step(
        self,
        schedule: Schedule,
        index: int,
        step: Step,
        before: State,
        result: ThreadState,
        edge: Edge | None,
    ) -> Trace:
        if self.failure.property is Property.LEAK:
            is_known = result == ENDED and self.predicates.knows_frames(before, step.thread)
            leaked = self.predicates.leaked(before, step.thread) if is_known else []
            if not leaked:
                raise ReplayError("nothing is leaked")
            return self._leak(schedule[: index + 1], step.thread, edge, leaked)
        found = self.code.errors.get(result[0])
        if found is None or found.property is not self.failure.property:
            raise ReplayError("the run ends elsewhere")
        self.failure = self.general = found
        assert edge is not None
        self._specify(step.thread, edge)
        facts = self._facts(step.thread, edge)
        self._depend_on({len(self.dependences.nodes) - 1: 0})
        return self._trace(schedule[: index + 1], edge, facts, [(step.thread, edge, self.failure.message)])

    def _unset_read(self, schedule: Schedule, thread: int, read: UnsetRead, memory: Memory) -> Trace:
        """What happened in the same step after the read does not matter any more."""
        self.failure = failure_of(read)
        del self.events[self.unset_at :]
        instruction = read.edge.instruction
        assert isinstance(instruction, ir.Load | ir.Update)
        assert read.address is not None
        name, _ = self.names.location(read.address, instruction.access.size, memory)
        self.awaited[thread] = name, None
        self._depend_on(self.dependences.of_next([(thread, read.edge)]))
        trace = self._trace(schedule, read.edge, (), [(thread, read.edge, self.failure.message)])
        *before, failing = trace.events
        return replace(trace, events=(*before, replace(failing, run=self.unset_run)))

    def _leak(self, schedule: Schedule, thread: int, edge: Edge | None, leaked: list[int]) -> Trace:
        self.faults = tuple(self._lost(number) for number in leaked)
        facts = tuple(f"{self._block(fault.object)} is lost" for fault in self.faults)
        self._depend_on(self.dependences.of_lost(leaked))
        return self._trace(schedule, edge, facts, [(thread, edge, self.failure.message)])

    def _lost(self, number: int) -> Fault:
        """A block, and the step with which the last pointer to it was lost."""
        seen = (step for step in reversed(range(len(self.pointed_to))) if number in self.pointed_to[step])
        return Fault(FaultKind.LOST, self.names.heap.get(number, ""), step=next(seen, None))

    def _block(self, name: str) -> str:
        """A block by where it was made."""
        made = (e for e in self.events if e.kind is EventKind.ALLOCATE and e.target == name)
        event = next(made, None)
        if event is None or event.origin.span is None:
            return "a block"
        how = f" ({event.value})" if event.value else ""
        return f"the block allocated at line {event.origin.span.line}{how} by {self._thread(event.thread)}"

    def _specify(self, thread: int, edge: Edge) -> None:
        """Say what kind of invalid access it is, and what a wrong call is wrong about."""
        if self.faults:
            text = message(self.faults[0], self.failure.property, self.failure.message)
            self.failure = replace(self.failure, message=text)
        if self.failure.property is Property.MISUSE and edge.origin.is_library:
            calls = self.used.get(thread, UsedObjects())
            used = calls.named(self.failure.message) if calls.run == self.dependences.run_of(thread) else ""
            self.awaited[thread] = used, None
            if used and not any(e.kind is EventKind.DESTROY and e.target == used for e in self.events):
                self.failure = never_destroyed(self.failure)

    def _finished_by_state(self, schedule: Schedule, state: State) -> Trace:
        if self.failure.property is Property.RACE:
            race = self.predicates.race(state)
            if race is None:
                raise ReplayError("there is no race")
            pairs = ((race.first, race.first_access), (race.second, race.second_access))
            memory = Memory(self.code.memory_map, state, race.first)
            names = [self._accessed(a, memory) for _, a in pairs]
            users = [n for n, (_, a) in zip(names, pairs, strict=True) if not a.edge.origin.is_library]
            self.failure = race.failure_on(next((n for n in (*users, *names) if n), ""))
            failing = [
                (thread, a.edge, _access_note(a, name))
                for (thread, a), name in zip(pairs, names, strict=True)
            ]
            facts = tuple(
                f"{self._thread(thread)} {note}"
                + (f" at line {span.line}" if (span := user_origin(edge.origin).span) else "")
                for thread, edge, note in failing
            )
            self.racing = {thread: a.address for thread, a in pairs}
            if state.history is not None:
                facts += tuple(self._missing_orders(state.history))
            return self._trace(schedule, race.first_access.edge, facts, failing)
        if self.failure.property is Property.DEADLOCK:
            return self._deadlock(schedule, state)
        if self.failure.property is Property.PROGRESS:
            return self._no_progress(schedule, state)
        raise ReplayError("the run does not fail")

    def _accessed(self, access: NextAccess, memory: Memory) -> str:
        """What C calls the memory that is accessed: inside of a library function, the user's object."""
        if not access.edge.origin.is_library or isinstance(access.edge.instruction, ir.Free):
            return access_text(access.edge)
        name, display = self.names.location(access.address, access.size, memory)
        return (object_of(name) if display is Display.HIDDEN else name) or f"memory of {_called(access.edge)}"

    def _missing_orders(self, history: History) -> Iterator[str]:
        """Under C11: what the later thread read from the earlier one, and why that does not order the two."""
        assert history.race is not None
        first, reader = history.race.first, history.race.second.thread
        for index, event in enumerate(history.events[reader]):
            if event.source is None or event.source[0] != first.thread:
                continue
            write = history.events[first.thread][event.source[1]]
            if write.epoch < first.epoch:
                continue
            is_released = known(write.message, first.thread) > first.epoch
            load, store = (reader, index), event.source
            kind, weak, order = ("load", load, event.order) if is_released else ("store", store, write.order)
            is_plain = self._was_plain(weak)
            what = f"the {kind} is {'plain' if is_plain else order.value}"
            needed = f"{'an atomic one with ' * is_plain}{'acquire' if is_released else 'release'}"
            lines = [self._line_of(load), self._line_of(store)]
            yield (
                f"{self._thread(reader)} reads what {self._thread(first.thread)} wrote (line {lines[0]} from "
                f"line {lines[1]}), but {what}: only {needed} would order them"
            )

    def _was_plain(self, name: Id) -> bool:
        """Whether an access is atomic only because its race is suppressed."""
        edge = self.performed.get(name)
        accessing = edge.instruction if edge is not None else None
        return isinstance(accessing, ir.Load | ir.Store) and accessing.access.was_plain

    def _line_of(self, name: Id) -> str:
        edge = self.performed.get(name)
        span = None if edge is None else user_origin(edge.origin).span
        return "?" if span is None else str(span.line)

    def _deadlock(self, schedule: Schedule, state: State) -> Trace:
        running = [t for t, at in enumerate(state.threads) if not is_ended(at)]
        blocked = [t for t in running if self.machine.is_blocked(state, t)]
        cycle = self.predicates.wait_cycle(state)
        if not cycle and (not blocked or len(blocked) < len(running)):
            raise ReplayError("some thread can go on")
        facts, failing = self._waits(state, [w.waiting for w in cycle] or blocked)
        return self._trace(schedule, failing[0][1], facts, failing)

    def _no_progress(self, schedule: Schedule, state: State) -> Trace:
        """All that can follow is looked at, and nothing of it gets anywhere."""
        graph = all_from(self.machine, state, MOST_STUCK_STATES)
        if graph is None or state not in trapped(graph):
            raise ReplayError("some thread gets somewhere")
        running = [t for t, at in enumerate(state.threads) if not is_ended(at)]
        blocked = [t for t in running if self.machine.is_blocked(state, t)]
        spinning = [t for t in running if t not in blocked]
        lines = {t: self._lines(t, graph) for t in spinning}
        names = " and ".join(f"`{self._thread(t)}`" for t in spinning)
        runs = "runs" if len(spinning) == 1 else "run"
        self.failure = replace(self.failure, message=f"no progress: {names} {runs} for ever")
        facts, waiting = self._waits(state, blocked)
        end = self._what_ends_it(state, blocked)
        repeats = tuple(f"{self._thread(t)} repeats {lines[t]}, and {end} can end that" for t in spinning)
        edges = {t: self.code.out[location_of(state.threads[t])][0] for t in spinning}
        failing = [(t, edges[t], "goes round for ever") for t in spinning]
        return self._trace(schedule, failing[0][1], (*repeats, *facts), [*failing, *waiting])

    def _what_ends_it(self, state: State, blocked: Sequence[int]) -> str:
        """What could let threads go on that wait: it may happen, but nobody can count on it."""
        helped = [thread for thread in blocked if self.machine.successors(state, thread)]
        if not helped:
            return "nothing"
        may_read = any(self._plain_wait(state, thread)[2] == MAY_HAVE_TO_WAIT for thread in helped)
        return "nothing that is certain" if may_read else "nothing but a spurious wake-up"

    def _lines(self, thread: int, graph: Iterable[State]) -> str:
        """The lines that a thread comes by in some states."""
        edges = (edge for s in graph for edge in self.code.out[location_of(s.threads[thread])])
        spans = (user_origin(edge.origin).span for edge in edges)
        lines = sorted({span.line for span in spans if span is not None})
        if len(lines) < 2:
            return f"line {lines[0]}" if lines else "the same"
        return f"lines {', '.join(map(str, lines[:-1]))} and {lines[-1]}"

    def _waits(
        self, state: State, waiting: Sequence[int]
    ) -> tuple[tuple[str, ...], list[tuple[int, Edge | None, str]]]:
        """What threads wait for: in words, and where."""
        waits = {t: self.predicates.waits_for(state, t) for t in waiting}
        self.awaited = {
            t: (self._awaited_object(state, t), None) if w is None else self._awaited(state, w)
            for t, w in waits.items()
        }
        facts = tuple(self._wait_fact(w) for w in waits.values() if w is not None)
        failing: list[tuple[int, Edge | None, str]] = [
            (t, w.edge, self._wait_note(w)) if (w := waits[t]) is not None else self._plain_wait(state, t)
            for t in waiting
        ]
        return facts, failing

    def _awaited(self, state: State, wait: WaitFor) -> tuple[str, int | None]:
        """The lock that a thread waits for, and the step that took it; of a join, the thread."""
        if not isinstance(wait.edge.instruction, ir.Lock):
            return self._thread(wait.holder), None
        access = wait.edge.instruction.access
        address = self.predicates.address_of(state, wait.waiting, wait.edge)
        memory = self.interpreter.memory(state, wait.waiting)
        return self._lock_name(address, access, memory), self.sources.taken(address)

    def _plain_wait(self, state: State, thread: int) -> tuple[int, Edge, str]:
        """A thread that waits for something else than a lock or the end of a thread."""
        edge = self.code.out[location_of(state.threads[thread])][0]
        call, name = _called(edge), self.awaited[thread][0]
        if "rdlock" in user_origin(edge.origin).text and self.machine.successors(state, thread):
            return thread, edge, MAY_HAVE_TO_WAIT
        return thread, edge, _waiting_text(call, name)

    def _awaited_object(self, state: State, thread: int) -> str:
        """The object of the library that a thread waits for; empty if it cannot be told."""
        location = location_of(state.threads[thread])
        edge = self.code.out[location][0]
        if isinstance(edge.instruction, ir.Lock):
            accesses = [(edge.instruction.access.address, edge.instruction.access.size)]
        else:
            is_section = isinstance(edge.instruction, ir.AtomicBegin)
            accesses = (known_section_accesses(self.code, location) or []) if is_section else []
        memory = self.interpreter.memory(state, thread)
        for term, size in accesses:
            address = self.interpreter.evaluate(state, thread, term)
            name, display = self.names.location(address, size, memory)
            if name and display is Display.HIDDEN:
                return object_of(name)
        begun = (EventKind.SLEEP, EventKind.ARRIVE)
        own = (e.target for e in reversed(self.events) if e.thread == thread and e.kind in begun)
        return next(own, "") if _called(edge) else ""

    def _wait_fact(self, wait: WaitFor) -> str:
        origin = user_origin(wait.edge.origin)
        line = f" (line {origin.span.line})" if origin.span else ""
        what = origin.text.removesuffix(";")
        return f"{self._thread(wait.waiting)} {self._wait_note(wait)}: {what}{line}"

    def _wait_note(self, wait: WaitFor) -> str:
        whom = self._thread(wait.holder)
        if isinstance(wait.edge.instruction, ir.Lock):
            holder = "it holds itself" if wait.holder == wait.waiting else f"{whom} holds"
            return f"waits for `{self.awaited[wait.waiting][0]}`, which {holder}"
        return f"waits for {'itself' if wait.holder == wait.waiting else whom} to end"

    def _thread(self, thread: int) -> str:
        return self.functions.name(thread)

    def _facts(self, thread: int, edge: Edge) -> tuple[str, ...]:
        """The values that the failing statement read."""
        run = self.dependences.run_of(thread)
        read = (EventKind.READ, EventKind.UPDATE)
        events = [event for event in self.events if event.run == run and event.kind in read and event.target]
        facts = {f"{event.target} = {event.value}": None for event in events}
        known = {fact.split(" = ")[0] for fact in facts}
        return (*facts, *(f"{n} = {v}" for n, v in self._local_facts(thread, edge) if n not in known))

    def _local_facts(self, thread: int, edge: Edge) -> Iterator[tuple[str, str]]:
        """The local variables that the statement names, if there is one of the name and it has a value."""
        if edge.origin.is_library:
            return
        words = set(re.findall(r"[A-Za-z_]\w*", edge.origin.text))
        named = Counter(register.c_name for register in self.names.templates[thread].registers)
        got = (EventKind.ASSIGN, EventKind.INPUT)
        last = {e.target: e.value for e in self.events if e.thread == thread and e.kind in got}
        for name in sorted(words & set(last)):
            if named[name] == 1 and last[name] != f"&{name}":
                yield name, last[name]

    def _trace(
        self,
        schedule: Schedule,
        edge: Edge | None,
        facts: tuple[str, ...],
        failing: Sequence[tuple[int, Edge | None, str]],
    ) -> Trace:
        if self.run_of_machine is not None:
            self._judge(self.run_of_machine)
        if self.failure.property in (Property.RACE, Property.DEADLOCK, Property.PROGRESS):
            self._depend_on(self.dependences.of_next((t, at) for t, at, _ in failing if at is not None))
        events = list(self.shared_events())
        last = len(schedule) - 1
        for thread, at, note in failing:
            if at is not None:
                target, source = self.awaited.get(thread, ("", None))
                fails = Event(last, thread, EventKind.FAIL, self._origin(at, thread), target, note=note)
                fails = replace(fails, others=self.concerned, source=source, distance=0)
                run, address = self.dependences.run_of(thread), self.racing.get(thread)
                events.append(replace(fails, run=run, address=address))
        origin = user_origin(edge.origin) if edge is not None else None
        return Trace(
            self.failure,
            schedule,
            self.threads(),
            tuple(events),
            origin,
            (*facts, *self.arguments.facts()),
            tuple(self.reliances),
            self.model,
            faults=self.faults,
            graph=self.recorded.graph(self.history, self.run_of_machine),
            general=self.general,
        )

    def _depend_on(self, roots: Mapping[int, int]) -> None:
        """Tell of all events how far they are from the failure."""
        distances = self.dependences.by_statement(self.dependences.distances(roots))
        self.events = [
            replace(event, distance=distances[event.run]) if event.run in distances else event
            for event in self.events
        ]

    def _judge(self, run: MachineRun) -> None:
        """The machine allows the run."""
        try:
            run.judge()
        except ImpossibleRunError as reason:
            raise ReplayError(str(reason)) from reason
        self._note_unseen(run)

    def threads(self) -> tuple[ThreadInfo, ...]:
        """The threads of the run."""
        return tuple(ThreadInfo(i, self._thread(i), f) for i, f in enumerate(self.functions))

    def shared_events(self) -> tuple[Event, ...]:
        """The events so far; an access is shared if several threads touched its address.

        That a local variable is gone concerns nobody unless it is used afterwards.
        """
        return tuple(
            self._worded(event, is_shared=event.address is not None and len(self.touched[event.address]) > 1)
            if event.address is not None or event.others or event.kind is EventKind.SIGNAL
            else event
            for index, event in enumerate(self.events)
            if event.kind is not EventKind.LEAVE or self.gone.get(self.faulty) == index or self._loses(event)
        )

    def _loses(self, event: Event) -> bool:
        """Whether the last pointer to a block goes with a local variable that ends."""
        pointers = {f"&{fault.object}" for fault in self.faults if fault.step == event.step}
        number = self._object(event.address)
        inside = [e for e in self.events if e.kind is EventKind.WRITE and self._object(e.address) == number]
        held = {e.address: e.value for e in inside if e.step <= event.step}
        return not pointers.isdisjoint(held.values())

    def _worded(self, event: Event, *, is_shared: bool) -> Event:
        """The event with the names of threads, which are known when all threads are."""
        others = " and ".join(self._thread(thread) for thread in event.others)
        match event.kind:
            case EventKind.CREATE | EventKind.JOIN:
                return replace(event, target=others)
            case EventKind.SIGNAL:
                return replace(event, note=f"wakes {others}" if others else "nobody waits for it")
            case EventKind.REFUSE if others:
                return replace(event, note=f"fails: {others} {'hold' if event.others[1:] else 'holds'} it")
            case _:
                return replace(event, is_shared=is_shared)

    def _object(self, address: int | None) -> int | None:
        """The number of the object that an address is in."""
        return None if address is None else address >> self.code.memory_map.offset_bits

    # --- events -------------------------------------------------------------------------------

    def _emit(  # noqa: PLR0913 - the fields of an event
        self,
        kind: EventKind,
        edge: Edge,
        *,
        address: int | None = None,
        target: str = "",
        value: str = "",
        old: str = "",
        note: str = "",
        source: int | None = None,
        others: tuple[int, ...] = (),
    ) -> None:
        """An event of the step that is being taken."""
        if address is not None:
            self.touched.setdefault(address, set()).add(self.acting)
        origin, run = self._origin(edge, self.acting), self.dependences.nodes[-1].statement
        self.events.append(
            Event(
                self.index,
                self.acting,
                kind,
                origin,
                target,
                value,
                old,
                note=note,
                others=others,
                source=source,
                address=address,
                run=run,
            )
        )

    def _note_joined(self, happening: Happening) -> None:
        assert happening.handle is not None
        other = happening.handle - 1
        if isinstance(happening.edge.instruction, ir.Join):
            ended = self.sources.ended(other)
            self._emit(EventKind.JOIN, happening.edge, others=(other,), source=ended)
        else:
            self._emit(EventKind.CALL, happening.edge, others=(other,))

    def _origin(self, edge: Edge, thread: int) -> Origin:
        """Where the user sees an edge; what the thread's own function calls stands in that function."""
        origin = user_origin(edge.origin)
        if edge.origin.library_call != 0:
            return origin
        return replace(origin, function=self.functions[thread])

    def _note(self, happening: Happening, memory: Memory) -> None:  # noqa: C901, PLR0912 - a case per event
        edge = happening.edge
        emit = partial(self._emit, edge=edge)
        match edge.instruction:
            case ir.Assign(assignments=assignments):
                for register, _ in () if edge.origin.is_library else assignments:
                    if register.c_name and register.display is not Display.HIDDEN:
                        self._note_assigned(happening, register)
            case ir.Load() | ir.Store() | ir.Update():
                self._note_access(happening, memory)
                self._note_padding(happening, memory)
            case ir.Fence() as fence:
                self.recorded.fence(self.acting, fence, user_origin(edge.origin))
            case ir.Havoc():
                self._note_input(happening)
            case ir.Lock(access=access) | ir.Unlock(access=access):
                self._note_lock(happening, access, memory)
            case ir.Create(function=name):
                self._start_thread(self.code.program.functions[name])
                emit(EventKind.CREATE, others=(len(self.functions) - 1,))
            case ir.Join() | ir.Detach():
                self._note_joined(happening)
            case ir.Allocate() as allocation:
                assert isinstance(happening.value, int)
                block = self.names.allocated(happening.value, allocation, memory)
                emit(EventKind.ALLOCATE, target=block, value=_called(edge))
            case ir.Free():
                assert happening.address is not None
                emit(EventKind.FREE, target=self.names.pointer(happening.address))
            case ir.Enter(object=entered):
                self._note_entered(entered)
            case ir.Leave(object=left):
                self._note_end(edge, self._number(self.acting, left), "is gone")
            case ir.Fault():
                self._note_fault(happening, memory)
            case ir.Exit():
                self.sources.end(self.acting, self.index)
                emit(EventKind.EXIT)
                for number in [n for n in self.living if self.names.thread_of(n) == self.acting]:
                    self._note_end(edge, number, "is gone with its thread")
            case ir.End():
                emit(EventKind.END)
            case ir.Await():
                self._note_woken(edge, is_spurious=memory.spurious)
            case ir.CallUnmodelled(function=name):
                self.reliances[unmodelled(name)] = None
                emit(EventKind.CALL, target=name, note=self._anything(happening))
            case ir.Assume():
                if not edge.origin.is_library:
                    emit(EventKind.BRANCH)
            case _:
                pass

    def _anything(self, happening: Happening) -> str:
        """What a function without a model does here."""
        call = happening.edge.instruction
        assert isinstance(call, ir.CallUnmodelled)
        value = None if call.target is None else happening.registers.get(call.target.term)
        if call.target is None or not isinstance(value, int):
            return "no model of this function"
        return f"may return {self.names.value(value, call.target.sort, call.target.display)}: no model of it"

    def _note_lock(self, happening: Happening, access: ir.Access, memory: Memory) -> None:
        assert happening.address is not None
        is_taken = isinstance(happening.edge.instruction, ir.Lock)
        follow = self.sources.lock if is_taken else self.sources.unlock
        self._emit(
            EventKind.LOCK if is_taken else EventKind.UNLOCK,
            happening.edge,
            target=self._lock_name(happening.address, access, memory),
            source=follow(happening.address, self.index),
        )

    def _lock_name(self, address: int, access: ir.Access, memory: Memory) -> str:
        """What C calls a lock; the member of it that our models lock is none of the user's."""
        name, _ = self.names.location(address, access.size, memory)
        return object_of(name) or access.text

    def _note_entered(self, entered: MemoryObject) -> None:
        """A local object lives, and nobody has written to it."""
        number = self._number(self.acting, entered)
        self.living[number] = entered
        first = number << self.code.memory_map.offset_bits
        self.sources.forget(first, first | self.code.memory_map.offset_mask)

    def _note_woken(self, edge: Edge, *, is_spurious: bool) -> None:
        note = "wakes up without a signal" if is_spurious else ""
        self._emit(EventKind.WAIT, edge, note=note, source=self.sources.wake(self.acting))

    def _note_assigned(self, happening: Happening, register: ir.Register) -> None:
        """A variable of the user; or what it stands for in a program with store buffers."""
        shown = self.names.value(happening.registers[register.term], register.sort, register.display)
        kind, note, address = EventKind.ASSIGN, "", None
        if register.name.startswith(PENDING):
            kind, note = EventKind.DELAY, f"{register.c_name} = {shown} is pending"
            address = _pending_address(happening, register)
            self.recorded.delayed(self.acting, register.c_name, shown, user_origin(happening.edge.origin))
        elif register.name.startswith(FORWARDED):
            kind, note = EventKind.READ, "of its own pending store"
            self.recorded.forwarded(self.acting, register.c_name, shown, user_origin(happening.edge.origin))
        self._emit(kind, happening.edge, address=address, target=register.c_name, value=shown, note=note)

    def _start_thread(self, template: Function) -> None:
        """A thread runs; its thread-local objects live."""
        if self.functions:
            self.names.templates.append(template)
        self.functions.append(template.c_name)
        for obj in template.objects:
            if obj.storage is Storage.THREAD:
                self.living[self._number(len(self.functions) - 1, obj)] = obj

    def _number(self, thread: int, obj: MemoryObject) -> int:
        """The number of a thread's object."""
        slot = self.code.slots[self.names.templates[thread].name][obj.name]
        return self.code.program.local_number(thread, slot)

    def _note_end(self, edge: Edge, number: int, how: str) -> None:
        """An object ends; unless it had ended before, or never lived."""
        obj = self.living.pop(number, None)
        if obj is None:
            return
        self.gone[number] = len(self.events)
        note = ""
        if obj.c_name:
            note = f"`{obj.c_name}` {how}"
        elif obj.span is not None and not edge.origin.is_library:
            note = f"what line {obj.span.line} made {how}"
        address = number << self.code.memory_map.offset_bits
        self._emit(EventKind.LEAVE, edge, address=address, target=obj.c_name, note=note)

    def _note_input(self, happening: Happening) -> None:
        """An arbitrary value; if it is not really arbitrary, the run is only a possible one."""
        havoc = happening.edge.instruction
        assert isinstance(havoc, ir.Havoc)
        if havoc.cause is ir.Cause.UNMODELLED:
            self.reliances[unmodelled(havoc.text)] = None
        elif havoc.cause is ir.Cause.LAYOUT:
            self.reliances[havoc.text] = None
            return  # a number that means nothing to anybody
        elif havoc.cause is ir.Cause.FLUSH or is_of_model(happening):
            return  # what follows tells, or the arguments that come of it
        elif havoc.cause is ir.Cause.FAILURE:
            if happening.value:
                self._emit(EventKind.INPUT, happening.edge, note=_failing(havoc.text, happening.edge))
            return
        target, origin = havoc.target, happening.edge.origin
        what = target.c_name or havoc.text
        if origin.library_call is not None:
            what = f"{origin.calls[origin.library_call].function}()"
        if not origin.is_library or (target.sort != BOOL and origin.library_call is not None):
            shown = self.names.value(happening.value, target.sort, target.display)
            self._emit(EventKind.INPUT, happening.edge, target=what, value=shown)

    def _note_member(self, happening: Happening, name: str) -> bool:
        """A library call looks at one of its objects or changes it; whether that says something."""
        edge, value, old = happening.edge, happening.value, happening.old
        is_write = not isinstance(edge.instruction, ir.Load)
        if not isinstance(value, int) or (is_write and not isinstance(old, int)):
            value, old = (value, 0) if isinstance(value, int) else (0, 0)
        self._use(name)
        access = MemberAccess(
            call=_called(edge),
            thread=self.acting,
            name=name,
            is_inside=edge.source in self.code.inside,
            is_write=is_write,
            old=old if isinstance(old, int) else 0,
            value=value,
        )
        effects = tuple(self.library.effects(access))
        for effect in effects:
            self._emit(
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
        run = self.dependences.run_of(self.acting)
        if self.acting not in self.used or self.used[self.acting].run != run:
            self.used[self.acting] = UsedObjects(run)
        self.used[self.acting].add(name)

    def _note_fault(self, happening: Happening, memory: Memory) -> None:
        self.faulty = self._object(happening.address)
        assert isinstance(happening.edge.instruction, ir.Fault)
        if happening.address is not None:
            fault = fault_of(self.names, memory, happening.edge.instruction.of, happening.address)
            self.faults = () if fault is None else (fault,)
        self.concerned = tuple(self._concerned(happening, memory))

    def _concerned(self, happening: Happening, memory: Memory) -> Iterator[int]:
        """Who holds what is unlocked, or is joined."""
        assert isinstance(happening.edge.instruction, ir.Fault)
        of, handle = happening.edge.instruction.of, 0
        if isinstance(of, ir.Join | ir.Detach):
            handle = self.interpreter.evaluator.number(of.handle, happening.registers)
        elif isinstance(of, ir.Unlock) and happening.address is not None and not self.faults:
            owner = memory.load(happening.address, of.access.size)
            handle = owner if isinstance(owner, int) else 0
            name, _ = self.names.location(happening.address, of.access.size, memory)
            self._use(name)
        if 0 < handle <= len(self.functions):
            yield handle - 1

    def _note_call(self, edge: Edge) -> None:
        """A library function changed an object of its own: the call is worth a line, once."""
        last = self._last_event()
        if last is None or last.origin != self._origin(edge, self.acting):
            self._emit(EventKind.CALL, edge)

    def _last_event(self) -> Event | None:
        """Of the step that is being taken."""
        return self.events[-1] if self.events and self.events[-1].step == self.index else None

    def _is_bookkeeping(self) -> bool:
        """Whether the step has just created or joined a thread: handles are of no interest."""
        last = self._last_event()
        return last is not None and last.kind in (EventKind.CREATE, EventKind.JOIN)

    def _note_padding(self, happening: Happening, memory: Memory) -> None:
        """A run that reads what is between the members of a structure rests on it."""
        match happening.edge.instruction:
            case ir.Load(access=access) if happening.address is not None and not happening.is_missed:
                if memory.is_padding(happening.address, access.size):
                    self.reliances[PADDING] = None
            case _:
                pass

    def _note_access(self, happening: Happening, memory: Memory) -> None:
        edge = happening.edge
        instruction = edge.instruction
        assert isinstance(instruction, ir.Load | ir.Store | ir.Update)
        assert happening.address is not None
        name_of_event = memory.event if isinstance(memory, WeakMemory) else None
        if name_of_event is not None:
            self.performed[name_of_event] = edge
        access = instruction.access
        name, display = self.names.location(happening.address, access.size, memory)
        self.recorded.access(self.acting, happening, name or access.text, name_of_event, self.run_of_machine)
        source = self._source(happening, memory)
        if not isinstance(instruction, ir.Load):
            self.writers[self.index + 1] = self.acting, edge
        is_hidden = display is Display.HIDDEN or (edge.origin.is_library and not name)
        is_told = display is Display.HIDDEN and self._note_member(happening, name)
        if is_hidden and not is_told and not isinstance(instruction, ir.Load):
            self._note_call(edge)
        if is_hidden or (edge.origin.is_library and self._is_bookkeeping()):
            return
        if isinstance(instruction, ir.Load):
            kind = EventKind.READ
            display = instruction.target.display if display is None else display
        else:
            kind = EventKind.WRITE if isinstance(instruction, ir.Store) else EventKind.UPDATE
        self._emit(
            kind,
            edge,
            address=happening.address,
            target=name or access.text,
            value=self.names.value(happening.value, access.sort, display),
            old="" if kind is EventKind.READ else self.names.value(happening.old, access.sort, display),
            note=self._note_order(memory) or self._note_late(edge),
            source=source,
        )

        if isinstance(instruction, ir.Load) and instruction.target.c_name and not edge.origin.is_library:
            self._note_assigned(happening, instruction.target)

    def _source(self, happening: Happening, memory: Memory) -> int | None:
        """The step that wrote what an access reads; what it writes is remembered."""
        instruction, address = happening.edge.instruction, happening.address
        assert isinstance(instruction, ir.Load | ir.Store | ir.Update)
        assert address is not None
        source = None if isinstance(instruction, ir.Store) else self._written(address, instruction, memory)
        if not self._succeeds(instruction, happening):
            return source
        if isinstance(memory, WeakMemory) and memory.event is not None:
            self.steps[memory.event] = self.index
        if not isinstance(memory, WeakMemory) or memory.unseen is None:
            self.sources.write(address, instruction.access.size, self.index)
        obj = self.code.program.static_object(address >> self.code.memory_map.offset_bits)
        if obj is not None and obj.name == BLOCKED:
            self.sources.blocked(happening.old, happening.value, by=self.acting, step=self.index)
        return source

    def _succeeds(self, instruction: ir.Load | ir.Store | ir.Update, happening: Happening) -> bool:
        """Whether an access writes."""
        if not isinstance(instruction, ir.Update) or instruction.success is None:
            return not isinstance(instruction, ir.Load)
        return self.interpreter.evaluator.truth(instruction.success, happening.registers)

    def _written(self, address: int, instruction: ir.Load | ir.Update, memory: Memory) -> int | None:
        if isinstance(memory, MachineMemory):
            return None if memory.source is None else memory.source.step - 1
        if isinstance(memory, WeakMemory) and memory.event is not None:
            write = memory.graph.event(memory.event).source
            return None if write is None else self.steps.get(write)
        return self.sources.written(address, instruction.access.size)

    def _note_late(self, edge: Edge) -> str:
        """That a store reaches memory later than it was done, if there was anything in between."""
        if not (isinstance(edge.instruction, ir.Store) and edge.instruction.is_late):
            return ""
        last = self.events[-1] if self.events else None
        if last is None or last.kind is not EventKind.DELAY or last.origin != self._origin(edge, self.acting):
            return REACHES
        self.events.pop()
        return ""

    def _note_order(self, memory: Memory) -> str:
        """Which write, that was there already, an access does not see, or comes before."""
        if isinstance(memory, MachineMemory):
            return self._note_machine(memory)
        if not isinstance(memory, WeakMemory) or memory.unseen is None:
            return ""
        whom = self._thread(memory.unseen[0])
        return f"does not see what {whom} wrote in line {self._line_of(memory.unseen)}"

    def _note_machine(self, memory: MachineMemory) -> str:
        if memory.unnamed is not None:
            self.unseen[len(self.events)] = memory.run.seen[-1]
        later = memory.run.after(memory.written)
        return (
            "" if later is None else f"{self._written_by(later.step)} comes after it, though it was earlier"
        )

    def _written_by(self, step: int) -> str:
        """Who wrote something, and where."""
        thread, edge = self.writers[step]
        span = user_origin(edge.origin).span
        return f"what {self._thread(thread)} writes in line {'?' if span is None else span.line}"

    def _note_unseen(self, run: MachineRun) -> None:
        """Say of accesses that see another write than the last one which it is."""
        for index, seen in self.unseen.items():
            event = self.events[index]
            if seen.source > seen.step:
                note = f"{event.value} is {self._written_by(seen.source)}, later in this list"
            else:
                older = (w for w in run.later_than(seen) if w.step < seen.step and w.step in self.writers)
                newer = next(older, None)
                what = "" if newer is None else f" {self._written_by(newer.step)}"
                note = f"{event.value} is the value from before{what}" if what else ""
            step = seen.source - 1 if seen.source > 0 else None
            self.events[index] = replace(event, note=note or event.note, source=step)


def _require_fit(happening: Happening) -> None:
    """What is read, or comes from outside, is a value of its sort: a schedule might prescribe anything."""
    instruction, value = happening.edge.instruction, happening.value
    if not isinstance(instruction, ir.Havoc | ir.Load) or not isinstance(value, int):
        return
    if not 0 <= value < 1 << width_of(instruction.target.sort):
        raise ReplayError(f"{value} is no value of {instruction.target.name}")


def _pending_address(happening: Happening, register: ir.Register) -> int | None:
    """Where a store that waits will go."""
    assert isinstance(happening.edge.instruction, ir.Assign)
    name = TARGET + register.name.removeprefix(PENDING)
    found = (where.term for where, _ in happening.edge.instruction.assignments if where.name == name)
    address = next((happening.registers[term] for term in found), None)
    return address if isinstance(address, int) else None


def _failing(text: str, edge: Edge) -> str:
    """``malloc fails: ...``; where another function of the library calls it, that is said."""
    called = _called(edge)
    name, _, how = text.partition(" ")
    return text if called in ("", name) else f"{name} in `{called}` {how}"


def _waiting_text(call: str, name: str) -> str:
    """That a thread waits, and what for."""
    if not name:
        return "waits"
    if "cond" in call.lower() or call.startswith("cnd_"):
        return f"waits for `{name}` to be signalled"
    if call.startswith("sem_"):
        return f"waits for `{name}` to be posted"
    return f"waits at `{name}`" if "barrier" in call.lower() else f"waits for `{name}`"


def _called(edge: Edge) -> str:
    """The library function that the user called, if the edge is inside of one."""
    depth = edge.origin.library_call
    return "" if depth is None else edge.origin.calls[depth].function


def unmodelled(function: str) -> str:
    """What a run rests on that calls a function without a model."""
    return f"unmodelled function `{function}`"
