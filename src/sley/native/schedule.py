"""From the schedule of a trace to what the run-time (``runtime.c``) makes a compiled program do.

A step of the interpreter is one visible action and what the thread does alone after it. So the program must
do these actions in this order. Where one is comes from its edge: a line of the user's, or a line of a library
model, which is compiled too, and the line of the call. An atomic section of a model is one event.
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from sley.base.errors import GaveUpError
from sley.base.source import Span
from sley.evidence.argument_texts import VARIABLES, ArgumentTexts, is_of_model
from sley.evidence.remarks import Reliance, Unmodelled
from sley.evidence.trace import ScheduleStep, Trace
from sley.frontend.main_arguments import ARGUMENT_COUNT
from sley.frontend.parse import MODELS
from sley.program import instructions as ir
from sley.program.memory_model import MemoryModel
from sley.program.program import Origin, Program, user_origin
from sley.program.properties import Property
from sley.semantics.history import History
from sley.semantics.machine import StateMachine
from sley.semantics.memory import StepMemory
from sley.semantics.state import OVER, State, is_ended
from sley.semantics.step import Happening
from sley.semantics.values import Computed, Undetermined
from sley.semantics.violations import NextAccess, StatePredicates
from sley.semantics.weak_memory import WeakMemory
from sley.wording.events import reliance_text

NAME = b"program"
"""What the program is called, as far as it is told."""


class NotPossibleError(Exception):
    """No real machine can be made to do what the trace does; says why."""


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file; models are named without their folder."""

    file: str
    first: int
    last: int
    is_library: bool = False


@dataclass(frozen=True, slots=True)
class NativeEvent:
    """One thing that a thread has to do; the letters are those of ``reach`` in the run-time."""

    thread: int
    kind: str
    place: LineRange | None = None
    """None: wherever it is."""
    caller: LineRange | None = None
    """Where the user called the library for it."""
    target: int | None = None
    """Index into the objects of the schedule."""
    offset: int = 0
    """Where in it; of a new block the index of the former one at its place, or -1."""
    size: int = 0
    is_failing: bool = False


@dataclass(frozen=True, slots=True)
class NativeInput:
    """A value from outside, and where a thread gets it."""

    kind: str
    """v: a value, f: whether something fails that may fail."""
    thread: int
    place: LineRange | None
    caller: LineRange | None
    value: int


@dataclass(frozen=True, slots=True)
class NativeFilling:
    """What memory holds that was never written, when an event reads it."""

    event: int
    target: int
    offset: int
    size: int
    value: int


@dataclass(frozen=True, slots=True)
class NativeObject:
    """An object of the trace."""

    name: str = ""
    """The C name of a static variable."""
    size: int = -1
    """Bytes; 0: it does not exist any more at the end of the trace; -1: not known."""


@dataclass(frozen=True, slots=True)
class NativeSchedule:
    """What the compiled program has to do, and what then should happen."""

    goal: str
    """F: a thread fails, R: two accesses race, D: deadlock, L: leak."""
    failing: int
    """The thread that fails."""
    events: tuple[NativeEvent, ...]
    inputs: tuple[NativeInput, ...]
    fillings: tuple[NativeFilling, ...]
    objects: tuple[NativeObject, ...]
    parties: tuple[NativeEvent, ...] = ()
    """The two accesses of a race."""
    leaked: tuple[int, ...] = ()
    """Objects that are lost."""
    cycle: tuple[int, ...] = ()
    """Threads that wait for each other; none where all threads wait."""
    arguments: tuple[bytes, ...] = (NAME,)
    variables: tuple[bytes, ...] = ()
    """Values of the first variables of the environment."""
    """What main gets."""
    reliances: tuple[str, ...] = ()
    """What the run rests on that cannot be forced, in the user's words."""
    assumed: tuple[str, ...] = ()
    """Of what the trace depends on: all but functions without a model that are called in fact."""


