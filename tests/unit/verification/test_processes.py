"""Engines in processes: nobody starves, limits hold, nothing is left behind, whatever happens to a child."""

import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from sley.base.budget import Budget
from sley.base.processes import RemoteTraceback, descendants
from sley.evidence.proof import Checked, Proof
from sley.evidence.runs import Follower
from sley.evidence.verdict import Bounded, Claimed, Statistics, Unknown, Verdict
from sley.verification.engine import AnyEngine, Engine
from sley.verification.observer import Doing, Phase, SilentObserver
from sley.verification.result import Answer, Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify

SAFE_PROGRAM = "int main(void) { return 0; }\n"

Work = Callable[[Budget], Verdict[Proof]]


class FakeProof:
    summary = "nothing can happen"


def engine(work: Work, check: Callable[[Budget], None] = lambda _: None) -> AnyEngine:
    def search(*arguments: object) -> tuple[Verdict[Proof], Statistics]:
        budget = arguments[-1]
        assert isinstance(budget, Budget)
        return work(budget), {}

    def checked(*arguments: object) -> Checked:
        budget = arguments[-1]
        assert isinstance(budget, Budget)
        check(budget)
        return Checked("it was looked at")

    return Engine(search, checked, lambda *_: Follower())


def proves(_: Budget) -> Verdict[Proof]:
    return Claimed(FakeProof())


def spins(_: Budget) -> Verdict[Proof]:
    """Never looks at its budget, as a solver does not."""
    while True:
        pass


def searches(budget: Budget) -> Verdict[Proof]:
    """Looks at its budget."""
    while True:
        budget.spend()


def computes(seconds: float) -> Work:
    def work(_: Budget) -> Verdict[Proof]:
        while time.process_time() < seconds:
            pass
        return Claimed(FakeProof())

    return work


def is_killed(_: Budget) -> Verdict[Proof]:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


@pytest.fixture
def program(tmp_path: Path) -> Path:
    path = tmp_path / "a.c"
    path.write_text(SAFE_PROGRAM)
    return path


def verified(path: Path, engines: Mapping[str, Work | AnyEngine], **options: object) -> Result:
    limits = Limits(seconds=options.pop("seconds", 120.0), megabytes=options.pop("megabytes", None))  # type: ignore[arg-type]
    task = Task(paths=(path,), engines=tuple(engines), limits=limits, jobs=options.pop("jobs", 2))  # type: ignore[arg-type]
    made = {name: one if isinstance(one, Engine) else engine(one) for name, one in engines.items()}
    result = verify(task, engines=made)
    assert descendants(os.getpid()) == [os.getpid()], "a process is left behind"
    return result


@pytest.mark.parametrize("jobs", [1, 2])
def test_nobody_starves(program: Path, jobs: int) -> None:
    result = verified(program, {"explore": spins, "impact": spins, "bmc": computes(0.5)}, jobs=jobs)
    assert (result.answer, result.engine) == (Answer.SAFE, "bmc")


def test_who_is_suspended_goes_on_where_it_was(program: Path) -> None:
    """Alone it takes 0.6 s of computing; were it to start again in each turn, it would never end."""
    result = verified(program, {"explore": computes(0.6), "bmc": spins}, jobs=1)
    assert (result.answer, result.engine) == (Answer.SAFE, "explore")


@pytest.mark.parametrize("work", [spins, searches, lambda _: time.sleep(60)])
def test_time_limits_hold(program: Path, work: Work) -> None:
    started = time.monotonic()
    result = verified(program, {"explore": work, "bmc": spins}, seconds=0.6)
    assert time.monotonic() - started < 60
    assert result.reason == "time limit of 0.6 s reached"


def test_memory_limits_hold_for_the_sum(program: Path) -> None:
    def grows(_: Budget) -> Verdict[Proof]:
        hoard = []
        while True:
            hoard.append(bytearray(1 << 20))
            time.sleep(0.01)

    result = verified(program, {"explore": grows, "bmc": grows}, megabytes=250)
    assert result.reason == "memory limit of 250 MB reached"


def test_what_was_known_before_the_end_counts(program: Path) -> None:
    def deepens(budget: Budget) -> Verdict[Proof]:
        budget.known(Bounded("7 rounds"))
        return is_killed(budget)

    def sees(budget: Budget) -> Verdict[Proof]:
        budget.known(Unknown("at work", ("no violation in 9 states",)))
        return is_killed(budget)

    assert verified(program, {"explore": sees, "bmc": deepens}).reason == "bounded: 7 rounds"
    outcome = verified(program, {"explore": sees}).outcome
    assert outcome == Unknown("its process was ended by SIGKILL", ("no violation in 9 states",))


