"""Every check of a C program on its own: what a fixpoint proves, and what it leaves open.

A check in a model of the library is one of the user's call. One in several contexts is proved if it is so in
all of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from sley.evidence.fingerprints import name_of, party
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.library_objects import object_of
from sley.laws.settled import Place, Settled
from sley.program.program import Function, Origin, Program
from sley.program.properties import Property
from sley.semantics.abstract.calls import ENDING
from sley.semantics.abstract.objects import ObjectKind, Objects
from sley.semantics.abstract.world import Doubt


@dataclass(frozen=True, slots=True)
class OpenCheck:
    """What may go wrong somewhere, as far as the fixpoint knows."""

    property: Property
    doubt: Doubt
    origin: Origin
    other: Origin | None = None
    """Of a race: where the other thread may be."""

    def fingerprint(self) -> str:
        """A name that outlives edits elsewhere: no lines are in it; several checks may have the same."""
        file = "" if self.origin.span is None else self.origin.span.file
        return name_of([self.property.value, *party(file, (self.origin.function,), self.origin.text)])


WORST = (
    Property.RACE,
    Property.DEADLOCK,
    Property.DEREF,
    Property.FREE,
    Property.REACH,
    Property.MISUSE,
    Property.DIVISION,
    Property.OVERFLOW,
)
"""What is open is shown, and searched, in this order."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How runs were led to open checks."""

    runs: int
    places: int
    """Where something is open; one place may have several checks."""
    tried: int
    """To so many of these places runs were led ..."""
    reached: int
    """... and at so many of them, at least, a thread arrived."""


@dataclass(frozen=True, slots=True)
class Survey:
    """All checks of a program."""

    proved: Mapping[Property, int]
    open: tuple[OpenCheck, ...]
    """In the order of the program."""
    passed_over: Mapping[str, Origin] = field(default_factory=dict)
    """What cannot be followed, each kind once: memory is taken to stay as it is there."""
    astray: tuple[Origin, ...] = ()
    """Where memory is accessed by an unknown address: it is taken as none that is known."""
    guarded: tuple[tuple[str, str], ...] = ()
    """What is only touched under a lock while several threads run, and the lock."""
    undecided: tuple[Property, ...] = ()
    """Of which no single checks are known."""
    runs: Effort | None = None
    """What was done to reach what is open; None: nothing."""

    @property
    def count(self) -> int:
        """How many checks there are."""
        return sum(self.proved.values()) + len(self.open)


def survey_of(program: Program, properties: frozenset[Property], proof: Fixpoint, settled: Settled) -> Survey:
    """What a checked fixpoint says of each check of some properties."""
    sites = _ContextSites(program, proof, settled)
    doubts: dict[tuple[Place, Property], OpenCheck | None] = {}
    for (place, prop), doubt in (*settled.results.items(), *settled.waiting()):
        if prop not in properties:
            continue
        for site in sites.of(place):
            key = (sites.plain(site), prop)
            if doubt is None:
                doubts.setdefault(key, None)
            elif doubts.get(key) is None:
                other = sites.other(place) if prop is Property.RACE else None
                doubts[key] = OpenCheck(prop, doubt, sites.origin(site), other)
    proved = {prop: sum(one is None for (_, of), one in doubts.items() if of is prop) for prop in Property}
    order = list(Property)
    found = [one for one in doubts.values() if one is not None]
    found.sort(key=lambda one: (order.index(one.property), *_position(one.origin)))
    passed_over: dict[str, Origin] = {}
    for place, reason in settled.given_up.items():
        passed_over.setdefault(reason, sites.origin(min(sites.of(place), default=place)))
    astray = {sites.origin(site) for place in settled.elsewhere for site in sites.of(place)}
    undecided = tuple(prop for prop in order if prop in properties and settled.is_beyond(prop))
    return Survey(
        {prop: count for prop, count in proved.items() if count},
        tuple(found),
        passed_over,
        tuple(sorted(astray, key=_position)),
        tuple(_guarded(Objects(program, proof.origins), settled)),
        undecided,
    )


