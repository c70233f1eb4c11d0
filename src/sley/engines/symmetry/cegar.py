"""The loop of the paper (Sect. 4): abstract, search, simulate, refine.

The paper's symbols and procedures:

=======================  ===============================  ========================================
paper                    here                             note
=======================  ===============================  ========================================
P, an SCPL program       ``TemplateSystem``               a template for each function
SP, LP                   ``system.shared``, ``.own``
n                        ``Cegar.run(threads)``           of each replicated template
E                        ``predicates``, ``kind``         a mixed one belongs to a template
bool(φ), pred(b)         ``Abstraction.names``
B                        ``BooleanProgram``               printed by ``show boolean``
havoc {b, a.c, all(d)}   ``Statement.shared``, ``.own``,  in a ``Step``: masks of bits
                         ``.everywhere``
constrain ∀≠I . φ        ``Statement.clauses``            I: a, and p and q at most; what is
                                                          not about p stands outside of ∀≠
Σ = (S, L, PC)           ``Configuration``                a multiset; L(t), PC(t): one number
Σ →t Σ'                  ``transitions``, ``TraceStep``
4.1, c0, c1, c2          ``first_clauses``, ``Cubes``
4.2, B-BOOM              ``reach_partly``, ``reach``      bits stay undecided; no BDDs
4.3                      ``simulation``
4.4, concretisation      ``Meaning``, ``literals``
WP(s, t, φ)              ``Meaning.bits`` after a step    of ``assume ψ``: ψ ∧ φ, not ψ ⇒ φ
spurious(t, J, Σ, Σ')    ``SolverOracle.ask``             J: the active thread and ``others``
the conjunct added to φ  ``Cube``                         as few literals as contradict each other
size of J                ``Passives``, and one
4.5                      ``discovery``                    indices removed by ``_predicate``
=======================  ===============================  ========================================

``--refinement traces --first transitions`` is the loop as published. Deviations: statements are refined
during the search unless asked otherwise (``RefinementMode``): before a step is taken in the abstract, the
solver is asked whether any concrete state can take it, and what is learned is a clause of the statement from
then on. What remains to be refined in traces is what passive threads say about a step that does not change
them. New predicates are tried before clauses about two passive threads (``First``). All spurious transitions
of a trace are refined at once. Where statements are refined in traces, a trace gives the predicates of all of
its contradictions that share no guard, if they are few.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError
from sley.base.reasons import Reason, Why
from sley.engines.symmetry.abstraction import Abstraction, BadCombination
from sley.engines.symmetry.discovery import candidates, discover
from sley.engines.symmetry.machine import BooleanMachine
from sley.engines.symmetry.names import SystemNames
from sley.engines.symmetry.options import First, Passives, SymmetryOptions
from sley.engines.symmetry.options import RefinementMode as When
from sley.engines.symmetry.oracle import SolverOracle, first_clauses
from sley.engines.symmetry.partial_search import PartlyReached, reach_partly
from sley.engines.symmetry.reachability import Configuration, Reached, TraceStep, reach
from sley.engines.symmetry.refinement import StatementRefinement
from sley.engines.symmetry.simulation import Path, Simulation, path_of
from sley.engines.symmetry.thresholds import FEW_PREDICATES, MOST_TRACES, ORACLE_SECONDS
from sley.evidence.replay import ReplayError, replay
from sley.evidence.symmetric.boolean_program import BooleanProgram, Clause
from sley.evidence.symmetric.proof import Predicate
from sley.evidence.trace import Trace
from sley.logic.terms import Term
from sley.program.properties import Failure, Property
from sley.semantics.templates import MAIN, TemplateSystem
from sley.solvers import make_solver
from sley.solvers.port import Solver, SolverAnswer

RACE = Failure(Property.RACE, "data-race", "data race")


class ProvedCounts(NamedTuple):
    """Nothing bad can be reached with these numbers of threads."""

    machine: BooleanMachine
    abstraction: Abstraction
    reached: Reached | PartlyReached


class Spurious(NamedTuple):
    """An abstract trace that the program cannot take, though it can take each of its transitions."""

    path: Path
    core: tuple[Term, ...]
    """Guards that contradict each other."""
    start: Configuration
    trace: Sequence[TraceStep]


class AbstractProgram(NamedTuple):
    """What the program has become."""

    predicates: tuple[tuple[str, str, str], ...]
    """The name of the Boolean, the kind (local, mixed, shared), and the predicate in C."""
    program: BooleanProgram


@dataclass(slots=True)
class Counts:
    """What happened so far."""

    iterations: int = 0
    refined: int = 0
    """Transitions refined."""
    queries: int = 0
    configurations: int = 0


@dataclass(slots=True)
class Cegar:
    """Counterexample-guided refinement for one system of templates; predicates stay from call to call."""

    system: TemplateSystem
    properties: frozenset[Property]
    options: SymmetryOptions
    budget: Budget
    predicates: list[Predicate] = field(default_factory=list)
    counts: Counts = field(default_factory=Counts)
    learned: list[tuple[int, Clause]] = field(default_factory=list)
    """Clauses learned so far, by step: they hold whatever predicates are added."""
    solver: Solver = field(init=False)
    """One for all queries: it keeps what it has learned."""

    def __post_init__(self) -> None:
        self.solver = make_solver("bitwuzla", self.system.terms)

    def run(self, threads: int) -> ProvedCounts | Trace:
        """A proof for so many threads of each template, or a replayed violation; GaveUpError if neither."""
        numbers = self._numbers(threads)
        while True:
            abstraction, machine, oracle = self.abstract()
            refinement = StatementRefinement(machine, oracle, self.budget)
            try:
                found = self._refined(abstraction, refinement, numbers)
                if not isinstance(found, Spurious):
                    return found
                width = self._width
                if not self.learn(found) and not refinement.refine(found.start, found.trace, width):
                    raise GaveUpError(_nothing_new(found))
            except BudgetExhaustedError:
                raise
            except GaveUpError:
                other = self._another(abstraction, machine, numbers)
                if other is None:
                    raise
                return other
            finally:
                self.learned = machine.clauses()
                self.counts.refined += oracle.learned
                self.counts.queries += oracle.queries

    @property
    def _width(self) -> int:
        """Of how many passive threads a clause may speak."""
        return int(self.options.passives.value)

    def _refined(
        self, abstraction: Abstraction, refinement: StatementRefinement, numbers: Mapping[int, int]
    ) -> ProvedCounts | Trace | Spurious:
        """Refine transitions until there is a proof, a violation, or no spurious transition in a trace."""
        machine, width = refinement.machine, self._width
        first = width if self.options.first is First.TRANSITIONS else min(width, 1)
        while True:
            self.counts.iterations += 1
            self.budget.shows(lambda: f"refinement {self.counts.iterations}")
            reached = self._reach(machine, numbers)
            self.counts.configurations = len(reached.parents)
            if not reached.bad:
                return ProvedCounts(machine, abstraction, reached)
            found = self._simulated(abstraction, machine, *reached.trace(reached.bad[0]))
            if isinstance(found, Trace) or not refinement.refine(found.start, found.trace, first):
                return found
            machine.forget()

    def _another(
        self, abstraction: Abstraction, machine: BooleanMachine, numbers: Mapping[int, int]
    ) -> Trace | None:
        """A violation among other counterexamples, where the first one leads no further."""
        reached = self._reach(machine, numbers, MOST_TRACES)
        for bad in reached.bad[1:]:
            try:
                found = self._simulated(abstraction, machine, *reached.trace(bad))
            except BudgetExhaustedError:
                raise
            except GaveUpError:
                continue
            if isinstance(found, Trace):
                return found
        return None

    def _reach(
        self, machine: BooleanMachine, numbers: Mapping[int, int], most_bad: int = 1
    ) -> Reached | PartlyReached:
        """Bits stay undecided where statements are refined late; an oracle decides them all."""
        if self.options.symmetry and machine.oracle is None:
            return reach_partly(machine, numbers, self.budget.spend, most_bad=most_bad)
        symmetric = self.options.symmetry
        return reach(machine, numbers, self.budget.spend, is_symmetric=symmetric, most_bad=most_bad)

    def _simulated(
        self,
        abstraction: Abstraction,
        machine: BooleanMachine,
        start: Configuration,
        trace: Sequence[TraceStep],
    ) -> Trace | Spurious:
        """What becomes of the way to a bad configuration in the concrete program."""
        what = self.bad_at(abstraction, machine, trace[-1].after if trace else start)
        path = path_of(abstraction, machine, start, trace, what)
        found = self.simulate(abstraction, path, what)
        return found if isinstance(found, Trace) else Spurious(path, found, start, trace)

    def abstract(self) -> tuple[Abstraction, BooleanMachine, SolverOracle]:
        """The Boolean program for the predicates at hand."""
        abstraction = Abstraction(self.system, self.properties, self.predicates)
        oracle = self._oracle(abstraction)
        on_demand = self.options.refinement is When.DEMAND
        machine = BooleanMachine(abstraction.program, oracle if on_demand else None)
        oracle.machine = machine
        for number, clause in self.learned:
            machine.add(machine.steps[number], clause)
        if not on_demand or self.options.cubes.value != "0":
            first_clauses(oracle, machine, int(self.options.cubes.value))
            oracle.learned = 0  # they refine nothing
        return abstraction, machine, oracle

    def sharpened(self, found: ProvedCounts, threads: int) -> ProvedCounts:
        """The same, with no more steps than these predicates can tell: fewer configurations to check."""
        oracle = self._oracle(found.abstraction)
        machine = oracle.machine = BooleanMachine(found.abstraction.program, oracle)
        for number, clause in found.machine.clauses():
            machine.add(machine.steps[number], clause)
        reached = reach(machine, self._numbers(threads), self.budget.spend)
        assert not reached.bad
        return ProvedCounts(machine, found.abstraction, reached)

    def _oracle(self, abstraction: Abstraction) -> SolverOracle:
        knows_passives = self.options.passives is not Passives.NONE
        return SolverOracle(abstraction, self.solver, self.budget, knows_passives=knows_passives)

    def _numbers(self, threads: int) -> dict[int, int]:
        """So many threads of each template."""
        return {i: threads if t.is_replicated else 1 for i, t in enumerate(self.system.templates)}

    def bad_at(
        self, abstraction: Abstraction, machine: BooleanMachine, last: Configuration
    ) -> BadCombination:
        """What is bad about a configuration."""
        locations = [local >> machine.local_bits for local in last[1]]
        return next(
            bad
            for bad in abstraction.bad
            if all(locations.count(at) >= bad.locations.count(at) for at in bad.locations)
        )

    def simulate(self, abstraction: Abstraction, path: Path, bad: BadCombination) -> Trace | tuple[Term, ...]:
        """A replayed violation, or the guards that contradict each other."""
        simulation = Simulation(abstraction, self.solver)
        verdict = simulation.check(path, has_ids=True)
        if verdict.model is not None:
            if bad.reason is not None:
                raise GaveUpError(bad.reason)
            failure = self._failure(abstraction, bad)
            try:
                schedule = simulation.schedule(path, verdict.model)
                return replay(self.system.program, schedule, failure)
            except (GaveUpError, ReplayError) as reason:
                text = f"a possible violation could not be replayed: {reason}"
                raise GaveUpError(Reason(text, Why.NO_REPLAY)) from reason
        if not self.system.has_ids and verdict.is_known:
            verdict = simulation.check(path, has_ids=False)
            if verdict.model is not None:
                raise GaveUpError(
                    Reason("a violation is possible only for certain ids of threads", Why.NO_REPLAY)
                )
        if not verdict.is_known:
            raise GaveUpError(
                Reason("the solver could not decide whether a counterexample is real", Why.SOLVER)
            )
        return verdict.core

    def _failure(self, abstraction: Abstraction, bad: BadCombination) -> Failure:
        if len(bad.locations) > 1:
            return RACE
        return self.system.code.errors[abstraction.places.origin(bad.locations[0])[1]]

    def learn(self, found: Spurious) -> bool:
        """New predicates that exclude the path; whether there are any."""
        for candidate in candidates(found.path, found.core):
            new = [p for p in candidate if p not in self.predicates and self._is_open(p)]
            if new:
                self.predicates.extend(new)
                if self.options.refinement is When.TRACES:
                    self._learn_more(found)
                return True
        return False

    def _learn_more(self, found: Spurious) -> None:
        """The predicates of what else is contradictory in the path, where they are few."""
        simulation = Simulation(found.path.abstraction, self.solver)
        for core in simulation.further(found.path, found.core, has_ids=self.system.has_ids):
            more = discover(found.path, core).predicates
            if len(more) <= FEW_PREDICATES:
                self.predicates += [p for p in more if p not in self.predicates and self._is_open(p)]

    def _is_open(self, predicate: Predicate) -> bool:
        """Whether a predicate can be true, and false."""
        template = None if predicate.template is None else self.system.templates[predicate.template]
        singles = [t.position for t in self.system.singles]
        own = [] if template is None else [template.position]
        facts = self.system.facts(tuple(dict.fromkeys((MAIN, *singles, *own))))
        both = predicate.term, self.system.terms.not_(predicate.term)
        return all(
            self.solver.check(*facts, literal, time_limit=ORACLE_SECONDS) is not SolverAnswer.UNSAT
            for literal in both
        )

    def kind(self, predicate: Predicate) -> str:
        """Whether a predicate is over what all share, over one thread's variables, or over both."""
        if predicate.template is None:
            return "shared"
        shared = set(self.system.shared)
        is_mixed = any(v in shared for v in self.system.terms.variables(predicate.term))
        return "mixed" if is_mixed else "local"

    def abstract_program(self) -> AbstractProgram:
        """The predicates and the Boolean program with all clauses learned so far."""
        abstraction = Abstraction(self.system, self.properties, self.predicates)
        names = SystemNames(self.system)
        named = tuple((abstraction.names[p], self.kind(p), names.text(p)) for p in self.predicates)
        return AbstractProgram(named, abstraction.with_clauses(self.learned))

    def kinds(self) -> Counter[str]:
        """How many predicates there are of each kind."""
        return Counter(map(self.kind, self.predicates))


def _nothing_new(found: Spurious) -> str:
    relations = discover(found.path, found.core).relations
    why = ": only relations between variables of two threads are left" if relations else ""
    return Reason(f"no new predicates exclude a spurious counterexample{why}", Why.NO_PREDICATES)
