"""The classic tests in all their variants, each with what is published about it (``published.yml``)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import yaml

from sley.program.memory_model import MemoryModel
from tests.litmus.cycles import Operation, Test, cycle_test

READS = ("relaxed", "acquire", "seq_cst")
WRITES = ("relaxed", "release", "seq_cst")
FENCES = ("relaxed", "acquire", "release", "acq_rel", "seq_cst")


@dataclass(frozen=True)
class Case:
    """A test in a language, a model, and whether it forbids the outcome."""

    family: str
    test: Test
    language: str
    model: MemoryModel
    is_forbidden: bool
    is_near: bool
    """Whether one step makes the difference: the requirements are just met, or just missed at one place."""


@cache
def published() -> Mapping[str, Any]:
    """The file."""
    return dict(yaml.safe_load((Path(__file__).parent / "published.yml").read_text()))


def cases() -> Iterator[Case]:
    """All variants of all families under all models."""
    for family in published()["cycles"]:
        yield from _machine_cases(family, "X86", (MemoryModel.SC, MemoryModel.TSO, MemoryModel.PSO))
        yield from _machine_cases(family, "PPC", (MemoryModel.PSO, MemoryModel.RMO, MemoryModel.POWER))
        yield from _machine_cases(family, "AArch64", (MemoryModel.ARMV8,))
        yield from _order_cases(family)
        yield from _fence_cases(family)
    yield from _coherence_cases()


def _is_met(requirement: str, what: str) -> bool:
    return requirement == "any" or what in published()["requirements"][requirement]


def _judged(ways: Sequence[Sequence[str]], chosen: Sequence[str]) -> tuple[bool, bool]:
    """Whether all requirements of some way are met, and whether that is near."""
    strong = sum(what in ("sync", "mfence", "dmb.sy", "relacq", "seq_cst") for what in chosen)
    is_forbidden = is_near = False
    for way in ways:
        met = [_is_met(requirement, what) for requirement, what in zip(way, chosen, strict=True)]
        needed = sum(requirement in ("full", "full-arm", "sc") for requirement in way)
        is_forbidden |= all(met)
        is_near |= met.count(False) <= 1 and strong <= needed
    return is_forbidden, is_near


def _edges(family: str) -> list[str]:
    return str(published()["cycles"][family]).split()


def _machine_cases(family: str, language: str, models: Sequence[MemoryModel]) -> Iterator[Case]:
    edges = _edges(family)
    pairs = [edge for edge in edges if edge.isupper()]
    for chosen in product(*(published()["mechanisms"][language][pair] for pair in pairs)):
        left = iter(chosen)
        test = cycle_test(
            f"{family}+{'+'.join(chosen)}",
            [f"{next(left)}:{edge}" if edge.isupper() else edge for edge in edges],
        )
        for model in models:
            is_forbidden, is_near = _judged(_requirements(family, pairs, model), chosen)
            yield Case(family, test, language, model, is_forbidden, is_near)


def _requirements(family: str, pairs: Sequence[str], model: MemoryModel) -> list[list[str]]:
    if model is MemoryModel.POWER:
        return _ways("power", family)
    return [[published()["machines"][model.value][pair] for pair in pairs]]


def _ways(table: str, family: str) -> list[list[str]]:
    """The requirements of a family; there may be several ways to forbid it."""
    return [way.split() for way in str(published()[table][family]).split("|")]


def _order_cases(family: str) -> Iterator[Case]:
    base = cycle_test(family, [f"po:{edge}" if edge.isupper() else edge for edge in _edges(family)])
    requirements = _ways("orders", family)
    for orders in product(*(READS if one.kind == "R" else WRITES for one in base.accesses)):
        is_forbidden, is_near = _judged(requirements, orders)
        name = f"{family}+{'+'.join(orders)}"
        test = Test(name, base.with_orders(orders).threads, base.final)
        yield Case(family, test, "C", MemoryModel.C11, is_forbidden, is_near)


def _fence_cases(family: str) -> Iterator[Case]:
    edges = _edges(family)
    requirements = _ways("fences", family)
    for chosen in product(FENCES, repeat=len(requirements[0])):
        left = iter(chosen)
        test = cycle_test(
            f"{family}+fences+{'+'.join(chosen)}",
            [f"{next(left)}:{edge}" if edge.isupper() else edge for edge in edges],
        )
        is_forbidden, is_near = _judged(requirements, chosen)
        yield Case(family, _without_relaxed_fences(test), "C", MemoryModel.C11, is_forbidden, is_near)


def _without_relaxed_fences(test: Test) -> Test:
    threads = (tuple(one for one in thread if one.fence != "relaxed") for thread in test.threads)
    return Test(test.name, tuple(threads), test.final)


def _coherence_cases() -> Iterator[Case]:
    for name, parts in published()["coherence"].items():
        final = {part[0]: int(part[2:]) for part in parts if "=" in part}
        threads = tuple(tuple(map(_operation, part.split())) for part in parts if "=" not in part)
        test = Test(name, threads, final)
        for model in MemoryModel:
            if model is MemoryModel.C11:
                continue
            language = {MemoryModel.ARMV8: "AArch64"}.get(model, "PPC" if model.splits_updates else "X86")
            is_forbidden = name not in published()["allowed-coherence"].get(model.value, ())
            yield Case(name, test, language, model, is_forbidden, is_near=True)
        for orders in product(*(READS if one.kind == "R" else WRITES for one in test.accesses)):
            ordered = Test(f"{name}+{'+'.join(orders)}", test.with_orders(orders).threads, final)
            is_near = set(orders) == {"relaxed"}
            yield Case(name, ordered, "C", MemoryModel.C11, is_forbidden=True, is_near=is_near)


def _operation(text: str) -> Operation:
    return Operation(text[0], text[1], int(text[2:]))
