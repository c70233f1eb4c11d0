"""A campaign: programs in batches, what differs, and what became of the rest."""

import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tests.fuzz.judge.comparison import Judge, Opinion, source
from tests.fuzz.judge.draft import Program
from tests.fuzz.judge.minimise import minimised
from tests.fuzz.judge.programs import random_program
from tests.fuzz.judge.sanitizers import Observed, observe

BATCH = 25


@dataclass
class Campaign:
    """What to do with the programs, and what was found."""

    folder: Path
    """For temporary files."""
    seconds: float = 5.0
    every: int = 5
    """Every engine is asked about every program whose seed is a multiple."""
    keep: Path | None = None
    minimise: bool = False
    only: str = ""
    """Leave out programs that do not have this corner."""
    outcomes: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    differing: list[Program] = field(default_factory=list)

    def run(self, seed: int, count: int) -> None:
        """Judge the programs of some seeds."""
        started = time.monotonic()
        judge = Judge(self.folder, self.seconds)
        batch = BATCH * (20 if self.only else 1)
        for first in range(seed, seed + count, batch):
            seeds = range(first, min(first + batch, seed + count))
            programs = [
                program for program in map(random_program, seeds) if self.only in ("", *program.corners)
            ]
            for program, observed in observations(programs, self.folder):
                all_engines = self.every > 0 and program.seed % self.every == 0
                opinion = judge.opinion(program, observed, all_engines=all_engines)
                self.note(program, observed, opinion, judge)
            seconds, done = time.monotonic() - started, seeds.stop - seed
            sys.stderr.write(f"{done} programs, {len(self.differing)} differ, {seconds:.0f} s\n")
            sys.stdout.flush()
        sys.stdout.writelines(f"{times:7} {outcome}\n" for outcome, times in sorted(self.outcomes.items()))
        sys.stdout.writelines(
            f"{times:7} UNKNOWN: {reason}\n" for reason, times in self.reasons.most_common(12)
        )
        seconds = time.monotonic() - started
        sys.stdout.write(f"{count} programs judged, {len(self.differing)} differ, {seconds:.0f} s\n")

    def note(self, program: Program, observed: Observed, opinion: Opinion, judge: Judge) -> None:
        """Say what differs, and keep the program."""
        self.outcomes[f"{standing(program, opinion)}: {opinion.answer}"] += 1
        if opinion.reason:
            self.reasons[opinion.reason.splitlines()[0][:100]] += 1
        if not opinion.differences:
            return
        self.differing.append(program)
        lines = []
        for found in opinion.differences:
            where = f" [{found.engine}]" if found.engine else ""
            text = " ".join(found.text.split())
            lines.append(f"seed {program.seed}: {found.kind}{where} ({'+'.join(program.corners)}): {text}")
        sys.stdout.writelines(f"{line}\n" for line in lines)
        if self.keep is not None:
            self.keep.mkdir(parents=True, exist_ok=True)
            if self.minimise:
                program = minimised(program, opinion, judge)
                observed = observe([program], self.folder)[0]
            text = "\n".join([*(f"// {line}" for line in lines), source(program, observed)])
            (self.keep / f"seed_{program.seed}.c").write_text(text)


def observations(programs: list[Program], folder: Path) -> list[tuple[Program, Observed]]:
    """The programs with what their runs show."""
    seen: list[tuple[Program, Observed]] = []
    for is_threaded in (False, True):
        chosen = [program for program in programs if program.is_threaded == is_threaded]
        seen += zip(chosen, observe(chosen, folder), strict=True)
    return seen


def standing(program: Program, opinion: Opinion) -> str:
    """For statistics."""
    kind = "threaded" if program.is_threaded else "sequential"
    truth = "right" if program.is_clean else "open" if program.is_open else "wrong"
    return f"{kind}, {truth}{', seen in a run' if opinion.is_seen else ''}"
