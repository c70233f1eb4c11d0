"""Reasons for giving up say the same to people who do not know how engines work, and each is said once."""

import pickle

import pytest

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why, beyond_orders, on_inputs, stems_from, unmodelled_call, why_of
from sley.engines.modular.engine import NO_INVARIANT
from sley.evidence.remarks import Unmodelled, possible
from sley.program.instructions import GiveUp
from sley.wording.reasons import Remedy, decisive, merged, plain


@pytest.mark.parametrize(
    ("reason", "text", "remedy"),
    [
        (unmodelled_call("prctl"), "what `prctl` does, or returns, is not modelled", Remedy.MODELS),
        (
            possible("possible bug, depends on unmodelled function `input`", (Unmodelled("input"),)),
            "what `input` does, or returns, is not modelled",
            Remedy.MODELS,
        ),
        (
            Reason("`n` (input) has too many possible values to enumerate", Why.INPUT, "`n`"),
            "`n` may have too many values to try each of them",
            Remedy.INPUT,
        ),
        (
            on_inputs("whether a thread has to wait"),
            "whether a thread has to wait depends on inputs",
            Remedy.INPUT,
        ),
        (
            NO_INVARIANT,
            "no proof was found that looks at one or two threads at a time",
            Remedy.ENGINE,
        ),
        (
            Reason("time limit of 10 s reached", Why.TIME, "10"),
            "the time limit of 10 s was reached",
            Remedy.TIME,
        ),
        (
            Reason("a.c:6:17: a signal gets a handler", Why.CONSTRUCT, "a signal gets a handler", "a.c:6:17"),
            "a signal gets a handler (a.c:6:17), which is not modelled",
            Remedy.CONSTRUCT,
        ),
        (
            Reason("recursion deeper than 10 calls of `f`", Why.RECURSION, "`f`", "10"),
            "`f` calls itself more than 10 times (--recursion)",
            Remedy.SIZE,
        ),
        (
            beyond_orders("an atomic section with atomic accesses"),
            "an atomic section with atomic accesses",
            Remedy.ORDERS,
        ),
        ("something new", "something new", Remedy.ENGINE),
    ],
)
def test_plain(reason: str, text: str, remedy: Remedy) -> None:
    said = plain(reason)
    assert (said.text, said.remedy) == (text, remedy)


REASONS = [
    ("modular", NO_INVARIANT),
    (
        "explore",
        Reason("`sqrt` (unmodelled) has too many possible values to enumerate", Why.NO_MODEL, "`sqrt`"),
    ),
    ("bmc", unmodelled_call("floor")),
    ("impact", Reason("time limit of 5 s reached", Why.TIME, "5")),
    ("symmetry", Reason("time limit of 5 s reached", Why.TIME, "5")),
]


def test_each_reason_once_and_what_helps_most_first() -> None:
    assert [one.sentence for one in merged(REASONS)] == [
        "What `sqrt` does, or returns, is not modelled (explore, bmc).",
        "The time limit of 5 s was reached (impact, symmetry).",
        "No proof was found that looks at one or two threads at a time (modular).",
    ]


def test_one_reason_for_scripts() -> None:
    assert decisive(REASONS) == "`sqrt` (unmodelled) has too many possible values to enumerate"


def test_every_reason_has_plain_words() -> None:
    for why in Why:
        said = plain(Reason("text", why, "first", "second"))
        assert why is Why.NOT_FOLLOWED or said.text != "text", why


def test_what_is_behind_a_reason_survives_errors_processes_and_instructions() -> None:
    reason = unmodelled_call("floor")
    for same in (
        str(reason),
        str(GaveUpError(reason)),
        pickle.loads(pickle.dumps(reason)),
        str(pickle.loads(pickle.dumps(GaveUpError(reason)))),
        GiveUp(reason).reason,
    ):
        assert (same, why_of(same)) == (reason, Why.NO_MODEL)
    assert why_of("anything else") is None


def test_a_reason_may_be_about_another() -> None:
    late = Reason("its share of the time is used up", Why.SHARE)
    unchecked = Reason(f"the proof could not be checked: {late}", Why.UNCHECKED, late)
    assert stems_from(unchecked, Why.SHARE)
    assert not stems_from("its share of the time is used up", Why.SHARE)
