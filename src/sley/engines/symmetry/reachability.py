"""Forward reachability of a Boolean broadcast program with a stated number of threads.

A *configuration* is the value of the shared bits and the local states (location and bits) of all threads.
Threads of one template are interchangeable, so the local states are kept sorted: a multiset, and which thread
is which does not matter (counter abstraction). Without symmetry every order is a configuration of its own.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement, product
from typing import NamedTuple

from sley.engines.symmetry.machine import BooleanMachine, MachineStep, runs

Configuration = tuple[int, tuple[int, ...]]
"""Shared bits, and the local state of every thread."""

Move = tuple[int, int]
"""The local state of a thread before and after a step."""


class ConfigurationStep(NamedTuple):
    """One step between configurations: which thread moved how."""

    step: MachineStep
    active: Move
    others: tuple[Move, ...]
    """Of the passive threads; empty if none of them changes."""
    new: int | None
    """What the created thread is; it was among the threads to come before."""
    after: Configuration


class TraceStep(NamedTuple):
    """A step of an identified thread, with the configuration of identified threads after it."""

    step: MachineStep
    thread: int
    created: int | None
    after: Configuration


def initial_configurations(machine: BooleanMachine, counts: Mapping[int, int]) -> Iterator[Configuration]:
    """All initial configurations, by template so many threads (one of a single template)."""
    for shared in machine.initial_shared():
        parts = [
            combinations_with_replacement(
                machine.initial_locals(i), 1 if template.is_single else counts.get(i, 0)
            )
            for i, template in enumerate(machine.templates)
        ]
        for chosen in product(*parts):
            yield shared, tuple(sorted(local for part in chosen for local in part))


def transitions(
    machine: BooleanMachine, configuration: Configuration, *, is_symmetric: bool = True
) -> Iterator[ConfigurationStep]:
    """All steps from a configuration; from a sorted one, up to the names of threads."""
    shared, threads = configuration
    for position, local in enumerate(threads):
        if is_symmetric and position and threads[position - 1] == local:
            continue
        rest = (*threads[:position], *threads[position + 1 :])
        for step in machine.steps_at.get(local >> machine.local_bits, ()):
            yield from _taken(machine, step, shared, local, rest, None if is_symmetric else position)


def _taken(
    machine: BooleanMachine,
    step: MachineStep,
    shared: int,
    local: int,
    rest: tuple[int, ...],
    position: int | None,
) -> Iterator[ConfigurationStep]:
    """The ways to take a step; ``position`` is that of its thread if threads have an order."""
    target, own = step.target << machine.local_bits, local & machine.local_mask
    for shared_after, own_after in machine.active(step, shared, own):
        active = local, target | own_after
        if not step.concerns_others:
            after = shared_after, _arranged(rest, active[1], position)
            yield ConfigurationStep(step, active, (), None, after)
            continue
        valuation = machine.valuation(step, (shared, own), (shared_after, own_after))
        absent = None if step.creates is None else machine.absent[step.creates] << machine.local_bits
        news: tuple[int | None, ...] = (None,)
        others, place = rest, 0
        if absent in rest:  # beyond the number of threads, creation has no effect
            news, place = machine.created(step, valuation), rest.index(absent)
            others = (*rest[:place], *rest[place + 1 :])
        choices = [
            [
                tuple((before, after) for after in chosen)
                for chosen in combinations_with_replacement(machine.passive(step, valuation, before), count)
            ]
            for before, count in (runs(others) if position is None else [(one, 1) for one in others])
        ]
        for parts in product(*choices):
            moves = tuple(move for part in parts for move in part)
            if step.has_pairs and not machine.are_compatible(step, valuation, moves):
                continue
            afters = [after for _, after in moves]
            for new in news:
                everyone = afters if new is None else [*afters[:place], new, *afters[place:]]
                after = shared_after, _arranged(everyone, active[1], position)
                yield ConfigurationStep(step, active, moves, new, after)


def _arranged(others: Sequence[int], active: int, position: int | None) -> tuple[int, ...]:
    """All threads: sorted, or with the active one at its position."""
    if position is None:
        return tuple(sorted((*others, active)))
    return (*others[:position], active, *others[position:])


@dataclass(slots=True)
class Reached:
    """What a search found: all configurations, or ways to bad ones."""

    machine: BooleanMachine
    is_symmetric: bool = True
    parents: dict[Configuration, tuple[Configuration, ConfigurationStep] | None] = field(default_factory=dict)
    bad: list[Configuration] = field(default_factory=list)

    def path(self, configuration: Configuration) -> tuple[Configuration, list[ConfigurationStep]]:
        """An initial configuration, and the steps from there."""
        found: list[ConfigurationStep] = []
        while (parent := self.parents[configuration]) is not None:
            configuration = parent[0]
            found.append(parent[1])
        return configuration, found[::-1]

    def trace(self, bad: Configuration) -> tuple[Configuration, list[TraceStep]]:
        """A way of identified threads to a bad configuration."""
        start, path = self.path(bad)
        return start, identified(self.machine, start, path)

    @property
    def is_short(self) -> bool:
        """Whether a thread may be created that was not there."""
        machine = self.machine
        creating = {step.source for step in machine.steps if step.creates is not None}
        return any(
            transition.step.creates is not None and transition.new is None
            for configuration in self.parents
            if any(local >> machine.local_bits in creating for local in configuration[1])
            for transition in transitions(machine, configuration, is_symmetric=self.is_symmetric)
        )

    def configurations(self) -> set[Configuration]:
        """All that is reached."""
        return set(self.parents)


def is_bad(machine: BooleanMachine, configuration: Configuration) -> bool:
    """Whether threads are at a bad combination of locations."""
    return is_bad_at(machine, [local >> machine.local_bits for local in configuration[1]])


def is_bad_at(machine: BooleanMachine, locations: Sequence[int]) -> bool:
    """Whether locations of threads contain a bad combination."""
    return any(
        all(locations.count(location) >= error.count(location) for location in error)
        for error in machine.program.errors
    )


def reach(
    machine: BooleanMachine,
    counts: Mapping[int, int],
    spend: Callable[[], None] = lambda: None,
    *,
    is_symmetric: bool = True,
    most_bad: int = 1,
) -> Reached:
    """Breadth first, until so much bad is found or nothing new is."""
    found = Reached(machine, is_symmetric)
    level: list[Configuration] = list(initial_configurations(machine, counts))
    found.parents = dict.fromkeys(level)
    found.bad = [configuration for configuration in level if is_bad(machine, configuration)]
    while level and len(found.bad) < most_bad:
        following: list[Configuration] = []
        for configuration in level:
            spend()
            for transition in transitions(machine, configuration, is_symmetric=is_symmetric):
                after = transition.after
                if after not in found.parents:
                    found.parents[after] = configuration, transition
                    if not is_bad(machine, after):
                        following.append(after)
                        continue
                    found.bad.append(after)
                    if len(found.bad) == most_bad:
                        return found
        level = following
    return found


def identified(
    machine: BooleanMachine, start: Configuration, path: Sequence[ConfigurationStep]
) -> list[TraceStep]:
    """A path over multisets as a trace of identified threads: thread i is the i-th of ``start``."""
    threads = list(start[1])
    trace: list[TraceStep] = []
    for step, (before, after), others, new, (shared, _) in path:
        thread = threads.index(before)
        moves = list(others)
        created = None
        following = list(threads)
        following[thread] = after
        if new is not None:
            assert step.creates is not None
            absent = machine.absent[step.creates] << machine.local_bits
            created = next(i for i, local in enumerate(threads) if local == absent and i != thread)
            following[created] = new
        for i, local in enumerate(threads):
            if i not in (thread, created):
                move = next((move for move in moves if move[0] == local), None)
                if move is not None:
                    moves.remove(move)
                    following[i] = move[1]
        threads = following
        trace.append(TraceStep(step, thread, created, (shared, tuple(threads))))
    return trace