def _guarded(objects: Objects, settled: Settled) -> Iterator[tuple[str, str]]:
    """By the names that C has for them."""
    found: dict[tuple[str, str], None] = {}
    for (obj, offset, _), guards in sorted(settled.guarded.items()):
        guard = min(guards)
        lock = "an atomic section"
        if guard.object >= 0:
            inside = _path(objects, guard.object, guard.offset)
            lock = lock_name("its " if guard.is_inside else _name(objects, guard.object), inside)
        name = _name(objects, obj) + _path(objects, obj, offset)
        if not _is_inner(name):
            found[name, lock] = None
    yield from found


def lock_name(holder: str, path: str) -> str:
    """What the user calls a lock; one that only the system's own structures name lies in something."""
    name = object_of(holder + path).partition(_HIDDEN)[0]
    return "a lock in it" if name == "its " else name


_HIDDEN = ".__"
"""What members of the system's own structures start with."""


def _is_inner(name: str) -> bool:
    """Whether it is inside of an object of the library, or of its models: no concern of the user's."""
    return object_of(name) != name or _HIDDEN in name or name.startswith("sley_")


def _name(objects: Objects, obj: int) -> str:
    """A variable, or where a block is made."""
    origin = objects.origins[obj]
    if origin.kind is not ObjectKind.HEAP:
        return origin.name.rpartition("::")[2]
    edge = objects.program.functions[origin.name].outgoing[origin.number][0]
    span = edge.origin.span
    return f"(block of {edge.origin.function if span is None else f'{PurePath(span.file).name}:{span.line}'})"


def _path(objects: Objects, obj: int, offset: int) -> str:
    shape = objects.shape(obj)
    found = None if shape is None else shape.layout.cell_at(offset)
    return "" if shape is None or found is None else shape.layout.path_of(found[0], shape.size or 0)


def _position(origin: Origin) -> tuple[str, int, int]:
    span = origin.span
    return ("", 0, 0) if span is None else (span.file, span.line, span.column)


def _written_out(function: Function) -> dict[int, int]:
    """Locations in calls of the library that are steps of the function, and where each call begins."""
    starts: dict[int, int] = {}
    found: dict[int, int] = {}
    for edge in function.edges:
        if edge.origin.written_out:
            found[edge.source] = starts.setdefault(edge.origin.written_out, edge.source)
    return found


class _ContextSites:
    """Where the user sees what happens in a context."""

    def __init__(self, program: Program, proof: Fixpoint, settled: Settled) -> None:
        self._program = program
        self._proof = proof
        self._settled = settled
        self._callers: dict[int, set[Place]] = {}
        for call, called in proof.calls.items():
            self._callers.setdefault(called, set()).add(call[:2])
        for start, started in proof.starts.items():
            self._callers.setdefault(started, set()).add(start[:2])
        self._first = {context.function: context.index for context in reversed(proof.contexts)}
        self._known: dict[int, set[Place]] = {}
        self._edges: dict[str, dict[int, Origin]] = {}
        self._calls: dict[str, dict[int, int]] = {}

    def of(self, place: Place) -> set[Place]:
        """The place itself, or the user's calls that lead there."""
        index, _ = place
        if not self._is_library(index):
            return {place}
        if index not in self._known:
            self._known[index] = set()  # for those that call themselves
            found = [self.of(caller) for caller in self._callers.get(index, ())]
            self._known[index] = set().union(*found)
        return self._known[index]

    def _is_library(self, index: int) -> bool:
        return self._program.functions[self._proof.contexts[index].function].is_library

    def plain(self, site: Place) -> Place:
        """The same for all contexts of a function, and for all steps of a call of the library."""
        index, location = site
        function = self._proof.contexts[index].function
        if function not in self._calls:
            self._calls[function] = _written_out(self._program.functions[function])
        return self._first[function], self._calls[function].get(location, location)

    def origin(self, site: Place) -> Origin:
        """Where that is in C."""
        index, location = site
        function = self._program.functions[self._proof.contexts[index].function]
        if location == ENDING:
            return Origin(function.span, "", function.c_name)
        if function.name not in self._edges:
            self._edges[function.name] = {edge.source: edge.origin for edge in reversed(function.edges)}
        return self._edges[function.name][location]

    def other(self, place: Place) -> Origin | None:
        """Where the thread is that may be met."""
        partner = self._settled.partners.get(place)
        return None if partner is None else self.origin(min(self.of(partner), default=partner))
