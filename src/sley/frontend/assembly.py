"""Inline assembly: which of it does nothing but order accesses, and how.

What an instruction of a machine does is not modelled, except that some only order memory accesses or pass the
time. Each is the strongest fence of C11 that it keeps, and none at all if it orders less than any of them: an
empty ``asm`` holds back the compiler only.
"""

import re

from sley.frontend.clang_library import assembly_outputs, library, text
from sley.frontend.syntax import Node
from sley.program.instructions import Order

_QUIET = frozenset(
    {
        *("", "pause", "nop", "rep", "rep nop", "yield", "isb", "isync", "eieio"),
        *("dmb st", "dmb ishst", "dsb st", "dsb ishst"),
    }
)
"""Instructions without any effect on registers or memory, which are no fence of C11."""
_FENCES = {
    Order.SEQUENTIAL: {"mfence", "sync", "dmb", "dsb", "dmb sy", "dsb sy", "dmb ish", "dsb ish", "fence"},
    Order.ACQUIRE_RELEASE: {"lwsync", "fence.tso"},
    Order.ACQUIRE: {"lfence", "dmb ld", "dmb ishld", "dsb ld", "dsb ishld"},
    Order.RELEASE: {"sfence"},
}
_RISCV_FENCE = re.compile(r"fence i?o?(r?w?), ?i?o?(r?w?)")
_RISCV_ORDERS = {
    ("rw", "rw"): Order.SEQUENTIAL,
    ("r", "rw"): Order.ACQUIRE,
    ("rw", "w"): Order.RELEASE,
}
_LOCKED_NOTHING = re.compile(r"lock (addl|addq|orl|orq) \$\$?(0|0x0), ?-?\d*\(%%?[er]sp\)")
"""How x86 programs write a fence that old processors understand: they add nothing to the stack."""


def fences(node: Node) -> list[Order] | None:
    """The fences that an ``asm`` statement is; None if it does anything else.

    Values that it takes in and gives out again in the same place (``"+r"(x)``) stay what they are.
    """
    lib = library()
    if lib.clang_Cursor_isGCCAssemblyHasGoto(node.cursor):
        return None
    if not all(constraint.startswith("+") for constraint in assembly_outputs(node.cursor)):
        return None
    template = text(lib.clang_Cursor_getGCCAssemblyTemplate(node.cursor))
    lines = [" ".join(line.split()).lower() for line in re.split(r"[;\n]|\\n", template)]
    if _LOCKED_NOTHING.fullmatch(" ".join(line for line in lines if line)):
        return [Order.SEQUENTIAL]
    if not all(_is_known(line) for line in lines):
        return None
    return [order for line in lines if (order := _fence(line)) is not None]


def _is_known(line: str) -> bool:
    return line in _QUIET or _fence(line) is not None or _RISCV_FENCE.fullmatch(line) is not None


def _fence(line: str) -> Order | None:
    riscv = _RISCV_FENCE.fullmatch(line)
    if riscv is not None:
        before, after = riscv.groups()
        return _RISCV_ORDERS.get((before, after))
    return next((order for order, names in _FENCES.items() if line in names), None)
