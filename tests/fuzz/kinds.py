"""The kinds of campaign: an engine, a family of programs, and what is compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tests.fuzz.alike_programs import alike_program
from tests.fuzz.attempt_programs import attempt_program
from tests.fuzz.campaign import Case, Comparison, Limits, compared
from tests.fuzz.cases import (
    abstract_case,
    bmc_case,
    cases_for_all,
    cases_for_others,
    heap_case,
    impact_case,
    modular_case,
    nested_case,
    symmetry_case,
    table_case,
)
from tests.fuzz.cycles import cycle_compared
from tests.fuzz.facts import facts_compared
from tests.fuzz.heap import heap_compared
from tests.fuzz.laws import disagreements, interpreter_disagreements, loaded
from tests.fuzz.random_programs import random_program
from tests.fuzz.related import related_compared
from tests.fuzz.sequential import sequential_compared
from tests.fuzz.symmetric import symmetric_compared
from tests.fuzz.written import ENGINES, FAMILIES, written_compared


@dataclass(frozen=True)
class Kind:
    """One kind."""

    engine: str
    """Or ``all`` that know what the family needs."""
    family: str
    compare: Callable[[int, Path, Limits], dict[str, Comparison]]
    """By engine what became of the case with a seed, whose program is written to a path."""
    seconds: float = 5.0
    """So much time has an engine for a program, unless the user says otherwise."""

    def __str__(self) -> str:
        return f"{self.engine} on {self.family} programs"


def _explored(text: Callable[[int], str], seed: int, path: Path, limits: Limits) -> Comparison:
    """With and without reduction and symmetry, compiled and interpreted."""
    path.write_text(text(seed))
    program = loaded(path)
    found = [*disagreements(program, max_states=2 * limits.max_states), *interpreter_disagreements(program)]
    return Comparison("wrong" if found else "same", "; ".join(found) or None)


def _of_one(engine: str, family: str, compare: Callable[[int, Path, Limits], Comparison]) -> Kind:
    return Kind(engine, family, lambda seed, path, limits: {engine: compare(seed, path, limits)})


def _against_explore(engine: str, family: str, case: Callable[[int], Case]) -> Kind:
    return Kind(engine, family, lambda seed, path, limits: compared([case(seed)], path, limits))


def _symmetric(engine: str) -> Kind:
    return _of_one(engine, "symmetric", partial(symmetric_compared, engine))


def _all(family: str, cases: Callable[[int], Sequence[Case]]) -> Kind:
    """One program, prepared and explored once. Few that are not decided so soon are decided later."""
    return Kind("all", family, lambda seed, path, limits: compared(cases(seed), path, limits), seconds=1.5)


def _with_facts(family: str, cases: Callable[[int], Sequence[Case]]) -> Kind:
    """All engines, with what ``abstract`` leaves to prove."""
    return Kind(
        "facts", family, lambda seed, path, limits: facts_compared(cases(seed), path, limits), seconds=1.5
    )


def _written(engine: str, family: str) -> Kind:
    """As people write them; one program for all engines, if all are asked."""
    engines = ENGINES if engine == "all" else (engine,)
    return Kind(engine, family, partial(written_compared, family, engines), 1.5 if engine == "all" else 5.0)


KINDS = (
    _of_one("explore", "random", partial(_explored, random_program)),
    _of_one("explore", "alike", partial(_explored, alike_program)),
    _of_one("explore", "attempts", partial(_explored, attempt_program)),
    _of_one("explore", "related", related_compared),
    _of_one("explore", "heap", heap_compared),
    _against_explore("impact", "random", impact_case),
    _against_explore("impact", "tables", table_case),
    _against_explore("impact", "heap", partial(heap_case, engine="impact")),
    _against_explore("bmc", "random", bmc_case),
    _against_explore("bmc", "heap", partial(heap_case, engine="bmc")),
    _against_explore("modular", "random", modular_case),
    _symmetric("modular"),
    _against_explore("symmetry", "random", symmetry_case),
    _symmetric("symmetry"),
    _against_explore("symmetry", "heap", partial(heap_case, engine="symmetry")),
    _against_explore("abstract", "random", abstract_case),
    _against_explore("abstract", "heap", partial(heap_case, engine="abstract")),
    _against_explore("abstract", "nested", nested_case),
    _of_one("row", "sequential", sequential_compared),
    _of_one("bmc", "cycles", partial(cycle_compared, "bmc")),
    _of_one("explore", "cycles", partial(cycle_compared, "explore")),
    _all("random", cases_for_all),
    _with_facts("random", cases_for_others),
    _with_facts("heap", lambda seed: [heap_case(seed, engine) for engine in ("explore", "bmc", "impact")]),
    *(_written(engine, family) for family in FAMILIES for engine in (*ENGINES, "all")),
)
"""``random`` is whatever mixture of random programs fits the engine; for ``sequential`` gcc is the oracle,
for ``cycles`` the definitions of the memory models."""
