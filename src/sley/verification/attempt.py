"""One engine's attempt at a program: it searches, and what it claims is checked. The law is here.

Safe only with a proof that its checker accepted and concrete runs fit, Unsafe only with a replayed trace, and
neither if it rests on a function without a model. Under C11, no engine proves anything about a program with
orders that it does not know.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Any, assert_never

from sley.analyses.orders import WeakAccess, has_threads, weak_accesses
from sley.base.budget import Budget
from sley.base.errors import GaveUpError, UnsupportedFeatureError, unmodelled
from sley.base.reasons import Reason, Why
from sley.evidence.invariants import NONE, Invariants
from sley.evidence.minimising import minimised
from sley.evidence.proof import Checked, KeptProof, Proof, ProofOfTheRest
from sley.evidence.replay import replay
from sley.evidence.runs import Fitted, MisfitError, run_against
from sley.evidence.source_invariants.of_program import invariants_of
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Claimed, Safe, Statistics, Unknown, Unsafe
from sley.program.instructions import AtomicBegin
from sley.program.memory_model import MemoryModel
from sley.program.printer import print_program
from sley.program.program import Program
from sley.program.properties import ALL_PROPERTIES, Property
from sley.semantics.code import Code
from sley.verification.answers import Answered, gave_up, unsafe
from sley.verification.engine import AnyEngine
from sley.verification.engines import ENGINES, FOR_WEAK, for_machine
from sley.verification.kept_proofs import keep, read
from sley.verification.memory_models import on_machine
from sley.verification.observer import Observer, Phase
from sley.verification.result import NotSupported, Outcome
from sley.verification.task import ONLY_FINDS, Task
from sley.verification.thresholds import MINIMISING
from sley.wording.orders import weak_orders

SC_ONLY = "threads could only be interleaved, which finds bugs but proves nothing about"
ASSUMED = "(--memory-model sc assumes that this is all)"

if TYPE_CHECKING:
    from sley.evidence.fixpoint.given import GivenFixpoint


@dataclass(frozen=True)
class Attempt:
    """An engine and a prepared program."""

    name: str
    engines: Mapping[str, AnyEngine]
    """Where the engine comes from when it is needed: it may have to be imported, best in its own process."""
    program: Program
    properties: frozenset[Property]
    task: Task
    kept: KeptProof | None = None
    """A proof that is taken from a file, instead of a search."""
    given: "GivenFixpoint | None" = None
    """What engine ``abstract`` leaves to prove, if it was asked."""

    @cached_property
    def weak(self) -> tuple[WeakAccess, ...]:
        """The accesses whose orders have to be known."""
        return weak_accesses(self.program) if self.task.memory_model is MemoryModel.C11 else ()

    @property
    def engine(self) -> AnyEngine:
        """The engine itself, or one that has found the proof already."""
        engine, kept = self._engine, self.kept
        return engine if kept is None else engine.with_proof(lambda program: read(engine, kept, program))

    @property
    def _engine(self) -> AnyEngine:
        if self._knows_machine:
            return for_machine(self.task.memory_model)[self.name]
        return (FOR_WEAK if self.weak and self.can_prove else self.engines)[self.name]

    @property
    def beyond(self) -> list[Property]:
        """What the engine cannot be asked about; some of it only where threads do more than interleave."""
        interleaves = not self.weak and not self.task.memory_model.is_hardware
        decided = self.engine.decides if interleaves else self.engine.decides & ALL_PROPERTIES
        return [prop for prop in Property if prop in self.sought - decided]

    @cached_property
    def is_on_machine(self) -> bool:
        """Whether more happens than interleaving, by the memory model of a machine."""
        return self.task.memory_model.is_hardware and has_threads(self.program)

    @property
    def _knows_machine(self) -> bool:
        """Whether the engine knows what the machine does with the program as it is."""
        return self.is_on_machine and self.name in for_machine(self.task.memory_model)

    @property
    def has_store_buffers(self) -> bool:
        """Whether the engine gets a program in which stores wait, which is all that the model asks for."""
        has_buffers = self.task.memory_model.has_store_buffers and self.is_on_machine
        return has_buffers and not self._knows_machine

    @cached_property
    def searched(self) -> Program:
        """What the engine gets."""
        if self.given is not None:
            return self.given.program
        return on_machine(self.program, self.task) if self.has_store_buffers else self.program

    @property
    def sought(self) -> frozenset[Property]:
        """What the engine is to prove."""
        return self.properties if self.given is None else self.given.properties

    @property
    def can_prove(self) -> bool:
        """Whether the engine knows all that the memory model lets the program do."""
        if self.is_on_machine:
            return self.has_store_buffers or self._knows_machine
        return not self.weak or (self.name in FOR_WEAK and not self._has_sections)

    @cached_property
    def _has_sections(self) -> bool:
        """Whether the user has atomic sections: what these order is no business of C11, nor of its models."""
        begun = (edge for edge in self.program.edges if isinstance(edge.instruction, AtomicBegin))
        return any(not edge.origin.is_library for edge in begun)

    def believed(self, outcome: Bounded | Unknown) -> Bounded | Unknown:
        """What such an outcome of the engine says under the memory model of the task."""
        if self.can_prove:
            return outcome
        match outcome:
            case Bounded(bound=bound):
                return self.refused(bound)
            case Unknown():
                return replace(outcome, certain=())

    def refused(self, *found: str) -> Unknown:
        """Proofs of the engine do not count; what it found is said."""
        sure = tuple(f"a search of interleavings found no violation: {one}" for one in found)
        model = self.task.memory_model
        if model.is_hardware:
            return Unknown(_beyond(f"{SC_ONLY} {model.label}"), sure)
        named = weak_orders(self.weak)
        uses = f"the program uses {named}"
        return Unknown(_beyond(f"{uses}, but {SC_ONLY} orders weaker than seq_cst", named), sure)

    def told(self, traces: tuple[Trace, ...]) -> tuple[Trace, ...]:
        """Traces say of which program they are runs: with store buffers, of that of the memory model."""
        if not self.has_store_buffers:
            return traces
        return tuple(
            replace(trace, memory_model=self.task.memory_model, is_buffered=True) for trace in traces
        )

    @property
    def options(self) -> Any:
        """The options of the engine."""
        return None if self.name == ONLY_FINDS else getattr(self.task.options, self.name)

    def answered(self, budget: Budget, observer: Observer) -> Answered:
        """Search, and check."""
        return _Trial(self, budget, observer).answered()


class _Trial:
    """What was learnt so far, so that giving up half-way loses nothing."""

    def __init__(self, attempt: Attempt, budget: Budget, observer: Observer) -> None:
        self.attempt = attempt
        self.budget = budget
        self.observer = observer
        self.statistics: Statistics = {}
        self.is_refused = False
        self.seconds = dict.fromkeys(Phase, 0.0)

    @contextmanager
    def _phase(self, phase: Phase) -> Iterator[None]:
        """Time a phase, and tell the observer."""
        self.observer.entered(phase)
        started = time.monotonic()
        try:
            yield
        finally:
            self.seconds[phase] += time.monotonic() - started

    def answered(self) -> Answered:
        try:
            outcome = self._outcome()
        except UnsupportedFeatureError:
            raise
        except (GaveUpError, MemoryError, RecursionError) as error:
            outcome = gave_up(error)
        checking = self.seconds[Phase.CHECKING]
        name = self.attempt.name
        return Answered(outcome, name, self.statistics, checking, is_refused=self.is_refused)

    def _outcome(self) -> Outcome:
        attempt = self.attempt
        if attempt.beyond:
            names = ", ".join(prop.value for prop in attempt.beyond)
            return Unknown(Reason(f"engine {attempt.name} does not decide {names}", Why.UNDECIDED, names))
        if attempt.engine.only_proves and not attempt.can_prove:
            return attempt.refused()
        with self._phase(Phase.SEARCHING):
            verdict, self.statistics = attempt.engine.search(
                attempt.searched, attempt.sought, attempt.options, self.budget
            )
        match verdict:
            case Unsafe(traces=traces):
                return unsafe(attempt.told(self._minimised(traces)))
            case Claimed(proof=proof):
                return self._checked(proof)
            case Unknown(traces=traces) if traces:
                return attempt.believed(replace(verdict, traces=self._minimised(traces)))
            case Bounded() | Unknown():
                return attempt.believed(verdict)
            case _:
                assert_never(verdict)

    def _minimised(self, traces: tuple[Trace, ...]) -> tuple[Trace, ...]:
        """The same violations by shorter schedules, as far as there is time.

        If only a part of the program was searched, they are replayed on all of it first.
        """
        program = self.attempt.searched
        if self.attempt.given is not None:
            program = self.attempt.program
            traces = tuple(replay(program, one.schedule, one.failure, one.memory_model) for one in traces)
        soon = time.monotonic() + MINIMISING
        shorter: list[Trace] = []
        for trace in traces:
            left = self.budget.remaining()
            at_most = inf if left is None else left
            shorter.append(minimised(program, trace, soon - time.monotonic(), at_most))
        return tuple(shorter)

    def _checked(self, proof: Proof) -> Outcome:
        """Safe if the checker accepts the proof, and nothing stands in the way that no proof can know."""
        attempt = self.attempt
        if not attempt.can_prove:
            self.is_refused = True
            return attempt.refused(proof.summary)
        try:
            with self._phase(Phase.CHECKING):
                checked = attempt.engine.check_proof(attempt.searched, attempt.sought, proof, self.budget)
                checked = self._with_runs(checked, proof)
                if attempt.given is not None:
                    checked = self._with_given(checked, attempt.given)
        except GaveUpError as reason:
            claim = f"a search found no violation: {proof.summary}"
            unchecked = Reason(f"the proof could not be checked: {reason}", Why.UNCHECKED, str(reason))
            return Unknown(unchecked, (claim,))
        if attempt.program.unmodelled:
            return Unknown(
                unmodelled(attempt.program.unmodelled), (f"no violation otherwise: {proof.summary}",)
            )
        if attempt.task.selection.unsupported:
            return NotSupported(attempt.task.selection.unsupported)
        whole = proof if attempt.given is None else ProofOfTheRest(proof, attempt.given.proof)
        return Safe(whole, checked, self._invariants(proof), self._kept(proof))

    def _kept(self, proof: Proof) -> tuple[KeptProof, ...]:
        """The proof as a file keeps it, if that is asked for."""
        attempt = self.attempt
        if not attempt.task.keeps_proof:
            return ()
        own = keep(attempt.engine, attempt.name, proof, attempt.searched, attempt.sought)
        if attempt.given is None:
            return (own,)
        return keep(_giver(), GIVER, attempt.given.proof, attempt.program, attempt.properties), own

    def _invariants(self, proof: Proof) -> Invariants:
        """What holds at places of the C program, where threads only interleave."""
        attempt = self.attempt
        task = attempt.task
        is_whole = attempt.properties == task.selection.properties  # and not a question on the way
        if not task.wants_invariants or not is_whole or attempt.weak or attempt.is_on_machine:
            return NONE
        return invariants_of(attempt.searched, proof, self.budget)

    def _with_runs(self, checked: Checked, proof: Proof) -> Checked:
        """Hold concrete runs against the proof, and say how many."""
        attempt = self.attempt
        fitted = self._fitted(attempt.engine, attempt.searched, attempt.sought, proof)
        skipped = checked.skipped
        if fitted.given_up:
            skipped += (f"Random runs that could not be followed to their ends: {fitted.given_up}.",)
        return replace(checked, runs=fitted.runs, states=fitted.states, skipped=skipped)

    def _with_given(self, checked: Checked, given: "GivenFixpoint") -> Checked:
        """What was proved before is held against runs of all of the program, too, with all that was asked."""
        attempt = self.attempt
        fitted = self._fitted(_giver(), attempt.program, attempt.properties, given.proof)
        return replace(
            checked,
            how=f"{checked.how}; for what was proved before, every step from every abstract state was, too",
            runs=min(checked.runs, fitted.runs),
            states=checked.states + fitted.states,
        )

    def _fitted(
        self, engine: AnyEngine, program: Program, properties: frozenset[Property], proof: Proof
    ) -> Fitted:
        """How many concrete runs fit; what is known goes with a refusal."""
        code = Code(program)
        follower = engine.follower(code, engine.plain_part(proof))
        try:
            return run_against(code, properties, follower, self.seconds[Phase.SEARCHING], self.budget)
        except MisfitError as misfit:
            misfit.add_note(f"proof: {type(proof).__name__}, {proof.summary}")
            misfit.add_note(f"properties: {', '.join(sorted(prop.value for prop in properties))}")
            misfit.add_note(f"program:\n{print_program(program)}")
            raise


GIVER = "abstract"
"""The engine that proves what others are spared."""


def _giver() -> AnyEngine:
    return ENGINES[GIVER]


def _beyond(what: str, *orders: str) -> Reason:
    """What cannot be proved unless sequential consistency is assumed, and the orders that it names."""
    return Reason(f"{what} {ASSUMED}", Why.ORDERS, what, *orders)
