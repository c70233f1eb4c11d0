"""New predicates from a path that is impossible: weakest preconditions of its guards, without thread indices.

The guards that contradict each other are carried backwards along the path; the atoms that they consist of at
each point are predicates over shared variables and the variables of the threads. Those over the variables of
one worker become predicates of its template, for all its threads. Those over two workers' variables say
nothing about a template (``l == l`` would be left of ``l of 1 == l of 2``) and are left out.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sley.engines.symmetry.simulation import Path
from sley.engines.symmetry.thresholds import LARGEST_ATOM
from sley.evidence.symmetric.proof import Predicate
from sley.logic.operators import Op
from sley.logic.terms import Term, Terms


class Discovered(NamedTuple):
    """Predicates, nearest to the end of the path first."""

    predicates: tuple[Predicate, ...]
    relations: tuple[Term, ...]
    """Atoms over two workers, which were left out."""


def discover(path: Path, core: Iterable[Term]) -> Discovered:
    """The predicates along a path with which these guards of it contradict each other."""
    terms, kept = path.abstraction.terms, set(core)
    found: dict[Predicate, None] = {}
    relations: dict[Term, None] = {}
    goals = dict.fromkeys(a for part in path.final if part in kept for a in atoms(terms, part))
    values = path.values()
    for index, step in zip(range(len(path.steps), -1, -1), (None, *reversed(path.steps)), strict=True):
        if step is not None:
            moved = terms.substitute_all(tuple(goals), step.updates)
            goals = dict.fromkeys(a for goal in moved for a in atoms(terms, goal))
            goals |= dict.fromkeys(a for part in step.guard if part in kept for a in atoms(terms, part))
        for atom in tuple(goals):
            if len(terms.walk((atom,))) > LARGEST_ATOM:
                del goals[atom]
                for variable in terms.variables(atom):
                    value = values[index].get(variable)
                    if value is not None and terms.is_const(value):
                        goals[terms.eq(variable, value)] = None
        for atom in goals:
            predicate = _predicate(path, atom)
            if isinstance(predicate, Predicate):
                found[predicate] = None
            elif len(_workers(path, atom)) > 1:
                relations[atom] = None
    return Discovered(tuple(found), tuple(relations))


def candidates(path: Path, core: Sequence[Term]) -> Iterator[tuple[Predicate, ...]]:
    """Sets of predicates to try in this order."""
    found = discover(path, core)
    yield found.predicates
    yield from _equations(path, found.relations)
    yield _remembered(path)
    everything = [part for step in path.steps for part in step.guard]
    yield discover(path, [*everything, *path.final]).predicates


def _remembered(path: Path) -> tuple[Predicate, ...]:
    """Guards in the words of what was read: after ``l = s`` with the guard ``s < k``, it is ``l < k``."""
    terms = path.abstraction.terms
    found: dict[Predicate, None] = {}
    for step in path.steps:
        read = [(v, e) for v, e in step.updates.items() if v in path.owners and not terms.is_const(e)]
        for atom in (a for part in step.guard for a in atoms(terms, part)):
            parts = terms.walk((atom,))
            for variable, value in read:
                if value in parts:
                    predicate = _predicate(path, terms.substitute(atom, {value: variable}))
                    if predicate is not None:
                        found[predicate] = None
    return tuple(found)


def _equations(path: Path, relations: Sequence[Term]) -> tuple[tuple[Predicate, ...], ...]:
    """What threads know of shared variables: ``v == e`` for the assignments ``v = e`` of the path.

    A relation between two workers' variables is often one of both with a shared variable. Assignments that
    have to do with variables of the relations come first.
    """
    terms = path.abstraction.terms
    wanted = {v for atom in relations for v in terms.variables(atom)}
    found: dict[Predicate, None] = {}
    others: dict[Predicate, None] = {}
    for step in path.steps:
        for variable, value in step.updates.items():
            if terms.is_const(value) or terms.mentions(value, variable) or terms.is_boolean(value):
                continue
            equation = terms.eq(variable, value)
            for atom in atoms(terms, equation):
                predicate = _predicate(path, atom)
                if predicate is not None and predicate.template is not None:
                    is_wanted = bool(wanted & {variable, *terms.variables(value)})
                    (found if is_wanted else others)[predicate] = None
    return tuple(found), tuple(others)


def _workers(path: Path, atom: Term) -> set[int]:
    return {path.owners[v][0] for v in path.abstraction.terms.variables(atom) if v in path.owners}


def _predicate(path: Path, atom: Term) -> Predicate | None:
    """The predicate of a template, or over what all share; None if there is none."""
    terms = path.abstraction.terms
    variables, shared = terms.variables(atom), path.shared
    threads = _workers(path, atom)
    if not variables or len(threads) > 1 or any(v not in path.owners and v not in shared for v in variables):
        return None
    original = {v: path.owners[v][1] for v in variables if v in path.owners}
    template = path.templates[threads.pop()] if threads else None
    return Predicate(positive(terms, terms.substitute(atom, original)), template)


def positive(terms: Terms, atom: Term) -> Term:
    """The atom, or what it negates."""
    return terms.args(atom)[0] if terms.op(atom) is Op.NOT else atom


def atoms(terms: Terms, formula: Term) -> list[Term]:
    """The truth values that a formula is made of, without choices inside."""
    found: dict[Term, None] = {}
    waiting = [formula]
    seen: set[Term] = set()
    while waiting:
        term = waiting.pop()
        if term in seen or terms.is_const(term):
            continue
        seen.add(term)
        op, args = terms.op(term), terms.args(term)
        if op in (Op.NOT, Op.AND, Op.OR) or (op in (Op.ITE, Op.EQ) and terms.is_boolean(args[-1])):
            waiting.extend(reversed(args))
        else:
            choice = _choice(terms, args)
            if choice is None:
                found[term] = None
            else:
                condition, then, otherwise = terms.args(choice)
                cases = (terms.substitute(term, {choice: case}) for case in (otherwise, then))
                waiting += [*cases, condition]
    return list(found)


def _choice(terms: Terms, args: Sequence[Term]) -> Term | None:
    return next((t for t in reversed(terms.walk(args)) if terms.op(t) is Op.ITE), None)
