"""The proof of engine ``abstract``: what holds of each thread at each place, whatever the others do.

A *context* is a function and the circumstances in which it is called. For each, the proof has the states that
a thread may be in at join points, and those in which the function returns; and beside that what holds of
memory that several threads reach, at any time.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from sley.evidence.proof import RefusedProofError
from sley.program.program import Function
from sley.semantics.abstract.calls import Call, Start
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.objects import ObjectCell, ObjectOrigin
from sley.semantics.abstract.state import RESULT, AbstractState
from sley.semantics.abstract.values import Value


class KnownState(NamedTuple):
    """A state in a proof, which knows registers by their names."""

    state: AbstractState
    """Without registers."""
    registers: Mapping[str, Value]
    """That of the result, of a state in which a function returns, has no name."""


def known(function: Function, state: AbstractState) -> KnownState:
    """A state as a proof has it."""
    names = {RESULT: "", **{register.term: register.name for register in function.registers}}
    registers = {names[term]: value for term, value in state.registers.items()}
    return KnownState(state._replace(registers={}), registers)


def state_of(function: Function, kept: KnownState) -> AbstractState:
    """The state that a proof has; RefusedProofError if its function has no such registers."""
    terms = {"": RESULT, **{register.name: register.term for register in function.registers}}
    if not kept.registers.keys() <= terms.keys():
        raise RefusedProofError(f"no such registers: {function.name}")
    return kept.state._replace(registers={terms[name]: value for name, value in kept.registers.items()})


@dataclass(frozen=True)
class Fixpoint:
    """Abstract states that no step leads out of."""

    origins: tuple[ObjectOrigin, ...]
    contexts: tuple[Context, ...]
    """The first is that of the first thread."""
    states: Mapping[tuple[int, int], tuple[KnownState, ...]]
    """Context and location -> the states there."""
    exits: Mapping[int, tuple[KnownState, ...]]
    """Context -> the states in which its function returns."""
    calls: Mapping[Call, int]
    starts: Mapping[Start, int]
    memory: Mapping[ObjectCell, Value]
    shared: frozenset[int]
    outlived: frozenset[int]
    """Objects of which one thread may end an instance that another one can reach ..."""
    outlived_later: frozenset[int]
    """... and this thread is not the first one."""
    locked: frozenset[ObjectCell]
    overwritten: frozenset[ObjectCell]
    replaced: frozenset[ObjectCell] | None
    asked: Mapping[int, frozenset[int]]
    """Context -> of which objects a call in it wants to know what static ones hold, or if others are gone."""
    handled: Mapping[int, frozenset[int]]
    """Context -> the objects in which a call in it may take locks, or give them back."""
    once: frozenset[int] = frozenset()
    """Blocks of which there is at most one, and whose locks are known by that."""

    @property
    def summary(self) -> str:
        """One phrase for the user."""
        places, contexts = len(self.states), len(self.contexts)
        return f"for any number of threads, what holds of one at {places} places in {contexts} contexts"
