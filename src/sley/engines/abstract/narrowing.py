"""Narrowing: what widening has lost is found again, by computing all once more without widening.

Law: steps are monotonic, or nearly so. What a pass makes of states that no step leads out of are
states that no step leads out of either, and they are within the former. Nothing rests on that: what
is found is iterated on from, until nothing changes.

A pass visits anchors in an order in which most steps lead forward. What flows to an anchor from
before it is known when it is visited; what flows back to it is that of the pass before, and so is
memory.
"""

from collections.abc import Iterable, Sequence

from sley.engines.abstract.collected import Task
from sley.engines.abstract.iteration import EXIT, Iteration
from sley.engines.abstract.thresholds import MOST_PARTITIONS, PASSES, TIME_MARGIN
from sley.program.program import Edge
from sley.semantics.abstract.calls import Call, Start
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.interprocedural import Interprocedural
from sley.semantics.abstract.objects import ObjectCell
from sley.semantics.abstract.state import AbstractState, covers, joined
from sley.semantics.abstract.step import Stepper
from sley.semantics.abstract.values import NOTHING, Value, union
from sley.semantics.abstract.walk import FunctionGraph

States = dict[object, AbstractState]
"""Those at one anchor, by partition."""


def narrow(iteration: Iteration, took: float) -> None:
    """Less than before for each anchor and each cell, and still no step leads out of it.

    Where that may not leave time for the check of it, given what widening took, all stays as it is.
    """
    known: dict[Task, States] = {
        (looked.context.index, location): {state.partition: state for state in states}
        for looked in iteration.known
        for location, states in (*looked.anchors, (EXIT, looked.states(EXIT)))
    }
    needed = took * len(known) / max(iteration.steps, 1) * (PASSES + 1)
    remaining = iteration.budget.remaining()
    if remaining is not None and remaining < TIME_MARGIN * needed:
        return
    back: dict[Task, States] = {}
    for number in range(PASSES):
        one = Pass(iteration, known, back, is_first=number == 0)
        one.run()
        back = one.leading_back
        if number:
            known, iteration.memory = one.found, one.written
    iteration.take({task: states.values() for task, states in known.items()}, iteration.memory)


class Pass(Interprocedural):
    """Every anchor once, from what the pass before has found."""

    def __init__(
        self, of: Iteration, known: dict[Task, States], back: dict[Task, States], *, is_first: bool
    ) -> None:
        super().__init__(of.objects)
        self.memory, self.summaries = of.memory, of.summaries
        self.shared, self.escaped = of.shared, of.escaped
        self.outlived, self.outlived_later = of.outlived, of.outlived_later
        self.locked, self.overwritten, self.replaced = of.locked, of.overwritten, of.replaced
        self.written: dict[int, dict[ObjectCell, Value]] = {}
        self.found: dict[Task, States] = {}
        self.leading_back: dict[Task, States] = {}
        self._of = of
        self._known = known
        self._back = back
        self._is_first = is_first
        self._ranks = {task: rank for rank, task in enumerate(sorted(known, key=self._order))}
        self._current = -1

    def _order(self, task: Task) -> tuple[int, float]:
        index, location = task
        graph = self.graph(self._of.known[index].context.function)
        return index, float("inf") if location == EXIT else graph.ranks[location]

    def run(self) -> None:
        """Visit every anchor."""
        self.begin(self._of.known[0].context)
        for task, rank in self._ranks.items():
            self._of.budget.spend()
            self._current = rank
            states = self._known[task] if self._is_first else self._arrived(task)
            index, location = task
            if location != EXIT:
                stepper = Stepper(self.program, self._of.known[index].context, self, self._of.properties)
                for state in list(states.values()):
                    self.visit(stepper, location, state)

    def _arrived(self, task: Task) -> States:
        states = self.found.setdefault(task, {})
        for state in self._back.get(task, {}).values():
            self._merge(states, state)
        if len(states) > MOST_PARTITIONS:  # they have been made one
            states = self.found[task] = dict(self._known[task])
        return states

    def _merge(self, states: States, state: AbstractState) -> None:
        found = states.get(state.partition)
        if found is None:
            states[state.partition] = state
        elif not covers(found, state, self):
            made = joined(found, state, self)
            del states[state.partition]
            self._merge(states, made)

    def graph(self, function: str) -> FunctionGraph:
        """What walking a function needs."""
        return self._of.graph(function)

    def arrive(self, context: Context, location: int, state: AbstractState) -> None:
        """What is not known by now is looked at later, when all is iterated on."""
        task = (context.index, location)
        if self._ranks.get(task, -1) <= self._current:
            self._merge(self.leading_back.setdefault(task, {}), state)
        elif not self._is_first:
            self._merge(self.found.setdefault(task, {}), state)

    def exit(self, context: Context, state: AbstractState) -> None:
        """As at an anchor."""
        self.arrive(context, EXIT, state)

    def exits(self, context: Context) -> Iterable[AbstractState]:
        """Those of this pass if it has been there, else of the pass before."""
        task = (context.index, EXIT)
        is_known = self._is_first or self._ranks[task] >= self._current
        return list((self._known if is_known else self.found).get(task, {}).values())

    def callee(
        self, place: Call, edge: Edge, arguments: Sequence[Value], state: AbstractState
    ) -> Context | None:
        """A new call is followed when all is iterated on."""
        index = self._of.calls.get(place)
        return None if index is None else self._of.known[index].context

    def starter(self, place: Start, thread: int, creator: Context, state: AbstractState) -> Context | None:
        """So is a new start."""
        index = self._of.starts.get(place)
        return None if index is None else self._of.known[index].context

    def is_root(self, context: Context) -> bool:
        """Whether threads start in a context."""
        return self._of.is_root(context)

    def is_once(self, obj: int) -> bool:
        """As iteration counts on it."""
        return self._of.is_once(obj)

    def write(self, cell: ObjectCell, value: Value) -> None:
        """Kept for the next pass."""
        cells = self.written.setdefault(cell.object, {})
        cells[cell] = union(cells.get(cell, NOTHING), value)

    def _stays(self, *_: object, **__: object) -> None:
        """Other facts are not narrowed."""

    asks = handles = share = keep_initial = outlive = locks = overwrites = _stays
