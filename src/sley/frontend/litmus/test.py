"""A litmus test as data: what memory and registers hold at first, the threads, and the question."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from sley.base.source import Span

SUFFIX = ".litmus"


class LitmusLanguage(Enum):
    """In which language the threads are written; the value is the first word of a test."""

    C = "C"
    X86 = "X86"
    POWER = "PPC"
    ARM = "AArch64"


class Quantifier(Enum):
    """What is asked about the outcome."""

    EXISTS = "exists"
    """Whether it can happen."""
    NEVER = "~exists"
    """Whether it cannot happen."""
    ALWAYS = "forall"
    """Whether nothing else can happen."""


# --- outcomes ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Holds:
    """A register (of a thread) or a location (of none) has a value when all threads have ended."""

    thread: int | None
    name: str
    value: int

    def __str__(self) -> str:
        owner = "" if self.thread is None else f"{self.thread}:"
        return f"{owner}{self.name}={self.value}"


@dataclass(frozen=True, slots=True)
class Negation:
    """The part does not hold."""

    part: "Outcome"

    def __str__(self) -> str:
        return f"~({self.part})"


@dataclass(frozen=True, slots=True)
class Conjunction:
    """All parts hold; none: true."""

    parts: "tuple[Outcome, ...]"

    def __str__(self) -> str:
        return " /\\ ".join(_grouped(part) for part in self.parts) or "true"


@dataclass(frozen=True, slots=True)
class Disjunction:
    """Some part holds; none: false."""

    parts: "tuple[Outcome, ...]"

    def __str__(self) -> str:
        return " \\/ ".join(_grouped(part) for part in self.parts) or "false"


Outcome = Holds | Negation | Conjunction | Disjunction
"""A statement about final values."""


def _grouped(part: Outcome) -> str:
    return f"({part})" if isinstance(part, Conjunction | Disjunction) else str(part)


def atoms(outcome: Outcome) -> Iterator[Holds]:
    """The single statements in an outcome, each once, from left to right."""
    yield from dict.fromkeys(_atoms(outcome))


def _atoms(outcome: Outcome) -> Iterator[Holds]:
    match outcome:
        case Holds():
            yield outcome
        case Negation(part=part):
            yield from _atoms(part)
        case Conjunction(parts=parts) | Disjunction(parts=parts):
            for part in parts:
                yield from _atoms(part)


# --- tests ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """An instruction of a thread, with its place."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class CFunction:
    """A thread in C: where its text is in the file."""

    number: int
    parameters: tuple[tuple[str, str], ...]
    """Type and name of the locations that it is given pointers to."""
    start: int
    """Of its name."""
    body: int
    """Of the opening brace."""
    end: int
    """Of the closing brace."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LitmusTest:
    """A test."""

    path: Path
    text: str
    name: str
    architecture: LitmusLanguage
    memory: Mapping[str, tuple[int, ...]]
    """First values of the locations that are given some; an array has several."""
    registers: Mapping[tuple[int | None, str], int | str]
    """First values of registers: numbers, or locations whose addresses they hold; of no thread: of all."""
    threads: tuple[tuple[Line, ...], ...] = ()
    """In assembly."""
    functions: tuple[CFunction, ...] = ()
    """In C."""
    quantifier: Quantifier
    outcome: Outcome
    place: Span
    """Of the question."""
    comments: str = field(default="", repr=False)
    """Everything in comments, where some tests say what is expected."""

    def first(self, thread: int, register: str) -> int | str:
        """What a register holds at first."""
        return self.registers.get((thread, register), self.registers.get((None, register), 0))

    @property
    def question(self) -> str:
        """What is asked, as tests write it."""
        return f"{self.quantifier.value} ({self.outcome})"

    @property
    def bad(self) -> Outcome:
        """What must not happen: one run that gets there answers the question."""
        return Negation(self.outcome) if self.quantifier is Quantifier.ALWAYS else self.outcome

    def asked_of(self, thread: int) -> tuple[Holds, ...]:
        """The statements about registers of a thread; it answers them with bits of its result."""
        return tuple(atom for atom in atoms(self.outcome) if atom.thread == thread)

    @property
    def locations(self) -> tuple[str, ...]:
        """The locations that the outcome mentions."""
        return tuple(dict.fromkeys(atom.name for atom in atoms(self.outcome) if atom.thread is None))
