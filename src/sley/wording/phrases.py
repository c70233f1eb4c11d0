"""Pieces of sentences."""

from collections.abc import Sequence


def enumeration(words: Sequence[str], last: str = "and") -> str:
    """``a, b or c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"
