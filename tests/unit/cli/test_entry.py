"""``--entry``: a library without ``main``, from the command line to proofs and replays."""

import json
import shutil
from pathlib import Path

import pytest

from sley.cli.main import run

PROGRAMS = Path(__file__).parents[2] / "programs/entry"

needs_compiler = pytest.mark.skipif(
    shutil.which("gcc") is None or shutil.which("objcopy") is None,
    reason="gcc or the binutils are not installed: nothing can be replayed on the real program",
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "plain.c").write_text("int twice(int x) { return 2 * x; }\n")
    for name in ("stack_race.c", "account_locked.c"):
        shutil.copyfile(PROGRAMS / name, tmp_path / name)
    return tmp_path


LOCKED = ["--entry", "withdraw", "--setup", "open_account", "account_locked.c"]


def said(capsys: pytest.CaptureFixture[str]) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_safe_says_for_whom(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", *LOCKED]) == 0
    assert (
        "Assumes: the library is used by 2 threads, each of which calls withdraw once, after open_account"
        in said(capsys)
    )


def test_a_bug_says_who_called(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "stack_race.c", "--entry", "push,pop", "-p", "race"]) == 1
    text = said(capsys)
    assert "data race on `s->count`" in text
    assert "stack_race.c:1" in text
    assert "The callers are made up: 2 threads, each of which calls one of push, pop once." in text


def test_a_saved_harness_is_a_program(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "harness", "stack_race.c", "--entry", "push,pop"]) == 0
    (home / "harness.c").write_text(capsys.readouterr().out)
    assert run(["check", "harness.c", "-p", "race"]) == 1
    assert "data race on `s->count`" in said(capsys)


def test_a_report_knows_its_harness(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["check", "stack_race.c", "--entry", "push, pop", "--calls=2", "-p", "race", "--json", "r.json"])
    harness = json.loads((home / "r.json").read_text())["task"]["harness"]
    assert harness == {"entries": ["push", "pop"], "threads": 2, "calls": 2, "setup": [], "make": []}
    capsys.readouterr()
    assert run(["replay", "r.json"]) == 1
    assert "Replayed the same violation" in said(capsys)


@needs_compiler
def test_the_real_library_is_called(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["check", "stack_race.c", "--entry", "push,pop", "-p", "race", "--json", "r.json"])
    (home / "elsewhere").mkdir()
    monkeypatch.chdir(home / "elsewhere")
    capsys.readouterr()
    assert run(["replay", "--native", "../r.json"]) == 1
    assert "Compiled sley-harness.c with gcc" in (text := said(capsys))
    assert "Reproduced data race on `s->count`" in text


def test_a_page_says_where_the_harness_is(home: Path) -> None:
    run(["check", "stack_race.c", "--entry", "push,pop", "-p", "race", "--html", "r.html"])
    assert "This file is written by sley" in (home / "r.html").read_text()


def test_a_proof_is_one_of_the_library_with_its_callers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", *LOCKED, "--proof", "p.json"]) == 0
    capsys.readouterr()
    assert run(["prove-check", *LOCKED, "p.json"]) == 0
    assert "--entry withdraw --threads 2 --setup open_account" in said(capsys)
    assert run(["prove-check", "--threads", "3", *LOCKED, "p.json"]) == 3
    assert "--entry withdraw --threads 2" in said(capsys)
    assert run(["prove-check", "account_locked.c", "p.json"]) == 3
    assert "not without flags" in said(capsys)


REFUSED = {
    "check stack_race.c --threads 2": "--threads goes with --entry, which names",
    "check stack_race.c --setup push": "--setup goes with --entry, which names",
    "check stack_race.c --entry push(1)": "argument --entry: `push(1)` is not the name of a function",
    "check stack_race.c --entry push,": "argument --entry: `` is not the name of a function",
    "check stack_race.c --entry push --threads 0": "`0` is not a positive whole number",
    "check plain.c": "the functions that threads call (--entry f,g)",
    "show harness stack_race.c": "name the functions of the library that threads call: --entry f,g",
    "check stack_race.c --entry push --witness w.yml": (
        "(sley show harness stack_race.c --entry push --threads 2 > harness.c)"
    ),
}


@pytest.mark.parametrize("line", REFUSED)
def test_messages(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(line.split()) == 2
    captured = capsys.readouterr()
    assert REFUSED[line] in captured.err
    assert "RESULT" not in captured.out


def test_a_configuration_may_name_entries(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "sley.toml").write_text(
        'files = ["account_locked.c"]\nentry = ["withdraw"]\nsetup = ["open_account"]\nthreads = 3\n'
    )
    assert run(["check", "-p", "race"]) == 0
    assert "3 threads, each of which calls withdraw once" in said(capsys)
    run(["show", "harness", "--entry", "open_account"])
    assert "calls open_account once" in said(capsys)
