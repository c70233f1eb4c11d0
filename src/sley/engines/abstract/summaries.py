"""Summaries of calls while they grow: what is new of a call is new of the calls that enter it."""

from collections.abc import Callable, Collection, Iterable

from sley.semantics.abstract.contexts import Context, Summaries
from sley.semantics.abstract.functions import Mentions, made_in, starts_threads
from sley.semantics.abstract.objects import Objects
from sley.semantics.abstract.values import Value, object_of


class GrowingSummaries(Summaries):
    """Says which contexts to look at again, or anew if their entry states were told too little."""

    made: dict[int, set[int]]
    asked: dict[int, set[int]]
    handled: dict[int, set[int]]
    starting: set[int]
    functions: dict[int | None, set[str]]
    children: dict[int | None, set[int]]

    def __init__(self, objects: Objects, again: Callable[[int], None], anew: Callable[[int], None]) -> None:
        super().__init__({}, {}, {}, set(), {}, {})
        self._objects = objects
        self._again = again
        """What is said of a call in a context has changed: its callers look again."""
        self._anew = anew
        """A context has to be entered with more static objects."""
        self._mentions = Mentions(objects)
        self._callers: dict[int, set[int]] = {}
        self._withheld: dict[int, set[int]] = {}
        """Context -> what its callers owned and did not pass to it."""

    def add(self, context: Context) -> bool:
        """A new context; whether its function is new to the thread."""
        index = context.index
        self.made[index] = {~index, *made_in(context, self._objects)}
        self._note_starting(index, self.made[index])
        self.asked[index] = self._mentions.of(context.function)  # what is asked later makes it begin anew
        self.handled[index] = set()
        functions = self.functions.setdefault(context.thread, set())
        is_new = context.function not in functions
        functions.add(context.function)
        return is_new

    def _note_starting(self, index: int, made: Iterable[int]) -> None:
        if starts_threads(made, self._objects):
            self.starting.add(index)

    def ask_for(self, context: int, arguments: Iterable[Value]) -> None:
        """What the arguments of a call point to is asked for from the start."""
        self.asked[context].update(object_of(one) for value in arguments for one, _ in value.places)

    def enter(self, context: int, caller: int) -> None:
        """A context is called from another one."""
        self._callers.setdefault(context, set()).add(caller)
        for known in (self.made, self.asked, self.handled):
            self.tell(known, caller, known[context])

    def withhold(self, context: int, objs: Collection[int]) -> None:
        """A caller owns objects and does not pass them."""
        self._withheld.setdefault(context, set()).update(objs)

    def forget(self, context: int) -> None:
        """It begins anew: nothing has been withheld so far."""
        self._withheld.pop(context, None)

    def tell(self, known: dict[int, set[int]], context: int, objs: Collection[int]) -> None:
        """Of a call in a context, and of those that enter it, this holds, too."""
        waiting = [context]
        while waiting:
            index = waiting.pop()
            added = set(objs) - known[index]
            if added:
                was_given_all = index in self.starting
                known[index] |= added
                if known is self.made:
                    self._note_starting(index, added)
                is_given_all = index in self.starting
                withheld = self._withheld.get(index, set()) if known is not self.handled else set()
                if not was_given_all and (is_given_all or not withheld.isdisjoint(added)):
                    self._anew(index)
                self._again(index)
                waiting += self._callers.get(index, ())
