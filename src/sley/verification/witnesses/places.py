"""Where in the program the waypoints of a witness are: the edges that pass them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import PurePath

from sley.base.errors import InputError
from sley.base.source import Span
from sley.program import instructions as ir
from sley.program.program import Edge, Origin, Program, user_origin
from sley.verification.witnesses.document import Automaton, Passing, Waypoint, WitnessPlace, WitnessTransition


@dataclass(frozen=True, slots=True)
class Placed:
    """An automaton, and for each transition the origins of the edges that pass it."""

    automaton: Automaton
    transitions: tuple[tuple[WitnessTransition, frozenset[Origin]], ...]
    avoided: tuple[tuple[int, Waypoint, frozenset[Origin]], ...]
    ignored: tuple[Waypoint, ...]
    """Where the program has nothing to pass: every run does."""


def placed(automaton: Automaton, program: Program) -> Placed:
    """Look up all waypoints; a target where nothing happens is an error."""
    index = _LineIndex(program)
    threads = 0
    transitions, ignored = [], []
    for transition in automaton.transitions:
        waypoint = transition.waypoint
        origins = index.origins(waypoint)
        if waypoint.passing is Passing.TARGET and not origins:
            assert waypoint.place is not None
            raise InputError(f"nothing happens in line {waypoint.place.line}", waypoint.span)
        if waypoint.passing is Passing.CREATION and waypoint.creates is None and origins:
            threads += 1
            transition = replace(transition, waypoint=replace(waypoint, creates=str(threads)))
        if waypoint.place is not None and not origins:
            ignored.append(waypoint)
        transitions.append((transition, origins))
    avoided = tuple((node, waypoint, index.origins(waypoint)) for node, waypoint in automaton.avoided)
    if any(waypoint.passing is Passing.CREATION for waypoint in ignored):
        transitions = [(_of_anybody(transition), origins) for transition, origins in transitions]
        avoided = ()
    return Placed(automaton, tuple(transitions), avoided, tuple(ignored))


def _of_anybody(transition: WitnessTransition) -> WitnessTransition:
    """The thread that a name means is unknown if the creation of a thread was not found."""
    return replace(transition, waypoint=replace(transition.waypoint, thread=None))


class _LineIndex:
    """The edges of a program by file and line."""

    def __init__(self, program: Program) -> None:
        self.edges: dict[tuple[str, int], list[tuple[Edge, Span]]] = {}
        for edge in program.edges:
            for span in spans_of(edge.origin):
                self.edges.setdefault((PurePath(span.file).name, span.line), []).append((edge, span))

    def origins(self, waypoint: Waypoint) -> frozenset[Origin]:
        """Of the edges that pass a waypoint: those at its column, else those in its line."""
        if waypoint.place is None:
            return frozenset()
        found = [pair for pair in self._in_line(waypoint.place) if _can_pass(pair[0], waypoint.passing)]
        column = waypoint.place.column
        exact = [pair for pair in found if column is not None and _covers(pair[1], column)]
        return frozenset(edge.origin for edge, _ in exact or found)

    def _in_line(self, place: WitnessPlace) -> Iterator[tuple[Edge, Span]]:
        if place.file is not None:
            return iter(self.edges.get((PurePath(place.file).name, place.line), ()))
        return (pair for (_, line), pairs in self.edges.items() if line == place.line for pair in pairs)


def spans_of(origin: Origin) -> Iterator[Span]:
    """Where the user sees an edge: its statement, and the calls that lead there."""
    seen = user_origin(origin)
    if seen.span is not None:
        yield seen.span
    for call in seen.calls:
        if call.span is not None:
            yield call.span


def _can_pass(edge: Edge, passing: Passing) -> bool:
    match passing:
        case Passing.CREATION:
            return isinstance(edge.instruction, ir.Create)
        case Passing.INPUT:
            return isinstance(edge.instruction, ir.Havoc)
        case _:
            return True


def _covers(span: Span, column: int) -> bool:
    """Whether a column is in a statement, which may go on in the next lines."""
    return span.column <= column and (span.end_line != span.line or column < span.end_column)
