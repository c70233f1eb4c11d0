"""What widening has lost is found again: all is computed once more from what is known, without widening.

Law: steps are monotonic, or nearly so. What a pass makes of states that no step leads out of are states that
no step leads out of either, and they are within the former. Nothing rests on that: what is found is iterated
on from, until nothing is new.

In a pass places are visited in an order in which most steps lead forward. What leads to a place from before
it is known when it is visited; what leads back to it is that of the pass before, and so is memory.
"""

from collections.abc import Collection, Iterable, Sequence

from sley.engines.abstract.iteration import EXIT, MOST_PARTITIONS, Iteration, Task
from sley.program import instructions as ir
from sley.program.program import PROCESS_END, THREAD_END, Edge
from sley.semantics.abstract.calls import ENDING, entered, first, left, returned, started
from sley.semantics.abstract.facts import Facts
from sley.semantics.abstract.objects import Cell
from sley.semantics.abstract.state import State, covers, joined, without_token
from sley.semantics.abstract.step import Stepper
from sley.semantics.abstract.values import NOTHING, Value, union
from sley.semantics.abstract.walk import walk
from sley.semantics.abstract.world import Context

PASSES = 3
"""The first of them only finds what leads back."""

MARGIN = 2
"""So many times as long as it will last there has to be time."""

States = dict[object, State]
"""Those at one place, by what they are kept apart by."""


def narrow(iteration: Iteration, took: float) -> None:
    """Less than before for each place and each cell, and still no step leads out of it.

    Where that may not leave time for the check of it, given what widening took, all stays as it is.
    """
    known = {
        (one.context.index, location): dict(states)
        for one in iteration.contexts
        for location, states in (*one.states.items(), (EXIT, one.exits))
    }
    needed = took * len(known) / max(iteration.steps, 1) * (PASSES + 1)
    remaining = iteration.budget.remaining()
    if remaining is not None and remaining < MARGIN * needed:
        return
    back: dict[Task, States] = {}
    for number in range(PASSES):
        one = Pass(iteration, known, back, is_first=number == 0)
        one.run()
        back = one.leading_back
        if number:
            known, iteration.memory = one.found, one.written
    iteration.take(known, iteration.memory)


