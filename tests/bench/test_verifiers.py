"""How verifiers are called, and how their output is understood."""

import sys
from pathlib import Path

import pytest
from bench.running.processes import Ended, Limits
from bench.running.runs import Category, judged
from bench.running.tasks import BenchTask
from bench.running.verifiers import configuration, configured, known_verifiers

from sley.base.errors import InputError
from sley.program.properties import PROPERTY_GROUPS

LIMITS = Limits(seconds=10, megabytes=500)
KNOWN = known_verifiers()


def task(property_: str = "reach", expected: str | None = None) -> BenchTask:
    return BenchTask("a b.c", (Path("/x/a b.c"),), property_, PROPERTY_GROUPS[property_], expected=expected)


def test_sley_gets_its_flags_and_limits() -> None:
    ours = configuration("deep=--engine bmc --unwind 3", KNOWN)
    (command,) = ours.commands(task(), LIMITS)
    assert ours.name == "deep"
    assert command == [
        *(sys.executable, "-P", "-m", "sley", "check", "/x/a b.c"),
        *("--property", "reach", "--data-model", "LP64"),
        *(
            "--no-config",
            "--time-limit",
            "10s",
            "--memory-limit",
            "500MB",
            "--engine",
            "bmc",
            "--unwind",
            "3",
        ),
    ]


def test_bounds_are_tried_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/bin/{name}")
    commands = list(configured("cbmc:fast=--object-bits 10", KNOWN).commands(task(), LIMITS))
    assert commands[1] == [
        *("/bin/cbmc", "/x/a b.c", "--64", "--no-standard-checks"),
        *("--unwind", "4", "--unwinding-assertions", "--object-bits", "10"),
    ]
    assert list(configured("cbmc", KNOWN).commands(task("race"), LIMITS)) == []


@pytest.mark.parametrize(
    ("name", "output", "expected"),
    [
        ("sley", "x\nRESULT: true\n", "true"),
        ("sley", "RESULT: false(no-data-race)\n", "false(no-data-race)"),
        ("sley", "REASON: bounded\nRESULT: unknown\n", "unknown"),
        ("sley", "sley: internal error\n", "error"),
        ("cbmc", "VERIFICATION SUCCESSFUL", "true"),
        ("cbmc", "[main.assertion.1] line 3 assertion x: FAILURE\nVERIFICATION FAILED", "false"),
        (
            "cbmc",
            "[main.unwind.0] line 3 unwinding assertion loop 0: FAILURE\nVERIFICATION FAILED",
            "unknown",
        ),
        ("cbmc", "[f.no-body.pthread_join] line 3 no body for callee pthread_join: FAILURE", "unknown"),
        ("deagle", "VERIFICATION SUCCESSFUL", "true"),
        ("esbmc", "VERIFICATION UNKNOWN", "unknown"),
        ("esbmc", "VERIFICATION FAILED", "false"),
        ("dartagnan", "Verification finished with result PASS", "true"),
    ],
)
def test_answers(name: str, output: str, expected: str) -> None:
    assert KNOWN[name].answer(output) == expected


@pytest.mark.parametrize(
    ("property_", "expected", "answer", "category"),
    [
        ("reach", "true", "true", Category.RIGHT),
        ("reach", "true", "false", Category.WRONG),
        ("reach", "false", "true", Category.WRONG),
        ("reach", "false", "false(unreach-call)", Category.RIGHT),
        ("reach", "false", "false(no-data-race)", Category.WRONG),
        ("memory", "false(valid-deref)", "false(valid-deref)", Category.RIGHT),
        ("memory", "false(valid-deref)", "false(valid-free)", Category.WRONG),
        ("memory", "false(valid-deref)", "false", Category.RIGHT),
        ("memory", "false", "false(valid-free)", Category.RIGHT),
        ("reach", "true", "unknown", Category.UNDECIDED),
        ("reach", "true", "memory", Category.UNDECIDED),
        ("reach", None, "true", Category.UNJUDGED),
    ],
)
def test_judgement(property_: str, expected: str | None, answer: str, category: Category) -> None:
    assert judged(answer, task(property_, expected)) is category


def test_reasons() -> None:
    said = Ended(3, None, 1, 1, 1, 0, "REASON: time is up\nRESULT: unknown\n")
    assert KNOWN["sley"].why(said) == "time is up"
    crashed = Ended(134, None, 1, 1, 1, 0, "Begin\nAborted\n\n")
    assert KNOWN["dartagnan"].why(crashed) == "exit code 134: Aborted"


def test_verifiers_of_the_user(tmp_path: Path) -> None:
    file = tmp_path / "mine.yml"
    file.write_text("mine:\n  command: sh {files} {flags}\n  answers: {true: good, false: 'bad: (.*)'}\n")
    mine = configured("mine=-x", known_verifiers([file]))
    (command,) = mine.commands(task(), LIMITS)
    assert command[1:] == ["/x/a b.c", "-x"]
    assert [mine.answer(text) for text in ("good", "bad: valid-free")] == ["true", "false(valid-free)"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: {command: x}", "needs `command` and `answers`"),
        ("a: {command: x, answers: {true: '('}}", "is no expression"),
        ("- a", "not a mapping"),
        ("a: [", "not a YAML file"),
    ],
)
def test_wrong_descriptions_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "mine.yml"
    file.write_text(text)
    with pytest.raises(InputError, match=message):
        known_verifiers([file])


def test_wrong_templates_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "mine.yml"
    file.write_text("mine: {command: 'sh {file}', answers: {true: x}}")
    with pytest.raises(InputError, match="'file' is none of files, property"):
        list(known_verifiers([file])["mine"].commands(task(), LIMITS))


def test_unknown_verifiers_are_refused() -> None:
    with pytest.raises(InputError, match="`magic` is none of sley, cbmc"):
        configured("magic", KNOWN)
