"""``sley replay --native`` and ``--gdb``: the user's program under the schedule of a trace."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from sley.base.errors import InputError
from sley.cli.exit_codes import ExitCode
from sley.cli.replayed import Replayed
from sley.cli.terminal import show, width
from sley.frontend.litmus.test import SUFFIX
from sley.native.build import BuildError, find_compiler
from sley.native.replay import JudgedRun, NativeReplay, native_replay
from sley.native.schedule import NotPossibleError
from sley.reports.lines import Line, labelled
from sley.verification.reading import sources_of

MOST_OUTPUT = 10
"""Lines of the program's own output that are shown."""
_MARGIN = 17
_NOT_HERE = "set auto-load local-gdbinit off"
"""What gdb is told first: not to obey a file of the current folder."""
_ENDING = (signal.SIGTERM, signal.SIGHUP)


def run_native(replayed: Replayed, *, compiler: str | None, times: int, seconds: float) -> int:
    """Execute the program so often under the schedule, and say whether the failure happened."""
    _require_c(replayed)
    command = find_compiler(compiler)
    try:
        with _compiled(replayed, command, max(1, round(seconds))) as native:
            judged = [native.run() for _ in range(times)]
    except NotPossibleError as error:
        show(_labelled("Not possible", [str(error)]))
        return ExitCode.UNKNOWN
    show([*_what_ran(replayed, command), *_results(judged)])
    is_certain = any(one.is_reproduced and not one.assumed for one in judged)
    return ExitCode.BUG if is_certain else ExitCode.UNKNOWN


def debug(replayed: Replayed, *, compiler: str | None) -> int:
    """The program in gdb, stopped right before the step that fails."""
    _require_c(replayed)
    if shutil.which("gdb") is None:
        raise InputError("there is no gdb")
    try:
        with _compiled(replayed, find_compiler(compiler), 0) as native:
            mode = [] if sys.stdin.isatty() else ["-batch"]
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for gdb
            commands = ("-iex", _NOT_HERE, *mode, "-x", str(native.debugger_commands()))
            subprocess.run(["gdb", "-q", *commands], check=False)
    except NotPossibleError as error:
        show(_labelled("Not possible", [str(error)]))
        return ExitCode.UNKNOWN
    return ExitCode.BUG


def _require_c(replayed: Replayed) -> None:
    for path in replayed.task.paths:
        if path.suffix == SUFFIX:
            raise InputError(f"only a C program can be compiled, which `{path.name}` is not")


@contextmanager
def _compiled(replayed: Replayed, command: tuple[str, ...], seconds: int) -> Iterator[NativeReplay]:
    """The program, compiled; signals end the block in order, so that nothing is left behind."""
    ending = [one for one in _ENDING if signal.getsignal(one) is not signal.SIG_IGN]
    former = {number: signal.signal(number, _leave) for number in ending}
    try:
        with native_replay(replayed.task, replayed.program, replayed.trace, command, seconds) as native:
            yield native
    except BuildError as error:
        raise InputError(f"the program cannot be compiled for a replay: {error}") from None
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    raise SystemExit(128 + number)


# --- what is printed -------------------------------------------------------------------------------


def _what_ran(replayed: Replayed, command: tuple[str, ...]) -> list[Line]:
    task = replayed.task
    names = ", ".join(file.path.name for file in sources_of(task))
    text = f"{names} with {' '.join(command)}, -O0, and a run-time that enforces schedule and inputs"
    return _labelled("Compiled", [text])


def _results(judged: list[JudgedRun]) -> list[Line]:
    """What happened, each different ending once; what was assumed makes no failure certain."""
    lines: list[Line] = []
    for one in dict.fromkeys(judged):
        count = judged.count(one)
        runs = f"{count} of {len(judged)} run{'s' if len(judged) > 1 else ''}"
        only = f"only with what was assumed of {' and '.join(one.assumed)}: " if one.assumed else ""
        if one.is_reproduced:
            style = "unknown" if only else "bug"
            lines += _labelled("Reproduced", [f"{only}{one.text}, {runs}", *one.details], style)
        else:
            lines += _labelled("Not reproduced", [f"{one.text}, {runs}", *one.details], "unknown")
        lines += _labelled("Output", one.output.splitlines()[-MOST_OUTPUT:])
    return lines


def _labelled(label: str, texts: list[str], style: str = "label") -> list[Line]:
    return labelled(label, texts, width(), style, _MARGIN)
