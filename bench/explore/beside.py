"""Processor seconds beside GenMC: ``python -m bench.explore.beside --genmc PATH``.

Both read the C file, with more and more threads, until one run takes longer than ``--seconds``. Each is a
process of its own, with all that it starts counted. Nothing of GenMC is needed here but its command.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "programs"


class Family(NamedTuple):
    """Programs that differ in the number of threads."""

    program: str
    first: int
    """Threads of the smallest one."""
    rounds: int | None = None

    def macros(self, threads: int) -> list[str]:
        """What the size is to the program."""
        return [f"THREADS={threads}"] + ([] if self.rounds is None else [f"ROUNDS={self.rounds}"])


FAMILIES = {
    "ticket lock": Family("ticket", 5),
    "MCS lock": Family("mcs", 3),
    "sequence lock, 2 writes": Family("sequence", 3, 2),
    "writers and one reader": Family("writers", 5),
    "4 locked rounds each": Family("rounds", 2, 4),
    "2 locked rounds each": Family("rounds", 3, 2),
    "test-and-set lock": Family("test_and_set", 4),
    "compare-exchange": Family("exchange", 4),
}
SIZES = (*range(2, 17), 20, 24, 32, 48, 63)


def processor_seconds(command: Sequence[str], seconds: float) -> tuple[float | None, str]:
    """What a command takes, with all that it starts, None if it fails or takes longer; and what it says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=2 * seconds, check=False, env=environment
        )
    except subprocess.TimeoutExpired:
        return None, ""
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    taken = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    said = done.stdout + done.stderr
    return (taken if done.returncode == 0 and taken <= seconds else None), said


def commands(family: Family, threads: int, genmc: str | None) -> Iterator[tuple[str, list[str], str]]:
    """Who is run, how, and what is counted in what it says."""
    path, macros = str(FOLDER / f"{family.program}.c"), [f"-D{macro}" for macro in family.macros(threads)]
    ours = [sys.executable, "-m", "sley", "check", "--no-config", "--engine", "explore", path, *macros]
    yield "explore", ours, r"(\d+)\s+states,\s+closed"
    if genmc is not None:
        yield "genmc", [genmc, "--sc", "--disable-estimation", "--", *macros, path], r"explored: (\d+)"


def main() -> None:
    """Print a row for each program and size."""
    parser = argparse.ArgumentParser(prog="python -m bench.explore.beside")
    parser.add_argument("families", nargs="*", metavar="FAMILY", default=list(FAMILIES))
    parser.add_argument("--seconds", type=float, default=60.0, help="for each run")
    parser.add_argument("--genmc", metavar="PATH", help="the command of GenMC")
    arguments = parser.parse_args()
    print(f"{'program':<24}  threads  who        seconds     states or executions")
    for name in arguments.families:
        family, given_up = FAMILIES[name], set[str]()
        for threads in SIZES:
            if threads < family.first:
                continue
            for who, command, counted in commands(family, threads, arguments.genmc):
                if who in given_up:
                    continue
                taken, said = processor_seconds(command, arguments.seconds)
                number = re.search(counted, said)
                count = number.group(1) if taken is not None and number is not None else "-"
                seconds = "-" if taken is None else f"{taken:.2f}"
                print(f"{name:<24}  {threads:>7}  {who:<8}  {seconds:>8}  {count:>8}", flush=True)
                given_up |= {who} if taken is None else set()


if __name__ == "__main__":
    main()
