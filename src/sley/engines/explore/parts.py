"""A part of the search: all that can be reached from some of the states that are a few steps away.

All parts begin alike, breadth first, until there are several states for each part to go on from. Each goes on
from its share of these, depth first, and leaves the shares of others alone. What several shares lead to is
searched in each of them; together, the parts have all states.

They fit together because what is taken at a state depends on the state alone. Where ``algorithm`` looks at
its stack, so that a loop cannot postpone a thread forever, a part looks at locations: a set of threads is
accepted only if all its steps lead forward, in an order of locations that all parts know.

LEMMA. No cycle of states consists of accepted sets and splits alone. On such a cycle no thread could ever go
back, so none moves; and splits alone only make states smaller.

``evidence.closed_states.check`` checks the union as it checks any proof.
"""

import json
from collections.abc import Sequence, Set
from typing import NamedTuple

from sley.analyses.loops import find_loops
from sley.base.budget import Budget
from sley.base.parts import ParallelPart
from sley.engines.explore.algorithm import Explorer, SearchNode, StateSuccessors
from sley.engines.explore.graph import Split, StateMove
from sley.engines.explore.reduction import PersistentSets
from sley.engines.explore.thresholds import SHARE
from sley.evidence.closed_states.proof import ClosedStates, Expansion, Ineffectual
from sley.evidence.encoding.codec import decode, encode
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.machine import StateMachine
from sley.semantics.state import State, ThreadState, is_ended, location_of


class PartExplorer(Explorer):
    """One part of the search."""

    def __init__(
        self,
        machine: StateMachine,
        properties: frozenset[Property],
        reduction: PersistentSets | None,
        budget: Budget,
        max_states: int | None,
        part: ParallelPart,
    ) -> None:
        super().__init__(machine, properties, reduction, budget, max_states, more_seconds=0.0)
        self.part = part
        self._rank = {
            location: (-number, location)
            for function in machine.code.program.functions.values()
            for location, number in find_loops(function).component_of.items()
        }
        """A place in the order of locations: out of loops, and within a loop as they are numbered."""

    def search(self) -> None:
        """Search the part; raises when the budget is exhausted."""
        waiting = self._beginning()
        states = list(waiting)
        others = waiting.keys() - set(self.part.share(states))
        for state in self.part.share(states):
            if state not in self.graph.numbers:
                self._visit(state, *waiting[state])
                self._go_on(others)

    def _beginning(self) -> dict[State, "_Arrival"]:
        """What all parts have in common, breadth first; the states where it ends, and ways to them."""
        waiting = {self.machine.initial(): _Arrival(-1, None)}
        while waiting and len(waiting) < SHARE * self.part.of:
            state = next(iter(waiting))
            self._visit(state, *waiting.pop(state))
            node = self._stack.pop()
            for by, following in node.todo:
                if following not in self.graph.numbers:
                    waiting.setdefault(following, _Arrival(node.number, by))
        return waiting

    def _go_on(self, others: Set[State]) -> None:
        """Depth first, but not through what belongs to other parts."""
        numbers = self.graph.numbers
        while self._stack:
            node = self._stack[-1]
            following = next(node.todo, None)
            if following is None:
                self._stack.pop()
            elif following[1] not in numbers and following[1] not in others:
                self._visit(following[1], node.number, following[0])

    # --- what is taken depends on the state alone -----------------------------------------------

    def _push(self, node: SearchNode) -> None:
        self._stack.append(node)  # and membership of the stack is not asked for

    def _expand(
        self, state: State, number: int, last: int, *, is_whole: bool = False
    ) -> tuple[Expansion, list[tuple[StateMove | Split, State]]]:
        return super()._expand(state, number, 0, is_whole=is_whole)

    def _suffices(self, steps: StateSuccessors, chosen: tuple[int, ...]) -> bool:
        return super()._suffices(steps, chosen) and all(
            self._is_forward(steps.state.threads[thread], successor.thread)
            for thread in chosen
            for successor in steps.of(thread)
        )

    def _is_forward(self, before: ThreadState, after: ThreadState) -> bool:
        return is_ended(after) or self._rank[location_of(before)] < self._rank[location_of(after)]


class _Arrival(NamedTuple):
    parent: int
    by: StateMove | Split | None


def sent(program: Program, part: ClosedStates) -> str:
    """What a part says, for other processes, where terms have other numbers."""
    return json.dumps(encode(ClosedStates, part, program.terms), separators=(",", ":"))


def united(program: Program, claims: Sequence[str]) -> ClosedStates:
    """The states of all parts; each has the same expansion in all."""
    parts = [decode(ClosedStates, json.loads(claim), program) for claim in claims]
    expansions: dict[State, Expansion] = {}
    for part in parts:
        for state, expansion in zip(part.states, part.expansions, strict=True):
            expansions.setdefault(state, expansion)
    ineffectual = {place for part in parts for place in part.ineffectual.places}
    return ClosedStates(
        tuple(expansions), tuple(expansions.values()), ineffectual=Ineffectual(tuple(sorted(ineffectual)))
    )
