"""Memory orders as sets of *guarantees*, which can be taken away and added one by one.

An order says what an access or a fence guarantees: that it acquires, that it releases, that it has its place
in the one order of all that is sequentially consistent. More guarantees, fewer executions. So the question
which orders a program needs is one about sets: which guarantees suffice, and which are the fewest.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import NamedTuple

from sley.program.instructions import Assign, Fence, Instruction, Load, Order, Store, Update
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import access_of


class Kind(Enum):
    """What may be guaranteed; the value is the word for it."""

    ACQUIRE = "acquire"
    RELEASE = "release"
    SEQUENTIAL = "seq_cst"
    """It means the other two as well."""
    ACQUIRE_IF_FAILED = "acquire if it fails"
    """Of a compare-exchange; C11 7.17.7.4: it has to acquire if it succeeds, too."""
    SEQUENTIAL_IF_FAILED = "seq_cst if it fails"


class Site(NamedTuple):
    """An access or a fence in the user's text: the edge that leaves a location of a function."""

    function: str
    location: int


class Guarantee(NamedTuple):
    """One of those that a site may have."""

    site: Site
    kind: Kind


Guarantees = frozenset[Guarantee]

_OF_FAILURE = {Kind.ACQUIRE_IF_FAILED: Kind.ACQUIRE, Kind.SEQUENTIAL_IF_FAILED: Kind.SEQUENTIAL}


def sites(program: Program) -> dict[Site, Edge]:
    """The atomic accesses and the fences of the user, in a program of the front end.

    Orders that are no constants are branches with an edge for each order: they stay as they are.
    """
    found = {
        Site(name, edge.source): edge
        for name, function in program.functions.items()
        for edge in function.edges
        if _is_site(edge)
    }
    written: dict[object, set[Order]] = {}
    for edge in found.values():
        written.setdefault(_text(edge), set()).add(_written(edge.instruction))
    return {site: edge for site, edge in found.items() if len(written[_text(edge)]) == 1}


def _text(edge: Edge) -> object:
    """What of the user's text an edge is."""
    access = access_of(edge.instruction)
    return type(edge.instruction), edge.origin, access and access[0].text


def named(program: Program) -> Guarantees:
    """What the program guarantees as it is written."""
    return frozenset(
        Guarantee(site, kind)
        for site, edge in sites(program).items()
        for kind in _possible(edge.instruction)
        if _has(edge.instruction, kind)
    )


def possible(program: Program) -> Guarantees:
    """All that its accesses and fences could guarantee."""
    return frozenset(
        Guarantee(site, kind) for site, edge in sites(program).items() for kind in _possible(edge.instruction)
    )


def guaranteeing(program: Program, chosen: Guarantees) -> Program:
    """The program whose sites guarantee this and nothing else; a fence that guarantees nothing is gone."""
    kinds: dict[Site, set[Kind]] = {site: set() for site in sites(program)}
    for site, kind in chosen:
        kinds[site].add(kind)
    return program.mapped(partial(_changed, kinds))


def orders(kinds: Collection[Kind]) -> tuple[Order, Order]:
    """The order that gives these guarantees, and that of the failure of a compare-exchange."""
    failure = [_OF_FAILURE[kind] for kind in kinds if kind in _OF_FAILURE]
    return _order({*kinds, *failure}), _order(failure)


def _changed(kinds: dict[Site, set[Kind]], function: Function) -> Function:
    def changed(edge: Edge) -> Edge:
        own = kinds.get(Site(function.name, edge.source)) if _is_site(edge) else None
        return edge if own is None else replace(edge, instruction=_with(edge.instruction, own))

    return replace(function, edges=tuple(map(changed, function.edges)))


def _is_site(edge: Edge) -> bool:
    match edge.instruction:
        case Load(access=access) | Store(access=access) | Update(access=access):
            return access.is_atomic and not edge.origin.is_library
        case Fence():
            return not edge.origin.is_library
        case _:
            return False


def _possible(instruction: Instruction) -> Iterator[Kind]:
    yield Kind.SEQUENTIAL
    if not isinstance(instruction, Store):
        yield Kind.ACQUIRE
    if not isinstance(instruction, Load):
        yield Kind.RELEASE
    if isinstance(instruction, Update) and instruction.success is not None:
        yield from _OF_FAILURE


def _written(instruction: Instruction) -> Order:
    assert isinstance(instruction, Load | Store | Update | Fence)
    return instruction.order if isinstance(instruction, Fence) else instruction.access.order


def _has(instruction: Instruction, kind: Kind) -> bool:
    order = _written(instruction)
    if kind in _OF_FAILURE:
        assert isinstance(instruction, Update)
        order, kind = instruction.failure, _OF_FAILURE[kind]
    match kind:
        case Kind.ACQUIRE:
            return order.acquires
        case Kind.RELEASE:
            return order.releases
        case _:
            return order is Order.SEQUENTIAL


def _with(instruction: Instruction, kinds: Collection[Kind]) -> Instruction:
    order, failure = orders(kinds)
    match instruction:
        case Update(access=access, success=success) if success is not None:
            return replace(instruction, access=replace(access, order=order), failure=failure)
        case Load(access=access) | Store(access=access) | Update(access=access):
            return replace(instruction, access=replace(access, order=order))
        case _:
            return Assign() if order is Order.RELAXED else Fence(order)


def _order(kinds: Collection[Kind]) -> Order:
    if Kind.SEQUENTIAL in kinds:
        return Order.SEQUENTIAL
    if Kind.ACQUIRE in kinds and Kind.RELEASE in kinds:
        return Order.ACQUIRE_RELEASE
    if Kind.ACQUIRE in kinds:
        return Order.ACQUIRE
    return Order.RELEASE if Kind.RELEASE in kinds else Order.RELAXED
