"""Several runs at a time: each has cores of its own; how long the rest takes is told."""

import os
from pathlib import Path

import pytest

from sley.benchmarking.campaign import Campaign, Progress, shares
from sley.benchmarking.places import Here
from sley.benchmarking.processes import Limits, Runner
from sley.benchmarking.records import Records
from sley.benchmarking.runs import Category, Outcome
from sley.benchmarking.tasks import BenchTask
from sley.benchmarking.verifiers import Verifier
from sley.program.properties import ALL_PROPERTIES


def task(name: str) -> BenchTask:
    return BenchTask(name, (Path(name),), "all", ALL_PROPERTIES)


def outcome(verifier: str, seconds: float) -> Outcome:
    return Outcome(verifier, "t", "all", None, "true", Category.UNJUDGED, None, 0.0, seconds, 0.0)


@pytest.mark.parametrize(
    ("cores", "jobs", "expected"),
    [
        ([0, 1, 2, 3], 1, [[0, 1, 2, 3]]),
        ([0, 1, 2, 3], 2, [[0, 2], [1, 3]]),
        ([4, 7], 3, [[4, 7], [4, 7], [4, 7]]),
    ],
)
def test_cores_are_shared_out(cores: list[int], jobs: int, expected: list[list[int]]) -> None:
    assert shares(cores, jobs) == expected


def test_the_time_that_is_left() -> None:
    fast, slow = (Verifier(name, "true", ()) for name in ("fast", "slow"))
    progress = Progress(total=4, jobs=2, limit=10.0)
    progress.plan([(one, task(name)) for one in (fast, slow) for name in ("a", "b")])
    assert progress.seconds_left() == pytest.approx(20.0)
    progress.ended(outcome("fast", 1.0))
    assert progress.seconds_left() == pytest.approx((1 + 10 + 10) / 2)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) != 2, reason="counts on two cores")
def test_processes_keep_to_their_cores(tmp_path: Path) -> None:
    verifier = Verifier("nproc", "nproc {flags}", (("true", "^1$"), ("unknown", ".")))
    campaign = Campaign([task("a"), task("b")], [verifier], Limits(seconds=20), tmp_path, jobs=2)
    with Records(tmp_path) as records:
        campaign.run(records, Here(Runner()), lambda outcome, progress: None)
        assert {outcome.answer for outcome in campaign.outcomes(records)} == {"true"}
