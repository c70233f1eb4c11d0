"""Guesses that can be read off the program: what a thread has just tested or assigned is so where it goes.

A fact that a transition establishes is a candidate at its target, and further on along transitions that
change none of its variables. Where paths meet, what one of them established may hold only under what it
tested. Whether other threads leave a candidate alone is not asked here.
"""

from collections.abc import Iterator

from sley.evidence.modular import View, Views
from sley.logic.sorts import BitVecSort, BoolSort
from sley.logic.terms import Term
from sley.semantics.templates import Template, TemplateSystem, Transition

MOST_AT_A_PLACE = 16
"""Candidates that are looked at for one place."""

MOST_TESTS = 4
"""So many of them serve as conditions of others."""


def candidates(views: Views) -> dict[View, list[Term]]:
    """Conjuncts for each view."""
    t, system = views.terms, views.system
    facts = {template.position: dict(_facts(system, template)) for template in system.templates}
    found: dict[View, list[Term]] = {}
    for view in views.views:
        shared = (template.position for template in system.templates if not template.is_many)
        conjuncts: dict[Term, None] = {}
        for position in dict.fromkeys((*shared, *views.instances(view))):
            template = system.template(position)
            if not template.is_many and position not in (0, *view):
                continue
            renaming = system.renaming(template.position, position) if position else {}
            for place, terms in facts[template.position].items():
                elsewhere = t.ne(system.at(position), system.place(place))
                conjuncts.update({t.or_(elsewhere, t.substitute(term, renaming)): None for term in terms})
        found[view] = list(conjuncts)
    return found


def _facts(system: TemplateSystem, template: Template) -> Iterator[tuple[int, list[Term]]]:
    """For each place of a template what may be so there."""
    t = system.terms
    allowed = {*system.shared, *(system.own(template.position) if template.position else ())}
    transitions = [one for one in system.transitions(template) if one.target not in system.code.errors]
    found: dict[int, dict[Term, None]] = {}
    waiting: list[int] = []
    for transition in transitions:
        for fact in _established(system, transition):
            if fact not in (t.true, t.false) and all(v in allowed for v in t.variables(fact)):
                found.setdefault(transition.target, {})[fact] = None
        waiting.append(transition.target)
    while waiting:
        place = waiting.pop()
        for transition in transitions:
            if transition.source == place:
                known = found.setdefault(transition.target, {})
                before = len(known)
                for fact in found.get(place, {}):
                    is_kept = all(v not in transition.updates for v in t.variables(fact))
                    if is_kept and len(known) < MOST_AT_A_PLACE:
                        known[fact] = None
                if len(known) > before:
                    waiting.append(transition.target)
    for place, facts in found.items():
        tested = list(facts)[:MOST_TESTS]
        weaker = [t.or_(t.not_(test), fact) for test in tested for fact in facts if fact != test]
        yield place, list(dict.fromkeys((*facts, *weaker)))


def _established(system: TemplateSystem, transition: Transition) -> Iterator[Term]:
    """What is so after a transition because of what it tested and assigned.

    Terms over the variables before are rewritten to those after: what was copied into a variable is now that
    variable, what was not assigned is what it was. What cannot be rewritten tells nothing.
    """
    t = system.terms
    assigned = transition.updates
    after = {v: v for v in (*system.shared, *_own(system, transition)) if v not in assigned}
    after |= {value: v for v, value in assigned.items() if t.is_var(value) and value not in after}
    copies = {value: v for v, value in assigned.items() if t.is_var(value)}
    for part in transition.guard:
        for renaming in (after, after | copies):
            if all(v in renaming for v in t.variables(part)):
                yield t.substitute(part, renaming)
    for variable, value in assigned.items():
        if not isinstance(t.sort(value), BitVecSort | BoolSort):
            continue
        for renaming in (after, after | copies):
            if all(v in renaming for v in t.variables(value)):
                yield t.eq(variable, t.substitute(value, renaming))


def _own(system: TemplateSystem, transition: Transition) -> tuple[Term, ...]:
    return system.own(transition.thread) if transition.thread else ()
