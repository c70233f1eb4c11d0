"""Whether the argument of a proof holds for its Boolean program: two ways to show that nothing bad happens.

*Forwards*: the configurations contain the initial ones and all their successors.

*Views* (P. Abdulla, F. Haziza, L. Holík, Parameterized Verification through View Abstraction, 2016): a set of
views stands for all configurations whose views are in it. Whatever a step makes of such a configuration is
seen with one thread more than in a view: whoever steps, and the threads of the view afterwards. Clauses hold
for all threads, so leaving some out only makes more steps possible.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations

from sley.evidence.proof import RefusedProofError
from sley.evidence.symmetric.proof import (
    ClosedViews,
    Configuration,
    LocalState,
    Reachable,
)
from sley.evidence.symmetric.semantics import Semantics

Spend = Callable[[], None]


def check_argument(semantics: Semantics, argument: Reachable | ClosedViews, spend: Spend) -> None:
    """Accept the argument, or raise."""
    match argument:
        case Reachable(configurations):
            _check_places(semantics, (at for _, threads in configurations for at, _ in threads))
            _check_forwards(semantics, configurations, spend)
        case ClosedViews(_, views):
            _check_places(semantics, (at for _, threads in views for at, _ in threads))
            _Views(semantics, argument).check(spend)


def membership(semantics: Semantics, argument: Reachable | ClosedViews) -> Callable[[Configuration], bool]:
    """Whether a configuration is one that the argument says may be reached."""
    match argument:
        case Reachable(configurations):
            return set(configurations).__contains__
        case ClosedViews():
            return _Views(semantics, argument).has_views_of


def _check_places(semantics: Semantics, locations: Iterable[int]) -> None:
    if not semantics.template_at.keys() >= set(locations):
        raise RefusedProofError("a thread is at a place that the program does not have")


# --- forwards ---------------------------------------------------------------------------------------------


def _check_forwards(semantics: Semantics, configurations: Sequence[Configuration], spend: Spend) -> None:
    known = set(configurations)
    if not known.issuperset(semantics.initial()):
        raise RefusedProofError("an initial configuration is missing")
    for configuration in configurations:
        spend()
        if semantics.is_bad(configuration):
            raise RefusedProofError("a configuration is bad")
        if not known.issuperset(semantics.successors(configuration)):
            raise RefusedProofError("the configurations are not closed under steps")


# --- views ------------------------------------------------------------------------------------------------

Others = tuple[LocalState, ...]
"""The threads of templates that are not single."""


class _Views:
    """The views of a proof, by what is the same in all views of a configuration."""

    def __init__(self, semantics: Semantics, argument: ClosedViews) -> None:
        self.semantics = semantics
        self.size = argument.size
        self.groups: dict[Configuration, set[Others]] = {}
        for view in argument.views:
            core, others = self.divided(view)
            self.groups.setdefault(core, set()).add(others)

    def check(self, spend: Spend) -> None:
        """Every configuration of one thread more than a view has steps into the views only."""
        if self.size < 1:
            raise RefusedProofError("no thread is in view")
        if any(len(error) > self.size + 1 for error in self.semantics.program.errors):
            raise RefusedProofError("something bad takes more threads than are looked at")
        if not all(self.has_views_of(start) for start in self.semantics.initial()):
            raise RefusedProofError("the start is missing")
        seen: set[Configuration] = set()
        for configuration in self.meant():
            spend()
            if self.semantics.is_bad(configuration):
                raise RefusedProofError("something bad is possible")
            for after in self.semantics.successors(configuration):
                if after not in seen:
                    seen.add(after)
                    if not self.has_views_of(after):
                        raise RefusedProofError("the views are not closed under steps")

    def divided(self, configuration: Configuration) -> tuple[Configuration, Others]:
        """What all views of a configuration have in common, and the threads of which they have a few."""
        shared, threads = configuration
        of = [self.semantics.templates[self.semantics.template_at[at]] for at, _ in threads]
        singles = tuple(thread for thread, template in zip(threads, of, strict=True) if template.is_single)
        others = tuple(thread for thread, template in zip(threads, of, strict=True) if not template.is_single)
        return (shared, singles), others

    def has_views_of(self, configuration: Configuration) -> bool:
        """Whether all views of a configuration are there."""
        core, others = self.divided(configuration)
        group = self.groups.get(core, set())
        sizes = range(min(self.size, len(others)) + 1)
        return all(few in group for size in sizes for few in combinations(others, size))

    def meant(self) -> Iterator[Configuration]:
        """The configurations of at most one thread more than a view whose views are all there."""
        for (shared, singles), group in self.groups.items():
            ones = sorted({thread for few in group for thread in few})
            for few in group:
                yield shared, tuple(sorted((*singles, *few)))
                if len(few) == self.size:
                    for thread in (one for one in ones if one >= few[-1]):
                        more = (*few, thread)
                        if all(part in group for part in combinations(more, self.size)):
                            yield shared, tuple(sorted((*singles, *more)))
