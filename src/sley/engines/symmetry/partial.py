"""Configurations some of whose Booleans are not decided: the steps between them.

A statement that is hardly refined leaves most of what it havocs arbitrary; a broadcast does so in every
thread. A *partial* configuration says nothing of such bits: it stands for all configurations that have the
bits it does say. Before a step, exactly those bits are decided that a clause needs; a broadcast is one step
where nothing constrains it. The image of B-BOOM serves the same end with BDDs.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from sley.engines.symmetry.machine import BooleanMachine, MachineStep, runs
from sley.engines.symmetry.reachability import Configuration
from sley.evidence.symmetric.boolean_program import ACTIVE, NEW, SHARED
from sley.evidence.symmetric.proof import Cube

Partial = tuple[int, tuple[int, ...]]
"""What is known of the shared bits, and of every thread; sorted.

Shared bits: their mask, above the values. A thread: its location, above the mask of its bits that are known
(of those in scope there), above their values.
"""


class ThreadMove(NamedTuple):
    """A thread in a step."""

    before: int
    narrowed: int
    """Before the step, with the bits that clauses asked for."""
    after: int


@dataclass(slots=True, eq=False)
class StepChoice:
    """What a step does with the shared bits and the active thread, and to any other thread."""

    step: MachineStep
    valuation: Cube
    narrowed: int
    """The shared bits before the step, with those that clauses asked for."""
    active: ThreadMove
    shared: int
    """The shared bits after the step."""
    asked: dict[int, int] = field(default_factory=dict)
    """Another thread -> an undecided bit above that clauses about it ask for; 0 if there is none."""
    halves: dict[int, tuple["StepChoice", "StepChoice"]] = field(default_factory=dict)
    """Bit -> the two ways to decide it."""
    moves: dict[int, list[ThreadMove]] = field(default_factory=dict)
    """Another thread -> how it may move."""


NEW_THREAD, PAIRS = -1, -2
"""Instead of another thread: the one that is created, and any two."""


class PartialTransition(NamedTuple):
    """One step between partial configurations; any values of the undecided bits on its way are possible."""

    choice: StepChoice
    others: tuple[ThreadMove, ...]
    new: int | None
    after: Partial


def fillings(forbidden: Sequence[Cube], open_bits: int, known: Cube) -> list[Cube]:
    """Disjoint cubes over the open bits: with the known bits, all valuations that are in no forbidden cube.

    Clauses about bits that are neither known nor open do not apply.
    """
    decidable = known.mask | open_bits
    left = [
        (mask & ~known.mask, value & ~known.mask)
        for mask, value in forbidden
        if not (value ^ known.value) & mask & known.mask and not mask & ~decidable
    ]
    found: list[Cube] = []
    stack = [(0, 0, left)]
    while stack:
        mask, value, left = stack.pop()
        if not left:
            found.append(Cube(mask, value))
            continue
        shortest = min(left, key=_length)[0]
        if not shortest:
            continue
        bit = shortest & -shortest
        for guess in (bit, 0):
            rest = [(m & ~bit, v & ~bit) for m, v in left if not m & bit or v & bit == guess]
            stack.append((mask | bit, value | guess, rest))
    return found


def _length(cube: tuple[int, int]) -> int:
    return cube[0].bit_count()


class PartialMachine:
    """The steps of a Boolean program between partial configurations."""

    def __init__(self, machine: BooleanMachine) -> None:
        self.machine = machine
        offsets = machine.offsets
        self.low, self.high = offsets["p", False], offsets["p", True]
        self.own, self.own_after = offsets[ACTIVE, False], offsets[ACTIVE, True]
        self.shared_after = offsets[SHARED, True]
        self.absent = {i: at << 2 * machine.local_bits for i, at in machine.absent.items()}
        self._choices: dict[tuple[int, int], list[StepChoice]] = {}
        self._fillings: dict[tuple[int, str, int, Cube], list[Cube]] = {}
        self._mentioned: dict[tuple[int, str], int] = {}
        self._applicable: dict[tuple[int, int], list[Cube]] = {}

    # --- configurations -----------------------------------------------------------------------------

    def divided(self, local: int) -> tuple[int, Cube]:
        """The location of a thread, and what is known there."""
        machine = self.machine
        width, bits = machine.local_bits, machine.local_mask
        return local >> 2 * width, Cube(local >> width & bits, local & bits)

    def local(self, location: int, known: Cube) -> int:
        """A thread at a location."""
        return (location << self.machine.local_bits | known.mask) << self.machine.local_bits | known.value

    def known_shared(self, shared: int) -> Cube:
        """What is known of the shared bits."""
        return Cube(shared >> self.machine.shared_bits, shared & self.machine.shared_mask)

    def initial(self, counts: Mapping[int, int]) -> Iterator[Partial]:
        """What the start can be, by template so many threads."""
        machine, nothing = self.machine, Cube(0, 0)
        parts = [
            [self.absent[i] if template.is_created else self.local(template.entry, nothing)]
            * (1 if template.is_single else counts.get(i, 0))
            for i, template in enumerate(machine.templates)
        ]
        threads = tuple(sorted(local for part in parts for local in part))
        for mask, value in fillings(machine.initial_cubes(), machine.shared_mask, nothing):
            yield mask << machine.shared_bits | value, threads

    def instances(self, partial: Partial) -> Iterator[Configuration]:
        """The configurations that a partial one stands for."""
        machine = self.machine
        mask, value = self.known_shared(partial[0])
        choices = []
        for location, known in map(self.divided, partial[1]):
            undecided = machine.scopes[location] & ~known.mask
            fixed = location << machine.local_bits | known.value
            choices.append([fixed | more for more in subsets(undecided)])
        for more in subsets(machine.shared_mask & ~mask):
            for chosen in product(*choices):
                yield value | more, tuple(sorted(chosen))

    def size(self, partial: Partial) -> int:
        """How many instances a partial configuration has at most."""
        machine = self.machine
        undecided = (machine.shared_mask & ~self.known_shared(partial[0]).mask).bit_count()
        for location, known in map(self.divided, partial[1]):
            undecided += (machine.scopes[location] & ~known.mask).bit_count()
        return 1 << undecided

    def packed(self, partial: Partial) -> tuple[tuple[int, ...], int, int]:
        """The locations, and all masks and all values in one number each."""
        shared, threads = partial
        width, bits = self.machine.local_bits, self.machine.local_mask
        mask, value = shared >> self.machine.shared_bits, shared & self.machine.shared_mask
        for local in threads:
            mask, value = mask << width | local >> width & bits, value << width | local & bits
        return tuple([local >> 2 * width for local in threads]), mask, value

    # --- steps --------------------------------------------------------------------------------------

    def transitions(self, partial: Partial) -> Iterator[PartialTransition]:
        """All steps from a partial configuration, up to the names of threads."""
        shared, threads = partial
        for position, local in enumerate(threads):
            if position and threads[position - 1] == local:
                continue
            choices = self._choices.get((shared, local))
            if choices is None:
                choices = self._choices[shared, local] = list(self._active(shared, local))
            if not choices:
                continue
            rest = (*threads[:position], *threads[position + 1 :])
            for choice in choices:
                if choice.step.concerns_others:
                    yield from self._taken(choice, rest)
                else:
                    after = choice.shared, tuple(sorted((*rest, choice.active.after)))
                    yield PartialTransition(choice, (), None, after)

    def _active(self, shared: int, local: int) -> Iterator[StepChoice]:
        """What the steps of a thread do with the shared bits and its own."""
        location, own = self.divided(local)
        mask, value = self.known_shared(shared)
        known = Cube(mask | own.mask << self.own, value | own.value << self.own)
        for step in self.machine.steps_at.get(location, ()):
            for decided in self._filled(step, "", step.cubes(), known, -1):
                yield self._choice(step, _joined(known, decided), local)

    def _choice(self, step: MachineStep, valuation: Cube, local: int) -> StepChoice:
        machine, (mask, value) = self.machine, valuation
        width, everything, bits = machine.shared_bits, machine.shared_mask, machine.local_mask
        before = Cube(mask & everything, value & everything)
        shared = _changed(before, valuation, step.shared, self.shared_after)
        own = Cube(mask >> self.own & bits, value >> self.own & bits)
        narrowed = self.local(step.source, own)
        kept = machine.scopes[step.target]
        own = _changed(Cube(own.mask & kept, own.value & kept), valuation, step.own, self.own_after)
        active = ThreadMove(local, narrowed, self.local(step.target, own))
        narrowed_shared, shared_after = (cube.mask << width | cube.value for cube in (before, shared))
        return StepChoice(step, valuation, narrowed_shared, active, shared_after)

    def _filled(
        self,
        step: MachineStep,
        role: str,
        cubes: Sequence[Cube],
        known: Cube,
        decidable: int,
        scope: int = -1,
    ) -> list[Cube]:
        """``fillings``, remembered: of the known bits, those matter that a clause mentions."""
        mentioned = self._mentioned.get((step.number, role))
        if mentioned is None:
            mentioned = 0
            for cube in step.cubes(*((role,) if role else ())):
                mentioned |= cube.mask
            self._mentioned[step.number, role] = mentioned
        known = Cube(known.mask & mentioned, known.value & mentioned)
        key = step.number, role, scope, known
        found = self._fillings.get(key)
        if found is None:
            found = self._fillings[key] = fillings(cubes, mentioned & decidable & ~known.mask, known)
        return found

    def _taken(self, choice: StepChoice, rest: tuple[int, ...]) -> Iterator[PartialTransition]:
        """The ways to take a step that concerns other threads."""
        step = choice.step
        absent = None if step.creates is None else self.absent[step.creates]
        others, is_creating = rest, absent in rest  # beyond the number of threads, creation has no effect
        if is_creating:
            place = rest.index(absent)
            others = (*rest[:place], *rest[place + 1 :])
        for decided in self._decided(choice, others, is_creating=is_creating):
            news = self._created(decided) if is_creating else [None]
            for moves in self._together(decided, others):
                if step.has_pairs and not self._are_compatible(decided, moves):
                    continue
                threads = [decided.active.after, *[move.after for move in moves]]
                for new in news:
                    everyone = threads if new is None else [*threads, new]
                    yield PartialTransition(decided, moves, new, (decided.shared, tuple(sorted(everyone))))

    def _together(self, choice: StepChoice, others: tuple[int, ...]) -> Iterator[tuple[ThreadMove, ...]]:
        """How the others may move; those that are alike in any order."""
        options = [choice.moves.get(other) or self._moves(choice, other) for other in others]
        if all(len(option) == 1 for option in options):
            yield tuple([option[0] for option in options])
            return
        parts = [
            combinations_with_replacement(self._moves(choice, other), count) for other, count in runs(others)
        ]
        for chosen in product(*parts):
            yield tuple([move for part in chosen for move in part])

    # --- other threads ------------------------------------------------------------------------------

    def _decided(
        self, choice: StepChoice, others: Sequence[int], *, is_creating: bool
    ) -> Iterator[StepChoice]:
        """A choice with all bits of its own decided that clauses about others ask for."""
        everyone = (*others, *(NEW_THREAD,) * is_creating, *(PAIRS,) * choice.step.has_pairs)
        waiting = [choice]
        while waiting:
            choice = waiting.pop()
            asked = choice.asked
            for other in everyone:
                bit = asked[other] if other in asked else self._asked(choice, other)
                if bit:
                    waiting += self._halves(choice, bit)
                    break
            else:
                yield choice

    def _asked(self, choice: StepChoice, other: int) -> int:
        step, own = choice.step, Cube(0, 0)
        if other == NEW_THREAD:
            cubes: Iterable[Cube] = step.cubes(NEW)
        elif other == PAIRS:
            cubes = (c for names, found in step.forbidden.items() if len(names) > 1 for c in found)
        else:
            location, own = self.divided(other)
            cubes = self._about(step, location)
        known = _joined(choice.valuation, Cube(own.mask << self.low, own.value << self.low))
        missing = (self._missing(known, cube) for cube in cubes)
        bit = choice.asked[other] = next((bit for bit in missing if bit), 0)
        return bit

    def _missing(self, known: Cube, cube: Cube) -> int:
        """A bit of the shared ones or the active thread's that is undecided, in a clause that may matter."""
        if (cube.value ^ known.value) & cube.mask & known.mask:
            return 0
        missing = cube.mask & ~known.mask & ((1 << self.low) - 1)
        return missing & -missing

    def _halves(self, choice: StepChoice, bit: int) -> tuple[StepChoice, StepChoice]:
        found = choice.halves.get(bit)
        if found is None:
            step, (mask, value), local = choice.step, choice.valuation, choice.active.before
            one, other = (self._choice(step, Cube(mask | bit, value | guess), local) for guess in (bit, 0))
            found = choice.halves[bit] = one, other
        return found

    def _about(self, step: MachineStep, location: int) -> list[Cube]:
        """The clauses about a passive thread at a location."""
        found = self._applicable.get((step.number, location))
        if found is None:
            machine = self.machine
            number, scope = machine.template_at[location], machine.scopes[location]
            cubes = (
                () if location == machine.absent.get(number) else step.cubes(machine.templates[number].name)
            )
            bits = machine.local_mask & ~scope
            found = [cube for cube in cubes if not (cube.mask >> self.low | cube.mask >> self.high) & bits]
            self._applicable[step.number, location] = found
        return found

    def _moves(self, choice: StepChoice, local: int) -> list[ThreadMove]:
        """What a passive thread can be before the step and after it."""
        found = choice.moves.get(local)
        if found is None:
            found = choice.moves[local] = list(self._passive(choice, local))
        return found

    def _passive(self, choice: StepChoice, local: int) -> Iterator[ThreadMove]:
        machine, step = self.machine, choice.step
        location, own = self.divided(local)
        number, scope = machine.template_at[location], machine.scopes[location]
        changed = step.everywhere[number] & scope
        cubes, name = self._about(step, location), machine.templates[number].name
        known = _joined(choice.valuation, Cube(own.mask << self.low, own.value << self.low))
        decidable = scope << self.low | changed << self.high
        decided = self._filled(step, name, cubes, known, decidable, scope)
        if step.has_pairs:
            decided = list(self._for_pairs(step, known, decidable, decided))
        for filled in decided:
            mask, value = filled.mask >> self.low & scope, filled.value >> self.low & scope
            before = _joined(own, Cube(mask, value))
            after = _changed(before, filled, changed, self.high)
            yield ThreadMove(local, self.local(location, before), self.local(location, after))

    def _created(self, choice: StepChoice) -> list[int]:
        """What a new thread can be."""
        machine, step = self.machine, choice.step
        assert step.creates is not None
        entry = machine.templates[step.creates].entry
        scope = machine.scopes[entry]
        decided = self._filled(step, NEW, step.cubes(NEW), choice.valuation, scope << self.high)
        return [
            self.local(entry, Cube(mask >> self.high & scope, value >> self.high & scope))
            for mask, value in decided
        ]

    # --- clauses about two passive threads ------------------------------------------------------------

    def _for_pairs(
        self, step: MachineStep, known: Cube, decidable: int, found: Iterable[Cube]
    ) -> Iterator[Cube]:
        """With all bits decided that clauses about two passive threads mention."""
        mentioned, width = 0, 2 * self.machine.local_bits
        for cube in (cube for names, cubes in step.forbidden.items() if len(names) > 1 for cube in cubes):
            mentioned |= cube.mask | cube.mask >> width
        for mask, value in found:
            wanted = mentioned & decidable & ~known.mask & ~mask
            for more in subsets(wanted):
                yield Cube(mask | wanted, value | more)

    def _are_compatible(self, choice: StepChoice, moves: Sequence[ThreadMove]) -> bool:
        width = self.machine.local_bits
        explicit: list[tuple[int, int]] = []
        for _, *locals_ in moves:
            one, other = (at << width | known.value for at, known in map(self.divided, locals_))
            explicit.append((one, other))
        return self.machine.are_compatible(choice.step, choice.valuation, explicit)


def _joined(one: Cube, other: Cube) -> Cube:
    """What both say."""
    return Cube(one.mask | other.mask, one.value | other.value)


def _changed(before: Cube, valuation: Cube, changed: int, shift: int) -> Cube:
    """What is known after a step of bits of which it leaves some arbitrary, but for what was decided."""
    return Cube(
        before.mask & ~changed | valuation.mask >> shift & changed,
        before.value & ~changed | valuation.value >> shift & changed,
    )


def subsets(bits: int) -> Iterator[int]:
    """All values of some bits."""
    value = 0
    while True:
        yield value
        value = (value - bits) & bits
        if not value:
            return
