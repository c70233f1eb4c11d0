"""Guesses that can be read off the program: what a thread has tested or assigned, and what it will rely on.

A fact that a transition establishes is a candidate at its target, and further on along transitions that
change none of its variables. Where paths meet, what one of them established may hold only under what it
tested. What excludes an error is a candidate before it, and what makes that so before the steps that lead
there. Whether other threads leave a candidate alone is not asked here.
"""

from collections.abc import Iterator, Sequence

from sley.evidence.modular import View, Views
from sley.logic.sorts import BitVecSort, BoolSort
from sley.logic.terms import Term, Terms
from sley.semantics.templates import Template, TemplateSystem, Transition

MOST_AT_A_PLACE = 16
"""Facts that are carried along to one place."""

MOST_NEEDS = 6
"""Needs that are carried back to one place."""


def candidates(views: Views) -> dict[View, list[Term]]:
    """Conjuncts for each view."""
    t, system = views.terms, views.system
    facts: dict[int, dict[int, list[Term]]] = {}
    for template in system.templates:
        found_at = facts[template.position] = dict(_facts(system, template))
        for place, needs in _needs(system, template).items():
            found_at[place] = [*found_at.get(place, ()), *needs]
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
    transitions = [one for one in system.transitions(template) if one.target not in system.code.errors]
    tested = {id(one): list(_rewritten(system, one, one.guard)) for one in transitions}
    made = {id(one): [*tested[id(one)], *_assigned(system, one)] for one in transitions}
    all_tests = {test for tests in tested.values() for test in tests}
    found: dict[int, dict[Term, None]] = {}
    waiting = list(transitions)
    while waiting:
        transition = waiting.pop()
        known = found.setdefault(transition.target, {})
        before = len(known)
        for fact in (*made[id(transition)], *_kept(t, transition, found)):
            if len(known) < MOST_AT_A_PLACE:
                known[fact] = None
        if len(known) > before:
            waiting.extend(one for one in transitions if one.source == transition.target)
    for place, facts in found.items():
        weaker: dict[Term, None] = {}
        incoming = [one for one in transitions if one.target == place]
        for fact in facts:
            supports = [fact in made[id(o)] or fact in _kept(t, o, found) for o in incoming]
            if not all(supports):
                tests = [
                    test
                    for one, supports_it in zip(incoming, supports, strict=True)
                    if supports_it
                    for test in (*tested[id(one)], *(f for f in _kept(t, one, found) if f in all_tests))
                ]
                weaker.update({t.or_(t.not_(test), fact): None for test in tests if test != fact})
        yield place, [*facts, *weaker]


def _needs(system: TemplateSystem, template: Template) -> dict[int, dict[Term, None]]:
    """For each place what must be so for no error to come: backwards from what excludes one, step by step."""
    t = system.terms
    transitions = list(system.transitions(template))
    found: dict[int, dict[Term, None]] = {}
    for transition in transitions:
        if transition.target in system.code.errors and transition.guard:
            found.setdefault(transition.source, {})[t.not_(t.and_(*transition.guard))] = None
    waiting = list(found)
    while waiting:
        place = waiting.pop(0)
        for transition in transitions:
            if transition.target != place or place in system.code.errors:
                continue
            known = found.setdefault(transition.source, {})
            before = len(known)
            for need in tuple(found[place]):
                if len(known) < MOST_NEEDS and not any(t.mentions(need, v) for v in transition.inputs):
                    known[t.substitute(need, transition.updates)] = None
            if len(known) > before:
                waiting.append(transition.source)
    visible = set(_visible(system, transitions[0])) if transitions else set()
    return {
        place: {need: None for need in needs if need != t.true and visible.issuperset(t.variables(need))}
        for place, needs in found.items()
    }


def _kept(t: Terms, transition: Transition, found: dict[int, dict[Term, None]]) -> list[Term]:
    """The facts at the source whose variables a transition does not assign."""
    return [
        fact
        for fact in found.get(transition.source, {})
        if all(v not in transition.updates for v in t.variables(fact))
    ]


def _assigned(system: TemplateSystem, transition: Transition) -> Iterator[Term]:
    """What was assigned, as equations over the variables after a transition."""
    t = system.terms
    for variable, value in transition.updates.items():
        if isinstance(t.sort(value), BitVecSort | BoolSort) and variable in _visible(system, transition):
            for term in _rewritten(system, transition, (value,)):
                if t.eq(variable, term) not in (t.true, t.false):
                    yield t.eq(variable, term)


def _rewritten(system: TemplateSystem, transition: Transition, terms: Sequence[Term]) -> Iterator[Term]:
    """Terms over the variables before a transition as terms over those after it, in all ways.

    What was copied into a variable is now that variable, what was not assigned is what it was; what cannot be
    rewritten tells nothing.
    """
    t, assigned = system.terms, transition.updates
    after = {v: v for v in _visible(system, transition) if v not in assigned}
    copies = {value: v for v, value in assigned.items() if t.is_var(value)}
    for term in terms:
        for renaming in (copies | after, after | copies):
            if all(v in renaming for v in t.variables(term)):
                yield t.substitute(term, renaming)


def _visible(system: TemplateSystem, transition: Transition) -> tuple[Term, ...]:
    return (*system.shared, *(system.own(transition.thread) if transition.thread else ()))
