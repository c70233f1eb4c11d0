"""Why there is no answer, in plain words, and what kind of thing helps.

Engines, checkers and passes give their reasons in their own terms, and say what is behind them. ``plain``
says the same to readers who do not know these terms; reasons with nothing behind them are shown as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from sley.base.reasons import Reason, Why


class Remedy(Enum):
    """What helps; the more it helps, the earlier it stands."""

    MODELS = "models"
    """Say what a function does."""
    INPUT = "input"
    """Give an input a range."""
    VALUE = "value"
    """Give a variable a value before it is read."""
    CONSTRUCT = "construct"
    """Do without what is not modelled."""
    ADDRESSES = "addresses"
    """Do not compute with addresses."""
    ORDERS = "orders"
    """Assume sequential consistency."""
    TIME = "time"
    MEMORY = "memory"
    SIZE = "size"
    """Make the program smaller."""
    SINGLE = "single"
    """Ask about other properties, or not about this one."""
    ENGINE = "engine"
    """Ask another engine: this one is not made for such programs."""


@dataclass(frozen=True, slots=True)
class Plain:
    """A reason in plain words."""

    text: str
    """A clause without a full stop."""
    remedy: Remedy
    subject: str = ""
    """The function, variable or place that it is about."""


_PLAIN: Mapping[Why, tuple[str, Remedy]] = {
    Why.NO_MODEL: ("what {0} does, or returns, is not modelled", Remedy.MODELS),
    Why.CONSTRUCT: ("the program has {0}", Remedy.CONSTRUCT),
    Why.INPUT: ("{0} may have too many values to try each of them", Remedy.INPUT),
    Why.UNINITIALISED: (
        "{0} is read before it is written, and may have too many values to try each of them",
        Remedy.VALUE,
    ),
    Why.DEPENDS_ON_INPUTS: ("{0} depends on inputs", Remedy.INPUT),
    Why.BLOCK_SIZE: ("the size of a block is not known (it depends on an input), or too large", Remedy.INPUT),
    Why.LARGE_BLOCK: ("a block of {0} bytes is too large", Remedy.SIZE),
    Why.LEFT_OPEN: ("what happens depends on {0}, which C leaves open", Remedy.ADDRESSES),
    Why.POSSIBLE_BUG: ("a possible bug rests on {0}", Remedy.ADDRESSES),
    Why.NO_ADDRESS: ("memory is accessed at a number that is no address", Remedy.ADDRESSES),
    Why.NO_PLACE: ("it is not known where an access goes, or a part of a pointer is read", Remedy.ADDRESSES),
    Why.ORDERS: ("{0}", Remedy.ORDERS),
    Why.TIME: ("the time limit of {0} s was reached", Remedy.TIME),
    Why.SHARE: ("the time was used up", Remedy.TIME),
    Why.INTERRUPTED: ("the run was {0}", Remedy.TIME),
    Why.MEMORY: ("the memory limit of {0} MB was reached", Remedy.MEMORY),
    Why.NO_MEMORY: ("there was no memory left", Remedy.MEMORY),
    Why.STATES: ("the limit of {0} states was reached (--max-states)", Remedy.SIZE),
    Why.UNROLLED: ("the program is too large once its loops are unrolled", Remedy.SIZE),
    Why.STEPS: (
        "the program has more than {0} steps, with every call put in place of its function",
        Remedy.SIZE,
    ),
    Why.LONG_LOOP: ("a loop that no other thread can notice goes on for very long, or for ever", Remedy.SIZE),
    Why.RECURSION: ("{0} calls itself more than {1} times (--recursion)", Remedy.SIZE),
    Why.NO_INVARIANT: ("no proof was found that looks at one or two threads at a time", Remedy.ENGINE),
    Why.ONE_BY_ONE: ("looking at one thread at a time, {0}", Remedy.ENGINE),
    Why.NO_PREDICATES: (
        "no proof was found for any number of threads that run the same functions",
        Remedy.ENGINE,
    ),
    Why.HEAP: ("the program uses malloc", Remedy.ENGINE),
    Why.FOREIGN_LOCALS: ("a thread uses locals of another one", Remedy.ENGINE),
    Why.WAITS: ("whether threads can wait for each other for ever is not known", Remedy.ENGINE),
    Why.UNDECIDED: ("{0} is not looked for", Remedy.ENGINE),
    Why.LONG_DOUBLE: ("a `long double` is computed with", Remedy.ENGINE),
    Why.NO_REPLAY: (
        "a violation was suspected, but no run that shows it could be made",
        Remedy.ENGINE,
    ),
    Why.SOLVER: ("a solver could not answer a question", Remedy.ENGINE),
    Why.SEVERAL_ENTRIES: ("a jump leads into the middle of a loop", Remedy.ENGINE),
    Why.OPEN: ("whether there is a {0} is not known", Remedy.ENGINE),
    Why.UNCHECKED: ("a proof was found, but not checked: {0}", Remedy.TIME),
    Why.MIXED_RACE: (
        "an atomic and a plain access race, which was not asked about: --property race finds out",
        Remedy.SINGLE,
    ),
    Why.OTHER_BUG: ("the search ended with another bug (--all-bugs goes on)", Remedy.SINGLE),
    Why.SUPPRESSED: ("{0}", Remedy.SINGLE),
    Why.ATTEMPTS: ("{0}", Remedy.ENGINE),
}
_SOMETHING = {Why.INPUT: "an input", Why.UNINITIALISED: "something"}
"""What is said if a reason names nothing."""


def plain(reason: str) -> Plain:
    """The reason in plain words."""
    if not isinstance(reason, Reason) or reason.why not in _PLAIN:
        return Plain(reason, Remedy.ENGINE)
    template, remedy = _PLAIN[reason.why]
    about = reason.about or (_SOMETHING.get(reason.why, ""),)
    subject = reason.about[0] if reason.about else ""
    if reason.why is Why.CONSTRUCT and len(about) > 1:
        what, place = about
        return Plain(f"{what} ({place}), which is not modelled", remedy, place)
    if reason.why is Why.UNDECIDED and about[0] == "leaks":
        template = "{0} are not looked for"
    return Plain(template.format(*about), remedy, subject)


@dataclass(frozen=True, slots=True)
class Merged:
    """One reason and the engines that gave it; none named: it stopped the whole."""

    reason: Plain
    engines: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The reason as a sentence, with those that it stopped."""
        text = self.reason.text[:1].upper() + self.reason.text[1:]
        by = f" ({', '.join(self.engines)})" if self.engines else ""
        return f"{text}{by}."


def merged(reasons: Sequence[tuple[str, str]]) -> list[Merged]:
    """Each reason once, what helps most first; pairs are of engines and their reasons.

    A function without a model is met by all engines: one that met another one first would meet it, too.
    """
    by_text: dict[str, tuple[Plain, list[str]]] = {}
    for engine, reason in reasons:
        read = plain(reason)
        key = read.remedy.value if read.remedy is Remedy.MODELS else read.text
        by_text.setdefault(key, (read, []))[1].append(engine)
    order = list(Remedy)
    found = [Merged(read, tuple(filter(None, engines))) for read, engines in by_text.values()]
    return sorted(found, key=lambda one: order.index(one.reason.remedy))


def decisive(reasons: Sequence[tuple[str, str]]) -> str:
    """The reason to name where there is room for one, as the engine gave it."""
    order = list(Remedy)
    return min((reason for _, reason in reasons), key=lambda reason: order.index(plain(reason).remedy))
