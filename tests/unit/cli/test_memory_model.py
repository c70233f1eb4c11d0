"""``--memory-model`` on the command line."""

import json
from pathlib import Path

import pytest

from sley.cli.main import run

PROGRAM = Path(__file__).parents[2] / "programs" / "orders" / "store_buffering.c"


def test_what_is_assumed_decides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    check = ["check", str(PROGRAM), "--property", "reach", "--engine", "explore", "--json", "result.json"]
    assert run(check) == 1
    assert run([*check, "--memory-model", "sc"]) == 0
    assert "Assumes: sequential consistency;" in capsys.readouterr().out
    assert json.loads(Path("result.json").read_text())["task"]["memory_model"] == "sc"
