"""``sley litmus``: answers, tables, drawings, exit codes."""

import json
from pathlib import Path

import pytest

from sley.cli.application import invoke
from sley.cli.exit_codes import ExitCode

MESSAGE = r"""C {name}
{{}}
P0 (atomic_int* x, atomic_int* y) {{
  atomic_store_explicit(x, 1, memory_order_relaxed);
  atomic_store_explicit(y, 1, memory_order_{order});
}}
P1 (atomic_int* x, atomic_int* y) {{
  int r0 = atomic_load_explicit(y, memory_order_acquire);
  int r1 = {read};
}}
exists (1:r0=1 /\ 1:r1=0)
"""
ATOMIC, PLAIN = "atomic_load_explicit(x, memory_order_relaxed)", "*x"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    tests = tmp_path / "tests"
    tests.mkdir()
    for name, order, read in (
        ("weak", "relaxed", ATOMIC),
        ("strong", "release", ATOMIC),
        ("race", "relaxed", PLAIN),
    ):
        (tests / f"{name}.litmus").write_text(MESSAGE.format(name=name, order=order, read=read))
    return tests


def test_allowed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["litmus", str(folder / "weak.litmus")]) == ExitCode.BUG
    printed = capsys.readouterr().out
    assert "ALLOWED  weak under C11" in printed
    assert "a -po-> b -rf-> c -po-> d -fr-> a" in printed
    assert printed.endswith("RESULT: allowed\n")


def test_forbidden(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["litmus", str(folder / "strong.litmus")]) == ExitCode.SAFE
    assert capsys.readouterr().out.endswith("RESULT: forbidden\n")


def test_race(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["litmus", str(folder / "race.litmus")]) == ExitCode.BUG
    assert "data race, so that C11 allows every outcome" in capsys.readouterr().out


def test_graph(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert invoke(["litmus", str(folder / "weak.litmus"), "--dot"]) == ExitCode.BUG
    assert capsys.readouterr().out.startswith("digraph execution {")


def test_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "kinds.txt").write_text("weak Allow\nstrong Forbid\n")
    report = folder / "report.json"
    assert invoke(["litmus", str(folder), "--json", str(report)]) == ExitCode.SAFE
    assert "3 tests: 2 as expected, 1 nothing expected" in capsys.readouterr().out
    found = {test["name"]: test for test in json.loads(report.read_text())["tests"]}
    assert found["strong"]["answer"] == "forbidden"
    assert found["strong"]["holds"] is False
    assert found["weak"]["execution"]["rf"] == [[1, 2]]
    assert found["race"]["is_undefined"] is True


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("expected.csv", "tests/weak.litmus,0\n"),
        ("expected.csv", "test,c11,tso\nweak,forbidden,allowed\n"),
        ("table.txt", "        | Model Hardware\nweak    | No    Ok\n"),
        ("log.txt", "Test weak Allowed\nObservation weak Never 0 3\n"),
    ],
)
def test_different(folder: Path, capsys: pytest.CaptureFixture[str], name: str, content: str) -> None:
    expected = folder / name
    expected.write_text(content)
    assert invoke(["litmus", str(folder), "--expected", str(expected)]) == ExitCode.BUG
    printed = capsys.readouterr().out
    assert "! weak" in printed
    assert "1 tests: 1 different" in printed


def test_no_meaning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "sb.litmus"
    path.write_text("X86 SB\n{}\nP0 ;\nMOV [x],$1 ;\nexists (x=1)\n")
    assert invoke(["litmus", str(path), "--memory-model", "c11"]) == ExitCode.USAGE
    assert "no meaning in C11" in capsys.readouterr().err
