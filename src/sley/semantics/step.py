"""The reference interpreter: what a step does, one instruction after another.

This is the definition of our semantics. ``blocks`` compiles the same steps to Python functions that are an
order of magnitude faster; a property test ties the two together. Replays, proof checkers and
steps that meet undetermined values run here.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import assert_never

from sley.base.errors import GaveUpError
from sley.base.reasons import LONG_LOOP
from sley.logic.sorts import BOOL, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.memory import MemoryObject
from sley.program.program import Edge, Function
from sley.program.rewriting import used_address
from sley.semantics.code import Code, nothing
from sley.semantics.consistency import Consistency
from sley.semantics.evaluation import Evaluator
from sley.semantics.knowledge import inputs_of
from sley.semantics.memory import Choice, StepMemory, new_cells
from sley.semantics.state import ABORTED, CUT, ENDED, CellValue, State, ThreadState, local_kind
from sley.semantics.values import NeedsSplitError, Open
from sley.semantics.weak_memory import Rules, WeakMemory, rules_of

TRUTHS = ((1, 255),)
"""The bytes that are true."""

LONGEST_STEP = 100_000
"""A step with more instructions than this does not end, as far as we can tell."""


class NotModelledError(GaveUpError):
    """A thread has come to a statement that is not modelled."""


@dataclass(slots=True)
class Happening:
    """One executed edge, for listeners: which memory it touched, with which values."""

    edge: Edge
    registers: dict[Term, object]
    """The thread's registers after the edge; do not keep without copying."""
    address: int | None = None
    value: object = None
    old: object = None
    handle: int | None = None
    is_missed: bool = False
    """The access does not come about: it is wrong, with no Fault beside it, or blocked."""


Listener = Callable[[Happening], None]


class _BlockedError(Exception):
    """The step cannot be completed now."""


