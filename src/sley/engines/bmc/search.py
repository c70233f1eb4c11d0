"""Deepening: unroll, ask for a violation, then whether the unrolling was all there is."""

import time
from collections.abc import Iterable
from functools import partial

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.bmc.contexts import context_formulas
from sley.engines.bmc.cycles import ModelOrder, Rows, pieces
from sley.engines.bmc.events.atomics import Atomics
from sley.engines.bmc.events.graph import EventGraph, UnclearNode
from sley.engines.bmc.events.loops import bound_of
from sley.engines.bmc.events.machine import MachineUnrolling
from sley.engines.bmc.events.unrolling import Unroller
from sley.engines.bmc.formula.encoding import encode, encode_machine, encode_weak
from sley.engines.bmc.formula.formula import Formula
from sley.engines.bmc.formula.order import Cycle
from sley.engines.bmc.formula.total import TooLargeError
from sley.engines.bmc.likely.file import load_likely
from sley.engines.bmc.likely.invariants import LikelyInvariants
from sley.engines.bmc.likely.mining import mine
from sley.engines.bmc.likely.refinement import InvariantRefinement
from sley.engines.bmc.likely.restriction import Restricter, Restriction
from sley.engines.bmc.machine_schedules import MachineDriver, ModelExecution, needed, node_order
from sley.engines.bmc.options import BmcOptions, Likely, OrderEncoding, Stage
from sley.engines.bmc.proof import BoundedProof
from sley.engines.bmc.schedules import Driver
from sley.engines.bmc.slices import slice_of_run
from sley.engines.bmc.steps import reduced
from sley.engines.bmc.thresholds import EASY, LIKELY_PART
from sley.engines.bmc.weak_schedules import WeakDriver
from sley.evidence.bounded.proof import Loop
from sley.evidence.replay import ReplayError, replay
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Claimed, Unknown, Unsafe, Verdict
from sley.logic.terms import Term
from sley.program.memory_model import MemoryModel
from sley.program.program import Program, user_origin
from sley.program.properties import Failure, Property
from sley.semantics.code import Code
from sley.semantics.history import History
from sley.semantics.vocabulary import may_lose
from sley.solvers import make_sat_solver
from sley.solvers.port import SolverAnswer

RACE = Failure(Property.RACE, "data-race", "data race")
DEADLOCK = Failure(Property.DEADLOCK, "deadlock", "deadlock")


def times(count: int) -> str:
    """How often at most, in words."""
    return "once" if count == 1 else f"up to {count} times"


class BoundedSearch:
    """One run of the engine."""

    def __init__(
        self,
        program: Program,
        properties: frozenset[Property],
        options: BmcOptions,
        budget: Budget,
        *,
        model: MemoryModel = MemoryModel.SC,
    ) -> None:
        self.program = program
        self.terms = program.terms
        self.properties = properties
        self.options = options = options.resolved()
        self.budget = budget
        self.model = model
        self.started = budget.elapsed()
        self.code = Code(program)
        self.unroller = Unroller(
            self.code, model=model, sections=options.has(Stage.SECTIONS), settled=options.has(Stage.SETTLED)
        )
        self.bounds: dict[Loop | int, int] = {}
        self.complete: Bounded | None = None
        """What was searched without finding anything."""
        self.counts: dict[str, int | float | str] = {"unrollings": 0, "rounds": 0}
        self.lengths: dict[int, int] = {}
        self._likely: LikelyInvariants | None = None

    def likely(self) -> LikelyInvariants:
        """Likely invariants: from a file, or mined once."""
        if self._likely is None:
            started, file = time.monotonic(), self.options.invariants
            if file is None:
                self._likely = mine(self.program, self.options.runs, budget=self.budget)
            else:
                self._likely = load_likely(file, self.program)
            self.counts["seconds mining"] = round(time.monotonic() - started, 3)
        return self._likely

    def verdict(self) -> Verdict[BoundedProof]:
        """The answer."""
        try:
            while True:
                found = self._attempt()
                if found is not None:
                    return found
        except (BudgetExhaustedError, TooLargeError) as reason:
            if self.complete is not None:
                return self.complete
            return Unknown(str(reason))

    def _attempt(self) -> Verdict[BoundedProof] | None:
        """One depth: an answer, or None after the bounds were raised."""
        started = time.monotonic()
        self.counts["unrollings"] = int(self.counts["unrollings"]) + 1
        if self.options.unwind is not None:
            self.bounds = dict.fromkeys(self.unroller.heads(), self.options.unwind)
        if self.options.slice_of_run is not None:
            part = slice_of_run(self.code, self.unroller.nest, self.options.slice_of_run, self.budget)
            self.unroller.taken, self.bounds = frozenset(part.branches), part.bounds
        bound = max(self.bounds.values(), default=1)
        self.budget.shows(lambda: f"bound {bound}")
        finds_waits = Property.DEADLOCK in self.properties
        graph = self.unroller.unroll(
            self.bounds, self.budget, finds_waits=finds_waits, summarises=self.options.has(Stage.SUMMARIES)
        )
        self.counts["seconds unrolling"] = round(time.monotonic() - started, 3)
        return self._depth(self, graph).verdict()

    @property
    def _depth(self) -> "type[_Depth]":
        if self.model.is_hardware:
            return MachineDepth
        return WeakDepth if self.model is MemoryModel.C11 else _Depth

    def places_of(self, loops: Iterable[Loop]) -> tuple[str, ...]:
        """Loops in the user's words."""
        found: dict[str, None] = {}
        for loop in loops:
            origins = (user_origin(edge.origin) for edge in self.code.out.get(loop.head, ()))
            spans = [origin.span for origin in origins if origin.span is not None]
            if spans:
                found[f"the loop at {spans[0].file}:{spans[0].line}"] = None
        return tuple(found)

    def deepen(self, loops: Iterable[Loop]) -> None:
        """Unroll these loops further next time."""
        for loop in loops:
            self.bounds[loop] = 2 * bound_of(self.bounds, loop)


