"""From a task to a result: load, prepare, search, check the proof. Giving up becomes Unknown here only.

An input error and a bug of ours are not answers: they pass through as exceptions.
"""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import assert_never

from sley.base.budget import SHARE_IS_USED_UP, Budget
from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.evidence.proof import Checked, Proof
from sley.evidence.runs import MisfitError, run_against
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Claimed, Safe, Statistics, Unknown, Unsafe
from sley.frontend import SUFFIX, load, load_text
from sley.passes.attempts import has_attempts
from sley.passes.error_calls import only_calls_of
from sley.passes.frozen import specialise
from sley.passes.pipeline import may_try, prepare
from sley.passes.statements import merge_statements
from sley.program.printer import print_program
from sley.program.program import Program
from sley.program.properties import Property
from sley.semantics.code import Code
from sley.verification.engines import ENGINES, AnyEngine, Turn, row_for
from sley.verification.observer import Observer, Phase, SilentObserver
from sley.verification.result import NotSupported, Outcome, Result, Times
from sley.verification.task import Granularity, Task
from sley.verification.watch import watched

PATIENCE = 10.0
"""Seconds that an engine gets, when a limit is reached, to end with what it knows."""

_RACE = frozenset({Property.RACE})
_PROPERTY_ORDER = {prop: position for position, prop in enumerate(Property)}


def verify(
    task: Task,
    observer: Observer | None = None,
    budget: Budget | None = None,
    engines: Mapping[str, AnyEngine] = ENGINES,
) -> Result:
    """The answer to a task; raises ``InputError`` if it is not a legal C program.

    The law of the whole project is here: Safe only with a proof that its checker accepted, Unsafe only with
    a replayed trace, and neither if it rests on a function without a model.
    """
    run = _Run(
        task, observer or SilentObserver(), budget or Budget(task.limits.seconds, task.limits.megabytes)
    )
    try:
        outcome = run.outcome(engines)
    except UnsupportedFeatureError as unsupported:
        outcome = NotSupported(unsupported.constructs)
    except GaveUpError as gave_up:
        outcome = Unknown(str(gave_up))
    except MemoryError:
        outcome = Unknown("out of memory")
    except RecursionError:
        outcome = Unknown("an expression or a declaration is nested too deeply")
    return run.result(outcome)


def loaded_program(task: Task) -> Program:
    """The program of a task as the front end makes it."""
    if any(path.suffix == SUFFIX for path in task.paths):
        if len(task.paths) > 1:
            raise InputError("a program in textual form stands alone: give either one .sley file or C files")
        return load_text(task.paths[0])
    return load(
        task.paths,
        data_model=task.data_model,
        include_dirs=task.include_dirs,
        defines=task.defines,
        models=task.models,
        allows_inner_overrun=task.allows_inner_overrun,
        keeps_frames=Property.LEAK in task.selection.properties,
    )


def program_of(task: Task) -> Program:
    """The prepared program of a task, as engines get it."""
    return _prepared(loaded_program(task), task)


def _prepared(program: Program, task: Task) -> Program:
    """A program of the front end, as engines get it."""
    if task.selection.error_call is not None:
        program = only_calls_of(program, task.selection.error_call)
    if task.granularity is Granularity.STATEMENT:
        if Property.RACE in task.selection.properties:
            raise InputError("data races have no meaning at statement granularity: choose other properties")
        program = merge_statements(program)
    return specialise(prepare(program, task.selection.properties, is_specialised=True))


