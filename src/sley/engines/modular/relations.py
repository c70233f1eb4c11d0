"""The clauses of a proof for a Horn solver: one relation for each view and places of the threads in it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product

from sley.engines.modular.shared_values import owner_cells
from sley.engines.modular.views import Obligation, SystemViews
from sley.evidence.modular.proof import View
from sley.logic.clauses import conjuncts, fixed_values
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.semantics.groups import MANY
from sley.semantics.templates import ABSENT_AT, EXITED_AT, LARGEST_HANDLE, MAIN
from sley.solvers.horn_clauses import Application, HornClause, HornProblem

Places = tuple[int, ...]
"""The places of the threads that are told apart by relations."""


class Relations:
    """Relations and clauses for obligations.

    Threads of which there are many are told apart by their places: these are part of a relation's name, not
    of its parameters. What is ``ignored`` may have any value at any time: fewer proofs, found faster.
    """

    def __init__(
        self,
        views: SystemViews,
        obligations: Sequence[Obligation],
        ignored: frozenset[Term],
        known: Callable[[Sequence[int]], Sequence[Term]],
    ) -> None:
        """``known`` says of instances what was shown already."""
        self.views = views
        self.system = views.system
        self.terms = views.terms
        self.obligations = obligations
        self.relevant = _relevant_variables(views, obligations) - ignored
        self.known = known
        self.owners = owner_cells(views.system)
        self.parameters: dict[str, tuple[Term, ...]] = {}
        self.meaning: dict[Term, Term] = {}
        """Parameter -> what it stands for, where it is not a variable of the view."""

    def problem(self, unsigned: set[Term]) -> HornProblem:
        """All clauses that some run can come to, as far as places tell."""
        every = dict.fromkeys(clause for o in self.obligations for clause in self._clauses(o))
        clauses = _reachable(list(every))
        used = {
            a.relation for clause in clauses for a in (*clause.premises, clause.conclusion) if a is not None
        }
        handles = [self.system.handle(position) for position in range(1, self.system.size)]
        ranges = {handle: (2, LARGEST_HANDLE) for handle in handles if self.terms.is_var(handle)}
        for group in self.system.counted:
            most = MANY if group.is_lasting else LARGEST_HANDLE - 1
            ranges[self.system.number(group)] = (0, most)
        parameters = {name: found for name, found in self.parameters.items() if name in used}
        return HornProblem(self.terms, parameters, clauses, unsigned, ranges)

    def invariants(self, formulas: Mapping[str, Term]) -> dict[View, list[Term]]:
        """What the relations found say of the views, one conjunct for each of theirs."""
        t = self.terms
        found: dict[View, list[Term]] = {view: [] for view in self.views.views}
        for view in self.views.views:
            instances = self.views.instances(view)
            controlled = self._controlled(instances)
            found[view] += [self._is_somewhere(p) for p in controlled]
            for places in product(*(self.domain(p) for p in controlled)):
                if self._ordered(instances, dict(zip(controlled, places, strict=True))) != instances:
                    continue
                elsewhere = [
                    t.ne(self.system.at(p), self.system.place(place))
                    for p, place in zip(controlled, places, strict=True)
                ]
                formula = t.substitute(formulas.get(self._name(view, places), t.false), self.meaning)
                parts = [formula] if formula == t.false else conjuncts(t, (formula,))
                found[view] += [t.or_(*elsewhere, part) for part in parts]
        return found

    def _is_somewhere(self, position: int) -> Term:
        at = self.system.at(position)
        return self.terms.or_(*(self.terms.eq(at, self.system.place(p)) for p in self.domain(position)))

    def _ordered(self, instances: Sequence[int], at: Mapping[int, int]) -> tuple[int, ...]:
        """Instances of the same template in the order of their places: the invariant is symmetric."""
        return tuple(sorted(instances, key=lambda p: (self.system.template(p).position, at.get(p, 0))))

    def domain(self, position: int) -> tuple[int, ...]:
        """Where an instance can be."""
        return self._domains[self.system.template(position).position]

    @cached_property
    def _domains(self) -> dict[int, tuple[int, ...]]:
        return {
            template.position: (
                *(() if template.position == MAIN else (ABSENT_AT,)),
                *self.system.stops(template),
                EXITED_AT,
            )
            for template in self.system.templates
        }

    def _controlled(self, instances: Sequence[int]) -> list[int]:
        """The instances that are told apart by their places."""
        return [p for p in instances if self.system.template(p).is_replicated]

    def _name(self, view: View, places: Places) -> str:
        name = "inv" + "".join(f"_{p}" for p in view) + "@" + "_".join(map(str, places))
        if name not in self.parameters:
            instances = self.views.instances(view)
            at = dict(zip(self._controlled(instances), places, strict=True))
            left_out = {self.system.at(p) for p in at} | self._dead(at)
            parameters: list[Term] = []
            for variable in self.views.parameters(view):
                if variable in self.relevant and variable not in left_out:
                    parameters += self._parameters(variable, instances)
            self.parameters[name] = tuple(parameters)
        return name

    def _parameters(self, variable: Term, instances: Sequence[int]) -> list[Term]:
        """A variable; one that holds a handle: for each thread in view, whether it is that thread's."""
        if variable not in self.owners:
            return [variable]
        t, width = self.terms, self.terms.width(variable)
        known = (MAIN, *(single.position for single in self.system.singles), *instances)
        values = [t.bv(0, width), *(self.system.vocabulary.identity(p, width) for p in dict.fromkeys(known))]
        found: list[Term] = []
        for index, value in enumerate(values):
            found.append(t.var(f"{t.name(variable)}={index}:{instances}", BOOL))
            self.meaning[found[-1]] = t.eq(variable, value)
        return found

    def _dead(self, at: Mapping[int, int]) -> set[Term]:
        """Registers that are not read again from the places where the threads are."""
        found: set[Term] = set()
        vocabulary, code = self.system.vocabulary, self.system.code
        for position, place in at.items():
            live = set(code.live.get(place, ()))
            registers = vocabulary.threads[position].registers
            found |= {vocabulary.register(position, r) for r in registers if r not in live}
        return found

    def _clauses(self, obligation: Obligation) -> Iterator[HornClause]:
        """The obligation for all places that the threads can be at."""
        t, system = self.terms, self.system
        known = fixed_values(t, obligation.constraints) if obligation.premises else obligation.updates
        instances = dict.fromkeys(p for premise in obligation.premises for p in premise)
        instances.update(dict.fromkeys(obligation.conclusion or ()))
        controlled = self._controlled(tuple(instances))
        choices = [
            [
                p
                for p in self.domain(position)
                if known.get(system.at(position), system.place(p)) == system.place(p)
            ]
            for position in controlled
        ]
        orders = [order for premise in obligation.premises for order in self.views.orders(premise)]
        shown = [fact for order in orders for fact in self.known(order)]
        for places in product(*choices):
            at = dict(zip(controlled, places, strict=True))
            control = {system.at(position): system.place(place) for position, place in at.items()}
            constraints = t.substitute_all(tuple(dict.fromkeys((*obligation.constraints, *shown))), control)
            if t.false in constraints:
                continue
            premises = [self._applied(premise, at, control, {}) for premise in obligation.premises]
            head = None
            if obligation.conclusion is not None:
                head = self._applied(obligation.conclusion, at, control, obligation.updates)
            if head not in premises:
                yield HornClause(tuple(premises), tuple(c for c in constraints if c != t.true), head)

    def _applied(
        self,
        instances: Sequence[int],
        at: Mapping[int, int],
        control: Mapping[Term, Term],
        updates: Mapping[Term, Term],
    ) -> Application:
        t = self.terms
        after = {
            p: at[p] if (place := updates.get(self.system.at(p))) is None else self._signed(place)
            for p in self._controlled(instances)
        }
        instances = self._ordered(instances, after)
        view = self.views.view_of(instances)
        renaming = self.views.renaming(view, instances)
        name = self._name(view, tuple(after[p] for p in self._controlled(instances)))
        arguments = tuple(self.meaning.get(v, v) for v in self.parameters[name])
        for substitution in (renaming, updates, control):
            arguments = t.substitute_all(arguments, substitution)
        return Application(name, arguments)

    def _signed(self, place: Term) -> int:
        number = self.terms.number(place)
        assert number is not None
        return number - (1 << 32) if number >> 31 else number


