"""What becomes of an engine's verdict, and of everything that goes wrong."""

import time
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sley.base.errors import (
    BudgetExhaustedError,
    GaveUpError,
    InputError,
    Unsupported,
    UnsupportedFeatureError,
)
from sley.base.source import Span
from sley.evidence.proof import Checked, Proof
from sley.evidence.runs import Follower, MisfitError
from sley.evidence.trace import Trace
from sley.evidence.verdict import Bounded, Claimed, Safe, Unknown, Unsafe, Verdict
from sley.program.program import Program
from sley.program.properties import Property
from sley.verification import races, reading
from sley.verification.engine import AnyEngine, Engine
from sley.verification.observer import Phase, SilentObserver
from sley.verification.property_files import Selection
from sley.verification.result import Answer, NotSupported, Result
from sley.verification.task import Limits, Task
from sley.verification.verify import verify
from tests.textual.parser import parse_program
from tests.unit.reports import traces


class FakeProof:
    summary = "3 states"


TEXT = """
program lp64
thread main() {
  entry 0 exit 1
  error 2 : reach assertion "assertion can fail"
  0 -> 1 : end return
}
"""

CALL = Unsupported("call to `read_sensor`: no model of this function", Span("a.c", 3, 5))
TASK = Task(paths=(Path("a.c"),))


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> list[Program]:
    """The program that loading gives; tests may exchange it."""
    made = [replace(parse_program(TEXT, "a.sley"), assumptions=("sequential consistency",))]
    monkeypatch.setattr(reading, "load", lambda *_, **__: made[0])
    for module in (reading, races):
        monkeypatch.setattr(module, "prepare", lambda program, _properties, **_options: program)
        monkeypatch.setattr(module, "specialise", lambda program: program)
    return made


CHECKED = Checked("it was looked at", ("Z3",))


def accept(*_: object) -> Checked:
    """A checker that is satisfied."""
    return CHECKED


def says(verdict: Verdict[Proof], check_proof: Callable[..., Checked] = accept) -> AnyEngine:
    return Engine(lambda *_: (verdict, {"states": 3}), check_proof, lambda *_: Follower())


def raises(error: BaseException) -> Callable[..., Any]:
    def function(*_: object) -> Any:
        raise error

    return function


def fails(error: BaseException) -> AnyEngine:
    return Engine(raises(error), accept, lambda *_: Follower())


def verified(engine: AnyEngine, task: Task = TASK) -> Result:
    return verify(task, engines={"explore": engine})


def test_safe_stays_safe(program: list[Program]) -> None:
    result = verified(says(Claimed(FakeProof())))
    assert (result.answer, result.result, result.reason) == (Answer.SAFE, "true", None)
    assert result.statistics == {"states": 3}
    assert result.assumptions == ("sequential consistency",)


def test_safe_without_an_accepted_proof_does_not_exist(program: list[Program]) -> None:
    checked: list[object] = []
    proof = FakeProof()

    def check(*arguments: object) -> Checked:
        checked.append(arguments[2])
        return CHECKED

    safe = verified(says(Claimed(proof), check)).outcome
    assert isinstance(safe, Safe)
    assert (safe.proof, replace(safe.checked, runs=0, states=0)) == (proof, CHECKED)
    assert safe.checked.runs >= 10
    assert checked == [proof]
    with pytest.raises(ZeroDivisionError):
        verified(says(Claimed(proof), raises(ZeroDivisionError())))


def test_a_run_that_fails_refuses_any_proof(program: list[Program]) -> None:
    program[0] = parse_program(TEXT.replace("0 -> 1 : end return", "0 -> 2 : skip"), "a.sley")
    with pytest.raises(MisfitError, match="assertion can fail") as caught:
        verified(says(Claimed(FakeProof())))
    kept = "".join(traceback.format_exception(caught.value))
    assert "schedule, thread(choices): 0" in kept
    assert "proof: FakeProof, 3 states" in kept
    assert "0 -> 2 : skip" in kept


def test_a_proof_that_cannot_be_checked_in_time_proves_nothing(program: list[Program]) -> None:
    late = raises(BudgetExhaustedError("time limit of 3 s reached"))
    result = verified(says(Claimed(FakeProof()), late))
    assert result.answer is Answer.UNKNOWN
    assert result.reason == "the proof could not be checked: time limit of 3 s reached"
    assert result.outcome == Unknown(result.reason, ("a search found no violation: 3 states",))


def test_a_missing_model_takes_safe_away(program: list[Program]) -> None:
    program[0] = replace(program[0], unmodelled=(CALL,))
    result = verified(says(Claimed(FakeProof())))
    assert result.answer is Answer.UNKNOWN
    assert result.reason == "unmodelled: a.c:3:5: call to `read_sensor`: no model of this function"


def test_a_missing_model_does_not_take_a_bug_away(program: list[Program]) -> None:
    program[0] = replace(program[0], unmodelled=(CALL,))
    assert verified(says(Unsafe((traces.lost_update(),)))).answer is Answer.BUG


