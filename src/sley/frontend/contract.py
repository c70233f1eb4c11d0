"""The contract of the library: what each function may return, when it fails, what it needs.

One file of rows stands beside each file of models. Models are tested against the rows by generated programs
(``tests/contract``); ``docs/library.md`` and ``sley explain library`` are the rows in words.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from enum import Enum
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "contracts"


SAME = ("__builtin_", "__isoc99_", "__isoc23_")
"""What compilers and headers put before the name of a function, and mean the same."""


class ErrorNumber(Enum):
    """What a function does with ``errno``, which none sets to 0 (C11 7.5p3)."""

    KEPT = "kept"
    """Nothing, whether it fails or not."""
    EXACT = "exact"
    """Set by a failure, kept by a success."""
    SET = "set"
    """Set by a failure; after a success any value but 0 may be there (POSIX errno)."""
    MAY = "may"
    """Any value may be there after a failure or a success, also the one from before."""


class OrderingColumn(Enum):
    """When a call orders memory between threads (POSIX XBD 4.12, C11 7.17)."""

    NEVER = ""
    SUCCESS = "success"
    """When it succeeds: what came before ``release`` in another thread came before what follows."""
    ALWAYS = "always"
    OPEN = "open"
    """The standard does not say: a race that it would prevent is a possible one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractRow:
    """What holds for one function. Conditions are C over ``r``, the result of ``call``."""

    name: str
    c: str
    """Its declaration."""
    call: str
    """A call with valid arguments, in a program with these ``globals``, after ``setup``."""
    globals: str = ""
    setup: str = ""
    main: str = "void"
    """The parameters of ``main``: a row may be about the arguments of the program."""
    says: str = ""
    """The result in words."""
    fails: str = ""
    """The condition that tells a failure, which is possible for this call; empty: it does not fail."""
    assumes: str = ""
    """Why it does not fail although it could, as reports say it."""
    errno: ErrorNumber = ErrorNumber.KEPT
    is_thread_safe: bool = True
    """Otherwise calls in two threads race (POSIX XSH 2.9.1)."""
    orders: OrderingColumn = OrderingColumn.NEVER
    release: str = ""
    """What another thread calls so that ``call`` succeeds after it; empty: other rows ask for the order."""
    after: str = ""
    """The condition that tells that ``release`` came first; empty: that the call does not fail."""
    acquire: str = ""
    """What is called instead of ``call`` to come after ``release``, and then does: no endless wait."""
    tries: bool = False
    """Whether it may give up after ``release``, too: a failure orders nothing (POSIX XBD 4.12)."""
    invalid: tuple[str, ...] = ()
    """Calls that are undefined: each is a bug."""
    holds: tuple[str, ...] = ()
    """What is true of every result."""
    may: tuple[str, ...] = ()
    """What can be true of a result, each in some run."""
    bounds: tuple[str, ...] = ()
    """What is true of results that are not computed."""
    unknown: tuple[str, ...] = ()
    """What may be true of them, for all that is known: a bug that rests on it is a possible one."""
    is_same: bool = False
    """Whether two calls agree."""
    is_distinct: bool = False
    """Whether the results of two successful calls differ."""
    undecided: str = ""
    """Why what holds cannot be proved by a search, if so."""
    gives_up: str = ""
    """Why programs that come to the call are UNKNOWN, if so; then nothing else is said."""
    aliases: tuple[str, ...] = ()
    """Other names of the same function."""


@dataclass(frozen=True, slots=True)
class ContractGroup:
    """The rows of one file."""

    name: str
    title: str
    headers: tuple[str, ...]
    rows: tuple[ContractRow, ...]


_NAMES = {"thread_safe": "is_thread_safe", "same": "is_same", "distinct": "is_distinct"}
_KNOWN = frozenset(field.name for field in fields(ContractRow))
_OF_GROUP = ("title", "headers", "globals", "setup")


@cache
def contract() -> tuple[ContractGroup, ...]:
    """All rows, in order of their files' names."""
    return tuple(_group(path) for path in sorted(FOLDER.glob("*.toml")))


def rows() -> dict[str, ContractRow]:
    """All rows by the function's name."""
    return {row.name: row for group in contract() for row in group.rows}


def row_of(name: str) -> ContractRow | None:
    """The row of a function, which may be called by another of its names."""
    own = rows().get(name)
    if own is not None:
        return own
    named = [row for row in rows().values() if name in row.aliases]
    plain = next((name.removeprefix(prefix) for prefix in SAME if name.startswith(prefix)), None)
    row = named[0] if named else rows().get(plain) if plain is not None else None
    return None if row is None else renamed(row, name)


def _group(path: Path) -> ContractGroup:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    common = {key: data[key] for key in ("globals", "setup") if key in data}
    found: dict[str, ContractRow] = {}
    for name, given in data.items():
        if name not in _OF_GROUP:
            found[name] = _row(name, given if "like" in given else common | given, found)
    return ContractGroup(path.stem, data["title"], tuple(data["headers"]), tuple(found.values()))


def _row(name: str, given: dict[str, object], before: Mapping[str, ContractRow]) -> ContractRow:
    values = {_NAMES.get(key, key): _value(key, value) for key, value in given.items()}
    model = values.pop("like", None)
    unknown = values.keys() - _KNOWN
    if unknown:
        raise ValueError(f"{name}: unknown columns {sorted(unknown)}")
    if model is None:
        return ContractRow(name=name, **values)  # type: ignore[arg-type]
    return replace(renamed(before[str(model)], name), **values)  # type: ignore[arg-type]


def _value(key: str, value: object) -> object:
    match key:
        case "errno":
            return ErrorNumber(value)
        case "orders":
            return OrderingColumn(value)
        case "invalid" | "holds" | "may" | "bounds" | "unknown" | "aliases":
            assert isinstance(value, list), f"{key} is a list"
            return tuple(value)
        case _:
            return value


def renamed(row: ContractRow, name: str) -> ContractRow:
    """The row of a function that differs from another in its name only."""
    word = re.compile(rf"\b{row.name}\b")
    return replace(
        row,
        name=name,
        c=word.sub(name, row.c),
        call=word.sub(name, row.call),
        aliases=(),
        release=word.sub(name, row.release),
        acquire=word.sub(name, row.acquire),
        invalid=_renamed(row.invalid, word, name),
        holds=_renamed(row.holds, word, name),
        may=_renamed(row.may, word, name),
        bounds=_renamed(row.bounds, word, name),
        unknown=_renamed(row.unknown, word, name),
    )


def _renamed(calls: tuple[str, ...], word: re.Pattern[str], name: str) -> tuple[str, ...]:
    return tuple(word.sub(name, one) for one in calls)
