"""What was published on the same programs: IMPARA (FMCAD 2013), Table III.

The programs are written anew from their descriptions. Seconds on the machines of that time; TO: too long.
"""

from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).parent / "programs"


@dataclass(frozen=True, slots=True)
class Row:
    """A program under a memory model."""

    program: str
    """Which file, and what is defined for it."""
    model: str
    expected: str
    """`safe` or `bug`."""
    cbmc: str = ""
    """Where loops were cut off: in brackets."""
    satabs: str = ""
    impara: str = ""

    @property
    def path(self) -> Path:
        return PROGRAMS / f"{self.program.split()[0]}.c"

    @property
    def flags(self) -> list[str]:
        defined = [f"-D{name.upper()}" for name in self.program.split()[1:]]
        return ["--property", "reach", "--memory-model", self.model, *defined]


TABLE = (
    Row("sober", "sc", "safe", "0.3", "0.3", "0.7"),
    Row("sober", "tso", "bug", "0.5", "2.6", "3.7"),
    Row("sober", "rmo", "bug", "0.5", "2.5", "3.6"),
    Row("sober", "pso", "bug", "0.3", "1.4", "1.7"),
    Row("sober", "power", "bug", "0.3", "1.4", "1.7"),
    Row("sober fix", "sc", "safe", "0.3", "0.4", "0.7"),
    Row("sober fix", "tso", "safe", "0.3", "5.5", "1.3"),
    Row("sober fix", "pso", "safe", "0.3", "5.6", "1.4"),
    Row("sober fix", "power", "safe", "0.3", "5.6", "1.4"),
    Row("sql", "sc", "safe", "(1.8)", "0.3", "0.4"),
    Row("sql", "tso", "safe", "(6.9)", "0.3", "0.5"),
    Row("sql", "power", "bug", "(824.9)", "TO", "TO"),
    Row("sql dev_fix", "power", "bug", "TO", "wrong", "TO"),
)

OURS = (
    Row("sober fix", "rmo", "safe"),
    Row("sql", "pso", "bug"),
    Row("sql", "rmo", "bug"),
    Row("sql dev_fix", "pso", "safe"),
    Row("sql fix", "tso", "safe"),
    Row("sql fix", "pso", "safe"),
)
"""Of which nothing was published."""
