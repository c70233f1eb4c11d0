"""Which threads to count: groups whose number shared variables keep account of.

A *balance* is a sum of shared variables that changes with the places of threads only: every place has a
weight, and a step changes the sum by the weight of where it goes less that of where it comes from. So the sum
is what it was at the start, and the weights of all threads; where the weights are positive, that is how many
threads are in a group, as many times as there are groups with larger and larger weights. (The weights are a
place invariant of the net that has places for tokens, K. Lautenbach 1973, here with variables beside them.)

All of this is guessed: that a step changes a variable by a constant may hold because of what a thread has
tested before, and steps that do not fit may be impossible. Whether a balance is kept is shown as that of any
other candidate.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sley.analyses.graphs import reachable
from sley.engines.modular.candidates import facts_at
from sley.engines.modular.thresholds import MOST_GROUPS, MOST_WEIGHTS
from sley.logic.clauses import conjuncts
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort, BoolSort
from sley.logic.terms import Term, Terms
from sley.semantics.groups import COUNT, MANY, ThreadGroup
from sley.semantics.templates import ABSENT_AT, MAIN, TemplateSystem, Transition

Weights = Mapping[int, Mapping[int, int]]
"""Position of a template -> place -> weight."""


@dataclass(frozen=True, slots=True)
class Balance:
    """A sum of shared variables is a constant and the sum of the weights of all threads."""

    variables: Mapping[Term, int]
    """Of the sum, with their factors."""
    weights: Weights
    misfits: tuple[tuple[int, int], ...] = ()
    """Templates and places where some step comes to that does not fit."""

    @property
    def is_exact(self) -> bool:
        """Whether all steps fit, but some of main."""
        return all(position == MAIN for position, _ in self.misfits)

    def worth(self, system: TemplateSystem) -> int:
        """The smaller the better."""
        return 2 * (not self.is_exact) + any(group.is_lasting for _, group in self.levels(system))

    def levels(self, system: TemplateSystem) -> list[tuple[int, ThreadGroup]]:
        """Groups and factors: the sum of the weights of threads that are many is that of these numbers."""
        many = {t.position for t in system.replicated}
        weights = {
            (position, place): weight
            for position, of_places in self.weights.items()
            if position in many
            for place, weight in of_places.items()
        }
        found: list[tuple[int, ThreadGroup]] = []
        for sign in (1, -1):
            reached = 0
            for level in sorted({sign * w for w in weights.values() if sign * w > 0}):
                inside = tuple(sorted(at for at, weight in weights.items() if sign * weight >= level))
                found.append((sign * (level - reached), ThreadGroup(inside)))
                reached = level
        return found


def balances(system: TemplateSystem) -> list[Balance]:
    """The best first, and no more groups than are counted.

    Best are those where all steps fit and no group is lasting; sums of two variables are balanced only if
    these are not, alone. Where main counts nothing, there is no bound to how many threads have ended, and
    what counts them wraps around.
    """
    changes = _changes(system)
    found = [balance for v in changes for balance in _balanced(system, {v: 1}, changes)]
    of_workers = _of_workers(system)
    if not any(v in of_workers for balance in found for v in balance.variables):
        return []
    is_bounded = any(v not in of_workers for balance in found for v in balance.variables)
    alone = {v for balance in found if balance.worth(system) == 0 for v in balance.variables}
    rest = [v for v in changes if v not in alone]
    for one, other in combinations(rest, 2):
        if system.terms.sort(one) == system.terms.sort(other):
            for factor in (-1, 1):
                of_both = _balanced(system, {one: 1, other: factor}, changes)
                found += [b for b in of_both if b.worth(system) == 0 and not b.misfits]
    found.sort(key=lambda balance: balance.worth(system))
    groups: dict[ThreadGroup, None] = {}
    kept: list[Balance] = []
    for balance in found:
        wanted = groups | {group: None for _, group in balance.levels(system)}
        is_known = any(balance.variables.keys() <= other.variables.keys() for other in kept)
        is_new = not is_known or (balance.is_exact and is_bounded)
        if len(wanted) <= MOST_GROUPS and is_new:
            groups = wanted
            kept.append(balance)
    return kept


def groups_of(system: TemplateSystem, found: Sequence[Balance]) -> tuple[ThreadGroup, ...]:
    """The groups that balances speak of."""
    return tuple(dict.fromkeys(group for balance in found for _, group in balance.levels(system)))


# --- by how much steps change variables ---------------------------------------------------------------------

Changes = dict[Term, list[tuple[Transition, int | None]]]
"""Shared variable -> for each step by how much it changes it; None: main sets it anew."""


def _changes(system: TemplateSystem) -> Changes:
    """Of the variables that workers change by constants, and by nothing else."""
    known = {t.position: dict(facts_at(system, t)) for t in system.templates}
    steps = [
        step
        for template in system.templates
        for step in system.transitions(template)
        if not step.ends_process and step.target not in system.code.errors
    ]
    found: Changes = {}
    for variable in system.shared:
        if not isinstance(system.terms.sort(variable), BitVecSort):
            continue
        if not any(variable in step.updates for step in steps):
            continue
        changes = [(step, _change(system.terms, step, variable, known)) for step in steps]
        is_counted = all(change is not None or step.thread == MAIN for step, change in changes)
        if is_counted and any(change for _, change in changes):
            found[variable] = changes
    return found


def _of_workers(system: TemplateSystem) -> set[Term]:
    """The variables that not only main changes."""
    return {v for template in system.workers for step in system.transitions(template) for v in step.updates}


def _change(
    terms: Terms, step: Transition, variable: Term, known: Mapping[int, Mapping[int, Sequence[Term]]]
) -> int | None:
    """By what constant a step changes a variable, as far as what is the same as the variable tells."""
    value = step.updates.get(variable)
    if value is None:
        return 0
    facts = conjuncts(terms, (*step.guard, *known[step.thread].get(step.source, ())))
    pairs = (terms.args(fact) for fact in facts if terms.op(fact) is Op.EQ)
    same = {a: variable for pair in pairs for a, b in (pair, pair[::-1]) if b == variable and terms.is_var(a)}
    difference = terms.sub(terms.substitute(value, same), variable)
    if any(not isinstance(terms.sort(v), BitVecSort | BoolSort) for v in terms.variables(difference)):
        return None
    values = {_at_sample(terms, difference, number) for number in range(4)}
    return _signed(values.pop(), terms.width(variable)) if len(values) == 1 else None


def _at_sample(terms: Terms, term: Term, number: int) -> int:
    """The value of a term for certain values of its variables."""
    sample = {
        v: bool((index + number) % 2)
        if terms.is_boolean(v)
        else (0x9E3779B97F4A7C15 * (number + 1) * (index + 2) * (index + 3) >> 7) % (1 << terms.width(v))
        for index, v in enumerate(terms.variables(term))
    }
    return int(terms.evaluate(term, sample))


def _signed(number: int, width: int) -> int:
    return number - (1 << width) if number >> (width - 1) else number


# --- weights ------------------------------------------------------------------------------------------------


def _balanced(system: TemplateSystem, factors: Mapping[Term, int], changes: Changes) -> Iterator[Balance]:
    """The balance of a sum, for new threads that have no weight, else for such as have one."""
    steps: list[tuple[Transition, int]] = []
    for parts in zip(*(changes[v] for v in factors), strict=True):
        amounts = [(change or 0) * f for (_, change), f in zip(parts, factors.values(), strict=True)]
        steps.append((parts[0][0], sum(amounts)))
    steps.sort(key=lambda step: not step[1])
    found = [Balance(factors, *_weights(system, steps, start)) for start in (0, 1, -1)]
    useful = [b for b in found if 0 < len(b.levels(system)) <= MOST_WEIGHTS]
    useful.sort(key=lambda balance: (not balance.is_exact, len(balance.misfits)))
    yield from useful[:1]


def _weights(
    system: TemplateSystem, steps: Sequence[tuple[Transition, int]], start: int
) -> tuple[Weights, tuple[tuple[int, int], ...]]:
    """Weights from place to place, and where steps do not fit; ``start`` is that of a new thread of many."""
    first = {t.position: start if t.is_replicated else 0 for t in system.templates}
    found: dict[int, dict[int, int]] = {
        t.position: {
            ABSENT_AT: 0,
            system.program.functions[t.function].entry: first[t.position],
        }
        for t in system.templates
    }
    misfits: dict[tuple[int, int], None] = {}
    waiting = [(position, place) for position, places in found.items() for place in places]
    while waiting:
        position, place = waiting.pop(0)
        for step, change in steps:
            if (step.thread, step.source) != (position, place):
                continue
            given = 0 if step.created is None else first[system.template(step.created).position]
            weight = found[position][place] + change - given
            if step.target not in found[position]:
                waiting.append((position, step.target))
            if found[position].setdefault(step.target, weight) != weight:
                misfits[position, step.target] = None
    return found, tuple(misfits)


# --- candidates ---------------------------------------------------------------------------------------------


def count_candidates(system: TemplateSystem, found: Sequence[Balance]) -> list[Term]:
    """What balances say, that their variables are not negative, and that groups have one member at most."""
    t = system.terms
    none, one, many = (t.bv(number, COUNT.width) for number in (0, 1, MANY >> 1))
    bounds = [t.ule(system.number(g), many) for g in system.counted if g.is_lasting]
    equations = [equation for balance in found for equation in _equations(system, balance)]
    variables = dict.fromkeys(v for balance in found for v in balance.variables)
    signs = [t.sle(t.bv(0, t.width(variable)), variable) for variable in variables]
    bounds += [t.or_(t.not_(_is_early(system)), t.eq(system.number(g), none)) for g in system.counted]
    return [*equations, *signs, *bounds, *(t.ule(system.number(group), one) for group in system.counted)]


def _equations(system: TemplateSystem, balance: Balance) -> Iterator[Term]:
    """The balance, with what its variables are at the start, or from when main sets one of them anew."""
    t = system.terms
    start = system.initial_values()
    given = {v: start[v] for v in balance.variables if v in start}
    amiss = t.or_(*(_is_at(system, MAIN, place) for position, place in balance.misfits if position == MAIN))
    kept = set(system.shared).difference(balance.variables)
    if len(given) == len(balance.variables):
        yield t.or_(amiss, _equation(system, balance, given))
    for step in system.transitions(system.templates[MAIN]):
        anew = {
            v: value
            for v, value in step.updates.items()
            if v in balance.variables and (t.is_const(value) or (value in kept and value not in step.updates))
        }
        if anew and all(v in given or v in anew for v in balance.variables):
            before = t.or_(*(_is_at(system, MAIN, place) for place in _before(system, step.source)))
            yield t.or_(amiss, before, _equation(system, balance, {**given, **anew}))


def _is_early(system: TemplateSystem) -> Term:
    """That main is where no thread was created."""
    steps = list(system.transitions(system.templates[MAIN]))
    onwards: dict[int, list[int]] = {}
    for step in steps:
        onwards.setdefault(step.source, []).append(step.target)
    late = reachable((step.target for step in steps if step.created is not None), onwards)
    early = (place for place in onwards if place not in late)
    return system.terms.or_(*(_is_at(system, MAIN, place) for place in early))


def _is_at(system: TemplateSystem, position: int, place: int) -> Term:
    return system.terms.eq(system.at(position), system.place(place))


def _before(system: TemplateSystem, place: int) -> list[int]:
    """Where main is before it leaves a place for the last time."""
    back: dict[int, list[int]] = {}
    for step in system.transitions(system.templates[MAIN]):
        back.setdefault(step.target, []).append(step.source)
    return sorted(reachable((place,), back))


def _equation(system: TemplateSystem, balance: Balance, start: Mapping[Term, Term]) -> Term:
    """Variables less what they were are the weights of all threads."""
    t = system.terms
    width = t.width(next(iter(balance.variables)))
    zero = t.bv(0, width)
    changed = zero
    for variable, factor in balance.variables.items():
        since = t.sub(variable, start[variable])
        changed = t.add(changed, since) if factor > 0 else t.sub(changed, since)
    weights = zero
    for factor, group in balance.levels(system):
        weights = t.add(
            weights, t.mul(t.bv(factor, width), t.resize(system.number(group), width, signed=False))
        )
    for template in (system.templates[MAIN], *system.singles):
        for place, weight in balance.weights[template.position].items():
            is_there = _is_at(system, template.position, place)
            weights = t.add(weights, t.ite(is_there, t.bv(weight, width), zero))
    return t.eq(changed, weights)
