"""C code of our own, compiled with the C compiler of the machine: found when needed, and never required.

What was compiled is kept in the user's cache directory under a name that depends on its text and the
compiler, so a machine compiles each file once.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from sley.base.user_cache import cache_directory

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O2", "-shared", "-fPIC", "-pthread", "-w")
SECONDS = 60
"""A compiler that takes longer is none."""


@cache
def library(source: Path) -> ctypes.CDLL | None:
    """The functions of a C file; None if there is no compiler, or it does not do."""
    compiler = next((path for name in COMPILERS if (path := shutil.which(name)) is not None), None)
    if compiler is None:
        return None
    key = hashlib.sha256(source.read_bytes() + "\0".join((compiler, *FLAGS)).encode()).hexdigest()[:32]
    try:
        made = _folder() / f"{source.stem}-{key}.so"
        if not made.exists():
            _compile(compiler, source, made)
        return ctypes.CDLL(str(made))
    except (OSError, subprocess.SubprocessError):
        return None


def _folder() -> Path:
    """Where to keep what was compiled; if it cannot be kept, a folder for this time."""
    kept = cache_directory() / "compiled"
    try:
        kept.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="sley-"))
    return kept if os.access(kept, os.W_OK) else Path(tempfile.mkdtemp(prefix="sley-"))


def _compile(compiler: str, source: Path, made: Path) -> None:
    """Compile into a file of another name, so that nobody finds one that is not finished."""
    unfinished = made.with_suffix(f".{os.getpid()}")
    command = (compiler, *FLAGS, "-o", str(unfinished), str(source))
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
        unfinished.replace(made)
    finally:
        unfinished.unlink(missing_ok=True)