def test_an_engine_that_is_killed_leaves_the_answer_to_others(program: Path) -> None:
    assert verified(program, {"explore": is_killed, "bmc": computes(0.3)}).engine == "bmc"
    result = verified(program, {"explore": is_killed})
    assert (result.answer, result.reason) == (Answer.UNKNOWN, "its process was ended by SIGKILL")


def test_a_worker_that_is_killed_is_no_answer(program: Path) -> None:
    def kills_the_worker(_: Budget) -> Verdict[Proof]:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
        raise AssertionError

    result = verified(program, {"explore": kills_the_worker})
    assert (result.answer, result.reason) == (
        Answer.UNKNOWN,
        "the process that verifies was ended by SIGKILL",
    )
    assert result.times.loading > 0


def test_an_exception_arrives_with_its_traceback(program: Path) -> None:
    def divides(_: Budget) -> Verdict[Proof]:
        raise ZeroDivisionError("here")

    with pytest.raises(ZeroDivisionError, match="here") as caught:
        verified(program, {"explore": divides})
    cause = caught.value.__cause__
    assert isinstance(cause, RemoteTraceback)
    assert "in divides" in str(cause)


def test_a_claim_is_checked_before_anybody_searches_on(program: Path) -> None:
    """With one job and three that search, a check of half a second ends long before they had their turns."""

    def looks_closely(_: Budget) -> None:
        while time.process_time() < 0.5:
            pass

    slow = engine(proves, looks_closely)
    started = time.monotonic()
    others = {"impact": spins, "bmc": spins, "modular": spins}
    result = verified(program, {"explore": slow, **others}, jobs=1)
    assert (result.answer, result.engine) == (Answer.SAFE, "explore")
    assert time.monotonic() - started < 60


def are_suspended(pids: list[int]) -> bool:
    stats = (Path(f"/proc/{pid}/stat").read_text() for pid in pids)
    return all(stat.rpartition(")")[2].split()[0] == "T" for stat in stats)


@pytest.mark.parametrize("is_on_all_cores", [True, False])
def test_nobody_works_beside_a_check_on_all_cores(program: Path, is_on_all_cores: bool) -> None:
    def looks_around(_: Budget) -> None:
        deadline = time.monotonic() + 2
        parent, own = os.getppid(), os.getpid()
        while True:
            others = [pid for pid in descendants(parent) if pid not in (parent, own)]
            if others and are_suspended(others):
                assert is_on_all_cores
                return
            if time.monotonic() > deadline:
                assert not is_on_all_cores
                return

    slow = replace(engine(computes(0.4), looks_around), checks_on_all_cores=is_on_all_cores)
    result = verified(program, {"explore": slow, "impact": spins})
    assert (result.answer, result.engine) == (Answer.SAFE, "explore")


def test_phases_are_heard(program: Path) -> None:
    heard: list[Phase] = []

    class Listener(SilentObserver):
        def entered(self, phase: Phase) -> None:
            heard.append(phase)

    task = Task(paths=(program,), engines=("explore",), jobs=1)
    verify(task, Listener(), engines={"explore": engine(proves)})
    assert heard == list(Phase)


@pytest.mark.parametrize("is_watched", [False, True])
def test_how_far_engines_are_is_heard_by_those_who_want_to(is_watched: bool, program: Path) -> None:
    heard: list[Doing] = []

    class Listener(SilentObserver):
        def doing(self, one: Doing) -> None:
            heard.append(one)

    def work(budget: Budget) -> Verdict[Proof]:
        budget = budget.share(1.0, None)
        budget.shows(lambda: "one state")
        budget.check()
        return Claimed(FakeProof())

    budget = Budget(10.0)
    budget.is_watched = is_watched
    task = Task(paths=(program,), engines=("explore",), jobs=1)
    verify(task, Listener(), budget, engines={"explore": engine(work)})
    expected = [Doing("explore", "one state")] if is_watched else []
    assert heard == [*expected, Doing("explore", "")]


def test_from_a_thread_a_fresh_process_works(program: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    results: list[Result] = []
    thread = Thread(target=lambda: results.append(verify(Task(paths=(program,), jobs=2))))
    thread.start()
    thread.join()
    assert [result.answer for result in results] == [Answer.SAFE]
