from hypothesis import given
from hypothesis import strategies as st

from sley.analyses.graphs import components, in_nests, nodes_on_cycles, reachable, unions_ahead

Graph = dict[int, tuple[int, ...]]

graphs = st.integers(1, 8).flatmap(
    lambda n: st.fixed_dictionaries(
        {node: st.lists(st.integers(0, n - 1), max_size=3).map(tuple) for node in range(n)}
    )
)


def naive_reachable(graph: Graph, start: int) -> set[int]:
    seen = {start}
    for _ in graph:
        seen |= {after for node in seen for after in graph[node]}
    return seen


@given(graphs)
def test_components_are_the_classes_of_mutual_reachability_in_order(graph: Graph) -> None:
    ahead = {node: naive_reachable(graph, node) for node in graph}
    found = components(graph, graph)
    assert sorted(node for component in found for node in component) == sorted(graph)
    position = {node: i for i, component in enumerate(found) for node in component}
    for one in graph:
        for other in graph:
            assert (position[one] == position[other]) == (other in ahead[one] and one in ahead[other])
            if other in ahead[one]:
                assert position[other] <= position[one]


@given(graphs)
def test_reachable_and_cycles(graph: Graph) -> None:
    for node in graph:
        assert reachable((node,), graph) == naive_reachable(graph, node)
    on_cycle = {n for n in graph if any(n in naive_reachable(graph, after) for after in graph[n])}
    assert nodes_on_cycles(graph, graph) == on_cycle


@given(graphs)
def test_unions_ahead(graph: Graph) -> None:
    union = unions_ahead(graph, graph, lambda node: 1 << node)
    for node in graph:
        assert union[node] == sum(1 << after for after in naive_reachable(graph, node))


def test_long_chains_do_not_recurse() -> None:
    chain = {node: (node + 1,) for node in range(50_000)}
    assert len(components(range(50_001), chain)) == 50_001


@given(graphs)
def test_nests_are_wholes_behind_their_heads(graph: Graph) -> None:
    order, loops = in_nests(graph, graph)
    heads = loops.keys()
    assert sorted(order) == sorted(graph)
    place = {node: number for number, node in enumerate(order)}
    without_heads = {node: [after for after in graph[node] if after not in heads] for node in graph}
    assert nodes_on_cycles(graph, without_heads) == frozenset()
    for node in graph:
        for after in graph[node]:
            # who goes back, goes to a head, and all in between come back to it without what is before it
            if place[after] <= place[node]:
                assert after in heads
                behind = set(order[place[after] :])
                within = {one: [x for x in graph[one] if x in behind] for one in behind}
                between = order[place[after] : place[node] + 1]
                assert all(after in reachable((one,), within) for one in between)
