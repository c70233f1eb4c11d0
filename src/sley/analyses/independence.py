"""Independence of actions: when the order of two threads' steps does not matter.

*Static*: from the classes that the actions may touch. *Conditional*: as a term over the two threads'
variables that is true whenever the two accesses overlap, so that a solver (or the values at hand) can
decide. Conditional independence is only about the two accesses; what the rest of the actions touches has to
be disjoint anyway.
"""

from sley.analyses.accesses import ActionEffects
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms
from sley.program.instructions import Access


def are_independent(accesses: ActionEffects, one: int, other: int) -> bool:
    """Whether the actions at two locations, of two different threads, commute in every state.

    Law: if so, and both are enabled, either order leads to the same state; neither enables the other, and
    neither disables it, unless it ends the run (``ActionEffects.may_stop``).
    """
    return not accesses.action(one).conflicts_with(accesses.action(other))


def overlap(terms: Terms, one: Access, other: Access) -> Term:
    """True iff the two accesses have a byte in common; a constant where the addresses' form decides.

    Assumes that neither access wraps around the end of the address space: no object does.
    """
    base, distance = _distance(terms, one.address, other.address)
    width = terms.width(one.address)
    if base is None:
        ahead = distance % (1 << width)
        return terms.boolean(ahead < one.size or (1 << width) - ahead < other.size)
    if one.size == other.size == 1:
        return terms.eq(one.address, other.address)
    ahead_term = terms.sub(other.address, one.address)
    behind_term = terms.sub(one.address, other.address)
    return terms.or_(
        terms.ult(ahead_term, terms.bv(one.size, width)),
        terms.ult(behind_term, terms.bv(other.size, width)),
    )


def _distance(terms: Terms, one: Term, other: Term) -> tuple[tuple[Term, Term] | None, int]:
    """``other - one`` as a number, if the two have the same variable part (then the first result is None)."""
    base_one, constant_one = _split(terms, one)
    base_other, constant_other = _split(terms, other)
    if base_one == base_other:
        return None, constant_other - constant_one
    return (base_one, base_other), 0


def _split(terms: Terms, address: Term) -> tuple[Term, int]:
    """An address as a part with variables and a constant to add."""
    number = terms.number(address)
    if number is not None:
        return terms.bv(0, terms.width(address)), number
    if terms.op(address) is Op.BVADD:
        left, right = terms.args(address)
        for part, constant in ((left, terms.number(right)), (right, terms.number(left))):
            if constant is not None:
                return part, constant
    return address, 0
