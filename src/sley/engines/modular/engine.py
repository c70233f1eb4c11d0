"""The run of the engine: guess invariants in integers, keep what is inductive for machines; is it enough?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from sley.base.budget import Budget
from sley.engines.modular.candidates import candidates, pair_candidates
from sley.engines.modular.certificate import Certificate, inductive_part
from sley.engines.modular.options import ModularOptions
from sley.engines.modular.relations import Relations
from sley.engines.modular.sieve import unrefuted
from sley.engines.modular.views import Views
from sley.evidence.modular.proof import ModularProof, View
from sley.evidence.verdict import Claimed, Statistics, Unknown, Verdict
from sley.logic.terms import Term
from sley.program.memory import Display
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.templates import MAIN, TemplateSystem
from sley.solvers.horn import IntegerReading, NoInterpretation, solve_horn

ROUNDS: Sequence[float | None] = (2.0, 2.0, 8.0, 8.0, 32.0, 32.0, None)
"""Seconds for each guess: some proofs are easy to find only in the right view."""

NO_INVARIANT = "no invariant of so few threads at a time excludes all violations"
NOT_FOR_MACHINES = "the invariants found hold for mathematical integers only"

MOST_WATCHED = 4
"""Of so many shared variables at most is remembered who changed them last."""


def modular(
    program: Program, properties: frozenset[Property], options: ModularOptions, budget: Budget
) -> tuple[Verdict[ModularProof], Statistics]:
    """Prove a prepared program safe for any number of threads, or say why not."""
    search = _Search(program, properties, options, budget)
    return search.verdict(), search.statistics


class _Search:
    """The engine at work."""

    def __init__(
        self, program: Program, properties: frozenset[Property], options: ModularOptions, budget: Budget
    ) -> None:
        self.program = program
        self.properties = properties
        self.options = options
        self.budget = budget
        self.statistics: dict[str, int | float | str] = {}

    def verdict(self) -> Verdict[ModularProof]:
        """Try views of more and more threads, all of them again with more time if none leads to a proof."""
        waiting: Iterable[_Attempt] = self._attempts()
        reason = NO_INVARIANT
        for strategy, seconds in enumerate(ROUNDS):
            left: list[_Attempt] = []
            for attempt in waiting:
                found = attempt.proof(seconds, strategy)
                if isinstance(found, ModularProof):
                    return Claimed(found)
                if not found.is_certain:
                    left.append(attempt)
                if not found.is_certain or found.reason == NOT_FOR_MACHINES:
                    reason = found.reason
            if not left:
                return Unknown(reason)
            waiting = left
        return Unknown(reason)

    def _attempts(self) -> Iterator["_Attempt"]:
        """First without main's state, which is rarely needed; then with one thread more in view."""
        singles = None if self.options.tell_apart else ()
        watched = _flags(TemplateSystem(self.program, singles=singles))
        self.statistics["watched variables"] = len(watched)
        for number in range(1, self.options.in_view + 1):
            system = TemplateSystem(self.program, singles=singles, copies=number + 2, watched=watched)
            views = Views(system, number)
            if views.size < number and number > 1:
                return  # all threads are in view already
            size = _Size(views, self.properties, self.budget)
            self.statistics["threads in view"] = views.size
            self.budget.shows(lambda: f"{self.statistics['threads in view']} in view")
            self.statistics["clauses"] = len(size.obligations)
            handles = {system.handle(position) for position in range(system.size)}
            yield _Attempt(size, _state_of_main(system) | handles)
            yield _Attempt(size, frozenset())


class _Size:
    """Views of one size, and what can be read off the program about them."""

    def __init__(self, views: Views, properties: frozenset[Property], budget: Budget) -> None:
        self.views = views
        self.budget = budget
        self.obligations = list(views.obligations(properties))
        single, paired = candidates(views), pair_candidates(views)
        self.known = self.inductive({view: (*single[view], *paired[view]) for view in views.views})

    def inductive(self, guesses: Mapping[View, Sequence[Term]]) -> ModularProof:
        """The part of guesses that steps keep."""
        system = self.views.system
        guess = ModularProof(
            max(1, self.views.size),
            tuple(template.site for template in system.singles if template.site is not None),
            {view: tuple(dict.fromkeys(guesses[view])) for view in self.views.views},
            bool(system.replicated),
            system.watched,
        )
        likely = unrefuted(system.code, guess, self.budget)
        return inductive_part(self.views, likely, self.obligations, self.budget)

    @cached_property
    def is_known_enough(self) -> bool:
        """Whether no guess is needed."""
        return self.is_enough(self.known)

    def is_enough(self, proof: ModularProof) -> bool:
        """Whether invariants exclude all violations."""
        certificate = Certificate(self.views, proof, self.budget)
        safety = (obligation for obligation in self.obligations if obligation.conclusion is None)
        return all(certificate.holds(obligation) for obligation in safety)


class _Attempt:
    """One size of views, with or without main's state."""

    def __init__(self, size: _Size, ignored: frozenset[Term]) -> None:
        self.size = size
        self.views = size.views
        self.budget = size.budget
        self.unsigned = _unsigned(self.views.system)
        known = Certificate(self.views, size.known, self.budget).conjuncts
        self.relations = Relations(self.views, size.obligations, ignored, known)

    def proof(self, seconds: float | None, strategy: int) -> ModularProof | NoInterpretation:
        """A proof, or why there is none; with wrap-around only if integers that have no bounds mislead."""
        if self.size.is_known_enough:
            return self.size.known
        for arithmetic in IntegerReading:
            self.budget.spend()
            limits = [limit for limit in (seconds, self.budget.remaining()) if limit is not None]
            problem = self.relations.problem(self.unsigned)
            found = solve_horn(problem, arithmetic, time_limit=min(limits, default=None), strategy=strategy)
            if isinstance(found, NoInterpretation):
                return found
            exact, equations = (self.relations.invariants(f) for f in (found.formulas, found.equations))
            known = self.size.known.invariants
            proof = self.size.inductive({v: (*exact[v], *equations[v], *known[v]) for v in known})
            if self.size.is_enough(proof):
                return proof
        return NoInterpretation(is_certain=True, reason=NOT_FOR_MACHINES)


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
