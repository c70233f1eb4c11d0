"""Random Boolean broadcast programs, and an interpreter that follows Fig. 3 of the paper word by word."""

import random
from collections.abc import Iterator
from itertools import permutations, product

from sley.evidence.symmetric.boolean_program import (
    PASSIVES,
    BooleanProgram,
    BooleanTemplate,
    Clause,
    Literal,
    Statement,
)

Values = tuple[tuple[str, bool], ...]
Thread = tuple[str, int | None, Values]
"""BooleanTemplate, location (None before its creation), local Booleans."""
State = tuple[Values, tuple[Thread, ...]]


# --- the interpreter ------------------------------------------------------------------------------


def assignments(names: tuple[str, ...]) -> Iterator[dict[str, bool]]:
    for chosen in product((False, True), repeat=len(names)):
        yield dict(zip(names, chosen, strict=True))


def frozen(values: dict[str, bool]) -> Values:
    return tuple(sorted(values.items()))


def scoped(template: BooleanTemplate, location: int, values: dict[str, bool]) -> Values:
    return frozen({name: value and name in template.scope(location) for name, value in values.items()})


def initial_states(program: BooleanProgram, n: int) -> Iterator[State]:
    threads = [t for t in program.templates for _ in range(1 if t.is_single else n)]
    for shared in assignments(program.shared):
        if not all(any(shared[x.name] == x.is_positive for x in c.literals) for c in program.initial):
            continue
        for chosen in product(*(_initial_threads(t) for t in threads)):
            yield frozen(shared), chosen


def _initial_threads(template: BooleanTemplate) -> list[Thread]:
    if template.is_created:
        return [(template.name, None, frozen(dict.fromkeys(template.variables, False)))]
    values = (scoped(template, template.entry, own) for own in assignments(template.variables))
    return [(template.name, template.entry, own) for own in dict.fromkeys(values)]


def holds(
    program: BooleanProgram, clause: Clause, roles: dict[str, tuple[Thread, Thread]], s: State, z: State
) -> bool:
    for literal in clause.literals:
        if literal.owner == "":
            value = dict((z if literal.is_primed else s)[0])[literal.name]
        else:
            before, after = roles[literal.owner]
            name, location, values = after if literal.is_primed else before
            if location is None or literal.name not in program.template(name).scope(location):
                return True  # does not apply
            value = dict(values)[literal.name]
        if value == literal.is_positive:
            return True
    return False


def steps(program: BooleanProgram, state: State) -> Iterator[tuple[int, State]]:
    for a, (name, location, _) in enumerate(state[1]):
        for statement in program.template(name).statements:
            if statement.source != location:
                continue
            for target in statement.targets:
                for after in _afters(program, state, a, statement, target):
                    if _is_allowed(program, state, after, a, statement):
                        yield a, after


def _afters(
    program: BooleanProgram, state: State, a: int, statement: Statement, target: int
) -> Iterator[State]:
    shared, threads = state
    new = next(
        (i for i, t in enumerate(threads) if i != a and t[0] == statement.creates and t[1] is None), None
    )
    choices = []
    for i, (name, location, values) in enumerate(threads):
        template = program.template(name)
        at = target if i == a else template.entry if i == new else location
        havoc = [v for t, v in statement.everywhere if t == name] if location is not None else []
        if i == a:
            gained = set(template.scope(target)) - set(template.scope(statement.source))
            havoc += [*statement.own, *gained]
        elif i == new:
            havoc = list(template.variables)
        options = []
        for chosen in assignments(tuple(dict.fromkeys(havoc))):
            merged = dict(values) | chosen
            options.append((name, at, frozen(merged) if at is None else scoped(template, at, merged)))
        choices.append(list(dict.fromkeys(options)))
    for made in assignments(statement.shared):
        for threads_after in product(*choices):
            yield frozen(dict(shared) | made), threads_after


