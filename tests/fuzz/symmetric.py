"""Random symmetric programs for the engines that prove something for any number of threads.

One program is looked at with two threads, with three, and with any number of them. ``explore`` without
reduction is the oracle for two and three. An engine that says SAFE for any number of threads is right for two
and three. A BUG for any number was replayed; one that three threads do not have is worth a look.
"""

from dataclasses import replace
from pathlib import Path
from random import Random

from sley.engines.modular.options import ModularOptions
from sley.engines.symmetry.options import Cubes, First, Passives, RefinementMode, SymmetryOptions
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS
from tests.fuzz.campaign import Case, Comparison, Limits, Oracle, judged, oracle_of
from tests.fuzz.laws import loaded
from tests.fuzz.symmetric_programs import symmetric_program

GROUPS = ("reach", "reach", "reach", "race", "race", "deadlock", "overflow", "misuse")
COUNTS = (2, 3)


def symmetric_case(seed: int, engine: str) -> Case:
    """The case with this seed, for any number of threads."""
    random = Random(f"symmetric {engine} {seed}")
    properties = ALL_PROPERTIES if random.random() < 0.1 else PROPERTY_GROUPS[random.choice(GROUPS)]
    options: ModularOptions | SymmetryOptions = ModularOptions(in_view=random.choice((1, 2, 2)))
    if engine == "symmetry":
        options = SymmetryOptions(
            cubes=random.choice((Cubes.NONE, Cubes.NONE, Cubes.ONE, Cubes.TWO)),
            refinement=random.choice(tuple(RefinementMode)),
            passives=random.choice((*Passives, Passives.TWO)),
            first=random.choice(tuple(First)),
            symmetry=random.random() < 0.9,
        )
    return Case(symmetric_program(seed, None), properties, engine, options)


def symmetric_compared(engine: str, seed: int, path: Path, limits: Limits) -> Comparison:
    """Run the engine and ``explore`` on the programs of a seed, which are written to ``path``."""
    case = symmetric_case(seed, engine)
    oracles: dict[int, Oracle] = {}
    for threads in COUNTS:
        path.write_text(symmetric_program(seed, threads))
        oracle = oracle_of(loaded(path, case.properties), case.properties, limits.max_states)
        if oracle is None or not oracle.is_certain:
            break
        oracles[threads] = oracle
    if not oracles:
        return Comparison("too large")
    known = frozenset(prop for oracle in oracles.values() for prop in oracle.violated)
    asked: list[tuple[int | None, Oracle]] = [(None, Oracle(known, is_certain=False)), *oracles.items()]
    found = [
        _judged(replace(case, text=symmetric_program(seed, threads)), threads, oracle, path, limits)
        for threads, oracle in asked
    ]
    wrong = next((outcome for outcome in found if outcome.problem), None)
    if wrong is None and found[0].outcome == "bug" and not known:
        return replace(found[0], note=f"{engine}: a bug that {max(oracles)} threads do not have")
    return wrong or found[0]


def _judged(case: Case, threads: int | None, oracle: Oracle, path: Path, limits: Limits) -> Comparison:
    path.write_text(case.text)
    found = judged(loaded(path, case.properties), case, oracle, limits.seconds)
    number = "any number of" if threads is None else threads
    return replace(found, problem=found.problem and f"{number} threads: {found.problem}")
