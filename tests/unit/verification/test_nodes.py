"""Engines on a cluster, with a cluster that is none: what becomes of an engine whose worker is lost."""

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

REACH = frozenset({Property.REACH})
SUM = """\
#include <assert.h>
#include <pthread.h>
_Atomic int x = 1, y = 1;
void *first(void *unused) { for (int i = 0; i < 2; i++) x = x + y; return 0; }
void *second(void *unused) { for (int i = 0; i < 2; i++) y = y + x; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  assert(y < LIMIT);
}
"""
"""The largest value of y is 8: x = 2, y = 3, x = 5, y = 8."""


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


def work(tmp_path: Path, limit: int, loses: Callable[[Attempt], bool]) -> Answered:
    path = tmp_path / "sum.c"
    path.write_text(SUM)
    task = Task(paths=(path,), defines=(f"LIMIT={limit}",), selection=Selection(REACH))
    program = program_of(task)
    attempts = [Attempt(engine, ENGINES, program, REACH, task) for engine in ("explore", "bmc")]
    return Poll(attempts).taken(Nodes(lambda: LosingCluster(loses)), Budget(AMPLE), SilentObserver())


@pytest.mark.parametrize("lost", ["explore", "bmc"])
@pytest.mark.parametrize(("limit", "expected"), [(9, Safe), (8, Unsafe)])
def test_another_engine_is_enough(tmp_path: Path, lost: str, limit: int, expected: type) -> None:
    answered = work(tmp_path, limit, lambda attempt: attempt.name == lost)
    assert isinstance(answered.outcome, expected)
    assert answered.engine != lost


def test_lost_engines_prove_nothing(tmp_path: Path) -> None:
    outcome = work(tmp_path, 9, lambda _: True).outcome
    assert isinstance(outcome, Unknown)
    assert "its worker was lost: a node is gone" in {reason for _, reason in outcome.reasons}
