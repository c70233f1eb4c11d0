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
from sley.base.user_cache import cache_directory


def report_crash(error: BaseException, arguments: Sequence[str]) -> None:
    """Write the crash file and tell the user where it is."""
    frames = re.findall(
        r'File "(.*)", line (\d+)', "".join(traceback.format_exception(error.__cause__ or error))
    )
    place = f" in {Path(frames[-1][0]).name}:{frames[-1][1]}" if frames else ""
    file = _write(_content(error, arguments))
    where = f"details in {file}" if file else "no crash file could be written"
    print(f"sley: internal error ({type(error).__name__}{place}), no answer; {where}", file=sys.stderr)


def _content(error: BaseException, arguments: Sequence[str]) -> str:
    return "\n".join(
        [
            f"sley {__version__}, Python {platform.python_version()}, {platform.platform()}",
            f"arguments: {list(arguments)!r}",
            f"directory: {Path.cwd()}",
            "",
            *traceback.format_exception(error),
        ]
    )


def _write(content: str) -> Path | None:
    """The crash file, in the cache directory or else the system's place for temporary files."""
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
    for directory in (cache_directory(), Path(tempfile.gettempdir())):
        try:
            directory.mkdir(parents=True, exist_ok=True)
            (directory / name).write_text(content, encoding="utf-8")
        except OSError:
            continue
        return directory / name
    return None
