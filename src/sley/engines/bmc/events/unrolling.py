"""Unrolling: from a program and a bound for every loop to events.

Stage one of N. Sinha, C. Wang, *Staged Concurrent Program Analysis*, FSE 2010 (the interference skeleton).
Every thread is run once, on terms, along all its paths at once: paths that meet are merged. What other
threads may change is read as a fresh symbol, so each thread is run by itself. This module says which way a
thread goes; what happens on an edge is the business of ``execution``.

A thread that fails an assumption, is blocked or reaches the bound of a loop stops there. It is as if it were
not scheduled any more, so nothing that the other threads do is lost.
"""

import heapq
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from sley.analyses.pointers import PointsTo
from sley.analyses.sharing import find_sharing
from sley.base.budget import Budget
from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.bmc.events.atomics import atomic_variables
from sley.engines.bmc.events.claims import UnrollingClaims
from sley.engines.bmc.events.conditions import Conditions
from sley.engines.bmc.events.dependencies import Flows
from sley.engines.bmc.events.execution import Start, UnrolledExecution
from sley.engines.bmc.events.graph import Cut, ErrorNode, EventGraph, ThreadEvents
from sley.engines.bmc.events.joins import order_joins
from sley.engines.bmc.events.loops import Bounds, Iterations, LoopNest, bound_of
from sley.engines.bmc.events.merging import merged
from sley.engines.bmc.events.numbers import note_block_numbers, note_thread_numbers
from sley.engines.bmc.events.sections import ExposedSectionError, forget_spoiled_locks, may_stop
from sley.engines.bmc.events.spinning import Round
from sley.engines.bmc.events.states import NodeBuilder, ThreadState
from sley.engines.bmc.events.summaries import Summaries, Summary
from sley.engines.bmc.events.variables import Variables
from sley.engines.bmc.thresholds import LARGEST_SUMMARY, MOST_EDGES, MOST_EVENTS
from sley.evidence.bounded.proof import Loop
from sley.logic.terms import Term
from sley.program.instructions import FaultTest, Lock
from sley.program.memory_model import MemoryModel
from sley.program.program import Edge
from sley.semantics.code import Code
from sley.semantics.places import ShapePlaces
from sley.semantics.roles import RegisterRole
from sley.semantics.symbolic_step import SymbolicSteps


class LoopBranch(NamedTuple):
    """An edge that a thread takes in certain iterations of the loops around it."""

    thread: int
    iterations: Iterations
    source: int
    target: int


_Position = tuple[int, Iterations]

COMPLETIONS: tuple[Callable[[EventGraph], EventGraph], ...] = (
    order_joins,
    forget_spoiled_locks,
    note_thread_numbers,
    note_block_numbers,
)
"""What concerns several threads, and is known only when all of them are unrolled."""


class Unroller:
    """What is known of a program before anything is unrolled."""

    def __init__(
        self,
        code: Code,
        claims: UnrollingClaims | None = None,
        *,
        model: MemoryModel = MemoryModel.SC,
        sections: bool = True,
        settled: bool = True,
    ) -> None:
        self.code = code
        self.model = model
        self.is_weak = is_weak = model is not MemoryModel.SC
        """Whether orders matter: then each access is a node of its own."""
        self.steps = SymbolicSteps(code)
        self.points_to = PointsTo(code.program)
        self.places = ShapePlaces(self.steps, self.points_to)
        self.sharing = find_sharing(code.program, self.points_to)
        self.nests: dict[str, LoopNest] = {}
        self._summaries: dict[tuple[str, int, _Position | None], Summaries] = {}
        exposed = _locks(code) if is_weak or not sections else frozenset[int]()
        self.claims = claims or UnrollingClaims(self.steps.initial_shape(), exposed)
        """What the last unrolling took for granted, and found to be true."""
        self.looks_for_settled = claims is None and settled
        """Whether the next unrolling looks for variables that are never written."""
        self.taken: frozenset[LoopBranch] | None = None
        """The branches that are followed; None: all. Those to failures always are."""

    def nest(self, function: str) -> LoopNest:
        """The loops of a thread template."""
        if function not in self.nests:
            self.nests[function] = LoopNest(self.code.program.functions[function])
        return self.nests[function]

    def heads(self) -> list[int]:
        """The heads of all loops."""
        return [head for name in self.code.program.functions for head in self.nest(name).loops.bodies]

    def summaries(self, function: str, largest: int, thread: int, iterations: Iterations) -> Summaries:
        """The summaries of the local code of a thread template, as it is in these iterations of its loops."""
        at = None if self.taken is None else (thread, iterations)
        key = (function, largest, at)
        if key not in self._summaries:
            may_take = partial(self._may_take, at)
            self._summaries[key] = Summaries(self.code, self.nest(function), may_take, largest)
        return self._summaries[key]

    def _may_take(self, at: "_Position | None", edge: Edge) -> bool:
        """Whether a branch is part of what is looked at."""
        if self.taken is None or at is None or edge.target in self.code.errors:
            return True
        return LoopBranch(*at, edge.source, edge.target) in self.taken

    def unroll(
        self, bounds: Bounds, budget: Budget, *, finds_waits: bool, summarises: bool = True
    ) -> EventGraph:
        """The events with each loop unrolled as often as its bound says (once if it has none).

        Unless it ``summarises``, every assignment of a thread gets a variable of its own.

        Whether the claims are true is known only afterwards; so once more with others if they are not.
        """
        while True:
            run = _Unrolling(self, bounds, budget, finds_waits=finds_waits, summarises=summarises)
            try:
                graph = run.run()
            except ExposedSectionError as section:
                self.claims = self.claims.without_section(section.location)
                continue
            for complete in COMPLETIONS:
                graph = complete(graph)
            revised = self.claims.revised(graph, run.variables.found)
            if revised == self.claims and self.looks_for_settled:
                is_c11 = self.model is MemoryModel.C11
                atomic = atomic_variables(self.code, graph) if is_c11 else frozenset[Term]()
                revised, self.looks_for_settled = self.claims.with_settled(graph, atomic), False
            if revised == self.claims:
                return graph
            self.claims = revised


