"""Library functions that are instructions rather than calls; one module per library."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sley.frontend.builtins import (
    arguments,
    atomics,
    bits,
    compiler,
    copies,
    floats,
    memory,
    output,
    overflow,
    reading,
    threads,
    verifier,
)
from sley.frontend.syntax import Node
from sley.logic.terms import Term

if TYPE_CHECKING:
    from sley.frontend.calls import Calls

Handler = Callable[["Calls", Node, list[Node]], Term]

HANDLERS: dict[str, Handler] = {
    **memory.HANDLERS,
    **arguments.HANDLERS,
    **copies.HANDLERS,
    **threads.HANDLERS,
    **verifier.HANDLERS,
    **atomics.HANDLERS,
    **output.HANDLERS,
    **reading.HANDLERS,
    **compiler.HANDLERS,
    **bits.HANDLERS,
    **floats.HANDLERS,
    **overflow.HANDLERS,
}
"""By the exact name of the function."""

PREFIX_HANDLERS: tuple[tuple[str, Handler], ...] = (
    ("__VERIFIER_nondet_", verifier.arbitrary),
    ("__sley_nondet_", verifier.arbitrary),
    ("__sley_unknown_", threads.unknown),
    ("__sync_", atomics.sync),
)
"""By how the name begins."""

UNSUPPORTED_FUNCTIONS = frozenset(
    {
        "setjmp",
        "_setjmp",
        "sigsetjmp",
        "__sigsetjmp",
        "longjmp",
        "siglongjmp",
    }
)
"""What changes control or memory in ways that no instruction expresses."""
