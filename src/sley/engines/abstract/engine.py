"""Engine ``abstract``: a fixpoint of abstract states, one thread at a time, for any number of threads."""

from sley.base.budget import Budget
from sley.engines.abstract.fixpoint import fixpoint
from sley.engines.abstract.options import AbstractOptions
from sley.evidence.fixpoint.proof import Fixpoint
from sley.evidence.verdict import Claimed, Statistics, Unknown, Verdict
from sley.program.program import Program
from sley.program.properties import Property


def abstract(
    program: Program, properties: frozenset[Property], options: AbstractOptions, budget: Budget
) -> tuple[Verdict[Fixpoint], Statistics]:
    """Claim that a program is safe if every check is proved."""
    iteration = fixpoint(program, properties, budget)
    proof = iteration.proof()
    statistics: Statistics = {
        "contexts": len(proof.contexts),
        "abstract objects": len(proof.origins),
        "abstract states": sum(map(len, proof.states.values())),
        "walks": iteration.steps,
    }
    reason = iteration.settled().why_not(properties)
    return (Claimed(proof) if reason is None else Unknown(reason)), statistics
