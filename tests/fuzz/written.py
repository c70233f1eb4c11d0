"""Random programs as people write them: locals by address, arrays of any size, threads created in loops.

The oracle is ``explore`` without reduction on the program as the front end and inlining leave it: passes that
turn memory into registers or put in what memory holds are judged, too. Of an open program it looks at two and
three threads: an engine that says SAFE for any number of them is right for these. A BUG for any number was
replayed; one that three threads do not have is worth a look.
"""

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from sley.engines.abstract.options import AbstractOptions
from sley.engines.bmc.options import BmcOptions, Stage
from sley.engines.explore.options import ExploreOptions
from sley.engines.impact.options import ImpactOptions
from sley.engines.modular.options import ModularOptions
from sley.engines.symmetry.options import SymmetryOptions
from sley.frontend.load import load
from sley.passes.pipeline import prepare
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from tests.fuzz.array_programs import ArrayGenerator
from tests.fuzz.campaign import Case, Comparison, Limits, Oracle, judged, oracle_of
from tests.fuzz.counting_programs import CountingGenerator
from tests.fuzz.laws import loaded
from tests.fuzz.private_programs import PrivateGenerator
from tests.fuzz.written_programs import OPEN_COUNTS, Writer

FAMILIES: dict[str, type[Writer]] = {
    writer.family: writer for writer in (PrivateGenerator, ArrayGenerator, CountingGenerator)
}
ENGINES = ("explore", "impact", "bmc", "modular", "symmetry", "abstract")
_GROUPS = (
    *("reach", "reach", "reach", "race", "race", "memory", "memory", "deadlock", "overflow", "misuse", "all"),
)


def written_case(seed: int, family: str, engine: str) -> Case:
    """The program with this seed, which is the same for all engines, as are the properties."""
    random = Random(f"{family} case {seed}")
    name = random.choice(_GROUPS)
    properties = ALL_PROPERTIES if name == "all" else PROPERTY_GROUPS[name]
    return Case(FAMILIES[family](seed).program(), properties, engine, _options(engine, random))


def _options(engine: str, random: Random) -> Any:
    """Mostly as by default."""
    choice = random.random() < 0.8
    return {
        "explore": ExploreOptions(),
        "impact": ImpactOptions(conditional_dependence=choice),
        "bmc": BmcOptions(without=() if choice else (Stage.PRUNING,)),
        "modular": ModularOptions(tell_apart=choice),
        "symmetry": SymmetryOptions(),
        "abstract": AbstractOptions(),
    }[engine]


def untouched(path: Path, properties: frozenset[Property]) -> Program:
    """The program in a C file, prepared as little as the interpreter needs."""
    return prepare(load([path], keeps_frames=Property.LEAK in properties), properties, keeps_memory=True)


def written_compared(
    family: str, engines: tuple[str, ...], seed: int, path: Path, limits: Limits
) -> dict[str, Comparison]:
    """Ask ``explore`` and engines about one program, which is written to ``path``."""
    cases = [written_case(seed, family, engine) for engine in engines]
    is_open = FAMILIES[family](seed).is_open
    oracle = _oracle(FAMILIES[family], seed, cases[0].properties, path, limits)
    if oracle is None:
        return {engine: Comparison("too large") for engine in engines}
    path.write_text(cases[0].text)
    program = loaded(path, cases[0].properties)
    found = {case.engine: judged(program, case, oracle, limits.seconds) for case in cases}
    return {
        engine: replace(outcome, note=f"{engine}: a bug that {max(OPEN_COUNTS)} threads do not have")
        if is_open and outcome.outcome == "bug" and not oracle.violated
        else outcome
        for engine, outcome in found.items()
    }


def _oracle(
    family: type[Writer], seed: int, properties: frozenset[Property], path: Path, limits: Limits
) -> Oracle | None:
    """What is violated; of an open program, by some threads at least."""
    is_open, known = family(seed).is_open, list[Oracle]()
    for threads in OPEN_COUNTS if is_open else (None,):
        path.write_text(family(seed).program(threads))
        oracle = oracle_of(untouched(path, properties), properties, limits.max_states)
        if oracle is None:
            break
        known.append(oracle)
    if not known:
        return None
    violated = frozenset[Property]().union(*(oracle.violated for oracle in known))
    return Oracle(violated, not is_open and known[0].is_certain)
