"""Checks a fixpoint of abstract states: every edge is walked once from every state, and leads to nothing new.

Nothing is iterated. What a step leads to must be covered by the states that the proof has for the
place; what it writes, by what the proof says of memory. What a step is, calls and starts of threads
among them, is said once for engine and checker (``semantics.abstract.interprocedural``). Which checks
of the program hold then follows, one by one.
"""

from collections.abc import Collection, Iterable, Sequence

from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.evidence.fixpoint.proof import Fixpoint, KnownState, state_of
from sley.evidence.proof import Checked, RefusedProofError
from sley.laws.deadlocks import given_by, settle_threads
from sley.laws.once import Once
from sley.laws.races import Threads
from sley.laws.settled import Settled, is_flat
from sley.program.program import Edge, Program
from sley.program.properties import Property
from sley.semantics.abstract.calls import Call, Start
from sley.semantics.abstract.contexts import Context, Summaries, made_by
from sley.semantics.abstract.functions import made_in, starts_threads
from sley.semantics.abstract.interprocedural import Interprocedural
from sley.semantics.abstract.objects import CellSet, ObjectCell, ObjectKind, Objects
from sley.semantics.abstract.state import AbstractState, covers
from sley.semantics.abstract.step import Stepper
from sley.semantics.abstract.values import Value, is_within, object_of
from sley.semantics.abstract.walk import FunctionGraph