class _Depth:
    """The questions about one unrolling."""

    def __init__(self, search: BoundedSearch, graph: EventGraph) -> None:
        self.search = search
        self.terms = search.terms
        options = search.options
        started = time.monotonic()
        self.graph = graph
        self.formula = self._encoded()
        self.cycles: dict[Cycle, None] = {}
        self.rows = Rows(self.formula)
        list(self.rows.news())  # the formula has these
        formulas, clauses = self.formula.formulas, self.formula.clauses
        self.solver = make_sat_solver("minisat", self.terms, formulas, clauses)
        if options.context_bound is not None:
            self.solver.add(*context_formulas(self.formula, options.context_bound))
        search.counts |= self.formula.counts
        if self.solver.clause_count:
            search.counts["clauses"] = self.solver.clause_count
            search.counts["variables of clauses"] = self.solver.variable_count
        search.counts["seconds encoding"] = round(time.monotonic() - started, 3)
        self.started = time.monotonic()

    def _encoded(self) -> Formula:
        search, options = self.search, self.search.options
        self.graph = reduced(self.graph, options, search.properties)
        may_copy = self._restricter().may_copy if options.likely_invariants is Likely.DIRECT else None
        return encode(self.graph, options, search.properties, search.budget, may_copy=may_copy)

    def _restricter(self) -> Restricter:
        return Restricter(self.terms, self.graph, self.search.likely(), self.search.options.switches)

    def _is_wrong(self) -> bool:
        """Whether a violation is possible."""
        mode, wrong = self.search.options.likely_invariants, self.formula.wrong
        if wrong == self.terms.false:
            return False
        if mode is Likely.REFINE:
            return self._is_wrong_refined(wrong)
        if mode in (Likely.SWITCHED, Likely.HINTS):
            found = self._tried(EASY, wrong)
            if found is not None:
                return found
            if mode is Likely.SWITCHED:
                return self._is_wrong_by_turns(wrong)
            for literal, value in self._restricter().preferences(self.formula):
                self.solver.prefer(literal, value=value)
        return self._is_possible(wrong)

    def _is_wrong_refined(self, wrong: Term) -> bool:
        """The same as published: under all likely invariants, then without those that refute it."""
        restriction = self._restricted()
        likely = InvariantRefinement(tuple(restriction.switches))
        found = likely.run(lambda assumed: self._tried(None, wrong, *assumed), self.solver.core)
        assert found is not None
        self._note_likely(restriction, likely)
        return found

    def _is_wrong_by_turns(self, wrong: Term) -> bool:
        """The same, first where likely invariants hold, then everywhere, each with growing effort.

        What is spent on likely runs is a part of what is spent on all: little is lost where they do not help.
        """
        restriction = self._restricted()
        likely = InvariantRefinement(tuple(restriction.switches))
        effort, found = EASY, None
        while found is None:
            if likely.invariants:
                until = self.solver.conflict_count + int(LIKELY_PART * effort)
                found = likely.run(partial(self._tried_until, until, wrong), self.solver.core)
            if found is None:
                effort = 2 * effort + 1
                found = self._tried(effort, wrong)
        self._note_likely(restriction, likely)
        return found

    def _tried_until(self, until: int, wrong: Term, assumed: tuple[Term, ...]) -> bool | None:
        return self._tried(until - self.solver.conflict_count, wrong, *assumed)

    def _restricted(self) -> Restriction:
        """The likely invariants, as assertions that switches turn on."""
        restriction = self._restricter().switched(self.formula)
        self.solver.add(*restriction.formulas)
        self.search.counts["writes before saving"] = restriction.pairs
        self.search.counts["likely invariants at start"] = len(restriction.switches)
        return restriction

    def _note_likely(self, restriction: Restriction, likely: InvariantRefinement) -> None:
        counts = self.search.counts
        counts["likely invariants at end"] = len(likely.invariants)
        counts["likely rounds"] = likely.iterations
        counts["writes saved"] = restriction.saved(likely.invariants)

    def verdict(self) -> Verdict[BoundedProof] | None:
        """An answer, or None after the search was told to go deeper."""
        t = self.terms
        if self._is_wrong():
            return self._unsafe()
        if self.search.options.slice_of_run is not None:
            self._note_time()
            return Unknown("nothing was found in the slice of one run, and nothing else was tried")
        troubles = t.or_(*(trouble.condition for trouble in self._troubles()))
        if self._is_possible(troubles):
            return Unknown(self._met_trouble())
        loops = self._loops_to_deepen()
        self._note_time()
        if not loops:
            return self._limited() or self._safe()
        if self.formula.may_copy is None:
            self._note_complete(loops)
        if self.search.options.unwind is not None:
            limited = self.search.complete or self._limited()
            if limited is not None:
                return limited
        self.search.deepen(loops)
        return None

    def _note_complete(self, loops: Iterable[Loop]) -> None:
        """What was searched without finding anything."""
        bound, switches = f"loops unrolled {times(self._deepest())}", self.search.options.context_bound
        if switches is not None:
            bound = f"{switches} context switches, {bound}"
        self.search.complete = Bounded(bound, self.search.places_of(loops))
        self.search.budget.known(self.search.complete)

    def _deepest(self) -> int:
        """How often some loop was unrolled."""
        return max((bound_of(self.search.bounds, cut.loop) for cut in self.graph.cuts), default=1)

    def _loops_to_deepen(self) -> list[Loop]:
        """The loops that go on beyond their bounds in some run."""
        found: dict[Loop, None] = {}
        while True:
            left = [cut for cut in self.graph.cuts if cut.loop not in found]
            if not self._is_possible(self.terms.or_(*(cut.condition for cut in left))):
                return list(found)
            found.update(dict.fromkeys(cut.loop for cut in left if self._is_true(cut.condition)))
            if self.search.options.unwind is not None:
                return list(found)

    def _limited(self) -> Verdict[BoundedProof] | None:
        """What can be said where only some runs were looked at, all of them to their ends."""
        if self.formula.may_copy is not None:
            return Unknown("nothing was found where likely invariants hold, and nothing else was tried")
        switches = self.search.options.context_bound
        return None if switches is None else Bounded(f"{switches} context switches")

    def _note_time(self) -> None:
        self.search.counts["seconds solving"] = round(time.monotonic() - self.started, 3)

    def _safe(self) -> Verdict[BoundedProof]:
        heap = self.search.unroller.claims.shape.heap
        if Property.LEAK in self.search.properties and may_lose(self.search.code, heap):
            return Unknown(
                Reason("engine bmc does not decide leaks", Why.UNDECIDED, "leaks"), ("no other violation",)
            )
        bounds = tuple(self.search.bounds.items())
        return Claimed(
            BoundedProof(
                bounds,
                tuple(self.cycles),
                self.search.options,
                self.search.unroller.claims,
                tuple(self.graph.repeats.items()),
                self.search.budget.elapsed() - self.search.started,
                frozenset(self.graph.spins),
            )
        )

    def _troubles(self) -> list[UnclearNode]:
        return [*self.graph.troubles, *self.formula.troubles]

    def _met_trouble(self) -> str:
        return next(trouble.reason for trouble in self._troubles() if self.solver.value(trouble.condition))

    # --- models -----------------------------------------------------------------------------------

    def _is_possible(self, condition: Term) -> bool:
        """Whether a run meets the condition; the solver then has a model of one."""
        found = self._tried(None, condition)
        assert found is not None
        return found

    def _tried(self, effort: int | None, *conditions: Term) -> bool | None:
        """The same of several conditions; None after this effort, in conflicts of the SAT solver."""
        if self.terms.false in conditions:
            return False
        solver, budget = self.solver, self.search.budget
        until = None if effort is None else solver.conflict_count + effort
        while True:
            budget.check()
            limit = None if until is None else until - solver.conflict_count
            if limit is not None and limit <= 0:
                return None
            started = time.process_time()
            answer = solver.check(*conditions, time_limit=budget.remaining(), conflict_limit=limit)
            self._note_solving(time.process_time() - started)
            if answer is SolverAnswer.UNKNOWN:
                budget.check()
                if until is not None and solver.conflict_count:
                    return None
                raise GaveUpError(solver.reason)
            if answer is SolverAnswer.UNSAT:
                return False
            if not self._learn():
                return True

    def _note_solving(self, seconds: float) -> None:
        counts = self.search.counts
        counts["seconds in solver"] = round(float(counts.get("seconds in solver", 0)) + seconds, 3)
        counts["conflicts"] = self.solver.conflict_count

    def _is_true(self, term: Term) -> bool:
        return bool(self.solver.value(term))

    def _learn(self) -> bool:
        """Exclude the cycles of the model; whether there were any."""
        if self.search.options.order is OrderEncoding.CLOCKS:
            return False
        counts, lengths = self.search.counts, self.search.lengths
        counts["rounds"] = int(counts["rounds"]) + 1
        cycles = self._order().cycles()
        for cycle in cycles:
            length = sum(not self.graph.order.is_before(link.source, link.target) for link in cycle)
            lengths[length] = lengths.get(length, 0) + 1
            for piece in pieces(cycle):
                self._exclude(piece)
        if cycles:
            for row in self.rows.news():
                self._exclude(row)
        return bool(cycles)

    def _exclude(self, cycle: Cycle) -> None:
        clause = self.formula.order.cycle_clause(cycle)
        assert clause is not None, "a cycle that is none"
        if self.terms.true not in clause and cycle not in self.cycles:
            self.cycles[cycle] = None
            self.solver.add(self.terms.or_(*clause))

    def _order(self) -> ModelOrder:
        edges = self.formula.edges_of(self._is_true)
        races = self.formula.is_race.items()
        neighbours = next(((a.node, b.node) for race, (a, b) in races if self._is_true(race)), None)
        return ModelOrder(len(self.graph.nodes), self.graph.order, edges, neighbours)

    # --- violations -------------------------------------------------------------------------------

    def _unsafe(self) -> Verdict[BoundedProof]:
        self._note_time()
        try:
            return Unsafe((self._replayed(),))
        except (GaveUpError, ReplayError) as reason:
            return Unknown(Reason(f"a violation could not be replayed: {reason}", Why.NO_REPLAY))

    def _replayed(self) -> Trace:
        """The violation of the model as a run of the interpreter."""
        driver = Driver(self.search.code, self.graph, self._number)
        failure, goals = self._goals()
        order = self._before(failure, goals)
        driver.follow([n for n in order if n not in goals and self._happens(n)])
        driver.arrive(goals)
        return replay(self.search.program, driver.schedule, failure)

    def _before(self, failure: Failure, goals: list[int]) -> list[int]:
        """The nodes that lead to a violation, in order."""
        ends = self.graph.exits if failure is DEADLOCK and not self._is_circle() else []
        ended = [stop.node for stop in ends if self._is_true(self.formula.named(stop.condition))]
        order = self._order().until([*goals, *ended])
        if order is None:
            raise GaveUpError("the events have no order")
        return order

    def _happens(self, node: int) -> bool:
        """Whether a node certainly happens in the model; others do if a thread comes by."""
        return self._is_true(self.formula.occurs[node]) and self.formula.is_decided(node)

    def _goals(self) -> tuple[Failure, list[int]]:
        """What goes wrong in the model, and the nodes at which threads then stand."""
        formula = self.formula
        for literal, position in formula.is_violation.items():
            if self._is_true(literal):
                violation = self.graph.violations[position]
                return violation.failure, [violation.node]
        for literal, (one, other) in formula.is_race.items():
            if self._is_true(literal):
                return RACE, [one.node, other.node]
        waits = formula.is_in_circle if self._is_circle() else formula.is_stuck
        return DEADLOCK, [node for literal, node in waits.items() if self._is_true(literal)]

    def _is_circle(self) -> bool:
        """Whether some threads wait for each other, whatever the others do."""
        circle = self.formula.is_circle
        return circle is not None and self._is_true(circle)

    def _number(self, term: Term) -> int:
        return int(self.solver.value(term))


