"""The second check of bmc's proof, by the engine's own unroller and formula; see ``proof``.

What the formula leaves out (writes that a read never sees, reads that nothing depends on) is derived again.
"""

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.engines.bmc.events.unrolling import Unroller
from sley.engines.bmc.formula.encoding import encode
from sley.engines.bmc.formula.order import Clause
from sley.engines.bmc.options import Stage
from sley.engines.bmc.proof import BoundedProof
from sley.engines.bmc.steps import reduced
from sley.engines.bmc.thresholds import FIRST_SECONDS, MOST_ORDER_CLAUSES
from sley.evidence.proof import Checked, RefusedProofError
from sley.logic.terms import Term, Terms
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.vocabulary import may_lose
from sley.solvers import make_sat_solver, make_solver
from sley.solvers.port import SolverAnswer


def check_again(
    program: Program, properties: frozenset[Property], proof: BoundedProof, budget: Budget
) -> Checked:
    """Accept the proof, or raise."""
    code = Code(program)
    unroller = Unroller(code, proof.claims)
    finds_waits = Property.DEADLOCK in properties
    graph = unroller.unroll(
        dict(proof.bounds), budget, finds_waits=finds_waits, summarises=proof.options.has(Stage.SUMMARIES)
    )
    if Property.LEAK in properties and may_lose(code, unroller.claims.shape.heap):
        raise RefusedProofError("leaks are not part of the formula")
    terms = program.terms
    graph = reduced(graph, proof.options, properties)
    encoding = encode(graph, proof.options, properties, budget)
    clauses = list(encoding.clauses)
    for cycle in proof.cycles:
        clause = encoding.order.cycle_clause(cycle)
        if clause is None:
            raise RefusedProofError("a cycle that is none")
        clauses.append(clause)
    formulas = list(encoding.formulas)
    formulas.append(
        terms.or_(
            encoding.wrong,
            *(trouble.condition for trouble in graph.troubles),
            *(cut.condition for cut in graph.cuts),
        )
    )
    answer, solver = _answer(terms, formulas, clauses, budget)
    if answer is SolverAnswer.SAT:
        raise RefusedProofError("a run is left that the proof does not exclude")
    return Checked("the formula was built and solved again", (solver,))


def _answer(
    terms: Terms, formulas: list[Term], clauses: list[Clause], budget: Budget
) -> tuple[SolverAnswer, str]:
    """Ask a solver that makes its own bits; what is hard for it goes to a SAT solver that no engine uses."""
    if len(clauses) <= MOST_ORDER_CLAUSES:
        solver = make_solver("bitwuzla", terms)
        solver.add(*formulas)
        solver.add_clauses(clauses)
        left = budget.remaining()
        answer = solver.check(time_limit=FIRST_SECONDS if left is None else min(FIRST_SECONDS, left))
        if answer is not SolverAnswer.UNKNOWN:
            return answer, "Bitwuzla"
    budget.check()
    other = make_sat_solver("cadical", terms, formulas, clauses)
    answer = other.check(time_limit=budget.remaining())
    if answer is SolverAnswer.UNKNOWN:
        budget.check()
        raise GaveUpError(other.reason)
    return answer, "CaDiCaL" if other.name == "cadical" else "Bitwuzla"
