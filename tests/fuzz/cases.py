"""Random cases for each engine: the same seed is the same program, properties and options."""

from dataclasses import replace
from random import Random

from sley.engines.abstract.options import AbstractOptions
from sley.engines.bmc.options import BmcOptions, Conflicts, Copies, Likely, OrderEncoding, Stage, Switches
from sley.engines.explore.options import ExploreOptions
from sley.engines.impact.options import ImpactOptions, Interleaving, Interpolants
from sley.engines.modular.options import ModularOptions
from sley.engines.symmetry.options import Cubes, First, Passives, RefinementMode, SymmetryOptions
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from tests.fuzz.campaign import Case
from tests.fuzz.heap_programs import HeapGenerator
from tests.fuzz.input_programs import InputGenerator
from tests.fuzz.locking_programs import LockingGenerator
from tests.fuzz.nested_programs import NestedGenerator
from tests.fuzz.random_programs import Generator
from tests.fuzz.replicated_programs import ReplicatedGenerator
from tests.fuzz.table_programs import TableGenerator

_GROUPS = tuple(group for group in PROPERTY_GROUPS.values() if group <= ALL_PROPERTIES)
"""What the oracle knows."""
_REPLICATED_GROUPS = ("reach", "reach", "reach", "race", "overflow", "misuse", "division")
_HEAP_GROUPS = (*(PROPERTY_GROUPS[name] for name in ("reach", "race", "race", "memory")), ALL_PROPERTIES)


def impact_case(seed: int) -> Case:
    """Random or with inputs; every way to interleave and order."""
    random = Random(f"triple {seed}")
    generator = InputGenerator if random.random() < 0.6 else Generator
    properties = random.choice((*_GROUPS, PROPERTY_GROUPS["reach"], ALL_PROPERTIES))
    return Case(generator(seed).program(), properties, "impact", _impact_options(random))


def table_case(seed: int) -> Case:
    """Steps that commute in some states only."""
    random = Random(f"tables {seed}")
    reduced = random.choice((Interleaving.DYNAMIC, Interleaving.DYNAMIC, Interleaving.LOCKSTEP))
    options = replace(_impact_options(random), interleaving=reduced, conditional_dependence=True)
    properties = PROPERTY_GROUPS[random.choice(("reach", "reach", "deadlock"))]
    return Case(TableGenerator(seed).program(), properties, "impact", options)


def _impact_options(random: Random) -> ImpactOptions:
    return ImpactOptions(
        interleaving=random.choice((*Interleaving, Interleaving.DYNAMIC)),
        force_cover=random.random() < 0.6,
        conditional_dependence=random.random() < 0.7,
        refute_branches=random.random() < 0.85,
        order_seed=random.randrange(1, 1000) if random.random() < 0.7 else None,
        interpolants=random.choice((Interpolants.AUTO, Interpolants.PREDICATES)),
    )


def bmc_case(seed: int) -> Case:
    """Random, with inputs or with locks; options mostly as they are by default, the others in some cases."""
    random = Random(f"bmc {seed}")
    generator = InputGenerator if random.random() < 0.5 else Generator
    properties = random.choice((*_GROUPS, PROPERTY_GROUPS["deadlock"], ALL_PROPERTIES))
    order = random.choice((OrderEncoding.CYCLES, OrderEncoding.CYCLES, OrderEncoding.CLOCKS))
    text = (LockingGenerator if random.random() < 0.6 else generator)(seed).program()
    return _bmc_case(text, properties, _bmc_options(random, order))


def _bmc_case(text: str, properties: frozenset[Property], options: BmcOptions) -> Case:
    is_direct = options.likely_invariants is Likely.DIRECT
    is_partial = is_direct or options.context_bound is not None or options.slice_of_run is not None
    return Case(text, properties, "bmc", options, looks_at_all=not is_partial)


def _bmc_options(random: Random, order: OrderEncoding) -> BmcOptions:
    bound = random.choice((1, 2, 3, 5)) if random.random() < 0.06 else None
    run = random.randrange(100) if random.random() < 0.06 else None
    likely = random.choice((Likely.REFINE, Likely.SWITCHED, Likely.HINTS, Likely.DIRECT))
    often = (Stage.SYMMETRY, Stage.PRUNING, Stage.SUMMARIES)
    return BmcOptions(
        without=tuple(one for one in Stage if random.random() < (0.27 if one in often else 0.15)),
        copies=random.choice((Copies.LITERALS, Copies.LITERALS, Copies.NUMBERS)),
        published=random.random() < 0.1,
        order=order,
        conflicts=random.choice((*Conflicts, Conflicts.EAGER)),
        unwind=random.choice((None, None, None, None, None, 1, 2, 3)),
        likely_invariants=likely if random.random() < 0.25 else Likely.OFF,
        context_bound=bound,
        slice_of_run=run,
        switches=random.choice(tuple(Switches)),
        runs=10,
    )


