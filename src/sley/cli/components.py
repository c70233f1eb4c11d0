"""``sley check DIR``: what of a repository can be decided by itself."""

import hashlib
import json as json_format
import os
import tempfile
from pathlib import Path

from sley.base.errors import InputError
from sley.base.user_cache import cache_directory, own_folder
from sley.cli.exit_codes import ExitCode
from sley.cli.files import require_writable, write_file
from sley.cli.signals import attended
from sley.cli.terminal import show, width, write
from sley.verification.task import Task


def check_components(
    task: Task, json: Path | None, harnesses: Path | None, *, instead_of: InputError | None = None
) -> int:
    """Find components, check them and the programs, print the table; the exit code.

    Where there is nothing to check, ``instead_of`` says what else is wrong.
    """
    from sley.reports import components as report
    from sley.verification.components import ComponentChecks

    if json is not None:
        require_writable(json)
    folder = _folder(task, harnesses)
    with attended(task.limits) as (progress, budget):
        with progress:
            findings = ComponentChecks(task, folder, budget, progress).run()
        if instead_of is not None and not findings.rows:
            raise instead_of
        show(report.report(findings, budget.waited(), width()))
        write(report.closing_lines(findings))
    if json is not None:
        write_file(json, json_format.dumps(report.to_json(findings), indent=1, ensure_ascii=False) + "\n")
    if any(row.is_bug for row in findings.rows):
        return ExitCode.BUG
    return ExitCode.SAFE if findings.is_decided else ExitCode.UNKNOWN


def _folder(task: Task, wanted: Path | None) -> Path:
    """Where harnesses are kept: as the user says, else in a folder of the cache that is this repository's."""
    try:
        if wanted is not None:
            wanted.mkdir(parents=True, exist_ok=True)
            return wanted
        own_folder(cache_directory())
        key = hashlib.sha256(b"\0".join(os.fsencode(os.path.realpath(one)) for one in task.paths)).hexdigest()
        return own_folder(own_folder(cache_directory() / "harnesses") / key[:16])
    except OSError as error:
        if wanted is not None:
            raise InputError(f"--write-harnesses: cannot write {wanted}: {error.strerror}") from None
        return Path(tempfile.mkdtemp(prefix="sley-harnesses-"))
