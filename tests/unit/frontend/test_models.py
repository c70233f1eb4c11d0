"""The models and our headers fit together."""

import re
from pathlib import Path

import pytest

from sley.frontend.parse import HEADERS, MODELS

_DEFINITION = re.compile(r"^(?!static)[A-Za-z_][^\n;=]*?\b(\w+)\([^;{]*?\)\n\{", re.MULTILINE)
_NOT_DECLARED = ("sley_", "__", "nondet_")
"""What is ours, of the compiler, or declared by the programs that use it."""


def declared() -> str:
    text = "\n".join(path.read_text() for path in sorted(HEADERS.rglob("*.h")))
    for pattern in (
        r"SLEY_(?:ONE|TWO)\((\w+)\)",
        r"SLEY_ALL\([\w ]+, (\w+)\)",
        r"\b(\w+)##suffix\(",
    ):  # of math.h
        text = re.sub(pattern, r"\1(); \1f(); \1l();(", text)
    return text


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.c")), ids=lambda path: path.stem)
def test_what_has_a_model_is_declared(path: Path) -> None:
    """A function that a header of ours forgets would be taken to return an ``int``."""
    headers = declared()
    names = [n for n in _DEFINITION.findall(path.read_text()) if not n.startswith(_NOT_DECLARED)]
    assert [n for n in names if not re.search(rf"\b{n}\(", headers)] == []
