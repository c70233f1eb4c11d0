"""What a replay sees becomes an execution graph.

Under C11 the history of the run says what atomic accesses read and how writes are ordered; on a machine, its
run says so of all accesses. Otherwise they happen in the order of the run: each reads what was written last.
With store buffers a write is where its thread does it, and coherence has the writes as they reach memory.
"""

from dataclasses import replace
from typing import NamedTuple

from sley.evidence.execution_graph import MOST_NODES, ExecutionGraph, GraphNode
from sley.program import instructions as ir
from sley.program.program import Origin, user_origin
from sley.semantics.history import INITIAL_WRITE, History, Id
from sley.semantics.machine_run import MachineRun
from sley.semantics.step import Happening

_KINDS = {ir.Load: "R", ir.Store: "W", ir.Update: "U"}


class RecordedAccess(NamedTuple):
    """Where an access was, and the events of the run that it is."""

    address: int
    read: int | None
    write: int | None


class Recorded:
    """The accesses and fences of a run, in its order."""

    def __init__(self) -> None:
        self.nodes: list[GraphNode] = []
        self.events: dict[Id, int] = {}
        """Under C11: the nodes of events of the history."""
        self.accesses: dict[int, RecordedAccess] = {}
        """On a machine: what nodes are in its run."""
        self.writes: dict[str, list[int]] = {}
        self.sources: dict[int, int | None] = {}
        self.pending: list[int] = []
        """With store buffers: writes that have not reached memory."""

    def delayed(self, thread: int, place: str, value: str, origin: Origin) -> None:
        """A write that waits; only when it reaches memory its place is known for sure."""
        self.pending.append(len(self.nodes))
        self.nodes.append(GraphNode(thread, "W", "", place, value, origin))

    def forwarded(self, thread: int, place: str, value: str, origin: Origin) -> None:
        """A read of the newest write of its thread to the place that waits."""
        own = [n for n in self.pending if (self.nodes[n].thread, self.nodes[n].place) == (thread, place)]
        self.sources[len(self.nodes)] = own[-1] if own else None
        self.nodes.append(GraphNode(thread, "R", "", place, value, origin))

    def _arrived(self, thread: int, place: str, value: str, origin: Origin) -> None:
        """A write that waited reaches memory: the oldest that is of this statement.

        That a library function does one is not worth a word before.
        """
        if not any((self.nodes[n].thread, self.nodes[n].origin) == (thread, origin) for n in self.pending):
            self.delayed(thread, place, value, origin)
        of_it = (n for n in self.pending if (self.nodes[n].thread, self.nodes[n].origin) == (thread, origin))
        number = next(of_it)
        self.pending.remove(number)
        readers = [read for read, write in self.sources.items() if write == number]
        for one in (number, *readers):
            self.nodes[one] = replace(self.nodes[one], place=place)
        self.writes.setdefault(place, []).append(number)

    def fence(self, thread: int, fence: ir.Fence, origin: Origin) -> None:
        """A fence."""
        self.nodes.append(GraphNode(thread, "F", fence.order.value, "", "", origin))

    def access(
        self, thread: int, happening: Happening, place: str, event: Id | None, run: MachineRun | None = None
    ) -> None:
        """An access, which is an event of the history if it is atomic there, or of the run of a machine."""
        instruction, number = happening.edge.instruction, len(self.nodes)
        assert isinstance(instruction, ir.Load | ir.Store | ir.Update)
        order = instruction.access.order
        text = "" if order is ir.MemoryOrder.PLAIN else order.value
        kind, origin = _KINDS[type(instruction)], user_origin(happening.edge.origin)
        if isinstance(instruction, ir.Store) and instruction.is_late:
            self._arrived(thread, place, str(happening.value), origin)
            return
        self.nodes.append(GraphNode(thread, kind, text, place, str(happening.value), origin))
        if event is not None:
            self._forget_from(event)
            self.events[event] = number
        if run is not None and happening.address is not None:
            self.accesses[number] = RecordedAccess(happening.address, run.read_event, run.write_event)
        writes = self.writes.setdefault(place, [])
        if kind != "W":
            self.sources[number] = writes[-1] if writes else None
        if kind != "R":
            writes.append(number)

    def _forget_from(self, event: Id) -> None:
        """A thread that comes back to where it was forgets what it read: its next event has the same name."""
        thread, index = event
        for name in [one for one in self.events if one[0] == thread and one[1] >= index]:
            self.sources.pop(self.events.pop(name), None)

    def graph(self, history: History | None, run: MachineRun | None = None) -> ExecutionGraph | None:
        """All of it; None if that is too much to look at."""
        if len(self.nodes) > MOST_NODES:
            return None
        if history is not None:
            self._correct(history)
        if run is not None:
            self._correct_by(run)
        return ExecutionGraph(
            tuple(self.nodes), dict(self.sources), tuple(tuple(line) for line in self.writes.values() if line)
        )

    def _correct_by(self, run: MachineRun) -> None:
        """What the run of a machine says of all accesses."""
        by_write = {(one.write, one.address): n for n, one in self.accesses.items() if one.write is not None}
        for number, one in self.accesses.items():
            if one.read is not None and (one.read, one.address) in run.sources:
                source = run.sources[one.read, one.address]
                self.sources[number] = None if source is None else by_write.get((source.event, one.address))
        for line in self.writes.values():
            addresses = dict.fromkeys(self.accesses[n].address for n in line if n in self.accesses)
            if len(addresses) == 1:
                (address,) = addresses
                events = [(w.event, address) for w in run.writes.get(address, ())]
                line[:] = [by_write[event] for event in events if event in by_write]

    def _correct(self, history: History) -> None:
        """What the history says of atomic accesses."""
        for thread, events in enumerate(history.events):
            self._forget_from((thread, len(events)))
        for (thread, index), number in self.events.items():
            event = history.events[thread][index]
            self.nodes[number] = replace(self.nodes[number], kind=event.kind.value)
            if event.source is not None:
                is_first = event.source == INITIAL_WRITE
                self.sources[number] = None if is_first else self.events.get(event.source)
        for _, modifications in history.mo:
            line = [self.events[name] for name in modifications if name in self.events]
            if line:
                place = self.nodes[line[0]].place
                plain = [n for n in self.writes[place] if not self.nodes[n].order]
                self.writes[place] = plain + line
