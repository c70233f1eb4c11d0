"""Places of a program that some run should come to, or SAFE says little; and the question if one does.

Works on a program before inlining and all that makes it smaller: what is proved on the way is still there.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from sley.base.source import Span
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import Edge, Function, Program, user_origin
from sley.program.properties import Failure, Property

GOAL = Failure(Property.REACH, "goal", "a goal is reached")
_UNASKED = Failure(Property.MISUSE, "not-asked", "what is not asked about goes wrong")

Place = tuple[str, int]
"""A function, and a location in it."""


@dataclass(frozen=True)
class Goals:
    """The goals in the code that the first thread, and those that it starts, may come to."""

    program: Program

    @cached_property
    def reachable(self) -> tuple[Function, ...]:
        """Functions that are called or started, as far as calls tell."""
        pointed = [one.name for one in self.program.objects if one.storage is Storage.CODE]
        found = {self.program.entry: None}
        for name in (waiting := [self.program.entry]):
            new = [one for one in _named(self.program.functions[name], pointed) if one not in found]
            known = [one for one in dict.fromkeys(new) if one in self.program.functions]
            found |= dict.fromkeys(known)
            waiting += known
        return tuple(self.program.functions[name] for name in found)

    def models(self, files: Iterable[Path]) -> dict[str, list[str]]:
        """What users say themselves of functions that have no body: by file, those that may be called."""
        found: dict[str, list[str]] = {}
        for name in dict.fromkeys(file.name for file in files):
            if functions := [one.c_name for one in self.reachable if is_model(one, name)]:
                found[name] = functions
        return found

    @cached_property
    def starts(self) -> frozenset[Place]:
        """Where threads are started."""
        return frozenset(
            (function.name, edge.source)
            for function, edge in self._edges()
            if isinstance(edge.instruction, ir.Create | ir.CreatePointer)
        )

    @cached_property
    def assertions(self) -> frozenset[Place]:
        """Where assertions of the user's are decided.

        Of one that may not be reached at all, as ``assert(0)``, that is where the last branch to it is.
        """
        found: set[Place] = set()
        for function, edge in self._edges():
            check = edge.instruction
            is_users = not function.is_library and not edge.origin.is_library
            if is_users and isinstance(check, ir.Check) and check.failure.property is Property.REACH:
                found |= self._decided(function, edge.source, check)
        return frozenset(found)

    def _decided(self, function: Function, location: int, check: ir.Check) -> set[Place]:
        if check.condition != self.program.terms.false:
            return {(function.name, location)}
        found: set[Place] = set()
        seen = {(function.name, location)}
        for name, at in (waiting := list(seen)):
            if len(self.program.functions[name].outgoing.get(at, ())) > 1:
                found.add((name, at))
                continue
            new = [place for place in self._before(name, at) if place not in seen]
            if at == self.program.functions[name].entry and not new:
                found.add((name, at))
            seen.update(new)
            waiting += new
        return found

    def _before(self, name: str, at: int) -> list[Place]:
        """The places one step before a place; before a function, where it is called."""
        function = self.program.functions[name]
        steps = [(name, edge.source) for edge in function.incoming.get(at, ())]
        return steps + self._calls.get(name, []) if at == function.entry else steps

    @cached_property
    def _calls(self) -> Mapping[str, list[Place]]:
        found: dict[str, list[Place]] = {}
        for function, edge in self._edges():
            if isinstance(edge.instruction, ir.Call):
                found.setdefault(edge.instruction.function, []).append((function.name, edge.source))
        return found

    def calls_behind(self, end: Span) -> frozenset[Place]:
        """The calls in the entry that the text has behind a place, if they are most of its calls."""
        main = self.program.functions[self.program.entry]
        called = {
            edge.source: edge.origin.span
            for edge in main.edges
            if isinstance(edge.instruction, ir.Call | ir.CallPointer) and edge.origin.span is not None
        }
        behind = {at: span for at, span in called.items() if span.file == end.file and span.line > end.line}
        return frozenset((main.name, at) for at in behind if 2 * len(behind) > len(called))

    def constants(self) -> Iterator[tuple[Function, int]]:
        """Functions that are called, and return the same number, wherever they do."""
        terms = self.program.terms
        for function in self.reachable:
            if function.result is None or function.name not in self._calls:
                continue
            returned = [e.instruction.value for e in function.edges if isinstance(e.instruction, ir.Return)]
            values = {None if one is None else terms.number(one) for one in returned}
            if len(values) == 1 and (value := values.pop()) is not None:
                yield function, value

    def _edges(self) -> Iterator[tuple[Function, Edge]]:
        return ((function, edge) for function in self.reachable for edge in function.edges)


def is_model(function: Function, file: str) -> bool:
    """Whether a function is of a file of models with this name: places in models have no folders."""
    return function.is_library and function.span is not None and function.span.file == file


def _named(function: Function, pointed: Iterable[str]) -> Iterator[str]:
    """Whom a function may call or start."""
    for edge in function.edges:
        match edge.instruction:
            case ir.Call(function=name) | ir.Create(function=name):
                yield name
            case ir.CallPointer() | ir.CreatePointer():
                yield from pointed
            case _:
                pass


def asked(program: Program, places: frozenset[Place]) -> Program:
    """The program in which coming to one of the places is the only thing that can go wrong."""
    return program.mapped(lambda function: _asked(program, function, places))


def _asked(program: Program, function: Function, places: frozenset[Place]) -> Function:
    edges: list[Edge] = []
    for edge in function.edges:
        instruction = edge.instruction
        if (function.name, edge.source) in places:
            if edge is function.outgoing[edge.source][0]:
                edges.append(replace(edge, instruction=ir.Check(program.terms.false, GOAL)))
        elif isinstance(instruction, ir.Check) and instruction.failure.property is Property.REACH:
            edges.append(replace(edge, instruction=replace(instruction, failure=_UNASKED)))
        else:
            edges.append(edge)
    return replace(function, edges=tuple(edges))


def with_any_result(program: Program, name: str) -> Program:
    """The program in which a function may return anything."""
    function = program.functions[name]
    assert function.result is not None
    variable = program.terms.var(f"{name}::%any", function.result)
    anything = ir.Register("%any", function.result, variable)
    locations = program.fresh_locations()
    edges: list[Edge] = []
    for edge in function.edges:
        if isinstance(edge.instruction, ir.Return):
            at = next(locations)
            edges.append(replace(edge, target=at, instruction=ir.Havoc(anything, ir.Cause.INPUT, name)))
            edges.append(replace(edge, source=at, instruction=ir.Return(variable)))
        else:
            edges.append(edge)
    registers = (*function.registers, anything)
    changed = replace(function, edges=tuple(edges), registers=registers)
    return replace(program, functions={**program.functions, name: changed})


def with_other_ends(flat: Program, end: Span) -> Program:
    """A flat program in which it goes wrong, too, if it ends elsewhere than at this place of the user's."""
    locations = flat.fresh_locations()
    return flat.mapped(lambda function: _with_other_ends(flat, function, end, next(locations)))


def _with_other_ends(flat: Program, function: Function, end: Span, wrong: int) -> Function:
    always = ir.Assume(flat.terms.true)
    edges = tuple(
        replace(edge, target=wrong, instruction=always) if _ends(flat, function, edge, end) else edge
        for edge in function.edges
    )
    return replace(function, edges=edges, errors={**function.errors, wrong: GOAL})


def _ends(flat: Program, function: Function, edge: Edge, end: Span) -> bool:
    ends = isinstance(edge.instruction, ir.End) or (
        isinstance(edge.instruction, ir.Exit) and function.name == flat.entry
    )
    return ends and user_origin(edge.origin).span != end
