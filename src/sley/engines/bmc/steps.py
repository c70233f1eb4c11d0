"""From the events of an unrolling to those that the formula is about: steps, each from a graph to a graph.

None of them changes an answer. Why, is the lemma at the head of its module.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from sley.engines.bmc.events.graph import EventGraph, NodeWrite
from sley.engines.bmc.events.races import forget_touches
from sley.engines.bmc.events.sums import use_sums
from sley.engines.bmc.events.symmetry import order_alike
from sley.engines.bmc.options import BmcOptions, Stage
from sley.program.properties import Property

Step = Callable[[EventGraph], EventGraph]


def write_initial(graph: EventGraph) -> EventGraph:
    """Node 0 writes what every variable holds when the program starts, unless it writes something else."""
    root, true = graph.nodes[0], graph.terms.true
    first = {v: NodeWrite(0, v, true, value) for v, value in graph.initial.items() if v not in root.writes}
    return replace(graph, nodes=[replace(root, writes=root.writes | first), *graph.nodes[1:]])


def steps(options: BmcOptions, properties: frozenset[Property], *, is_weak: bool) -> Iterator[Step]:
    """The steps for a kind of formula; most of them take it for granted that threads interleave."""
    yield write_initial
    if is_weak:
        return
    if Property.RACE not in properties:
        yield forget_touches
    if options.has(Stage.SYMMETRY):
        yield order_alike
    if options.has(Stage.PRUNING) and options.has(Stage.SUMS):
        yield use_sums


def reduced(
    graph: EventGraph, options: BmcOptions, properties: frozenset[Property], *, is_weak: bool = False
) -> EventGraph:
    """The graph after all steps."""
    for step in steps(options, properties, is_weak=is_weak):
        graph = step(graph)
    return graph
