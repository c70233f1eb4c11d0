"""Memory models of the user's, as files."""

from pathlib import Path

import pytest

from sley.cli.main import run
from tests.litmus.cycles import cycle_test, litmus_text

OURS = Path(__file__).parents[2] / "src" / "sley" / "memory_models"
STORE_BUFFERING = ["po:WR", "Fre", "po:WR", "Fre"]
FENCED = ["mfence:WR", "Fre", "mfence:WR", "Fre"]


def judged(tmp_path: Path, edges: list[str], model: str | Path, *flags: str) -> int:
    path = tmp_path / "test.litmus"
    path.write_text(litmus_text(cycle_test("SB", edges), "X86"))
    return run(["litmus", str(path), "--memory-model", str(model), *flags])


@pytest.mark.parametrize(("name", "code"), [("sc", 0), ("tso", 1)])
def test_a_file_judges_tests(
    tmp_path: Path, name: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert judged(tmp_path, STORE_BUFFERING, OURS / f"{name}.cat") == code
    assert f"under {name}.cat" in capsys.readouterr().out
    assert judged(tmp_path, FENCED, OURS / f"{name}.cat") == 0


def test_a_file_judges_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = str(Path(__file__).parent / "arm" / "message_passing.c")
    for name, code in (("tso", 0), ("armv8", 1)):
        model = str(OURS / f"{name}.cat")
        assert run(["check", program, "-p", "reach", "--memory-model", model]) == code
        assert f"the memory of {name}.cat" in " ".join(capsys.readouterr().out.split()) or code


def test_what_a_file_cannot_be(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = tmp_path / "wrong.cat"
    wrong.write_text("acyclic po |\n  nothing")
    assert judged(tmp_path, FENCED, wrong) == 2
    assert "wrong.cat:2:3: `nothing` is not defined" in capsys.readouterr().err
    assert judged(tmp_path, FENCED, OURS / "tso.cat", "--engine", "explore") == 2
    assert "choose --engine bmc" in capsys.readouterr().err
    assert judged(tmp_path, FENCED, tmp_path / "absent.cat") == 2
    assert judged(tmp_path, FENCED, "x86") == 2
    assert "`x86` is none of c11, sc, tso" in capsys.readouterr().err
