"""Stage one of engine ``bmc``: what becomes an event, what need not be one, and who may be put in order."""

from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.bmc.events.graph import EventGraph
from sley.engines.bmc.events.races import forget_touches
from sley.engines.bmc.events.sums import use_sums
from sley.engines.bmc.events.symmetry import order_alike
from sley.engines.bmc.events.unrolling import Unroller
from sley.engines.bmc.formula.ranges import bounds_of_reads
from sley.program.program import Program
from sley.program.properties import PROPERTY_GROUPS
from sley.semantics.code import Code
from sley.semantics.roles import CellRole
from tests.fuzz.laws import loaded
from tests.limits import AMPLE

HEADER = """
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
extern _Bool __VERIFIER_nondet_bool(void);
int x, y; _Atomic int z; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
"""
LOCKED = "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);"
TWO = "pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, 0);"
JOIN = "pthread_join(a, 0); pthread_join(b, 0);"


def unrolled(
    tmp_path: Path, thread: str, main: str, *, finds_waits: bool = False
) -> tuple[Program, EventGraph]:
    """The events of a program: a function ``f`` for threads, and main."""
    path = tmp_path / "program.c"
    path.write_text(
        f"{HEADER} void *f(void *p) {{ {thread} return 0; }}\nint main(void) {{ {main} return 0; }}\n"
    )
    program = loaded(path, PROPERTY_GROUPS["reach"])
    return program, Unroller(Code(program)).unroll({}, Budget(AMPLE), finds_waits=finds_waits)


def sections(graph: EventGraph) -> int:
    return sum(node.is_locked for node in graph.nodes)


# --- critical sections -------------------------------------------------------------------------------


def test_a_critical_section_is_one_event(tmp_path: Path) -> None:
    _, graph = unrolled(tmp_path, LOCKED, TWO + JOIN + "assert(x == 2);")
    assert sections(graph) == 2
    assert all(len(node.writes) == 1 for node in graph.nodes if node.is_locked), "the lock is free again"


@pytest.mark.parametrize(
    ("thread", "main"),
    [
        (LOCKED, TWO + "x = 7;" + JOIN),
        (LOCKED, TWO + "if (pthread_mutex_trylock(&m) == 0) pthread_mutex_unlock(&m);" + JOIN),
        ("pthread_mutex_lock(&m); x = 1; z = 1; x = 2; pthread_mutex_unlock(&m);", TWO + "y = z;" + JOIN),
        (LOCKED, TWO + "pthread_join(a, 0); x = 3; pthread_join(b, 0);"),
        (LOCKED, TWO + "if (__VERIFIER_nondet_bool()) { " + JOIN + "} x = 3;"),
        (LOCKED, TWO + "pthread_mutex_init(&m, 0);" + JOIN),
    ],
    ids=[
        "plain access",
        "trylock",
        "other variable",
        "one still runs",
        "join on one path",
        "initialised again",
    ],
)
def test_a_section_that_others_notice_is_not(thread: str, main: str, tmp_path: Path) -> None:
    _, graph = unrolled(tmp_path, thread, main)
    assert sections(graph) == 0


def test_nested_locks_are_one_event_unless_deadlocks_are_looked_for(tmp_path: Path) -> None:
    inner = "pthread_mutex_lock(&n); x++; pthread_mutex_unlock(&n);"
    thread = f"pthread_mutex_lock(&m); {inner} pthread_mutex_unlock(&m);"
    _, graph = unrolled(tmp_path, thread, TWO + JOIN)
    assert [node.is_locked for node in graph.nodes if node.thread == 1] == [True, False]
    _, graph = unrolled(tmp_path, thread, TWO + JOIN, finds_waits=True)
    assert sum(node.is_locked for node in graph.nodes if node.thread == 1) == 1, "the inner one"


def test_what_nobody_writes_any_more_is_no_read(tmp_path: Path) -> None:
    program, graph = unrolled(tmp_path, "z = y;", "y = 5;" + TWO + JOIN)
    roles = {program.terms.symbol(v) for node in graph.nodes for v in node.reads}
    assert not any(isinstance(role, CellRole) for role in roles)
    assert {program.terms.number(w.value) for node in graph.nodes[1:] for w in node.writes.values()} >= {5}


