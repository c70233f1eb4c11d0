"""Whether a bug that a made-up harness shows is one, or calls and arguments are such as no caller has.

Law: no answer changes here. A bug with doubts is a replayed run of the harness like any other; the doubts say
what the repository does not show.
"""

import re
from collections.abc import Iterator

from sley.evidence.trace import EventKind
from sley.frontend.components.carve import Scenario, Usual
from sley.frontend.components.facts import FunctionFacts, Sync
from sley.frontend.components.find import Component, Repository
from sley.program.properties import Property
from sley.verification.result import Answer, Result

_OF_NUMBERS = frozenset({Property.REACH, Property.OVERFLOW, Property.DIVISION, Property.MISUSE})
"""What may go wrong because of a number that no caller gives."""
_OF_ARGUMENTS = _OF_NUMBERS | {Property.DEREF, Property.FREE}
"""The same because of any argument."""


def bad_pair(component: Component, scenario: Scenario, result: Result | None) -> tuple[str, str] | None:
    """The functions that go wrong together, where two threads are in one each."""
    found = together(component, result)
    return (found[0], found[1]) if len(found) == 2 and sum(map(len, scenario.roles)) > 2 else None


def without_pair(scenario: Scenario, pair: tuple[str, str]) -> Iterator[Scenario]:
    """All other pairs of calls, in few scenarios with fewer pairs each."""
    first, second = scenario.roles[0], scenario.roles[1]
    one, other = pair if pair[0] in first and pair[1] in second else pair[::-1]
    rest = _less(first, one)
    if first == second:
        made = [(rest, first)] if one == other else [(rest, rest), ((one,), _less(second, other))]
    else:
        made = [(rest, second), ((one,), _less(second, other))]
    yield from (Scenario(roles, scenario.calls) for roles in made if all(roles))


def _less(role: tuple[str, ...], name: str) -> tuple[str, ...]:
    return tuple(one for one in role if one != name)


def goes_wrong_alone(result: Result | None) -> bool:
    """Whether a bug may be one of a single thread."""
    if result is None or result.answer is not Answer.BUG:
        return False
    return result.traces[0].failure.property in _OF_ARGUMENTS


def volatile_of_race(component: Component, result: Result | None) -> str | None:
    """The member or variable that a race is on, if it is ``volatile``."""
    if result is None or result.answer is not Answer.BUG:
        return None
    failure = result.traces[0].failure
    names: list[str] = re.findall(r"\w+", failure.subject)
    known = component.source.volatile.union(*(one.volatile for one in component.others))
    is_volatile = failure.property is Property.RACE and not known.isdisjoint(names[-1:])
    return names[-1] if is_volatile else None


def doubts(
    component: Component, usual: Usual, repository: Repository, result: Result | None
) -> Iterator[str]:
    """Why the bug of a harness may be none."""
    if result is None or result.answer is not Answer.BUG:
        return
    trace = result.traces[0]
    if component.record and component.constructor is None:
        yield f"no function was found that makes a `{component.record}`: it is zero at first"
    if (name := volatile_of_race(component, result)) is not None:
        yield f"`{name}` is volatile, which is no race to a machine such as x86 (--memory-model tso)"
    names = together(component, result)
    by_name = {one.name: one for one in component.operations}
    if len(names) == 2:
        one, other = (by_name[name] for name in names)
        if not repository.are_beside(one.name, other.name):
            yield from _not_beside(one, other, repository)
    for name in dict.fromkeys(names):
        if warning := repository.warning(name):
            yield f'a comment says of {name}: "{warning}"'
    if trace.failure.property in _OF_ARGUMENTS:
        only_numbers = trace.failure.property in _OF_NUMBERS
        made_up = [
            name
            for name in dict.fromkeys(names)
            if _is_made_up(by_name[name], component, usual, only_numbers=only_numbers)
        ]
        if made_up:
            yield f"arguments of {' and '.join(made_up)} are made up"


def _is_made_up(function: FunctionFacts, component: Component, usual: Usual, *, only_numbers: bool) -> bool:
    """Whether it gets an argument that no caller is known to give."""
    return any(
        (function.name, number) not in usual
        and record != component.record
        and (is_number or not only_numbers)
        for number, (record, is_number) in enumerate(zip(function.records, function.numbers, strict=True))
    )


def _not_beside(one: FunctionFacts, other: FunctionFacts, repository: Repository) -> Iterator[str]:
    """Two functions that take locks are there for several threads; others may be for one."""
    unlocked = [each.name for each in (one, other) if Sync.LOCK not in repository.sync(each)]
    if not unlocked:
        return
    both = f"two calls of {one.name}" if one.name == other.name else f"{one.name} and {other.name}"
    yield f"nothing in the repository makes {both} at the same time"


def together(component: Component, result: Result | None) -> tuple[str, ...]:
    """The operations that the threads of a race are in, or those that ran last in each thread."""
    if result is None or result.answer is not Answer.BUG:
        return ()
    trace = result.traces[0]
    names = [one.name for one in component.operations]
    failing = [event for event in trace.events if event.kind is EventKind.FAIL]
    last = failing if len(failing) > 1 else trace.events
    found: dict[int, str] = {}
    for event in last:
        inside = [*(call.function for call in event.origin.calls), event.origin.function]
        outermost = next((name for name in inside if name in names), None)
        if outermost is not None and event.thread > 0:
            found[event.thread] = outermost
    return tuple(found.values())
