"""A bug of ours: everything goes into a crash file, one line to the terminal."""

import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sley import __version__
from sley.base.errors import error_text
from sley.base.user_cache import cache_directory

if TYPE_CHECKING:
    from sley.verification.result import Result


def report_crash(error: BaseException, arguments: Sequence[str]) -> None:
    """Write the crash file and tell the user where it is."""
    file = _write(_content("".join(traceback.format_exception(error)), arguments))
    where = f"details in {file}" if file else "no crash file could be written"
    print(f"sley: internal error ({error_text(error)}), no answer; {where}", file=sys.stderr)


def with_crash_files(result: "Result", arguments: Sequence[str]) -> "Result":
    """The result with a file for each crash that did not take the answer with it."""
    crashes = (replace(one, file=_write(_content(one.trace, arguments))) for one in result.crashes)
    return replace(result, crashes=tuple(crashes))


def _content(trace: str, arguments: Sequence[str]) -> str:
    return "\n".join(
        [
            f"sley {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"arguments: {list(arguments)!r}",
            f"directory: {Path.cwd()}",
            "",
            trace,
        ]
    )


def _write(content: str) -> Path | None:
    """The crash file, in the cache directory or else the system's place for temporary files."""
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}"
    for directory in (cache_directory(), Path(tempfile.gettempdir())):
        try:
            directory.mkdir(parents=True, exist_ok=True)
            file = _unused(directory, name)
            file.write_text(content, encoding="utf-8")
        except OSError:
            continue
        return file
    return None


def _unused(directory: Path, name: str) -> Path:
    """A file that is not there yet: one process may have several crashes to tell of."""
    others = (directory / f"{name}-{number}.txt" for number in count(2))
    file = directory / f"{name}.txt"
    while file.exists():
        file = next(others)
    return file
