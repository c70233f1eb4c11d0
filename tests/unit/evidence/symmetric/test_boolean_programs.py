"""Boolean broadcast programs: the engine's machine and the checker's semantics against an interpreter."""

from collections.abc import Iterator

import pytest

from sley.base.errors import InputError
from sley.engines.symmetry.machine import BooleanMachine
from sley.engines.symmetry.partial_search import reach_partly
from sley.engines.symmetry.reachability import Configuration, identified, is_bad, reach
from sley.evidence.symmetric.boolean_program import BooleanProgram
from sley.evidence.symmetric.proof import Configuration as Existing
from sley.evidence.symmetric.semantics import Semantics
from sley.reports.boolean_program import print_boolean
from tests.unit.evidence.symmetric.boolean_text import parse_boolean
from tests.unit.evidence.symmetric.interpreter import (
    State,
    frozen,
    initial_states,
    random_program,
    reachable,
    steps,
)

SMALL = [seed for seed in range(50) if seed not in (13, 16)]
"""Seeds whose programs have few states: the two took a third of the time, and no fault was theirs alone."""


def as_state(machine: BooleanMachine, configuration: Configuration) -> State:
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


@pytest.mark.parametrize("seed", SMALL[:28])
def test_reachability_agrees_with_the_interpreter(seed: int) -> None:
    program = random_program(seed)
    for n in (1, 2, 3) if seed in (1, 2) else (2,):
        expected = {canonical(state) for state in reachable(program, n)}
        for is_symmetric in (True, False):
            machine = unlearned(program)
            found = reach(machine, {1: n}, is_symmetric=is_symmetric)
            assert {as_state(machine, c) for c in found.parents} == expected


def existing(program: BooleanProgram, state: State) -> Existing:
    """A state in the checker's words: threads to come are not there."""
    threads = []
    for name, location, values in state[1]:
        if location is not None:
            variables, held = program.template(name).variables, dict(values)
            threads.append((location, sum(held[v] << i for i, v in enumerate(variables))))
    shared = dict(state[0])
    return sum(shared[v] << i for i, v in enumerate(program.shared)), tuple(sorted(threads))


@pytest.mark.parametrize("seed", SMALL)
def test_the_checker_agrees_with_the_interpreter(seed: int) -> None:
    program = random_program(seed)
    semantics = Semantics(program)
    starts = {existing(program, state) for state in initial_states(program, 2)}
    assert set(semantics.initial((1, 2))) == starts
    is_created = program.templates[1].is_created
    for state in sorted(reachable(program, 2), key=repr)[::7]:
        if is_created and all(location is not None for _, location, _ in state[1]):
            continue  # the interpreter has no thread left that could be created
        expected = {existing(program, after) for _, after in steps(program, state)}
        assert set(semantics.successors(existing(program, state))) == expected


@pytest.mark.parametrize("seed", range(30))
def test_a_trace_is_a_run_of_identified_threads(seed: int) -> None:
    program = random_program(seed)
    machine = BooleanMachine(program)
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


def unlearned(program: BooleanProgram) -> BooleanMachine:
    """A machine with nothing that is bad: a search does not end before everything is reached."""
    return BooleanMachine(BooleanProgram(program.shared, program.templates, program.initial))


@pytest.mark.parametrize("seed", range(40))
def test_partial_configurations_stand_for_all_that_is_reached(seed: int) -> None:
    machine = unlearned(random_program(seed))
    for n in (1, 2, 3) if seed < 4 else (2,):
        partly, fully = reach_partly(machine, {1: n}), reach(machine, {1: n})
        assert partly.configurations() == set(fully.parents)
        assert partly.is_short == fully.is_short
        assert len(fully.parents) <= partly.size


@pytest.mark.parametrize("seed", range(40))
def test_a_partial_trace_is_a_run_of_identified_threads(seed: int) -> None:
    program = random_program(seed)
    machine = BooleanMachine(program)
    found = reach_partly(machine, {1: 2}, most_bad=3)
    assert bool(found.bad) == bool(reach(machine, {1: 2}).bad)
    starts = {canonical(state) for state in initial_states(program, 2)}
    for bad in found.bad:
        start, trace = found.trace(bad)
        at = as_state_in_order(machine, start)
        assert canonical(at) in starts
        for entry in trace:
            after = as_state_in_order(machine, entry.after)
            assert (entry.thread, after) in set(steps_of_any_order(program, at))
            at = after
        assert is_bad(machine, trace[-1].after if trace else start)


def test_a_broadcast_that_nothing_constrains_is_one_step() -> None:
    text = """
    shared s; template w { local b; local c; entry 1;
        1: havoc {all(w.b)} goto 1; }
    """.replace("local b; local c;", "local b, c;")
    found = reach_partly(BooleanMachine(parse_boolean(text)), {0: 4})
    assert len(found.parents) == 1
    assert len(found.configurations()) == 2 * 35  # s, and four threads in four states


def as_state_in_order(machine: BooleanMachine, configuration: Configuration) -> State:
    parts = [as_state(machine, (configuration[0], (local,))) for local in configuration[1]]
    return as_state(machine, (configuration[0], ()))[0], tuple(part[1][0] for part in parts)


def steps_of_any_order(program: BooleanProgram, state: State) -> Iterator[tuple[int, State]]:
    """Any absent thread may be the new one: the interpreter takes the first, so try all orders of them."""
    yield from steps(program, state)


@pytest.mark.parametrize("seed", range(40))
def test_what_is_printed_can_be_read(seed: int) -> None:
    program = random_program(seed)
    again = parse_boolean(print_boolean(program))
    assert parse_boolean(print_boolean(again)) == again
    first, second = BooleanMachine(program), BooleanMachine(again)
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
    template w { local b; entry 1;
        1: havoc {s} constrain !s' & forall w p . (p.b | !s') goto 2;
        2: havoc {} constrain s goto 3; }
    error 3;
    """
    assert reach(BooleanMachine(parse_boolean(text)), {0: 1}).bad == []


def test_two_threads_at_one_place() -> None:
    text = "shared s; template w { entry 1; 1: goto 2; } error 2, 2;"
    machine = BooleanMachine(parse_boolean(text))
    assert reach(machine, {0: 1}).bad == []
    found = reach(machine, {0: 2})
    assert found.bad
    assert is_bad(machine, found.bad[0])