def test_a_bug_that_rests_on_a_missing_model_is_only_possible(program: list[Program]) -> None:
    result = verified(says(Unsafe((traces.possible_bug(),))))
    assert (result.answer, result.result) == (Answer.UNKNOWN, "unknown")
    assert result.traces == (traces.possible_bug(),)
    assert result.reason is not None
    assert "`read_sensor`" in result.reason


def test_the_result_names_the_first_certain_violation(program: list[Program]) -> None:
    found: tuple[Trace, ...] = (traces.possible_bug(), traces.race(), traces.deadlock(), traces.lost_update())
    result = verified(says(Unsafe(found)))
    assert result.result == "false(unreach-call)"
    assert [trace.failure.property for trace in result.traces] == [
        Property.REACH, Property.DEADLOCK, Property.RACE, Property.REACH
    ]  # fmt: skip
    assert result.traces[-1].depends_on


def test_a_property_that_we_cannot_decide_takes_safe_away(program: list[Program]) -> None:
    foreign = Unsupported("property `F end`", Span("x.prp", 1, 1))
    mixed = replace(TASK, selection=Selection(frozenset({Property.RACE}), unsupported=(foreign,)))
    result = verified(says(Claimed(FakeProof())), mixed)
    assert (result.answer, result.reason) == (
        Answer.NOT_SUPPORTED,
        "unsupported: x.prp:1:1: property `F end`",
    )
    assert verified(says(Unsafe((traces.race(),))), mixed).answer is Answer.BUG
    alone = replace(TASK, selection=Selection(unsupported=(foreign,)))
    assert verified(fails(AssertionError("not to be run")), alone).answer is Answer.NOT_SUPPORTED


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (GaveUpError("recursion deeper than 10 calls of `f`"), "recursion deeper than 10 calls of `f`"),
        (BudgetExhaustedError("time limit of 3 s reached"), "time limit of 3 s reached"),
        (MemoryError(), "out of memory"),
        (RecursionError(), "an expression or a declaration is nested too deeply"),
    ],
)
def test_giving_up_is_unknown_with_the_reason(
    program: list[Program], error: BaseException, reason: str
) -> None:
    result = verified(fails(error))
    assert (result.answer, result.reason, result.result) == (Answer.UNKNOWN, reason, "unknown")


def test_unsupported_constructs_are_all_kept(program: list[Program]) -> None:
    constructs = (CALL, Unsupported("setjmp", None))
    result = verified(fails(UnsupportedFeatureError(constructs)))
    assert result.outcome == NotSupported(constructs)


@pytest.mark.parametrize("error", [InputError("no main"), ZeroDivisionError(), AssertionError()])
def test_what_is_no_answer_passes_through(program: list[Program], error: Exception) -> None:
    with pytest.raises(type(error)):
        verified(fails(error))


@pytest.mark.parametrize("verdict", [Bounded("5 iterations"), Unknown("diverges", ("x",))])
def test_other_verdicts_are_kept(program: list[Program], verdict: Verdict[Proof]) -> None:
    assert verified(says(verdict)).outcome is verdict


def test_a_stop_while_loading_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*_: object, **__: object) -> None:
        end = time.monotonic() + 10
        while time.monotonic() < end:
            pass

    monkeypatch.setattr(reading, "load", slow)
    result = verify(replace(TASK, limits=Limits(seconds=0.05), jobs=1))
    assert result.reason == "time limit of 0.05 s reached"
    assert result.times.total < 5


def test_giving_up_while_preparing_still_names_the_missing_models(
    program: list[Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_large(*_arguments: object, **_options: object) -> Program:
        raise GaveUpError("the program is too large")

    program[0] = replace(program[0], unmodelled=(CALL,))
    monkeypatch.setattr(reading, "prepare", too_large)
    result = verify(TASK)
    assert (result.reason, result.unmodelled) == ("the program is too large", (CALL,))


def test_listeners_hear_of_the_phases(program: list[Program]) -> None:
    heard: list[Phase] = []

    class Listener(SilentObserver):
        def entered(self, phase: Phase) -> None:
            heard.append(phase)

    verify(TASK, Listener(), engines={"explore": says(Claimed(FakeProof()))})
    assert heard == list(Phase)


def test_in_this_process_there_is_one_at_a_time(program: list[Program]) -> None:
    """The solvers' contexts are not for several threads."""
    inside: list[int] = []

    def search(*_: object) -> tuple[Verdict[Proof], dict[str, int]]:
        inside.append(0)
        time.sleep(0.02)
        inside.append(inside[-1] + 1)
        return Unknown("no"), {}

    engines = {"explore": Engine(search, accept, lambda *_: Follower())}
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: verify(replace(TASK, jobs=0), engines=engines), range(4)))
    assert inside == [0, 1] * (len(inside) // 2)
