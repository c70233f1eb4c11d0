"""Do limits hold? Programs drawn by lot, with limits that end most of them in the midst of something long.

    python -m bench.limits.hold [--count 200] [--seed 1] [--also DIR]... [--memory-limit 400]

Each is given to `sley check`, with all engines or one that is drawn, or to another command with limits, with
each of the limits; what ends by itself has nothing to show with more time. Ends with 1 if a run ends more
than a second late although the machine is not busy, uses 5 % more memory than it may, leaves a process
behind, or speaks of an error of its own.
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bench.running.processes import Ended, Limits, run
from bench.table import Table

ROOT = Path(__file__).parents[2]
OURS = ("tests/programs", "bench")
ENGINES = ("", "", "explore", "bmc", "impact", "modular", "symmetry")
SECONDS = (2.0, 5.0, 20.0)
LATE, LARGE = 1.0, 1.05
"""Seconds after the limit, and how many times the memory, that are still as they should be."""
BUSY = 3.0
"""So many times longer than alone work may take; on a busier machine nobody can say why something is late."""
GRACE = 60.0
NOT_TO_BE_SAID = ("Exception ignored", "Traceback", "internal error", "Warning:", "Fatal Python error")
SHOWN = ("tree", "invariants", "skeleton", "boolean", "predicates")
COMMANDS = (*[("check",)] * 8, *[("show", thing) for thing in SHOWN], ("mine",))


@dataclass(frozen=True)
class Trial:
    """A command and its limits."""

    program: Path
    command: tuple[str, ...]
    seconds: float
    megabytes: int

    @property
    def name(self) -> str:
        return " ".join((*self.command, self.program.name))

    def run(self) -> Ended:
        command = [sys.executable, "-m", "sley", *self.command, str(self.program)]
        command += ["--time-limit", f"{self.seconds:g}s", "--memory-limit", f"{self.megabytes}MB"]
        return run(command, Limits(self.seconds + GRACE, megabytes=4.0 * self.megabytes))

    def faults(self, ended: Ended, slowdown: float) -> Iterator[str]:
        """What is not as it should be."""
        if ended.exit_code is None:
            yield f"had to be ended: {ended.ended_by}"
        elif ended.exit_code not in range(5):
            yield f"exit code {ended.exit_code}"
        if ended.wall_seconds > self.seconds + LATE and slowdown <= BUSY:
            yield f"{ended.wall_seconds - self.seconds:.1f} s late"
        if ended.megabytes > self.megabytes * LARGE:
            yield f"{ended.megabytes:.0f} MB"
        if ended.left_behind:
            yield f"{ended.left_behind} left behind"
        yield from (f"says `{words}`" for words in NOT_TO_BE_SAID if words in ended.output)


def drawn(count: int, seed: int, also: list[Path]) -> list[tuple[Path, tuple[str, ...]]]:
    """Programs, all kinds of folders alike, each with what is to be done with it."""
    lot = random.Random(seed)
    pools = [_programs(folder) for folder in (*(ROOT / one for one in OURS), *also)]
    chosen = {path for pool in pools for path in lot.sample(pool, min(len(pool), -(-count // len(pools))))}
    return [(path, _command(lot)) for path in lot.sample(sorted(chosen), min(count, len(chosen)))]


def _programs(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.suffix in (".c", ".i"))


def _command(lot: random.Random) -> tuple[str, ...]:
    command = lot.choice(COMMANDS)
    engine = lot.choice(ENGINES)
    return (*command, "--engine", engine) if command == ("check",) and engine else command


def slowness() -> float:
    """How many times longer than alone a process takes now."""
    started, computed = time.monotonic(), time.process_time()
    while (used := time.process_time() - computed) < 0.05:
        pass
    return (time.monotonic() - started) / used


def main() -> int:
    parser = argparse.ArgumentParser(description="Do limits hold?")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--also", type=Path, action="append", default=[], help="a folder of foreign programs")
    parser.add_argument("--memory-limit", type=int, default=400, metavar="MB")
    chosen = parser.parse_args()
    table = Table(
        ("program", "limit s", "wall s", "CPU s", "MB", "slower", "fault"), (60, 7, 7, 7, 6, 6, 30), names=1
    )
    faulty = runs = reached = late = 0
    for program, command in drawn(chosen.count, chosen.seed, chosen.also):
        for seconds in SECONDS:
            trial = Trial(program, command, seconds, chosen.memory_limit)
            ended = trial.run()
            slowdown = slowness()
            faults = "; ".join(trial.faults(ended, slowdown))
            late += ended.wall_seconds > seconds + LATE
            runs += 1
            faulty += bool(faults)
            if faults or ended.wall_seconds > seconds - 0.2 or "limit of" in ended.output:
                reached += 1
                cells = [f"{seconds:g}", f"{ended.wall_seconds:.2f}", f"{ended.cpu_seconds:.2f}"]
                cells += [f"{ended.megabytes:.0f}", f"{slowdown:.1f}", faults]
                table.row([trial.name, *cells])
            if ended.wall_seconds < seconds:
                break
    print(f"\n{runs} runs, {reached} to a limit, {late} late, {faulty} with a fault")
    return 1 if faulty else 0


if __name__ == "__main__":
    raise SystemExit(main())
