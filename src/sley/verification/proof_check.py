"""Proofs from a file, checked for a program that is read anew.

The scheduler works as ever, with all its laws; but where an engine would be asked, the file is. What it has
is decoded, and checked by the checker of that engine's proofs; what it does not have is not proved.
"""

import shlex
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

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
from sley.verification.conditions import SURVEYOR
from sley.verification.crashes import Crashes
from sley.verification.engines import ENGINES
from sley.verification.kept_proofs import fingerprint_of
from sley.verification.large import judged, proof_of
from sley.verification.observer import Observer
from sley.verification.plan import FROM_FILE
from sley.verification.proof_files import (
    PLAIN_FIELDS,
    ProofFile,
    ProofSource,
    as_json,
    read_proof_file,
    sha256_of,
)
from sley.verification.races import without_order_of_failures
from sley.verification.reading import prepared
from sley.verification.result import Outcome, Result
from sley.verification.run import Run
from sley.verification.scheduler import Scheduler
from sley.verification.supervision import computed
from sley.verification.task import Task, everything

NO_SENSE = (AssertionError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError)
"""What a checker may run into if a proof is of the right types and makes no sense."""

FLAGS = {
    "allows_inner_overrun": "--allow-inner-overrun",
    "malloc_may_fail": "--malloc-may-fail",
    "create_may_fail": "--create-may-fail",
    "argc_may_be_zero": "--argc-may-be-zero",
}


def task_for(paths: tuple[Path, ...], **given: Any) -> Task:
    """The question is the user's, and without more words that of ``check``: never what a file says."""
    task = Task(paths=paths, **given)
    return task if "selection" in given else replace(task, selection=everything(task.memory_model))


def flags_of(task: Task) -> Iterator[str]:
    """Flags that make it another program."""
    yield from (f"-I {folder}" for folder in task.include_dirs)
    yield from (f"-D {macro}" for macro in task.defines)
    if task.harness is not None:
        yield " ".join(task.harness.flags())
    if task.target is not None:
        yield f"--target {task.target}"
    yield from (flag for name, flag in FLAGS.items() if getattr(task, name))
    if task.recursion is not None:
        yield f"--recursion {task.recursion}"
    if task.arguments is not None:
        yield f"-- {shlex.join(task.arguments)}"


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
    asked = replace(task, jobs=task.jobs or usable_cores())

    def work(at: Observer, own: Budget) -> Result:
        own.cores = asked.jobs or 1
        scheduler = Scheduler(at, ENGINES, partial(SavedProofs, saved, at), Crashes(), FROM_FILE)
        return scheduler.result(asked, own)

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
    if (other := _other_flags(saved.task, task)) is not None:
        return f"the proof is of another program: {other}"
    for name in (one for one in PLAIN_FIELDS if one not in FLAGS):
        mine, theirs = getattr(task, name), getattr(saved.task, name)
        if mine != theirs:
            return f"the proof is for the {name.replace('_', ' ')} {as_json(theirs)}, not {as_json(mine)}"
    if task.selection != saved.task.selection:
        asked = f"{properties_of(saved.task)}, not {properties_of(task)}"
        return f"the proof is of other properties (-p asks for fewer than all): {asked}"
    return None


def properties_of(task: Task) -> str:
    """The names of properties, and which function counts as the error."""
    call = task.selection.error_call
    names = ", ".join(sorted(prop.value for prop in task.selection.properties))
    return names if call is None else f"{names} (calls of `{call}`)"


def _other_flags(saved: Task, task: Task) -> str | None:
    """Folders of headers may lie elsewhere: what is in them is compared with the rest of the program."""
    if saved.defines != task.defines:
        return f"it was read {_with_macros(saved)}, not {_with_macros(task)}"
    if len(saved.include_dirs) != len(task.include_dirs):
        listed = " ".join(f"-I {folder}" for folder in saved.include_dirs) or "no -I"
        return f"it was read with {listed}; folders given now: {len(task.include_dirs)}"
    for name in ("recursion", "target"):
        mine, theirs = (_with_value(name, getattr(one, name)) for one in (task, saved))
        if mine != theirs:
            return f"it was read {theirs}, not {mine}"
    if saved.harness != task.harness:
        return f"it was read {_with_harness(saved)}, not {_with_harness(task)}"
    if saved.arguments != task.arguments:
        return f"it was read {_with_arguments(saved)}, not {_with_arguments(task)}"
    for name, flag in FLAGS.items():
        if getattr(saved, name) != getattr(task, name):
            return f"it was read {'with' if getattr(saved, name) else 'without'} {flag}"
    return None


def _with_arguments(task: Task) -> str:
    if task.arguments is None:
        return "with any arguments"
    return f"with the arguments {shlex.join(task.arguments)}" if task.arguments else "without arguments"


def _with_macros(task: Task) -> str:
    return f"with {' '.join(f'-D {macro}' for macro in task.defines)}" if task.defines else "without -D"


def _with_value(name: str, value: object) -> str:
    return f"without --{name}" if value is None else f"with --{name} {value}"


def _with_harness(task: Task) -> str:
    return "without --entry" if task.harness is None else f"with {' '.join(task.harness.flags())}"


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
