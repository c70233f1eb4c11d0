"""The run of the engine, from a prepared program to a verdict."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sley.analyses.accesses import find_accesses
from sley.analyses.pointers import PointsTo
from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.impact.algorithm import Impact, ViolatingPath
from sley.engines.impact.dependence import Dependence
from sley.engines.impact.extent import Extent, Watcher
from sley.engines.impact.options import ImpactOptions, Interleaving, Interpolants
from sley.engines.impact.paths import Paths
from sley.engines.impact.resolution import NodeSteps
from sley.engines.impact.state_properties import StateProperties
from sley.engines.impact.tree import Node
from sley.evidence.guided import Guided, schedule_along
from sley.evidence.reachability_tree.proof import Expansion, ReachabilityTree, TreeNode
from sley.evidence.replay import ReplayError, replay
from sley.evidence.trace import Trace
from sley.evidence.verdict import Claimed, Statistics, Unknown, Unsafe, Verdict
from sley.logic.operators import AnyValue
from sley.logic.terms import Term
from sley.program.instructions import Create
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.semantics.places import ShapePlaces
from sley.semantics.quiet import quiet_ends, quiet_stops
from sley.semantics.symbolic_step import SymbolicSteps
from sley.semantics.vocabulary import MOST_CELLS


class TreeSettings(NamedTuple):
    """How to try: where interpolants come from, how large the tree may become, whether loops take turns."""

    interpolants: Interpolants
    extent: Extent | None = None
    is_lockstep: bool = False

    def options(self, asked: ImpactOptions) -> ImpactOptions:
        """What the user asked for, with what the attempt decides."""
        is_free = asked.interleaving is Interleaving.DYNAMIC
        interleaving = Interleaving.LOCKSTEP if self.is_lockstep and is_free else asked.interleaving
        return replace(asked, interpolants=self.interpolants, interleaving=interleaving)


FIRST = TreeSettings(
    Interpolants.VALUES, Extent(nodes=30_000, conjuncts=80, repetitions=12, open_repetitions=4)
)

LONG: Sequence[TreeSettings] = (
    TreeSettings(Interpolants.VALUES, Extent(nodes=600, conjuncts=400)),
    TreeSettings(Interpolants.PREDICATES, Extent(nodes=3_000, conjuncts=200, repetitions=12)),
    TreeSettings(
        Interpolants.PREDICATES, Extent(nodes=3_000, conjuncts=200, repetitions=12), is_lockstep=True
    ),
    TreeSettings(Interpolants.VALUES, Extent(nodes=10_000, conjuncts=200)),
    TreeSettings(Interpolants.SOLVER, Extent(nodes=40, conjuncts=200)),
    TreeSettings(Interpolants.VALUES, Extent(nodes=3_000, conjuncts=200, repetitions=12), is_lockstep=True),
    TreeSettings(Interpolants.VALUES),
)
"""Labels that do not generalise well enough lead into trees without end, so every attempt starts anew. Long
loops that constants decide come first: their trees are small, though labels grow."""

_SHORT = Extent(nodes=300, conjuncts=200, repetitions=6, implications=5_000)

SHORT: Sequence[TreeSettings] = (
    TreeSettings(Interpolants.PREDICATES, _SHORT),
    TreeSettings(Interpolants.PREDICATES, _SHORT, is_lockstep=True),
    TreeSettings(Interpolants.VALUES, Extent(nodes=30_000, conjuncts=80, repetitions=12)),
)
"""Where inputs decide how often loops go round, values say little; what leads to a proof does so early."""


def impact(
    program: Program, properties: frozenset[Property], options: ImpactOptions, budget: Budget
) -> tuple[Verdict[ReachabilityTree], Statistics]:
    """Prove a prepared program safe by an inductive tree, or find replayed violations."""
    run, stopped = _last_attempt(program, properties, options, budget)
    return _verdict(run, stopped), _statistics(run)


def unwind(
    program: Program, properties: frozenset[Property], options: ImpactOptions, budget: Budget
) -> tuple[Verdict[ReachabilityTree], ReachabilityTree]:
    """As ``impact``, with the tree even where it is no proof."""
    run, stopped = _last_attempt(program, properties, options, budget)
    return _verdict(run, stopped), _tree(run)


def _last_attempt(
    program: Program, properties: frozenset[Property], options: ImpactOptions, budget: Budget
) -> tuple[Impact, str | None]:
    """The first attempt that comes to an end, or the last one and why it did not."""
    is_free = options.interpolants is Interpolants.AUTO
    waiting = [FIRST if is_free else TreeSettings(options.interpolants)]
    for attempt in waiting:
        run = make_impact(program, properties, attempt.options(options), budget, attempt.extent)
        try:
            run.run()
            if not run.watcher.is_beyond:
                return run, None
        except BudgetExhaustedError as reason:
            return run, str(reason)
        if attempt is FIRST:
            waiting += _further(program, is_open_ended=run.watcher.is_open_ended)
    raise AssertionError("the last attempt has no limit")


def _further(program: Program, *, is_open_ended: bool) -> Iterator[TreeSettings]:
    """What to try after the first attempt."""
    has_threads = any(isinstance(edge.instruction, Create) for edge in program.edges)
    attempts = (*SHORT, *LONG) if is_open_ended else LONG
    return (attempt for attempt in attempts if has_threads or not attempt.is_lockstep)


def make_impact(
    program: Program,
    properties: frozenset[Property],
    options: ImpactOptions,
    budget: Budget,
    extent: Extent | None = None,
) -> Impact:
    """The algorithm, ready to run on a prepared program."""
    points_to, code = PointsTo(program), Code(program)
    accesses = find_accesses(
        program, points_to, is_elsewhere_excluded=True, observes_end=Property.LEAK in properties
    )
    is_full = options.interleaving is Interleaving.FULL
    quiet = frozenset() if is_full else quiet_stops(code, accesses) | quiet_ends(code, accesses)
    steps = SymbolicSteps(code, quiet, MOST_CELLS)
    paths = Paths(steps)
    places = ShapePlaces(steps, points_to)
    node_steps = NodeSteps(steps, paths, places)
    dependence = Dependence(steps, accesses, places)
    watcher = Watcher(program.terms, extent, properties, budget)
    stated = StateProperties(places, properties)
    run = Impact(steps, node_steps, paths, dependence, stated, options, watcher)
    budget.shows(lambda: f"{len(run.nodes)} nodes")
    return run


def _verdict(run: Impact, stopped: str | None) -> Verdict[ReachabilityTree]:
    traces: list[Trace] = []
    for violation in sorted(run.violations, key=lambda v: v.failure.rank()):
        if all(trace.failure.property is not violation.failure.property for trace in traces):
            try:
                traces.append(_replayed(run, violation))
            except (GaveUpError, ReplayError) as reason:
                text = f"a violation could not be replayed: {reason}"
                run.gave_up[Reason(text, Why.NO_REPLAY)] = None
    if traces:
        return Unsafe(tuple(traces))
    if run.gave_up:
        return Unknown(next(iter(run.gave_up)))
    if stopped is not None:
        return Unknown(stopped, _seen(run))
    return Claimed(_tree(run))


def _seen(run: Impact) -> tuple[str, ...]:
    """What is certain where the search was ended; to have seen next to nothing is no news."""
    if len(run.nodes) < 2:
        return ()
    return (f"no violation in {len(run.nodes)} nodes of the tree of impact", _growth(run))


def _growth(run: Impact) -> str:
    """Where the tree does not come to an end."""
    counts = Counter(
        (edge.origin.function, edge.origin.span.line)
        for node in run.nodes
        if node.is_expanded and node.branch is not None
        for edge in run.steps.code.out.get(node.branch.source, ())[:1]
        if edge.origin.span is not None and not edge.origin.is_library
    )
    if not counts:
        return "the tree of impact does not come to an end"
    ((function, line), count) = counts.most_common(1)[0]
    nodes = "1 node" if count == 1 else f"{count} nodes"
    return f"the tree grows most at line {line}, in `{function}`: {nodes}"


def _replayed(run: Impact, violation: ViolatingPath) -> Trace:
    """The violation as a run of the interpreter."""
    node, branch = violation.node, violation.branch
    model = run.paths.model(node, violation.question, run.paths.sizes(node))
    path = [Guided(at.branch, _chosen(model, at.inputs)) for at in node.path() if at.branch is not None]
    if branch is not None:
        path.append(Guided(branch, _chosen(model, run.paths.inputs_of(node, branch))))
    code = run.steps.code
    return replay(code.program, schedule_along(code, path), violation.failure)


def _chosen(model: Mapping[Term, AnyValue], inputs: Mapping[Term, Term]) -> dict[Term, AnyValue]:
    """The value of each arbitrary value of a branch, if the model mentions it."""
    return {made: model[given] for made, given in inputs.items() if given in model}


def _tree(run: Impact) -> ReachabilityTree:
    """The tree as plain data."""
    nodes = [node for node in run.nodes if not node.is_suspended]
    numbers: dict[Node | None, int | None] = {node: number for number, node in enumerate(nodes)}
    numbers[None] = None
    return ReachabilityTree(
        tuple(
            TreeNode(
                tuple(node.label.conjuncts),
                {
                    thread: Expansion(answers, tuple(numbers[child] for child in children))
                    for thread in node.expanded
                    if node.cover is None
                    if (node, thread) in run.expansions  # the budget may have ended in the midst
                    for answers, children in (run.expansions[node, thread],)
                },
                node.control,
                numbers[node.cover],
                node.need,
                node.order,
                tuple(sorted(node.sleep)),
            )
            for node in nodes
        ),
        frozenset(run.steps.code.stops - run.steps.stops),
        run.reduction.has_sleepers,
    )


def _statistics(run: Impact) -> Statistics:
    found: dict[str, int | float | str] = {
        "nodes": len(run.nodes),
        "nodes from cover expansions": run.counts["cover expansions"],
        "refinements": run.counts["refinements"],
        "covers": run.counts["covers"],
        "covers undone": run.counts["uncovered"],
        "force covers tried": run.counts["tried"],
        "force covers won": run.counts["forced"],
    }
    for level, count in run.entailment.counts.items():
        found[f"implications by {level}"] = count
    for method, count in run.interpolation.counts.items():
        found[f"interpolants by {method}"] = count
    found["path queries"] = run.paths.queries
    found["context switches"] = max((node.switches for node in run.nodes), default=0)
    return found
