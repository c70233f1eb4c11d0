"""Paths that meet: one state of several at the same position."""

from sley.engines.bmc.events.conditions import Conditions
from sley.engines.bmc.events.graph import START
from sley.engines.bmc.events.sections import merged_locks
from sley.engines.bmc.events.states import Entry, Nodes, State
from sley.engines.bmc.events.variables import Variables
from sley.logic.terms import Term
from sley.semantics.code import Code
from sley.semantics.roles import ThreadRole


class Merging:
    """Makes one state of several at the same position."""

    def __init__(self, code: Code, conditions: Conditions, variables: Variables, nodes: Nodes) -> None:
        self.code = code
        self.terms = code.program.terms
        self.conditions = conditions
        self.variables = variables
        self.nodes = nodes

    def merged(self, states: list[State]) -> State:
        """The state that all of them are, each under its own condition."""
        if len(states) == 1:
            return states[0]
        first = states[0]
        if not all(state.is_alone for state in states):
            for state in states:
                self.nodes.flush_alone(state)
        first.guard, own = self.conditions.met([state.guard for state in states])
        first.values = self._merged_values(states, own)
        first.view = self._merged_views(states, own)
        first.locks = merged_locks(states)
        return first

    def _merged_values(self, states: list[State], own: list[Term]) -> dict[Term, Term]:
        t, values = self.terms, dict[Term, Term]()
        live = {
            self.variables.vocabulary.register(self.variables.thread, register)
            for register in self.code.live.get(states[0].location, ())
        }
        for variable in dict.fromkeys(v for state in states for v in state.values):
            if isinstance(t.symbol(variable), ThreadRole) and variable not in live:
                continue
            held = [self.variables.local(state.values, variable) for state in states]
            values[variable] = self.conditions.chosen(own, held)
        return values

    def _merged_views(self, states: list[State], own: list[Term]) -> dict[Term, Entry]:
        t, view = self.terms, dict[Term, Entry]()
        for variable in dict.fromkeys(v for state in states for v in state.view):
            condition, value, location = t.false, None, START
            for state, mine in zip(reversed(states), reversed(own), strict=True):
                entry = state.view.get(variable)
                condition = t.ite(mine, t.false if entry is None else entry.condition, condition)
                if entry is not None:
                    value = entry.value if value is None else t.ite(mine, entry.value, value)
                    location = entry.location
            assert value is not None
            view[variable] = Entry(condition, value, location)
        return view
