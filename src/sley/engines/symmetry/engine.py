"""The run of the engine, from a prepared program to a verdict."""

from collections import Counter
from collections.abc import Iterator

from sley.analyses.threads import Creations, may_block
from sley.base import outside
from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError, GaveUpError, InputError
from sley.base.reasons import Reason, Why
from sley.engines.symmetry.abstraction import COPIES
from sley.engines.symmetry.cegar import AbstractProgram, Cegar, Counts, ProvedCounts
from sley.engines.symmetry.machine import BooleanMachine
from sley.engines.symmetry.names import SystemNames
from sley.engines.symmetry.options import RefinementMode, SymmetryOptions
from sley.engines.symmetry.partial_search import PartlyReached
from sley.engines.symmetry.reachability import Configuration as Packed
from sley.engines.symmetry.seeds import parse_predicates
from sley.engines.symmetry.thresholds import ANY_PART, MOST_IN_VIEW, MOST_THREADS, MOST_UNDECIDED
from sley.engines.symmetry.views import saturate
from sley.evidence.symmetric.proof import (
    ClosedViews,
    Configuration,
    Predicate,
    Reachable,
    SymmetricProof,
)
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Claimed, Statistics, Unknown, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.templates import TemplateSystem, once_created
from sley.semantics.vocabulary import may_lose


def symmetry(
    program: Program, properties: frozenset[Property], options: SymmetryOptions, budget: Budget
) -> tuple[Verdict[SymmetricProof], Statistics]:
    """Prove a prepared program for any number of threads or so many, or find a replayed violation."""
    run = _SymmetryRun(program, properties, options, budget)
    return run.answer(), run.statistics()


def abstracted(
    program: Program, properties: frozenset[Property], options: SymmetryOptions, budget: Budget
) -> tuple[Verdict[SymmetricProof], AbstractProgram]:
    """As ``symmetry``, with the predicates and the Boolean program at the end, however it ended."""
    run = _SymmetryRun(program, properties, options, budget)
    verdict = run.answer()
    if run.cegar is None:
        assert isinstance(verdict, Unknown)
        raise GaveUpError(verdict.reason)
    return verdict, run.cegar.abstract_program()


