"""Reasons for giving up say the same to people who do not know how engines work, and each is said once."""

import pytest

from sley.wording.reasons import Remedy, decisive, merged, plain


@pytest.mark.parametrize(
    ("reason", "text", "remedy"),
    [
        ("unmodelled: call of `prctl`", "what `prctl` does, or returns, is not modelled", Remedy.MODELS),
        (
            "possible bug, depends on unmodelled function `input`",
            "what `input` does, or returns, is not modelled",
            Remedy.MODELS,
        ),
        (
            "`n` (input) has too many possible values to enumerate",
            "`n` may have too many values to try each of them",
            Remedy.INPUT,
        ),
        (
            "whether a thread has to wait depends on inputs that are not known",
            "whether a thread has to wait depends on inputs",
            Remedy.INPUT,
        ),
        (
            "no invariant of so few threads at a time excludes all violations",
            "no proof was found that looks at one or two threads at a time",
            Remedy.ENGINE,
        ),
        ("time limit of 10 s reached", "the time limit of 10 s was reached", Remedy.TIME),
        (
            "a.c:6:17: a signal gets a handler",
            "a signal gets a handler (a.c:6:17), which is not modelled",
            Remedy.CONSTRUCT,
        ),
        (
            "recursion deeper than 10 calls of `f`",
            "`f` calls itself more than 10 times (--recursion)",
            Remedy.SIZE,
        ),
        (
            "an atomic section with atomic accesses (--memory-model sc)",
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
    ("modular", "no invariant of so few threads at a time excludes all violations"),
    ("explore", "`sqrt` (unmodelled) has too many possible values to enumerate"),
    ("bmc", "unmodelled: call of `floor`"),
    ("impact", "time limit of 5 s reached"),
    ("symmetry", "time limit of 5 s reached"),
]


def test_each_reason_once_and_what_helps_most_first() -> None:
    assert [one.sentence for one in merged(REASONS)] == [
        "What `sqrt` does, or returns, is not modelled (explore, bmc).",
        "The time limit of 5 s was reached (impact, symmetry).",
        "No proof was found that looks at one or two threads at a time (modular).",
    ]


def test_one_reason_for_scripts() -> None:
    assert decisive(REASONS) == "`sqrt` (unmodelled) has too many possible values to enumerate"
