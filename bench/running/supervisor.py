"""A process that runs one command, measures it with all its descendants, and leaves none of them behind.

It is a script of its own, which ``processes.py`` starts: the first line of its input says what to run, the
only line of its output what came out. It adopts orphans (as a *subreaper*), so that no descendant can leave
its tree, and their processor time is counted. If its input ends, whoever started it wants no more, or is
dead: then the command ends, too. Linux only.
"""

import ctypes
import json
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
TICKS = os.sysconf("SC_CLK_TCK")
POLL = 0.05
"""Seconds between two looks at the tree, if a look is cheap."""
SHARE = 0.05
"""At most this part of the time is spent looking."""
FAREWELL = 0.5
"""Seconds in which descendants may end after the command; whoever has not is left behind."""
KNOWS_CHILDREN = Path("/proc/self/task", str(os.getpid()), "children").exists()


class Tree:
    """All descendants of this process, and what they have used."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self.cpu_seconds = 0.0
        self.exit_codes: dict[int, int] = {}
        """Of the children that have ended."""
        self.left_behind = 0

    def look(self) -> None:
        """Update both peaks."""
        self.reap()
        found = list(descendants())
        memory = resident if len(found) == 1 else proportional
        self.megabytes = max(self.megabytes, sum(map(memory, found)))
        self.cpu_seconds = max(self.cpu_seconds, _reaped_seconds() + sum(map(seconds, found)))

    def reap(self) -> None:
        """Take notice of children that have ended; orphans are among them."""
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                self.exit_codes[ended[0]] = os.waitstatus_to_exitcode(ended[1])

    def count_left_behind(self) -> None:
        """How many descendants do not end with the command."""
        until = time.monotonic() + FAREWELL
        while (found := len(list(descendants()))) and time.monotonic() < until:
            time.sleep(0.01)
            self.reap()
        self.left_behind = found

    def end(self) -> None:
        """Until there is nobody left: one that is forked meanwhile is found the next time."""
        while found := list(descendants()):
            for pid in found:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.001)
            self.reap()
        if not self.megabytes:  # it has ended before the first look
            self.megabytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        self.cpu_seconds = max(self.cpu_seconds, _reaped_seconds())


def descendants() -> Iterator[int]:
    """The children of this process, and theirs."""
    children_of = _children if KNOWS_CHILDREN else _all_children().get
    waiting = [os.getpid()]
    while waiting:
        children = children_of(waiting.pop()) or []
        waiting += children
        yield from children


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*")
    return [int(child) for task in tasks for child in _read(task / "children").split()]


def _all_children() -> dict[int, list[int]]:
    """By parent, from all processes that there are, where the kernel does not keep it."""
    found: dict[int, list[int]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        if fields := _read(path / "stat").rpartition(")")[2].split():
            found.setdefault(int(fields[1]), []).append(int(path.name))
    return found


def _reaped_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def seconds(pid: int) -> float:
    """Processor time of a process and of those children of it that it has waited for."""
    fields = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def resident(pid: int) -> float:
    """Megabytes in memory."""
    fields = _read(Path(f"/proc/{pid}/statm")).split()
    return int(fields[1]) * resource.getpagesize() / 2**20 if fields else 0.0


def proportional(pid: int) -> float:
    """Megabytes in memory, where of a page that n processes share each has the n-th part."""
    for line in _read(Path(f"/proc/{pid}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return resident(pid)


def _read(path: Path) -> str:
    """Empty if the process has gone."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


# --- one run ---------------------------------------------------------------------------------------


def main() -> None:
    """Run what the first line of the input says."""
    order = json.loads(sys.stdin.readline())
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        order["environment"] |= {"TMPDIR": scratch, "XDG_CACHE_HOME": scratch}
        run(order)


def run(order: dict[str, Any]) -> None:
    """Start, watch, end, tell."""
    tree = Tree()
    started = time.monotonic()
    with open(order["output"], "wb") as output:
        try:
            process = subprocess.Popen(
                order["command"],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=order["folder"],
                env=order["environment"],
                start_new_session=True,
                preexec_fn=_die_with_parent,
            )
        except OSError as error:
            return _tell(tree, 0.0, None, f"cannot run: {(error.strerror or str(error)).lower()}")
        ended_by = watch(process.pid, order, started, tree)
    wall_seconds = time.monotonic() - started
    if ended_by is None:
        tree.count_left_behind()
    tree.end()
    process.returncode = tree.exit_codes.get(process.pid, 0)
    return _tell(tree, wall_seconds, process.returncode if ended_by is None else None, ended_by)


def _die_with_parent() -> None:
    """If somebody ends the supervisor, there is nobody to end the command."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def watch(pid: int, order: dict[str, Any], started: float, tree: Tree) -> str | None:
    """Until the command ends; or which limit it has to be ended for."""
    handle = os.pidfd_open(pid)
    interval = POLL
    while True:
        left = _at_most(order["seconds"]) - (time.monotonic() - started)
        ready, _, _ = select.select([handle, sys.stdin], [], [], max(0.0, min(interval, left)))
        if handle in ready:
            tree.reap()
            return None
        if sys.stdin in ready:
            return "interrupted"
        before = time.monotonic()
        tree.look()
        interval = max(POLL, (time.monotonic() - before) / SHARE)
        if left <= 0:
            return "time"
        if tree.cpu_seconds > _at_most(order["cpu_seconds"]):
            return "cpu time"
        if tree.megabytes > _at_most(order["megabytes"]):
            return "memory"


def _at_most(limit: float | None) -> float:
    return float("inf") if limit is None else limit


def _tell(tree: Tree, wall_seconds: float, exit_code: int | None, ended_by: str | None) -> None:
    content = {
        "exit_code": exit_code,
        "ended_by": ended_by,
        "wall_seconds": wall_seconds,
        "cpu_seconds": tree.cpu_seconds,
        "megabytes": tree.megabytes,
        "left_behind": tree.left_behind,
    }
    with suppress(BrokenPipeError):
        sys.stdout.write(json.dumps(content) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
