"""Ways of a thread from one place to the next stop, with what its registers are there, as terms."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.semantics.code import Code

MOST_STEPS = 200
"""With more on all ways, nothing is said."""


class PackedStep(NamedTuple):
    """When it is taken, where it leads to, and with which registers."""

    conditions: frozenset[Term]
    location: int
    registers: tuple[Term, ...]


Values = Mapping[Term, Term]
"""Registers -> what they hold; a register that is not there holds what it did."""


def ways_from(
    code: Code, start: int, values: Values, now: Callable[[Term, Values], Term], number: int = 0
) -> frozenset[PackedStep] | None:
    """All ways to the next stop, by what terms are ``now``; None if memory may be accessed on one.

    Values that are made up on the way have the number in their names.
    """
    terms, found = code.program.terms, set[PackedStep]()
    waiting: list[tuple[int, Values, frozenset[Term]]] = [(start, values, frozenset())]
    for steps in range(MOST_STEPS):
        if not waiting:
            return frozenset(found)
        location, values, conditions = waiting.pop()
        if location in code.stops:
            live = code.live[location] if location not in code.errors else ()
            found.add(PackedStep(conditions, location, tuple([values.get(r.term, r.term) for r in live])))
            continue
        for after in code.out.get(location, ()):
            new, met = dict(values), conditions
            match after.instruction:
                case ir.Assign(assignments=assignments):
                    new |= {r.term: now(term, values) for r, term in assignments}
                case ir.Assume(condition=condition):
                    condition = now(condition, values)
                    if condition == terms.false:
                        continue
                    met |= {condition} - {terms.true}
                case ir.Havoc(target=made):
                    new[made.term] = terms.var((made.name, location, steps, number), made.sort)
                case ir.Fence():
                    pass
                case _:
                    return None
            waiting.append((after.target, new, met))
    return None
