"""From concrete states to formulas: the values that the variables of the vocabulary have in a state."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from sley.logic.arrays import ArrayValue
from sley.logic.operators import AnyValue
from sley.logic.sorts import BOOL
from sley.logic.terms import Term
from sley.semantics.code import Code
from sley.semantics.state import EXITED as HAS_EXITED
from sley.semantics.state import GONE as IS_GONE
from sley.semantics.state import HEAP_BLOCK, Block, Cells, State, ThreadState, is_ended
from sley.semantics.vocabulary import EXITED, GONE, RUNNING, Instance, Lifetime, Vocabulary

Valuation = Mapping[Term, AnyValue]

Wanted = Callable[[int], Iterable[int]]


class Valuations:
    """Computes the valuations of states.

    Variables whose value is not decided in a state are left out: what was never written nor read, the
    contents of what is dead, registers that no step will read. Elements of arrays have no value then.
    """

    def __init__(self, code: Code, most_cells: int | None = None, wanted: Wanted | None = None) -> None:
        """``wanted`` tells for the number of an object which of its cells matter: all of them, otherwise."""
        self.code = code
        self.wanted = wanted
        self.vocabulary = Vocabulary(code, (), most_cells=most_cells)
        self._instances: dict[int, Instance] = {}
        """The objects that were ever seen alive and may die."""
        self._of_thread: dict[tuple[int, ThreadState], Valuation] = {}
        self._of_block: dict[tuple[int, Block], Valuation] = {}

    def of(self, state: State) -> dict[Term, AnyValue]:
        """The valuation of a state."""
        values: dict[Term, AnyValue] = {}
        for instance in self.vocabulary.instances.values():
            if (flat := self.code.memory_map.flat.get(instance.number)) is not None:
                first, table, size, _ = flat
                cells = state.cells[first : first + table.layout.count(size)]
                values.update(self._cells(instance, cells))
        blocks = state.blocks
        for number, block in state.blocks.items():
            values.update(self._block(number, block))
        for number, instance in self._instances.items():
            if number not in blocks:
                values[self.vocabulary.alive(instance)] = False
        for thread, at in enumerate(state.threads):
            values[self.vocabulary.detached(thread)] = bool(state.detached >> thread & 1)
            values.update(self._thread(thread, at))
        return values

    def _cells(self, instance: Instance, cells: Cells) -> Iterator[tuple[Term, AnyValue]]:
        if instance.is_array or (self.vocabulary.most_cells is not None and instance.kind is Lifetime.HEAP):
            # a block may be larger in other runs, and an array to conditions on all of them
            yield from self._arrays(instance, cells)
        if instance.is_array:
            return
        indices = range(len(cells)) if self.wanted is None else self.wanted(instance.number)
        for index in indices:
            if index < len(cells) and isinstance(value := cells[index], int):
                yield self.vocabulary.cell(instance, index), value

    def _arrays(self, instance: Instance, cells: Cells) -> Iterator[tuple[Term, AnyValue]]:
        layout = instance.layout
        for size in dict.fromkeys(cell.size for cell in layout.cells):
            known = (
                (layout.offset_of(index), value)
                for index, value in enumerate(cells)
                if isinstance(value, int) and layout.cells[index % len(layout.cells)].size == size
            )
            yield self.vocabulary.array(instance, size), ArrayValue.of(None, known)

    def _block(self, number: int, block: Block) -> Valuation:
        found = self._of_block.get((number, block))
        if found is None:
            found = self._of_block[number, block] = dict(self._block_values(number, block))
        return found

    def _block_values(self, number: int, block: Block) -> Iterator[tuple[Term, AnyValue]]:
        vocabulary = self.vocabulary
        instance = vocabulary.instances.get(number)
        if instance is None:
            kind = Lifetime.HEAP if block.kind == HEAP_BLOCK else Lifetime.LOCAL
            layout = self.code.memory_map.layouts[block.layout].layout
            instance = self._instances[number] = vocabulary.instance(number, layout, block.size, kind)
            yield vocabulary.alive(instance), True
            if kind is Lifetime.HEAP:
                yield vocabulary.size(instance), block.size
        yield from self._cells(instance, block.cells)

    def _thread(self, thread: int, at: ThreadState) -> Valuation:
        found = self._of_thread.get((thread, at))
        if found is None:
            found = self._of_thread[thread, at] = dict(self._thread_values(thread, at))
        return found

    def _thread_values(self, thread: int, at: ThreadState) -> Iterator[tuple[Term, AnyValue]]:
        vocabulary = self.vocabulary
        yield vocabulary.status(thread), {HAS_EXITED: EXITED, IS_GONE: GONE}.get(at[0], RUNNING)
        if at[0] == HAS_EXITED and isinstance(at[1], int):
            yield vocabulary.result(thread), at[1]
        if not is_ended(at):
            for register, value in zip(self.code.live[at[0]], at[1:], strict=True):
                if isinstance(value, int):
                    is_truth = register.sort == BOOL
                    yield vocabulary.register(thread, register), bool(value) if is_truth else value
