"""What orders accesses without making any: instructions of machines, and fences that name pairs."""

from collections.abc import Iterator

from sley.program.instructions import Barrier, Fence, MemoryOrder

_ORDERED_PAIRS = {
    MemoryOrder.SEQUENTIAL: {"RR", "RW", "WW", "WR"},
    MemoryOrder.ACQUIRE_RELEASE: {"RR", "RW", "WW"},
    MemoryOrder.ACQUIRE: {"RR", "RW"},
    MemoryOrder.RELEASE: {"RW", "WW"},
}
"""Which pairs (a read and a later write ...) a fence of an order keeps in order, from the strongest on."""

_FENCES = (
    (
        Fence(MemoryOrder.SEQUENTIAL, Barrier.FULL),
        "mfence sync hwsync dmb dsb dmb_sy dsb_sy dmb_ish dsb_ish fence",
    ),
    (Fence(MemoryOrder.ACQUIRE_RELEASE, Barrier.LIGHTWEIGHT), "lwsync fence.tso"),
    (Fence(MemoryOrder.ACQUIRE, Barrier.LOADS), "lfence dmb_ld dmb_ishld dsb_ld dsb_ishld"),
    (Fence(MemoryOrder.RELEASE, Barrier.STORES), "sfence"),
    (Fence(MemoryOrder.RELAXED, Barrier.STORES), "eieio dmb_st dmb_ishst dsb_st dsb_ishst"),
    (Fence(MemoryOrder.RELAXED, Barrier.CONTROL), "isync isb isb_sy"),
)

MACHINE_FENCES = {name.replace("_", " "): fence for fence, names in _FENCES for name in names.split()}
"""Instructions of x86, Power, ARM and RISC-V that order memory accesses and do nothing else."""


def fences_of_pairs(pairs: set[str]) -> Iterator[Fence]:
    """The strongest fences that order no other pairs; ``RW`` is a read and a later write."""
    order = next((order for order, kept in _ORDERED_PAIRS.items() if kept <= pairs), MemoryOrder.RELAXED)
    missing = set(pairs)
    for barrier in Barrier:
        if barrier.pairs <= pairs and barrier.pairs & missing:
            yield Fence(order, barrier)
            order = MemoryOrder.RELAXED
            missing -= barrier.pairs
    if missing:
        yield Fence(order, Barrier.OTHER)
