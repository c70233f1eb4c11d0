"""The checker of proofs by symmetric predicate abstraction.

It computes the system of templates and its Boolean program anew, and believes no clause: each must follow
from the transition that it belongs to, which another solver decides (the engine's one, anew, where that takes
too long). With these clauses alone, the
configurations of the proof must be closed under steps, contain the initial ones and nothing bad; likewise the
views of a few threads that stand for any number of them; or the proof's elements must be closed under steps
backwards, contain everything bad and nothing initial.

A proof for a number of threads is one for the program only if the program never creates more of them.
"""

from sley.analyses.threads import Creations
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.proof import Checked, RefusedProofError
from sley.evidence.symmetric.abstraction import COPIES, Abstraction
from sley.evidence.symmetric.blocking import may_block
from sley.evidence.symmetric.coverability import Antichain, Backward
from sley.evidence.symmetric.machine import Machine
from sley.evidence.symmetric.proof import SymmetricProof
from sley.evidence.symmetric.reachability import initial_configurations, is_bad, transitions
from sley.evidence.symmetric.views import why_not_closed
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.templates import TemplateSystem, once_created
from sley.solvers import make_solver
from sley.solvers.port import Answer, Solver

FIRST_SECONDS = 1.0
"""So long may the first solver take for one clause before another one is asked."""


def check_symmetric(
    program: Program, properties: frozenset[Property], proof: SymmetricProof, budget: Budget
) -> Checked:
    """Accept the proof, or raise."""
    if Property.DEADLOCK in properties and may_block(program):
        raise RefusedProofError("the proof says nothing about deadlocks")
    system = TemplateSystem(program, singles=_singles(program, proof), copies=COPIES)
    _check_predicates(system, proof)
    abstraction = Abstraction(system, properties, proof.predicates)
    machine = Machine(abstraction.program)
    solvers = _check_clauses(abstraction, machine, proof, budget)
    if proof.in_view is not None:
        if proof.in_view < 1:
            raise RefusedProofError("nobody is in view")
        wrong = why_not_closed(machine, proof.in_view, proof.configurations, budget.spend)
        if wrong is not None:
            raise RefusedProofError(wrong)
    elif proof.threads is None:
        _check_backwards(machine, proof, budget)
    else:
        _check_forwards(machine, proof, budget)
    return Checked("every clause about a step was decided again, and so was what the steps reach", solvers)


def _singles(program: Program, proof: SymmetricProof) -> tuple[int, ...]:
    """The places that the proof names, if threads are created there at most once."""
    possible = once_created(Creations(program))
    if any(site not in possible for site in proof.singles):
        raise RefusedProofError("a thread that may exist twice counts as existing once")
    return proof.singles


def _check_predicates(system: TemplateSystem, proof: SymmetricProof) -> None:
    """A predicate is about what is shared, or about one thread of its template besides."""
    for term, template in proof.predicates:
        allowed = set(system.shared)
        if template is not None:
            if not 0 < template < len(system.templates):
                raise RefusedProofError("a predicate belongs to no template")
            allowed.update(system.own(system.templates[template].position))
        if not system.terms.is_boolean(term) or not allowed.issuperset(system.terms.variables(term)):
            raise RefusedProofError("a predicate mentions what its owner does not know")


def _check_clauses(
    abstraction: Abstraction, machine: Machine, proof: SymmetricProof, budget: Budget
) -> tuple[str, ...]:
    """Add the clauses that follow from their transitions; refuse others; the solvers that were needed."""
    needed: tuple[str, ...] = ("Z3",)
    first = make_solver("z3", abstraction.terms)
    second = make_solver("bitwuzla", abstraction.terms)
    solvers: dict[tuple[int, tuple[str, ...]], Solver] = {}
    for number, others, cube in proof.forbidden:
        budget.check()
        step = machine.steps[number]
        meaning = abstraction.meaning(machine, step, others)
        if cube.mask & ~sum(meaning.bits):
            raise RefusedProofError("a clause is about bits that mean nothing")
        key = number, others
        if key not in solvers:
            solvers[key] = first.fresh()
            solvers[key].add(*meaning.context)
        literals = tuple(abstraction.literals(meaning, cube).values())
        answer = solvers[key].check(*literals, time_limit=FIRST_SECONDS)
        if answer is Answer.UNKNOWN:
            other = second.fresh()
            other.add(*meaning.context, *literals)
            needed = ("Z3", "Bitwuzla")
            answer = other.check(time_limit=budget.remaining())
            if answer is Answer.UNKNOWN:
                raise GaveUpError(f"a clause of the proof could not be checked: {other.reason}")
        if answer is Answer.SAT:
            raise RefusedProofError(f"a clause does not follow from step {number}")
        machine.forbid(step, others, cube)
    return needed


def _check_forwards(machine: Machine, proof: SymmetricProof, budget: Budget) -> None:
    assert proof.threads is not None
    known = set(proof.configurations)
    counts = {i: 1 if t.is_single else proof.threads for i, t in enumerate(machine.templates)}
    for configuration in initial_configurations(machine, counts):
        if configuration not in known:
            raise RefusedProofError("an initial configuration is missing")
    for configuration in proof.configurations:
        budget.spend()
        if is_bad(machine, configuration):
            raise RefusedProofError("a configuration is bad")
        for transition in transitions(machine, configuration):
            if transition.after not in known:
                raise RefusedProofError("the configurations are not closed under steps")
            if transition.step.creates is not None and transition.new is None:
                raise RefusedProofError(f"the program may create more than {proof.threads} threads")


def _check_backwards(machine: Machine, proof: SymmetricProof, budget: Budget) -> None:
    backward = Backward(machine)
    elements = Antichain(proof.elements)
    if not all(elements.covers(element) for element in backward.bad_elements()):
        raise RefusedProofError("something bad is missing")
    for element in proof.elements:
        budget.spend()
        if backward.is_initial(element):
            raise RefusedProofError("something bad is possible at the start")
        for _, before in backward.predecessors(element):
            if not elements.covers(before):
                raise RefusedProofError("the elements are not closed under steps backwards")
