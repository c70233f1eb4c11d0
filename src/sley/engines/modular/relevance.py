"""Which variables an invariant can need: those that decide a branch, and what these are computed from."""

from collections.abc import Iterable

from sley.engines.modular.views import Obligation, Views
from sley.logic.terms import Term


def relevant_variables(views: Views, obligations: Iterable[Obligation]) -> frozenset[Term]:
    """Variables that a constraint mentions, history, and what new values of relevant variables mention.

    If one copy of a thread has the variable, so have all.
    """
    system, t = views.system, views.terms
    first: dict[Term, Term] = {}
    for position in range(system.size):
        if position:
            first |= system.renaming(position, system.template(position).position)
    sources: dict[Term, set[Term]] = {}
    found: dict[Term, None] = {system.changer(variable): None for variable in system.watched}
    given = set(system.facts(range(system.size)))
    for obligation in obligations:
        for constraint in obligation.constraints:
            if constraint not in given:  # what is always so tells nothing
                found.update({first.get(v, v): None for v in t.variables(constraint)})
        for variable, value in obligation.updates.items():
            known = sources.setdefault(first.get(variable, variable), set())
            known.update(first.get(v, v) for v in t.variables(value))
    waiting = list(found)
    while waiting:
        for source in sorted(sources.get(waiting.pop(), ())):
            if source not in found:
                found[source] = None
                waiting.append(source)
    copies = {v for v, original in first.items() if original in found}
    return frozenset((*found, *copies))
