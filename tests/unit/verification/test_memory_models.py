"""``--memory-model``: who may prove what, and what the report says of it."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.evidence.runs import Follower
from sley.evidence.verdict import Bounded, Claimed, Unknown, Unsafe
from sley.program.memory_model import MemoryModel
from sley.program.properties import PROPERTY_GROUPS
from sley.reports import json_report
from sley.reports.text import report
from sley.verification import attempt
from sley.verification.attempt import SC_ONLY
from sley.verification.engine import AnyEngine, Engine
from sley.verification.engines import ENGINES
from sley.verification.memory_models import ASSUMED, FOLLOWS, INTERLEAVED, RACE_FREE
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Limits, Task, everything
from sley.verification.verify import verify
from tests.unit.verification.test_verify import CHECKED, FakeProof

ORDERS = Path(__file__).parents[2] / "programs" / "orders"
WEAK, STRONG = ORDERS / "message_release_acquire.c", ORDERS / "message_seq_cst.c"
TASK = Task(paths=(WEAK,), limits=Limits(seconds=20), jobs=0, engines=("explore",))


@pytest.fixture(autouse=True)
def nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "FOR_WEAK", {})


def plain(result: Result) -> str:
    lines = report(result)
    return " ".join("".join(segment.text for segment in line) for line in lines)


def told(result: Result) -> str:
    return " ".join(plain(result).split())


@pytest.mark.parametrize("engine", ["explore", "bmc", "impact", "modular"])
def test_no_engine_that_only_interleaves_proves_a_program_with_weak_orders(engine: str) -> None:
    result = verify(replace(TASK, engines=(engine,)))
    assert result.answer is Answer.UNKNOWN
    assert result.reason is not None
    assert SC_ONLY in result.reason
    assert "message_release_acquire.c:12" in result.reason
    assert [access.order.value for access in result.weak] == ["acquire", "release"]


def test_sequential_consistency_is_assumed_on_demand() -> None:
    result = verify(replace(TASK, memory_model=MemoryModel.SC))
    assert result.answer is Answer.SAFE
    assert result.assumptions[0] == ASSUMED
    assert (result.follows, result.weak) == ((), ())


def test_sequential_consistency_follows_without_races_and_weak_orders() -> None:
    result = verify(replace(TASK, paths=(STRONG,)))
    assert result.answer is Answer.SAFE
    assert ASSUMED not in result.assumptions
    assert INTERLEAVED not in result.assumptions
    assert FOLLOWS in told(result)
    content = json_report.report(result)
    assert (content["follows"], content["weak_orders"]) == ([FOLLOWS], [])
    assert content["task"]["memory_model"] == "c11"


def test_where_races_are_not_asked_for_plain_accesses_interleave() -> None:
    task = replace(TASK, paths=(STRONG,), selection=Selection(PROPERTY_GROUPS["reach"]))
    result = verify(task)
    assert result.answer is Answer.SAFE
    assert result.assumptions[0] == INTERLEAVED
    assert result.follows == ()


def test_nothing_is_assumed_about_one_thread(tmp_path: Path) -> None:
    (tmp_path / "alone.c").write_text("int x; int main(void) { x = 1; return x - 1; }")
    result = verify(
        replace(TASK, paths=(tmp_path / "alone.c",), selection=Selection(PROPERTY_GROUPS["reach"]))
    )
    assert result.answer is Answer.SAFE
    assert not {ASSUMED, INTERLEAVED} & set(result.assumptions)


def says(verdict: Claimed[FakeProof] | Bounded | Unknown, *, is_told: bool = False) -> AnyEngine:
    def search(*arguments: object) -> tuple[Claimed[FakeProof] | Bounded | Unknown, dict[str, int]]:
        budget = arguments[-1]
        assert isinstance(budget, Budget)
        if is_told:
            budget.known(verdict)
            while True:
                budget.check()
        return verdict, {}

    return Engine(search, lambda *_: CHECKED, lambda *_: Follower())


@pytest.mark.parametrize("jobs", [0, 1])
@pytest.mark.parametrize(
    "verdict", [Claimed(FakeProof()), Bounded("two rounds"), Unknown("tired", ("safe",))]
)
def test_no_claim_of_it_gets_through(verdict: Claimed[FakeProof] | Bounded | Unknown, jobs: int) -> None:
    result = verify(replace(TASK, jobs=jobs), engines={"explore": says(verdict)})
    assert result.answer is Answer.UNKNOWN
    assert isinstance(result.outcome, Unknown)
    assert "safe" not in result.outcome.certain


def test_nor_what_is_known_when_time_is_up() -> None:
    task = replace(TASK, jobs=1, limits=Limits(seconds=0.7), selection=Selection(PROPERTY_GROUPS["race"]))
    result = verify(task, engines={"explore": says(Bounded("two rounds"), is_told=True)})
    assert result.answer is Answer.UNKNOWN
    assert "message_release_acquire.c:12" in told(result)


def test_one_claim_ends_the_search_of_interleavings() -> None:
    engines = {"explore": says(Claimed(FakeProof())), "bmc": says(Bounded(""), is_told=True)}
    task = replace(TASK, engines=("explore", "bmc"))
    for jobs in (0, 2):
        result = verify(replace(task, jobs=jobs), engines=engines)
        assert isinstance(result.outcome, Unknown)
        assert SC_ONLY in result.outcome.reason


def test_violations_of_interleavings_are_violations() -> None:
    racy = ORDERS.parent / "found" / "order_argument.c"
    result = verify(replace(TASK, paths=(racy,), engines=("explore",)))
    assert isinstance(result.outcome, Unsafe)


def test_an_engine_that_knows_the_orders_is_asked_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempt, "FOR_WEAK", {"explore": says(Claimed(FakeProof()))})
    result = verify(TASK)
    assert result.answer is Answer.SAFE
    assert "RC11: memory_order_acquire (message_release_acquire.c:21)" in told(result)
    assert verify(replace(TASK, paths=(STRONG,)), engines=ENGINES).answer is Answer.SAFE


def test_on_machines_interleaving_proves_nothing_and_races_are_none() -> None:
    task = replace(TASK, paths=(WEAK,), memory_model=MemoryModel.POWER)
    with pytest.raises(InputError, match="no data races under POWER"):
        verify(task)
    result = verify(replace(task, selection=everything(MemoryModel.POWER)))
    assert result.reason is not None
    assert f"{SC_ONLY} POWER" in result.reason
    assert "the memory of IBM Power" in result.assumptions[0]


def test_without_races_machines_are_sequentially_consistent() -> None:
    locked = ORDERS.parents[2] / "examples" / "locked_update.c"
    task = replace(TASK, paths=(locked,), memory_model=MemoryModel.POWER, engines=("impact",))
    result = verify(replace(task, selection=everything(MemoryModel.POWER)))
    assert result.answer is Answer.SAFE
    assert result.follows == (RACE_FREE,)
