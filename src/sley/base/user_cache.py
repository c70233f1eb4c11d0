"""The user's cache directory."""

import os
from pathlib import Path


def cache_directory() -> Path:
    """Where the XDG base directory specification wants it."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    root = Path(base) if os.path.isabs(base) else Path("~/.cache").expanduser()
    return root / "sley"
