"""Violations that are known already: a run that comes to one of them ends there, without a violation."""

from collections.abc import Iterable
from dataclasses import replace

from sley.program.instructions import End, Ending
from sley.program.program import Edge, Function, Origin, Program, user_origin
from sley.program.properties import Failure

Place = tuple[Failure, Origin | None]
"""What is violated, and by which code of the user's."""


def without_known(program: Program, known: Iterable[Place]) -> Program:
    """The prepared program in which these violations abort the process, as a failing assertion does."""
    places = frozenset(known)
    functions = {name: _without(function, places) for name, function in program.functions.items()}
    return replace(program, functions=functions)


def _without(function: Function, known: frozenset[Place]) -> Function:
    gone = {
        edge.target: edge
        for edge in function.edges
        if edge.target in function.errors
        and (function.errors[edge.target], user_origin(edge.origin)) in known
    }
    aborts = tuple(Edge(error, function.exit, End(Ending.ABORT), edge.origin) for error, edge in gone.items())
    errors = {error: failure for error, failure in function.errors.items() if error not in gone}
    return replace(function, edges=(*function.edges, *aborts), errors=errors)
