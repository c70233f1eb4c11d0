"""Which barriers compilers put around the atomic accesses of C, for machines that order less by themselves.

The mappings are those in use: for x86 and Power the ones that Batty, Memarian, Owens, Sarkar, Sewell,
*Clarifying and Compiling C/C++ Concurrency: from C++11 to POWER* (POPL 2012) prove right, for SPARC the ones
that the pairs of its orders ask for. Seq_cst on TSO and PSO has its barrier after stores, elsewhere before
every access.
"""

from typing import NamedTuple

from sley.program.instructions import Barrier, Instruction, Load, MemoryOrder, Store, Update
from sley.program.memory_model import MemoryModel


class Barriers(NamedTuple):
    """What stands before and after an access."""

    before: Barrier | None = None
    after: Barrier | None = None
    """CONTROL: with a branch that depends on what the access reads."""


_LOCKED = Barriers(Barrier.FULL, Barrier.FULL)

_ACQUIRING = {MemoryModel.RMO: Barrier.LIGHTWEIGHT, MemoryModel.POWER: Barrier.CONTROL}


class Tags(NamedTuple):
    """The sets of texts that the read and the write of an access are in, besides what they are."""

    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()


def barriers_of(instruction: Load | Store | Update, model: MemoryModel) -> Barriers:
    """The barriers around an access under a model of a machine; none around a plain one.

    An update is a locked instruction on TSO and PSO, where it empties the store buffer. ARM has instructions
    that order (``tags_of``), and what a text of the user's makes of orders is its own business.
    """
    order = instruction.access.order
    if model is MemoryModel.ARMV8 or model.text is not None:
        return Barriers()
    if model in (MemoryModel.TSO, MemoryModel.PSO):
        if isinstance(instruction, Update):
            return _LOCKED
        return _for_store(model, order) if isinstance(instruction, Store) else Barriers()
    return _by_accesses(instruction, model, order)


def _for_store(model: MemoryModel, order: MemoryOrder) -> Barriers:
    """Where loads are in order anyway."""
    before = Barrier.STORES if model is MemoryModel.PSO and order.releases else None
    return Barriers(before, Barrier.FULL if order is MemoryOrder.SEQUENTIAL else None)


def _by_accesses(instruction: Load | Store | Update, model: MemoryModel, order: MemoryOrder) -> Barriers:
    """Where nothing is in order."""
    reads, writes = not isinstance(instruction, Store), not isinstance(instruction, Load)
    after = _ACQUIRING[model] if reads and order.acquires else None
    if order is MemoryOrder.SEQUENTIAL:
        return Barriers(Barrier.FULL, after)
    return Barriers(Barrier.LIGHTWEIGHT if writes and order.releases else None, after)


def tags_of(instruction: Instruction, model: MemoryModel) -> Tags:
    """ARM: ``ldar`` (A), ``ldapr`` (Q) and ``stlr`` (L), and updates that are so; also if an update fails.

    For a text of the user's also the orders of C.
    """
    if not isinstance(instruction, Load | Store | Update):
        return Tags()
    if model is not MemoryModel.ARMV8 and model.text is None:
        return Tags()
    order = instruction.access.order
    is_load = isinstance(instruction, Load)
    both = _orders(order) if model.text is not None else ()
    read = ("Q",) if is_load and order is MemoryOrder.ACQUIRE else ("A",) if order.acquires else ()
    written = ("L",) if order.releases else ()
    reads, writes = not isinstance(instruction, Store), not is_load
    return Tags((*read, *both) if reads else (), (*written, *both) if writes else ())


def _orders(order: MemoryOrder) -> tuple[str, ...]:
    """As sets of texts."""
    found = ["RLX"] if order is not MemoryOrder.PLAIN else []
    found += ["ACQ"] if order.acquires else []
    found += ["REL"] if order.releases else []
    return (*found, "SC") if order is MemoryOrder.SEQUENTIAL else tuple(found)


_SETS = {
    Barrier.FULL: ("F", "MFENCE", "SYNC", "DMB.SY"),
    Barrier.LIGHTWEIGHT: ("F", "LWSYNC"),
    Barrier.LOADS: ("F", "LFENCE", "DMB.LD"),
    Barrier.STORES: ("F", "SFENCE", "EIEIO", "DMB.ST"),
    Barrier.STORE_LOAD: ("F", "STLD"),
    Barrier.CONTROL: ("F", "ISYNC", "ISB"),
    Barrier.OTHER: ("F",),
}


def sets_of(barrier: Barrier) -> tuple[str, ...]:
    """What texts of memory models call the barriers that keep the same in order."""
    return _SETS[barrier]