class Pass(Facts):
    """Every place once, from what the pass before has found."""

    def __init__(
        self, of: Iteration, known: dict[Task, States], back: dict[Task, States], *, is_first: bool
    ) -> None:
        super().__init__(of.objects)
        self.memory = of.memory
        self.shared, self.escaped = of.shared, of.escaped
        self.outlived, self.outlived_later = of.outlived, of.outlived_later
        self.locked, self.overwritten, self.replaced = of.locked, of.overwritten, of.replaced
        self.written: dict[int, dict[Cell, Value]] = {}
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
        graph = self._of.graph(self._of.contexts[index].context.function)
        return index, float("inf") if location == EXIT else graph.ranks[location]

    def run(self) -> None:
        """Visit every place."""
        main = self._of.contexts[0].context
        self._enter(main, first(self._of.program.functions[main.function]))
        for task, rank in self._ranks.items():
            self._of.budget.spend()
            self._current = rank
            states = self._known[task] if self._is_first else self._arrived(task)
            if task[1] != EXIT:
                self._visit(task, states)

    def _arrived(self, task: Task) -> States:
        states = self.found.setdefault(task, {})
        for state in self._back.get(task, {}).values():
            self._merge(states, state)
        if len(states) > MOST_PARTITIONS:  # they have been made one
            states = self.found[task] = dict(self._known[task])
        return states

    def _visit(self, task: Task, states: States) -> None:
        index, location = task
        known = self._of.contexts[index]
        stepper = Stepper(self._of.program, known.context, self, self._of.properties)
        graph = self._of.graph(known.context.function)
        for state in list(states.values()):
            walk(
                graph,
                stepper,
                location,
                state,
                lambda at, following: self._arrive((index, at), following),
                lambda edge, back, last: self._leave(stepper, edge, back, last),
            )

    def _arrive(self, task: Task, state: State) -> None:
        """A place that is not known by now is looked at later, when all is iterated on."""
        if self._ranks.get(task, -1) <= self._current:
            self._merge(self.leading_back.setdefault(task, {}), state)
        elif not self._is_first:
            self._merge(self.found.setdefault(task, {}), state)

    def _merge(self, states: States, state: State) -> None:
        found = states.get(state.partition)
        if found is None:
            states[state.partition] = state
        elif not covers(found, state, self):
            made = joined(found, state, self)
            del states[state.partition]
            self._merge(states, made)

    def _enter(self, context: Context, state: State) -> None:
        graph = self._of.graph(context.function)
        entry = graph.function.entry
        self._arrive((context.index, entry), graph.relevant(entry, state))

    def _leave(self, stepper: Stepper, edge: Edge, back: ir.Return, state: State) -> None:
        context = stepper.context
        value = None if back.value is None else stepper.value(back.value, state)
        if self._of.is_root(context.index):
            last = PROCESS_END if context.thread is None else THREAD_END
            ends = [state]
            if last in self._of.program.functions:
                ends = self.call(context, edge, last, (), state, is_ending=True)
            for end in ends:
                stepper.finished(edge, value, end)
            return
        gone = left(self._of.program.functions[context.function], value, state)
        self._arrive((context.index, EXIT), gone)

    # --- calls and threads --------------------------------------------------------------------

    def call(
        self,
        context: Context,
        edge: Edge,
        function: str,
        arguments: Sequence[Value],
        state: State,
        *,
        is_ending: bool = False,
    ) -> list[State]:
        """By the exits of the pass before, unless this one has been there."""
        called = self._of.program.functions[function]
        location = ENDING if is_ending else edge.source
        token = ("load", context.index, edge.source)
        state = without_token(state, token)
        index = self._of.calls.get((context.index, location, function, state.partition))
        if index is None:  # found when all is iterated on
            return []
        self._enter(self._of.contexts[index].context, entered(state, called, index, arguments, self))
        register = None if is_ending else edge.instruction.target  # type: ignore[union-attr]
        result = None if register is None else (register.term, token)
        contexts = (context.index, index)
        return [
            returned(state, called, last, contexts, arguments, result, self) for last in self._exits(index)
        ]

    def _exits(self, index: int) -> Iterable[State]:
        """The states in which a function returns, of this pass if it has been there."""
        task = (index, EXIT)
        is_known = self._is_first or self._ranks[task] >= self._current
        return list((self._known if is_known else self.found).get(task, {}).values())

    def start(
        self,
        context: Context,
        edge: Edge,
        thread: int,
        function: str,
        arguments: Sequence[Value],
        state: State,
    ) -> None:
        """In the context that is known."""
        index = self._of.starts.get((context.index, edge.source, function))
        if index is not None:
            entry = started(self._of.program.functions[function], index, arguments)
            self._enter(self._of.contexts[index].context, entry)

    def made(self, context: int) -> Collection[int]:
        """As is known."""
        return self._of.made(context)

    def asked(self, context: int) -> Collection[int] | None:
        """As is known."""
        return self._of.asked(context)

    def handled(self, context: int) -> Collection[int]:
        """As is known."""
        return self._of.handled(context)

    def functions_of(self, thread: int | None) -> Collection[str]:
        """As is known."""
        return self._of.functions_of(thread)

    def offspring(self, thread: int) -> Iterable[int]:
        """As is known."""
        return self._of.offspring(thread)

    def is_once(self, obj: int) -> bool:
        """As is known."""
        return self._of.is_once(obj)

    # --- memory -------------------------------------------------------------------------------

    def write(self, cell: Cell, value: Value) -> None:
        """Kept for the next pass."""
        cells = self.written.setdefault(cell.object, {})
        cells[cell] = union(cells.get(cell, NOTHING), value)

    def asks(self, context: Context, obj: int) -> None:
        """Nothing of this is narrowed."""

    def handles(self, context: Context, objs: Collection[int]) -> None:
        """Nothing of this is narrowed."""

    def share(self, obj: int) -> None:
        """Nothing of this is narrowed."""

    def keep_initial(self, cells: frozenset[Cell]) -> None:
        """Nothing of this is narrowed."""

    def outlive(self, obj: int, thread: int | None) -> None:
        """Nothing of this is narrowed."""

    def locks(self, cells: Iterable[Cell]) -> None:
        """Nothing of this is narrowed."""

    def overwrites(self, cells: Iterable[Cell]) -> None:
        """Nothing of this is narrowed."""
