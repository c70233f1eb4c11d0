"""``sley mine``: likely invariants from random runs, as a file."""

import sys
from pathlib import Path

from sley.base.budget import Budget
from sley.cli.exit_codes import ExitCode
from sley.cli.files import require_writable, write_file
from sley.cli.signals import stopping
from sley.cli.terminal import Progress
from sley.engines.bmc.likely import mine, write_likely
from sley.verification.reading import program_of
from sley.verification.task import Task


def mine_program(task: Task, *, runs: int, seed: int, output: Path | None) -> int:
    """Watch random runs of a program and write down what held in all of them."""
    if output is not None:
        require_writable(output)
    progress = Progress()
    budget = Budget(task.limits.seconds, task.limits.megabytes, on_progress=progress.refresh)
    with stopping(budget), progress:
        program = program_of(task)
        text = write_likely(program, mine(program, runs, seed, budget))
    if output is None:
        sys.stdout.write(text)
    else:
        write_file(output, text)
    return ExitCode.SAFE
