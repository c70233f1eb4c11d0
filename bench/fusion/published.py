"""The published measurements of FUSION, Fig. 3.

N. Sinha and C. Wang, Staged Concurrent Program Analysis, FSE 2010. Seconds are those of the authors' machine,
with a limit of 1800; reads and writes compare better.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One program with a number of threads; seconds are None beyond the limit."""

    reads: int
    writes: int
    seconds: tuple[float | None, float | None, float | None]
    """No summaries, pruned; summaries, not pruned; summaries and pruned."""


LIMIT = 1800
TABLE: dict[str, dict[int, Row]] = {
    "synchronisation": {2: Row(6, 19, (1, 1, 1)), 13: Row(270, 289, (9, 711, 3))},
    "indexer-slice": {
        20: Row(110, 291, (0.1, 355, 0.1)),
        27: Row(284, 707, (23, None, 0.3)),
        28: Row(322, 797, (97, None, 4)),
        29: Row(360, 887, (129, None, 6)),
        30: Row(468, 1104, (517, None, 7)),
        31: Row(594, 1332, (None, None, 13)),
        32: Row(888, 1856, (None, None, 104)),
    },
    "account1-races": {11: Row(134, 372, (1, 121, 1))},
    "account2-races": {21: Row(260, 708, (25, None, 10))},
}
"""Program, threads."""
