"""Work on the nodes of a Ray cluster, a small one on this machine: the same answers, whoever is killed."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import sley
from sley.base.errors import InputError
from sley.cli.main import run
from sley.verification.reading import program_of
from sley.verification.task import Task
from sley.verification.verify import verify

needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (`sley[ray]`)")

EXAMPLES = Path(__file__).parents[3] / "examples"
HOLD = """
import sys
from sley.verification.cluster import Cluster
with Cluster("local") as cluster:
    print(cluster.address, flush=True)
    sys.stdin.read()
"""
SLOW = """\
#include <assert.h>
#include <pthread.h>
_Atomic int x, y;
void *count(void *unused) { for (int i = 0; i < 25; i++) { x++; y--; } return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 50);
}
"""


# --- without a cluster -----------------------------------------------------------------------------


def test_programs_can_be_sent() -> None:
    """Terms keep their numbers and their table: what is made of them elsewhere is the same."""
    program = program_of(Task(paths=(EXAMPLES / "lost_update.c",)))
    sent = pickle.loads(pickle.dumps(program))
    assert sent.functions == program.functions
    one, other = (p.terms.not_(p.terms.eq(p.self_handle, p.id_mark)) for p in (sent, program))
    assert (one, len(sent.terms)) == (other, len(program.terms))


def test_it_is_said_if_ray_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(InputError, match=r"pip install 'sley\[ray\]'"):
        verify(Task(paths=(EXAMPLES / "lost_update.c",), cluster="local", jobs=0))


def test_an_address_needs_ray(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", str(EXAMPLES / "lost_update.c"), "--ray-address", "local"]) == 2
    assert "goes with --executor ray" in capsys.readouterr().err


# --- with one --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    """That of a process to which a cluster of two nodes' worth of processes is known."""
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as home:
        source = str(Path(sley.__file__).parents[1])
        settings = {"HOME": home, "RAY_TMPDIR": home, "RAY_AUTH_MODE": "token", "PYTHONPATH": source}
        known = {**os.environ, **settings}
        with subprocess.Popen(
            [sys.executable, "-c", HOLD],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=known, text=True,
        ) as holder:  # fmt: skip
            assert holder.stdin is not None
            assert holder.stdout is not None
            known["RAY_ADDRESS"] = holder.stdout.readline().strip()
            yield known
            holder.stdin.close()


def started(arguments: list[str], environment: dict[str, str], folder: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "sley", *arguments, "--executor", "ray"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, cwd=folder, text=True)


def engines(environment: dict[str, str]) -> dict[int, int]:
    """The processes of engines on nodes of our cluster, and the workers that have started them."""
    found = {}
    ours = f"HOME={environment['HOME']}\0"
    for path in Path("/proc").glob("[0-9]*"):
        try:
            is_engine = "work_from_stdin" in (path / "cmdline").read_text()
            if is_engine and ours in (path / "environ").read_text():
                found[int(path.name)] = int((path / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
    return found


@needs_ray
@pytest.mark.long
@pytest.mark.parametrize(("name", "code"), [("lost_update.c", 1), ("locked_update.c", 0)])
def test_the_same_answers(environment: dict[str, str], tmp_path: Path, name: str, code: int) -> None:
    with started(["check", str(EXAMPLES / name)], environment, tmp_path) as process:
        assert process.wait() == code
    assert not engines(environment), "a process is left behind"


@needs_ray
def test_nothing_is_lost_with_a_worker(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "slow.c").write_text(SLOW)
    with started(["check", "slow.c", "--engine", "explore"], environment, tmp_path) as process:
        while process.poll() is None and not (at_work := engines(environment)):
            time.sleep(0.01)
        for worker in at_work.values():
            os.kill(worker, signal.SIGKILL)
        output, _ = process.communicate()
    assert at_work.keys().isdisjoint(engines(environment)), "the engine has outlived its worker"
    assert "RESULT: true" in output
