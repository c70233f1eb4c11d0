"""Runs of a prepared program led to its checks, its accesses and its locks: they find, and prove nothing.

All engines search in an order of their own; where a loop creates ten thousand threads, or reads a file, none
of them may come far. A run does. A few runs go nowhere in particular, then each target has its turn.
"""

from collections.abc import Iterator
from typing import Never

from sley.base.budget import Budget
from sley.engines.directed.part import WholeProgram
from sley.engines.directed.search import search
from sley.engines.directed.targets import DirectedTarget
from sley.engines.directed.thresholds import MOST_STEPS
from sley.evidence.verdict import Statistics, Unknown, Unsafe
from sley.program import instructions as ir
from sley.program.program import Program, user_origin
from sley.program.properties import ALL_PROPERTIES, Property

NO_RUN = "no run went wrong"


def directed(
    program: Program, properties: frozenset[Property], _options: None, budget: Budget
) -> tuple[Unsafe | Unknown, Statistics]:
    """Replayed traces of what some run did wrong, or no answer."""
    asked = properties & ALL_PROPERTIES
    found = search(
        WholeProgram(program), asked, list(_targets(program, asked)), budget, most_steps=MOST_STEPS
    )
    statistics = {"runs": found.runs, "steps": found.steps}
    if found.is_certain:
        return Unsafe(tuple(one for one in found.traces if not one.depends_on)), statistics
    return Unknown(NO_RUN, traces=tuple(found.traces)), statistics


def claims_nothing(*_: object) -> Never:
    """In the place of a checker: there is nothing to check."""
    raise AssertionError("runs prove nothing")


def _targets(program: Program, properties: frozenset[Property]) -> Iterator[DirectedTarget]:
    """Each place once, in the order of the program: checks first, then where two threads have to meet."""
    errors = {
        at: failure for function in program.functions.values() for at, failure in function.errors.items()
    }
    checks = (
        DirectedTarget.at(errors[edge.target].property, [user_origin(edge.origin)])
        for edge in program.edges
        if edge.target in errors and errors[edge.target].property in properties
    )
    meetings = (
        DirectedTarget.at(prop, [user_origin(edge.origin)])
        for prop, kinds in ((Property.RACE, ir.Accessing), (Property.DEADLOCK, ir.Lock))
        for edge in program.edges
        if prop in properties and isinstance(edge.instruction, kinds)
    )
    yield from dict.fromkeys(checks)
    yield from dict.fromkeys(meetings)
