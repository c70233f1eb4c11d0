"""The published measurements of IMPARA (B. Wachter, D. Kroening, J. Ouaknine, FMCAD 2013), Tables I and II.

Seconds are those of the authors' machine; nodes and covering checks compare better.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One program in one configuration."""

    seconds: float
    nodes: int
    checks: int
    """Covering checks that needed a solver."""
    share: int | None = None
    """Per cent of the nodes that come from cover expansions."""


PROGRAMS = {
    "dekker": "safe",
    "lamport": "safe",
    "peterson": "safe",
    "szymanski": "safe",
    "read_write_u": "bug",
    "read_write_s": "safe",
    "time_var_mutex": "safe",
    "stack_u": "bug",
    "stack_s": "safe",
}
"""The right answers."""

TABLE: dict[str, dict[str, Row]] = {
    "sPOR": {
        "dekker": Row(1.3, 7407, 9),
        "lamport": Row(9.6, 36624, 223),
        "peterson": Row(0.7, 3155, 55),
        "szymanski": Row(2.3, 13332, 14),
        "read_write_u": Row(5.4, 31786, 23),
        "read_write_s": Row(75.2, 109096, 148),
        "time_var_mutex": Row(0.2, 867, 4),
    },
    "sPOR+FC": {
        "dekker": Row(0.2, 504, 8),
        "lamport": Row(1.0, 4740, 226),
        "peterson": Row(0.1, 419, 89),
        "szymanski": Row(0.3, 1059, 5),
        "read_write_u": Row(1.0, 7628, 119),
        "read_write_s": Row(7.0, 12932, 1457),
        "time_var_mutex": Row(0.2, 867, 6),
    },
    "dPOR": {
        "dekker": Row(0.1, 433, 3, 0),
        "lamport": Row(1.0, 7418, 149, 54),
        "peterson": Row(0.3, 1081, 43, 0),
        "szymanski": Row(0.2, 1264, 5, 0),
        "read_write_u": Row(1.6, 18261, 59, 0),
        "read_write_s": Row(5.0, 36777, 129, 14),
        "time_var_mutex": Row(0.2, 435, 3, 0),
        "stack_u": Row(3.1, 2589, 717, 0),
    },
    "dPOR+FC": {
        "dekker": Row(0.1, 331, 2, 0),
        "lamport": Row(0.3, 1700, 205, 13),
        "peterson": Row(0.1, 199, 16, 0),
        "szymanski": Row(0.2, 673, 2, 0),
        "read_write_u": Row(0.6, 4899, 53, 0),
        "read_write_s": Row(0.9, 7065, 223, 15),
        "time_var_mutex": Row(0.1, 252, 1, 0),
        "stack_u": Row(0.5, 424, 81, 0),
        "stack_s": Row(38.8, 2037, 4420, 0),
    },
}
"""Configuration, program; what is missing was out of time (900 s)."""

TOOLS = ("CBMC 4.5", "ESBMC 1.20", "SATABS 3.1", "THREADER 0.92", "IMPARA 0.2")
OTHERS: dict[str, tuple[str, ...]] = {
    "dekker": ("0.6*", "2.2*", "0.2", "T.O.", "0.1"),
    "lamport": ("12.4*", "18.1*", "0.3", "38.1", "0.3"),
    "peterson": ("0.2*", "2.0*", "0.3", "4.8", "0.1"),
    "szymanski": ("0.5*", "4.7*", "0.2", "13.5", "0.2"),
    "read_write_u": ("0.2", "T.O.", "0.8", "58.4", "0.6"),
    "read_write_s": ("0.4", "T.O.", "0.8", "58.1", "0.9"),
    "time_var_mutex": ("0.2", "110.3", "95.4", "4.3", "0.1"),
    "stack_u": ("1.0", "T.O.", "T.O.", "80.6", "0.5"),
    "stack_s": ("33.5", "T.O.", "T.O.", "250.1", "38.8"),
}
"""Table I, seconds by tool; a star: loops unrolled six times only."""
