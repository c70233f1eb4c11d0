"""sley: a model checker for multi-threaded C.

The library interface is what the command line uses::

    from pathlib import Path
    from sley import Safe, Task, Unsafe, verify

    result = verify(Task(paths=(Path("queue.c"),)))

It is imported when first used: ``sley --version`` need not wait for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
    from sley.verification.result import NotSupported, Result
    from sley.verification.task import Task
    from sley.verification.verify import verify

__all__ = ["Bounded", "NotSupported", "Result", "Safe", "Task", "Unknown", "Unsafe", "__version__", "verify"]

__version__ = "0.1.0"

_HOMES = {
    "Bounded": "sley.evidence.verdict",
    "Safe": "sley.evidence.verdict",
    "Unknown": "sley.evidence.verdict",
    "Unsafe": "sley.evidence.verdict",
    "NotSupported": "sley.verification.result",
    "Result": "sley.verification.result",
    "Task": "sley.verification.task",
    "verify": "sley.verification.verify",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'sley' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
