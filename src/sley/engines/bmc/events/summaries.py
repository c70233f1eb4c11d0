"""Summaries of local code: run once on symbols, put in wherever a thread comes by.

Between two accesses to memory a thread computes with its registers alone. All ways through such a part of a
function, be it the body of a called function or a few branches, are found once, over the registers at its
beginning. What each of the threads, calls and iterations does there is the same with other values: a
substitution. A part ends before memory, where a loop begins, repeats or ends, where paths from elsewhere come
in, and at failures. Paths that part and meet inside are merged inside.
"""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from sley.engines.bmc.events.conditions import Conditions
from sley.engines.bmc.events.loops import LoopNest
from sley.engines.bmc.thresholds import LARGEST_SUMMARY
from sley.logic.terms import Term
from sley.program.instructions import Assign, Assume, Register
from sley.program.program import Edge
from sley.semantics.code import Code


class LocalPath(NamedTuple):
    """One way through local code."""

    edge: Edge
    """Its last edge."""
    guard: tuple[Term, ...]
    """When it is taken: conjuncts over the registers at the beginning."""
    updates: dict[Register, Term]
    """What registers that are still needed hold at its end, as far as that changed."""


@dataclass(slots=True)
class Summary:
    """All ways through local code from one location."""

    ways: list[LocalPath] = field(default_factory=list)
    stops: list[Term] = field(default_factory=list)
    """When the thread goes nowhere."""


class _Path(NamedTuple):
    """What is known at a location inside."""

    guard: tuple[Term, ...]
    values: dict[Register, Term]


class Summaries:
    """The summaries of one function, made when they are needed."""

    def __init__(
        self, code: Code, nest: LoopNest, may_take: Callable[[Edge], bool], largest: int = LARGEST_SUMMARY
    ) -> None:
        self.code = code
        self.terms = code.program.terms
        self.nest = nest
        self.may_take = may_take
        self.largest = largest
        self._conditions = Conditions(self.terms)
        self._made: dict[int, Summary | None] = {}

    def of(self, location: int) -> Summary | None:
        """The summary of what begins here; None if that is an access to memory."""
        if location not in self._made:
            self._made[location] = self._summarised(location) if self._is_local(location) else None
        return self._made[location]

    def _is_local(self, location: int) -> bool:
        edges = self.code.out.get(location, ())
        return bool(edges) and all(isinstance(edge.instruction, Assign | Assume) for edge in edges)

    def _summarised(self, start: int) -> Summary:
        summary, size = Summary(), 0
        inside: set[int] = set()
        left: set[int] = set()
        arriving: dict[int, list[tuple[Edge, _Path]]] = {}
        queue: list[tuple[int, int]] = []
        location, path = start, _Path((), {})
        while True:
            inside.add(location)
            for edge, after in self._steps(location, path, summary):
                if edge.target in left:  # the head of a loop, which comes before all that leads back to it
                    summary.ways.append(self._way(edge, after))
                    continue
                if edge.target not in arriving:
                    heapq.heappush(queue, (self.nest.position[edge.target], edge.target))
                arriving.setdefault(edge.target, []).append((edge, after))
                size += 1
            while queue:
                location = heapq.heappop(queue)[1]
                arrived = arriving[location]
                if size < self.largest and self._is_inside(location, inside):
                    path = self._merged([found for _, found in arrived])
                    break
                left.add(location)
                summary.ways.extend(self._way(edge, found) for edge, found in arrived)
            else:
                return summary

    def _is_inside(self, location: int, inside: set[int]) -> bool:
        """Whether a location is reached from inside only, and belongs to the same loops."""
        if location in self.nest.loops.bodies or not self._is_local(location):
            return False
        heads = self.nest.heads(location)
        edges = self.nest.function.incoming[location]
        return all(edge.source in inside and self.nest.heads(edge.source) == heads for edge in edges)

    def _steps(self, location: int, path: _Path, summary: Summary) -> list[tuple[Edge, _Path]]:
        """The edges from a location that can be taken, and what holds after each; siblings in order."""
        t = self.terms
        now = {register.term: value for register, value in path.values.items()}
        before: list[Term] = []
        found: list[tuple[Edge, _Path]] = []
        for edge in self.code.out[location]:
            match edge.instruction:
                case Assign(assignments=assignments):
                    new = {register: t.substitute(term, now) for register, term in assignments}
                    found.append((edge, _Path(path.guard, path.values | new)))
                    before.append(t.true)
                case Assume(condition=condition):
                    holds = t.substitute(condition, now)
                    guard = self._conditions.extended(path.guard, *(t.not_(b) for b in before), holds)
                    before.append(holds)
                    if guard is not None and self.may_take(edge):
                        found.append((edge, _Path(guard, path.values)))
                case _:
                    raise AssertionError("not local")
        left = self._conditions.extended(path.guard, t.not_(t.or_(*before)))
        if left is not None:
            summary.stops.append(t.and_(*left))
        return found

    def _merged(self, paths: list[_Path]) -> _Path:
        """One path for several that meet."""
        if len(paths) == 1:
            return paths[0]
        guard, own = self._conditions.met([path.guard for path in paths])
        registers = dict.fromkeys(register for path in paths for register in path.values)
        values = {
            r: self._conditions.chosen(own, [path.values.get(r, r.term) for path in paths]) for r in registers
        }
        return _Path(guard, values)

    def _way(self, edge: Edge, path: _Path) -> LocalPath:
        live = self.code.live.get(edge.target, ())
        updates = {r: value for r, value in path.values.items() if r in live and value != r.term}
        return LocalPath(edge, path.guard, updates)
