"""Library functions that are instructions rather than calls; one module per library."""

from sley.frontend.builtins import (
    atomics,
    compiler,
    copies,
    memory,
    numbers,
    output,
    reading,
    scanning,
    threads,
    verifier,
    writing,
)
from sley.frontend.calls import Handler

_MODULES = (memory, compiler, copies, threads, verifier, atomics, output, writing, reading, scanning, numbers)

HANDLERS: dict[str, Handler] = {name: how for module in _MODULES for name, how in module.HANDLERS.items()}
"""By the exact name of the function."""

_PREFIX_HANDLERS: tuple[tuple[str, Handler], ...] = (
    ("__VERIFIER_nondet_", verifier.arbitrary),
    ("__sley_nondet_", verifier.arbitrary),
    ("__sley_unknown_", threads.unknown),
    ("__sync_", atomics.sync),
)
"""By how the name begins."""


def handler_of(name: str) -> Handler | None:
    """What a call of a function becomes, if it is one of these."""
    by_prefix = (handler for prefix, handler in _PREFIX_HANDLERS if name.startswith(prefix))
    return HANDLERS.get(name) or next(by_prefix, None)
