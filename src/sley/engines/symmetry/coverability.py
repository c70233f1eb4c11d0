"""Backward coverability: can any number of threads get into a bad combination of locations?

An *element* stands for all configurations that contain what it describes, and any further threads: a cube of
shared bits, and for some threads a location with a cube of local bits. The search goes backwards from the bad
combinations and keeps the minimal elements; if none of them describes an initial configuration, no number of
threads can do harm, and the minimal elements are the evidence.

A clause about passive threads can forbid a step because of a thread that an element does not mention; such
steps are not left out (their monotone closure is taken). So the answer "covered" may be wrong, "not covered"
is not. Threads of a single template that an element does not mention are anywhere.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from itertools import combinations, count, permutations, repeat

from sley.engines.symmetry.machine import BooleanMachine, MachineStep
from sley.evidence.symmetric.boolean_program import ACTIVE, NEW
from sley.evidence.symmetric.proof import ConfigurationCube, Cube

Local = tuple[int, Cube]
"""The threads at a location whose bits are in a cube."""

ANYTHING = Cube(0, 0)


def covers(one: ConfigurationCube, other: ConfigurationCube) -> bool:
    """Whether every configuration of ``other`` is one of ``one``."""
    return _includes(one.shared, other.shared) and _is_injective(one.threads, other.threads)


def _includes(one: Cube, other: Cube) -> bool:
    return not one.mask & ~other.mask and not (one.value ^ other.value) & one.mask


def _is_one_of(local: Local, other: Local) -> bool:
    """Whether every thread of the second is one of the first."""
    return local[0] == other[0] and _includes(local[1], other[1])


class Antichain:
    """Elements of which none covers another, found by the locations of their threads."""

    def __init__(self) -> None:
        self._by_locations: dict[tuple[int, ...], dict[ConfigurationCube, None]] = {}

    def __iter__(self) -> Iterator[ConfigurationCube]:
        for group in self._by_locations.values():
            yield from group

    def __contains__(self, element: ConfigurationCube) -> bool:
        return element in self._by_locations.get(_locations(element), ())

    def covers(self, element: ConfigurationCube) -> bool:
        """Whether one of them covers the element."""
        locations = _locations(element)
        parts = (part for size in range(len(locations) + 1) for part in combinations(locations, size))
        return any(
            covers(other, element)
            for part in dict.fromkeys(parts)
            for other in self._by_locations.get(part, ())
        )

    def insert(self, element: ConfigurationCube) -> None:
        """Add an element that none of them covers; leave out those that it covers."""
        locations = Counter(_locations(element))
        for key, group in self._by_locations.items():
            if locations <= Counter(key):
                for other in [other for other in group if covers(element, other)]:
                    del group[other]
        self._by_locations.setdefault(_locations(element), {})[element] = None


def _locations(element: ConfigurationCube) -> tuple[int, ...]:
    return tuple([location for location, _ in element.threads])


def _is_injective(few: Sequence[Local], many: Sequence[Local]) -> bool:
    """Whether different threads of ``many`` can be found for all of ``few``."""
    if len(few) > len(many):
        return False
    if len(few) == len(many) == 1:
        return _is_one_of(few[0], many[0])
    candidates = [[j for j, other in enumerate(many) if _is_one_of(local, other)] for local in few]
    owner: dict[int, int] = {}

    def augment(i: int, seen: set[int]) -> bool:
        for j in candidates[i]:
            if j not in seen:
                seen.add(j)
                if j not in owner or augment(owner[j], seen):
                    owner[j] = i
                    return True
        return False

    return all(augment(i, set()) for i in range(len(few)))


class Backward:
    """Predecessors of elements."""

    def __init__(self, machine: BooleanMachine) -> None:
        self.machine = machine
        self.singles = {i for i, template in enumerate(machine.templates) if template.is_single}
        self._parts: dict[tuple[int, str, Cube], bool] = {}

    def bad_elements(self) -> list[ConfigurationCube]:
        """One for each bad combination."""
        errors = self.machine.program.errors
        return [
            ConfigurationCube(ANYTHING, tuple((location, ANYTHING) for location in sorted(error)))
            for error in errors
        ]

    def is_initial(self, element: ConfigurationCube) -> bool:
        """Whether an initial configuration is among those of the element."""
        machine = self.machine
        for location, _ in element.threads:
            template = machine.templates[machine.template_at[location]]
            if template.is_created or location != template.entry:
                return False
        return any(
            all(
                any(_has(cube, local) for local in machine.initial_locals(machine.template_at[at]))
                for at, cube in element.threads
            )
            for shared in machine.initial_shared()
            if _has(element.shared, shared)
        )

    def predecessors(self, element: ConfigurationCube) -> Iterator[tuple[MachineStep, ConfigurationCube]]:
        """Elements that together have all configurations with a step into one of ``element``."""
        for step in self.machine.steps:
            for active, rest in self._active_threads(step, element):
                for passives, new in self._created_threads(step, rest):
                    for found in self._before(step, element, active, passives, new):
                        yield step, found

    def _active_threads(
        self, step: MachineStep, element: ConfigurationCube
    ) -> Iterator[tuple[Local, tuple[Local, ...]]]:
        """The threads that may have stepped: those of the element, or one that it does not mention."""
        machine = self.machine
        for i, local in enumerate(element.threads):
            if local[0] == step.target and local not in element.threads[:i]:
                yield local, (*element.threads[:i], *element.threads[i + 1 :])
        if step.template in self.singles and any(
            machine.template_at[location] == step.template for location, _ in element.threads
        ):
            return
        yield (step.target, ANYTHING), element.threads

    def _created_threads(
        self, step: MachineStep, rest: tuple[Local, ...]
    ) -> Iterator[tuple[tuple[Local, ...], Local | None]]:
        """The threads that may have been created: those of the element, or one that it does not mention."""
        at = self.machine.template_at
        if step.creates not in self.singles or all(at[location] != step.creates for location, _ in rest):
            yield rest, None
        if step.creates is not None:
            entry = self.machine.templates[step.creates].entry
            for i, local in enumerate(rest):
                if local[0] == entry and local not in rest[:i]:
                    yield (*rest[:i], *rest[i + 1 :]), local

    def _before(
        self,
        step: MachineStep,
        element: ConfigurationCube,
        active: Local,
        passives: tuple[Local, ...],
        new: Local | None,
    ) -> Iterator[ConfigurationCube]:
        machine, offsets = self.machine, self.machine.offsets
        block = 2 * machine.local_bits
        first = offsets["p", False]
        known = _place(ANYTHING, element.shared, step.shared, 0, machine.shared_bits)
        known = _place(known, active[1], step.own, offsets[ACTIVE, False], offsets[ACTIVE, True])
        cubes = list(step.cubes())
        everyone = [*passives] if new is None else [*passives, new]
        for i, (location, bits_after) in enumerate(everyone):
            low = first + block * i
            template, scope = machine.template_at[location], machine.scopes[location]
            is_new = new is not None and i == len(passives)
            changed = scope if is_new else step.everywhere[template] & scope
            known = _place(known, bits_after, changed, low, low + machine.local_bits)
            for cube in step.cubes(NEW if is_new else machine.templates[template].name):
                bits = cube.mask >> first
                if not (bits | bits >> machine.local_bits) & machine.local_mask & ~scope:
                    cubes.append(_shifted(cube, first, ((0, block * i),), block))
        for names in (names for names in step.forbidden if len(names) > 1):
            for chosen in permutations(range(len(passives)), len(names)):
                moves = tuple((index, block * i) for index, i in enumerate(chosen))
                threads = [passives[i] for i in chosen]
                cubes += [
                    _shifted(cube, first, moves, block)
                    for cube in step.cubes(*names)
                    if all(map(self._suit, threads, names, repeat(cube), count()))
                ]
        for found in _covering(known, cubes):
            yield from self._judged(step, passives, new, found)

    def _suit(self, local: Local, name: str, cube: Cube, index: int) -> bool:
        machine = self.machine
        if machine.templates[machine.template_at[local[0]]].name != name:
            return False
        bits = cube.mask >> machine.offsets["p", False] + 2 * machine.local_bits * index
        return not (bits | bits >> machine.local_bits) & machine.local_mask & ~machine.scopes[local[0]]

    def _judged(
        self,
        step: MachineStep,
        passives: tuple[Local, ...],
        new: Local | None,
        found: Cube,
    ) -> Iterator[ConfigurationCube]:
        """The element before the step, or those that remain once more clauses were learned."""
        stack = [found]
        while stack:
            found = stack.pop()
            learned = self._learned(step, passives, new, found)
            if learned is None:
                yield self._element(step, passives, found)
            else:
                stack.extend(_covering(found, [learned]))

    def _learned(
        self, step: MachineStep, passives: tuple[Local, ...], new: Local | None, found: Cube
    ) -> Cube | None:
        """A cube that overlaps ``found`` and that no possible valuation is in."""
        machine = self.machine
        if machine.oracle is None:
            return None
        first, block = machine.offsets["p", False], 2 * machine.local_bits
        low = Cube(found.mask & machine.known_valuation, found.value & machine.known_valuation)
        learned = self._ask(step, "", low)
        if learned is not None:
            return learned
        everyone = [*passives] if new is None else [*passives, new]
        ones = (1 << block) - 1
        for i, (location, _) in enumerate(everyone):
            is_new = i == len(passives)
            template = machine.template_at[location]
            if is_new or step.everywhere[template]:
                part = found.mask >> first + block * i & ones
                value = found.value >> first + block * i & ones
                role = NEW if is_new else machine.templates[template].name
                learned = self._ask(step, role, Cube(low.mask | part << first, low.value | value << first))
                if learned is not None:
                    return _shifted(learned, first, ((0, block * i),), block)
        return None

    def _ask(self, step: MachineStep, role: str, cube: Cube) -> Cube | None:
        assert self.machine.oracle is not None
        key = step.number, role, cube
        if key in self._parts:
            return None
        answer = self.machine.oracle.judge(step, role, cube, 0)
        if isinstance(answer, Cube):
            self.machine.forbid(step, (role,) if role else (), answer)
            return answer
        self._parts[key] = True
        return None

    def _element(self, step: MachineStep, passives: tuple[Local, ...], found: Cube) -> ConfigurationCube:
        machine, offsets = self.machine, self.machine.offsets
        lows = [offsets["p", False] + 2 * machine.local_bits * i for i in range(len(passives))]
        threads = [
            (at, _part(found, low, machine.scopes[at]))
            for at, low in zip(
                (step.source, *(at for at, _ in passives)), (offsets[ACTIVE, False], *lows), strict=True
            )
        ]
        return ConfigurationCube(_part(found, 0, machine.shared_mask), tuple(sorted(threads)))


def _has(cube: Cube, bits: int) -> bool:
    return not (cube.value ^ bits) & cube.mask


def _part(cube: Cube, low: int, mask: int) -> Cube:
    return Cube(cube.mask >> low & mask, cube.value >> low & mask)


def _place(known: Cube, after: Cube, changed: int, low: int, high: int) -> Cube:
    """What is known after the step: of changed bits after it, of the others before it, which is the same."""
    mask = known.mask | (after.mask & changed) << high | (after.mask & ~changed) << low
    value = (
        known.value
        | (after.value & after.mask & changed) << high
        | (after.value & after.mask & ~changed) << low
    )
    return Cube(mask, value)


def _shifted(cube: Cube, first: int, moves: Sequence[tuple[int, int]], block: int) -> Cube:
    """A cube with the bits of its passive threads at the places of other threads."""
    ones, lower = (1 << block) - 1, (1 << first) - 1
    mask, value = cube.mask & lower, cube.value & lower
    for index, by in moves:
        mask |= (cube.mask >> first + block * index & ones) << first + by
        value |= (cube.value >> first + block * index & ones) << first + by
    return Cube(mask, value)


def _covering(known: Cube, forbidden: Sequence[Cube]) -> Iterator[Cube]:
    """Disjoint cubes that have all valuations of ``known`` which are in no forbidden cube."""
    stack = [(known, [c for c in forbidden if not (c.value ^ known.value) & c.mask & known.mask])]
    while stack:
        (mask, value), cubes = stack.pop()
        if not cubes:
            yield Cube(mask, value)
            continue
        first = min(cubes, key=lambda cube: (cube.mask & ~mask).bit_count())
        rest = first.mask & ~mask
        while rest:  # differ from the cube in one bit, and agree with it in those before
            bit = rest & -rest
            rest ^= bit
            one = Cube(mask | bit, value | (~first.value & bit))
            stack.append((one, [c for c in cubes if not (c.value ^ one.value) & c.mask & one.mask]))
            mask, value = mask | bit, value | (first.value & bit)


def cover(
    machine: BooleanMachine, spend: Callable[[], None] = lambda: None
) -> tuple[list[ConfigurationCube], list[MachineStep] | None]:
    """The minimal elements from which something bad is reached, and the way from an initial one if any."""
    backward = Backward(machine)
    minimal = Antichain()
    via: dict[ConfigurationCube, tuple[MachineStep, ConfigurationCube] | None] = {}
    waiting: list[tuple[int, int, ConfigurationCube]] = []

    def insert(element: ConfigurationCube, step: tuple[MachineStep, ConfigurationCube] | None) -> bool:
        if minimal.covers(element):
            return False
        minimal.insert(element)
        via[element] = step
        heappush(waiting, (len(element.threads), element.shared.mask.bit_count(), element))
        return backward.is_initial(element)

    for element in backward.bad_elements():
        if insert(element, None):
            return list(minimal), []
    while waiting:
        spend()
        _, _, element = heappop(waiting)
        if element not in minimal:
            continue
        for step, before in backward.predecessors(element):
            spend()
            if insert(before, (step, element)):
                return list(minimal), _way(via, before)
    return list(minimal), None


def _way(
    via: dict[ConfigurationCube, tuple[MachineStep, ConfigurationCube] | None], start: ConfigurationCube
) -> list[MachineStep]:
    found: list[MachineStep] = []
    link = via[start]
    while link is not None:
        found.append(link[0])
        link = via[link[1]]
    return found
