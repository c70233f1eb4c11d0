"""``sley bench``: verifiers side by side on sets of tasks."""

import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from sley.base.errors import InputError
from sley.base.outside import why
from sley.base.shown import visible
from sley.base.source import Span
from sley.benchmarking import summary
from sley.benchmarking.campaign import Campaign, Progress
from sley.benchmarking.places import Here, Nodes, Place
from sley.benchmarking.processes import Limits, Runner, require_linux
from sley.benchmarking.records import Records
from sley.benchmarking.runs import Category, Outcome
from sley.benchmarking.tasks import Tasks, read_tasks
from sley.benchmarking.verifiers import Verifier, configuration, configured, known_verifiers
from sley.cli.arguments import cluster
from sley.cli.exit_codes import ExitCode
from sley.cli.files import write_file
from sley.verification.cluster import Cluster

EVERY = 20.0
"""Seconds between two lines about the progress, where lines cannot be overwritten."""
DEFAULT_CONFIGURATION = "default"


def bench(  # noqa: PLR0913 - one for each flag
    *,
    tasks: Sequence[Path],
    properties: Sequence[str],
    configurations: Sequence[str],
    others: Sequence[str],
    descriptions: Sequence[Path],
    time_limit: float,
    cpu_limit: float | None,
    memory_limit: int,
    jobs: int | None,
    executor: str,
    ray_address: str | None,
    sample: int | None,
    seed: int,
    output: Path,
) -> int:
    """Run, report; 1 if an answer is wrong."""
    require_linux()
    address = cluster({"executor": executor, "ray_address": ray_address})
    limits = Limits(time_limit, cpu_limit, memory_limit)
    found = read_tasks(tasks, properties)
    drawn = found.drawn(sample, seed)
    if not drawn.tasks:
        raise InputError("no task asks for a property that can be checked here")
    verifiers = _verifiers(configurations, others, descriptions)
    draw = {"tasks": len(found.tasks), "drawn": len(drawn.tasks), "seed": seed if sample else None}
    with _writing(output), Records(output) as records, _place(address, verifiers, jobs) as (place, at_once):
        campaign = Campaign(drawn.tasks, verifiers, limits, output, at_once)
        if sample:
            records.settle("draw", draw)
        campaign.settle(records, Runner())
        print(_headline(found, len(drawn.tasks), sample and seed, limits, at_once))
        try:
            with _terminable():
                campaign.run(records, place, _Line())
        except KeyboardInterrupt:
            _report(campaign, records, draw)
            print("interrupted: the same command goes on from here")
            return ExitCode.UNKNOWN
        return _report(campaign, records, draw)


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """A full disk or a folder of somebody else's is no bug of ours."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        place = Span(str(error.filename or folder), 1, 1)
        raise InputError(f"cannot write results: {why(error)}", place) from None


def _verifiers(
    configurations: Sequence[str], others: Sequence[str], descriptions: Sequence[Path]
) -> list[Verifier]:
    known = known_verifiers(descriptions)
    if not configurations and not others:
        configurations = [DEFAULT_CONFIGURATION]
    chosen = [configuration(text, known) for text in configurations]
    chosen += [configured(text, known) for text in others]
    names = [one.name for one in chosen]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise InputError(f"two verifiers are called `{twice[0]}`: give one of them another name")
    return chosen


@contextmanager
def _place(
    address: str | None, verifiers: Sequence[Verifier], jobs: int | None
) -> Iterator[tuple[Place, int]]:
    """Where runs are done, and how many at a time."""
    if address is None:
        yield Here(Runner()), jobs or 1
        return
    with Cluster(address) as nodes:
        yield Nodes(nodes, verifiers), jobs or nodes.cores


@contextmanager
def _terminable() -> Iterator[None]:
    """A polite request to end is an interruption."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


# --- what is printed -------------------------------------------------------------------------------


def _headline(found: Tasks, count: int, seed: int | None, limits: Limits, jobs: int) -> str:
    parts = [f"{count} tasks" if seed is None else f"{count} of {len(found.tasks)} tasks (seed {seed})"]
    if found.skipped:
        parts.append(f"{found.skipped} left out that ask for other properties")
    parts.append(f"at most {limits.seconds:g} s and {limits.megabytes or 0:.0f} MB each")
    return ", ".join([*parts, f"{jobs} at a time"])


class _Line:
    """Says how far it is: on a terminal in one line, else from time to time."""

    def __init__(self) -> None:
        self._shown = time.monotonic()
        self._wrong = 0

    def __call__(self, outcome: Outcome, progress: Progress) -> None:
        self._wrong += outcome.category is Category.WRONG
        left = _duration(progress.seconds_left())
        text = f"{progress.done} of {progress.total} runs, {self._wrong} wrong, about {left} left"
        if sys.stderr.isatty():
            end = "\n" if progress.done == progress.total else ""
            print(f"\r\x1b[K{text}", end=end, file=sys.stderr, flush=True)
        elif time.monotonic() - self._shown > EVERY:
            self._shown = time.monotonic()
            print(text, file=sys.stderr, flush=True)


def _duration(seconds: float) -> str:
    """In a unit that fits."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _report(campaign: Campaign, records: Records, draw: dict[str, int | None]) -> int:
    """Print tables, write files; the exit code."""
    outcomes = campaign.outcomes(records)
    if not outcomes:
        return ExitCode.UNKNOWN
    print(*map(visible, ["", *summary.table(outcomes), "", *summary.exceptions(outcomes)]), sep="\n")
    folder = campaign.folder
    files = {
        "results.csv": summary.as_csv(outcomes),
        "results.json": summary.as_json(outcomes, {**records.settings, "draw": draw}),
        "quantiles.svg": summary.quantiles(outcomes),
        **{f"scatter-{_plain(a)}-{_plain(b)}.svg": s for (a, b), s in summary.scatters(outcomes).items()},
    }
    for name, text in files.items():
        write_file(folder / name, text)
    print(f"\nwritten to {visible(str(folder))}/: {', '.join(files)}, logs/")
    return ExitCode.BUG if any(one.category is Category.WRONG for one in outcomes) else ExitCode.SAFE


def _plain(name: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in name)
