"""Which writes a read may see."""

from enum import Enum
from pathlib import PurePath


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

    @classmethod
    def _missing_(cls, value: object) -> "MemoryModel | None":
        """The name of a file and its text, in two or more lines, are a model, too: the value says it all."""
        if not isinstance(value, str) or "\n" not in value:
            return None
        made = object.__new__(cls)
        made._name_, made._value_ = "TEXT", value
        known = cls._value2member_map_.setdefault(value, made)
        assert isinstance(known, cls)
        return known

    def __reduce_ex__(self, _: object) -> tuple[type["MemoryModel"], tuple[str]]:
        """In another process it is what its value says."""
        return MemoryModel, (self.value,)

    @property
    def text(self) -> tuple[str, str] | None:
        """The file and the text of a model of the user's."""
        file, newline, text = self.value.partition("\n")
        return (file, text) if newline else None

    @property
    def label(self) -> str:
        """What reports call it."""
        return self.value.upper() if self.text is None else PurePath(self.text[0]).name

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
        return self.is_hardware and not self.has_store_buffers
