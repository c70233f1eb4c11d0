"""Partial-order reduction by persistent sets.

A set of threads is *persistent* at a state if nothing that the other threads can do, as long as the set does
not move, conflicts with the next step of a thread in the set. It then suffices to take the steps of the set first:
every other interleaving only swaps steps that do not notice each other. The closure below starts with one
thread and adds every thread whose future (what it may do from where it stands, and what the threads that it may
create may do) conflicts with the next step of a member.

Two things keep futures small. A thread does not get past a lock that a member of the set holds. And what
nobody can notice is not an access at all (see ``semantics.code``).
"""

from collections.abc import Iterable, Sequence

from sley.analyses.accesses import Accesses
from sley.program.instructions import Lock
from sley.semantics.code import Code
from sley.semantics.state import State, location_of


class PersistentSets:
    """Proposes persistent sets of threads."""

    def __init__(self, code: Code) -> None:
        self.accesses = Accesses(code.program)
        self.locks = _flat_locks(code)
        self._closures: dict[tuple[object, ...], list[tuple[int, ...]]] = {}

    def proposals(self, state: State, running: Sequence[int]) -> Iterable[tuple[int, ...]]:
        """Proper subsets of the running threads, smallest first."""
        if len(running) < 2:
            return ()
        where = tuple(location_of(state.threads[thread]) for thread in running)
        holders = tuple(state.cells[cell] for cell, _ in self.locks)
        key = (where, holders, tuple(running))
        found = self._closures.get(key)
        if found is None:
            sets = {self._closure(thread, running, where, holders) for thread in running}
            found = sorted((s for s in sets if len(s) < len(running)), key=lambda s: (len(s), s))
            self._closures[key] = found
        return found

    def _closure(
        self, start: int, running: Sequence[int], where: tuple[int, ...], holders: tuple[object, ...]
    ) -> tuple[int, ...]:
        members = {start}
        is_stable = False
        while not is_stable:
            is_stable = True
            held = frozenset(
                address for (_, address), h in zip(self.locks, holders, strict=True) if h in _handles(members)
            )
            actions = [self.accesses.action(at) for t, at in zip(running, where, strict=True) if t in members]
            for thread, at in zip(running, where, strict=True):
                if thread in members:
                    continue
                future = self.accesses.future_until(at, held)
                if any(action.conflicts(future) for action in actions):
                    members.add(thread)
                    is_stable = False
                    break
        return tuple(sorted(members))


def _handles(members: set[int]) -> set[int]:
    return {thread + 1 for thread in members}


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
