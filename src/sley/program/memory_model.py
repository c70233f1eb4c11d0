"""Which writes a read may see."""

from enum import Enum


class MemoryModel(Enum):
    """A rule about what threads see of each other: of C, or of a machine."""

    C11 = "c11"
    """What C11 says: the orders that the program names, and nothing more, order its accesses."""
    SC = "sc"
    """Sequential consistency: accesses of all threads, whatever their order, interleave."""
    TSO = "tso"
    """Total store order: a store may wait while its thread goes on to read (x86, SPARC)."""
    PSO = "pso"
    """Partial store order: stores to different variables may also overtake each other (SPARC)."""
    RMO = "rmo"
    """Relaxed memory order: loads may be overtaken, too, where no later access depends on them (SPARC)."""
    POWER = "power"
    """IBM Power: as RMO, and a store may reach some threads before others."""
    ARMV8 = "armv8"
    """ARMv8: as Power, but a store reaches all other threads at once."""

    @property
    def is_hardware(self) -> bool:
        """Whether it is about the accesses of a machine, plain or atomic: there are no data races then."""
        return self not in (MemoryModel.C11, MemoryModel.SC)

    @property
    def has_store_buffers(self) -> bool:
        """Whether all that is not sequentially consistent comes from stores that wait."""
        return self in (MemoryModel.TSO, MemoryModel.PSO)

    @property
    def splits_updates(self) -> bool:
        """Whether an update is not locked: a read and a write."""
        return self in (MemoryModel.RMO, MemoryModel.POWER, MemoryModel.ARMV8)
