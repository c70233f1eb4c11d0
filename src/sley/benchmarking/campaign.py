"""All verifiers on all tasks: several runs at a time, what is finished is never run again."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path

from sley.benchmarking.places import Place
from sley.benchmarking.processes import Limits, Runner
from sley.benchmarking.records import Records
from sley.benchmarking.runs import INTERRUPTED, Outcome
from sley.benchmarking.tasks import BenchTask
from sley.benchmarking.verifiers import Verifier, version_of

Observer = Callable[[Outcome, "Progress"], None]
"""Hears of every run that has ended."""
_Pair = tuple[Verifier, BenchTask]
_Running = set[Future[Outcome]]


@dataclass
class Progress:
    """How far a campaign is."""

    total: int
    done: int = 0
    jobs: int = 1
    limit: float = 0.0
    """Seconds that a run can take."""
    _seconds: dict[str, list[float]] = field(default_factory=dict)
    _waiting: dict[str, int] = field(default_factory=dict)

    def plan(self, pairs: Sequence[_Pair]) -> None:
        """These are still to be run."""
        for verifier, _ in pairs:
            self._waiting[verifier.name] = self._waiting.get(verifier.name, 0) + 1

    def ended(self, outcome: Outcome) -> None:
        """One more."""
        self.done += 1
        self._waiting[outcome.verifier] -= 1
        self._seconds.setdefault(outcome.verifier, []).append(outcome.wall_seconds)

    def seconds_left(self) -> float:
        """If the rest takes as long as what has ended; who has not ended any may take all the time."""
        mean = {name: sum(found) / len(found) for name, found in self._seconds.items()}
        return sum(n * mean.get(name, self.limit) for name, n in self._waiting.items()) / self.jobs


@dataclass(frozen=True)
class Campaign:
    """Who is run on what, within which limits."""

    tasks: Sequence[BenchTask]
    verifiers: Sequence[Verifier]
    limits: Limits
    folder: Path
    jobs: int = 1

    def pairs(self) -> Iterator[_Pair]:
        """All runs: one task after the other, so that verifiers are compared under the same conditions."""
        return ((verifier, task) for task in self.tasks for verifier in self.verifiers)

    def settle(self, records: Records, runner: Runner) -> None:
        """Write down how verifiers are called; refuse to mix results that do not compare."""
        for one in self.verifiers:
            one.executable()
            called = {"command": one.command, "flags": one.flags, "version": version_of(one, runner)}
            records.settle(f"verifier {one.name}", {**called, **asdict(self.limits)})

    def run(self, records: Records, place: Place, observer: Observer) -> None:
        """Run what is not on record yet. An exception, such as an interruption, ends all runs first."""
        missing = [(v, t) for v, t in self.pairs() if (v.name, t.key()) not in records.outcomes]
        total = len(self.tasks) * len(self.verifiers)
        progress = Progress(total, total - len(missing), self.jobs, self.limits.seconds or 0.0)
        progress.plan(missing)
        waiting = iter(missing)
        cores = shares(sorted(os.sched_getaffinity(0)), self.jobs)
        with ThreadPoolExecutor(self.jobs, initializer=lambda: _work_on(cores.pop())) as pool:
            try:
                running: _Running = set()
                while running := self._refilled(running, waiting, pool, place):
                    ended, running = wait(running, return_when=FIRST_COMPLETED)
                    for outcome in (future.result() for future in ended):
                        if outcome.answer != INTERRUPTED:
                            records.add(outcome)
                            progress.ended(outcome)
                            observer(outcome, progress)
            except BaseException:
                place.stop()
                raise

    def _refilled(
        self, running: _Running, waiting: Iterator[_Pair], pool: ThreadPoolExecutor, place: Place
    ) -> _Running:
        """As many runs as there may be at a time."""
        more = islice(waiting, self.jobs - len(running))
        return running | {pool.submit(self._checked, pair, place) for pair in more}

    def _checked(self, pair: _Pair, place: Place) -> Outcome:
        verifier, task = pair
        return place.checked(verifier, task, self.limits, self.log(verifier.name, task.key()))

    def log(self, verifier: str, task: str) -> Path:
        """Where the output of a run is kept."""
        return self.folder / "logs" / _file_name(verifier) / f"{_file_name(task)}.log"

    def outcomes(self, records: Records) -> list[Outcome]:
        """Of those that belong to this campaign."""
        keys = [(verifier.name, task.key()) for verifier, task in self.pairs()]
        return [records.outcomes[key] for key in keys if key in records.outcomes]


def shares(cores: Sequence[int], jobs: int) -> list[Sequence[int]]:
    """Cores of its own for each run at a time; if there are too few, all may use all."""
    return [cores[job::jobs] if jobs <= len(cores) else cores for job in range(jobs)]


def _work_on(cores: Sequence[int]) -> None:
    """This thread, and the processes that it starts, use these cores alone."""
    os.sched_setaffinity(0, cores)


def _file_name(text: str) -> str:
    """Legal everywhere, and not too long; the end of a path says most."""
    return re.sub(r"[^\w.+-]+", "_", text)[-150:].strip("_")
