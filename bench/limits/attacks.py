"""What happens to a run whose processes get signals at random moments?

    python -m bench.limits.attacks [--count 100] [--seed 1]

Programs whose answers are known are checked, with a limit of a few seconds, and a process of the run gets a
signal: while modules are read, while the program is, in the search, while a report is written. The answer
must not be wrong, the file of the report whole or not there, nobody left behind and nothing said of an error.
"""

import argparse
import ctypes
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bench.limits.hold import NOT_TO_BE_SAID, ROOT
from bench.running.supervisor import FAREWELL, PR_SET_CHILD_SUBREAPER
from bench.table import Table

from sley.base.processes import descendants

PROGRAMS = {
    "examples/locked_update.c": "true",
    "examples/lost_update.c": "false",
    "bench/portfolio/programs/ring_buffer.c": "true",
    "bench/portfolio/programs/mcs_lock.c": "true",
    "bench/impact/programs/lamport.c": "false",
}
SECONDS = 5.0
VICTIMS = ("caller", "group", "worker", "engine")
SIGNALS = {
    "caller": (signal.SIGINT, signal.SIGTERM, signal.SIGKILL, signal.SIGHUP),
    "group": (signal.SIGINT,),
    "worker": (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP, signal.SIGSEGV),
    "engine": (signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP, signal.SIGABRT),
}
LATE = 1.5
"""Seconds after the limit that are still as they should be; nothing measures as exactly as `hold` here."""


@dataclass(frozen=True)
class Attack:
    """Who gets which signal, and when."""

    program: str
    victim: str
    number: signal.Signals
    delay: float

    def run(self) -> Iterator[str]:
        """What is not as it should be."""
        with tempfile.TemporaryDirectory() as folder:
            report = Path(folder) / "report.json"
            command = [sys.executable, "-m", "sley", "check", str(ROOT / self.program)]
            command += ["--time-limit", f"{SECONDS:g}s", "--json", str(report)]
            started = time.monotonic()
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                env={**os.environ, "XDG_CACHE_HOME": folder},
                start_new_session=True,
            )
            self._send(process)
            output, errors = process.communicate()
            yield from self._faults(process.returncode, output, errors, time.monotonic() - started)
            yield from _left_behind()
            yield from _files(Path(folder), report)

    def _send(self, process: "subprocess.Popen[str]") -> None:
        time.sleep(self.delay)
        tree = descendants(process.pid)
        with suppress(ProcessLookupError, IndexError):
            match self.victim:
                case "caller":
                    process.send_signal(self.number)
                case "group":
                    os.killpg(process.pid, self.number)
                case "worker":
                    os.kill(tree[1], self.number)
                case _:
                    os.kill(tree[2:][-1], self.number)

    def _faults(self, code: int, output: str, errors: str, seconds: float) -> Iterator[str]:
        if seconds > SECONDS + LATE:
            yield f"{seconds - SECONDS:.1f} s late"
        yield from (f"says `{words}`" for words in NOT_TO_BE_SAID if words in output + errors)
        ended = {-self.number, 128 + self.number} if self.victim in ("caller", "group") else set()
        if code in ended:
            return
        results = [line for line in output.splitlines() if line.startswith("RESULT: ")]
        result = results[-1].removeprefix("RESULT: ") if results else "nothing"
        fitting = {0: "true", 1: "false", 3: "unknown"}.get(code, "none")
        if not result.startswith(fitting):
            yield f"exit code {code}, {result}: {errors.strip()}"
        if not result.startswith((PROGRAMS[self.program], "unknown")):
            yield f"WRONG: {result}"


def _left_behind() -> Iterator[str]:
    """Whoever has lost its parent becomes a child of this process."""
    until = time.monotonic() + FAREWELL
    while left := descendants(os.getpid())[1:]:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if time.monotonic() > until:
            yield f"{len(left)} left behind"
            for pid in left:
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.01)


def _files(folder: Path, report: Path) -> Iterator[str]:
    if report.exists():
        try:
            json.loads(report.read_text(encoding="utf-8"))
        except ValueError:
            yield "half a report"
    others = {path.name for path in folder.rglob("*")} - {"report.json", "sley", "last.json"}
    if others:
        yield f"files left: {', '.join(sorted(others))}"


def drawn(count: int, seed: int) -> Iterator[Attack]:
    lot = random.Random(seed)
    for _ in range(count):
        victim = lot.choice(VICTIMS)
        delay = lot.choice((lot.uniform(0.0, 0.6), lot.uniform(0.4, 2.0), lot.uniform(0.5, 5.0)))
        yield Attack(lot.choice(list(PROGRAMS)), victim, lot.choice(SIGNALS[victim]), delay)


def main() -> int:
    parser = argparse.ArgumentParser(description="Signals at random moments.")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    table = Table(("program", "victim", "signal", "after s", "fault"), (40, 8, 8, 7, 40), names=3)
    faulty = 0
    for attack in drawn(chosen.count, chosen.seed):
        faults = "; ".join(attack.run())
        if faults:
            faulty += 1
            table.row([attack.program, attack.victim, attack.number.name, f"{attack.delay:.2f}", faults])
    print(f"\n{chosen.count} runs, {faulty} with a fault")
    return 1 if faulty else 0


if __name__ == "__main__":
    raise SystemExit(main())