_KINDS: dict[type[ir.Instruction], str] = {
    ir.Load: "r",
    ir.Store: "w",
    ir.Update: "u",
    ir.Lock: "l",
    ir.Unlock: "k",
    ir.AtomicBegin: "s",
    ir.Create: "c",
    ir.Join: "j",
    ir.Detach: "d",
    ir.Exit: "x",
    ir.End: "e",
    ir.Allocate: "a",
    ir.Free: "f",
}
_BIT_FIELD = "b"
"""A read of a bit-field, perhaps only to write its neighbours back: a compiler may make one access of it."""
_ANYWHERE = frozenset("xe")
"""Kinds that are recognised wherever they are."""
_INPUTS = {ir.Cause.INPUT: "v", ir.Cause.UNMODELLED: "v", ir.Cause.SPURIOUS: "v", ir.Cause.FAILURE: "f"}


_RELIANCES = {
    ir.Cause.LAYOUT: "the run depends on where objects lie in memory",
    ir.Cause.UNINITIALISED: "the run depends on what a variable holds that was never set",
    ir.Cause.UNSPECIFIED: "the run depends on bytes of a union that C leaves open",
}
_NEVER_SEEN = {
    Property.PROGRESS: "no run of a compiled program, however long, shows that a loop never ends",
    Property.UNINITIALISED: "a compiled program does not show that what it reads was never written",
}
"""Failures that leave nothing to see behind."""
_MOST_ARGUMENTS = 1000
_LARGEST_NUMBER = 8
"""Bytes of a number in the schedule."""


def native_schedule(program: Program, trace: Trace, given: Sequence[str] | None = None) -> NativeSchedule:
    """What the compiled program has to do for the failure of a trace; with the arguments that are given."""
    if trace.memory_model.is_hardware or trace.is_buffered:
        raise NotPossibleError(
            f"the run is one of {trace.memory_model.label}: when stores reach memory cannot be forced"
        )
    if trace.failure.property in _NEVER_SEEN:
        raise NotPossibleError(_NEVER_SEEN[trace.failure.property])
    return _Follower(program, trace, given).run()