def _locks(code: Code) -> frozenset[int]:
    """Where locks are taken."""
    edges = (edge for out in code.out.values() for edge in out)
    return frozenset(edge.source for edge in edges if isinstance(edge.instruction, Lock))


class _Unrolling:
    """One unrolling."""

    def __init__(
        self, unroller: Unroller, bounds: Bounds, budget: Budget, *, finds_waits: bool, summarises: bool
    ) -> None:
        self.unroller = unroller
        self.code = unroller.code
        self.terms = self.code.program.terms
        self.bounds = bounds
        self.budget = budget
        self.flows = Flows(self.terms, unroller.model) if unroller.model.is_hardware else None
        self.largest = LARGEST_SUMMARY if summarises and self.flows is None else 1
        self.graph = EventGraph(self.terms, reuses_numbers=unroller.points_to.is_reusing)
        self.conditions = Conditions(self.terms, self.graph.definitions)
        initial, expected = unroller.steps.initial_shape(), unroller.claims.shape
        self.variables = Variables(unroller.places, unroller.sharing, initial, expected)
        self.nodes = NodeBuilder(self.code, self.graph, self.conditions, self.variables)
        self.nodes.flows = self.flows
        self.execution = UnrolledExecution(
            self.nodes,
            unroller.places,
            unroller.claims,
            finds_waits=finds_waits,
            names_values=not summarises,
            is_weak=unroller.is_weak,
        )
        self._queue: list[tuple[tuple[int, ...], int]] = []
        self._arriving: dict[tuple[int, ...], list[ThreadState]] = {}
        self._executed = 0
        self._edges_out: set[tuple[int, Iterations]] = set()

    # --- threads ----------------------------------------------------------------------------------

    def run(self) -> EventGraph:
        """The events of all threads."""
        main = self.code.program.functions[self.code.program.entry]
        root = self.nodes.new_node(main.entry, ())
        values = {
            self.variables.vocabulary.register(0, register): self.terms.const(0, register.sort)
            for register in self.code.live[main.entry]
        }
        self.graph.threads.append(ThreadEvents(main.name, self.terms.true, 0))
        starts = self.execution.starts
        starts.append(Start(0, (), values, root.number))
        while starts:
            self._run_thread(starts.pop(0))
        return replace(self.graph, initial={v: self.variables.first(v) for v in self.graph.variables})

    def _run_thread(self, start: Start) -> None:
        self.variables.thread, self.nodes.last = start.thread, start.created_by
        entry = self.code.program.functions[self._function].entry
        iterations = (0,) * len(self._nest.heads(entry))
        first = ThreadState(entry, iterations, start.guard, start.values, is_alone=start.thread == 0)
        self._arrive(first, self._nest.key(entry, iterations))
        while self._queue:
            key, _ = heapq.heappop(self._queue)
            states = self._arriving.pop(key, None)
            if states is not None:
                self._advance(merged(states, self.nodes))
        self.execution.waiting.finish_sections()

    @property
    def _function(self) -> str:
        return self.graph.threads[self.variables.thread].function

    @property
    def _nest(self) -> LoopNest:
        return self.unroller.nest(self._function)

    def _arrive(self, state: ThreadState, position: tuple[int, ...]) -> None:
        """Wait until all have come that go on together: at one position, in one section."""
        key = (*position, -1 if state.node is None else state.node.number)
        if key not in self._arriving:
            self._arriving[key] = []
            heapq.heappush(self._queue, (key, state.location))
        self._arriving[key].append(state)

    # --- ways -------------------------------------------------------------------------------------

    def _advance(self, state: ThreadState) -> None:
        """One edge, or all ways through local code."""
        self.budget.spend()
        self._executed += 1
        if self._may_spin(state):
            if not state.rounds:
                state.successes = ()
            state.rounds = {**state.rounds, state.location: self._kept(state, state.location)}
        if self._executed > MOST_EDGES or len(self.graph.nodes) > MOST_EVENTS:
            raise GaveUpError(Reason("the unrolled program is too large", Why.UNROLLED))
        summary = self._summaries(state).of(state.location)
        if summary is not None:
            self._follow(state, summary)
            return
        edges, fault = self.code.out.get(state.location, ()), self.code.faults.get(state.location)
        main = next((edge for edge in edges if not isinstance(edge.instruction, FaultTest)), None)
        if main is None:
            may_stop(state)
            return
        for after, edge in self.execution.take(state, main, fault):
            self._go(after, edge)

    def _summaries(self, state: ThreadState) -> Summaries:
        thread = self.variables.thread
        return self.unroller.summaries(self._function, self.largest, thread, state.iterations)

    def _follow(self, state: ThreadState, summary: Summary) -> None:
        """All ways through local code."""
        if state.locks.has_released:
            for stop in self.variables.all_values(state.values, tuple(summary.stops)):
                if self.conditions.extended(state.guard, stop) is not None:
                    may_stop(state)
        for way in summary.ways:
            guard: tuple[Term, ...] | None = state.guard
            if way.guard:
                condition = self.terms.and_(*self.variables.all_values(state.values, way.guard))
                guard = self.conditions.extended(state.guard, condition)
            if guard is None:
                continue
            taken = state if way is summary.ways[-1] else state.copy()
            taken.guard = guard
            if self.flows is not None:
                flow = self.flows.branched(state.flow, way.guard)
                taken.flow = self.flows.assigned(flow, {r.term: v for r, v in way.updates.items()})
            if way.updates:
                new = self.variables.all_values(state.values, tuple(way.updates.values()))
                own = [self.variables.vocabulary.register(self.variables.thread, r) for r in way.updates]
                self.execution.assign(taken, dict(zip(own, new, strict=True)))
            self._go(taken, way.edge)

    def _go(self, state: ThreadState, edge: Edge) -> None:
        """Move a state along an edge that it can take, unless a loop has reached its bound."""
        nest, thread = self._nest, self.variables.thread
        iterations = nest.after(edge, state.iterations)
        for head, left in nest.left(edge, state.iterations):
            self._edges_out.add((thread, (*left, head)))
        if nest.is_back(edge):
            *around, count = nest.iterations_of(edge.target, state.iterations)
            loop = Loop(thread, tuple(around), edge.target)
            if self._has_only_read(state, edge.target):
                may_stop(state)
                self.graph.spins.add(edge.target)
                return
            if not self._may_repeat(loop, count):
                may_stop(state)
                self.nodes.stop_inside(state.node, state.guard)
                self.graph.cuts.append(Cut(self.terms.and_(*state.guard), loop))
                return
            self.graph.repeats[loop] = max(count + 1, self.graph.repeats.get(loop, 0))
        state.location, state.iterations = edge.target, iterations
        if edge.target in self.code.errors:
            self._fail(state)  # by itself: where paths to one failure met, it would come after all of them
        else:
            self._arrive(state, nest.key(edge.target, iterations))

    def _may_spin(self, state: ThreadState) -> bool:
        """Whether a thread comes to a loop of which rounds may be left out (see ``spinning``)."""
        is_free = state.node is None and not state.is_alone
        loops = self._nest.loops
        heads = loops.bodies if self.unroller.model.is_hardware else loops.polling
        return self.unroller.is_weak and is_free and state.location in heads

    def _has_only_read(self, state: ThreadState, head: int) -> bool:
        """Whether a thread comes back to the head of a loop as it was there, and has changed nothing."""
        if state.rounds.get(head) != self._kept(state, head):
            return False
        return all(self.conditions.extended(state.guard, one) is None for one in state.successes)

    def _kept(self, state: ThreadState, head: int) -> Round:
        """What matters where a loop begins: registers that are still needed, and memory of its own."""
        thread, values = self.variables.thread, state.values
        live = (self.variables.vocabulary.register(thread, r) for r in self.code.live.get(head, ()))
        own = {v: term for v, term in values.items() if not isinstance(self.terms.symbol(v), RegisterRole)}
        return own | {v: self.variables.local(values, v) for v in live}

    def _may_repeat(self, loop: Loop, count: int) -> bool:
        """Whether the bound allows one more iteration; loops without an exit are free."""
        is_endless = loop.head not in self._nest.heads_with_exit
        cost = sum(
            is_endless or (loop.thread, (*loop.around, number, loop.head)) in self._edges_out
            for number in range(count + 1)
        )
        return cost < bound_of(self.bounds, loop)

    def _fail(self, state: ThreadState) -> None:
        self.nodes.stop(state)
        node = self.nodes.new_node(state.location, state.guard)
        self.graph.violations.append(ErrorNode(node.number, self.code.errors[state.location]))
