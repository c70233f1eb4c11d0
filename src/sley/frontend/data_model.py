"""The two data models: what distinguishes 32-bit from 64-bit machines in C."""

from enum import Enum

from sley.program.memory import PointerLayout


class DataModel(Enum):
    """Sizes of ``int``, ``long`` and pointers."""

    ILP32 = "ILP32"
    LP64 = "LP64"

    @property
    def clang_flag(self) -> str:
        """What makes clang use this model."""
        return "-m32" if self is DataModel.ILP32 else "-m64"

    @property
    def pointer_size(self) -> int:
        """Bytes of a pointer."""
        return 4 if self is DataModel.ILP32 else 8

    def pointer_layouts(self) -> tuple[PointerLayout, ...]:
        """Layouts to try, in order: each holds larger objects, and fewer of them, than the one before."""
        if self is DataModel.LP64:
            return (PointerLayout(64, 32), PointerLayout(64, 48))
        return tuple(PointerLayout(32, offset_bits) for offset_bits in (16, 20, 24))