class StepRun:
    """One step of one thread while it runs; after ``finish`` the outcome is in ``thread``."""

    def __init__(
        self,
        code: Code,
        evaluator: Evaluator,
        memory: StepMemory,
        listener: Listener | None,
        *,
        tells_misses: bool = False,
    ) -> None:
        self.code = code
        self.evaluator = evaluator
        self.memory = memory
        self.listener = listener
        self.tells_misses = tells_misses
        first, *values = memory.state.threads[memory.thread]
        assert isinstance(first, int)
        self.location = first
        self.function: Function = code.function_at[first]
        self.values: dict[Term, object] = {
            register.term: value for register, value in zip(code.live[first], values, strict=True)
        }
        self.values[code.program.self_handle] = memory.handle
        for address, slot in code.address_slots[self.function.name].items():
            self.values[address] = memory.local(slot)

    def finish(self) -> ThreadState | None:
        """Run to the next stop; the thread's new state, or None if it is blocked."""
        try:
            for _ in range(LONGEST_STEP):
                ending = self._edge()
                if ending is not None:
                    return ending
                if self.location in self.code.stops:
                    return self._thread()
        except _BlockedError:
            return None
        raise GaveUpError(LONG_LOOP)

    def _thread(self) -> ThreadState:
        live = self.code.live[self.location]
        return (self.location, *(self.values.get(register.term, nothing(register)) for register in live))

    def _edge(self) -> ThreadState | None:
        edges = self.code.out.get(self.location, ())
        if not edges:
            return CUT
        if len(edges) > 1:
            fault = self.code.faults.get(self.location)
            if fault is None:
                return self._branch(edges)
            if self._is_faulty(fault.instruction):
                self._move(fault, self._used_address(fault.instruction))
                return None
        edge = edges[0] if not isinstance(edges[0].instruction, ir.FaultTest) else edges[1]
        ending = self._execute(edge, is_checked=len(edges) > 1)
        self.location = edge.target
        return ending

    def _branch(self, edges: tuple[Edge, ...]) -> ThreadState | None:
        for edge in edges:
            assert isinstance(edge.instruction, ir.Assume)
            if self.evaluator.truth(edge.instruction.condition, self.values):
                self._move(edge)
                return None
        return self._failed_assumption()

    def _failed_assumption(self) -> ThreadState:
        """Outside atomic sections the run is cut; a section that does not complete is blocked."""
        if self.location in self.code.inside:
            raise _BlockedError
        return CUT

    def _move(self, edge: Edge, address: int | None = None) -> None:
        self.location = edge.target
        if self.listener is not None:
            self._tell(Happening(edge, self.values, address))

    def _tell(self, happening: Happening) -> None:
        if self.listener is not None:
            self.listener(happening)

    def _miss(self, edge: Edge) -> None:
        """The access on the edge does not come about."""
        if self.tells_misses:
            address = self._used_address(edge.instruction)
            self._tell(Happening(edge, self.values, address, is_missed=True))

    def _number(self, term: Term) -> int:
        return self.evaluator.number(term, self.values)

    def address(self, term: Term) -> int:
        """The address that a term is now."""
        return self.evaluator.address(term, self.values)

    def _value(self, term: Term) -> object:
        return self.evaluator.value(term, self.values)

    def _cell_value(self, term: Term) -> CellValue:
        value = self._value(term)
        assert isinstance(value, int | Open)
        return int(value) if isinstance(value, bool) else value

    def _is_faulty(self, instruction: ir.Instruction) -> bool:
        memory = self.memory
        of = instruction.of if isinstance(instruction, ir.FaultTest) else instruction
        if not isinstance(of, ir.Faulty):
            return False
        match of:
            case ir.Load(access=access):
                return not memory.is_valid(self.address(access.address), access.size, writes=False)
            case ir.Store(access=access) | ir.Update(access=access) | ir.Lock(access=access):
                address = self.address(access.address)
                return not memory.is_valid(address, access.size, writes=not access.is_first)
            case ir.Unlock(access=access):
                address = self.address(access.address)
                if not memory.is_valid(address, access.size, writes=True):
                    return True
                return memory.load(address, access.size) != memory.handle
            case ir.Free(address=address):
                return not memory.can_free(self.address(address))
            case ir.Join(handle=handle) | ir.Detach(handle=handle):
                return not memory.can_join(self._number(handle))
            case _:
                assert_never(of)

    def _used_address(self, instruction: ir.Instruction) -> int | None:
        """The address that an access, or a fault, is about."""
        address = used_address(instruction.of if isinstance(instruction, ir.FaultTest) else instruction)
        return None if address is None else self.address(address)

    def _execute(self, edge: Edge, *, is_checked: bool) -> ThreadState | None:  # noqa: C901, PLR0912, PLR0915 - the definition
        """Execute one instruction; a thread state ends the step, None goes on at the edge's target."""
        memory, values = self.memory, self.values
        instruction = edge.instruction
        memory.edge = edge
        happening = Happening(edge, values)
        if not is_checked and edge.source not in self.code.fixed and self._is_faulty(instruction):
            self._miss(edge)
            if (address := self._used_address(instruction)) is not None:
                memory.fails(address)
            return CUT
        match instruction:
            case ir.Assign(assignments=assignments):
                new = [(register.term, self._value(term)) for register, term in assignments]
                values.update(new)
            case ir.Assume(condition=condition):
                if not self.evaluator.truth(condition, values):
                    return self._failed_assumption()
            case ir.Havoc(target=target, cause=cause, text=text):
                happening.value = values[target.term] = self._arbitrary(target, cause, text)
            case ir.Load(target=target, access=access):
                happening.address = self.address(access.address)
                happening.value = self._load(happening.address, access)
                values[target.term] = happening.value
            case ir.Store(access=access, value=term):
                happening.address = self.address(access.address)
                happening.value = value = self._cell_value(term)
                if self.listener is not None:
                    happening.old = memory.peek(happening.address, access.size)
                memory.write(happening.address, access, value)
            case ir.Update(target=target, access=access, value=term):
                happening.address = self.address(access.address)
                memory.update(happening.address, instruction, partial(self._changed, instruction))
                happening.old, happening.value = values[target.term], self._cell_value(term)
            case ir.Fence(order=order):
                memory.fence(order)
            case ir.AtomicBegin():
                memory.begin_section()
            case ir.AtomicEnd():
                memory.end_section()
            case ir.Allocate(target=target, size=size, layout=layout, is_zeroed=is_zeroed, name=name):
                number = memory.map.layout_number(layout)
                happening.value = values[target.term] = memory.allocate(
                    self.evaluator.size(size, values), number, edge.source, zeroed=is_zeroed, text=name
                )
            case ir.Free(address=address):
                happening.address = self.address(address)
                memory.free(happening.address)
            case ir.Enter(object=obj, is_zeroed=is_zeroed):
                self._enter(obj, is_zeroed=is_zeroed)
            case ir.Leave(object=obj):
                slot = self.code.slots[self.function.name][obj.name]
                happening.address = memory.local(slot)
                memory.leave(slot)
            case ir.Create(target=target, function=name, arguments=arguments):
                function = self.code.program.functions[name]
                read = self.code.live[function.entry]
                pairs = zip(function.parameters, arguments, strict=False)
                thread = self.code.start(function, {r: self._value(a) for r, a in pairs if r in read})
                happening.handle = memory.create(thread, self.code.thread_objects(function))
                values[target.term] = happening.handle
            case ir.Join(target=joined, handle=handle):
                happening.handle = self._number(handle)
                result = memory.joined(happening.handle)
                if result is None:
                    raise _BlockedError
                if joined is not None:
                    values[joined.term] = result
            case ir.Detach(handle=handle):
                happening.handle = self._number(handle)
                memory.detach(happening.handle)
            case ir.Exit(value=exit_value):
                happening.value = 0 if exit_value is None else self._value(exit_value)
                self._tell(happening)
                return memory.exit(happening.value)
            case ir.End(ending=ending):
                self._tell(happening)
                return ABORTED if ending is ir.Ending.ABORT else ENDED
            case ir.Lock(access=access):
                happening.address = self.address(access.address)
                if memory.load(happening.address, access.size):
                    self._miss(edge)
                    raise _BlockedError
                memory.lock(happening.address, access.size)
            case ir.Unlock(access=access):
                happening.address = self.address(access.address)
                memory.unlock(happening.address, access.size)
            case ir.Await(condition=condition, is_spurious=is_spurious):
                if not self.evaluator.truth(condition, values):
                    if not is_spurious:
                        raise _BlockedError
                    memory.spurious = True
                elif not is_spurious:
                    memory.awaited()
            case ir.CallUnmodelled(target=result_register, function=name, arguments=arguments):
                addresses = [v for a in arguments if isinstance(v := self._value(a), int)]
                memory.scramble(name, tuple(addresses))
                if result_register is not None:
                    values[result_register.term] = self._arbitrary(result_register, ir.Cause.UNMODELLED, name)
            case ir.GiveUp(reason=reason):
                raise NotModelledError(reason)
            case (
                ir.Check() | ir.Call() | ir.CallPointer() | ir.CreatePointer() | ir.Return() | ir.FaultTest()
            ):
                raise AssertionError(f"{type(instruction).__name__} in a prepared program")
            case _:
                assert_never(instruction)
        self._renew()
        self._tell(happening)
        return None

    def _renew(self) -> None:
        """Registers as well know what a choice has made known of values that were there before it."""
        for narrowing in self.memory.narrowings:
            self.values.update([(register, narrowing(value)) for register, value in self.values.items()])
        self.memory.narrowings.clear()

    def _load(self, address: int, access: ir.Access) -> CellValue:
        return 0 if access.is_unused else self.decoded(self.memory.read(address, access), access)

    def decoded(self, value: CellValue, access: ir.Access) -> CellValue:
        """The value of these bytes; memory holds a truth value as a byte, any but 0 is true."""
        if access.sort != BOOL:
            return value
        if isinstance(value, Open):
            return self.evaluator.is_in(value, TRUTHS)
        return value != 0

    def _changed(self, update: ir.Update, old: CellValue) -> tuple[CellValue, bool]:
        """What an update writes where it finds ``old``, and whether it succeeds."""
        self._renew()
        self.values[update.target.term] = self.decoded(old, update.access)
        is_success = update.success is None or self.evaluator.truth(update.success, self.values)
        return self._cell_value(update.value), is_success

    def _arbitrary(self, target: ir.Register, cause: ir.Cause, text: str) -> object:
        if target.sort == BOOL:
            return bool(self.memory.choose(2))
        return self.memory.arbitrary(width_of(target.sort), cause, text)

    def _enter(self, obj: MemoryObject, *, is_zeroed: bool) -> None:
        slot = self.code.slots[self.function.name][obj.name]
        cells = new_cells(obj, is_zeroed=is_zeroed)
        layout = self.memory.map.layout_number(obj.layout)
        self.memory.enter(slot, layout, obj.size, cells, local_kind(obj))


