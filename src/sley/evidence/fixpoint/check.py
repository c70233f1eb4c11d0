"""Checks a fixpoint of abstract states: every edge is walked once from every state, and leads to nothing new.

Nothing is iterated. What a step leads to must be covered by the states that the proof has for the place; what
it writes, by what the proof says of memory. Which checks of the program hold then follows, one by one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.fixpoint.proof import Fixpoint, state_of
from sley.evidence.proof import Checked, RefusedProofError
from sley.laws.deadlocks import Deadlocks, given_by
from sley.laws.once import Once
from sley.laws.races import Threads, settle_races
from sley.laws.settled import Settled, is_flat
from sley.program import instructions as ir
from sley.program.program import PROCESS_END, THREAD_END, Edge, Function, Program
from sley.program.properties import Property
from sley.semantics.abstract.calls import ENDING, entered, first, left, returned, started
from sley.semantics.abstract.facts import Facts, made_by, made_in, offspring_of, starts_threads
from sley.semantics.abstract.objects import Cell, CellSet, Kind, Objects
from sley.semantics.abstract.state import State, covers, without_token
from sley.semantics.abstract.step import Stepper
from sley.semantics.abstract.values import Value, is_within, object_of
from sley.semantics.abstract.walk import Graph, walk
from sley.semantics.abstract.world import Context


class Checking(Facts):
    """A world in which nothing may be news."""

    def __init__(
        self, program: Program, properties: frozenset[Property], proof: Fixpoint, budget: Budget
    ) -> None:
        super().__init__(Objects(program, proof.origins))
        self.program = program
        self.properties = properties
        self.proof = proof
        self.budget = budget
        for cell, value in proof.memory.items():
            self.memory.setdefault(cell.object, {})[cell] = value
            self.escaped.update(object_of(reference) for reference, _ in value.places)
        self.shared = proof.shared
        self.outlived, self.outlived_later = proof.outlived, proof.outlived_later
        self.locked = CellSet(self.objects, proof.locked)
        self.overwritten = CellSet(self.objects, proof.overwritten)
        self.replaced = proof.replaced
        self.states, self.exits = self._states(), self._exits()
        self.graphs = {
            name: Graph(program.terms, program.functions[name])
            for name in {context.function for context in proof.contexts}
        }
        self.once = Once(
            proof.contexts, proof.calls, proof.starts, lambda name, at: at in self.graphs[name].on_cycle
        )
        self.roots = {0, *proof.starts.values()}
        self.settled = Settled(is_flat=is_flat(program))
        self.threads = Threads()
        self._steppers: dict[int, Stepper] = {}
        self._made: Mapping[int, Collection[int]] = {}
        self._starting: Collection[int] = ()
        self._children: dict[int | None, set[int]] = {}
        self._functions: dict[int | None, set[str]] = {}
        for context in proof.contexts:
            self._functions.setdefault(context.thread, set()).add(context.function)
        for starting, location, _ in proof.starts:
            creator = proof.contexts[starting]
            thread = self.objects.thread(creator.function, location, creator.maker)
            self._children.setdefault(creator.thread, set()).add(thread)

    def _states(self) -> dict[tuple[int, int], list[State]]:
        return {
            (index, location): [state_of(self._function(index), one) for one in kept]
            for (index, location), kept in self.proof.states.items()
        }

    def _exits(self) -> dict[int, list[State]]:
        return {
            index: [state_of(self._function(index), one) for one in kept]
            for index, kept in self.proof.exits.items()
        }

    def _function(self, index: int) -> Function:
        return self.program.functions[self.proof.contexts[index].function]

    def run(self) -> Settled:
        """Walk everything once."""
        proof = self.proof
        self._check_shape()
        main = self.program.functions[self.program.entry]
        self._arrive(0, main.entry, self.graphs[main.name].relevant(main.entry, first(main)))
        for (index, location), states in self.states.items():
            self.budget.spend()
            context = proof.contexts[index]
            for state in states:
                walk(
                    self.graphs[context.function],
                    self._stepper(index),
                    location,
                    state,
                    partial(self._arrive, index),
                    partial(self._leave, index),
                )
        self.threads.started_once(self.objects, self._is_made_once)
        settle_races(self.settled, self, self.threads, self._is_made_once)
        given = given_by(self.program, proof.contexts, lambda *place: self.states.get(place, ()))
        Deadlocks(self.settled, self, self.threads, self._is_made_once, given).settle()
        self.settled.has_blocks = any(origin.kind is Kind.HEAP for origin in self.objects.origins)
        return self.settled

    def _check_shape(self) -> None:
        proof = self.proof
        if not proof.contexts or proof.contexts[0] != Context(0, self.program.entry, None):
            raise RefusedProofError("the first context is not that of the first thread")
        for index, context in enumerate(proof.contexts):
            if context.index != index or context.function not in self.program.functions:
                raise RefusedProofError(f"no such context: {context}")
        if 0 in proof.starts.values() or 0 in proof.calls.values():
            raise RefusedProofError("the context of the first thread is entered again")
        for called in proof.calls.values():
            if called in self.roots:
                raise RefusedProofError("a context is that of a thread and that of a call")
        for states in (*self.states.values(), *self.exits.values()):
            for state in states:
                self._check_owned(state)
        self._check_sharing()
        calls = ((call[0], called) for call, called in proof.calls.items())
        self._made = made_by(proof.contexts, calls, lambda context: made_in(context, self.objects))
        self._starting = {index for index, made in self._made.items() if starts_threads(made, self.objects)}
        for (caller, *_), called in proof.calls.items():
            if not proof.asked[called] <= proof.asked[caller]:
                raise RefusedProofError("a question is not passed on")
            if not proof.handled[called] <= proof.handled[caller]:
                raise RefusedProofError("a lock that a call takes or gives back is not passed on")

    def _check_owned(self, state: State) -> None:
        """Cells are those of their object; what is not static is known as a whole."""
        for obj, cells in state.memory.items():
            is_whole = self.objects.kind(obj) is Kind.STATIC or self.objects.everything(obj) in cells
            if not is_whole or any(cell.object != obj for cell in cells):
                raise RefusedProofError("a state owns parts of an object")

    def _check_sharing(self) -> None:
        """What is shared leads to nothing else than what is."""
        for cell, value in self.proof.memory.items():
            if self.is_shared(cell.object):
                self._all_shared(value)
        for obj, origin in enumerate(self.proof.origins if self.replaced is not None else ()):
            declared = self.objects.declaration(obj) if origin.kind is Kind.STATIC else None
            for _, number in declared.initial if declared is not None else ():
                place = self.objects.static_place(number)
                if place is not None:
                    self._all_shared(Value(None, (place,)))

    def _all_shared(self, value: Value) -> None:
        for reference, _ in value.places:
            if (
                not self.is_shared(object_of(reference))
                and self.objects.kind(object_of(reference)) is not Kind.THREAD
            ):
                raise RefusedProofError("what a shared object leads to is not shared")

    def _stepper(self, index: int) -> Stepper:
        found = self._steppers.get(index)
        if found is None:
            context = self.proof.contexts[index]
            found = self._steppers[index] = Stepper(
                self.program, context, self, self.properties, self.settled
            )
        return found

    def _arrive(self, index: int, location: int, state: State) -> None:
        for known in self.states.get((index, location), ()):
            if self._covers(known, state):
                return
        function = self.proof.contexts[index].function
        raise RefusedProofError(f"a state is not covered: {function}, location {location}")

    def _covers(self, known: State, state: State) -> bool:
        """What is not owned any more must be known of memory: if that fails, this one does not cover it."""
        try:
            return covers(known, state, self)
        except _NewsError:
            return False

    def _leave(self, index: int, edge: Edge, back: ir.Return, state: State) -> None:
        stepper, context = self._stepper(index), self.proof.contexts[index]
        value = None if back.value is None else stepper.value(back.value, state)
        if index in self.roots:
            last = PROCESS_END if context.thread is None else THREAD_END
            ends = [state]
            if last in self.program.functions:
                ends = self.call(context, edge, last, (), state, is_ending=True)
            for end in ends:
                stepper.finished(edge, value, end)
            return
        gone = left(self.program.functions[context.function], value, state)
        if not any(self._covers(known, gone) for known in self.exits.get(index, ())):
            raise RefusedProofError(f"a way out is not covered: {context.function}")

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
        """The states after a call, by the exits that the proof has."""
        token = ("load", context.index, edge.source)
        state = without_token(state, token)
        location = ENDING if is_ending else edge.source
        index = self.proof.calls.get((context.index, location, function, state.partition))
        if index is None:
            raise RefusedProofError(f"a call is missing: {function}")
        target = self.proof.contexts[index]
        if target.function != function or target.thread != context.thread:
            raise RefusedProofError(f"a call leads elsewhere: {function}")
        called = self.program.functions[function]
        entry = entered(state, called, index, arguments, self)
        self._arrive(index, called.entry, self.graphs[function].relevant(called.entry, entry))
        register = None if is_ending else edge.instruction.target  # type: ignore[union-attr]
        result = None if register is None else (register.term, token)
        return [
            returned(state, called, last, (context.index, index), arguments, result, self)
            for last in self.exits.get(index, ())
        ]

    def start(
        self,
        context: Context,
        edge: Edge,
        thread: int,
        function: str,
        arguments: Sequence[Value],
        state: State,
    ) -> None:
        """A thread starts in the context that the proof has for it."""
        index = self.proof.starts.get((context.index, edge.source, function))
        if index is None:
            raise RefusedProofError(f"a thread is missing: {function}")
        target = self.proof.contexts[index]
        if target.function != function or target.thread != thread:
            raise RefusedProofError(f"a thread is another one: {function}")
        called = self.program.functions[function]
        entry = started(called, index, arguments)
        self._arrive(index, called.entry, self.graphs[function].relevant(called.entry, entry))
        self.threads.start(thread, context.thread, state.running)

    def made(self, context: int) -> Collection[int]:
        """What a call in a context may make."""
        return self._made[context]

    def asks(self, context: Context, obj: int) -> None:
        """Not without being known."""
        if obj not in self.proof.asked[context.index]:
            raise RefusedProofError("a question is missing")

    def asked(self, context: int) -> Collection[int] | None:
        """What a call in a context wants to know."""
        return None if context in self._starting else self.proof.asked[context]

    def handles(self, context: Context, objs: Collection[int]) -> None:
        """Not without being known."""
        if not self.proof.handled[context.index].issuperset(objs):
            raise RefusedProofError("a lock is taken or given back, and that is not known")

    def handled(self, context: int) -> Collection[int]:
        """The objects in which a call in a context takes or gives back locks."""
        return self.proof.handled[context]

    def functions_of(self, thread: int | None) -> Collection[str]:
        """The functions that a thread may be in."""
        return self._functions[thread]

    def offspring(self, thread: int) -> Iterable[int]:
        """All threads that come of a thread."""
        return offspring_of(self._children, thread)

    # --- memory -------------------------------------------------------------------------------

    def write(self, cell: Cell, value: Value) -> None:
        """Not without being known."""
        known = self.memory.get(cell.object, {}).get(cell)
        if known is None or not is_within(value, known):
            raise _NewsError(f"a write is news: {self.objects.origins[cell.object]}, {cell}")

    def share(self, obj: int) -> None:
        """Not without being known."""
        if not self.is_shared(obj) and self.objects.kind(obj) is not Kind.THREAD:
            raise _NewsError("an object is not shared")

    def keep_initial(self, cells: frozenset[Cell]) -> None:
        """Not more than is known."""
        if self.replaced is None or not frozenset(self.replaced) <= cells:
            raise _NewsError("a static object keeps what it holds")

    def outlive(self, obj: int, thread: int | None) -> None:
        """Not without being known."""
        if obj not in self.outlived or (thread is not None and obj not in self.outlived_later):
            raise _NewsError("an object may be gone")

    def locks(self, cells: Iterable[Cell]) -> None:
        """Not without being known."""
        if not all(cell in self.locked for cell in cells):
            raise _NewsError("a cell is that of a lock")

    def overwrites(self, cells: Iterable[Cell]) -> None:
        """Not without being known."""
        if not all(cell in self.overwritten for cell in cells):
            raise _NewsError("a cell is overwritten")

    def is_once(self, obj: int) -> bool:
        """Whether there is at most one instance of an object, and the proof rests on that.

        Where a lock has a name although it need not, the states of the proof know it by that name alone.
        """
        is_counted_on = obj in self.proof.once or self.objects.kind(obj) is Kind.STATIC
        return is_counted_on and self._is_made_once(obj)

    def _is_made_once(self, obj: int) -> bool:
        return self.once.is_made_once(self.objects.origins[obj])


class _NewsError(RefusedProofError):
    """Something happens that the proof does not know of."""


def settle(program: Program, properties: frozenset[Property], proof: Fixpoint, budget: Budget) -> Settled:
    """What a fixpoint proves; RefusedProofError if it is none."""
    return Checking(program, properties, proof, budget).run()


def check_fixpoint(
    program: Program, properties: frozenset[Property], proof: Fixpoint, budget: Budget
) -> Checked:
    """Accept a fixpoint as a proof of some properties, or raise."""
    settled = settle(program, properties, proof, budget)
    reason = settled.why_not(properties)
    if reason is not None:
        raise GaveUpError(reason)
    return Checked("every step from every abstract state was computed again")
