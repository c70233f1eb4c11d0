"""Child processes: whoever starts one hears what it says and how it ended, and can suspend or end it.

Nothing is ever raised into running code from outside. A child is *asked* to end, by SIGTERM, which it notices
where it looks at its budget; one that does not look is *ended*, by SIGKILL, and its last words count.
Children do not outlive their parent: the kernel ends them with it.
"""

import ctypes
import os
import pickle
import resource
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, Pipe
from pathlib import Path
from typing import Any, NoReturn, Self, TypeVar

from sley.base.budget import Budget
from sley.base.errors import GaveUpError

Send = Callable[[object], None]
"""Says something to the parent."""

Work = Callable[[Send, Budget], object]
"""What a child does: with a way to say something, and within a budget that a request to end stops."""

ASKED_TO_END = "asked to end"

Part = TypeVar("Part")
Piece = TypeVar("Piece")

PAGE = resource.getpagesize()
_PR_SET_PDEATHSIG = 1
_FRESH = """
import sys
sys.path.insert(0, sys.argv.pop())
from sley.base.processes import work_from_stdin
work_from_stdin()
"""
_PLACE = str(Path(__file__).parents[2])
"""Where this program is imported from."""


@dataclass(frozen=True, slots=True)
class Finished:
    """The child ended with a value."""

    value: object


@dataclass(frozen=True, slots=True)
class Failed:
    """The child ended with an exception."""

    error: BaseException
    trace: str

    @classmethod
    def of(cls, error: BaseException) -> Self:
        """The exception as it can be sent; its traceback and its cause can be sent as text only."""
        try:
            pickle.loads(pickle.dumps(error))
        except Exception:  # noqa: BLE001 - whatever goes wrong in a foreign __reduce__
            error = RuntimeError(f"{type(error).__name__}: {error}")
        return cls(error, traceback.format_exc())

    @property
    def cause(self) -> "RemoteTraceback":
        """Where it was raised: ``raise failed.error from failed.cause``."""
        return RemoteTraceback(self.trace)


class RemoteTraceback(Exception):  # noqa: N818 - it is no error
    """Where an exception was raised in another process; its cause in this one."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


@dataclass(frozen=True, slots=True)
class Lost:
    """The child ended without a result: it was killed."""

    how: str


Ending = Finished | Failed | Lost


class Child:
    """A process at work; see ``forked`` and ``fresh``."""

    def __init__(self, pid: int, connection: Connection) -> None:
        self.pid = pid
        self.connection = connection
        self.is_suspended = False
        self.ending: Ending | None = None

    # --- listening ------------------------------------------------------------------------------

    def messages(self, *, wait: bool = False) -> Iterator[object]:
        """What the child has said since it was last asked, or ever will say; its end is noticed here."""
        try:
            while self.ending is None and self.connection.poll(None if wait else 0):
                self.resume()  # one that stopped in the midst of a long message would never end it
                message = self.connection.recv()
                if isinstance(message, Finished | Failed):
                    self._ended(message)
                else:
                    yield message
        except (EOFError, OSError, pickle.UnpicklingError):
            self._ended(None)

    def _ended(self, ending: Finished | Failed | None) -> None:
        self.connection.close()
        if ending is not None:
            self.ending = ending
            self._signal(signal.SIGKILL)  # it has said all; what it is still tidying up is of no use
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if ending is None:
            self.ending = Lost(f"ended by {signal.Signals(-code).name}" if code < 0 else "ended too early")

    # --- telling --------------------------------------------------------------------------------

    def ask_to_end(self) -> None:
        """It may still say what it knows."""
        self._signal(signal.SIGTERM)
        self.is_suspended = True
        self.resume()

    def end(self) -> None:
        """Now, whatever it is doing, with all its children."""
        if self.ending is None:
            self._signal(signal.SIGKILL)
            self._ended(None)

    def suspend(self) -> None:
        """Not a step more until ``resume``."""
        if not self.is_suspended:
            self.is_suspended = True
            self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Go on."""
        if self.is_suspended:
            self.is_suspended = False
            self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)  # not waited for yet, so the number is still its own