class Interpreter:
    """Runs steps by the definition."""

    def __init__(self, code: Code, consistency: Consistency | None = None) -> None:
        self.code = code
        self.evaluator = Evaluator(code.program.terms, consistency)
        self.tells_misses = False
        """Whether listeners also hear of accesses that do not come about."""
        self._evaluated: dict[tuple[Term, int, ThreadState], int] = {}
        self._rules_of: dict[str, Rules] = {}

    def step(self, memory: StepMemory, listener: Listener | None = None) -> ThreadState | None:
        """One step of the memory's thread: its new state, or None if it is blocked."""
        run = StepRun(self.code, self.evaluator, memory, listener, tells_misses=self.tells_misses)
        return run.finish()

    def going_on(self, memory: StepMemory) -> Callable[[], ThreadState | None]:
        """Steps of the memory's thread, one after another, in the same memory."""
        return StepRun(self.code, self.evaluator, memory, None).finish

    def outcomes(
        self, state: State, thread: int, step: Callable[[StepMemory], ThreadState | None]
    ) -> Iterator[tuple[StepMemory, ThreadState | None]]:
        """All ways to take a step, each with the memory after it; ``step`` takes it as memories prescribe.

        Raises NeedsSplitError if the state has to be split first.
        """
        waiting: list[tuple[Choice, ...]] = [()]
        while waiting:
            memory = self.memory(state, thread, waiting.pop())
            try:
                result = step(memory)
            except NeedsSplitError as question:
                waiting.extend(_parts_inside_step(question, memory))
                continue
            waiting.extend(_alternatives(memory.taken, len(memory.choices)))
            yield memory, result

    def memory(self, state: State, thread: int, choices: tuple[Choice, ...] = ()) -> StepMemory:
        """The memory of a state as a thread sees it."""
        if state.history is None:
            return StepMemory(self.code.memory_map, state, thread, choices)
        return WeakMemory(self.code.memory_map, state, thread, choices, self.rules(state, thread))

    def rules(self, state: State, thread: int) -> Rules:
        """What memory needs to know of the code that a thread runs."""
        function = self.code.function_at[state.threads[thread][0]]
        if function.name not in self._rules_of:
            self._rules_of[function.name] = rules_of(self.code, function)
        return self._rules_of[function.name]

    def evaluate(self, state: State, thread: int, term: Term) -> int:
        """The value of a term over the registers of a thread where it stands."""
        key = (term, thread, state.threads[thread])
        found = self._evaluated.get(key)
        if found is None:
            run = StepRun(self.code, self.evaluator, self.memory(state, thread), None)
            found = self._evaluated[key] = self.evaluator.address(term, run.values)
        return found

    def after_reading(self, state: State, thread: int, update: ir.Update) -> Mapping[Term, object] | None:
        """The registers of a thread that stands before an update, with what that reads; None if nothing."""
        memory = self.memory(state, thread)
        run = StepRun(self.code, self.evaluator, memory, None)
        address, size = run.address(update.access.address), update.access.size
        if not memory.is_valid(address, size, writes=True):
            return None
        return {**run.values, update.target.term: run.decoded(memory.load(address, size), update.access)}


def _parts_inside_step(question: NeedsSplitError, memory: StepMemory) -> list[tuple[Choice, ...]]:
    """Choices that split a value which the step itself made; raises again if the state has it.

    If it has to do with several that the step made, the choice of the last one says what is known of all of
    them. With these choices come the alternatives to what the step chose freely before it made the value: to
    run again with one part prescribes all of that.
    """
    made = [memory.created[v.number] for v in inputs_of(question.value) if v.number in memory.created]
    if not made:
        raise question
    at = max(made)
    before = tuple(choice for choice, _ in memory.taken[:at])
    parts = [(*before, memory.restricted(at, question.value, part)) for part in question.parts]
    return [*parts, *_alternatives(memory.taken[:at], len(memory.choices))]


def _alternatives(taken: list[tuple[Choice, int]], start: int) -> Iterator[tuple[Choice, ...]]:
    """Prefixes that choose differently at one place from ``start`` on."""
    for at in range(start, len(taken)):
        before = tuple(choice for choice, _ in taken[:at])
        for other in range(1, taken[at][1]):
            yield (*before, other)
