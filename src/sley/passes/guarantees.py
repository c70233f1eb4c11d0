"""Memory orders and fences as sets of *guarantees*, which can be taken away and added one by one.

An order says what an access or a fence guarantees: that it acquires, that it releases, that it has its place
in the one order of all that is sequentially consistent. Machines know fences, which may stand behind every
access to shared memory. More guarantees, fewer executions. So the question which orders a program needs is
one about sets: which guarantees suffice, and which are the fewest.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import NamedTuple

from sley.program.instructions import Assign, Barrier, Fence, Instruction, Load, MemoryOrder, Store, Update
from sley.program.memory import AddressOf
from sley.program.memory_model import MemoryModel
from sley.program.program import Edge, Function, Program
from sley.program.rewriting import access_of


class GuaranteeKind(Enum):
    """What may be guaranteed."""

    ACQUIRE = "acquire"
    RELEASE = "release"
    SEQUENTIAL = "seq_cst"
    """It means the other two as well."""
    ACQUIRE_IF_FAILED = "acquire if it fails"
    """Of a compare-exchange; C11 7.17.7.4: it has to acquire if it succeeds, too."""
    SEQUENTIAL_IF_FAILED = "seq_cst if it fails"
    FENCE = "full fence"
    """Of a machine: there is a full fence, or one behind the access."""


class GuaranteeSite(NamedTuple):
    """An access or a fence in the user's text: the edge that leaves a location of a function."""

    function: str
    location: int


class Guarantee(NamedTuple):
    """One of those that a site may have."""

    site: GuaranteeSite
    kind: GuaranteeKind


Guarantees = frozenset[Guarantee]

_OF_FAILURE = {
    GuaranteeKind.ACQUIRE_IF_FAILED: GuaranteeKind.ACQUIRE,
    GuaranteeKind.SEQUENTIAL_IF_FAILED: GuaranteeKind.SEQUENTIAL,
}
_FULL = Fence(MemoryOrder.SEQUENTIAL, Barrier.FULL)


def sites(program: Program, model: MemoryModel) -> dict[GuaranteeSite, Edge]:
    """Where a user may choose, in a program of the front end."""

    def is_site(edge: Edge) -> bool:
        if not model.is_hardware:
            return _has_order(edge.instruction)
        return _is_full_fence(edge.instruction) or _can_be_overtaken(program, model, edge)

    found = {
        GuaranteeSite(name, edge.source): edge
        for name, function in program.functions.items()
        for edge in function.edges
        if not edge.origin.is_library and is_site(edge)
    }
    return found if model.is_hardware else _constant(found)


def named(at: Mapping[GuaranteeSite, Edge], model: MemoryModel) -> Guarantees:
    """What the program guarantees at these sites as it is written."""
    return frozenset(one for one in possible(at, model) if _has(at[one.site].instruction, one.kind))


def possible(at: Mapping[GuaranteeSite, Edge], model: MemoryModel) -> Guarantees:
    """All that could be guaranteed at these sites."""
    return frozenset(
        Guarantee(site, kind)
        for site, edge in at.items()
        for kind in ((GuaranteeKind.FENCE,) if model.is_hardware else _of_orders(edge.instruction))
    )


def guaranteeing(program: Program, chosen: Guarantees, model: MemoryModel) -> Program:
    """The program whose sites guarantee this and nothing else; a fence that guarantees nothing is gone."""
    kinds: dict[GuaranteeSite, set[GuaranteeKind]] = {site: set() for site in sites(program, model)}
    for site, kind in chosen:
        kinds[site].add(kind)
    fresh = program.fresh_locations()

    def changed(edge: Edge, own: set[GuaranteeKind] | None) -> Iterator[Edge]:
        if own is None:
            yield edge
        elif not model.is_hardware:
            yield replace(edge, instruction=_with_orders(edge.instruction, own))
        elif isinstance(edge.instruction, Fence):
            yield edge if own else replace(edge, instruction=Assign())
        elif own:
            between = next(fresh)
            yield replace(edge, target=between)
            yield Edge(between, edge.target, _FULL, edge.origin)
        else:
            yield edge

    def rebuilt(function: Function) -> Function:
        edges = (
            new
            for edge in function.edges
            for new in changed(edge, kinds.get(GuaranteeSite(function.name, edge.source)))
        )
        return replace(function, edges=tuple(edges))

    return program.mapped(rebuilt)