def _relevant_variables(views: SystemViews, obligations: Iterable[Obligation]) -> frozenset[Term]:
    """Which variables an invariant can need: those that decide a branch, and what these are computed from.

    That is those that a constraint mentions, history, and what new values of relevant variables mention. If
    one copy of a thread has the variable, so have all.
    """
    system, t = views.system, views.terms
    first: dict[Term, Term] = {}
    for position in range(system.size):
        if position:
            first |= system.renaming(position, system.template(position).position)
    sources: dict[Term, set[Term]] = {}
    found: dict[Term, None] = {system.changer(variable): None for variable in system.watched}
    numbers = {system.number(group) for group in system.counted}
    found.update(dict.fromkeys(numbers))
    given = set(system.facts(range(system.size)))
    for obligation in obligations:
        for constraint in obligation.constraints:
            # what is always so tells nothing
            if constraint not in given and numbers.isdisjoint(t.variables(constraint)):
                found.update({first.get(v, v): None for v in t.variables(constraint)})
        for variable, value in obligation.updates.items():
            known = sources.setdefault(first.get(variable, variable), set())
            known.update(first.get(v, v) for v in t.variables(value))
    waiting = list(found)
    while waiting:
        for source in sorted(sources.get(waiting.pop(), ())):
            if source not in found:
                found[source] = None
                waiting.append(source)
    copies = {v for v, original in first.items() if original in found}
    return frozenset((*found, *copies))


def _reachable(clauses: Sequence[HornClause]) -> list[HornClause]:
    """The clauses whose premises are conclusions of such clauses."""
    known: set[str] = set()
    found: dict[int, None] = {}
    while True:
        new = [
            index
            for index, clause in enumerate(clauses)
            if index not in found and all(p.relation in known for p in clause.premises)
        ]
        if not new:
            return [clauses[index] for index in sorted(found)]
        found.update(dict.fromkeys(new))
        known.update(c.relation for index in new if (c := clauses[index].conclusion) is not None)
