"""Violations that are properties of a state: data race, deadlock, leak.

Assertions, overflow, division and invalid accesses are error locations in the program; these three concern
several threads or the whole memory, so they are predicates on states, stated here once.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from sley.base.errors import GaveUpError
from sley.base.reasons import on_inputs
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge
from sley.program.properties import ON, Failure, Property
from sley.program.rewriting import written_registers
from sley.semantics.code import Code
from sley.semantics.history import RaceableAccess, RacingAccesses
from sley.semantics.memory import StepMemory
from sley.semantics.references import addresses_in_bytes
from sley.semantics.state import (
    HEAP_BLOCK,
    LOCAL_BLOCK,
    LOCAL_CONSTANT_BLOCK,
    Cells,
    State,
    ThreadState,
    is_awaited,
    is_ended,
    location_of,
)
from sley.semantics.step import Happening, Interpreter
from sley.semantics.values import NeedsSplitError


class NextAccess(NamedTuple):
    """An access that the next step of a thread makes; ``free`` accesses all bytes of a block (C11 7.22.3)."""

    address: int
    size: int
    is_write: bool
    is_atomic: bool
    edge: Edge


@dataclass(frozen=True, slots=True)
class Race:
    """Two threads are about to access the same bytes, one writes, not both atomically."""

    first: int
    first_access: NextAccess
    second: int
    second_access: NextAccess

    @property
    def failure(self) -> Failure:
        """What this race is called."""
        return self.failure_on(access_text(self.first_access.edge) or access_text(self.second_access.edge))

    def failure_on(self, name: str) -> Failure:
        """What it is called if C calls the memory so."""
        edges = self.first_access.edge, self.second_access.edge
        frees = [edge for edge in edges if isinstance(edge.instruction, ir.Free)]
        phrase = "data race on a block" if not name else "data race"
        freed = ", which is freed" if frees else ""
        if len(frees) == 2:
            return Failure(Property.RACE, "data-race", "data race: two threads free the same block")
        if not name:
            return Failure(Property.RACE, "data-race", phrase + freed)
        return Failure(Property.RACE, "data-race", phrase, name, ON + freed)


@dataclass(frozen=True, slots=True)
class WaitFor:
    """A thread waits for a lock that another one holds, or for the end of another one."""

    waiting: int
    holder: int
    edge: Edge


class StatePredicates:
    """Evaluates the state properties of one program."""

    def __init__(self, code: Code, interpreter: Interpreter) -> None:
        self.code = code
        self.interpreter = interpreter
        self._plain: dict[ThreadState, NextAccess | None] = {}
        self._flat_locks = flat_locks(code)
        self._sections: dict[int, list[tuple[Term, int]] | None] = {}
        self.waiting = {
            location: edge
            for location, edges in code.out.items()
            for edge in edges
            if isinstance(edge.instruction, ir.Lock | ir.Join)
        }
        """Location -> the lock or join there."""

    # --- data races ---------------------------------------------------------------------------

    def race(self, state: State) -> Race | None:
        """A race in this state, if there is one; under C11, one that its history has come to."""
        if state.history is not None:
            return None if state.history.race is None else self._recorded(state.history.race)
        plain = [
            (thread, access)
            for thread, at in enumerate(state.threads)
            if not is_ended(at) and (access := self._plain_access(state, thread)) is not None
        ]
        racy = [(index, one) for index, one in enumerate(plain) if not one[1].is_atomic]
        """One of two accesses that conflict is none of a lock, on which many threads may wait."""
        for index, (thread, access) in enumerate(plain) if racy else ():
            others = [one for at, one in racy if at > index] if access.is_atomic else plain[index + 1 :]
            for other, other_access in others:
                if conflict(access, other_access):
                    return Race(thread, access, other, other_access)
        return self._race_with_section(state, plain) if plain else None

    def _recorded(self, race: RacingAccesses) -> Race:
        first, second = (self._access(race.number, access) for access in (race.first, race.second))
        return Race(race.first.thread, first, race.second.thread, second)

    def _access(self, number: int, access: RaceableAccess) -> NextAccess:
        edges = self.code.out[access.location]
        (edge,) = [edge for edge in edges if not isinstance(edge.instruction, ir.FaultTest)]
        address = (number << self.code.memory_map.offset_bits) + access.offset
        return NextAccess(address, access.size, access.is_write, access.is_atomic, edge)

    def _race_with_section(self, state: State, plain: list[tuple[int, NextAccess]]) -> Race | None:
        for thread, at in enumerate(state.threads):
            if is_ended(at) or not isinstance(self._action(at).instruction, ir.AtomicBegin):
                continue
            if not self._section_may_meet(state, thread, plain):
                continue
            for section_access in self.section_accesses(state, thread):
                for other, access in plain:
                    if other != thread and conflict(access, section_access):
                        return Race(other, access, thread, section_access)
        return None

    def _action(self, at: ThreadState) -> Edge:
        location = at[0]
        assert isinstance(location, int)
        return self.code.out[location][0]

    def _plain_access(self, state: State, thread: int) -> NextAccess | None:
        """The next access of a thread that stands before one."""
        found = self.standing_access(state, thread)
        if found is not None and isinstance(found.edge.instruction, ir.Free):
            return self._freed(state, found)
        if found is not None and isinstance(found.edge.instruction, ir.Update):
            return self._changed(state, thread, found, found.edge.instruction)
        return found

    def next_accesses(self, state: State, thread: int) -> list[NextAccess]:
        """What the next step of a thread accesses: where it stands before an access, or before a section."""
        edges = self.code.out.get(location_of(state.threads[thread]), ())
        if edges and isinstance(edges[0].instruction, ir.AtomicBegin):
            return self.section_accesses(state, thread)
        found = self._plain_access(state, thread)
        return [] if found is None else [found]

    def standing_access(self, state: State, thread: int) -> NextAccess | None:
        """As far as the thread's registers say: a ``free`` of any size, an update that writes."""
        key = (thread, *state.threads[thread])  # local addresses depend on the thread
        if key not in self._plain:
            self._plain[key] = self._compute_access(state, thread)
        return self._plain[key]

    def _changed(self, state: State, thread: int, access: NextAccess, update: ir.Update) -> NextAccess:
        """An update as what it comes to: a compare-exchange that fails only reads (C11 7.17.7.4)."""
        if update.success is None:
            return access
        registers = self.interpreter.after_reading(state, thread, update)
        return access._replace(is_write=registers is None or self._writes(update, registers))

    def _writes(self, instruction: ir.Instruction, registers: Mapping[Term, object]) -> bool:
        """Whether an access writes, by the registers after it; if values are open, for some of them."""
        if not isinstance(instruction, ir.Update) or instruction.success is None:
            return not isinstance(instruction, ir.Load)
        try:
            return self.interpreter.evaluator.truth(instruction.success, registers)
        except NeedsSplitError:
            return True

    def _freed(self, state: State, access: NextAccess) -> NextAccess | None:
        """A ``free`` with the size of the block that it ends; None if there is none, or it is empty."""
        number, offset = divmod(access.address, 1 << self.code.memory_map.offset_bits)
        block = state.blocks.get(number)
        is_freed = block is not None and block.kind == HEAP_BLOCK and offset == 0 and block.size
        return access._replace(size=block.size) if is_freed else None

    def _compute_access(self, state: State, thread: int) -> NextAccess | None:
        at = state.threads[thread]
        location = at[0]
        assert isinstance(location, int)
        for edge in self.code.out.get(location, ()):
            instruction = edge.instruction
            if isinstance(instruction, ir.Accessing):
                address = self.address_of(state, thread, edge)
                if not address >> self.code.memory_map.offset_bits:
                    return None  # of the null object: there is nothing to access
                is_write = not isinstance(instruction, ir.Load)
                start, size = 0, instruction.access.size
                if instruction.access.location is not None:
                    start, end = instruction.access.location
                    size = end - start
                is_atomic = instruction.access.is_atomic or isinstance(instruction, ir.Lock | ir.Unlock)
                return NextAccess(address + start, size, is_write, is_atomic, edge)
            if isinstance(instruction, ir.Free):
                address = self.interpreter.evaluate(state, thread, instruction.address)
                return NextAccess(address, 0, is_write=True, is_atomic=False, edge=edge)
        return None

    def address_of(self, state: State, thread: int, edge: Edge) -> int:
        """The address that the access on ``edge`` at the thread's location has in this state."""
        instruction = edge.instruction
        assert isinstance(instruction, ir.Accessing)
        return self.interpreter.evaluate(state, thread, instruction.access.address)

    def _section_may_meet(self, state: State, thread: int, plain: list[tuple[int, NextAccess]]) -> bool:
        """Whether the section might access what the others access: false only if it surely does not."""
        location = location_of(state.threads[thread])
        if location not in self._sections:
            self._sections[location] = known_section_accesses(self.code, location)
        known = self._sections[location]
        if known is None:
            return True
        for term, size in known:
            address = self.interpreter.evaluate(state, thread, term)
            if any(a.address < address + size and address < a.address + a.size for _, a in plain):
                return True
        return False

    def section_accesses(self, state: State, thread: int) -> list[NextAccess]:
        """The accesses of the atomic section that a thread stands before, over all completed runs."""
        found: list[NextAccess] = []
        heard: list[NextAccess] = []

        def listen(happening: Happening) -> None:
            instruction, address = happening.edge.instruction, happening.address
            if isinstance(instruction, ir.Load | ir.Store | ir.Update) and address is not None:
                is_write, size = self._writes(instruction, happening.registers), instruction.access.size
                heard.append(NextAccess(address, size, is_write, is_atomic=True, edge=happening.edge))
            elif isinstance(instruction, ir.Free) and address is not None:
                access = NextAccess(address, 0, is_write=True, is_atomic=True, edge=happening.edge)
                if (freed := self._freed(state, access)) is not None:
                    heard.append(freed)

        def step(memory: StepMemory) -> ThreadState | None:
            heard.clear()
            try:
                return self.interpreter.step(memory, listen)
            except GaveUpError:  # the search meets the same when it takes the step, and says so
                return None

        ways: set[frozenset[NextAccess]] = set()
        is_bound = False
        for memory, result in self.interpreter.outcomes(state, thread, step):
            made = heard if result is not None else []
            ways.add(frozenset(made))
            is_bound = is_bound or memory.is_bound
            found += made
        if is_bound and len(ways) > 1:
            raise GaveUpError(on_inputs("what an atomic section accesses"))
        return found

    # --- deadlock -----------------------------------------------------------------------------

    def waits_for(self, state: State, thread: int) -> WaitFor | None:
        """Whom a thread that stands before a lock or a join would have to wait for."""
        edge = self.waiting.get(location_of(state.threads[thread]))
        if edge is None:
            return None
        if isinstance(edge.instruction, ir.Join):
            holder = self.interpreter.evaluate(state, thread, edge.instruction.handle)
            is_over = not is_awaited(state, holder)  # a detached thread cannot be joined
        else:
            holder = self._holder(state, thread, edge)
            is_over = False
        if is_over or not 0 < holder <= len(state.threads):
            return None
        return WaitFor(thread, holder - 1, edge)

    def flat_lock_at(self, location: int) -> int | None:
        """The flat cell of the lock that whoever stands here waits for, if all wait for the same one."""
        instruction = self.waiting[location].instruction
        if not isinstance(instruction, ir.Lock):
            return None
        address = self.code.program.terms.number(instruction.access.address)
        return None if address is None else self._flat_locks.get(address)

    def _holder(self, state: State, thread: int, edge: Edge) -> int:
        """The handle in the lock that ``edge`` locks; 0 if it is free, or no lock."""
        assert isinstance(edge.instruction, ir.Lock)
        known = self.code.program.terms.number(edge.instruction.access.address)
        address = self.address_of(state, thread, edge) if known is None else known
        size = edge.instruction.access.size
        flat = self._flat_locks.get(address)
        if flat is not None:
            holder = state.cells[flat]
        else:
            memory = self.interpreter.memory(state, thread)
            holder = memory.load(address, size) if memory.is_valid(address, size, writes=True) else 0
        return holder if isinstance(holder, int) else 0

    def wait_cycle(self, state: State) -> tuple[WaitFor, ...]:
        """A cycle of threads each of which waits for the next, or nothing."""
        waits: dict[int, WaitFor] = {}
        for thread in range(len(state.threads)):
            wait = self.waits_for(state, thread)
            if wait is not None:
                waits[thread] = wait
        for start in waits:
            path: list[WaitFor] = []
            thread = start
            while thread in waits and all(w.waiting != thread for w in path):
                path.append(waits[thread])
                thread = waits[thread].holder
            if path and thread == start:
                return tuple(path)
        return ()

    # --- leaks --------------------------------------------------------------------------------

    def leaked(self, state: State, ending: int | None) -> list[int]:
        """Numbers of heap blocks that nothing refers to when thread ``ending`` ends the process.

        None: all threads have ended, main by ``pthread_exit``; so the process ends as by ``exit(0)``.
        An abort is not an orderly end: it is not for this question.
        """
        heap = [
            number
            for number, block in state.blocks.items()
            if block.kind == HEAP_BLOCK and block.site not in self.code.kept
        ]
        if not heap:
            return []
        returns = ending is not None and self._ending(state, ending) is ir.Ending.RETURN
        roots = chain(
            self._objects(state, ending if returns else None),
            () if ending is None else self._registers(state, ending if returns else None),
        )
        reached = self._reached(state, roots)
        return [number for number in heap if number not in reached]

    def pointed_to(self, state: State) -> set[int]:
        """Numbers of blocks that some thread or object still leads to."""
        return self._reached(state, chain(self._objects(state, None), self._registers(state, None)))

    def _reached(self, state: State, roots: Iterable[object]) -> set[int]:
        """Numbers of blocks that these values lead to."""
        blocks, shift = state.blocks, self.code.memory_map.offset_bits
        reached: set[int] = set()
        waiting = [v >> shift for v in roots if isinstance(v, int)]
        while waiting:
            number = waiting.pop()
            if number in reached or number not in blocks:
                continue
            reached.add(number)
            cells = blocks[number].cells
            waiting.extend(v >> shift for v in chain(cells, self._in_bytes(cells)) if isinstance(v, int))
        return reached

    def _in_bytes(self, cells: Cells) -> Iterator[int]:
        size = self.code.program.pointers.width // 8
        return addresses_in_bytes(cells, range(len(cells)), size)

    def knows_frames(self, state: State, ending: int) -> bool:
        """Whether no frame is left that could still refer to a block when the process ends.

        Registers that no step will read again are not part of a state; so while other frames live, a block
        that the state does not reach may still be reached by one of their variables.
        """
        if self.code.program.keeps_frames:
            return True
        others_ended = all(is_ended(at) for thread, at in enumerate(state.threads) if thread != ending)
        return others_ended and self._ending(state, ending) is ir.Ending.RETURN

    def _ending(self, state: State, thread: int) -> ir.Ending | None:
        action = self._action(state.threads[thread]).instruction
        return action.ending if isinstance(action, ir.End) else None

    def _objects(self, state: State, without: int | None) -> Iterator[object]:
        yield from state.cells
        yield from self._in_bytes(state.cells)
        base, slots = self.code.memory_map.local_base, self.code.memory_map.local_slots
        for number, block in state.blocks.items():
            if block.kind == HEAP_BLOCK:
                continue
            if (
                block.kind in (LOCAL_BLOCK, LOCAL_CONSTANT_BLOCK)
                and slots
                and (number - base) // slots == without
            ):
                continue
            yield from block.cells
            yield from self._in_bytes(block.cells)

    def _registers(self, state: State, without: int | None) -> Iterator[object]:
        """What running threads hold, and the results of others, which a join may still return."""
        for thread, at in enumerate(state.threads):
            if thread != without:
                yield from at[1:]


