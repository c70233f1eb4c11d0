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

The end of the process looks at all memory when leaks are checked, yet conflicts with nothing: a block that is
lost stays lost whatever others do before the end.
"""

from collections.abc import Iterator, Sequence

from sley.analyses.accesses import Accesses, find_accesses
from sley.analyses.effects import Effect
from sley.program.instructions import Join, Lock
from sley.semantics.code import Code
from sley.semantics.state import State, is_awaited, location_of
from sley.semantics.step import Interpreter


class PersistentSets:
    """Proposes persistent sets of threads."""

    def __init__(self, code: Code, interpreter: Interpreter) -> None:
        self.code = code
        self.interpreter = interpreter
        self.accesses: Accesses = find_accesses(code.program, is_elsewhere_excluded=True)
        self._locks = _flat_locks(code)
        self._noticed = ~(self.accesses.starts | self.accesses.ends)
        self._joins = {
            location: edge.instruction.handle
            for location, edges in code.out.items()
            for edge in edges
            if isinstance(edge.instruction, Join)
        }
        self._disturbances: dict[tuple[int, int, frozenset[int]], bool] = {}

    def proposals(self, state: State, running: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Proper subsets of the running threads: single threads first, then larger sets by size."""
        if len(running) < 2:
            return
        view = _View(self, state, running)
        larger: set[tuple[int, ...]] = set()
        for thread in running:
            extra = view.disturbing({thread})
            if extra is None:
                yield (thread,)
            else:
                larger.add(view.closure({thread, extra}))
        yield from sorted((s for s in larger if len(s) < len(running)), key=lambda s: (len(s), s))

    def awaited(self, state: State, thread: int, location: int) -> int | None:
        """The running thread that a thread at a join waits for."""
        handle = self._joins.get(location)
        if handle is None:
            return None
        number = self.interpreter.evaluate(state, thread, handle)
        return number - 1 if is_awaited(state, number) else None

    def held_by(self, state: State, members: set[int]) -> frozenset[int]:
        """The addresses of the locks that the members hold."""
        cells = state.cells
        return frozenset(
            [address for cell, address in self._locks if cells[cell] and cells[cell] - 1 in members]  # type: ignore[operator]
        )

    def disturbs(self, other: int, location: int, held: frozenset[int]) -> bool:
        """Whether a thread at ``other`` may do what conflicts with the action at ``location``."""
        key = (other, location, held)
        found = self._disturbances.get(key)
        if found is None:
            future = self._effect(self.accesses.future_until(other, held))
            found = self._effect(self.accesses.action(location)).conflicts_with(future)
            self._disturbances[key] = found
        return found

    def _effect(self, effect: Effect) -> Effect:
        return Effect(effect.reads & self._noticed, effect.writes & self._noticed)


class _View:
    """One state, as the closure sees it."""

    def __init__(self, sets: PersistentSets, state: State, running: Sequence[int]) -> None:
        self.sets = sets
        self.state = state
        self.where = {thread: location_of(state.threads[thread]) for thread in running}
        self.awaited = {thread: sets.awaited(state, thread, at) for thread, at in self.where.items()}

    def closure(self, members: set[int]) -> tuple[int, ...]:
        """The smallest persistent set with these members."""
        while (extra := self.disturbing(members)) is not None:
            members.add(extra)
        return tuple(sorted(members))

    def disturbing(self, members: set[int]) -> int | None:
        """A thread outside the set that can disturb a step of the set."""
        held = self.sets.held_by(self.state, members)
        where, awaited, disturbs = self.where, self.awaited, self.sets.disturbs
        for thread, at in where.items():
            if thread in members or awaited[thread] in members:
                continue  # who joins a member cannot move before it
            for member in members:
                if awaited[member] == thread or disturbs(at, where[member], held):
                    return thread
        return None


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
