"""Programs under models of machines, beside the published table, by the default of `sley check`.

    python -m bench.weak.tables [--time-limit 60]

Ends with 1 if an answer is wrong.
"""

import argparse

from bench.measure import measure
from bench.table import Table, number
from bench.weak.published import OURS, TABLE, Row


def told(row: Row, answer: str) -> str:
    """The answer, and whether it is wrong."""
    return f"{answer} WRONG" if {answer, row.expected} == {"safe", "bug"} else answer


def main() -> int:
    parser = argparse.ArgumentParser(description="Table III of IMPARA.")
    parser.add_argument("--time-limit", type=float, default=60.0)
    seconds = parser.parse_args().time_limit
    print("CPU seconds of all processes, beside the seconds that were published\n")
    table = Table(
        ["program", "model", "answer", "seconds", "CBMC", "SATABS", "IMPARA"],
        [12, 6, 12, 8, 8, 8, 8],
        names=3,
    )
    has_wrong = False
    for row in (*TABLE, *OURS):
        found = measure(row.path, row.flags, seconds)
        answer = told(row, found.answer)
        has_wrong = has_wrong or answer.endswith("WRONG")
        table.row(
            [row.program, row.model, answer, number(found.seconds, 1), row.cbmc, row.satabs, row.impara]
        )
    return 1 if has_wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
