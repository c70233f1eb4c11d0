"""Through a function from one *anchor* to the next: join points and others at which states are kept.

Between anchors the paths through a function form trees, so that every edge is walked once from each
state.
"""

from collections.abc import Callable
from functools import cached_property

from sley.analyses.graphs import in_nests, nodes_on_cycles
from sley.analyses.liveness import live_registers
from sley.logic.terms import Term, Terms
from sley.program import instructions as ir
from sley.program.program import Edge, Function
from sley.program.rewriting import written_registers
from sley.semantics.abstract.state import AbstractState
from sley.semantics.abstract.step import Stepper


class FunctionGraph:
    """What walking a function needs to know of it."""

    def __init__(self, terms: Terms, function: Function) -> None:
        self.function = function
        self._terms = terms

    @cached_property
    def anchors(self) -> frozenset[int]:
        """Join points, the entry of the function, and where calls return.

        A call may return in several states, and again when more is known of what is called: what is before
        it is not walked for each of these.
        """
        incoming = self.function.incoming
        joins = (at for at, edges in incoming.items() if len(edges) > 1)
        returning = (
            edge.target
            for edge in self.function.edges
            if isinstance(edge.instruction, ir.Call | ir.CallPointer)
        )
        return frozenset({self.function.entry, *joins, *returning})

    @cached_property
    def on_cycle(self) -> frozenset[int]:
        """Locations to which a path leads back."""
        return nodes_on_cycles(self.function.locations, self.function.successors)

    @cached_property
    def _nests(self) -> tuple[list[int], dict[int, frozenset[int]]]:
        return in_nests((self.function.entry, *self.function.locations), self.function.successors)

    @cached_property
    def ranks(self) -> dict[int, int]:
        """An order in which a loop comes before all that is after it."""
        return {location: rank for rank, location in enumerate(self._nests[0])}

    @cached_property
    def changing(self) -> dict[int, frozenset[Term]]:
        """Loop heads, and the registers that are written in their loops.

        Every cycle goes through the head of a loop.
        """
        outgoing = self.function.outgoing
        return {
            head: frozenset(
                register.term
                for location in loop
                for edge in outgoing.get(location, ())
                if edge.target in loop
                for register in written_registers(edge.instruction)
            )
            for head, loop in self._nests[1].items()
        }

    @cached_property
    def live(self) -> dict[int, frozenset[Term]]:
        """The registers that matter at a location."""
        found = live_registers(self.function, self._terms)
        return {at: frozenset(r.term for r in registers) for at, registers in found.items()}

    def relevant(self, location: int, state: AbstractState) -> AbstractState:
        """The state without registers that do not matter any more."""
        live = self.live[location]
        kept = {register: value for register, value in state.registers.items() if register in live}
        return state._replace(registers=kept)


def walk(
    graph: FunctionGraph,
    stepper: Stepper,
    location: int,
    state: AbstractState,
    arrive: Callable[[int, AbstractState], None],
    leave: Callable[[Edge, ir.Return, AbstractState], None],
) -> None:
    """Take all paths from an anchor to the next ones, or to where the function returns."""
    outgoing, anchors, errors = graph.function.outgoing, graph.anchors, graph.function.errors
    waiting = [(location, state)]
    while waiting:
        location, state = waiting.pop()
        for edge in reversed(outgoing.get(location, ())):
            instruction = edge.instruction
            if isinstance(instruction, ir.Return):
                leave(edge, instruction, state)
                continue
            failure = errors.get(edge.target)
            for following in stepper.after(edge, state):
                if failure is not None:
                    stepper.listener.reaches(stepper.context, edge, failure)
                elif edge.target in anchors:
                    arrive(edge.target, graph.relevant(edge.target, following))
                else:
                    waiting.append((edge.target, following))
