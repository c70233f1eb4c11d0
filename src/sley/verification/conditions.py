"""When a question of the plan applies."""

import time

from sley.analyses.orders import has_threads, has_weak_orders, weak_accesses
from sley.evidence.verdict import Safe, Unsafe
from sley.program.memory_model import MemoryModel
from sley.program.program import Program
from sley.verification.memory_models import is_as_on_machine
from sley.verification.run import Run
from sley.verification.task import Granularity, Task
from sley.verification.thresholds import AT_LEAST, LARGE, TIMES_THE_SEARCH

SURVEYOR = "abstract"
"""The engine that settles every check of a program with its calls."""


def is_surveyed(program: Program, task: Task) -> bool:
    """Whether each check is to be settled on its own: that is asked for, or the program is large."""
    is_possible = not task.memory_model.is_hardware and task.granularity is Granularity.ACCESS
    is_possible = is_possible and (not task.engines or SURVEYOR in task.engines)
    if not is_possible or (task.memory_model is MemoryModel.C11 and has_weak_orders(program)):
        return False
    return task.each_check or is_large(program)


def is_large(program: Program) -> bool:
    """Whether the program has too many steps of its own, not of the library's models, to be inlined first."""
    own = (function for function in program.functions.values() if not function.is_library)
    return sum(len(function.edges) for function in own) >= LARGE


def settles_checks(run: Run) -> bool:
    """Each check of a large program is settled on its own."""
    return is_surveyed(run.loaded, run.task)


def leads_runs(run: Run) -> bool:
    """Runs are led to open checks, unless the user wants to hear certain engines only."""
    return not run.task.engines and settles_checks(run)


def has_part(run: Run) -> bool:
    """Runs have come to a part of a large program, and one violation is enough."""
    return run.part is not None and not run.task.all_bugs


def may_be_race_free(run: Run) -> bool:
    """On a machine: what holds if threads interleave, and there is no data race, holds there, too.

    So C11 promises, and so compilers keep it (``program.compiled_orders``): whatever orders two accesses,
    mutexes and seq_cst, comes with barriers. Not asked where stores cannot be overtaken anyway.
    """
    task = run.task
    model = task.memory_model
    if not model.is_hardware or model.text is not None or task.guarantees is not None or task.all_bugs:
        return False
    program = run.prepared()
    return not weak_accesses(program) and has_threads(program) and not is_as_on_machine(program, task)


def is_violation_of_model(run: Run) -> bool:
    """The first violation happens under a memory model: it may be possible without it, or not."""
    if run.task.guarantees is not None or run.answered is None:
        return False
    outcome = run.answered.outcome
    if not isinstance(outcome, Unsafe):
        return False
    model = outcome.traces[0].memory_model
    return model is not MemoryModel.SC and model.text is None


def is_proof(run: Run) -> bool:
    """The program was proved, and is the user's: variants of a program have no caveats of their own."""
    is_safe = run.answered is not None and isinstance(run.answered.outcome, Safe)
    return is_safe and run.task.guarantees is None


def a_while(run: Run) -> float:
    """Seconds for an explanation: more where the search took more."""
    return max(AT_LEAST, TIMES_THE_SEARCH * (time.monotonic() - run.started))
