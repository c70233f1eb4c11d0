"""What may stand where a type says nothing: values in states, and what variables of proofs stand for."""

from sley.semantics.history import AtomicPlace
from sley.semantics.roles import (
    AliveRole,
    BoundRole,
    CellRole,
    ChangerRole,
    ContentsRole,
    DetachedRole,
    FirstRole,
    HandleRole,
    LocationRole,
    NumberRole,
    OpenRole,
    RegisterRole,
    ResultRole,
    SizeRole,
    StatusRole,
)
from sley.semantics.values import Computed, Undetermined, Unset

Held = int | bool | None | Undetermined | Computed | Unset | AtomicPlace
"""In a cell, a register, an event."""

Symbol = (
    RegisterRole
    | StatusRole
    | ResultRole
    | DetachedRole
    | LocationRole
    | HandleRole
    | CellRole
    | ContentsRole
    | AliveRole
    | SizeRole
    | BoundRole
    | FirstRole
    | ChangerRole
    | NumberRole
    | OpenRole
)
"""Of a variable. Not a plain name, which could be mistaken for something, nor a step's arbitrary value."""

ANYTHING = Held | Symbol
