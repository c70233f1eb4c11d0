"""The run of the engine: guess invariants in integers, keep what is inductive for machines; is it enough?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from sley.base.budget import Budget
from sley.engines.modular.candidates import candidates, number_candidates, pair_candidates
from sley.engines.modular.certificate import Certificate, inductive_part
from sley.engines.modular.counting import Balance, balances, count_candidates, groups_of
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

PAIR = 2
"""So many threads in view, and what is known of one alone need not be shown again."""

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
        plain = TemplateSystem(self.program, singles=singles)
        watched, found = _flags(plain), balances(plain)
        counted = groups_of(plain, found)
        self.statistics["watched variables"] = len(watched)
        self.statistics["counted groups"] = len(counted)
        size: _Size | None = None
        for number in range(1, self.options.in_view + 1):
            system = TemplateSystem(
                self.program, singles=singles, copies=number + 3, watched=watched, counted=counted
            )
            views = Views(system, number)
            if views.size < number and number > 1:
                return  # all threads are in view already
            size = _Size(views, self.properties, found, size, self.budget)
            self.statistics["threads in view"] = views.size
            self.budget.shows(lambda: f"{self.statistics['threads in view']} in view")
            self.statistics["clauses"] = len(size.obligations)
            handles = {system.handle(position) for position in range(system.size)}
            yield _Attempt(size, _state_of_main(system) | handles)
            yield _Attempt(size, frozenset())


class _Size:
    """Views of one size, and what can be read off the program about them."""

    def __init__(
        self,
        views: Views,
        properties: frozenset[Property],
        found: Sequence[Balance],
        smaller: "_Size | None",
        budget: Budget,
    ) -> None:
        """``smaller`` views have invariants that hold of these, too."""
        self.views = views
        self.budget = budget
        self.obligations = list(views.obligations(properties))
        nothing = {view: tuple[Term, ...]() for view in views.views}
        self.known = self._empty(nothing)
        if smaller is not None and views.size == PAIR:
            self.known = self._empty(_lifted(smaller, views))
        single, numbers = candidates(views), number_candidates(views)
        counts = count_candidates(views.system, found)
        self.known = self.inductive({v: (*single[v], *numbers[v], *counts) for v in views.views})
        if not self.is_enough(self.known):
            self.known = self.inductive(pair_candidates(views))

    def _empty(self, invariants: Mapping[View, tuple[Term, ...]]) -> ModularProof:
        system = self.views.system
        return ModularProof(
            max(1, self.views.size),
            tuple(template.site for template in system.singles if template.site is not None),
            invariants,
            bool(system.replicated),
            system.watched,
            system.counted,
        )

    def inductive(self, guesses: Mapping[View, Sequence[Term]]) -> ModularProof:
        """What is known, and the part of guesses that no run speaks against and steps keep."""
        guess = self._empty({view: tuple(dict.fromkeys(found)) for view, found in guesses.items()})
        likely = unrefuted(self.views.system.code, guess, self.budget).invariants
        return inductive_part(self.views, self.known, likely, self.obligations, self.budget)

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
            proof = self.size.inductive({v: (*exact[v], *equations[v]) for v in self.views.views})
            if self.size.is_enough(proof):
                return proof
        return NoInterpretation(is_certain=True, reason=NOT_FOR_MACHINES)


def _lifted(smaller: _Size, views: Views) -> dict[View, tuple[Term, ...]]:
    """What holds of threads that are in view alone holds of each that is in view with others."""
    t, of_one = views.terms, smaller.known.invariants
    return {
        view: tuple(
            dict.fromkeys(
                t.substitute(conjunct, views.system.renaming(template, position))
                for template, position in zip(view, views.instances(view), strict=True)
                for conjunct in of_one[template,]
            )
        )
        for view in views.views
    }


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
    found.update(system.number(group) for group in system.counted)
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
