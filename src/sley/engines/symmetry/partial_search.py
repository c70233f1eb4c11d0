"""Forward reachability over partial configurations: what is reached is the same as in ``reachability``."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from sley.engines.symmetry.machine import BooleanMachine
from sley.engines.symmetry.partial import Partial, PartialMachine, PartialTransition, StepChoice, ThreadMove
from sley.engines.symmetry.reachability import Configuration, TraceStep, is_bad_at
from sley.evidence.symmetric.proof import Cube


class _Seen:
    """Partial configurations, of which none is looked at that lies in another: by locations, and by masks."""

    def __init__(self) -> None:
        self._values: dict[tuple[int, ...], dict[int, set[int]]] = {}

    def insert(self, locations: tuple[int, ...], mask: int, value: int) -> bool:
        """Add one; whether it lies in none of them."""
        by_mask = self._values.setdefault(locations, {})
        if any(not fewer & ~mask and value & fewer in values for fewer, values in by_mask.items()):
            return False
        by_mask.setdefault(mask, set()).add(value)
        return True


@dataclass(slots=True)
class PartlyReached:
    """What a search found: all partial configurations, or ways to bad ones."""

    steps: PartialMachine
    parents: dict[Partial, tuple[Partial, PartialTransition] | None] = field(default_factory=dict)
    bad: list[Partial] = field(default_factory=list)

    @property
    def is_short(self) -> bool:
        """Whether a thread may be created that was not there."""
        machine = self.steps.machine
        creating = {step.source for step in machine.steps if step.creates is not None}
        return any(
            transition.choice.step.creates is not None and transition.new is None
            for partial in self.parents
            if any(local >> 2 * machine.local_bits in creating for local in partial[1])
            for transition in self.steps.transitions(partial)
        )

    @property
    def size(self) -> int:
        """How many configurations there are at most."""
        return sum(self.steps.size(partial) for partial in self.parents)

    def configurations(self) -> set[Configuration]:
        """All that is reached."""
        return {found for partial in self.parents for found in self.steps.instances(partial)}

    def trace(self, bad: Partial) -> tuple[Configuration, list[TraceStep]]:
        """A way of identified threads to a bad configuration; what is undecided to the end is 0."""
        path: list[PartialTransition] = []
        at = bad
        while (parent := self.parents[at]) is not None:
            at = parent[0]
            path.append(parent[1])
        return _Trace(self.steps, at, path[::-1]).decided()


@dataclass(slots=True)
class _Entry:
    """A step of a trace: for each thread by its number, how it moves."""

    choice: StepChoice
    thread: int
    created: int | None
    moves: dict[int, ThreadMove]


class _Trace:
    """A path over partial configurations as one over configurations."""

    def __init__(self, steps: PartialMachine, start: Partial, path: Sequence[PartialTransition]) -> None:
        self.steps = steps
        self.machine = steps.machine
        self.entries: list[_Entry] = []
        threads = list(start[1])
        for transition in path:
            entry = self._identified(threads, transition)
            for i, move in entry.moves.items():
                threads[i] = move.after
            if entry.created is not None and transition.new is not None:
                threads[entry.created] = transition.new
            self.entries.append(entry)
        self.last: Partial = path[-1].after[0] if path else start[0], tuple(threads)

    def _identified(self, threads: Sequence[int], transition: PartialTransition) -> _Entry:
        """Which threads move how."""
        step, active = transition.choice.step, transition.choice.active
        thread = threads.index(active.before)
        moves, created = {thread: active}, None
        if transition.new is not None:
            assert step.creates is not None
            absent = self.steps.absent[step.creates]
            created = next(i for i, local in enumerate(threads) if local == absent and i != thread)
        waiting = list(transition.others)
        for i, local in enumerate(threads):
            move = next((move for move in waiting if move.before == local), None)
            if move is not None and i not in (thread, created):
                waiting.remove(move)
                moves[i] = move
        return _Entry(transition.choice, thread, created, moves)

    def decided(self) -> tuple[Configuration, list[TraceStep]]:
        """Backwards, what later steps ask of bits that do not change; then forwards."""
        steps = self.steps
        shared = steps.known_shared(self.last[0])
        threads = [steps.divided(local) for local in self.last[1]]
        demands = [(shared, tuple(threads))]
        for entry in reversed(self.entries):
            step = entry.choice.step
            shared = _narrowed(steps.known_shared(entry.choice.narrowed), shared, step.shared)
            for i, move in entry.moves.items():
                location, known = steps.divided(move.narrowed)
                threads[i] = location, _narrowed(known, threads[i][1], self._decides(entry, i))
            if entry.created is not None:
                threads[entry.created] = steps.divided(steps.absent[step.creates or 0])
            demands.append((shared, tuple(threads)))
        return self._forwards(demands[::-1])

    def _decides(self, entry: _Entry, thread: int) -> int:
        """The bits of a thread that a step leaves arbitrary, or that mean nothing afterwards."""
        step, machine = entry.choice.step, self.machine
        if thread == entry.thread:
            return step.own | ~machine.scopes[step.target]
        location, _ = self.steps.divided(entry.moves[thread].before)
        return step.everywhere[machine.template_at[location]] & machine.scopes[location]

    def _forwards(
        self, demands: Sequence[tuple[Cube, tuple[tuple[int, Cube], ...]]]
    ) -> tuple[Configuration, list[TraceStep]]:
        """What is undecided until it changes is 0."""
        known, threads = demands[0]
        shared, values = known.value, [own.value for _, own in threads]
        start = shared, self._placed(threads, values)
        found: list[TraceStep] = []
        for entry, (known, threads) in zip(self.entries, demands[1:], strict=True):
            step = entry.choice.step
            shared = shared & ~step.shared | known.value & step.shared
            for i in entry.moves:
                changed = self._decides(entry, i)
                values[i] = values[i] & ~changed | threads[i][1].value & changed
            if entry.created is not None:
                values[entry.created] = threads[entry.created][1].value
            after = shared, self._placed(threads, values)
            found.append(TraceStep(step, entry.thread, entry.created, after))
        return start, found

    def _placed(self, threads: Sequence[tuple[int, Cube]], values: Sequence[int]) -> tuple[int, ...]:
        width = self.machine.local_bits
        return tuple(at << width | value for (at, _), value in zip(threads, values, strict=True))


def _narrowed(before: Cube, after: Cube, changed: int) -> Cube:
    """What is known before a step, with what is known after it of the bits that it does not change."""
    return Cube(before.mask | after.mask & ~changed, before.value | after.value & ~changed)


def reach_partly(
    machine: BooleanMachine,
    counts: Mapping[int, int],
    spend: Callable[[], None] = lambda: None,
    *,
    most_bad: int = 1,
) -> PartlyReached:
    """Breadth first, until so much bad is found or nothing new is."""
    steps, seen = PartialMachine(machine), _Seen()
    found = PartlyReached(steps)
    is_bad: dict[tuple[int, ...], bool] = {}

    def insert(partial: Partial, parent: tuple[Partial, PartialTransition] | None) -> bool:
        """Whether a partial configuration is to be looked at."""
        if partial in found.parents:
            return False
        locations, mask, value = steps.packed(partial)
        if not seen.insert(locations, mask, value):
            return False
        found.parents[partial] = parent
        if locations not in is_bad:
            is_bad[locations] = is_bad_at(machine, locations)
        if is_bad[locations]:
            found.bad.append(partial)
            return False
        return True

    level = [partial for partial in steps.initial(counts) if insert(partial, None)]
    while level and len(found.bad) < most_bad:
        following: list[Partial] = []
        for partial in level:
            spend()
            for transition in steps.transitions(partial):
                if insert(transition.after, (partial, transition)):
                    following.append(transition.after)
                if len(found.bad) >= most_bad:
                    return found
        level = following
    return found
