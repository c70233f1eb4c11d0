"""The programs under ``tests/programs/explained``: one bug each, of a well-known kind.

The first line has the marks of all test programs. A line ``// why:`` has a regular expression for what must
be said about the bug, and a line that ends in ``// decisive`` must be visible in the trace.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sley.program.properties import PROPERTY_GROUPS, Property
from tests.marked_programs import FOLDER, marks_of

EXPLAINED = sorted((FOLDER / "explained").glob("*.c"))


@dataclass(frozen=True)
class Explained:
    """A program and what its comments say."""

    path: Path

    @cached_property
    def lines(self) -> list[str]:
        return self.path.read_text().splitlines()

    @property
    def violated(self) -> frozenset[Property]:
        """What may be reported first."""
        return frozenset(prop for group in marks_of(self.path).violated for prop in PROPERTY_GROUPS[group])

    @property
    def why(self) -> list[re.Pattern[str]]:
        """What the explanation must match."""
        found = (re.match(r"// why: (.+)", line) for line in self.lines)
        return [re.compile(match[1]) for match in found if match]

    @property
    def decisive(self) -> frozenset[int]:
        """The numbers of lines that must be visible."""
        return frozenset(n for n, line in enumerate(self.lines, 1) if line.endswith("// decisive"))
