"""What has to be shown of invariants of a few threads, as implications between them.

* at the start, when no thread exists, the invariants hold;
* a step of any thread, in view or not, leads to states where they hold. Of the threads that take part and
  those in view all k-element subsets may be assumed to satisfy their invariant before;
* no step goes wrong, is given up on, or meets an obstacle; no two threads race;
* whoever holds a lock that is waited for can step (``deadlocks`` says why that is enough);
* no block is lost when the process ends.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, permutations
from typing import NamedTuple

from sley.engines.modular.deadlocks import Waits
from sley.evidence.modular.proof import View
from sley.logic.terms import Term
from sley.program.properties import Property
from sley.semantics.templates import MAIN, Template, TemplateSystem, Transition


@dataclass(frozen=True, slots=True)
class Obligation:
    """A clause: what holds of the views, and the constraints, imply the conclusion after the updates."""

    premises: tuple[tuple[int, ...], ...]
    """Each is the positions of distinct instances, in the order of their view."""
    constraints: tuple[Term, ...]
    updates: Mapping[Term, Term]
    conclusion: tuple[int, ...] | None
    """The positions of instances in view; None: premises and constraints contradict each other."""
    reason: str
    """What is possible otherwise."""
    others: tuple["Other", ...] = ()
    """Another thread for each group whose number of threads changes."""


class Other(NamedTuple):
    """That one more thread is in a group, unless all of its threads take part in a step.

    What is said of instances that stand for no particular thread is meant of variables that occur nowhere
    else: they may be the same threads as those in view, or as those in another group.
    """

    claim: tuple[Term, ...]
    premises: tuple[tuple[int, ...], ...]
    names: Mapping[Term, Term]
    """The variables of these instances -> others that occur nowhere else."""


class SystemViews:
    """The views of a system of templates, and what has to be shown of their invariants."""

    def __init__(self, system: TemplateSystem, size: int) -> None:
        self.system = system
        self.terms = system.terms
        self.size = size if system.replicated else min(size, len(system.singles))

    @cached_property
    def views(self) -> tuple[View, ...]:
        """All combinations of templates."""
        workers = [template.position for template in self.system.workers]
        singles = {template.position for template in self.system.singles}
        return tuple(
            view
            for view in combinations_with_replacement(workers, self.size)
            if all(view.count(position) == 1 for position in view if position in singles)
        )

    def view_of(self, instances: Sequence[int]) -> View:
        """The view that instances are in."""
        return tuple(self.system.template(position).position for position in instances)

    def instances(self, view: View) -> tuple[int, ...]:
        """The first copies of the templates of a view."""
        found: list[int] = []
        for index, position in enumerate(view):
            found.append(self.system.position(self.system.template(position), view[:index].count(position)))
        return tuple(found)

    def renaming(self, view: View, instances: Sequence[int]) -> dict[Term, Term]:
        """From the variables of a view to those of other instances."""
        found: dict[Term, Term] = {}
        for position, other in zip(self.instances(view), instances, strict=True):
            found |= self.system.renaming(position, other)
        return found

    def orders(self, instances: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """All orders of instances in which they are in the same view."""
        view = self.view_of(instances)
        return (order for order in permutations(instances) if self.view_of(order) == view)

    def distinct(self, view: View, conjuncts: Iterable[Term]) -> list[Term]:
        """Without those that say the same of threads in another order."""
        instances = self.instances(view)
        swaps = [self.renaming(view, order) for order in self.orders(instances)]
        found: dict[Term, None] = {}
        for conjunct in conjuncts:
            if not any(self.terms.substitute(conjunct, swap) in found for swap in swaps):
                found[conjunct] = None
        return list(found)

    # --- what has to be shown -------------------------------------------------------------------------

    def obligations(self, properties: frozenset[Property]) -> Iterator[Obligation]:
        """All clauses."""
        yield from self._initial()
        for template in self.system.templates:
            for transition in self.system.transitions(template):
                if transition.target in self.system.code.errors:
                    yield self._error(transition)
                elif not transition.ends_process:
                    yield from self._steps(transition)
            yield from self._obstacles(template)
        if Property.LEAK in properties:
            for template in self.system.templates:
                for transition, is_lost in self.system.losses(template):
                    guard = (*self.system.control(transition)[0], *transition.guard, is_lost)
                    yield self._impossible([transition.thread], guard, "memory may be lost")
        if Property.RACE in properties:
            yield from self._races()
        if Property.DEADLOCK in properties:
            for acting, conditions in Waits(self.system).impossible():
                yield self._impossible(acting, conditions, "a deadlock is possible")

    def _initial(self) -> Iterator[Obligation]:
        known = self.system.initial_values()
        for view in self.views:
            instances = self.instances(view)
            yield Obligation(
                (), tuple(self._facts(instances)), known, instances, "the start is not in an invariant"
            )

    def _facts(self, instances: Sequence[int]) -> list[Term]:
        singles = (template.position for template in self.system.singles)
        return self.system.facts(tuple(dict.fromkeys((MAIN, *singles, *instances))))

    def _steps(self, transition: Transition) -> Iterator[Obligation]:
        """A step, with the threads that take part in view or not."""
        for view in self.views:
            instances = self.instances(view)
            for roles in self._roles(transition, instances):
                moved = self._moved(transition, roles)
                together = tuple(dict.fromkeys((*instances, *(p for p in roles.values() if p != MAIN))))
                yield Obligation(
                    tuple(self._subsets(together)),
                    (*self._facts(together), *moved[0]),
                    moved[1],
                    instances,
                    "an invariant is not inductive",
                    tuple(self._others(moved[1], tuple(p for p in roles.values() if p != MAIN))),
                )

    def _others(self, updates: Mapping[Term, Term], acting: tuple[int, ...]) -> Iterator[Other]:
        """For each group whose number changes, a thread in it that takes no part; the last copies."""
        t, system = self.terms, self.system
        for index, group in enumerate(system.counted):
            if system.number(group) not in updates:
                continue
            templates = [system.template(position) for position in group.templates]
            others = [system.position(template, system.copies - 1) for template in templates]
            claim = (system.somebody_else(group, acting, others), *self._facts((*acting, *others)))
            premises = (s for other in others for s in self._subsets((*acting, other)) if other in s)
            variables = (v for other in others for v in system.own(other))
            names = {v: t.var(f"{t.name(v)} in {index}", t.sort(v)) for v in variables}
            yield Other(claim, tuple(premises), names)

    def _roles(self, transition: Transition, instances: Sequence[int]) -> Iterator[dict[int, int]]:
        """Which instances take part in a step: those in view, or others."""
        acting = [p for p in (transition.thread, transition.created) if p is not None]
        choices: list[dict[int, int]] = [{}]
        for position in acting:
            template = self.system.template(position)
            choices = [
                {**chosen, position: other}
                for chosen in choices
                for other in self._candidates(template, instances, tuple(chosen.values()))
            ]
        yield from choices

    def _candidates(self, template: Template, instances: Sequence[int], taken: Sequence[int]) -> list[int]:
        """Threads that may play a role: any in view of that template, and one that is not in view."""
        if not template.is_replicated:
            return [template.position]
        inside = [p for p in instances if self.system.template(p) == template and p not in taken]
        copies = (self.system.position(template, copy) for copy in range(self.system.copies))
        outside = next(p for p in copies if p not in instances and p not in taken)
        return [*inside, outside]

    def _moved(self, transition: Transition, roles: Mapping[int, int]) -> tuple[list[Term], dict[Term, Term]]:
        """Guard and updates of a transition when these instances take part."""
        renaming: dict[Term, Term] = {}
        for position, other in roles.items():
            if position != MAIN:
                renaming |= self.system.renaming(position, other)
        guard, updates = self.system.control(transition)
        guard += transition.guard
        updates |= transition.updates
        t = self.terms
        return (
            [t.substitute(part, renaming) for part in guard],
            {renaming.get(v, v): t.substitute(value, renaming) for v, value in updates.items()},
        )

    def _subsets(self, instances: Sequence[int], kernel: Sequence[int] = ()) -> Iterator[tuple[int, ...]]:
        """The instances that are in view together, among those with as many of the kernel as possible."""
        least = min(self.size, len(kernel))
        ordered = sorted(instances, key=lambda p: (self.system.template(p).position, p))
        for subset in combinations(ordered, self.size):
            if sum(p in kernel for p in subset) >= least:
                yield subset

    def _filled(self, instances: Sequence[int]) -> tuple[int, ...]:
        """The instances and so many others that all kinds of views around them are there."""
        found = dict.fromkeys(instances)
        if len(found) < self.size:
            for template in self.system.workers:
                copies = self.size if template.is_replicated else 1
                found.update({self.system.position(template, copy): None for copy in range(copies)})
        return tuple(found)

    def _impossible(self, acting: Sequence[int], constraints: Sequence[Term], reason: str) -> Obligation:
        """Something that must not happen to these instances."""
        kernel = [p for p in acting if p != MAIN]
        together = self._filled(kernel)
        premises = tuple(self._subsets(together, kernel))
        return Obligation(premises, (*self._facts(together), *constraints), {}, None, reason)

    def _error(self, transition: Transition) -> Obligation:
        acting = [p for p in (transition.thread, transition.created) if p is not None]
        guard, _ = self.system.control(transition)
        failure = self.system.code.errors[transition.target]
        return self._impossible(acting, (*guard, *transition.guard), f"{failure.message}")

    def _obstacles(self, template: Template) -> Iterator[Obligation]:
        for obstacle in self.system.obstacles(template):
            at = self.terms.eq(self.system.at(obstacle.thread), self.system.place(obstacle.source))
            yield self._impossible([obstacle.thread], (at, *obstacle.guard), obstacle.reason)

    def _races(self) -> Iterator[Obligation]:
        t, system = self.terms, self.system
        pairs = [(MAIN, template.position) for template in system.workers]
        pairs += [(one.position, other.position) for one, other in combinations(system.workers, 2)]
        pairs += [(template.position, system.position(template, 1)) for template in system.replicated]
        for one, other in pairs:
            for place, second, condition in system.races(one, other):
                at = t.eq(system.at(one), system.place(place))
                other_at = t.eq(system.at(other), system.place(second))
                either = t.or_(condition.holds, condition.unknown)
                yield self._impossible([one, other], (at, other_at, either), "a data race is possible")