class _SymmetryRun:
    def __init__(
        self, program: Program, properties: frozenset[Property], options: SymmetryOptions, budget: Budget
    ) -> None:
        self.program = program
        self.properties = properties
        self.options = options
        self.budget = budget
        self.cegar: Cegar | None = None
        self.threads = _number(options.threads_each)

    def answer(self) -> Verdict[SymmetricProof]:
        """The verdict, also where the search gives up."""
        try:
            return self.verdict()
        except GaveUpError as reason:
            return Unknown(str(reason))

    def verdict(self) -> Verdict[SymmetricProof]:
        """Templates of as many threads as possible first; if that does not answer, fewer threads in each."""
        found: Verdict[SymmetricProof] = Unknown("nothing was tried")
        attempts = list(_singles(self.program))
        for number, singles in enumerate(attempts):
            is_last = number == len(attempts) - 1
            share = self.budget if is_last else self.budget.share(0.3, None)
            try:
                system = TemplateSystem(self.program, singles=singles, copies=COPIES)
                self.cegar = Cegar(system, self.properties, self.options, share, self._seeds(system))
                found = self._attempt(self.cegar, share)
            except GaveUpError as reason:
                if is_last or (isinstance(reason, BudgetExhaustedError) and self.budget.remaining() == 0):
                    raise
                continue
            if isinstance(found, Claimed | Unsafe):
                break
        return found

    def _seeds(self, system: TemplateSystem) -> list[Predicate]:
        path = self.options.predicates
        if path is None:
            return []
        return parse_predicates(outside.text(path, outside.PREDICATES), SystemNames(system), str(path))

    def _attempt(self, cegar: Cegar, budget: Budget) -> Verdict[SymmetricProof]:
        bound, reason = 0, ""
        try:
            for threads in self._numbers(cegar.system):
                found = cegar.run(threads)
                if isinstance(found, Trace):
                    return Unsafe((found,))
                bound = threads
                proof = self._proof(cegar, found, threads, budget)
                if proof is not None:
                    return self._answer(cegar, proof)
        except GaveUpError as why:
            if not bound:
                raise
            reason = str(why)
        words = f"{bound} thread{'s' if bound != 1 else ''} of each function that is started repeatedly"
        return Unknown(reason, (f"no violation with {words}",)) if reason else Bounded(words)

    def _numbers(self, system: TemplateSystem) -> Iterator[int]:
        if not system.replicated:
            yield 1
        elif self.threads is None:
            yield from range(1, MOST_THREADS + 1)
        elif self.options.refinement is RefinementMode.TRACES:
            yield self.threads
        else:
            yield from dict.fromkeys((1, self.threads))

    def _answer(self, cegar: Cegar, proof: SymmetricProof) -> Verdict[SymmetricProof]:
        if Property.DEADLOCK in self.properties and may_block(self.program):
            return Unknown(
                Reason(
                    "engine symmetry does not decide whether threads can wait for each other for ever",
                    Why.WAITS,
                ),
                (f"no other violation: {proof.summary}",),
            )
        system = cegar.system
        if Property.LEAK in self.properties and may_lose(system.code, system.shape.heap):
            undecided = Reason("engine symmetry does not decide leaks", Why.UNDECIDED, "leaks")
            return Unknown(undecided, (f"no other violation: {proof.summary}",))
        return Claimed(proof)

    def _proof(
        self, cegar: Cegar, found: ProvedCounts, threads: int, budget: Budget
    ) -> SymmetricProof | None:
        """A proof for the program, if so many threads are all, or any number of them does no harm."""
        if not found.reached.is_short:
            if isinstance(found.reached, PartlyReached) and found.reached.size > MOST_UNDECIDED:
                found = cegar.sharpened(found, threads)
            configurations = {existing_threads(found.machine, c) for c in found.reached.configurations()}
            return _made(cegar, found, Reachable(tuple(sorted(configurations))))
        if self.threads is not None:
            return None
        share = budget.share(ANY_PART, None)
        try:
            for size in range(1, min(threads, MOST_IN_VIEW) + 1):
                views = saturate(found.machine, size, share.spend)
                if views is not None:
                    existing = tuple(existing_threads(found.machine, view) for view in views)
                    return _made(cegar, found, ClosedViews(size, existing))
        except BudgetExhaustedError:
            budget.check()
        return None

    def statistics(self) -> Statistics:
        """What was counted."""
        counts = self.cegar.counts if self.cegar is not None else Counts()
        kinds = self.cegar.kinds() if self.cegar is not None else Counter[str]()
        return {
            "iterations": counts.iterations,
            **{f"{kind} predicates": kinds[kind] for kind in ("local", "mixed", "shared")},
            "transitions refined": counts.refined,
            "queries": counts.queries,
            "configurations": counts.configurations,
        }


def _number(threads: str) -> int | None:
    if threads == "any":
        return None
    if not (threads.isascii() and threads.isdigit()) or not int(threads):
        raise InputError(f"argument --threads-each: `{threads}` is neither a positive number nor `any`")
    return int(threads)


def _singles(program: Program) -> Iterator[tuple[int, ...] | None]:
    """Which creations have templates of their own: those of functions started once, then the default."""
    creations = Creations(program)
    sites = {
        name: [edge.source for edge in edges if edge.source in creations.reachable]
        for name, edges in creations.edges.items()
    }
    once = once_created(creations)
    alone = tuple(s for s in once if any(found == [s] for found in sites.values()))
    if any(len(found) > 1 and all(site in once for site in found) for found in sites.values()):
        yield alone
    yield None


def _made(cegar: Cegar, found: ProvedCounts, argument: Reachable | ClosedViews) -> SymmetricProof:
    singles = tuple(t.site for t in cegar.system.singles if t.site is not None)
    program = found.abstraction.with_clauses(found.machine.clauses())
    return SymmetricProof(singles, tuple(cegar.predicates), program, argument)


def existing_threads(machine: BooleanMachine, configuration: Packed) -> Configuration:
    """A configuration without threads to come."""
    absent = machine.absent.values()
    threads = ((local >> machine.local_bits, local & machine.local_mask) for local in configuration[1])
    return configuration[0], tuple(sorted(thread for thread in threads if thread[0] not in absent))
