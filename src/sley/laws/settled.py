"""The account of a fixpoint: of each check of a program, whether it is proved.

LAW. If no step leads out of the states of a fixpoint, every step of every run is among those that a
walk from them takes, up to the first access by an unknown address. What a walk has no doubt about
in any state, holds in all runs; and if it has no doubt about anything, and meets neither such an
access nor a place where it is not known how to go on, all runs are right. For let one go wrong: the
first thing in it that does is at a step from a state that the fixpoint has, and the walk has told
of it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from sley.base.reasons import Reason, Why
from sley.program import instructions as ir
from sley.program.program import Edge, Program, user_origin
from sley.program.properties import Failure, Property
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.state import AbstractState, Lock
from sley.semantics.abstract.values import NOTHING, Token, Value, union, without_symbol
from sley.semantics.abstract.world import Doubt, Guard, Listener, PossibleWait, SharedTouch

Place = tuple[int, int]
"""A context and a location of its function."""

Part = tuple[int, int, int]
"""An object, an offset, and a number of bytes."""

Check = tuple[Place, Property]
"""What can be wrong, and where."""


def is_flat(program: Program) -> bool:
    """Whether a program was prepared: then its error locations are all that can be wrong."""
    return not any(isinstance(edge.instruction, ir.Check | ir.Call | ir.Return) for edge in program.edges)


@dataclass
class Settled(Listener):
    """The account of a fixpoint: of each check of a program, whether it is proved.

    LAW. If no step leads out of the states of a fixpoint, every step of every run is among those that a walk
    from them takes, up to the first access by an unknown address. What a walk has no doubt about in any
    state, holds in all runs; and if it has no doubt about anything, and meets neither such an access nor a
    place where it is not known how to go on, all runs are right. For let one go wrong: the first thing in
    it that does is at a step from a state that the fixpoint has, and the walk has told of it.
    """

    results: dict[Check, Doubt | None] = field(default_factory=dict)
    """The first doubt about each check; None: it is proved."""
    edges: dict[Place, Edge] = field(default_factory=dict)
    functions: dict[int, str] = field(default_factory=dict)
    """Context -> its function."""
    elsewhere: set[Place] = field(default_factory=set)
    """Where memory is accessed by an unknown address."""
    given_up: dict[Place, str] = field(default_factory=dict)
    """Where it is not known how to go on, and why."""
    staying: set[Place] = field(default_factory=set)
    """Where a thread may have to wait, and it is not known for what."""
    sections: set[Place] = field(default_factory=set)
    """Where atomic sections begin."""
    waits: dict[PossibleWait, set[Place]] = field(default_factory=dict)
    """Waits for locks and for the ends of threads, and where they are."""
    taken: dict[int | None, set[ObjectCell]] = field(default_factory=dict)
    """Thread -> the locks that it may take."""
    named: dict[Token, Value] = field(default_factory=dict)
    """What names of values stand for."""
    kept: dict[tuple[int | None, frozenset[Lock] | None], set[Place]] = field(default_factory=dict)
    """Threads and locks that they may have when they end, None: any; and where they end."""
    stuck: dict[Place, str] = field(default_factory=dict)
    """Where threads may wait for ever, and why."""
    has_blocks: bool = False
    """Whether there are heap blocks."""
    touched: dict[SharedTouch, set[Place]] = field(default_factory=dict)
    """Accesses that may meet others, and where they are made."""
    guarded: dict[Part, frozenset[Guard]] = field(default_factory=dict)
    """Parts of objects, and the locks under which all accesses to them are while several threads run."""
    partners: dict[Place, Place] = field(default_factory=dict)
    """Of accesses that may meet another one: where one of those is."""
    is_flat: bool = False
    """Whether error locations are all that can be wrong."""
    reached: set[int] = field(default_factory=set)
    """Error locations that a thread may come to."""
    uncertain: set[int] = field(default_factory=set)
    """Of a flat program: where an access may be wrong."""
    meeting: set[int] = field(default_factory=set)
    """Where an access may meet another one, to blame or not."""

    def _place(self, context: Context, edge: Edge) -> Place:
        place = (context.index, edge.source)
        self.edges[place] = edge
        self.functions[context.index] = context.function
        return place

    def checks(self, context: Context, edge: Edge, prop: Property, doubt: Doubt | None) -> None:
        """Proved, if there is no doubt in any state."""
        if not self.is_flat:  # there, what can be wrong has an error location
            self.add(self._place(context, edge), prop, doubt)
        elif prop is Property.DEREF and doubt is not None:
            self.uncertain.add(edge.source)

    def add(self, place: Place, prop: Property, doubt: Doubt | None) -> None:
        """The first doubt stays."""
        self.results[place, prop] = self.results.get((place, prop)) or doubt

    def reaches(self, context: Context, edge: Edge, failure: Failure) -> None:
        """Open."""
        self.add(self._place(context, edge), failure.property, Doubt.VALUES)
        self.reached.add(edge.target)

    def touches(self, context: Context, edge: Edge, touch: SharedTouch) -> None:
        """To be compared with others."""
        self.touched.setdefault(touch, set()).add(self._place(context, edge))

    def takes(self, context: Context, cells: Iterable[ObjectCell]) -> None:
        """It may be held from then on."""
        self.taken.setdefault(context.thread, set()).update(cells)

    def waits_for(self, context: Context, edge: Edge, wait: PossibleWait) -> None:
        """To be compared with others."""
        self.waits.setdefault(wait, set()).add(self._place(context, edge))

    def may_stay(self, context: Context, edge: Edge) -> None:
        """Open."""
        self.staying.add(self._place(context, edge))

    def begins(self, context: Context, edge: Edge) -> None:
        """It may not be completed."""
        self.sections.add(self._place(context, edge))

    def names(self, token: Token, value: Value) -> None:
        """A lock may be known by it."""
        self.named[token] = union(self.named.get(token, NOTHING), without_symbol(value))

    def ends(self, context: Context, edge: Edge, state: AbstractState) -> None:
        """A return from main ends the process."""
        if context.thread is None and isinstance(edge.instruction, ir.Return):
            return
        locks = None if state.maybe is None else state.held | state.maybe
        if locks != frozenset():
            self.kept.setdefault((context.thread, locks), set()).add(self._place(context, edge))

    def is_elsewhere(self, context: Context, edge: Edge) -> None:
        """It is not known what it does."""
        self.elsewhere.add(self._place(context, edge))

    def gives_up(self, context: Context, edge: Edge, reason: str) -> None:
        """It is not known how to go on."""
        self.given_up[self._place(context, edge)] = reason

    def open(self, prop: Property) -> list[Place]:
        """Where a property may be violated."""
        return [place for (place, of), doubt in self.results.items() if of is prop and doubt is not None]

    def waiting(self) -> Iterator[tuple[Check, Doubt | None]]:
        """Where threads wait, as checks."""
        for place in {place for places in self.waits.values() for place in places} | self.stuck.keys():
            yield (place, Property.DEADLOCK), Doubt.WAITS if place in self.stuck else None

    def why_not(self, properties: Iterable[Property]) -> str | None:
        """The first reason why not all of these properties are proved; None: they are."""
        for place, reason in self.given_up.items():
            return _one_by_one(f"{reason}, {self._at(place)}")
        for prop in sorted(properties, key=list(Property).index):
            for place in self.open(prop):
                return _one_by_one(f"{_MAY_BE[prop]}, {self._at(place)}")
            for place, reason in self.stuck.items() if prop is Property.DEADLOCK else ():
                return _one_by_one(f"{reason}, {self._at(place)}")
            if self.is_beyond(prop):
                name = "leaks" if prop is Property.LEAK else prop.value
                return Reason(f"engine abstract does not decide {name}", Why.UNDECIDED, name)
        for place in self.elsewhere:
            return _one_by_one(f"an address is not known, {self._at(place)}")
        return None

    def is_beyond(self, prop: Property) -> bool:
        """Whether a property of this program is not looked at."""
        return self.has_blocks if prop is Property.LEAK else prop not in (*_MAY_BE, Property.DEADLOCK)

    def _at(self, place: Place) -> str:
        origin = user_origin(self.edges[place].origin)
        return origin.function if origin.span is None else f"{origin.span.file}:{origin.span.line}"


def _one_by_one(what: str) -> Reason:
    """Why looking at one thread at a time is not enough."""
    return Reason(f"one thread at a time: {what}", Why.ONE_BY_ONE, what)


_MAY_BE = {
    Property.REACH: "an assertion may fail",
    Property.DEREF: "an access may be invalid",
    Property.FREE: "a free may be invalid",
    Property.OVERFLOW: "a sum may overflow",
    Property.RACE: "an access may race",
    Property.DIVISION: "a division may be one by zero",
    Property.MISUSE: "the library may be misused",
}
