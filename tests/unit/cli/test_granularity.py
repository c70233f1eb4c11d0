"""``--granularity`` on the command line."""

import json
from pathlib import Path

import pytest

from sley.cli.main import run

LOST_UPDATE = """\
#include <assert.h>
#include <pthread.h>
int x, y;
void *worker(void *unused) { x++; y = x; return 0; }
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(CLAIM);
    return 0;
}
"""


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "program.c").write_text(LOST_UPDATE)
    return tmp_path


def check(claim: str, *flags: str) -> int:
    return run(["check", "program.c", f"-DCLAIM={claim}", *flags])


def test_a_statement_is_one_step_if_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("x==2", "--property", "reach") == 1
    capsys.readouterr()
    assert check("x==2", "--property", "reach", "--granularity", "statement") == 0
    assert "every C statement is one step" in " ".join(capsys.readouterr().out.split())


def test_a_bug_can_be_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--property", "reach", "--granularity", "statement", "--json", "result.json")
    assert check("y==1", *flags) == 1
    assert json.loads(Path("result.json").read_text())["task"]["granularity"] == "statement"
    capsys.readouterr()
    assert run(["replay"]) == 1
    assert "the same violation" in capsys.readouterr().out


def test_races_cannot_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert check("x==2", "--granularity", "statement") == 2
    output = capsys.readouterr()
    assert output.err == (
        "sley: data races have no meaning at statement granularity: choose other properties\n"
    )
    assert output.out == ""
