"""From a component to a harness: which calls, with which arguments, as C text.

A harness calls the constructor, then has each thread call one of the functions of its role, and in the end
calls the destructor. What is made up, and what callers in the repository give, is said in its head.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from sley.base.errors import InputError
from sley.frontend.components.facts import FunctionFacts, Sync
from sley.frontend.components.find import Component, Repository
from sley.frontend.harness.plan import Carving, Harness
from sley.frontend.harness.write import HarnessWriter
from sley.frontend.parse import SourceParser

Roles = tuple[tuple[str, ...], ...]
Usual = Mapping[tuple[str, int], tuple[str, ...]]
SMALL = 2
"""What constructors get for sizes and counts of which callers give none that is smaller."""
MOST_USUAL = 3
_OF_THREADS = re.compile(r"thread|worker")
"""Of what there is one, if the constructor asks how many."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """Who calls what, how often."""

    roles: Roles
    """For each thread, the functions that it calls one of."""
    calls: int = 1
    begins: bool = True
    """Whether the first thread may call one of them before it starts the others: so they meet an object that
    is in use."""

    def __str__(self) -> str:
        """Such as ``push, pop`` or ``push | pop``."""
        told = [", ".join(role) for role in dict.fromkeys(self.roles)]
        return " | ".join(told)


def halves(scenario: Scenario) -> Iterator[Scenario]:
    """The same pairs of calls, with fewer functions to choose from in each scenario."""
    if len(scenario.roles) == 1 or max(map(len, scenario.roles)) == 1:
        yield scenario
        return
    first, second = (
        [part for part in (role[: (len(role) + 1) // 2], role[(len(role) + 1) // 2 :]) if part]
        for role in scenario.roles
    )
    is_same = scenario.roles[0] == scenario.roles[1]
    for number, one in enumerate(first):
        for other in second[number:] if is_same else second:
            yield replace(scenario, roles=(one, other))


@dataclass(frozen=True, slots=True)
class Carved:
    """The text of a harness, and what is made up in it."""

    text: str
    allocates: bool
    """Whether blocks are made for arguments, which nobody frees then."""


def usual_arguments(component: Component, repository: Repository) -> Usual:
    """The constants that callers give; constructors and destructors get small numbers in any case."""
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    once = [one for one in (component.constructor, component.destructor) if one is not None]
    makers = [one for one in component.source.functions if one.name in component.makers]
    for function in (*once, *makers, *component.operations):
        given = repository.constants(function.name)
        for number, is_number in enumerate(function.numbers):
            constants = given.get(number, ())
            if function in once and is_number:
                is_one = component.starts_threads and _OF_THREADS.search(function.parameters[number].lower())
                found[function.name, number] = ("1" if is_one else _small(constants),)
            elif is_number and constants and "" not in constants:
                found[function.name, number] = constants[:MOST_USUAL]
            elif "0" in constants and not is_number and (number > 0 or function in once):
                found[function.name, number] = ("0",)
    return found


def _small(constants: tuple[str, ...]) -> str:
    """What callers give, if it is small."""
    small = [one for one in constants if one and abs(int(one)) <= SMALL]
    return small[0] if small else str(SMALL)


def unusable(component: Component, usual: Usual, parser: SourceParser) -> dict[str, str]:
    """The operations that cannot be called, and why: for some argument nothing can be made up."""
    found: dict[str, str] = {}
    for operation in component.operations:
        try:
            carve(component, Scenario(((operation.name,),)), usual, parser, Path())
        except InputError as error:
            found[operation.name] = error.message.partition(";")[0]
    return found


def carve(
    component: Component, scenario: Scenario, usual: Usual, parser: SourceParser, folder: Path
) -> Carved:
    """The harness, which is to be kept in a folder."""
    source = component.source.source
    unit = parser.parse(source.path, source.flags)
    names = tuple(dict.fromkeys(name for role in scenario.roles for name in role))
    carving = Carving(
        head=_head(component, scenario, usual),
        include=os.path.relpath(os.path.realpath(source.path), os.path.realpath(folder)),
        roles=scenario.roles,
        record=component.record,
        begins=scenario.begins,
        destructor="" if component.destructor is None else component.destructor.name,
        enter=component.enter,
        leave=component.leave,
        usual=usual,
        giving={one: other for one, other in component.giving.items() if one in names},
        renames_main=component.source.has_main,
    )
    harness = Harness(
        entries=names,
        threads=len(scenario.roles),
        calls=scenario.calls,
        setup=() if component.constructor is None else (component.constructor.name,),
        make=component.makers,
    )
    writer = HarnessWriter(harness, [unit], carving)
    return Carved(writer.text(), writer.allocates)


def _head(component: Component, scenario: Scenario, usual: Usual) -> str:
    """What the harness assumes."""
    what = f"`{component.record}`" if component.record else f"the variables of {component.source.path}"
    threads = ", ".join(" or ".join(role) for role in scenario.roles)
    often = "" if scenario.calls == 1 else f", {scenario.calls} times each"
    often += ", and one of these may be called before" if scenario.begins else ""
    lines = [f"Harness by sley for {what}: {len(scenario.roles)} threads call {threads}{often}."]
    lines += [f"   {one}" for one in assumptions(component, usual)]
    return "\n".join(lines).replace("*/", "* /")


def assumptions(component: Component, usual: Usual) -> list[str]:
    """What answers about a component rest on."""
    told = []
    if component.constructor is not None:
        told.append(f"It is made by {component.constructor.name}.")
    elif component.record:
        told.append("No function was found that makes one: it is zero at first.")
    if component.enter:
        told.append(
            " ".join(
                filter(
                    None,
                    [
                        "Threads begin with",
                        component.enter,
                        component.leave and f"and end with {component.leave}",
                    ],
                )
            )
            + "."
        )
    for (name, number), values in usual.items():
        told.append(f"Argument {number + 1} of {name} is {' or '.join(values)}.")
    if component.missing:
        told.append(f"{component.missing} files that it needs are left out.")
    return told


def waits(component: Component, names: tuple[str, ...], repository: Repository) -> bool:
    """Whether one of these operations waits for what another thread does."""
    return any(Sync.WAIT in repository.sync(one) for one in component.operations if one.name in names)


def operation(component: Component, name: str) -> FunctionFacts:
    """One of the operations."""
    return next(one for one in component.operations if one.name == name)
