"""Guesses that can be read off the program: what a thread has tested or assigned, and what it will rely on.

A fact that a transition establishes is a candidate at its target, and further on along transitions that
change none of its variables. Where paths meet, what one of them established may hold only under what it
tested. What excludes an error is a candidate before it, and what makes that so before the steps that lead
there. Whether other threads leave a candidate alone is not asked here.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, islice, permutations, product
from types import MappingProxyType

from sley.analyses.graphs import reachable
from sley.engines.modular.thresholds import (
    GUARD_SECONDS,
    MOST_AT_A_PLACE,
    MOST_AT_REST,
    MOST_CONSTANTS,
    MOST_JOINT_NEEDS,
    MOST_NEEDS,
    MOST_PAIRS,
)
from sley.engines.modular.views import SystemViews
from sley.evidence.modular.proof import View
from sley.logic.clauses import disjuncts, fixed_values
from sley.logic.linear import linear_form
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort, BoolSort
from sley.logic.terms import Term, Terms
from sley.program.instructions import Join
from sley.semantics.roles import CellRole
from sley.semantics.templates import (
    ABSENT_AT,
    EXITED_AT,
    MAIN,
    Template,
    TemplateSystem,
    Transition,
)
from sley.semantics.vocabulary import ABSENT, EXITED, GONE, STATUS
from sley.solvers import make_solver
from sley.solvers.port import SolverAnswer

Rest = Mapping[Term, Mapping[Term, Term]]
"""A lock -> the variables that have known values while it is free."""


def candidates(
    views: SystemViews, spend: Callable[[], None] = lambda: None, rest: Rest = MappingProxyType({})
) -> dict[View, list[Term]]:
    """Conjuncts for each view; ``spend`` is called once in a while."""
    t, system = views.terms, views.system
    facts: dict[int, dict[int, list[Term]]] = {}
    all_needs = _needs(system, spend)
    for template in system.templates:
        found_at = facts[template.position] = dict(facts_at(system, template, spend, rest))
        for place, needs in all_needs[template.position].items():
            found_at[place] = [*found_at.get(place, ()), *needs]
    shared_needs = (n for places in all_needs.values() for needs in places.values() for n in needs)
    visible = set(system.shared)
    at_rest = list(_at_rest(system, (n for n in shared_needs if visible.issuperset(t.variables(n)))))
    found: dict[View, list[Term]] = {}
    for view in views.views:
        shared = (template.position for template in system.templates if not template.is_replicated)
        conjuncts: dict[Term, None] = dict.fromkeys(at_rest)
        for position in dict.fromkeys((*shared, *views.instances(view))):
            template = system.template(position)
            if not template.is_replicated and position not in (0, *view):
                continue
            renaming = system.renaming(template.position, position) if position else {}
            for place, terms in facts[template.position].items():
                elsewhere = t.ne(system.at(position), system.place(place))
                useful = (term for term in terms if _is_live(system, template, place, term))
                conjuncts.update({t.or_(elsewhere, t.substitute(term, renaming)): None for term in useful})
        conjuncts.update(dict.fromkeys(_phases(system)))
        found[view] = list(conjuncts)
    return found


def is_without_arithmetic(terms: Terms, term: Term) -> bool:
    """Whether a guess only says what equals what: solvers are quick there, and it often is enough."""
    return all(terms.op(part) in _PLAIN for part in terms.walk((term,)))


_PLAIN = (Op.VAR, Op.CONST, Op.EQ, Op.NOT, Op.AND, Op.OR, Op.EXTRACT)


def _is_live(system: TemplateSystem, template: Template, place: int, term: Term) -> bool:
    """Whether a fact speaks only of registers of the thread that it may still read at a place."""
    dead = _dead(system, template, place)
    return not any(v in dead for v in system.terms.variables(term))


def _phases(system: TemplateSystem) -> Iterator[Term]:
    """While main is at a place, a thread that exists once is not there yet, or has ended."""
    t, main = system.terms, system.templates[MAIN]
    transitions = list(system.transitions(main))
    after = {one.source: [o.target for o in transitions if o.source == one.source] for one in transitions}
    joined = [
        one.target for one in transitions if any(isinstance(e.instruction, Join) for e in one.branch.edges)
    ]
    for single in system.singles:
        yield from _status(system, single.position)
        started = reachable([one.target for one in transitions if one.created == single.position], after)
        for place in system.stops(main):
            elsewhere = t.ne(system.at(MAIN), system.place(place))
            if place not in started:
                yield t.or_(elsewhere, t.eq(system.at(single.position), system.place(ABSENT_AT)))
            elif place in reachable(joined, after):
                yield t.or_(elsewhere, t.eq(system.at(single.position), system.place(EXITED_AT)))


def _status(system: TemplateSystem, position: int) -> Iterator[Term]:
    """The status of a thread, as its joins see it, fits its place."""
    t = system.terms
    at, status = system.at(position), system.vocabulary.status(position)
    for places, values in (((ABSENT_AT,), (ABSENT,)), ((EXITED_AT,), (EXITED, GONE))):
        is_there = t.or_(*(t.eq(at, system.place(place)) for place in places))
        is_so = t.or_(*(t.eq(status, t.const(value, STATUS)) for value in values))
        yield from (t.implies(is_there, is_so), t.implies(is_so, is_there))


def facts_at(
    system: TemplateSystem,
    template: Template,
    spend: Callable[[], None] = lambda: None,
    rest: Rest = MappingProxyType({}),
) -> Iterator[tuple[int, list[Term]]]:
    """For each place of a template what may be so there."""
    t = system.terms
    transitions = list(_possible(system, template))
    tested: dict[int, list[Term]] = {}
    made: dict[int, list[Term]] = {}
    for one in transitions:
        spend()
        tested[id(one)] = list(_rewritten(system, one, one.guard))
        made[id(one)] = [*tested[id(one)], *assigned_facts(system, one)]
    all_tests = {test for tests in tested.values() for test in tests}
    found: dict[int, dict[Term, None]] = {}
    waiting = list(transitions)
    while waiting:
        transition = waiting.pop(0)
        spend()
        known = found.setdefault(transition.target, {})
        before = len(known)
        if before >= MOST_AT_A_PLACE:
            continue
        computed = (
            *_computed(system, transition, found, rest),
            *_explained(system, transition, found),
            *_moved(system, transition, found),
        )
        for fact in (*made[id(transition)], *_kept(t, transition, found), *computed):
            if len(known) < MOST_AT_A_PLACE and _is_live(system, template, transition.target, fact):
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


def _possible(system: TemplateSystem, template: Template) -> Iterator[Transition]:
    """Those that lead to no error, and whose guards do not contradict themselves."""
    solver = make_solver("bitwuzla", system.terms, cores=False, time_limit=GUARD_SECONDS)
    for transition in system.transitions(template):
        if transition.target not in system.code.errors:
            is_plain = len(transition.guard) <= 1
            if is_plain or solver.check(*transition.guard) is not SolverAnswer.UNSAT:
                yield transition


def _moved(
    system: TemplateSystem, transition: Transition, found: dict[int, dict[Term, None]]
) -> Iterator[Term]:
    """What was known of variables that are not read again, of those that they were copied to."""
    t, assigned = system.terms, transition.updates
    dead = _dead(system, system.template(transition.thread), transition.target)
    copies = {value: variable for variable, value in assigned.items() if value in dead}
    for fact in found.get(transition.source, ()) if copies else ():
        variables = t.variables(fact)
        if any(v in copies for v in variables) and all(v in copies or v not in assigned for v in variables):
            yield t.substitute(fact, copies)


def _dead(system: TemplateSystem, template: Template, place: int) -> frozenset[Term]:
    """The registers of a template's thread that are not read again from this place on."""
    return system.dead_registers(template.position, place)