class _Follower:
    """Runs the trace on the interpreter, and writes down what a compiled program has to do."""

    def __init__(self, program: Program, trace: Trace, given: Sequence[str] | None) -> None:
        self.program, self.trace, self.given = program, trace, given
        is_weak = trace.memory_model is MemoryModel.C11
        history = History(finds_races=trace.failure.property is Property.RACE) if is_weak else None
        self.machine = StateMachine(program, is_compiled=False, history=history)
        self.predicates = StatePredicates(self.machine.code, self.machine.interpreter)
        self.objects = _Objects(program)
        self.events: list[NativeEvent] = []
        self.inputs: list[NativeInput] = []
        self.fillings: list[NativeFilling] = []
        self.argument_count = 1
        self.argument_texts = ArgumentTexts(program)
        self.reliances: dict[str, None] = {}
        self.called: set[Reliance] = set()
        self.invented: set[Reliance] = set()

    def run(self) -> NativeSchedule:
        state, before = self.machine.initial(), self.machine.initial()
        last = ScheduleStep(0)
        for last in self.trace.schedule:
            before = state
            memory = self.machine.interpreter.memory(state, last.thread, last.choices)
            happenings = _Heard(memory)
            result = self.machine.interpreter.step(memory, happenings.note)
            if isinstance(memory, WeakMemory) and memory.unseen is not None:
                raise NotPossibleError("the run needs a weak memory order: what a load sees cannot be forced")
            self._note(last.thread, happenings)
            if result is None or result in OVER or result[0] in self.machine.code.errors:
                break
            state = memory.freeze(result)
        return self._finished(state, before, last.thread)

    # --- events -----------------------------------------------------------------------------------

    def _note(self, thread: int, heard: "_Heard") -> None:
        """The first visible thing of a step is its event; in a section of the user's, each is one."""
        in_section = False
        for index, happening in enumerate(heard.happenings):
            instruction = happening.edge.instruction
            self.objects.note(thread, happening)
            self.argument_texts.note(happening)
            self._note_input(thread, happening)
            self._note_unmodelled(happening)
            if isinstance(instruction, ir.AtomicBegin) and _is_of_user(happening.edge.origin):
                in_section = True
                continue
            if isinstance(instruction, ir.FaultTest):
                if happening.edge.target in self.machine.code.errors:
                    event = self._event(thread, happening, instruction.of)
                    self.events.append(replace(event, is_failing=True))
            elif type(instruction) in _KINDS and (index == 0 or in_section):
                self.events.append(self._event(thread, happening, instruction))
            self._note_unwritten(heard, index)
            if isinstance(instruction, ir.Allocate) and isinstance(happening.value, int):
                self.objects.allocated(happening.value)

    def _event(self, thread: int, happening: Happening, of: ir.Instruction) -> NativeEvent:
        kind, place, caller = _where(happening.edge.origin, _kind(of))
        event = NativeEvent(thread, kind, place, caller)
        if kind in _ANYWHERE:
            return replace(event, place=None, caller=None)
        if isinstance(of, ir.Allocate) and isinstance(happening.value, int):
            former, made = self.objects.fresh(happening.value)
            return replace(event, target=made, offset=-1 if former is None else former)
        if isinstance(of, ir.Accessing) and happening.address is not None:
            target, offset = self.objects.of(happening.address)
            return replace(event, target=target, offset=offset, size=of.access.size)
        return event

    def _note_unwritten(self, heard: "_Heard", index: int) -> None:
        """A load that chooses a value reads memory that was never written."""
        happening = heard.happenings[index]
        load = happening.edge.instruction
        if not isinstance(load, ir.Load) or happening.address is None or not heard.chooses(index):
            return
        target, offset = self.objects.of(happening.address)
        if self.program.pointers.number(happening.address) < self.program.pointers.heap_base:
            self.reliances[_RELIANCES[ir.Cause.UNINITIALISED]] = None
        elif target is not None and self.events and load.access.size <= _LARGEST_NUMBER:
            value = _number(happening.value)
            event = len(self.events) - 1
            self.fillings.append(NativeFilling(event, target, offset, load.access.size, value))

    def _note_input(self, thread: int, happening: Happening) -> None:
        havoc = happening.edge.instruction
        if not isinstance(havoc, ir.Havoc):
            return
        if havoc.cause in _RELIANCES:
            self.reliances[_RELIANCES[havoc.cause]] = None
        if havoc.text == ARGUMENT_COUNT and happening.edge.origin.function == self.program.entry:
            self.argument_count = _number(happening.value)
        elif havoc.cause in _INPUTS and not is_of_model(happening):
            _, place, caller = _where(happening.edge.origin, "")
            kind = _INPUTS[havoc.cause]
            self.inputs.append(NativeInput(kind, thread, place, caller, _number(happening.value)))

    def _note_unmodelled(self, happening: Happening) -> None:
        """What is not known of a function: it is called in fact, but what a model does is from the trace."""
        match happening.edge.instruction:
            case ir.CallUnmodelled(function=name) | ir.Havoc(cause=ir.Cause.UNMODELLED, text=name):
                is_model = happening.edge.origin.is_library
                (self.invented if is_model else self.called).add(Unmodelled(name))
            case _:
                pass

    # --- the end ----------------------------------------------------------------------------------

    def _finished(self, state: State, before: State, thread: int) -> NativeSchedule:
        schedule = NativeSchedule("F", thread, (), tuple(self.inputs), (), ())
        match self.trace.failure.property:
            case Property.RACE:
                schedule = replace(schedule, goal="R", parties=self._parties(state))
            case Property.DEADLOCK:
                cycle = self.predicates.wait_cycle(state)
                schedule = replace(schedule, goal="D", cycle=tuple(wait.waiting for wait in cycle))
            case Property.LEAK:
                ending = None if all(map(is_ended, state.threads)) else thread
                lost = self.predicates.leaked(state if ending is None else before, ending)
                schedule = replace(schedule, goal="L", leaked=tuple(map(self.objects.index, lost)))
            case _:
                pass
        kept = _without_reads_for_writes([*self.events, *schedule.parties])
        place = {old: new for new, old in enumerate(kept)}
        return replace(
            schedule,
            events=tuple(self.events[index] for index in kept if index < len(self.events)),
            fillings=tuple(replace(one, event=place.get(one.event, 0)) for one in self.fillings),
            objects=self.objects.finished(),
            arguments=self._arguments(),
            variables=tuple(map(self.argument_texts.value, range(VARIABLES))),
            reliances=tuple(self.reliances),
            assumed=tuple(
                reliance_text(what)
                for what in self.trace.depends_on
                if what not in self.called or what in self.invented
            ),
        )

    def _arguments(self) -> tuple[bytes, ...]:
        if self.given is not None:
            return (NAME, *map(os.fsencode, self.given))
        count = max(0, min(self.argument_count, _MOST_ARGUMENTS))
        return (NAME, *map(self.argument_texts.text, range(1, count))) if count else ()

    def _parties(self, state: State) -> tuple[NativeEvent, ...]:
        race = self.predicates.race(state)
        if race is None:
            raise GaveUpError("the trace has no race")
        if state.history is not None:
            raise NotPossibleError("the accesses race under C11 because of a memory order, not side by side")
        pairs = ((race.first, race.first_access), (race.second, race.second_access))
        return tuple(self._party(thread, access) for thread, access in pairs)

    def _party(self, thread: int, access: NextAccess) -> NativeEvent:
        kind, place, caller = _where(access.edge.origin, _kind(access.edge.instruction))
        target, offset = self.objects.of(access.address)
        return NativeEvent(thread, kind, place, caller, target, offset, access.size)


