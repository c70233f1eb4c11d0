"""The run of the engine: guess invariants, keep what is inductive; is it enough?"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sley.base.budget import Budget
from sley.base.reasons import Reason, Why
from sley.engines.modular.candidates import (
    Rest,
    candidates,
    is_without_arithmetic,
    number_candidates,
    pair_candidates,
)
from sley.engines.modular.certificate import Certificate, inductive_part
from sley.engines.modular.counters import counter_candidates
from sley.engines.modular.counting import Balance, balances, count_candidates, groups_of
from sley.engines.modular.options import ModularOptions
from sley.engines.modular.shared_values import at_rest, rest_claim, shared_candidates
from sley.engines.modular.sieve import unrefuted
from sley.engines.modular.thresholds import MOST_WATCHED, PAIR
from sley.engines.modular.views import SystemViews
from sley.evidence.modular.proof import ModularProof, View
from sley.evidence.verdict import Claimed, Statistics, Unknown, Verdict
from sley.logic.terms import Term
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.groups import ThreadGroup
from sley.semantics.templates import TemplateSystem

NO_INVARIANT = Reason("no invariant of so few threads at a time excludes all violations", Why.NO_INVARIANT)

Guesses = Mapping[View, Sequence[Term]]


def modular(
    program: Program, properties: frozenset[Property], options: ModularOptions, budget: Budget
) -> tuple[Verdict[ModularProof], Statistics]:
    """Prove a prepared program safe for any number of threads, or say why not."""
    search = _InvariantSearch(program, properties, options, budget)
    return search.verdict(), search.statistics


class _InvariantSearch:
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
        """Try views of more and more threads."""
        for size in self._sizes():
            system = size.views.system
            self.statistics["counted groups"] = len(system.counted)
            self.statistics["clauses"] = len(size.obligations)
            if size.is_known_enough:
                return Claimed(size.known)
        return Unknown(NO_INVARIANT)

    def _sizes(self) -> Iterator["_Size"]:
        """Threads are counted if what can be read off the program about one thread is not enough."""
        plain = TemplateSystem(self.program, singles=self._singles)
        watched = _flags(plain)
        self.statistics["watched variables"] = len(watched)
        size = self._size(self._views(1, watched, ()), (), None)
        found = [] if size.is_known_enough else balances(plain)
        groups = groups_of(plain, found)
        counting = self._size(self._views(1, watched, groups), found, size) if found else size
        yield counting if counting.says_numbers else size
        for number in range(2, self.options.in_view + 1):
            views = self._views(number, watched, groups)
            if views.size < number:
                return  # all threads are in view already
            counting = self._size(views, found, counting)
            yield counting

    @property
    def _singles(self) -> tuple[int, ...] | None:
        return None if self.options.tell_apart else ()

    def _views(self, number: int, watched: Sequence[Term], counted: Sequence[ThreadGroup]) -> SystemViews:
        system = TemplateSystem(self.program, singles=self._singles, copies=number + 2, watched=watched)
        return SystemViews(system.counting(counted) if counted else system, number)

    def _size(self, views: SystemViews, found: Sequence[Balance], smaller: "_Size | None") -> "_Size":
        self.statistics["threads in view"] = views.size
        self.budget.shows(lambda: f"{self.statistics['threads in view']} in view")
        return _Size(views, self.properties, found, smaller, self.budget)


class _Size:
    """Views of one size, and what can be read off the program about them."""

    def __init__(
        self,
        views: SystemViews,
        properties: frozenset[Property],
        found: Sequence[Balance],
        smaller: "_Size | None",
        budget: Budget,
    ) -> None:
        """What is known of views of the same threads without numbers, or of ``smaller`` ones, is so here."""
        self.views = views
        self.budget = budget
        self.obligations = list(views.obligations(properties))
        self.known = self._empty(_lifted(smaller, views))
        rest, claims = self._at_rest()
        sources = (number_candidates, counter_candidates, shared_candidates)
        read_off = [candidates(views, budget.spend, rest), *(source(views) for source in sources)]
        said_of_all = [*claims, *count_candidates(views.system, found)]
        guesses = {v: [*(c for one in read_off for c in one[v]), *said_of_all] for v in views.views}
        easy = {
            v: [c for c in found if is_without_arithmetic(views.terms, c)] for v, found in guesses.items()
        }
        self.is_known_enough = False
        """Whether no guess is needed beyond what can be read off."""
        for more in self._stages(easy, guesses):
            self.known = self.inductive(more)
            self.is_known_enough = self.is_enough(self.known)
            if self.is_known_enough:
                return

    def _stages(self, *guesses: Guesses) -> Iterator[Guesses]:
        """Guesses, and at last those about pairs of threads."""
        yield from guesses
        yield pair_candidates(self.views)

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

    def _at_rest(self) -> tuple[Rest, list[Term]]:
        """What may hold while a lock is free, as far as no run speaks against it."""
        t, view = self.views.terms, self.views.views[0]
        rest = at_rest(self.views.system)
        claims = {rest_claim(t, lock, *is_so): (lock, is_so) for lock in rest for is_so in rest[lock].items()}
        likely = self._unrefuted({v: list(claims) if v == view else [] for v in self.views.views})[view]
        return {
            lock: dict(claims[claim][1] for claim in likely if claims[claim][0] == lock) for lock in rest
        }, list(likely)

    def _unrefuted(self, guesses: Mapping[View, Sequence[Term]]) -> Mapping[View, Sequence[Term]]:
        """The guesses that no run speaks against, without those about threads that are not in view."""
        guess = self._empty({view: tuple(self._visible(view, found)) for view, found in guesses.items()})
        return unrefuted(self.views.system.code, guess, self.budget).invariants

    def _visible(self, view: View, guesses: Iterable[Term]) -> Iterator[Term]:
        """Those about shared variables and the threads of a view; steps of main also speak of new threads."""
        system = self.views.system
        visible = set(system.shared).union(*map(system.own, self.views.instances(view)))
        return (one for one in dict.fromkeys(guesses) if visible.issuperset(self.views.terms.variables(one)))

    def inductive(self, guesses: Mapping[View, Sequence[Term]]) -> ModularProof:
        """What is known, and the part of guesses that no run speaks against and steps keep."""
        likely = self._unrefuted(guesses)
        return inductive_part(self.views, self.known, likely, self.obligations, self.budget)

    @property
    def says_numbers(self) -> bool:
        """Whether something is known of how many threads there are somewhere."""
        numbers = set(map(self.views.system.number, self.views.system.counted))
        known = (conjunct for view in self.known.invariants.values() for conjunct in view)
        return any(not numbers.isdisjoint(self.views.terms.variables(conjunct)) for conjunct in known)

    def is_enough(self, proof: ModularProof) -> bool:
        """Whether invariants exclude all violations."""
        certificate = Certificate(self.views, proof, self.budget)
        safety = (obligation for obligation in self.obligations if obligation.conclusion is None)
        return all(certificate.holds(obligation) for obligation in safety)


def _lifted(smaller: _Size | None, views: SystemViews) -> dict[View, tuple[Term, ...]]:
    """What holds of threads that are in view alone holds of each of two that are in view together."""
    if smaller is None or views.size > PAIR:
        return dict.fromkeys(views.views, ())
    t, known = views.terms, smaller.known.invariants
    if smaller.views.size == views.size:
        return {view: known[view] for view in views.views}
    return {
        view: tuple(
            dict.fromkeys(
                t.substitute(conjunct, views.system.renaming(template, position))
                for template, position in zip(view, views.instances(view), strict=True)
                for conjunct in known[template,]
            )
        )
        for view in views.views
    }


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
