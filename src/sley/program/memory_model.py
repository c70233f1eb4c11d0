"""Which writes a read may see."""

from enum import Enum


class MemoryModel(Enum):
    """A rule about what threads see of each other."""

    C11 = "c11"
    """What C11 says: the orders that the program names, and nothing more, order its accesses."""
    SC = "sc"
    """Sequential consistency: accesses of all threads, whatever their order, interleave."""
