"""The engines by the name that ``--engine`` takes.

An engine is imported when it is asked for: a run needs few of them, each in a process of its own.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from importlib import import_module

from sley.program.memory_model import MemoryModel
from sley.verification.engine import AnyEngine
from sley.verification.task import ENGINE_NAMES, ONLY_FINDS


class _Engines(Mapping[str, AnyEngine]):
    """The engines by name, imported when they are asked for."""

    def __init__(self, name: str, **makers: Callable[[], AnyEngine]) -> None:
        self._name = name
        self._makers = {name: cache(maker) for name, maker in makers.items()}

    def __reduce__(self) -> str:
        """In another process, they are what has this name there."""
        return self._name

    def __getitem__(self, name: str) -> AnyEngine:
        return self._makers[name]()

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers


def _made(name: str, attribute: str = "ENGINE") -> AnyEngine:
    engine: AnyEngine = getattr(import_module(f"sley.verification.adapters.{name}"), attribute)
    return engine


def _on(model: MemoryModel) -> AnyEngine:
    engine: AnyEngine = import_module("sley.verification.adapters.bmc").on_machine(model)
    return engine


ENGINES = _Engines("ENGINES", **{name: partial(_made, name) for name in (*ENGINE_NAMES, ONLY_FINDS)})

FOR_WEAK = _Engines(
    "FOR_WEAK", explore=partial(_made, "explore", "FOR_WEAK"), bmc=partial(_made, "bmc", "FOR_WEAK")
)
"""Those that know what weak orders mean under C11, for programs that have them.

The others still find violations there: whatever happens where threads interleave also happens under C11, and
two accesses that meet are not ordered. But what they prove is nothing that C11 promises.
"""


@cache
def for_machine(model: MemoryModel) -> Mapping[str, AnyEngine]:
    """Those that know what a machine does with accesses.

    The others still find violations there: every machine may behave as if threads interleaved. Of a text
    of the user's that is not known.
    """
    return _Engines("", bmc=partial(_on, model))
