"""The weakest orders, and the fewest fences, with which a program is still safe: each step proved.

More guarantees allow fewer executions. So the sets of guarantees that suffice are closed upwards, those that
do not are closed downwards, and what is wanted is a smallest one that suffices. Guarantees that cost more are
taken away first, with all others in place: seq_cst of fences, seq_cst of accesses, then what fences guarantee
at all, then acquire and release.

Of one group, one guarantee after another is left out as long as the rest suffices. Each set that does not
suffice says that at least one of the others is needed; a smallest set that has one of each such kind (a
minimum hitting set) is a lower bound, and if it suffices, it is the answer. (This is how a smallest
unsatisfiable subset is found: Ignatiev, Previti, Liffiton, Marques-Silva, CP 2015.)
"""

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sley.base.budget import Budget
from sley.evidence.verdict import Safe, Unsafe
from sley.passes.guarantees import (
    Guarantee,
    GuaranteeKind,
    Guarantees,
    GuaranteeSite,
    named,
    orders,
    possible,
    sites,
)
from sley.program.instructions import Fence, MemoryOrder, Update
from sley.program.program import Edge, Origin
from sley.program.rewriting import access_of
from sley.solvers.hitting_sets import smallest_hitting_set
from sley.verification.observer import Observer
from sley.verification.reading import loaded_program
from sley.verification.result import Result, reason_of
from sley.verification.task import Task
from sley.verification.thresholds import FOR_VARIANT
from sley.verification.verify import verify


@dataclass(frozen=True, slots=True)
class Orders:
    """Those of a site; None: it is a fence, or a place for one, and there is none."""

    success: MemoryOrder | None
    failure: MemoryOrder | None = None
    """Of a compare-exchange."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What one access or fence needs."""

    origin: Origin
    accessed: str
    """What it accesses; empty for a fence."""
    is_fence: bool
    """Whether this is about a fence: itself, or one behind the access."""
    written: Orders
    needed: Orders
    why: tuple[str, ...] = ()
    """What goes wrong, or is not known, with less."""


@dataclass(frozen=True, slots=True)
class Suggestions:
    """What all of them need together."""

    sites: tuple[Suggestion, ...] = ()
    variants: int = 0
    """How many were verified."""
    violated: int = 0
    """How many of them have a bug."""
    undecided: tuple[str, ...] = ()
    """Why nothing is known of some others: then less may do."""
    unhelpful: str | None = None
    """What goes wrong, or is not known, even if everything is as strong as it can be."""


def suggest_orders(result: Result, observer: Observer, budget: Budget) -> Suggestions:
    """The suggestions for the task of a result."""
    return _GuaranteeSearch(result, observer, budget).suggestions()


