"""The run of the engine, from a prepared program to a verdict."""

from sley.base.budget import Budget
from sley.engines.modular.algorithm import Search
from sley.engines.modular.options import ModularOptions
from sley.evidence.modular.proof import ModularProof
from sley.evidence.verdict import Statistics, Verdict
from sley.program.program import Program
from sley.program.properties import Property


def modular(
    program: Program, properties: frozenset[Property], options: ModularOptions, budget: Budget
) -> tuple[Verdict[ModularProof], Statistics]:
    """Prove a prepared program safe for any number of threads, or say why not."""
    search = Search(program, properties, options, budget)
    return search.verdict(), search.statistics