class _Run:
    """One run: what was learnt so far, so that giving up half-way loses nothing."""

    def __init__(self, task: Task, observer: Observer, budget: Budget) -> None:
        self.task = task
        self.observer = observer
        self.budget = budget
        self.program: Program | None = None
        self.engine: str | None = None
        self.statistics: Statistics = {}
        self.seconds = dict.fromkeys(Phase, 0.0)

    @contextmanager
    def _phase(self, phase: Phase, patience: float, budget: Budget) -> Iterator[None]:
        """Time a phase, tell the observer, and hold it to a budget."""
        self.observer.entered(phase)
        started = time.monotonic()
        try:
            with watched(budget, patience):
                yield
        finally:
            self.seconds[phase] += time.monotonic() - started

    def outcome(self, engines: Mapping[str, AnyEngine]) -> Outcome:
        """Read the program, and find an answer."""
        selection = self.task.selection
        if not selection.properties:
            raise UnsupportedFeatureError(selection.unsupported)
        with self._phase(Phase.READING, patience=0.0, budget=self.budget):
            self.program = loaded = loaded_program(self.task)
            self.program = program = _prepared(loaded, self.task)
        outcome = self._answer(program, selection.properties, engines)
        if isinstance(outcome, Safe) and Property.RACE in selection.properties and may_try(loaded):
            return self._without_order_of_failures(outcome, loaded, engines)
        return outcome

    def _without_order_of_failures(
        self, safe: Safe, loaded: Program, engines: Mapping[str, AnyEngine]
    ) -> Outcome:
        """Safe only if nothing that was tried and failed has hidden a race: a failure orders nothing."""
        known, engine = self.statistics, self.engine
        with self._phase(Phase.READING, patience=0.0, budget=self.budget):
            program = specialise(prepare(loaded, _RACE, attempts_may_fail=True, is_specialised=True))
        if not has_attempts(program):
            return safe
        outcome = self._answer(program, _RACE, engines)
        if isinstance(outcome, Safe):
            self.statistics, self.engine = known, engine
            return safe
        return Unknown(_orderless(outcome), (f"no violation otherwise: {safe.proof.summary}",))

    def _answer(
        self, program: Program, properties: frozenset[Property], engines: Mapping[str, AnyEngine]
    ) -> Outcome:
        """Ask the engines one after another until one has an answer."""
        chosen = [turn for turn in row_for(program) if turn.engine in engines]
        turns = [Turn(self.task.engine)] if self.task.engine is not None else chosen
        given_up: dict[str, Bounded | Unknown] = {}
        for name, part, at_most in turns:
            before = given_up.get(name)
            if isinstance(before, Unknown) and before.reason != SHARE_IS_USED_UP:
                continue  # more time would not help
            is_whole = part == 1.0 and at_most is None
            budget = self.budget if is_whole else self.budget.share(part, at_most)
            outcome = self._asked(name, engines[name], program, properties, budget)
            if not isinstance(outcome, Bounded | Unknown):
                self.engine = name
                return outcome
            given_up[name] = outcome
        return _undecided(given_up)

    def _asked(
        self,
        name: str,
        engine: AnyEngine,
        program: Program,
        properties: frozenset[Property],
        budget: Budget,
    ) -> Outcome:
        """What one engine makes of the program."""
        options = getattr(self.task.options, name)
        try:
            with self._phase(Phase.SEARCHING, PATIENCE, budget):
                verdict, self.statistics = engine.search(program, properties, options, budget)
        except UnsupportedFeatureError:
            raise
        except GaveUpError as reason:
            return Unknown(str(reason))
        match verdict:
            case Unsafe(traces=traces):
                return _unsafe(traces)
            case Claimed(proof=proof):
                return self._checked(proof, program, properties, engine)
            case Bounded() | Unknown():
                return verdict
            case _:
                assert_never(verdict)

    def _checked(
        self, proof: Proof, program: Program, properties: frozenset[Property], engine: AnyEngine
    ) -> Outcome:
        """Safe if the checker accepts the proof, and nothing stands in the way that no proof can know."""
        try:
            with self._phase(Phase.CHECKING, PATIENCE, self.budget):
                checked = engine.check_proof(program, properties, proof, self.budget)
                checked = self._with_runs(checked, proof, program, properties, engine)
        except GaveUpError as reason:
            claim = f"a search found no violation: {proof.summary}"
            return Unknown(f"the proof could not be checked: {reason}", (claim,))
        if program.unmodelled:
            calls = "; ".join(str(one) for one in program.unmodelled)
            return Unknown(f"unmodelled: {calls}", (f"no violation otherwise: {proof.summary}",))
        if self.task.selection.unsupported:
            return NotSupported(self.task.selection.unsupported)
        return Safe(proof, checked)

    def _with_runs(
        self,
        checked: Checked,
        proof: Proof,
        program: Program,
        properties: frozenset[Property],
        engine: AnyEngine,
    ) -> Checked:
        """Hold concrete runs against the proof, and say how many; what is known goes with a refusal."""
        code = Code(program)
        searching = self.seconds[Phase.SEARCHING]
        try:
            fitted = run_against(code, properties, engine.follower(code, proof), searching, self.budget)
        except MisfitError as misfit:
            misfit.add_note(f"proof: {type(proof).__name__}, {proof.summary}")
            misfit.add_note(f"properties: {', '.join(sorted(prop.value for prop in properties))}")
            misfit.add_note(f"program:\n{print_program(program)}")
            raise
        skipped = checked.skipped
        if fitted.given_up:
            skipped += (f"Random runs that could not be followed to their ends: {fitted.given_up}.",)
        return replace(checked, runs=fitted.runs, states=fitted.states, skipped=skipped)

    def result(self, outcome: Outcome) -> Result:
        """The result with all that is known by now."""
        return Result(
            task=self.task,
            outcome=outcome,
            times=Times(*(self.seconds[phase] for phase in Phase)),
            engine=self.engine,
            statistics=self.statistics,
            assumptions=self.program.assumptions if self.program else (),
            unmodelled=self.program.unmodelled if self.program else (),
        )


