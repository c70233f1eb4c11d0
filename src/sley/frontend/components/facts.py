"""What is known of a C file after one look: plain data that goes from process to process.

All of it only says what is worth trying. Nothing that is proved rests on it.
"""

from dataclasses import dataclass
from enum import Enum

from sley.frontend.compilation_database import SourceFile

STARTS = {"pthread_create": 2, "thrd_create": 1}
"""What starts a thread, and which argument is its function."""


class Sync(Enum):
    """How a function agrees with other threads."""

    LOCK = "lock"
    ATOMIC = "atomic"
    """Also ``volatile``, and barriers of the machine."""
    WAIT = "wait"
    """It waits for what another thread does."""
    JOIN = "join"


@dataclass(frozen=True, slots=True)
class Call:
    """A call by its name; of each argument, the constant that it is, or nothing."""

    name: str
    constants: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FunctionFacts:
    """A function that a file defines."""

    name: str
    file: str
    written_in: str
    """The file, or a header that it includes."""
    line: int
    lines: int
    """How long it is."""
    is_static: bool
    is_variadic: bool
    parameters: tuple[str, ...]
    """Their names; empty where one has none."""
    records: tuple[str, ...]
    """For each parameter the structure that it points to; empty: none."""
    numbers: tuple[bool, ...]
    """For each parameter whether it is a number."""
    returns: str
    """The structure that its result points to; empty: none."""
    returns_pointer: bool
    is_routine: bool
    """Whether it has the type of the function of a thread."""
    touches: dict[str, bool]
    """Members, as ``struct queue.head``, and variables; whether it writes them."""
    calls: tuple[Call, ...]
    mentioned: tuple[str, ...]
    """Functions whose address it takes."""
    sync: frozenset[Sync]
    locks: int
    """How many locks it takes more than it releases."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """A file of the repository."""

    source: SourceFile
    functions: tuple[FunctionFacts, ...]
    complete: frozenset[str]
    """The structures whose members it knows."""
    shared: frozenset[str]
    """The structures with members that are locks, atomic or volatile."""
    volatile: frozenset[str]
    """The names of members and variables that are ``volatile``."""
    variables: frozenset[str]
    """Its variables that are not constant."""
    declared: frozenset[str]
    """The functions that it knows by a declaration only."""
    lines: int
    started: tuple[tuple[str, bool], ...]
    """Functions that threads are created with, and whether in a loop."""
    warned: dict[str, str]
    """What comments say of functions that not every thread may call."""

    @property
    def path(self) -> str:
        """Where it is."""
        return str(self.source.path)

    @property
    def has_main(self) -> bool:
        """Whether a program starts in it."""
        return any(function.name == "main" for function in self.functions)
