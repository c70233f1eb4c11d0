"""Why there is no answer, in plain words, and what kind of thing helps.

Engines, checkers and passes give their reasons in their own terms. ``plain`` reads such a reason and says the
same to somebody who knows none of them; reasons that it does not know are shown as they are.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum


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


_NO_MODEL = "what {0} does, or returns, is not modelled"
_INPUT = "{0} may have too many values to try each of them"
_INVARIANT = "no proof was found that looks at one or two threads at a time"
_REPLAY = "a violation was suspected, but no run that shows it could be made"
_SOLVER = "a solver could not answer a question"
_LARGE = "the program is too large once its loops are unrolled"
_FOR_EVER = "whether threads can wait for each other for ever is not known"

_TABLE: tuple[tuple[str, str, Remedy], ...] = (
    (r"possible bug.*(?:depends|rests) on unmodelled function (`[^`]*`).*", _NO_MODEL, Remedy.MODELS),
    (r"unmodelled: call of (`[^`]*`)", _NO_MODEL, Remedy.MODELS),
    (r"unmodelled: .*?calls? (?:of|to) (`[^`]*`).*", _NO_MODEL, Remedy.MODELS),
    (r"unmodelled: (.*)", "the program has {0}", Remedy.CONSTRUCT),
    (r"the unmodelled function (`[^`]*`) in a program with weak memory orders", _NO_MODEL, Remedy.MODELS),
    (r"(`[^`]*`) \(unmodelled\) has too many possible values to enumerate", _NO_MODEL, Remedy.MODELS),
    (r"(`[^`]*`) \(input\) has too many possible values to enumerate", _INPUT, Remedy.INPUT),
    (
        r"(`[^`]*`) \(uninitialised\) has too many possible values to enumerate",
        "{0} is read before it is written, and may have too many values to try each of them",
        Remedy.VALUE,
    ),
    (
        r"an arbitrary value \(uninitialised\) has too many possible values to enumerate",
        "something is read before it is written, and may have too many values to try each of them",
        Remedy.VALUE,
    ),
    (
        r"an arbitrary value \(\w+\) has too many possible values to enumerate",
        "an input may have too many values to try each of them",
        Remedy.INPUT,
    ),
    (r"(.*) depends on inputs that are not known", "{0} depends on inputs", Remedy.INPUT),
    (
        r"the size of a heap block is not known, or too large",
        "the size of a block is not known (it depends on an input), or too large",
        Remedy.INPUT,
    ),
    (r"heap block of (\d+) bytes is too large", "a block of {0} bytes is too large", Remedy.SIZE),
    (r"what happens depends on (.*)", "what happens depends on {0}, which C leaves open", Remedy.ADDRESSES),
    (r"possible bug.*(?:depends|rests) on (.*)", "a possible bug rests on {0}", Remedy.ADDRESSES),
    (
        r"memory is accessed at a number that is not derived from an address",
        "memory is accessed at a number that is no address",
        Remedy.ADDRESSES,
    ),
    (
        r"an access to a place, or to part of a pointer, that is not known",
        "it is not known where an access goes, or a part of a pointer is read",
        Remedy.ADDRESSES,
    ),
    (r"(.*) \(--memory-model sc(?: assumes that this is all)?\)", "{0}", Remedy.ORDERS),
    (r"time limit of (\S+) s reached", "the time limit of {0} s was reached", Remedy.TIME),
    (r"its share of the time is used up", "the time was used up", Remedy.TIME),
    (r"nothing found in \d+ s", "the time was used up", Remedy.TIME),
    (r"the engines are at work|nothing is known yet", "the time was used up", Remedy.TIME),
    (r"(interrupted|terminated)", "the run was {0}", Remedy.TIME),
    (r"memory limit of (\S+) MB reached", "the memory limit of {0} MB was reached", Remedy.MEMORY),
    (r"out of memory", "there was no memory left", Remedy.MEMORY),
    (r"limit of (\d+) states reached", "the limit of {0} states was reached (--max-states)", Remedy.SIZE),
    (r"the unrolled program is too large", _LARGE, Remedy.SIZE),
    (r"too many (?:accesses|events) for a formula .*", _LARGE, Remedy.SIZE),
    (
        r"the program has more than (\d+) steps after inlining",
        "the program has more than {0} steps, with every call put in place of its function",
        Remedy.SIZE,
    ),
    (
        r"(?:an atomic section or a local (?:loop|computation)) (?:does not end|is too long)",
        "a loop that no other thread can notice goes on for very long, or for ever",
        Remedy.SIZE,
    ),
    (
        r"recursion deeper than (\d+) calls of (`[^`]*`)",
        "{1} calls itself more than {0} times (--recursion)",
        Remedy.SIZE,
    ),
    (r"no invariant of so few threads at a time excludes all violations", _INVARIANT, Remedy.ENGINE),
    (r"the invariants found hold for mathematical integers only", _INVARIANT, Remedy.ENGINE),
    (r"one thread at a time: (.*)", "looking at one thread at a time, {0}", Remedy.ENGINE),
    (
        r"no new predicates exclude a spurious counterexample.*",
        "no proof was found for any number of threads that run the same functions",
        Remedy.ENGINE,
    ),
    (r"the program uses the heap.*", "the program uses malloc", Remedy.ENGINE),
    (r"a thread writes to what belongs to another one", "a thread uses locals of another one", Remedy.ENGINE),
    (r"whether threads can wait for each other for ever(?:: .*)?", _FOR_EVER, Remedy.ENGINE),
    (
        r"engine \w+ does not decide whether threads can wait for each other for ever",
        _FOR_EVER,
        Remedy.ENGINE,
    ),
    (r"engine \w+ does not decide leaks", "leaks are not looked for", Remedy.ENGINE),
    (r"engine (\w+) does not decide (.*)", "{1} is not looked for", Remedy.ENGINE),
    (
        r"a `long double` that is not constant is beyond the solver",
        "a `long double` is computed with",
        Remedy.ENGINE,
    ),
    (r"a (?:possible )?violation could not be replayed: .*", _REPLAY, Remedy.ENGINE),
    (r"a violation is possible only for certain ids of threads", _REPLAY, Remedy.ENGINE),
    (r"the solver (?:gave up|could not decide .*|found no values .*)", _SOLVER, Remedy.ENGINE),
    (r"an implication could not be decided.*", _SOLVER, Remedy.ENGINE),
    (r"a solver cannot tell whether some inputs are possible: .*", _SOLVER, Remedy.ENGINE),
    (r"a loop has several entries", "a jump leads into the middle of a loop", Remedy.ENGINE),
    (
        r"whether there is a ([\w-]+) could not be decided",
        "whether there is a {0} is not known",
        Remedy.ENGINE,
    ),
    (r"the proof could not be checked: (.*)", "a proof was found, but not checked: {0}", Remedy.TIME),
    (
        r"an atomic access and a plain one race, but races were not asked about",
        "an atomic and a plain access race, which was not asked about: --property race finds out",
        Remedy.SINGLE,
    ),
    (
        r"the search ended with another bug \(--all-bugs goes on\)",
        "the search ended with another bug (--all-bugs goes on)",
        Remedy.SINGLE,
    ),
    (r"(\d+ findings? (?:is|are) suppressed, and more .*)", "{0}", Remedy.SINGLE),
    (r"(\S+:\d+:\d+): (.*)", "{1} ({0}), which is not modelled", Remedy.CONSTRUCT),
)


def plain(reason: str) -> Plain:
    """The reason in plain words."""
    for pattern, template, remedy in _TABLE:
        found = re.fullmatch(pattern, reason, re.DOTALL)
        if found is not None:
            return Plain(template.format(*found.groups()), remedy, found[1] if found.groups() else "")
    return Plain(reason, Remedy.ENGINE)


@dataclass(frozen=True, slots=True)
class Merged:
    """One reason and the engines that gave it; none named: it stopped the whole."""

    reason: Plain
    engines: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """The reason as a sentence, with those that it stopped."""
        text = self.reason.text[0].upper() + self.reason.text[1:]
        by = f" ({', '.join(self.engines)})" if self.engines else ""
        return f"{text}{by}."


def merged(reasons: Sequence[tuple[str, str]]) -> list[Merged]:
    """Each reason once, what helps most first; pairs are of engines and their reasons.

    A function without a model stands in the way of all: whoever met another one first would have met it, too.
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
