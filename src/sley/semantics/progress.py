"""No progress: threads that run for ever, get nowhere, and can never get out.

A step *gets somewhere* if it ends its thread or the process, or if other threads can step as well and it
changes memory. (Where all others are blocked, what the last one writes is never read by them.) A state
is *stuck* if some thread can step, and no sequence of steps from it gets somewhere, or to a state in which
no thread can step. Spurious wake-ups are possible but not guaranteed: here they do not happen.

A state with undetermined values stands for many. ``stuck`` claims a state only if all that it stands for are
stuck, ``free`` only if none is; what is in neither is not known.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sley.analyses.graphs import components
from sley.program.properties import Failure, Property
from sley.semantics.knowledge import numbers_of
from sley.semantics.machine import StateMachine, Successor, undetermined_values
from sley.semantics.state import CUT, State, is_ended, location_of
from sley.semantics.values import NeedsSplitError

NO_PROGRESS = Failure(Property.PROGRESS, "no-progress", "no progress")
NOT_KNOWN = "whether a thread can get out of a loop depends on values, or assumptions, that are not known"


class Onward(NamedTuple):
    """What can be next at a state."""

    states: tuple[State, ...]
    """After steps that get nowhere, or the parts of a state that is split."""
    gets_somewhere: bool = False
    """Whether some step does; also if no thread can step, or it is unknown."""
    is_cut: bool = False
    """Whether some step ends the run by a failed assumption, or by what is not asked about: that is no way
    out to count on, but neither does the thread run for ever."""
    split: frozenset[int] = frozenset()
    """The numbers of the undetermined values that it depends on how the state is split, if it is."""


def onward(machine: StateMachine, state: State, steps: Mapping[int, Sequence[Successor]]) -> Onward:
    """What the steps of all running threads lead to."""
    certain = {t: [one for one in found if not one.is_spurious] for t, found in steps.items()}
    able = [thread for thread, found in certain.items() if found]
    outcomes = [one for thread in able for one in certain[thread]]
    going_on = [one for one in outcomes if one.thread != CUT]
    if any(_gets_somewhere(machine, state, one, is_alone=len(able) == 1) for one in going_on):
        return Onward((), gets_somewhere=True)
    states = dict.fromkeys(one.state for one in going_on if one.state is not None)
    return Onward(tuple(states), gets_somewhere=not states, is_cut=len(going_on) < len(outcomes))


def _gets_somewhere(machine: StateMachine, state: State, successor: Successor, *, is_alone: bool) -> bool:
    after = successor.state
    if after is None or is_ended(successor.thread) or location_of(successor.thread) in machine.code.errors:
        return True
    return not is_alone and (after.cells, after.blocks) != (state.cells, state.blocks)


def stuck(graph: Mapping[State, Onward]) -> list[State]:
    """Of the states that are certainly stuck, in order, those that come again and again, whatever happens."""
    return [state for state in _recurring(graph, trapped(graph)) if not graph[state].split]


def trapped(graph: Mapping[State, Onward]) -> list[State]:
    """The states that are certainly stuck, in order: all that follows, and all parts, are in the graph."""
    before = _before({state: found.states for state, found in graph.items()})
    out = {state for state, found in graph.items() if found.gets_somewhere or found.is_cut}
    waiting = [*out, *(state for state in before if state not in graph)]
    while waiting:
        for state in before.get(waiting.pop(), ()):
            if state not in out:
                out.add(state)
                waiting.append(state)
    return [state for state in graph if state not in out]


def _recurring(graph: Mapping[State, Onward], closed: Sequence[State]) -> list[State]:
    """Of a closed set of states, those that can be reached again from all that they lead to."""
    number = {state: index for index, state in enumerate(closed)}
    following = {index: [number[after] for after in graph[state].states] for state, index in number.items()}
    last = (
        component
        for component in components(range(len(closed)), following)
        if all(set(following[index]) <= set(component) for index in component)
    )
    return [closed[index] for index in sorted(index for component in last for index in component)]


def free(graph: Mapping[State, Onward]) -> set[State]:
    """The states that are certainly not stuck; what is not in the graph gets somewhere.

    A state that is split needs that of all parts. But if the values that are split were made by a step to it,
    that step can choose, and for the state before it one part is enough.
    """
    witnesses = {s: found.states if found.split else _witnesses(graph, s) for s, found in graph.items()}
    before = _before(witnesses)
    missing = {state: len(set(found.states)) for state, found in graph.items() if found.split}
    done = {state for state, found in graph.items() if found.gets_somewhere}
    waiting = [*done, *(state for state in before if state not in graph)]
    while waiting:
        for state in before.get(waiting.pop(), ()):
            if state in missing:
                missing[state] -= 1
            if state not in done and not missing.get(state):
                done.add(state)
                waiting.append(state)
    return done


def _witnesses(graph: Mapping[State, Onward], state: State) -> tuple[State, ...]:
    """States of which one must get somewhere so that ``state`` does."""
    old = {value.number for value in undetermined_values(state)}
    found: dict[State, None] = {}
    waiting = list(graph[state].states)
    while waiting:
        after = waiting.pop()
        if after in found:
            continue
        found[after] = None
        split = graph.get(after, _NOTHING).split
        if split and split.isdisjoint(old):
            waiting += graph[after].states
    return tuple(found)


_NOTHING = Onward(())


def _before(following: Mapping[State, Iterable[State]]) -> dict[State, list[State]]:
    found: dict[State, list[State]] = {}
    for state, after in following.items():
        for one in dict.fromkeys(after):
            found.setdefault(one, []).append(state)
    return found


def all_from(machine: StateMachine, state: State, most: int) -> dict[State, Onward] | None:
    """What can be next at a state and at all that follow; None if these are more than ``most``."""
    found: dict[State, Onward] = {}
    waiting = [state]
    while waiting:
        one = waiting.pop()
        if one in found:
            continue
        if len(found) >= most:
            return None
        found[one] = _next(machine, one)
        waiting += found[one].states
    return found


def _next(machine: StateMachine, state: State) -> Onward:
    try:
        running = [thread for thread, at in enumerate(state.threads) if not is_ended(at)]
        return onward(machine, state, {thread: machine.successors(state, thread) for thread in running})
    except NeedsSplitError as question:
        parts = tuple(part for _, part in machine.split(state, question))
        return Onward(parts, split=numbers_of(question.value))
