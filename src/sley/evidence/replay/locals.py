"""The local objects of a run: which live, and with which event the others ended."""

from sley.evidence.names import ProgramNames
from sley.evidence.remarks import Gone
from sley.evidence.replay.events import EventList
from sley.evidence.trace import EventKind, Fault, TraceEvent
from sley.program.memory import MemoryObject, Storage
from sley.program.program import Edge, Function
from sley.semantics.code import Code


class LocalObjects:
    """Knows objects by number."""

    def __init__(self, code: Code, names: ProgramNames, events: EventList) -> None:
        self._code = code
        self._names = names
        self._events = events
        self._living: dict[int, MemoryObject] = {}
        self._gone: dict[int, int] = {}
        """The events with which objects ended last."""

    def start_thread(self, thread: int, template: Function) -> None:
        """Its thread-local objects live."""
        for obj in template.objects:
            if obj.storage is Storage.THREAD:
                self._living[self.number(thread, obj)] = obj

    def number(self, thread: int, obj: MemoryObject) -> int:
        """The number of a thread's object."""
        slot = self._code.slots[self._names.templates[thread].name][obj.name]
        return self._code.program.local_number(thread, slot)

    def enter(self, thread: int, obj: MemoryObject) -> int:
        """An object lives; its first address."""
        number = self.number(thread, obj)
        self._living[number] = obj
        return self._first(number)

    def _first(self, number: int) -> int:
        return number << self._code.memory_map.offset_bits

    def leave(self, edge: Edge, thread: int, obj: MemoryObject) -> None:
        """An object ends with its block."""
        self._end(edge, self.number(thread, obj), is_with_thread=False)

    def end_thread(self, edge: Edge, thread: int) -> None:
        """What still lives of a thread ends with it."""
        for number in [n for n in self._living if self._names.thread_of(n) == thread]:
            self._end(edge, number, is_with_thread=True)

    def _end(self, edge: Edge, number: int, *, is_with_thread: bool) -> None:
        """An object ends; unless it had ended before, or never lived."""
        obj = self._living.pop(number, None)
        if obj is None:
            return
        self._gone[number] = len(self._events.events)
        is_told = obj.c_name or (obj.span is not None and not edge.origin.is_library)
        line = obj.span.line if obj.span is not None and not obj.c_name else None
        note = Gone(is_with_thread, line) if is_told else None
        self._events.add(EventKind.LEAVE, edge, address=self._first(number), target=obj.c_name, note=note)

    def is_told(self, index: int, faulty: int | None, faults: tuple[Fault, ...]) -> bool:
        """Whether the event with which an object ended is worth a word.

        It is if an access was wrong about it later, or if the last pointer to a lost block went with it.
        """
        event = self._events.events[index]
        return (faulty is not None and self._gone.get(faulty) == index) or self._loses(event, faults)

    def _loses(self, event: TraceEvent, faults: tuple[Fault, ...]) -> bool:
        pointers = {f"&{fault.object}" for fault in faults if fault.step == event.step}
        number = self._object(event.address)
        events = self._events.events
        inside = [e for e in events if e.kind is EventKind.WRITE and self._object(e.address) == number]
        held = {e.address: e.value for e in inside if e.step <= event.step}
        return not pointers.isdisjoint(held.values())

    def _object(self, address: int | None) -> int | None:
        return None if address is None else address >> self._code.memory_map.offset_bits
