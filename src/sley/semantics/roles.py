"""Roles: what the variables of symbolic states stand for.

The symbol of such a variable (``Terms.symbol``) is its role, which prints as the variable's name. A variable
whose symbol is a plain name occurs in formulas only, and nothing depends on what it is called.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ThreadRole:
    """Something of one thread."""

    thread: int


@dataclass(frozen=True, slots=True)
class RegisterRole(ThreadRole):
    """A register of the thread."""

    name: str

    def __str__(self) -> str:
        return f"#{self.thread}.{self.name}"


@dataclass(frozen=True, slots=True)
class StatusRole(ThreadRole):
    """How far the thread is."""

    def __str__(self) -> str:
        return f"#{self.thread}.!status"


@dataclass(frozen=True, slots=True)
class ResultRole(ThreadRole):
    """What the thread returned."""

    def __str__(self) -> str:
        return f"#{self.thread}.!result"


@dataclass(frozen=True, slots=True)
class DetachedRole(ThreadRole):
    """Whether the thread is detached."""

    def __str__(self) -> str:
        return f"#{self.thread}.!detached"


@dataclass(frozen=True, slots=True)
class LocationRole(ThreadRole):
    """Where the thread is."""

    def __str__(self) -> str:
        return f"#{self.thread}.!at"


@dataclass(frozen=True, slots=True)
class HandleRole(ThreadRole):
    """The handle of the thread, where it is not known."""

    def __str__(self) -> str:
        return f"#{self.thread}.!handle"


@dataclass(frozen=True, slots=True)
class ObjectRole:
    """Something of the object with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class CellRole(ObjectRole):
    """The contents of a cell."""

    index: int

    def __str__(self) -> str:
        return f"@{self.number}.{self.index}"


@dataclass(frozen=True, slots=True)
class ContentsRole(ObjectRole):
    """The contents of all cells of ``size`` bytes, as an array: the index is the offset of a cell."""

    size: int

    def __str__(self) -> str:
        return f"@{self.number}[{self.size}]"


@dataclass(frozen=True, slots=True)
class AliveRole(ObjectRole):
    """Whether the object exists."""

    def __str__(self) -> str:
        return f"alive@{self.number}"


@dataclass(frozen=True, slots=True)
class SizeRole(ObjectRole):
    """The size of the object in bytes."""

    def __str__(self) -> str:
        return f"size@{self.number}"


class ArbitraryRole:
    """An arbitrary value: an input, uninitialised memory."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class InputRole(ArbitraryRole):
    """The arbitrary value of one step."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


@dataclass(frozen=True, slots=True)
class BoundRole(ArbitraryRole):
    """A value that a formula is meant for all of, by its position there."""

    position: int

    def __str__(self) -> str:
        return f"${self.position}"


@dataclass(frozen=True, slots=True)
class OpenRole:
    """The undetermined value of a concrete state that has this number."""

    number: int
    width: int

    def __str__(self) -> str:
        return f"?{self.number}:{self.width}"


@dataclass(frozen=True, slots=True)
class FirstRole:
    """What the variable with this symbol holds when the program starts, where that is not known."""

    of: object

    def __str__(self) -> str:
        return f"!first{self.of}"


@dataclass(frozen=True, slots=True)
class RunningRole:
    """Whether threads may run that were created at this place."""

    site: int

    def __str__(self) -> str:
        return f"!running{self.site}"


@dataclass(frozen=True, slots=True)
class ChangerRole:
    """The thread that changed the variable with this symbol last."""

    of: object

    def __str__(self) -> str:
        return f"!changer{self.of}"


@dataclass(frozen=True, slots=True)
class NumberRole:
    """How many threads are in the group that is counted with this index."""

    group: int

    def __str__(self) -> str:
        return f"!number{self.group}"
