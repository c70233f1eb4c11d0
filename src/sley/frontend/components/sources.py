"""In which order the files of a repository are read: those that have to do with threads first."""

import re
from collections.abc import Sequence
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.frontend.compilation_database import SourceFile

_THREADS = re.compile(
    rb"pthread_|thrd_|mtx_|\batomic_|_Atomic|__atomic|__sync|\bvolatile\b|\bsem_|\bmutex|\bspin_?lock|asm\s+volatile"
)


def by_promise(files: Sequence[SourceFile]) -> list[SourceFile]:
    """What has to do with threads comes first, and short files before long ones."""
    return sorted(files, key=lambda source: _promise(source.path))


def _promise(path: Path) -> tuple[bool, int, str]:
    try:
        contents = outside.content(path, outside.SOURCE)
    except InputError:
        return True, 0, str(path)
    return _THREADS.search(contents) is None, len(contents), str(path)
