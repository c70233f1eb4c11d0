"""How threads pass between functions: what a call passes in and hands back, how threads start and end.

A call enters the *context* in which its function is looked at, and continues from each exit that is
known of that context. A thread starts in a context of its own. When it returns from the function
that it started with, it has ended, once the functions have run that the library calls then.

This is a part of what a step does, like ``step``, and there is one statement of it. Iteration,
narrowing and the checker say what becomes of the states that are reached: the engine adds them, and
the checker refuses a proof that does not cover them. There its independence lies: it walks each state
once, adds none, and finds contexts and exits only in the proof.
"""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from functools import partial

from sley.program import instructions as ir
from sley.program.program import PROCESS_END, THREAD_END, Edge
from sley.semantics.abstract.calls import ENDING, Call, Start, entered, first, left, returned, started
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.state import AbstractState, without_token
from sley.semantics.abstract.step import Stepper
from sley.semantics.abstract.threads import finished
from sley.semantics.abstract.values import Value
from sley.semantics.abstract.walk import FunctionGraph, walk
from sley.semantics.abstract.world import World


class Interprocedural(World):
    """Facts in which calls lead to contexts, and threads start in contexts."""

    @abstractmethod
    def graph(self, function: str) -> FunctionGraph:
        """What walking a function needs."""

    @abstractmethod
    def arrive(self, context: Context, location: int, state: AbstractState) -> None:
        """A state is reached at an anchor."""

    @abstractmethod
    def exit(self, context: Context, state: AbstractState) -> None:
        """A function returns in a state."""

    @abstractmethod
    def exits(self, context: Context) -> Iterable[AbstractState]:
        """The states in which a function is known to return."""

    @abstractmethod
    def callee(
        self, place: Call, edge: Edge, arguments: Sequence[Value], state: AbstractState
    ) -> Context | None:
        """The context that a call enters; None: it is not known yet, and the call does not return."""

    @abstractmethod
    def starter(self, place: Start, thread: int, creator: Context, state: AbstractState) -> Context | None:
        """The context in which a thread starts; None: it is not known yet."""

    @abstractmethod
    def is_root(self, context: Context) -> bool:
        """Whether threads start in a context."""

    def begin(self, main: Context) -> None:
        """The first thread starts."""
        self.enter(main, first(self.program.functions[main.function]))

    def visit(self, stepper: Stepper, location: int, state: AbstractState) -> None:
        """Walk from an anchor to the next ones."""
        context = stepper.context
        arrive, leave = partial(self.arrive, context), partial(self.leave, stepper)
        walk(self.graph(context.function), stepper, location, state, arrive, leave)

    def enter(self, context: Context, state: AbstractState, caller: AbstractState | None = None) -> None:
        """A function starts: that of a thread, or one that is called in the caller's state."""
        graph = self.graph(context.function)
        entry = graph.function.entry
        self.arrive(context, entry, graph.relevant(entry, state))

    def call(
        self,
        context: Context,
        edge: Edge,
        function: str,
        arguments: Sequence[Value],
        state: AbstractState,
        *,
        is_ending: bool = False,
    ) -> list[AbstractState]:
        """The states of the caller after a call."""
        called = self.program.functions[function]
        location = ENDING if is_ending else edge.source
        target = None if is_ending else edge.instruction.target  # type: ignore[union-attr]
        token = ("load", context.index, edge.source)
        state = without_token(state, token)
        inside = self.callee((context.index, location, function, state.partition), edge, arguments, state)
        if inside is None:
            return []
        self.enter(inside, entered(state, called, inside.index, arguments, self), state)
        result = None if target is None else (target.term, token)
        contexts = (context.index, inside.index)
        return [
            returned(state, called, last, contexts, arguments, result, self) for last in self.exits(inside)
        ]

    def start(
        self,
        context: Context,
        edge: Edge,
        thread: int,
        function: str,
        arguments: Sequence[Value],
        state: AbstractState,
    ) -> None:
        """A thread starts."""
        inside = self.starter((context.index, edge.source, function), thread, context, state)
        if inside is not None:
            self.enter(inside, started(self.program.functions[function], inside.index, arguments))

    def leave(self, stepper: Stepper, edge: Edge, back: ir.Return, state: AbstractState) -> None:
        """A function returns: to its callers, or as the thread ends."""
        context = stepper.context
        value = None if back.value is None else stepper.value(back.value, state)
        if not self.is_root(context):
            self.exit(context, left(self.program.functions[context.function], value, state))
            return
        last = PROCESS_END if context.thread is None else THREAD_END
        ends = [state]
        if last in self.program.functions:
            ends = self.call(context, edge, last, (), state, is_ending=True)
        for end in ends:
            finished(stepper, edge, value, end)
