"""What orders accesses without making any: instructions of machines, and fences that name pairs."""

from collections.abc import Iterator

from sley.program.instructions import Barrier, Fence, Order

_ORDERED_PAIRS = {
    Order.SEQUENTIAL: {"RR", "RW", "WW", "WR"},
    Order.ACQUIRE_RELEASE: {"RR", "RW", "WW"},
    Order.ACQUIRE: {"RR", "RW"},
    Order.RELEASE: {"RW", "WW"},
}
"""Which pairs (a read and a later write ...) a fence of an order keeps in order, from the strongest on."""

_FENCES = (
    (Fence(Order.SEQUENTIAL, Barrier.FULL), "mfence sync hwsync dmb dsb dmb_sy dsb_sy dmb_ish dsb_ish fence"),
    (Fence(Order.ACQUIRE_RELEASE, Barrier.LIGHTWEIGHT), "lwsync fence.tso"),
    (Fence(Order.ACQUIRE, Barrier.LOADS), "lfence dmb_ld dmb_ishld dsb_ld dsb_ishld"),
    (Fence(Order.RELEASE, Barrier.STORES), "sfence"),
    (Fence(Order.RELAXED, Barrier.STORES), "eieio dmb_st dmb_ishst dsb_st dsb_ishst"),
    (Fence(Order.RELAXED, Barrier.CONTROL), "isync isb isb_sy"),
)

MACHINE_FENCES = {name.replace("_", " "): fence for fence, names in _FENCES for name in names.split()}
"""Instructions of x86, Power, ARM and RISC-V that order memory accesses and do nothing else."""


def fences_of_pairs(pairs: set[str]) -> Iterator[Fence]:
    """The strongest fences that order no other pairs; ``RW`` is a read and a later write."""
    order = next((order for order, kept in _ORDERED_PAIRS.items() if kept <= pairs), Order.RELAXED)
    missing = set(pairs)
    for barrier in Barrier:
        if barrier.pairs <= pairs and barrier.pairs & missing:
            yield Fence(order, barrier)
            order = Order.RELAXED
            missing -= barrier.pairs
    if missing:
        yield Fence(order, Barrier.OTHER)