class _GuaranteeSearch:
    """What is known so far of sets of guarantees."""

    def __init__(self, result: Result, observer: Observer, budget: Budget) -> None:
        self.task: Task = replace(result.task, all_bugs=False)
        self.is_safe = isinstance(result.outcome, Safe)
        self.observer = observer
        self.budget = budget
        self.sites = sites(loaded_program(self.task), self.task.memory_model)
        self.named = named(self.sites, self.task.memory_model)
        self.sufficient: list[Guarantees] = []
        self.insufficient: dict[Guarantees, str] = {}
        self.undecided: dict[str, None] = {}
        self.variants = 0

    def suggestions(self) -> Suggestions:
        strongest = possible(self.sites, self.task.memory_model)
        if self.is_safe:
            self.sufficient.append(self.named)
        elif not self._suffice(strongest):
            return self._summary(unhelpful=self.insufficient[strongest])
        (chosen,) = self.sufficient
        for group in _groups(chosen, self.sites):
            others = chosen - group
            chosen = others | fewest(group, partial(self._suffice_with, others))
        return self._summary(tuple(self._suggestion(site, edge, chosen) for site, edge in self.sites.items()))

    def _summary(self, suggested: tuple[Suggestion, ...] = (), unhelpful: str | None = None) -> Suggestions:
        undecided = tuple(self.undecided)
        violated = len(self.insufficient) - sum(why in self.undecided for why in self.insufficient.values())
        return Suggestions(suggested, self.variants, violated, undecided, unhelpful)

    def _suffice(self, chosen: Guarantees) -> bool:
        """Whether a proof is known with these guarantees, or can be found."""
        if any(some <= chosen for some in self.sufficient):
            return True
        if any(chosen <= some for some in self.insufficient):
            return False
        outcome = self._verified(chosen).outcome
        match outcome:
            case Safe():
                self.sufficient.append(chosen)
                return True
            case Unsafe(traces=traces):
                self.insufficient[chosen] = traces[0].failure.message
            case _:
                why = reason_of(outcome) or ""
                self.undecided[why] = None
                self.insufficient[chosen] = why
        return False

    def _suffice_with(self, others: Guarantees, some: Guarantees) -> bool:
        return self._suffice(others | some)

    def _verified(self, chosen: Guarantees) -> Result:
        self.variants += 1
        budget = self.budget.share(FOR_VARIANT, None, time.monotonic)
        return verify(replace(self.task, guarantees=chosen), self.observer, budget)

    # --- what to say ------------------------------------------------------------------------------

    def _suggestion(self, site: GuaranteeSite, edge: Edge, chosen: Guarantees) -> Suggestion:
        own = [one for one in sorted(chosen, key=_place) if one.site == site]
        why = dict.fromkeys(self._why(chosen - {one}) for one in own)
        access = access_of(edge.instruction)
        return Suggestion(
            edge.origin,
            "" if access is None else access[0].text,
            self._is_fence(edge),
            self._orders(edge, [one.kind for one in self.named if one.site == site]),
            self._orders(edge, [one.kind for one in own]),
            tuple(why),
        )

    def _orders(self, edge: Edge, kinds: Collection[GuaranteeKind]) -> Orders:
        success, failure = orders(kinds)
        if self._is_fence(edge):
            return Orders(None if success is MemoryOrder.RELAXED else success)
        has_failure = isinstance(edge.instruction, Update) and edge.instruction.success is not None
        return Orders(success, failure if has_failure else None)

    def _is_fence(self, edge: Edge) -> bool:
        return self.task.memory_model.is_hardware or isinstance(edge.instruction, Fence)

    def _why(self, less: Guarantees) -> str:
        self._suffice(less)
        return next((why for some, why in self.insufficient.items() if less <= some), "")


def _groups(chosen: Guarantees, at: dict[GuaranteeSite, Edge]) -> Sequence[Guarantees]:
    """The dearest first."""
    cost = {
        one: (one.kind not in _SEQUENTIAL, not isinstance(at[one.site].instruction, Fence)) for one in chosen
    }
    return [frozenset(one for one in chosen if cost[one] == rank) for rank in sorted(set(cost.values()))]


_SEQUENTIAL = (GuaranteeKind.SEQUENTIAL, GuaranteeKind.SEQUENTIAL_IF_FAILED)


def fewest(group: Guarantees, suffice: Callable[[Guarantees], bool]) -> Guarantees:
    """A smallest part of a group that suffices; the group itself does."""
    if suffice(frozenset()):
        return frozenset()
    kept, needed = group, list[Guarantees]()
    for one in sorted(group, key=_place):
        if suffice(kept - {one}):
            kept -= {one}
        else:
            needed.append(group - kept | {one})
    while len(least := smallest_hitting_set(needed)) < len(kept):
        if suffice(least):
            return least
        needed.append(group - _grown(least, group, suffice))
    return kept


def _grown(some: Guarantees, group: Guarantees, suffice: Callable[[Guarantees], bool]) -> Guarantees:
    """As much of a group as still does not suffice."""
    for one in sorted(group - some, key=_place):
        if not suffice(some | {one}):
            some |= {one}
    return some


def _place(one: Guarantee) -> tuple[GuaranteeSite, str]:
    return one.site, one.kind.value
