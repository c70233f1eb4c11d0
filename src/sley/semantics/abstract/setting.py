"""Where instructions are executed: in a context, beside a world that hears of what they do."""

from sley.logic.sorts import BoolSort, Sort, width_of
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import Edge, Program
from sley.program.properties import Property
from sley.semantics.abstract.contexts import Context
from sley.semantics.abstract.evaluation import Evaluation
from sley.semantics.abstract.objects import ObjectKind
from sley.semantics.abstract.refinement import Registers
from sley.semantics.abstract.state import AbstractState, without_token
from sley.semantics.abstract.values import Reference, Token, Value, is_recent, named, object_of
from sley.semantics.abstract.world import Doubt, Listener, World


class Setting:
    """What all instructions of one context have in common."""

    def __init__(
        self,
        program: Program,
        context: Context,
        world: World,
        properties: frozenset[Property],
        listener: Listener | None = None,
    ) -> None:
        self.program = program
        self.terms = program.terms
        self.context = context
        self.world = world
        self.listener = listener or Listener()
        self.objects = world.objects
        self.evaluation = Evaluation(
            program, world.objects, context.function, lambda one: self.is_alive(one, self._state)
        )
        self.properties = properties
        self.pointer_size = program.pointers.width // 8
        self._state = AbstractState({}, {})
        """That of which values are asked."""

    def value(self, term: Term, state: AbstractState) -> Value:
        """What a term may be."""
        self._state = state
        return self.evaluation.value(term, state.registers)

    def refined(self, condition: Term, state: AbstractState, *, holds: bool) -> Registers | None:
        """What is known of registers if the condition holds, or does not; None: that cannot be."""
        self._state = state
        return self.evaluation.refinement.refined(condition, state.registers, holds=holds)

    def checks(self, edge: Edge, prop: Property, doubt: Doubt | None) -> None:
        """An instruction may be wrong, or, without doubt, is right."""
        self.listener.checks(self.context, edge, prop, doubt)

    def is_wide(self, sort: Sort) -> bool:
        """Whether an address fits into a scalar."""
        return not isinstance(sort, BoolSort) and width_of(sort) >= self.program.pointers.width

    def token(self, edge: Edge) -> Token:
        """The name of what an instruction makes."""
        return "load", self.context.index, edge.source

    def named(self, edge: Edge, register: Term, value: Value, state: AbstractState) -> AbstractState:
        """The state in which what is in a register has a name."""
        token = self.token(edge)
        self.listener.names(token, value)
        state = without_token(state, token)
        return state._replace(registers={**state.registers, register: named(value, token)})

    def is_alive(self, reference: Reference, state: AbstractState) -> bool:
        """Whether the instance of an object has surely not ended."""
        obj = object_of(reference)
        kind = self.objects.kind(obj)
        if kind is ObjectKind.STATIC:
            return True
        if kind is ObjectKind.THREAD_LOCAL:
            return not self.world.is_outlived(obj)
        if kind not in (ObjectKind.LOCAL, ObjectKind.HEAP):
            return False
        self.world.asks(self.context, obj)
        gone = state.dead if is_recent(reference) else state.old_dead
        if obj in gone:
            return False
        if is_recent(reference) and (kind is ObjectKind.LOCAL or obj in state.memory):
            return True  # an object is ended by threads that know it, and a thread leaves its own variables
        # the first thread knows what it has ended of what it made last; of others there may be several
        is_first = is_recent(reference) and self.context.thread is None
        return not self.world.is_outlived(obj, not_by_first=is_first)


def with_register(state: AbstractState, register: ir.Register, value: Value) -> AbstractState:
    """The state after an assignment."""
    return state._replace(registers={**state.registers, register.term: value})
