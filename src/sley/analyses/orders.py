"""Weak orders: which accesses need more than interleaving to say what C11 allows.

C11 promises (5.1.2.4) that a program without data races, all of whose atomic accesses are sequentially
consistent, behaves as if its threads were interleaved. So does a program whose other atomic accesses are to
memory that one thread has for itself, or happen while there is one thread only: happens-before puts each in
its place. Fences alone are not weak: where all atomic accesses synchronise, they have nothing to add.
"""

from dataclasses import dataclass

from sley.analyses.graphs import reachable
from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import find_sharing
from sley.analyses.threads import Creations
from sley.program.instructions import (
    Accessing,
    Calling,
    Create,
    CreatePointer,
    Instruction,
    MemoryOrder,
    Update,
)
from sley.program.program import Edge, Origin, Program, user_origin

_STRONG = (MemoryOrder.PLAIN, MemoryOrder.SEQUENTIAL)


@dataclass(frozen=True, slots=True)
class WeakAccess:
    """An atomic access that is not sequentially consistent."""

    origin: Origin
    """Where the user sees it."""
    text: str
    """What it accesses."""
    order: MemoryOrder


def weak_accesses(program: Program) -> tuple[WeakAccess, ...]:
    """The weak accesses of a flat program to memory that several threads may use, each place once.

    Law: if there are none, and no sequentially consistent run of the program has a data race, then C11
    allows no other runs.
    """
    weak = [(edge, order) for edge in program.edges for order in _weak_orders(edge.instruction)]
    if not weak:
        return ()
    sharing = find_sharing(program, PointsTo(program))
    ignored = _alone(program)
    return tuple(
        dict.fromkeys(
            _weak_access(edge, order)
            for edge, order in weak
            if edge.source in sharing.creations.reachable
            and edge.source not in ignored
            and not sharing.is_private(edge.source)
        )
    )


def has_weak_orders(program: Program) -> bool:
    """Whether there is any atomic access that is not sequentially consistent; calls may be in the program."""
    return any(_weak_orders(edge.instruction) for edge in program.edges)


def has_threads(program: Program) -> bool:
    """Whether there may be more than one thread; of a program with calls, whether anything creates one."""
    if any(isinstance(edge.instruction, Calling) for edge in program.edges):
        return any(isinstance(edge.instruction, Create | CreatePointer) for edge in program.edges)
    at = Creations(program).reachable
    return any(isinstance(edge.instruction, Create) and edge.source in at for edge in program.edges)


def _weak_orders(instruction: Instruction) -> list[MemoryOrder]:
    orders = []
    if isinstance(instruction, Accessing):
        orders.append(instruction.access.order)
    if isinstance(instruction, Update) and instruction.success is not None:
        orders.append(instruction.failure)
    return [order for order in orders if order not in _STRONG]


def _alone(program: Program) -> frozenset[int]:
    """The locations of the first thread that it passes before it creates another."""
    main = program.functions[program.entry]
    if Creations(program).edges[program.entry]:
        return frozenset()
    created = [edge.target for edge in main.edges if isinstance(edge.instruction, Create)]
    return frozenset(main.locations) - reachable(created, main.successors)


def _weak_access(edge: Edge, order: MemoryOrder) -> WeakAccess:
    assert isinstance(edge.instruction, Accessing)
    return WeakAccess(user_origin(edge.origin), edge.instruction.access.text, order)