# --- orders of C11 ---------------------------------------------------------------------------------


def _has_order(instruction: Instruction) -> bool:
    match instruction:
        case Load(access=access) | Store(access=access) | Update(access=access):
            return access.is_atomic
        case _:
            return isinstance(instruction, Fence)


def _constant(found: Mapping[GuaranteeSite, Edge]) -> dict[GuaranteeSite, Edge]:
    """Without orders that are no constants: those are branches with an edge for each order, and stay."""
    written: dict[object, set[MemoryOrder]] = {}
    for edge in found.values():
        written.setdefault(_text(edge), set()).add(_written(edge.instruction))
    return {site: edge for site, edge in found.items() if len(written[_text(edge)]) == 1}


def _text(edge: Edge) -> object:
    """What of the user's text an edge is."""
    access = access_of(edge.instruction)
    return type(edge.instruction), edge.origin, access and access[0].text


def _of_orders(instruction: Instruction) -> Iterator[GuaranteeKind]:
    yield GuaranteeKind.SEQUENTIAL
    if not isinstance(instruction, Store):
        yield GuaranteeKind.ACQUIRE
    if not isinstance(instruction, Load):
        yield GuaranteeKind.RELEASE
    if isinstance(instruction, Update) and instruction.success is not None:
        yield from _OF_FAILURE


def _written(instruction: Instruction) -> MemoryOrder:
    assert isinstance(instruction, Load | Store | Update | Fence)
    return instruction.order if isinstance(instruction, Fence) else instruction.access.order


def _has(instruction: Instruction, kind: GuaranteeKind) -> bool:
    order = _written(instruction)
    if kind in _OF_FAILURE:
        assert isinstance(instruction, Update)
        order, kind = instruction.failure, _OF_FAILURE[kind]
    match kind:
        case GuaranteeKind.ACQUIRE:
            return order.acquires
        case GuaranteeKind.RELEASE:
            return order.releases
        case GuaranteeKind.FENCE:
            return isinstance(instruction, Fence)
        case _:
            return order is MemoryOrder.SEQUENTIAL


def _with_orders(instruction: Instruction, kinds: Collection[GuaranteeKind]) -> Instruction:
    order, failure = orders(kinds)
    match instruction:
        case Update(access=access, success=success) if success is not None:
            return replace(instruction, access=replace(access, order=order), failure=failure)
        case Load(access=access) | Store(access=access) | Update(access=access):
            return replace(instruction, access=replace(access, order=order))
        case Fence() if order is not MemoryOrder.RELAXED:
            return replace(instruction, order=order)
        case _:
            return Assign()


def orders(kinds: Collection[GuaranteeKind]) -> tuple[MemoryOrder, MemoryOrder]:
    """The order that gives these guarantees, and that of the failure of a compare-exchange."""
    failure = [_OF_FAILURE[kind] for kind in kinds if kind in _OF_FAILURE]
    return _order({*kinds, *failure}), _order(failure)


def _order(kinds: Collection[GuaranteeKind]) -> MemoryOrder:
    if GuaranteeKind.SEQUENTIAL in kinds or GuaranteeKind.FENCE in kinds:
        return MemoryOrder.SEQUENTIAL
    if GuaranteeKind.ACQUIRE in kinds and GuaranteeKind.RELEASE in kinds:
        return MemoryOrder.ACQUIRE_RELEASE
    if GuaranteeKind.ACQUIRE in kinds:
        return MemoryOrder.ACQUIRE
    return MemoryOrder.RELEASE if GuaranteeKind.RELEASE in kinds else MemoryOrder.RELAXED


# --- fences of machines ----------------------------------------------------------------------------


def _is_full_fence(instruction: Instruction) -> bool:
    return isinstance(instruction, Fence) and instruction.barrier is Barrier.FULL


def _can_be_overtaken(program: Program, model: MemoryModel, edge: Edge) -> bool:
    """Whether a later access may overtake an access: behind it, a fence may help."""
    only_stores = model in (MemoryModel.TSO, MemoryModel.PSO)
    if not isinstance(edge.instruction, Store if only_stores else Load | Store):
        return False
    terms = program.terms
    variables = terms.variables(edge.instruction.access.address)
    return not any(isinstance(terms.symbol(variable), AddressOf) for variable in variables)
