"""The team on a cluster, with a cluster that is none: who answers first, and what becomes of parts."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from sley.base.budget import Budget
from sley.evidence.verdict import Safe, Unknown, Unsafe
from sley.program.properties import Property
from sley.verification.answers import Answered
from sley.verification.attempt import Attempt
from sley.verification.cluster import Cluster, LostError
from sley.verification.engines import ENGINES
from sley.verification.executors.nodes import Nodes
from sley.verification.executors.poll import Poll
from sley.verification.observer import SilentObserver
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.task import Task
from tests.limits import AMPLE
from tests.unit.engines.test_parts import SUM

REACH = frozenset({Property.REACH})


class LosingCluster(Cluster):
    """Works in this process, and loses what it is told to lose."""

    def __init__(self, loses: Callable[[Attempt], bool]) -> None:
        self.cores = 4
        self.loses = loses
        self.cancelled = 0

    def share(self, cores: float, function: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        attempt, future = args[0], Future[Any]()
        if self.loses(attempt):
            future.set_exception(LostError("a node is gone"))
        else:
            future.set_result(attempt.answered(Budget(AMPLE), SilentObserver()))
        return future

    def cancel(self, future: Future[Any]) -> None:
        self.cancelled += 1


def work(tmp_path: Path, engine: str, limit: int, loses: Callable[[Attempt], bool]) -> Answered:
    path = tmp_path / "sum.c"
    path.write_text(SUM)
    task = Task(paths=(path,), defines=(f"LIMIT={limit}",), selection=Selection(REACH))
    attempt = Attempt(engine, ENGINES, program_of(task), REACH, task)
    return Poll([attempt]).taken(Nodes(lambda: LosingCluster(loses), 4), Budget(AMPLE), SilentObserver())


def is_whole(attempt: Attempt) -> bool:
    return attempt.part is None and not attempt.claims


@pytest.mark.parametrize("engine", ["explore", "bmc"])
@pytest.mark.parametrize(("limit", "expected"), [(9, Safe), (8, Unsafe)])
def test_parts_are_enough(tmp_path: Path, engine: str, limit: int, expected: type) -> None:
    assert isinstance(work(tmp_path, engine, limit, is_whole).outcome, expected)


def test_a_lost_part_proves_nothing(tmp_path: Path) -> None:
    def loses(attempt: Attempt) -> bool:
        return is_whole(attempt) or (attempt.part is not None and attempt.part.number == 1)

    outcome = work(tmp_path, "explore", 9, loses).outcome
    assert isinstance(outcome, Unknown)
    assert outcome.reason == "its worker was lost: a node is gone"
