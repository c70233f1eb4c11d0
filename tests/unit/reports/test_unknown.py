"""UNKNOWN and SAFE UP TO: what is certain, why there is no answer, and what to try."""

from pathlib import Path

from sley.base.errors import Unsupported
from sley.base.reasons import Reason, Why, unmodelled_call
from sley.base.source import Span
from sley.evidence.proof import Checked
from sley.evidence.verdict import Bounded, Safe, Unknown
from sley.program.properties import PROPERTY_GROUPS, Property
from sley.reports.lines import plain
from sley.reports.text import report
from sley.verification.property_files import Selection
from sley.verification.result import Outcome, Result, Times
from sley.verification.task import Limits, Task
from sley.verification.verify import verify


def told(outcome: Outcome, *properties: Property, width: int = 100, **more: object) -> str:
    selection = Selection(frozenset(properties or (Property.REACH, Property.RACE)))
    task = Task(paths=(Path("a.c"),), selection=selection, limits=Limits(seconds=10))
    result = Result(task=task, outcome=outcome, times=Times(0.1, 0.2, 0.1), **more)  # type: ignore[arg-type]
    return plain(report(result, width=width))


PRCTL = Unsupported(
    "call to `prctl`: no model of this function",
    Span("pool.c", 12, 5),
    "int prctl(int option, ...) { return __VERIFIER_nondet_int(); }",
    "prctl",
)
TEN_SECONDS = Reason("time limit of 10 s reached", Why.TIME, "10")


def test_functions_without_a_model_come_with_lines_to_write() -> None:
    text = told(Unknown(unmodelled_call("prctl")), unmodelled=(PRCTL,))
    head, rest = text.split("\n", 1)
    assert head.startswith(" UNKNOWN  I could not decide this program.")
    assert rest == (
        " Stop  `prctl` (pool.c:12) has no body and no model: what it does is not known.\n"
        " Next  Say what `prctl` does in a C file, given by --models FILE. "
        "Lines to start from (sley explain\n"
        "       models):\n"
        "         int prctl(int option, ...) { return __VERIFIER_nondet_int(); }\n"
    )


def test_long_lines_of_c_are_broken_where_c_allows_it() -> None:
    parameters = ", ".join(f"struct of_some_length *parameter_{n}" for n in range(4))
    model = f"int f({parameters}) {{ return 0; }}"
    call = Unsupported("call to `f`: no model of this function", Span("a.c", 1, 1), model, "f")
    lines = told(Unknown(unmodelled_call("f")), unmodelled=(call,), width=80).splitlines()
    assert max(map(len, lines)) <= 80
    code = [line for line in lines if line.startswith(" " * 9)]
    assert " ".join(" ".join(code).split()) == model


def test_time_that_ran_out() -> None:
    reasons = (("explore", TEN_SECONDS), ("impact", TEN_SECONDS))
    safe = Safe(FakeProof(), Checked("it was done again"))
    lines = told(
        Unknown(TEN_SECONDS, ("no violation in 9 states (explore)",), reasons=reasons),
        by_property={Property.RACE: safe, Property.REACH: Unknown(TEN_SECONDS)},
    ).splitlines()
    assert " Sure  No violation in 9 states (explore)." in lines
    assert " Open  failing assertion: The time limit of 10 s was reached." in lines
    assert " Stop  The time limit of 10 s was reached (explore, impact)." in lines
    assert " Next  More time: --time-limit 100s." in lines
    assert "       One property at a time: --property reach." in lines
    assert "       One engine alone: --engine explore or impact." in lines


class FakeProof:
    summary = "412 states"


def test_a_bound_says_what_goes_further() -> None:
    text = " ".join(told(Bounded("loops unrolled once", ("the loop at queue.c:41",))).split())
    assert "Nothing found up to the bound: loops unrolled once." in text
    assert "The loop at queue.c:41 can go further. This is no proof of what lies beyond." in text


def test_violations_on_request_are_explained() -> None:
    programs = Path(__file__).parents[2] / "programs"
    for file, name, why in (
        ("progress/spins_for_ever.c", "progress", "Nothing can end the loop of worker"),
        ("uninitialised/every_round_anew.c", "uninitialised", "Another `x` was written before"),
        ("uninitialised/block_read.c", "uninitialised", "`block#1` has not been written before step 3"),
    ):
        selection = Selection(PROPERTY_GROUPS[name])
        task = Task(paths=(programs / file,), selection=selection, engines=("explore",), jobs=0)
        assert why in " ".join(plain(report(verify(task))).split())


def test_no_assumption_about_what_was_never_written() -> None:
    text = told(
        Unknown(
            Reason("`x` (uninitialised) has too many possible values to enumerate", Why.UNINITIALISED, "`x`")
        )
    )
    assert "Give `x` a value before it is read" in text
    assert "__VERIFIER_assume" not in text


def test_a_reason_without_text_is_no_error() -> None:
    assert told(Unknown("", certain=("",))).startswith(" UNKNOWN  I could not decide this program.")


def test_advice_belongs_to_the_reason() -> None:
    """A function without a model that no search has met is not why there is no answer."""
    read = Reason("`sysconf()` has too many possible values to enumerate", Why.INPUT, "`sysconf()`")
    text = told(Unknown(read, reasons=(("explore", read),)), unmodelled=(PRCTL,))
    assert "Give `sysconf()` a range" in text
    assert "--models" not in text


def test_no_bounded_search_where_there_was_one() -> None:
    given_up = Reason("no run shows it", Why.NO_REPLAY)
    structural = Reason("the program allocates memory", Why.HEAP)
    assert "--engine bmc" in told(Unknown(structural, reasons=(("symmetry", structural),)))
    assert "Next" not in told(Unknown(given_up, reasons=(("bmc", given_up), ("symmetry", structural))))


def test_what_no_flag_changes_is_no_advice() -> None:
    layout = Reason("it depends on `hash`", Why.LEFT_OPEN, "`hash`")
    assert "Next" not in told(Unknown(layout, reasons=(("explore", layout), ("impact", TEN_SECONDS))))
