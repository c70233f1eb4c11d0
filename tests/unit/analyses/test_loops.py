from hypothesis import given
from hypothesis import strategies as st

from sley.analyses.graphs import nodes_on_cycles, reachable
from sley.analyses.loops import find_loops
from sley.program.instructions import Assign
from sley.program.program import Edge, Function, Origin

ORIGIN = Origin(None, "", "f")


def graph(*edges: tuple[int, int]) -> Function:
    made = tuple(Edge(source, target, Assign(), ORIGIN) for source, target in edges)
    return Function("f", "f", (), (), (), entry=0, exit=99, edges=made)


def test_nested_loops() -> None:
    loops = find_loops(graph((0, 1), (1, 2), (2, 3), (3, 2), (2, 4), (4, 1), (1, 99)))
    assert loops.heads == {1, 2}
    assert loops.bodies == {1: {1, 2, 3, 4}, 2: {2, 3}}
    assert loops.on_cycle == {1, 2, 3, 4}


def test_self_loop() -> None:
    loops = find_loops(graph((0, 1), (1, 1)))
    assert loops.heads == {1}
    assert loops.bodies == {1: {1}}


def test_two_back_edges_to_one_head() -> None:
    loops = find_loops(graph((0, 1), (1, 2), (2, 1), (1, 3), (3, 1), (1, 99)))
    assert loops.heads == {1}
    assert loops.bodies[1] == {1, 2, 3}


def test_irreducible_graph_still_has_a_head() -> None:
    loops = find_loops(graph((0, 1), (0, 2), (1, 2), (2, 1), (1, 99)))
    assert len(loops.heads) == 1
    assert loops.on_cycle == {1, 2}


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=12))
def test_every_cycle_has_a_back_edge(edges: list[tuple[int, int]]) -> None:
    function = graph(*edges)
    loops = find_loops(function)
    back = {id(edge) for edge in loops.back_edges}
    forward: dict[int, tuple[int, ...]] = {
        at: tuple(edge.target for edge in out if id(edge) not in back)
        for at, out in function.outgoing.items()
    }
    assert not nodes_on_cycles(function.locations, forward)
    assert loops.heads <= loops.on_cycle
    for head, body in loops.bodies.items():
        assert head in body
        for location in body:
            assert head in reachable((location,), function.successors)
            assert location in reachable((head,), function.successors)
