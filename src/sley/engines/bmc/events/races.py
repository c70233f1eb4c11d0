"""Accesses that may be a data race: they conflict, and nothing keeps them apart in every run."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

from sley.engines.bmc.events.graph import EventGraph, RaceTouch
from sley.logic.terms import Term, Terms


def forget_touches(graph: EventGraph) -> EventGraph:
    """Data races are not asked for: accesses matter only by what they read and write."""
    return replace(graph, nodes=[replace(node, touches=[]) for node in graph.nodes])


def conflicts(graph: EventGraph, *, locksets: bool = True) -> Iterator[tuple[RaceTouch, RaceTouch]]:
    """All pairs of accesses that may be a data race as far as the order of every run and locks tell."""
    touches = [touch for node in graph.nodes for touch in node.touches]
    for one, other in combinations(touches, 2):
        if (
            (one.is_write or other.is_write)
            and not (one.is_atomic and other.is_atomic)
            and graph.nodes[one.node].thread != graph.nodes[other.node].thread
            and not (locksets and one.locks & other.locks)
            and not graph.order.is_ordered(one.node, other.node)
            and may_overlap(graph.terms, one, other)
        ):
            yield one, other


def overlap(t: Terms, one: RaceTouch, other: RaceTouch) -> Term:
    """The two accesses have a byte in common; objects are never at the end of the address space."""
    width = t.width(one.address)
    return t.and_(
        t.ult(one.address, t.add(other.address, t.bv(other.size, width))),
        t.ult(other.address, t.add(one.address, t.bv(one.size, width))),
    )


def may_overlap(t: Terms, one: RaceTouch, other: RaceTouch) -> bool:
    """Whether that is possible as far as the terms tell."""
    a, b = t.number(one.address), t.number(other.address)
    if a is not None and b is not None:
        return a < b + other.size and b < a + one.size
    return overlap(t, one, other) != t.false
