"""A part of the search: the runs in which some reads get their values where the part says (cubes).

Every part unrolls all of the program and asks about all runs whether a loop goes on, so that all go equally
deep, to the same formula. Only the question for a violation is divided. For some reads, those with the most
writes to choose from, there are two cases each: one of every second of these writes is copied, or none of
them (of the first half would be worse: early writes are rarely where the trouble is). The combinations of
cases exclude each other and cover everything; each belongs to one part.

What all parts have found is checked as one proof, with the whole formula.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

from sley.base.errors import GaveUpError
from sley.base.parts import ParallelPart
from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.options import BmcOptions, Likely
from sley.engines.bmc.proof import BoundedProof
from sley.engines.bmc.thresholds import CUBES
from sley.logic.sorts import Sort
from sley.logic.terms import Term, Terms
from sley.program.program import Program


def can_be_divided(options: BmcOptions) -> bool:
    """Whether all runs are looked at anyway, as far as loops are unrolled."""
    chosen = (options.unwind, options.context_bound, options.slice_of_run)
    return chosen == (None, None, None) and options.likely_invariants is not Likely.DIRECT


def runs_of(formula: Formula, part: ParallelPart) -> Term:
    """Which runs belong to a part."""
    t = formula.terms
    cubes = list(product(*((case, t.not_(case)) for case in _cases(formula, CUBES * part.of))))
    return t.or_(*(t.and_(*cube) for cube in cubes[part.number :: part.of]))


def _cases(formula: Formula, combinations: int) -> list[Term]:
    """Conditions of runs with at least so many combinations, if there are so many reads with a choice."""
    most_first = sorted(formula.choices, key=lambda choice: -len(choice.copied))
    divided = [choice for choice in most_first if len(choice.copied) > 1]
    copies = [[copy for copy, _ in choice.copied] for choice in divided[: (combinations - 1).bit_length()]]
    return [formula.terms.or_(*some[::2]) for some in copies]


@dataclass(frozen=True, slots=True)
class PartOfProof:
    """What a part claims: a proof but for violations in other parts; its variables by their names."""

    proof: BoundedProof
    settled: frozenset[tuple[object, Sort]]

    @classmethod
    def of(cls, terms: Terms, proof: BoundedProof) -> "PartOfProof":
        """Without the numbers of terms, which mean something else in other processes."""
        settled = frozenset((terms.symbol(one), terms.sort(one)) for one in proof.claims.settled)
        return cls(replace(proof, claims=replace(proof.claims, settled=frozenset())), settled)


def united(program: Program, parts: Sequence[PartOfProof]) -> BoundedProof:
    """The proof that the parts make; GaveUpError if they were not parts of the same formula."""
    first, settled = parts[0].proof, parts[0].settled
    for part in parts:
        is_as_deep = dict(part.proof.bounds) == dict(first.bounds)
        if not is_as_deep or (part.proof.claims, part.settled) != (first.claims, settled):
            raise GaveUpError("the parts of the search do not fit together")
    variables = frozenset(program.terms.var(symbol, sort) for symbol, sort in settled)
    return replace(
        first,
        cycles=tuple(dict.fromkeys(cycle for part in parts for cycle in part.proof.cycles)),
        claims=replace(first.claims, settled=variables),
        seconds=sum(part.proof.seconds for part in parts),
    )
