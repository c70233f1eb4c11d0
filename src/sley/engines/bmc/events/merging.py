"""Paths that meet: one state of several at the same position."""

from sley.engines.bmc.events.graph import START
from sley.engines.bmc.events.sections import merged_locks
from sley.engines.bmc.events.states import Entry, NodeBuilder, ThreadState
from sley.logic.terms import Term
from sley.semantics.roles import ThreadRole


def merged(states: list[ThreadState], nodes: NodeBuilder) -> ThreadState:
    """The state that all of them are, each under its own condition."""
    if len(states) == 1:
        return states[0]
    first = states[0]
    if not all(state.is_alone for state in states):
        for state in states:
            nodes.flush_alone(state)
    first.guard, own = nodes.conditions.met([state.guard for state in states])
    first.values = _merged_values(states, own, nodes)
    first.view = _merged_views(states, own, nodes)
    first.locks = merged_locks(states)
    if any(state.successes != first.successes for state in states):
        first.successes, first.rounds = (), {}
    first.rounds = {
        head: round_
        for head, round_ in first.rounds.items()
        if all(state.rounds.get(head) is round_ for state in states)
    }
    if nodes.flows is not None:
        first.flow = nodes.flows.merged([state.flow for state in states], own)
    return first


def _merged_values(states: list[ThreadState], own: list[Term], nodes: NodeBuilder) -> dict[Term, Term]:
    variables, values = nodes.variables, dict[Term, Term]()
    live = {
        variables.vocabulary.register(variables.thread, register)
        for register in nodes.code.live.get(states[0].location, ())
    }
    for variable in dict.fromkeys(v for state in states for v in state.values):
        if variable in live or not isinstance(nodes.terms.symbol(variable), ThreadRole):
            held = [variables.local(state.values, variable) for state in states]
            values[variable] = nodes.conditions.chosen(own, held)
    return values


def _merged_views(states: list[ThreadState], own: list[Term], nodes: NodeBuilder) -> dict[Term, Entry]:
    t, view = nodes.terms, dict[Term, Entry]()
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
