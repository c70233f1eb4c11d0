"""Contexts of calls, what is known of the calls in them, and which threads start which.

A *context* is a function in the circumstances in which it is called. A call is summarised by the
objects that it may make, those of which it asks what they hold or whether they are gone, and those in
which it takes or gives back locks. Whatever is said of a call holds of the calls inside of it.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sley.semantics.abstract.objects import MANY_MAKERS


@dataclass(frozen=True, slots=True)
class Context:
    """A function, and under which circumstances it is called: threads of one kind, in one situation."""

    index: int
    function: str
    thread: int | None
    """Which threads run it: those of this object; None: the first thread."""
    is_one_of_many: bool = False
    """Whether what is made there is not told from what is made in other such contexts of the function."""

    @property
    def maker(self) -> int:
        """The context that abstract objects have that are made there."""
        return MANY_MAKERS if self.is_one_of_many else self.index


@dataclass
class Summaries:
    """Of all contexts."""

    made: Mapping[int, Collection[int]] = field(default_factory=dict)
    """Context -> the objects that a call in it may make, and the contexts c that it enters, as ``~c``."""
    asked: Mapping[int, Collection[int]] = field(default_factory=dict)
    """Context -> the objects of which a call in it asks what static ones hold, or whether others are gone."""
    handled: Mapping[int, Collection[int]] = field(default_factory=dict)
    """Context -> the objects in which a call in it may take locks, or give them back."""
    starting: Collection[int] = ()
    """The contexts in which a call may start threads: these get to see all static objects."""
    functions: Mapping[int | None, Collection[str]] = field(default_factory=dict)
    """Thread -> the functions that it may be in."""
    children: Mapping[int | None, Collection[int]] = field(default_factory=dict)
    """Thread -> those that it may start."""

    def offspring(self, thread: int) -> set[int]:
        """All threads that come of a thread."""
        found: set[int] = set()
        waiting = [thread]
        while waiting:
            for child in self.children.get(waiting.pop(), ()):
                if child not in found:
                    found.add(child)
                    waiting.append(child)
        return found


def made_by(
    contexts: Sequence[Context], calls: Iterable[tuple[int, int]], own: Callable[[Context], Iterable[int]]
) -> dict[int, set[int]]:
    """Context -> the objects that a call in it may make, and the contexts c that it enters, as ``~c``."""
    made = {context.index: {~context.index, *own(context)} for context in contexts}
    callers: dict[int, set[int]] = {}
    for caller, called in calls:
        callers.setdefault(called, set()).add(caller)
    waiting = list(made)
    while waiting:
        called = waiting.pop()
        for caller in callers.get(called, ()):
            if not made[called] <= made[caller]:
                made[caller] |= made[called]
                waiting.append(caller)
    return made
