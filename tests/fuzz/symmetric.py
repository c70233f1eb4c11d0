"""Random symmetric programs for the engines that prove something for any number of threads.

One program is looked at with two threads, with three, and with any number of them. ``explore`` without
reduction is the oracle for two and three. Laws: an engine that says SAFE for any number of threads is right
for two and three; with two or three threads, engines give no answer that ``explore`` contradicts; every
proof is accepted by its checker. A BUG for any number was replayed; one that three threads do not have is
worth a look.

``python -m tests.fuzz.symmetric --count 1000`` runs a campaign: the same seed is the same triple.
"""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.modular import ModularOptions, modular
from sley.engines.symmetry import Cubes, Refinement, SymmetryOptions, symmetry
from sley.evidence.modular_check import check_modular
from sley.evidence.proof import Proof, RefusedProofError
from sley.evidence.symmetric.check import check_symmetric
from sley.evidence.verdict import Claimed, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from tests.fuzz.campaign import Comparison, names, run_campaign
from tests.fuzz.laws import loaded, searched
from tests.fuzz.symmetric_programs import symmetric_program

GROUPS = ("reach", "reach", "reach", "race", "race", "deadlock", "overflow", "misuse")
COUNTS = (2, 3)


@dataclass(frozen=True)
class Triple:
    """A program for any number of threads, the properties it is asked about, and an engine."""

    seed: int
    properties: frozenset[Property]
    options: SymmetryOptions | ModularOptions


def random_triple(seed: int) -> Triple:
    """The triple with this seed."""
    random = Random(f"symmetric {seed}")
    properties = ALL_PROPERTIES if random.random() < 0.1 else PROPERTY_GROUPS[random.choice(GROUPS)]
    if random.random() < 0.4:
        return Triple(seed, properties, ModularOptions(in_view=random.choice((1, 2, 2))))
    options = SymmetryOptions(
        cubes=random.choice((Cubes.NONE, Cubes.NONE, Cubes.ONE, Cubes.TWO)),
        refinement=Refinement.TRACES if random.random() < 0.2 else Refinement.DEMAND,
        symmetry=random.random() < 0.9,
    )
    return Triple(seed, properties, options)


def compared(triple: Triple, path: Path, max_states: int, seconds: float) -> Comparison:
    """Run the engine and ``explore`` on a triple, whose programs are written to ``path``."""
    violated: dict[int, set[Property]] = {}
    for threads in COUNTS:
        path.write_text(symmetric_program(triple.seed, threads))
        program = loaded(path, triple.properties)
        oracle = searched(program, triple.properties, max_states, is_reduced=False)
        if oracle is None or oracle.findings.gave_up:
            break
        violated[threads] = {key[0] for key in oracle.findings.violations}
    if not violated:
        return Comparison("too large")
    outcomes: list[Comparison] = []
    for asked in (None, *violated):
        path.write_text(symmetric_program(triple.seed, asked))
        program = loaded(path, triple.properties)
        outcomes.append(_judged(program, triple, asked, violated, seconds))
    wrong = next((outcome for outcome in outcomes if outcome.problem), None)
    return wrong or outcomes[0]


def _judged(
    program: Program,
    triple: Triple,
    asked: int | None,
    violated: Mapping[int, set[Property]],
    seconds: float,
) -> Comparison:
    """What the engine says of one of the programs."""
    name = "modular" if isinstance(triple.options, ModularOptions) else "symmetry"
    number = "any number" if asked is None else str(asked)
    try:
        verdict = _verdict(program, triple, seconds)
    except GaveUpError:
        return Comparison(f"{name} unknown")
    except RefusedProofError as error:
        return Comparison("wrong", f"{name}, {number}: refused: {error}")
    match verdict:
        case Claimed():
            problems = list(_violations(asked, violated))
            if problems:
                return Comparison("wrong", f"{name}, {number}: safe; explore: {'; '.join(problems)}")
            return Comparison(f"{name} safe")
        case Unsafe(traces=traces):
            found = {trace.failure.property for trace in traces}
            known = violated.get(max(violated) if asked is None else asked, set())
            if asked is not None and not found <= known:
                return Comparison(
                    "wrong", f"{name}, {number}: {names(found)} violated, explore: {names(known)}"
                )
            note = None if found <= known else f"{name}: a bug that {max(violated)} threads do not have"
            return Comparison(f"{name} bug", note=note)
        case _:
            return Comparison(f"{name} unknown")


def _violations(asked: int | None, violated: Mapping[int, set[Property]]) -> Iterator[str]:
    """What ``explore`` found that speaks against SAFE."""
    for threads, found in violated.items():
        if found and asked in (None, threads):
            yield f"{names(found)} violated with {threads} threads"


def _verdict(program: Program, triple: Triple, seconds: float) -> Verdict[Proof]:
    """The verdict; what it calls safe is accepted by the checker, or RefusedProofError."""
    if isinstance(triple.options, ModularOptions):
        claim, _ = modular(program, triple.properties, triple.options, Budget(seconds))
        if isinstance(claim, Claimed):
            check_modular(program, triple.properties, claim.proof, Budget(10 * seconds))
        return claim
    verdict, _ = symmetry(program, triple.properties, triple.options, Budget(seconds))
    if isinstance(verdict, Claimed):
        check_symmetric(program, triple.properties, verdict.proof, Budget(10 * seconds))
    return verdict


def main() -> int:
    """Run a campaign; exit 1 if any law fails."""
    return run_campaign(
        "fuzz.symmetric", lambda seed, path, limits: compared(random_triple(seed), path, *limits)
    )


if __name__ == "__main__":
    sys.exit(main())
