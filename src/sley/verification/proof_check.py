"""Proofs from a file, checked for a program that is read anew.

The scheduler works as ever, with all its laws; but where an engine would be asked, the file is. What it has
is decoded, and checked by the checker of that engine's proofs; what it does not have is not proved.
"""

import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from sley.base.budget import Budget
from sley.base.errors import BudgetExhaustedError
from sley.base.processes import usable_cores
from sley.evidence.encoding.shapes import DamagedError
from sley.evidence.fixpoint.given import given_by
from sley.evidence.proof import KeptProof, RefusedProofError
from sley.evidence.verdict import Unknown
from sley.program.program import Program
from sley.program.properties import Property, grouped
from sley.verification.answers import Answered, together
from sley.verification.attempt import Attempt
from sley.verification.command_line import asked
from sley.verification.conditions import SURVEYOR
from sley.verification.crashes import Crashes
from sley.verification.engines import ENGINES
from sley.verification.kept_proofs import fingerprint_of
from sley.verification.large import judged, proof_of
from sley.verification.observer import Observer
from sley.verification.plan import FROM_FILE
from sley.verification.proof_files import ProofFile, ProofSource, read_proof_file, sha256_of
from sley.verification.races import without_order_of_failures
from sley.verification.reading import prepared
from sley.verification.result import Outcome, Result
from sley.verification.run import Run
from sley.verification.scheduler import Scheduler
from sley.verification.supervision import computed
from sley.verification.task import Task

