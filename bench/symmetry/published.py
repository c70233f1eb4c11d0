"""The published measurements of SymmPA, and our programs for them.

A. F. Donaldson, A. Kaiser, D. Kroening, M. Tautschnig, T. Wahl, Counterexample-guided abstraction
refinement for symmetric concurrent programs, Formal Methods in System Design 41, 2012, Table 1. The programs
were written anew; the comment at the top of each says after which description, and what its unsafe variant
(macro ``BUG``) does wrong.

Seconds are those of the authors' machine, with a limit of 30 minutes. The text of the table that we have is
garbled: the seconds of ``prng-lock`` with c2 and the shared predicates of ``prng-cas`` are likely, not
certain.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "programs"
SETTINGS = ("c0", "c1", "c2")
"""Without Cartesian abstraction, and with cubes of at most one or two predicates."""


@dataclass(frozen=True)
class Outcome:
    """What one setting needed."""

    iterations: int
    refinements: int
    """Of transitions."""
    seconds: int
    """0: less than one."""


@dataclass(frozen=True)
class Predicates:
    """How many were needed, by what they speak about."""

    local: int
    mixed: int
    shared: int


@dataclass(frozen=True)
class Row:
    """One program of the table."""

    number: int
    name: str
    threads: int
    """The published number; main does not count."""
    predicates: Predicates
    outcomes: tuple[Outcome | None, Outcome | None, Outcome | None]
    """One for each setting; None: out of time."""
    smallest: int
    """The smallest number of threads with which the assertion of the unsafe variant can fail."""
    file: str
    is_parametric: bool = True
    """Any number of threads run the same function: macro ``THREADS``, unboundedly many without it."""
    fixed: Mapping[str, int] = field(default_factory=dict)
    """Macros that the program cannot do without."""
    small: Mapping[str, int] = field(default_factory=dict)
    """Macros that leave few enough values for an exhaustive search."""

    @property
    def path(self) -> Path:
        return FOLDER / self.file

    def defines(
        self, threads: int | None, *, is_unsafe: bool = False, is_small: bool = False
    ) -> dict[str, int]:
        """The macros for this many threads; None: for unboundedly many where the program is parametric."""
        found = dict(self.fixed)
        if is_small:
            found |= self.small
        if self.is_parametric and threads is not None:
            found["THREADS"] = threads
        if is_unsafe:
            found["BUG"] = 1
        return found


def _outcomes(*numbers: tuple[int, int, int] | None) -> tuple[Outcome | None, Outcome | None, Outcome | None]:
    first, second, third = (None if found is None else Outcome(*found) for found in numbers)
    return first, second, third


def _crowd(
    number: int,
    name: str,
    threads: int,
    predicates: tuple[int, int, int],
    outcomes: tuple[Outcome | None, Outcome | None, Outcome | None],
    smallest: int,
    values: int | None = None,
) -> Row:
    """A program for any number of threads; ``values`` bounds what an exhaustive search would not end with."""
    small = {} if values is None else {"VALUES": values}
    file = f"{name.replace('-', '_')}.c"
    return Row(number, name, threads, Predicates(*predicates), outcomes, smallest, file, small=small)


def _roles(
    number: int,
    name: str,
    threads: int,
    predicates: tuple[int, int, int],
    outcomes: tuple[Outcome | None, Outcome | None, Outcome | None],
    file: str | None = None,
    fixed: Mapping[str, int] | None = None,
) -> Row:
    """A program with a fixed number of threads."""
    return Row(
        number,
        name,
        threads,
        Predicates(*predicates),
        outcomes,
        threads,
        file or f"{name.replace('-', '_')}.c",
        is_parametric=False,
        fixed=fixed or {},
    )


QUICK = _outcomes((2, 0, 0), (2, 0, 0), (2, 0, 0))
TABLE = (
    _crowd(1, "inc-lock", 4, (2, 2, 5), _outcomes((7, 12, 1), (6, 12, 2), (6, 12, 2)), 3),
    _crowd(2, "inc-cas", 4, (4, 2, 0), _outcomes((7, 21, 3), (6, 9, 2), (7, 15, 5)), 3),
    _crowd(3, "inc-dec-lock", 4, (4, 3, 9), _outcomes((16, 43, 25), (10, 17, 10), (10, 17, 17)), 3),
    _crowd(4, "inc-dec-cas", 4, (8, 4, 2), _outcomes((24, 108, 908), None, None), 3),
    _crowd(5, "tas", 4, (1, 1, 4), _outcomes((3, 1, 1), (3, 1, 1), (2, 0, 1)), 2),
    _crowd(6, "ticket", 3, (2, 5, 9), _outcomes((9, 44, 15), (8, 7, 18), (6, 5, 75)), 2),
    _crowd(7, "prng-lock", 4, (8, 0, 3), _outcomes((4, 5, 2), (3, 0, 0), (3, 0, 15)), 2, values=3),
    _crowd(8, "prng-cas", 3, (15, 1, 2), _outcomes(None, (5, 60, 834), None), 2, values=3),
    _crowd(9, "max-simple-lock", 4, (6, 7, 2), _outcomes((3, 2, 8), (3, 1, 39), (2, 0, 276)), 2, values=2),
    _crowd(10, "max-simple-cas", 4, (2, 4, 0), _outcomes((13, 45, 1515), None, None), 2, values=2),
    _crowd(11, "max-opt-lock", 4, (2, 1, 2), _outcomes((3, 2, 5), (3, 1, 5), (2, 0, 5)), 2, values=2),
    _crowd(12, "max-opt-cas", 4, (3, 4, 0), _outcomes(None, (11, 45, 1460), None), 2, values=2),
    _crowd(13, "mixed", 4, (0, 3, 5), _outcomes((8, 30, 3), (4, 2, 2), (3, 0, 2)), 2, values=3),
    _crowd(14, "spin", 4, (0, 0, 3), QUICK, 2),
    _roles(15, "dekker", 2, (0, 0, 5), QUICK),
    _roles(16, "peterson", 2, (0, 0, 6), QUICK),
    _roles(17, "szymanski", 2, (0, 0, 7), QUICK),
    _roles(18, "readers-writers", 2, (0, 0, 7), _outcomes((3, 0, 0), (4, 2, 0), (4, 2, 0))),
    _roles(19, "time-varying-mutex", 2, (0, 0, 7), QUICK),
    _roles(20, "lamport", 2, (0, 0, 11), _outcomes((5, 3, 0), (5, 3, 1), (5, 3, 0))),
    _roles(
        21,
        "qrcu-2",
        2,
        (10, 2, 13),
        _outcomes((11, 40, 6), (11, 40, 12), (11, 40, 80)),
        "qrcu.c",
        {"READERS": 1},
    ),
    _roles(
        22,
        "qrcu-3",
        3,
        (10, 2, 13),
        _outcomes((11, 40, 6), (11, 40, 11), (11, 40, 51)),
        "qrcu.c",
        {"READERS": 2},
    ),
    _roles(23, "mozilla-fix", 2, (0, 0, 5), _outcomes((3, 0, 0), (3, 0, 0), (3, 0, 0))),
    _roles(24, "scull", 3, (9, 0, 5), _outcomes((6, 6, 1), (6, 6, 2), (6, 6, 2))),
)