class Checking(Interprocedural):
    """Facts that nothing may be added to."""

    def __init__(
        self, program: Program, properties: frozenset[Property], proof: Fixpoint, budget: Budget
    ) -> None:
        super().__init__(Objects(program, proof.origins))
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
        self.states = {
            (index, location): self._read(index, kept) for (index, location), kept in proof.states.items()
        }
        self.returns = {index: self._read(index, kept) for index, kept in proof.exits.items()}
        self.graphs = {
            name: FunctionGraph(program.terms, program.functions[name])
            for name in {context.function for context in proof.contexts}
        }
        self.once = Once(
            proof.contexts, proof.calls, proof.starts, lambda name, at: at in self.graphs[name].on_cycle
        )
        self.roots = {0, *proof.starts.values()}
        self.settled = Settled(is_flat=is_flat(program))
        self.threads = Threads()

    def _read(self, index: int, kept: Iterable[KnownState]) -> list[AbstractState]:
        function = self.program.functions[self.proof.contexts[index].function]
        return [state_of(function, one) for one in kept]

    def run(self) -> Settled:
        """Walk everything once."""
        proof = self.proof
        self._check_shape()
        self.summaries = self._summaries()
        self._check_passed_on()
        self.begin(proof.contexts[0])
        steppers: dict[int, Stepper] = {}
        for (index, location), states in self.states.items():
            self.budget.spend()
            if index not in steppers:
                context = proof.contexts[index]
                steppers[index] = Stepper(self.program, context, self, self.properties, self.settled)
            for state in states:
                self.visit(steppers[index], location, state)
        given = given_by(self.program, proof.contexts, lambda *place: self.states.get(place, ()))
        settle_threads(self.settled, self, self.threads, self._is_made_once, given)
        self.settled.has_blocks = any(origin.kind is ObjectKind.HEAP for origin in self.objects.origins)
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
        for states in (*self.states.values(), *self.returns.values()):
            for state in states:
                self._check_owned(state)
        self._check_sharing()

    def _summaries(self) -> Summaries:
        """What calls do, and which threads start which, as far as the proof does not say it."""
        proof = self.proof
        calls = ((call[0], called) for call, called in proof.calls.items())
        made = made_by(proof.contexts, calls, lambda context: made_in(context, self.objects))
        starting = {index for index, objs in made.items() if starts_threads(objs, self.objects)}
        functions: dict[int | None, set[str]] = {}
        children: dict[int | None, set[int]] = {}
        for context in proof.contexts:
            functions.setdefault(context.thread, set()).add(context.function)
        for index, location, _ in proof.starts:
            creator = proof.contexts[index]
            thread = self.objects.thread(creator.function, location, creator.maker)
            children.setdefault(creator.thread, set()).add(thread)
        return Summaries(made, proof.asked, proof.handled, starting, functions, children)

    def _check_passed_on(self) -> None:
        for (caller, *_), called in self.proof.calls.items():
            if not self.proof.asked[called] <= self.proof.asked[caller]:
                raise RefusedProofError("a question is not passed on")
            if not self.proof.handled[called] <= self.proof.handled[caller]:
                raise RefusedProofError("a lock that a call takes or gives back is not passed on")

    def _check_owned(self, state: AbstractState) -> None:
        """Cells are those of their object; what is not static is known as a whole."""
        for obj, cells in state.memory.items():
            is_whole = self.objects.kind(obj) is ObjectKind.STATIC or self.objects.everything(obj) in cells
            if not is_whole or any(cell.object != obj for cell in cells):
                raise RefusedProofError("a state owns parts of an object")

    def _check_sharing(self) -> None:
        """What is shared leads to nothing else than what is."""
        for cell, value in self.proof.memory.items():
            if self.is_shared(cell.object):
                self._all_shared(value)
        for obj, origin in enumerate(self.proof.origins if self.replaced is not None else ()):
            declared = self.objects.declaration(obj) if origin.kind is ObjectKind.STATIC else None
            for _, number in declared.initial if declared is not None else ():
                place = self.objects.static_place(number)
                if place is not None:
                    self._all_shared(Value(None, (place,)))

    def _all_shared(self, value: Value) -> None:
        for reference, _ in value.places:
            if (
                not self.is_shared(object_of(reference))
                and self.objects.kind(object_of(reference)) is not ObjectKind.THREAD
            ):
                raise RefusedProofError("what a shared object leads to is not shared")

    def graph(self, function: str) -> FunctionGraph:
        """What walking a function needs."""
        return self.graphs[function]

    def arrive(self, context: Context, location: int, state: AbstractState) -> None:
        """Not without being covered."""
        if not self._is_covered(state, self.states.get((context.index, location), ())):
            raise RefusedProofError(f"a state is not covered: {context.function}, location {location}")

    def exit(self, context: Context, state: AbstractState) -> None:
        """Not without being covered."""
        if not self._is_covered(state, self.exits(context)):
            raise RefusedProofError(f"a way out is not covered: {context.function}")

    def exits(self, context: Context) -> Iterable[AbstractState]:
        """Those that the proof has."""
        return self.returns.get(context.index, ())

    def _is_covered(self, state: AbstractState, known: Iterable[AbstractState]) -> bool:
        return any(self._covers(one, state) for one in known)

    def _covers(self, known: AbstractState, state: AbstractState) -> bool:
        """What is not owned any more must be known of memory: if that fails, this one does not cover it."""
        try:
            return covers(known, state, self)
        except _UnknownError:
            return False

    def callee(self, place: Call, edge: Edge, arguments: Sequence[Value], state: AbstractState) -> Context:
        """The context that the proof has for a call."""
        index, _, function, _ = place
        caller = self.proof.contexts[index]
        return self._context(self.proof.calls.get(place), function, caller.thread)

    def starter(self, place: Start, thread: int, creator: Context, state: AbstractState) -> Context:
        """The context that the proof has for a thread."""
        self.threads.start(thread, creator.thread, state.running)
        return self._context(self.proof.starts.get(place), place[2], thread)

    def _context(self, index: int | None, function: str, thread: int | None) -> Context:
        if index is None:
            raise RefusedProofError(f"a call, or the start of a thread, is missing: {function}")
        context = self.proof.contexts[index]
        if context.function != function or context.thread != thread:
            raise RefusedProofError(f"a call, or the start of a thread, leads elsewhere: {function}")
        return context

    def is_root(self, context: Context) -> bool:
        """Whether threads start in a context."""
        return context.index in self.roots

    def asks(self, context: Context, obj: int) -> None:
        """Not without being known."""
        if obj not in self.proof.asked[context.index]:
            raise RefusedProofError("a question is missing")

    def handles(self, context: Context, objs: Collection[int]) -> None:
        """Not without being known."""
        if not self.proof.handled[context.index].issuperset(objs):
            raise RefusedProofError("a lock is taken or given back, and that is not known")

    def write(self, cell: ObjectCell, value: Value) -> None:
        """Not without being known."""
        known = self.memory.get(cell.object, {}).get(cell)
        if known is None or not is_within(value, known):
            raise _UnknownError(f"a write is not known: {self.objects.origins[cell.object]}, {cell}")

    def share(self, obj: int) -> None:
        """Not without being known."""
        if not self.is_shared(obj) and self.objects.kind(obj) is not ObjectKind.THREAD:
            raise _UnknownError("an object is not shared")

    def keep_initial(self, cells: frozenset[ObjectCell]) -> None:
        """Not more than is known."""
        if self.replaced is None or not frozenset(self.replaced) <= cells:
            raise _UnknownError("a static object keeps what it holds")

    def outlive(self, obj: int, thread: int | None) -> None:
        """Not without being known."""
        if obj not in self.outlived or (thread is not None and obj not in self.outlived_later):
            raise _UnknownError("an object may be gone")

    def locks(self, cells: Iterable[ObjectCell]) -> None:
        """Not without being known."""
        if not all(cell in self.locked for cell in cells):
            raise _UnknownError("a cell is that of a lock")

    def overwrites(self, cells: Iterable[ObjectCell]) -> None:
        """Not without being known."""
        if not all(cell in self.overwritten for cell in cells):
            raise _UnknownError("a cell is overwritten")

    def is_once(self, obj: int) -> bool:
        """Whether there is at most one instance of an object, and the proof rests on that.

        Where a lock has a name although it need not, the states of the proof know it by that name alone.
        """
        is_counted_on = obj in self.proof.once or self.objects.kind(obj) is ObjectKind.STATIC
        return is_counted_on and self._is_made_once(obj)

    def _is_made_once(self, obj: int) -> bool:
        return self.once.is_made_once(self.objects.origins[obj])


class _UnknownError(RefusedProofError):
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