class WeakDepth(_Depth):
    """The same where orders mean what C11 says."""

    def _encoded(self) -> Formula:
        search, options = self.search, self.search.options
        graph = reduced(self.graph, options, search.properties, is_weak=True)
        vocabulary = search.unroller.steps.vocabulary(search.unroller.claims.shape)
        atomics = Atomics(search.code, graph, vocabulary)
        self.model = encode_weak(atomics, options, search.properties, search.budget)
        self.graph = self.model.formula.graph
        return self.model.formula

    def _order(self) -> ModelOrder:
        edges = self.formula.edges_of(self._is_true)
        return ModelOrder(len(self.graph.nodes), self.graph.order, edges, None)

    def _replayed(self) -> Trace:
        """The violation of the model as a run of the machine of C11; a race has happened, not about to."""
        history = History(finds_races=Property.RACE in self.search.properties)
        driver = WeakDriver(self.model, self._number, history)
        failure, goals = self._goals()
        order = self._before(failure, goals)
        driver.follow([n for n in order if (failure is RACE or n not in goals) and self._happens(n)])
        if driver.has_raced:
            failure = RACE
        else:
            driver.arrive(goals)
        return replay(self.search.program, driver.schedule, failure, MemoryModel.C11)


class MachineDepth(_Depth):
    """The same on a machine, where every access is one of memory."""

    def _encoded(self) -> Formula:
        search, options = self.search, self.search.options
        graph = reduced(self.graph, options, search.properties, is_weak=True)
        vocabulary = search.unroller.steps.vocabulary(search.unroller.claims.shape)
        unrolled = MachineUnrolling(search.code, graph, vocabulary, search.model)
        self.machine = encode_machine(unrolled, options, search.properties, search.budget)
        self.graph = self.machine.formula.graph
        return self.machine.formula

    def _order(self) -> ModelOrder:
        orderings = self.formula.orderings
        edges = [(a, b) for literals, a, b in orderings if all(map(self._is_true, literals))]
        return ModelOrder(len(self.graph.nodes), self.graph.order, edges, None)

    def _replayed(self) -> Trace:
        """The violation of the model as a run that the axioms of the machine allow."""
        execution = ModelExecution(self.machine, self._number)
        failure, goals = self._goals()
        orderings = (one for one in self.formula.orderings if all(map(self._is_true, one.literals)))
        static = (*self.graph.order.edges, *((a, b) for _, a, b in orderings if failure is not DEADLOCK))
        order = node_order(execution, static)
        driver = MachineDriver(execution)
        driver.follow(order.of(self._wanted(execution, failure, goals)))
        driver.arrive(goals)
        return replay(self.search.program, driver.schedule, failure, self.search.model)

    def _wanted(self, execution: ModelExecution, failure: Failure, goals: list[int]) -> Iterable[int]:
        """The nodes that have to happen before the violation."""
        happening = [n for n in range(len(self.graph.nodes)) if self._happens(n)]
        if failure is not DEADLOCK or self._is_circle():
            before = self.graph.order.before
            wanted = needed(execution, goals, lambda node: [n for n in happening if before[node] >> n & 1])
            happening = [n for n in happening if n in wanted]
        others = {*goals, *execution.waits, *(v.node for v in self.graph.violations)}
        return [n for n in happening if n not in others]
