"""Guesses about what variables hold: the handle of a thread that exists, one of a few constants."""

from collections.abc import Iterable, Iterator
from itertools import permutations

from sley.engines.modular.candidates import facts_at
from sley.engines.modular.thresholds import MOST_VALUES
from sley.engines.modular.views import SystemViews
from sley.evidence.modular.proof import View
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, BitVecSort
from sley.logic.terms import Term, Terms
from sley.semantics.roles import CellRole
from sley.semantics.templates import ABSENT_AT, EXITED_AT, MAIN, TemplateSystem


def shared_candidates(views: SystemViews) -> dict[View, list[Term]]:
    """Conjuncts for each view."""
    values = [*_values(views.system), *_truths(views.system)]
    owners = sorted(owner_cells(views.system))
    prepared = list(_prepared(views.system))
    found: dict[View, list[Term]] = {}
    for view in views.views:
        threads = (MAIN, *views.instances(view))
        begun = (f for thread in threads[1:] for f in _since_creation(views.system, prepared, thread))
        held = (
            fact for cell in owners for thread in threads for fact in _not_held(views.system, cell, thread)
        )
        few = (fact for thread in threads for fact in _register_values(views.system, thread))
        found[view] = list(dict.fromkeys((*values, *begun, *held, *few)))
    return found


def _not_held(system: TemplateSystem, cell: Term, thread: int) -> Iterator[Term]:
    """That a variable does not hold the handle of a thread, where that is."""
    t = system.terms
    is_other = t.ne(cell, system.vocabulary.identity(thread, t.width(cell)))
    for place in (
        *system.stops(system.template(thread)),
        EXITED_AT,
        *(() if thread == MAIN else (ABSENT_AT,)),
    ):
        yield t.or_(t.ne(system.at(thread), system.place(place)), is_other)


def _truths(system: TemplateSystem) -> Iterator[Term]:
    """That something is so, or not so, where main is."""
    t = system.terms
    for variable in system.shared:
        if t.sort(variable) == BOOL:
            for place in (*system.stops(system.templates[MAIN]), EXITED_AT):
                elsewhere = t.ne(system.at(MAIN), system.place(place))
                yield from (t.or_(elsewhere, variable), t.or_(elsewhere, t.not_(variable)))


def _prepared(system: TemplateSystem) -> Iterator[Term]:
    """What main knows of memory where it creates threads; its registers may be known by what they equal."""
    t, main = system.terms, system.templates[MAIN]
    registers = {system.vocabulary.register(MAIN, r) for r in system.vocabulary.threads[MAIN].registers}
    known = dict(facts_at(system, main))
    for place in dict.fromkeys(one.source for one in system.transitions(main) if one.created is not None):
        facts = known.get(place, [])
        equal = {
            one: other
            for fact in facts
            for one, other in permutations(t.args(fact) if t.op(fact) is Op.EQ else (), 2)
            if one in registers and not registers.intersection(t.variables(other)) and not t.is_const(other)
        }
        for fact in facts:
            meant = t.substitute(fact, equal)
            if meant != t.true and not registers.intersection(t.variables(meant)):
                yield meant


def _since_creation(system: TemplateSystem, prepared: Iterable[Term], thread: int) -> Iterator[Term]:
    """That what main has prepared is so while a thread exists."""
    t, places = system.terms, (ABSENT_AT, EXITED_AT)
    is_nowhere = t.or_(*(t.eq(system.at(thread), system.place(place)) for place in places))
    return (t.or_(is_nowhere, fact) for fact in prepared)


def _values(system: TemplateSystem) -> Iterator[Term]:
    """That a variable is one of the constants that it is set to."""
    t, known = system.terms, system.initial_values()
    assigned = {v: {known[v]} for v in system.shared if v in known and isinstance(t.sort(v), BitVecSort)}
    for template in system.templates:
        for transition in system.transitions(template):
            for variable, value in transition.updates.items():
                if variable in assigned:
                    assigned[variable] |= _leaves(t, value) - {variable}
    places = {system.at(template.position) for template in system.templates}
    for variable, values in assigned.items():
        if variable not in places and len(values) <= MOST_VALUES and all(t.is_const(v) for v in values):
            yield t.or_(*(t.eq(variable, value) for value in sorted(values)))


def _register_values(system: TemplateSystem, thread: int) -> Iterator[Term]:
    """That a register is one of the constants that it is set to, wherever it is read again."""
    t, template = system.terms, system.template(thread)
    renaming = system.renaming(template.position, thread) if thread != template.position else {}
    steps = list(system.transitions(template))
    for register in system.vocabulary.threads[template.position].registers:
        variable = system.vocabulary.register(template.position, register)
        values = {v for one in steps for v in _leaves(t, one.updates.get(variable, variable))} - {variable}
        places = [p for p in system.stops(template) if register in system.code.live.get(p, ())]
        if places and 0 < len(values) <= MOST_VALUES and all(map(t.is_const, values)):
            is_one = t.or_(*(t.eq(variable, value) for value in sorted(values)))
            nowhere = t.and_(*(t.ne(system.at(template.position), system.place(p)) for p in places))
            yield t.substitute(t.or_(nowhere, is_one), renaming)


def owner_cells(system: TemplateSystem) -> frozenset[Term]:
    """The shared variables that are 0 or hold a handle: every step leaves, clears or claims them."""
    t = system.terms
    candidates = {v: False for v in system.shared if isinstance(t.sort(v), BitVecSort)}
    for template in system.templates:
        for transition in system.transitions(template):
            for variable, value in transition.updates.items():
                if variable not in candidates:
                    continue
                width = t.width(variable)
                own = system.vocabulary.identity(template.position, width)
                leaves = _leaves(t, value)
                if leaves <= {t.bv(0, width), own, variable}:
                    candidates[variable] |= own in leaves
                else:
                    del candidates[variable]
    return frozenset(variable for variable, is_claimed in candidates.items() if is_claimed)


def at_rest(system: TemplateSystem) -> dict[Term, dict[Term, Term]]:
    """For each lock: that variables have their first values while it is free."""
    t, start = system.terms, system.initial_values()
    locks = owner_cells(system)
    changed = {v for worker in system.workers for one in system.transitions(worker) for v in one.updates}
    cells = (v for v in system.shared if isinstance(t.symbol(v), CellRole) and v in changed - locks)
    values = {v: start[v] for v in cells if v in start and t.is_const(start[v])}
    return {lock: dict(values) for lock in sorted(locks)} if values else {}


def rest_claim(terms: Terms, lock: Term, variable: Term, value: Term) -> Term:
    """That a variable has a value while a lock is free."""
    return terms.or_(terms.ne(lock, terms.bv(0, terms.width(lock))), terms.eq(variable, value))


def _leaves(terms: Terms, value: Term) -> set[Term]:
    """What a choice may be."""
    found: set[Term] = set()
    waiting = [value]
    while waiting:
        term = waiting.pop()
        if terms.op(term) is Op.ITE:
            waiting.extend(terms.args(term)[1:])
        else:
            found.add(term)
    return found
