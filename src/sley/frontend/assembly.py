"""Inline assembly: which of it is only a barrier.

What an instruction of a machine does is not modelled, except that some do nothing but order memory accesses
or pass the time. A fence stands for all of them.
"""

import re

from sley.frontend.clang_library import assembly_outputs, library, text
from sley.frontend.syntax import Node

_QUIET = frozenset(
    {
        *("mfence", "lfence", "sfence", "pause", "nop", "rep", "rep nop", "yield", "isb", "sync"),
        *("lwsync", "isync", "eieio", "fence", "fence rw,rw", "dmb", "dsb"),
    }
)
"""Instructions without any effect on registers or memory."""
_ORDERING = re.compile(r"(dmb|dsb) (sy|ish|ishst|ishld|st|ld)|fence [iorw]+, ?[iorw]+")
_LOCKED_NOTHING = re.compile(r"lock (addl|addq|orl|orq) \$\$?(0|0x0), ?-?\d*\(%%?[er]sp\)")
"""How x86 programs write a fence that old processors understand: they add nothing to the stack."""


def is_barrier(node: Node) -> bool:
    """Whether an ``asm`` statement does nothing but order accesses.

    Values that it takes in and gives out again in the same place (``"+r"(x)``) stay what they are.
    """
    lib = library()
    if lib.clang_Cursor_isGCCAssemblyHasGoto(node.cursor):
        return False
    template = text(lib.clang_Cursor_getGCCAssemblyTemplate(node.cursor))
    lines = [" ".join(line.split()).lower() for line in re.split(r"[;\n]|\\n", template)]
    joined = " ".join(line for line in lines if line)
    is_locked_nothing = _LOCKED_NOTHING.fullmatch(joined) is not None
    if not is_locked_nothing and not all(_is_quiet(line) for line in lines):
        return False
    return all(constraint.startswith("+") for constraint in assembly_outputs(node.cursor))


def _is_quiet(line: str) -> bool:
    return not line or line in _QUIET or _ORDERING.fullmatch(line) is not None
