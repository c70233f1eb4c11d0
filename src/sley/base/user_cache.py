"""The user's cache directory, and folders that belong to the user alone."""

import os
import stat
from pathlib import Path


def cache_directory() -> Path:
    """Where the XDG base directory specification wants it; without a home, a place that cannot be made."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = base if os.path.isabs(base) else os.path.expanduser("~/.cache")
    return Path(root if os.path.isabs(root) else os.devnull) / "sley"


def own_folder(folder: Path) -> Path:
    """A folder that is there now; ``OSError`` unless it is the user's, and writable by the user alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder == cache_directory() and folder.stat().st_uid == os.geteuid():
        folder.chmod(0o700)  # earlier versions made it as the user's mask said
    require_own(folder.lstat(), stat.S_IFDIR)
    return folder


def require_own(about: os.stat_result, kind: int) -> None:
    """``OSError`` unless a file of this kind is the user's, and writable by the user alone."""
    if stat.S_IFMT(about.st_mode) != kind:
        raise OSError("not a file of this kind")
    if about.st_uid != os.geteuid() or about.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise OSError("others can write it")


def is_trusted(file: Path) -> bool:
    """Whether a file and its folder are the user's or root's, and writable by the owner alone."""
    return all(
        _is_trusted(one) for one in (file, Path(os.path.realpath(file)), Path(os.path.realpath(file)).parent)
    )


def _is_trusted(path: Path) -> bool:
    about = path.lstat()
    is_shared = about.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not stat.S_ISLNK(about.st_mode)
    return about.st_uid in (0, os.geteuid()) and not is_shared
