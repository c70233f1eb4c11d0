"""Partial-order reduction by persistent sets.

A set of threads is *persistent* at a state if nothing that the other threads can do, as long as the set does
not move, conflicts with the next step of a thread in the set. It then suffices to take the steps of the set
first: every other interleaving only swaps steps that do not notice each other. The closure below starts with
one thread and adds every thread whose future (what it may do from where it stands, and what the threads that
it may create may do) conflicts with the next step of a member.

Three things keep futures small. A thread does not get past a lock that a member of the set holds, nor past
a join that waits for a member. A join depends on nobody but the thread it waits for, and the end of a
thread disturbs nobody: who waits for it cannot step before (unless it may do something else meanwhile, as
`pthread_tryjoin_np` does). And what nobody can notice is not an access at all (see ``semantics.code``).

The end of the process looks at all memory when leaks are checked, yet conflicts with nothing: a block that is
lost stays lost whatever others do before the end.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from sley.analyses.accesses import Accesses, find_accesses
from sley.analyses.effects import Effect
from sley.program.instructions import Join
from sley.semantics.code import Code
from sley.semantics.state import State, is_awaited, location_of
from sley.semantics.step import Interpreter
from sley.semantics.violations import flat_locks


class Reduction(Protocol):
    """Says which threads suffice at a state."""

    def proposals(self, state: State, running: Sequence[int]) -> Iterable[tuple[int, ...]]:
        """Persistent sets of threads, not all that run, the best first."""


class PersistentSets:
    """Proposes persistent sets of threads."""

    def __init__(self, code: Code, interpreter: Interpreter) -> None:
        self.code = code
        self.interpreter = interpreter
        self.accesses: Accesses = find_accesses(code.program, is_elsewhere_excluded=True)
        self._locks = [(cell, address) for address, cell in flat_locks(code).items()]
        self._noticed = ~(self.accesses.starts | self.accesses.awaited_ends)
        self._joins = {
            location: edge.instruction.handle
            for location, edges in code.out.items()
            for edge in edges
            if isinstance(edge.instruction, Join)
        }
        self._disturbances: dict[tuple[int, int, frozenset[int]], bool] = {}
        self._proposals: dict[tuple[object, ...], Sequence[tuple[int, ...]]] = {}

    def proposals(self, state: State, running: Sequence[int]) -> Sequence[tuple[int, ...]]:
        """Proper subsets of the running threads: single threads in their order, then larger sets by size.

        They depend on where the threads stand, whom they wait for and who holds which lock, nothing else.
        """
        if len(running) < 2:
            return ()
        where = {thread: location_of(state.threads[thread]) for thread in running}
        awaited = {thread: self.awaited(state, thread, at) for thread, at in where.items()}
        holders = tuple([state.cells[cell] for cell, _ in self._locks])
        key = (*where.items(), *awaited.values(), *holders)
        found = self._proposals.get(key)
        if found is None:
            found = self._proposals[key] = _View(self, where, awaited, holders).proposals()
        return found

    def awaited(self, state: State, thread: int, location: int) -> int | None:
        """The running thread that a thread at a join waits for."""
        handle = self._joins.get(location)
        if handle is None:
            return None
        number = self.interpreter.evaluate(state, thread, handle)
        return number - 1 if is_awaited(state, number) else None

    def held_by(self, holders: tuple[object, ...], members: set[int]) -> frozenset[int]:
        """The addresses of the locks that the members hold."""
        handles = {thread + 1 for thread in members}
        return frozenset(
            address for (_, address), holder in zip(self._locks, holders, strict=True) if holder in handles
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


@dataclass(frozen=True, slots=True)
class _View:
    """What the closure needs to know about a state."""

    sets: PersistentSets
    where: dict[int, int]
    awaited: dict[int, int | None]
    holders: tuple[object, ...]

    def proposals(self) -> list[tuple[int, ...]]:
        """The persistent sets that grow from single threads, without the set of all."""
        closures = dict.fromkeys(self._closure({thread}) for thread in self.where)
        return sorted((s for s in closures if len(s) < len(self.where)), key=len)

    def _closure(self, members: set[int]) -> tuple[int, ...]:
        """The smallest persistent set with these members."""
        while (extra := self._disturbing(members)) is not None:
            members.add(extra)
        return tuple(sorted(members))

    def _disturbing(self, members: set[int]) -> int | None:
        """A thread outside the set that can disturb a step of the set."""
        others = {  # who joins a member cannot move before it
            thread: at
            for thread, at in self.where.items()
            if thread not in members and self.awaited[thread] not in members
        }
        held = self.sets.accesses.staying_blocked(others.values(), self.sets.held_by(self.holders, members))
        for thread, at in others.items():
            for member in members:
                if self.awaited[member] == thread or self.sets.disturbs(at, self.where[member], held):
                    return thread
        return None
