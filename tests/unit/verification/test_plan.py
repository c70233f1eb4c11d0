"""The plan is complete: every entry names what there is, and the last one settles every run."""

from importlib import import_module
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.evidence.verdict import Unknown
from sley.verification.answers import Answered
from sley.verification.crashes import Crashes
from sley.verification.engines import ENGINES
from sley.verification.executors.in_turn import in_turn
from sley.verification.observer import SilentObserver
from sley.verification.plan import AFTERWARDS, ALL, FROM_FILE, PLAN, Choice, Plan, Question
from sley.verification.result import Answer, NotSupported
from sley.verification.run import Run
from sley.verification.scheduler import Engines, Scheduler
from sley.verification.task import ENGINE_NAMES, ONLY_FINDS, Task


@pytest.mark.parametrize("plan", [PLAN, FROM_FILE])
def test_the_last_question_settles_every_run(plan: Plan) -> None:
    *others, last = plan
    assert last.is_needed
    assert last.settles == ALL
    assert all(0 < one.share <= 1 for one in plan)
    assert not any(one.settles == ALL for one in others if one.share < 1)


@pytest.mark.parametrize("question", [*PLAN, *FROM_FILE, *AFTERWARDS], ids=lambda one: one.name)
def test_a_question_names_what_there_is(question: Question) -> None:
    module, function = question.ask.split(":")
    assert callable(getattr(import_module(f"sley.verification.{module}"), function))
    if not isinstance(question.asks, Choice):
        assert set(question.asks) <= {*ENGINES}


def test_what_explains_an_answer_never_changes_it() -> None:
    assert not any(one.settles for one in AFTERWARDS)


def test_engines_have_their_names() -> None:
    assert tuple(ENGINES) == (*ENGINE_NAMES, ONLY_FINDS)


def asked_in_order(path: Path, answers: dict[str, Answered], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that a run comes to if all apply, and these are the answers."""
    path.write_text("int main(void) { return 0; }\n")
    asked: list[str] = []

    def put(question: Question, run: Run) -> Answered | None:
        asked.append(question.name)
        return answers.get(question.name)

    monkeypatch.setattr(Question, "put", put)
    plan = tuple(
        Question(name=name, asks=(), ask="", applies=lambda _: True, settles=settles, is_needed=is_needed)
        for name, settles, is_needed in (
            ("first", frozenset({Answer.NOT_SUPPORTED}), False),
            ("last", ALL, True),
        )
    )
    task, budget = Task(paths=(path,)), Budget(60.0)
    source = Engines(task, ENGINES, in_turn, budget, SilentObserver(), Crashes())
    made = Scheduler(SilentObserver(), ENGINES, lambda *_: source, Crashes(), plan)
    made.result(task, budget, afterwards=())
    return asked


def test_an_answer_that_does_not_settle_the_run_leads_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unknown = Answered(Unknown("not known"))
    assert asked_in_order(tmp_path / "a.c", {"first": unknown, "last": unknown}, monkeypatch) == [
        "first",
        "last",
    ]


def test_an_answer_that_settles_the_run_ends_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settled = Answered(NotSupported(()))
    assert asked_in_order(tmp_path / "a.c", {"first": settled}, monkeypatch) == ["first"]
