"""Inline assembly: which of it does nothing but order accesses, and how.

What an instruction of a machine does is not modelled, except that some only order memory accesses or pass the
time. For C11 each is the strongest fence that it keeps, and none if it orders less than any of them. An empty
``asm`` holds back the compiler only.
"""

import re
from collections.abc import Iterator
from itertools import product

from sley.frontend.clang_library import assembly_outputs, library, text
from sley.frontend.fences import MACHINE_FENCES, fences_of_pairs
from sley.frontend.syntax import SyntaxNode
from sley.program.instructions import Fence, MemoryOrder

_QUIET = frozenset({"", "pause", "nop", "rep", "rep nop", "yield"})
"""Instructions without any effect on registers or memory."""
_RISCV_FENCE = re.compile(r"fence i?o?(r?w?), ?i?o?(r?w?)")
_LOCKED_NOTHING = re.compile(r"lock (addl|addq|orl|orq) \$\$?(0|0x0), ?-?\d*\(%%?[er]sp\)")
"""How x86 programs write a fence that old processors understand: they add nothing to the stack."""


def fences(node: SyntaxNode) -> list[Fence] | None:
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
        return [Fence.of(MemoryOrder.SEQUENTIAL)]
    if not all(_is_known(line) for line in lines):
        return None
    return [fence for line in lines for fence in _fences(line)]


def _is_known(line: str) -> bool:
    return line in _QUIET or line in MACHINE_FENCES or _RISCV_FENCE.fullmatch(line) is not None


def _fences(line: str) -> Iterator[Fence]:
    riscv = _RISCV_FENCE.fullmatch(line)
    if riscv is not None:
        before, after = riscv[1].upper(), riscv[2].upper()
        yield from fences_of_pairs({first + later for first, later in product(before, after)})
    elif line in MACHINE_FENCES:
        yield MACHINE_FENCES[line]