def _undecided(given_up: Mapping[str, Bounded | Unknown]) -> Bounded | Unknown:
    """What is known if no engine has an answer: a bound rather than nothing, and all reasons."""
    for outcome in given_up.values():
        if isinstance(outcome, Bounded) or len(given_up) == 1:
            return outcome
    unknown = {name: outcome for name, outcome in given_up.items() if isinstance(outcome, Unknown)}
    told = [(name, o.reason) for name, o in unknown.items() if o.reason != SHARE_IS_USED_UP]
    told = told or [(name, outcome.reason) for name, outcome in unknown.items()][-1:]
    is_alone = len({reason for _, reason in told}) == 1
    return Unknown(
        told[0][1] if is_alone else "; ".join(f"{reason} ({name})" for name, reason in told),
        tuple(fact for outcome in unknown.values() for fact in outcome.certain),
        tuple(trace for outcome in unknown.values() for trace in outcome.traces),
    )


def _orderless(outcome: Outcome) -> str:
    """Why there is no answer if attempts may fail for no reason."""
    rule = "an attempt that fails, as of a trylock, need not order anything (C11 7.26.4.5, POSIX 4.12)"
    match outcome:
        case Unsafe(traces=(trace, *_)):
            return f"{rule}, so there may be a {trace.failure.message}: {'; '.join(trace.facts)}"
        case Unknown(reason=reason):
            return f"{rule}, and whether a race follows is not known: {reason}"
        case Bounded(bound=bound):
            return f"{rule}, and whether a race follows is not known: bounded: {bound}"
        case _:
            return f"{rule}, and whether a race follows is not known"


def _unsafe(traces: tuple[Trace, ...]) -> Outcome:
    """Certain violations first, in the order in which results name them; only possible ones are no bug."""
    ranked = sorted(
        traces, key=lambda trace: (bool(trace.depends_on), _PROPERTY_ORDER[trace.failure.property])
    )
    if not ranked[0].depends_on:
        return Unsafe(tuple(ranked))
    reliances = ", ".join(ranked[0].depends_on)
    return Unknown(
        f"possible bug only: {ranked[0].failure.message}, but the run rests on {reliances}",
        traces=tuple(ranked),
    )
