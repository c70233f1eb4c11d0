"""Runs under limits: the whole tree of processes is measured, and nobody is left behind."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from bench.running import supervisor
from bench.running.processes import Limits, Runner, run

FOREVER = Limits(seconds=20)
BUSY = "while :; do :; done"
GONE = 5.0


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_output_and_exit_code() -> None:
    ended = run(["sh", "-c", "echo out; echo err >&2; exit 3"], FOREVER)
    assert (ended.exit_code, ended.ended_by, ended.output) == (3, None, "out\nerr\n")


def test_what_cannot_be_started() -> None:
    ended = run(["/no/such/program"], FOREVER)
    assert (ended.exit_code, ended.ended_by) == (None, "cannot run: no such file or directory")


def test_a_run_ends_at_its_time_limit() -> None:
    ended = run(["sleep", "60"], Limits(seconds=0.1))
    assert (ended.exit_code, ended.ended_by) == (None, "time")
    assert 0.1 <= ended.wall_seconds < GONE


def test_processor_time_of_children_in_other_sessions_counts() -> None:
    ended = run(["sh", "-c", f"setsid sh -c '{BUSY}' & sleep 60"], Limits(seconds=20, cpu_seconds=0.1))
    assert ended.ended_by == "cpu time"
    assert ended.cpu_seconds >= 0.1


def test_memory_is_that_of_the_tree() -> None:
    hold = "import time; held = b'x' * 40_000_000; time.sleep(60)"
    script = f'{sys.executable} -S -c "{hold}" & {sys.executable} -S -c "{hold}" & wait'
    ended = run(["sh", "-c", script], Limits(seconds=20, megabytes=70))
    assert ended.ended_by == "memory"
    assert ended.megabytes > 70


def test_orphans_are_ended() -> None:
    """A grandchild in a session of its own, whose parent has ended."""
    ended = run(["sh", "-c", "(setsid sh -c 'echo $$; exec sleep 60' &); sleep 0.2"], FOREVER)
    assert ended.exit_code == 0
    assert not is_alive(int(ended.output))


def test_stopping_ends_runs_and_prevents_others(tmp_path: Path) -> None:
    runner = Runner()
    found = []
    log = tmp_path / "log"
    thread = threading.Thread(
        target=lambda: found.append(runner.run(["sh", "-c", "echo $$; exec sleep 60"], FOREVER, output=log))
    )
    thread.start()
    while not log.exists() or not log.read_text().strip():
        time.sleep(0.01)
    runner.stop()
    thread.join(GONE)
    assert found[0].ended_by == "interrupted"
    assert not is_alive(int(found[0].output))
    assert runner.run(["sleep", "60"], FOREVER).ended_by == "interrupted"


def test_runs_end_with_whoever_started_them(tmp_path: Path) -> None:
    log = tmp_path / "log"
    script = (
        "from pathlib import Path; from bench.running.processes import Limits, Runner\n"
        f"Runner().run(['sh', '-c', 'echo $$; exec sleep 60'], Limits(), output=Path({str(log)!r}))"
    )
    with subprocess.Popen([sys.executable, "-c", script]) as parent:
        while not log.exists() or not log.read_text().strip():
            time.sleep(0.01)
        parent.kill()
    end = time.monotonic() + GONE
    while is_alive(int(log.read_text())) and time.monotonic() < end:
        time.sleep(0.01)
    assert not is_alive(int(log.read_text()))


def test_children_are_found_in_both_ways() -> None:
    with subprocess.Popen(["sleep", "60"]) as child:
        assert child.pid in supervisor._children(os.getpid())
        assert child.pid in supervisor._all_children()[os.getpid()]
        child.kill()


@pytest.mark.parametrize("name", ["TMPDIR", "XDG_CACHE_HOME"])
def test_temporary_files_are_gone(name: str) -> None:
    ended = run(["sh", "-c", f"touch ${name}/file; echo ${name}"], FOREVER)
    assert not os.path.exists(ended.output.strip())
