"""Where runs are done: on this machine, or on the nodes of a Ray cluster, which get the files."""

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Protocol

from sley.base.errors import InputError
from sley.benchmarking.processes import Limits, Runner
from sley.benchmarking.runs import INTERRUPTED, Outcome, checked, unanswered
from sley.benchmarking.tasks import BenchTask
from sley.benchmarking.verifiers import Verifier, version_of
from sley.verification.cluster import Cluster, LostError

Contents = Mapping[Path, bytes]
"""Files, by their absolute paths."""


class Place(Protocol):
    """Where runs are done; several threads may ask for one each."""

    def checked(self, verifier: Verifier, task: BenchTask, limits: Limits, log: Path) -> Outcome:
        """Run a verifier on a task; its output is kept in ``log``."""
        ...

    def stop(self) -> None:
        """End all runs, now and later."""
        ...


class Here:
    """On this machine."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner

    def checked(self, verifier: Verifier, task: BenchTask, limits: Limits, log: Path) -> Outcome:
        """Run a verifier on a task; its output is kept in ``log``."""
        return checked(verifier, task, limits, self._runner, log)

    def stop(self) -> None:
        """End all runs, now and later."""
        self._runner.stop()


class Nodes:
    """On the nodes of a cluster, with the same versions of the verifiers as here."""

    def __init__(self, cluster: Cluster, verifiers: Sequence[Verifier]) -> None:
        self._cluster = cluster
        self._versions = {one.name: version_of(one, Runner()) for one in verifiers}
        self._running: set[Future[tuple[Outcome, bytes]]] = set()
        self._stopped = Event()

    def checked(self, verifier: Verifier, task: BenchTask, limits: Limits, log: Path) -> Outcome:
        """Run a verifier on a task; its output is kept in ``log``. Lost runs are done again, by Ray."""
        if self._stopped.is_set():
            return unanswered(verifier, task, INTERRUPTED, None)
        version, task = self._versions[verifier.name], _absolute(task)
        future = self._cluster.submit(checked_on_node, verifier, version, task, _contents(task), limits)
        self._running.add(future)
        try:
            outcome, output = future.result()
        except LostError as reason:
            answer = INTERRUPTED if self._stopped.is_set() else "error"
            return unanswered(verifier, task, answer, f"its worker was lost: {reason}")
        finally:
            self._running.discard(future)
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_bytes(output)
        return outcome

    def stop(self) -> None:
        """End all runs, now and later."""
        self._stopped.set()
        for future in tuple(self._running):
            self._cluster.cancel(future)


def _absolute(task: BenchTask) -> BenchTask:
    return _with_paths(task, Path.absolute)


def _with_paths(task: BenchTask, change: Callable[[Path], Path]) -> BenchTask:
    """The task with other paths to its files."""
    property_ = task.property
    if property_.endswith(".prp"):
        property_ = str(change(Path(property_)))
    return replace(task, files=tuple(map(change, task.files)), property=property_)


def _contents(task: BenchTask) -> Contents:
    """The files of a task, the headers beside them, and the property."""
    headers = {header for path in task.files for header in path.parent.glob("*.h")}
    paths = {*task.files, *headers, *([Path(task.property)] if task.property.endswith(".prp") else [])}
    return {path: path.read_bytes() for path in paths}


def checked_on_node(
    verifier: Verifier, version: str, task: BenchTask, contents: Contents, limits: Limits
) -> tuple[Outcome, bytes]:
    """What a node does: one run in a folder of its own; what came out, and the output."""
    runner = Runner()
    if (found := version_of(verifier, runner)) != version:
        raise InputError(f"a node of the cluster has another {verifier.name}: {found}, not {version}")
    with tempfile.TemporaryDirectory() as name:
        below = partial(_below, Path(name))
        for path, content in contents.items():
            below(path).parent.mkdir(parents=True, exist_ok=True)
            below(path).write_bytes(content)
        log = Path(name, "output")
        log.touch()
        return checked(verifier, _with_paths(task, below), limits, runner, log), log.read_bytes()


def _below(folder: Path, path: Path) -> Path:
    return folder / path.relative_to(path.anchor)