def _needs(system: TemplateSystem, spend: Callable[[], None]) -> dict[int, dict[int, dict[Term, None]]]:
    """For each place what must be so for no error to come: backwards from what excludes one, step by step.

    What a thread needs unless shared variables say otherwise must be so where another one is about to change
    that: ``lock is free implies need`` before the lock is released.
    """
    t, errors = system.terms, system.code.errors
    steps = {w.position: list(system.transitions(w)) for w in system.templates}
    found: dict[int, dict[int, dict[Term, None]]] = {position: {} for position in steps}
    for position, own in steps.items():
        for step in own:
            if step.target in errors and step.guard:
                found[position].setdefault(step.source, {})[t.not_(t.and_(*step.guard))] = None
    waiting = [(position, place) for position, places in found.items() for place in places]
    every = [step for own in steps.values() for step in own if step.target not in errors]
    releases: dict[Term, frozenset[int]] = {}
    while waiting:
        position, place = waiting.pop(0)
        spend()
        needs = tuple(found[position][place])
        releases.update({need: _releases(system, need, every) for need in needs if need not in releases})
        for number, step in enumerate(every):
            leads_here = (step.thread, step.target) == (position, place) and step.source != place
            passed = needs if leads_here else [need for need in needs if number in releases[need]]
            known = found[step.thread].setdefault(step.source, {}) if passed else {}
            before = len(known)
            for need in passed:
                if len(known) < MOST_NEEDS:
                    known.update({n: None for n in _before(t, step, need, known) if n != t.false})
            if len(known) > before:
                waiting.append((step.thread, step.source))
    return {
        position: {place: _disturbable(system, position, known) for place, known in places.items()}
        for position, places in found.items()
    }


