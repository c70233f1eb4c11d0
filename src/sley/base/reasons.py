"""Reasons for giving up: what is behind them as data, beside the text in the terms of the part that gives up.

A program asks ``why_of``, never the text. ``wording.reasons`` says the same in plain words, and what helps.
"""

from enum import Enum
from typing import Self


class Why(Enum):
    """What is behind a reason; what it is about, if anything, is given in this order."""

    NO_MODEL = "no-model"
    """A function without a body and a model; its name."""
    CONSTRUCT = "construct"
    """What is not modelled, and maybe its place."""
    INPUT = "input"
    """An input with too many values, and maybe its name."""
    UNINITIALISED = "uninitialised"
    """The same of what was never written."""
    DEPENDS_ON_INPUTS = "depends-on-inputs"
    """What does."""
    BLOCK_SIZE = "block-size"
    LARGE_BLOCK = "large-block"
    """Its bytes."""
    LEFT_OPEN = "left-open"
    """What C leaves open."""
    POSSIBLE_BUG = "possible-bug"
    """What it rests on."""
    NO_ADDRESS = "no-address"
    NO_PLACE = "no-place"
    ORDERS = "orders"
    """What is beyond an engine, unless sequential consistency is assumed."""
    TIME = "time"
    """The limit in seconds."""
    SHARE = "share"
    """Of the time."""
    INTERRUPTED = "interrupted"
    """How."""
    MEMORY = "memory"
    """The limit in megabytes."""
    NO_MEMORY = "no-memory"
    STATES = "states"
    """How many."""
    UNROLLED = "unrolled"
    STEPS = "steps"
    """How many, after inlining."""
    LONG_LOOP = "long-loop"
    RECURSION = "recursion"
    """The function, and how many calls of it."""
    NO_INVARIANT = "no-invariant"
    ONE_BY_ONE = "one-by-one"
    """What looking at one thread at a time does not tell."""
    NO_PREDICATES = "no-predicates"
    HEAP = "heap"
    FOREIGN_LOCALS = "foreign-locals"
    WAITS = "waits"
    UNDECIDED = "undecided"
    """The property that an engine does not decide."""
    LONG_DOUBLE = "long-double"
    NO_REPLAY = "no-replay"
    SOLVER = "solver"
    SEVERAL_ENTRIES = "several-entries"
    OPEN = "open"
    """The rule of which it is not known whether it can be broken."""
    UNCHECKED = "unchecked"
    """Why a proof could not be checked."""
    MIXED_RACE = "mixed-race"
    OTHER_BUG = "other-bug"
    SUPPRESSED = "suppressed"
    """What is."""
    ATTEMPTS = "attempts"
    """What attempts that fail may hide, and why that is not known."""
    NOT_FOLLOWED = "not-followed"
    """A call that is not inlined."""


class Reason(str):
    """The text of a reason, with what is behind it."""

    why: Why
    about: tuple[str, ...]

    def __new__(cls, text: str, why: Why, *about: str) -> Self:
        """A string that also says what is behind it."""
        reason = super().__new__(cls, text)
        reason.why, reason.about = why, about
        return reason

    def __getnewargs__(self) -> tuple[str | Why, ...]:  # type: ignore[override]
        return (str.__str__(self), self.why, *self.about)

    def __str__(self) -> str:
        return self

    def __repr__(self) -> str:
        return f"Reason{(str.__str__(self), self.why.value, *self.about)!r}"


def reason_by_value(text: str, why: str, *about: str) -> Reason:
    """A reason by the value of what is behind it."""
    return Reason(text, Why(why), *about)


def why_of(reason: str) -> Why | None:
    """What is behind a reason; None if no program needs to know."""
    return reason.why if isinstance(reason, Reason) else None


def stems_from(reason: str, why: Why) -> bool:
    """Whether something is behind a reason, or behind one that the reason is about."""
    if not isinstance(reason, Reason):
        return False
    return reason.why is why or any(stems_from(one, why) for one in reason.about)


# --- reasons that several parts give ---------------------------------------------------------------

LONG_LOOP = Reason("an atomic section or a local loop does not end", Why.LONG_LOOP)
BLOCK_SIZE = Reason("the size of a heap block is not known, or too large", Why.BLOCK_SIZE)
MIXED_RACE = Reason("an atomic access and a plain one race, but races were not asked about", Why.MIXED_RACE)
OTHER_BUG = Reason("the search ended with another bug (--all-bugs goes on)", Why.OTHER_BUG)


def memory_limit(megabytes: int) -> Reason:
    """More memory would be needed."""
    return Reason(f"memory limit of {megabytes} MB reached", Why.MEMORY, str(megabytes))


def on_inputs(what: str) -> Reason:
    """Something depends on inputs that are not known."""
    return Reason(f"{what} depends on inputs that are not known", Why.DEPENDS_ON_INPUTS, what)


def beyond_orders(what: str) -> Reason:
    """Something that is not modelled where memory orders are weak."""
    return Reason(f"{what} (--memory-model sc)", Why.ORDERS, what)


def unmodelled_call(function: str) -> Reason:
    """A call of a function without a body and a model."""
    return Reason(f"unmodelled: call of `{function}`", Why.NO_MODEL, f"`{function}`")