def _without_reads_for_writes(events: list[NativeEvent]) -> list[int]:
    """Which events are left without the reads of bit-fields that are only there to write them."""
    following: dict[int, NativeEvent] = {}
    kept: list[int] = []
    for index, event in reversed(list(enumerate(events))):
        later = following.get(event.thread)
        following[event.thread] = event
        is_for_write = event.kind == _BIT_FIELD and later is not None and later.kind == "w"
        if not (is_for_write and later is not None and later.place == event.place):
            kept.append(index)
    return kept[::-1]


def _kind(instruction: ir.Instruction) -> str:
    is_bit_field = isinstance(instruction, ir.Load) and instruction.access.location is not None
    return _BIT_FIELD if is_bit_field else _KINDS[type(instruction)]


class _Heard:
    """What happens in a step."""

    def __init__(self, memory: StepMemory) -> None:
        self.memory = memory
        self.happenings: list[Happening] = []
        self._choices: list[int] = []

    def note(self, happening: Happening) -> None:
        self.happenings.append(replace(happening, registers={}))
        self._choices.append(len(self.memory.taken))

    def chooses(self, index: int) -> bool:
        """Whether something is chosen by what happens here."""
        return self._choices[index] > (self._choices[index - 1] if index else 0)


def _number(value: object) -> int:
    """A value that fits; of one that was never looked at, any."""
    if isinstance(value, Undetermined):
        return value.ranges[0][0]
    if isinstance(value, Computed):
        raise NotPossibleError("a value is computed from one that is not known")
    assert isinstance(value, int)
    return int(value)