def _disturbable(system: TemplateSystem, position: int, needs: Iterable[Term]) -> dict[Term, None]:
    """Needs of an instance with what must be so for them to survive others, as far as it can see that."""
    t = system.terms
    visible = set(system.shared).union(system.own(position) if position else ())
    known = dict.fromkeys(needs)
    disturbing = [other for need in known for other in _disturbed(system, need)]
    return {
        need: None
        for need in (*known, *disturbing)
        if need != t.true and visible.issuperset(t.variables(need))
    }


def _releases(system: TemplateSystem, need: Term, steps: Sequence[Transition]) -> frozenset[int]:
    """Which steps make false what a need over shared variables was not needed for."""
    if not set(system.shared).issuperset(system.terms.variables(need)):
        return frozenset()
    return frozenset(number for number, one in enumerate(steps) if _is_released(system.terms, need, one))


def _is_released(t: Terms, need: Term, step: Transition) -> bool:
    """Whether a step makes false what a need was not needed for."""
    parts = sorted(disjuncts(t, need)) if any(t.mentions(need, v) for v in step.updates) else []
    after = [t.substitute(part, step.updates) for part in parts]
    return t.false in after and any(part != t.false for part in after)


def _before(t: Terms, step: Transition, need: Term, known: Mapping[Term, None]) -> tuple[Term, ...]:
    """What must be so before a step for a need to be met after it: always, or if the step is taken."""
    before, guard = t.substitute(need, step.updates), t.and_(*step.guard)
    return (before,) if guard in known else (before, t.implies(guard, before))


def _at_rest(system: TemplateSystem, needs: Iterable[Term]) -> Iterator[Term]:
    """The needs that a step brings about: they must be met at all times, wherever threads are."""
    steps = [step for worker in system.workers for step in system.transitions(worker)]
    for need in islice(dict.fromkeys(needs), MOST_AT_REST):
        if any(_is_released(system.terms, need, step) for step in steps):
            yield need


def _disturbed(system: TemplateSystem, need: Term) -> Iterator[Term]:
    """What must be so for a need to survive a step of another thread, where shared variables tell."""
    t = system.terms
    shared = set(system.shared)
    for template in system.templates:
        for transition in system.transitions(template):
            changed = {v: e for v, e in transition.updates.items() if v in shared and t.mentions(need, v)}
            if changed and all(shared.issuperset(t.variables(e)) for e in changed.values()):
                yield t.substitute(need, changed)


def _kept(t: Terms, transition: Transition, found: dict[int, dict[Term, None]]) -> list[Term]:
    """The facts at the source whose variables a transition does not assign."""
    return [
        fact
        for fact in found.get(transition.source, {})
        if all(v not in transition.updates for v in t.variables(fact))
    ]


def _computed(
    system: TemplateSystem, transition: Transition, found: dict[int, dict[Term, None]], rest: Rest
) -> Iterator[Term]:
    """Constants that are assigned, or known of others, because of what is known at the source."""
    t = system.terms
    known = fixed_values(t, (*found.get(transition.source, {}), *transition.guard))
    for lock, values in rest.items():
        if known.get(lock) == t.bv(0, t.width(lock)):
            known = {**values, **known}
    there = Counter(t.args(fact)[0] for fact in found.get(transition.target, ()) if _is_constant(t, fact))
    for fact in tuple(found.get(transition.source, {})):
        if t.op(fact) is Op.EQ:
            one, other = t.args(fact)
            known |= {a: known[b] for a, b in ((one, other), (other, one)) if b in known and t.is_var(a)}
    visible = set(_visible(system, transition))
    for variable, value in known.items():
        if variable in visible and variable not in transition.updates:
            yield t.eq(variable, value)
    for variable, value in transition.updates.items():
        constant = t.substitute(value, known)
        if variable in visible and t.is_const(constant) and there[variable] < MOST_CONSTANTS:
            yield t.eq(variable, constant)


