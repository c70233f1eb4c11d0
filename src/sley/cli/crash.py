"""A bug of ours: everything goes into a crash file, one line to the terminal."""

import os
import platform
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sley import __version__
from sley.base.errors import error_text
from sley.base.shown import visible
from sley.base.user_cache import cache_directory, own_folder

if TYPE_CHECKING:
    from sley.verification.result import Result


def report_crash(error: BaseException, arguments: Sequence[str]) -> None:
    """Write the crash file and tell the user where it is."""
    file = _write(_content("".join(traceback.format_exception(error)), arguments))
    where = f"details in {visible(str(file))}" if file else "no crash file could be written"
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
            f"directory: {_folder()}",
            "",
            trace,
        ]
    )


def _write(content: str) -> Path | None:
    """The crash file, in the cache directory or else the system's place for temporary files.

    Its name cannot be predicted, and only the user can read it.
    """
    for is_kept in (True, False):
        try:
            place = own_folder(cache_directory()) if is_kept else Path(tempfile.gettempdir())
            handle, name = tempfile.mkstemp(".txt", time.strftime("crash-%Y%m%d-%H%M%S-"), place)
            with open(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(content)
        except OSError:
            continue
        return Path(name)
    return None


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError as error:
        return f"gone ({error.strerror})"
