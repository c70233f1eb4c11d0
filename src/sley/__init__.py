"""sley: a model checker for multi-threaded C.

The library interface is what the command line uses (docs/api.md)::

    import sley

    result = sley.check("queue.c", time_limit=10)
    print(result.answer, sley.to_text(result))

It is imported when first used: ``sley --version`` need not wait for it.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sley.api import check, check_proof, save_proof, to_dict, to_text
    from sley.evidence.verdict import Bounded, Safe, Unknown, Unsafe
    from sley.frontend.harness.plan import Harness
    from sley.verification.result import Answer, NotSupported, Result
    from sley.verification.task import Task
    from sley.verification.verify import verify

__all__ = [
    "Answer",
    "Bounded",
    "Harness",
    "NotSupported",
    "Result",
    "Safe",
    "Task",
    "Unknown",
    "Unsafe",
    "__version__",
    "check",
    "check_proof",
    "save_proof",
    "to_dict",
    "to_text",
    "verify",
]

__version__ = "0.2.0"

_HOMES = {
    **dict.fromkeys(("check", "check_proof", "save_proof", "to_dict", "to_text"), "sley.api"),
    "Answer": "sley.verification.result",
    "Bounded": "sley.evidence.verdict",
    "Harness": "sley.frontend.harness.plan",
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
