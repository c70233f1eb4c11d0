"""The C files of a folder, those that have to do with threads first."""

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.frontend.compilation_database import DATABASE, SourceFile, source_files
from sley.frontend.data_model import DataModel

MOST_SOURCES = 2_000
MOST_HEADER_FOLDERS = 40
_THREADS = re.compile(
    rb"pthread_|thrd_|mtx_|\batomic_|_Atomic|__atomic|__sync|\bvolatile\b|\bsem_|\bmutex|\bspin_?lock|asm\s+volatile"
)


def files_of(paths: Sequence[Path], data_model: DataModel) -> list[SourceFile]:
    """The files of a repository with their flags; those with threads come first, short ones first."""
    found = list(_listed(paths, data_model))[:MOST_SOURCES]
    return [
        source for _, source in sorted(((_promise(one.path), one) for one in found), key=lambda one: one[0])
    ]


def _listed(paths: Sequence[Path], data_model: DataModel) -> Iterator[SourceFile]:
    for path in paths:
        if not path.is_dir() or (path / DATABASE).is_file():
            yield from source_files([path], data_model)
            continue
        folders = _headers(path)
        flags = tuple(part for folder in folders for part in ("-I", str(folder)))
        yield from (SourceFile(file, flags) for file in _below(path, ".c"))


def _headers(folder: Path) -> list[Path]:
    """The folders below with headers."""
    return list(dict.fromkeys(file.parent for file in _below(folder, ".h")))[:MOST_HEADER_FOLDERS]


def _below(folder: Path, suffix: str) -> Iterator[Path]:
    """Files of a kind in a folder and all below it, but for hidden ones; links are not followed."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place) / name for name in sorted(names) if name.endswith(suffix))


def _promise(path: Path) -> tuple[bool, int, str]:
    try:
        contents = outside.content(path, outside.SOURCE)
    except InputError:
        return True, 0, str(path)
    return _THREADS.search(contents) is None, len(contents), str(path)
