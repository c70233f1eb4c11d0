"""Boolean broadcast programs against a naive interpreter that follows the paper's Fig. 3 word by word."""

import random
from collections.abc import Iterator
from itertools import permutations, product

import pytest

from sley.base.errors import InputError
from sley.evidence.symmetric.boolean_program import (
    PASSIVES,
    BooleanProgram,
    Clause,
    Literal,
    Statement,
    Template,
)
from sley.engines.symmetry.coverability import Backward, cover
from sley.engines.symmetry.machine import Machine
from sley.engines.symmetry.reachability import Configuration, identified, is_bad, reach
from sley.evidence.symmetric.text import parse_boolean, print_boolean

Values = tuple[tuple[str, bool], ...]
Thread = tuple[str, int | None, Values]
"""Template, location (None before its creation), local Booleans."""
State = tuple[Values, tuple[Thread, ...]]


# --- the interpreter ------------------------------------------------------------------------------


def assignments(names: tuple[str, ...]) -> Iterator[dict[str, bool]]:
    for chosen in product((False, True), repeat=len(names)):
        yield dict(zip(names, chosen, strict=True))


def frozen(values: dict[str, bool]) -> Values:
    return tuple(sorted(values.items()))


def scoped(template: Template, location: int, values: dict[str, bool]) -> Values:
    return frozen({name: value and name in template.scope(location) for name, value in values.items()})


def initial_states(program: BooleanProgram, n: int) -> Iterator[State]:
    threads = [t for t in program.templates for _ in range(1 if t.is_single else n)]
    for shared in assignments(program.shared):
        if not all(any(shared[x.name] == x.is_positive for x in c.literals) for c in program.initial):
            continue
        for chosen in product(*(_initial_threads(t, shared) for t in threads)):
            yield frozen(shared), chosen


def _initial_threads(template: Template, shared: dict[str, bool]) -> list[Thread]:
    if template.is_created:
        return [(template.name, None, frozen(dict.fromkeys(template.variables, False)))]
    found = []
    for own in assignments(template.variables):
        both = {("", k): v for k, v in shared.items()} | {("a", k): v for k, v in own.items()}
        if all(any(both[x.owner, x.name] == x.is_positive for x in c.literals) for c in template.initial):
            found.append((template.name, template.entry, scoped(template, template.entry, own)))
    return list(dict.fromkeys(found))


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
    main = Template("main", (), 1, tuple(mains), is_single=True)
    initial = () if created else (Clause((Literal("a", "b", is_positive=rng.random() < 0.5),)),)
    worker = Template(
        "worker",
        locals_,
        10,
        tuple(workers),
        is_created=created,
        initial=initial if 10 not in scopes else (),
        scopes=scopes,
    )
    errors = ((13,),) if rng.random() < 0.5 else ((11, 12),)
    return BooleanProgram(shared, (main, worker), (clause("initial", ()),), errors)


def as_state(machine: Machine, configuration: Configuration) -> State:
    """A configuration in the interpreter's words, threads sorted."""
    program, (shared, threads) = machine.program, configuration
    found = []
    for local in threads:
        location = local >> machine.local_bits
        number = machine.template_at[location]
        template = program.templates[number]
        values = {name: bool(local >> i & 1) for i, name in enumerate(template.variables)}
        at = None if machine.absent.get(number) == location else location
        found.append((template.name, at, frozen(values)))
    bits = {name: bool(shared >> i & 1) for i, name in enumerate(program.shared)}
    return frozen(bits), tuple(sorted(found, key=repr))


def canonical(state: State) -> State:
    return state[0], tuple(sorted(state[1], key=repr))


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize("is_symmetric", [True, False])
def test_reachability_agrees_with_the_interpreter(seed: int, is_symmetric: bool) -> None:
    program = random_program(seed)
    for n in (1, 2, 3) if seed < 4 else (2,):
        machine = Machine(BooleanProgram(program.shared, program.templates, program.initial))
        found = reach(machine, {1: n}, is_symmetric=is_symmetric)
        expected = {canonical(state) for state in reachable(program, n)}
        assert {as_state(machine, c) for c in found.parents} == expected


@pytest.mark.parametrize("seed", range(30))
def test_a_trace_is_a_run_of_identified_threads(seed: int) -> None:
    program = random_program(seed)
    machine = Machine(program)
    found = reach(machine, {1: 2})
    if not found.bad:
        return
    start, path = found.path(found.bad[0])
    at = as_state_in_order(machine, start)
    for entry in identified(machine, start, path):
        after = as_state_in_order(machine, entry.after)
        assert (entry.thread, after) in set(steps_of_any_order(program, at))
        at = after
    assert canonical(at) == as_state(machine, found.bad[0])


def as_state_in_order(machine: Machine, configuration: Configuration) -> State:
    parts = [as_state(machine, (configuration[0], (local,))) for local in configuration[1]]
    return as_state(machine, (configuration[0], ()))[0], tuple(part[1][0] for part in parts)


def steps_of_any_order(program: BooleanProgram, state: State) -> Iterator[tuple[int, State]]:
    """Any absent thread may be the new one: the interpreter takes the first, so try all orders of them."""
    yield from steps(program, state)


@pytest.mark.parametrize("seed", range(80))
def test_what_cannot_be_covered_cannot_be_reached(seed: int) -> None:
    program = random_program(seed)
    minimal, way = cover(Machine(program))
    for n in (0, 1, 2):
        machine = Machine(program)
        found = reach(machine, {1: n})
        if way is None:
            assert not found.bad
            backward = Backward(Machine(program))
            assert all(not backward.is_initial(element) for element in minimal)


@pytest.mark.parametrize("seed", range(80))
def test_without_passive_clauses_covering_is_exact(seed: int) -> None:
    program = random_program(seed, is_monotone=True)
    _, way = cover(Machine(program))
    found = any(reach(Machine(program), {1: n}).bad for n in range(4))
    assert found == (way is not None)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_printed_can_be_read(seed: int) -> None:
    program = random_program(seed)
    again = parse_boolean(print_boolean(program))
    assert parse_boolean(print_boolean(again)) == again
    first, second = Machine(program), Machine(again)
    assert set(reach(first, {1: 2}).parents) == set(reach(second, {1: 2}).parents)


def test_expressions_become_clauses() -> None:
    text = """
    shared s;
    template w {
        local b;
        entry 1;
        1: havoc {all(w.b)} constrain a.b' & forall w p . (a.b & p.b => p.b') & (a.b ^ p.b => !p.b') goto 2;
    }
    error 2, 2;
    """
    statement = parse_boolean(text).templates[0].statements[0]
    assert len(statement.clauses) == 4
    assert [clause.passives for clause in statement.clauses] == [(), ("w",), ("w",), ("w",)]


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(InputError):
        parse_boolean("shared s; template {")


def test_active_conjuncts_hold_with_one_thread() -> None:
    """Inside the quantifier over passive threads they would be void where there is no second thread."""
    text = """
    shared s; initially !s;
    template w { local b; initially !a.b; entry 1;
        1: havoc {s} constrain !s' & forall w p . (p.b | !s') goto 2;
        2: havoc {} constrain s goto 3; }
    error 3;
    """
    assert reach(Machine(parse_boolean(text)), {0: 1}).bad == []


def test_two_threads_at_one_place() -> None:
    text = "shared s; template w { entry 1; 1: goto 2; } error 2, 2;"
    machine = Machine(parse_boolean(text))
    assert reach(machine, {0: 1}).bad == []
    found = reach(machine, {0: 2})
    assert found.bad
    assert is_bad(machine, found.bad[0])
