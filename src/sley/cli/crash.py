"""A bug of ours: everything goes into a crash file, one line to the terminal."""

import os
import platform
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

from sley import __version__
from sley.base.shown import visible
from sley.base.user_cache import cache_directory, own_folder


def report_crash(error: BaseException, arguments: Sequence[str]) -> None:
    """Write the crash file and tell the user where it is."""
    frames = re.findall(
        r'File "(.*)", line (\d+)', "".join(traceback.format_exception(error.__cause__ or error))
    )
    place = f" in {Path(frames[-1][0]).name}:{frames[-1][1]}" if frames else ""
    file = _write(_content(error, arguments))
    where = f"details in {visible(str(file))}" if file else "no crash file could be written"
    print(f"sley: internal error ({type(error).__name__}{place}), no answer; {where}", file=sys.stderr)


def _content(error: BaseException, arguments: Sequence[str]) -> str:
    return "\n".join(
        [
            f"sley {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"arguments: {list(arguments)!r}",
            f"directory: {_folder()}",
            "",
            *traceback.format_exception(error),
        ]
    )


def _write(content: str) -> Path | None:
    """The crash file, in the cache directory or else the system's place for temporary files.

    Nobody knows its name before, and nobody else can read it.
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
