"""Whether the argument of a proof holds for its Boolean program: three ways to show that nothing bad happens.

*Forwards*: the configurations contain the initial ones and all their successors.

*Views* (P. Abdulla, F. Haziza, L. Holík, Parameterized Verification through View Abstraction, 2016): a set of
views stands for all configurations whose views are in it. Whatever a step makes of such a configuration is
seen with one thread more than in a view: whoever steps, and the threads of the view afterwards. Clauses hold
for all threads, so leaving some out only makes more steps possible.

*Backwards*: an element stands for all configurations that contain it. No configuration outside of all
elements has a step into one of them; a thread that no element mentions forbids nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, permutations

from sley.evidence.proof import RefusedProofError
from sley.evidence.symmetric.proof import (
    ClosedViews,
    Configuration,
    ConfigurationCube,
    Coverable,
    Cube,
    LocalState,
    Reachable,
)
from sley.evidence.symmetric.semantics import Action, Bits, Semantics, models

Spend = Callable[[], None]


def check_argument(semantics: Semantics, argument: Reachable | ClosedViews | Coverable, spend: Spend) -> None:
    """Accept the argument, or raise."""
    match argument:
        case Reachable(configurations):
            _check_places(semantics, (at for _, threads in configurations for at, _ in threads))
            _check_forwards(semantics, configurations, spend)
        case ClosedViews(_, views):
            _check_places(semantics, (at for _, threads in views for at, _ in threads))
            _Views(semantics, argument).check(spend)
        case Coverable(elements):
            _check_places(semantics, (at for element in elements for at, _ in element.threads))
            _Backwards(semantics, elements).check(spend)


def membership(
    semantics: Semantics, argument: Reachable | ClosedViews | Coverable
) -> Callable[[Configuration], bool]:
    """Whether a configuration is one that the argument says may be reached."""
    match argument:
        case Reachable(configurations):
            return set(configurations).__contains__
        case ClosedViews():
            return _Views(semantics, argument).has_views_of
        case Coverable(elements):
            return _Backwards(semantics, elements).is_outside


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


# --- backwards --------------------------------------------------------------------------------------------

Member = tuple[int, Cube]
"""A thread of an element."""

ANYTHING = Cube(0, 0)


class _Backwards:
    """The elements of a proof, by the locations of their threads."""

    def __init__(self, semantics: Semantics, elements: Sequence[ConfigurationCube]) -> None:
        self.semantics = semantics
        self.elements = elements
        self.by_locations: dict[tuple[int, ...], list[ConfigurationCube]] = {}
        self.longest = max((len(element.threads) for element in elements), default=0)
        self._outside: dict[tuple[int, ...], tuple[Bits, ...]] = {}
        for element in elements:
            self._check_bits(element)
            self.by_locations.setdefault(tuple(sorted(at for at, _ in element.threads)), []).append(element)

    def check(self, spend: Spend) -> None:
        """Everything bad is in the elements, nothing initial, and no step leads into them from outside."""
        semantics = self.semantics
        if not all(self.is_covered(error) for error in semantics.program.errors):
            raise RefusedProofError("something bad is missing")
        if not all(map(self.is_outside, semantics.initial())):
            raise RefusedProofError("something bad is possible at the start")
        for element in self.elements:
            spend()
            for action in semantics.actions:
                self._check_step(action, element)

    def is_outside(self, configuration: Configuration) -> bool:
        """Whether a configuration is in no element."""
        valuation, threads = configuration
        for block, (_, values) in enumerate(threads):
            valuation |= values << self.semantics.shift(block)
        return all(clause.holds(valuation) for clause in self.outside(tuple(at for at, _ in threads)))

    def _check_bits(self, element: ConfigurationCube) -> None:
        scopes = [self.semantics.scopes[at] for at, _ in element.threads]
        masks = [cube.mask for _, cube in element.threads]
        if element.shared.mask >> self.semantics.shared_size or any(
            mask & ~scope for mask, scope in zip(masks, scopes, strict=True)
        ):
            raise RefusedProofError("an element is about Booleans that mean nothing there")

    def outside(self, locations: tuple[int, ...]) -> tuple[Bits, ...]:
        """Clauses that say of threads in these blocks at these locations that they are in no element."""
        if locations not in self._outside:
            self._outside[locations] = tuple(self._not_covering(locations))
        return self._outside[locations]

    def _not_covering(self, locations: tuple[int, ...]) -> Iterator[Bits]:
        for size in range(min(len(locations), self.longest) + 1):
            for blocks in permutations(range(len(locations)), size):
                at = tuple(locations[block] for block in blocks)
                for element in self.by_locations.get(at, ()) if tuple(sorted(at)) == at else ():
                    cubes = [cube for _, cube in sorted(element.threads)]
                    yield self._not_in(element.shared, zip(blocks, cubes, strict=True))

    def _not_in(self, shared: Cube, threads: Iterable[tuple[int, Cube]]) -> Bits:
        positive, negative = shared.mask & ~shared.value, shared.mask & shared.value
        for block, (mask, value) in threads:
            positive |= (mask & ~value) << self.semantics.shift(block)
            negative |= (mask & value) << self.semantics.shift(block)
        return Bits(positive, negative)

    def is_covered(self, locations: tuple[int, ...], clauses: Sequence[Bits] = (), free: int = 0) -> bool:
        """Whether threads at these locations before a step are in an element whenever the clauses hold."""
        free |= (1 << self.semantics.shared_size) - 1
        for block, location in enumerate(locations):
            free |= self.semantics.scopes[location] << self.semantics.shift(block)
        everything = (*clauses, *self.outside(locations))
        return next(models(everything, 0, free), None) is None

    def _check_step(self, action: Action, element: ConfigurationCube) -> None:
        """Whether all configurations before a step into an element are in the elements."""
        for active, rest in self._active(action, element.threads):
            for passives, new in self._created(action, rest):
                others = (*passives, new) if new is not None else passives
                if not self._is_closed(action, element.shared, active, others, has_new=new is not None):
                    raise RefusedProofError("the elements are not closed under steps backwards")

    def _active(
        self, action: Action, threads: tuple[Member, ...]
    ) -> Iterator[tuple[Cube, tuple[Member, ...]]]:
        """The thread that stepped: one of the element, or one that it does not mention."""
        for i, (location, cube) in enumerate(threads):
            if location == action.target:
                yield cube, (*threads[:i], *threads[i + 1 :])
        if not self._has_only(action.template, threads):
            yield ANYTHING, threads

    def _created(
        self, action: Action, rest: tuple[Member, ...]
    ) -> Iterator[tuple[tuple[Member, ...], Member | None]]:
        """The created thread: one of the element, one that it does not mention, or none."""
        if action.creates is None:
            yield rest, None
            return
        entry = self.semantics.templates[action.creates].entry
        for i, (location, cube) in enumerate(rest):
            if location == entry:
                yield (*rest[:i], *rest[i + 1 :]), (location, cube)
        if not self._has_only(action.creates, rest):
            yield rest, None

    def _has_only(self, template: int, threads: Sequence[Member]) -> bool:
        """Whether the only thread of a template is among these."""
        is_single = self.semantics.templates[template].is_single
        return is_single and any(self.semantics.template_at[at] == template for at, _ in threads)

    def _is_closed(
        self, action: Action, shared: Cube, active: Cube, others: Sequence[Member], *, has_new: bool
    ) -> bool:
        """Whether these threads before the step are in an element, if they are in these cubes after it."""
        semantics = self.semantics
        locations = tuple(at for at, _ in others)
        clauses = list(semantics.clauses(action, locations, has_new=has_new))
        clauses += self._after(-1, shared, action.shared)
        clauses += self._after(0, active, action.own)
        free = semantics.free(action, locations, has_new=has_new)
        free |= action.shared << semantics.shift(-1, is_primed=True)
        free |= action.own << semantics.shift(0, is_primed=True)
        for block, (_, cube) in enumerate(others, 1):
            changed = free >> semantics.shift(block, is_primed=True)
            clauses += self._after(block, cube, changed)
        before = locations[:-1] if has_new else locations
        return self.is_covered((action.source, *before), clauses, free)

    def _after(self, block: int, cube: Cube, changed: int) -> Iterator[Bits]:
        """What is in the cube after the step, bit by bit; what does not change is so before it."""
        mask = cube.mask
        while mask:
            bit = mask & -mask
            mask ^= bit
            at = bit << self.semantics.shift(block, is_primed=bool(bit & changed))
            yield Bits(at, 0) if cube.value & bit else Bits(0, at)