def _is_allowed(program: BooleanProgram, state: State, after: State, a: int, statement: Statement) -> bool:
    before, then = state[1], after[1]
    new = next((i for i, t in enumerate(before) if t[1] is None and then[i][1] is not None), None)
    others = [i for i, t in enumerate(before) if i != a and t[1] is not None]
    for clause in statement.clauses:
        roles = {"a": (before[a], then[a])}
        if any(literal.owner == "n" for literal in clause.literals):
            if new is None:
                continue
            roles["n"] = (before[new], then[new])
        for chosen in permutations(others, len(clause.passives)):
            if all(before[i][0] == name for i, name in zip(chosen, clause.passives, strict=True)):
                passive = {x: (before[i], then[i]) for x, i in zip(PASSIVES, chosen, strict=False)}
                if not holds(program, clause, roles | passive, state, after):
                    return False
    return True


def reachable(program: BooleanProgram, n: int) -> set[State]:
    found = set(initial_states(program, n))
    waiting = list(found)
    while waiting:
        for _, after in steps(program, waiting.pop()):
            if after not in found:
                found.add(after)
                waiting.append(after)
    return found


# --- random programs ------------------------------------------------------------------------------


def random_program(seed: int, *, is_monotone: bool = False) -> BooleanProgram:
    rng = random.Random(seed)
    shared = ("s", "t")[: rng.randint(1, 2)]
    locals_ = ("b", "c")[: rng.randint(1, 2)]
    created = rng.random() < 0.6
    scopes = {
        at: tuple(x for x in locals_ if rng.random() < 0.7) for at in (10, 11, 12, 13) if rng.random() < 0.5
    }

    def clause(kind: str, own: tuple[str, ...]) -> Clause:
        pool = [("", name, primed) for name in shared for primed in (False, True)]
        if kind != "initial":
            pool += [("a", name, primed) for name in own for primed in (False, True)]
        if kind in PASSIVES:
            for index in PASSIVES[: PASSIVES.index(kind) + 1]:
                pool += [(index, name, primed) for name in locals_ for primed in (False, True)]
        if kind == "n":
            pool += [("n", name, True) for name in locals_]
        if kind == "monotone":
            pool += [("p", name, True) for name in locals_ for _ in range(2)]
        chosen = rng.sample(pool, min(len(pool), rng.randint(1, 3)))
        literals = tuple(Literal(o, v, p and kind != "initial", rng.random() < 0.5) for o, v, p in chosen)
        owners = {literal.owner for literal in literals}
        passives = ("worker",) * (2 if "q" in owners else 1 if "p" in owners else 0)
        return Clause(literals, passives)

    def statement(source: int, target: int, own: tuple[str, ...]) -> Statement:
        everywhere = tuple(("worker", name) for name in locals_ if rng.random() < 0.4)
        kinds = ["a", "p", "p", "q"] if not is_monotone else ["a"]
        return Statement(
            source,
            (target, rng.choice((target, target + 1))) if rng.random() < 0.1 else (target,),
            tuple(name for name in shared if rng.random() < 0.5),
            tuple(name for name in own if rng.random() < 0.5),
            everywhere,
            tuple(clause(rng.choice(kinds), own) for _ in range(rng.randint(0, 3))),
        )

    workers = [statement(10 + i, 10 + rng.randint(0, 2), locals_) for i in (0, 0, 1, 1, 2)]
    workers.append(Statement(12, (13,), clauses=(clause("a", locals_),)))
    mains = [statement(1, 2, ()), statement(2, 1, ())]
    if created:
        news = tuple(clause("n", ()) for _ in range(2))
        mains.append(Statement(1, (rng.choice((1, 2)),), clauses=news, creates="worker"))
    main = BooleanTemplate("main", (), 1, tuple(mains), is_single=True)
    worker = BooleanTemplate(
        "worker",
        locals_,
        10,
        tuple(workers),
        is_created=created,
        scopes=scopes,
    )
    errors = ((13,),) if rng.random() < 0.5 else ((11, 12),)
    return BooleanProgram(shared, (main, worker), (clause("initial", ()),), errors)
