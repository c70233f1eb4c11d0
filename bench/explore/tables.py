"""States and seconds of `explore` for more and more threads: ``python -m bench.explore.tables``."""

import argparse
import time
from collections.abc import Mapping
from pathlib import Path

from sley.base.budget import Budget
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.verdict import Claimed
from sley.program.properties import ALL_PROPERTIES
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Task

FOLDER = Path(__file__).parent / "programs"

SIZES: Mapping[str, tuple[int, ...]] = {
    "ticket": (2, 4, 6, 7, 8, 12, 16),
    "mcs": (2, 3, 4, 5, 6),
    "test_and_set": (2, 4, 5, 8, 16),
    "exchange": (2, 4, 6, 8, 16),
    "writers": (2, 4, 7, 10),
    "sequence_lock": (2, 4, 5, 6),
    "queue": (2, 4, 5, 6),
    "mutex": (2, 4, 8, 16),
    "barrier": (2, 4, 8, 16),
    "elements": (2, 4, 6, 8, 16),
    "sequence": (2, 4, 6, 8, 12),
    "rounds": (2, 4, 8, 16),
}
"""Program -> numbers of threads."""


def measured(name: str, threads: int, options: ExploreOptions, seconds: float) -> tuple[int, float, float]:
    """States, and processor seconds for finding and for checking; no time for what is not finished."""
    path = FOLDER / f"{name}.c"
    task = Task(paths=(path,), defines=(f"THREADS={threads}",), selection=Selection(ALL_PROPERTIES))
    program = program_of(task)
    began = time.process_time()
    verdict, statistics = explore(program, ALL_PROPERTIES, options, Budget(seconds))
    found = time.process_time()
    states = int(statistics["states"])
    if not isinstance(verdict, Claimed):
        return states, -1.0, -1.0
    check_closed_states(program, ALL_PROPERTIES, verdict.proof, Budget())
    return states, found - began, time.process_time() - found


def main() -> None:
    """Print one row for each program and number of threads, until one is not finished."""
    parser = argparse.ArgumentParser(prog="python -m bench.explore.tables")
    parser.add_argument("names", nargs="*", metavar="PROGRAM")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each search")
    parser.add_argument("--without", nargs="*", default=[], help="options to switch off")
    arguments = parser.parse_args()
    options = ExploreOptions(**dict.fromkeys(arguments.without, False))
    print("program       threads    states  finding s  checking s")
    for name in arguments.names or SIZES:
        for threads in SIZES[name]:
            states, finding, checking = measured(name, threads, options, arguments.seconds)
            times = f"{finding:>9.2f}  {checking:>10.2f}" if finding >= 0 else "        -           -"
            print(f"{name:<12}  {threads:>7}  {states:>8}  {times}", flush=True)
            if finding < 0:
                break


if __name__ == "__main__":
    main()
