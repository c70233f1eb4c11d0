"""Partial-order reduction by persistent sets.

A set of threads is *persistent* at a state if nothing that the other threads can do, as long as the set does
not move, conflicts with the next step of a thread in the set. It then suffices to take the steps of the set
first: every other interleaving only swaps steps that do not notice each other. The closure below starts with
one thread and adds every thread whose future (what it may do from where it stands, and what the threads that
it may create may do) conflicts with the next step of a member.

Three things keep futures small. A thread does not get past a lock that a member of the set holds, nor past
a join that waits for a member. A join depends on nobody but the thread it waits for, and the end of a
thread disturbs nobody: who waits for it cannot step before. And what nobody can notice is not an access at
all (see ``semantics.code``).
"""

from collections.abc import Iterable, Sequence

from sley.analyses.accesses import Accesses, find_accesses
from sley.analyses.effects import Effect
from sley.program.instructions import Allocate, Join, Lock
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.state import State, is_awaited, location_of
from sley.semantics.step import Interpreter


class PersistentSets:
    """Proposes persistent sets of threads."""

    def __init__(self, code: Code, interpreter: Interpreter, properties: frozenset[Property]) -> None:
        self.code = code
        self.interpreter = interpreter
        self.accesses: Accesses = find_accesses(
            code.program,
            is_elsewhere_excluded=True,
            observes_end=Property.LEAK in properties and allocates(code.program),
        )
        self._locks = _flat_locks(code)
        self._ignored = ~(self.accesses.starts | self.accesses.ends)
        self._closures: dict[tuple[object, ...], list[tuple[int, ...]]] = {}

    def proposals(self, state: State, running: Sequence[int]) -> Iterable[tuple[int, ...]]:
        """Proper subsets of the running threads, smallest first."""
        if len(running) < 2:
            return ()
        where = {thread: location_of(state.threads[thread]) for thread in running}
        holders = tuple(state.cells[cell] for cell, _ in self._locks)
        awaited = {thread: self._awaited(state, thread, at) for thread, at in where.items()}
        key = (tuple(where.items()), holders, tuple(awaited.values()))
        found = self._closures.get(key)
        if found is None:
            sets = {self._closure(thread, where, holders, awaited) for thread in running}
            found = sorted((s for s in sets if len(s) < len(running)), key=lambda s: (len(s), s))
            self._closures[key] = found
        return found

    def _awaited(self, state: State, thread: int, location: int) -> int | None:
        """The running thread that a thread at a join waits for."""
        for edge in self.code.out.get(location, ()):
            if isinstance(edge.instruction, Join):
                handle = self.interpreter.evaluate(state, thread, edge.instruction.handle)
                return handle - 1 if is_awaited(state, handle) else None
        return None

    def _closure(
        self,
        start: int,
        where: dict[int, int],
        holders: tuple[object, ...],
        awaited: dict[int, int | None],
    ) -> tuple[int, ...]:
        members = {start}
        while (extra := self._disturbing(members, where, holders, awaited)) is not None:
            members.add(extra)
        return tuple(sorted(members))

    def _disturbing(
        self,
        members: set[int],
        where: dict[int, int],
        holders: tuple[object, ...],
        awaited: dict[int, int | None],
    ) -> int | None:
        """A thread outside the set that can disturb a step of the set."""
        handles = {thread + 1 for thread in members}
        held = frozenset(
            address for (_, address), holder in zip(self._locks, holders, strict=True) if holder in handles
        )
        actions = [self._effect(self.accesses.action(where[thread])) for thread in members]
        for thread, at in where.items():
            if thread in members:
                continue
            if awaited[thread] in members:
                continue  # it cannot move before a member does
            if any(awaited[member] == thread for member in members):
                return thread
            future = self._effect(self.accesses.future_until(at, held))
            if any(action.conflicts_with(future) for action in actions):
                return thread
        return None

    def _effect(self, effect: Effect) -> Effect:
        return Effect(effect.reads & self._ignored, effect.writes & self._ignored)


def allocates(program: Program) -> bool:
    """Whether the program has heap blocks at all."""
    return any(isinstance(e.instruction, Allocate) for f in program.functions.values() for e in f.edges)


def _flat_locks(code: Code) -> list[tuple[int, int]]:
    """(flat cell, address) of every lock that is locked by a constant address."""
    found: dict[int, int] = {}
    for function in code.program.functions.values():
        for edge in function.edges:
            if isinstance(edge.instruction, Lock):
                access = edge.instruction.access
                address = code.program.terms.number(access.address)
                cell = None if address is None else code.memory_map.flat_cell(address, access.size)
                if address is not None and cell is not None:
                    found[cell] = address
    return sorted(found.items())
