"""The run of the engine, from a prepared program to a verdict."""

from sley.base.budget import Budget
from sley.engines.bmc.options import BmcOptions
from sley.engines.bmc.proof import BoundedProof
from sley.engines.bmc.search import Search
from sley.evidence.verdict import Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import Property


def bmc(
    program: Program, properties: frozenset[Property], options: BmcOptions, budget: Budget
) -> tuple[Verdict[BoundedProof], Statistics]:
    """Search a prepared program with loops unrolled further and further."""
    search = Search(program, properties, options, budget)
    verdict = search.verdict()
    statistics = dict(search.counts)
    for length, count in sorted(search.lengths.items()):
        statistics[f"cycles of {length} literals"] = count
    return verdict, statistics
