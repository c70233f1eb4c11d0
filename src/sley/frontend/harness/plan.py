"""What a user says about the callers of a library: a few words, from which the harness is written."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

NAME = Path("sley-harness.c")
"""What reports call the file, which is only in memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Harness:
    """Which threads call which functions of a library, and with what."""

    entries: tuple[str, ...]
    """The functions that threads call: each call is of any of them."""
    threads: int = 2
    calls: int = 1
    """How many calls each thread makes, one after another."""
    setup: tuple[str, ...] = ()
    """Functions that main calls first, once each; the pointers that they return are shared by all threads."""
    make: tuple[str, ...] = ()
    """Functions that make an argument: called anew for each parameter of the type that they return."""

    @property
    def functions(self) -> tuple[str, ...]:
        """All that are named."""
        return (*self.entries, *self.setup, *self.make)

    def flags(self) -> Iterator[str]:
        """The words of a command line that say the same."""
        yield from ("--entry", ",".join(self.entries), "--threads", str(self.threads))
        if self.calls > 1:
            yield from ("--calls", str(self.calls))
        for name in ("setup", "make"):
            if functions := getattr(self, name):
                yield from (f"--{name}", ",".join(functions))

    @property
    def assumption(self) -> str:
        """What an answer rests on."""
        return f"the library is used by {self} (sley show harness)"

    def __str__(self) -> str:
        """Which thread calls what."""
        one_of = "" if len(self.entries) == 1 else "one of "
        threads = "1 thread, which" if self.threads == 1 else f"{self.threads} threads, each of which"
        often = "once" if self.calls == 1 else f"{self.calls} times"
        before = f", after {', '.join(self.setup)}" if self.setup else ""
        return f"{threads} calls {one_of}{', '.join(self.entries)} {often}{before}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Carving:
    """What a harness for a component of a larger program knows of it."""

    head: str
    """What stands in its first comment."""
    include: str
    """How the file with the component is included, seen from where the harness is kept."""
    roles: tuple[tuple[str, ...], ...]
    """The functions that each thread calls one of."""
    record: str = ""
    """The structure that the threads share; empty: the variables of the file."""
    enter: str = ""
    leave: str = ""
    """What each thread calls before and after all else."""
    begins: bool = False
    """Whether the main thread may call one of the functions before the threads start."""
    destructor: str = ""
    """What is called when the threads have ended; empty: nothing."""
    usual: Mapping[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)
    """Which constants callers give functions for their parameters."""
    giving: Mapping[str, str] = field(default_factory=dict)
    """For functions that take a block back, the function that gives it."""
    renames_main: bool = False
    """Whether the file has a ``main`` of its own."""