class _Objects:
    """The objects of a trace; a local variable that begins to live again is another one."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._found: list[NativeObject] = []
        self._index: dict[int, int] = {}
        self._addresses = {
            (function.name, obj.name): slot
            for function in program.functions.values()
            for slot, obj in enumerate(function.objects)
        }
        self._functions = [program.functions[program.entry].name]

    def note(self, thread: int, happening: Happening) -> None:
        """Objects begin and end to live, and threads."""
        match happening.edge.instruction:
            case ir.Create(function=name):
                self._functions.append(name)
            case ir.Enter(object=obj):
                number = self._local(thread, obj.name)
                self._index[number] = self._add(NativeObject("", obj.size))
            case ir.Leave(object=obj):
                self._end(self._local(thread, obj.name))
            case ir.Exit():
                for number in self._index:
                    slot = self.program.local_slot(number)
                    if slot is not None and slot[0] == thread:
                        self._end(number)
            case _:
                pass

    def _end(self, number: int) -> None:
        index = self._index.get(number)
        if index is not None:
            self._found[index] = replace(self._found[index], size=0)

    def _local(self, thread: int, name: str) -> int:
        return self.program.local_number(thread, self._addresses[self._functions[thread], name])

    def _add(self, obj: NativeObject) -> int:
        self._found.append(obj)
        return len(self._found) - 1

    def fresh(self, address: int) -> tuple[int | None, int]:
        """A new heap block, and the former one with the same address."""
        number = self.program.pointers.number(address)
        former = self._index.get(number)
        self._index[number] = self._add(NativeObject())
        return former, self._index[number]

    def allocated(self, address: int) -> None:
        """A block that is no event of its own has an index nevertheless."""
        self._index.setdefault(self.program.pointers.number(address), self._add(NativeObject()))

    def index(self, number: int) -> int:
        """The index of an object."""
        if number not in self._index:
            static = self.program.static_object(number)
            known = (
                NativeObject() if static is None else NativeObject(static.c_name or static.name, static.size)
            )
            self._index[number] = self._add(known)
        return self._index[number]

    def of(self, address: int) -> tuple[int | None, int]:
        """The object of an address, and where in it; a little before its start is of it, too."""
        pointers = self.program.pointers
        number, offset = pointers.number(address), pointers.offset(address)
        if offset >= pointers.largest_object:
            number, offset = number + 1, offset - (1 << pointers.offset_bits)
        return (None, 0) if number < pointers.first_object else (self.index(number), offset)

    def finished(self) -> tuple[NativeObject, ...]:
        return tuple(self._found)


# --- places ----------------------------------------------------------------------------------------


def _is_of_user(origin: Origin) -> bool:
    """Whether an atomic section is one of the user's, and not of a model."""
    depth = origin.library_call
    return depth is None or origin.calls[depth].function.endswith("_atomic_begin")


def _where(origin: Origin, kind: str) -> tuple[str, LineRange | None, LineRange | None]:
    """What an edge is for the run-time, where it is, and where the user called the library for it."""
    depth = origin.library_call
    if depth is None:
        return kind, _place(origin.span), None
    inside = [call.span for call in origin.calls[depth + 1 :]] + [origin.span]
    caller = _place(user_origin(origin).span)
    for span in inside:
        section = None if span is None or not kind else _section_at(span)
        if section is not None:
            return "s", section, caller
    return kind, _place(origin.span, is_library=True), caller


def _place(span: Span | None, *, is_library: bool = False) -> LineRange | None:
    if span is None:
        return None
    return LineRange(span.file, span.line, max(span.line, span.end_line), is_library)


def _section_at(span: Span) -> LineRange | None:
    """The beginning of the atomic section of a model that a line is in."""
    for first, last in _sections(span.file):
        if first <= span.line <= last:
            return LineRange(span.file, first, first, is_library=True)
    return None


@cache
def _sections(file: str) -> tuple[tuple[int, int], ...]:
    """From where to where the atomic sections of a model go; none is inside another."""
    path = MODELS / Path(file).name
    return tuple(_found_sections(path.read_text(encoding="utf-8"))) if path.is_file() else ()


def _found_sections(text: str) -> Iterator[tuple[int, int]]:
    begun = None
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\b__sley_atomic_begin\(\)", line):
            begun = number
        elif begun is not None and re.search(r"\b__sley_atomic_end\(\)", line):
            yield begun, number
            begun = None
