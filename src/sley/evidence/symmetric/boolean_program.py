"""Boolean broadcast programs (Donaldson, Kaiser, Kroening, Tautschnig, Wahl, FMSD 2012, Sect. 3.2).

A program has shared Booleans and templates; a thread of a template has its own copy of the template's local
Booleans. A statement gives some of them arbitrary values, *constrained* by clauses over the values before
and after. Besides its own copies, a thread can change those of all threads at once (``all(b)``: a broadcast),
and a clause can speak of a passive thread ``p``, or two of them, ``p`` and ``q``: it then holds for all
assignments of distinct threads other than the active one ``a``.

Beyond the paper:

* there may be several templates; one with ``is_single`` has exactly one thread (``main``);
* threads may be created: ``n`` is then the new thread, whose Booleans are arbitrary but for the clauses;
* initial states are constrained (the paper starts from arbitrary values);
* a clause that mentions no passive thread stands outside the quantifier, so that it holds even if there are
  fewer threads than indices;
* a location has a scope: the local Booleans that mean something there. The others are 0, and no clause that
  mentions one of them applies.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

SHARED, ACTIVE, NEW = "", "a", "n"
PASSIVES = ("p", "q")
"""Whose copy a literal means; the passive threads are bound by the quantifier."""


class Literal(NamedTuple):
    """A Boolean variable before or (primed) after the statement, or its negation."""

    owner: str
    name: str
    is_primed: bool = False
    is_positive: bool = True

    def __str__(self) -> str:
        sign, owner = "" if self.is_positive else "!", f"{self.owner}." if self.owner else ""
        return f"{sign}{owner}{self.name}{chr(39) if self.is_primed else ''}"


class Clause(NamedTuple):
    """One of the literals holds, for all distinct threads of the templates ``passives``."""

    literals: tuple[Literal, ...]
    passives: tuple[str, ...] = ()
    """The templates of ``p`` and ``q``, as far as they occur."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What one thread does at a location; without anything to change it is a ``goto``."""

    source: int
    targets: tuple[int, ...]
    shared: tuple[str, ...] = ()
    """Shared Booleans that become arbitrary."""
    own: tuple[str, ...] = ()
    """Local Booleans of the active thread that become arbitrary."""
    everywhere: tuple[tuple[str, str], ...] = ()
    """(template, local Boolean): arbitrary in all threads of the template."""
    clauses: tuple[Clause, ...] = ()
    creates: str | None = None
    """The template of the thread that it creates."""


@dataclass(frozen=True, slots=True)
class BooleanTemplate:
    """The code of some threads."""

    name: str
    variables: tuple[str, ...]
    entry: int
    statements: tuple[Statement, ...]
    is_single: bool = False
    """Exactly one thread runs it."""
    is_created: bool = False
    """Its threads exist from their creation on; otherwise from the beginning."""
    scopes: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """Location -> the local Booleans that mean something there; all of them where nothing is said."""

    def scope(self, location: int) -> tuple[str, ...]:
        """The local Booleans that mean something at a location."""
        return self.scopes.get(location, self.variables)

    @property
    def locations(self) -> tuple[int, ...]:
        """All locations, in order of first mention."""
        found = dict.fromkeys((self.entry,))
        for statement in self.statements:
            found |= dict.fromkeys((statement.source, *statement.targets))
        return tuple(found)


@dataclass(frozen=True, slots=True)
class BooleanProgram:
    """Locations are unique in the whole program."""

    shared: tuple[str, ...]
    templates: tuple[BooleanTemplate, ...]
    initial: tuple[Clause, ...] = ()
    """What holds for the shared Booleans at the beginning."""
    errors: tuple[tuple[int, ...], ...] = ()
    """Bad combinations of locations: different threads are at these places at once."""

    def template(self, name: str) -> BooleanTemplate:
        """The template of that name."""
        return next(template for template in self.templates if template.name == name)
