"""Guess invariants in integers, keep what is inductive for machines, and see whether that is enough."""

from collections.abc import Iterator

from sley.base.budget import Budget
from sley.engines.modular.inductive import inductive_part
from sley.engines.modular.options import ModularOptions
from sley.engines.modular.relations import Relations
from sley.evidence.modular import ModularProof, Views
from sley.evidence.modular_check import Certificate
from sley.evidence.verdict import Safe, Unknown, Verdict
from sley.logic.terms import Term
from sley.program.memory import Display
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.templates import MAIN, TemplateSystem
from sley.solvers.horn import Arithmetic, NoInterpretation, solve_horn

MOST_WATCHED = 4
"""Of so many shared variables at most is remembered who changed them last."""


class Search:
    """The engine at work."""

    def __init__(
        self, program: Program, properties: frozenset[Property], options: ModularOptions, budget: Budget
    ) -> None:
        self.program = program
        self.properties = properties
        self.options = options
        self.budget = budget
        self.statistics: dict[str, int | float | str] = {}

    def verdict(self) -> Verdict:
        """Try views of more and more threads."""
        reason = "there is nothing to try"
        watched = _flags(TemplateSystem(self.program))
        for size in range(1, self.options.in_view + 1):
            system = TemplateSystem(self.program, copies=size + 2, watched=watched)
            views = Views(system, size)
            if views.size < size and size > 1:
                break  # all threads were in view already
            attempt = _Attempt(views, self.properties, self.budget)
            self.statistics["threads in view"] = views.size
            self.statistics["clauses"] = len(attempt.obligations)
            self.statistics["watched variables"] = len(watched)
            for found in attempt.proofs(size == self.options.in_view):
                if isinstance(found, ModularProof):
                    return Safe(found)
                reason = found
        return Unknown(reason)


class _Attempt:
    """One size of views."""

    def __init__(self, views: Views, properties: frozenset[Property], budget: Budget) -> None:
        self.views = views
        self.system = views.system
        self.terms = views.terms
        self.budget = budget
        self.obligations = list(views.obligations(properties))

    def proofs(self, is_last: bool) -> Iterator[ModularProof | str]:  # noqa: FBT001 - private
        """Proofs, or reasons why there is none: without main's state first, which is rarely needed."""
        for ignored in (_state_of_main(self.system), frozenset[Term]()):
            relations = Relations(self.views, self.obligations, ignored)
            for arithmetic in Arithmetic:
                found = self._proof(relations, arithmetic)
                yield found or f"no invariant of {self.views.size} threads at a time excludes all violations"
                if found is None and not is_last:
                    break  # wrap-around rarely makes a proof possible

    def _proof(self, relations: Relations, arithmetic: Arithmetic) -> ModularProof | str | None:
        """A proof whose clauses all hold, or why there is none; None: there cannot be one."""
        self.budget.spend()
        problem = relations.problem(_unsigned(self.system))
        found = solve_horn(problem, arithmetic, time_limit=self.budget.remaining())
        if isinstance(found, NoInterpretation):
            return None if found.is_certain else found.reason
        exact, equations = (relations.invariants(f) for f in (found.formulas, found.equations))
        guess = ModularProof(
            max(1, self.views.size),
            tuple(template.site for template in self.system.singles if template.site is not None),
            {v: tuple(dict.fromkeys((*exact[v], *equations[v]))) for v in self.views.views},
            bool(self.system.manys),
            self.system.watched,
        )
        proof = inductive_part(self.views, guess, self.obligations, self.budget)
        certificate = Certificate(self.views, proof, self.budget)
        for obligation in self.obligations:
            if obligation.conclusion is None and not certificate.holds(obligation):
                return f"the invariants found do not hold for machine integers: {obligation.reason}"
        return proof


def _state_of_main(system: TemplateSystem) -> frozenset[Term]:
    """The shared variables that only main has."""
    vocabulary = system.vocabulary
    found = {system.at(MAIN), vocabulary.status(MAIN), vocabulary.detached(MAIN), vocabulary.result(MAIN)}
    found.update(vocabulary.register(MAIN, register) for register in vocabulary.threads[MAIN].registers)
    for instance in vocabulary.locals(MAIN):
        found.update((vocabulary.alive(instance), *vocabulary.cells(instance)))
    return frozenset(found)


def _flags(system: TemplateSystem) -> tuple[Term, ...]:
    """Shared variables that workers set to nothing but constants, and that decide something."""
    t = system.terms
    shared = set(system.shared)
    assigned: dict[Term, bool] = {}
    read: set[Term] = set()
    for template in system.workers:
        for transition in system.transitions(template):
            read.update(v for part in transition.guard for v in t.variables(part))
            for variable, value in transition.updates.items():
                if variable in shared:
                    assigned[variable] = assigned.get(variable, True) and t.is_const(value)
    places = {system.at(template.position) for template in system.singles}
    flags = [v for v, is_flag in assigned.items() if is_flag and v in read and v not in places]
    return tuple(flags[:MOST_WATCHED])


def _unsigned(system: TemplateSystem) -> set[Term]:
    """The variables that C reads without sign."""
    vocabulary = system.vocabulary
    found: set[Term] = {system.changer(variable) for variable in system.watched}
    without_sign = (Display.UNSIGNED, Display.POINTER, Display.BOOL)
    for position, function in enumerate(vocabulary.threads):
        found.update(
            vocabulary.register(position, register)
            for register in function.registers
            if register.display in without_sign
        )
        found.update((vocabulary.handle(position), vocabulary.status(position), vocabulary.result(position)))
    for instance in vocabulary.everything.values():
        cells = instance.layout.cells
        for index, cell in enumerate(vocabulary.cells(instance)):
            if cells[index % len(cells)].display in without_sign:
                found.add(cell)
    return found