# --- sums and bounds ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("thread", "is_sum"),
    [
        ("atomic_fetch_add(&z, 3);", True),
        ("atomic_fetch_sub(&z, 1);", True),
        ("int old = z; atomic_compare_exchange_strong(&z, &old, old + 1);", True),
        ("int old = z; z = old + 1;", False),
        ("int old = z; atomic_compare_exchange_strong(&z, &old, old * 2);", False),
        ("z = 3;", False),
    ],
)
def test_variables_that_are_only_added_to(thread: str, is_sum: bool, tmp_path: Path) -> None:
    _, graph = unrolled(tmp_path, thread, TWO + JOIN)
    assert bool(use_sums(graph).sums) == is_sum


def test_what_a_sum_can_be_decides_conditions(tmp_path: Path) -> None:
    """The sum is 0 to 2: it is never 3, but may be 1."""
    thread = "int r = atomic_fetch_add(&z, 1); if (r == 3) x = 1; if (r == 1) y = 1;"
    program, graph = unrolled(tmp_path, thread, TWO + JOIN + "assert(x + y < 5);")
    nodes = use_sums(graph).nodes[1:]
    conditions = [w.condition for node in nodes for v, w in node.writes.items() if w.location >= 0]
    assert program.terms.false in conditions
    assert any(program.terms.has_variables(condition) for condition in conditions)


def test_bounds_hold_for_chains_of_any_length(tmp_path: Path) -> None:
    """Each of two threads doubles once: 4 is possible, more is not."""
    program, graph = unrolled(tmp_path, "int r = x; x = 2 * r;", "x = 1;" + TWO + JOIN + "assert(x < 9);")
    variables = graph.variables.items()
    choices = [(read, writes) for _, (reads, writes) in variables for read in reads]
    chain = sum(bool(node.writes) for node in graph.nodes)
    bounds = bounds_of_reads(program.terms, choices, chain)
    cells = [r for r, _ in choices if isinstance(program.terms.symbol(r.variable), CellRole)]
    of_x = [bounds[read.symbol] for read in cells]
    assert all(low == 1 and high >= 4 for low, high in of_x)


# --- symmetry ----------------------------------------------------------------------------------------


def new_edges(graph: EventGraph) -> list[tuple[int, int]]:
    return order_alike(forget_touches(graph)).edges[len(graph.edges) :]


def test_threads_that_do_the_same_begin_in_order(tmp_path: Path) -> None:
    _, graph = unrolled(tmp_path, "x = x * 2 + 1;", TWO + JOIN + "assert(x == 3);")
    ((a, b),) = new_edges(graph)
    assert (graph.nodes[a].thread, graph.nodes[b].thread) == (1, 2)


@pytest.mark.parametrize(
    ("thread", "main"),
    [
        ("x = (int)pthread_self();", TWO + JOIN),
        (
            "x = (int)(long)p;",
            "pthread_t a, b; pthread_create(&a, 0, f, 0); pthread_create(&b, 0, f, (void *)1);" + JOIN,
        ),
        ("x = x + 1;", TWO + "pthread_join(a, 0);"),
        ("x = x + 1;", TWO + "pthread_join(a, 0); y = x; pthread_join(b, 0);"),
        ("x = x + 1;", TWO + "if (__VERIFIER_nondet_bool()) pthread_join(a, 0); else pthread_join(b, 0);"),
        ("if (__VERIFIER_nondet_bool()) x = x + 1;", TWO + JOIN),
        ("return x++ ? p : &x;", TWO + "void *r; pthread_join(a, &r); pthread_join(b, 0); assert(r != 0);"),
    ],
    ids=["self", "argument", "one joined", "joins apart", "one or the other", "may not begin", "result used"],
)
def test_threads_that_differ_do_not(thread: str, main: str, tmp_path: Path) -> None:
    _, graph = unrolled(tmp_path, thread, main)
    assert new_edges(graph) == []
