"""What sley says of programs in a table, beside what is expected.

    python -m bench.running TABLE.csv [--sample 120] [--seed 15] [--time-limit 30] [--flags "--engine bmc"]

The table has the columns ``file``, ``expected`` and, if not all properties are meant, ``property``. Ends
with 1 if an answer is wrong.
"""

import argparse
import tempfile
from collections import Counter
from pathlib import Path

from bench.running.processes import Limits, Runner
from bench.running.runs import Category, checked
from bench.running.tasks import drawn, read_tasks
from bench.running.verifiers import configuration, known_verifiers
from bench.table import Table


def main() -> int:
    parser = argparse.ArgumentParser(description="Answers beside what is expected.")
    parser.add_argument("sources", nargs="+", type=Path, metavar="TABLE")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--time-limit", type=float, default=60.0, metavar="SECONDS")
    parser.add_argument("--memory-limit", type=float, default=4000.0, metavar="MB")
    parser.add_argument("--flags", default="", help="of `sley check`")
    chosen = parser.parse_args()
    ours = configuration(f"sley={chosen.flags}", known_verifiers())
    limits = Limits(chosen.time_limit, megabytes=chosen.memory_limit)
    table = Table(
        ("task", "property", "expected", "answer", "", "CPU s", "reason"), (60, 8, 8, 20, 9, 6, 40), 5
    )
    found: Counter[Category] = Counter()
    seconds = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for task in drawn(read_tasks(chosen.sources), chosen.sample, chosen.seed):
            done = checked(ours, task, limits, Runner(), Path(folder) / "log")
            found[done.category] += 1
            seconds += done.cpu_seconds
            row = (task.name[-60:], task.group(), task.expected or "?", done.answer, done.category.value)
            table.row([*row, f"{done.cpu_seconds:.1f}", done.reason or ""])
    print("\n" + ", ".join(f"{found[one]} {one.value}" for one in Category) + f", {seconds:.1f} CPU seconds")
    return 1 if found[Category.WRONG] else 0


if __name__ == "__main__":
    raise SystemExit(main())