def _is_constant(t: Terms, fact: Term) -> bool:
    """Whether a fact says that a variable is a constant."""
    return t.op(fact) is Op.EQ and t.is_var(t.args(fact)[0]) and t.is_const(t.args(fact)[1])


def _explained(
    system: TemplateSystem, transition: Transition, found: dict[int, dict[Term, None]]
) -> Iterator[Term]:
    """What is assigned, where it was computed before into variables that are not read again."""
    t = system.terms
    dead = _dead(system, system.template(transition.thread), transition.target)
    meanings = [
        {variable: value}
        for fact in found.get(transition.source, {})
        for variable, value in permutations(t.args(fact) if t.op(fact) is Op.EQ else (), 2)
        if variable in dead and not t.is_const(value) and not dead.intersection(t.variables(value))
    ]
    for variable, value in transition.updates.items():
        for meaning in meanings if variable in _visible(system, transition) else ():
            explained = t.substitute(value, meaning)
            for term in _rewritten(system, transition, (explained,) if explained != value else ()):
                if t.eq(variable, term) not in (t.true, t.false):
                    yield t.eq(variable, term)


def assigned_facts(system: TemplateSystem, transition: Transition) -> Iterator[Term]:
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
    after |= {v: t.sub(v, by) for v, value in assigned.items() if (by := _added(t, v, value)) is not None}
    copies = {value: v for v, value in assigned.items() if t.is_var(value)}
    for term in terms:
        for renaming in (copies | after, after | copies):
            if all(v in renaming for v in t.variables(term)):
                yield t.substitute(term, renaming)
        yield from _read_back(t, term, assigned, after)


def _read_back(
    t: Terms, term: Term, assigned: Mapping[Term, Term], after: Mapping[Term, Term]
) -> Iterator[Term]:
    """A term with what was computed as the variables that hold it now."""
    holders = {value: v for v, value in assigned.items() if t.args(value)}
    marks = {value: t.var(f"{t.name(v)} after", t.sort(v)) for value, v in holders.items()}
    found = t.substitute(term, marks)
    back = {mark: holders[value] for value, mark in marks.items()}
    if found != term and all(v in back or v in after for v in t.variables(found)):
        yield t.substitute(found, back)


def _added(t: Terms, variable: Term, value: Term) -> Term | None:
    """The constant that is added to a variable, if that is what happens to it."""
    if not isinstance(t.sort(variable), BitVecSort):
        return None
    constant, parts = linear_form(t, value)
    return t.bv(constant, t.width(variable)) if parts == {variable: 1} and constant else None


def _visible(system: TemplateSystem, transition: Transition) -> tuple[Term, ...]:
    return (*system.shared, *(system.own(transition.thread) if transition.thread else ()))


# --- of two threads ---------------------------------------------------------------------------------------


def pair_candidates(views: SystemViews) -> dict[View, list[Term]]:
    """Conjuncts about pairs of threads: where they are not together, and what keeps them apart."""
    return {
        view: list(
            dict.fromkeys(
                conjunct
                for one, other in combinations(views.instances(view), 2)
                for conjunct in _of_pair(views, one, other)
            )
        )
        for view in views.views
    }


def number_candidates(views: SystemViews) -> dict[View, list[Term]]:
    """Conjuncts about numbers that threads have drawn: they differ, and are between shared ones."""
    found: dict[View, list[Term]] = {}
    for view in views.views:
        conjuncts: dict[Term, None] = {}
        for one, other in combinations(views.instances(view), 2):
            conjuncts.update(dict.fromkeys(_distinct(views, one, other)))
        for one in views.instances(view):
            conjuncts.update(dict.fromkeys(_in_turn(views, one)))
        found[view] = list(conjuncts)
    return found


