"""The invariants of a proof."""

import pytest

from sley.logic.sorts import BOOL
from sley.logic.terms import Terms
from sley.program.program import Program
from sley.reports.invariants import Case, disjunction, exclusive_groups, invariants_report, weakest_cases
from sley.reports.lines import plain
from sley.reports.positions import ENDED, StatementPosition
from sley.reports.tree import TreeContent
from sley.semantics.machine import StateMachine
from sley.semantics.state import EXITED, is_ended, location_of
from tests.unit.reports.trees import PROGRAMS, tree_of

LOCK, READ, WRITE = (
    StatementPosition("a.c", line, text) for line, text in ((8, "lock"), (9, "read"), (10, "write"))
)


def test_mutual_exclusion_can_be_seen() -> None:
    found = tree_of(PROGRAMS.parents[1] / "examples" / "locked_update.c")
    assert found.is_proof
    assert found.unfolding is not None
    text = plain(invariants_report(found.unfolding, width=100))
    never = " Never two threads at the same time are about to execute\n"
    assert text.startswith(
        f"{never}   9 int tmp = counter\n   10 counter = tmp + 1\n   11 pthread_mutex_unlock(&lock)\n\n"
    )
    assert " 21 assert(counter == 2)\n   main: counter == 2\n" in text
    assert "[main 19, worker#1 8, worker#2 8]\n" in text


@pytest.mark.parametrize(
    "program", ["impact/endless_peterson.c", "impact/endless_lamport.c", "mutual_exclusion/dekker.c"]
)
def test_no_reachable_state_contradicts_the_claims(program: str) -> None:
    """Where threads stand in all concrete states, found without any reduction."""
    found = tree_of(PROGRAMS / program)
    assert found.is_proof
    assert found.unfolding is not None
    positions = TreeContent(found.unfolding).positions
    nodes = [tuple(positions.all(node)) for node in found.unfolding.nodes]
    seen = {node.control for node in found.unfolding.nodes}
    claims = exclusive_groups(nodes)
    assert claims
    for control in reachable_controls(found.unfolding.program):
        at = [positions.at(location) for location in control if location >= 0]
        assert control in seen or not set(control) <= found.unfolding.steps.stops | {EXITED}
        assert all(sum(position in group for position in at) <= 1 for group in claims)


def reachable_controls(program: Program) -> set[tuple[int, ...]]:
    """Where the threads stand in each reachable state of a program without inputs."""
    machine = StateMachine(program)
    waiting = [machine.initial()]
    seen = set(waiting)
    while waiting:
        state = waiting.pop()
        for thread in range(len(state.threads)):
            for successor in machine.successors(state, thread):
                if successor.state is not None and successor.state not in seen:
                    seen.add(successor.state)
                    waiting.append(successor.state)
    return {tuple(EXITED if is_ended(t) else location_of(t) for t in state.threads) for state in seen}


def test_statements_that_meet_are_in_no_group() -> None:
    alone = [[("a", READ), ("b", LOCK)], [("a", LOCK), ("b", READ)], [("a", WRITE), ("b", LOCK)]]
    alone += [[("a", LOCK), ("b", WRITE)], [("a", LOCK), ("b", LOCK)], [("a", ENDED), ("b", READ)]]
    assert exclusive_groups(alone) == [[READ, WRITE]]
    assert exclusive_groups([*alone, [("a", READ), ("b", WRITE)]]) == [[READ], [WRITE]]
    assert exclusive_groups([*alone, [("a", READ), ("b", READ)]]) == [[WRITE]]


def test_a_statement_of_one_thread_only_excludes_nothing() -> None:
    assert exclusive_groups([[("a", READ), ("b", LOCK)], [("a", LOCK), ("b", LOCK)]]) == []


def case(t: Terms, *names: str) -> Case:
    """Facts ``p`` and ``!p``."""
    variables = [(t.var(name.removeprefix("!"), BOOL), name) for name in names]
    return frozenset(((t.not_(v) if name.startswith("!") else v,), name) for v, name in variables)


def test_implied_cases_are_left_out() -> None:
    t = Terms()
    assert weakest_cases(t, [case(t, "p", "q"), case(t, "p")]) == [case(t, "p")]
    assert weakest_cases(t, [case(t, "p", "q"), case(t, "p", "!q")]) == [case(t, "p")]
    assert weakest_cases(t, [case(t, "p", "q"), case(t, "q", "r")]) == [case(t, "p", "q"), case(t, "q", "r")]


def test_what_cases_have_in_common_stands_first() -> None:
    t = Terms()
    assert disjunction([case(t, "p", "q"), case(t, "p", "r")]) == "p && (q || r)"
    assert disjunction([case(t, "p", "q"), case(t, "r")]) == "(p && q) || r"
    assert disjunction([case(t, "p")]) == "p"
    assert disjunction([case(t)]) == "true"
    many = [case(t, "p", name) for name in "abcde"]
    assert disjunction(many) == "p && (one of 5 cases)"
