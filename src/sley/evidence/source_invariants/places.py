"""The places of a C program that invariants are for, and where a thread stands in the prepared one then."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from sley.analyses.loops import find_loops
from sley.base.source import Span
from sley.evidence.invariants import Kind
from sley.program import instructions as ir
from sley.program.program import CallSite, Edge, Function, user_origin
from sley.program.rewriting import written_registers
from sley.semantics.code import Code


@dataclass(frozen=True, slots=True)
class PlaceInstance:
    """A location that is such a place, in one template and one context of calls.

    A thread that comes here goes on to one of ``stops`` without others noticing: there, its registers are the
    same but for those in ``changed``, and so is memory but for objects in ``changed``, or all (None).
    """

    template: Function
    location: int
    calls: tuple[CallSite, ...]
    stops: frozenset[int]
    changed: frozenset[str] | None


@dataclass(slots=True)
class SourcePlace:
    """A place of the C text, and all locations that it became."""

    kind: Kind
    span: Span
    """What the user sees."""
    point: Span
    """Where names mean what they mean here."""
    function: str
    sites: list[PlaceInstance] = field(default_factory=list)


_Key = tuple[Span, str]


class PlaceFinder:
    """Finds the loops, and the statements next to locks.

    A place counts only if the location is there in every context in which its function is called: of
    a context in which it was optimised away nothing would be known.
    """

    def __init__(self, code: Code, stops: AbstractSet[int] | None = None) -> None:
        self.code = code
        self.stops = code.stops if stops is None else stops
        """Where proofs speak of threads."""
        self.found: dict[_Key, SourcePlace] = {}
        self.broken: set[_Key] = set()
        for template in code.program.functions.values():
            self._note_loops(template)
            self._note_locks(template)

    @property
    def locations(self) -> set[int]:
        """All locations that are such places."""
        return {site.location for place in self.all() for site in place.sites}

    def all(self) -> list[SourcePlace]:
        """In the order of the text."""
        complete = [place for key, place in self.found.items() if key not in self.broken]
        return sorted(filter(self._is_everywhere, complete), key=lambda place: place.span)

    def _is_everywhere(self, place: SourcePlace) -> bool:
        functions = self.code.program.functions.values()
        contexts = {(site.template.name, site.calls) for site in place.sites}
        return len(contexts) == sum(one.names.instances.get(place.function, 0) for one in functions)

    # --- loops ----------------------------------------------------------------------------------------

    def _note_loops(self, template: Function) -> None:
        for head in sorted(find_loops(template).heads):
            test = _statement(template, template.outgoing[head][0])
            if test.span is None or test.is_library:
                continue
            loop = template.names.loop_at(test.span)
            if loop is not None and _begins(template, head):
                place = SourcePlace("loop", loop, test.span, test.function)
                self._note(place, template, head, test.calls)

    # --- locks ----------------------------------------------------------------------------------------

    def _note_locks(self, template: Function) -> None:
        """Before a statement that unlocks, and after one that locks."""
        for edge in template.edges:
            if isinstance(edge.instruction, ir.Unlock):
                self._note_statement(template, _statement(template, edge))
            if isinstance(edge.instruction, ir.Lock):
                self._note_after(template, edge)

    def _note_after(self, template: Function, lock: Edge) -> None:
        """The statements that follow one that locks."""
        own = _statement(template, lock)
        following = {
            _statement(template, then)
            for edge in template.edges
            if _statement(template, edge) == own
            for then in template.outgoing.get(edge.target, ())
        }
        for statement in following - {own}:
            self._note_statement(template, statement)

    def _note_statement(self, template: Function, statement: "_StatementInContext") -> None:
        if statement.span is None or statement.is_library or template.names.loop_at(statement.span):
            return
        key = (statement.span, statement.function)
        if key in self.found and any(
            (site.template.name, site.calls) == (template.name, statement.calls)
            for site in self.found[key].sites
        ):
            return
        place = SourcePlace("lock", statement.span, statement.span, statement.function)
        for location in _entries(template, statement):
            self._note(place, template, location, statement.calls)

    def _note(
        self, place: SourcePlace, template: Function, location: int, calls: tuple[CallSite, ...]
    ) -> None:
        key = (place.span, place.function)
        known = self.found.setdefault(key, place)
        site = self._site(template, location, calls)
        if site is None or known.kind != place.kind:
            self.broken.add(key)
        else:
            known.sites.append(site)

    # --- from a location to stops ---------------------------------------------------------------------

    def _site(self, template: Function, location: int, calls: tuple[CallSite, ...]) -> PlaceInstance | None:
        """None if a thread may end, or be inside an atomic section, before it stops anywhere."""
        code = self.code
        if location in code.inside:
            return None
        stops: set[int] = set()
        changed: set[str] = set()
        is_unclear = False
        waiting, seen = [location], {location}
        while waiting:
            at = waiting.pop()
            if at in code.errors:
                continue
            if at == template.exit:
                return None
            if at in self.stops:
                stops.add(at)
                continue
            for edge in template.outgoing.get(at, ()):
                changed |= _changed(edge.instruction, template)
                is_unclear |= at in code.stops
                if edge.target not in seen:
                    seen.add(edge.target)
                    waiting.append(edge.target)
        return PlaceInstance(
            template, location, calls, frozenset(stops), None if is_unclear else frozenset(changed)
        )


@dataclass(frozen=True, slots=True)
class _StatementInContext:
    """A statement in one context, as the user sees it."""

    span: Span | None
    text: str
    function: str
    calls: tuple[CallSite, ...]
    is_library: bool


def _statement(template: Function, edge: Edge) -> _StatementInContext:
    origin = user_origin(edge.origin)
    function = origin.calls[-1].function if origin.calls else template.c_name
    return _StatementInContext(origin.span, origin.text, function, origin.calls, origin.is_library)


def _entries(template: Function, statement: _StatementInContext) -> Iterator[int]:
    """Where a statement begins: its locations that something else leads to."""
    own = {edge.source for edge in template.edges if _statement(template, edge) == statement}
    return (location for location in sorted(own) if _begins(template, location))


def _begins(template: Function, location: int) -> bool:
    """Whether a statement begins at a location: something else leads there."""
    own = {_statement(template, edge) for edge in template.outgoing[location]}
    before = template.incoming.get(location, ())
    return location == template.entry or any(_statement(template, edge) not in own for edge in before)


def _changed(instruction: ir.Instruction, template: Function) -> set[str]:
    """The variables of a template that an edge may change; all objects if it writes to any."""
    found = {register.name for register in written_registers(instruction)}
    if isinstance(instruction, ir.Store | ir.Update | ir.Enter | ir.Leave):
        found |= {made.name for made in template.objects}
    return found
