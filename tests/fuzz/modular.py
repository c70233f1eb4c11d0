"""Random pairs for engine ``modular``: a program and properties, threads told apart or any number of them.

``explore`` without reduction is the oracle. Where it finds a violation, ``modular`` does not say SAFE; and
every proof is accepted by the checker, and random runs fit it.

``python -m tests.fuzz.modular --count 5000`` runs a campaign: the same seed is the same pair.
"""

import sys
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.modular import ModularOptions, modular
from sley.evidence.modular import ModularProof
from sley.evidence.modular_check import check_modular
from sley.evidence.modular_runs import ModularFollower
from sley.evidence.proof import RefusedProofError
from sley.evidence.runs import run_against
from sley.evidence.verdict import Claimed
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.semantics.code import Code
from tests.fuzz.campaign import Comparison, names, run_campaign
from tests.fuzz.impact import ImpactGenerator
from tests.fuzz.laws import loaded, searched
from tests.fuzz.locking_programs import LockingGenerator
from tests.fuzz.random_programs import Generator


@dataclass(frozen=True)
class Pair:
    """A program, the properties it is asked about, and how."""

    text: str
    properties: frozenset[Property]
    options: ModularOptions


def random_pair(seed: int) -> Pair:
    """The pair with this seed."""
    random = Random(f"modular {seed}")
    generator = random.choice((Generator, ImpactGenerator, LockingGenerator))
    group = random.choice((*PROPERTY_GROUPS.values(), PROPERTY_GROUPS["deadlock"], ALL_PROPERTIES))
    options = ModularOptions(in_view=random.choice((1, 2)), tell_apart=random.random() < 0.5)
    return Pair(generator(seed).program(), group, options)


def compared(pair: Pair, path: Path, max_states: int, seconds: float) -> Comparison:
    """Run both engines on a pair, whose program is written to ``path``."""
    path.write_text(pair.text)
    program = loaded(path, pair.properties)
    oracle = searched(program, pair.properties, max_states, is_reduced=False)
    if oracle is None:
        return Comparison("too large")
    violated = {key[0] for key in oracle.findings.violations}
    try:
        verdict, _ = modular(program, pair.properties, pair.options, Budget(seconds))
        if not isinstance(verdict, Claimed):
            return Comparison("unknown")
        assert isinstance(verdict.proof, ModularProof)
        check_modular(program, pair.properties, verdict.proof, Budget(10 * seconds))
        code = Code(program)
        follower = ModularFollower(code, verdict.proof)
        run_against(code, pair.properties, follower, seconds, Budget(10 * seconds))
    except GaveUpError:
        return Comparison("unknown")
    except RefusedProofError as error:
        return Comparison("wrong", f"refused: {error}")
    if violated:
        return Comparison("wrong", f"modular: safe, explore: {names(violated)} violated")
    return Comparison("safe")


def main() -> int:
    """Run a campaign; exit 1 if any law fails."""
    return run_campaign("fuzz.modular", lambda seed, path, limits: compared(random_pair(seed), path, *limits))


if __name__ == "__main__":
    sys.exit(main())
