"""The checker of proofs by symmetric predicate abstraction.

It shares with the engine what a step of a thread is (``semantics/templates.py``), and nothing above. Whether
the Boolean program abstracts the system of templates is decided from the predicates (``obligations``), by
another solver than the engine's; what the Boolean program does, by the definition (``semantics``); whether
that is nothing bad, by the proof's argument (``closure``).
"""

from sley.analyses.threads import Creations, may_block
from sley.base.budget import Budget
from sley.evidence.proof import Checked, RefusedProofError
from sley.evidence.symmetric.closure import check_argument
from sley.evidence.symmetric.obligations import COPIES, Obligations
from sley.evidence.symmetric.proof import SymmetricProof
from sley.evidence.symmetric.semantics import Semantics
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.templates import TemplateSystem, once_created
from sley.semantics.vocabulary import may_lose


def check_symmetric(
    program: Program, properties: frozenset[Property], proof: SymmetricProof, budget: Budget
) -> Checked:
    """Accept the proof, or raise."""
    if Property.DEADLOCK in properties and may_block(program):
        raise RefusedProofError("the proof says nothing about deadlocks")
    system = TemplateSystem(program, singles=_singles(program, proof), copies=COPIES)
    if Property.LEAK in properties and may_lose(system.code, system.shape.heap):
        raise RefusedProofError("the proof says nothing about leaks")
    obligations = Obligations(system, properties, proof, budget)
    obligations.check()
    check_argument(Semantics(proof.program), proof.argument, budget.spend)
    how = "every clause about a step was decided again, and so was what the steps reach"
    return Checked(how, obligations.solvers, obligations.skipped)


def _singles(program: Program, proof: SymmetricProof) -> tuple[int, ...]:
    """The places that the proof names, if threads are created there at most once."""
    possible = once_created(Creations(program))
    if any(site not in possible for site in proof.singles):
        raise RefusedProofError("a thread that may exist twice counts as existing once")
    return proof.singles
