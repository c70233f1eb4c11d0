"""What a fixpoint that does not prove everything gives to others: a program with less to prove."""

from dataclasses import dataclass

from sley.base.budget import Budget
from sley.evidence.fixpoint.check import settle
from sley.evidence.fixpoint.proof import Fixpoint
from sley.laws.settled import Settled
from sley.passes.proved import ProvedLocations, without_proved
from sley.program import instructions as ir
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import locations_inside


@dataclass(frozen=True)
class GivenFixpoint:
    """A fixpoint, and what it leaves to prove."""

    proof: Fixpoint
    program: Program
    properties: frozenset[Property]


def given_by(
    program: Program, properties: frozenset[Property], proof: Fixpoint, budget: Budget
) -> GivenFixpoint | None:
    """What a fixpoint gives, which is checked for it; None: nothing, or all is proved.

    Nothing follows if memory is accessed by an unknown address, or it is not known how to go on.
    """
    settled = settle(program, properties, proof, budget)
    if settled.given_up or settled.elsewhere:
        return None
    left = without_proved(program, _proved(program, settled))
    failures = {failure.property for f in left.functions.values() for failure in f.errors.values()}
    remaining = frozenset(prop for prop in properties if prop in failures or _is_open(settled, prop))
    return GivenFixpoint(proof, left, remaining) if remaining else None


def _is_open(settled: Settled, prop: Property) -> bool:
    """Whether a property may be violated other than at error locations."""
    match prop:
        case Property.RACE:
            return bool(settled.open(prop))
        case Property.DEADLOCK:
            return bool(settled.stuck)
        case _:
            return settled.is_beyond(prop)


def _proved(program: Program, settled: Settled) -> ProvedLocations:
    certain: set[int] = set()
    unnoticed: set[int] = set()
    for function in program.functions.values():
        inside = locations_inside(function)
        for edge in function.edges:
            if not isinstance(edge.instruction, ir.Load | ir.Store | ir.Update | ir.Lock):
                continue
            if edge.source in settled.uncertain:
                continue
            certain.add(edge.source)
            if _is_plain(edge.instruction) and edge.source not in settled.meeting | inside:
                unnoticed.add(edge.source)
    errors = {location for function in program.functions.values() for location in function.errors}
    return ProvedLocations(errors - settled.reached, certain, unnoticed)


def _is_plain(instruction: ir.Load | ir.Store | ir.Update | ir.Lock) -> bool:
    """Whether races are about all that it touches, and only that: not so of the neighbours of a bit-field."""
    is_plain = isinstance(instruction, ir.Load | ir.Store) and not instruction.access.is_atomic
    return is_plain and instruction.access.location is None
