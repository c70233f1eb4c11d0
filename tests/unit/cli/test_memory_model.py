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


WAITING = """
#include <assert.h>
#include <pthread.h>
int x, y, a, b;
void *first(void *_) { x = 1; FENCE; a = y + x - 1; return 0; }
void *second(void *_) { y = 1; FENCE; b = x; return 0; }
int main(void)
{
    pthread_t p, q;
    pthread_create(&p, 0, first, 0);
    pthread_create(&q, 0, second, 0);
    pthread_join(p, 0);
    pthread_join(q, 0);
    assert(a || b);
}
"""


def test_stores_wait_on_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    Path("waiting.c").write_text(WAITING)
    check = ["check", "waiting.c", "--memory-model", "tso", "--engine", "explore"]
    assert run([*check, "-D", "FENCE=(void)0", "--json", "result.json"]) == 1
    assert "this cannot happen: proved" in capsys.readouterr().out
    result = json.loads(Path("result.json").read_text())
    notes = {event["note"] for event in result["violations"][0]["events"]}
    assert notes >= {"x = 1 is pending", "of its own pending store", "reaches memory"}
    assert run(["replay"]) == 1
    assert run([*check, "-D", "FENCE=__sync_synchronize()"]) == 0
    assert run([*check, "-D", "FENCE=__sync_synchronize()", "--instrument", "all", "--buffer-size", "1"]) == 0
    assert run([*check, "-D", "FENCE=(void)0", "--buffer-size", "1"]) == 1
    assert run([*check, "-D", "FENCE=y=1,x=1", "--buffer-size", "1"]) == 3
    assert "more than 1 stores of a thread may wait at once" in capsys.readouterr().out


def test_stores_by_the_library_wait_unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    program = Path(__file__).parents[2] / "programs" / "misuse" / "join_by_two.c"
    check = ["check", str(program), "--property", "misuse", "--engine", "explore"]
    assert run([*check, "--memory-model", "tso", "--instrument", "all"]) == 1