NO_SENSE = (AssertionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What a checker may run into if a proof is of the right types and makes no sense."""


def checked_file(
    file: Path, task: Task, observer: Observer, budget: Budget
) -> tuple[ProofFile | None, Result]:
    """What a file says, without its proofs, and the answer that it gives: it is read where limits hold."""

    def work(at: Observer, own: Budget) -> tuple[ProofFile, Result]:
        saved = read_proof_file(file)
        heads = tuple(replace(one, text="") for one in saved.proofs)
        return replace(saved, proofs=heads), check_proof_file(saved, task, at, own)

    try:
        return computed(work, budget, observer)
    except BudgetExhaustedError as reason:
        return None, Result(task=task, outcome=Unknown(str(reason)))


def check_proof_file(
    saved: ProofFile, task: Task, observer: Observer, budget: Budget | None = None
) -> Result:
    """The answer that the proofs of a file give for a task; Unknown if they do not prove it."""
    budget = budget or Budget(task.limits.seconds, task.limits.megabytes)
    if (other := _other_program(saved, task)) is not None:
        return Result(task=task, outcome=Unknown(other))
    ready = replace(task, jobs=task.jobs or usable_cores())

    def work(at: Observer, own: Budget) -> Result:
        own.cores = ready.jobs or 1
        scheduler = Scheduler(at, ENGINES, partial(SavedProofs, saved, at), Crashes(), FROM_FILE)
        return scheduler.result(ready, own)

    try:
        return computed(work, budget, observer)
    except BudgetExhaustedError as reason:
        return Result(task=task, outcome=Unknown(str(reason)))


def _other_program(saved: ProofFile, task: Task) -> str | None:
    """Why the proof is not one of this task, if that is plain to see."""
    for given, kept, what in ((task.paths, saved.sources, "source"), (task.models, saved.models, "model")):
        sums = [sha256_of(path) for path in given]
        if sums != [source.sha256 for source in kept]:
            return f"the proof is of another program: {_difference(sums, kept, what)}"
    mine = asked(task)
    if mine != saved.asked:
        return f"the proof is of another question: it was asked {_with(saved.asked)}, not {_with(mine)}"
    return None


def _with(flags: tuple[str, ...]) -> str:
    return f"with {shlex.join(flags)}" if flags else "without flags"


def _difference(sums: list[str], kept: tuple[ProofSource, ...], what: str) -> str:
    if len(sums) != len(kept):
        names = ", ".join(source.file for source in kept) or "none"
        return f"its {what} files were {len(kept)} ({names}), not {len(sums)}"
    changed = [source.file for mine, source in zip(sums, kept, strict=True) if mine != source.sha256]
    return f"{', '.join(changed)} had other contents"


class SavedProofs:
    """Answers questions about prepared programs from a file."""

    def __init__(self, saved: ProofFile, observer: Observer, task: Task, budget: Budget) -> None:
        self.saved = saved
        self.observer = observer
        self.task = task
        self.budget = budget

    def of_checks(self, run: Run, engines: tuple[str, ...]) -> Answered | None:
        """What a proof of every check says, if it is one of this program."""
        listed = [kept for kept in self.saved.proofs if kept.engine in engines]
        program = run.with_calls() if listed else None
        for kept in listed:
            if program is not None and kept.program == fingerprint_of(program):
                return self._accepted(partial(self._judged, program, kept))
        return None

    def _judged(self, program: Program, kept: KeptProof) -> Answered:
        started = time.monotonic()
        _, outcome = judged(program, self.task, proof_of(kept, program), self.budget)
        return Answered(outcome, SURVEYOR, checking=time.monotonic() - started)

    def __call__(
        self,
        program: Program,
        properties: frozenset[Property],
        *,
        engines: tuple[str, ...],
        singly: Program | None = None,
    ) -> Answered:
        """What the file proves of a program, of all properties together or of one after another."""
        kept = [one for one in self.saved.proofs if one.properties == properties]
        if kept or singly is None:
            return self._checked(kept, program, properties, self.task)
        outcomes: dict[Property, Outcome] = {}
        for group in grouped(properties):
            outcomes |= dict.fromkeys(group, self._outcome(singly, group))
        safe = together(outcomes, properties)
        unproved = next((one for one in outcomes.values() if isinstance(one, Unknown)), None)
        return Answered(safe or unproved or _nothing(properties), by_property=outcomes)

    def about(self, attempts: Sequence[Attempt], budget: Budget) -> Answered:
        """Nothing is searched for."""
        return Answered(_nothing(attempts[0].properties))

    def _outcome(self, loaded: Program, group: frozenset[Property]) -> Outcome:
        """What the file proves of some properties by themselves, as ``single_properties`` has it."""
        task = replace(self.task, selection=replace(self.task.selection, properties=group))

        def ask(program: Program, properties: frozenset[Property]) -> Answered:
            kept = [one for one in self.saved.proofs if one.properties == properties]
            return self._checked(kept, program, properties, task)

        answered = ask(prepared(loaded, task), group)
        return without_order_of_failures(answered, loaded, group, ask).outcome

    def _checked(
        self, kept: list[KeptProof], program: Program, properties: frozenset[Property], task: Task
    ) -> Answered:
        """What the first proof that is one of this program gives, with what is left if it is not all."""
        for one in kept:
            if one.engine not in ENGINES:
                raise self.saved.error(f"a damaged proof: there is no engine {one.engine!r}")
            attempt = Attempt(one.engine, ENGINES, program, properties, task, kept=one)
            if fingerprint_of(attempt.searched) == one.program:
                return self._with_the_rest(attempt) if one.engine == SURVEYOR else self._tried(attempt)
        if not kept:
            return Answered(_nothing(properties))
        return Answered(
            Unknown(
                "the proof is of another program than this one becomes (other headers, macros or options, or "
                "another version of sley)"
            )
        )

    def _with_the_rest(self, attempt: Attempt) -> Answered:
        """What a fixpoint proves, if need be with a proof of the program that it leaves."""

        def check() -> Answered:
            assert attempt.kept is not None
            proof = proof_of(attempt.kept, attempt.program)
            given = given_by(attempt.program, attempt.properties, proof, self.budget)
            if given is None:
                return attempt.answered(self.budget, self.observer)
            made = fingerprint_of(given.program)
            for one in self.saved.proofs:
                if (one.properties, one.program) == (given.properties, made) and one.engine != SURVEYOR:
                    rest = replace(attempt, name=one.engine, kept=one, given=given)
                    return rest.answered(self.budget, self.observer)
            return attempt.answered(self.budget, self.observer)

        return self._accepted(check)

    def _tried(self, attempt: Attempt) -> Answered:
        return self._accepted(lambda: attempt.answered(self.budget, self.observer))

    def _accepted(self, check: Callable[[], Answered]) -> Answered:
        """The answer if the proof is accepted; a checker that refuses or stumbles accepts nothing."""
        try:
            answered = check().to_be_sent()
        except DamagedError as damage:
            raise self.saved.error(f"a damaged proof: {damage}") from None
        except RefusedProofError as refusal:
            return Answered(Unknown(f"the proof is refused: {str(refusal).splitlines()[0]}"))
        except NO_SENSE as error:
            what = f"{type(error).__name__}: {str(error)[:80]}"
            return Answered(Unknown(f"the proof is refused: its checker makes no sense of it ({what})"))
        outcome = answered.outcome
        if isinstance(outcome, Unknown):  # nothing was searched, so nothing is certain
            return replace(answered, outcome=replace(outcome, certain=()))
        return answered


def settle_checks(run: Run, engines: tuple[str, ...], budget: Budget) -> Answered | None:
    """What the file proves of a program with its calls."""
    assert isinstance(run.asked, SavedProofs)
    return run.asked.of_checks(run, engines)


def _nothing(properties: frozenset[Property]) -> Unknown:
    names = ", ".join(prop.value for prop in Property if prop in properties)
    return Unknown(f"the file has no proof of: {names}")