def _of_pair(views: SystemViews, one: int, other: int) -> Iterator[Term]:
    t, system = views.terms, views.system
    needs = _joint_needs(views, one, other)
    for (place, second), terms in needs.items():
        apart = (
            t.ne(system.at(one), system.place(place)),
            t.ne(system.at(other), system.place(second)),
        )
        survivals = (survives for term in terms for survives in _disturbed(system, term))
        for term in (*terms, *survivals):
            yield t.or_(*apart, term)
            mentioned = t.variables(term)
            for alone, absent in zip(apart, (other, one), strict=True):
                if term != t.false and not set(mentioned) & set(system.own(absent)):
                    yield t.or_(alone, term)


def _distinct(views: SystemViews, one: int, other: int) -> Iterator[Term]:
    """What threads of one template have in a register differs, wherever it is read again."""
    t, system = views.terms, views.system
    if system.template(one) != system.template(other):
        return
    renaming = system.renaming(one, other)
    for register in system.vocabulary.threads[one].registers:
        variable = system.vocabulary.register(one, register)
        places = [p for p in system.stops(system.template(one)) if register in system.code.live.get(p, ())]
        if places and isinstance(register.sort, BitVecSort):
            nowhere = [
                t.and_(*(t.ne(system.at(thread), system.place(p)) for p in places)) for thread in (one, other)
            ]
            yield t.or_(*nowhere, t.ne(variable, renaming[variable]))


def _joint_needs(views: SystemViews, one: int, other: int) -> dict[tuple[int, int], dict[Term, None]]:
    """For pairs of places: that threads are not there at once, and what keeps them from coming there."""
    t, system = views.terms, views.system
    first, second = (system.template(thread) for thread in (one, other))
    if len(system.stops(first)) * len(system.stops(second)) > MOST_PAIRS:
        return {}
    found: dict[tuple[int, int], dict[Term, None]] = {
        (a, b): {t.false: None}
        for a in system.stops(first)
        for b in system.stops(second)
        if first != second or a <= b
    }
    waiting = list(found)
    while waiting:
        pair = waiting.pop(0)
        for thread, template, index in ((one, first, 0), (other, second, 1)):
            renaming = system.renaming(template.position, thread)
            for transition in system.transitions(template):
                if transition.target != pair[index]:
                    continue
                before = (transition.source, pair[1]) if index == 0 else (pair[0], transition.source)
                known = found.setdefault(before, {})
                count = len(known)
                guard = t.substitute(t.and_(*transition.guard), renaming)
                updates = {
                    renaming.get(v, v): t.substitute(e, renaming) for v, e in transition.updates.items()
                }
                for need in tuple(found[pair]):
                    earlier = t.implies(guard, t.substitute(need, updates))
                    is_free = any(t.mentions(earlier, v) for v in transition.inputs)
                    if len(known) < MOST_JOINT_NEEDS and earlier != t.true and not is_free:
                        known[earlier] = None
                if len(known) > count:
                    waiting.append(before)
    return found


def _in_turn(views: SystemViews, position: int) -> Iterator[Term]:
    """A number that a thread has drawn lies between two shared ones, as numbers go round.

    It is drawn from the upper one and compared with the lower one.
    """
    t, system = views.terms, views.system
    template = system.template(position)
    renaming = system.renaming(template.position, position)
    shared = {v for v in system.shared if isinstance(t.symbol(v), CellRole)}
    shared.difference_update(map(system.changer, system.watched), map(system.number, system.counted))
    steps = list(system.transitions(template))
    drawn = dict.fromkeys((v, e) for step in steps for v, e in step.updates.items() if e in shared)
    compared = {frozenset(t.variables(part)) for step in steps for part in step.guard}
    for register in system.vocabulary.threads[template.position].registers:
        variable = system.vocabulary.register(template.position, register)
        places = [p for p in system.stops(template) if register in system.code.live.get(p, ())]
        uppers = [value for v, value in drawn if v == variable]
        lowers = [v for v in sorted(shared) if frozenset((v, variable)) in compared]
        for low, high in product(lowers, uppers):
            if places and low != high and t.sort(low) == t.sort(high):
                is_between = t.ult(t.sub(renaming[variable], low), t.sub(high, low))
                nowhere = t.and_(*(t.ne(system.at(position), system.place(p)) for p in places))
                yield t.or_(nowhere, is_between)
