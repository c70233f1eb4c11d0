"""C code of our own, compiled with the C compiler of the machine: found when needed, and never required.

What was compiled is kept in the user's cache directory under a name that depends on its text and the
compiler, so a machine compiles each file once. It is loaded only from a folder that is the user's alone, and
only if it is what the compiler has made; else it is compiled anew.
"""

import contextlib
import ctypes
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sley.base.user_cache import cache_directory, own_folder, require_own

COMPILERS = ("cc", "gcc", "clang")
FLAGS = ("-O2", "-shared", "-fPIC", "-pthread", "-pipe", "-w")
SECONDS = 60
"""A compiler that takes longer is none."""
MOST = 64 << 20
"""Bytes of a library."""

_ENDING = """
import ctypes, os, signal, subprocess, sys
parent, seconds, *command = sys.argv[1:]
nothing = subprocess.DEVNULL
running = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
def end(*_):
    os.killpg(running.pid, signal.SIGKILL)
    os._exit(1)
signal.signal(signal.SIGTERM, end)
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)
if os.getppid() != int(parent):
    end()
try:
    sys.exit(running.wait(float(seconds)))
except subprocess.TimeoutExpired:
    end()
"""
"""Runs a command, and ends it with all that it has started: after a while, or when the caller is gone."""


@cache
def library(source: Path) -> ctypes.CDLL | None:
    """The functions of a C file; None if there is no compiler, or it does not do."""
    compiler = _compiler()
    if compiler is None:
        return None
    key = hashlib.sha256(source.read_bytes() + "\0".join((compiler, *FLAGS)).encode()).hexdigest()[:32]
    try:
        with _folder() as folder:
            made = folder / f"{source.stem}-{key}.so"
            if not _is_as_compiled(made):
                _compile(compiler, source, made)
            return ctypes.CDLL(str(made))
    except (OSError, subprocess.SubprocessError):
        return None


def _compiler() -> str | None:
    """None of the folder that we are in, whatever PATH says."""
    found = (shutil.which(name) for name in COMPILERS)
    return next((path for path in found if path is not None and os.path.isabs(path)), None)


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    """Where to keep what was compiled; if it cannot be kept, a folder that is gone when it is loaded."""
    kept = None
    with contextlib.suppress(OSError):
        own_folder(cache_directory())
        kept = own_folder(cache_directory() / "compiled")
    if kept is not None and os.access(kept, os.W_OK):
        yield kept
    else:
        with tempfile.TemporaryDirectory(prefix="sley-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)


def _sum(made: Path) -> Path:
    return made.with_suffix(".sha256")


def _is_as_compiled(made: Path) -> bool:
    """Whether it is there, the user's alone, and has the content that was written down."""
    try:
        return _digest(made) == _content(_sum(made), 100).decode("ascii", "replace")
    except OSError:
        return False


def _digest(file: Path) -> str:
    return hashlib.sha256(_content(file, MOST)).hexdigest()


def _content(file: Path, most: int) -> bytes:
    handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as opened:
        require_own(os.fstat(handle), stat.S_IFREG)
        return opened.read(most)


def _compile(compiler: str, source: Path, made: Path) -> None:
    """Compile into files of other names, so that no process finds an unfinished one."""
    with tempfile.TemporaryDirectory(dir=made.parent, ignore_cleanup_errors=True) as folder:
        unfinished = Path(folder) / made.name
        command = (compiler, *FLAGS, "-o", str(unfinished), str(source))
        ending = (sys.executable, "-I", "-S", "-c", _ENDING, str(os.getpid()), str(SECONDS))
        subprocess.run((*ending, *command), check=True, stdin=subprocess.DEVNULL)
        unfinished.chmod(0o700)
        _sum(unfinished).write_text(_digest(unfinished), encoding="ascii")
        _sum(unfinished).chmod(0o600)
        for one in (made, _sum(made)):
            if one.is_dir() and not one.is_symlink():
                shutil.rmtree(one)
        unfinished.replace(made)
        _sum(unfinished).replace(_sum(made))
