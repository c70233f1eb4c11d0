"""The user's cache directory: the last result, for ``sley show`` and ``sley replay``."""

import contextlib
import os
from pathlib import Path

from sley.base.errors import InputError
from sley.base.source import Span
from sley.cli.files import write_file


def cache_directory() -> Path:
    """Where the XDG base directory specification wants it."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path("~/.cache").expanduser()
    return root / "sley"


def last_result_file() -> Path:
    """Where ``check`` keeps its last result."""
    return cache_directory() / "last.json"


def keep_last_result(text: str) -> None:
    """Keep a report for later commands; a read-only home is no reason to lose the answer."""
    with contextlib.suppress(OSError, InputError):
        last_result_file().parent.mkdir(parents=True, exist_ok=True)
        write_file(last_result_file(), text)


def read_report(file: Path | None) -> tuple[str, str]:
    """The text of a report and the name of its file; without a file: the last result."""
    path = file or last_result_file()
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except FileNotFoundError:
        if file is None:
            raise InputError("no result yet: run `sley check` first") from None
        raise InputError("no such file", Span(str(path), 1, 1)) from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the report: {error}", Span(str(path), 1, 1)) from None
