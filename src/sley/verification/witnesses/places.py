"""Where in the program the waypoints of a witness are: the edges that pass them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from sley.base.errors import InputError
from sley.base.source import Span
from sley.program import instructions as ir
from sley.program.program import Edge, Origin, Program, user_origin
from sley.verification.witnesses.document import Passing, Waypoint, WitnessSegment


@dataclass(frozen=True, slots=True)
class PlacedSegment:
    """A segment, with the origins of the edges that pass its waypoints."""

    follow: Waypoint
    origins: frozenset[Origin]
    avoid: tuple[tuple[Waypoint, frozenset[Origin]], ...]


@dataclass(frozen=True, slots=True)
class Placed:
    """The segments of a violation whose waypoints a run can pass."""

    segments: tuple[PlacedSegment, ...]
    ignored: tuple[Waypoint, ...]
    """Where the program has nothing to pass: every run does."""


def placed(violation: Sequence[WitnessSegment], program: Program) -> Placed:
    """Look up all waypoints; a target where nothing happens is an error."""
    index = _LineIndex(program)
    found = [
        PlacedSegment(one.follow, index.origins(one.follow), tuple((w, index.origins(w)) for w in one.avoid))
        for one in violation
    ]
    segments = [one for one in found if one.origins]
    ignored = [one.follow for one in found if not one.origins]
    for waypoint in ignored:
        if waypoint.passing is Passing.TARGET:
            raise InputError(f"nothing happens in line {waypoint.place.line}", waypoint.span)
    if any(waypoint.passing is Passing.CREATION for waypoint in ignored):
        segments = [_of_any_thread(segment) for segment in segments]
    return Placed(tuple(segments), tuple(ignored))


def _of_any_thread(segment: PlacedSegment) -> PlacedSegment:
    """Which thread a number means is unknown if the creation of a thread was not found."""
    return PlacedSegment(replace(segment.follow, thread=None), segment.origins, ())


class _LineIndex:
    """The edges of a program by file and line."""

    def __init__(self, program: Program) -> None:
        self.edges: dict[tuple[str, int], list[tuple[Edge, Span]]] = {}
        for edge in program.edges:
            for span in spans_of(edge.origin):
                self.edges.setdefault((PurePath(span.file).name, span.line), []).append((edge, span))

    def origins(self, waypoint: Waypoint) -> frozenset[Origin]:
        """Of the edges that pass a waypoint: those at its column, else those in its line."""
        place = waypoint.place
        in_line = self.edges.get((PurePath(place.file).name, place.line), ())
        found = [pair for pair in in_line if _can_pass(pair[0], waypoint.passing)]
        exact = [pair for pair in found if place.column is not None and _covers(pair[1], place.column)]
        return frozenset(edge.origin for edge, _ in exact or found)


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
