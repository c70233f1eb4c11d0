"""The user's cache directory: the last result of each folder, for ``sley show`` and ``sley replay``."""

import contextlib
import hashlib
import os
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.base.user_cache import cache_directory
from sley.cli.files import write_file

MOST_RESULTS = 100
"""The results of so many folders are kept."""


def last_result_file() -> Path:
    """Where ``check`` keeps the last result that it had in this folder."""
    key = hashlib.sha256(os.fsencode(os.path.realpath(Path.cwd()))).hexdigest()[:16]
    return cache_directory() / "last" / f"{key}.json"


def keep_last_result(text: str) -> None:
    """Keep a report for later commands; a read-only home is no reason to lose the answer."""
    with contextlib.suppress(OSError, InputError):
        last_result_file().parent.mkdir(parents=True, exist_ok=True)
        write_file(last_result_file(), text)
        _forget_old_results()


def _forget_old_results() -> None:
    """Only the latest results stay."""
    kept = sorted(last_result_file().parent.glob("*.json"), key=lambda file: -file.stat().st_mtime)
    for file in kept[MOST_RESULTS:]:
        file.unlink(missing_ok=True)


def read_report(file: Path | None) -> tuple[str, str]:
    """The text of a report and the name of its file; without a file: the last result in this folder."""
    path = file or last_result_file()
    if file is None and not path.exists():
        raise InputError("no result in this folder yet: run `sley check` first")
    return outside.text(path, outside.REPORT), str(path)