def known_section_accesses(code: Code, location: int) -> list[tuple[Term, int]] | None:
    """Address and size of every access of a section, if all addresses are known before it begins.

    Blocks that are freed may have any size.
    """
    terms = code.program.terms
    found: list[tuple[Term, int]] = []
    written: set[Term] = set()
    for edge in code.section(location):
        if isinstance(edge.instruction, ir.Load | ir.Store | ir.Update):
            found.append((edge.instruction.access.address, edge.instruction.access.size))
        elif isinstance(edge.instruction, ir.Free):
            found.append((edge.instruction.address, code.program.pointers.largest_object))
        written |= {register.term for register in written_registers(edge.instruction)}
    is_known = all(written.isdisjoint(terms.variables(address)) for address, _ in found)
    return list(dict.fromkeys(found)) if is_known else None


def flat_locks(code: Code) -> dict[int, int]:
    """Address -> flat cell of every lock that is locked by a constant address."""
    found: dict[int, int] = {}
    for edges in code.out.values():
        for edge in edges:
            if isinstance(edge.instruction, ir.Lock):
                access = edge.instruction.access
                address = code.program.terms.number(access.address)
                cell = None if address is None else code.memory_map.flat_cell(address, access.size)
                if address is not None and cell is not None:
                    found[address] = cell
    return found


def access_text(edge: Edge) -> str:
    """What C calls the memory that an edge accesses."""
    instruction = edge.instruction
    return instruction.access.text if isinstance(instruction, ir.Load | ir.Store | ir.Update) else ""


def conflict(a: NextAccess, b: NextAccess) -> bool:
    """Same bytes, one writes, not both atomic."""
    if not (a.is_write or b.is_write) or (a.is_atomic and b.is_atomic):
        return False
    return a.address < b.address + b.size and b.address < a.address + a.size
