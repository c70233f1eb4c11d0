"""The run of the engine, from a prepared program to a verdict."""

from sley.base.budget import Budget
from sley.base.reasons import beyond_orders
from sley.engines.bmc.options import BmcOptions, Likely
from sley.engines.bmc.proof import BoundedProof
from sley.engines.bmc.search import BoundedSearch
from sley.evidence.verdict import Statistics, Unknown, Verdict
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.program.properties import Property


def bmc(
    program: Program, properties: frozenset[Property], options: BmcOptions, budget: Budget
) -> tuple[Verdict[BoundedProof], Statistics]:
    """Search a prepared program with loops unrolled further and further."""
    return _searched(BoundedSearch(program, properties, options, budget))


def bmc_weak(
    program: Program, properties: frozenset[Property], options: BmcOptions, budget: Budget
) -> tuple[Verdict[BoundedProof], Statistics]:
    """The same where memory orders mean what C11 says (RC11)."""
    if not _looks_everywhere(options):
        return Unknown(beyond_orders("looking at some runs only is not possible with weak orders")), {}
    return _searched(BoundedSearch(program, properties, options, budget, model=MemoryModel.C11))


def bmc_machine(
    program: Program,
    properties: frozenset[Property],
    options: BmcOptions,
    budget: Budget,
    *,
    model: MemoryModel,
) -> tuple[Verdict[BoundedProof], Statistics]:
    """The same on a machine."""
    if not _looks_everywhere(options):
        return Unknown(f"looking at some runs only is not possible under {model.label}"), {}
    return _searched(BoundedSearch(program, properties, options, budget, model=model))


def _looks_everywhere(options: BmcOptions) -> bool:
    chosen = (options.context_bound, options.slice_of_run, options.invariants)
    return chosen == (None, None, None) and options.likely_invariants is Likely.OFF


def _searched(search: BoundedSearch) -> tuple[Verdict[BoundedProof], Statistics]:
    verdict = search.verdict()
    statistics = dict(search.counts)
    for length, count in sorted(search.lengths.items()):
        statistics[f"cycles of {length} literals"] = count
    return verdict, statistics
