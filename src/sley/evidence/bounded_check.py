"""Accepts or refuses the proof of engine ``bmc``; see ``bounded``.

Which writes a read can never see is taken on trust only where there are too many of them: small formulas are
built without leaving any out.
"""

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.bounded import BoundedProof
from sley.evidence.bounded_encoding import Encoder
from sley.evidence.bounded_unrolling import Unroller
from sley.evidence.proof import RefusedProofError
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.solvers import make_solver
from sley.solvers.port import Answer

MOST_PAIRS = 10_000
"""With more pairs of reads and writes, those are left out that cannot matter."""


def check_bounded(
    program: Program, properties: frozenset[Property], proof: BoundedProof, budget: Budget
) -> None:
    """Accept the proof, or raise."""
    unroller = Unroller(Code(program))
    graph = unroller.unroll(dict(proof.bounds), budget, finds_waits=Property.DEADLOCK in properties)
    if Property.LEAK in properties and unroller.shape.heap:
        raise RefusedProofError("leaks are not part of the formula")
    terms = program.terms
    pairs = sum(len(reads) * len(writes) for reads, writes in graph.variables().values())
    encoder = Encoder(terms, graph, proof.order, budget, prunes=pairs > MOST_PAIRS)
    encoding = encoder.encode(
        finds_races=Property.RACE in properties, finds_deadlocks=Property.DEADLOCK in properties
    )
    solver = make_solver("z3", terms)
    solver.add(*encoding.formulas)
    for cycle in proof.cycles:
        clause = encoder.cycle_clause(cycle)
        if clause is None:
            raise RefusedProofError("a cycle that is none")
        solver.add(clause)
    solver.add(
        terms.or_(
            encoding.wrong,
            *(trouble.condition for trouble in graph.troubles),
            *(cut.condition for cut in graph.cuts),
        )
    )
    answer = solver.check(time_limit=budget.remaining())
    if answer is Answer.UNKNOWN:
        raise GaveUpError(solver.reason)
    if answer is Answer.SAT:
        raise RefusedProofError("a run is left that the proof does not exclude")
