"""What can be violated, and how a violation is named to the user."""

import builtins
from dataclasses import dataclass
from enum import Enum


class Property(Enum):
    """A checkable property; members are in the order in which a result names the first violated."""

    REACH = "reach"
    DEREF = "deref"
    FREE = "free"
    OVERFLOW = "overflow"
    DEADLOCK = "deadlock"
    RACE = "race"
    LEAK = "leak"
    DIVISION = "division"
    MISUSE = "misuse"
    PROGRESS = "progress"
    UNINITIALISED = "uninitialised"

    @property
    def verdict_name(self) -> str:
        """The name inside ``RESULT: false(...)``."""
        return _VERDICT_NAMES[self]


_VERDICT_NAMES = {
    Property.REACH: "unreach-call",
    Property.DEREF: "valid-deref",
    Property.FREE: "valid-free",
    Property.OVERFLOW: "no-overflow",
    Property.DEADLOCK: "no-deadlock",
    Property.RACE: "no-data-race",
    Property.LEAK: "valid-memtrack",
    Property.DIVISION: "no-division-by-zero",
    Property.MISUSE: "no-misuse",
    Property.PROGRESS: "no-progress",
    Property.UNINITIALISED: "no-uninitialised-read",
}

ASSERTION = "assertion"
"""The rule that assertions of C hold."""

ASSERTION_FAILURES = frozenset({"__assert_fail", "__assert", "__assert_rtn", "__assert2"})
"""What the macro ``assert`` calls when it fails, by C library."""

INVALID_DEREFERENCE, INVALID_FREE = "invalid-dereference", "invalid-free"
"""The rules that pointers are valid where memory is accessed, and where it is freed."""

FLOAT_CONVERSION = "float-conversion"
"""The rule that a floating-point number fits the integer type that it is converted to."""

ON_REQUEST = frozenset({Property.PROGRESS, Property.UNINITIALISED})
"""Checked only if named: opinions differ on whether they are bugs, and only one engine knows them."""

ALL_PROPERTIES = frozenset(Property) - ON_REQUEST
"""What is checked if nothing is named."""

OF_STATES = frozenset({Property.RACE, Property.DEADLOCK, Property.LEAK, Property.PROGRESS})
"""Violated by a state, not by coming to a location."""

WITHOUT_LOCATION = OF_STATES | {Property.UNINITIALISED}
"""Violated in ways that no error location of a program stands for."""

PROPERTY_GROUPS: dict[str, frozenset[Property]] = {
    "reach": frozenset({Property.REACH}),
    "race": frozenset({Property.RACE}),
    "deadlock": frozenset({Property.DEADLOCK}),
    "memory": frozenset({Property.DEREF, Property.FREE, Property.LEAK}),
    "overflow": frozenset({Property.OVERFLOW}),
    "division": frozenset({Property.DIVISION}),
    "misuse": frozenset({Property.MISUSE}),
    "progress": frozenset({Property.PROGRESS}),
    "uninitialised": frozenset({Property.UNINITIALISED}),
}
"""What a user can select with ``--property``."""


def grouped(properties: frozenset[Property]) -> list[frozenset[Property]]:
    """Properties as a user selects them: what belongs to one name stays together."""
    return [chosen for group in PROPERTY_GROUPS.values() if (chosen := group & properties)]


OF, ON, IN, CALLED = ": `{}`", " on `{}`", " in `{}`", "`{}()` can be called"
"""How the subject of a failure is put behind its phrase."""


@dataclass(frozen=True, slots=True)
class Failure:
    """What it means that an error location is reached."""

    property: Property
    rule: str
    """A stable name of the rule, such as ``assertion``, ``null-dereference``, ``unlock-not-held``."""
    phrase: str
    """What goes wrong, for the user, such as ``assertion can fail``."""
    subject: str = ""
    """The expression, variable, function or kind of object that it goes wrong with; empty: none is named."""
    frame: str = OF
    """How the subject is put behind the phrase."""

    @builtins.property
    def message(self) -> str:
        """All of it, such as ``data race on `counter```."""
        return self.phrase + (self.frame.replace("{}", self.subject) if self.subject else "")

    def rank(self) -> int:
        """Which of several failures to name first: the smallest.

        An object that was not initialised comes before all others: they may follow from what is in it.
        """
        return -1 if self.rule == USE_UNINITIALISED else list(Property).index(self.property)


USE_UNINITIALISED = "use-uninitialised"
"""The rule that mutexes and the like are initialised before they are used."""

USE_DESTROYED = "use-destroyed"
"""The rule that they are not used when they are destroyed. Error locations with it stand for both rules."""
