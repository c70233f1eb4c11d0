"""Who meets whom in one run, told step by step: of ten thousand threads only the one that moved is looked at.

It only raises suspicion, which the predicates of ``semantics.violations`` then confirm or not.
"""

from sley.semantics.state import State, is_ended
from sley.semantics.violations import NextAccess, StatePredicates, conflict


class Meetings:
    """The accesses before which threads stand, by the object."""

    def __init__(self, predicates: StatePredicates) -> None:
        self._predicates = predicates
        self._standing: dict[int, list[tuple[int, NextAccess]]] = {}
        """Thread -> what it is about to access, each with the object."""
        self._plain: dict[int, dict[int, NextAccess]] = {}
        """Object -> thread -> its next access, if that is not atomic; ``_atomic``: if it is."""
        self._atomic: dict[int, dict[int, NextAccess]] = {}
        self._threads = 1

    def may_race(self, state: State, moved: int) -> bool:
        """Whether what the thread that moved, or one that it has created, accesses next may race."""
        arrived = (moved, *range(self._threads, len(state.threads)))
        self._threads = len(state.threads)
        return sum(self._arrives(state, thread) for thread in arrived) > 0

    def _arrives(self, state: State, thread: int) -> bool:
        for number, _ in self._standing.pop(thread, ()):
            self._plain.get(number, {}).pop(thread, None)
            self._atomic.get(number, {}).pop(thread, None)
        if is_ended(state.threads[thread]):
            return False
        split = self._predicates.code.memory_map.offset_bits
        accesses = [(one.address >> split, one) for one in self._predicates.next_accesses(state, thread)]
        self._standing[thread] = accesses
        suspected = False
        for number, access in accesses:
            plain, atomic = (kind.setdefault(number, {}) for kind in (self._plain, self._atomic))
            suspected = suspected or any(conflict(access, one) for one in plain.values())
            if not access.is_atomic:
                suspected = suspected or any(conflict(access, one) for one in atomic.values())
            (atomic if access.is_atomic else plain)[thread] = access
        return suspected

    def may_wait_in_circle(self, state: State, moved: int) -> bool:
        """Whether the thread that moved waits for one that waits ... for itself."""
        passed, thread = {moved}, moved
        while (wait := self._predicates.waits_for(state, thread)) is not None:
            if wait.holder == moved:
                return True
            if wait.holder in passed:
                return False
            passed.add(wait.holder)
            thread = wait.holder
        return False
