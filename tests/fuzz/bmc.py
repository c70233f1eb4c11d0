"""Random triples for engine ``bmc``: a program, properties, an encoding of the order.

``explore`` without reduction is the oracle. On the same properties the two never give different certain
answers; a BUG was replayed, a SAFE is accepted by the checker, and there is none where only some runs were
looked at. Where ``explore`` has an answer, a violation that cannot be replayed is a wrong formula, though not
a wrong answer: such triples are counted by themselves.

``python -m tests.fuzz.bmc --count 5000`` runs a campaign: the same seed is the same triple.
"""

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc import BmcOptions, bmc, search
from sley.engines.bmc.audit import check_again
from sley.engines.bmc.formula.order import OrderEncoding
from sley.engines.bmc.options import Conflicts, Likely
from sley.engines.bmc.proof import BoundedProof
from sley.evidence.bounded_check.check import check_bounded
from sley.evidence.proof import RefusedProofError
from sley.evidence.verdict import Bounded, Claimed, Unknown, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from tests.fuzz.campaign import Comparison, names, run_campaign
from tests.fuzz.impact import ImpactGenerator
from tests.fuzz.laws import loaded, searched
from tests.fuzz.locking_programs import LockingGenerator
from tests.fuzz.random_programs import Generator


@dataclass(frozen=True)
class Triple:
    """A program, the properties it is asked about, and how."""

    text: str
    properties: frozenset[Property]
    options: BmcOptions


def random_triple(seed: int) -> Triple:
    """The triple with this seed."""
    random = Random(f"bmc {seed}")
    generator = ImpactGenerator if random.random() < 0.5 else Generator
    group = random.choice((*PROPERTY_GROUPS.values(), PROPERTY_GROUPS["deadlock"], ALL_PROPERTIES))
    order = random.choice((OrderEncoding.CYCLES, OrderEncoding.CYCLES, OrderEncoding.CLOCKS))
    text = (LockingGenerator if random.random() < 0.6 else generator)(seed).program()
    return Triple(text, group, _random_options(random, order))


def _random_options(random: Random, order: OrderEncoding) -> BmcOptions:
    """Mostly as they are by default: each of the others matters in some of the triples."""
    bound = random.choice((1, 2, 3, 5)) if random.random() < 0.06 else None
    run = random.randrange(100) if random.random() < 0.06 else None
    likely = random.choice((Likely.SWITCHED, Likely.HINTS, Likely.DIRECT))
    return BmcOptions(
        order=order,
        symmetry=random.random() < 0.7,
        pruning=random.random() < 0.75,
        summaries=random.random() < 0.75,
        conflicts=random.choice((*Conflicts, Conflicts.EAGER)),
        unwind=random.choice((None, None, None, None, None, 1, 2, 3)),
        likely_invariants=likely if random.random() < 0.25 else Likely.OFF,
        context_bound=bound,
        slice_of_run=run,
        runs=10,
    )


def _looks_at_some_runs(options: BmcOptions) -> bool:
    is_direct = options.likely_invariants is Likely.DIRECT
    return is_direct or options.context_bound is not None or options.slice_of_run is not None


def compared(triple: Triple, path: Path, max_states: int, seconds: float) -> Comparison:
    """Run both engines on a triple, whose program is written to ``path``."""
    path.write_text(triple.text)
    program = loaded(path, triple.properties)
    oracle = searched(program, triple.properties, max_states, is_reduced=False)
    if oracle is None:
        return Comparison("too large")
    violated = {key[0] for key in oracle.findings.violations}
    try:
        verdict, _ = bmc(program, triple.properties, triple.options, Budget(seconds))
        problem = _refusal(program, triple.properties, verdict, seconds)
    except GaveUpError:
        return Comparison("unknown")
    if problem is not None:
        return Comparison("wrong", problem)
    match verdict:
        case Unsafe(traces=traces):
            found = {trace.failure.property for trace in traces}
            if not found <= violated and not oracle.findings.gave_up:
                return Comparison("wrong", f"bmc: {names(found)} violated, explore: {names(violated)}")
            return Comparison("bug")
        case Claimed():
            if _looks_at_some_runs(triple.options):
                return Comparison("wrong", "bmc: safe, though only some runs were looked at")
            if violated:
                return Comparison("wrong", f"bmc: safe, explore: {names(violated)} violated")
            return Comparison("safe")
        case Bounded():
            return Comparison("bounded")
        case Unknown(reason=reason):
            if "replayed" in reason and not oracle.findings.gave_up:
                return Comparison("not replayed", note="not replayed")
            return Comparison("unknown")


def _refusal(
    program: Program, properties: frozenset[Property], verdict: Verdict[BoundedProof], seconds: float
) -> str | None:
    if isinstance(verdict, Claimed):
        try:
            check_again(program, properties, verdict.proof, Budget(10 * seconds))
            with suppress(GaveUpError):
                check_bounded(program, properties, verdict.proof.plain, Budget(10 * seconds))
        except RefusedProofError as error:
            return f"refused: {error}"
    return None


def main() -> int:
    """Run a campaign; exit 1 if any law fails. No formula is too easy for likely invariants."""
    search.EASY = 0
    return run_campaign("fuzz.bmc", lambda seed, path, limits: compared(random_triple(seed), path, *limits))


if __name__ == "__main__":
    sys.exit(main())
