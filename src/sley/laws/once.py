"""What happens at most once in a run, as far as calls in their contexts tell.

LAW. A context is entered at most once if it is called or started at a single place, which is passed
at most once; that of the first thread, if it is called from nowhere. A place is passed at most once
if its context is entered at most once and no path of its function leads from the place back to it.
For each entry is a call or a start at a place that is known here, and to pass a place twice takes a
second entry, or a path back. What is asked while it is being decided calls itself, and may happen
again.
"""

from collections.abc import Callable, Mapping, Sequence

from sley.semantics.abstract.calls import ENDING, Call, Start
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.objects import MANY_MAKERS, ObjectKind, ObjectOrigin


class Once:
    """Contexts that are entered at most once, and objects of which there is at most one."""

    def __init__(
        self,
        contexts: Sequence[Context],
        calls: Mapping[Call, int],
        starts: Mapping[Start, int],
        on_cycle: Callable[[str, int], bool],
    ) -> None:
        self._contexts = contexts
        self._on_cycle = on_cycle
        self._entered: dict[int, set[tuple[int, int]]] = {}
        self._known: dict[int, bool] = {}
        for (caller, location, _, _), called in calls.items():
            self.enter(called, caller, location)
        for (creator, location, _), started in starts.items():
            self.enter(started, creator, location)

    def enter(self, context: int, caller: int, location: int) -> None:
        """A context is also entered from here."""
        self._entered.setdefault(context, set()).add((caller, location))
        self._known.clear()

    def is_entered_once(self, context: int) -> bool:
        """Whether a context is entered at most once."""
        found = self._known.get(context)
        if found is None:
            self._known[context] = False  # for recursion
            places = self._entered.get(context, set())
            is_first = context == 0
            found = not places if is_first else len(places) == 1 and all(map(self._is_passed_once, places))
            self._known[context] = found
        return found

    def _is_passed_once(self, place: tuple[int, int]) -> bool:
        context, location = place
        if not self.is_entered_once(context):
            return False
        return location == ENDING or not self._on_cycle(self._contexts[context].function, location)

    def is_made_once(self, origin: ObjectOrigin) -> bool:
        """Whether there is at most one instance of an object."""
        if origin.kind is ObjectKind.STATIC:
            return True
        if origin.kind not in (ObjectKind.HEAP, ObjectKind.THREAD) or origin.context == MANY_MAKERS:
            return False
        return self._is_passed_once((origin.context, origin.number))