def modular_case(seed: int) -> Case:
    """Random, with inputs or with locks; threads told apart or any number of them."""
    random = Random(f"modular {seed}")
    generator = random.choice((Generator, InputGenerator, LockingGenerator))
    properties = random.choice((*_GROUPS, PROPERTY_GROUPS["deadlock"], ALL_PROPERTIES))
    return Case(generator(seed).program(), properties, "modular", _modular_options(random))


def _modular_options(random: Random) -> ModularOptions:
    return ModularOptions(in_view=random.choice((1, 2)), tell_apart=random.random() < 0.5)


def symmetry_case(seed: int) -> Case:
    """Functions that are started several times."""
    random = Random(f"symmetry {seed}")
    options = _symmetry_options(random)
    properties = PROPERTY_GROUPS[random.choice(_REPLICATED_GROUPS)]
    return Case(ReplicatedGenerator(seed).program(), properties, "symmetry", options)


def _symmetry_options(random: Random) -> SymmetryOptions:
    return SymmetryOptions(
        threads_each=random.choice(("any", "any", "any", "2", "3")),
        cubes=random.choice((Cubes.NONE, Cubes.NONE, Cubes.ONE, Cubes.TWO)),
        refinement=random.choice(tuple(RefinementMode)),
        passives=random.choice((*Passives, Passives.TWO)),
        first=random.choice(tuple(First)),
        symmetry=random.random() < 0.85,
    )


def abstract_case(seed: int) -> Case:
    """Whatever there is; mostly a single property, as it seldom proves all of them."""
    random = Random(f"abstract {seed}")
    generator = random.choice(
        (Generator, InputGenerator, LockingGenerator, LockingGenerator, ReplicatedGenerator)
    )
    properties = random.choice(
        (*_GROUPS, PROPERTY_GROUPS["race"], PROPERTY_GROUPS["deadlock"], ALL_PROPERTIES)
    )
    return Case(generator(seed).program(), properties, "abstract", AbstractOptions())


def nested_case(seed: int) -> Case:
    """Several locks; mostly asked about deadlocks."""
    random = Random(f"abstract nested {seed}")
    properties = ALL_PROPERTIES if random.random() < 0.15 else PROPERTY_GROUPS["deadlock"]
    return Case(NestedGenerator(seed).program(), properties, "abstract", AbstractOptions())


def heap_case(seed: int, engine: str) -> Case:
    """Heap blocks, for the engines that know the heap."""
    random = Random(f"heap engine {seed}")
    properties, choice = random.choice(_HEAP_GROUPS), random.random() < 0.7
    options = {
        "explore": ExploreOptions(),
        "abstract": AbstractOptions(),
        "bmc": BmcOptions(without=() if choice else (Stage.PRUNING,)),
        "impact": ImpactOptions(conditional_dependence=choice),
        "symmetry": _symmetry_options(random),
    }[engine]
    return Case(HeapGenerator(seed).program(), properties, engine, options)


def cases_for_all(seed: int) -> list[Case]:
    """One program and what is asked of it, for every engine with options of its own."""
    random = Random(f"all {seed}")
    generator = random.choice((Generator, InputGenerator, LockingGenerator, ReplicatedGenerator))
    properties = random.choice((*_GROUPS, PROPERTY_GROUPS["reach"], ALL_PROPERTIES))
    text, order = generator(seed).program(), random.choice(tuple(OrderEncoding))
    return [
        Case(text, properties, "explore", ExploreOptions(reduction=random.random() < 0.8)),
        Case(text, properties, "impact", _impact_options(random)),
        _bmc_case(text, properties, _bmc_options(random, order)),
        Case(text, properties, "modular", _modular_options(random)),
        Case(text, properties, "symmetry", _symmetry_options(random)),
        Case(text, properties, "abstract", AbstractOptions()),
    ]


def cases_for_others(seed: int) -> list[Case]:
    """The same for those who are spared what ``abstract`` proves, mostly with locks."""
    random = Random(f"others {seed}")
    text = random.choice((Generator, InputGenerator, LockingGenerator, LockingGenerator))(seed).program()
    cases = [case for case in cases_for_all(seed) if case.engine not in ("abstract", "symmetry")]
    properties = random.choice((*_GROUPS, ALL_PROPERTIES, ALL_PROPERTIES))
    return [replace(case, text=text, properties=properties) for case in cases]