def usable_cores() -> int:
    """How many processes can compute at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_fork() -> bool:
    """Whether a copy of this process can work: with other threads, their locks would stay locked in it."""
    return threading.active_count() == 1


def forked(work: Work, budget: Budget) -> Child:
    """A copy of this process that works with everything that is in memory now."""
    receiving, sending = Pipe(duplex=False)
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        receiving.close()
        _live(work, budget.in_child(), sending, parent)
    sending.close()
    return Child(pid, receiving)


def fresh(work: Work, budget: Budget) -> Child:
    """A new process that knows nothing but ``work``, which is sent to it.

    It imports nothing from the folder that we are in.
    """
    receiving, sending = Pipe(duplex=False)
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", _FRESH, str(sending.fileno()), str(os.getpid()), _PLACE],
        stdin=subprocess.PIPE,
        pass_fds=[sending.fileno()],
    )
    sending.close()
    assert process.stdin is not None
    pickle.dump((work, budget.in_child()), process.stdin)
    process.stdin.close()
    process.returncode = 0  # it is waited for here, not there
    return Child(process.pid, receiving)


def side_by_side(work: Callable[[Part, Budget], Piece], parts: Sequence[Part], budget: Budget) -> list[Piece]:
    """The same work on several parts, each in a process of its own; what the first that fails raises."""

    def on_part(part: Part) -> Child:
        return forked(lambda _, own: work(part, own), budget)

    children = [on_part(part) for part in parts]
    try:
        return [_awaited(child) for child in children]
    finally:
        for child in children:
            child.end()


def _awaited(child: Child) -> Any:
    """What a child that says nothing ends with."""
    for message in child.messages(wait=True):
        raise AssertionError(message)
    match child.ending:
        case Finished(value=value):
            return value
        case Failed() as failed:
            raise failed.error from failed.cause
        case Lost(how=how):
            raise GaveUpError(f"one of its processes was {how}")
        case None:
            raise AssertionError("it has not ended")


def work_from_stdin() -> NoReturn:
    """What a fresh process does."""
    sending = Connection(int(sys.argv[1]), readable=False)
    work, budget = pickle.load(sys.stdin.buffer)
    _live(work, budget, sending, int(sys.argv[2]))


def _live(work: Work, budget: Budget, sending: Connection, parent: int) -> NoReturn:
    """The life of a child: it works, says how that ended, and is gone without any tidying up."""
    try:
        _settle(budget, parent, sending)
        try:
            sending.send(Finished(work(sending.send, budget)))
        except BaseException as error:  # noqa: BLE001 - the parent decides what to make of it
            sending.send(Failed.of(error))
    finally:
        os._exit(0)


def _settle(budget: Budget, parent: int, sending: Connection) -> None:
    """Be a child: die with the parent, listen to it alone, and keep silent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: budget.stop(ASKED_TO_END))
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in {0, 1, 2} - {sending.fileno()}:
        os.dup2(nothing, standard)


def is_above(limit: float, pids: list[int]) -> bool:
    """Whether processes have more megabytes together than this; what they share counts once."""
    return sum(map(_resident_megabytes, pids)) > limit and sum(map(megabytes_of, pids)) > limit


def megabytes_of(pid: int) -> float:
    """The memory of a process, where of a page that n processes share each has the n-th part."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as rollup:
            return sum(int(one.split()[1]) for one in rollup if one.startswith("Pss:")) / 1024
    except OSError:  # it has ended, or this is no Linux
        return 0.0


def _resident_megabytes(pid: int) -> float:
    """All its pages: never less than ``megabytes_of``, and told at once, however large it is."""
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as statm:
            return int(statm.read().split()[1]) * PAGE / 2**20
    except OSError:
        return 0.0


def descendants(pid: int) -> list[int]:
    """A process, its children and theirs."""
    found = [pid]
    for one in found:
        found += _children(one)
    return found


def _children(pid: int) -> list[int]:
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as children:
            return [int(child) for child in children.read().split()]
    except OSError:
        return []
