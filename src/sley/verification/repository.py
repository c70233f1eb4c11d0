"""Reads the files of a repository, each in a process of its own.

What one of them does to the parser, or how long it takes, costs that file and no other.
"""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path

from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.base.processes import Child, Ending, Failed, Finished, Lost, Send, forked, usable_cores
from sley.frontend.clang_library import library
from sley.frontend.compilation_database import SourceFile, source_files
from sley.frontend.components.facts import FileFacts
from sley.frontend.components.look import facts_of
from sley.frontend.components.sources import by_promise
from sley.frontend.deep_stack import run_deep
from sley.frontend.parse import ParseOptions, SourceParser
from sley.verification.task import Task
from sley.verification.thresholds import FOR_A_FILE, FOR_READING, POLL


@dataclass(frozen=True, slots=True)
class NotRead:
    """A file that no component can be found in, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class ReadFiles:
    """What is known of a repository."""

    files: tuple[FileFacts, ...]
    not_read: tuple[NotRead, ...]


def options_of(task: Task) -> ParseOptions:
    """How the files of a task are read."""
    return ParseOptions(task.data_model, task.include_dirs, task.defines)


def read_files(task: Task, budget: Budget) -> ReadFiles:
    """All files, as far as the time for it goes."""
    sources = by_promise(source_files(task.paths, task.data_model))
    library()  # loaded once, for all children
    options = options_of(task)
    files: list[FileFacts] = []
    not_read: list[NotRead] = []
    endings = in_processes(
        sources, partial(_facts, options=options), budget.share(FOR_READING, None, time.monotonic)
    )
    for source, ending in endings:
        match ending:
            case Finished(value=FileFacts() as facts):
                files.append(facts)
            case Failed(error=error):
                reason = error.message if isinstance(error, InputError) else str(error)
                not_read.append(NotRead(source.path, reason))
            case Lost(how=how):
                not_read.append(NotRead(source.path, f"the process that read it was {how}"))
            case _:
                not_read.append(NotRead(source.path, "there was no time to read it"))
    order = {source.path: number for number, source in enumerate(sources)}
    return ReadFiles(tuple(sorted(files, key=lambda one: order[one.source.path])), tuple(not_read))


def _facts(source: SourceFile, options: ParseOptions) -> FileFacts:
    return run_deep(lambda: facts_of(SourceParser(options).parse(source.path, source.flags), source))


def in_processes(
    sources: Sequence[SourceFile], work: Callable[[SourceFile], object], budget: Budget
) -> Iterator[tuple[SourceFile, Ending | None]]:
    """How the work on each file ends, in any order; None where there was no time."""
    waiting = deque(sources)
    running: dict[Child, tuple[SourceFile, float]] = {}
    try:
        while (waiting or running) and budget.exceeded() is None:
            while waiting and len(running) < usable_cores():
                source = waiting.popleft()
                running[forked(_on(work, source), budget)] = source, time.monotonic() + FOR_A_FILE
            wait([child.connection for child in running], POLL)
            for child in list(running):
                source, until = running[child]
                list(child.messages())
                if child.ending is None and time.monotonic() > until:
                    child.end()
                if child.ending is not None:
                    del running[child]
                    yield source, child.ending
        yield from ((source, None) for source in (*waiting, *(one for one, _ in running.values())))
    finally:
        for child in running:
            child.end()


def _on(work: Callable[[SourceFile], object], source: SourceFile) -> Callable[[Send, Budget], object]:
    return lambda _send, _budget: work(source)
